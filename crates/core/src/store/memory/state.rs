//! What a [`MemoryStore`](super::MemoryStore) holds, behind its lock.

use std::{
    collections::{BTreeMap, BTreeSet},
    mem,
    time::Duration,
};

use jiff::Timestamp;

use crate::{
    id::{Address, AskId, ChannelName, EventId, MessageRef, TokenName},
    people::Tie,
    push::Subscription,
    stage::Responder,
    store::{
        Asked, Change, CodeHash, Delivery, Fact, Forget, Forgotten, Heard, IdempotencyKey, NewAsk,
        PairingCode, Record, Redeemed, SignIn, SignInCode, TRIES_WINDOW, Task, ago, is_recent,
    },
    words::Language,
};

#[derive(Default)]
pub(super) struct State {
    /// By id, which is by time of creation.
    asks: BTreeMap<AskId, Row>,
    /// In the order of arrival.
    heard: Vec<Heard>,
    ties: Vec<Tie>,
    languages: BTreeMap<Address, Language>,
    codes: Vec<PairingCode>,
    /// Wrong pairing codes.
    tries: Vec<(Address, Timestamp)>,
    sign_in_codes: Vec<SignInCode>,
    sign_ins: Vec<SignIn>,
    /// Oldest first; each of a sign-in that is there.
    subscriptions: Vec<Subscription>,
    said: BTreeMap<String, Timestamp>,
    leases: BTreeMap<ChannelName, (String, Timestamp)>,
    /// Of the transaction that runs.
    changes: Vec<Change>,
    /// Of the transaction that runs.
    facts: Vec<Fact>,
}

struct Row {
    record: Record,
    key: Option<IdempotencyKey>,
}

impl State {
    pub(super) fn record(&self, id: AskId) -> Option<&Record> {
        self.asks.get(&id).map(|row| &row.record)
    }

    pub(super) fn records(&self) -> impl DoubleEndedIterator<Item = &Record> {
        self.asks.values().map(|row| &row.record)
    }

    pub(super) fn deliveries(&self) -> impl Iterator<Item = (&Record, &Delivery)> {
        self.records()
            .flat_map(|record| record.deliveries.iter().map(move |delivery| (record, delivery)))
    }

    pub(super) fn shown_at<'a>(&'a self, at: &'a Address) -> impl Iterator<Item = &'a Record> {
        self.records().filter(move |record| {
            let mut deliveries = record.deliveries.iter();
            deliveries.any(|delivery| delivery.is_delivered() && delivery.conversation() == at)
        })
    }

    pub(super) fn take_changes(&mut self) -> Vec<Change> {
        mem::take(&mut self.changes)
    }

    pub(super) fn take_facts(&mut self) -> Vec<Fact> {
        mem::take(&mut self.facts)
    }

    /// Changes one record, and notes what that changed.
    pub(super) fn change<T>(&mut self, id: AskId, how: impl FnOnce(&mut Record) -> T) -> Option<T> {
        let row = self.asks.get_mut(&id)?;
        let before = row.record.clone();
        let result = how(&mut row.record);
        let changed = row.record.changes_since(Some(&before)).into_iter();
        self.changes.extend(changed.map(|what| Change { ask: id, what }));
        self.facts.extend(row.record.facts_since(Some(&before)));
        Some(result)
    }

    /// Changes every record that `fits`; returns those for which `how` said yes.
    pub(super) fn change_where(
        &mut self,
        fits: impl Fn(&Record) -> bool,
        how: impl Fn(&mut Record) -> bool,
    ) -> Vec<AskId> {
        let found: Vec<AskId> = self
            .records()
            .filter(|record| fits(record))
            .map(|record| record.ask.id)
            .collect();
        found
            .into_iter()
            .filter(|id| self.change(*id, |record| how(record)).unwrap_or(false))
            .collect()
    }

