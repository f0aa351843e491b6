//! Sockets in trouble: how long to wait, and what to say of it.
//!
//! A single socket that ends is no trouble: connections break, and the next is opened at once. After that it is said once
//! when trouble begins, once more where its kind changes, and once when it is over; a line per attempt helps nobody.

use std::{error::Error, time::Duration};

use askd_core::{clock::Chance, dispatch::backoff, id::ChannelName};

use crate::error::{Cause, Failure};

/// Longest pause between two attempts. Slack shows the person who presses meanwhile that the app does not respond.
const LONGEST: Duration = Duration::from_secs(30);

/// What kind of trouble.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Unreachable,
    NoAnswer,
    Throttled,
    Refused,
    Lost,
    Ghost,
    Disabled,
    TooMany,
}

impl Kind {
    pub(super) fn of(failure: &Failure) -> Self {
        match failure {
            Failure::NotSent(_) => Self::Unreachable,
            Failure::NoAnswer(_) => Self::NoAnswer,
            Failure::Refused(refusal) => match (refusal.cause(), refusal.code.as_str()) {
                (Cause::Throttled(_), _) => Self::Throttled,
                (_, "link_disabled") => Self::Disabled,
                (_, "too_many_websockets") => Self::TooMany,
                _ => Self::Refused,
            },
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Unreachable => "cannot be reached",
            Self::NoAnswer => "gives no answer",
            Self::Throttled => "asks for a pause",
            Self::Refused => "refuses",
            Self::Lost => "closes the socket",
            Self::Ghost => "is not heard over the socket any more",
            Self::Disabled => "Socket Mode is switched off: switch it on on the app's page (see askd doctor)",
            Self::TooMany => {
                "too many sockets: other processes use this app token; stop them, or give askd an app of its own"
            }
        }
    }

    /// Whether once is nothing to speak of.
    fn passes(self) -> bool {
        matches!(
            self,
            Self::Unreachable | Self::NoAnswer | Self::Lost | Self::Ghost
        )
    }
}

/// Trouble from its beginning to its end.
#[derive(Debug, Default)]
pub(super) struct Trouble {
    /// In a row.
    failures: u32,
    said: Option<Kind>,
}

impl Trouble {
    /// An attempt failed, or a socket ended. Returns how long to wait before the next attempt.
    pub(super) fn pause(
        &mut self,
        kind: Kind,
        error: Option<&(dyn Error + 'static)>,
        channel: &ChannelName,
        chance: &dyn Chance,
    ) -> Duration {
        self.failures = self.failures.saturating_add(1);
        if self.failures == 1 && kind.passes() {
            tracing::info!(channel = %channel, trouble = kind.word(), error, "socket replaced");
            return Duration::ZERO;
        }
        if self.said != Some(kind) {
            self.said = Some(kind);
            tracing::warn!(channel = %channel, trouble = kind.word(), error, "not receiving");
        }
        backoff::pause(self.failures - 1, chance).min(LONGEST)
    }

    /// A socket held for a while: what happens now is something new.
    pub(super) fn was_steady(&mut self) {
        self.failures = 0;
    }

    /// A socket stands. It may end as soon as it began, so pauses go on growing until one was steady.
    pub(super) fn is_over(&mut self, channel: &ChannelName) {
        if self.said.take().is_some() {
            tracing::info!(channel = %channel, failures = self.failures, "receiving again");
        }
    }
}

#[cfg(test)]
mod tests {
    use askd_testkit::chance::SeededChance;

    use super::*;
    use crate::error::Refusal;

    fn pauses(trouble: &mut Trouble, kind: Kind, times: usize) -> Vec<Duration> {
        let (channel, chance) = (ChannelName::new("slack"), SeededChance::new(1));
        (0..times)
            .map(|_| trouble.pause(kind, None, &channel, &chance))
            .collect()
    }

    #[test]
    fn pauses_grow_to_half_a_minute_and_no_further() {
        let pauses = pauses(&mut Trouble::default(), Kind::Unreachable, 12);

        assert_eq!(pauses[0], Duration::ZERO, "one broken connection is no trouble");
        assert!(pauses[1] <= Duration::from_secs(2), "{pauses:?}");
        assert!(pauses.iter().all(|pause| *pause <= LONGEST), "{pauses:?}");
        assert!(pauses[11] >= LONGEST / 2, "{pauses:?}");
    }

    #[test]
    fn a_socket_that_ends_as_soon_as_it_began_is_trouble_that_goes_on() {
        let mut trouble = Trouble::default();
        pauses(&mut trouble, Kind::Lost, 8);

        trouble.is_over(&ChannelName::new("slack"));
        let went_on = pauses(&mut trouble, Kind::Lost, 1)[0];
        trouble.was_steady();

        assert!(went_on > Duration::from_secs(5), "{went_on:?}");
        assert_eq!(pauses(&mut trouble, Kind::Lost, 1), [Duration::ZERO]);
    }

    #[test]
    fn what_somebody_must_mend_is_said_at_once() {
        for code in ["link_disabled", "too_many_websockets"] {
            let kind = Kind::of(&Failure::Refused(Refusal::of(code)));
            let mut trouble = Trouble::default();

            let pause = pauses(&mut trouble, kind, 1)[0];

            assert!(pause > Duration::ZERO, "{code}");
            assert_eq!(trouble.said, Some(kind), "{code}");
        }
    }
}
