//! The seam to a platform.
//!
//! A channel is one connected account: one Telegram bot, one Discord application. It maps: a [`Presentation`] to
//! the platform's payload, the platform's events to [`Inbound`]. It decides nothing, reads no store and knows no
//! other channel. What it can show is data ([`Capabilities`]), and the core plans within it before it calls.
//!
//! How to add one: `docs/adding-a-channel.md`; what it must do is the conformance suite in `askd-testkit`.

use std::{error::Error, fmt::Debug, time::Duration};

use async_trait::async_trait;
use jiff::Timestamp;
use tokio_util::sync::CancellationToken;

use crate::{
    id::{Address, ChannelName, MessageRef, PostKey},
    inbound::{Inbox, Placed},
    present::{Capabilities, Message, Presentation},
};

/// One connected account on one platform.
#[async_trait]
pub trait Channel: Debug + Send + Sync {
    /// The name from the configuration, constant for the life of the value; stored with deliveries.
    fn name(&self) -> &ChannelName;

    /// Reads an address as the configuration writes it, without the channel's name. Pure: no I/O, and an address
    /// that parses need not exist. Called when configuration is read.
    ///
    /// # Errors
    /// [`BadAddress`], whose text tells the operator what the platform's addresses look like.
    fn parse_address(&self, local: &str) -> Result<Address, BadAddress>;

    /// What can be shown and heard at `to`, from memory: must not block and do no I/O. Called before every post and
    /// edit; for an address never seen it gives the platform's strictest profile.
    fn capabilities(&self, to: &Address) -> Capabilities;

    /// Where a person can hand in the pairing code with one tap, if the platform has such links. From memory.
    fn pairing_link(&self, code: &str) -> Option<String> {
        let _ = code;
        None
    }

    /// Shows `what` at `to` as new messages, in order, controls on the last.
    ///
    /// Called by one dispatcher task per address at a time. A second call with the same `key` is a retry of which
    /// the first may have succeeded: where the platform deduplicates by key, the channel uses it. Must not retry by
    /// itself, and must give up within 30 seconds. If some messages went out and a later one failed, the error says
    /// so by [`ChannelError::Unclear`] with `maybe_done`, and the whole is posted again.
    ///
    /// # Errors
    /// See [`ChannelError`]; [`ChannelError::next`] is what the dispatcher does.
    async fn post(&self, to: &Address, what: &Presentation, key: &PostKey) -> Result<Posted, ChannelError>;

    /// What stands at `to` of a post by `key` of which nobody knows whether it was carried out, since the process died or
    /// the answer was lost: `what` is what was posted, not before `since`. Shows nothing. Takes back a part that stands
    /// without the rest, where the platform tells that it is one. `None` where nothing stands, and on platforms that
    /// cannot tell, where such a message is known again by a press on it alone.
    ///
    /// # Errors
    /// As for [`Channel::post`].
    async fn find(
        &self,
        to: &Address,
        what: &Presentation,
        key: &PostKey,
        since: Timestamp,
    ) -> Result<Option<Posted>, ChannelError> {
        let _ = (to, what, key, since);
        Ok(None)
    }

    /// Makes the message at `at` show `what`, removing controls that `what` has not. Calling it twice shows the
    /// same; a platform's "not modified" is success. Never rings.
    ///
    /// # Errors
    /// [`ChannelError::Gone`] where the message cannot be changed any more: a follow-up takes its place.
    async fn edit(&self, at: &MessageRef, what: &Message) -> Result<(), ChannelError>;

    /// How long the platform may be silent before this channel counts as deaf. Constant, from the channel's limits: a few
    /// times the longest silence of a connection that works, so that one lost answer is no alarm. Only reported
    /// (`/readyz`, metrics): a channel finds out by itself that it has to reconnect.
    fn deaf_after(&self) -> Duration;

    /// Receives until `stop`, handing every event to `inbox` and acknowledging it to the platform only after
    /// `accept` returned `Ok` (where the platform can wait; see [`Inbox`]). Tells the inbox whenever it hears the platform
    /// ([`Inbox::heard_from`]). Shows receipts natively. Reconnects by itself with backoff; returns `Ok` on `stop` within
    /// five seconds, and an error only where reconnecting is pointless.
    ///
    /// # Errors
    /// [`ChannelError::Refused`] where the credentials are wrong.
    async fn listen(&self, inbox: &dyn Inbox, stop: CancellationToken) -> Result<(), ChannelError>;

