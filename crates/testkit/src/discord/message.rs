//! A message, as the servers keep it.

use std::{fmt, time::Duration};

use jiff::Timestamp;

use super::components::Rows;

/// Which message. Its id alone would do; the API always asks for both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MessageAt {
    /// The channel or thread.
    pub channel: u64,
    /// The message.
    pub id: u64,
}

impl fmt::Display for MessageAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.channel, self.id)
    }
}

/// Flags of a message. Source: Discord docs, "Message Resource", "Message Flags".
pub(crate) mod flags {
    /// Links show no preview.
    pub(crate) const SUPPRESS_EMBEDS: u64 = 1 << 2;
    /// A thread stands below it.
    pub(crate) const HAS_THREAD: u64 = 1 << 5;
    /// One person alone sees it.
    pub(crate) const EPHEMERAL: u64 = 1 << 6;
    /// It waits to be filled.
    pub(crate) const LOADING: u64 = 1 << 7;
    /// Telephones stay quiet.
    pub(crate) const SUPPRESS_NOTIFICATIONS: u64 = 1 << 12;
}

/// What kind of message it is: `MessageType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Default,
    /// Says that somebody has pinned a message, to which it refers.
    Pinned,
    /// Says that somebody has joined.
    Joined,
    /// Says that a thread was made.
    ThreadMade,
    Reply,
    /// Answers a slash command.
    Command,
    /// The first message of a thread below a message, to which it refers.
    ThreadStarter,
}

impl Kind {
    pub(crate) fn number(self) -> u64 {
        match self {
            Self::Default => 0,
            Self::Pinned => 6,
            Self::Joined => 7,
            Self::ThreadMade => 18,
            Self::Reply => 19,
            Self::Command => 20,
            Self::ThreadStarter => 21,
        }
    }

    /// Whether somebody says something in it.
    pub(crate) fn is_said(self) -> bool {
        matches!(self, Self::Default | Self::Reply | Self::Command)
    }
}

/// A message in a channel.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Message {
    pub(crate) at: MessageAt,
    pub(crate) date: Timestamp,
    pub(crate) edited: Option<Timestamp>,
    pub(crate) deleted: bool,
    /// Whether the bot has got it, over the gateway or by asking.
    pub(crate) handed_out: bool,
    pub(crate) draft: Draft,
}

/// A message that is not yet in a channel.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Draft {
    /// The account that wrote it; the bot's, too.
    pub(crate) author: u64,
    pub(crate) kind: Kind,
    /// As it was sent, markup and all.
    pub(crate) content: String,
    pub(crate) rows: Rows,
    pub(crate) files: Vec<File>,
    pub(crate) flags: u64,
    /// The message that it replies to, or that it is about.
    pub(crate) refers_to: Option<MessageAt>,
    /// Words of somebody else, passed on.
    pub(crate) forwarded: Option<Snapshot>,
    /// Whom it pings.
    pub(crate) pings: Pings,
    /// The interaction that it answers.
    pub(crate) answers: Option<u64>,
    /// The only one who sees it.
    pub(crate) only_for: Option<u64>,
    pub(crate) nonce: Option<String>,
    /// The incoming webhook that posted it.
    pub(crate) webhook: bool,
}

/// Whom a message pings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pings {
    pub(crate) accounts: Vec<u64>,
    pub(crate) roles: Vec<u64>,
    pub(crate) everyone: bool,
}

/// A file that came with a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct File {
    pub(crate) id: u64,
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) size: usize,
}

/// What was passed on, as it was then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Snapshot {
    pub(crate) from: MessageAt,
    pub(crate) content: String,
    pub(crate) date: Timestamp,
}

impl Message {
    /// Notes that it was changed. Where time stands still, a later change is later all the same.
    pub(crate) fn changed(&mut self, now: Timestamp) {
        const MOMENT: Duration = Duration::from_millis(1);
        let after = self.edited.map(|before| before + MOMENT);
        self.edited = Some(after.map_or(now, |after| after.max(now)));
    }
}

impl Draft {
    pub(crate) fn new(author: u64, content: impl Into<String>) -> Self {
        Self {
            author,
            kind: Kind::Default,
            content: content.into(),
            rows: Rows::new(),
            files: Vec::new(),
            flags: 0,
            refers_to: None,
            forwarded: None,
            pings: Pings::default(),
            answers: None,
            only_for: None,
            nonce: None,
            webhook: false,
        }
    }

    pub(crate) fn has(&self, flag: u64) -> bool {
        self.flags & flag != 0
    }

    /// The message that it replies to.
    pub(crate) fn replies_to(&self) -> Option<MessageAt> {
        self.refers_to.filter(|_| self.kind == Kind::Reply)
    }
}
