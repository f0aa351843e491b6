//! The contract, method by method: what is copied into a job, which lane it takes, and which statements it runs.

use std::time::Duration;

use askd_core::{
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
    store::{
        Asked, Change, CodeHash, Failure, Filter, Forget, Forgotten, Heard, MessageOwner, MessageRole,
        NewAsk, PairingCode, PutBack, Record, Redeemed, ShownMessage, SignIn, SignInCode, Store, StoreError,
        Tally, Task,
    },
    words::Language,
};
use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;
use tokio::sync::broadcast;

use crate::{
    SqliteStore,
    error::Fault,
    queries::{Tx, asking, claiming, finding, hearing, pairing, pruning, settling, signing_in, waking},
    queue::Lane,
    readers, rows,
    writer::Call,
};

impl SqliteStore {
    /// One transaction of the writer. A caller that is dropped while it waits has no effect on it.
    async fn write<T: Send + 'static>(
        &self,
        lane: Lane,
        work: impl FnOnce(&mut Tx<'_>) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (call, told) = Call::new(work);
        // A closed queue gives the job back, which drops it and with it the sender that `told` waits for.
        let _ = self.jobs.push(lane, Box::new(call));
        told.await
            .unwrap_or_else(|_| Err(Fault::closed()))
            .map_err(StoreError::from)
    }

    /// One read transaction.
    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (read, told) = readers::read(work);
        // As in `write`.
        let _ = self.reads.push(Lane::Inbound, read);
        told.await
            .unwrap_or_else(|_| Err(Fault::closed()))
            .map_err(StoreError::from)
    }

    /// One change of one record by a rule of the core, of a delivery's kind.
    async fn deliver<T: Send + 'static>(
        &self,
        ask: AskId,
        how: impl FnOnce(&mut Record) -> T + Send + 'static,
    ) -> Result<Option<T>, StoreError> {
        self.write(Lane::Delivery, move |tx| tx.change(ask, how)).await
    }
}

#[async_trait]
impl Store for SqliteStore {
    async fn ask(&self, new: NewAsk) -> Result<Asked, StoreError> {
        self.write(Lane::Inbound, move |tx| asking::ask(tx, new)).await
    }

    async fn get(&self, id: AskId) -> Result<Option<Record>, StoreError> {
        self.read(move |db| rows::load(db, id)).await
    }

    async fn list(&self, filter: &Filter) -> Result<Vec<Record>, StoreError> {
        let filter = filter.clone();
        self.read(move |db| finding::list(db, &filter)).await
    }

    async fn by_action(&self, token: ActionToken) -> Result<Option<Record>, StoreError> {
        self.read(move |db| finding::by_action(db, token)).await
    }

    async fn by_message(
        &self,
        channel: &ChannelName,
        message: &MessageRef,
    ) -> Result<Option<MessageOwner>, StoreError> {
        let (channel, message) = (channel.clone(), message.clone());
        self.read(move |db| finding::by_message(db, &channel, &message))
            .await
    }

    async fn open_at(&self, at: &Address) -> Result<Vec<Record>, StoreError> {
        let at = at.clone();
        self.read(move |db| finding::open_at(db, &at)).await
    }

    async fn is_on_its_way(&self, at: &Address) -> Result<bool, StoreError> {
        let at = at.clone();
        self.read(move |db| finding::is_on_its_way(db, &at)).await
    }

    async fn ended_at(&self, at: &Address, since: Timestamp) -> Result<Option<Record>, StoreError> {
        let at = at.clone();
        self.read(move |db| finding::ended_at(db, &at, since)).await
    }

    async fn heard(&self, channel: &ChannelName, event: &EventId) -> Result<Option<Heard>, StoreError> {
        let (channel, event) = (channel.clone(), event.clone());
        self.read(move |db| hearing::heard(db, &channel, &event)).await
    }

    async fn heard_message(
        &self,
        channel: &ChannelName,
        message: &MessageRef,
    ) -> Result<Option<Heard>, StoreError> {
        let (channel, message) = (channel.clone(), message.clone());
        self.read(move |db| hearing::heard_message(db, &channel, &message))
            .await
    }

    async fn note(&self, heard: Heard) -> Result<(), StoreError> {
        self.write(Lane::Inbound, move |tx| {
            hearing::is_news(tx.db, Some(&heard)).map(|_| ())
        })
        .await
    }

    async fn keep(
        &self,
        id: AskId,
        answers: Answers,
        by: SettledBy,
        heard: Option<Heard>,
        now: Timestamp,
    ) -> Result<Option<Kept>, StoreError> {
        self.write(Lane::Inbound, move |tx| {
            settling::keep(tx, id, answers, &by, heard.as_ref(), now)
        })
        .await
    }

    async fn close(
        &self,
        id: AskId,
        end: End,
        heard: Option<Heard>,
        now: Timestamp,
    ) -> Result<Option<Closed>, StoreError> {
        self.write(Lane::Inbound, move |tx| {
            settling::close(tx, id, end, heard.as_ref(), now)
        })
        .await
    }

