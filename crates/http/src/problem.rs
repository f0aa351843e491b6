//! Everything that can go wrong, as the caller reads it.
//!
//! Every error of this API is an RFC 9457 problem (`application/problem+json`), from an unknown path to a panic. Its
//! `type` is `urn:askd:problem:<code>` and never changes for one kind of error: programs compare it, while `title` and
//! `detail` are for whoever reads the log. No text here quotes a question, an answer or a token; the one exception is
//! `received` of a fault, which gives the caller back up to 80 characters of what it has just sent.

use std::error::Error;

use askd_core::{
    ask::validate::Faults,
    broker::{AskError, CallError, PairError, SubscribeError},
    id::PersonName,
    inbound::NotTaken,
    rights::Denied,
    store::StoreError,
};
use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

use crate::view::{FaultView, ProblemView, ReadyView};

/// One kind of error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    /// A query parameter is unknown, or one in the query or the path has a value it cannot have.
    BadParameter,
    /// A header has a value it cannot have.
    BadHeader,
    /// The body is no JSON.
    BadJson,
    /// No token, or none that is known.
    Unauthorized,
    /// A code for signing in that is none, or none any more.
    NoSignIn,
    /// A sub-agent called.
    Subagent,
    /// The token's role does not include this.
    Role,
    /// The `Host` header names somebody else.
    ForeignHost,
    /// A web page of another origin called.
    ForeignOrigin,
    /// A sign-in was used without the header that only the panel sends.
    NotPanel,
    /// A token was used for what belongs to a browser that is signed in.
    NoBrowser,
    /// No such path.
    UnknownPath,
    /// No such ask, or not one of the caller's.
    NoAsk,
    /// No such person.
    NoPerson,
    /// The person has no such account.
    NoAccount,
    /// Web push is not configured.
    NoPush,
    /// The path has no such method.
    Method,
    /// The body did not arrive in time.
    Slow,
    /// The body is too long.
    TooLarge,
    /// The body is not declared as JSON.
    MediaType,
    /// The body breaks rules; `errors` lists all of them.
    Invalid,
    /// The idempotency key was used for another request.
    KeyReused,
    /// The token has as many pending asks as it may.
    TooManyPending,
    /// Too many wrong codes for signing in.
    TooManyTries,
    /// The token makes too many requests.
    TooManyRequests,
    /// Too many unknown tokens came from the caller's address.
    TooManyWrong,
    /// A bug.
    Internal,
    /// The store cannot be read: an operator must act.
    StoreDamaged,
    /// The store is busy or out of reach.
    Unavailable,
    /// The store has no room left.
    StoreFull,
    /// As many waits and streams as are allowed are open.
    Overloaded,
    /// Something that readiness needs does not work.
    NotReady,
}

impl Code {
    /// Every kind, for the list in `/openapi.json`.
    pub(crate) const ALL: [Self; 32] = [
        Self::BadParameter,
        Self::BadHeader,
        Self::BadJson,
        Self::Unauthorized,
        Self::NoSignIn,
        Self::Subagent,
        Self::Role,
        Self::ForeignHost,
        Self::ForeignOrigin,
        Self::NotPanel,
        Self::NoBrowser,
        Self::UnknownPath,
        Self::NoAsk,
        Self::NoPerson,
        Self::NoAccount,
        Self::NoPush,
        Self::Method,
        Self::Slow,
        Self::TooLarge,
        Self::MediaType,
        Self::Invalid,
        Self::KeyReused,
        Self::TooManyPending,
        Self::TooManyTries,
        Self::TooManyRequests,
        Self::TooManyWrong,
        Self::Internal,
        Self::StoreDamaged,
        Self::Unavailable,
        Self::StoreFull,
        Self::Overloaded,
        Self::NotReady,
    ];

