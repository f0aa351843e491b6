//! From one envelope to what somebody did.
//!
//! Pure: no call, no memory of its own. What it needs to know of the world is in [`Reading`]. What it finds is an
//! [`Inbound`] for the core and, beside it, where an answer would have to go ([`Answer`]), which is the channel's own
//! business. Tests: `tests/read.rs`, on events as Slack sends them.
//!
//! Quirks that are dealt with here: a mention comes as two events, which get one name; the bot hears itself; a thread
//! below a message of ours belongs to the channel, and one that somebody else began is a place of its own; a link that
//! gets a preview looks like an edit; what is passed on stands in an attachment.

pub(crate) mod event;
mod text;

use askd_core::{
    id::{ChannelName, EventId},
    inbound::{Act, Inbound, PressedMessage, Said, Sender},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::event::{Actions, Message, Submission};
use crate::{
    known::{Me, Threads},
    place::{Place, Ts, message_ref},
};

/// Names our form among those of other apps.
pub(crate) const FORM: &str = "askd_own_words";

/// What reading depends on beside the event.
#[derive(Debug)]
pub struct Reading<'a> {
    /// Whose event it is.
    pub channel: &'a ChannelName,
    /// The bot.
    pub me: &'a Me,
    /// Which threads are places.
    pub threads: &'a Threads,
    /// The present: Slack does not tell when a form was sent in.
    pub now: Timestamp,
}

/// What an envelope says.
#[derive(Debug, PartialEq, Eq)]
pub enum Event {
    /// Somebody did something.
    Did(Box<Did>),
    /// The app was taken out of the workspace, or a token was revoked: worth a look at the tokens.
    Revoked,
    /// Nothing of ours.
    Nothing,
}

/// Somebody did something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Did {
    /// What, for the core. It does not tell the sender's language, which takes a call.
    pub inbound: Inbound,
    /// Where an answer goes.
    pub answer: Answer,
    /// Slack's name for the event, where that matters: one message that mentions us is two events.
    pub event: Option<String>,
}

/// Where an answer goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// To whoever pressed a button.
    Press {
        /// Opens one form, for three seconds.
        trigger: String,
        /// The message with the button.
        on: Ts,
        /// Where the button is.
        spot: Spot,
    },
    /// To whoever sent in our form.
    Form {
        /// Where the button was that opened it.
        spot: Spot,
        /// The block with the input, at which faults are shown.
        block: String,
    },
    /// To whoever said something.
    Said {
        /// What was said.
        ts: Ts,
        /// Where.
        spot: Spot,
    },
}

impl Answer {
    /// Where it goes.
    #[must_use]
    pub fn spot(&self) -> &Spot {
        match self {
            Self::Press { spot, .. } | Self::Form { spot, .. } | Self::Said { spot, .. } => spot,
        }
    }
}

/// Where somebody reads an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spot {
    /// The conversation.
    pub conversation: String,
    /// The thread in it, whoever began it.
    pub thread: Option<String>,
    /// Who.
    pub user: String,
}

impl Spot {
    /// Whether nobody else reads there.
    pub(crate) fn is_direct(&self) -> bool {
        Place::conversation(self.conversation.as_str()).is_direct()
    }
}

/// What a form takes along and brings back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Kept {
    /// The conversation, as the core names it.
    pub(crate) at: String,
    /// What the button carried.
    pub(crate) payload: String,
    /// The message the button is on.
    pub(crate) on: String,
    /// Where that is.
    pub(crate) spot: Spot,
}

/// Reads one envelope of Socket Mode. Whatever is not understood is [`Event::Nothing`].
#[must_use]
pub fn read(envelope: &Value, with: &Reading<'_>) -> Event {
    let payload = &envelope["payload"];
    let read = match envelope["type"].as_str() {
        Some("events_api") => happened(payload, with),
        Some("interactive") => match payload["type"].as_str() {
            Some("block_actions") => Actions::deserialize(payload).map(|actions| pressed(actions, with)),
            Some("view_submission") => Submission::deserialize(payload).map(|form| filled(&form, with)),
            _ => return Event::Nothing,
        },
        _ => return Event::Nothing,
    };
    read.unwrap_or_else(|_| {
        // What the error says may quote the payload.
        tracing::warn!(channel = %with.channel, "event not understood");
        Event::Nothing
    })
}

