//! What Slack's failures mean.
//!
//! Slack answers a refused call with status 200, `ok: false` and a code, a word such as `channel_not_found`. The codes
//! stand here in one table; what Slack says beside them goes no further, because it may quote the message.
//! [`channel_error`] is the only place that decides what the dispatcher hears. Source of the codes: the pages of the
//! methods, <https://docs.slack.dev/reference/methods>.
//!
//! A failure says how sure we are: [`Failure::NotSent`] has changed nothing, [`Failure::NoAnswer`] may have.

use std::{fmt, time::Duration};

use askd_core::channel::{ChannelError, Source};

/// Why a call did not give what it should.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Slack says no.
    Refused(Refusal),
    /// It did not get to Slack.
    NotSent(Source),
    /// It may have got there and been carried out.
    NoAnswer(Source),
}

/// Slack says no.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// Slack's word for it.
    pub(crate) code: Code,
    /// How long to pause, where Slack names it.
    pub(crate) retry_after: Option<Duration>,
    /// The scope that is missing, or the part of the message that was not taken, as a JSON pointer.
    pub(crate) about: Option<Code>,
}

/// A short text without blanks, as codes, scopes and pointers are: never a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Code(String);

impl Code {
    /// Longest that is taken for one, in bytes.
    const MAX: usize = 100;

    /// Takes what can be a code; anything else is `unknown`.
    pub(crate) fn new(text: &str) -> Self {
        let fits = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b':' | b'/' | b',');
        let is_code = !text.is_empty() && text.len() <= Self::MAX && text.bytes().all(fits);
        Self(if is_code { text } else { "unknown" }.to_owned())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a refusal is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// A token is wrong or revoked, or the app is gone.
    Credentials,
    /// The token may not do this.
    Scope,
    /// Too many calls.
    Throttled(Duration),
    /// Nobody is there, or we may not speak there.
    Unreachable,
    /// The message is deleted, or cannot be changed.
    Gone,
    /// The blocks were not taken; the text may be.
    Blocks,
    /// The press was made too long ago to open a form.
    TriggerOld,
    /// Slack itself failed; perhaps after it did the work.
    Server,
    /// Anything else: the content.
    Content,
}

/// Codes by what they mean. What is not here is about the content.
const CODES: [(Cause, &[&str]); 7] = [
    (
        Cause::Credentials,
        &[
            "not_authed",
            "invalid_auth",
            "account_inactive",
            "token_revoked",
            "token_expired",
            "not_allowed_token_type",
            "app_uninstalled",
            "enterprise_is_restricted",
            "forbidden_team",
        ],
    ),
    (Cause::Scope, &["missing_scope"]),
    (
        Cause::Unreachable,
        &[
            "channel_not_found",
            "not_in_channel",
            "is_archived",
            "is_inactive",
            "user_not_found",
            "users_not_found",
            "user_disabled",
            "user_not_visible",
            "user_not_in_channel",
            "cannot_dm_bot",
            "messages_tab_disabled",
            "restricted_action",
            "restricted_action_read_only_channel",
            "restricted_action_thread_only_channel",
            "restricted_action_thread_locked",
            "restricted_action_non_threadable_channel",
            "thread_not_found",
            "cannot_reply_to_message",
            "method_not_supported_for_channel_type",
            "channel_type_not_supported",
            // "Make sure your app is a member of the conversation": about one place, whatever its name says.
            "no_permission",
            "access_denied",
            // Of a network that the workspace does not let in.
            "accesslimited",
            "ekm_access_denied",
            "team_access_not_granted",
        ],
    ),
    (
        Cause::Gone,
        &[
            "message_not_found",
            "cant_update_message",
            "edit_window_closed",
            "cant_delete_message",
        ],
    ),
    (
        Cause::Blocks,
        &["invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long"],
    ),
    (
        Cause::TriggerOld,
        &[
            "expired_trigger_id",
            "trigger_expired",
            "exchanged_trigger_id",
            "trigger_exchanged",
            "invalid_trigger_id",
        ],
    ),
    (
        Cause::Server,
        &[
            "internal_error",
            "fatal_error",
            "service_unavailable",
            "request_timeout",
            // A workspace that moves to an organisation and comes back.
            "team_added_to_org",
            "org_login_required",
            "external_channel_migrating",
        ],
    ),
];

/// Codes of a pause that some methods give without a status 429.
const PAUSES: [&str; 3] = ["ratelimited", "rate_limited", "message_limit_exceeded"];

/// The pause where a refusal names none.
const USUAL_PAUSE: Duration = Duration::from_secs(5);

impl Refusal {
    /// A refusal of which the code is all that is known.
    pub(crate) fn of(code: &str) -> Self {
        Self {
            code: Code::new(code),
            retry_after: None,
            about: None,
        }
    }

