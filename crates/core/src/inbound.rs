//! What people do, and what became of it.
//!
//! There is one door for answers, [`Inbox::accept`]: channels, the panel, the API and the command line all hand
//! theirs in as [`Inbound`] and get a [`Receipt`] whose sentence is ready to be shown. The broker is the inbox.

use std::collections::BTreeMap;

use async_trait::async_trait;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    answer::Answers,
    channel::Posted,
    id::{Address, AskId, ChannelName, EventId, MessageRef, QuestionId},
    present::{Message, Payload},
    rights::Principal,
    store::StoreError,
    words::{Language, say},
};

/// Where channels put what they receive.
#[async_trait]
pub trait Inbox: Send + Sync {
    /// Takes one event over. `Ok` means: stored, it counts even if the process dies now; only then may the channel
    /// acknowledge it to the platform where the platform can wait. The same event handed in twice changes nothing
    /// more and gets an equal receipt.
    ///
    /// On platforms with a deadline of three seconds, a channel that has no receipt after 1.5 seconds acknowledges
    /// a press and follows up.
    ///
    /// # Errors
    /// [`NotTaken`]: nothing was stored. The channel shows its sentence and does not acknowledge, so that the
    /// platform delivers again where it can.
    async fn accept(&self, event: Inbound) -> Result<Receipt, NotTaken>;

    /// The platform was heard on this channel just now: it answered a poll, a heartbeat or a ping, or sent anything at
    /// all. Called by a channel whenever it knows so, at least several times within its
    /// [`deaf_after`](crate::channel::Channel::deaf_after) while all is well, and never for what the channel itself did: that
    /// a connection is open or that something was sent says nothing. From memory: must not block. Events need no such
    /// call, [`Inbox::accept`] is one.
    fn heard_from(&self, channel: &ChannelName);

    /// Records that a receipt was shown as messages of its own, so that a reply to them is a reply to the ask.
    /// Not called for toasts and ephemeral texts, to which nobody can reply. Best effort: never fails.
    async fn shown(&self, receipt: &Receipt, posted: &Posted);

    /// Every ask that was shown on this channel and is pending, or whose time ran out within the hour, so that an answer
    /// may have been on time: where, and by which messages. Asked for by a channel whose platform hands out nothing again
    /// (Discord, Slack): after a gap it reads anew what was said there since.
    ///
    /// # Errors
    /// What the store says; the same call may work in a moment.
    async fn open_on(&self, channel: &ChannelName) -> Result<Vec<Posted>, StoreError>;

    /// Whether an event was taken over before and left a trace: an answer, or a hint on an ask. Asked for by a channel
    /// that reads anew what was said, so that nobody is told a second time.
    ///
    /// # Errors
    /// What the store says; the same call may work in a moment.
    async fn has_heard(&self, channel: &ChannelName, event: &EventId) -> Result<bool, StoreError>;
}

/// Something a human did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inbound {
    /// For recognising a second delivery; unique on its channel.
    pub event: EventId,
    /// Who did it.
    pub from: Sender,
    /// In which conversation, as the channel names it in every event. For callers with a token: channel `http`, `cli`
    /// or `panel`, and the token's name.
    pub at: Address,
    /// Whether that conversation is with this one person alone.
    pub direct: bool,
    /// When, by the platform's clock.
    pub when: Timestamp,
    /// What they did.
    pub act: Act,
}

/// Who did something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sender {
    /// An account on the platform.
    Account {
        /// As `Channel::parse_address` writes the address of this account.
        account: Address,
        /// What the platform tells of its reader's language.
        language: Option<Language>,
    },
    /// A caller with a token, or who signed in: through the API, the panel or the command line.
    Caller {
        /// Who.
        principal: Principal,
        /// The language they ask to be answered in, whatever the configuration says of them.
        language: Option<Language>,
    },
    /// Somebody whose account the platform hides: an anonymous group admin, a post on behalf of a channel. Never
    /// answers, and is told why.
    Hidden,
    /// A bot, or the platform itself. Never answers, and is told nothing.
    Machine,
}

/// What somebody did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Pressed a button.
    Pressed {
        /// What the button carried; checked by the broker.
        payload: String,
        /// The message it stood on.
        message: PressedMessage,
    },
    /// Sent in the form that an Other… button opened.
    Filled {
        /// What the button carried.
        payload: String,
        /// What was typed.
        text: String,
        /// The message that button stood on, where the platform tells.
        message: Option<PressedMessage>,
    },
    /// Said something.
    Said(Said),
    /// Answered a known ask, as a caller with a token or who signed in.
    Submitted {
        /// Which ask.
        ask: AskId,
        /// What.
        what: Submission,
    },
}

