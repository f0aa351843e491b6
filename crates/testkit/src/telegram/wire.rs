//! What the servers know, as the JSON of the Bot API.
//!
//! Only what the documentation describes is written; the undocumented leftovers of old versions that real servers
//! still send (`forward_from`, `all_members_are_administrators`) are not. `cargo xtask contracts` compares what comes
//! out with the documentation, field by field.

use serde_json::{Map, Value, json};

use super::{
    entities::{self, Formatted},
    message::{Author, Body, Message, MessageAt, Origin, Service},
    state::{Account, Chat, ChatKind, Standing, State, WithBot},
};

/// The account that stands in for administrators who hide. Source: Telegram, "Anonymous admins".
pub(crate) const GROUP_ANONYMOUS_BOT: i64 = 1_087_968_824;
/// The account that stands in for people who speak for a channel.
pub(crate) const CHANNEL_BOT: i64 = 136_817_688;

/// A JSON object that is being put together.
struct Object(Map<String, Value>);

impl Object {
    fn new() -> Self {
        Self(Map::new())
    }

    fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    fn and(self, name: &str, value: Option<impl Into<Value>>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    fn when(self, name: &str, on: bool) -> Self {
        if on { self.with(name, true) } else { self }
    }

    fn done(self) -> Value {
        Value::Object(self.0)
    }
}

impl State {
    pub(crate) fn message_json(&self, message: &Message) -> Value {
        let replied = message.reply_to.or(message
            .thread
            .filter(|thread| thread.is_topic && thread.root != message.at.id)
            .map(|thread| thread.root));
        let replied = replied
            .and_then(|id| self.message(MessageAt { id, ..message.at }))
            .map(|replied| self.bare_message(replied).done());
        self.bare_message(message).and("reply_to_message", replied).done()
    }

    /// A message without the one it replies to: replies are not nested.
    fn bare_message(&self, message: &Message) -> Object {
        let chat = self.chat(message.at.chat);
        let (from, sender_chat) = self.author(message.author, chat);
        let object = Object::new()
            .with("message_id", message.at.id)
            .and("from", from)
            .and("sender_chat", sender_chat)
            .with("chat", chat_json(chat, self))
            .with("date", message.date.as_second())
            .and("edit_date", message.edited.map(jiff::Timestamp::as_second))
            .and("message_thread_id", message.thread.map(|thread| thread.root))
            .when(
                "is_topic_message",
                message.thread.is_some_and(|thread| thread.is_topic),
            )
            .and(
                "forward_origin",
                message.forwarded.as_ref().map(|origin| self.origin(origin)),
            )
            .when("has_protected_content", message.protected)
            .and("reply_markup", message.markup.to_json());
        match &message.body {
            Body::Text(words) => self.words(object.with("text", words.text.as_str()), "entities", words),
            Body::Photo(caption) => {
                let object = object.with("photo", photo());
                if caption.text.is_empty() {
                    return object;
                }
                let object = object.with("caption", caption.text.as_str());
                self.words(object, "caption_entities", caption)
            }
            Body::Service(service) => self.service(object, service),
        }
    }

    fn words(&self, object: Object, name: &str, words: &Formatted) -> Object {
        let entities = entities::to_json(&words.entities, |id| self.user(id));
        object.and(name, (!words.entities.is_empty()).then_some(entities))
    }

    fn service(&self, object: Object, service: &Service) -> Object {
        match service {
            Service::GroupCreated => object.with("group_chat_created", true),
            Service::SupergroupCreated => object.with("supergroup_chat_created", true),
            Service::ChannelCreated => object.with("channel_chat_created", true),
            Service::Joined(accounts) => {
                let users: Value = accounts.iter().map(|id| self.user(*id)).collect();
                object.with("new_chat_members", users)
            }
            Service::Left(account) => object.with("left_chat_member", self.user(*account)),
            Service::TopicCreated(name) => object.with(
                "forum_topic_created",
                json!({"name": name, "icon_color": 0x006f_b9f0}),
            ),
            Service::Renamed(title) => object.with("new_chat_title", title.as_str()),
            Service::MigratedTo(chat) => object.with("migrate_to_chat_id", *chat),
            Service::MigratedFrom(chat) => object.with("migrate_from_chat_id", *chat),
        }
    }

    /// The fields `from` and `sender_chat`.
    fn author(&self, author: Author, chat: &Chat) -> (Option<Value>, Option<Value>) {
        match author {
            Author::Bot => match chat.kind {
                ChatKind::Channel => (None, Some(chat_json(chat, self))),
                _ => (Some(self.user(self.bot.id)), None),
            },
            Author::Account(id) => (Some(self.user(id)), None),
            Author::Anonymous(_) => (Some(self.user(GROUP_ANONYMOUS_BOT)), Some(chat_json(chat, self))),
            Author::ForChannel { channel, .. } => (
                Some(self.user(CHANNEL_BOT)),
                Some(chat_json(self.chat(channel), self)),
            ),
            Author::Channel => (None, Some(chat_json(chat, self))),
        }
    }

    fn origin(&self, origin: &Origin) -> Value {
        match origin {
            Origin::User { account, date } => {
                json!({"type": "user", "date": date.as_second(), "sender_user": self.user(*account)})
            }
            Origin::Hidden { name, date } => {
                json!({"type": "hidden_user", "date": date.as_second(), "sender_user_name": name})
            }
            Origin::Channel {
                channel,
                message,
                date,
            } => json!({
                "type": "channel", "date": date.as_second(), "message_id": message,
                "chat": chat_json(self.chat(*channel), self),
            }),
        }
    }

