//! Who calls, by the headers of the request.
//!
//! Asked anew for every request, because nothing else can be trusted to say it: a connection is shared by proxies, and
//! clients keep session ids for ever. A sub-agent gets in here and is refused by the tools, where its model reads why;
//! to a refused connection a client would show a broken server.

use std::fmt;

use askd_core::{
    broker::Broker,
    rights::{Denied, Principal},
};
use axum::{
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use jiff::SignedDuration;
use serde_json::json;

use crate::limits;

/// Lowers what a connection may do: `subagent` is the only value.
pub(crate) const ROLE: &str = "askd-role";
/// Names the connection of a client that has one: its request numbers are then its own, and leaving is told.
pub(crate) const CONNECTION: &str = "askd-connection";
/// How many seconds calls of this connection are held.
pub(crate) const HOLD: &str = "askd-hold";
/// What makes a repeat return the first ask.
const KEY: &str = "idempotency-key";

/// A caller with a known token.
#[derive(Clone)]
pub(crate) struct Caller {
    /// What its token may do.
    pub(crate) principal: Principal,
    /// Whether the connection calls itself a sub-agent.
    lowered: bool,
    /// The connection's name, if the client gave one.
    pub(crate) connection: Option<String>,
    /// What the client calls itself on this level; tells clients of one token apart, as far as it goes.
    pub(crate) program: String,
    /// The idempotency key it sent.
    pub(crate) key: Option<String>,
    /// How long it wants calls to be held.
    pub(crate) hold: Option<SignedDuration>,
    secret: String,
}

impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the secret, and without a key that may hold anything.
        f.debug_tuple("Caller").field(&self.principal).finish()
    }
}

impl Caller {
    /// Reads the headers.
    pub(crate) fn of(headers: &HeaderMap, broker: &Broker) -> Result<Self, Unheard> {
        let secret = bearer(headers)?;
        let principal = broker
            .tokens()
            .recognise(secret)
            .cloned()
            .ok_or(Unheard::Unauthorized { sent: true })?;
        let hold = match single(headers, HOLD)? {
            None => None,
            Some(text) => Some(seconds(text).ok_or(Unheard::Header(
                "Askd-Hold must be whole seconds from 0 to 3600, after which a call returns `pending`",
            ))?),
        };
        let program = headers.get(header::USER_AGENT).map(HeaderValue::as_bytes);
        Ok(Self {
            lowered: lowered(headers)?,
            connection: named(headers, CONNECTION, limits::KEY)?,
            program: String::from_utf8_lossy(program.unwrap_or_default()).into_owned(),
            key: named(headers, KEY, limits::KEY)?,
            hold,
            secret: secret.to_owned(),
            principal,
        })
    }

    /// Whether this caller may ask at all.
    pub(crate) fn may_ask(&self) -> Result<(), Denied> {
        if self.lowered {
            return Err(Denied::Subagent);
        }
        self.principal.may_ask()
    }

    /// Whether the token still says the same: configuration is reloaded while a call waits.
    pub(crate) fn is_current(&self, broker: &Broker) -> bool {
        broker.tokens().recognise(&self.secret) == Some(&self.principal)
    }
}

fn bearer(headers: &HeaderMap) -> Result<&str, Unheard> {
    let mut sent = headers.get_all(header::AUTHORIZATION).iter();
    let Some(first) = sent.next() else {
        return Err(Unheard::Unauthorized { sent: false });
    };
    if sent.next().is_some() {
        return Err(Unheard::Header("Authorization was sent more than once"));
    }
    // RFC 9110 section 11.1: the scheme in any case, then at least one blank.
    match first.to_str().unwrap_or_default().split_once(' ') {
        Some((scheme, secret)) if scheme.eq_ignore_ascii_case("bearer") => Ok(secret.trim_matches(' ')),
        _ => Err(Unheard::Unauthorized { sent: false }),
    }
}

/// A role is never raised: any other word is an error, so that nobody believes it worked.
fn lowered(headers: &HeaderMap) -> Result<bool, Unheard> {
    let mut values = headers.get_all(ROLE).iter().peekable();
    let lowered = values.peek().is_some();
    if values.all(|value| value.as_bytes() == b"subagent") {
        Ok(lowered)
    } else {
        Err(Unheard::Header(
            "Askd-Role can be `subagent` only: a connection may lower its role, never raise it",
        ))
    }
}

fn single<'h>(headers: &'h HeaderMap, name: &'static str) -> Result<Option<&'h str>, Unheard> {
    let mut sent = headers.get_all(name).iter();
    match (sent.next(), sent.next()) {
        (None, _) => Ok(None),
        // What is no text has no meaning here, and an empty one has none either.
        (Some(value), None) => Ok(Some(value.to_str().unwrap_or_default())),
        (Some(_), Some(_)) => Err(Unheard::Header("a header of askd was sent more than once")),
    }
}

fn named(headers: &HeaderMap, name: &'static str, most: usize) -> Result<Option<String>, Unheard> {
    match single(headers, name)? {
        None => Ok(None),
        Some(text) if (1..=most).contains(&text.len()) => Ok(Some(text.to_owned())),
        Some(_) => Err(Unheard::Header(
            "Idempotency-Key and Askd-Connection must be ASCII and neither empty nor longer than 255 characters",
        )),
    }
}

fn seconds(text: &str) -> Option<SignedDuration> {
    let seconds = text.parse().ok()?;
    (0..=limits::HOLD)
        .contains(&seconds)
        .then(|| SignedDuration::from_secs(seconds))
}

/// Why a request is not heard at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unheard {
    /// No token, or (`sent`) none that is known.
    Unauthorized {
        /// Whether there was one.
        sent: bool,
    },
    /// A header has a value it cannot have.
    Header(&'static str),
    /// The body did not arrive in time.
    Slow,
    /// The body is too long.
    TooLarge,
}

/// The same problems as over HTTP (RFC 9457): this is read by whoever sets a client up, not by a model.
impl IntoResponse for Unheard {
    fn into_response(self) -> Response {
        let (kind, status, title, detail) = match self {
            Self::Unauthorized { sent: true } => (
                "unauthorized",
                StatusCode::UNAUTHORIZED,
                "A known token is needed",
                "the token is not known",
            ),
            Self::Unauthorized { sent: false } => (
                "unauthorized",
                StatusCode::UNAUTHORIZED,
                "A known token is needed",
                "send a token: `Authorization: Bearer TOKEN`",
            ),
            Self::Header(detail) => ("bad-header", StatusCode::BAD_REQUEST, "A header is wrong", detail),
            Self::Slow => (
                "slow",
                StatusCode::REQUEST_TIMEOUT,
                "The body did not arrive in time",
                "send it again",
            ),
            Self::TooLarge => (
                "too-large",
                StatusCode::PAYLOAD_TOO_LARGE,
                "The body is too long",
                "the longest valid ask is far shorter",
            ),
        };
        let problem = json!({
            "type": format!("urn:askd:problem:{kind}"),
            "title": title,
            "status": status.as_u16(),
            "detail": detail,
        });
        let content_type = (header::CONTENT_TYPE, "application/problem+json");
        let mut response = (status, [content_type], problem.to_string()).into_response();
        // RFC 6750 section 3.
        let challenge = match self {
            Self::Unauthorized { sent: true } => r#"Bearer realm="askd", error="invalid_token""#,
            Self::Unauthorized { sent: false } => r#"Bearer realm="askd""#,
            _ => return response,
        };
        response
            .headers_mut()
            .insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
        response
    }
}
