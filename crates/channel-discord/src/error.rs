//! What Discord's failures mean.
//!
//! Discord tells them apart by number ([`CODES`], from its reference, "JSON Error Codes"); the prose beside it goes no
//! further, because it may quote the message. [`channel_error`] is the only place that decides what the dispatcher
//! hears.
//!
//! A failure says how sure we are: [`Failure::NotSent`] has changed nothing, [`Failure::NoAnswer`] may have.

use std::{fmt, time::Duration};

use askd_core::channel::{ChannelError, Source};

/// Why a call did not give what it should.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Discord says no.
    Refused(Refusal),
    /// Too many calls: Discord said so, to this one or to one before it.
    Throttled(Duration),
    /// It did not get to Discord.
    NotSent(Source),
    /// It may have got there and been carried out.
    NoAnswer(Source),
}

/// Discord says no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// As HTTP has them.
    pub(crate) status: u16,
    /// Discord's own; 0 where it has none.
    pub(crate) code: u64,
    /// Whether it is about the buttons alone.
    pub(crate) of_controls: bool,
}

/// What a refusal is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The token is wrong or was reset.
    Credentials,
    /// Too many calls.
    Throttled(Duration),
    /// Nobody is there, or we may not speak there.
    Unreachable,
    /// The thread is archived: messages in it cannot be changed.
    Archived,
    /// The message is deleted, or not ours.
    Gone,
    /// The interaction can no longer be answered.
    TooLate,
    /// The interaction was answered before.
    Answered,
    /// The buttons were not taken; the text may be.
    Controls,
    /// We may write there, and not reply to what others wrote.
    NoReply,
    /// Anything else: the content.
    Content,
}

/// The pause where Discord asks for one without saying how long.
pub(crate) const USUAL_PAUSE: Duration = Duration::from_secs(5);

/// The pause after a limit that is counted by the hour or the day.
const LONG_PAUSE: Duration = Duration::from_mins(1);

/// Numbers in the body of a refusal, and what they mean.
const CODES: [(u64, Cause); 33] = [
    (10_003, Cause::Unreachable),            // unknown channel
    (10_004, Cause::Unreachable),            // unknown server
    (10_008, Cause::Gone),                   // unknown message
    (10_013, Cause::Unreachable),            // unknown user
    (10_015, Cause::TooLate),                // unknown webhook: the interaction is over
    (10_062, Cause::TooLate),                // unknown interaction
    (20_022, Cause::Throttled(LONG_PAUSE)),  // edits of announcements
    (20_028, Cause::Throttled(USUAL_PAUSE)), // writing to the channel
    (20_029, Cause::Throttled(USUAL_PAUSE)), // writing to the server
    (30_046, Cause::Throttled(LONG_PAUSE)),  // edits of messages older than an hour
    (40_002, Cause::Credentials),            // the account must be verified
    (40_003, Cause::Throttled(LONG_PAUSE)),  // opening direct conversations
    (40_004, Cause::Throttled(LONG_PAUSE)),  // sending is switched off for a while
    (40_006, Cause::Throttled(LONG_PAUSE)),  // a feature is
    (40_060, Cause::Answered),               // interaction acknowledged
    (50_001, Cause::Unreachable),            // missing access
    (50_005, Cause::Gone),                   // a message of somebody else
    (50_007, Cause::Unreachable),            // cannot send messages to this user
    (50_008, Cause::Unreachable),            // a channel without texts
    (50_013, Cause::Unreachable),            // missing permissions
    (50_014, Cause::Credentials),            // invalid token
    (50_021, Cause::Gone),                   // a system message
    (50_024, Cause::Unreachable),            // not in this kind of channel
    (50_027, Cause::TooLate),                // invalid webhook token: the interaction is over
    (50_033, Cause::Unreachable),            // invalid recipients
    (50_055, Cause::Unreachable),            // invalid server
    (50_083, Cause::Archived),               // archived thread
    (50_278, Cause::Unreachable),            // no server in common
    (130_000, Cause::Throttled(LONG_PAUSE)), // overloaded
    (160_002, Cause::NoReply),               // replies need the permission to read what was said before
    (160_005, Cause::Unreachable),           // locked thread
    (200_000, Cause::Content),               // blocked by AutoMod
    (240_000, Cause::Content),               // harmful links
];