    /// The word after `urn:askd:problem:`, the status and the title.
    fn row(self) -> (&'static str, StatusCode, &'static str) {
        use StatusCode as S;
        match self {
            Self::BadParameter => ("bad-parameter", S::BAD_REQUEST, "A parameter is wrong"),
            Self::BadHeader => ("bad-header", S::BAD_REQUEST, "A header is wrong"),
            Self::BadJson => ("bad-json", S::BAD_REQUEST, "The body is not JSON"),
            Self::Unauthorized => ("unauthorized", S::UNAUTHORIZED, "A known token is needed"),
            Self::NoSignIn => ("sign-in-code", S::UNAUTHORIZED, "The code signs nobody in"),
            Self::Subagent => ("subagent", S::FORBIDDEN, "Sub-agents may not call"),
            Self::Role => ("role", S::FORBIDDEN, "The token's role does not include this"),
            Self::ForeignHost => ("foreign-host", S::FORBIDDEN, "The Host header names another host"),
            Self::ForeignOrigin => (
                "foreign-origin",
                S::FORBIDDEN,
                "Web pages of other origins may not call",
            ),
            Self::NotPanel => ("not-panel", S::FORBIDDEN, "A sign-in is good in the panel alone"),
            Self::NoBrowser => (
                "no-browser",
                S::FORBIDDEN,
                "Only a browser that is signed in may do this",
            ),
            Self::UnknownPath => ("unknown-path", S::NOT_FOUND, "There is no such path"),
            Self::NoAsk => ("no-ask", S::NOT_FOUND, "There is no such ask"),
            Self::NoPerson => ("no-person", S::NOT_FOUND, "There is no such person"),
            Self::NoAccount => ("no-account", S::NOT_FOUND, "The person has no such account"),
            Self::NoPush => ("no-push", S::NOT_FOUND, "Web push is not configured"),
            Self::Method => (
                "method",
                S::METHOD_NOT_ALLOWED,
                "The path does not take this method",
            ),
            Self::Slow => ("slow", S::REQUEST_TIMEOUT, "The body did not arrive in time"),
            Self::TooLarge => ("too-large", S::PAYLOAD_TOO_LARGE, "The body is too long"),
            Self::MediaType => (
                "media-type",
                S::UNSUPPORTED_MEDIA_TYPE,
                "The body must be declared as JSON",
            ),
            Self::Invalid => ("invalid", S::UNPROCESSABLE_ENTITY, "The body breaks rules"),
            Self::KeyReused => (
                "key-reused",
                S::UNPROCESSABLE_ENTITY,
                "The idempotency key was used for another request",
            ),
            Self::TooManyPending => (
                "too-many-pending",
                S::TOO_MANY_REQUESTS,
                "Too many asks are pending",
            ),
            Self::TooManyTries => ("too-many-tries", S::TOO_MANY_REQUESTS, "Too many wrong codes"),
            Self::TooManyRequests => (
                "too-many-requests",
                S::TOO_MANY_REQUESTS,
                "Too many requests of this token",
            ),
            Self::TooManyWrong => (
                "too-many-unknown-tokens",
                S::TOO_MANY_REQUESTS,
                "Too many unknown tokens",
            ),
            Self::Internal => ("internal", S::INTERNAL_SERVER_ERROR, "askd has a bug"),
            Self::StoreDamaged => (
                "store-damaged",
                S::INTERNAL_SERVER_ERROR,
                "The store cannot be read",
            ),
            Self::Unavailable => (
                "unavailable",
                S::SERVICE_UNAVAILABLE,
                "Not possible at the moment",
            ),
            Self::StoreFull => ("store-full", S::SERVICE_UNAVAILABLE, "The store has no room left"),
            Self::Overloaded => (
                "overloaded",
                S::SERVICE_UNAVAILABLE,
                "As many as are allowed are waiting",
            ),
            Self::NotReady => ("not-ready", S::SERVICE_UNAVAILABLE, "Not ready"),
        }
    }

    /// The `type` of the problem: stable, to be compared whole. It names the kind and leads nowhere.
    pub(crate) fn urn(self) -> String {
        format!("urn:askd:problem:{}", self.row().0)
    }

