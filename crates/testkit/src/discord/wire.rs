//! What is known, as the API tells it.

mod guilds;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{
    components,
    interactions::{Asked, Interaction},
    message::{Kind, Message, flags},
    permissions::OF_EVERYBODY,
    state::{Channel, ChannelKind, State, Thread},
};

/// Minutes of silence after which a thread is archived.
const ARCHIVE_AFTER: u64 = 1440;

impl State {
    pub(crate) fn user_json(&self, id: u64) -> Value {
        let account = self.account(id);
        let mut user = json!({
            "id": id.to_string(),
            "username": account.username,
            "avatar": null,
            "discriminator": "0",
            "public_flags": 0,
            "flags": 0,
            "global_name": account.name,
            "primary_guild": null,
        });
        if account.is_bot {
            user["bot"] = true.into();
            user["global_name"] = Value::Null;
        }
        user
    }

    /// The bot, as it sees itself.
    pub(crate) fn me_json(&self) -> Value {
        let mut me = self.user_json(self.bot.id);
        me["mfa_enabled"] = true.into();
        me["locale"] = "en-US".into();
        me["verified"] = true.into();
        me["email"] = Value::Null;
        me
    }

    /// A member, without who it is: as it stands beside a message.
    pub(crate) fn partial_member_json(&self, guild: u64, account: u64) -> Option<Value> {
        let guild = self.guild(guild);
        let since = if account == self.bot.id {
            guild.bot_since?
        } else {
            *guild.members.get(&account)?
        };
        let roles = if account == self.bot.id {
            vec![guild.bot_role.to_string()]
        } else {
            Vec::new()
        };
        Some(json!({
            "avatar": null,
            "banner": null,
            "communication_disabled_until": null,
            "flags": 0,
            "joined_at": instant(since),
            "nick": null,
            "pending": false,
            "premium_since": null,
            "roles": roles,
            "mute": false,
            "deaf": false,
        }))
    }

    pub(crate) fn member_json(&self, guild: u64, account: u64) -> Option<Value> {
        let mut member = self.partial_member_json(guild, account)?;
        member["user"] = self.user_json(account);
        Some(member)
    }

    pub(crate) fn channel_json(&self, channel: &Channel) -> Value {
        let last = channel.open_messages().next_back();
        let last = last.map(|message| message.at.id.to_string());
        let mut value = json!({"id": channel.id.to_string(), "flags": 0, "last_message_id": last});
        match &channel.kind {
            ChannelKind::Direct(with) => {
                value["type"] = 1.into();
                value["recipients"] = json!([self.user_json(*with)]);
            }
            ChannelKind::Text { guild, name } => {
                value["type"] = 0.into();
                value["guild_id"] = guild.to_string().into();
                value["name"] = name.as_str().into();
                value["parent_id"] = Value::Null;
                value["position"] = 0.into();
                value["topic"] = Value::Null;
                value["nsfw"] = false.into();
                value["rate_limit_per_user"] = 0.into();
                value["permission_overwrites"] = self.overwrites_json(channel);
            }
            ChannelKind::Thread(thread) => {
                let messages = channel.open_messages().count();
                value["type"] = 11.into();
                value["guild_id"] = thread.guild.to_string().into();
                value["name"] = thread.name.as_str().into();
                value["parent_id"] = thread.parent.to_string().into();
                value["owner_id"] = thread.owner.to_string().into();
                value["rate_limit_per_user"] = 0.into();
                value["message_count"] = messages.into();
                value["total_message_sent"] = messages.into();
                value["member_count"] = thread.members.len().into();
                value["thread_metadata"] = metadata_json(thread);
            }
        }
        value
    }

    fn overwrites_json(&self, channel: &Channel) -> Value {
        if channel.denied == 0 {
            return json!([]);
        }
        let deny = channel.denied.to_string();
        json!([{"id": self.bot.id.to_string(), "type": 1, "allow": "0", "deny": deny}])
    }

    /// A channel, as it stands in an interaction.
    pub(crate) fn partial_channel_json(&self, channel: &Channel) -> Value {
        let mut value = self.channel_json(channel);
        if !channel.is_direct() {
            value["permissions"] = OF_EVERYBODY.to_string().into();
        }
        value
    }

    pub(crate) fn message_json(&self, message: &Message, visible: bool) -> Value {
        let mut value = self.message_without_reference(message, visible);
        let Some(to) = message.draft.refers_to else {
            return value;
        };
        let guild = self.channels.get(&to.channel).and_then(Channel::guild);
        let mut reference = json!({"type": 0, "channel_id": to.channel.to_string()});
        if message.draft.kind == Kind::ThreadMade {
            // The thread itself, and no message of it.
            reference["channel_id"] = to.id.to_string().into();
        } else {
            reference["message_id"] = to.id.to_string().into();
        }
        if let Some(guild) = guild {
            reference["guild_id"] = guild.to_string().into();
        }
        value["message_reference"] = reference;
        if matches!(message.draft.kind, Kind::Reply | Kind::ThreadStarter) {
            let replied = self.message(to);
            let seen = |replied: &Message| visible || self.is_open(replied);
            value["referenced_message"] = replied.map_or(Value::Null, |replied| {
                self.message_without_reference(replied, seen(replied))
            });
        }
        value
    }