/// The message a button stood on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PressedMessage {
    /// Its name on the channel.
    pub message: MessageRef,
    /// Its place in the conversation's order.
    pub placed: Option<Placed>,
}

/// A message by a human.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts a platform tells of a message"
)]
pub struct Said {
    /// What was typed: without our own mention, without `@bot` after a command, and decoded from the platform's
    /// writing. The caption, for a photo or file.
    pub text: String,
    /// Its name on the channel.
    pub message: MessageRef,
    /// Its place in the conversation's order.
    pub placed: Option<Placed>,
    /// The message it replies to, where that may be one of ours.
    pub reply_to: Option<MessageRef>,
    /// The first message of the thread it stands in, where that may be one of ours.
    pub thread: Option<MessageRef>,
    /// Whether it mentions us or is a command.
    pub addressed: bool,
    /// Whether it carries a photo, file, voice or the like.
    pub attachment: bool,
    /// Whether it is a later version of a message that was said before.
    pub edited: bool,
    /// Whether somebody else's words are passed on.
    pub forwarded: bool,
}

/// What a caller hands in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Submission {
    /// Exact labels or own words per question; may be partial; not read as a reply.
    Values(BTreeMap<QuestionId, Vec<String>>),
    /// A text, read as a reply.
    Text(String),
    /// Declines the whole ask.
    Skip,
}

/// Where a message stands in its conversation's order; larger is later. Made by the channel (a message number, a
/// snowflake), comparable within one conversation only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Placed(pub i64);

/// What became of what a human did, for the one who did it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// What became of it.
    pub became: Became,
    /// One short text in the reader's language that fits one message of the conversation, ready to be shown as toast
    /// (where it is short enough), ephemeral or reply: the form is the channel's choice. Empty for [`Became::Ignored`] alone.
    pub text: String,
    /// The ask it is about, if one.
    pub ask: Option<AskId>,
    /// The message whose button was pressed, as it looks now that this ended its ask: for platforms where a press is
    /// answered by changing its message (Discord). A channel may leave it alone; the message is edited in any case.
    pub shows: Option<Message>,
}

/// What became of what a human did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Became {
    /// It ended the ask.
    Settled,
    /// It was stored, and more is missing.
    Kept {
        /// What this person has answered so far.
        stored: Answers,
        /// What is missing, in declared order.
        missing: Vec<QuestionId>,
    },
    /// It was not understood, or does not count; the ask stays open.
    Hint,
    /// Own words are wanted: by the form, where the channel has forms, else by replying to the text.
    WriteOwn(Form),
    /// The ask was over; the text says how it ended.
    TooLate,
    /// This person may not answer; nothing changed.
    NotYours,
    /// Something beside an answer was done or told: a command, a pairing.
    Told,
    /// Not meant for us; nothing is shown.
    Ignored,
}

/// What a form for own words shows; fits the channel's limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// The question's header.
    pub title: String,
    /// Label of the input.
    pub label: String,
    /// What the form carries back.
    pub payload: Payload,
}

/// Nothing was stored; the same may be tried again.
#[derive(Debug, thiserror::Error)]
#[error("not taken over")]
pub struct NotTaken {
    /// What the human is told, in their language as far as it is known.
    pub text: String,
    /// Why, for the operator.
    #[source]
    pub source: StoreError,
}

/// What a channel says where its platform cannot wait any longer and there is no receipt yet.
#[must_use]
pub fn one_moment(language: Option<Language>) -> String {
    say(language.unwrap_or_default(), "receipt-one-moment", &[])
}

/// What a form says of itself where no receipt says it: because the platform cannot wait for one, or on the button that
/// sends it in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormWords {
    /// Above it.
    pub title: String,
    /// Before the input.
    pub label: String,
    /// On the button that sends it in.
    pub send: String,
}

/// The words of a form for own words that is not about a question by name. In the language the platform tells of its
/// reader: what frames a form speaks as the rest of their platform does.
#[must_use]
pub fn form_words(language: Option<Language>) -> FormWords {
    let word = |id| say(language.unwrap_or_default(), id, &[]);
    FormWords {
        title: word("prompt-other"),
        label: word("receipt-form-label"),
        send: word("receipt-form-send"),
    }
}
