//! A store that forgets when the process ends.
//!
//! For tests, and the simplest reading of the contract: one lock, plain collections, linear scans. It must decide
//! like every other store, so it holds no rule that [`Record`] holds. Not for production: nothing in it is durable.
//!
//! Its tests are the suite of all stores (`tests/store_memory.rs`).

use std::{
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use tokio::sync::broadcast;

use self::state::State;
use super::{
    Asked, Change, CodeHash, DeliveryState, Failure, Filter, Forget, Forgotten, Heard, MessageOwner,
    MessageRole, NewAsk, PairingCode, PutBack, Record, Redeemed, ShownMessage, SignIn, SignInCode, Store,
    StoreError, Tally, Task,
};
use crate::{
    answer::Answers,
    channel::Posted,
    id::{
        ActionToken, Address, AskId, ChannelName, DeliveryId, EventId, MessageRef, PersonName, RunId,
        TokenName,
    },
    inbound::Placed,
    people::Tie,
    push::{Subscription, SubscriptionId},
    stage::{Closed, End, Kept, Responder, SettledBy},
    words::Language,
};

mod state;

/// A store in memory.
pub struct MemoryStore {
    shared: Arc<Shared>,
    changes: broadcast::Sender<Change>,
    /// Of this value alone, as it would be after a restart.
    tally: Mutex<Tally>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    broken: AtomicBool,
}

/// Changes a slow receiver may lag behind before it misses some.
const CHANGES: usize = 1024;

impl Default for MemoryStore {
    fn default() -> Self {
        Self::over(Arc::default())
    }
}

impl MemoryStore {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A second store over the same content, as a restart would find it.
    #[must_use]
    pub fn reopen(&self) -> Self {
        Self::over(Arc::clone(&self.shared))
    }

    /// From now on every call fails as [`StoreError::Unavailable`], or works again. For testing what callers do then.
    pub fn set_broken(&self, broken: bool) {
        self.shared.broken.store(broken, Ordering::SeqCst);
    }

    fn over(shared: Arc<Shared>) -> Self {
        let (changes, _) = broadcast::channel(CHANGES);
        Self {
            shared,
            changes,
            tally: Mutex::default(),
        }
    }

    fn state(&self) -> Result<MutexGuard<'_, State>, StoreError> {
        if self.shared.broken.load(Ordering::SeqCst) {
            return Err(StoreError::Unavailable("told to be broken".into()));
        }
        // A panic under the lock can only come from a rule that panics before anything is written back.
        Ok(self.shared.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// One transaction. What changed is told under the lock, in the order in which it happened.
    fn write<T>(&self, work: impl FnOnce(&mut State) -> T) -> Result<T, StoreError> {
        let mut state = self.state()?;
        let result = work(&mut state);
        for change in state.take_changes() {
            // No receiver is no error: nobody waits.
            let _ = self.changes.send(change);
        }
        let mut tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        tally.commits += 1;
        for fact in state.take_facts() {
            tally.count(fact);
        }
        Ok(result)
    }
}

impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryStore").finish_non_exhaustive()
    }
}

#[async_trait]
impl Store for MemoryStore {
    async fn ask(&self, new: NewAsk) -> Result<Asked, StoreError> {
        self.write(|state| state.ask(new))
    }

    async fn get(&self, id: AskId) -> Result<Option<Record>, StoreError> {
        Ok(self.state()?.record(id).cloned())
    }

    async fn list(&self, filter: &Filter) -> Result<Vec<Record>, StoreError> {
        let state = self.state()?;
        let newest_first = state.records().rev();
        let found = newest_first.filter(|record| matches(filter, record));
        Ok(found.take(filter.limit).cloned().collect())
    }

    async fn by_action(&self, token: ActionToken) -> Result<Option<Record>, StoreError> {
        Ok(self
            .state()?
            .records()
            .find(|record| record.ask.action == token)
            .cloned())
    }

