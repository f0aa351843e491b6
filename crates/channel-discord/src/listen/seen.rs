//! What was handed in already.
//!
//! Discord may tell an event twice, and what is read anew after a gap overlaps with what was told before it. The core
//! recognises what counted; this keeps the rest from being answered twice.

use std::{
    collections::{BTreeSet, VecDeque},
    sync::{Mutex, PoisonError},
};

use askd_core::id::EventId;

/// Events that are remembered: more than come during a gap and the look back at it.
const MOST: usize = 4096;

/// The last events.
#[derive(Debug, Default)]
pub(super) struct Seen(Mutex<Events>);

#[derive(Debug, Default)]
struct Events {
    known: BTreeSet<EventId>,
    /// Oldest first.
    order: VecDeque<EventId>,
}

impl Seen {
    /// Remembers an event; returns whether it is new, as far back as is remembered.
    pub(super) fn is_new(&self, event: &EventId) -> bool {
        // A panic while the lock is held would leave an event unremembered at worst.
        let mut events = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !events.known.insert(event.clone()) {
            return false;
        }
        events.order.push_back(event.clone());
        if events.order.len() > MOST
            && let Some(oldest) = events.order.pop_front()
        {
            events.known.remove(&oldest);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_events_are_remembered_and_no_more() {
        let seen = Seen::default();
        let event = |n: usize| EventId::new(n.to_string());

        assert!(seen.is_new(&event(0)));
        assert!(!seen.is_new(&event(0)));
        for n in 1..=MOST {
            assert!(seen.is_new(&event(n)));
        }

        assert!(seen.is_new(&event(0)), "too long ago");
        assert!(!seen.is_new(&event(MOST)));
    }
}
