//! What answers whom, and what rings.
//!
//! Slack marks neither: a message of an app is a message, and nothing can be sent silently. Tests have to tell an
//! answer from a new question all the same, so it is told as a person tells it. Whoever has just said or pressed
//! something looks at the conversation, and the next that appears there is the answer; it does not ring, because Slack
//! does not notify of a conversation that is open. What comes unasked rings, each part of it, and nothing can be done
//! about that; what comes at once is at least heard as one.

use std::{collections::BTreeMap, time::Duration};

use jiff::Timestamp;

use super::{
    message::Message,
    state::{Kind, State},
};

/// What is heard as one ring.
const AT_ONCE: Duration = Duration::from_secs(3);

/// Who waits for an answer.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    /// How much somebody has done in a conversation that the app knows of and has not answered.
    waiting: BTreeMap<(String, String), usize>,
    /// When a conversation rang last, since somebody last did something there.
    rang: BTreeMap<String, Timestamp>,
    /// How many pieces of feedback there were: answers, forms, texts for one alone.
    pub(crate) given: usize,
    /// What one person alone was shown, in order.
    pub(crate) told: Vec<(String, String)>,
}

impl Answers {
    /// The app was told of something that somebody did.
    pub(crate) fn expect(&mut self, channel: &str, who: &str) {
        *self
            .waiting
            .entry((channel.to_owned(), who.to_owned()))
            .or_default() += 1;
    }

    /// Somebody did something in a conversation: they have seen what is there.
    pub(crate) fn attend(&mut self, channel: &str) {
        self.rang.remove(channel);
    }

    /// Whether somebody there waits for an answer.
    pub(crate) fn awaited(&self, channel: &str) -> bool {
        self.waiting
            .iter()
            .any(|((at, _), count)| at == channel && *count > 0)
    }

    /// Whether somebody in particular waits there.
    pub(crate) fn awaited_by(&self, channel: &str, who: &str) -> bool {
        let waiting = self.waiting.get(&(channel.to_owned(), who.to_owned()));
        waiting.is_some_and(|count| *count > 0)
    }

    /// Somebody was shown something in answer to what they did there; true if they waited for it.
    pub(crate) fn give(&mut self, channel: &str, who: &str) -> bool {
        self.given += 1;
        let waiting = self.waiting.get_mut(&(channel.to_owned(), who.to_owned()));
        match waiting {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }

    /// The same for whoever waits there, if somebody does.
    fn give_any(&mut self, channel: &str) -> bool {
        let waits = self
            .waiting
            .iter()
            .find(|((at, _), count)| at == channel && **count > 0);
        match waits.map(|((_, who), _)| who.clone()) {
            Some(who) => self.give(channel, &who),
            None => false,
        }
    }
}

impl State {
    /// Whether a message of the app answers somebody. In a channel only what stands in a thread does: the rest is for
    /// all.
    pub(crate) fn answered_by(&mut self, message: &Message) -> bool {
        let channel = &message.at.channel;
        if let Some(who) = &message.only {
            let text = self.shown(message, who).text();
            self.answers.told.push((who.clone(), text));
            return self.answers.give(channel, who);
        }
        let direct = self.conversation(channel).kind == Kind::Direct;
        (direct || message.thread.is_some()) && self.answers.give_any(channel)
    }

    /// Whether telephones ring at a new message of the app.
    pub(crate) fn rings(&self, message: &Message) -> bool {
        let direct = self.conversation(&message.at.channel).kind == Kind::Direct;
        !message.answers && (direct || message.thread.is_none())
    }

    /// Whether a message that rings came at once with one that rang before.
    pub(crate) fn is_at_once(&mut self, message: &Message) -> bool {
        let now = self.now;
        if !message.rang || self.conversation(&message.at.channel).kind != Kind::Direct {
            return false;
        }
        let last = self.answers.rang.insert(message.at.channel.clone(), now);
        last.is_some_and(|last| now.duration_since(last).unsigned_abs() <= AT_ONCE)
    }
}
