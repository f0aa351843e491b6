//! What Telegram's failures mean.
//!
//! Telegram tells most of them apart by English prose alone, so the phrases stand here in one table, in lower case; the
//! prose itself goes no further, because it may quote the message. [`channel_error`] is the only place that decides what
//! the dispatcher hears. Source of the phrases: `tdlib/telegram-bot-api`, `Client.cpp` (`fail_query_with_error`,
//! `check_chat_access`), and errors of the network behind it, which are written `LIKE_THIS`.
//!
//! A failure says how sure we are: [`Failure::NotSent`] has changed nothing, [`Failure::NoAnswer`] may have.

use std::{fmt, time::Duration};

use askd_core::channel::{ChannelError, Source};

/// Why a call did not give what it should.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Telegram says no.
    Refused(Refusal),
    /// It did not get to Telegram.
    NotSent(Source),
    /// It may have got there and been carried out.
    NoAnswer(Source),
}

/// Telegram says no.
pub(crate) struct Refusal {
    /// As HTTP has them.
    pub(crate) code: u16,
    /// English prose that may quote the message: to be looked at by [`Refusal::cause`] alone.
    pub(crate) description: String,
    /// How long to pause.
    pub(crate) retry_after: Option<Duration>,
    /// What the group is called now.
    pub(crate) migrate_to: Option<i64>,
}

/// What a refusal is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The token is wrong or revoked.
    Credentials,
    /// Somebody else receives with this token.
    Conflict(Rival),
    /// Too many calls.
    Throttled(Duration),
    /// The group has become a supergroup of this id.
    Moved(i64),
    /// Nobody is there, or we may not speak there.
    Unreachable,
    /// The message is deleted, or cannot be changed.
    Gone,
    /// The message shows already what it should.
    Unchanged,
    /// The styles were not taken; the text may be.
    Markup,
    /// The tap was made too long ago to be answered.
    QueryOld,
    /// Anything else: the content.
    Content,
}

/// Who receives in our place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rival {
    /// A web server that the updates are pushed to.
    Webhook,
    /// Another process that polls with this token.
    Poller,
}

/// Phrases in the prose of a 400, in lower case, and what they mean. The first that is found counts.
const PHRASES: [(&str, Cause); 34] = [
    ("message is not modified", Cause::Unchanged),
    ("message_not_modified", Cause::Unchanged),
    ("message to edit not found", Cause::Gone),
    ("message can't be edited", Cause::Gone),
    ("message_id_invalid", Cause::Gone),
    ("message_edit_time_expired", Cause::Gone),
    ("message_author_required", Cause::Gone),
    ("query is too old", Cause::QueryOld),
    ("query_id_invalid", Cause::QueryOld),
    ("parse entities", Cause::Markup),
    ("parse messageentity", Cause::Markup),
    ("entity_", Cause::Markup),
    ("entities_too_long", Cause::Markup),
    ("chat not found", Cause::Unreachable),
    ("user not found", Cause::Unreachable),
    ("group chat was deactivated", Cause::Unreachable),
    ("group chat was upgraded", Cause::Unreachable),
    ("message thread not found", Cause::Unreachable),
    ("topic_closed", Cause::Unreachable),
    ("topic_deleted", Cause::Unreachable),
    ("topic_id_invalid", Cause::Unreachable),
    ("not enough rights", Cause::Unreachable),
    ("have no rights", Cause::Unreachable),
    ("need administrator rights", Cause::Unreachable),
    ("chat_write_forbidden", Cause::Unreachable),
    ("chat_send_plain_forbidden", Cause::Unreachable),
    ("chat_restricted", Cause::Unreachable),
    ("chat_admin_required", Cause::Unreachable),
    ("chat_id_invalid", Cause::Unreachable),
    ("channel_private", Cause::Unreachable),
    ("peer_id_invalid", Cause::Unreachable),
    ("message text is empty", Cause::Content),
    ("too long", Cause::Content),
    ("button", Cause::Content),
];

/// The pause where a 429 names none.
const USUAL_PAUSE: Duration = Duration::from_secs(5);

impl Refusal {
    /// What it is about.
    pub(crate) fn cause(&self) -> Cause {
        if let Some(id) = self.migrate_to {
            return Cause::Moved(id);
        }
        match self.code {
            // 404 is what the server answers to a token that is none; an unknown method would be a bug of ours.
            401 | 404 => Cause::Credentials,
            403 => Cause::Unreachable,
            409 if self.description.to_lowercase().contains("webhook") => Cause::Conflict(Rival::Webhook),
            409 => Cause::Conflict(Rival::Poller),
            429 => Cause::Throttled(self.retry_after.unwrap_or(USUAL_PAUSE)),
            _ => self.phrase().map_or(Cause::Content, |(_, cause)| *cause),
        }
    }

    fn phrase(&self) -> Option<&'static (&'static str, Cause)> {
        let prose = self.description.to_lowercase();
        PHRASES.iter().find(|(phrase, _)| prose.contains(phrase))
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.phrase() {
            Some((phrase, _)) => write!(f, "{} {phrase}", self.code),
            None => write!(f, "{}", self.code),
        }
    }
}

