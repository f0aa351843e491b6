//! An ask with its deliveries: the unit that changes in one transaction.
//!
//! Every store loads a [`Record`], calls one of these methods, and writes it back, so that all stores decide alike
//! and none holds a rule of its own. Pure: time comes in.

use jiff::{SignedDuration, Timestamp};

use crate::{
    answer::Answers,
    ask::Ask,
    channel::Posted,
    id::{Address, ChannelName, DeliveryId, MessageRef, PersonName},
    stage::{Closed, End, Kept, SettledBy, Stage, Unreached},
    store::{
        Changed,
        delivery::{Delivery, DeliveryState, Failure, MessageRole, PutBack, ShownMessage, Task, Work},
    },
};

/// Longest pause before another attempt that outlives a start. It is the longest of the dispatcher's own
/// ([`backoff`](crate::dispatch::backoff)); what seems longer was asked for by a platform, which will ask again, or is of a
/// clock that was set back meanwhile.
const LATEST_AFTER_START: SignedDuration = SignedDuration::from_mins(5);

/// An ask with its deliveries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The ask.
    pub ask: Ask,
    /// Its deliveries, in the order of the route.
    pub deliveries: Vec<Delivery>,
}

impl Record {
    /// Whether anybody was shown the ask: on a channel, or elsewhere, as who has answered a part of it was.
    #[must_use]
    pub fn is_delivered(&self) -> bool {
        self.ask.is_begun() || self.deliveries.iter().any(Delivery::is_delivered)
    }

