//! From one update to what somebody did.
//!
//! Pure: no call, no memory of its own. What it needs to know of the world is in [`Reading`]. What it finds is an
//! [`Inbound`] for the core and, beside it, where an answer would have to go ([`Answer`]), which is the channel's own
//! business. Tests: `tests/read.rs`, on updates as Telegram sends them.
//!
//! Quirks that are dealt with here: every message of a topic "replies" to the first of it; a tap may come from a message
//! that is out of reach, of which only chat and number are told; anonymous admins and posts on behalf of a channel come
//! from a stand-in account that is a bot; `/skip@ours` and `@ours` reach the core without our name.

mod text;
pub(crate) mod update;

use askd_core::{
    id::{ChannelName, EventId},
    inbound::{Act, Inbound, Placed, PressedMessage, Said, Sender},
    words::Language,
};
use jiff::Timestamp;
use serde_json::Value;

use self::update::{CallbackQuery, Message, Update, User};
use crate::{
    known::{Me, Moved},
    place::{Place, message_ref},
};

/// What reading depends on beside the update.
#[derive(Debug)]
pub struct Reading<'a> {
    /// Whose update it is.
    pub channel: &'a ChannelName,
    /// The bot.
    pub me: &'a Me,
    /// Which groups have a new id.
    pub moved: &'a Moved,
    /// The present: Telegram does not tell when a tap was made.
    pub now: Timestamp,
}

/// What an update says.
#[derive(Debug, PartialEq, Eq)]
pub enum Event {
    /// Somebody did something.
    Did(Box<Did>),
    /// A group has a new id.
    Moved {
        /// The id it had.
        from: i64,
        /// The id it has.
        to: i64,
    },
    /// Nothing of ours.
    Nothing,
}

/// Somebody did something.
#[derive(Debug, PartialEq, Eq)]
pub struct Did {
    /// What, for the core.
    pub inbound: Inbound,
    /// Where an answer goes.
    pub answer: Answer,
}

/// Where an answer goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// To a tap.
    Tap {
        /// Names the tap, for a short while and for one answer.
        query: String,
        /// The message with the button.
        on: Spot,
        /// Who tapped.
        by: Tapper,
    },
    /// To a message.
    Reply {
        /// The message.
        to: Spot,
    },
}

/// A message, and what a message beside it needs to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The chat, under the id it has now.
    pub chat: i64,
    /// The topic, also in a chat with one person.
    pub topic: Option<i32>,
    /// The message.
    pub message: i32,
}

/// Who tapped, as a message can name them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tapper {
    /// The account.
    pub id: i64,
    /// As they call themselves.
    pub name: String,
}

/// Reads one update. Whatever is not understood is [`Event::Nothing`].
#[must_use]
pub fn read(update: &Value, with: &Reading<'_>) -> Event {
    let Some(id) = update::id(update) else {
        return Event::Nothing;
    };
    let Ok(parsed) = Update::deserialize_from(update) else {
        tracing::warn!(channel = %with.channel, update.id = id, "update not understood");
        return Event::Nothing;
    };
    let event = EventId::new(id.to_string());
    match parsed {
        Update {
            callback_query: Some(query),
            ..
        } => pressed(event, query, with),
        Update {
            message: Some(message),
            ..
        } => said(event, &message, false, with),
        Update {
            edited_message: Some(message),
            ..
        } => said(event, &message, true, with),
        _ => Event::Nothing,
    }
}

impl Update {
    fn deserialize_from(update: &Value) -> serde_json::Result<Self> {
        serde::Deserialize::deserialize(update)
    }
}

fn pressed(event: EventId, query: CallbackQuery, with: &Reading<'_>) -> Event {
    let (Some(message), Some(payload)) = (query.message, query.data) else {
        return Event::Nothing;
    };
    let on = spot(&message);
    let inbound = Inbound {
        event,
        from: account(&query.from, with),
        at: place(&message, with).address(with.channel),
        direct: is_direct(&message),
        when: with.now,
        act: Act::Pressed {
            payload,
            message: PressedMessage {
                message: message_ref(on.chat, on.message),
                placed: placed(&message, with),
            },
        },
    };
    let by = Tapper {
        id: query.from.id,
        name: query.from.first_name,
    };
    let answer = Answer::Tap {
        query: query.id,
        on,
        by,
    };
    Event::Did(Box::new(Did { inbound, answer }))
}

