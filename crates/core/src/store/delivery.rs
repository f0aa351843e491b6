//! The work of showing one ask at one address, as it is stored.

use jiff::{Timestamp, tz::TimeZone};
use serde::{Deserialize, Serialize};

use crate::{
    ask::Ask,
    id::{Address, AskId, DeliveryId, MessageRef, PersonName},
    inbound::Placed,
    words::Language,
};

/// One delivery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivery {
    /// Its name, and the idempotency key of its post.
    pub id: DeliveryId,
    /// Where the route sends it.
    pub to: Address,
    /// The conversation it was shown in, as events name it; known after the first post.
    pub at: Option<Address>,
    /// Whose account `to` is; `None` for a place.
    pub person: Option<PersonName>,
    /// The route's language, for a reader without one.
    pub language: Option<Language>,
    /// The route's time zone (IANA name), for a reader without one.
    pub time_zone: Option<String>,
    /// Where it is in its life.
    pub state: DeliveryState,
    /// When there is something to do; `None` where there is nothing.
    pub due: Option<Timestamp>,
    /// Until when a dispatcher works on it; it may be claimed again after that.
    pub claimed_until: Option<Timestamp>,
    /// Failed attempts at what is to be done now.
    pub attempts: u32,
    /// Whether it may have been shown by an attempt of which nobody knows the outcome: its answer was lost, or the
    /// process died.
    #[serde(default)]
    pub unclear: bool,
    /// Every message about the ask in this conversation, in order of showing.
    pub messages: Vec<ShownMessage>,
}

/// The life of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryState {
    /// To be posted.
    Queued,
    /// Posted; the ask is open.
    Shown,
    /// The ask is over; its messages are to show so.
    Settling,
    /// The messages show the outcome, or whatever the platform still allowed.
    Settled,
    /// Never shown, and given up.
    Failed(Failure),
    /// The ask was over before it was posted, as far as can be known.
    Dropped,
}

/// Why a delivery was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Failure {
    /// The platform refused the channel's credentials.
    Credentials,
    /// Nobody can be reached there: they blocked us, left, or never started a chat.
    Unreachable,
    /// The platform would not take the message.
    Rejected,
    /// The channel cannot do this.
    Unsupported,
    /// No channel of that name is configured any more.
    NoChannel,
    /// The browser is not subscribed to pushes any more.
    Unsubscribed,
}

impl Failure {
    /// The reason on the wire, in words for the agent's author and the operator.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::Credentials => "the platform refused askd's credentials for this channel",
            Self::Unreachable => {
                "nobody can be reached there: the bot was blocked, removed, or never started"
            }
            Self::Rejected => "the platform would not take the message",
            Self::Unsupported => "this channel cannot show it",
            Self::NoChannel => "no channel of this name is configured",
            Self::Unsubscribed => "the browser is no longer subscribed to notifications",
        }
    }
}

/// One message about an ask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownMessage {
    /// Its name on the channel.
    pub message: MessageRef,
    /// Its place in the conversation's order.
    pub placed: Option<Placed>,
    /// What it is for.
    pub role: MessageRole,
}

/// What a message about an ask is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MessageRole {
    /// The prompt, or a part of it; edited when the ask ends.
    Prompt,
    /// Asks for own words after Other…: a reply to it is own words.
    OwnWords,
    /// A hint, a receipt or a follow-up: a reply to it is a reply to the ask, and it is never edited.
    Note,
}

impl Delivery {
    /// Whether somebody was shown the ask through it.
    #[must_use]
    pub fn is_delivered(&self) -> bool {
        self.prompts().next().is_some()
    }

    /// Whether there is something to post or to settle, now or later.
    #[must_use]
    pub fn is_open(&self) -> bool {
        matches!(self.state, DeliveryState::Queued | DeliveryState::Settling)
    }

    /// Whether nothing can come of it any more.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        matches!(self.state, DeliveryState::Failed(_)) && !self.is_delivered()
    }

    /// The messages that are edited when the ask ends, in order.
    pub fn prompts(&self) -> impl Iterator<Item = &ShownMessage> {
        self.messages
            .iter()
            .filter(|shown| shown.role == MessageRole::Prompt)
    }

    /// The conversation: where it was shown, else where it is sent.
    #[must_use]
    pub fn conversation(&self) -> &Address {
        self.at.as_ref().unwrap_or(&self.to)
    }

    /// The route's time zone, if its name is still known.
    #[must_use]
    pub fn zone(&self) -> Option<TimeZone> {
        self.time_zone
            .as_deref()
            .and_then(|name| TimeZone::get(name).ok())
    }

    /// The word on the wire.
    #[must_use]
    pub fn status(&self) -> &'static str {
        match self.state {
            DeliveryState::Queued => "queued",
            DeliveryState::Shown => "shown",
            DeliveryState::Settling => "settling",
            DeliveryState::Settled => "settled",
            DeliveryState::Failed(_) => "failed",
            DeliveryState::Dropped => "dropped",
        }
    }
}

/// A delivery claimed for work, with the ask as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The delivery, claimed.
    pub delivery: Delivery,
    /// The ask at the moment of claiming.
    pub ask: Ask,
    /// What to do.
    pub work: Work,
}

/// What to do with a claimed delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Show the prompt.
    Post,
    /// The ask is over, and the prompt may have been shown: find it, so that it can be settled.
    Find,
    /// Show the outcome in every prompt message, or by a follow-up.
    Settle,
}

/// How an attempt ended that did not do its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PutBack {
    /// Try again at this instant.
    Retry(Timestamp),
    /// The same after a post that may have been carried out.
    Unclear(Timestamp),
    /// Give it up.
    GiveUp(Failure),
}

/// Which message of which ask: what a reply or a press refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageOwner {
    /// The ask it is about.
    pub ask: AskId,
    /// What the message is for.
    pub role: MessageRole,
}
