//! Browsers that are woken while no page is open, told with the real program and a push service of our own.

use std::{fs, os::unix::fs::PermissionsExt as _, sync::Arc};

use askd_stories::{Answer, Askd, Home, PATIENCE};
use askd_testkit::{
    clock::WallClock,
    push_service::{Device, Fault, PushService},
};
use reqwest::{Client, Method};
use serde_json::{Value, json};
use tokio::{runtime::Runtime, time::timeout};

use crate::stage::{deliveries, deploy, runtime, until_delivered};

/// A home in which web push is on, and the push service of everybody's browser.
struct Scene {
    runtime: Arc<Runtime>,
    home: Home,
    service: PushService,
}

impl Scene {
    fn new() -> Self {
        let runtime = runtime();
        let service = runtime.block_on(PushService::start(Arc::new(WallClock)));
        let home = Home::new();
        home.configure(&format!(
            "[push]\ncontact = \"mailto:ops@example.org\"\nservices = [\"{}\"]\n[people.sara]\n",
            service.origin()
        ));
        Self {
            runtime,
            home,
            service,
        }
    }

    /// Sara's browser `name`, signed in and subscribed.
    fn subscribed(&self, askd: &Askd, name: &str) -> Browser<'_> {
        let browser = self.signed_in(askd, name);
        let taken = browser.call(Method::POST, "/v1/push", Some(&browser.subscription()));
        assert_eq!(taken.status, 204, "{taken:?}");
        browser
    }

    /// Sara's browser `name`, signed in.
    fn signed_in(&self, askd: &Askd, name: &str) -> Browser<'_> {
        let offer = askd
            .operator
            .post("/v1/sign-in/codes", &json!({ "person": "sara" }));
        let key = askd.operator.get("/v1/me").body["push"]["publicKey"].clone();
        let device = self
            .service
            .subscribe(name, key.as_str().expect("web push is on"));
        let client = Client::builder().no_proxy().build().unwrap();
        let code = json!({ "code": offer.body["code"] });
        let answer = client.post(format!("{}/v1/sign-in", askd.url)).json(&code).send();
        let answer = self.runtime.block_on(async { timeout(PATIENCE, answer).await });
        let answer = answer.unwrap().unwrap();
        let cookie = answer.headers()["set-cookie"].to_str().unwrap();
        let cookie = cookie.split(';').next().unwrap().to_owned();
        Browser {
            scene: self,
            url: askd.url.clone(),
            client,
            cookie,
            device,
        }
    }
}

/// A browser of Sara's.
struct Browser<'a> {
    scene: &'a Scene,
    url: String,
    client: Client,
    cookie: String,
    device: Device,
}

impl Browser<'_> {
    /// As the page calls.
    fn call(&self, method: Method, path: &str, body: Option<&Value>) -> Answer {
        let request = self
            .client
            .request(method, format!("{}{path}", self.url))
            .header("cookie", &self.cookie)
            .header("askd-client", "panel");
        let request = match body {
            Some(body) => request.json(body),
            None => request,
        };
        self.scene.runtime.block_on(async {
            let answer = timeout(PATIENCE, request.send()).await.unwrap().unwrap();
            let status = answer.status().as_u16();
            let body = answer.json().await.unwrap_or_default();
            Answer { status, body }
        })
    }

    /// What `PushManager.subscribe` gives.
    fn subscription(&self) -> Value {
        let browser = &self.device.browser;
        json!({
            "endpoint": browser.endpoint,
            "expirationTime": null,
            "keys": { "p256dh": browser.p256dh, "auth": browser.auth },
        })
    }

    /// Waits until its service has been called so often.
    fn until_called(&self, times: usize) {
        let called = self.scene.service.until_requests(&self.device, times);
        let called = self
            .scene
            .runtime
            .block_on(async { timeout(PATIENCE, called).await });
        called.expect("askd calls the push service");
    }

    fn pushes(&self) -> usize {
        self.scene.service.pushed(&self.device).len()
    }
}

/// Asks, and waits until the pushes are as they are to end up.
fn asks_until(askd: &Askd, state: &str) -> String {
    let id = askd.agent.ask(&deploy()).id();
    until_delivered(askd, &id, |deliveries| deliveries.all_are(state));
    id
}

#[test]
fn an_ask_wakes_the_browsers_of_its_person_and_what_the_service_takes_is_delivered() {
    let scene = Scene::new();
    let askd = scene.home.serve();
    let (phone, desk) = (scene.subscribed(&askd, "phone"), scene.subscribed(&askd, "desk"));

    let ask = asks_until(&askd, "shown");

    for browser in [&phone, &desk] {
        let [pushed] = scene.service.pushed(&browser.device).try_into().unwrap();
        assert_eq!(pushed.content, b"{}", "it says nothing");
        assert_eq!(pushed.urgency, "high");
        assert!(
            (1..=900).contains(&pushed.ttl),
            "until the deadline: {}",
            pushed.ttl
        );
    }
    assert_eq!(scene.service.violations(), Vec::<String>::new());
    let told = askd.agent.read(&ask)["deliveries"].clone();
    assert_eq!(told.as_array().unwrap().len(), 2, "{told}");
    assert_eq!(told[0]["channel"], "push");
    askd.operator.reply(&ask, "2");
    assert!(
        deliveries(&askd, &ask).all_are("settled"),
        "nothing is left to do"
    );
    assert_eq!((phone.pushes(), desk.pushes()), (1, 1), "an end rings nowhere");
}

