//! Conversations and messages, as they are written in the configuration and in the store.
//!
//! * a conversation: `C…` or `G…` (a channel or group), `D…` (a direct conversation), `U…` or `W…` (a person, whose
//!   direct conversation is opened when something is posted there); for one thread of a channel, `C…/<ts>` with the
//!   timestamp of the thread's first message
//! * a message: `<conversation>/<ts>`
//!
//! A timestamp names a message within its conversation and says when it was written. It is a string: read as a number
//! it would lose digits.

use std::fmt;

use askd_core::{
    channel::BadAddress,
    id::{Address, ChannelName, MessageRef},
    inbound::Placed,
};
use jiff::Timestamp;
use serde::Deserialize;

/// Digits behind the point of a timestamp.
const MICROS: usize = 6;

/// A message's name in its conversation, and when it was written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct Ts(String);

impl Ts {
    /// Reads `<seconds>.<microseconds>`, as Slack writes it.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (seconds, micros) = text.split_once('.')?;
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let fits = digits(seconds) && seconds.len() <= 12 && digits(micros) && micros.len() == MICROS;
        fits.then(|| Self(text.to_owned()))
    }

    /// As Slack writes it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Where it stands in its conversation.
    pub(crate) fn placed(&self) -> Placed {
        Placed(self.micros())
    }

    /// When it was written.
    pub(crate) fn instant(&self) -> Option<Timestamp> {
        Timestamp::from_microsecond(self.micros()).ok()
    }

    /// Microseconds since 1970.
    fn micros(&self) -> i64 {
        let digits: String = self.0.chars().filter(char::is_ascii_digit).collect();
        digits.parse().unwrap_or_default()
    }
}

impl TryFrom<String> for Ts {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("no timestamp of a message")
    }
}

impl fmt::Display for Ts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A conversation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The channel, group, direct conversation or person.
    pub conversation: String,
    /// The first message of the thread, where the place is a thread.
    pub thread: Option<Ts>,
}

impl Place {
    /// All of a conversation.
    #[must_use]
    pub fn conversation(id: impl Into<String>) -> Self {
        Self {
            conversation: id.into(),
            thread: None,
        }
    }

    /// Reads `<conversation>[/<ts>]`.
    pub(crate) fn parse(local: &str) -> Result<Self, BadAddress> {
        let (conversation, thread) = match local.split_once('/') {
            Some((conversation, thread)) => (conversation, Some(thread)),
            None => (local, None),
        };
        let named = conversation.len() > 1
            && conversation.starts_with(['C', 'G', 'D', 'U', 'W'])
            && conversation
                .bytes()
                .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
        if !named {
            return Err(bad(local, "is no Slack address"));
        }
        let place = Self::conversation(conversation);
        let Some(thread) = thread else {
            return Ok(place);
        };
        if place.is_direct() {
            return Err(bad(local, "names a thread with one person"));
        }
        let thread = Ts::parse(thread).ok_or_else(|| bad(local, "has a thread that is none"))?;
        Ok(Self {
            thread: Some(thread),
            ..place
        })
    }

    /// What [`Place::parse`] reads.
    pub(crate) fn local(&self) -> String {
        match &self.thread {
            None => self.conversation.clone(),
            Some(thread) => format!("{}/{thread}", self.conversation),
        }
    }

    /// The conversation as the core names it.
    pub(crate) fn address(&self, channel: &ChannelName) -> Address {
        Address::new(channel.clone(), self.local())
    }

    /// Whether it is with one person alone.
    pub(crate) fn is_direct(&self) -> bool {
        self.conversation.starts_with('D') || self.is_person()
    }

    /// Whether it is a person, whose conversation has a name of its own.
    pub(crate) fn is_person(&self) -> bool {
        self.conversation.starts_with(['U', 'W'])
    }
}

fn bad(local: &str, what: &str) -> BadAddress {
    BadAddress(format!(
        "{local:?} {what}: write the id of a channel, such as C0123ABCD, of a person, such as U0123ABCD, or of a thread, \
         such as C0123ABCD/1796117400.000100; Slack shows them below \"View channel details\" and \"Copy member ID\", and \
         people need none where `askd pair` ties their account"
    ))
}

/// Names a message.
pub(crate) fn message_ref(conversation: &str, ts: &Ts) -> MessageRef {
    MessageRef::new(format!("{conversation}/{ts}"))
}

/// Reads what [`message_ref`] wrote.
pub(crate) fn message_of(reference: &MessageRef) -> Option<(&str, Ts)> {
    let (conversation, ts) = reference.as_str().split_once('/')?;
    Some((conversation, Ts::parse(ts)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_written_in_one_way() {
        for (text, direct, person) in [
            ("C0123ABCD", false, false),
            ("G0123ABCD", false, false),
            ("D0123ABCD", true, false),
            ("U0123ABCD", true, true),
            ("W0123ABCD", true, true),
            ("C0123ABCD/1796117400.000100", false, false),
        ] {
            let place = Place::parse(text).unwrap();

            assert_eq!(place.local(), text);
            assert_eq!((place.is_direct(), place.is_person()), (direct, person), "{text}");
        }
    }

    #[test]
    fn what_is_no_address_is_told_what_one_looks_like() {
        for bad in [
            "",
            "C",
            "#ops",
            "@sara",
            "c0123abcd",
            "B0123ABCD",
            "C0123 ABCD",
            "C0123ABCD/",
            "C0123ABCD/7",
            "C0123ABCD/1796117400.1",
            "D0123ABCD/1796117400.000100",
            "U0123ABCD/1796117400.000100",
        ] {
            let error = Place::parse(bad).unwrap_err();
            assert!(
                error.to_string().contains("C0123ABCD/1796117400.000100"),
                "{bad}: {error}"
            );
        }
    }

    #[test]
    fn a_timestamp_is_a_name_a_place_in_the_order_and_an_instant() {
        let ts = Ts::parse("1796117400.000100").unwrap();

        assert_eq!(ts.placed(), Placed(1_796_117_400_000_100));
        assert_eq!(ts.instant().unwrap().to_string(), "2026-12-01T09:30:00.0001Z");
        let reference = message_ref("C1", &ts);
        assert_eq!(reference.as_str(), "C1/1796117400.000100");
        assert_eq!(message_of(&reference), Some(("C1", ts)));
        for none in [
            "",
            "1796117400",
            "1796117400.1",
            "x.000100",
            "1796117400.00010x",
            "-1.000100",
        ] {
            assert_eq!(Ts::parse(none), None, "{none}");
        }
        assert_eq!(message_of(&MessageRef::new("C1")), None);
    }
}
