//! MCP, over HTTP and over stdin and stdout.
//!
//! A tool returns the result of an ask and not the ask itself, which the suite wants to see: that is read over HTTP, in
//! the shape the suite knows. What the tools do is checked by what they return and by what becomes of the ask.
#![expect(clippy::unwrap_used, reason = "what cannot be unwrapped fails the case")]

use std::{
    process::Stdio,
    sync::atomic::{AtomicU32, Ordering},
};

use askd_stories::Home;
use askd_testkit::entrance_suite::{Ability, Caller, Entrance, Refusal};
use async_trait::async_trait;
use reqwest::{Client, RequestBuilder, Response, header};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout, Command},
};

use crate::served::{Served, faults};

/// A way for tools to be called.
#[async_trait]
pub(crate) trait Way: Send + Sync + Sized {
    /// What can be done on it.
    const ABILITIES: &'static [Ability];

    fn new() -> Self;

    /// Opens a call of a tool.
    async fn open(&self, server: &Served, call: Call<'_>) -> Box<dyn Open>;
}

/// A call that is to be made.
#[derive(Clone)]
pub(crate) struct Call<'a> {
    caller: Caller,
    tool: &'static str,
    arguments: Value,
    key: Option<&'a str>,
    /// Whether to return as soon as the ask is stored.
    at_once: bool,
}

/// A call that was made. Dropping it cuts the connection.
#[async_trait]
pub(crate) trait Open: Send {
    /// Waits until it is held and takes it back; if it is not held, its result.
    async fn take_back(&mut self) -> Option<Value>;

    /// Its result.
    async fn result(&mut self) -> Value;
}

/// Calls tools.
pub(crate) struct Mcp<W> {
    server: Served,
    way: W,
    reader: Client,
}

impl<W: Way> Mcp<W> {
    pub(crate) fn new(server: Served) -> Self {
        Self {
            server,
            way: W::new(),
            reader: client(),
        }
    }

    async fn ask_as_it_is(&self, caller: Caller, id: &str, wait: u8) -> Value {
        let url = format!("{}/v1/asks/{id}?wait={wait}", self.server.url);
        let response = self.reader.get(url).bearer_auth(caller.secret()).send().await;
        response.unwrap().json().await.unwrap()
    }

    async fn waiting(&self, caller: Caller, id: &str, seconds: u8) -> Box<dyn Open> {
        let call = Call {
            caller,
            tool: "ask_user_wait",
            arguments: json!({ "askId": id, "waitSeconds": seconds }),
            key: None,
            at_once: false,
        };
        self.way.open(&self.server, call).await
    }
}

#[async_trait]
impl<W: Way> Entrance for Mcp<W> {
    fn abilities(&self) -> &'static [Ability] {
        W::ABILITIES
    }

    async fn ask(&self, caller: Caller, body: &Value, key: Option<&str>) -> Result<Value, Refusal> {
        let call = Call {
            caller,
            tool: "ask_user",
            arguments: body.clone(),
            key,
            at_once: true,
        };
        let result = self.way.open(&self.server, call).await.result().await;
        let id = structured(&result)?["askId"].as_str().unwrap().to_owned();
        let ask = self.ask_as_it_is(caller, &id, 0).await;
        // What the ask warns of, the model was told too.
        let text = result["content"][0]["text"].as_str().unwrap();
        for warning in ask["warnings"].as_array().unwrap() {
            let is_told = text.contains(warning["message"].as_str().unwrap());
            assert!(is_told || ask["status"] == "answered", "{warning} in {text}");
        }
        Ok(ask)
    }

    async fn wait(&self, caller: Caller, id: &str, seconds: u8) -> Result<Value, Refusal> {
        let mut result = structured(&self.waiting(caller, id, seconds).await.result().await)?;
        // Beside the result, a tool says what was corrected.
        result.as_object_mut().unwrap().remove("notes");
        Ok(result)
    }

    async fn cancel(&self, caller: Caller, id: &str) -> Result<Value, Refusal> {
        // Kept until the ask is over: a bridge that is killed passes nothing on.
        let mut waiting = self.waiting(caller, id, 50).await;
        if let Some(result) = waiting.take_back().await {
            structured(&result)?;
        }
        Ok(self.ask_as_it_is(caller, id, 55).await)
    }

    async fn get(&self, _: Caller, _: &str) -> Result<Value, Refusal> {
        Err(no_tool())
    }

    async fn list(&self, _: Caller, _: Option<&str>) -> Result<Vec<Value>, Refusal> {
        Err(no_tool())
    }

    async fn answer(&self, _: Caller, _: &str, _: &Value) -> Result<Value, Refusal> {
        Err(no_tool())
    }

    async fn reply(&self, _: Caller, _: &str, _: &str) -> Result<Value, Refusal> {
        Err(no_tool())
    }

    async fn skip(&self, _: Caller, _: &str) -> Result<Value, Refusal> {
        Err(no_tool())
    }
}

fn no_tool() -> Refusal {
    Refusal::Other("there is no tool for it".to_owned())
}

/// The result of an ask, or why the call was refused.
fn structured(result: &Value) -> Result<Value, Refusal> {
    let structured = result["structuredContent"].clone();
    if result["isError"] == false {
        return Ok(structured);
    }
    Err(match structured["reason"].as_str() {
        Some("invalid") => Refusal::Invalid(faults(&structured)),
        Some("subagent") => Refusal::Subagent,
        Some("role") => Refusal::Role,
        Some("no_ask") => Refusal::NoAsk,
        Some("key_reused") => Refusal::KeyReused,
        Some("too_many_pending") => Refusal::TooManyPending,
        _ => Refusal::Other(result.to_string()),
    })
}

