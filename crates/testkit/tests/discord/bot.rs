//! A bot that says exactly what a test tells it to.

use std::{sync::Arc, time::Duration};

use askd_testkit::{
    clock::TestClock,
    discord::{FakeDiscord, MessageAt, Person, Place, Setup},
};
use futures_util::{SinkExt, StreamExt};
use reqwest::{Method, header};
use serde_json::{Value, json};
use tokio::{net::TcpStream, time::timeout};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, tungstenite::Message};

/// How long, in real time, anything may take to come over a socket.
pub(super) const AT_MOST: Duration = Duration::from_secs(10);

/// Intents: guilds, messages there, direct messages.
pub(super) const INTENTS: u64 = 1 | 1 << 9 | 1 << 12;
/// The privileged one for contents.
pub(super) const CONTENT: u64 = 1 << 15;

/// A fake, a clock that stands still, and a bot with the right token.
pub(super) struct Bot {
    pub(super) discord: FakeDiscord,
    pub(super) clock: TestClock,
    pub(super) http: reqwest::Client,
}

/// What a refused call reads.
#[derive(Debug, PartialEq)]
pub(super) struct Refused {
    pub(super) status: u16,
    pub(super) code: i64,
    pub(super) message: String,
    pub(super) errors: Value,
}

impl Refused {
    pub(super) fn new(status: u16, code: i64, message: &str) -> Self {
        Self {
            status,
            code,
            message: message.to_owned(),
            errors: Value::Null,
        }
    }
}

impl Bot {
    pub(super) async fn start() -> Self {
        Self::start_as(Setup::default()).await
    }

    pub(super) async fn start_as(setup: Setup) -> Self {
        let clock = TestClock::new();
        let discord = FakeDiscord::start_as(setup, Arc::new(clock.clone())).await;
        let http = reqwest::Client::builder()
            .timeout(Duration::from_secs(20))
            .user_agent("DiscordBot (https://example.org, 1)");
        Self {
            discord,
            clock,
            http: http.build().expect("a client of plain HTTP"),
        }
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("{}/api/v10{path}", self.discord.url())
    }

    /// A call as it goes out.
    pub(super) fn request(&self, method: &str, path: &str) -> reqwest::RequestBuilder {
        let method = Method::from_bytes(method.as_bytes()).expect("a method");
        let token = format!("Bot {}", self.discord.token());
        self.http
            .request(method, self.url(path))
            .header(header::AUTHORIZATION, token)
    }

    /// Makes a call. A connection that breaks is an error of the client.
    pub(super) async fn try_call(
        &self,
        method: &str,
        path: &str,
        body: Value,
    ) -> reqwest::Result<Result<Value, Refused>> {
        let mut request = self.request(method, path);
        if !body.is_null() {
            request = request.json(&body);
        }
        let response = request.send().await?;
        let status = response.status().as_u16();
        let text = response.text().await?;
        if status == 204 {
            assert_eq!(text, "");
            return Ok(Ok(Value::Null));
        }
        let body: Value = serde_json::from_str(&text).expect("JSON");
        if status < 300 {
            return Ok(Ok(body));
        }
        Ok(Err(Refused {
            status,
            code: body["code"].as_i64().expect("a code"),
            message: body["message"].as_str().expect("a text").to_owned(),
            errors: body["errors"].clone(),
        }))
    }

    pub(super) async fn call(&self, method: &str, path: &str, body: Value) -> Value {
        let outcome = self.try_call(method, path, body).await.expect("an answer");
        outcome.unwrap_or_else(|refused| panic!("{method} {path} was refused: {refused:?}"))
    }

    pub(super) async fn refused(&self, method: &str, path: &str, body: Value) -> Refused {
        let outcome = self
            .try_call(method, path, body.clone())
            .await
            .expect("an answer");
        outcome.expect_err(&format!("{method} {path} was taken: {body}"))
    }

    pub(super) async fn get(&self, path: &str) -> Value {
        self.call("GET", path, Value::Null).await
    }

    /// Sends a text and gives its place.
    pub(super) async fn sends(&self, to: &Place, text: &str) -> MessageAt {
        self.sends_with(to, json!({"content": text})).await
    }

    /// Sends a message, which pings nobody unless it says so.
    pub(super) async fn sends_with(&self, to: &Place, mut body: Value) -> MessageAt {
        if body.get("allowed_mentions").is_none() {
            body["allowed_mentions"] = json!({"parse": []});
        }
        let message = self
            .call("POST", &format!("/channels/{}/messages", to.id()), body)
            .await;
        at(&message)
    }

    pub(super) async fn edits(&self, message: MessageAt, body: Value) -> Value {
        self.call("PATCH", &path_of(message), body).await
    }

    /// Answers an interaction.
    pub(super) async fn answers(&self, interaction: &Value, body: Value) {
        self.call("POST", &callback(interaction), body).await;
    }

    /// Connects, says hello back, and is ready.
    pub(super) async fn connects(&self) -> Gateway {
        self.connects_with(INTENTS | CONTENT).await
    }

