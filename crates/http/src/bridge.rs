//! What is special about the questions of Claude Code's own question tool.
//!
//! `askd hook claude-code` hands them on and says so with `Askd-Client: claude-code`. It is the one client that may
//! ask four questions, because that tool does and an ask that lost one would be worse. The header is not a secret, so
//! nothing may hang on it that could harm: it raises no role and no other limit, it names the agent with one fixed
//! word, and what it grants ends at [`Questions::MAX`](askd_core::ask::Questions::MAX).
//!
//! Tests: `tests/bridging.rs`.

use std::{convert::Infallible, sync::Arc};

use askd_core::{
    ask::{Questions, validate::Rules},
    broker::{Key, Request},
};
use axum::{extract::FromRequestParts, http::request::Parts};
use serde_json::Value;

use crate::{
    Api,
    auth::{CLIENT, IdempotencyKey},
};

/// Which client an ask comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AskedWith {
    /// Any client; the agent is the token's.
    Any,
    /// The bridge of `askd hook claude-code`.
    ClaudeCode,
}

impl AskedWith {
    /// The value of `Askd-Client`, and the agent's name for routes and people.
    pub(crate) const CLAUDE_CODE: &str = "claude-code";

    /// The request as the broker takes it.
    pub(crate) fn request(self, body: Value, key: IdempotencyKey) -> Request {
        match self {
            Self::Any => Request {
                body,
                key: key.0.map(Key::Explicit),
                agent: None,
                rules: Rules::default(),
            },
            Self::ClaudeCode => Request {
                body,
                // The key is the call id that the tool was called under: the model's, not the bridge's.
                key: key.0.map(Key::Derived),
                agent: Some(Self::CLAUDE_CODE.to_owned()),
                rules: Rules {
                    max_questions: Questions::MAX,
                },
            },
        }
    }
}

impl FromRequestParts<Arc<Api>> for AskedWith {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<Api>) -> Result<Self, Infallible> {
        let named = parts.headers.get(CLIENT);
        let is_bridge = named.is_some_and(|name| name.as_bytes() == Self::CLAUDE_CODE.as_bytes());
        Ok(if is_bridge { Self::ClaudeCode } else { Self::Any })
    }
}