    pub(super) fn ask(&mut self, new: NewAsk) -> Asked {
        let NewAsk {
            record,
            key,
            max_pending,
        } = new;
        if let Some(stored) = self.record(record.ask.id) {
            return Asked::Repeat(Box::new(stored.clone()));
        }
        if let Some(key) = &key
            && let Some((first, stored)) = self.keyed(&record.ask.owner, &key.key)
        {
            return if first.body == key.body {
                Asked::Repeat(Box::new(stored.clone()))
            } else {
                Asked::OtherBody
            };
        }
        let pending = self
            .records()
            .filter(|other| other.ask.owner == record.ask.owner && other.ask.outcome().is_none())
            .count();
        if record.ask.outcome().is_none() && max_pending.is_some_and(|max| pending >= max) {
            return Asked::TooMany { pending };
        }
        let id = record.ask.id;
        let changed = record.changes_since(None).into_iter();
        self.changes.extend(changed.map(|what| Change { ask: id, what }));
        self.facts.extend(record.facts_since(None));
        self.asks.insert(
            id,
            Row {
                record: record.clone(),
                key,
            },
        );
        Asked::New(Box::new(record))
    }

    fn keyed(&self, owner: &TokenName, key: &str) -> Option<(&IdempotencyKey, &Record)> {
        self.asks
            .values()
            .filter(|row| row.record.ask.owner == *owner)
            .filter_map(|row| Some((row.key.as_ref()?, &row.record)))
            .find(|(known, _)| known.key == key)
    }

    pub(super) fn heard(&self, channel: &ChannelName, event: &EventId) -> Option<&Heard> {
        self.heard
            .iter()
            .find(|heard| heard.channel == *channel && heard.event == *event)
    }

    pub(super) fn heard_message(&self, channel: &ChannelName, message: &MessageRef) -> Option<&Heard> {
        self.heard
            .iter()
            .find(|heard| heard.channel == *channel && heard.message.as_ref() == Some(message))
    }

    pub(super) fn knows(&self, heard: &Heard) -> bool {
        self.heard(&heard.channel, &heard.event).is_some()
    }

    pub(super) fn hear(&mut self, heard: Option<Heard>) {
        self.heard.extend(heard.filter(|heard| !self.knows(heard)));
    }

    /// When each conversation of a channel next has something to do: when all its claims have run out, else when its
    /// first delivery is due.
    pub(super) fn turns(&self, channel: &ChannelName) -> BTreeMap<Address, Timestamp> {
        let mut turns: BTreeMap<Address, (Option<Timestamp>, Timestamp)> = BTreeMap::new();
        for (_, delivery) in self
            .deliveries()
            .filter(|(_, delivery)| delivery.to.channel == *channel)
        {
            let Some(due) = delivery.due else { continue };
            let turn = turns
                .entry(delivery.conversation().clone())
                .or_insert((None, due));
            turn.0 = turn.0.max(delivery.claimed_until);
            turn.1 = turn.1.min(due);
        }
        turns
            .into_iter()
            .map(|(at, (claimed, due))| (at, claimed.unwrap_or(due)))
            .collect()
    }

    pub(super) fn claim(
        &mut self,
        channel: &ChannelName,
        now: Timestamp,
        until: Timestamp,
        max: usize,
    ) -> Vec<Task> {
        let mut free: BTreeSet<Address> = self
            .turns(channel)
            .into_iter()
            .filter(|(_, turn)| *turn <= now)
            .map(|(at, _)| at)
            .collect();
        let mut due: Vec<_> = self
            .deliveries()
            .filter(|(_, delivery)| {
                delivery.to.channel == *channel && delivery.due.is_some_and(|due| due <= now)
            })
            .map(|(record, delivery)| {
                (
                    delivery.due,
                    record.ask.id,
                    delivery.id,
                    delivery.conversation().clone(),
                )
            })
            .collect();
        // Stable: deliveries of one ask keep the order of the route.
        due.sort_by_key(|(due, ask, ..)| (*due, *ask));
        let mut tasks = Vec::new();
        for (_, ask, id, at) in due {
            if tasks.len() == max {
                break;
            }
            if !free.contains(&at) {
                continue;
            }
            if let Some(task) = self.change(ask, |record| record.claim(id, now, until)).flatten() {
                tasks.push(task);
                free.remove(&at);
            }
        }
        tasks
    }

