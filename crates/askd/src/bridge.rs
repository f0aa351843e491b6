//! How `askd mcp` reaches the daemon: over HTTP, on a connection that has a name.
//!
//! The daemon is found anew after it was away, because it may have come back on another port and, at its first start,
//! with a token that was not there before. Where nobody says which daemon to use, one is started (`background`): at the
//! first call and not before, so that a client that only lists its servers starts nothing.
//!
//! Tests: `tests/tests/mcp.rs`, with the real program.

use std::{
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use askd_core::clock::Clock as _;
use askd_mcp::{Relay, RelayError};
use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use reqwest::{Method, RequestBuilder, Response, StatusCode, header};
use serde_json::{Value, json};
use tokio::{sync::mpsc, time::timeout};

use crate::{
    background::Background,
    client::{Caller, Client, Reach},
    clock::SystemClock,
    config::Environment,
    out::plain,
    state::State,
};

/// Longest silence of the daemon in the middle of an answer: it says something every quarter of a minute.
const SILENCE: Duration = Duration::from_mins(1);

/// How long the daemon has for the head of an answer, and for taking a good-bye.
const ANSWER: Duration = Duration::from_secs(15);
const GOOD_BYE: Duration = Duration::from_secs(2);

/// How long a daemon that was there is waited for before another is started in its place: whoever stopped it may be
/// about to start it again.
const RESTARTS: SignedDuration = SignedDuration::from_secs(15);

/// The revision of MCP in which the daemon is spoken to, whatever the client speaks.
const REVISION: &str = "2026-07-28";

/// The way to the daemon.
pub(crate) struct HttpRelay {
    /// What every request says of the connection.
    pub(crate) headers: Vec<(&'static str, String)>,
    /// What the caller said of the daemon.
    pub(crate) reach: Reach,
    /// The variables.
    pub(crate) environment: Environment,
    /// The state directory, if there is one.
    pub(crate) state: Option<State>,
    /// Starts a daemon where none runs; `None` where the caller said which to use.
    pub(crate) background: Option<Background>,
    /// The daemon as it was last found.
    pub(crate) found: Mutex<Found>,
}

impl fmt::Debug for HttpRelay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the variables, which hold secrets.
        f.debug_tuple("HttpRelay").field(&self.reach).finish()
    }
}

/// What is known of the daemon.
#[derive(Debug, Default)]
pub(crate) struct Found {
    client: Option<Client>,
    /// When it last answered.
    at: Option<Timestamp>,
}

impl HttpRelay {
    fn found(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self) -> anyhow::Result<Client> {
        Client::find(&self.reach, Caller::Agent, &self.environment, self.state.as_ref())
    }

    /// The daemon, started if need be.
    async fn client(&self) -> Result<Client, RelayError> {
        if let Some(client) = self.found().client.clone() {
            return Ok(client);
        }
        let Some(background) = &self.background else {
            return self
                .find()
                .map_err(|error| RelayError::Refused(format!("{error:#}")));
        };
        background.saw_off();
        if let Ok(client) = self.find()
            && client.is_up().await
        {
            return Ok(client);
        }
        let seen = self.found().at;
        if seen.is_some_and(|at| SystemClock.now().duration_since(at) < RESTARTS) {
            return Err(RelayError::Away("it was there a moment ago".to_owned()));
        }
        background.start().await.map_err(RelayError::Refused)?;
        self.find()
            .map_err(|error| RelayError::Refused(format!("{error:#}")))
    }

    /// What failed is looked for anew the next time.
    fn away(&self, client: &Client, error: &reqwest::Error) -> RelayError {
        self.found().client = None;
        let what = if error.is_connect() {
            "nothing listens"
        } else {
            "the connection broke"
        };
        RelayError::Away(format!("{what} at {}", client.base()))
    }

    fn answered(&self, client: Client) {
        *self.found() = Found {
            client: Some(client),
            at: Some(SystemClock.now()),
        };
    }
}