    /// What it is about.
    pub(crate) fn cause(&self) -> Cause {
        let code = self.code.as_str();
        if self.retry_after.is_some() || PAUSES.contains(&code) {
            return Cause::Throttled(self.retry_after.unwrap_or(USUAL_PAUSE));
        }
        let found = CODES.iter().find(|(_, codes)| codes.contains(&code));
        found.map_or(Cause::Content, |(cause, _)| *cause)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.about {
            Some(about) => write!(f, "{} ({about})", self.code),
            None => self.code.fmt(f),
        }
    }
}

impl std::error::Error for Refusal {}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refusal) => write!(f, "slack refused: {refusal}"),
            Self::NotSent(_) => f.write_str("slack cannot be reached"),
            Self::NoAnswer(_) => f.write_str("slack gave no answer"),
        }
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Refused(_) => None,
            Self::NotSent(source) | Self::NoAnswer(source) => Some(source.as_ref()),
        }
    }
}

impl Failure {
    /// What a refusal is about; `None` where there was no answer.
    pub(crate) fn cause(&self) -> Option<Cause> {
        match self {
            Self::Refused(refusal) => Some(refusal.cause()),
            Self::NotSent(_) | Self::NoAnswer(_) => None,
        }
    }
}

/// What the dispatcher hears of a failure.
pub(crate) fn channel_error(failure: Failure) -> ChannelError {
    let refusal = match failure {
        Failure::Refused(refusal) => refusal,
        Failure::NotSent(source) => {
            return ChannelError::Unclear {
                maybe_done: false,
                source,
            };
        }
        Failure::NoAnswer(source) => {
            return ChannelError::Unclear {
                maybe_done: true,
                source,
            };
        }
    };
    match refusal.cause() {
        Cause::Credentials | Cause::Scope => ChannelError::Refused(refusal.into()),
        Cause::Throttled(pause) => ChannelError::Throttled { pause },
        Cause::Unreachable => ChannelError::Unreachable(refusal.into()),
        Cause::Gone => ChannelError::Gone,
        // "It's possible some aspect of the operation succeeded before the error was raised."
        Cause::Server => ChannelError::Unclear {
            maybe_done: true,
            source: refusal.into(),
        },
        Cause::Blocks | Cause::TriggerOld | Cause::Content => ChannelError::Rejected {
            code: refusal.to_string(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hears(code: &str) -> ChannelError {
        channel_error(Failure::Refused(Refusal::of(code)))
    }

    #[test]
    fn every_code_has_one_meaning() {
        let mut codes: Vec<&str> = CODES
            .iter()
            .flat_map(|(_, codes)| codes.iter().copied())
            .collect();
        codes.extend(PAUSES);
        let count = codes.len();
        codes.sort_unstable();
        codes.dedup();

        assert_eq!(codes.len(), count);
    }

    #[test]
    fn the_dispatcher_hears_what_to_do_next() {
        for code in [
            "invalid_auth",
            "account_inactive",
            "token_revoked",
            "missing_scope",
        ] {
            assert!(matches!(hears(code), ChannelError::Refused(_)), "{code}");
        }
        for code in [
            "channel_not_found",
            "not_in_channel",
            "is_archived",
            "user_not_found",
            "no_permission",
            "accesslimited",
        ] {
            assert!(matches!(hears(code), ChannelError::Unreachable(_)), "{code}");
        }
        for code in ["message_not_found", "cant_update_message", "edit_window_closed"] {
            assert!(matches!(hears(code), ChannelError::Gone), "{code}");
        }
        for code in ["invalid_blocks", "msg_too_long", "no_text", "something_new"] {
            assert!(
                matches!(hears(code), ChannelError::Rejected { code: said } if said == code),
                "{code}"
            );
        }
        let unsure = |failure| match channel_error(failure) {
            ChannelError::Unclear { maybe_done, .. } => maybe_done,
            other => panic!("{other}"),
        };
        assert!(!unsure(Failure::NotSent("no route".into())));
        assert!(unsure(Failure::NoAnswer("closed".into())));
        for code in ["internal_error", "org_login_required", "team_added_to_org"] {
            assert!(unsure(Failure::Refused(Refusal::of(code))), "{code}");
        }
    }

    #[test]
    fn a_pause_is_the_platforms_own_figure() {
        let named = Refusal {
            retry_after: Some(Duration::from_secs(30)),
            ..Refusal::of("ratelimited")
        };

        assert_eq!(named.cause(), Cause::Throttled(Duration::from_secs(30)));
        assert_eq!(Refusal::of("ratelimited").cause(), Cause::Throttled(USUAL_PAUSE));
    }

    #[test]
    fn what_is_printed_cannot_quote_a_message() {
        let refusal = Refusal {
            code: Code::new("Where should this go?"),
            retry_after: None,
            about: Some(Code::new("/blocks/0/text")),
        };

        assert_eq!(refusal.to_string(), "unknown (/blocks/0/text)");
        assert!(!format!("{refusal:?}").contains("Where"));
    }
}
