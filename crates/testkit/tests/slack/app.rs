//! An app that says exactly what a test tells it to.

use std::{sync::Arc, time::Duration};

use askd_testkit::{
    clock::TestClock,
    slack::{FakeSlack, MessageAt, Person, Place, Setup},
};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async, tungstenite::Message};

/// Longest that anything is waited for, in real time. Only a test that fails waits for it.
const PATIENCE: Duration = Duration::from_secs(10);

/// A fake, a clock that stands still, and an app with the right tokens.
pub(super) struct App {
    pub(super) slack: FakeSlack,
    pub(super) clock: TestClock,
    pub(super) http: reqwest::Client,
}

/// One socket of the app.
pub(super) struct Socket(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl App {
    pub(super) async fn start() -> Self {
        Self::start_as(Setup::default()).await
    }

    pub(super) async fn start_as(setup: Setup) -> Self {
        let clock = TestClock::new();
        let slack = FakeSlack::start_as(setup, Arc::new(clock.clone())).await;
        let http = reqwest::Client::builder().timeout(PATIENCE * 2);
        Self {
            slack,
            clock,
            http: http.build().expect("a client of plain HTTP"),
        }
    }

    pub(super) fn url(&self, method: &str) -> String {
        format!("{}/{method}", self.slack.url())
    }

    pub(super) fn token_for(&self, method: &str) -> String {
        if method == "apps.connections.open" {
            self.slack.app_token()
        } else {
            self.slack.bot_token()
        }
    }

    /// Calls a method with a JSON body, or with a form where it reads no other. A connection that breaks is an error
    /// of the client.
    pub(super) async fn try_call(&self, method: &str, arguments: Value) -> reqwest::Result<Value> {
        let request = self
            .http
            .post(self.url(method))
            .bearer_auth(self.token_for(method));
        let form = [
            "users.",
            "bots.",
            "conversations.info",
            "conversations.history",
            "conversations.replies",
        ];
        let request = if form.iter().any(|prefix| method.starts_with(prefix)) {
            request.form(&texts(&arguments))
        } else {
            // With its charset, or Slack warns.
            let body = arguments.to_string();
            request
                .header("content-type", "application/json; charset=utf-8")
                .body(body)
        };
        request.send().await?.json().await
    }

    pub(super) async fn call(&self, method: &str, arguments: Value) -> Value {
        let answer = self.try_call(method, arguments).await.expect("an answer");
        assert_eq!(answer["ok"], true, "{method} was refused: {answer}");
        answer
    }

    /// The error that a call is refused with, and what is wrong in detail.
    pub(super) async fn refused(&self, method: &str, arguments: Value) -> (String, Vec<String>) {
        let answer = self.try_call(method, arguments.clone()).await.expect("an answer");
        assert_eq!(answer["ok"], false, "{method} was taken: {arguments}");
        let messages = answer["response_metadata"]["messages"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let messages = messages.iter().filter_map(Value::as_str).map(str::to_owned);
        (
            answer["error"].as_str().expect("a text").to_owned(),
            messages.collect(),
        )
    }

    /// The error alone.
    pub(super) async fn error(&self, method: &str, arguments: Value) -> String {
        self.refused(method, arguments).await.0
    }

    /// Posts a text and gives its place.
    pub(super) async fn posts(&self, channel: &str, text: &str) -> MessageAt {
        self.posts_with(json!({"channel": channel, "text": text})).await
    }

    pub(super) async fn posts_with(&self, arguments: Value) -> MessageAt {
        let answer = self.call("chat.postMessage", arguments).await;
        MessageAt {
            channel: answer["channel"].as_str().expect("a text").to_owned(),
            ts: answer["ts"]
                .as_str()
                .expect("a text")
                .parse()
                .expect("a timestamp"),
        }
    }

    /// Opens a socket and hears its greeting.
    pub(super) async fn connects(&self) -> Socket {
        let mut socket = self.opens().await;
        let hello = socket.hears().await;
        assert_eq!(hello["type"], "hello", "{hello}");
        socket
    }

    pub(super) async fn opens(&self) -> Socket {
        let answer = self.call("apps.connections.open", json!({})).await;
        let url = answer["url"].as_str().expect("a text");
        let (stream, _) = connect_async(url).await.expect("a socket");
        Socket(stream)
    }

    pub(super) fn sara(&self) -> Person {
        self.slack.person("Sara")
    }

    /// Sara, and a private channel of hers.
    pub(super) fn ops(&self) -> (Person, Place) {
        let sara = self.sara();
        let ops = self.slack.private_channel("ops", &[&sara]);
        (sara, ops)
    }
}

impl Socket {
    /// The next frame that is not a text is passed over; none where the socket has ended.
    pub(super) async fn next(&mut self) -> Option<Message> {
        let next = tokio::time::timeout(PATIENCE, self.0.next()).await;
        next.expect("something comes over the socket")?.ok()
    }

    /// The next text; pings are passed over.
    pub(super) async fn hears(&mut self) -> Value {
        loop {
            match self.next().await.expect("the socket is open") {
                Message::Text(text) => return serde_json::from_str(&text).expect("JSON"),
                Message::Ping(_) | Message::Pong(_) => {}
                other => panic!("a text was expected, not {other:?}"),
            }
        }
    }

    /// The next envelope, which is acknowledged.
    pub(super) async fn takes(&mut self) -> Value {
        let envelope = self.hears().await;
        self.acknowledges(&envelope).await;
        envelope
    }

    /// The event of the next envelope, which is acknowledged.
    pub(super) async fn takes_event(&mut self) -> Value {
        let envelope = self.takes().await;
        assert_eq!(envelope["type"], "events_api", "{envelope}");
        envelope["payload"]["event"].clone()
    }

    pub(super) async fn acknowledges(&mut self, envelope: &Value) {
        self.says(json!({"envelope_id": envelope["envelope_id"]})).await;
    }

    pub(super) async fn says(&mut self, what: Value) {
        self.sends(Message::Text(what.to_string().into())).await;
    }

    pub(super) async fn sends(&mut self, what: Message) {
        self.0.send(what).await.expect("the socket is open");
    }

    /// Waits for the end of the socket; what comes before is passed over.
    pub(super) async fn ends(&mut self) {
        while let Some(message) = self.next().await {
            if matches!(message, Message::Close(_)) {
                return;
            }
        }
    }
}

/// The object with more fields, or others.
pub(super) fn with(mut object: Value, more: &Value) -> Value {
    let more = more.as_object().expect("an object").clone();
    object.as_object_mut().expect("an object").extend(more);
    object
}

/// As a form has it: structures are JSON in a text.
pub(super) fn texts(arguments: &Value) -> Vec<(String, String)> {
    let fields = arguments.as_object().into_iter().flatten();
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    fields.map(|(name, value)| (name.clone(), text(value))).collect()
}

/// An actions block of buttons, each with its label as value and as the end of its action.
pub(super) fn buttons(labels: &[&str]) -> Value {
    let elements: Vec<Value> = labels
        .iter()
        .map(|label| {
            json!({
                "type": "button", "text": {"type": "plain_text", "text": label}, "value": label,
                "action_id": format!("press-{label}"),
            })
        })
        .collect();
    json!({"type": "actions", "block_id": "choices", "elements": elements})
}

pub(super) fn section(text: &str) -> Value {
    json!({"type": "section", "text": {"type": "mrkdwn", "text": text}})
}
