//! Which updates have been fetched and not confirmed.
//!
//! Telegram confirms by number: asking for update n confirms all before it. So an update that is not taken over keeps
//! those after it unconfirmed, but it must not keep them waiting: they are taken over meanwhile, remembered, and passed
//! over when they are fetched again. Within one chat the order is kept, because a text may depend on the tap before it.
//!
//! An update that is refused again and again while others are not is a fault of its own: after a few attempts it no
//! longer holds up its chat, and after some more it is given up.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde_json::Value;

use crate::read::update;

/// Attempts after which an update no longer holds up its chat.
const PATIENCE: u32 = 4;

/// Attempts after which an update is given up, if others were taken over meanwhile.
const MOST_ATTEMPTS: u32 = 10;

/// Updates from fetched to confirmed.
#[derive(Debug, Default)]
pub(super) struct Backlog {
    /// By number.
    entries: BTreeMap<i64, Entry>,
    /// What is asked for next when nothing is left; `None` before the first update.
    next: Option<i64>,
    /// How many were taken over.
    taken: u64,
}

#[derive(Debug)]
struct Entry {
    update: Value,
    chat: Option<i64>,
    state: State,
    failures: u32,
    /// How many had been taken over when this one was refused for the first time.
    taken_then: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Waiting(Timestamp),
    Running,
    Done,
}

/// An update to be taken over now.
#[derive(Clone, Debug)]
pub(super) struct Due {
    pub(super) id: i64,
    pub(super) update: Value,
    /// How often it was refused.
    pub(super) failures: u32,
}

impl Backlog {
    /// Adds what was fetched; what is known already is passed over.
    pub(super) fn add(&mut self, updates: Vec<Value>, now: Timestamp) {
        let was_clear = self.is_clear();
        let mut last = None;
        for update in updates {
            let Some(id) = update::id(&update) else { continue };
            if self.entries.contains_key(&id) {
                continue;
            }
            last = last.max(Some(id));
            let chat = update::chat(&update);
            let entry = Entry {
                update,
                chat,
                state: State::Waiting(now),
                failures: 0,
                taken_then: 0,
            };
            self.entries.insert(id, entry);
        }
        let Some(after) = last.map(|last| last + 1) else {
            return;
        };
        // Numbers may begin anew, lower, after a quiet week; never while something is unconfirmed.
        self.next = if was_clear {
            Some(after)
        } else {
            self.next.max(Some(after))
        };
    }

    /// What can be taken over now: of each chat the first, unless that one is being taken over.
    pub(super) fn start(&mut self, now: Timestamp) -> Vec<Due> {
        let mut held = BTreeSet::new();
        let mut due = Vec::new();
        for (id, entry) in &mut self.entries {
            let free = entry.chat.is_none_or(|chat| !held.contains(&chat));
            match entry.state {
                State::Done => continue,
                State::Waiting(from) if free && from <= now => {
                    entry.state = State::Running;
                    due.push(Due {
                        id: *id,
                        update: entry.update.clone(),
                        failures: entry.failures,
                    });
                }
                State::Waiting(_) | State::Running => {}
            }
            held.extend(entry.chat.filter(|_| entry.failures < PATIENCE));
        }
        due
    }

    /// An update was taken over.
    pub(super) fn taken(&mut self, id: i64) {
        self.taken += 1;
        self.done(id);
    }

    /// An update was refused, and is tried again `at`. Returns whether it was given up instead.
    pub(super) fn refused(&mut self, id: i64, at: Timestamp) -> bool {
        let Some(entry) = self.entries.get_mut(&id) else {
            return false;
        };
        if entry.failures == 0 {
            entry.taken_then = self.taken;
        }
        entry.failures += 1;
        let hopeless = entry.failures >= MOST_ATTEMPTS && self.taken > entry.taken_then;
        if hopeless {
            self.done(id);
        } else {
            entry.state = State::Waiting(at);
        }
        hopeless
    }

    fn done(&mut self, id: i64) {
        if let Some(entry) = self.entries.get_mut(&id) {
            entry.state = State::Done;
        }
    }

    /// The number that the next poll asks for, by which it confirms all before it. Those are forgotten: no later answer
    /// has them. An answer that is under way may have what was taken over meanwhile, which is still known therefore.
    pub(super) fn confirm(&mut self) -> Option<i64> {
        while let Some(first) = self.entries.first_entry()
            && first.get().state == State::Done
        {
            first.remove();
        }
        self.entries.keys().next().copied().or(self.next)
    }

    /// Whether everything fetched was taken over or given up.
    pub(super) fn is_clear(&self) -> bool {
        self.entries.values().all(|entry| entry.state == State::Done)
    }

    /// When, after `now`, the next refused update is tried again. What waits for its turn alone is not meant.
    pub(super) fn wakes_after(&self, now: Timestamp) -> Option<Timestamp> {
        let waiting = self.entries.values().filter_map(|entry| match entry.state {
            State::Waiting(from) if from > now => Some(from),
            _ => None,
        });
        waiting.min()
    }
}