    /// The status that goes with it.
    pub(crate) fn status(self) -> StatusCode {
        self.row().1
    }

    /// What it says in general.
    pub(crate) fn title(self) -> &'static str {
        self.row().2
    }

    /// Seconds after which trying again makes sense, where that is known to help.
    fn retry_after(self) -> Option<u32> {
        match self {
            Self::Unavailable => Some(1),
            Self::TooManyPending => Some(30),
            Self::StoreFull => Some(60),
            _ => None,
        }
    }
}

/// An error on its way to the caller.
#[derive(Debug)]
pub(crate) struct Problem {
    code: Code,
    detail: String,
    errors: Vec<FaultView>,
    /// Boxed, because every error would be as large otherwise.
    checks: Option<Box<ReadyView>>,
    /// For `WWW-Authenticate`.
    challenge: Option<&'static str>,
    /// For `Retry-After`, where this time it is known better than by the kind of error. Unit: seconds.
    after: Option<u32>,
}

impl Problem {
    /// A problem of this kind; `detail` says what happened this time, in one sentence.
    pub(crate) fn new(code: Code, detail: impl Into<String>) -> Self {
        Self {
            code,
            detail: detail.into(),
            errors: Vec::new(),
            checks: None,
            challenge: None,
            after: None,
        }
    }

    /// With what a 401 must say of how to authenticate. RFC 9110 section 11.6.1.
    pub(crate) fn challenged(self, challenge: &'static str) -> Self {
        Self {
            challenge: Some(challenge),
            ..self
        }
    }

    /// Trying again makes sense after this many seconds.
    pub(crate) fn after(self, seconds: u32) -> Self {
        Self {
            after: Some(seconds),
            ..self
        }
    }

    /// The body breaks these rules.
    pub(crate) fn invalid(errors: Vec<FaultView>) -> Self {
        let detail = match errors.as_slice() {
            [one] if one.pointer.is_empty() => format!("the body {}", one.message),
            [one] => format!("{} {}", one.pointer, one.message),
            many => format!("{} rules are broken; `errors` lists them", many.len()),
        };
        Self {
            errors,
            ..Self::new(Code::Invalid, detail)
        }
    }

    /// No token, or (`sent`) none that is known. RFC 6750 section 3.
    pub(crate) fn unauthorized(sent: bool) -> Self {
        let (detail, challenge) = if sent {
            (
                "the token is not known",
                r#"Bearer realm="askd", error="invalid_token""#,
            )
        } else {
            (
                "send a token: `Authorization: Bearer TOKEN`",
                r#"Bearer realm="askd""#,
            )
        };
        Self::new(Code::Unauthorized, detail).challenged(challenge)
    }

