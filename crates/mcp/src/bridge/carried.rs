//! One call on its way over the bridge, however often askd is away meanwhile.

use std::{sync::Arc, time::Duration};

use jiff::{SignedDuration, Timestamp};
use rmcp::{
    ErrorData, RoleServer,
    model::{
        ClientCapabilities, ErrorCode, ProgressNotificationParam, ProgressToken, ProtocolVersion,
        RequestMetaObject,
    },
    service::RequestContext,
};
use serde_json::{Map, Value, json};
use tokio::sync::mpsc;

use super::{Inner, RelayError, as_json};
use crate::{
    call::{CALL_ID, call_id},
    limits,
    outcome::Refusal,
};

/// How long a call that has not reached askd yet tries to. Longer than askd takes to start on a slow machine.
const FIRST_TRIES: SignedDuration = SignedDuration::from_secs(60);

/// How long beyond its deadline a call is taken up again: the answer may have come just before askd went away.
const AFTER_DEADLINE: SignedDuration = SignedDuration::from_secs(60);

/// Pause between two tries, in the beginning and at most: a restart takes a second or two.
const PAUSES: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(2));

/// A call.
pub(super) struct Carried {
    inner: Arc<Inner>,
    context: RequestContext<RoleServer>,
    /// The whole message; gets askd's `requestState` where it hands the call over.
    message: Value,
    progress: Option<ProgressToken>,
    /// The last progress the client was told, and when.
    told: f64,
    told_at: Timestamp,
    /// Whether askd is known to have the question.
    stored: bool,
    /// Until when it is worth trying.
    until: Timestamp,
    attached: Attached,
}

/// How one attempt ended.
enum Attempt {
    /// With the answer.
    Answered(Value),
    /// askd stops and goes on with this.
    HandedOver(Value),
    /// Without an answer.
    Failed(RelayError),
    /// The client has taken the call back, or is gone.
    Over,
}

impl Carried {
    pub(super) fn new(
        inner: Arc<Inner>,
        mut params: Value,
        context: RequestContext<RoleServer>,
        number: u64,
    ) -> Self {
        params["_meta"] = meta(&context, &format!("{}-{number}", inner.bridge.name));
        let message = json!({
            "jsonrpc": "2.0",
            "id": context.id.clone().into_json_value(),
            "method": "tools/call",
            "params": params,
        });
        Self {
            progress: context.meta.get_progress_token(),
            told: -1.0,
            stored: false,
            told_at: inner.bridge.clock.now(),
            until: inner.bridge.clock.now() + FIRST_TRIES,
            attached: Attached::none(Arc::clone(&inner)),
            message,
            context,
            inner,
        }
    }

    /// askd's answer, or a refusal that says why there is none.
    pub(super) async fn answer(mut self) -> Result<Value, ErrorData> {
        let clock = Arc::clone(&self.inner.bridge.clock);
        let mut pause = PAUSES.0;
        loop {
            let failed = match self.attempt().await {
                Attempt::Answered(message) => return read(message),
                // Nobody reads it.
                Attempt::Over => return Ok(Value::Null),
                Attempt::HandedOver(state) => {
                    self.stored = true;
                    self.message["params"]["requestState"] = state;
                    RelayError::Away("it is restarting".to_owned())
                }
                Attempt::Failed(error) => error,
            };
            self.attached.set(false);
            if let RelayError::Refused(_) = failed {
                return Ok(unavailable(&failed));
            }
            let next = clock.now() + pause;
            if next > self.until {
                return Ok(unavailable(&failed));
            }
            if next > self.told_at + limits::TELL_EVERY {
                self.tell(if self.stored {
                    "askd is away; the question is kept, and is gone on with when it is back"
                } else {
                    "askd is away and may not have the question yet; trying again"
                })
                .await;
            }
            tokio::select! {
                biased;
                () = self.inner.left.cancelled() => return Ok(Value::Null),
                () = clock.sleep_until(next) => {}
            }
            pause = (pause * 2).min(PAUSES.1);
        }
    }

