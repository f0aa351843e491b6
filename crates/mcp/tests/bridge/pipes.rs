//! A client with its pipes to a bridge, and a relay behind it that behaves as askd does, or is away.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::Duration,
};

use askd_mcp::{Bridge, Relay, RelayError, serve_stdio};
use askd_testkit::clock::TestClock;
use async_trait::async_trait;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines},
    sync::{mpsc, watch},
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;

use crate::world::{settle, target};

/// What becomes of a call that the relay carries.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// askd is away.
    Away,
    /// It will have none of it.
    Refuse,
    /// It asks, and holds the call until the test says how it ends.
    Hold,
    /// It asks, and the connection breaks.
    Break,
    /// It asks, and stops.
    HandOver,
    /// It has the answer.
    Answer,
}

/// What askd says of the connection's right to ask.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Rights {
    /// Nothing: it does not run.
    #[default]
    Away,
    /// Nothing, and the connection stays open.
    Silent,
    /// That it has none.
    None,
}

#[derive(Debug, Default)]
pub(super) struct Askd {
    pub(super) steps: Mutex<VecDeque<Step>>,
    /// Everything that was sent, and good-byes as null.
    pub(super) sent: Mutex<Vec<Value>>,
    /// How many calls are held at the moment.
    pub(super) held: watch::Sender<usize>,
    pub(super) over: CancellationToken,
    pub(super) rights: Mutex<Rights>,
}

impl Askd {
    pub(super) fn sent(&self) -> Vec<Value> {
        self.sent.lock().unwrap().clone()
    }

    pub(super) fn calls(&self) -> Vec<Value> {
        let sent = self.sent().into_iter();
        sent.filter(|message| message["method"] == "tools/call").collect()
    }
}

/// Lets go of a held call, however it ends.
pub(super) struct Held<'a>(&'a Askd);

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.held.send_modify(|held| *held -= 1);
    }
}

#[async_trait]
impl Relay for Askd {
    async fn send(&self, message: &Value, answers: mpsc::Sender<Value>) -> Result<(), RelayError> {
        self.sent.lock().unwrap().push(message.clone());
        if message["method"] != "tools/call" {
            return Ok(());
        }
        let step = self.steps.lock().unwrap().pop_front();
        let step = step.expect("no more calls than the test foresees");
        let progress = json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": {
            "progressToken": message["params"]["_meta"]["progressToken"],
            "progress": 3.0, "total": 900.0, "message": "Shown on telegram, waiting for an answer; 15 min left",
        } });
        if !matches!(step, Step::Away | Step::Refuse | Step::Answer) {
            answers.send(progress).await.unwrap();
        }
        let result = match step {
            Step::Away => return Err(RelayError::Away("nothing listens".to_owned())),
            Step::Refuse => return Err(RelayError::Refused("the token is not known".to_owned())),
            Step::Break => return Ok(()),
            Step::HandOver => json!({ "resultType": "input_required", "requestState": "rs1.state" }),
            Step::Hold => {
                self.held.send_modify(|held| *held += 1);
                let _held = Held(self);
                self.over.cancelled().await;
                answered()
            }
            Step::Answer => answered(),
        };
        let answer = json!({ "jsonrpc": "2.0", "id": message["id"], "result": result });
        let _ = answers.send(answer).await;
        Ok(())
    }

    async fn may_ask(&self) -> Option<bool> {
        let rights = *self.rights.lock().unwrap();
        match rights {
            Rights::Away => None,
            Rights::Silent => std::future::pending().await,
            Rights::None => Some(false),
        }
    }

    async fn leave(&self) {
        self.sent.lock().unwrap().push(Value::Null);
        // Told while its calls are open.
        let held = *self.held.borrow();
        self.sent.lock().unwrap().push(json!({ "open": held }));
    }
}

pub(super) fn answered() -> Value {
    json!({
        "resultType": "complete",
        "content": [{ "type": "text", "text": "The user answered; act on it." }],
        "structuredContent": { "status": "answered" },
        "isError": false,
    })
}

/// A client with its pipes.
pub(super) struct Client {
    pub(super) askd: Arc<Askd>,
    pub(super) clock: TestClock,
    pub(super) stop: CancellationToken,
    pub(super) input: Option<DuplexStream>,
    pub(super) output: Lines<BufReader<DuplexStream>>,
    pub(super) bridge: JoinHandle<()>,
}

impl Client {
    pub(super) fn with(steps: &[Step]) -> Self {
        Self::of(steps, false)
    }

    pub(super) fn of(steps: &[Step], sub_agent: bool) -> Self {
        let askd = Arc::new(Askd::default());
        askd.steps.lock().unwrap().extend(steps.iter().cloned());
        let (clock, stop) = (TestClock::new(), CancellationToken::new());
        let (input, stdin) = tokio::io::duplex(1 << 20);
        let (stdout, output) = tokio::io::duplex(1 << 20);
        let relay = Arc::clone(&askd) as Arc<dyn Relay>;
        let bridge = Bridge::new(relay, Arc::new(clock.clone()), "bridge").for_sub_agent(sub_agent);
        #[expect(
            clippy::disallowed_methods,
            reason = "the other end of the pipes, for one test"
        )]
        let bridge = tokio::spawn(serve_stdio(bridge, stdin, stdout, stop.clone()));
        Self {
            askd,
            clock,
            stop,
            input: Some(input),
            output: BufReader::new(output).lines(),
            bridge,
        }
    }

    /// After the handshake of an older revision.
    pub(super) async fn initialized(steps: &[Step]) -> Self {
        let mut client = Self::with(steps);
        client
            .send(
                json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": { "name": "claude-code", "version": "2.1" },
        } }),
            )
            .await;
        assert_eq!(client.next().await["result"]["protocolVersion"], "2025-06-18");
        client
            .send(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))
            .await;
        client
    }

    pub(super) async fn send(&mut self, message: Value) {
        let line = format!("{message}\n");
        self.input
            .as_mut()
            .unwrap()
            .write_all(line.as_bytes())
            .await
            .unwrap();
        settle().await;
    }

    pub(super) async fn call(&mut self, id: i64, meta: Value) {
        let params = json!({ "name": "ask_user", "arguments": target(), "_meta": meta });
        self.send(json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }))
            .await;
    }

    /// The next message on stdout, where there is nothing else.
    pub(super) async fn next(&mut self) -> Value {
        let line = self.output.next_line().await.unwrap().expect("a message comes");
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("no message: {line}"))
    }

    pub(super) async fn pass(&self, seconds: f64) {
        self.clock.advance(Duration::from_secs_f64(seconds));
        settle().await;
    }

    /// Closes stdin.
    pub(super) async fn close(&mut self) {
        self.input.take();
        settle().await;
    }

    pub(super) fn is_over(&self) -> bool {
        self.bridge.is_finished()
    }
}
