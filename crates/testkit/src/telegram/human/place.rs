//! Where people talk.

use std::sync::Arc;

use super::person::Person;
use crate::telegram::{
    World,
    entities::Formatted,
    message::{Author, Body, Draft, MessageAt, Service, Thread},
    state::{ChatKind, Standing, Topic},
};

/// A conversation, or one topic of a forum.
#[derive(Clone, Debug)]
pub struct Place {
    pub(super) world: Arc<World>,
    pub(super) chat: i64,
    pub(super) topic: Option<i64>,
}

impl Place {
    pub(crate) fn open(world: &Arc<World>, kind: ChatKind, title: &str, members: &[&Person]) -> Self {
        let chat = world.change(|state| {
            let id = state.open_chat(kind, title);
            let chat = state.chat_mut(id);
            for (n, person) in members.iter().enumerate() {
                let standing = if n == 0 {
                    Standing::Creator
                } else {
                    Standing::Member
                };
                chat.members.insert(person.id(), standing);
            }
            // That the bot was added is past: what it was told then, it has fetched.
            let service = match kind {
                ChatKind::Group | ChatKind::Private => Service::GroupCreated,
                ChatKind::Supergroup { .. } => Service::SupergroupCreated,
                ChatKind::Channel => Service::ChannelCreated,
            };
            let at = MessageAt { chat: id, id: 1 };
            let author = members
                .first()
                .map_or(Author::Channel, |first| Author::Account(first.id()));
            let first = Draft::new(author, Body::Service(service)).into_message(at, state.now);
            let chat = state.chat_mut(id);
            chat.messages.insert(at.id, first);
            if kind == ChatKind::Channel {
                chat.bot = Standing::Administrator;
            }
            id
        });
        Self {
            world: Arc::clone(world),
            chat,
            topic: None,
        }
    }

    /// The chat's id.
    #[must_use]
    pub fn id(&self) -> i64 {
        self.chat
    }

    /// The topic's id; none in the General topic and outside forums.
    #[must_use]
    pub fn topic_id(&self) -> Option<i64> {
        self.topic
    }

    /// Opens a topic of this forum. The bot is told.
    ///
    /// # Panics
    /// If this is no forum with an owner.
    #[must_use]
    pub fn open_topic(&self, name: &str) -> Self {
        let topic = self.world.change(|state| {
            let chat = state.chat_mut(self.chat);
            assert!(chat.is_forum(), "only forums have topics");
            let owner = *chat.members.keys().next().expect("a forum has an owner");
            let root = chat.messages.keys().next_back().map_or(1, |last| last + 1);
            chat.topics.insert(
                root,
                Topic {
                    name: name.to_owned(),
                    closed: false,
                },
            );
            let service = Body::Service(Service::TopicCreated(name.to_owned()));
            let thread = Some(Thread { root, is_topic: true });
            state.post(
                self.chat,
                Draft {
                    thread,
                    ..Draft::new(Author::Account(owner), service)
                },
            );
            root
        });
        Self {
            topic: Some(topic),
            ..self.clone()
        }
    }

    /// Closes this topic: only administrators may write there.
    pub fn close_topic(&self) {
        self.world.change(|state| {
            let topics = &mut state.chat_mut(self.chat).topics;
            if let Some(topic) = self.topic.and_then(|topic| topics.get_mut(&topic)) {
                topic.closed = true;
            }
        });
    }

    /// Makes a supergroup of this group, which keeps its people and gets another id. The bot is told in both.
    ///
    /// # Panics
    /// If this is no basic group.
    #[must_use]
    pub fn upgrade(&self) -> Self {
        let chat = self.world.change(|state| {
            let old = state.chat(self.chat).clone();
            assert_eq!(old.kind, ChatKind::Group, "only basic groups are upgraded");
            let owner = *old.members.keys().next().expect("a group has an owner");
            let new = state.open_chat(ChatKind::Supergroup { forum: false }, &old.title);
            state.chat_mut(new).members = old.members;
            let author = Author::Account(owner);
            state.post(
                old.id,
                Draft::new(author, Body::Service(Service::MigratedTo(new))),
            );
            state.post(
                new,
                Draft::new(author, Body::Service(Service::MigratedFrom(old.id))),
            );
            state.chat_mut(old.id).migrated_to = Some(new);
            new
        });
        Self {
            chat,
            topic: None,
            world: Arc::clone(&self.world),
        }
    }

    /// Gives the group another name, which is a service message.
    pub fn rename(&self, by: &Person, title: &str) {
        self.world.change(|state| {
            title.clone_into(&mut state.chat_mut(self.chat).title);
            let renamed = Body::Service(Service::Renamed(title.to_owned()));
            state.post(self.chat, Draft::new(Author::Account(by.id()), renamed));
        });
    }

    /// Adds somebody, which is a service message.
    pub fn add(&self, person: &Person) {
        self.world.change(|state| {
            let chat = state.chat_mut(self.chat);
            chat.members.insert(person.id(), Standing::Member);
            let joined = Body::Service(Service::Joined(vec![person.id()]));
            state.post(self.chat, Draft::new(Author::Account(person.id()), joined));
        });
    }

    /// Somebody leaves, which is a service message.
    pub fn leave(&self, person: &Person) {
        self.world.change(|state| {
            state
                .chat_mut(self.chat)
                .members
                .insert(person.id(), Standing::Left);
            let left = Body::Service(Service::Left(person.id()));
            state.post(self.chat, Draft::new(Author::Account(person.id()), left));
        });
    }

    /// Makes somebody an administrator.
    pub fn promote(&self, person: &Person) {
        self.world.change(|state| {
            let chat = state.chat_mut(self.chat);
            chat.members.insert(person.id(), Standing::Administrator);
        });
    }

    /// Makes the bot an administrator, which hears everything. The bot is told.
    pub fn promote_bot(&self) {
        self.set_bot(Standing::Administrator);
    }

    /// Throws the bot out. It is told.
    pub fn kick_bot(&self) {
        self.set_bot(Standing::Kicked);
    }

    /// Takes the bot in again. It is told.
    pub fn add_bot(&self) {
        self.set_bot(Standing::Member);
    }

    fn set_bot(&self, new: Standing) {
        self.world.change(|state| {
            let chat = state.chat(self.chat);
            let by = chat.members.keys().next().copied();
            let by = by.expect("somebody is there to do it");
            let update = state.my_member_changed(chat, by, chat.bot, new);
            let now = state.now;
            state.updates.push("my_chat_member", update, now);
            state.chat_mut(self.chat).bot = new;
            let line = match new {
                Standing::Kicked | Standing::Left => "(the bot is thrown out)",
                Standing::Administrator => "(the bot is made an administrator)",
                _ => "(the bot is taken in)",
            };
            state.tell(self.chat, None, line);
        });
    }

    /// The channel says something.
    pub fn post(&self, text: &str) -> MessageAt {
        self.world.change(|state| {
            let body = Body::Text(Formatted::typed(text));
            state.post(self.chat, Draft::new(Author::Channel, body))
        })
    }

    /// The channel changes what it said.
    pub fn change_post(&self, at: MessageAt, text: &str) {
        self.world.change(|state| state.retype(at, text));
    }

    /// Deletes a message, as an administrator may. Bots are not told.
    pub fn delete(&self, at: MessageAt) {
        self.world.change(|state| state.delete(at));
    }
}