impl Refusal {
    /// What it is about.
    pub(crate) fn cause(self) -> Cause {
        if let Some((_, cause)) = CODES.iter().find(|(code, _)| *code == self.code) {
            return *cause;
        }
        match self.status {
            401 => Cause::Credentials,
            403 => Cause::Unreachable,
            _ if self.of_controls => Cause::Controls,
            _ => Cause::Content,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            0 => write!(f, "{}", self.status),
            code => write!(f, "{} {code}", self.status),
        }
    }
}

impl std::error::Error for Refusal {}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refusal) => write!(f, "discord refused: {refusal}"),
            Self::Throttled(pause) => write!(f, "discord asks for a pause of {} ms", pause.as_millis()),
            Self::NotSent(_) => f.write_str("discord cannot be reached"),
            Self::NoAnswer(_) => f.write_str("discord gave no answer"),
        }
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Refused(_) | Self::Throttled(_) => None,
            Self::NotSent(source) | Self::NoAnswer(source) => Some(source.as_ref()),
        }
    }
}

impl Failure {
    /// What a refusal is about; `None` where there was no answer.
    pub(crate) fn cause(&self) -> Option<Cause> {
        match self {
            Self::Refused(refusal) => Some(refusal.cause()),
            Self::Throttled(pause) => Some(Cause::Throttled(*pause)),
            Self::NotSent(_) | Self::NoAnswer(_) => None,
        }
    }
}

/// What the dispatcher hears of a failure.
pub(crate) fn channel_error(failure: Failure) -> ChannelError {
    let refusal = match failure {
        Failure::Refused(refusal) => refusal,
        Failure::Throttled(pause) => return ChannelError::Throttled { pause },
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
        // Whoever edits in an archived thread asks before; to whoever posts, it is closed.
        Cause::Unreachable | Cause::Archived => ChannelError::Unreachable(refusal.into()),
        Cause::Gone => ChannelError::Gone,
        // `Answered` is success to whoever answers, and never asked about by others; nor is `NoReply`.
        Cause::TooLate | Cause::Answered | Cause::Controls | Cause::NoReply | Cause::Content => {
            ChannelError::Rejected {
                code: refusal.to_string(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(status: u16, code: u64) -> Refusal {
        Refusal {
            status,
            code,
            of_controls: false,
        }
    }

    #[test]
    fn refusals_are_told_apart_by_number_and_then_by_status() {
        use Cause::*;
        for (status, code, cause) in [
            (401, 0, Credentials),
            (401, 50_027, TooLate),
            (403, 50_001, Unreachable),
            (403, 50_007, Unreachable),
            (403, 50_013, Unreachable),
            (403, 0, Unreachable),
            (404, 10_003, Unreachable),
            (404, 10_008, Gone),
            (404, 10_062, TooLate),
            (400, 40_060, Answered),
            (400, 50_006, Content),
            (400, 50_035, Content),
            (400, 50_083, Archived),
            (400, 30_046, Throttled(LONG_PAUSE)),
            (400, 40_004, Throttled(LONG_PAUSE)),
            (400, 160_002, NoReply),
            (404, 0, Content),
            (400, 999_999, Content),
        ] {
            assert_eq!(refusal(status, code).cause(), cause, "{status} {code}");
        }
        let of_controls = Refusal {
            of_controls: true,
            ..refusal(400, 50_035)
        };
        assert_eq!(of_controls.cause(), Controls);
    }

    #[test]
    fn each_number_is_there_once() {
        assert!(CODES.windows(2).all(|two| two[0].0 < two[1].0));
    }

    #[test]
    fn the_dispatcher_hears_what_to_do_next() {
        let hears = |status, code| channel_error(Failure::Refused(refusal(status, code)));

        assert!(matches!(hears(401, 0), ChannelError::Refused(_)));
        assert!(matches!(hears(403, 50_007), ChannelError::Unreachable(_)));
        assert!(matches!(hears(404, 10_008), ChannelError::Gone));
        assert!(matches!(hears(400, 50_035), ChannelError::Rejected { code } if code == "400 50035"));
        let pause = Duration::from_millis(1300);
        let throttled = channel_error(Failure::Throttled(pause));
        assert!(matches!(throttled, ChannelError::Throttled { pause: told } if told == pause));
        let unsure = |failure| match channel_error(failure) {
            ChannelError::Unclear { maybe_done, .. } => maybe_done,
            other => panic!("{other}"),
        };
        assert!(!unsure(Failure::NotSent("no route".into())));
        assert!(unsure(Failure::NoAnswer("closed".into())));
    }
}