    async fn by_message(
        &self,
        channel: &ChannelName,
        message: &MessageRef,
    ) -> Result<Option<MessageOwner>, StoreError> {
        let state = self.state()?;
        let found = state.deliveries().find_map(|(record, delivery)| {
            let on_channel = delivery.to.channel == *channel;
            let shown = delivery
                .messages
                .iter()
                .find(|shown| on_channel && shown.message == *message)?;
            Some(MessageOwner {
                ask: record.ask.id,
                role: shown.role,
            })
        });
        Ok(found)
    }

    async fn open_at(&self, at: &Address) -> Result<Vec<Record>, StoreError> {
        let state = self.state()?;
        let open = state.shown_at(at).filter(|record| record.ask.outcome().is_none());
        Ok(open.cloned().collect())
    }

    async fn is_on_its_way(&self, at: &Address) -> Result<bool, StoreError> {
        let state = self.state()?;
        let mut open = state
            .deliveries()
            .filter(|(record, _)| record.ask.outcome().is_none());
        Ok(open.any(|(_, d)| d.state == DeliveryState::Queued && d.conversation() == at))
    }

    async fn ended_at(&self, at: &Address, since: Timestamp) -> Result<Option<Record>, StoreError> {
        let state = self.state()?;
        let ended = state
            .shown_at(at)
            .filter_map(|record| Some((record.ask.outcome()?.at, record)));
        let last = ended
            .filter(|(ended_at, _)| *ended_at >= since)
            .max_by_key(|(ended_at, record)| (*ended_at, record.ask.id));
        Ok(last.map(|(_, record)| record.clone()))
    }

    async fn heard(&self, channel: &ChannelName, event: &EventId) -> Result<Option<Heard>, StoreError> {
        Ok(self.state()?.heard(channel, event).cloned())
    }

    async fn heard_message(
        &self,
        channel: &ChannelName,
        message: &MessageRef,
    ) -> Result<Option<Heard>, StoreError> {
        Ok(self.state()?.heard_message(channel, message).cloned())
    }

    async fn note(&self, heard: Heard) -> Result<(), StoreError> {
        self.write(|state| {
            state.hear(Some(heard));
        })
    }

    async fn keep(
        &self,
        id: AskId,
        answers: Answers,
        by: SettledBy,
        heard: Option<Heard>,
        now: Timestamp,
    ) -> Result<Option<Kept>, StoreError> {
        self.write(|state| {
            let record = state.record(id)?;
            if heard.as_ref().is_some_and(|heard| state.knows(heard)) {
                return Some(record.kept_before(&by));
            }
            state.hear(heard);
            state.change(id, |record| record.keep(answers, &by, now))
        })
    }

    async fn close(
        &self,
        id: AskId,
        end: End,
        heard: Option<Heard>,
        now: Timestamp,
    ) -> Result<Option<Closed>, StoreError> {
        self.write(|state| {
            let record = state.record(id)?;
            if heard.as_ref().is_some_and(|heard| state.knows(heard)) {
                return Some(record.closed_before(end.by()));
            }
            state.hear(heard);
            state.change(id, |record| record.close(end, now))
        })
    }

    async fn cancel_run(
        &self,
        owner: Option<&TokenName>,
        run: &RunId,
        now: Timestamp,
    ) -> Result<Vec<AskId>, StoreError> {
        self.write(|state| {
            state.change_where(
                |record| {
                    let mine = owner.is_none_or(|owner| record.ask.owner == *owner);
                    mine && record.ask.run.as_ref() == Some(run) && record.ask.outcome().is_none()
                },
                |record| {
                    let _ = record.close(End::Cancelled, now);
                    true
                },
            )
        })
    }

    async fn expire(&self, now: Timestamp) -> Result<Vec<AskId>, StoreError> {
        self.write(|state| state.change_where(|record| record.ask.is_due(now), |record| record.expire(now)))
    }

    async fn next_deadline(&self) -> Result<Option<Timestamp>, StoreError> {
        let state = self.state()?;
        let pending = state.records().filter(|record| record.ask.outcome().is_none());
        Ok(pending.map(|record| record.ask.deadline).min())
    }

    async fn claim(
        &self,
        channel: &ChannelName,
        now: Timestamp,
        until: Timestamp,
        max: usize,
    ) -> Result<Vec<Task>, StoreError> {
        self.write(|state| state.claim(channel, now, until, max))
    }

