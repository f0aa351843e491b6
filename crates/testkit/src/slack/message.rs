//! A message, as the servers keep it, and the timestamp that is its name.

use std::{fmt, str::FromStr};

use jiff::Timestamp;
use serde_json::Value;

/// A message's timestamp: its name within its conversation, its place in the order, and about its time.
///
/// On the wire a text of ten digits, a point and six digits. Two conversations have a message of the same timestamp on
/// purpose: without its conversation it says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ts(i64);

/// A text that is no timestamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoTs;

impl Ts {
    /// Microseconds since 1970, more or less.
    #[must_use]
    pub fn micros(self) -> i64 {
        self.0
    }

    /// The first that is free at `now`, after `last`. Real ones leave gaps too.
    pub(crate) fn after(last: Option<Self>, now: Timestamp) -> Self {
        const GAP: i64 = 100;
        let earliest = last.map_or(0, |last| last.0 + GAP);
        Self(earliest.max(now.as_microsecond() + GAP))
    }
}

impl fmt::Display for Ts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:06}", self.0 / 1_000_000, self.0 % 1_000_000)
    }
}

impl FromStr for Ts {
    type Err = NoTs;

    fn from_str(text: &str) -> Result<Self, NoTs> {
        let (seconds, micros) = text.split_once('.').ok_or(NoTs)?;
        let digits =
            |part: &str, count: usize| part.len() == count && part.bytes().all(|b| b.is_ascii_digit());
        if !digits(seconds, 10) || !digits(micros, 6) {
            return Err(NoTs);
        }
        let number = |part: &str| part.parse::<i64>().map_err(|_| NoTs);
        Ok(Self(number(seconds)? * 1_000_000 + number(micros)?))
    }
}

/// Which message.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MessageAt {
    /// The conversation: `C…`, `G…` or `D…`.
    pub channel: String,
    /// The message in it.
    pub ts: Ts,
}

impl MessageAt {
    pub(crate) fn new(channel: &str, ts: Ts) -> Self {
        Self {
            channel: channel.to_owned(),
            ts,
        }
    }
}

/// A message in a conversation.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts of a message")]
pub(crate) struct Message {
    pub(crate) at: MessageAt,
    pub(crate) author: Author,
    pub(crate) content: Content,
    /// The first message of its thread; none where it stands in the conversation itself.
    pub(crate) thread: Option<Ts>,
    pub(crate) edited: Option<Edited>,
    /// Who alone sees it.
    pub(crate) only: Option<String>,
    /// Whether telephones rang when it came.
    pub(crate) rang: bool,
    /// Whether it came at once with one that rang before.
    pub(crate) at_once: bool,
    /// Whether it answers what somebody had just done.
    pub(crate) answers: bool,
    pub(crate) deleted: bool,
}

/// What a message holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Content {
    /// As it travels: mrkdwn, with `&amp;`, `&lt;` and `&gt;`.
    pub(crate) text: String,
    /// Whether the text is mrkdwn; otherwise only its entities and angle brackets mean something.
    pub(crate) mrkdwn: bool,
    pub(crate) blocks: Vec<Value>,
    pub(crate) file: Option<String>,
    pub(crate) shared: Option<Shared>,
    /// The link of which a preview stands below.
    pub(crate) preview: Option<String>,
    /// Whether a reply in a thread was also sent to the conversation.
    pub(crate) broadcast: bool,
    pub(crate) metadata: Option<Value>,
    /// What the client of a person calls it; bots have none.
    pub(crate) client_id: Option<String>,
}

/// A message that was shared: passed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shared {
    pub(crate) author: String,
    pub(crate) at: MessageAt,
    pub(crate) text: String,
}

/// Who changed a message last, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Edited {
    pub(crate) by: String,
    pub(crate) ts: Ts,
}

/// Who wrote a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Author {
    /// The app under test.
    App,
    /// An account, of a person or of another app.
    Account(String),
}

/// A message that is not yet in a conversation.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) author: Author,
    pub(crate) content: Content,
    pub(crate) thread: Option<Ts>,
    pub(crate) only: Option<String>,
}

impl Draft {
    pub(crate) fn new(author: Author, content: Content) -> Self {
        Self {
            author,
            content,
            thread: None,
            only: None,
        }
    }

    pub(crate) fn into_message(self, at: MessageAt) -> Message {
        Message {
            at,
            author: self.author,
            content: self.content,
            thread: self.thread,
            edited: None,
            only: self.only,
            rang: false,
            at_once: false,
            answers: false,
            deleted: false,
        }
    }
}

impl Content {
    /// A text as it travels.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            mrkdwn: true,
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timestamp_is_ten_digits_a_point_and_six_digits_and_rises() {
        let now = Timestamp::constant(1_796_117_400, 0);
        let first = Ts::after(None, now);
        let second = Ts::after(Some(first), now);

        assert_eq!(first.to_string(), "1796117400.000100");
        assert_eq!(second.to_string(), "1796117400.000200");
        assert_eq!("1796117400.000200".parse(), Ok(second));
        for text in ["", "1796117400", "1796117400.1", "17.000100", "1796117400.00010x"] {
            assert_eq!(text.parse::<Ts>(), Err(NoTs), "{text}");
        }
    }
}
