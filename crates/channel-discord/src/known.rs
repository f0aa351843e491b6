//! What the channel knows without asking: who it is, which channel is what, and where there has been talk.
//!
//! A message tells the number of its channel and not whether that is a thread, and below which message. Servers tell of
//! their channels and threads at the beginning of a session and when they change; what was not told is looked up once
//! (`listen`). All of it is forgotten with the process.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serenity::model::id::{ApplicationId, ChannelId, MessageId, RoleId, UserId};

use crate::{channel::Sent, place::made_at, read::event};

/// The bot itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Me {
    /// Its account.
    pub user: UserId,
    /// Its application.
    pub application: ApplicationId,
    /// Whether the content of every text in a server is handed over, or only of those that mention us.
    pub hears_groups: bool,
}

/// What a channel is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// With one person alone.
    Direct,
    /// In a server.
    Channel,
    /// In a channel of a server, below the message of the thread's own number, if there is one.
    Thread {
        /// That channel.
        parent: ChannelId,
    },
}

/// Channels and threads.
#[derive(Clone, Debug, Default)]
pub struct Places {
    kinds: BTreeMap<ChannelId, Kind>,
    directs: BTreeMap<UserId, ChannelId>,
    /// Roles that servers made for us: people mention them in our place.
    ours: BTreeSet<RoleId>,
}

impl Places {
    /// What this channel is, if that is known.
    #[must_use]
    pub fn kind(&self, channel: ChannelId) -> Option<Kind> {
        self.kinds.get(&channel).copied()
    }

    /// The conversation with this person, if it was opened before.
    pub(crate) fn direct(&self, user: UserId) -> Option<ChannelId> {
        self.directs.get(&user).copied()
    }

    /// Remembers what a channel is.
    pub fn learn(&mut self, channel: ChannelId, kind: Kind) {
        self.kinds.insert(channel, kind);
    }

    /// Remembers the conversation with this person.
    pub(crate) fn opened(&mut self, user: UserId, channel: ChannelId) {
        self.directs.insert(user, channel);
        self.learn(channel, Kind::Direct);
    }

    pub(crate) fn is_our_role(&self, role: RoleId) -> bool {
        self.ours.contains(&role)
    }

    /// Learns from an event of this kind; returns whether it was one of those that tell of channels.
    pub fn hear(&mut self, kind: &str, json: &str, me: UserId) -> bool {
        match kind {
            "GUILD_CREATE" | "THREAD_LIST_SYNC" => self.guild(&parse(json).unwrap_or_default(), me),
            "CHANNEL_CREATE" | "CHANNEL_UPDATE" | "THREAD_CREATE" | "THREAD_UPDATE" => {
                if let Some(channel) = parse(json) {
                    self.told(channel);
                }
            }
            "CHANNEL_DELETE" | "THREAD_DELETE" => {
                if let Some(channel) = parse::<event::Channel>(json) {
                    self.kinds.remove(&channel.id);
                }
            }
            "GUILD_ROLE_CREATE" | "GUILD_ROLE_UPDATE" => {
                #[derive(serde::Deserialize)]
                struct Told {
                    role: event::Role,
                }
                if let Some(Told { role }) = parse(json) {
                    self.role(&role, me);
                }
            }
            _ => return false,
        }
        true
    }

    fn guild(&mut self, guild: &event::Guild, me: UserId) {
        for channel in guild.channels.iter().chain(&guild.threads) {
            self.told(*channel);
        }
        for role in &guild.roles {
            self.role(role, me);
        }
    }

    /// A channel was told of or looked up.
    pub(crate) fn told(&mut self, channel: event::Channel) {
        let kind = match channel.parent_id {
            _ if channel.is_direct() => Kind::Direct,
            Some(parent) if channel.is_thread() => Kind::Thread { parent },
            _ => Kind::Channel,
        };
        self.learn(channel.id, kind);
    }

    fn role(&mut self, role: &event::Role, me: UserId) {
        if role.tags.bot_id == Some(me) {
            self.ours.insert(role.id);
        }
    }
}

/// What is not understood is looked up when it is needed.
fn parse<T: DeserializeOwned>(json: &str) -> Option<T> {
    serde_json::from_str::<event::Payload<T>>(json)
        .ok()
        .map(|event| event.d)
}

/// Conversations in which there has been talk since the process began, and the last message of each: after a gap, they
/// are read anew from there.
#[derive(Debug, Default)]
pub(crate) struct Talks(BTreeMap<ChannelId, MessageId>);

impl Talks {
    /// There is talk in this conversation, ours or somebody's with us alone.
    pub(crate) fn begin(&mut self, channel: ChannelId, message: MessageId) {
        let last = self.0.entry(channel).or_insert(message);
        *last = message.max(*last);
    }

