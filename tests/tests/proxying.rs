//! Behind nginx, configured with the very lines of `docs/operations.md`.
//!
//! TLS ends there, with a certificate of our own making. What it needs beside Rust, `cargo xtask test` installs.

use std::{
    fs,
    future::Future,
    net::{IpAddr, SocketAddr, TcpListener},
    process::Command,
};

use askd_stories::{Askd, Home, PATIENCE, Running, Stopwatch, target};
use reqwest::{Certificate, Client, RequestBuilder, Response};
use serde_json::{Value, json};
use tokio::time::timeout;

const GUIDE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/operations.md");

/// The name in the guide.
const NAME: &str = "askd.example.org";

/// askd and nginx before it.
struct Proxied {
    home: Home,
    askd: Askd,
    _nginx: Running,
    at: SocketAddr,
}

impl Proxied {
    fn start() -> Self {
        let home = Home::new();
        let at = SocketAddr::new(home.address().into(), free_port(home.address().into()));
        home.configure(&format!(
            "[server]\ntrusted_proxy = \"127.0.0.1\"\npublic_url = \"https://{NAME}:{}\"\n[people.sara]\n\
             [tokens.of-sara]\nrole = \"person\"\nperson = \"sara\"\ntoken = \"secret-of-sara-herself\"\n",
            at.port()
        ));
        let askd = home.serve();
        certify(&home);
        let config = home.write("nginx/nginx.conf", &config(&home, at, &askd.url));
        let mut command = home.foreign("/usr/sbin/nginx");
        command
            .arg("-p")
            .arg(home.path("nginx"))
            .args(["-e", "stderr", "-c"])
            .arg(config);
        let mut nginx = Running::start(&mut command, "");
        nginx.until_it_notes("start worker process ");
        Self {
            home,
            askd,
            _nginx: nginx,
            at,
        }
    }

    /// Somebody on the internet, whose address is `from`.
    fn client_from(&self, from: &str) -> Client {
        let certificate = fs::read(self.home.path("nginx/cert.pem")).unwrap();
        Client::builder()
            .no_proxy()
            .resolve(NAME, self.at)
            .local_address(Some(from.parse::<IpAddr>().unwrap()))
            .add_root_certificate(Certificate::from_pem(&certificate).unwrap())
            .build()
            .unwrap()
    }

    fn client(&self) -> Client {
        self.client_from("127.0.0.1")
    }

    fn url(&self, path: &str) -> String {
        format!("https://{NAME}:{}{path}", self.at.port())
    }
}

/// What the guide says, for this home.
fn config(home: &Home, at: SocketAddr, askd: &str) -> String {
    let guide = fs::read_to_string(GUIDE).unwrap();
    let (_, rest) = guide.split_once("<!-- run: nginx -->\n```nginx\n").unwrap();
    let (server, _) = rest.split_once("\n```").unwrap();
    let mut server = server.to_owned();
    let folder = home.path("nginx").display().to_string();
    for (theirs, ours) in [
        ("listen 443 ssl", format!("listen {at} ssl")),
        (
            "/etc/letsencrypt/live/askd.example.org/fullchain.pem",
            format!("{folder}/cert.pem"),
        ),
        (
            "/etc/letsencrypt/live/askd.example.org/privkey.pem",
            format!("{folder}/key.pem"),
        ),
        ("http://127.0.0.1:7373", askd.to_owned()),
    ] {
        assert_eq!(server.matches(theirs).count(), 1, "{theirs} is in the guide once");
        server = server.replace(theirs, &ours);
    }
    // What Debian's own nginx.conf has around it, for a home that is not nginx's.
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|name| format!("{name}_temp_path {folder}/{name};\n"))
        .concat();
    format!(
        "daemon off;\nuser root;\nworker_processes 1;\npid {folder}/pid;\nerror_log stderr notice;\nevents {{}}\n\
         http {{\naccess_log off;\n{temporary}{server}\n}}\n"
    )
}

/// A certificate that signs itself.
fn certify(home: &Home) {
    let config = format!(
        "[req]\ndistinguished_name = name\nx509_extensions = of_server\nprompt = no\n[name]\nCN = {NAME}\n\
         [of_server]\nsubjectAltName = DNS:{NAME}\nbasicConstraints = critical,CA:FALSE\n"
    );
    let config = home.write("nginx/req.cnf", &config);
    let made = Command::new("openssl")
        .args([
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
        ])
        .args(["-nodes", "-days", "2", "-config"])
        .arg(config)
        .arg("-keyout")
        .arg(home.path("nginx/key.pem"))
        .arg("-out")
        .arg(home.path("nginx/cert.pem"))
        .output()
        .expect("run `cargo xtask test` once: it installs what the tests need");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}

/// On an address of this home alone, so that nobody else takes it meanwhile.
fn free_port(address: IpAddr) -> u16 {
    let listener = TcpListener::bind((address, 0)).unwrap();
    listener.local_addr().unwrap().port()
}

fn run<T>(story: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime
        .block_on(async { timeout(PATIENCE, story).await })
        .expect("it comes in time")
}

async fn sent(request: RequestBuilder) -> (u16, Value) {
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    (status, response.json().await.unwrap_or_default())
}

