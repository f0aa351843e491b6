//! A bot that says exactly what a test tells it to.

use std::{sync::Arc, time::Duration};

use askd_testkit::{
    clock::TestClock,
    telegram::{FakeTelegram, MessageAt, Person, Setup},
};
use serde_json::{Value, json};

/// A fake, a clock that stands still, and a bot with the right token.
pub(super) struct Bot {
    pub(super) telegram: FakeTelegram,
    pub(super) clock: TestClock,
    pub(super) http: reqwest::Client,
}

/// What a refused call reads.
#[derive(Debug, PartialEq)]
pub(super) struct Refused {
    pub(super) code: u16,
    pub(super) description: String,
    pub(super) parameters: Value,
}

impl Bot {
    pub(super) async fn start() -> Self {
        Self::start_as(Setup::default()).await
    }

    pub(super) async fn start_as(setup: Setup) -> Self {
        let clock = TestClock::new();
        let telegram = FakeTelegram::start_as(setup, Arc::new(clock.clone())).await;
        let http = reqwest::Client::builder().timeout(Duration::from_secs(20));
        Self {
            telegram,
            clock,
            http: http.build().expect("a client of plain HTTP"),
        }
    }

    pub(super) fn url(&self, method: &str) -> String {
        format!("{}/bot{}/{method}", self.telegram.url(), self.telegram.token())
    }

    /// Calls a method. A connection that breaks is an error of the client.
    pub(super) async fn try_call(
        &self,
        method: &str,
        arguments: Value,
    ) -> reqwest::Result<Result<Value, Refused>> {
        let response = self.http.post(self.url(method)).json(&arguments).send().await?;
        let status = response.status().as_u16();
        let body: Value = response.json().await?;
        if body["ok"] == true {
            assert_eq!(status, 200);
            return Ok(Ok(body["result"].clone()));
        }
        assert_eq!(body["error_code"], status);
        Ok(Err(Refused {
            code: status,
            description: body["description"].as_str().expect("a text").to_owned(),
            parameters: body["parameters"].clone(),
        }))
    }

    pub(super) async fn call(&self, method: &str, arguments: Value) -> Value {
        let outcome = self.try_call(method, arguments).await.expect("an answer");
        outcome.unwrap_or_else(|refused| panic!("{method} was refused: {refused:?}"))
    }

    pub(super) async fn refused(&self, method: &str, arguments: Value) -> Refused {
        let outcome = self.try_call(method, arguments.clone()).await.expect("an answer");
        outcome.expect_err(&format!("{method} was taken: {arguments}"))
    }

    /// Sends a text and gives its place.
    pub(super) async fn sends(&self, chat: i64, text: &str) -> MessageAt {
        self.sends_with(json!({"chat_id": chat, "text": text})).await
    }

    pub(super) async fn sends_with(&self, arguments: Value) -> MessageAt {
        let message = self.call("sendMessage", arguments).await;
        MessageAt {
            chat: message["chat"]["id"].as_i64().expect("a number"),
            id: message["message_id"].as_i64().expect("a number"),
        }
    }

    /// What waits to be fetched, confirming nothing.
    pub(super) async fn updates(&self) -> Vec<Value> {
        let updates = self.call("getUpdates", json!({})).await;
        updates.as_array().expect("an array").clone()
    }

    /// The only update that waits, without its envelope. Confirms it.
    pub(super) async fn hears(&self, kind: &str) -> Value {
        let updates = self.updates().await;
        assert_eq!(updates.len(), 1, "{updates:?}");
        let next = updates[0]["update_id"].as_i64().expect("a number") + 1;
        self.call("getUpdates", json!({"offset": next})).await;
        let update = &updates[0][kind];
        assert!(update.is_object(), "no {kind}: {updates:?}");
        update.clone()
    }

    pub(super) fn sara(&self) -> Person {
        self.telegram.person("Sara")
    }
}

impl Refused {
    pub(super) fn new(code: u16, description: &str) -> Self {
        Self {
            code,
            description: description.to_owned(),
            parameters: Value::Null,
        }
    }
}

/// A keyboard of one row per label; each sends its label.
pub(super) fn keyboard(labels: &[&str]) -> Value {
    let rows: Vec<Value> = labels
        .iter()
        .map(|label| json!([{"text": label, "callback_data": label}]))
        .collect();
    json!({"inline_keyboard": rows})
}
