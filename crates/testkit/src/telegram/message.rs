//! A message, as the servers keep it.

use jiff::Timestamp;

use super::{entities::Formatted, markup::Markup};

/// Which message: its number says nothing without its chat. Two chats have a message of the same number on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MessageAt {
    /// The chat.
    pub chat: i64,
    /// The message's number in it.
    pub id: i64,
}

/// A message in a chat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) at: MessageAt,
    pub(crate) author: Author,
    pub(crate) date: Timestamp,
    pub(crate) edited: Option<Timestamp>,
    pub(crate) body: Body,
    pub(crate) markup: Markup,
    /// Whether phones stay quiet.
    pub(crate) silent: bool,
    pub(crate) protected: bool,
    /// The message it replies to, in the same chat.
    pub(crate) reply_to: Option<i64>,
    pub(crate) thread: Option<Thread>,
    pub(crate) forwarded: Option<Origin>,
    pub(crate) deleted: bool,
}

/// A message that is not yet in a chat.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) author: Author,
    pub(crate) body: Body,
    pub(crate) markup: Markup,
    pub(crate) silent: bool,
    pub(crate) protected: bool,
    pub(crate) reply_to: Option<i64>,
    pub(crate) thread: Option<Thread>,
    pub(crate) forwarded: Option<Origin>,
}

impl Draft {
    pub(crate) fn new(author: Author, body: Body) -> Self {
        Self {
            author,
            body,
            markup: Markup::None,
            silent: false,
            protected: false,
            reply_to: None,
            thread: None,
            forwarded: None,
        }
    }

    pub(crate) fn into_message(self, at: MessageAt, date: Timestamp) -> Message {
        Message {
            at,
            author: self.author,
            date,
            edited: None,
            body: self.body,
            markup: self.markup,
            silent: self.silent,
            protected: self.protected,
            reply_to: self.reply_to,
            thread: self.thread,
            forwarded: self.forwarded,
            deleted: false,
        }
    }
}

/// Who wrote a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Author {
    /// The bot under test.
    Bot,
    /// An account.
    Account(i64),
    /// An administrator who hides behind the group. The account is known to the servers and to nobody else.
    Anonymous(i64),
    /// An account that speaks in a group for a channel.
    ForChannel { account: i64, channel: i64 },
    /// The channel itself.
    Channel,
}

/// What a message is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Body {
    Text(Formatted),
    /// A photo, with what is written below it.
    Photo(Formatted),
    Service(Service),
}

impl Body {
    /// What a person reads: the text, or the caption.
    pub(crate) fn words(&self) -> Option<&Formatted> {
        match self {
            Self::Text(words) | Self::Photo(words) => Some(words),
            Self::Service(_) => None,
        }
    }
}

/// A message by nobody, which says what happened to the chat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Service {
    GroupCreated,
    SupergroupCreated,
    ChannelCreated,
    Joined(Vec<i64>),
    Left(i64),
    TopicCreated(String),
    Renamed(String),
    MigratedTo(i64),
    MigratedFrom(i64),
}

/// The thread a message stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Thread {
    /// The number of its first message.
    pub(crate) root: i64,
    /// Whether it is a topic of a forum, and not merely a string of replies.
    pub(crate) is_topic: bool,
}

/// Where a forwarded message comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    User {
        account: i64,
        date: Timestamp,
    },
    /// Somebody who does not want to be linked to.
    Hidden {
        name: String,
        date: Timestamp,
    },
    Channel {
        channel: i64,
        message: i64,
        date: Timestamp,
    },
}
