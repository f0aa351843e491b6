//! What a call says of itself, beside its arguments.
//!
//! Most of it stands in `_meta`, where each client has keys of its own. Those named here were read from what the
//! clients send (December 2026); an unknown one is passed over.

use std::sync::Arc;

use askd_core::{broker::Key, rights::Denied};
use axum::http::request::Parts;
use jiff::SignedDuration;
use rmcp::{
    ErrorData, RoleServer,
    model::{ErrorCode, ProgressToken, RequestMetaObject},
    service::{Peer, RequestContext},
};
use serde_json::{Map, Value};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::{
    Desk,
    caller::Caller,
    calls::{CallName, OpenCall},
    limits,
};

/// Keys of `_meta` under which a client names one call of a tool, the same when it tries again. Ours first: a client
/// that sends it means it. Then Claude Code (2.1) and Codex (0.171).
const CALL_IDS: [&str; 3] = [CALL_ID, "claudecode/toolUseId", "callId"];

/// Our own key of that kind, for clients that have none.
pub(crate) const CALL_ID: &str = "askd/callId";

/// Where Claude Code (2.1.290) names the sub-agent that calls; its main session sends none.
const SUB_AGENT: &str = "claudecode/agentId";

/// Where Codex describes the turn that calls, as an object or as JSON in a text; a sub-agent's has `thread_source`
/// `subagent`.
const CODEX_TURN: &str = "x-codex-turn-metadata";

/// A call of a tool that is under way.
pub(crate) struct Call {
    /// Who calls.
    pub(crate) caller: Caller,
    /// What makes a repeat of it find the first ask.
    pub(crate) key: Option<Key>,
    /// Who asks, as people see it, where the token does not say.
    pub(crate) agent: Option<String>,
    /// Under what the client wants to be told that it still waits.
    pub(crate) progress: Option<ProgressToken>,
    /// The client's end.
    pub(crate) peer: Peer<RoleServer>,
    /// Cancelled when the stream that carries the answer is gone.
    pub(crate) closed: CancellationToken,
    /// Its entry among the open calls.
    pub(crate) open: OpenCall,
    /// Whether it speaks a revision without `initialize`: its closing is a cancel, and it can be handed over.
    pub(crate) modern: bool,
    calls_for_sub_agent: bool,
    opening: Arc<Notify>,
}

/// Put into a request by the gate, and told by the tool that takes it on: the stream is to open now.
#[derive(Clone, Debug, Default)]
pub(crate) struct Opening(pub(crate) Arc<Notify>);

impl Opening {
    /// Of the request that a call came with.
    pub(crate) fn of(context: &RequestContext<RoleServer>) -> Option<Self> {
        context.extensions.get::<Parts>()?.extensions.get().cloned()
    }
}

impl Call {
    /// Reads what came with a call and opens it.
    pub(crate) fn begin(desk: &Desk, context: RequestContext<RoleServer>) -> Result<Self, ErrorData> {
        let parts = context.extensions.get::<Parts>();
        let found = |parts: &Parts| {
            let caller = parts.extensions.get::<Caller>()?.clone();
            let Opening(opening) = parts.extensions.get::<Opening>()?.clone();
            Some((caller, opening))
        };
        let (caller, opening) = parts
            .and_then(found)
            .ok_or_else(|| ErrorData::internal_error("the request did not come through the gate", None))?;
        let meta = &context.meta;
        let explicit = caller.key.clone().map(Key::Explicit);
        let unnamed = desk.options.unnamed.contains(&caller.principal.token);
        Ok(Self {
            key: explicit.or_else(|| call_id(meta).map(|id| Key::Derived(id.to_owned()))),
            agent: if unnamed { client_name(meta) } else { None },
            progress: meta.get_progress_token(),
            modern: speaks_without_initialize(meta),
            calls_for_sub_agent: names_sub_agent(meta),
            open: desk
                .calls
                .begin(CallName::of(&caller, context.id.into_json_value())),
            peer: context.peer,
            closed: context.ct,
            caller,
            opening,
        })
    }

    /// Whether the caller may ask: neither its token, nor its connection, nor the client names a sub-agent.
    pub(crate) fn may_ask(&self) -> Result<(), Denied> {
        if self.calls_for_sub_agent {
            return Err(Denied::Subagent);
        }
        self.caller.may_ask()
    }

    /// The stream opens now, though there is nothing to send yet: from here on the HTTP status is 200.
    pub(crate) fn opens(&self) {
        self.opening.notify_one();
    }

    /// Whether the client's going away takes the ask back. Up to 2025-11-25 a dropped connection is no cancel; from
    /// 2026-07-28 on closing the stream is one. A connection with a name says itself that it leaves, so that one that
    /// was cut off, or whose program was killed, takes nothing back.
    pub(crate) fn closing_cancels(&self) -> bool {
        self.modern && self.caller.connection.is_none()
    }

    /// How long it is held.
    pub(crate) fn hold(&self, desk: &Desk) -> Option<SignedDuration> {
        let holds = desk.options.holds.borrow();
        self.caller
            .hold
            .or_else(|| holds.of(&self.caller.principal.token))
    }
}

/// The client's id of this call of a tool, if it sends one.
pub(crate) fn call_id(meta: &Map<String, Value>) -> Option<&str> {
    let ids = CALL_IDS.iter().filter_map(|key| meta.get(*key)?.as_str());
    ids.map(str::trim)
        .find(|id| !id.is_empty() && id.len() <= limits::ID)
}

/// Whether the request is of a revision without `initialize`, the first of which is 2026-07-28. Such requests name
/// their revision themselves.
pub(crate) fn speaks_without_initialize(meta: &RequestMetaObject) -> bool {
    meta.protocol_version()
        .is_some_and(|version| !version.has_initialize())
}

/// Whether the client says that a sub-agent of its own calls.
pub(crate) fn names_sub_agent(meta: &Map<String, Value>) -> bool {
    let claude = meta.get(SUB_AGENT).is_some_and(|id| !id.is_null());
    let codex = match meta.get(CODEX_TURN) {
        Some(Value::String(text)) => serde_json::from_str(text).ok(),
        turn => turn.cloned(),
    };
    claude || codex.is_some_and(|turn| turn["thread_source"] == "subagent")
}

/// The error for a request that nothing here answers.
pub(crate) fn unknown(method: String) -> ErrorData {
    if method == "tools/call" {
        return ErrorData::invalid_params("tools/call needs the name of a tool in params.name", None);
    }
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method, None)
}

/// What the client calls itself: one line, cut to what people can read.
fn client_name(meta: &RequestMetaObject) -> Option<String> {
    let client = meta.client_info()?;
    let words: Vec<&str> = client.name.split_whitespace().collect();
    let name: String = words
        .join(" ")
        .chars()
        .filter(|c| !c.is_control())
        .take(limits::CLIENT)
        .collect();
    Some(name).filter(|name| !name.is_empty())
}
