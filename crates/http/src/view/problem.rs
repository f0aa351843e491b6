//! Errors and the answers to probes, on the wire.

use askd_core::ask::validate::{Fault, Rule};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// An error (RFC 9457).
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Problem)]
pub(crate) struct ProblemView {
    /// Which kind of error, for programs: `urn:askd:problem:<code>`. Stable, to be compared whole.
    #[serde(rename = "type")]
    pub(crate) kind: String,
    /// What it says in general.
    pub(crate) title: String,
    /// The HTTP status.
    pub(crate) status: u16,
    /// What happened this time.
    pub(crate) detail: String,
    /// Every rule that the body breaks; absent for other errors.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub(crate) errors: Vec<FaultView>,
    /// What readiness rests on; `/readyz` alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) checks: Option<ReadyView>,
}

/// One broken rule.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Fault)]
pub(crate) struct FaultView {
    /// Where in the body: a JSON pointer (RFC 6901), empty for the whole.
    pub(crate) pointer: String,
    /// Which rule, for programs: `not_text`, `missing`, `unknown_field`, `too_long`, …
    #[schema(value_type = String)]
    pub(crate) rule: &'static str,
    /// The limit that was passed, in characters or items; `null` where the rule has none.
    #[schema(required)]
    pub(crate) limit: Option<usize>,
    /// What was received, cut to 80 characters; `null` where nothing was.
    #[schema(required)]
    pub(crate) received: Option<String>,
    /// The rule in a sentence without its subject, which is the pointer.
    pub(crate) message: String,
}

impl FaultView {
    /// The field must be an object.
    pub(crate) fn not_object(pointer: &str, received: &Value) -> Self {
        Self::typed(pointer, Rule::NotObject, received, "must be an object")
    }

    /// The field must be a list of texts.
    pub(crate) fn not_list(pointer: &str, received: &Value) -> Self {
        Self::typed(pointer, Rule::NotList, received, "must be an array of strings")
    }

    /// The field must be a text.
    pub(crate) fn not_text(pointer: &str, received: &Value) -> Self {
        Self::typed(pointer, Rule::NotText, received, "must be a string")
    }

    /// The field is not known here.
    pub(crate) fn unknown_field(pointer: &str, received: &Value) -> Self {
        Self::typed(pointer, Rule::UnknownField, received, "is not a known field")
    }

    /// The field must be there.
    pub(crate) fn missing(pointer: &str) -> Self {
        Self {
            received: None,
            ..Self::typed(pointer, Rule::Missing, &Value::Null, "is required")
        }
    }

    /// The text must be an address. The one rule that asks do not have.
    pub(crate) fn not_address(pointer: &str, received: &Value) -> Self {
        Self {
            rule: "not_address",
            ..Self::typed(
                pointer,
                Rule::NotText,
                received,
                "must be an address as the configuration writes it: channel:account",
            )
        }
    }

    /// The value is none that this field can have; `message` says what it must be.
    pub(crate) fn wrong(pointer: &str, received: &Value, message: &str) -> Self {
        Self {
            rule: "wrong",
            ..Self::typed(pointer, Rule::NotText, received, message)
        }
    }

    /// Without what was received, which is to stay with whoever sent it.
    pub(crate) fn secret(self) -> Self {
        Self {
            received: None,
            ..self
        }
    }

    fn typed(pointer: &str, rule: Rule, received: &Value, message: &str) -> Self {
        let received = match received {
            Value::String(text) => text.chars().take(Fault::RECEIVED).collect(),
            other => other.to_string().chars().take(Fault::RECEIVED).collect(),
        };
        Self {
            pointer: pointer.to_owned(),
            rule: rule.code(),
            limit: None,
            received: Some(received),
            message: message.to_owned(),
        }
    }
}

impl From<&Fault> for FaultView {
    fn from(fault: &Fault) -> Self {
        Self {
            pointer: fault.pointer.clone(),
            rule: fault.rule.code(),
            limit: fault.limit,
            received: (fault.rule != Rule::Missing).then(|| fault.received.clone()),
            message: fault.message.clone(),
        }
    }
}

/// Whether the process is alive.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Health)]
pub(crate) struct HealthView {
    /// Always `ok`: a process that is not does not answer.
    pub(crate) status: &'static str,
}

/// What readiness rests on.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Readiness)]
pub(crate) struct ReadyView {
    /// Whether all of it works.
    pub(crate) ready: bool,
    /// `up` or `down`.
    pub(crate) store: &'static str,
    /// Each configured channel.
    pub(crate) channels: Vec<ChannelView>,
}

/// Whether a channel works.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ChannelState)]
pub(crate) struct ChannelView {
    /// Its name in the configuration.
    pub(crate) name: String,
    /// `up`, `starting` (nothing heard yet), `deaf` (nothing heard for too long) or `down` (for good).
    pub(crate) state: &'static str,
    /// Why it is deaf or down; `null` otherwise.
    #[schema(required)]
    pub(crate) reason: Option<String>,
}