    async fn next_due(&self, channel: &ChannelName) -> Result<Option<Timestamp>, StoreError> {
        Ok(self.state()?.turns(channel).into_values().min())
    }

    async fn posted(
        &self,
        ask: AskId,
        id: DeliveryId,
        posted: &Posted,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(|state| {
            state.change(ask, |record| record.posted(id, posted, now));
        })
    }

    async fn settled(
        &self,
        ask: AskId,
        id: DeliveryId,
        follow_up: Option<&Posted>,
    ) -> Result<(), StoreError> {
        self.write(|state| {
            state.change(ask, |record| record.settled(id, follow_up));
        })
    }

    async fn put_back(
        &self,
        ask: AskId,
        id: DeliveryId,
        how: PutBack,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        self.write(|state| {
            state
                .change(ask, |record| record.put_back(id, how, now))
                .unwrap_or(false)
        })
    }

    async fn channel_stopped(
        &self,
        channel: &ChannelName,
        why: Failure,
        now: Timestamp,
    ) -> Result<Vec<AskId>, StoreError> {
        self.write(|state| state.change_where(|_| true, |record| record.channel_stopped(channel, why, now)))
    }

    async fn let_go(&self, channel: &ChannelName, now: Timestamp) -> Result<(), StoreError> {
        self.write(|state| state.change_where(|_| true, |record| record.let_go(channel, now)))
            .map(drop)
    }

    async fn set_back(
        &self,
        channel: &ChannelName,
        by: SignedDuration,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(|state| state.change_where(|_| true, |record| record.set_back(channel, by, now)))
            .map(drop)
    }

    async fn channels_with_work(&self) -> Result<Vec<ChannelName>, StoreError> {
        let state = self.state()?;
        let open = state.deliveries().filter(|(_, delivery)| delivery.is_open());
        let mut channels: Vec<_> = open.map(|(_, delivery)| delivery.to.channel.clone()).collect();
        channels.sort();
        channels.dedup();
        Ok(channels)
    }

    async fn add_note(&self, ask: AskId, posted: &Posted, role: MessageRole) -> Result<(), StoreError> {
        self.write(|state| {
            state.change(ask, |record| record.add_note(posted, role));
        })
    }

    async fn seen(
        &self,
        ask: AskId,
        at: &Address,
        person: Option<&PersonName>,
        id: DeliveryId,
        now: Timestamp,
    ) -> Result<Option<Record>, StoreError> {
        self.write(|state| {
            state.change(ask, |record| {
                record.seen(at, person, id, now);
                record.clone()
            })
        })
    }

    async fn adopt(
        &self,
        ask: AskId,
        at: &Address,
        message: &MessageRef,
        placed: Option<Placed>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let shown = ShownMessage {
            message: message.clone(),
            placed,
            role: MessageRole::Prompt,
        };
        self.write(|state| {
            state.change(ask, |record| record.adopt(at, shown, now));
        })
    }

