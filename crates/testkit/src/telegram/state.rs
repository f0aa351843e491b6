//! What the servers know: accounts, chats, messages, and what waits for the bot.
//!
//! Everything that happens, be it asked for by the bot or done by a person, is a method here or in [`methods`] or
//! [`human`] and changes this state under one lock. What time it is stands in it, so that no step of one change is
//! later than another.
//!
//! [`methods`]: super::methods
//! [`human`]: super::human

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::{
    Setup,
    faults::Faults,
    message::{Author, Body, Draft, Message, MessageAt, Thread},
    methods::Call,
    rates::Rates,
    transcript::Transcript,
    updates::Updates,
};
use crate::world::Servers;

/// The first account; beyond 32 bits, as real ones are.
const FIRST_ACCOUNT: i64 = 7_000_000_001;
/// The first basic group. Their ids are small and negative.
const FIRST_GROUP: i64 = -4_000_000_001;
/// The first supergroup or channel. Theirs begin with -100.
const FIRST_SUPERGROUP: i64 = -1_002_000_000_001;

#[derive(Debug)]
pub(crate) struct State {
    pub(crate) now: Timestamp,
    pub(crate) bot: Bot,
    pub(crate) accounts: BTreeMap<i64, Account>,
    pub(crate) chats: BTreeMap<i64, Chat>,
    pub(crate) updates: Updates,
    pub(crate) taps: BTreeMap<String, Tapped>,
    /// Answers to taps with the account of the one who tapped, in the order they came.
    pub(crate) answers: Vec<(i64, Answer)>,
    /// By scope and language, both as the bot gave them.
    pub(crate) commands: BTreeMap<(String, String), Vec<Command>>,
    pub(crate) rates: Rates,
    pub(crate) faults: Faults,
    pub(crate) calls: Vec<Call>,
    pub(crate) violations: Vec<String>,
    pub(crate) transcript: Transcript,
}

/// The bot under test.
#[derive(Debug)]
pub(crate) struct Bot {
    pub(crate) id: i64,
    pub(crate) token: String,
    pub(crate) name: String,
    pub(crate) username: String,
    /// Whether privacy mode is off.
    pub(crate) reads_groups: bool,
}

/// Somebody with an account.
#[derive(Clone, Debug)]
pub(crate) struct Account {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) username: Option<String>,
    pub(crate) language: Option<String>,
    pub(crate) standing: WithBot,
    /// Whether the account was closed.
    pub(crate) deleted: bool,
    /// Whether forwarded messages do not link back.
    pub(crate) hides_forwards: bool,
}

/// How somebody stands with the bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WithBot {
    /// Never pressed START.
    Stranger,
    Started,
    Blocked,
}

/// A conversation.
#[derive(Clone, Debug)]
pub(crate) struct Chat {
    pub(crate) id: i64,
    pub(crate) kind: ChatKind,
    pub(crate) title: String,
    pub(crate) members: BTreeMap<i64, Standing>,
    pub(crate) bot: Standing,
    pub(crate) messages: BTreeMap<i64, Message>,
    /// By the number of their first message.
    pub(crate) topics: BTreeMap<i64, Topic>,
    /// The supergroup that took the place of this group.
    pub(crate) migrated_to: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChatKind {
    Private,
    Group,
    Supergroup { forum: bool },
    Channel,
}

/// How somebody stands in a chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    Creator,
    Administrator,
    Member,
    Left,
    Kicked,
}

impl Standing {
    pub(crate) fn is_in(self) -> bool {
        !matches!(self, Self::Left | Self::Kicked)
    }

    pub(crate) fn is_administrator(self) -> bool {
        matches!(self, Self::Creator | Self::Administrator)
    }
}

/// A topic of a forum.
#[derive(Clone, Debug)]
pub(crate) struct Topic {
    pub(crate) name: String,
    pub(crate) closed: bool,
}

/// A tap that may be answered.
#[derive(Clone, Debug)]
pub(crate) struct Tapped {
    pub(crate) by: i64,
    pub(crate) on: MessageAt,
    pub(crate) when: Timestamp,
    pub(crate) answer: Option<Answer>,
}

/// What a person reads in answer to a tap, if there is something to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The text. Without one only the button stops waiting.
    pub text: Option<String>,
    /// Whether it has to be closed by hand, and does not fade by itself.
    pub alert: bool,
}

/// A command in the menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// What is typed, without the slash.
    pub name: String,
    /// What stands beside it.
    pub description: String,
}

impl Servers for State {
    fn set_now(&mut self, now: Timestamp) {
        self.now = now;
    }

    fn transcript(&self) -> String {
        self.transcript.render()
    }
}

impl State {
    pub(crate) fn new(setup: &Setup, now: Timestamp) -> Self {
        let id = setup.token.split(':').next().and_then(|id| id.parse().ok());
        Self {
            now,
            bot: Bot {
                id: id.unwrap_or_default(),
                token: setup.token.clone(),
                name: setup.name.clone(),
                username: setup.username.clone(),
                reads_groups: !setup.privacy,
            },
            accounts: BTreeMap::new(),
            chats: BTreeMap::new(),
            updates: Updates::default(),
            taps: BTreeMap::new(),
            answers: Vec::new(),
            commands: BTreeMap::new(),
            rates: Rates::new(setup.rates),
            faults: Faults::default(),
            calls: Vec::new(),
            violations: Vec::new(),
            transcript: Transcript::default(),
        }
    }

