//! What the servers know: accounts, conversations, messages, and what waits for the app.
//!
//! Everything that happens, be it asked for by the app or done by a person, is a method here or in [`methods`] or
//! [`human`] and changes this state under one lock. What time it is stands in it, so that no step of one change is
//! later than another.
//!
//! [`methods`]: super::methods
//! [`human`]: super::human

use std::collections::{BTreeMap, BTreeSet};

use jiff::{Timestamp, tz::TimeZone};

use super::{
    Setup,
    answers::Answers,
    envelopes::Envelopes,
    faults::Faults,
    message::{Author, Draft, Message, MessageAt, Ts},
    methods::Call,
    rates::Rates,
    refusal::Refusal,
    render::Button,
    sockets::Sockets,
    triggers::Triggers,
    views::Views,
};
use crate::{scenes::Scenes, world::Servers};

/// The workspace.
pub(crate) const TEAM: &str = "T0FAKETEAM";
/// Its address on the web, without scheme.
pub(crate) const DOMAIN: &str = "fake-workspace";

#[derive(Debug)]
pub(crate) struct State {
    pub(crate) now: Timestamp,
    pub(crate) app: App,
    pub(crate) accounts: BTreeMap<String, Account>,
    pub(crate) conversations: BTreeMap<String, Conversation>,
    pub(crate) envelopes: Envelopes,
    pub(crate) sockets: Sockets,
    pub(crate) triggers: Triggers,
    pub(crate) views: Views,
    pub(crate) answers: Answers,
    pub(crate) rates: Rates,
    pub(crate) faults: Faults,
    pub(crate) calls: Vec<Call>,
    pub(crate) violations: Vec<String>,
    pub(crate) transcript: Scenes<MessageAt>,
    /// Every button that was ever shown.
    pub(crate) buttons: Vec<Button>,
    /// Under which address the server is reached, once it is: `127.0.0.1:port`.
    pub(crate) host: String,
    made: u64,
}

/// The app under test.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) id: String,
    /// The account of its bot.
    pub(crate) user: String,
    pub(crate) bot: String,
    pub(crate) name: String,
    pub(crate) bot_key: Key,
    pub(crate) own_key: Key,
    /// Whether people can write to it.
    pub(crate) messages_tab: bool,
}

/// A token, and what it opens.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) token: String,
    pub(crate) scopes: BTreeSet<String>,
    /// What every call with it is refused with, if it is.
    pub(crate) refused: Option<&'static str>,
}

/// Somebody with an account: a person, or another app.
#[derive(Clone, Debug)]
pub(crate) struct Account {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) locale: String,
    pub(crate) zone: TimeZone,
    /// The `bot_id` of an app.
    pub(crate) bot: Option<String>,
    /// Whether the account was deactivated.
    pub(crate) deleted: bool,
}

/// A conversation.
#[derive(Clone, Debug)]
pub(crate) struct Conversation {
    pub(crate) id: String,
    pub(crate) kind: Kind,
    pub(crate) name: String,
    pub(crate) members: BTreeSet<String>,
    /// Whether the app is a member.
    pub(crate) has_app: bool,
    pub(crate) archived: bool,
    pub(crate) messages: BTreeMap<Ts, Message>,
    /// Ephemeral messages, which nobody keeps but the one they are for.
    pub(crate) whispers: Vec<Message>,
    last: Option<Ts>,
    pub(crate) created: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Between one person and the app.
    Direct,
    Public,
    Private,
}

impl Servers for State {
    fn set_now(&mut self, now: Timestamp) {
        self.now = now;
    }

    fn transcript(&self) -> String {
        self.transcript.render()
    }

    fn tick(&mut self) {
        self.tick_sockets();
        self.tick_envelopes();
    }

    fn pump(&mut self) {
        self.hand_out_due();
    }

    fn next_due(&self) -> Option<Timestamp> {
        let dues = [self.sockets.next_due(), self.envelopes.next_due(self.now)];
        dues.into_iter().flatten().min()
    }
}