    /// An account, or one of those that stand in for others.
    pub(crate) fn user(&self, id: i64) -> Value {
        let machine = |name: &str, username: &str| json!({"id": id, "is_bot": true, "first_name": name, "username": username});
        match id {
            GROUP_ANONYMOUS_BOT => machine("Group", "GroupAnonymousBot"),
            CHANNEL_BOT => machine("Channel", "Channel_Bot"),
            id if id == self.bot.id => machine(&self.bot.name, &self.bot.username),
            id => account(self.account(id)),
        }
    }

    /// The answer of `getMe`, which says more of the bot than its messages do.
    pub(crate) fn me(&self) -> Value {
        let mut me = self.user(self.bot.id);
        for (name, on) in [
            ("can_join_groups", true),
            ("can_read_all_group_messages", self.bot.reads_groups),
            ("supports_inline_queries", false),
            ("can_connect_to_business", false),
            ("has_main_web_app", false),
            ("has_topics_enabled", false),
            ("allows_users_to_create_topics", false),
        ] {
            me[name] = on.into();
        }
        me
    }

    /// The answer of `getChat`.
    pub(crate) fn full_chat(&self, chat: &Chat) -> Value {
        let mut full = chat_json(chat, self);
        full["accent_color_id"] = 0.into();
        full["max_reaction_count"] = 11.into();
        full["accepted_gift_types"] = json!({
            "unlimited_gifts": false, "limited_gifts": false, "unique_gifts": false,
            "premium_subscription": false, "gifts_from_channels": false,
        });
        full
    }

    /// How somebody stands in a chat.
    pub(crate) fn member(&self, chat: &Chat, id: i64) -> Value {
        let standing = if id == self.bot.id {
            chat.bot
        } else {
            let absent = match chat.kind {
                ChatKind::Private if chat.id == id => Standing::Member,
                _ => Standing::Left,
            };
            chat.members.get(&id).copied().unwrap_or(absent)
        };
        member_json(standing, &self.user(id))
    }

    /// The bot's standing changed.
    pub(crate) fn my_member_changed(&self, chat: &Chat, by: i64, old: Standing, new: Standing) -> Value {
        let me = self.user(self.bot.id);
        json!({
            "chat": chat_json(chat, self), "from": self.user(by), "date": self.now.as_second(),
            "old_chat_member": member_json(old, &me), "new_chat_member": member_json(new, &me),
        })
    }

    /// A tap, with the message it was made on, or with what is left of that.
    pub(crate) fn tap_json(&self, id: &str, by: i64, on: MessageAt, data: &str, vanished: bool) -> Value {
        let message = match self.message(on).filter(|_| !vanished) {
            Some(message) => self.message_json(message),
            None => json!({"chat": chat_json(self.chat(on.chat), self), "message_id": on.id, "date": 0}),
        };
        json!({
            "id": id, "from": self.user(by), "message": message, "data": data,
            // Telegram's own name for the chat; anything that stays the same will do.
            "chat_instance": on.chat.wrapping_mul(2_654_435_761).to_string(),
        })
    }
}

fn account(account: &Account) -> Value {
    Object::new()
        .with("id", account.id)
        .with("is_bot", false)
        .with("first_name", account.name.as_str())
        .and("username", account.username.as_deref())
        .and("language_code", account.language.as_deref())
        .done()
}

pub(crate) fn chat_json(chat: &Chat, state: &State) -> Value {
    let object = Object::new().with("id", chat.id);
    match chat.kind {
        ChatKind::Private => object
            .with("type", "private")
            .with("first_name", chat.title.as_str())
            .and("username", state.account(chat.id).username.as_deref()),
        ChatKind::Group => object.with("type", "group").with("title", chat.title.as_str()),
        ChatKind::Supergroup { forum } => object
            .with("type", "supergroup")
            .with("title", chat.title.as_str())
            .when("is_forum", forum),
        ChatKind::Channel => object.with("type", "channel").with("title", chat.title.as_str()),
    }
    .done()
}

fn member_json(standing: Standing, user: &Value) -> Value {
    let status = match standing {
        Standing::Creator => "creator",
        Standing::Administrator => "administrator",
        Standing::Member => "member",
        Standing::Left => "left",
        Standing::Kicked => "kicked",
    };
    let mut member = json!({"status": status, "user": user});
    match standing {
        Standing::Creator => member["is_anonymous"] = false.into(),
        Standing::Kicked => member["until_date"] = 0.into(),
        Standing::Administrator => {
            for right in ADMINISTRATOR_RIGHTS {
                member[right] = false.into();
            }
            member["can_manage_chat"] = true.into();
        }
        Standing::Member | Standing::Left => {}
    }
    member
}

const ADMINISTRATOR_RIGHTS: [&str; 12] = [
    "can_be_edited",
    "is_anonymous",
    "can_manage_chat",
    "can_delete_messages",
    "can_manage_video_chats",
    "can_restrict_members",
    "can_promote_members",
    "can_change_info",
    "can_invite_users",
    "can_post_stories",
    "can_edit_stories",
    "can_delete_stories",
];

/// One size of a photo that nobody can fetch.
fn photo() -> Value {
    json!([{
        "file_id": "AgACAgQAAxkBAAIB", "file_unique_id": "AQADvAAB", "width": 90, "height": 67, "file_size": 1101,
    }])
}

impl Account {
    pub(crate) fn has_started(&self) -> bool {
        self.standing == WithBot::Started
    }
}
