//! What was said while nobody listened.
//!
//! A session that could not be resumed leaves a gap, and so does every start: what happened in it is told to nobody. A
//! press in the gap has failed before people's eyes and is made again; a text has not. So at the beginning of each
//! session the conversations that wait for an answer are read anew from their prompts on, with the threads below those,
//! and those in which there has been talk since the process began, from the last message of it on.
//!
//! Newer texts wait for the older, but not for ever: a look that takes long goes on beside them.
//!
//! What has an answer of ours below it was heard then, and is passed over, unless it was changed after that. What counted
//! is recognised by the core.

use std::{
    collections::{BTreeMap, BTreeSet},
    pin::pin,
};

use askd_core::{channel::Posted, dispatch::backoff};
use futures_util::future::{self, Either};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use serenity::model::id::{ChannelId, MessageId};

use super::{Hearing, lines::Text};
use crate::{
    api::Route,
    channel::DiscordChannel,
    error::{Cause, Failure},
    known::{Kind, Me},
    limits::{self, later},
    place::{made_at, message_of},
    read::event,
};

/// How old talk may be that goes on: what ended is told within the hour (SPEC 4), and an ask is open for an hour.
const TALK: SignedDuration = SignedDuration::from_hours(2);

/// How often the store, a channel or a page is asked for; some minutes in all.
const ATTEMPTS: u32 = 8;

/// A look back at one gap, from one conversation to the next.
#[derive(Debug, Default)]
pub(super) struct Look {
    /// Whether it is known where to look.
    has_begun: bool,
    left: Vec<(ChannelId, MessageId)>,
    read: BTreeSet<ChannelId>,
    found: Vec<Text>,
}

impl Look {
    /// Looks on as long as newer texts can wait for the older; returns whether that was all.
    pub(super) async fn in_time(&mut self, hearing: &Hearing<'_>) -> bool {
        let clock = &hearing.channel.clock;
        let until = later(clock.now(), limits::LOOK_BACK);
        let whole = async { while self.step(hearing).await {} };
        match future::select(pin!(whole), clock.sleep_until(until)).await {
            Either::Left(_) => true,
            Either::Right(_) => {
                tracing::warn!(channel = %hearing.channel.name, "looking back at a gap takes long");
                false
            }
        }
    }

    /// Looks at the next conversation; returns whether there may be more. Dropped in the middle, it is begun anew.
    pub(super) async fn step(&mut self, hearing: &Hearing<'_>) -> bool {
        let Some(me) = hearing.channel.known.me() else {
            return false;
        };
        if !self.has_begun {
            self.left = waiting(hearing).await;
            self.has_begun = true;
        }
        let Some(&(place, after)) = self.left.last() else {
            return false;
        };
        let history = if self.read.contains(&place) {
            None
        } else {
            History::read(hearing, place, after).await
        };
        self.left.pop();
        self.read.insert(place);
        let Some(history) = history else { return true };
        for thread in history.threads(&me) {
            let mut places = hearing.channel.known.places();
            places.learn(thread, Kind::Thread { parent: place });
            self.left.push((thread, MessageId::new(1)));
        }
        self.found.extend(history.unheard(&me));
        true
    }

    /// What was said and not heard, conversation by conversation, each oldest first.
    pub(super) fn found(&mut self) -> Vec<Text> {
        std::mem::take(&mut self.found)
    }
}

/// The conversations that are read anew, and from where on.
async fn waiting(hearing: &Hearing<'_>) -> Vec<(ChannelId, MessageId)> {
    let channel = hearing.channel;
    let mut from = channel.known.talks().since(channel.clock.now() - TALK);
    for posted in open(hearing).await {
        for (place, message) in posted
            .messages
            .iter()
            .filter_map(|shown| message_of(&shown.message))
        {
            // From the prompt itself on, because it tells whether there is a thread below it.
            let before = MessageId::new(message.get().saturating_sub(1).max(1));
            let first = from.entry(place).or_insert(before);
            *first = before.min(*first);
        }
    }
    from.into_iter().collect()
}

/// Where an answer is waited for, as soon as the store tells, however long that takes: until then nobody reads what was
/// said.
async fn open(hearing: &Hearing<'_>) -> Vec<Posted> {
    let channel = hearing.channel;
    let mut attempt = 0;
    loop {
        match hearing.inbox.open_on(&channel.name).await {
            Ok(open) => return open,
            Err(error) => tracing::warn!(
                channel = %channel.name,
                attempt,
                error = &error as &dyn std::error::Error,
                "open asks not known"
            ),
        }
        let pause = backoff::pause(attempt, channel.chance.as_ref());
        channel.pause(pause.min(super::LONGEST_PAUSE)).await;
        attempt = attempt.saturating_add(1);
    }
}