impl State {
    pub(crate) fn new(setup: &Setup, now: Timestamp) -> Self {
        let key = |token: &str, scopes: &[String]| Key {
            token: token.to_owned(),
            scopes: scopes.iter().cloned().collect(),
            refused: None,
        };
        Self {
            now,
            app: App {
                id: "A0ASKDAPP0".to_owned(),
                user: "U0ASKDBOT0".to_owned(),
                bot: "B0ASKDBOT0".to_owned(),
                name: setup.name.clone(),
                bot_key: key(&setup.bot_token, &setup.scopes),
                own_key: key(&setup.app_token, &setup.app_scopes),
                messages_tab: setup.messages_tab,
            },
            accounts: BTreeMap::new(),
            conversations: BTreeMap::new(),
            envelopes: Envelopes::default(),
            sockets: Sockets::default(),
            triggers: Triggers::default(),
            views: Views::default(),
            answers: Answers::default(),
            rates: Rates::new(setup.rates),
            faults: Faults::default(),
            calls: Vec::new(),
            violations: Vec::new(),
            transcript: Scenes::default(),
            buttons: Vec::new(),
            host: String::new(),
            made: 0,
        }
    }

    /// An id that was not there before: a letter or two, and eight more characters.
    pub(crate) fn new_id(&mut self, letters: &str) -> String {
        self.made += 1;
        format!("{letters}0{:07X}", 0x00A_0000 + self.made)
    }

    /// Something longer that was not there before, in the form of a UUID.
    pub(crate) fn new_uuid(&mut self) -> String {
        self.made += 1;
        format!("5eedfa4e-0000-4000-8000-{:012x}", self.made)
    }

    pub(crate) fn open_account(&mut self, name: &str, is_app: bool) -> String {
        let id = self.new_id("U");
        let bot = is_app.then(|| self.new_id("B"));
        let account = Account {
            id: id.clone(),
            name: name.to_owned(),
            locale: "en-US".to_owned(),
            zone: TimeZone::UTC,
            bot,
            deleted: false,
        };
        self.accounts.insert(id.clone(), account);
        id
    }

    /// Opens a channel that the app is a member of.
    pub(crate) fn open_channel(&mut self, kind: Kind, name: &str, members: &[String]) -> String {
        let id = self.new_id("C");
        let mut conversation = Conversation::new(&id, kind, name, self.now);
        conversation.members = members.iter().cloned().collect();
        self.conversations.insert(id.clone(), conversation);
        id
    }

    /// The direct conversation with an account, which is opened where there is none.
    pub(crate) fn open_direct(&mut self, account: &str) -> String {
        if let Some(id) = self.direct_with(account) {
            return id;
        }
        let id = self.new_id("D");
        let mut conversation = Conversation::new(&id, Kind::Direct, "directmessage", self.now);
        conversation.members.insert(account.to_owned());
        self.conversations.insert(id.clone(), conversation);
        id
    }

    pub(crate) fn direct_with(&self, account: &str) -> Option<String> {
        let mut conversations = self.conversations.values();
        let found = conversations
            .find(|conversation| conversation.kind == Kind::Direct && conversation.members.contains(account));
        found.map(|conversation| conversation.id.clone())
    }

    pub(crate) fn account(&self, id: &str) -> &Account {
        self.accounts
            .get(id)
            .expect("only accounts of this fake are handed out")
    }

    pub(crate) fn account_mut(&mut self, id: &str) -> &mut Account {
        self.accounts
            .get_mut(id)
            .expect("only accounts of this fake are handed out")
    }

    pub(crate) fn conversation(&self, id: &str) -> &Conversation {
        self.conversations
            .get(id)
            .expect("only conversations of this fake are handed out")
    }

    pub(crate) fn conversation_mut(&mut self, id: &str) -> &mut Conversation {
        self.conversations
            .get_mut(id)
            .expect("only conversations of this fake are handed out")
    }

    /// The name of an account or a conversation.
    pub(crate) fn name_of(&self, id: &str) -> Option<String> {
        if id == self.app.user {
            return Some(self.app.name.clone());
        }
        let account = self.accounts.get(id).map(|account| account.name.clone());
        account.or_else(|| Some(self.conversations.get(id)?.name.clone()))
    }

    /// The message at `at`, unless it is deleted or nobody keeps it.
    pub(crate) fn message(&self, at: &MessageAt) -> Option<&Message> {
        let message = self.conversations.get(&at.channel)?.messages.get(&at.ts)?;
        (!message.deleted).then_some(message)
    }