    fn message_without_reference(&self, message: &Message, visible: bool) -> Value {
        let draft = &message.draft;
        let mentions: Vec<Value> = draft
            .pings
            .accounts
            .iter()
            .map(|id| self.user_json(*id))
            .collect();
        let roles: Vec<String> = draft.pings.roles.iter().map(u64::to_string).collect();
        let (content, files, rows) = if visible {
            let files = draft.files.iter().map(file_json).collect();
            (draft.content.as_str(), files, components::to_json(&draft.rows))
        } else {
            ("", Vec::new(), json!([]))
        };
        let mut value = json!({
            "type": draft.kind.number(),
            "content": content,
            "mentions": mentions,
            "mention_roles": roles,
            "attachments": files,
            "embeds": [],
            "timestamp": instant(message.date),
            "edited_timestamp": message.edited.map(instant),
            "flags": draft.flags,
            "components": rows,
            "id": message.at.id.to_string(),
            "channel_id": message.at.channel.to_string(),
            "author": self.author_json(message),
            "pinned": false,
            "mention_everyone": draft.pings.everyone,
            "tts": false,
        });
        if let Some(nonce) = &draft.nonce {
            value["nonce"] = nonce.as_str().into();
        }
        if let Some(snapshot) = &draft.forwarded {
            value["message_reference"] = json!({
                "type": 1,
                "channel_id": snapshot.from.channel.to_string(),
                "message_id": snapshot.from.id.to_string(),
            });
            let content = if visible { snapshot.content.as_str() } else { "" };
            let snapshot = json!({
                "type": 0,
                "content": content,
                "mentions": [],
                "mention_roles": [],
                "attachments": [],
                "embeds": [],
                "timestamp": instant(snapshot.date),
                "edited_timestamp": null,
                "flags": 0,
                "components": [],
            });
            value["message_snapshots"] = json!([{"message": snapshot}]);
        }
        if draft.webhook {
            value["webhook_id"] = draft.author.to_string().into();
        }
        if let Some(interaction) = draft.answers.and_then(|id| self.interactions.get(&id)) {
            value["webhook_id"] = self.bot.id.to_string().into();
            value["application_id"] = self.bot.id.to_string().into();
            value["interaction_metadata"] = self.metadata_json(interaction);
        }
        if draft.has(flags::HAS_THREAD)
            && let Some(thread) = self.channels.get(&message.at.id)
        {
            value["thread"] = self.channel_json(thread);
        }
        value
    }

    fn author_json(&self, message: &Message) -> Value {
        let mut author = self.user_json(message.draft.author);
        if message.draft.webhook {
            // A webhook is no account: nothing but a name of its own.
            author["bot"] = true.into();
            author["discriminator"] = "0000".into();
        }
        author
    }

    /// The interaction that a message answers, and the one that opened the form for it.
    fn metadata_json(&self, interaction: &Interaction) -> Value {
        let channel = self.channel(interaction.channel);
        let owner = channel
            .guild()
            .map_or_else(|| "0".to_owned(), |id| id.to_string());
        let mut value = json!({
            "id": interaction.id.to_string(),
            "user": self.user_json(interaction.by),
            "authorizing_integration_owners": {"0": owner},
        });
        match &interaction.asked {
            Asked::Command { .. } => value["type"] = 2.into(),
            Asked::Button { on, .. } => {
                value["type"] = 3.into();
                value["interacted_message_id"] = on.id.to_string().into();
            }
            Asked::Form { from, .. } => {
                value["type"] = 5.into();
                value["triggering_interaction_metadata"] = self.metadata_json(&self.interactions[from]);
            }
        }
        value
    }
}

/// An instant, as Discord writes it.
fn instant(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S%.6f+00:00").to_string()
}

fn metadata_json(thread: &Thread) -> Value {
    json!({
        "archived": thread.archived,
        "auto_archive_duration": ARCHIVE_AFTER,
        "archive_timestamp": instant(thread.since),
        "locked": thread.locked,
        "create_timestamp": instant(thread.since),
    })
}

fn file_json(file: &super::message::File) -> Value {
    json!({
        "id": file.id.to_string(),
        "filename": file.name,
        "size": file.size,
        "url": format!("https://cdn.example.org/{}", file.name),
        "proxy_url": format!("https://media.example.org/{}", file.name),
        "content_type": file.kind,
    })
}
