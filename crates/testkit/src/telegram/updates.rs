//! What waits to be fetched by the bot.
//!
//! An update is handed out again and again until a later poll names an offset beyond it, and it is gone when nobody has
//! fetched it in time. Which kinds are kept at all is a setting that sticks: a poll that does not name
//! `allowed_updates` goes on with what an earlier one named.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    time::Duration,
};

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::limits;

/// The first id. They begin somewhere and count up.
const FIRST: i64 = 870_000_001;

/// What is handed out while nobody has asked for anything else, of the kinds this fake makes.
const BY_DEFAULT: [&str; 6] = [
    "message",
    "edited_message",
    "channel_post",
    "edited_channel_post",
    "callback_query",
    "my_chat_member",
];

#[derive(Debug)]
pub(crate) struct Updates {
    waiting: VecDeque<Update>,
    next: i64,
    /// None while the default holds.
    allowed: Option<BTreeSet<String>>,
    pub(crate) webhook: Option<String>,
    /// The number of the newest poll. An older one that still waits has lost.
    pub(crate) newest_poll: u64,
    /// Polls that wait at this moment.
    pub(crate) polling: usize,
    /// The update that was handed out last, to be handed out again on demand.
    last: Option<Update>,
    handed_out: BTreeMap<i64, usize>,
}

#[derive(Clone, Debug)]
struct Update {
    id: i64,
    kind: &'static str,
    body: Value,
    gone_at: Timestamp,
    /// Handed out once more, whatever was confirmed.
    again: bool,
}

impl Default for Updates {
    fn default() -> Self {
        Self {
            waiting: VecDeque::new(),
            next: FIRST,
            allowed: None,
            webhook: None,
            newest_poll: 0,
            polling: 0,
            last: None,
            handed_out: BTreeMap::new(),
        }
    }
}

impl Updates {
    /// Adds an update, unless its kind is not wanted.
    pub(crate) fn push(&mut self, kind: &'static str, body: Value, now: Timestamp) {
        let wanted = match &self.allowed {
            Some(kinds) => kinds.contains(kind),
            None => BY_DEFAULT.contains(&kind),
        };
        if !wanted {
            return;
        }
        let waits = match kind {
            "callback_query" => limits::TAP_WAITS,
            _ => limits::MESSAGE_WAITS,
        };
        let id = self.next;
        self.next += 1;
        self.waiting.push_back(Update {
            id,
            kind,
            body,
            gone_at: now + waits,
            again: false,
        });
    }

    /// Takes the parameter `allowed_updates`. What is no array of texts changes nothing, and an empty one, or one of
    /// unknown kinds alone, brings the default back. Source: telegram-bot-api, `get_allowed_update_types`.
    pub(crate) fn allow(&mut self, kinds: Option<Value>) {
        let Some(Value::Array(kinds)) = kinds else {
            return;
        };
        let names: Option<BTreeSet<String>> = kinds
            .iter()
            .map(|kind| kind.as_str().map(str::to_lowercase))
            .collect();
        if let Some(names) = names {
            self.allowed = Some(names).filter(|names| !names.is_empty());
        }
    }

    pub(crate) fn allowed(&self) -> Option<Value> {
        let kinds = self.allowed.as_ref()?;
        Some(kinds.iter().map(|kind| Value::from(kind.as_str())).collect())
    }

    /// Drops what `offset` confirms: everything before it, or everything but the last few if it is negative.
    pub(crate) fn confirm(&mut self, offset: i64) {
        if offset < 0 {
            let keep = usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX);
            let drop = self.waiting.len().saturating_sub(keep);
            self.waiting.drain(..drop);
        } else {
            self.waiting.retain(|update| update.again || update.id >= offset);
        }
    }

    pub(crate) fn forget(&mut self) {
        self.waiting.clear();
    }

    pub(crate) fn expire(&mut self, now: Timestamp) {
        self.waiting.retain(|update| update.gone_at > now);
    }

    /// The oldest that wait, at most `limit`, as they are handed out.
    pub(crate) fn hand_out(&mut self, limit: usize) -> Vec<Value> {
        let mut batch = Vec::new();
        for update in self.waiting.iter_mut().take(limit) {
            update.again = false;
            *self.handed_out.entry(update.id).or_default() += 1;
            batch.push(update.clone());
        }
        if let Some(last) = batch.last() {
            self.last = Some(last.clone());
        }
        batch.iter().map(Update::to_json).collect()
    }

    pub(crate) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// How many wait that were never handed out.
    pub(crate) fn fresh(&self) -> usize {
        let fresh = |update: &&Update| update.again || !self.handed_out.contains_key(&update.id);
        self.waiting.iter().filter(fresh).count()
    }

    pub(crate) fn unseen(&self) -> usize {
        let seen = |update: &&Update| !update.again && self.handed_out.contains_key(&update.id);
        self.waiting.len() - self.waiting.iter().filter(seen).count()
    }

    /// How often each update was handed out, oldest first.
    pub(crate) fn handed_out(&self) -> impl Iterator<Item = usize> {
        self.handed_out.values().copied()
    }

    /// Lets the update that was handed out last wait again, as after a confirmation that got lost.
    pub(crate) fn repeat_last(&mut self, now: Timestamp) {
        let last = self.last.clone().expect("an update has been handed out");
        self.waiting.retain(|update| update.id != last.id);
        self.waiting.push_front(Update {
            gone_at: now + limits::MESSAGE_WAITS,
            again: true,
            ..last
        });
    }

    pub(crate) fn wait_until(now: Timestamp, seconds: i64) -> Timestamp {
        let wanted = Duration::from_secs(u64::try_from(seconds).unwrap_or(0));
        now + wanted.min(limits::POLL)
    }
}

impl Update {
    fn to_json(&self) -> Value {
        let mut fields = Map::new();
        fields.insert("update_id".to_owned(), json!(self.id));
        fields.insert(self.kind.to_owned(), self.body.clone());
        Value::Object(fields)
    }
}