    pub(super) fn lease(
        &mut self,
        channel: &ChannelName,
        node: &str,
        now: Timestamp,
        until: Timestamp,
    ) -> bool {
        let other = self
            .leases
            .get(channel)
            .filter(|(holder, held)| holder != node && *held > now);
        if other.is_some() {
            return false;
        }
        self.leases.insert(channel.clone(), (node.to_owned(), until));
        true
    }

    pub(super) fn ties(&self) -> Vec<Tie> {
        let mut ties = self.ties.clone();
        ties.sort_by(|a, b| (a.at, &a.account).cmp(&(b.at, &b.account)));
        ties
    }

    pub(super) fn tie(&mut self, tie: Tie) {
        self.ties.retain(|known| known.account != tie.account);
        self.ties.push(tie);
    }

    pub(super) fn language_of(&self, account: &Address) -> Option<Language> {
        self.languages.get(account).copied()
    }

    pub(super) fn put_language(&mut self, account: &Address, language: Language) {
        self.languages.insert(account.clone(), language);
    }

    pub(super) fn put_code(&mut self, code: PairingCode) {
        self.codes.retain(|known| known.hash != code.hash);
        self.codes.push(code);
    }

    pub(super) fn redeem(
        &mut self,
        hash: &CodeHash,
        account: &Address,
        direct: bool,
        now: Timestamp,
        most_tries: u32,
    ) -> Redeemed {
        let latest = now.saturating_add(TRIES_WINDOW).unwrap_or(Timestamp::MAX);
        let recent = |(who, at): &&(Address, Timestamp)| {
            who == account && *at > ago(now, TRIES_WINDOW) && *at <= latest
        };
        let tries = u32::try_from(self.tries.iter().filter(recent).count()).unwrap_or(u32::MAX);
        let found = self.codes.iter().find(|code| code.hash == *hash);
        let redeemed = Redeemed::decide(found, direct, tries, most_tries, now);
        match &redeemed {
            Redeemed::Tied(person) => {
                let (account, person) = (account.clone(), person.clone());
                self.codes.retain(|code| code.hash != *hash);
                self.tries.retain(|(who, _)| *who != account);
                self.tie(Tie {
                    account,
                    person,
                    at: now,
                    revoked: false,
                });
            }
            Redeemed::Burnt => self.codes.retain(|code| code.hash != *hash),
            Redeemed::Unknown => self.tries.push((account.clone(), now)),
            Redeemed::TooOften => {}
        }
        redeemed
    }

    pub(super) fn put_sign_in_code(&mut self, code: SignInCode) {
        self.sign_in_codes.retain(|known| known.hash != code.hash);
        self.sign_in_codes.push(code);
    }

    pub(super) fn sign_in(&mut self, code: &CodeHash, secret: CodeHash, now: Timestamp) -> Option<SignIn> {
        let at = self.sign_in_codes.iter().position(|known| known.hash == *code)?;
        let sign_in = self.sign_in_codes[at].redeem(secret, now)?;
        self.sign_in_codes.remove(at);
        self.sign_ins.push(sign_in.clone());
        Some(sign_in)
    }

    pub(super) fn sign_ins(&self, now: Timestamp) -> impl Iterator<Item = &SignIn> {
        self.sign_ins.iter().filter(move |sign_in| sign_in.lasts(now))
    }

    pub(super) fn sign_out(&mut self, is_meant: impl Fn(&SignIn) -> bool) -> usize {
        let before = self.sign_ins.len();
        self.sign_ins.retain(|sign_in| !is_meant(sign_in));
        self.end_subscriptions();
        before - self.sign_ins.len()
    }

    /// Those whose sign-in is gone go with it.
    fn end_subscriptions(&mut self) {
        let sign_ins = &self.sign_ins;
        let lasts = |known: &Subscription| sign_ins.iter().any(|sign_in| sign_in.secret == known.sign_in);
        self.subscriptions.retain(lasts);
    }

