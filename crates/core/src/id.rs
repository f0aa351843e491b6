//! Identifiers.
//!
//! Two families, never mixed:
//!
//! * **Ours** ([`AskId`], [`QuestionId`], [`ActionToken`], [`DeliveryId`]) are made by the core or checked by it,
//!   and mean the same everywhere.
//! * **Theirs** ([`Address`], [`MessageRef`], [`EventId`]) are made by one channel and opaque to everyone else: the
//!   core stores them, compares them and hands them back, and never looks inside. They are stored, so a channel
//!   that changes its format must still read the old one.
//!
//! Names that an operator chooses ([`ChannelName`], [`PersonName`], [`TokenName`]) come from the configuration.

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::clock::Chance;

/// A text that is compared and handed on, never taken apart.
macro_rules! opaque_text {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Takes the text as it is.
            #[must_use]
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// The text, for storing, comparing and showing.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

opaque_text! {
    /// The key of a question in its ask, and of its answer in the result: `^[a-z][a-z0-9_]*$`, at most 64
    /// characters, unique in the ask. Chosen by the agent, checked by `ask::validate`.
    QuestionId
}
opaque_text! {
    /// A connected account on one platform, by the name the operator gave it in `[channels.NAME]`. Stored with
    /// deliveries, so renaming a channel orphans what it has shown.
    ChannelName
}
opaque_text! {
    /// A person, by the name in `[people.NAME]`.
    PersonName
}
opaque_text! {
    /// A token, by the name in `[tokens.NAME]`; never the secret itself.
    TokenName
}
opaque_text! {
    /// One agent run, as the agent names it; its asks can be cancelled together.
    RunId
}
opaque_text! {
    /// A message on a channel. Made by the channel and unique within it: where the platform counts messages per
    /// conversation (Telegram), the channel puts the conversation into the text.
    MessageRef
}
opaque_text! {
    /// Something that happened on a channel, for recognising a second delivery of the same event. Unique within
    /// the channel (Telegram update id, Discord interaction or message id, Slack event or trigger id).
    EventId
}

/// An ask. Made by the broker; a version 7 UUID, so that sorting by id is sorting by time of creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AskId(Uuid);

impl AskId {
    /// A new id at `now` (milliseconds count) with 74 bits of `chance`.
    #[must_use]
    pub fn make(now: Timestamp, chance: &dyn Chance) -> Self {
        let mut random = [0; 10];
        chance.fill(&mut random);
        let millis = u64::try_from(now.as_millisecond()).unwrap_or(0);
        Self(uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid())
    }

    /// Reads what [`fmt::Display`] wrote; `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Uuid::try_parse(text).ok().map(Self)
    }
}

impl fmt::Display for AskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What an ask's buttons carry: unguessable (122 random bits), one per ask, made by the broker. Whoever presses a
/// button proves that it was shown to them, not that they may answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ActionToken(Uuid);

impl ActionToken {
    /// A new token from 128 bits of `chance`, six of which the UUID format fixes.
    #[must_use]
    pub fn make(chance: &dyn Chance) -> Self {
        Self(random(chance))
    }

    /// Reads 32 lower-case hex digits; `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let plain = text.len() == 32
            && text
                .bytes()
                .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        plain.then(|| Uuid::try_parse(text).ok().map(Self)).flatten()
    }
}

impl fmt::Display for ActionToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.simple().fmt(f)
    }
}

/// The work of showing one ask at one address. Made by the broker; also the idempotency key of the first post on
/// platforms that have one ([`PostKey`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DeliveryId(Uuid);

impl DeliveryId {
    /// A new id from 128 bits of `chance`.
    #[must_use]
    pub fn make(chance: &dyn Chance) -> Self {
        Self(random(chance))
    }

    /// Reads what [`fmt::Display`] wrote; `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Uuid::try_parse(text).ok().map(Self)
    }
}