    /// Opens an account and its empty conversation with the bot.
    pub(crate) fn open_account(&mut self, name: &str) -> i64 {
        let id = self
            .accounts
            .keys()
            .next_back()
            .map_or(FIRST_ACCOUNT, |last| last + 1);
        let account = Account {
            id,
            name: name.to_owned(),
            username: None,
            language: None,
            standing: WithBot::Stranger,
            deleted: false,
            hides_forwards: false,
        };
        self.accounts.insert(id, account);
        self.chats.insert(id, Chat::new(id, ChatKind::Private, name));
        id
    }

    /// Opens a group or channel, without anybody in it.
    pub(crate) fn open_chat(&mut self, kind: ChatKind, title: &str) -> i64 {
        let first = match kind {
            ChatKind::Group => FIRST_GROUP,
            _ => FIRST_SUPERGROUP,
        };
        let mut id = first;
        while self.chats.contains_key(&id) {
            id -= 1;
        }
        self.chats.insert(id, Chat::new(id, kind, title));
        id
    }

    pub(crate) fn account(&self, id: i64) -> &Account {
        self.accounts
            .get(&id)
            .expect("only accounts of this fake are handed out")
    }

    pub(crate) fn account_mut(&mut self, id: i64) -> &mut Account {
        self.accounts
            .get_mut(&id)
            .expect("only accounts of this fake are handed out")
    }

    pub(crate) fn chat(&self, id: i64) -> &Chat {
        self.chats
            .get(&id)
            .expect("only chats of this fake are handed out")
    }

    pub(crate) fn chat_mut(&mut self, id: i64) -> &mut Chat {
        self.chats
            .get_mut(&id)
            .expect("only chats of this fake are handed out")
    }

    /// The message at `at`, unless it is deleted.
    pub(crate) fn message(&self, at: MessageAt) -> Option<&Message> {
        let message = self.chats.get(&at.chat)?.messages.get(&at.id)?;
        (!message.deleted).then_some(message)
    }

    pub(crate) fn message_mut(&mut self, at: MessageAt) -> Option<&mut Message> {
        let message = self.chats.get_mut(&at.chat)?.messages.get_mut(&at.id)?;
        (!message.deleted).then_some(message)
    }

    /// Puts a message into a chat and into the transcript. Tells the bot of it, if it may know.
    pub(crate) fn post(&mut self, chat: i64, draft: Draft) -> MessageAt {
        let now = self.now;
        let at = MessageAt {
            chat,
            id: self.chat(chat).next_message(),
        };
        let message = draft.into_message(at, now);
        self.chat_mut(chat).messages.insert(at.id, message);
        self.tell_posted(at);
        self.deliver(at, false);
        at
    }

    /// The thread a message by somebody stands in, when it replies to this or is written in that topic.
    pub(crate) fn thread_of(&self, chat: i64, topic: Option<i64>, reply_to: Option<i64>) -> Option<Thread> {
        if let Some(root) = topic {
            return Some(Thread { root, is_topic: true });
        }
        let replied = self.message(MessageAt { chat, id: reply_to? })?;
        let supergroup = matches!(self.chat(chat).kind, ChatKind::Supergroup { .. });
        replied.thread.or_else(|| {
            supergroup.then_some(Thread {
                root: replied.at.id,
                is_topic: false,
            })
        })
    }

    /// Whether the bot has ever met an account: they talk, or they share a chat.
    pub(crate) fn has_met(&self, account: i64) -> bool {
        self.account(account).standing != WithBot::Stranger
            || self.chats.values().any(|chat| {
                chat.kind != ChatKind::Private && chat.bot.is_in() && chat.members.contains_key(&account)
            })
    }

    /// Whether the bot is told of a message. In a group with privacy mode on it hears service messages, commands,
    /// mentions, and replies to its own messages. Source: Telegram, "Privacy mode"; mentions by observation.
    fn is_heard(&self, message: &Message) -> bool {
        let chat = self.chat(message.at.chat);
        if message.author == Author::Bot || !chat.bot.is_in() {
            return false;
        }
        let open = matches!(chat.kind, ChatKind::Private | ChatKind::Channel)
            || self.bot.reads_groups
            || chat.bot.is_administrator();
        open || match &message.body {
            Body::Service(_) => true,
            Body::Text(words) | Body::Photo(words) => {
                let replied = message.reply_to.and_then(|id| chat.messages.get(&id));
                replied.is_some_and(|replied| replied.author == Author::Bot)
                    || words.addresses(&self.bot.username)
            }
        }
    }

    /// Hands a message, or its new version, to the bot if it may know of it.
    pub(crate) fn deliver(&mut self, at: MessageAt, edited: bool) {
        let Some(message) = self.message(at) else {
            return;
        };
        if !self.is_heard(message) {
            return;
        }
        let kind = match (self.chat(at.chat).kind, edited) {
            (ChatKind::Channel, false) => "channel_post",
            (ChatKind::Channel, true) => "edited_channel_post",
            (_, false) => "message",
            (_, true) => "edited_message",
        };
        let body = self.message_json(message);
        self.updates.push(kind, body, self.now);
    }
}

impl Chat {
    fn new(id: i64, kind: ChatKind, title: &str) -> Self {
        Self {
            id,
            kind,
            title: title.to_owned(),
            members: BTreeMap::new(),
            bot: Standing::Member,
            messages: BTreeMap::new(),
            topics: BTreeMap::new(),
            migrated_to: None,
        }
    }

    fn next_message(&self) -> i64 {
        self.messages.keys().next_back().map_or(1, |last| last + 1)
    }

    pub(crate) fn is_group(&self) -> bool {
        matches!(self.kind, ChatKind::Group | ChatKind::Supergroup { .. })
    }

    pub(crate) fn is_forum(&self) -> bool {
        self.kind == ChatKind::Supergroup { forum: true }
    }
}
