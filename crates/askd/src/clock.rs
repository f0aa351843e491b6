//! Time and chance from the operating system: the only place that asks it for either.

use std::{
    sync::LazyLock,
    time::{Duration, Instant},
};

use askd_core::{
    clock::{Chance, Clock, whole_millis},
    id::hex,
};
use async_trait::async_trait;
use jiff::Timestamp;

/// Longest single sleep. Timers of the runtime count a monotonic clock, deadlines are wall-clock time: a clock that
/// is set forward, or a laptop that was closed, is noticed after this at the latest.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

/// When the process first asked how much time has passed.
#[expect(
    clippy::disallowed_methods,
    reason = "this is the clock that is passed in everywhere else"
)]
static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// The wall clock of the machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SystemClock;

#[async_trait]
impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the clock that is passed in everywhere else"
    )]
    fn now(&self) -> Timestamp {
        whole_millis(Timestamp::now())
    }

    fn passed(&self) -> Duration {
        BEGAN.elapsed()
    }

    async fn sleep_until(&self, until: Timestamp) {
        let at_most = self.passed().saturating_add(left(until, self.now()));
        loop {
            let left = left(until, self.now()).min(at_most.saturating_sub(self.passed()));
            if left.is_zero() {
                return;
            }
            tokio::time::sleep(left.min(LOOK_AGAIN)).await;
        }
    }
}

/// Nothing where `until` has passed.
fn left(until: Timestamp, now: Timestamp) -> Duration {
    Duration::try_from(until.duration_since(now)).unwrap_or_default()
}

/// The randomness of the operating system, fit for secrets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OsChance;

impl Chance for OsChance {
    fn fill(&self, bytes: &mut [u8]) {
        getrandom::fill(bytes).expect("a machine without randomness can make no secrets, and must not go on");
    }
}

/// `N` random bytes in lower-case hex digits.
pub(crate) fn random_hex<const N: usize>(chance: &dyn Chance) -> String {
    let mut bytes = [0; N];
    chance.fill(&mut bytes);
    hex(&bytes)
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;

    use super::*;

    #[tokio::test]
    async fn sleeping_until_an_instant_that_has_passed_returns_at_once() {
        let past = SystemClock.now() - SignedDuration::from_hours(1);

        SystemClock.sleep_until(past).await;
    }

    #[tokio::test]
    async fn sleeping_never_returns_early() {
        let until = SystemClock.now() + SignedDuration::from_millis(30);

        SystemClock.sleep_until(until).await;

        assert!(SystemClock.now() >= until);
    }

    #[test]
    fn random_hex_is_of_the_asked_length_and_never_the_same() {
        let (one, other) = (random_hex::<32>(&OsChance), random_hex::<32>(&OsChance));

        assert_eq!(one.len(), 64);
        assert_ne!(one, other);
    }
}