    async fn attempt(&mut self) -> Attempt {
        let inner = Arc::clone(&self.inner);
        let message = self.message.clone();
        let (answers, mut answered) = mpsc::channel(16);
        let mut sending = inner.bridge.relay.send(&message, answers);
        let mut ended = None;
        let cancelled = self.context.ct.clone();
        loop {
            // askd cannot take back what it does not know yet. Once the client is gone, rmcp cancels every call, which
            // the client never did.
            let can_be_taken_back = self.attached.0 && !inner.gone.is_cancelled();
            tokio::select! {
                biased;
                () = inner.left.cancelled() => return Attempt::Over,
                () = cancelled.cancelled(), if can_be_taken_back => {
                    self.take_back().await;
                    return Attempt::Over;
                }
                message = answered.recv() => match message {
                    Some(message) if message["method"] == "notifications/progress" => {
                        self.attached.set(true);
                        self.stored = true;
                        self.pass_on(&message["params"]).await;
                    }
                    Some(message) if message.get("id") == self.message.get("id") => {
                        let state = &message["result"]["requestState"];
                        let is_state = message["result"]["resultType"] == "input_required" && state.is_string();
                        return if is_state {
                            Attempt::HandedOver(state.clone())
                        } else {
                            Attempt::Answered(message)
                        };
                    }
                    Some(_) => {}
                    None => {
                        let broken = RelayError::Away("the connection ended without an answer".to_owned());
                        return Attempt::Failed(match ended {
                            Some(Err(error)) => error,
                            _ => broken,
                        });
                    }
                },
                sent = &mut sending, if ended.is_none() => ended = Some(sent),
            }
        }
    }

    /// Passes progress on to the client, and learns from it how long the ask lives.
    async fn pass_on(&mut self, params: &Value) {
        let (Some(progress), Some(total)) = (params["progress"].as_f64(), params["total"].as_f64()) else {
            return;
        };
        let left = SignedDuration::try_from_secs_f64((total - progress).max(0.0)).unwrap_or(FIRST_TRIES);
        self.until = self.inner.bridge.clock.now() + left + AFTER_DEADLINE;
        self.told_at = self.inner.bridge.clock.now();
        let Some(token) = self.progress.clone() else {
            return;
        };
        self.told = progress.max(self.told + 1.0);
        let note = ProgressNotificationParam::new(token, self.told)
            .with_total(total.max(self.told))
            .with_message(params["message"].as_str().unwrap_or_default());
        self.notify(note).await;
    }

    /// Tells the client something of our own.
    async fn tell(&mut self, message: &str) {
        self.told_at = self.inner.bridge.clock.now();
        let Some(token) = self.progress.clone() else {
            return;
        };
        self.told += 1.0;
        let note = ProgressNotificationParam::new(token, self.told).with_message(message);
        self.notify(note).await;
    }

    async fn notify(&self, note: ProgressNotificationParam) {
        tokio::select! {
            // A client that does not read is noticed by its going away.
            _ = self.context.peer.notify_progress(note) => {}
            () = self.inner.left.cancelled() => {}
        }
    }

    /// The client has taken the call back.
    async fn take_back(&self) {
        let cancelled = json!({
            "jsonrpc": "2.0",
            "method": "notifications/cancelled",
            "params": { "requestId": self.message["id"] },
        });
        let (answers, _) = mpsc::channel(1);
        // What does not get through leaves the ask open until its deadline, as for every client that is cut off.
        let _ = self.inner.bridge.relay.send(&cancelled, answers).await;
    }
}

/// Whether a call is attached to its ask; counted, for the end of stdin.
struct Attached(bool, Arc<Inner>);

impl Attached {
    fn none(inner: Arc<Inner>) -> Self {
        inner.trying.send_modify(|calls| *calls += 1);
        Self(false, inner)
    }

    fn set(&mut self, attached: bool) {
        if attached != self.0 {
            self.0 = attached;
            self.1
                .trying
                .send_modify(|calls| if attached { *calls -= 1 } else { *calls += 1 });
        }
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        self.set(true);
    }
}

/// What the client sent in `_meta`, and what makes this a request of the newest revision: askd is spoken to in that
/// one, whatever the client speaks, because only there can a call be handed over.
fn meta(context: &RequestContext<RoleServer>, id: &str) -> Value {
    let mut meta: RequestMetaObject = context.meta.clone();
    meta.set_protocol_version(ProtocolVersion::V_2026_07_28);
    meta.set_client_capabilities(ClientCapabilities::default());
    if let Some(client) = context.client_info() {
        meta.set_client_info(client);
    }
    meta.set_progress_token(ProgressToken(rmcp::model::NumberOrString::Number(0)));
    let mut fields: Map<String, Value> = meta.0.0;
    if call_id(&fields).is_none() {
        fields.insert(CALL_ID.to_owned(), id.into());
    }
    Value::Object(fields)
}

fn read(mut message: Value) -> Result<Value, ErrorData> {
    let error = &message["error"];
    if error.is_null() {
        return Ok(message["result"].take());
    }
    let code = error["code"].as_i64().and_then(|code| i32::try_from(code).ok());
    let text = error["message"].as_str().unwrap_or("askd failed").to_owned();
    let data = error.get("data").cloned();
    Err(ErrorData::new(
        code.map_or(ErrorCode::INTERNAL_ERROR, ErrorCode),
        text,
        data,
    ))
}

fn unavailable(error: &RelayError) -> Value {
    let text = format!("{error}. Nobody can be asked now: continue with your best judgment.");
    as_json(Refusal::new("unavailable", text).into())
}
