//! Time and chance, passed in.
//!
//! Nothing in this crate asks the operating system what time it is or for random bytes: expiry, backoff and
//! golden files are tested on a clock that the test moves. Instants carry milliseconds, because that is what is stored.
//!
//! # A clock that is set
//!
//! The machine's clock jumps, both ways: it is set by hand or over the network, or a laptop was closed. Which time counts
//! for what:
//!
//! * **The wall's** ([`Clock::now`]) for all that is stored, shown, or compared with what a platform says: deadlines,
//!   sign-ins, codes, retention. A deadline is the instant that people were told. So a clock that is set forward past it
//!   ends the ask, and one that is set back leaves it open for longer, until the same time on the wall.
//! * **Time that has passed** ([`Clock::passed`]) for how long somebody waits. No sleep is prolonged by a clock that is
//!   set back; where pauses are stored (what a dispatcher has claimed or tries again), it notices, and moves them along
//!   ([`Store::set_back`](crate::store::Store::set_back)). A code that seems to last longer than it was made for is worth
//!   nothing, and what was done in the future (a wrong code, a hint) holds nobody up.
//! * **A time that never goes back** ([`Steady`]) for what channels keep in memory alone: when to poll, to connect, to
//!   try again.

use std::{
    fmt::Debug,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use jiff::Timestamp;

/// What time it is, and waiting for a later one.
#[async_trait]
pub trait Clock: Debug + Send + Sync {
    /// The present instant, in whole milliseconds. Wall-clock time: it may jump, both ways, so a deadline is
    /// compared and never counted down.
    fn now(&self) -> Timestamp;

    /// The time that has passed since some instant in the past, the same for all clones. It never goes back and never
    /// jumps; the time during which the machine slept may be missing in it.
    fn passed(&self) -> Duration;

    /// Returns when [`Clock::now`] has reached `until`, at once if it has; and at the latest when as much time has passed
    /// ([`Clock::passed`]) as lay before `until` at first, so that nobody sleeps for hours because the clock was set
    /// back. Whoever must know that `until` is reached looks again. Must not return earlier, must survive being dropped at
    /// any point, and must notice a clock that was set forward within a few seconds.
    async fn sleep_until(&self, until: Timestamp);
}

/// A clock that goes on where the one below it is set back, and jumps forward with it: for instants that are kept in
/// memory alone. Nothing of it may be stored or shown, because after a clock was set back it is ahead of the wall.
#[derive(Debug)]
pub struct Steady {
    clock: Arc<dyn Clock>,
    /// The instant of the last look, and what had passed then.
    seen: Mutex<(Timestamp, Duration)>,
}

impl Steady {
    /// On this clock.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        let seen = Mutex::new((clock.now(), clock.passed()));
        Self { clock, seen }
    }
}

#[async_trait]
impl Clock for Steady {
    fn now(&self) -> Timestamp {
        // Nothing panics under the lock.
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let (last, then) = *seen;
        let passed = self.clock.passed();
        let went_on = last.saturating_add(passed.saturating_sub(then)).unwrap_or(last);
        *seen = (went_on.max(self.clock.now()), passed);
        whole_millis(seen.0)
    }

    fn passed(&self) -> Duration {
        self.clock.passed()
    }

    async fn sleep_until(&self, until: Timestamp) {
        loop {
            let left = until.duration_since(self.now());
            if !left.is_positive() {
                return;
            }
            let until = self.clock.now().saturating_add(left);
            self.clock.sleep_until(until.unwrap_or(Timestamp::MAX)).await;
        }
    }
}

/// Random bytes.
pub trait Chance: Debug + Send + Sync {
    /// Fills `bytes`. In production from the operating system, fit for secrets; in tests from a seed.
    fn fill(&self, bytes: &mut [u8]);

    /// A number in `0..=most`, for jitter (not for secrets: slightly uneven).
    fn up_to(&self, most: u64) -> u64 {
        let mut bytes = [0; 8];
        self.fill(&mut bytes);
        match most.checked_add(1) {
            Some(n) => u64::from_le_bytes(bytes) % n,
            None => u64::from_le_bytes(bytes),
        }
    }
}

/// `instant` with everything below a millisecond dropped: what a store gives back.
///
/// # Panics
/// Never: an instant cut to milliseconds stays in range.
#[must_use]
pub fn whole_millis(instant: Timestamp) -> Timestamp {
    Timestamp::from_millisecond(instant.as_millisecond()).expect("an instant in range stays in range")
}
