//! Conversations and messages, as they are written in the configuration and in the store.
//!
//! * a conversation: `<channel>`, such as `1122334455667788990`; a thread is a channel of its own. A direct one is
//!   written `@<user>` until something was posted there, and is a channel from then on, as events name it.
//! * an account: `@<user>`.
//! * a message: `<channel>/<message>`. Messages are numbered for all of Discord, but calls need the channel too.
//!
//! All numbers are snowflakes: positive, of at most 63 bits, and larger means later.

use std::num::NonZeroU64;

use askd_core::{
    channel::BadAddress,
    id::{Address, ChannelName, MessageRef},
    inbound::Placed,
};
use jiff::{SignedDuration, Timestamp};
use serenity::model::id::{ChannelId, MessageId, UserId};

/// When snowflakes begin to count. Unit: milliseconds. Source: Discord's reference, "Snowflakes".
const EPOCH: i64 = 1_420_070_400_000;

/// A conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// A channel or thread, also that with one person alone.
    Channel(ChannelId),
    /// With this person alone, whichever channel that is.
    Person(UserId),
}

impl Place {
    /// Reads `<channel>` or `@<user>`.
    pub(crate) fn parse(local: &str) -> Result<Self, BadAddress> {
        let place = match local.strip_prefix('@') {
            Some(user) => snowflake(user).map(|id| Self::Person(id.into())),
            None => snowflake(local).map(|id| Self::Channel(id.into())),
        };
        place.ok_or_else(|| {
            BadAddress(format!(
                "{local:?} is no Discord address: write the number of a channel or thread, such as \
                 1122334455667788990, or that of a person after an @; switch Developer Mode on in Discord to copy \
                 them; people need no number where `askd pair` ties their account"
            ))
        })
    }

    /// The conversation as the core names it.
    pub(crate) fn address(self, channel: &ChannelName) -> Address {
        let local = match self {
            Self::Channel(id) => id.to_string(),
            Self::Person(id) => format!("@{id}"),
        };
        Address::new(channel.clone(), local)
    }
}

/// Digits without a leading zero: one way to write each number, so that equal addresses have equal texts.
fn snowflake(text: &str) -> Option<NonZeroU64> {
    let id: NonZeroU64 = text.parse().ok()?;
    (id.to_string() == text && i64::try_from(id.get()).is_ok()).then_some(id)
}

/// Names a message.
pub(crate) fn message_ref(channel: ChannelId, message: MessageId) -> MessageRef {
    MessageRef::new(format!("{channel}/{message}"))
}

/// Reads what [`message_ref`] wrote.
pub(crate) fn message_of(reference: &MessageRef) -> Option<(ChannelId, MessageId)> {
    let (channel, message) = reference.as_str().split_once('/')?;
    Some((snowflake(channel)?.into(), snowflake(message)?.into()))
}

/// Where something stands in the order of its conversation.
pub(crate) fn placed(id: u64) -> Option<Placed> {
    i64::try_from(id).ok().map(Placed)
}

/// When a snowflake was made.
pub(crate) fn made_at(id: u64) -> Timestamp {
    let since_epoch = i64::try_from(id >> 22).expect("42 bits fit");
    Timestamp::from_millisecond(EPOCH + since_epoch).unwrap_or(Timestamp::MAX)
}

/// A number that is smaller than that of every message made from this instant on; a minute of room, because Discord's clock
/// and ours may disagree.
pub(crate) fn made_before(instant: Timestamp) -> MessageId {
    let since_epoch = (instant - SignedDuration::from_mins(1)).as_millisecond() - EPOCH;
    MessageId::new(u64::try_from(since_epoch).map_or(1, |millis| (millis << 22).max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_written_in_one_way() {
        let name = ChannelName::new("dc");
        for (text, place) in [
            (
                "1122334455667788990",
                Place::Channel(ChannelId::new(1_122_334_455_667_788_990)),
            ),
            ("@8877", Place::Person(UserId::new(8877))),
        ] {
            assert_eq!(Place::parse(text).unwrap(), place);
            assert_eq!(place.address(&name).local, text);
        }
    }

    #[test]
    fn what_is_no_address_is_told_what_one_looks_like() {
        for bad in [
            "",
            "0",
            "@",
            "@0",
            "sara",
            "@sara",
            "#general",
            "<#12>",
            "<@12>",
            "012",
            "-5",
            "+5",
            "12/7",
            "@@5",
            "9223372036854775808",
        ] {
            let error = Place::parse(bad).unwrap_err();
            assert!(error.to_string().contains("Developer Mode"), "{bad}: {error}");
        }
    }

    #[test]
    fn a_message_is_named_with_its_channel() {
        let reference = message_ref(ChannelId::new(42), MessageId::new(99));

        assert_eq!(reference.as_str(), "42/99");
        assert_eq!(
            message_of(&reference),
            Some((ChannelId::new(42), MessageId::new(99)))
        );
        for other in ["42", "42/", "0/1", "a/b"] {
            assert_eq!(message_of(&MessageRef::new(other)), None, "{other}");
        }
    }

    #[test]
    fn a_snowflake_tells_when_it_was_made() {
        // The example of Discord's reference.
        assert_eq!(
            made_at(175_928_847_299_117_063).to_string(),
            "2016-04-30T11:18:25.796Z"
        );
    }

    #[test]
    fn what_is_made_after_an_instant_has_a_larger_number() {
        let made = made_at(175_928_847_299_117_063);

        let before = made_before(made);

        assert!(before.get() < 175_928_847_299_117_063);
        assert_eq!(made.duration_since(made_at(before.get())).as_secs(), 60);
        assert_eq!(made_before(Timestamp::UNIX_EPOCH).get(), 1);
    }
}