#[cfg(test)]
mod tests {
    use askd_testkit::clock::START;
    use jiff::SignedDuration;
    use serde_json::json;

    use super::*;

    fn said(id: i64, chat: i64) -> Value {
        json!({ "update_id": id, "message": { "chat": { "id": chat } } })
    }

    fn ids(due: &[Due]) -> Vec<i64> {
        due.iter().map(|due| due.id).collect()
    }

    fn backlog(updates: &[(i64, i64)]) -> Backlog {
        let mut backlog = Backlog::default();
        let updates = updates.iter().map(|&(id, chat)| said(id, chat));
        backlog.add(updates.collect(), START);
        backlog
    }

    #[test]
    fn nothing_is_asked_for_by_number_before_the_first_update() {
        let mut backlog = Backlog::default();

        backlog.add(Vec::new(), START);

        assert_eq!(backlog.confirm(), None);
        assert!(backlog.is_clear());
    }

    #[test]
    fn chats_go_side_by_side_and_each_in_its_order() {
        let mut backlog = backlog(&[(10, 1), (11, 1), (12, 2)]);
        assert_eq!(ids(&backlog.start(START)), [10, 12]);
        assert_eq!(ids(&backlog.start(START)), [0; 0], "they are under way");

        backlog.taken(12);
        assert_eq!(ids(&backlog.start(START)), [0; 0]);
        backlog.taken(10);

        assert_eq!(ids(&backlog.start(START)), [11]);
    }

    #[test]
    fn an_update_is_confirmed_only_when_all_before_it_are_done() {
        let mut backlog = backlog(&[(10, 1), (11, 2), (12, 3)]);
        backlog.start(START);

        backlog.taken(11);
        backlog.taken(12);
        assert_eq!(backlog.confirm(), Some(10));
        backlog.add(vec![said(10, 1), said(11, 2), said(12, 3)], START);
        assert_eq!(ids(&backlog.start(START)), [0; 0], "fetched again, known already");
        backlog.taken(10);

        assert_eq!(backlog.confirm(), Some(13));
        assert!(backlog.is_clear());
    }

    #[test]
    fn an_answer_under_way_does_not_bring_back_what_was_taken_over_meanwhile() {
        let mut backlog = backlog(&[(10, 1), (11, 2)]);
        backlog.start(START);
        assert_eq!(backlog.confirm(), Some(10), "a look at what came after");
        backlog.taken(10);
        backlog.taken(11);

        backlog.add(vec![said(10, 1), said(11, 2)], START);

        assert!(backlog.is_clear());
        assert_eq!(backlog.confirm(), Some(12));
    }

    #[test]
    fn numbers_may_begin_anew() {
        let mut backlog = backlog(&[(900, 1)]);
        backlog.start(START);
        backlog.taken(900);

        backlog.add(vec![said(5, 1)], START);

        assert_eq!(ids(&backlog.start(START)), [5]);
        backlog.taken(5);
        assert_eq!(backlog.confirm(), Some(6));
    }

    #[test]
    fn a_refused_update_waits_and_so_does_its_chat() {
        let mut backlog = backlog(&[(10, 1), (11, 1)]);
        let later = START + SignedDuration::from_secs(1);
        backlog.start(START);

        assert!(!backlog.refused(10, later));

        assert_eq!(ids(&backlog.start(START)), [0; 0]);
        assert_eq!(backlog.wakes_after(START), Some(later));
        let again = backlog.start(later);
        assert_eq!(ids(&again), [10]);
        assert_eq!(again[0].failures, 1);
    }

    #[test]
    fn an_update_that_is_refused_alone_is_given_up_in_the_end() {
        let mut backlog = backlog(&[(10, 1), (11, 1)]);
        for attempt in 1..=PATIENCE {
            assert_eq!(ids(&backlog.start(START)), [10], "attempt {attempt}");
            assert!(!backlog.refused(10, START));
        }
        assert_eq!(ids(&backlog.start(START)), [10, 11], "its chat waits no longer");
        backlog.taken(11);

        let mut attempts = PATIENCE;
        loop {
            attempts += 1;
            if backlog.refused(10, START) {
                break;
            }
            assert_eq!(ids(&backlog.start(START)), [10]);
        }

        assert_eq!(attempts, MOST_ATTEMPTS);
        assert_eq!(backlog.confirm(), Some(12));
    }

    #[test]
    fn while_nothing_is_taken_over_nothing_is_given_up() {
        let mut backlog = backlog(&[(10, 1), (11, 2)]);
        for _ in 0..100 {
            for due in backlog.start(START) {
                assert!(!backlog.refused(due.id, START));
            }
        }
        assert_eq!(backlog.confirm(), Some(10));
    }
}