#[async_trait]
impl Relay for HttpRelay {
    async fn send(&self, message: &Value, answers: mpsc::Sender<Value>) -> Result<(), RelayError> {
        let client = self.client().await?;
        let request = self.request(&client, message);
        let response = match timeout(ANSWER, request.send()).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => return Err(self.away(&client, &error)),
            Err(_) => return Err(RelayError::Away(format!("no answer from {}", client.base()))),
        };
        self.answered(client.clone());
        tracing::debug!(askd = %client.base(), status = response.status().as_u16(), "message sent");
        match response.status() {
            StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT => {
                Err(RelayError::Away(format!("no answer from {}", client.base())))
            }
            StatusCode::ACCEPTED => Ok(()),
            _ => match kind(&response).as_str() {
                "text/event-stream" => self.events(&client, response, &answers).await,
                "application/json" => {
                    let message = response
                        .json()
                        .await
                        .map_err(|error| self.away(&client, &error))?;
                    // Whoever waited for it may have gone.
                    let _ = answers.send(message).await;
                    Ok(())
                }
                _ => Err(refused(&client, response).await),
            },
        }
    }

    async fn may_ask(&self) -> Option<bool> {
        // The daemon as it can be found now, and not one that has to be started.
        let known = self.found().client.clone();
        let client = known.or_else(|| self.find().ok())?;
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": REVISION,
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let list = json!({ "jsonrpc": "2.0", "id": 0, "method": "tools/list", "params": { "_meta": meta } });
        let response = self.request(&client, &list).send().await.ok()?;
        let message = match kind(&response).as_str() {
            "text/event-stream" => {
                let (answers, mut answered) = mpsc::channel(16);
                self.events(&client, response, &answers).await.ok()?;
                answered.try_recv().ok()?
            }
            _ => response.json().await.ok()?,
        };
        let tools = message["result"]["tools"].as_array()?;
        Some(!tools.is_empty())
    }

    async fn leave(&self) {
        let Some(client) = self.found().client.clone() else {
            return;
        };
        let mut request = client.request(Method::DELETE, &["mcp"]).timeout(GOOD_BYE);
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        if request.send().await.is_err() {
            tracing::warn!("askd not told that the client has gone");
        }
    }
}

impl HttpRelay {
    fn request(&self, client: &Client, message: &Value) -> RequestBuilder {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let mut request = client
            .request(Method::POST, &["mcp"])
            .header(header::ACCEPT, "application/json, text/event-stream")
            .header("MCP-Protocol-Version", REVISION)
            .header("Mcp-Method", text(&message["method"]))
            .json(message);
        if let Some(tool) = message["params"]["name"].as_str().filter(|name| is_plain(name)) {
            request = request.header("Mcp-Name", tool);
        }
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        request
    }

    async fn events(
        &self,
        client: &Client,
        mut response: Response,
        answers: &mpsc::Sender<Value>,
    ) -> Result<(), RelayError> {
        let mut text: Vec<u8> = Vec::new();
        loop {
            let bytes = match timeout(SILENCE, response.chunk()).await {
                Ok(Ok(Some(bytes))) => bytes,
                Ok(Ok(None)) => return Ok(()),
                Ok(Err(error)) => return Err(self.away(client, &error)),
                Err(_) => return Err(RelayError::Away(format!("{} has gone silent", client.base()))),
            };
            text.extend_from_slice(&bytes);
            while let Some(end) = text.windows(2).position(|two| two == b"\n\n") {
                let event: Vec<u8> = text.drain(..end + 2).collect();
                if let Some(message) = message(&event)
                    && answers.send(message).await.is_err()
                {
                    return Ok(());
                }
            }
        }
    }
}

/// The message of an event; comments have none. askd ends lines with a line feed and puts a message on one line.
fn message(event: &[u8]) -> Option<Value> {
    let line = event
        .split(|&byte| byte == b'\n')
        .find_map(|line| line.strip_prefix(b"data:"))?;
    serde_json::from_slice(line).ok()
}

/// A tool's name that can stand in a header as it is; ours can.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic())
}

fn kind(response: &Response) -> String {
    let kind = response.headers().get(header::CONTENT_TYPE);
    let kind = kind.and_then(|value| value.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().to_owned()
}

async fn refused(client: &Client, response: Response) -> RelayError {
    let status = response.status().as_u16();
    let problem: Value = response.json().await.unwrap_or_default();
    RelayError::Refused(match (problem["title"].as_str(), problem["detail"].as_str()) {
        (Some(title), Some(detail)) => {
            format!(
                "askd at {} refuses: {}: {}",
                client.base(),
                plain(title),
                plain(detail)
            )
        }
        _ => format!(
            "what answers at {} does not speak MCP as askd does (status {status})",
            client.base()
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_its_message_and_a_comment_is_none() {
        assert_eq!(
            message(b"event: message\ndata: {\"id\":1}\n\n"),
            Some(json!({ "id": 1 }))
        );
        assert_eq!(message(b": waiting\n\n"), None);
        assert_eq!(message(b"data: half of a mess\n\n"), None);
    }
}
