//! What a model gets back: the result of an ask, or why its call was refused.
//!
//! Both as `structuredContent` for programs and as a text for the model, which has to stand on its own: many clients
//! show one of the two. The shapes are described to clients by `tools/schema.rs`, and the tests hold every result
//! against that description.
//!
//! A refusal is a result with `isError` and not an error of the protocol, because clients keep the latter from their
//! model. It lists every fault, so that the next call can be right.

use std::{error::Error, fmt::Write as _};

use askd_core::{
    ask::{
        Ask, Warning,
        validate::{Fault, Faults, Rule},
    },
    broker::{AskError, CallError},
    present,
    result::AgentResult,
    rights::Denied,
    store::StoreError,
};
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};

use crate::hand_over::NotHandedOver;

/// The result of an ask as it stands; `notes` say what was read leniently. What was corrected, the ask knows itself.
pub(crate) fn result(ask: &Ask, notes: &[String]) -> CallToolResult {
    let is_over = ask.outcome().is_some();
    let warnings = ask
        .warnings
        .iter()
        .filter(|warning| !(is_over && **warning == Warning::NoChannel))
        .map(|warning| format!("{}.", warning.message()));
    let notes: Vec<String> = notes.iter().cloned().chain(warnings).collect();
    let mut structured = serde_json::to_value(AgentResult::of(ask)).expect("a result is always JSON");
    let mut text = present::summary_text(ask);
    if !is_over {
        // The text says what to do with it, and may be all that the model sees.
        write!(text, "\n\naskId: {}", ask.id).expect("a string takes everything");
    }
    text.push_str(&lines(&notes));
    if !notes.is_empty() {
        structured["notes"] = notes.into();
    }
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = Some(structured);
    result
}

/// The notes below a text, a line each: some begin with the name of a field, so they make no prose.
fn lines(notes: &[String]) -> String {
    let lines: Vec<String> = notes.iter().map(|note| format!("\nNote: {note}")).collect();
    if lines.is_empty() {
        return String::new();
    }
    format!("\n{}", lines.concat())
}

/// Why a call was refused, for a model that should do better next time.
#[derive(Debug)]
pub(crate) struct Refusal {
    /// In one word, for programs: the same words as the problems over HTTP, in snake case.
    reason: &'static str,
    /// What happened and what to do, in one or two sentences.
    message: String,
    faults: Vec<Value>,
    notes: Vec<String>,
}

