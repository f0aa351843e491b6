//! Why Discord does not do what it was asked, with Discord's codes and in its words.
//!
//! Codes and messages are those of Discord docs, "Opcodes and Status Codes", "JSON Error Codes"; statuses and the
//! shape of form errors are those of recorded answers. Whether the caller broke a rule or only met with circumstances
//! is said beside them, because a test that finds a broken rule has found a bug.

use std::time::Duration;

use axum::http::StatusCode;
use serde_json::{Map, Value, json};

/// An answer that is no success.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The HTTP status.
    pub status: u16,
    /// Discord's code; 0 where it has none.
    pub code: u32,
    /// What it says.
    pub message: String,
    /// What is wrong with which field, for 50035.
    pub errors: Option<Value>,
    /// How long to wait before the next try.
    pub retry_after: Option<Duration>,
    /// Whether that pause is for all routes.
    pub global: bool,
    /// Whether the caller should have known better: a limit, a format, an order of steps.
    pub rule_broken: bool,
}

impl Refusal {
    pub(crate) fn new(status: u16, code: u32, message: impl Into<String>) -> Self {
        Self {
            status,
            code,
            message: message.into(),
            errors: None,
            retry_after: None,
            global: false,
            rule_broken: false,
        }
    }

    /// For what a careful caller does not send.
    pub(crate) fn broken(self) -> Self {
        Self {
            rule_broken: true,
            ..self
        }
    }

    /// 50035, with what is wrong where.
    pub(crate) fn form(errors: Value) -> Self {
        Self {
            errors: Some(errors),
            ..Self::new(400, 50035, "Invalid Form Body").broken()
        }
    }

    /// For what Discord may well take and this fake does not know. Refused aloud, because taking it without an effect
    /// would let a test pass that proves nothing.
    pub(crate) fn not_modelled(what: &str) -> Self {
        Self::new(501, 0, format!("the fake does not model {what}")).broken()
    }

    /// 401, for a token that was revoked or never given out.
    pub(crate) fn unauthorized() -> Self {
        Self::new(401, 0, "401: Unauthorized")
    }

    /// 404, for a path that leads nowhere.
    pub(crate) fn not_found() -> Self {
        Self::new(404, 0, "404: Not Found")
    }

    pub(crate) fn bots_cannot() -> Self {
        Self::new(403, 20001, "Bots cannot use this endpoint").broken()
    }

    pub(crate) fn unknown_channel() -> Self {
        Self::new(404, 10003, "Unknown Channel")
    }

    pub(crate) fn unknown_guild() -> Self {
        Self::new(404, 10004, "Unknown Guild")
    }

    pub(crate) fn unknown_member() -> Self {
        Self::new(404, 10007, "Unknown Member")
    }

    pub(crate) fn unknown_message() -> Self {
        Self::new(404, 10008, "Unknown Message")
    }

    pub(crate) fn unknown_user() -> Self {
        Self::new(404, 10013, "Unknown User")
    }

    pub(crate) fn unknown_webhook() -> Self {
        Self::new(404, 10015, "Unknown Webhook")
    }

    pub(crate) fn unknown_interaction() -> Self {
        Self::new(404, 10062, "Unknown interaction")
    }

    pub(crate) fn acknowledged_already() -> Self {
        Self::new(400, 40060, "Interaction has already been acknowledged.")
    }

    pub(crate) fn no_user_agent() -> Self {
        Self::new(403, 40333, "internal network error").broken()
    }

    pub(crate) fn missing_access() -> Self {
        Self::new(403, 50001, "Missing Access")
    }

    pub(crate) fn not_its_author() -> Self {
        Self::new(403, 50005, "Cannot edit a message authored by another user").broken()
    }

    pub(crate) fn empty_message() -> Self {
        Self::new(400, 50006, "Cannot send an empty message").broken()
    }

    pub(crate) fn cannot_reach() -> Self {
        Self::new(403, 50007, "Cannot send messages to this user")
    }

    pub(crate) fn missing_permissions() -> Self {
        Self::new(403, 50013, "Missing Permissions")
    }

    pub(crate) fn invalid_webhook_token() -> Self {
        Self::new(401, 50027, "Invalid Webhook Token")
    }

    pub(crate) fn invalid_recipient() -> Self {
        Self::new(400, 50033, "Invalid Recipient(s)")
    }

    pub(crate) fn archived() -> Self {
        Self::new(400, 50083, "Thread is archived")
    }

    pub(crate) fn invalid_json() -> Self {
        Self::new(400, 50109, "The request body contains invalid JSON.").broken()
    }

    pub(crate) fn cannot_reply() -> Self {
        Self::new(
            400,
            160_002,
            "Cannot reply without permission to read message history",
        )
    }

    /// 429.
    pub(crate) fn throttled(pause: Duration, global: bool) -> Self {
        Self {
            retry_after: Some(pause),
            global,
            ..Self::new(429, 0, "You are being rate limited.")
        }
    }

    pub(crate) fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::BAD_REQUEST)
    }

    /// The body of the answer.
    pub(crate) fn body(&self) -> Value {
        let mut body = Map::new();
        body.insert("message".to_owned(), json!(self.message));
        if let Some(pause) = self.retry_after {
            body.insert("retry_after".to_owned(), json!(pause.as_secs_f64()));
            body.insert("global".to_owned(), json!(self.global));
        }
        body.insert("code".to_owned(), json!(self.code));
        if let Some(errors) = &self.errors {
            body.insert("errors".to_owned(), errors.clone());
        }
        Value::Object(body)
    }

    /// What a log of broken rules says: the code, and which fields for which reason.
    pub(crate) fn reason(&self) -> String {
        match &self.errors {
            Some(errors) => format!("{} {} {errors}", self.code, self.message),
            None => format!("{} {}", self.code, self.message),
        }
    }
}