impl fmt::Debug for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Refusal").field(&self.to_string()).finish()
    }
}

impl std::error::Error for Refusal {}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refusal) => write!(f, "telegram refused: {refusal}"),
            Self::NotSent(_) => f.write_str("telegram cannot be reached"),
            Self::NoAnswer(_) => f.write_str("telegram gave no answer"),
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
        Cause::Credentials => ChannelError::Refused(refusal.into()),
        Cause::Throttled(pause) => ChannelError::Throttled { pause },
        // A group that moved is followed where that makes sense; here it is no longer what it was.
        Cause::Unreachable | Cause::Moved(_) => ChannelError::Unreachable(refusal.into()),
        Cause::Gone => ChannelError::Gone,
        Cause::Conflict(_) => ChannelError::Unclear {
            maybe_done: false,
            source: refusal.into(),
        },
        // `Unchanged` is success to whoever edits, and never asked about by others.
        Cause::Unchanged | Cause::Markup | Cause::QueryOld | Cause::Content => ChannelError::Rejected {
            code: refusal.to_string(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(code: u16, description: &str) -> Refusal {
        Refusal {
            code,
            description: description.to_owned(),
            retry_after: None,
            migrate_to: None,
        }
    }

    #[test]
    fn refusals_are_told_apart_by_code_and_phrase() {
        use Cause::*;
        for (code, description, cause) in [
            (401, "Unauthorized", Credentials),
            (404, "Not Found", Credentials),
            (403, "Forbidden: bot was blocked by the user", Unreachable),
            (
                403,
                "Forbidden: bot can't initiate conversation with a user",
                Unreachable,
            ),
            (
                403,
                "Forbidden: bot was kicked from the supergroup chat",
                Unreachable,
            ),
            (400, "Bad Request: chat not found", Unreachable),
            (
                400,
                "Bad Request: not enough rights to send text messages to the chat",
                Unreachable,
            ),
            (400, "Bad Request: TOPIC_CLOSED", Unreachable),
            (400, "Bad Request: message thread not found", Unreachable),
            (400, "Bad Request: message to edit not found", Gone),
            (400, "Bad Request: message can't be edited", Gone),
            (400, "Bad Request: MESSAGE_ID_INVALID", Gone),
            (
                400,
                "Bad Request: message is not modified: specified new message content and reply markup are exactly the \
                 same as a current content and reply markup of the message",
                Unchanged,
            ),
            (
                400,
                "Bad Request: can't parse entities: Unsupported start tag \"x\" at byte offset 3",
                Markup,
            ),
            (400, "Bad Request: ENTITY_BOUNDS_INVALID", Markup),
            (
                400,
                "Bad Request: query is too old and response timeout expired or query ID is invalid",
                QueryOld,
            ),
            (
                409,
                "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
                Conflict(Rival::Poller),
            ),
            (
                409,
                "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
                Conflict(Rival::Webhook),
            ),
            (400, "Bad Request: message text is empty", Content),
            (400, "Bad Request: something new", Content),
        ] {
            assert_eq!(refusal(code, description).cause(), cause, "{description}");
        }
    }

    #[test]
    fn a_pause_is_the_platforms_own_figure() {
        let named = Refusal {
            retry_after: Some(Duration::from_secs(7)),
            ..refusal(429, "Too Many Requests: retry after 7")
        };

        assert_eq!(named.cause(), Cause::Throttled(Duration::from_secs(7)));
        assert_eq!(
            refusal(429, "Too Many Requests").cause(),
            Cause::Throttled(USUAL_PAUSE)
        );
    }

    #[test]
    fn the_dispatcher_hears_what_to_do_next() {
        let hears = |code, description| channel_error(Failure::Refused(refusal(code, description)));

        assert!(matches!(hears(401, "Unauthorized"), ChannelError::Refused(_)));
        assert!(matches!(
            hears(403, "Forbidden: user is deactivated"),
            ChannelError::Unreachable(_)
        ));
        assert!(matches!(
            hears(400, "Bad Request: message to edit not found"),
            ChannelError::Gone
        ));
        assert!(matches!(
            hears(400, "Bad Request: can't parse entities"),
            ChannelError::Rejected { .. }
        ));
        let unsure = |failure| match channel_error(failure) {
            ChannelError::Unclear { maybe_done, .. } => maybe_done,
            other => panic!("{other}"),
        };
        assert!(!unsure(Failure::NotSent("no route".into())));
        assert!(unsure(Failure::NoAnswer("closed".into())));
    }

    #[test]
    fn what_is_printed_does_not_quote_the_message() {
        let refusal = refusal(
            400,
            "Bad Request: can't parse entities: unexpected \"Where should this go?\"",
        );

        for printed in [refusal.to_string(), format!("{refusal:?}")] {
            assert!(!printed.contains("Where"), "{printed}");
        }
        assert_eq!(refusal.to_string(), "400 parse entities");
    }
}
