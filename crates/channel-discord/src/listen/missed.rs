//! What was said while nobody listened.
//!
//! A session that could not be resumed leaves a gap, and so does every start: what happened in it is told to nobody. A
//! press in the gap has failed before people's eyes and is made again; a text has not. So at the beginning of each
//! session the conversations that wait for an answer are read anew from their prompts on, with the threads below those,
//! and those in which there has been talk since the process began, from the last message of it on.
//!
//! What has an answer of ours below it was heard then, and is passed over, unless it was changed after that. What counted
//! is recognised by the core.

use std::collections::{BTreeMap, BTreeSet};

use askd_core::channel::Posted;
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
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

/// How often the store or a page is asked for.
const ATTEMPTS: u32 = 3;

/// The pause after an attempt that failed.
const SHORT: std::time::Duration = std::time::Duration::from_secs(1);

/// Everything that was said in the gap, conversation by conversation, each oldest first.
pub(super) async fn missed(hearing: &Hearing<'_>, me: &Me) -> Vec<Text> {
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
    let until = later(channel.clock.now(), limits::LOOK_BACK);
    let mut found = Vec::new();
    let mut left: Vec<(ChannelId, MessageId)> = from.into_iter().collect();
    let mut read = BTreeSet::new();
    while let Some((place, after)) = left.pop() {
        if !read.insert(place) {
            continue;
        }
        if channel.clock.now() > until {
            tracing::warn!(channel = %channel.name, "looking back at a gap took too long");
            break;
        }
        let Some(history) = History::read(hearing, place, after).await else {
            continue;
        };
        for thread in history.threads(me) {
            channel
                .known
                .places()
                .learn(thread, Kind::Thread { parent: place });
            left.push((thread, MessageId::new(1)));
        }
        found.extend(history.unheard(me));
    }
    if !found.is_empty() {
        tracing::info!(channel = %channel.name, texts = found.len(), "texts of a gap read");
    }
    found
}

/// Where an answer is waited for.
async fn open(hearing: &Hearing<'_>) -> Vec<Posted> {
    let channel = hearing.channel;
    for attempt in 1..=ATTEMPTS {
        match hearing.inbox.open_on(&channel.name).await {
            Ok(open) => return open,
            Err(error) => tracing::warn!(
                channel = %channel.name,
                attempt,
                error = &error as &dyn std::error::Error,
                "open asks not known"
            ),
        }
        if attempt < ATTEMPTS {
            channel.pause(SHORT).await;
        }
    }
    Vec::new()
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
        hearing.look_up(place).await;
        // Nothing in what was said says whether others read there.
        channel.known.places().kind(place)?;
        let mut history = Self {
            place,
            messages: Vec::new(),
        };
        let mut after = after;
        for _ in 0..limits::PAGES {
            let mut page = match page(channel, place, after).await {
                Ok(page) => page,
                Err(failure) => {
                    tracing::warn!(
                        channel = %channel.name,
                        error = &failure as &dyn std::error::Error,
                        remedy = "askd doctor says whether the bot may read the history of its channels",
                        "texts of a gap not read"
                    );
                    return None;
                }
            };
            // The newest comes first.
            page.reverse();
            let last = page.last().and_then(Told::of);
            let is_whole = page.len() < limits::PAGE;
            history.messages.append(&mut page);
            match last {
                Some(last) if !is_whole => after = last.id,
                _ => return Some(history),
            }
        }
        tracing::warn!(channel = %channel.name, "too much was said in a gap");
        Some(history)
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

async fn page(channel: &DiscordChannel, place: ChannelId, after: MessageId) -> Result<Vec<Value>, Failure> {
    let mut attempt = 1;
    loop {
        let failure = match channel.api.ask(Route::After(place, after)).await {
            Ok(page) => return Ok(page),
            Err(failure) => failure,
        };
        let pause = match failure.cause() {
            Some(Cause::Throttled(pause)) if pause <= limits::WORTH_WAITING => pause,
            None => SHORT,
            _ => return Err(failure),
        };
        if attempt == ATTEMPTS {
            return Err(failure);
        }
        attempt += 1;
        channel.pause(pause).await;
    }
}
