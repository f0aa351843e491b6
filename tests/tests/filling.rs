//! A disk that runs full.

use askd_core::broker::Settings;
use askd_http::HttpOptions;
use askd_store_sqlite::Options;
use askd_stories::target;
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinSet};
use tokio_util::sync::CancellationToken;

use crate::inside::{Inside, SECRET, World};

/// The HTTP API of a process.
struct Served {
    url: String,
    client: reqwest::Client,
    _server: JoinSet<std::io::Result<()>>,
}

impl Served {
    async fn of(askd: &Inside) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1/asks", listener.local_addr().unwrap());
        let (broker, stop) = (askd.broker.clone(), CancellationToken::new());
        let mut server = JoinSet::new();
        server.spawn(askd_http::serve(listener, broker, HttpOptions::default(), stop));
        Self {
            url,
            client: reqwest::Client::builder().no_proxy().build().unwrap(),
            _server: server,
        }
    }

    async fn ask(&self, body: &Value) -> (u16, Value) {
        let request = self.client.post(&self.url).bearer_auth(SECRET).json(body);
        let response = request.send().await.unwrap();
        (response.status().as_u16(), response.json().await.unwrap())
    }

    async fn status(&self, ask: &str) -> Value {
        let url = format!("{}/{ask}", self.url);
        let response = self.client.get(url).bearer_auth(SECRET).send().await.unwrap();
        response.json::<Value>().await.unwrap()["status"].clone()
    }
}

#[tokio::test]
async fn a_full_disk_refuses_new_questions_and_keeps_every_one_it_took() {
    let (world, settings) = (
        World::new(),
        Settings {
            max_pending: 100_000,
            ..Settings::default()
        },
    );
    let small = Options {
        max_pages: Some(160),
        ..Options::default()
    };
    let mut body = target();
    body["context"] = json!("x".repeat(4000));
    let askd = world.start(small, settings.clone()).await;
    let served = Served::of(&askd).await;

    let mut taken = Vec::new();
    let refused = loop {
        let (status, answer) = served.ask(&body).await;
        if status != 201 {
            break (status, answer);
        }
        taken.push(answer["id"].as_str().unwrap().to_owned());
    };

    assert_eq!(
        (refused.0, &refused.1["type"]),
        (503, &json!("urn:askd:problem:store-full"))
    );
    assert!(taken.len() > 10, "{} were taken", taken.len());
    for ask in &taken {
        assert_eq!(served.status(ask).await, "pending", "a full disk can be read");
    }

    drop(served);
    askd.kill().await;
    let askd = world.start(Options::default(), settings).await;
    let served = Served::of(&askd).await;
    for ask in &taken {
        assert_eq!(served.status(ask).await, "pending", "nothing was lost");
    }
    assert_eq!(served.ask(&body).await.0, 201, "there is room again");
}