    /// A cookie that no sign-in belongs to any more.
    pub(crate) fn signed_out() -> Self {
        Self::new(
            Code::Unauthorized,
            "the sign-in has ended; open a new link from `askd pair --web`",
        )
        .challenged(r#"Bearer realm="askd""#)
    }

    /// Readiness is wanting; `checks` says where.
    pub(crate) fn not_ready(detail: String, checks: ReadyView) -> Self {
        Self {
            checks: Some(Box::new(checks)),
            ..Self::new(Code::NotReady, detail)
        }
    }

    /// There is no such ask, as far as this caller is concerned.
    pub(crate) fn no_ask() -> Self {
        Self::new(Code::NoAsk, "no ask of yours has this id")
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let view = ProblemView {
            kind: self.code.urn(),
            title: self.code.title().to_owned(),
            status: self.code.status().as_u16(),
            detail: self.detail,
            errors: self.errors,
            checks: self.checks.map(|checks| *checks),
        };
        let body = serde_json::to_vec(&view).expect("texts, numbers and lists of them are always JSON");
        let content_type = HeaderValue::from_static("application/problem+json");
        let mut response = (self.code.status(), [(header::CONTENT_TYPE, content_type)], body).into_response();
        let headers = response.headers_mut();
        if let Some(seconds) = self.after.or(self.code.retry_after()) {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if let Some(challenge) = self.challenge {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
        }
        // For those who count; it does not leave the process.
        response.extensions_mut().insert(self.code);
        response
    }
}

impl From<Denied> for Problem {
    fn from(denied: Denied) -> Self {
        match denied {
            Denied::Subagent => Self::new(Code::Subagent, denied.to_string()),
            Denied::Role => Self::new(Code::Role, denied.to_string()),
            Denied::NotYours => Self::no_ask(),
        }
    }
}

impl From<Faults> for Problem {
    fn from(faults: Faults) -> Self {
        Self::invalid(faults.iter().map(FaultView::from).collect())
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        tracing::warn!(error = &error as &dyn Error, "store failed");
        match error {
            StoreError::Full(_) => Self::new(
                Code::StoreFull,
                "nothing was stored: an operator must make room on the disk",
            ),
            StoreError::Damaged(_) => Self::new(
                Code::StoreDamaged,
                "an operator must act; trying again does not help",
            ),
            _ => Self::new(Code::Unavailable, "the store did not answer; try the same again"),
        }
    }
}

impl From<AskError> for Problem {
    fn from(error: AskError) -> Self {
        match error {
            AskError::Denied(denied) => denied.into(),
            AskError::Faults(faults) => faults.into(),
            AskError::Store(error) => error.into(),
            AskError::OtherBody => Self::new(
                Code::KeyReused,
                "the Idempotency-Key belongs to a request with another body; use a new one",
            ),
            AskError::TooMany { pending, max } => Self::new(
                Code::TooManyPending,
                format!(
                    "{pending} asks of this token are pending and {max} is the most; wait for an answer, or cancel one"
                ),
            ),
            other => Self::unforeseen(&other),
        }
    }
}

impl From<CallError> for Problem {
    fn from(error: CallError) -> Self {
        match error {
            CallError::NotFound => Self::no_ask(),
            CallError::Denied(denied) => denied.into(),
            CallError::Store(error) => error.into(),
            other => Self::unforeseen(&other),
        }
    }
}

impl From<PairError> for Problem {
    fn from(error: PairError) -> Self {
        match error {
            PairError::Denied(denied) => denied.into(),
            PairError::Store(error) => error.into(),
            PairError::NoAccount => Self::new(Code::NoAccount, "this person has no such account"),
            PairError::NoPerson { known } if known.is_empty() => Self::new(
                Code::NoPerson,
                "nobody is configured; add a [people.NAME] section",
            ),
            PairError::NoPerson { known } => {
                let known: Vec<&str> = known.iter().map(PersonName::as_str).collect();
                Self::new(Code::NoPerson, format!("configured are: {}", known.join(", ")))
            }
            other => Self::unforeseen(&other),
        }
    }
}

impl From<SubscribeError> for Problem {
    fn from(error: SubscribeError) -> Self {
        match error {
            SubscribeError::Denied(denied) => denied.into(),
            SubscribeError::Store(error) => error.into(),
            SubscribeError::SignedOut => Self::signed_out(),
            SubscribeError::NotConfigured => Self::new(
                Code::NoPush,
                "an operator can switch it on: [push] in the configuration",
            ),
            SubscribeError::Faults(faults) => Self::invalid(faults.iter().map(FaultView::from).collect()),
            other => Self::unforeseen(&other),
        }
    }
}

impl From<NotTaken> for Problem {
    fn from(not_taken: NotTaken) -> Self {
        // Its text is for people; what became of the store says more to a program.
        not_taken.source.into()
    }
}

impl Problem {
    /// For variants that the core may add: they compile here, and are noticed in the log.
    fn unforeseen(error: &(dyn Error + 'static)) -> Self {
        tracing::error!(error, "error without a problem of its own");
        Self::new(Code::Internal, "askd does not know how to put this error")
    }
}
