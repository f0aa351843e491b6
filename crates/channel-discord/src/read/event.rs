//! The few fields of Discord's events that are looked at.
//!
//! serenity's types read a message whole or not at all: one button of a kind newer than the library, in a message that
//! somebody merely replies to, and what they typed would be lost (`docs/adr/0004`). What is not named here is passed over,
//! and nothing here is required that a message can do without.

use serde::Deserialize;
use serenity::model::id::{ApplicationId, ChannelId, InteractionId, MessageId, RoleId, UserId};

use super::Token;

/// Any event, by its name.
#[derive(Debug, Deserialize)]
pub(crate) struct Envelope {
    pub(crate) op: u8,
    pub(crate) t: Option<String>,
}

/// An event's own part.
#[derive(Debug, Deserialize)]
pub(crate) struct Payload<T> {
    pub(crate) d: T,
}

/// The session has begun.
#[derive(Debug, Deserialize)]
pub(crate) struct Ready {
    pub(crate) user: Named<UserId>,
    pub(crate) application: Named<ApplicationId>,
}

/// Something of which the number alone is looked at.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Named<T> {
    pub(crate) id: T,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Message {
    pub(crate) id: MessageId,
    pub(crate) channel_id: ChannelId,
    #[serde(default)]
    pub(crate) guild_id: Option<Ignored>,
    /// Missing where only a part of a message is told.
    pub(crate) author: Option<User>,
    #[serde(default)]
    pub(crate) content: String,
    pub(crate) timestamp: Option<String>,
    pub(crate) edited_timestamp: Option<String>,
    #[serde(rename = "type", default)]
    pub(crate) kind: u64,
    pub(crate) webhook_id: Option<Ignored>,
    #[serde(default)]
    pub(crate) mentions: Vec<User>,
    #[serde(default)]
    pub(crate) mention_roles: Vec<RoleId>,
    #[serde(default)]
    pub(crate) attachments: Vec<Ignored>,
    #[serde(default)]
    pub(crate) sticker_items: Vec<Ignored>,
    pub(crate) poll: Option<Ignored>,
    #[serde(rename = "message_reference")]
    pub(crate) refers_to: Option<Reference>,
    #[serde(rename = "referenced_message")]
    pub(crate) replied: Option<Box<Replied>>,
    #[serde(rename = "message_snapshots", default)]
    pub(crate) passed_on: Vec<Ignored>,
}

/// Of which it is looked at whether it is there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ignored;

impl<'de> Deserialize<'de> for Ignored {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        serde::de::IgnoredAny::deserialize(deserializer).map(|_| Self)
    }
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct User {
    pub(crate) id: UserId,
    #[serde(default)]
    pub(crate) username: String,
    pub(crate) global_name: Option<String>,
    #[serde(default)]
    pub(crate) bot: bool,
}

/// What a message refers to.
#[derive(Debug, Deserialize)]
pub(crate) struct Reference {
    /// 0: replies to it; 1: passes it on.
    #[serde(rename = "type", default)]
    pub(crate) kind: u64,
    pub(crate) message_id: Option<MessageId>,
    pub(crate) channel_id: Option<ChannelId>,
}

/// A message that somebody replied to.
#[derive(Debug, Deserialize)]
pub(crate) struct Replied {
    pub(crate) author: Option<User>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Interaction {
    pub(crate) id: InteractionId,
    pub(crate) token: Token,
    #[serde(rename = "type")]
    pub(crate) kind: u64,
    pub(crate) data: Option<InteractionData>,
    #[serde(default)]
    pub(crate) guild_id: Option<Ignored>,
    pub(crate) channel_id: Option<ChannelId>,
    /// Who it was, in a server.
    pub(crate) member: Option<Member>,
    /// Who it was, elsewhere.
    pub(crate) user: Option<User>,
    pub(crate) message: Option<Pressed>,
    pub(crate) locale: Option<String>,
    /// Where it was done, as commands are allowed: in a server, with the bot alone, or elsewhere.
    #[serde(default)]
    pub(crate) context: Option<u64>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Member {
    pub(crate) user: Option<User>,
}

/// The message with the button.
#[derive(Debug, Deserialize)]
pub(crate) struct Pressed {
    pub(crate) id: MessageId,
    pub(crate) channel_id: ChannelId,
    #[serde(default)]
    pub(crate) components: Vec<Component>,
}

#[derive(Debug, Default, Deserialize)]
pub(crate) struct InteractionData {
    /// Of a command.
    #[serde(default)]
    pub(crate) name: String,
    /// Of a command: what was put behind it.
    #[serde(default)]
    pub(crate) options: Vec<CommandOption>,
    /// Of a button or a modal.
    #[serde(default)]
    pub(crate) custom_id: String,
    /// Of a modal.
    #[serde(default)]
    pub(crate) components: Vec<Component>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct CommandOption {
    #[serde(default)]
    pub(crate) value: serde_json::Value,
}

/// A button, an input, or something that holds some.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Component {
    pub(crate) custom_id: Option<String>,
    pub(crate) label: Option<String>,
    pub(crate) value: Option<serde_json::Value>,
    pub(crate) components: Vec<Component>,
    /// What newer modals put below a label.
    #[serde(rename = "component")]
    pub(crate) below: Option<Box<Component>>,
}

impl Component {
    /// It and everything in it.
    pub(crate) fn all(&self) -> Vec<&Self> {
        let held = self.components.iter().chain(self.below.as_deref());
        std::iter::once(self).chain(held.flat_map(Self::all)).collect()
    }
}

/// A server's channels, as they are told at the beginning and when they change.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Guild {
    pub(crate) channels: Vec<Channel>,
    pub(crate) threads: Vec<Channel>,
    pub(crate) roles: Vec<Role>,
}

/// A channel or thread.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Channel {
    pub(crate) id: ChannelId,
    #[serde(rename = "type", default)]
    pub(crate) kind: u64,
    /// Of a thread, the channel it is in; of a channel, its category.
    pub(crate) parent_id: Option<ChannelId>,
}

impl Channel {
    /// Kinds with one person alone. Source: reference, "Channel Types": `DM`.
    pub(crate) fn is_direct(self) -> bool {
        self.kind == 1
    }

    /// Source: the same: `ANNOUNCEMENT_THREAD`, `PUBLIC_THREAD`, `PRIVATE_THREAD`.
    pub(crate) fn is_thread(self) -> bool {
        matches!(self.kind, 10..=12)
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct Role {
    pub(crate) id: RoleId,
    #[serde(default)]
    pub(crate) tags: RoleTags,
}

/// Whose role it is, if it came with an application.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct RoleTags {
    pub(crate) bot_id: Option<UserId>,
}
