//! Why Telegram does not do what it was asked, in Telegram's words.
//!
//! The texts are the server's own, from the sources of telegram-bot-api and TDLib and from recorded answers: a channel
//! may have to tell them apart. Whether the caller broke a rule or only met with circumstances is said beside them,
//! because a test that finds a broken rule has found a bug.

use axum::http::StatusCode;
use serde_json::{Map, Value, json};

/// An answer with `"ok": false`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The HTTP status, which is also the `error_code`.
    pub code: u16,
    /// The `description`.
    pub description: String,
    /// The chat that took the place of the one named.
    pub migrate_to: Option<i64>,
    /// Seconds to wait before the next try.
    pub retry_after: Option<u64>,
    /// Whether the caller should have known better: a limit, a format, a pace.
    pub rule_broken: bool,
}

impl Refusal {
    fn new(code: u16, description: impl Into<String>) -> Self {
        Self {
            code,
            description: description.into(),
            migrate_to: None,
            retry_after: None,
            rule_broken: false,
        }
    }

    /// 400, for what can happen to anyone: a message is gone, a tap is old.
    pub(crate) fn bad(what: impl AsRef<str>) -> Self {
        Self::new(400, format!("Bad Request: {}", what.as_ref()))
    }

    /// 400, for what a careful caller does not send.
    pub(crate) fn broken(what: impl AsRef<str>) -> Self {
        Self {
            rule_broken: true,
            ..Self::bad(what)
        }
    }

    /// 400, for what Telegram may well take and this fake does not know. Refused aloud, because taking it without an
    /// effect would let a test pass that proves nothing.
    pub(crate) fn not_modelled(what: &str) -> Self {
        Self::broken(format!("the fake does not model {what}"))
    }

    /// 403.
    pub(crate) fn forbidden(what: &str) -> Self {
        Self::new(403, format!("Forbidden: {what}"))
    }

    /// 401, for a token that was revoked or never given out.
    pub(crate) fn unauthorized() -> Self {
        Self::new(401, "Unauthorized")
    }

    /// 404, for a path that leads nowhere.
    pub(crate) fn not_found(what: &str) -> Self {
        Self::new(404, what)
    }

    /// 409, for a token that is in use elsewhere.
    pub(crate) fn conflict(what: &str) -> Self {
        Self::new(409, format!("Conflict: {what}"))
    }

    /// 429.
    pub(crate) fn throttled(seconds: u64) -> Self {
        Self {
            retry_after: Some(seconds),
            ..Self::new(429, format!("Too Many Requests: retry after {seconds}"))
        }
    }

    /// 400, for a group that lives on under another id.
    pub(crate) fn migrated(to: i64) -> Self {
        Self {
            migrate_to: Some(to),
            ..Self::bad("group chat was upgraded to a supergroup chat")
        }
    }

    /// Any other, for tests that make one up.
    pub(crate) fn other(code: u16, description: &str) -> Self {
        Self::new(code, description)
    }

    pub(crate) fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.code).unwrap_or(StatusCode::BAD_REQUEST)
    }

    /// The body of the answer.
    pub(crate) fn body(&self) -> Value {
        let mut parameters = Map::new();
        if let Some(to) = self.migrate_to {
            parameters.insert("migrate_to_chat_id".to_owned(), to.into());
        }
        if let Some(seconds) = self.retry_after {
            parameters.insert("retry_after".to_owned(), seconds.into());
        }
        let mut body = json!({"ok": false, "error_code": self.code, "description": self.description});
        if !parameters.is_empty() {
            body["parameters"] = Value::Object(parameters);
        }
        body
    }
}
