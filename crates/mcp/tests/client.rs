//! A client of the routes: what it sends, and what comes back piece by piece.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    task::Poll,
};

use axum::{
    Router,
    body::{Body, BodyDataStream},
    http::{HeaderMap, Request, StatusCode, header},
};
use futures_util::StreamExt as _;
use serde_json::{Map, Value, json};
use tower::ServiceExt as _;

use crate::{schemas, world::settle};

/// A client with a token and a revision.
#[derive(Clone)]
pub(crate) struct Client {
    routes: Router,
    token: String,
    revision: &'static str,
    headers: Vec<(&'static str, String)>,
    meta: Map<String, Value>,
    numbers: Arc<AtomicI64>,
}

impl Client {
    pub(crate) fn new(routes: Router, token: &str, revision: &'static str) -> Self {
        Self {
            routes,
            token: token.to_owned(),
            revision,
            headers: Vec::new(),
            meta: Map::new(),
            numbers: Arc::default(),
        }
    }

    /// The same program once more: it counts its requests from the start.
    pub(crate) fn another(&self) -> Self {
        Self {
            numbers: Arc::default(),
            ..self.clone()
        }
    }

    pub(crate) fn with_token(mut self, token: &str) -> Self {
        token.clone_into(&mut self.token);
        self
    }

    pub(crate) fn speaking(mut self, revision: &'static str) -> Self {
        self.revision = revision;
        self
    }

    pub(crate) fn with_header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    /// Sends this in `_meta` of every request.
    pub(crate) fn with_meta(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.meta.insert(key.to_owned(), value.into());
        self
    }

    fn is_modern(&self) -> bool {
        self.revision >= "2026-07-28"
    }

    /// Calls a tool.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Answer {
        self.request("tools/call", json!({ "name": tool, "arguments": arguments }))
            .await
    }

    /// Asks.
    pub(crate) async fn ask(&self, arguments: Value) -> Answer {
        self.call("ask_user", arguments).await
    }

    /// Asks and waits for the whole answer.
    pub(crate) async fn asked(&self, arguments: Value) -> Value {
        self.ask(arguments).await.result().await
    }

    /// Sends a request of this method.
    pub(crate) async fn request(&self, method: &str, mut params: Value) -> Answer {
        let id = self.numbers.fetch_add(1, Ordering::Relaxed);
        let mut meta = self.meta.clone();
        if self.is_modern() {
            let client = json!({ "name": "test-client", "version": "1" });
            meta.insert(
                "io.modelcontextprotocol/protocolVersion".to_owned(),
                self.revision.into(),
            );
            meta.insert("io.modelcontextprotocol/clientInfo".to_owned(), client);
            meta.insert("io.modelcontextprotocol/clientCapabilities".to_owned(), json!({}));
        }
        if !meta.is_empty() {
            params["_meta"] = Value::Object(meta);
        }
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.send(&message).await
    }

    /// Takes the request of this number back.
    pub(crate) async fn cancel(&self, id: i64) {
        let params = json!({ "requestId": id, "reason": "the user pressed Esc" });
        let message = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
        let answer = self.send(&message).await;
        assert_eq!(answer.status, StatusCode::ACCEPTED);
        settle().await;
    }

    /// Sends a message as it is.
    pub(crate) async fn send(&self, message: &Value) -> Answer {
        self.open("POST", message.to_string(), message).await
    }

    /// Tells that this connection is gone.
    pub(crate) async fn leave(&self) -> StatusCode {
        let answer = self.open("DELETE", String::new(), &Value::Null).await;
        settle().await;
        answer.status
    }

