//! Texts that were acknowledged and wait to be taken over.
//!
//! Slack does not hand them out again, so they stay here until the inbox takes them. Those of one conversation are handed
//! in one after the other, because a text may depend on the one before it; conversations do not wait for each other. A
//! text that is refused again and again no longer holds up the others of its conversation, and is given up in the end, if
//! others are taken over meanwhile.
//!
//! There is an end to how many wait. What comes beyond is not taken into memory: who receives reads the conversations anew
//! once all that waits was taken over.

use std::collections::{BTreeMap, VecDeque};

use askd_core::id::Address;
use jiff::Timestamp;

use crate::read::Did;

/// Attempts after which a text no longer holds up its conversation.
const PATIENCE: u32 = 4;

/// Attempts after which a text is given up, if others were taken over meanwhile.
const MOST_ATTEMPTS: u32 = 10;

/// Texts that may wait at once. Unit: texts, of some kilobytes each; a workspace that says more while the store takes
/// nothing is read anew later.
pub(super) const MOST: usize = 1_000;

/// A text that was heard.
#[derive(Clone, Debug)]
pub(super) struct Heard {
    pub(super) did: Did,
    /// How often it was refused.
    pub(super) failures: u32,
    /// Whether it was read in the conversation's past, so that it may have been taken over before.
    pub(super) again: bool,
    /// How many had been taken over when it was refused for the first time.
    taken_then: u64,
}

impl Heard {
    pub(super) fn new(did: Did) -> Self {
        Self {
            did,
            failures: 0,
            again: false,
            taken_then: 0,
        }
    }

    pub(super) fn again(did: Did) -> Self {
        Self {
            again: true,
            ..Self::new(did)
        }
    }

    /// The conversation that it holds up until it is taken over; none where it was refused too often for that.
    pub(super) fn line(&self) -> Option<Address> {
        (self.failures < PATIENCE).then(|| self.did.inbound.at.clone())
    }
}

/// Texts from heard to taken over.
#[derive(Debug, Default)]
pub(super) struct Queue {
    lines: BTreeMap<Address, Line>,
    /// Texts that hold up nobody any more, by when they are handed in again.
    late: Vec<(Timestamp, Heard)>,
    /// How many were taken over.
    taken: u64,
    /// How many are here: wait, or are being handed in.
    held: usize,
}

/// The texts of one conversation.
#[derive(Debug, Default)]
struct Line {
    waiting: VecDeque<Heard>,
    /// Whether its first is being handed in.
    is_running: bool,
    /// From when on its first may be handed in.
    from: Option<Timestamp>,
}

impl Queue {
    /// Adds a text behind the others of its conversation.
    pub(super) fn add(&mut self, heard: Heard) {
        self.held += 1;
        let line = self.lines.entry(heard.did.inbound.at.clone()).or_default();
        line.waiting.push_back(heard);
    }

    /// Whether no more may be added.
    pub(super) fn is_full(&self) -> bool {
        self.held >= MOST
    }

    /// Whether nothing waits.
    pub(super) fn is_empty(&self) -> bool {
        self.held == 0
    }

    /// What is to be handed in now.
    pub(super) fn start(&mut self, now: Timestamp) -> Vec<Heard> {
        let mut due = Vec::new();
        for line in self.lines.values_mut() {
            if !line.is_running && line.from.is_none_or(|from| from <= now) {
                line.from = None;
                line.is_running = true;
                due.extend(line.waiting.pop_front());
            }
        }
        let late = self.late.extract_if(.., |(from, _)| *from <= now);
        due.extend(late.map(|(_, heard)| heard));
        due
    }

    /// A text was taken over, of this conversation if it held one up.
    pub(super) fn taken(&mut self, line: Option<&Address>) {
        self.taken += 1;
        self.held = self.held.saturating_sub(1);
        self.go_on(line);
    }

    /// A text was refused, and is tried again `at`. Returns whether it was given up instead.
    pub(super) fn refused(&mut self, mut heard: Heard, at: Timestamp) -> bool {
        let line = heard.line();
        if heard.failures == 0 {
            heard.taken_then = self.taken;
        }
        heard.failures += 1;
        let hopeless = heard.failures >= MOST_ATTEMPTS && self.taken > heard.taken_then;
        if hopeless {
            self.held = self.held.saturating_sub(1);
            return true;
        }
        if let Some(held_up) = heard.line() {
            let line = self.lines.entry(held_up).or_default();
            line.waiting.push_front(heard);
            (line.is_running, line.from) = (false, Some(at));
        } else {
            self.late.push((at, heard));
            self.go_on(line.as_ref());
        }
        false
    }

    /// The next of a conversation may come.
    fn go_on(&mut self, line: Option<&Address>) {
        let Some(next) = line.and_then(|line| self.lines.get_mut(line)) else {
            return;
        };
        next.is_running = false;
        // Also those of other conversations that have come to their end.
        self.lines
            .retain(|_, line| line.is_running || !line.waiting.is_empty());
    }

    /// What waits to be tried again waits no longer: there is a sign that things are better now.
    pub(super) fn hurry(&mut self, now: Timestamp) {
        for line in self.lines.values_mut() {
            line.from = line.from.map(|from| from.min(now));
        }
        for (from, _) in &mut self.late {
            *from = now.min(*from);
        }
    }

