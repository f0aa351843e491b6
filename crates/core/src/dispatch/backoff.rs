//! How long to wait before trying again.

use std::time::Duration;

use crate::clock::Chance;

/// Longest pause between two attempts.
const LONGEST: Duration = Duration::from_mins(5);

/// Shortest pause, before the second attempt.
const FIRST: Duration = Duration::from_secs(1);

/// The pause after `attempts` failures (from 0): doubles from one second to five minutes, and is then shortened by up
/// to half, so that what failed together is not tried again together.
#[must_use]
pub fn pause(attempts: u32, chance: &dyn Chance) -> Duration {
    let doubled = 2_u32
        .checked_pow(attempts)
        .and_then(|factor| FIRST.checked_mul(factor));
    let full = doubled.unwrap_or(LONGEST).min(LONGEST);
    let half = full / 2;
    let jitter = chance.up_to(u64::try_from(half.as_millis()).unwrap_or(u64::MAX));
    full.saturating_sub(Duration::from_millis(jitter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Always(u8);

    impl Chance for Always {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(self.0);
        }
    }

    #[test]
    fn pauses_double_up_to_five_minutes() {
        let pauses: Vec<u64> = (0..12).map(|n| pause(n, &Always(0)).as_secs()).collect();

        assert_eq!(pauses, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
        assert_eq!(pause(u32::MAX, &Always(0)), LONGEST);
    }

    #[test]
    fn jitter_takes_away_at_most_half() {
        for seed in 0..=255 {
            for attempts in 0..12 {
                let (full, short) = (pause(attempts, &Always(0)), pause(attempts, &Always(seed)));
                assert!(short <= full && short >= full / 2, "{short:?} of {full:?}");
            }
        }
    }
}