    pub(crate) fn message_mut(&mut self, at: &MessageAt) -> Option<&mut Message> {
        let message = self
            .conversations
            .get_mut(&at.channel)?
            .messages
            .get_mut(&at.ts)?;
        (!message.deleted).then_some(message)
    }

    /// The message at `at`, also one that is gone, or that one alone sees.
    pub(crate) fn message_ever(&self, at: &MessageAt) -> Option<&Message> {
        let conversation = self.conversations.get(&at.channel)?;
        let whisper = || {
            conversation
                .whispers
                .iter()
                .find(|message| message.at.ts == at.ts)
        };
        conversation.messages.get(&at.ts).or_else(whisper)
    }

    /// Puts a message into a conversation and into the transcript. Tells the app of it, if it may know.
    pub(crate) fn post(&mut self, channel: &str, draft: Draft) -> MessageAt {
        let now = self.now;
        let conversation = self.conversation_mut(channel);
        let at = MessageAt::new(channel, conversation.next_ts(now));
        let mut message = draft.into_message(at.clone());
        if message.only.is_some() {
            self.answered_by(&message);
            self.conversation_mut(channel).whispers.push(message.clone());
            self.tell_message(&message, "");
            return at;
        }
        if message.author == Author::App {
            message.answers = self.answered_by(&message);
            message.rang = self.rings(&message);
            message.at_once = self.is_at_once(&message);
        }
        self.conversation_mut(channel)
            .messages
            .insert(at.ts, message.clone());
        self.tell_message(&message, "");
        self.deliver(&message);
        at
    }

    /// Takes a message away. The app is told.
    pub(crate) fn delete(&mut self, at: &MessageAt) {
        let Some(message) = self.message_mut(at) else {
            return;
        };
        message.deleted = true;
        let gone = message.clone();
        self.tell_deleted(at);
        self.deliver_deleted(&gone);
    }

    /// The root of the thread that a message stands in, or that begins at it.
    pub(crate) fn root_of(&self, at: &MessageAt) -> Ts {
        self.message_ever(at)
            .and_then(|message| message.thread)
            .unwrap_or(at.ts)
    }

    /// The button that carried this, or the newest where none did: a forger takes what there is.
    pub(crate) fn button_of(&self, value: &str) -> Option<&Button> {
        let mut newest = self.buttons.iter().rev();
        let carries = |button: &&Button| button.value.as_deref() == Some(value);
        newest.clone().find(carries).or_else(|| newest.next())
    }

    /// Notes a broken rule.
    pub(crate) fn violation(&mut self, by: &str, what: impl AsRef<str>) {
        self.violations.push(format!("{by}: {}", what.as_ref()));
    }

    /// Notes what a refusal says, if somebody broke a rule.
    pub(crate) fn note(&mut self, by: &str, refusal: &Refusal) {
        if refusal.rule_broken {
            self.violation(by, refusal.describe());
        }
    }
}

impl Conversation {
    fn new(id: &str, kind: Kind, name: &str, now: Timestamp) -> Self {
        Self {
            id: id.to_owned(),
            kind,
            name: name.to_owned(),
            members: BTreeSet::new(),
            has_app: true,
            archived: false,
            messages: BTreeMap::new(),
            whispers: Vec::new(),
            last: None,
            created: now,
        }
    }

    /// The next timestamp, also for what is no message: an edit, a whisper.
    pub(crate) fn next_ts(&mut self, now: Timestamp) -> Ts {
        let next = Ts::after(self.last, now);
        self.last = Some(next);
        next
    }

    /// As events call it.
    pub(crate) fn type_name(&self) -> &'static str {
        match self.kind {
            Kind::Direct => "im",
            Kind::Public => "channel",
            Kind::Private => "group",
        }
    }

    /// The one person of a direct conversation.
    pub(crate) fn person(&self) -> Option<&str> {
        let alone = self.kind == Kind::Direct;
        self.members.iter().next().filter(|_| alone).map(String::as_str)
    }

    pub(crate) fn replies(&self, root: Ts) -> impl Iterator<Item = &Message> {
        let of_thread = move |message: &&Message| message.thread == Some(root) && !message.deleted;
        self.messages.values().filter(of_thread)
    }
}
