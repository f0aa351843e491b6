//! A connection in trouble: how long to wait, and what to say of it.
//!
//! A single failed call is no trouble: connections break, and the next one is made at once. After that it is said once
//! when trouble begins, once more where its kind changes, and once when it is over; a line per attempt helps nobody.

use std::time::Duration;

use askd_core::{clock::Chance, dispatch::backoff, id::ChannelName};

use crate::error::{Cause, Failure, Rival};

/// Longest pause between two polls. Shorter than the dispatcher's: a tap is gone after 150 s.
const LONGEST: Duration = Duration::from_secs(30);

/// How long a rival that came back is left alone at least. The first time it may have been a passing look, such as
/// `askd doctor`'s; Telegram itself holds back a second refusal for 3 s.
const RIVAL: Duration = Duration::from_secs(5);

/// What kind of trouble.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Unreachable,
    NoAnswer,
    Throttled,
    Webhook,
    Poller,
    Refused,
}

impl Kind {
    fn of(failure: &Failure) -> Self {
        match failure {
            Failure::NotSent(_) => Self::Unreachable,
            Failure::NoAnswer(_) => Self::NoAnswer,
            Failure::Refused(refusal) => match refusal.cause() {
                Cause::Throttled(_) => Self::Throttled,
                Cause::Conflict(Rival::Webhook) => Self::Webhook,
                Cause::Conflict(Rival::Poller) => Self::Poller,
                _ => Self::Refused,
            },
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Unreachable => "cannot be reached",
            Self::NoAnswer => "gives no answer",
            Self::Throttled => "asks for a pause",
            Self::Webhook => "a webhook receives in our place: delete it (see askd doctor)",
            Self::Poller => "another process polls with this token: stop it, or give askd a token of its own",
            Self::Refused => "refuses",
        }
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
    /// A call failed. Returns how long to wait before the next.
    pub(super) fn pause(
        &mut self,
        failure: &Failure,
        channel: &ChannelName,
        chance: &dyn Chance,
    ) -> Duration {
        let kind = Kind::of(failure);
        self.failures = self.failures.saturating_add(1);
        if self.failures == 1 && matches!(kind, Kind::Unreachable | Kind::NoAnswer) {
            return Duration::ZERO;
        }
        if self.said != Some(kind) {
            self.said = Some(kind);
            tracing::warn!(
                channel = %channel,
                trouble = kind.word(),
                error = failure as &dyn std::error::Error,
                "not receiving"
            );
        }
        let backoff = backoff::pause(self.failures - 1, chance).min(LONGEST);
        match failure.cause() {
            Some(Cause::Throttled(pause)) => pause.max(backoff),
            Some(Cause::Conflict(_)) if self.failures > 1 => backoff.max(RIVAL),
            _ => backoff,
        }
    }

    /// Whether the last call failed.
    pub(super) fn is_on(&self) -> bool {
        self.failures > 0
    }

    /// A call came through.
    pub(super) fn is_over(&mut self, channel: &ChannelName) {
        if self.said.take().is_some() {
            tracing::info!(channel = %channel, failures = self.failures, "receiving again");
        }
        self.failures = 0;
    }
}

#[cfg(test)]
mod tests {
    use askd_testkit::chance::SeededChance;

    use super::*;
    use crate::error::Refusal;

    fn refused(code: u16, description: &str, seconds: Option<u64>) -> Failure {
        Failure::Refused(Refusal {
            code,
            description: description.to_owned(),
            retry_after: seconds.map(Duration::from_secs),
            migrate_to: None,
        })
    }

    fn pauses(failure: &Failure, times: usize) -> Vec<Duration> {
        let (mut trouble, chance) = (Trouble::default(), SeededChance::new(1));
        let channel = ChannelName::new("telegram");
        (0..times)
            .map(|_| trouble.pause(failure, &channel, &chance))
            .collect()
    }

    #[test]
    fn pauses_grow_to_half_a_minute_and_no_further() {
        let pauses = pauses(&Failure::NotSent("no route".into()), 12);

        assert_eq!(pauses[0], Duration::ZERO, "one broken connection is no trouble");
        assert!(pauses[1] <= Duration::from_secs(2), "{pauses:?}");
        assert!(pauses.iter().all(|pause| *pause <= LONGEST), "{pauses:?}");
        assert!(pauses[11] >= LONGEST / 2, "{pauses:?}");
    }

    #[test]
    fn the_platforms_own_pause_is_kept() {
        assert!(pauses(&refused(429, "", Some(40)), 1)[0] >= Duration::from_secs(40));
    }

    #[test]
    fn a_rival_that_comes_back_is_left_alone_for_a_while() {
        let conflict = refused(409, "Conflict: terminated by other getUpdates request", None);

        let pauses = pauses(&conflict, 3);

        assert!(
            pauses[0] < RIVAL && pauses[1] >= RIVAL && pauses[2] >= RIVAL,
            "{pauses:?}"
        );
    }

    #[test]
    fn trouble_that_is_over_begins_anew() {
        let (mut trouble, chance) = (Trouble::default(), SeededChance::new(1));
        let (channel, failure) = (ChannelName::new("telegram"), Failure::NoAnswer("closed".into()));
        for _ in 0..8 {
            trouble.pause(&failure, &channel, &chance);
        }

        trouble.is_over(&channel);

        assert_eq!(trouble.pause(&failure, &channel, &chance), Duration::ZERO);
    }
}
