//! What was said while nobody heard it.
//!
//! An envelope is acknowledged before its event is stored, so a process that dies in between leaves nothing behind that
//! Slack would send again; and what is said while no socket stands is sent again for a short while only. So after the
//! start and after each gap, the conversations in which something is open are read again, from the prompt on. What was
//! taken over before and left a trace is passed over by its name; what was merely answered (that nothing is open, say), by
//! the answer, where that is a message: its blocks name the text. In a channel answers are seen by one alone and are in no
//! past, so a command or a hint that belongs to no ask may be answered a second time there.
//!
//! What it costs: a call for each conversation with an open ask, and one for each message of ours below which somebody
//! wrote.

use std::collections::{BTreeMap, BTreeSet};

use askd_core::{channel::Posted, dispatch::backoff};
use serde::Deserialize as _;

use super::{hearing::Hearing, later};
use crate::{
    api::history::{self, Since},
    error::Cause,
    place::{Place, Ts, message_of},
    read::{Answer, Did, Reading, event::Message, read_again},
    render::answered_by,
};

/// Longest pause before the store is asked again what is open.
const LONGEST_PAUSE: std::time::Duration = std::time::Duration::from_secs(30);

/// How often a conversation is; some minutes in all.
const READS: u32 = 8;

impl Hearing<'_> {
    /// What was said where something is open, oldest first in each place.
    pub(super) async fn missed(&self) -> Vec<Did> {
        let mut missed = Vec::new();
        for (place, ours) in by_place(self.open().await) {
            self.channel.known.threads().learn(&place);
            missed.extend(self.missed_at(&place, &ours).await);
        }
        missed
    }

    /// What is open, as soon as the store tells, however long that takes: until then nobody reads what was said.
    async fn open(&self) -> Vec<Posted> {
        let (channel, clock) = (self.channel, &self.channel.clock);
        let mut attempt = 0;
        loop {
            match self.inbox.open_on(&channel.name).await {
                Ok(open) => return open,
                Err(error) => tracing::warn!(
                    channel = %channel.name,
                    attempt,
                    error = &error as &dyn std::error::Error,
                    "open asks not told"
                ),
            }
            let pause = backoff::pause(attempt, channel.chance.as_ref()).min(LONGEST_PAUSE);
            clock.sleep_until(later(clock.now(), pause)).await;
            attempt = attempt.saturating_add(1);
        }
    }

    /// What was said in one place. `ours`: our messages there about what is open, from the oldest on.
    async fn missed_at(&self, place: &Place, ours: &[Ts]) -> Vec<Did> {
        let Some(first) = ours.first() else {
            return Vec::new();
        };
        let mut past = self.past(place, first).await;
        if place.thread.is_none() {
            let messages = past
                .iter()
                .filter_map(|message| Message::deserialize(message).ok());
            let answered = messages.filter(|message| message.has_replies() && ours.contains(&message.ts));
            for root in answered.map(|message| message.ts).collect::<Vec<_>>() {
                let thread = Place {
                    thread: Some(root.clone()),
                    ..place.clone()
                };
                past.extend(self.past(&thread, &root).await);
            }
        }
        let Some(me) = self.channel.known.me() else {
            return Vec::new();
        };
        let threads = self.channel.known.threads().clone();
        let reading = Reading {
            channel: &self.channel.name,
            me: &me,
            threads: &threads,
            now: self.channel.clock.now(),
        };
        let answered: BTreeSet<Ts> = past.iter().filter_map(answered_by).collect();
        let is_open = |did: &Did| match &did.answer {
            Answer::Said { ts, .. } => !answered.contains(ts),
            Answer::Press { .. } | Answer::Form { .. } => true,
        };
        let mut said: Vec<Did> = past
            .iter()
            .filter_map(|message| read_again(message, &place.conversation, &reading))
            .filter(is_open)
            .collect();
        said.sort_by_key(|did| did.inbound.when);
        said
    }

    /// What was said in one conversation or thread. What comes back after an outage does not come back all at once, so it
    /// is asked for with patience: nobody will say it again.
    async fn past(&self, place: &Place, from: &Ts) -> Vec<serde_json::Value> {
        let channel = self.channel;
        let mut attempt = 0;
        loop {
            let failure = match history::read(channel, place, &Since::Message(from.clone())).await {
                Ok(past) => return past,
                Err(failure) => failure,
            };
            let pause = match failure.cause() {
                Some(Cause::Throttled(pause)) => Some(pause),
                Some(Cause::Server) | None => Some(backoff::pause(attempt, channel.chance.as_ref())),
                Some(_) => None,
            };
            attempt += 1;
            let Some(pause) = pause.filter(|_| attempt < READS) else {
                tracing::warn!(
                    channel = %channel.name,
                    error = &failure as &dyn std::error::Error,
                    "conversation not read again"
                );
                return Vec::new();
            };
            let until = later(channel.clock.now(), pause);
            channel.clock.sleep_until(until).await;
        }
    }
}

/// Our messages in each conversation, oldest first.
fn by_place(open: Vec<Posted>) -> BTreeMap<Place, Vec<Ts>> {
    let mut places: BTreeMap<Place, Vec<Ts>> = BTreeMap::new();
    for Posted { at, messages } in open {
        if let Ok(place) = Place::parse(&at.local) {
            let ours = messages.iter().filter_map(|posted| message_of(&posted.message));
            places.entry(place).or_default().extend(ours.map(|(_, ts)| ts));
        }
    }
    for ours in places.values_mut() {
        ours.sort_by_key(Ts::placed);
    }
    places
}