    /// When, after `now`, something refused is tried again.
    pub(super) fn wakes_after(&self, now: Timestamp) -> Option<Timestamp> {
        let lines = self.lines.values().filter_map(|line| line.from);
        let late = self.late.iter().map(|(from, _)| *from);
        lines.chain(late).filter(|from| *from > now).min()
    }
}

#[cfg(test)]
mod tests {
    use askd_core::{
        id::{ChannelName, EventId, MessageRef},
        inbound::{Act, Inbound, Said, Sender},
    };
    use askd_testkit::clock::START;
    use jiff::SignedDuration;

    use super::*;
    use crate::{
        place::Ts,
        read::{Answer, Spot},
    };

    fn said(conversation: &str, text: &str) -> Heard {
        let inbound = Inbound {
            event: EventId::new(text),
            from: Sender::Machine,
            at: Address::new(ChannelName::new("slack"), conversation),
            direct: true,
            when: START,
            act: Act::Said(Said {
                text: text.to_owned(),
                message: MessageRef::new(text),
                placed: None,
                reply_to: None,
                thread: None,
                addressed: false,
                attachment: false,
                edited: false,
                forwarded: false,
            }),
        };
        let spot = Spot {
            conversation: conversation.to_owned(),
            thread: None,
            user: String::new(),
        };
        Heard::new(Did {
            inbound,
            answer: Answer::Said {
                ts: Ts::parse("1796117400.000100").unwrap(),
                spot,
            },
            event: None,
        })
    }

    fn queue(texts: &[(&str, &str)]) -> Queue {
        let mut queue = Queue::default();
        for (conversation, text) in texts {
            queue.add(said(conversation, text));
        }
        queue
    }

    fn names(due: &[Heard]) -> Vec<&str> {
        due.iter().map(|heard| heard.did.inbound.event.as_str()).collect()
    }

    #[test]
    fn conversations_go_side_by_side_and_each_in_its_order() {
        let mut queue = queue(&[("D1", "a"), ("D1", "b"), ("D2", "c")]);
        let first = queue.start(START);
        assert_eq!(names(&first), ["a", "c"]);
        assert!(queue.start(START).is_empty(), "they are under way");

        queue.taken(first[1].line().as_ref());
        assert!(queue.start(START).is_empty());
        queue.taken(first[0].line().as_ref());

        assert_eq!(names(&queue.start(START)), ["b"]);
    }

    #[test]
    fn a_refused_text_waits_and_so_does_its_conversation() {
        let mut queue = queue(&[("D1", "a"), ("D1", "b")]);
        let later = START + SignedDuration::from_secs(1);
        let first = queue.start(START).remove(0);

        assert!(!queue.refused(first, later));

        assert!(queue.start(START).is_empty());
        assert_eq!(queue.wakes_after(START), Some(later));
        let again = queue.start(later);
        assert_eq!(names(&again), ["a"]);
        assert_eq!(again[0].failures, 1);
    }

    #[test]
    fn what_waits_can_be_hurried() {
        let mut queue = queue(&[("D1", "a"), ("D2", "b")]);
        let mut due = queue.start(START);
        due[1].failures = PATIENCE;
        for heard in due {
            queue.refused(heard, START + SignedDuration::from_secs(30));
        }

        queue.hurry(START);

        assert_eq!(names(&queue.start(START)), ["a", "b"]);
    }

    #[test]
    fn a_text_that_is_refused_alone_is_given_up_in_the_end() {
        let mut queue = queue(&[("D1", "a"), ("D1", "b")]);
        for attempt in 1..=PATIENCE {
            let mut due = queue.start(START);
            assert_eq!(names(&due), ["a"], "attempt {attempt}");
            assert!(!queue.refused(due.remove(0), START));
        }
        let mut due = queue.start(START);
        assert_eq!(names(&due), ["b", "a"], "its conversation waits no longer");
        queue.taken(due[0].line().as_ref());
        let mut heard = due.remove(1);

        let mut attempts = PATIENCE;
        loop {
            attempts += 1;
            if queue.refused(heard, START) {
                break;
            }
            heard = queue.start(START).remove(0);
        }

        assert_eq!(attempts, MOST_ATTEMPTS);
        assert!(queue.lines.is_empty() && queue.late.is_empty());
    }

    #[test]
    fn no_more_than_so_many_are_held_and_all_of_them_until_they_were_taken_over() {
        let mut queue = Queue::default();
        for n in 0..MOST {
            assert!(!queue.is_full(), "{n}");
            queue.add(said(&format!("D{}", n % 7), &n.to_string()));
        }
        assert!(queue.is_full());

        let mut now = START;
        for _ in 0..20 {
            for heard in queue.start(now) {
                assert!(!queue.refused(heard, now));
            }
            now += SignedDuration::from_secs(30);
        }
        assert!(queue.is_full(), "what is refused is held");
        let mut taken = 0;
        while !queue.is_empty() {
            for heard in queue.start(now) {
                queue.taken(heard.line().as_ref());
                taken += 1;
            }
        }

        assert_eq!(taken, MOST);
        assert!(queue.lines.is_empty() && queue.late.is_empty());
    }

    #[test]
    fn while_nothing_is_taken_over_nothing_is_given_up() {
        let mut queue = queue(&[("D1", "a"), ("D2", "b")]);
        for _ in 0..100 {
            for heard in queue.start(START) {
                assert!(!queue.refused(heard, START));
            }
        }
        assert_eq!(queue.late.len(), 2);
    }
}
