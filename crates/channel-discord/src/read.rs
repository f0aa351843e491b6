//! From one event of the gateway to what somebody did.
//!
//! Pure: no call, no memory of its own. What it needs to know of the world is in [`Reading`]. What it finds is an
//! [`Inbound`] for the core and, beside it, where an answer would have to go ([`Answer`]), which is the channel's own
//! business. Tests: `tests/read.rs`, on events as Discord sends them.
//!
//! Quirks that are dealt with here: a thread that hangs below a message has that message's number; a reply that does not
//! ping, and every other text in a server, is empty where the intent for content is not granted; an embed that appears
//! comes as an edit; bots, webhooks and service messages are nobody; what is passed on has its words elsewhere; a modal
//! may come in two shapes, of which the library knows one.

pub(crate) mod event;
mod text;

use std::fmt;

use askd_core::{
    id::{ChannelName, EventId},
    inbound::{Act, Inbound, PressedMessage, Said, Sender},
    present::{Gesture, Payload},
    words::Language,
};
use serde::{Deserialize, de::DeserializeOwned};
use serenity::model::id::{ChannelId, InteractionId, MessageId, UserId};

use self::text::{Mention, Names};
use crate::{
    known::{Kind, Me, Places},
    place::{Place, made_at, message_ref, placed},
};

/// What reading depends on beside the event.
#[derive(Debug)]
pub struct Reading<'a> {
    /// Whose event it is.
    pub channel: &'a ChannelName,
    /// The bot.
    pub me: &'a Me,
    /// What is known of channels and threads.
    pub places: &'a Places,
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
    /// To something that was typed.
    Reply(Spot),
    /// To an interaction, once and soon.
    Interaction(Interaction),
}

/// A message, as calls name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The channel or thread.
    pub channel: ChannelId,
    /// The message in it.
    pub message: MessageId,
}

/// Names an interaction for its answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interaction {
    /// Its number.
    pub id: InteractionId,
    /// What allows to answer it, for 15 minutes.
    pub token: Token,
    /// What was done.
    pub by: By,
    /// Where: a text that must be said in another way goes here.
    pub channel: ChannelId,
}

/// By what an interaction was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// A button.
    Press {
        /// The message with the button.
        on: Spot,
        /// What stands on it, where it asks for own words.
        other: Option<Other>,
    },
    /// A modal; the message is the one whose button opened it.
    Form {
        /// That message.
        on: Option<Spot>,
    },
    /// A command.
    Command {
        /// Whether nobody else reads there.
        direct: bool,
    },
}

/// A button that asks for own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Other {
    /// What it carries.
    pub payload: Payload,
    /// What stands on it.
    pub label: String,
}

/// The token of an interaction: whoever has it can answer in our name.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Token(String);