/// Reads a message of a conversation's past, which names no conversation itself. `None` where nobody said it, or we did.
#[must_use]
pub fn read_again(message: &Value, conversation: &str, with: &Reading<'_>) -> Option<Did> {
    let mut message = Message::deserialize(message).ok()?;
    message.channel = Some(conversation.to_owned());
    match said(&message, None, None, with) {
        Event::Did(did) => Some(*did),
        _ => None,
    }
}

fn happened(payload: &Value, with: &Reading<'_>) -> serde_json::Result<Event> {
    let (event, id) = (&payload["event"], payload["event_id"].as_str());
    match event["type"].as_str() {
        Some("message" | "app_mention") => {
            let message = Message::deserialize(event)?;
            if message.is_change() {
                let change = message.change();
                return Ok(change.map_or(Event::Nothing, |(new, at)| said(&new, Some(&at), id, with)));
            }
            Ok(said(&message, None, id, with))
        }
        Some("app_uninstalled" | "tokens_revoked") => Ok(Event::Revoked),
        _ => Ok(Event::Nothing),
    }
}

/// Somebody said something, or said it anew at `edited`. `id`: Slack's name for the event.
fn said(message: &Message, edited: Option<&Ts>, id: Option<&str>, with: &Reading<'_>) -> Event {
    let conversation = message.channel.as_ref().filter(|name| !name.is_empty());
    let (Some(conversation), Some(from)) = (conversation, sender(message, with)) else {
        return Event::Nothing;
    };
    let ts = &message.ts;
    let place = place(
        conversation,
        message.root(),
        message.parent_user_id.as_deref(),
        with,
    );
    let begun_by_us = message
        .parent_user_id
        .as_deref()
        .is_none_or(|began| began == with.me.user);
    let below = message
        .root()
        .filter(|_| begun_by_us && place == Place::conversation(conversation))
        .map(|root| message_ref(conversation, root));
    let passed_on = message.passed_on();
    let typed = text::read(passed_on.as_deref().unwrap_or(message.text()), with.me);
    let event = match edited {
        None => format!("message/{conversation}/{ts}"),
        Some(at) => format!("edit/{conversation}/{ts}/{at}"),
    };
    let spot = Spot {
        conversation: conversation.clone(),
        thread: message.root().map(ToString::to_string),
        user: message.user.clone().unwrap_or_default(),
    };
    let inbound = Inbound {
        event: EventId::new(event),
        from,
        at: place.address(with.channel),
        direct: place.is_direct(),
        when: edited.unwrap_or(ts).instant().unwrap_or(with.now),
        act: Act::Said(Said {
            text: typed.text,
            message: message_ref(conversation, ts),
            placed: Some(ts.placed()),
            // In a channel one answers below a message, and so does whoever merely talks: the core tells them apart. What
            // was meant for us there is a reply, also where the message above is not known.
            reply_to: (typed.addressed || place.is_direct()).then_some(below).flatten(),
            thread: message.root().map(|root| message_ref(conversation, root)),
            addressed: typed.addressed,
            attachment: message.has_attachment(),
            edited: edited.is_some(),
            forwarded: passed_on.is_some(),
        }),
    };
    let answer = Answer::Said { ts: ts.clone(), spot };
    Event::Did(Box::new(Did {
        inbound,
        answer,
        event: id.map(str::to_owned),
    }))
}

/// Who said it. `None` for what nobody said, and for ourselves: the bot hears all it says.
fn sender(message: &Message, with: &Reading<'_>) -> Option<Sender> {
    let user = message.user.as_deref();
    if !message.is_said() || user == Some(&with.me.user) || message.bot_id.as_deref() == Some(&with.me.bot) {
        return None;
    }
    // Slackbot has a person's id.
    if message.bot_id.is_some() || user == Some("USLACKBOT") {
        return Some(Sender::Machine);
    }
    Some(account(user?, message.user_team.as_deref(), with))
}