    pub(super) async fn connects_with(&self, intents: u64) -> Gateway {
        let mut gateway = self.opens("?v=10&encoding=json").await;
        gateway.hears_op(10).await;
        gateway.identifies(&self.discord.token(), intents).await;
        gateway.hears("READY").await;
        gateway.hears("GUILD_CREATE").await;
        gateway
    }

    /// Opens a socket where the API says.
    pub(super) async fn opens(&self, query: &str) -> Gateway {
        let url = self.get("/gateway/bot").await["url"]
            .as_str()
            .expect("a text")
            .to_owned();
        Gateway::open(&format!("{url}/{query}")).await
    }

    pub(super) fn sara(&self) -> Person {
        self.discord.person("Sara")
    }
}

/// A socket.
pub(super) struct Gateway {
    pub(super) socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// The last number that was heard.
    pub(super) seq: u64,
    pub(super) session: String,
    pub(super) resume_url: String,
}

impl Gateway {
    pub(super) async fn open(url: &str) -> Self {
        let (socket, _) = tokio_tungstenite::connect_async(url).await.expect("a socket");
        Self {
            socket,
            seq: 0,
            session: String::new(),
            resume_url: String::new(),
        }
    }

    pub(super) async fn says(&mut self, message: Value) {
        let frame = Message::text(message.to_string());
        self.socket.send(frame).await.expect("it is open");
    }

    pub(super) async fn identifies(&mut self, token: &str, intents: u64) {
        let properties = json!({"os": "linux", "browser": "test", "device": "test"});
        let data = json!({"token": token, "intents": intents, "properties": properties});
        self.says(json!({"op": 2, "d": data})).await;
    }

    pub(super) async fn resumes(&mut self, token: &str, session: &str, seq: u64) {
        let data = json!({"token": token, "session_id": session, "seq": seq});
        self.says(json!({"op": 6, "d": data})).await;
    }

    /// The next message; nothing where it was closed.
    pub(super) async fn next(&mut self) -> Option<Value> {
        loop {
            let frame = timeout(AT_MOST, self.socket.next())
                .await
                .expect("something comes");
            match frame? {
                Ok(Message::Text(text)) => {
                    let value: Value = serde_json::from_str(text.as_str()).expect("JSON");
                    self.seq = value["s"].as_u64().unwrap_or(self.seq);
                    if value["t"] == "READY" {
                        let text = |name: &str| value["d"][name].as_str().expect("a text").to_owned();
                        self.session = text("session_id");
                        self.resume_url = text("resume_gateway_url");
                    }
                    return Some(value);
                }
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// The next message, which has this opcode.
    pub(super) async fn hears_op(&mut self, op: u64) -> Value {
        let message = self.next().await.expect("it is open");
        assert_eq!(message["op"], op, "{message}");
        message["d"].clone()
    }

    /// The next message, which is this event.
    pub(super) async fn hears(&mut self, name: &str) -> Value {
        let message = self.next().await.expect("it is open");
        assert_eq!(
            (&message["op"], &message["t"]),
            (&json!(0), &json!(name)),
            "{message}"
        );
        message["d"].clone()
    }

    /// Checks that nothing else comes: a heartbeat is answered at once.
    pub(super) async fn hears_nothing_more(&mut self) {
        self.says(json!({"op": 1, "d": self.seq})).await;
        self.hears_op(11).await;
    }

    /// The code it is closed with; 1006 where it just ends.
    pub(super) async fn is_closed(&mut self) -> u16 {
        loop {
            let frame = timeout(AT_MOST, self.socket.next()).await.expect("it is closed");
            match frame {
                Some(Ok(Message::Close(Some(frame)))) => return frame.code.into(),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return 1006,
            }
        }
    }
}

/// Where a message stands.
pub(super) fn at(message: &Value) -> MessageAt {
    let id = |name: &str| {
        let text = message[name].as_str().expect("an id is a text");
        text.parse().expect("an id is a number")
    };
    MessageAt {
        channel: id("channel_id"),
        id: id("id"),
    }
}

pub(super) fn path_of(message: MessageAt) -> String {
    format!("/channels/{}/messages/{}", message.channel, message.id)
}

pub(super) fn callback(interaction: &Value) -> String {
    let text = |name: &str| interaction[name].as_str().expect("a text");
    format!("/interactions/{}/{}/callback", text("id"), text("token"))
}

/// Where an interaction is followed up.
pub(super) fn webhook(interaction: &Value) -> String {
    let text = |name: &str| interaction[name].as_str().expect("a text");
    format!("/webhooks/{}/{}", text("application_id"), text("token"))
}

/// Rows of buttons; each sends its label.
pub(super) fn rows(rows: &[&[&str]]) -> Value {
    let button = |label: &&str| json!({"type": 2, "style": 2, "label": label, "custom_id": label});
    let row = |labels: &&[&str]| {
        let buttons: Vec<Value> = labels.iter().map(button).collect();
        json!({"type": 1, "components": buttons})
    };
    rows.iter().map(row).collect()
}
