//! A connection in trouble: how long to wait, and what to say of it.
//!
//! One lost connection is no trouble: Discord asks for a new one several times a day. After that it is said once when
//! trouble begins, once more where its kind changes, and once when it is over; a line per attempt helps nobody.

use std::time::Duration;

use askd_core::{channel::Source, clock::Chance, dispatch::backoff, id::ChannelName};

use crate::{config::BadGateway, error::Failure};

/// Longest pause between two attempts. Shorter than the dispatcher's: what is pressed meanwhile fails before people's
/// eyes.
const LONGEST: Duration = Duration::from_secs(30);

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub(super) enum Loss {
    /// Where the gateway is could not be learnt.
    #[error(transparent)]
    Call(#[from] Failure),
    /// It is nowhere one can go.
    #[error(transparent)]
    Gateway(#[from] BadGateway),
    /// It could not be reached.
    #[error("no connection to the gateway")]
    Unreachable(#[source] Source),
    /// It ended the connection, with this code.
    #[error("the gateway closed the connection: {}", .0.map_or_else(|| "without a code".to_owned(), |code| code.to_string()))]
    Closed(Option<u16>),
    /// It asks for a new connection.
    #[error("the gateway asks for a new connection")]
    Asked,
    /// It does not know the session any more.
    #[error("the gateway ended the session")]
    Invalid,
    /// It was connected, and no session began.
    #[error("the gateway stays silent")]
    Silent,
    /// No session may be begun today.
    #[error("no session may be begun before the pause is over")]
    NoSessions(Duration),
}

impl Loss {
    fn word(&self) -> &'static str {
        match self {
            Self::Call(Failure::NotSent(_)) | Self::Unreachable(_) => "cannot be reached",
            Self::Call(Failure::NoAnswer(_)) | Self::Silent => "gives no answer",
            Self::Call(Failure::Throttled(_)) => "asks for a pause",
            Self::Call(Failure::Refused(_)) => "refuses",
            Self::Gateway(_) => "names a gateway that is not gone to: see api_url",
            Self::Closed(_) | Self::Asked | Self::Invalid => "ends every connection",
            Self::NoSessions(_) => "allows no new session today: is the token used elsewhere?",
        }
    }

    /// What the platform itself says of the pause.
    fn pause(&self) -> Duration {
        match self {
            Self::Call(Failure::Throttled(pause)) | Self::NoSessions(pause) => *pause,
            _ => Duration::ZERO,
        }
    }

    /// Whether it happens to the best of connections.
    fn is_usual(&self) -> bool {
        !matches!(
            self,
            Self::Call(Failure::Throttled(_) | Failure::Refused(_)) | Self::Gateway(_) | Self::NoSessions(_)
        )
    }
}

/// Trouble from its beginning to its end.
#[derive(Debug, Default)]
pub(super) struct Trouble {
    /// In a row.
    failures: u32,
    said: Option<&'static str>,
}

impl Trouble {
    /// The connection is lost, or did not come about. Returns how long to wait before the next.
    pub(super) fn pause(&mut self, loss: &Loss, channel: &ChannelName, chance: &dyn Chance) -> Duration {
        self.failures = self.failures.saturating_add(1);
        if self.failures == 1 && loss.is_usual() {
            tracing::debug!(channel = %channel, error = loss as &dyn std::error::Error, "connection lost");
            return Duration::ZERO;
        }
        let word = loss.word();
        if self.said != Some(word) {
            self.said = Some(word);
            tracing::warn!(
                channel = %channel,
                trouble = word,
                error = loss as &dyn std::error::Error,
                "not receiving"
            );
        }
        let backoff = backoff::pause(self.failures - 1, chance).min(LONGEST);
        backoff.max(loss.pause())
    }

    /// A session stood for a while: what happens now is something new.
    pub(super) fn was_steady(&mut self) {
        self.failures = 0;
    }

    /// A session has begun or goes on. It may end as soon as it began, so pauses go on growing until one was steady.
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

    fn pauses(loss: &Loss, times: usize) -> Vec<Duration> {
        let (mut trouble, chance) = (Trouble::default(), SeededChance::new(1));
        let channel = ChannelName::new("discord");
        (0..times)
            .map(|_| trouble.pause(loss, &channel, &chance))
            .collect()
    }

    #[test]
    fn pauses_grow_to_half_a_minute_and_no_further() {
        let pauses = pauses(&Loss::Unreachable("no route".into()), 12);

        assert_eq!(pauses[0], Duration::ZERO, "one broken connection is no trouble");
        assert!(pauses[1] <= Duration::from_secs(2), "{pauses:?}");
        assert!(pauses.iter().all(|pause| *pause <= LONGEST), "{pauses:?}");
        assert!(pauses[11] >= LONGEST / 2, "{pauses:?}");
    }

    #[test]
    fn the_platforms_own_pause_is_kept() {
        let pause = Duration::from_secs(40);

        assert!(pauses(&Loss::Call(Failure::Throttled(pause)), 1)[0] >= pause);
        assert!(pauses(&Loss::NoSessions(pause), 1)[0] >= pause);
    }

    #[test]
    fn what_is_wrong_at_once_is_not_hurried() {
        assert!(pauses(&Loss::Gateway(BadGateway::Discords), 1)[0] > Duration::ZERO);
    }

    #[test]
    fn a_session_that_ends_as_soon_as_it_began_is_trouble_that_goes_on() {
        let (mut trouble, chance) = (Trouble::default(), SeededChance::new(1));
        let (channel, loss) = (ChannelName::new("discord"), Loss::Closed(None));
        for _ in 0..8 {
            trouble.pause(&loss, &channel, &chance);
        }

        trouble.is_over(&channel);
        let went_on = trouble.pause(&loss, &channel, &chance);
        trouble.was_steady();

        assert!(went_on > Duration::from_secs(5), "{went_on:?}");
        assert_eq!(trouble.pause(&loss, &channel, &chance), Duration::ZERO);
    }
}
