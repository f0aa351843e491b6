//! A clock that stands still until a test moves it, and the machine's own for stories about real processes.

use std::{sync::Arc, time::Duration};

use askd_core::clock::{Clock, whole_millis};
use async_trait::async_trait;
use jiff::Timestamp;
use tokio::sync::watch;

/// The instant at which every sample and test begins: 2026-12-01T09:30:00Z.
pub const START: Timestamp = Timestamp::constant(1_796_117_400, 0);

/// Time that only a test moves. Clones show the same time.
#[derive(Clone, Debug)]
pub struct TestClock {
    // A watch remembers the last value, so a sleeper that comes after the move does not miss it.
    now: Arc<watch::Sender<Timestamp>>,
}

impl Default for TestClock {
    fn default() -> Self {
        Self::at(START)
    }
}

impl TestClock {
    /// A clock that stands at [`START`].
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A clock that stands at `now`, cut to milliseconds.
    #[must_use]
    pub fn at(now: Timestamp) -> Self {
        Self {
            now: Arc::new(watch::Sender::new(whole_millis(now))),
        }
    }

    /// Moves it forward, and wakes those whose instant has come.
    pub fn advance(&self, by: Duration) {
        self.now.send_modify(|now| *now = whole_millis(*now + by));
    }

    /// Sets it, also back, and wakes those whose instant has come.
    pub fn set(&self, now: Timestamp) {
        self.now.send_replace(whole_millis(now));
    }
}

#[async_trait]
impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        *self.now.borrow()
    }

    async fn sleep_until(&self, until: Timestamp) {
        let mut moved = self.now.subscribe();
        let reached = moved.wait_for(|now| *now >= until).await;
        reached.expect("the sender lives as long as `self`");
    }
}

/// The time of this machine, by which a real process lives too: for stories, never for a test that could move time.
#[derive(Clone, Copy, Debug, Default)]
pub struct WallClock;

/// How long is slept at once, so that a clock that was set is noticed.
const AT_ONCE: Duration = Duration::from_secs(1);

#[async_trait]
impl Clock for WallClock {
    #[expect(clippy::disallowed_methods, reason = "this is where the time comes in")]
    fn now(&self) -> Timestamp {
        whole_millis(Timestamp::now())
    }

    async fn sleep_until(&self, until: Timestamp) {
        while let Ok(left) = Duration::try_from(until.duration_since(self.now()))
            && !left.is_zero()
        {
            tokio::time::sleep(left.min(AT_ONCE)).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::task::Poll;

    use super::*;

    const MINUTE: Duration = Duration::from_mins(1);

    #[tokio::test]
    async fn a_sleeper_wakes_when_the_clock_is_moved_and_not_before() {
        let clock = TestClock::new();
        let mut asleep = std::pin::pin!(clock.sleep_until(START + MINUTE));

        clock.advance(MINUTE / 2);
        let early = std::future::poll_fn(|cx| Poll::Ready(asleep.as_mut().poll(cx))).await;
        clock.clone().advance(MINUTE / 2);

        assert_eq!(early, Poll::Pending);
        asleep.await;
    }

    #[tokio::test]
    async fn the_machines_clock_wakes_a_sleeper_at_its_instant_and_not_before() {
        let clock = WallClock;
        let until = clock.now() + Duration::from_millis(5);

        clock.sleep_until(until).await;
        clock.sleep_until(until - MINUTE).await;

        assert!(clock.now() >= until);
    }

    #[tokio::test]
    async fn an_instant_that_has_passed_is_not_waited_for() {
        let clock = TestClock::new();

        clock.sleep_until(START).await;
        clock.sleep_until(START - MINUTE).await;

        assert_eq!(clock.now().to_string(), "2026-12-01T09:30:00Z");
    }
}