impl Token {
    /// Takes the text as it is.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

/// Reads the event of this kind from its JSON. `None` where there is nothing of ours in it.
#[must_use]
pub fn read(kind: &str, json: &str, with: &Reading<'_>) -> Option<Did> {
    match kind {
        "MESSAGE_CREATE" => said(&parse(json, with)?, false, with),
        "MESSAGE_UPDATE" => said(&parse(json, with)?, true, with),
        "INTERACTION_CREATE" => interaction(parse(json, with)?, with),
        _ => None,
    }
}

fn parse<T: DeserializeOwned>(json: &str, with: &Reading<'_>) -> Option<T> {
    match serde_json::from_str::<event::Payload<T>>(json) {
        Ok(event) => Some(event.d),
        Err(error) => {
            // Not the error itself: it quotes values.
            tracing::warn!(channel = %with.channel, column = error.column(), "event not understood");
            None
        }
    }
}

fn said(message: &event::Message, edited: bool, with: &Reading<'_>) -> Option<Did> {
    let author = message.author.as_ref()?;
    let is_spoken = matches!(message.kind, ORDINARY | REPLY);
    if author.bot || message.webhook_id.is_some() || !is_spoken {
        return None;
    }
    if edited && message.edited_timestamp.is_none() {
        // A picture of a link has been added: nothing was said anew.
        return None;
    }
    let spot = Spot {
        channel: message.channel_id,
        message: message.id,
    };
    let direct = is_direct(message.channel_id, message.guild_id.is_some(), with);
    let reference = message.refers_to.as_ref();
    let is_us = |mention| match mention {
        Mention::User(user) => user == with.me.user,
        Mention::Role(role) => with.places.is_our_role(role),
    };
    let name = |user: UserId| {
        let named = message.mentions.iter().find(|named| named.id == user)?;
        Some(
            named
                .global_name
                .clone()
                .unwrap_or_else(|| named.username.clone()),
        )
    };
    let typed = text::clean(
        &message.content,
        &Names {
            is_us: &is_us,
            name: &name,
        },
    );
    // A reply that pings mentions us without saying so in its text.
    let pings = message.mentions.iter().any(|user| is_us(Mention::User(user.id)))
        || message
            .mention_roles
            .iter()
            .any(|role| is_us(Mention::Role(*role)));
    let edited_at = message.edited_timestamp.as_deref().filter(|_| edited);
    let event = match edited_at {
        Some(at) => format!("{}/{at}", message.id),
        None => message.id.to_string(),
    };
    let thread = match with.places.kind(message.channel_id) {
        Some(Kind::Thread { parent }) => Some(message_ref(parent, MessageId::new(message.channel_id.get()))),
        _ => None,
    };
    let when = edited_at.or(message.timestamp.as_deref());
    let inbound = Inbound {
        event: EventId::new(event),
        from: account(author, None, with),
        at: Place::Channel(message.channel_id).address(with.channel),
        direct,
        when: when
            .and_then(|when| when.parse().ok())
            .unwrap_or_else(|| made_at(message.id.get())),
        act: Act::Said(Said {
            text: typed.text,
            message: message_ref(spot.channel, spot.message),
            placed: placed(message.id.get()),
            reply_to: replied(message, with).map(|to| message_ref(to.channel, to.message)),
            thread,
            addressed: typed.addressed || pings,
            attachment: !message.attachments.is_empty()
                || !message.sticker_items.is_empty()
                || message.poll.is_some(),
            edited,
            forwarded: reference.is_some_and(|reference| reference.kind == FORWARD)
                || !message.passed_on.is_empty(),
        }),
    };
    Some(Did {
        inbound,
        answer: Answer::Reply(spot),
    })
}

/// Source: reference, "Message Types": `DEFAULT`. All others but [`REPLY`] are service messages, or made by commands.
const ORDINARY: u64 = 0;

/// Source: the same: `REPLY`.
const REPLY: u64 = 19;

/// Source: reference, "Message Reference Types": `FORWARD`.
const FORWARD: u64 = 1;

/// The message it replies to, where that may be one of ours: of a deleted one the author is not told.
fn replied(message: &event::Message, with: &Reading<'_>) -> Option<Spot> {
    let reference = message.refers_to.as_ref()?;
    let author = message.replied.as_ref().and_then(|to| to.author.as_ref());
    let may_be_ours = author.is_none_or(|author| author.id == with.me.user);
    let is_reply = message.kind == REPLY && reference.kind != FORWARD;
    Some(Spot {
        channel: reference.channel_id.unwrap_or(message.channel_id),
        message: reference.message_id.filter(|_| may_be_ours && is_reply)?,
    })
}

fn interaction(interaction: event::Interaction, with: &Reading<'_>) -> Option<Did> {
    let event::Interaction {
        id,
        token,
        kind,
        data,
        guild_id,
        channel_id,
        member,
        user,
        message,
        locale,
        context,
    } = interaction;
    let user = member.and_then(|member| member.user).or(user)?;
    let language = locale.as_deref().and_then(Language::from_tag);
    let data = data.unwrap_or_default();
    let on = message.as_ref().map(|message| Spot {
        channel: message.channel_id,
        message: message.id,
    });
    // A button on a thread's first message is pressed in the thread, and stands in the channel.
    let channel = on.map(|on| on.channel).or(channel_id)?;
    // Between people, where an app that one of them installed may be used too, others read.
    let elsewhere = context.is_some_and(|context| context != GUILD && context != BOT_DM);
    let direct = !elsewhere && is_direct(channel, guild_id.is_some(), with);
    let pressed = on.map(|on| PressedMessage {
        message: message_ref(on.channel, on.message),
        placed: placed(on.message.get()),
    });
    let (act, by) = match kind {
        COMMAND => (
            Act::Said(Said {
                text: command(&data),
                message: message_ref(channel, MessageId::new(id.get())),
                placed: placed(id.get()),
                reply_to: None,
                thread: None,
                addressed: true,
                attachment: false,
                edited: false,
                forwarded: false,
            }),
            By::Command { direct },
        ),
        PRESS => {
            let other = message
                .as_ref()
                .and_then(|message| other(message, &data.custom_id));
            let act = Act::Pressed {
                payload: data.custom_id,
                message: pressed?,
            };
            (act, By::Press { on: on?, other })
        }
        FORM => {
            let act = Act::Filled {
                text: typed_into(&data),
                payload: data.custom_id,
                message: pressed,
            };
            (act, By::Form { on })
        }
        _ => return None,
    };
    let inbound = Inbound {
        event: EventId::new(id.to_string()),
        from: account(&user, language, with),
        at: Place::Channel(channel).address(with.channel),
        direct,
        when: made_at(id.get()),
        act,
    };
    let answer = Answer::Interaction(Interaction {
        id,
        token,
        by,
        channel,
    });
    Some(Did { inbound, answer })
}

/// Source: reference, "Interaction Type": `APPLICATION_COMMAND`.
const COMMAND: u64 = 2;

/// Source: the same: `MESSAGE_COMPONENT`.
const PRESS: u64 = 3;

/// Source: the same: `MODAL_SUBMIT`.
const FORM: u64 = 5;

/// Source: reference, "Interaction Context Types": `GUILD`. The third is `PRIVATE_CHANNEL`.
const GUILD: u64 = 0;

/// Source: the same: `BOT_DM`.
const BOT_DM: u64 = 1;

/// A command as one would type it.
fn command(data: &event::InteractionData) -> String {
    let values = data.options.iter().filter_map(|option| option.value.as_str());
    std::iter::once(format!("/{}", data.name))
        .chain(values.map(str::to_owned))
        .collect::<Vec<_>>()
        .join(" ")
}

/// What was typed into a modal: it has one input. An empty one has no value.
fn typed_into(data: &event::InteractionData) -> String {
    let inputs = data.components.iter().flat_map(event::Component::all);
    let typed = inputs.filter_map(|input| input.value.as_ref()?.as_str());
    typed.collect::<Vec<_>>().join("\n")
}

/// The button that was pressed, if it asks for own words.
fn other(message: &event::Pressed, custom_id: &str) -> Option<Other> {
    let payload = Payload::parse(custom_id).filter(|payload| payload.gesture == Gesture::Other)?;
    let mut buttons = message.components.iter().flat_map(event::Component::all);
    let button = buttons.find(|button| button.custom_id.as_deref() == Some(custom_id));
    let label = button.and_then(|button| button.label.clone()).unwrap_or_default();
    Some(Other { payload, label })
}

fn account(user: &event::User, language: Option<Language>, with: &Reading<'_>) -> Sender {
    if user.bot {
        return Sender::Machine;
    }
    Sender::Account {
        account: Place::Person(user.id).address(with.channel),
        language,
    }
}

/// A message that was read anew does not say whether it is of a server, but its channel was looked up before.
fn is_direct(channel: ChannelId, in_guild: bool, with: &Reading<'_>) -> bool {
    match with.places.kind(channel) {
        Some(kind) => kind == Kind::Direct,
        None => !in_guild,
    }
}
