//! Time and chance, passed in.
//!
//! Nothing in this crate asks the operating system what time it is or for random bytes: expiry, backoff and
//! golden files are tested on a clock that the test moves. Instants carry milliseconds, because that is what is stored.

use std::fmt::Debug;

use async_trait::async_trait;
use jiff::Timestamp;

/// What time it is, and waiting for a later one.
#[async_trait]
pub trait Clock: Debug + Send + Sync {
    /// The present instant, in whole milliseconds. Wall-clock time: it may jump, both ways, so a deadline is
    /// compared and never counted down.
    fn now(&self) -> Timestamp;

    /// Returns when [`Clock::now`] has reached `until`; at once if it has. Must not return earlier, must survive
    /// being dropped at any point, and must notice a clock that was set forward within a few seconds.
    async fn sleep_until(&self, until: Timestamp);
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