    /// Sends `body`; headers tell of `message`.
    pub(crate) async fn open(&self, method: &str, body: String, message: &Value) -> Answer {
        let mut request = Request::builder()
            .method(method)
            .uri("/mcp")
            .header(header::HOST, "localhost:7373")
            .header(header::AUTHORIZATION, format!("Bearer {}", self.token))
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::ACCEPT, "application/json, text/event-stream");
        if message["method"] != "initialize" {
            request = request.header("MCP-Protocol-Version", self.revision);
        }
        if self.is_modern() {
            request = request.header("Mcp-Method", message["method"].as_str().unwrap_or_default());
            if let Some(name) = message["params"]["name"].as_str() {
                request = request.header("Mcp-Name", name);
            }
        }
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        let response = self
            .routes
            .clone()
            .oneshot(request.body(Body::from(body)).unwrap());
        let response = response.await.unwrap();
        let (parts, body) = response.into_parts();
        let is_stream = parts
            .headers
            .get(header::CONTENT_TYPE)
            .is_some_and(|kind| kind == "text/event-stream");
        let tool = (message["method"] == "tools/call")
            .then(|| message["params"]["name"].as_str().unwrap_or_default().to_owned());
        Answer {
            status: parts.status,
            headers: parts.headers,
            id: message["id"].as_i64().unwrap_or(-1),
            is_stream,
            body: body.into_data_stream(),
            text: String::new(),
            tool,
        }
    }
}

/// What comes back, of which more may be to come. Dropping it closes the stream.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    /// The number of the request.
    pub(crate) id: i64,
    pub(crate) is_stream: bool,
    body: BodyDataStream,
    text: String,
    tool: Option<String>,
}

/// A piece of an answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Piece {
    Comment,
    Message(Value),
    End,
}

impl Answer {
    /// The next piece.
    pub(crate) async fn next(&mut self) -> Piece {
        loop {
            if self.is_stream
                && let Some(end) = self.text.find("\n\n")
            {
                let event: String = self.text.drain(..end + 2).collect();
                return piece(&event);
            }
            match self.body.next().await {
                Some(bytes) => self.text.push_str(std::str::from_utf8(&bytes.unwrap()).unwrap()),
                None if self.text.is_empty() => return Piece::End,
                None => {
                    let text = std::mem::take(&mut self.text);
                    return Piece::Message(serde_json::from_str(&text).unwrap());
                }
            }
        }
    }

    /// The next piece, if it is there without any time passing.
    pub(crate) async fn at_once(&mut self) -> Option<Piece> {
        settle().await;
        let mut next = std::pin::pin!(self.next());
        match std::future::poll_fn(|cx| Poll::Ready(next.as_mut().poll(cx))).await {
            Poll::Ready(piece) => Some(piece),
            Poll::Pending => None,
        }
    }

    /// Every message up to the answer itself, which is the last, and the end of the stream after it.
    pub(crate) async fn messages(&mut self) -> Vec<Value> {
        let mut messages = Vec::new();
        loop {
            match self.next().await {
                Piece::Comment => {}
                Piece::Message(message) => messages.push(message),
                Piece::End => return messages,
            }
        }
    }

    /// The answer itself: `result`, or the whole message where it is an error.
    pub(crate) async fn result(&mut self) -> Value {
        let mut messages = self.messages().await;
        let mut last = messages.pop().expect("an answer comes");
        assert_eq!(last["id"], self.id, "{last}");
        assert!(
            messages.iter().all(|message| message.get("id").is_none()),
            "one answer"
        );
        if last.get("error").is_some() {
            return last;
        }
        let result = last["result"].take();
        if let Some(tool) = &self.tool
            && let Some(structured) = result.get("structuredContent")
        {
            schemas::hold_result(tool, structured);
        }
        result
    }
}

fn piece(event: &str) -> Piece {
    if event.starts_with(':') {
        return Piece::Comment;
    }
    let data: Vec<&str> = event
        .lines()
        .filter_map(|line| line.strip_prefix("data:"))
        .collect();
    Piece::Message(serde_json::from_str(&data.join("\n")).unwrap_or_else(|_| panic!("no event: {event}")))
}

/// The text of a result.
pub(crate) fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}
