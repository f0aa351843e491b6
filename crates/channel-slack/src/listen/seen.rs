//! Which events were heard already.
//!
//! A mention in a channel comes as two events about one message, and what Slack believes lost comes again in another
//! envelope. Both have the name of the first, so one look is enough; the store would recognise most of them too, but the
//! person would be answered twice.

use std::collections::{BTreeSet, VecDeque};

use askd_core::id::EventId;

/// How many are remembered: Slack sends an event again for an hour at most.
const MOST: usize = 4096;

/// The events of the last while.
#[derive(Debug, Default)]
pub(super) struct Seen {
    names: BTreeSet<EventId>,
    order: VecDeque<EventId>,
}

impl Seen {
    /// Whether this one was not heard yet. From now on it was.
    pub(super) fn is_new(&mut self, event: &EventId) -> bool {
        if !self.names.insert(event.clone()) {
            return false;
        }
        self.order.push_back(event.clone());
        if self.order.len() > MOST
            && let Some(oldest) = self.order.pop_front()
        {
            self.names.remove(&oldest);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_new_once_for_as_long_as_it_is_remembered() {
        let mut seen = Seen::default();
        let event = |n: usize| EventId::new(n.to_string());
        assert!(seen.is_new(&event(0)));
        assert!(!seen.is_new(&event(0)));

        for n in 1..=MOST {
            assert!(seen.is_new(&event(n)));
        }

        assert_eq!(seen.names.len(), MOST);
        assert!(!seen.is_new(&event(MOST)));
        assert!(seen.is_new(&event(0)), "forgotten at last");
    }
}
