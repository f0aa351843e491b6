//! How fast messages may follow each other.
//!
//! Off unless asked for: most tests stand still in time, where everything is too fast.

use std::{collections::VecDeque, time::Duration};

use jiff::Timestamp;

use super::{limits, refusal::Refusal};

#[derive(Debug)]
pub(crate) struct Rates {
    pub(crate) enforced: bool,
    sent: VecDeque<(Timestamp, i64)>,
}

impl Rates {
    pub(crate) fn new(enforced: bool) -> Self {
        Self {
            enforced,
            sent: VecDeque::new(),
        }
    }

    /// Counts a message to `chat`, or says when the next may come.
    pub(crate) fn count(&mut self, chat: i64, is_group: bool, now: Timestamp) -> Result<(), Refusal> {
        const MINUTE: Duration = Duration::from_mins(1);
        const SECOND: Duration = Duration::from_secs(1);
        while self.sent.front().is_some_and(|(when, _)| *when + MINUTE <= now) {
            self.sent.pop_front();
        }
        if self.enforced {
            let waits = [
                self.wait(1, limits::SAME_CHAT, now, |to| to == chat),
                self.wait(limits::GROUP_A_MINUTE, MINUTE, now, |to| is_group && to == chat),
                self.wait(limits::A_SECOND, SECOND, now, |_| true),
            ];
            if let Some(wait) = waits.into_iter().flatten().max() {
                return Err(Refusal {
                    rule_broken: true,
                    ..Refusal::throttled(wait)
                });
            }
        }
        self.sent.push_back((now, chat));
        Ok(())
    }

    /// Whole seconds until one more fits, if `most` were sent within `window`.
    fn wait(
        &self,
        most: usize,
        window: Duration,
        now: Timestamp,
        counts: impl Fn(i64) -> bool,
    ) -> Option<u64> {
        let mut recent = self
            .sent
            .iter()
            .rev()
            .filter(|(when, to)| *when + window > now && counts(*to));
        let (oldest, _) = recent.nth(most - 1)?;
        let left = (*oldest + window).duration_since(now).as_millis();
        u64::try_from(left).ok().map(|millis| millis.div_ceil(1000))
    }
}
