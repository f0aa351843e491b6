//! What the servers know: accounts, guilds, channels, messages, and who is to be told of them.
//!
//! Everything that happens, be it asked for by the bot or done by a person, is a method here or in [`routes`] or
//! [`human`] and changes this state under one lock. What time it is stands in it, so that no step of one change is
//! later than another.
//!
//! [`routes`]: super::routes
//! [`human`]: super::human

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::{
    Setup,
    commands::Command,
    events::intents,
    faults::Faults,
    interactions::{Interaction, OpenForm},
    message::{Draft, Message, MessageAt},
    permissions::{OF_BOT, OF_EVERYBODY, Permission},
    rates::Rates,
    refusal::Refusal,
    routes::Call,
    sessions::Sessions,
    snowflake::Snowflakes,
    transcript::Transcript,
};
use crate::world::Servers;

#[derive(Debug)]
pub(crate) struct State {
    pub(crate) now: Timestamp,
    pub(crate) ids: Snowflakes,
    pub(crate) bot: Bot,
    /// People and other bots; the bot under test too.
    pub(crate) accounts: BTreeMap<u64, Account>,
    pub(crate) guilds: BTreeMap<u64, Guild>,
    pub(crate) channels: BTreeMap<u64, Channel>,
    pub(crate) interactions: BTreeMap<u64, Interaction>,
    /// The form that is open before somebody.
    pub(crate) forms: BTreeMap<u64, OpenForm>,
    pub(crate) commands: Vec<Command>,
    /// What was shown to one person alone, in the order it was.
    pub(crate) told: Vec<Told>,
    pub(crate) sessions: Sessions,
    pub(crate) rates: Rates,
    pub(crate) faults: Faults,
    pub(crate) calls: Vec<Call>,
    /// Calls that have not been answered, those that hang among them.
    pub(crate) under_way: usize,
    pub(crate) violations: Vec<String>,
    pub(crate) transcript: Transcript,
    /// How often something that a person did for the bot to hear was handed out.
    pub(crate) meant: usize,
}

/// The bot under test, which is its application too: their ids are one.
#[derive(Debug)]
pub(crate) struct Bot {
    pub(crate) id: u64,
    pub(crate) token: String,
    /// The privileged intents that were switched on for it.
    pub(crate) granted: u64,
    /// Where its sockets connect to.
    pub(crate) gateway: String,
    /// Where what people press is said to be sent instead.
    pub(crate) endpoint: Option<String>,
}

/// Somebody with an account.
#[derive(Clone, Debug)]
pub(crate) struct Account {
    /// What others see.
    pub(crate) name: String,
    pub(crate) username: String,
    pub(crate) is_bot: bool,
    /// What the client is set to.
    pub(crate) locale: String,
    /// Whether the bot is blocked, or direct messages are switched off.
    pub(crate) unreachable: bool,
}

/// A server, as people call it.
#[derive(Clone, Debug)]
pub(crate) struct Guild {
    pub(crate) id: u64,
    pub(crate) name: String,
    pub(crate) members: BTreeMap<u64, Timestamp>,
    /// Whether the bot is in it.
    pub(crate) bot_since: Option<Timestamp>,
    /// The role that came with the bot.
    pub(crate) bot_role: u64,
    /// What that role allows.
    pub(crate) bot_may: u64,
}

/// A conversation.
#[derive(Clone, Debug)]
pub(crate) struct Channel {
    pub(crate) id: u64,
    pub(crate) kind: ChannelKind,
    pub(crate) messages: BTreeMap<u64, Message>,
    /// What the bot is denied here.
    pub(crate) denied: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ChannelKind {
    /// Between the bot and this account.
    Direct(u64),
    /// A text channel.
    Text { guild: u64, name: String },
    /// A thread of a text channel.
    Thread(Thread),
}

/// A thread. Below a message it has that message's id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Thread {
    pub(crate) guild: u64,
    pub(crate) parent: u64,
    pub(crate) name: String,
    pub(crate) owner: u64,
    pub(crate) archived: bool,
    pub(crate) locked: bool,
    pub(crate) since: Timestamp,
    /// Who has joined it: whoever wrote in it.
    pub(crate) members: BTreeSet<u64>,
}

/// Something that one person alone was shown.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    pub(crate) to: u64,
    pub(crate) when: Timestamp,
    pub(crate) what: Shown,
}

#[derive(Clone, Debug)]
pub(crate) enum Shown {
    /// A message, as it was then: its content, raw.
    Content(String),
    /// Words of Discord's own.
    Notice(&'static str),
}

impl Servers for State {
    fn set_now(&mut self, now: Timestamp) {
        self.now = now;
        self.give_up_waiting();
    }