    pub(super) fn subscribe(&mut self, new: Subscription, most: usize, now: Timestamp) -> bool {
        if self.sign_ins(now).all(|sign_in| sign_in.secret != new.sign_in) {
            return false;
        }
        self.subscriptions
            .retain(|known| known.sign_in != new.sign_in && known.id != new.id);
        let who = new.who.clone();
        self.subscriptions.push(new);
        self.subscriptions
            .sort_by(|a, b| (a.since, &a.id).cmp(&(b.since, &b.id)));
        let theirs = self.subscriptions.iter().filter(|known| known.who == who);
        let mut too_many = theirs.count().saturating_sub(most);
        self.subscriptions.retain(|known| {
            let goes = known.who == who && too_many > 0;
            too_many -= usize::from(goes);
            !goes
        });
        true
    }

    pub(super) fn unsubscribe(&mut self, is_meant: impl Fn(&Subscription) -> bool) -> bool {
        let before = self.subscriptions.len();
        self.subscriptions.retain(|known| !is_meant(known));
        before > self.subscriptions.len()
    }

    pub(super) fn subscriptions(&self, now: Timestamp) -> impl Iterator<Item = &Subscription> {
        let lasts = move |known: &&Subscription| {
            let mut sign_ins = self.sign_ins(now);
            sign_ins.any(|sign_in| sign_in.secret == known.sign_in)
        };
        self.subscriptions.iter().filter(lasts)
    }

    pub(super) fn sign_out_all(&mut self, who: &Responder) -> usize {
        self.sign_in_codes.retain(|code| code.who != *who);
        self.sign_out(|sign_in| sign_in.who == *who)
    }

    pub(super) fn say_once(&mut self, key: &str, now: Timestamp, every: Duration) -> bool {
        if self
            .said
            .get(key)
            .is_some_and(|said| is_recent(*said, now, every))
        {
            return false;
        }
        self.said.insert(key.to_owned(), now);
        true
    }

    pub(super) fn prune(&mut self, before: Timestamp, max: usize) -> usize {
        let is_old = |record: &Record| record.ask.outcome().is_some_and(|outcome| outcome.at < before);
        let session = |record: &Record| Some((record.ask.owner.clone(), record.ask.session.clone()?.id));
        let in_use: BTreeSet<_> = self
            .records()
            .filter(|record| !is_old(record))
            .filter_map(session)
            .collect();
        let mut old: Vec<_> = self
            .records()
            .filter(|record| {
                is_old(record) && session(record).is_none_or(|session| !in_use.contains(&session))
            })
            .filter_map(|record| Some((record.ask.outcome()?.at, record.ask.id)))
            .collect();
        old.sort_unstable();
        old.truncate(max);
        for (_, id) in &old {
            self.asks.remove(id);
            self.heard.retain(|heard| heard.ask != Some(*id));
        }
        self.heard
            .retain(|heard| heard.ask.is_some() || heard.at >= before);
        self.said.retain(|_, said| *said >= before);
        self.codes.retain(|code| code.expires >= before);
        self.tries.retain(|(_, at)| *at >= before);
        self.sign_in_codes.retain(|code| code.expires >= before);
        self.sign_ins.retain(|sign_in| sign_in.expires >= before);
        self.end_subscriptions();
        self.leases.retain(|_, (_, until)| *until >= before);
        old.len()
    }

    pub(super) fn forget(&mut self, what: &Forget, max: usize) -> Forgotten {
        let (done, left): (Vec<_>, Vec<_>) = self
            .records()
            .filter(|record| what.means(record))
            .partition(|record| record.is_done());
        let (kept, done) = (left.len(), done.iter().map(|record| record.ask.id));
        let forgotten: Vec<AskId> = done.take(max).collect();
        for id in &forgotten {
            self.asks.remove(id);
            self.heard.retain(|heard| heard.ask != Some(*id));
        }
        Forgotten {
            forgotten: forgotten.len(),
            kept,
        }
    }
}