    async fn lease(
        &self,
        channel: &ChannelName,
        node: &str,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<bool, StoreError> {
        self.write(|state| state.lease(channel, node, now, until))
    }

    async fn ties(&self) -> Result<Vec<Tie>, StoreError> {
        Ok(self.state()?.ties())
    }

    async fn tie(&self, tie: Tie) -> Result<(), StoreError> {
        self.write(|state| state.tie(tie))
    }

    async fn language_of(&self, account: &Address) -> Result<Option<Language>, StoreError> {
        Ok(self.state()?.language_of(account))
    }

    async fn put_language(&self, account: &Address, language: Language) -> Result<(), StoreError> {
        self.write(|state| state.put_language(account, language))
    }

    async fn put_code(&self, code: PairingCode) -> Result<(), StoreError> {
        self.write(|state| state.put_code(code))
    }

    async fn redeem(
        &self,
        hash: &CodeHash,
        account: &Address,
        direct: bool,
        now: Timestamp,
        most_tries: u32,
    ) -> Result<Redeemed, StoreError> {
        self.write(|state| state.redeem(hash, account, direct, now, most_tries))
    }

    async fn put_sign_in_code(&self, code: SignInCode) -> Result<(), StoreError> {
        self.write(|state| state.put_sign_in_code(code))
    }

    async fn sign_in(
        &self,
        code: &CodeHash,
        secret: &CodeHash,
        now: Timestamp,
    ) -> Result<Option<SignIn>, StoreError> {
        self.write(|state| state.sign_in(code, *secret, now))
    }

    async fn signed_in(&self, secret: &CodeHash, now: Timestamp) -> Result<Option<SignIn>, StoreError> {
        let state = self.state()?;
        let mut lasting = state.sign_ins(now);
        Ok(lasting.find(|sign_in| sign_in.secret == *secret).cloned())
    }

    async fn any_signed_in(&self, who: &[Responder], now: Timestamp) -> Result<bool, StoreError> {
        let state = self.state()?;
        let mut lasting = state.sign_ins(now);
        Ok(lasting.any(|sign_in| who.contains(&sign_in.who)))
    }

    async fn sign_out(&self, secret: &CodeHash) -> Result<bool, StoreError> {
        self.write(|state| state.sign_out(|sign_in| sign_in.secret == *secret) > 0)
    }

    async fn sign_out_all(&self, who: &Responder) -> Result<usize, StoreError> {
        self.write(|state| state.sign_out_all(who))
    }

    async fn subscribe(&self, new: Subscription, most: usize, now: Timestamp) -> Result<bool, StoreError> {
        self.write(|state| state.subscribe(new, most, now))
    }

    async fn unsubscribe(&self, sign_in: &CodeHash) -> Result<bool, StoreError> {
        self.write(|state| state.unsubscribe(|known| known.sign_in == *sign_in))
    }

    async fn drop_subscription(&self, id: &SubscriptionId) -> Result<(), StoreError> {
        self.write(|state| state.unsubscribe(|known| known.id == *id))
            .map(drop)
    }

    async fn subscription(
        &self,
        id: &SubscriptionId,
        now: Timestamp,
    ) -> Result<Option<Subscription>, StoreError> {
        let state = self.state()?;
        let found = state.subscriptions(now).find(|known| known.id == *id);
        Ok(found.cloned())
    }

    async fn subscriptions(
        &self,
        who: &[Responder],
        now: Timestamp,
    ) -> Result<Vec<Subscription>, StoreError> {
        let state = self.state()?;
        let theirs = state.subscriptions(now).filter(|known| who.contains(&known.who));
        Ok(theirs.cloned().collect())
    }

    async fn say_once(&self, key: &str, now: Timestamp, every: Duration) -> Result<bool, StoreError> {
        self.write(|state| state.say_once(key, now, every))
    }

    async fn prune(&self, before: Timestamp, max: usize) -> Result<usize, StoreError> {
        self.write(|state| state.prune(before, max))
    }

    async fn forget(&self, what: &Forget, max: usize) -> Result<Forgotten, StoreError> {
        self.write(|state| state.forget(what, max))
    }

    async fn count_pending(&self) -> Result<u64, StoreError> {
        let state = self.state()?;
        let pending = state.records().filter(|record| record.ask.outcome().is_none());
        Ok(u64::try_from(pending.count()).unwrap_or(u64::MAX))
    }

    async fn probe(&self, _: Timestamp) -> Result<(), StoreError> {
        self.write(|_| ())
    }

    fn tally(&self) -> Tally {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn changes(&self) -> broadcast::Receiver<Change> {
        self.changes.subscribe()
    }
}

fn matches(filter: &Filter, record: &Record) -> bool {
    let ask = &record.ask;
    let session = ask.session.as_ref().map(|session| &session.id);
    filter.owner.as_ref().is_none_or(|owner| ask.owner == *owner)
        && filter
            .answerer
            .as_ref()
            .is_none_or(|person: &PersonName| ask.answerers.contains(person))
        && filter.status.as_ref().is_none_or(|status| ask.status() == status)
        && filter.session.as_ref().is_none_or(|id| session == Some(id))
        && filter.before.is_none_or(|before| ask.id < before)
}