    /// Finds out, live, whether the channel can do its work, and whether asks can reach `places` (addresses of this
    /// channel; others are passed over). Shows nothing to anybody and takes no event away from a running askd. Gives
    /// up within a minute; what cannot be found out is a finding.
    async fn doctor(&self, places: &[Address]) -> Vec<Finding> {
        let _ = places;
        Vec::new()
    }
}

/// Something a channel found out about itself, for the operator. English, without secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is.
    pub grade: Grade,
    /// What it is about, in a word that stays the same: `token`, `webhook`, or an address.
    pub about: String,
    /// What was found.
    pub found: String,
    /// What to do about it; nothing where all is well.
    pub remedy: Option<String>,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// All is well.
    Good,
    /// It works, but not as one may expect.
    Note,
    /// It does not work before somebody acts.
    Bad,
}

/// What a post left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posted {
    /// The conversation as events name it: a direct `discord:@…` or `slack:U…` becomes its channel.
    pub at: Address,
    /// Every message, in order; never empty.
    pub messages: Vec<PostedMessage>,
}

/// One message that was posted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostedMessage {
    /// Its name on the channel.
    pub message: MessageRef,
    /// Where it stands in the conversation's order, if the platform has one.
    pub placed: Option<Placed>,
}

/// An address that is none; the text is for the operator and says what would be one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadAddress(pub String);

/// What went wrong underneath: for the operator's log, without credentials and message texts.
pub type Source = Box<dyn Error + Send + Sync>;

/// Why a platform did not do what we asked.
///
/// Variants are named by what the *dispatcher* must do next, not by HTTP status: [`ChannelError::next`] is the only
/// place where retry policy reads them. `Display` is for the operator's log and holds no message text and no
/// credentials; what a human reads is made in `present`.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChannelError {
    /// The token is wrong, expired or lacks a scope. Stops the channel.
    #[error("the platform refused our credentials")]
    Refused(#[source] Source),
    /// Nobody can be reached there: blocked us, left, or never started a chat.
    #[error("the address cannot be reached")]
    Unreachable(#[source] Source),
    /// The message to edit is deleted or too old. A follow-up takes its place.
    #[error("the message can no longer be changed")]
    Gone,
    /// Too many calls. The pause is the platform's own figure.
    #[error("asked to pause for {} ms", .pause.as_millis())]
    Throttled {
        /// How long to pause, as the platform says.
        pause: Duration,
    },
    /// The platform would not take the content. A bug of ours, or a limit that moved: see the channel's `limits.rs`.
    #[error("the platform rejected the content: {code}")]
    Rejected {
        /// The platform's error code; not its prose, which may quote the message.
        code: String,
    },
    /// No clear answer: network, 5xx, time-out.
    #[error("no answer from the platform (message may have arrived: {maybe_done})")]
    Unclear {
        /// Whether the human may already see the effect of the call.
        maybe_done: bool,
        /// What went wrong underneath.
        #[source]
        source: Source,
    },
    /// This channel cannot do that at all.
    #[error("this channel cannot {0}")]
    Unsupported(&'static str),
}

/// What the dispatcher does after a failed call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Try again after this pause, or after the usual backoff.
    Retry(Option<Duration>),
    /// Give this delivery up; other destinations still count.
    GiveUp,
    /// Say it with a new message instead.
    FollowUp,
    /// Stop the channel and tell the operator.
    StopChannel,
}

impl ChannelError {
    /// What to do next. Total on purpose: a new variant does not compile until someone has decided.
    #[must_use]
    pub fn next(&self) -> Next {
        match self {
            Self::Refused(_) => Next::StopChannel,
            Self::Unreachable(_) | Self::Rejected { .. } => Next::GiveUp,
            Self::Gone | Self::Unsupported(_) => Next::FollowUp,
            Self::Throttled { pause } => Next::Retry(Some(*pause)),
            Self::Unclear { .. } => Next::Retry(None),
        }
    }
}
