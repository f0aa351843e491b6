//! Who calls.
//!
//! [`Caller`] is an argument of every route below `/v1` but the one that signs in, so a route cannot forget to ask for a
//! token. It is never a sub-agent: those are refused here, before anything else is looked at, and told why. Tokens travel
//! in `Authorization: Bearer` alone, never in a URL, which ends up in logs and histories.
//!
//! In place of a token the panel has the cookie of a sign-in, which browsers send by themselves. So that no other page
//! makes use of that, such a request must not come from another site (`Sec-Fetch-Site`, beside what `guard` checks), and
//! one that changes something must carry `Askd-Client: panel`, which a page of another origin cannot send: it would need
//! a preflight, and askd answers none. A cookie is good for people and operators; agents have tokens.

use std::{convert::Infallible, fmt, sync::Arc};

use askd_core::{
    broker::Broker,
    id::ChannelName,
    rights::{Denied, Principal, Role},
    words::Language,
};
use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, HeaderValue, Method, header, request::Parts},
};

use crate::{
    Api,
    problem::{Code, Problem},
};

/// Lowers what a connection may do: `subagent` is the only value.
pub(crate) const ROLE: &str = "askd-role";
/// Which client of ours calls: `cli` or `panel` where an answer is handed in, `claude-code` where one asks (`bridge`).
pub(crate) const CLIENT: &str = "askd-client";

/// A caller with a known token or a sign-in.
#[derive(Clone)]
pub(crate) struct Caller {
    /// What it may do; never a sub-agent.
    pub(crate) principal: Principal,
    by: Credential,
}

/// By what a caller was recognised.
#[derive(Clone)]
enum Credential {
    Token(String),
    Cookie(String),
}

impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the secret.
        f.debug_tuple("Caller").field(&self.principal).finish()
    }
}

impl Caller {
    /// Whether the caller is still who it was: while a stream is open, configuration is reloaded and sign-ins end. Where
    /// the store does not tell, it is not: the client comes back.
    pub(crate) async fn is_current(&self, broker: &Broker) -> bool {
        match &self.by {
            Credential::Token(secret) => broker.tokens().recognise(secret) == Some(&self.principal),
            Credential::Cookie(secret) => {
                matches!(broker.signed_in(secret).await, Ok(Some(principal)) if principal == self.principal)
            }
        }
    }

    /// The secret of the sign-in, where the caller has no token.
    pub(crate) fn cookie(&self) -> Option<&str> {
        match &self.by {
            Credential::Token(_) => None,
            Credential::Cookie(secret) => Some(secret),
        }
    }
}

impl FromRequestParts<Arc<Api>> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, api: &Arc<Api>) -> Result<Self, Problem> {
        let secrets = api.jar.sent(&parts.headers);
        let caller = if secrets.is_empty() || parts.headers.contains_key(header::AUTHORIZATION) {
            with_token(bearer(&parts.headers)?, &api.broker)?
        } else {
            with_cookie(secrets, parts, &api.broker).await?
        };
        if caller.principal.role == Role::Subagent {
            return Err(Denied::Subagent.into());
        }
        refuse_subagents(&parts.headers)?;
        Ok(caller)
    }
}

fn with_token(secret: &str, broker: &Broker) -> Result<Caller, Problem> {
    let tokens = broker.tokens();
    let principal = tokens
        .recognise(secret)
        .ok_or_else(|| Problem::unauthorized(true))?;
    Ok(Caller {
        principal: principal.clone(),
        by: Credential::Token(secret.to_owned()),
    })
}

async fn with_cookie(secrets: Vec<String>, parts: &Parts, broker: &Broker) -> Result<Caller, Problem> {
    // Programs and old browsers do not send it; what does tells of every request where it came from.
    // https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header
    let mut sites = parts.headers.get_all("sec-fetch-site").iter();
    if !sites.all(|site| matches!(site.as_bytes(), b"same-origin" | b"none")) {
        return Err(Problem::new(
            Code::ForeignOrigin,
            "a sign-in is not for pages of other sites",
        ));
    }
    let is_safe = matches!(parts.method, Method::GET | Method::HEAD);
    if !is_safe && parts.headers.get(CLIENT).map(HeaderValue::as_bytes) != Some(b"panel") {
        return Err(Problem::new(
            Code::NotPanel,
            "with a sign-in, what changes something needs the header `Askd-Client: panel`",
        ));
    }
    for secret in secrets {
        if let Some(principal) = broker.signed_in(&secret).await? {
            return Ok(Caller {
                principal,
                by: Credential::Cookie(secret),
            });
        }
    }
    Err(Problem::signed_out())
}

/// Refuses a connection that calls itself a sub-agent.
pub(crate) fn refuse_subagents(headers: &HeaderMap) -> Result<(), Problem> {
    if lowered(headers)? {
        return Err(Denied::Subagent.into());
    }
    Ok(())
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

/// The language that the panel wants to be answered in: what the reader chose there. Other clients answer people in what
/// the configuration says of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted(pub(crate) Option<Language>);

impl FromRequestParts<Arc<Api>> for Wanted {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<Api>) -> Result<Self, Infallible> {
        let is_panel = parts.headers.get(CLIENT).map(HeaderValue::as_bytes) == Some(b"panel");
        let accepted = parts.headers.get(header::ACCEPT_LANGUAGE);
        let accepted = accepted.and_then(|value| value.to_str().ok());
        Ok(Self(accepted.filter(|_| is_panel).and_then(best_language)))
    }
}

/// The language with a catalogue that is liked best, the first of equals. RFC 9110 section 12.5.4.
fn best_language(accepted: &str) -> Option<Language> {
    let mut best: Option<(Language, f32)> = None;
    for range in accepted.split(',') {
        let mut parts = range.split(';').map(str::trim);
        let Some(language) = parts.next().and_then(Language::from_tag) else {
            continue;
        };
        let quality = parts
            .find_map(|part| part.strip_prefix("q=")?.parse().ok())
            .unwrap_or(1.0);
        if quality > best.map_or(0.0, |(_, best)| best) {
            best = Some((language, quality));
        }
    }
    best.map(|(language, _)| language)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_that_is_liked_best_and_known_wins() {
        for (accepted, expected) in [
            ("fa", Some(Language::Persian)),
            ("fa-IR, en;q=0.8", Some(Language::Persian)),
            ("en;q=0.5,fa;q=0.9", Some(Language::Persian)),
            ("de, en;q=0.3", Some(Language::English)),
            ("en, fa", Some(Language::English)),
            ("fa;q=0", None),
            ("de", None),
            ("*", None),
            ("", None),
            (";q=,,;;fa;q=x", None),
        ] {
            assert_eq!(best_language(accepted), expected, "{accepted:?}");
        }
    }
}
