//! Ids as Discord makes them: the time in front, so that a later one is larger.

use jiff::Timestamp;

/// The first millisecond of 2015. Source: Discord docs, "API Reference", "Snowflakes".
const EPOCH: i64 = 1_420_070_400_000;
/// Below the time stand worker, process and a counter.
const TIME_SHIFT: u32 = 22;

/// Makes ids, none twice.
#[derive(Debug, Default)]
pub(crate) struct Snowflakes {
    last: u64,
}

impl Snowflakes {
    pub(crate) fn next(&mut self, now: Timestamp) -> u64 {
        self.last = first_of(now).max(self.last + 1);
        self.last
    }
}

/// The smallest id of an instant.
fn first_of(now: Timestamp) -> u64 {
    let since = u64::try_from(now.as_millisecond() - EPOCH).unwrap_or_default();
    since << TIME_SHIFT
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::START;

    #[test]
    fn ids_tell_their_time_and_rise_within_a_millisecond() {
        let mut ids = Snowflakes::default();

        let (first, second) = (ids.next(START), ids.next(START));

        let millis = |id: u64| i64::try_from(id >> TIME_SHIFT).unwrap() + EPOCH;
        assert!(first < second);
        assert_eq!(
            (millis(first), millis(second)),
            (START.as_millisecond(), START.as_millisecond())
        );
    }
}
