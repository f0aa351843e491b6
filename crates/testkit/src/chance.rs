//! Chance that comes out the same every time.

use std::sync::atomic::{AtomicU64, Ordering};

use askd_core::clock::Chance;

/// Bytes from a seed: the same seed gives the same bytes in the same order. Not fit for secrets.
#[derive(Debug)]
pub struct SeededChance {
    state: AtomicU64,
}

impl SeededChance {
    /// The sequence of this seed, from its beginning.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            state: AtomicU64::new(seed),
        }
    }

    /// SplitMix64 (Steele, Lea and Flood 2014): one addition per number, so that an atomic is state enough.
    fn next(&self) -> u64 {
        const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
        let state = self.state.fetch_add(STEP, Ordering::Relaxed).wrapping_add(STEP);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

impl Chance for SeededChance {
    fn fill(&self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.next().to_le_bytes()[..chunk.len()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_seed_gives_one_sequence_and_another_seed_another() {
        let ten = |seed| {
            let mut bytes = [0; 10];
            SeededChance::new(seed).fill(&mut bytes);
            bytes
        };

        assert_eq!(ten(1), ten(1));
        assert_ne!(ten(1), ten(2));
    }
}