/// Whose account it is. A guest's has a name that no configuration and no pairing of our own people has.
fn account(user: &str, team: Option<&str>, with: &Reading<'_>) -> Sender {
    if user.is_empty() {
        return Sender::Hidden;
    }
    let guest = team.filter(|team| with.me.is_foreign(Some(team)));
    let name = guest.map_or_else(|| user.to_owned(), |team| format!("{user}@{team}"));
    Sender::Account {
        account: Place::conversation(name.as_str()).address(with.channel),
        language: None,
    }
}

/// The conversation as the core knows it. Below a message of ours it is the channel: there the prompt was shown. In a
/// thread that somebody else began, it is the thread.
fn place(conversation: &str, root: Option<&Ts>, began: Option<&str>, with: &Reading<'_>) -> Place {
    let whole = Place::conversation(conversation);
    let Some(root) = root.filter(|_| !whole.is_direct()) else {
        return whole;
    };
    let thread = Place {
        thread: Some(root.clone()),
        ..whole.clone()
    };
    let is_ours = began.is_none_or(|began| began == with.me.user);
    if is_ours && !with.threads.has(&thread) {
        whole
    } else {
        thread
    }
}

fn pressed(actions: Actions, with: &Reading<'_>) -> Event {
    let Some((conversation, ts)) = actions.on() else {
        return Event::Nothing;
    };
    let Some(action) = actions.actions.first() else {
        return Event::Nothing;
    };
    let root = actions.root(&ts);
    let place = place(&conversation, root.as_ref(), actions.began(), with);
    let message = PressedMessage {
        message: message_ref(&conversation, &ts),
        placed: Some(ts.placed()),
    };
    let when = action.action_ts.as_ref().and_then(Ts::instant);
    let inbound = Inbound {
        event: EventId::new(format!("press/{}", actions.trigger_id)),
        from: account(&actions.user.id, actions.user.team_id.as_deref(), with),
        at: place.address(with.channel),
        direct: place.is_direct(),
        when: when.unwrap_or(with.now),
        act: Act::Pressed {
            payload: action.value.clone().unwrap_or_default(),
            message,
        },
    };
    let answer = Answer::Press {
        trigger: actions.trigger_id,
        on: ts,
        spot: Spot {
            conversation,
            thread: root.map(|root| root.to_string()),
            user: actions.user.id,
        },
    };
    Event::Did(Box::new(Did {
        inbound,
        answer,
        event: None,
    }))
}

fn filled(form: &Submission, with: &Reading<'_>) -> Event {
    let view = &form.view;
    if view.callback_id.as_deref() != Some(FORM) {
        return Event::Nothing;
    }
    let kept = view.private_metadata.as_deref().unwrap_or_default();
    let (Ok(kept), Some((block, typed))) = (serde_json::from_str::<Kept>(kept), view.input()) else {
        return Event::Nothing;
    };
    let Kept {
        at,
        payload,
        on,
        spot,
    } = kept;
    let on = Ts::parse(&on).map(|ts| PressedMessage {
        message: message_ref(&spot.conversation, &ts),
        placed: Some(ts.placed()),
    });
    let Ok(place) = Place::parse(&at) else {
        return Event::Nothing;
    };
    let inbound = Inbound {
        event: EventId::new(format!("form/{}", form.name())),
        from: account(&form.user.id, form.user.team_id.as_deref(), with),
        at: place.address(with.channel),
        direct: place.is_direct(),
        when: with.now,
        act: Act::Filled {
            payload,
            text: text::emoji(&typed.unwrap_or_default()),
            message: on,
        },
    };
    let answer = Answer::Form {
        spot: Spot {
            user: form.user.id.clone(),
            ..spot
        },
        block,
    };
    Event::Did(Box::new(Did {
        inbound,
        answer,
        event: None,
    }))
}
