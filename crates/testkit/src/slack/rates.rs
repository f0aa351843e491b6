//! How fast messages may follow each other: one a second in a conversation.
//!
//! Off unless asked for: most tests stand still in time, where everything is too fast. Slack lets short bursts pass,
//! without saying which; this does not.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::{limits, refusal::Refusal};

#[derive(Debug)]
pub(crate) struct Rates {
    pub(crate) enforced: bool,
    last: BTreeMap<String, Timestamp>,
}

impl Rates {
    pub(crate) fn new(enforced: bool) -> Self {
        Self {
            enforced,
            last: BTreeMap::new(),
        }
    }

    /// Counts a message to a conversation, or says when the next may come.
    pub(crate) fn count(&mut self, channel: &str, now: Timestamp) -> Result<(), Refusal> {
        let free = self.last.get(channel).map(|last| *last + limits::SAME_CHANNEL);
        if let Some(free) = free.filter(|free| self.enforced && *free > now) {
            let left = free.duration_since(now).as_millis();
            let seconds = u64::try_from(left).unwrap_or(0).div_ceil(1000);
            return Err(Refusal {
                rule_broken: true,
                ..Refusal::throttled(seconds)
            });
        }
        self.last.insert(channel.to_owned(), now);
        Ok(())
    }
}
