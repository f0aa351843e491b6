//! What of an update is looked at.
//!
//! Own types, because teloxide's message is read whole or not at all: a text with one entity of a kind that is newer
//! than the library loses its text, and a photo of a new sort its caption (`docs/adr/0003`). Here every unknown field is
//! passed over, so what people type comes through whatever Telegram adds.

use std::collections::BTreeMap;

use serde::{Deserialize, de::IgnoredAny};
use serde_json::Value;

/// One update. At most one of its fields is there.
#[derive(Debug, Deserialize)]
pub(super) struct Update {
    pub(super) message: Option<Message>,
    pub(super) edited_message: Option<Message>,
    pub(super) callback_query: Option<CallbackQuery>,
}

#[derive(Debug, Deserialize)]
#[expect(clippy::struct_field_names, reason = "the names are Telegram's")]
pub(super) struct Message {
    pub(super) message_id: i32,
    /// Unix seconds; 0 where the message is out of reach.
    pub(super) date: i64,
    pub(super) edit_date: Option<i64>,
    pub(super) chat: Chat,
    pub(super) from: Option<User>,
    /// Set where the account is hidden behind a chat.
    pub(super) sender_chat: Option<IgnoredAny>,
    /// A topic, but also the first message of a chain of replies in a group without topics.
    pub(super) message_thread_id: Option<i32>,
    #[serde(default)]
    pub(super) is_topic_message: bool,
    #[serde(default)]
    pub(super) is_automatic_forward: bool,
    pub(super) forward_origin: Option<IgnoredAny>,
    /// The bot whose words a person picked from a list and sent as theirs.
    pub(super) via_bot: Option<IgnoredAny>,
    pub(super) reply_to_message: Option<Replied>,
    pub(super) text: Option<String>,
    pub(super) caption: Option<String>,
    pub(super) migrate_to_chat_id: Option<i64>,
    pub(super) migrate_from_chat_id: Option<i64>,
    /// Everything else by its key, to tell a photo from a service message.
    #[serde(flatten)]
    #[expect(
        clippy::zero_sized_map_values,
        reason = "what is flattened is a map; only its keys matter"
    )]
    rest: BTreeMap<String, IgnoredAny>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Replied {
    pub(super) message_id: i32,
    pub(super) from: Option<User>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Chat {
    pub(super) id: i64,
    #[serde(rename = "type", default)]
    pub(super) kind: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct User {
    pub(super) id: i64,
    #[serde(default)]
    pub(super) is_bot: bool,
    #[serde(default)]
    pub(super) first_name: String,
    pub(super) language_code: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct CallbackQuery {
    pub(super) id: String,
    pub(super) from: User,
    /// Without it the button stood on an inline message, of which we send none.
    pub(super) message: Option<Message>,
    pub(super) data: Option<String>,
}

/// Keys of a message that is something else than text. Source: Bot API `Message`.
const ATTACHMENTS: [&str; 20] = [
    "animation",
    "audio",
    "checklist",
    "contact",
    "dice",
    "document",
    "game",
    "invoice",
    "live_photo",
    "location",
    "paid_media",
    "photo",
    "poll",
    "rich_message",
    "sticker",
    "story",
    "venue",
    "video",
    "video_note",
    "voice",
];

impl Message {
    /// Whether it carries something that is not text.
    pub(super) fn has_attachment(&self) -> bool {
        ATTACHMENTS.iter().any(|key| self.rest.contains_key(*key))
    }

    /// Whether nobody said it: somebody joined, a message was pinned.
    pub(super) fn is_service(&self) -> bool {
        self.text.is_none() && self.caption.is_none() && !self.has_attachment()
    }

    /// The topic it stands in. In a group without topics a chain of replies has a number too, which is none.
    pub(super) fn topic(&self) -> Option<i32> {
        self.message_thread_id.filter(|_| self.is_topic_message)
    }
}

/// The number of an update, by which it is confirmed.
pub(crate) fn id(update: &Value) -> Option<i64> {
    update.get("update_id")?.as_i64()
}

/// The chat of an update: events of one are taken over in their order.
pub(crate) fn chat(update: &Value) -> Option<i64> {
    let message = ["message", "edited_message"]
        .iter()
        .find_map(|key| update.get(key))
        .or_else(|| update.get("callback_query")?.get("message"))?;
    message.get("chat")?.get("id")?.as_i64()
}