    fn transcript(&self) -> String {
        self.transcript.render()
    }
}

impl State {
    pub(crate) fn new(setup: &Setup, now: Timestamp) -> Self {
        let mut ids = Snowflakes::default();
        let id = ids.next(now - super::BEFORE);
        let granted = if setup.message_content {
            intents::MESSAGE_CONTENT
        } else {
            0
        };
        let mut state = Self {
            now,
            ids,
            bot: Bot {
                id,
                token: setup.token.clone(),
                granted,
                gateway: "ws://gateway.invalid".to_owned(),
                endpoint: None,
            },
            accounts: BTreeMap::new(),
            guilds: BTreeMap::new(),
            channels: BTreeMap::new(),
            interactions: BTreeMap::new(),
            forms: BTreeMap::new(),
            commands: Vec::new(),
            told: Vec::new(),
            sessions: Sessions::new(setup.heartbeat),
            rates: Rates::new(setup.rates),
            faults: Faults::default(),
            calls: Vec::new(),
            under_way: 0,
            violations: Vec::new(),
            transcript: Transcript::default(),
            meant: 0,
        };
        state.accounts.insert(id, Account::new(&setup.name, true));
        state.open_guild(&setup.guild);
        state
    }

    fn open_guild(&mut self, name: &str) {
        let (id, bot_role) = (self.ids.next(self.now), self.ids.next(self.now));
        let guild = Guild {
            id,
            name: name.to_owned(),
            members: BTreeMap::new(),
            bot_since: Some(self.now),
            bot_role,
            bot_may: OF_BOT,
        };
        self.guilds.insert(id, guild);
    }

    /// The guild that is there from the beginning.
    pub(crate) fn guild_id(&self) -> u64 {
        *self.guilds.keys().next().expect("a guild is opened at the start")
    }

    /// Opens an account and its empty conversation with the bot.
    pub(crate) fn open_account(&mut self, name: &str, is_bot: bool) -> u64 {
        let id = self.ids.next(self.now);
        self.accounts.insert(id, Account::new(name, is_bot));
        self.open_channel(ChannelKind::Direct(id));
        id
    }

    pub(crate) fn open_channel(&mut self, kind: ChannelKind) -> u64 {
        let id = self.ids.next(self.now);
        self.put_channel(id, kind);
        id
    }

    pub(crate) fn put_channel(&mut self, id: u64, kind: ChannelKind) {
        let channel = Channel {
            id,
            kind,
            messages: BTreeMap::new(),
            denied: 0,
        };
        self.channels.insert(id, channel);
    }

    pub(crate) fn account(&self, id: u64) -> &Account {
        self.accounts
            .get(&id)
            .expect("only accounts of this fake are handed out")
    }

    pub(crate) fn account_mut(&mut self, id: u64) -> &mut Account {
        self.accounts
            .get_mut(&id)
            .expect("only accounts of this fake are handed out")
    }

    pub(crate) fn guild(&self, id: u64) -> &Guild {
        self.guilds
            .get(&id)
            .expect("only guilds of this fake are handed out")
    }

    pub(crate) fn guild_mut(&mut self, id: u64) -> &mut Guild {
        self.guilds
            .get_mut(&id)
            .expect("only guilds of this fake are handed out")
    }

    pub(crate) fn channel(&self, id: u64) -> &Channel {
        self.channels
            .get(&id)
            .expect("only channels of this fake are handed out")
    }

    pub(crate) fn channel_mut(&mut self, id: u64) -> &mut Channel {
        self.channels
            .get_mut(&id)
            .expect("only channels of this fake are handed out")
    }

    /// The conversation of the bot with an account.
    pub(crate) fn direct_of(&self, account: u64) -> u64 {
        let is_theirs = |channel: &&Channel| channel.kind == ChannelKind::Direct(account);
        let found = self.channels.values().find(is_theirs);
        found.expect("everybody with an account has one").id
    }

    /// The message at `at`, unless it is deleted.
    pub(crate) fn message(&self, at: MessageAt) -> Option<&Message> {
        let message = self.channels.get(&at.channel)?.messages.get(&at.id)?;
        (!message.deleted).then_some(message)
    }

    pub(crate) fn message_mut(&mut self, at: MessageAt) -> Option<&mut Message> {
        let message = self.channels.get_mut(&at.channel)?.messages.get_mut(&at.id)?;
        (!message.deleted).then_some(message)
    }