/// Reads a stream until it holds `text`.
async fn until(stream: &mut Response, text: &str) {
    let mut read = String::new();
    while !read.contains(text) {
        let chunk = stream.chunk().await.unwrap();
        let chunk = chunk.unwrap_or_else(|| panic!("the stream ended after {read:?}"));
        read += &String::from_utf8_lossy(&chunk);
    }
}

#[test]
fn behind_nginx_a_wait_holds_and_an_event_is_seen_when_it_happens() {
    let proxied = Proxied::start();
    let (agent, operator) = (proxied.home.secret("agent"), proxied.home.secret("operator"));
    let client = proxied.client();

    run(async {
        let events = client.get(proxied.url("/v1/events")).bearer_auth(&operator);
        let mut events = events.send().await.unwrap();
        until(&mut events, ": connected").await;
        let asking = client
            .post(proxied.url("/v1/asks?wait=50"))
            .bearer_auth(&agent)
            .json(&target());
        let answering = async {
            until(&mut events, "\"change\":\"asked\"").await;
            let list = client.get(proxied.url("/v1/asks")).bearer_auth(&operator);
            let (_, page) = sent(list).await;
            let reply = format!("/v1/asks/{}/reply", page["asks"][0]["id"].as_str().unwrap());
            let reply = client
                .post(proxied.url(&reply))
                .bearer_auth(&operator)
                .json(&json!({ "text": "2" }));
            assert_eq!(sent(reply).await.1["receipt"], "settled");
            until(&mut events, "\"change\":\"ended\"").await;
        };
        let watch = Stopwatch::start();
        let ((status, asked), ()) = tokio::join!(sent(asking), answering);

        assert_eq!((status, &asked["status"]), (201, &json!("answered")));
        assert!(
            watch.elapsed().as_secs() < 45,
            "nobody waited for the hold to end"
        );
    });
}

#[test]
fn behind_nginx_a_foreign_host_is_refused_and_a_long_body_is_told_in_words() {
    let proxied = Proxied::start();
    let client = proxied.client();

    run(async {
        let ours = sent(client.get(proxied.url("/readyz"))).await;
        let foreign = client.get(proxied.url("/readyz")).header("host", "evil.example");
        let foreign = sent(foreign).await;
        let page = client
            .get(proxied.url("/v1/asks"))
            .bearer_auth(proxied.home.secret("agent"))
            .header("origin", "https://evil.example");
        let page = sent(page).await;
        let long = client
            .post(proxied.url("/v1/asks"))
            .bearer_auth(proxied.home.secret("agent"))
            .json(&json!({ "context": "x".repeat(600 * 1024) }));
        let long = sent(long).await;

        assert_eq!(ours.0, 200, "{}", ours.1);
        assert_eq!((foreign.0, kind(&foreign.1)), (403, "foreign-host"));
        assert_eq!((page.0, kind(&page.1)), (403, "foreign-origin"));
        assert_eq!((long.0, kind(&long.1)), (413, "too-large"));
    });
}

#[test]
fn behind_nginx_who_guesses_is_slowed_down_by_their_own_address_whatever_they_write() {
    let proxied = Proxied::start();
    let guess = |client: &Client, lie: &str| {
        let request = client.get(proxied.url("/v1/asks")).bearer_auth("a guess");
        let request = request.header("x-forwarded-for", lie.to_owned());
        sent(request.header("forwarded", format!("for={lie};proto=http")))
    };
    let (guesser, other) = (
        proxied.client_from("127.0.0.11"),
        proxied.client_from("127.0.0.12"),
    );

    run(async {
        let mut last = (0, Value::Null);
        for n in 0..40 {
            last = guess(&guesser, &format!("203.0.113.{n}")).await;
        }
        let of_other = guess(&other, "127.0.0.11").await;
        let known = guesser
            .get(proxied.url("/v1/asks"))
            .bearer_auth(proxied.home.secret("agent"));
        let known = sent(known).await;

        assert_eq!((last.0, kind(&last.1)), (429, "too-many-unknown-tokens"));
        assert_eq!((of_other.0, kind(&of_other.1)), (401, "unauthorized"));
        assert_eq!(known.0, 200);
    });
}

#[test]
fn behind_nginx_the_cookie_of_the_panel_is_for_tls_alone() {
    let proxied = Proxied::start();
    let client = proxied.client();

    run(async {
        let code = client
            .post(proxied.url("/v1/sign-in/codes"))
            .bearer_auth(proxied.home.secret("operator"))
            .json(&json!({ "person": "sara" }));
        let (_, code) = sent(code).await;
        let signing_in = client
            .post(proxied.url("/v1/sign-in"))
            .header("origin", format!("https://{NAME}:{}", proxied.at.port()))
            .json(&json!({ "code": code["code"] }));
        let response = signing_in.send().await.unwrap();

        assert_eq!(response.status(), 204);
        let cookie = response.headers()["set-cookie"].to_str().unwrap();
        assert!(cookie.starts_with("__Host-"), "it is bound to this host");
        for attribute in ["Secure", "HttpOnly", "SameSite=Strict"] {
            assert!(cookie.contains(attribute), "it has {attribute}");
        }
    });
    assert!(!proxied.askd.process.noted().contains(" ERROR "));
}

fn kind(problem: &Value) -> &str {
    let kind = problem["type"].as_str().unwrap_or_default();
    kind.strip_prefix("urn:askd:problem:").unwrap_or_default()
}
