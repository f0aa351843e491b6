//! Why Slack does not do what it was asked, by its error codes.
//!
//! The codes are those of the methods' pages. Whether the caller broke a rule or only met with circumstances is said
//! beside them, because a test that finds a broken rule has found a bug.

use axum::http::StatusCode;
use serde_json::{Value, json};

/// An answer with `"ok": false`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refusal {
    /// The `error`.
    pub error: String,
    /// What is wrong in detail, each with a JSON pointer.
    pub messages: Vec<String>,
    /// The scope that would be needed, and those that are there.
    pub scope: Option<(String, String)>,
    /// Seconds to wait before the next try. The only refusal whose HTTP status is not 200.
    pub retry_after: Option<u64>,
    /// Whether the caller should have known better: a limit, a format, a pace.
    pub rule_broken: bool,
}

impl Refusal {
    /// For what can happen to anyone: a channel is archived, a message is gone.
    pub(crate) fn of(error: impl Into<String>) -> Self {
        Self {
            error: error.into(),
            ..Self::default()
        }
    }

    /// For what a careful caller does not send.
    pub(crate) fn broken(error: &str, messages: Vec<String>) -> Self {
        Self {
            messages,
            rule_broken: true,
            ..Self::of(error)
        }
    }

    /// An argument is missing.
    pub(crate) fn missing(name: &str) -> Self {
        Self::broken(
            "invalid_arguments",
            vec![format!("missing required field: {name}")],
        )
    }

    /// For what Slack may well take and this fake does not know. Refused aloud, because taking it without an effect
    /// would let a test pass that proves nothing.
    pub(crate) fn not_modelled(what: &str) -> Self {
        Self::broken(
            "invalid_arguments",
            vec![format!("the fake does not model {what}")],
        )
    }

    /// For a method that is not in the table.
    pub(crate) fn unknown_method() -> Self {
        Self::broken("unknown_method", vec!["the fake does not model it".to_owned()])
    }

    pub(crate) fn missing_scope(needed: &str, provided: String) -> Self {
        Self {
            scope: Some((needed.to_owned(), provided)),
            ..Self::of("missing_scope")
        }
    }

    /// 429.
    pub(crate) fn throttled(seconds: u64) -> Self {
        Self {
            retry_after: Some(seconds),
            ..Self::of("ratelimited")
        }
    }

    pub(crate) fn status(&self) -> StatusCode {
        match self.retry_after {
            Some(_) => StatusCode::TOO_MANY_REQUESTS,
            None => StatusCode::OK,
        }
    }

    /// The body of the answer.
    pub(crate) fn body(&self) -> Value {
        let mut body = json!({"ok": false, "error": self.error});
        if !self.messages.is_empty() {
            body["errors"] = self.messages.clone().into();
            let messages = self.messages.iter().map(|message| format!("[ERROR] {message}"));
            body["response_metadata"] = json!({"messages": messages.collect::<Vec<_>>()});
        }
        if let Some((needed, provided)) = &self.scope {
            body["needed"] = needed.as_str().into();
            body["provided"] = provided.as_str().into();
        }
        body
    }

    /// For the list of broken rules.
    pub(crate) fn describe(&self) -> String {
        if self.messages.is_empty() {
            return self.error.clone();
        }
        format!("{}: {}", self.error, self.messages.join("; "))
    }
}