/// What was said in one conversation since something, as Discord tells it, oldest first.
struct History {
    place: ChannelId,
    messages: Vec<Value>,
}

/// What is looked at of a message to know whether it was heard.
#[derive(Debug, Deserialize)]
struct Told {
    id: MessageId,
    author: event::User,
    edited_timestamp: Option<String>,
    message_reference: Option<event::Reference>,
    thread: Option<event::Named<ChannelId>>,
}

impl Told {
    fn of(message: &Value) -> Option<Self> {
        Self::deserialize(message).ok()
    }
}

impl History {
    async fn read(hearing: &Hearing<'_>, place: ChannelId, after: MessageId) -> Option<Self> {
        let channel = hearing.channel;
        match Self::told(channel, place, after).await {
            Ok(messages) => Some(Self { place, messages }),
            Err(failure) => {
                tracing::warn!(
                    channel = %channel.name,
                    error = &failure as &dyn std::error::Error,
                    remedy = "askd doctor says whether the bot may read the history of its channels",
                    "texts of a gap not read"
                );
                None
            }
        }
    }

    async fn told(
        channel: &DiscordChannel,
        place: ChannelId,
        after: MessageId,
    ) -> Result<Vec<Value>, Failure> {
        let kind = channel.known.places().kind(place);
        if kind.is_none() {
            // Nothing in what was said says whether others read there.
            let told: event::Channel = patiently(channel, Route::Channel(place)).await?;
            channel.known.places().told(told);
        }
        let mut messages = Vec::new();
        let mut after = after;
        for _ in 0..limits::PAGES {
            let mut page: Vec<Value> = patiently(channel, Route::After(place, after)).await?;
            // The newest comes first.
            page.reverse();
            let last = page.last().and_then(Told::of);
            let is_whole = page.len() < limits::PAGE;
            messages.append(&mut page);
            match last {
                Some(last) if !is_whole => after = last.id,
                _ => return Ok(messages),
            }
        }
        tracing::warn!(channel = %channel.name, "too much was said in a gap");
        Ok(messages)
    }

    /// Threads below messages of ours.
    fn threads(&self, me: &Me) -> Vec<ChannelId> {
        let told = self.messages.iter().filter_map(Told::of);
        let ours = told.filter(|message| message.author.id == me.user);
        ours.filter_map(|message| Some(message.thread?.id)).collect()
    }

    /// What people said and we have not answered, as events.
    fn unheard(&self, me: &Me) -> Vec<Text> {
        let answers: BTreeMap<MessageId, Timestamp> = self
            .messages
            .iter()
            .filter_map(Told::of)
            .filter(|message| message.author.id == me.user)
            .filter_map(|ours| Some((ours.message_reference?.message_id?, made_at(ours.id.get()))))
            .collect();
        let texts = self.messages.iter().filter_map(|message| {
            let told = Told::of(message)?;
            if told.author.bot {
                return None;
            }
            let edited: Option<Timestamp> = told.edited_timestamp.and_then(|at| at.parse().ok());
            let kind = match (answers.get(&told.id), edited) {
                (None, _) => "MESSAGE_CREATE",
                (Some(answered), Some(edited)) if edited > *answered => "MESSAGE_UPDATE",
                (Some(_), _) => return None,
            };
            Some(Text {
                channel: self.place,
                kind: kind.to_owned(),
                json: json!({ "op": 0, "t": kind, "d": message }).to_string(),
            })
        });
        texts.collect()
    }
}

/// Asks again and again: what comes back after an outage does not come back all at once, and nobody will say it again.
async fn patiently<T: DeserializeOwned>(channel: &DiscordChannel, route: Route<'_>) -> Result<T, Failure> {
    let mut attempt = 0;
    loop {
        let failure = match channel.api.ask(route.clone()).await {
            Ok(told) => return Ok(told),
            Err(failure) => failure,
        };
        let pause = match failure.cause() {
            Some(Cause::Throttled(pause)) => Some(pause),
            None => Some(backoff::pause(attempt, channel.chance.as_ref())),
            Some(_) => None,
        };
        attempt += 1;
        match pause.filter(|_| attempt < ATTEMPTS) {
            Some(pause) => channel.pause(pause).await,
            None => return Err(failure),
        }
    }
}