    async fn cancel_run(
        &self,
        owner: Option<&TokenName>,
        run: &RunId,
        now: Timestamp,
    ) -> Result<Vec<AskId>, StoreError> {
        let (owner, run) = (owner.cloned(), run.clone());
        self.write(Lane::Inbound, move |tx| {
            settling::cancel_run(tx, owner.as_ref(), &run, now)
        })
        .await
    }

    async fn expire(&self, now: Timestamp) -> Result<Vec<AskId>, StoreError> {
        self.write(Lane::Inbound, move |tx| settling::expire(tx, now))
            .await
    }

    async fn next_deadline(&self) -> Result<Option<Timestamp>, StoreError> {
        self.read(settling::next_deadline).await
    }

    async fn claim(
        &self,
        channel: &ChannelName,
        now: Timestamp,
        until: Timestamp,
        max: usize,
    ) -> Result<Vec<Task>, StoreError> {
        let channel = channel.clone();
        self.write(Lane::Delivery, move |tx| {
            claiming::claim(tx, &channel, now, until, max)
        })
        .await
    }

    async fn next_due(&self, channel: &ChannelName) -> Result<Option<Timestamp>, StoreError> {
        let channel = channel.clone();
        self.read(move |db| claiming::next_due(db, &channel)).await
    }

    async fn posted(
        &self,
        ask: AskId,
        id: DeliveryId,
        posted: &Posted,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let posted = posted.clone();
        self.deliver(ask, move |record| record.posted(id, &posted, now))
            .await
            .map(|_| ())
    }

    async fn settled(
        &self,
        ask: AskId,
        id: DeliveryId,
        follow_up: Option<&Posted>,
    ) -> Result<(), StoreError> {
        let follow_up = follow_up.cloned();
        self.deliver(ask, move |record| record.settled(id, follow_up.as_ref()))
            .await
            .map(|_| ())
    }

    async fn put_back(
        &self,
        ask: AskId,
        id: DeliveryId,
        how: PutBack,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let ended = self
            .deliver(ask, move |record| record.put_back(id, how, now))
            .await?;
        Ok(ended.unwrap_or(false))
    }

    async fn channel_stopped(
        &self,
        channel: &ChannelName,
        why: Failure,
        now: Timestamp,
    ) -> Result<Vec<AskId>, StoreError> {
        let channel = channel.clone();
        self.write(Lane::Delivery, move |tx| {
            settling::channel_stopped(tx, &channel, why, now)
        })
        .await
    }

    async fn let_go(&self, channel: &ChannelName, now: Timestamp) -> Result<(), StoreError> {
        let channel = channel.clone();
        self.write(Lane::Delivery, move |tx| claiming::let_go(tx, &channel, now))
            .await
    }

    async fn set_back(
        &self,
        channel: &ChannelName,
        by: SignedDuration,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let channel = channel.clone();
        self.write(Lane::Delivery, move |tx| {
            claiming::set_back(tx, &channel, by, now)
        })
        .await
    }

    async fn channels_with_work(&self) -> Result<Vec<ChannelName>, StoreError> {
        self.read(claiming::channels_with_work).await
    }

    async fn add_note(&self, ask: AskId, posted: &Posted, role: MessageRole) -> Result<(), StoreError> {
        let posted = posted.clone();
        self.deliver(ask, move |record| record.add_note(&posted, role))
            .await
            .map(|_| ())
    }