fn said(event: EventId, message: &Message, edited: bool, with: &Reading<'_>) -> Event {
    if let Some(to) = message.migrate_to_chat_id {
        return Event::Moved {
            from: message.chat.id,
            to,
        };
    }
    if let Some(from) = message.migrate_from_chat_id {
        return Event::Moved {
            from,
            to: message.chat.id,
        };
    }
    let typed = message.text.as_ref().or(message.caption.as_ref());
    if edited && typed.is_none() {
        // A place on the map that moves, a sticker that gets a reaction: nothing was said anew.
        return Event::Nothing;
    }
    let direct = is_direct(message);
    let typed = text::clean(typed.map_or("", String::as_str), &with.me.username);
    if typed.for_another_bot && !direct {
        return Event::Nothing;
    }
    let to = spot(message);
    let seconds = message.edit_date.filter(|_| edited).unwrap_or(message.date);
    let inbound = Inbound {
        event,
        from: sender(message, with),
        at: place(message, with).address(with.channel),
        direct,
        when: Timestamp::from_second(seconds).unwrap_or(with.now),
        act: Act::Said(Said {
            text: typed.text,
            message: message_ref(to.chat, to.message),
            placed: placed(message, with),
            reply_to: replied(message, with).map(|ours| message_ref(to.chat, ours)),
            thread: None,
            addressed: typed.addressed,
            attachment: message.has_attachment(),
            edited,
            // What another bot wrote is somebody else's words as well, whoever sent them.
            forwarded: message.forward_origin.is_some() || message.via_bot.is_some(),
        }),
    };
    let answer = Answer::Reply { to };
    Event::Did(Box::new(Did { inbound, answer }))
}

/// The message of ours that it replies to. In a topic, what replies to nothing "replies" to the topic's first message.
fn replied(message: &Message, with: &Reading<'_>) -> Option<i32> {
    let replied = message.reply_to_message.as_ref()?;
    let is_topic = message.topic() == Some(replied.message_id);
    let is_ours = replied.from.as_ref().is_some_and(|from| from.id == with.me.id);
    (is_ours && !is_topic).then_some(replied.message_id)
}

fn sender(message: &Message, with: &Reading<'_>) -> Sender {
    if message.is_service() || message.is_automatic_forward {
        return Sender::Machine;
    }
    // Before `from`: whoever hides comes with a stand-in account, which is a bot's.
    if message.sender_chat.is_some() {
        return Sender::Hidden;
    }
    match &message.from {
        Some(from) => account(from, with),
        None => Sender::Hidden,
    }
}

fn account(user: &User, with: &Reading<'_>) -> Sender {
    if user.is_bot {
        return Sender::Machine;
    }
    Sender::Account {
        account: Place::chat(user.id).address(with.channel),
        language: user.language_code.as_deref().and_then(Language::from_tag),
    }
}

/// The conversation as the core knows it. With one person it is one, whatever topics they make in it.
fn place(message: &Message, with: &Reading<'_>) -> Place {
    Place::in_topic(with.moved.stored(message.chat.id), message.topic())
}

/// Where it stands in its conversation. A group that has moved counts anew: next to what was shown under its old id, the
/// number says nothing.
fn placed(message: &Message, with: &Reading<'_>) -> Option<Placed> {
    let counts_anew = with.moved.stored(message.chat.id) != message.chat.id;
    (!counts_anew).then(|| Placed(i64::from(message.message_id)))
}

fn is_direct(message: &Message) -> bool {
    message.chat.kind == "private"
}

fn spot(message: &Message) -> Spot {
    Spot {
        chat: message.chat.id,
        topic: Place::in_topic(message.chat.id, message.topic())
            .topic
            .or(message.topic().filter(|_| is_direct(message))),
        message: message.message_id,
    }
}
