//! What the channel knows without asking: who it is, where people are reached, what they speak.
//!
//! All of it is forgotten with the process and learnt again: the bot introduces itself when it begins to listen, a direct
//! conversation is opened again by the next post (which gives the same one), and a language is asked for at the next
//! event.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use askd_core::{id::PostKey, words::Language};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

use crate::place::Place;

/// How long a language is believed. People change it less often than that.
const LANGUAGE_FOR: SignedDuration = SignedDuration::from_hours(6);

/// How long nothing is asked about somebody of whom nothing could be found out.
const SILENCE_FOR: SignedDuration = SignedDuration::from_mins(5);

/// Posts of which it is remembered that they may stand. Each is asked about once more, minutes later.
const MOST_UNCLEAR: usize = 256;

/// The bot itself, as `auth.test` introduces it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Me {
    /// Its account, as mentions name it.
    #[serde(rename = "user_id")]
    pub user: String,
    /// Its name as the author of messages.
    #[serde(rename = "bot_id")]
    pub bot: String,
    /// What it is called.
    #[serde(rename = "user")]
    pub name: String,
    /// The workspace.
    #[serde(default)]
    pub team: String,
    /// Its id.
    #[serde(default)]
    pub team_id: String,
    /// The organisation that the workspace is part of, if it is of one. Within it ids of people are unique.
    #[serde(default)]
    pub enterprise_id: Option<String>,
}

impl Me {
    /// Whether somebody of this workspace is a guest from elsewhere, in a channel that workspaces share. An id of a person
    /// says who they are in their own workspace alone (Slack's reference, "User types").
    pub(crate) fn is_foreign(&self, team: Option<&str>) -> bool {
        let differs = team.is_some_and(|team| team != self.team_id);
        self.enterprise_id.is_none() && !self.team_id.is_empty() && differs
    }
}

/// What is known, shared by the calls and the connection.
#[derive(Debug, Default)]
pub(crate) struct Known {
    me: Mutex<Option<Arc<Me>>>,
    /// Direct conversations by person.
    direct: Mutex<BTreeMap<String, String>>,
    /// Until when it is believed, by person.
    languages: Mutex<BTreeMap<String, (Option<Language>, Timestamp)>>,
    /// Threads that were posted to as places, whoever began them.
    threads: Mutex<Threads>,
    unclear: Mutex<VecDeque<String>>,
}

/// What is known of a person's language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spoken {
    /// It is time to ask.
    Unasked,
    /// What was told; nothing, where that is not one of ours or could not be found out.
    Known(Option<Language>),
}

/// Threads that are places of their own.
#[derive(Clone, Debug, Default)]
pub struct Threads(BTreeSet<Place>);

impl Threads {
    /// This thread was posted to as a place.
    pub fn learn(&mut self, place: &Place) {
        if place.thread.is_some() {
            self.0.insert(place.clone());
        }
    }

    /// Whether it was.
    pub(crate) fn has(&self, place: &Place) -> bool {
        self.0.contains(place)
    }
}

impl Known {
    pub(crate) fn me(&self) -> Option<Arc<Me>> {
        lock(&self.me).clone()
    }

    pub(crate) fn introduce(&self, me: Me) -> Arc<Me> {
        let me = Arc::new(me);
        *lock(&self.me) = Some(Arc::clone(&me));
        me
    }

    pub(crate) fn direct(&self, person: &str) -> Option<String> {
        lock(&self.direct).get(person).cloned()
    }

    pub(crate) fn reached_at(&self, person: &str, conversation: &str) {
        lock(&self.direct).insert(person.to_owned(), conversation.to_owned());
    }

    /// What somebody speaks.
    pub(crate) fn language(&self, person: &str, now: Timestamp) -> Spoken {
        match lock(&self.languages).get(person) {
            Some((language, until)) if now < *until => Spoken::Known(*language),
            _ => Spoken::Unasked,
        }
    }

    pub(crate) fn speaks(&self, person: &str, language: Option<Language>, now: Timestamp) {
        let until = now
            + if language.is_some() {
                LANGUAGE_FOR
            } else {
                SILENCE_FOR
            };
        let mut languages = lock(&self.languages);
        languages.retain(|_, (_, until)| now < *until);
        languages.insert(person.to_owned(), (language, until));
    }

    pub(crate) fn threads(&self) -> MutexGuard<'_, Threads> {
        lock(&self.threads)
    }

    /// A post by this key may stand although its answer was lost.
    pub(crate) fn may_stand(&self, key: &PostKey) {
        let mut unclear = lock(&self.unclear);
        if unclear.len() == MOST_UNCLEAR {
            unclear.pop_front();
        }
        unclear.push_back(key.to_string());
    }

    /// Whether one may, from an earlier attempt; forgets it.
    pub(crate) fn might_stand(&self, key: &PostKey) -> bool {
        let (mut unclear, key) = (lock(&self.unclear), key.to_string());
        let before = unclear.len();
        unclear.retain(|known| *known != key);
        unclear.len() < before
    }
}

/// A panic while one of these is held leaves a whole value behind: each is changed in one step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use askd_core::id::DeliveryId;
    use askd_testkit::{chance::SeededChance, clock::START};

    use super::*;

    #[test]
    fn a_language_is_believed_for_a_while_and_a_failure_for_a_short_one() {
        let known = Known::default();
        known.speaks("U1", Some(Language::Persian), START);
        known.speaks("U2", None, START);

        let later = START + SILENCE_FOR;
        assert_eq!(
            known.language("U1", later),
            Spoken::Known(Some(Language::Persian))
        );
        assert_eq!(known.language("U2", START), Spoken::Known(None));
        assert_eq!(known.language("U2", later), Spoken::Unasked, "time to ask again");
        assert_eq!(known.language("U1", START + LANGUAGE_FOR), Spoken::Unasked);
        assert_eq!(known.language("U3", START), Spoken::Unasked);
    }

    #[test]
    fn a_post_that_may_stand_is_asked_about_once_and_not_for_ever_remembered() {
        let (known, chance) = (Known::default(), SeededChance::new(1));
        let keys: Vec<PostKey> = (0..=MOST_UNCLEAR)
            .map(|_| PostKey::prompt(DeliveryId::make(&chance)))
            .collect();
        for key in &keys {
            known.may_stand(key);
        }

        assert!(!known.might_stand(&keys[0]), "the oldest is forgotten");
        assert!(known.might_stand(&keys[1]));
        assert!(!known.might_stand(&keys[1]));
    }
}