    async fn seen(
        &self,
        ask: AskId,
        at: &Address,
        person: Option<&PersonName>,
        id: DeliveryId,
        now: Timestamp,
    ) -> Result<Option<Record>, StoreError> {
        let (at, person) = (at.clone(), person.cloned());
        let see = move |tx: &mut Tx<'_>| {
            tx.change(ask, |record| {
                record.seen(&at, person.as_ref(), id, now);
                record.clone()
            })
        };
        self.write(Lane::Inbound, see).await
    }

    async fn adopt(
        &self,
        ask: AskId,
        at: &Address,
        message: &MessageRef,
        placed: Option<Placed>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let at = at.clone();
        let shown = ShownMessage {
            message: message.clone(),
            placed,
            role: MessageRole::Prompt,
        };
        let adopt = move |tx: &mut Tx<'_>| tx.change(ask, |record| record.adopt(&at, shown, now));
        self.write(Lane::Inbound, adopt).await.map(|_| ())
    }

    async fn lease(
        &self,
        channel: &ChannelName,
        node: &str,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<bool, StoreError> {
        let (channel, node) = (channel.clone(), node.to_owned());
        self.write(Lane::Delivery, move |tx| {
            pairing::lease(tx, &channel, &node, now, until)
        })
        .await
    }

    async fn ties(&self) -> Result<Vec<Tie>, StoreError> {
        self.read(pairing::ties).await
    }

    async fn tie(&self, tie: Tie) -> Result<(), StoreError> {
        self.write(Lane::Inbound, move |tx| pairing::tie(tx, &tie)).await
    }

    async fn language_of(&self, account: &Address) -> Result<Option<Language>, StoreError> {
        let account = account.clone();
        self.read(move |db| pairing::language_of(db, &account)).await
    }

    async fn put_language(&self, account: &Address, language: Language) -> Result<(), StoreError> {
        let account = account.clone();
        self.write(Lane::Inbound, move |tx| {
            pairing::put_language(tx, &account, language)
        })
        .await
    }

    async fn put_code(&self, code: PairingCode) -> Result<(), StoreError> {
        self.write(Lane::Inbound, move |tx| pairing::put_code(tx, &code))
            .await
    }

    async fn redeem(
        &self,
        hash: &CodeHash,
        account: &Address,
        direct: bool,
        now: Timestamp,
        most_tries: u32,
    ) -> Result<Redeemed, StoreError> {
        let (hash, account) = (*hash, account.clone());
        let redeem = move |tx: &mut Tx<'_>| pairing::redeem(tx, hash, &account, direct, now, most_tries);
        self.write(Lane::Inbound, redeem).await
    }

    async fn put_sign_in_code(&self, code: SignInCode) -> Result<(), StoreError> {
        self.write(Lane::Inbound, move |tx| signing_in::put_code(tx, &code))
            .await
    }

    async fn sign_in(
        &self,
        code: &CodeHash,
        secret: &CodeHash,
        now: Timestamp,
    ) -> Result<Option<SignIn>, StoreError> {
        let (code, secret) = (*code, *secret);
        self.write(Lane::Inbound, move |tx| {
            signing_in::sign_in(tx, code, secret, now)
        })
        .await
    }

    async fn signed_in(&self, secret: &CodeHash, now: Timestamp) -> Result<Option<SignIn>, StoreError> {
        let secret = *secret;
        self.read(move |db| signing_in::signed_in(db, secret, now)).await
    }

    async fn any_signed_in(&self, who: &[Responder], now: Timestamp) -> Result<bool, StoreError> {
        let who = who.to_vec();
        self.read(move |db| signing_in::any_signed_in(db, &who, now))
            .await
    }

    async fn sign_out(&self, secret: &CodeHash) -> Result<bool, StoreError> {
        let secret = *secret;
        self.write(Lane::Inbound, move |tx| signing_in::sign_out(tx, secret))
            .await
    }

    async fn sign_out_all(&self, who: &Responder) -> Result<usize, StoreError> {
        let who = who.clone();
        self.write(Lane::Inbound, move |tx| signing_in::sign_out_all(tx, &who))
            .await
    }

    async fn subscribe(&self, new: Subscription, most: usize, now: Timestamp) -> Result<bool, StoreError> {
        self.write(Lane::Inbound, move |tx| waking::subscribe(tx, &new, most, now))
            .await
    }

    async fn unsubscribe(&self, sign_in: &CodeHash) -> Result<bool, StoreError> {
        let sign_in = *sign_in;
        self.write(Lane::Inbound, move |tx| waking::unsubscribe(tx, sign_in))
            .await
    }

    async fn drop_subscription(&self, id: &SubscriptionId) -> Result<(), StoreError> {
        let id = id.clone();
        self.write(Lane::Delivery, move |tx| waking::drop(tx, &id)).await
    }

    async fn subscription(
        &self,
        id: &SubscriptionId,
        now: Timestamp,
    ) -> Result<Option<Subscription>, StoreError> {
        let id = id.clone();
        self.read(move |db| waking::one(db, &id, now)).await
    }

    async fn subscriptions(
        &self,
        who: &[Responder],
        now: Timestamp,
    ) -> Result<Vec<Subscription>, StoreError> {
        let who = who.to_vec();
        self.read(move |db| waking::of(db, &who, now)).await
    }

    async fn say_once(&self, key: &str, now: Timestamp, every: Duration) -> Result<bool, StoreError> {
        let key = key.to_owned();
        self.write(Lane::Inbound, move |tx| hearing::say_once(tx, &key, now, every))
            .await
    }

    async fn prune(&self, before: Timestamp, max: usize) -> Result<usize, StoreError> {
        self.write(Lane::Delivery, move |tx| pruning::prune(tx, before, max))
            .await
    }

    async fn forget(&self, what: &Forget, max: usize) -> Result<Forgotten, StoreError> {
        let what = what.clone();
        self.write(Lane::Delivery, move |tx| pruning::forget(tx, &what, max))
            .await
    }

    async fn count_pending(&self) -> Result<u64, StoreError> {
        self.read(finding::count_pending).await
    }

    async fn probe(&self, now: Timestamp) -> Result<(), StoreError> {
        self.write(Lane::Inbound, move |tx| hearing::probe(tx, now)).await
    }

    fn tally(&self) -> Tally {
        Tally {
            commits: self.stats().commits,
            queue: self.jobs.len(),
            ..self.counters.tally()
        }
    }

    fn changes(&self) -> broadcast::Receiver<Change> {
        self.changes.subscribe()
    }
}