impl fmt::Display for DeliveryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.simple().fmt(f)
    }
}

/// The same for every attempt to post the same thing, so that a platform with idempotency keys shows it once. 23
/// characters of `[A-Za-z0-9_-]`, within Discord's `nonce` (25 characters).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PostKey {
    delivery: DeliveryId,
    kind: PostKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum PostKind {
    Prompt,
    FollowUp,
}

impl PostKey {
    /// The key of the prompt of this delivery.
    #[must_use]
    pub fn prompt(delivery: DeliveryId) -> Self {
        Self {
            delivery,
            kind: PostKind::Prompt,
        }
    }

    /// The key of the message that says how the ask ended, where the prompt cannot be edited.
    #[must_use]
    pub fn follow_up(delivery: DeliveryId) -> Self {
        Self {
            delivery,
            kind: PostKind::FollowUp,
        }
    }
}

impl fmt::Display for PostKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        f.write_str(match self.kind {
            PostKind::Prompt => "p",
            PostKind::FollowUp => "f",
        })?;
        let mut rest = self.delivery.0.as_u128();
        for _ in 0..22 {
            let digit = DIGITS[usize::try_from(rest & 63).expect("six bits fit")];
            fmt::Write::write_char(f, char::from(digit))?;
            rest >>= 6;
        }
        Ok(())
    }
}

/// A conversation on a channel, in the channel's own writing: what follows `NAME:` in the configuration
/// (`telegram:-100123/7`). A person's account is the address at which they are reached directly.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Address {
    /// The channel that can reach it.
    pub channel: ChannelName,
    /// The channel's own text; opaque here.
    pub local: String,
}

impl Address {
    /// The address `local` on `channel`, as that channel writes it.
    #[must_use]
    pub fn new(channel: ChannelName, local: impl Into<String>) -> Self {
        Self {
            channel,
            local: local.into(),
        }
    }

    /// Splits `channel:local` at the first colon; `None` where there is none or a side is empty. What the local
    /// part means, only the channel knows (`Channel::parse_address`).
    #[must_use]
    pub fn split(text: &str) -> Option<Self> {
        let (channel, local) = text.split_once(':')?;
        (!channel.is_empty() && !local.is_empty()).then(|| Self::new(ChannelName::new(channel), local))
    }
}

impl Address {
    /// Where the panel shows what `who` may answer. The panel is no channel that anything is sent to: what it shows it
    /// fetches itself, so its deliveries are never posted or edited. No configured channel may have its name.
    pub const PANEL: &str = "panel";

    /// The panel of this person, or of the holder of an operator's token.
    #[must_use]
    pub fn panel(who: &str) -> Self {
        Self::new(ChannelName::new(Self::PANEL), who)
    }

    /// What browsers that are woken by web push are addresses of. As little a channel as the panel: a push says that
    /// something waits there, and what does is shown by the panel. No configured channel may have its name.
    pub const PUSH: &str = "push";

    /// The browser whose subscription has this name.
    #[must_use]
    pub fn push(subscription: &str) -> Self {
        Self::new(ChannelName::new(Self::PUSH), subscription)
    }

    /// Whether what was shown there follows by itself what becomes of the ask, or holds nothing that could: a panel, or a
    /// browser that was woken. There is nothing to edit then.
    #[must_use]
    pub fn needs_no_edit(&self) -> bool {
        matches!(self.channel.as_str(), Self::PANEL | Self::PUSH)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.channel, self.local)
    }
}

/// A random UUID: 122 bits of `chance`.
pub(crate) fn random(chance: &dyn Chance) -> Uuid {
    let mut bytes = [0; 16];
    chance.fill(&mut bytes);
    uuid::Builder::from_random_bytes(bytes).into_uuid()
}

/// `bytes` as lower-case hex digits.
///
/// # Panics
/// Never: four bits are one hex digit.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).expect("four bits are one hex digit");
    bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
        .collect()
}
