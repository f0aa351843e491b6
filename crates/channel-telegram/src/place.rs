//! Conversations and messages, as they are written in the configuration and in the store.
//!
//! * a conversation: `<chat>` or `<chat>/<topic>`, such as `12345`, `-100123/7`. A person's id is positive and is also
//!   that of the chat with them; a group's is negative. Both need up to 52 bits.
//! * a message: `<chat>/<message>`, because messages are numbered per chat.
//!
//! The General topic of a forum has number 1 in links, no number in events, and refuses its number in calls: here it is
//! the chat itself.

use askd_core::{
    channel::BadAddress,
    id::{Address, ChannelName, MessageRef},
};

/// The number of the General topic in links. Source: Bot API, `message thread not found` for it.
const GENERAL: i32 = 1;

/// Largest id of a chat. Source: Bot API `Chat.id`, "at most 52 significant bits".
const LARGEST: u64 = 1 << 52;

/// A conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The chat.
    pub chat: i64,
    /// The topic in it, if it has topics; never General.
    pub topic: Option<i32>,
}

impl Place {
    /// A chat without topics, or the General topic of one.
    pub(crate) fn chat(chat: i64) -> Self {
        Self { chat, topic: None }
    }

    /// Reads `<chat>[/<topic>]`.
    pub(crate) fn parse(local: &str) -> Result<Self, BadAddress> {
        let (chat, topic) = match local.split_once('/') {
            Some((chat, topic)) => (chat, Some(topic)),
            None => (local, None),
        };
        let Some(chat) = number(chat).filter(|chat| *chat != 0 && chat.unsigned_abs() < LARGEST) else {
            return Err(bad(local, "is no Telegram address"));
        };
        let topic = match topic {
            None => None,
            Some(_) if chat > 0 => return Err(bad(local, "names a topic of a person")),
            Some(topic) => match number(topic).and_then(|topic| i32::try_from(topic).ok()) {
                Some(topic) if topic > 0 => Some(topic),
                _ => return Err(bad(local, "has a topic that is none")),
            },
        };
        let topic = topic.filter(|topic| *topic != GENERAL);
        Ok(Self { chat, topic })
    }

    /// What [`Place::parse`] reads.
    pub(crate) fn local(self) -> String {
        match self.topic {
            None => self.chat.to_string(),
            Some(topic) => format!("{}/{topic}", self.chat),
        }
    }

    /// The conversation as the core names it.
    pub(crate) fn address(self, channel: &ChannelName) -> Address {
        Address::new(channel.clone(), self.local())
    }

    /// Whether it is a chat with one person alone.
    pub(crate) fn is_direct(self) -> bool {
        self.chat > 0
    }

    /// The topic of an event, which names General by its number or not at all.
    pub(crate) fn in_topic(chat: i64, topic: Option<i32>) -> Self {
        Self {
            chat,
            topic: topic.filter(|topic| *topic != GENERAL && chat < 0),
        }
    }
}

fn bad(local: &str, what: &str) -> BadAddress {
    BadAddress(format!(
        "{local:?} {what}: write the number of a person or chat, such as 12345 or -1001234567890, or of a topic in a \
         group, such as -1001234567890/7; people need no number where `askd pair` ties their account"
    ))
}

/// Digits after an optional minus: one way to write each number, so that equal addresses have equal texts.
fn number(text: &str) -> Option<i64> {
    let number: i64 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

/// Names a message.
pub(crate) fn message_ref(chat: i64, message: i32) -> MessageRef {
    MessageRef::new(format!("{chat}/{message}"))
}

/// Reads what [`message_ref`] wrote.
pub(crate) fn message_of(reference: &MessageRef) -> Option<(i64, i32)> {
    let (chat, message) = reference.as_str().split_once('/')?;
    Some((chat.parse().ok()?, message.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_written_in_one_way() {
        for (text, chat, topic) in [
            ("12345", 12345, None),
            ("7612345678", 7_612_345_678, None),
            ("-987654", -987_654, None),
            ("-1001234567890", -1_001_234_567_890, None),
            ("-100123/7", -100_123, Some(7)),
        ] {
            let place = Place::parse(text).unwrap();

            assert_eq!(place, Place { chat, topic });
            assert_eq!(place.local(), text);
        }
    }

    #[test]
    fn the_general_topic_is_the_chat_itself() {
        assert_eq!(Place::parse("-100123/1").unwrap(), Place::chat(-100_123));
        assert_eq!(Place::in_topic(-100_123, Some(1)), Place::chat(-100_123));
    }

    #[test]
    fn what_is_no_address_is_told_what_one_looks_like() {
        for bad in [
            "",
            "0",
            "sara",
            "@sara",
            "+5",
            "05",
            "-0",
            "1/2",
            "12 3",
            "-5/",
            "-5/x",
            "-5/0",
            "-5/-3",
            "-5/7/9",
            "4503599627370496",
            "99999999999999999999",
        ] {
            let error = Place::parse(bad).unwrap_err();
            assert!(error.to_string().contains("-1001234567890/7"), "{bad}: {error}");
        }
    }

    #[test]
    fn a_message_is_named_with_its_chat() {
        let reference = message_ref(-1_001_234_567_890, 42);

        assert_eq!(reference.as_str(), "-1001234567890/42");
        assert_eq!(message_of(&reference), Some((-1_001_234_567_890, 42)));
        assert_eq!(message_of(&MessageRef::new("42")), None);
    }
}