    /// Something was said; where there has been no talk before, it is none of ours.
    pub(crate) fn go_on(&mut self, channel: ChannelId, message: MessageId) {
        if self.0.contains_key(&channel) {
            self.begin(channel, message);
        }
    }

    /// Those with a message made since then; the others are forgotten.
    pub(crate) fn since(&mut self, then: Timestamp) -> BTreeMap<ChannelId, MessageId> {
        self.0.retain(|_, last| made_at(last.get()) >= then);
        self.0.clone()
    }
}

/// What is known, shared by the calls and the connection.
#[derive(Debug, Default)]
pub(crate) struct Known {
    me: Mutex<Option<Arc<Me>>>,
    places: Mutex<Places>,
    talks: Mutex<Talks>,
    /// By nonce, oldest first.
    own: Mutex<VecDeque<(String, Sent)>>,
}

/// Messages of ours whose nonce is remembered: more than are posted while one that was not confirmed is tried again.
const MOST_OWN: usize = 512;

impl Known {
    /// A message of ours was told of, with the nonce it was sent with. That it stands is known so, also where the answer to
    /// the call that sent it was lost; Discord itself knows a nonce again for some minutes only.
    pub(crate) fn stands(&self, nonce: &str, message: Sent) {
        let mut own = lock(&self.own);
        if own.len() >= MOST_OWN {
            own.pop_front();
        }
        own.push_back((nonce.to_owned(), message));
    }

    /// The message of ours that was sent with this nonce, if it was told of.
    pub(crate) fn sent_with(&self, nonce: &str) -> Option<Sent> {
        let own = lock(&self.own);
        let found = own.iter().find(|(known, _)| known == nonce);
        found.map(|(_, message)| *message)
    }

    pub(crate) fn me(&self) -> Option<Arc<Me>> {
        lock(&self.me).clone()
    }

    pub(crate) fn introduce(&self, me: Me) {
        *lock(&self.me) = Some(Arc::new(me));
    }

    pub(crate) fn places(&self) -> MutexGuard<'_, Places> {
        lock(&self.places)
    }

    pub(crate) fn talks(&self) -> MutexGuard<'_, Talks> {
        lock(&self.talks)
    }
}

/// A panic while one of these is held leaves a whole value behind: each is changed in one step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ME: UserId = UserId::new(99);

    fn kinds(places: &Places) -> Vec<(u64, Kind)> {
        places.kinds.iter().map(|(id, kind)| (id.get(), *kind)).collect()
    }

    #[test]
    fn a_server_tells_its_channels_threads_and_our_role() {
        let mut places = Places::default();

        let heard = places.hear(
            "GUILD_CREATE",
            r#"{"op": 0, "d": {
                "id": "1",
                "channels": [{"id": "10", "type": 0, "parent_id": "9"}, {"id": "11", "type": 250}],
                "threads": [{"id": "20", "type": 11, "parent_id": "10"}],
                "roles": [{"id": "30", "tags": {"bot_id": "99"}}, {"id": "31", "tags": {"bot_id": "98"}}, {"id": "32"}]
            }}"#,
            ME,
        );

        assert!(heard);
        let parent = ChannelId::new(10);
        assert_eq!(
            kinds(&places),
            [
                (10, Kind::Channel),
                (11, Kind::Channel),
                (20, Kind::Thread { parent })
            ]
        );
        let ours = [30, 31, 32].map(|role| places.is_our_role(RoleId::new(role)));
        assert_eq!(ours, [true, false, false]);
    }

    #[test]
    fn talk_that_is_long_over_is_forgotten() {
        let (mut talks, channel) = (Talks::default(), ChannelId::new);
        // As many milliseconds after the first snowflake.
        let message = |millis: u64| MessageId::new(millis << 22);
        talks.begin(channel(1), message(10));
        talks.begin(channel(2), message(20));
        talks.go_on(channel(2), message(40));
        talks.go_on(channel(2), message(30));
        talks.go_on(channel(3), message(50));

        let since = talks.since(made_at(message(15).get()));

        assert_eq!(since, BTreeMap::from([(channel(2), message(40))]));
        assert_eq!(talks.0.len(), 1);
    }

    #[test]
    fn a_thread_is_known_from_its_beginning_to_its_end() {
        let mut places = Places::default();
        let thread = r#"{"op": 0, "d": {"id": "20", "type": 11, "parent_id": "10", "name": "x"}}"#;

        places.hear("THREAD_CREATE", thread, ME);
        let parent = ChannelId::new(10);
        assert_eq!(kinds(&places), [(20, Kind::Thread { parent })]);
        places.hear("THREAD_DELETE", thread, ME);

        assert_eq!(kinds(&places), []);
        assert!(!places.hear("MESSAGE_CREATE", thread, ME));
    }
}