fn client() -> Client {
    Client::builder().no_proxy().build().expect("it needs nothing")
}

/// The number of every call.
const NUMBER: u8 = 7;

fn request(call: &Call<'_>) -> Value {
    json!({ "jsonrpc": "2.0", "id": NUMBER, "method": "tools/call", "params": {
        "name": call.tool, "arguments": call.arguments, "_meta": { "progressToken": 1 },
    } })
}

fn cancelled() -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": NUMBER } })
}

/// Streamable HTTP, in a revision before the newest.
pub(crate) struct OverHttp {
    client: Client,
    connections: AtomicU32,
}

struct Stream {
    response: Response,
    to: Endpoint,
    text: String,
}

#[async_trait]
impl Way for OverHttp {
    const ABILITIES: &'static [Ability] = &[Ability::Keys, Ability::Wait, Ability::Cancel];

    fn new() -> Self {
        Self {
            client: client(),
            connections: AtomicU32::new(0),
        }
    }

    async fn open(&self, server: &Served, call: Call<'_>) -> Box<dyn Open> {
        let to = Endpoint {
            client: self.client.clone(),
            url: format!("{}/mcp", server.url),
            secret: call.caller.secret(),
            connection: self.connections.fetch_add(1, Ordering::Relaxed).to_string(),
        };
        let mut posted = to.post(&request(&call));
        if let Some(key) = call.key {
            posted = posted.header("Idempotency-Key", key);
        }
        if call.at_once {
            posted = posted.header("Askd-Hold", "0");
        }
        Box::new(Stream {
            response: posted.send().await.unwrap(),
            to,
            text: String::new(),
        })
    }
}

/// Where a call goes, on a connection with a name: all calls have the same number, and a cancel means one of them.
struct Endpoint {
    client: Client,
    url: String,
    secret: String,
    connection: String,
}

impl Endpoint {
    fn post(&self, message: &Value) -> RequestBuilder {
        self.client
            .post(&self.url)
            .bearer_auth(&self.secret)
            .header(header::ACCEPT, "application/json, text/event-stream")
            .header("MCP-Protocol-Version", "2025-06-18")
            .header("Askd-Connection", &self.connection)
            .json(message)
    }
}

impl Stream {
    /// The next message.
    async fn next(&mut self) -> Value {
        let kind = self.response.headers().get(header::CONTENT_TYPE);
        let is_stream = kind.is_some_and(|kind| kind == "text/event-stream");
        loop {
            if let Some(end) = self.text.find("\n\n").filter(|_| is_stream) {
                let event: String = self.text.drain(..end + 2).collect();
                if let Some(data) = event.strip_prefix("data: ") {
                    return serde_json::from_str(data).unwrap();
                }
                continue;
            }
            match self.response.chunk().await.unwrap() {
                Some(bytes) => self.text.push_str(std::str::from_utf8(&bytes).unwrap()),
                None => return serde_json::from_str(&self.text).unwrap(),
            }
        }
    }
}

#[async_trait]
impl Open for Stream {
    async fn take_back(&mut self) -> Option<Value> {
        let first = self.next().await;
        if first.get("result").is_some() {
            return Some(first["result"].clone());
        }
        let sent = self.to.post(&cancelled()).send();
        assert_eq!(sent.await.unwrap().status(), 202);
        None
    }

    async fn result(&mut self) -> Value {
        loop {
            let mut message = self.next().await;
            if message.get("id").is_some() {
                return message["result"].take();
            }
        }
    }
}

/// `askd mcp`, a process for each call, in the newest revision.
pub(crate) struct OverStdio(Home);

struct Process {
    // Killed when dropped, which takes nothing back.
    _child: Child,
    stdin: ChildStdin,
    stdout: Lines<BufReader<ChildStdout>>,
}

#[async_trait]
impl Way for OverStdio {
    const ABILITIES: &'static [Ability] = &[Ability::Wait, Ability::Cancel];

    fn new() -> Self {
        Self(Home::new())
    }

    async fn open(&self, server: &Served, call: Call<'_>) -> Box<dyn Open> {
        let mut command = self.0.command(&["mcp"]);
        if call.at_once {
            command.args(["--hold-seconds", "0"]);
        }
        command
            .env("ASKD_URL", &server.url)
            .env("ASKD_TOKEN", call.caller.secret())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = Command::from(command).kill_on_drop(true).spawn().unwrap();
        let stdout = child.stdout.take().unwrap();
        let mut process = Process {
            stdin: child.stdin.take().unwrap(),
            stdout: BufReader::new(stdout).lines(),
            _child: child,
        };
        let mut request = request(&call);
        let meta = &mut request["params"]["_meta"];
        meta["io.modelcontextprotocol/protocolVersion"] = "2026-07-28".into();
        meta["io.modelcontextprotocol/clientCapabilities"] = json!({});
        process.send(&request).await;
        Box::new(process)
    }
}

impl Process {
    async fn send(&mut self, message: &Value) {
        self.stdin
            .write_all(format!("{message}\n").as_bytes())
            .await
            .unwrap();
    }

    async fn next(&mut self) -> Value {
        let line = self.stdout.next_line().await.unwrap();
        serde_json::from_str(&line.expect("a message comes")).unwrap()
    }
}

#[async_trait]
impl Open for Process {
    async fn take_back(&mut self) -> Option<Value> {
        let mut first = self.next().await;
        if first.get("result").is_some() {
            return Some(first["result"].take());
        }
        self.send(&cancelled()).await;
        None
    }

    async fn result(&mut self) -> Value {
        loop {
            let mut message = self.next().await;
            if message.get("id").is_some() {
                return message["result"].take();
            }
        }
    }
}