#[test]
fn a_browser_that_is_gone_is_forgotten_and_delivers_nothing() {
    let scene = Scene::new();
    let askd = scene.home.serve();
    let phone = scene.subscribed(&askd, "phone");
    scene.service.forget(&phone.device);

    let ask = asks_until(&askd, "failed");

    let told = askd.agent.read(&ask)["deliveries"][0].clone();
    assert_eq!(
        told["reason"],
        "the browser is no longer subscribed to notifications"
    );
    let next = askd.agent.ask(&deploy()).body;
    assert_eq!(next["deliveries"], json!([]), "nobody tries again");
    // Sara is signed in and may look.
    assert_eq!(next["status"], "pending");
}

#[test]
fn what_the_service_puts_off_is_pushed_later() {
    let scene = Scene::new();
    let askd = scene.home.serve();
    let phone = scene.subscribed(&askd, "phone");
    let faults = [Fault::Says(429, Some("1")), Fault::Breaks, Fault::Says(500, None)];
    scene.service.fails(&phone.device, faults);

    asks_until(&askd, "shown");

    assert_eq!(scene.service.requests(&phone.device), 4);
    assert_eq!(phone.pushes(), 1);
}

#[test]
fn killed_in_the_middle_of_a_push_it_pushes_after_the_restart() {
    let scene = Scene::new();
    let mut askd = scene.home.serve();
    let phone = scene.subscribed(&askd, "phone");
    let key = askd.operator.get("/v1/me").body["push"].clone();
    scene.service.fails(&phone.device, [Fault::Hangs]);
    let ask = askd.agent.ask(&deploy()).id();
    phone.until_called(1);

    askd.process.kill();
    let askd = scene.home.serve();

    until_delivered(&askd, &ask, |deliveries| deliveries.on("push") == "shown");
    assert_eq!(phone.pushes(), 1);
    assert_eq!(askd.operator.get("/v1/me").body["push"], key, "the key is kept");
    let file = fs::metadata(scene.home.state().join("push.key")).unwrap();
    assert_eq!(file.permissions().mode() & 0o777, 0o600);
}

#[test]
fn who_signs_out_or_is_unpaired_or_takes_it_back_is_woken_no_more() {
    let scene = Scene::new();
    let askd = scene.home.serve();
    let ends: [fn(&Browser<'_>, &Home); 3] = [
        |browser, _| {
            assert_eq!(browser.call(Method::POST, "/v1/sign-out", None).status, 204);
        },
        |browser, _| {
            assert_eq!(browser.call(Method::DELETE, "/v1/push", None).status, 204);
        },
        |_, home| assert_eq!(home.run(&["unpair", "sara"]).code, 0),
    ];
    // She can always be reached somewhere, so that an ask is one.
    for (n, end) in ends.into_iter().enumerate() {
        let browser = scene.subscribed(&askd, &format!("browser-{n}"));
        asks_until(&askd, "shown");
        assert_eq!(browser.pushes(), 1);

        end(&browser, &scene.home);

        let ask = askd.agent.ask(&deploy()).body;
        assert_eq!(ask["deliveries"], json!([]));
        assert_eq!(browser.pushes(), 1);
        for ask in askd.operator.get("/v1/asks?status=pending").body["asks"]
            .as_array()
            .unwrap()
        {
            askd.operator.reply(ask["id"].as_str().unwrap(), "1");
        }
    }
}

#[test]
fn a_browser_names_no_machine_that_askd_then_calls() {
    let scene = Scene::new();
    let askd = scene.home.serve();
    let phone = scene.signed_in(&askd, "phone");
    for endpoint in [
        format!("{}/v1/asks", askd.url),
        "http://169.254.169.254/latest/meta-data".to_owned(),
        "https://127.0.0.1/".to_owned(),
        "https://push.example.org/a".to_owned(),
    ] {
        let mut body = phone.subscription();
        body["endpoint"] = json!(endpoint);

        let answer = phone.call(Method::POST, "/v1/push", Some(&body));

        assert_eq!(answer.status, 422, "{endpoint}: {answer:?}");
        assert_eq!(answer.body["errors"][0]["pointer"], "/endpoint");
    }
}

#[test]
fn the_log_of_a_noisy_run_holds_no_address_and_no_key_of_a_browser() {
    let scene = Scene::new();
    let mut askd = scene.home.serve_with(&[("ASKD_LOG", "trace")], &[]);
    let phone = scene.subscribed(&askd, "walrus");
    let faults = [Fault::Says(500, None), Fault::Breaks, Fault::Says(429, Some("0"))];
    scene.service.fails(&phone.device, faults);
    asks_until(&askd, "shown");
    scene.service.fails(&phone.device, [Fault::Says(403, None)]);
    asks_until(&askd, "failed");
    scene.service.forget(&phone.device);
    asks_until(&askd, "failed");

    let left = askd.process.stop();

    let said = format!("{}{}", left.stdout, left.stderr);
    assert!(
        said.contains("push accepted") && said.contains("delivery failed"),
        "{said}"
    );
    let browser = &phone.device.browser;
    let key = fs::read_to_string(scene.home.state().join("push.key")).unwrap();
    for secret in ["walrus", &browser.p256dh, &browser.auth, key.trim()] {
        let line = said.lines().find(|line| line.contains(secret));
        assert_eq!(line, None, "{secret:?} was logged");
    }
}
