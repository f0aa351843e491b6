//! What the bot is told over the gateway, and what of it depends on its intents.

use serde_json::{Value, json};

use super::{
    message::{Message, MessageAt, flags},
    sessions::Logged,
    state::{ChannelKind, State},
};

/// Bits of the intents. Source: Discord docs, "Gateway", "List of Intents".
pub(crate) mod intents {
    pub(crate) const GUILDS: u64 = 1;
    pub(crate) const GUILD_MEMBERS: u64 = 1 << 1;
    pub(crate) const GUILD_PRESENCES: u64 = 1 << 8;
    pub(crate) const GUILD_MESSAGES: u64 = 1 << 9;
    pub(crate) const DIRECT_MESSAGES: u64 = 1 << 12;
    pub(crate) const MESSAGE_CONTENT: u64 = 1 << 15;
    /// Those that have to be switched on for the application first.
    pub(crate) const PRIVILEGED: u64 = GUILD_MEMBERS | GUILD_PRESENCES | MESSAGE_CONTENT;
    /// All that there are.
    pub(crate) const KNOWN: u64 = ((1 << 17) - 1) | (1 << 20) | (1 << 21) | (1 << 24) | (1 << 25);
}

/// Something to be told.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) name: &'static str,
    /// The intent without which it is not told; 0 if it always is.
    pub(crate) needs: u64,
    pub(crate) data: Value,
    /// What is told instead to sessions without the intent for contents.
    pub(crate) without_content: Option<Value>,
    /// Whether a person did it for the bot to hear.
    pub(crate) meant: bool,
    /// The message it brings.
    pub(crate) message: Option<MessageAt>,
    /// The interaction it brings.
    pub(crate) interaction: Option<u64>,
}

impl Event {
    pub(crate) fn new(name: &'static str, needs: u64, data: Value) -> Self {
        Self {
            name,
            needs,
            data,
            without_content: None,
            meant: false,
            message: None,
            interaction: None,
        }
    }
}

impl State {
    /// Tells every session that lives and wants to know.
    pub(crate) fn dispatch(&mut self, event: &Event) {
        let now = self.now;
        for session in self.sessions.living(now) {
            if event.needs != 0 && session.intents & event.needs == 0 {
                continue;
            }
            let (data, can_be_understood) = match &event.without_content {
                Some(without) if session.intents & intents::MESSAGE_CONTENT == 0 => (without, false),
                _ => (&event.data, true),
            };
            session.log(Logged {
                seq: 0,
                name: event.name,
                data: data.clone(),
                meant: event.meant && can_be_understood,
                message: event.message,
                interaction: event.interaction,
            });
        }
    }

    /// A message was posted or changed.
    pub(crate) fn dispatch_message(&mut self, name: &'static str, at: MessageAt) {
        let Some(message) = self.message(at) else {
            return;
        };
        let channel = self.channel(at.channel);
        if !self.bot_can(channel, super::Permission::ViewChannel) {
            return;
        }
        let is_new = name == "MESSAGE_CREATE";
        let told = |visible: bool| {
            let mut value = self.message_json(message, visible);
            if let Some(guild) = channel.guild() {
                value["guild_id"] = json!(guild.to_string());
                if let Some(member) = self.partial_member_json(guild, message.draft.author) {
                    value["member"] = member;
                }
            }
            value
        };
        let event = Event {
            without_content: (!self.is_open(message)).then(|| told(false)),
            meant: self.is_meant(message) && (is_new || message.edited.is_some()),
            message: Some(at),
            ..Event::new(name, self.needed_for(at.channel), told(true))
        };
        self.dispatch(&event);
    }

    /// A link in a message got its preview: a part of the message, and no change by anybody.
    pub(crate) fn dispatch_preview(&mut self, at: MessageAt) {
        let mut data = json!({
            "id": at.id.to_string(),
            "channel_id": at.channel.to_string(),
            "embeds": [{"type": "link", "url": "https://example.org/", "title": "Example"}],
        });
        if let Some(guild) = self.channel(at.channel).guild() {
            data["guild_id"] = json!(guild.to_string());
        }
        let event = Event::new("MESSAGE_UPDATE", self.needed_for(at.channel), data);
        self.dispatch(&event);
    }

    pub(crate) fn dispatch_deletion(&mut self, at: MessageAt) {
        let mut data = json!({"id": at.id.to_string(), "channel_id": at.channel.to_string()});
        if let Some(guild) = self.channel(at.channel).guild() {
            data["guild_id"] = json!(guild.to_string());
        }
        let event = Event::new("MESSAGE_DELETE", self.needed_for(at.channel), data);
        self.dispatch(&event);
    }

    /// Something happened to a channel or thread itself.
    pub(crate) fn dispatch_channel(&mut self, name: &'static str, channel: u64) {
        let data = match name {
            "THREAD_DELETE" => {
                let thread = self.channel(channel);
                json!({
                    "id": channel.to_string(),
                    "guild_id": thread.guild().map(|id| id.to_string()),
                    "parent_id": thread.parent().map(|id| id.to_string()),
                    "type": 11,
                })
            }
            _ => self.channel_json(self.channel(channel)),
        };
        let mut event = Event::new(name, intents::GUILDS, data);
        if name == "THREAD_CREATE" {
            event.data["newly_created"] = true.into();
        }
        self.dispatch(&event);
    }

    fn needed_for(&self, channel: u64) -> u64 {
        match self.channel(channel).kind {
            ChannelKind::Direct(_) => intents::DIRECT_MESSAGES,
            _ => intents::GUILD_MESSAGES,
        }
    }

    /// Whether the bot reads the content without the intent for it: its own messages, direct ones, and those that ping
    /// it. Source: Discord docs, "Gateway", "Message Content Intent".
    pub(crate) fn is_open(&self, message: &Message) -> bool {
        let draft = &message.draft;
        draft.author == self.bot.id
            || self.channel(message.at.channel).is_direct()
            || draft.pings.accounts.contains(&self.bot.id)
    }

    /// Whether a person says it for the bot to hear, and it can be understood: alone with the bot, in a thread below
    /// one of its messages, in reply to it, with a mention, or as a command.
    pub(crate) fn is_meant(&self, message: &Message) -> bool {
        let draft = &message.draft;
        if self.account(draft.author).is_bot || !draft.kind.is_said() || draft.has(flags::LOADING) {
            return false;
        }
        let by_bot = |at: MessageAt| {
            let channel = self.channels.get(&at.channel);
            let message = channel.and_then(|channel| channel.messages.get(&at.id));
            message.is_some_and(|message| message.draft.author == self.bot.id)
        };
        let channel = self.channel(message.at.channel);
        if self.is_open(message) {
            return true;
        }
        if self.bot.granted & intents::MESSAGE_CONTENT == 0 {
            return false;
        }
        let below = channel.thread().map(|thread| MessageAt {
            channel: thread.parent,
            id: channel.id,
        });
        let is_command = draft.content.strip_prefix('/').is_some_and(|rest| {
            let name = rest.split_whitespace().next().unwrap_or_default();
            self.commands.iter().any(|command| command.name == name)
        });
        draft.replies_to().is_some_and(by_bot) || below.is_some_and(by_bot) || is_command
    }
}