    /// Whether nothing is left to do about it: it is over, and no message of it waits to show that.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.ask.outcome().is_some() && !self.deliveries.iter().any(Delivery::is_open)
    }

    /// Ends the ask, if it is open and `end` may still count, and queues what its deliveries then have to do.
    pub fn close(&mut self, end: End, now: Timestamp) -> Closed {
        let was_open = self.ask.outcome().is_none();
        let closed = self.ask.clone().close(end, self.is_delivered(), now);
        self.take_over(closed.ask().clone(), was_open, now);
        closed
    }

    /// Adds to what a person has answered, and ends the ask where that completes it.
    pub fn keep(&mut self, answers: Answers, by: &SettledBy, now: Timestamp) -> Kept {
        let was_open = self.ask.outcome().is_none();
        let kept = self.ask.clone().keep(answers, by, self.is_delivered(), now);
        let ask = match &kept {
            Kept::Open { ask, .. } => ask.as_ref().clone(),
            Kept::Closed(closed) => closed.ask().clone(),
        };
        self.take_over(ask, was_open, now);
        kept
    }

    /// What a store answers to a `close` whose event it has recorded before: nothing changes.
    #[must_use]
    pub fn closed_before(&self, by: Option<&SettledBy>) -> Closed {
        let settled_by = self.ask.outcome().and_then(|outcome| outcome.end.by());
        let same = settled_by.is_some_and(|settled| by.is_some_and(|by| settled.who == by.who));
        let ask = Box::new(self.ask.clone());
        if same {
            Closed::Before(ask)
        } else {
            Closed::Lost(ask)
        }
    }

    /// What a store answers to a `keep` whose event it has recorded before: nothing changes.
    #[must_use]
    pub fn kept_before(&self, by: &SettledBy) -> Kept {
        if self.ask.outcome().is_some() {
            return Kept::Closed(self.closed_before(Some(by)));
        }
        let kept = self.ask.kept(&by.who);
        let missing = kept
            .missing(&self.ask.questions)
            .iter()
            .map(|q| q.id.clone())
            .collect();
        Kept::Open {
            ask: Box::new(self.ask.clone()),
            missing,
        }
    }

    /// Records that a panel showed the ask, as a delivery of its own at `at`, whose name is `id`. An ask that is over or
    /// due has nothing more to show, and one panel counts once. Returns whether that was new.
    pub fn seen(
        &mut self,
        at: &Address,
        person: Option<&PersonName>,
        id: DeliveryId,
        now: Timestamp,
    ) -> bool {
        let over = self.ask.outcome().is_some() || self.ask.is_due(now);
        if over || self.deliveries.iter().any(|delivery| delivery.to == *at) {
            return false;
        }
        self.deliveries.push(Delivery {
            id,
            to: at.clone(),
            at: None,
            person: person.cloned(),
            language: None,
            time_zone: None,
            state: DeliveryState::Shown,
            due: None,
            claimed_until: None,
            attempts: 0,
            unclear: false,
            messages: vec![ShownMessage {
                message: MessageRef::new(id.to_string()),
                placed: None,
                role: MessageRole::Prompt,
            }],
        });
        true
    }

    /// Ends the ask if its deadline has passed: as expired, or as undelivered where nobody was shown it. Returns
    /// whether this call ended it.
    pub fn expire(&mut self, now: Timestamp) -> bool {
        let due = self.ask.outcome().is_none() && self.ask.is_due(now);
        due && matches!(self.close(End::Expired, now), Closed::Now(_))
    }

    /// Hands out the work of a delivery that is due at `now` and not claimed, until `until`. A first post of an ask
    /// that is over is refused and the delivery dropped; where an attempt may have shown it, it is looked for.
    pub fn claim(&mut self, id: DeliveryId, now: Timestamp, until: Timestamp) -> Option<Task> {
        let over = self.ask.outcome().is_some() || self.ask.is_due(now);
        let delivery = self.deliveries.iter_mut().find(|delivery| delivery.id == id)?;
        let free = delivery.claimed_until.is_none_or(|claimed| claimed <= now);
        if !free || delivery.due.is_none_or(|due| due > now) {
            return None;
        }
        // Its claim ran out, so nobody knows what came of that attempt.
        delivery.unclear |= delivery.claimed_until.is_some() && delivery.state == DeliveryState::Queued;
        let work = match delivery.state {
            DeliveryState::Queued if over && delivery.unclear => Work::Find,
            DeliveryState::Queued if over => {
                delivery.rest(DeliveryState::Dropped);
                return None;
            }
            DeliveryState::Queued => Work::Post,
            DeliveryState::Settling => Work::Settle,
            DeliveryState::Shown
            | DeliveryState::Settled
            | DeliveryState::Failed(_)
            | DeliveryState::Dropped => {
                delivery.due = None;
                return None;
            }
        };
        delivery.claimed_until = Some(until);
        // A claim that its owner never ends is due again when it runs out.
        delivery.due = Some(until);
        Some(Task {
            delivery: delivery.clone(),
            ask: self.ask.clone(),
            work,
        })
    }

    /// Records that the prompt was posted. On an ask that has ended meanwhile this queues its edit. A late report of
    /// an attempt that somebody else has repeated adds its messages, so that they are edited too.
    pub fn posted(&mut self, id: DeliveryId, posted: &Posted, now: Timestamp) {
        let over = self.ask.outcome().is_some();
        let Some(delivery) = self.deliveries.iter_mut().find(|delivery| delivery.id == id) else {
            return;
        };
        delivery.at = Some(posted.at.clone());
        delivery.add(posted, MessageRole::Prompt);
        if over {
            delivery.settle_at(now);
        } else {
            delivery.rest(DeliveryState::Shown);
        }
    }

    /// Records that the messages of a delivery show the outcome; `follow_up` is the new message that says so where
    /// one was needed.
    pub fn settled(&mut self, id: DeliveryId, follow_up: Option<&Posted>) {
        let Some(delivery) = self.deliveries.iter_mut().find(|delivery| delivery.id == id) else {
            return;
        };
        if let Some(posted) = follow_up {
            delivery.add(posted, MessageRole::Note);
        }
        // Without a claim there is something newer to show: a message that was reported or adopted meanwhile.
        if delivery.state == DeliveryState::Settling && delivery.claimed_until.is_some() {
            delivery.rest(DeliveryState::Settled);
        }
    }

    /// Puts a delivery back after a failed attempt. Where that was the last destination and nobody was shown the
    /// ask, it ends as undelivered; returns whether it did. A delivery that has nothing to do any more, because a
    /// press on its message proved that it was shown, stays as it is.
    pub fn put_back(&mut self, id: DeliveryId, how: PutBack, now: Timestamp) -> bool {
        let over = self.ask.outcome().is_some();
        let Some(delivery) = self.deliveries.iter_mut().find(|delivery| delivery.id == id) else {
            return false;
        };
        if !delivery.is_open() {
            return false;
        }
        delivery.claimed_until = None;
        let queued = delivery.state == DeliveryState::Queued;
        match how {
            PutBack::GiveUp(_) if over && queued => delivery.rest(DeliveryState::Dropped),
            PutBack::Retry(_) if over && queued && !delivery.unclear => delivery.rest(DeliveryState::Dropped),
            PutBack::Retry(at) | PutBack::Unclear(at) => {
                delivery.attempts = delivery.attempts.saturating_add(1);
                delivery.unclear |= queued && matches!(how, PutBack::Unclear(_));
                delivery.due = Some(at);
            }
            PutBack::GiveUp(failure) => delivery.give_up(failure),
        }
        self.end_if_lost(now)
    }

    /// Gives up every open delivery of a channel that has stopped for good. Returns whether that ended the ask. Where it
    /// is the credentials that were refused, what has been shown, or may have been, and is over still waits for its edit:
    /// the next start may have better ones, and a prompt must not look alive for ever.
    pub fn channel_stopped(&mut self, channel: &ChannelName, failure: Failure, now: Timestamp) -> bool {
        let over = self.ask.outcome().is_some();
        for delivery in &mut self.deliveries {
            let may_stand = match delivery.state {
                DeliveryState::Settling => true,
                DeliveryState::Queued => over && (delivery.unclear || delivery.claimed_until.is_some()),
                _ => false,
            };
            let waits = may_stand && failure == Failure::Credentials;
            if delivery.is_open() && delivery.to.channel == *channel && !waits {
                delivery.give_up(failure);
            }
        }
        self.end_if_lost(now)
    }

    /// Lets go of claims on this channel, whose holder has died: what they were for is due at once. And nothing is tried
    /// again later than in [`LATEST_AFTER_START`]. Returns whether there was anything to do.
    pub fn let_go(&mut self, channel: &ChannelName, now: Timestamp) -> bool {
        let latest = now.saturating_add(LATEST_AFTER_START).unwrap_or(Timestamp::MAX);
        self.change_pauses(channel, |delivery| {
            let nearest = if delivery.claimed_until.take().is_some() {
                delivery.unclear |= delivery.state == DeliveryState::Queued;
                now
            } else {
                latest
            };
            delivery.due = delivery.due.map(|due| due.min(nearest));
        })
    }

    /// Moves along what is claimed or tried again later on this channel, by as much as the clock was set back, to `now`.
    /// Returns whether there was anything to do.
    pub fn set_back(&mut self, channel: &ChannelName, by: SignedDuration, now: Timestamp) -> bool {
        let moved = |then: Timestamp| {
            then.saturating_sub(by)
                .unwrap_or(Timestamp::MIN)
                .max(now.min(then))
        };
        self.change_pauses(channel, |delivery| {
            delivery.due = delivery.due.map(moved);
            delivery.claimed_until = delivery.claimed_until.map(moved);
        })
    }

    fn change_pauses(&mut self, channel: &ChannelName, change: impl Fn(&mut Delivery)) -> bool {
        let mut any = false;
        for delivery in self.deliveries.iter_mut().filter(|d| d.to.channel == *channel) {
            let before = (delivery.due, delivery.claimed_until);
            change(delivery);
            any |= before != (delivery.due, delivery.claimed_until);
        }
        any
    }

    /// Records further messages about the ask in the conversation `at`: hints, receipts, requests for own words.
    /// Returns whether the conversation is one of this ask's.
    pub fn add_note(&mut self, posted: &Posted, role: MessageRole) -> bool {
        let Some(delivery) = self.delivery_at(&posted.at) else {
            return false;
        };
        delivery.add(posted, role);
        true
    }

    /// Takes over a prompt whose `post` answer was lost: somebody pressed a button on it, so it was shown. Returns
    /// whether it was new.
    pub fn adopt(&mut self, at: &Address, shown: ShownMessage, now: Timestamp) -> bool {
        let over = self.ask.outcome().is_some();
        let known = self
            .deliveries
            .iter()
            .any(|d| d.messages.iter().any(|m| m.message == shown.message));
        // A direct address becomes a conversation only by its first post, whose answer was lost; so that one comes
        // first that was tried.
        let adopter = self
            .deliveries
            .iter_mut()
            .filter(|d| d.conversation() == at || (d.to.channel == at.channel && !d.is_delivered()))
            .min_by_key(|d| {
                (
                    d.conversation() != at,
                    d.claimed_until.is_none() && d.attempts == 0 && !d.unclear,
                )
            });
        let Some(delivery) = adopter.filter(|_| !known) else {
            return false;
        };
        delivery.at = Some(at.clone());
        delivery.messages.push(ShownMessage {
            role: MessageRole::Prompt,
            ..shown
        });
        if over {
            delivery.settle_at(now);
        } else if delivery.state != DeliveryState::Shown {
            delivery.rest(DeliveryState::Shown);
        }
        true
    }

    /// What has changed since `before`, for those who wait; `None`: it was asked just now. A claim alone is nobody
    /// else's business.
    #[must_use]
    pub fn changes_since(&self, before: Option<&Self>) -> Vec<Changed> {
        let was_over = before.is_some_and(|before| before.ask.outcome().is_some());
        let is_over = self.ask.outcome().is_some();
        let moved = match before {
            None => self.deliveries.iter().any(|delivery| delivery.due.is_some()),
            Some(before) => {
                let mut pairs = before.deliveries.iter().zip(&self.deliveries);
                let more = before.deliveries.len() < self.deliveries.len();
                more || pairs.any(|(was, now)| now.came_on_since(was))
            }
        };
        let kept = !is_over && before.is_some_and(|before| before.ask.stage != self.ask.stage);
        [
            (before.is_none(), Changed::Asked),
            (moved, Changed::Delivery),
            (kept, Changed::Kept),
            (is_over && !was_over, Changed::Ended),
        ]
        .into_iter()
        .filter_map(|(holds, what)| holds.then_some(what))
        .collect()
    }

    fn delivery_at(&mut self, at: &Address) -> Option<&mut Delivery> {
        self.deliveries
            .iter_mut()
            .find(|delivery| delivery.conversation() == at)
    }

    /// Ends the ask as undelivered if its last destination has failed for good and nobody was shown it. Returns
    /// whether this call ended it.
    pub fn end_if_lost(&mut self, now: Timestamp) -> bool {
        let lost = !self.deliveries.is_empty() && self.deliveries.iter().all(Delivery::is_lost);
        let open = matches!(self.ask.stage, Stage::Pending(_));
        lost && open
            && !self.is_delivered()
            && !self.ask.waits_for_panel
            && matches!(
                self.close(End::Undelivered(Unreached::AllFailed), now),
                Closed::Now(_)
            )
    }

    fn take_over(&mut self, ask: Ask, was_open: bool, now: Timestamp) {
        let ended = was_open && ask.outcome().is_some();
        self.ask = ask;
        if !ended {
            return;
        }
        for delivery in &mut self.deliveries {
            match delivery.state {
                DeliveryState::Shown => delivery.settle_at(now),
                // One that is being posted right now is settled when its post is reported.
                DeliveryState::Queued if delivery.claimed_until.is_some() => {}
                // It may stand there, and must not look alive for ever.
                DeliveryState::Queued if delivery.unclear => delivery.due = Some(now),
                DeliveryState::Queued => delivery.rest(DeliveryState::Dropped),
                _ => {}
            }
        }
    }
}

impl Delivery {
    fn came_on_since(&self, was: &Self) -> bool {
        let mut now = self.clone();
        if now.claimed_until.is_some() {
            now.due = was.due;
            now.claimed_until = was.claimed_until;
        }
        now != *was
    }

    fn rest(&mut self, state: DeliveryState) {
        self.state = state;
        self.due = None;
        self.claimed_until = None;
        self.attempts = 0;
        self.unclear = false;
    }

    fn settle_at(&mut self, now: Timestamp) {
        if self.to.needs_no_edit() {
            self.rest(DeliveryState::Settled);
            return;
        }
        self.rest(DeliveryState::Settling);
        self.due = Some(now);
    }

    fn give_up(&mut self, failure: Failure) {
        let state = if self.is_delivered() {
            DeliveryState::Settled
        } else {
            DeliveryState::Failed(failure)
        };
        self.rest(state);
    }

    fn add(&mut self, posted: &Posted, role: MessageRole) {
        for new in &posted.messages {
            if self.messages.iter().all(|known| known.message != new.message) {
                let (message, placed) = (new.message.clone(), new.placed);
                self.messages.push(ShownMessage {
                    message,
                    placed,
                    role,
                });
            }
        }
    }
}
