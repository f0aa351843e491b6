//! What the log says of requests, and what it must not.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
};

use serde_json::json;
use tracing_subscriber::{fmt::MakeWriter, layer::SubscriberExt as _};

use crate::world::{AGENT, SARA, World, one_question};

/// Everything that is logged, at every level.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

#[tokio::test]
async fn the_log_names_method_and_route_and_nothing_that_was_said() {
    // For the whole process: a subscriber of this thread alone would miss what another test's thread logs first, and
    // with it every later line of the same place. What other tests log meanwhile is in the text too, and does no harm.
    let log = Log::default();
    let writing = tracing_subscriber::fmt::layer()
        .with_writer(log.clone())
        .with_ansi(false);
    tracing::subscriber::set_global_default(tracing_subscriber::registry().with(writing)).unwrap();
    let world = World::new();
    let mut body = one_question();
    body["questions"][0]["question"] = json!("hush-question?");
    body["questions"][0]["options"][1]["label"] = json!("hush-label");
    body["context"] = json!("hush-context");

    let asked = world
        .post("/v1/asks")
        .token(AGENT)
        .header("idempotency-key", "hush-key")
        .json(&body)
        .send()
        .await;
    let id = asked.text("/id");
    world
        .get("/v1/asks?session=hush-session")
        .token(AGENT)
        .send()
        .await;
    world.delete("/v1/runs/hush-run").token(AGENT).send().await;
    world.get("/v1/asks").token("hush-token").send().await;
    world.get("/hush-path?hush-query").token(AGENT).send().await;
    let path = format!("/v1/asks/{id}");
    world
        .post(&format!("{path}/answers"))
        .token(SARA)
        .json(&json!({ "hush-field": 1 }))
        .send()
        .await;
    world
        .post(&format!("{path}/reply"))
        .token(SARA)
        .json(&json!({ "text": "hush-answer" }))
        .send()
        .await;
    world.store.set_broken(true);
    world.post("/v1/asks").token(AGENT).json(&body).send().await;

    let text = log.text();
    assert!(!text.contains("hush"), "{text}");
    for said in [
        "method=POST route=\"/v1/asks\"",
        "route=\"/v1/runs/{run}\"",
        "route=\"none\"",
        "store failed",
    ] {
        assert!(text.contains(said), "{said} is not in {text}");
    }
}
