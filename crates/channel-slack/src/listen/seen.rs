//! Which texts were heard already.
//!
//! A mention in a channel comes as two events about one message, and what is read again in a conversation's past may have
//! come as an event too. All have one name, and the first counts. What Slack sends again because it missed the
//! acknowledgement is the same event in another envelope: that is handed in again, and the inbox, which knows it, gives an
//! equal receipt.

use std::collections::{BTreeMap, VecDeque};

use askd_core::id::EventId;

/// How many are remembered: Slack sends an event again for an hour at most.
const MOST: usize = 4096;

/// The texts of the last while.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// By our name, which of Slack's events told of it; none where it was read in the past.
    names: BTreeMap<EventId, Option<String>>,
    order: VecDeque<EventId>,
}

impl Seen {
    /// Whether this one is to be handed in: it was not heard yet, or comes again. From now on it was heard.
    pub(super) fn is_wanted(&mut self, name: &EventId, event: Option<&str>) -> bool {
        if let Some(first) = self.names.get(name) {
            return event.is_some() && first.as_deref() == event;
        }
        self.names.insert(name.clone(), event.map(str::to_owned));
        self.order.push_back(name.clone());
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

    fn name(n: usize) -> EventId {
        EventId::new(n.to_string())
    }

    #[test]
    fn the_first_event_about_a_message_counts_and_may_come_again() {
        let mut seen = Seen::default();
        assert!(seen.is_wanted(&name(1), Some("message")));
        assert!(!seen.is_wanted(&name(1), Some("app_mention")), "the other of two");
        assert!(!seen.is_wanted(&name(1), None), "read again");
        assert!(seen.is_wanted(&name(1), Some("message")), "sent again");

        assert!(seen.is_wanted(&name(2), None));
        assert!(!seen.is_wanted(&name(2), None));
        assert!(
            !seen.is_wanted(&name(2), Some("message")),
            "what was read before it came"
        );
    }

    #[test]
    fn the_oldest_is_forgotten() {
        let mut seen = Seen::default();

        for n in 0..=MOST {
            assert!(seen.is_wanted(&name(n), None));
        }

        assert_eq!(seen.names.len(), MOST);
        assert!(!seen.is_wanted(&name(MOST), None));
        assert!(seen.is_wanted(&name(0), None));
    }
}