    /// Puts a message into a channel and into the transcript. Tells the bot of it, if it may know.
    pub(crate) fn post(&mut self, channel: u64, draft: Draft) -> MessageAt {
        let id = self.ids.next(self.now);
        let at = MessageAt { channel, id };
        let (author, only_for) = (draft.author, draft.only_for);
        let message = Message {
            at,
            date: self.now,
            edited: None,
            deleted: false,
            handed_out: author == self.bot.id,
            draft,
        };
        let place = self.channel_mut(channel);
        place.messages.insert(id, message);
        if let ChannelKind::Thread(thread) = &mut place.kind {
            thread.members.insert(author);
        }
        self.tell_posted(at);
        match only_for {
            Some(to) => self.show_alone(to, at),
            None => self.dispatch_message("MESSAGE_CREATE", at),
        }
        at
    }

    /// Notes what somebody alone was shown, unless it still waits to be filled.
    pub(crate) fn show_alone(&mut self, to: u64, at: MessageAt) {
        let Some(message) = self.message(at) else {
            return;
        };
        if message.draft.has(super::message::flags::LOADING) {
            return;
        }
        let what = Shown::Content(message.draft.content.clone());
        let when = self.now;
        self.told.push(Told { to, when, what });
    }

    /// Takes a message away. The bot is told, unless it never saw it in the channel.
    pub(crate) fn delete(&mut self, at: MessageAt) {
        let Some(message) = self.message_mut(at) else {
            return;
        };
        message.deleted = true;
        let alone = message.draft.only_for.is_some();
        self.tell_deleted(at);
        if !alone {
            self.dispatch_deletion(at);
        }
    }

    /// What the bot may do in a channel, as bits. In its direct conversations it may do everything.
    pub(crate) fn bot_may(&self, channel: &Channel) -> u64 {
        let (Some(guild), text) = (channel.guild(), channel.parent().unwrap_or(channel.id)) else {
            return u64::MAX;
        };
        let guild = self.guild(guild);
        if guild.bot_since.is_none() {
            return 0;
        }
        (guild.bot_may | OF_EVERYBODY) & !self.channel(text).denied & !channel.denied
    }

    pub(crate) fn bot_can(&self, channel: &Channel, permission: Permission) -> bool {
        self.bot_may(channel) & permission.bit() != 0
    }

    /// The channel for the bot, which has to exist and be visible to it.
    pub(crate) fn visible(&self, id: u64) -> Result<&Channel, Refusal> {
        let channel = self.channels.get(&id).ok_or_else(Refusal::unknown_channel)?;
        if !self.bot_can(channel, Permission::ViewChannel) {
            return Err(Refusal::missing_access());
        }
        Ok(channel)
    }

    /// Whether the bot and an account have a guild in common.
    pub(crate) fn shares_guild(&self, account: u64) -> bool {
        let mut guilds = self.guilds.values();
        guilds.any(|guild| guild.bot_since.is_some() && guild.members.contains_key(&account))
    }

    /// Notes that the bot broke a rule.
    pub(crate) fn broke(&mut self, rule: impl Into<String>) {
        self.violations.push(rule.into());
    }
}

impl Account {
    fn new(name: &str, is_bot: bool) -> Self {
        let username: String = name
            .to_lowercase()
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        Self {
            name: name.to_owned(),
            username,
            is_bot,
            locale: "en-US".to_owned(),
            unreachable: false,
        }
    }
}

impl Channel {
    /// The guild it is in.
    pub(crate) fn guild(&self) -> Option<u64> {
        match &self.kind {
            ChannelKind::Direct(_) => None,
            ChannelKind::Text { guild, .. } | ChannelKind::Thread(Thread { guild, .. }) => Some(*guild),
        }
    }

    /// The channel that this is a thread of.
    pub(crate) fn parent(&self) -> Option<u64> {
        self.thread().map(|thread| thread.parent)
    }

    pub(crate) fn thread(&self) -> Option<&Thread> {
        match &self.kind {
            ChannelKind::Thread(thread) => Some(thread),
            _ => None,
        }
    }

    pub(crate) fn is_direct(&self) -> bool {
        matches!(self.kind, ChannelKind::Direct(_))
    }

    /// Messages that everybody there sees, oldest first.
    pub(crate) fn open_messages(&self) -> impl DoubleEndedIterator<Item = &Message> {
        let open = |message: &&Message| !message.deleted && message.draft.only_for.is_none();
        self.messages.values().filter(open)
    }
}