impl Refusal {
    pub(crate) fn new(reason: &'static str, message: impl Into<String>) -> Self {
        Self {
            reason,
            message: message.into(),
            faults: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// The token was taken away while the call waited.
    pub(crate) fn token_gone() -> Self {
        Self::new(
            "unauthorized",
            "This token is not known any more. Continue with your best judgment.",
        )
    }

    /// Whether the same may work in a moment.
    pub(crate) fn passes(&self) -> bool {
        self.reason == "unavailable"
    }

    /// Says too what was read leniently before it was refused.
    pub(crate) fn with_notes(self, notes: Vec<String>) -> Self {
        Self { notes, ..self }
    }

    /// Arguments of `ask_user_wait` that break rules.
    pub(crate) fn arguments(faults: Vec<Value>) -> Self {
        Self {
            faults,
            ..Self::new(
                "invalid",
                "Nothing was waited for: the call breaks the rules below.",
            )
        }
    }

    fn invalid(faults: &Faults) -> Self {
        let views = faults.iter().map(view).collect();
        Self {
            faults: views,
            ..Self::new(
                "invalid",
                "Nothing was asked: the call breaks the rules below. Mend all of them and call ask_user once more.",
            )
        }
    }

    fn store(error: &StoreError) -> Self {
        tracing::warn!(error = error as &dyn Error, "store failed");
        match error {
            StoreError::Full(_) | StoreError::Damaged(_) => Self::new(
                "unavailable",
                "Nothing was asked: askd's store needs its operator. Continue with your best judgment.",
            ),
            _ => Self::new(
                "unavailable",
                "askd's store did not answer. Make the same call once more; if that fails too, continue with your \
                 best judgment.",
            ),
        }
    }

    fn no_ask() -> Self {
        Self::new(
            "no_ask",
            "No question of yours has this askId. Do not wait for it any longer.",
        )
    }

    fn unforeseen(error: &(dyn Error + 'static)) -> Self {
        tracing::error!(error, "error without a refusal of its own");
        Self::new(
            "internal",
            "askd has a bug here. Continue with your best judgment.",
        )
    }
}

impl From<Refusal> for CallToolResult {
    fn from(refusal: Refusal) -> Self {
        let mut structured = json!({
            "status": "error", "reason": refusal.reason, "message": refusal.message, "errors": refusal.faults,
        });
        let mut text = refusal.message;
        for fault in &refusal.faults {
            text.push('\n');
            text.push_str(&line(fault));
        }
        text.push_str(&lines(&refusal.notes));
        if !refusal.notes.is_empty() {
            structured["notes"] = refusal.notes.into();
        }
        let mut result = Self::error(vec![ContentBlock::text(text)]);
        result.structured_content = Some(structured);
        result
    }
}

fn view(found: &Fault) -> Value {
    let received = (found.rule != Rule::Missing).then(|| found.received.clone().into());
    let mut view = fault(&found.pointer, found.rule, &found.message, received.as_ref());
    if let Some(limit) = found.limit {
        view["limit"] = limit.into();
    }
    view
}

/// A fault in a line: where, what, and what stood there.
fn line(fault: &Value) -> String {
    let text = |name: &str| fault[name].as_str().unwrap_or_default();
    let pointer = match text("pointer") {
        "" => "the arguments as a whole",
        pointer => pointer,
    };
    let received = match &fault["received"] {
        Value::String(received) => format!(" (received: {})", received.replace('\n', " ")),
        _ => String::new(),
    };
    format!("- {pointer} {}{received}", text("message"))
}

/// A fault; without `received`, where nothing was.
pub(crate) fn fault(pointer: &str, rule: Rule, message: &str, received: Option<&Value>) -> Value {
    let mut view = json!({ "pointer": pointer, "rule": rule.code(), "message": message });
    let text = match received {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => return view,
    };
    view["received"] = text.chars().take(Fault::RECEIVED).collect::<String>().into();
    view
}

impl From<Denied> for Refusal {
    fn from(denied: Denied) -> Self {
        match denied {
            Denied::Subagent => Self::new(
                "subagent",
                "Sub-agents may not ask people: only the primary session may. Decide by your best judgment, or give \
                 the open question back to the agent that called you.",
            ),
            Denied::Role => Self::new(
                "role",
                "This token may not do this: agents ask, people answer. Continue with your best judgment.",
            ),
            Denied::NotYours => Self::no_ask(),
        }
    }
}

impl From<AskError> for Refusal {
    fn from(error: AskError) -> Self {
        match error {
            AskError::Denied(denied) => denied.into(),
            AskError::Faults(faults) => Self::invalid(&faults),
            AskError::Store(error) => Self::store(&error),
            AskError::OtherBody => Self::new(
                "key_reused",
                "Nothing was asked: the Idempotency-Key belongs to another question. Use a new one for a new \
                 question.",
            ),
            AskError::TooMany { pending, max } => Self::new(
                "too_many_pending",
                format!(
                    "Nothing was asked: {pending} questions of this agent are open and {max} is the most. Wait for \
                     one with ask_user_wait, or continue with your best judgment."
                ),
            ),
            other => Self::unforeseen(&other),
        }
    }
}

impl From<CallError> for Refusal {
    fn from(error: CallError) -> Self {
        match error {
            CallError::NotFound => Self::no_ask(),
            CallError::Denied(denied) => denied.into(),
            CallError::Store(error) => Self::store(&error),
            other => Self::unforeseen(&other),
        }
    }
}

impl From<NotHandedOver> for Refusal {
    fn from(why: NotHandedOver) -> Self {
        match why {
            NotHandedOver::Unknown => Self::new(
                "bad_state",
                "This requestState was not made by this askd for this token. Make the call without it.",
            ),
            NotHandedOver::Expired(ask) => Self::new(
                "bad_state",
                format!(
                    "This requestState has expired. Call ask_user_wait with askId {ask} to see how the question ended."
                ),
            ),
        }
    }
}
