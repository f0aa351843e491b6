//! The switch that has this device notified. A browser of a test has no push service: what it would give comes from one of
//! our own, and all the rest is the page's and askd's.

use std::sync::Arc;

use askd_stories::{Home, PATIENCE};
use askd_testkit::{
    clock::WallClock,
    push_service::{Device, PushService},
};
use serde_json::{Value, json};
use tokio::{runtime::Runtime, time::timeout};

use super::{DESKTOP, Desk, PEOPLE, ready};
use crate::{
    browser::askd,
    stage::{deploy, runtime},
};

/// In the place of what the browser does at its push service. What is subscribed outlives the page, as in a browser.
const STUB: &str = "
    const given = arguments[0];
    const subscription = (key) => ({
        endpoint: given.endpoint,
        options: { userVisibleOnly: true, applicationServerKey: Uint8Array.from(
            atob(key.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0)).buffer },
        toJSON: () => ({ endpoint: given.endpoint, expirationTime: null, keys: given.keys }),
        unsubscribe: async () => (sessionStorage.removeItem('subscribed'), true),
    });
    PushManager.prototype.getSubscription = async () => {
        const key = sessionStorage.getItem('subscribed');
        return key === null ? null : subscription(key);
    };
    PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
        if (!userVisibleOnly) throw new Error('a silent push');
        sessionStorage.setItem('subscribed', applicationServerKey);
        return subscription(applicationServerKey);
    };
    Notification.requestPermission = async () => arguments[1];
";

struct Scene {
    runtime: Arc<Runtime>,
    service: PushService,
    desk: Desk,
    device: Device,
}

impl Scene {
    /// Sara's page, before a browser that says this when it is asked for its leave.
    fn new(leave: &str) -> Self {
        let runtime = runtime();
        let service = runtime.block_on(PushService::start(Arc::new(WallClock)));
        let home = Home::new();
        home.configure(&format!(
            "[push]\ncontact = \"mailto:ops@example.org\"\nservices = [\"{}\"]\n{PEOPLE}",
            service.origin()
        ));
        let desk = Desk::at(home, Some("sara"), DESKTOP);
        let key = desk.askd.operator.get("/v1/me").body["push"]["publicKey"].clone();
        let device = service.subscribe("sara", key.as_str().expect("web push is on"));
        let browser = &device.browser;
        let given = json!({
            "endpoint": browser.endpoint,
            "keys": { "p256dh": browser.p256dh, "auth": browser.auth },
        });
        desk.page.now(STUB, &[given, json!(leave)]);
        Self {
            runtime,
            service,
            desk,
            device,
        }
    }

    /// An agent asks; how many browsers that wakes.
    fn asks(&self) -> usize {
        let ask = self.desk.askd.agent.ask(&deploy()).body;
        let deliveries = ask["deliveries"].as_array().unwrap().iter();
        deliveries
            .filter(|delivery| delivery["channel"] == "push")
            .count()
    }

    fn subscribed(&self) -> Value {
        self.desk
            .page
            .now("return sessionStorage.getItem('subscribed')", &[])
    }
}

fn switch(is_on: bool) -> String {
    format!("{}[aria-checked=\"{is_on}\"]", askd("push"))
}

#[test]
fn the_switch_has_this_device_notified_and_not_any_more() {
    let scene = Scene::new("granted");
    scene.desk.page.sees(&switch(false));
    scene.desk.page.clicks(&askd("push"));
    scene.desk.page.sees(&switch(true));

    assert_eq!(scene.asks(), 1);
    let called = scene.service.until_requests(&scene.device, 1);
    scene
        .runtime
        .block_on(async { timeout(PATIENCE, called).await })
        .expect("it is pushed");
    assert_eq!(scene.service.violations(), Vec::<String>::new());

    scene.desk.page.clicks(&askd("push"));
    scene.desk.page.sees(&switch(false));
    assert_eq!(scene.subscribed(), Value::Null);
    assert_eq!(scene.asks(), 0);
}

#[test]
fn a_browser_that_does_not_allow_it_is_told_of_and_nothing_is_subscribed() {
    let scene = Scene::new("denied");

    scene.desk.page.clicks(&askd("push"));

    scene.desk.page.reads(".push-trouble", "does not allow");
    scene.desk.page.sees(&switch(false));
    assert_eq!(scene.asks(), 0);
}

#[test]
fn who_signs_out_leaves_no_device_notified() {
    let scene = Scene::new("granted");
    scene.desk.page.clicks(&askd("push"));
    scene.desk.page.sees(&switch(true));

    scene.desk.page.clicks(&askd("sign-out"));
    scene.desk.page.sees(&askd("sign-in"));

    let gone = "() => sessionStorage.getItem('subscribed') === null";
    scene.desk.page.until("the end of the subscription", gone, &[]);
    assert_eq!(scene.asks(), 0);
}

#[test]
fn without_web_push_there_is_no_switch() {
    let desk = Desk::of(Some("sara"), DESKTOP, PEOPLE);

    ready(&desk.page);
    desk.page.sees_no(&askd("push"));
}
