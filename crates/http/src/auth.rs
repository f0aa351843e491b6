//! Who calls.
//!
//! [`Caller`] is an argument of every route below `/v1`, so a route cannot forget to ask for a token. It is never a
//! sub-agent: those are refused here, before anything else is looked at, and told why. Tokens travel in
//! `Authorization: Bearer` alone, never in a URL, which ends up in logs and histories.

use std::{fmt, sync::Arc};

use askd_core::{
    broker::Broker,
    id::ChannelName,
    rights::{Denied, Principal, Role},
};
use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, HeaderValue, header, request::Parts},
};

use crate::{
    Api,
    problem::{Code, Problem},
};

/// Lowers what a connection may do: `subagent` is the only value.
pub(crate) const ROLE: &str = "askd-role";
/// Which client of ours calls: `cli` or `panel` where an answer is handed in, `claude-code` where one asks (`bridge`).
pub(crate) const CLIENT: &str = "askd-client";

/// A caller with a known token.
#[derive(Clone)]
pub(crate) struct Caller {
    /// What it may do; never a sub-agent.
    pub(crate) principal: Principal,
    secret: String,
}

impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the secret.
        f.debug_tuple("Caller").field(&self.principal).finish()
    }
}

impl Caller {
    /// Whether the token still says the same: configuration is reloaded while a stream is open.
    pub(crate) fn is_current(&self, broker: &Broker) -> bool {
        broker.tokens().recognise(&self.secret) == Some(&self.principal)
    }
}

impl FromRequestParts<Arc<Api>> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, api: &Arc<Api>) -> Result<Self, Problem> {
        let secret = bearer(&parts.headers)?;
        let tokens = api.broker.tokens();
        let principal = tokens
            .recognise(secret)
            .ok_or_else(|| Problem::unauthorized(true))?;
        if principal.role == Role::Subagent || lowered(&parts.headers)? {
            return Err(Denied::Subagent.into());
        }
        Ok(Self {
            principal: principal.clone(),
            secret: secret.to_owned(),
        })
    }
}

fn bearer(headers: &HeaderMap) -> Result<&str, Problem> {
    let mut sent = headers.get_all(header::AUTHORIZATION).iter();
    let Some(first) = sent.next() else {
        return Err(Problem::unauthorized(false));
    };
    if sent.next().is_some() {
        return Err(Problem::new(
            Code::BadHeader,
            "Authorization was sent more than once",
        ));
    }
    // RFC 9110 section 11.1: the scheme in any case, then at least one blank.
    let text = first.to_str().unwrap_or_default();
    match text.split_once(' ') {
        Some((scheme, secret)) if scheme.eq_ignore_ascii_case("bearer") => Ok(secret.trim_matches(' ')),
        _ => Err(Problem::unauthorized(false)),
    }
}

/// Whether the connection calls itself a sub-agent. A role is never raised: any other word is an error, so that
/// nobody believes it worked.
fn lowered(headers: &HeaderMap) -> Result<bool, Problem> {
    let mut lowered = false;
    for value in headers.get_all(ROLE) {
        if value.as_bytes() != b"subagent" {
            return Err(Problem::new(
                Code::BadHeader,
                "Askd-Role can be `subagent` only: a connection may lower its role, never raise it",
            ));
        }
        lowered = true;
    }
    Ok(lowered)
}

/// Through which client an answer comes: the channel that others are told it was given on.
#[derive(Clone, Debug)]
pub(crate) struct Client(pub(crate) ChannelName);

impl FromRequestParts<Arc<Api>> for Client {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<Api>) -> Result<Self, Problem> {
        let name = match parts.headers.get(CLIENT).map(HeaderValue::as_bytes) {
            None => "http",
            Some(b"cli") => "cli",
            Some(b"panel") => "panel",
            Some(_) => {
                return Err(Problem::new(
                    Code::BadHeader,
                    "Askd-Client can be `cli` or `panel`",
                ));
            }
        };
        Ok(Self(ChannelName::new(name)))
    }
}

/// What makes a repeat of a request recognisable, as the caller sent it.
#[derive(Clone, Debug)]
pub(crate) struct IdempotencyKey(pub(crate) Option<String>);

impl IdempotencyKey {
    /// Its header.
    pub(crate) const HEADER: &str = "idempotency-key";
    /// Longest key. Unit: characters, all of them visible ASCII or blanks.
    pub(crate) const MAX: usize = 255;
}

impl FromRequestParts<Arc<Api>> for IdempotencyKey {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<Api>) -> Result<Self, Problem> {
        let mut sent = parts.headers.get_all(Self::HEADER).iter();
        let Some(first) = sent.next() else {
            return Ok(Self(None));
        };
        let key = first.to_str().unwrap_or_default();
        if sent.next().is_some() || key.is_empty() || key.len() > Self::MAX {
            let detail = format!(
                "Idempotency-Key must be sent once, with 1 to {} ASCII characters",
                Self::MAX
            );
            return Err(Problem::new(Code::BadHeader, detail));
        }
        Ok(Self(Some(key.to_owned())))
    }
}
