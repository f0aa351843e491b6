//! A clock that stands still until a test moves it, and the machine's own for stories about real processes.

use std::{
    sync::{Arc, LazyLock},
    time::{Duration, Instant},
};

use askd_core::clock::{Clock, whole_millis};
use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use tokio::sync::watch;

/// The instant at which every sample and test begins: 2026-12-01T09:30:00Z.
pub const START: Timestamp = Timestamp::constant(1_796_117_400, 0);

/// Time that only a test moves. Clones show the same time.
#[derive(Clone, Debug)]
pub struct TestClock {
    // A watch remembers the last value, so a sleeper that comes after the move does not miss it.
    time: Arc<watch::Sender<Time>>,
}

#[derive(Clone, Copy, Debug)]
struct Time {
    now: Timestamp,
    passed: Duration,
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
        let time = Time {
            now: whole_millis(now),
            passed: Duration::ZERO,
        };
        Self {
            time: Arc::new(watch::Sender::new(time)),
        }
    }

    /// Lets time pass, and wakes those whose instant has come.
    pub fn advance(&self, by: Duration) {
        self.time.send_modify(|time| {
            time.now = whole_millis(time.now + by);
            time.passed += by;
        });
    }

    /// Sets it, also back, without any time passing, and wakes those whose instant has come.
    pub fn set(&self, now: Timestamp) {
        self.time.send_modify(|time| time.now = whole_millis(now));
    }
}

#[async_trait]
impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        self.time.borrow().now
    }

    fn passed(&self) -> Duration {
        self.time.borrow().passed
    }

    async fn sleep_until(&self, until: Timestamp) {
        let mut moved = self.time.subscribe();
        let began = *moved.borrow();
        let left = Duration::try_from(until.duration_since(began.now)).unwrap_or_default();
        let reached = moved.wait_for(|time| time.now >= until || time.passed >= began.passed + left);
        reached.await.expect("the sender lives as long as `self`");
    }
}

/// The clock of a machine that goes wrong by as much as a test says, on a clock that goes right: for askd, beside
/// platforms whose own clocks nobody sets. Clones show the same time.
#[derive(Clone, Debug)]
pub struct SetClock {
    right: TestClock,
    /// By how much it is ahead; behind, if negative.
    ahead: Arc<watch::Sender<SignedDuration>>,
}

impl SetClock {
    /// Goes right, until it is set.
    #[must_use]
    pub fn new(right: TestClock) -> Self {
        Self {
            right,
            ahead: Arc::new(watch::Sender::new(SignedDuration::ZERO)),
        }
    }

    /// Sets it forward, or back, by this much.
    pub fn set_by(&self, by: SignedDuration) {
        self.ahead.send_modify(|ahead| *ahead += by);
    }
}

#[async_trait]
impl Clock for SetClock {
    fn now(&self) -> Timestamp {
        self.right.now() + *self.ahead.borrow()
    }

    fn passed(&self) -> Duration {
        self.right.passed()
    }

    async fn sleep_until(&self, until: Timestamp) {
        let mut set = self.ahead.subscribe();
        let at_most = self.right.now() + until.duration_since(self.now());
        let sleeping = async {
            while self.now() < until {
                let by_right = until - *set.borrow_and_update();
                tokio::select! {
                    () = self.right.sleep_until(by_right) => {}
                    moved = set.changed() => moved.expect("the sender lives as long as `self`"),
                }
            }
        };
        tokio::select! {
            () = sleeping => {}
            () = self.right.sleep_until(at_most) => {}
        }
    }
}

/// The time of this machine, by which a real process lives too: for stories, never for a test that could move time.
#[derive(Clone, Copy, Debug, Default)]
pub struct WallClock;

/// When a story first asked how much time has passed.
#[expect(clippy::disallowed_methods, reason = "this is where the time comes in")]
static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// How long is slept at once, so that a clock that was set is noticed.
const AT_ONCE: Duration = Duration::from_secs(1);

#[async_trait]
impl Clock for WallClock {
    #[expect(clippy::disallowed_methods, reason = "this is where the time comes in")]
    fn now(&self) -> Timestamp {
        whole_millis(Timestamp::now())
    }

    fn passed(&self) -> Duration {
        BEGAN.elapsed()
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

    use askd_core::clock::Steady;

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

    async fn is_over(mut sleep: std::pin::Pin<&mut (impl Future<Output = ()> + ?Sized)>) -> bool {
        std::future::poll_fn(|cx| Poll::Ready(sleep.as_mut().poll(cx).is_ready())).await
    }

    /// Sets a clock by so much.
    type SetBy = Box<dyn Fn(SignedDuration)>;

    #[tokio::test]
    async fn a_clock_that_is_set_back_prolongs_no_sleep_and_one_that_is_set_forward_ends_it() {
        let right = TestClock::new();
        let wrong = SetClock::new(right.clone());
        let clocks: [(Arc<dyn Clock>, SetBy); 2] = [
            (Arc::new(right.clone()), {
                let right = right.clone();
                Box::new(move |by| right.set(right.now() + by))
            }),
            (Arc::new(wrong.clone()), Box::new(move |by| wrong.set_by(by))),
        ];
        for (clock, set_by) in clocks {
            let mut asleep = clock.sleep_until(clock.now() + MINUTE);
            assert!(!is_over(asleep.as_mut()).await);
            set_by(-SignedDuration::from_hours(3));
            right.advance(MINUTE / 2);
            let early = is_over(asleep.as_mut()).await;
            right.advance(MINUTE / 2);
            assert!(!early && is_over(asleep.as_mut()).await, "{clock:?}");

            let mut asleep = clock.sleep_until(clock.now() + MINUTE);
            assert!(!is_over(asleep.as_mut()).await);
            set_by(SignedDuration::from_hours(3));
            assert!(is_over(asleep.as_mut()).await, "{clock:?}");
        }
    }

    #[tokio::test]
    async fn a_steady_clock_goes_on_where_the_one_below_is_set_back() {
        let right = TestClock::new();
        let wrong = SetClock::new(right.clone());
        let steady = Steady::new(Arc::new(wrong.clone()));
        let hours = SignedDuration::from_hours(3);

        wrong.set_by(-hours);
        right.advance(MINUTE);
        assert_eq!(steady.now(), START + MINUTE);
        let mut asleep = steady.sleep_until(START + MINUTE * 2);
        assert!(!is_over(asleep.as_mut()).await);
        right.advance(MINUTE);
        assert!(is_over(asleep.as_mut()).await);

        wrong.set_by(hours * 2);
        assert_eq!(steady.now(), START + MINUTE * 2 + hours);
    }

    #[tokio::test]
    async fn an_instant_that_has_passed_is_not_waited_for() {
        let clock = TestClock::new();

        clock.sleep_until(START).await;
        clock.sleep_until(START - MINUTE).await;

        assert_eq!(clock.now().to_string(), "2026-12-01T09:30:00Z");
    }
}
