//! Every number of the platform, with its unit and where it comes from.
//!
//! [`capabilities`] is built from these and from nothing else. "Reference" is <https://docs.discord.com/developers>;
//! "description" is Discord's own OpenAPI description of its API v10 (`discord/discord-api-spec`), whose
//! `maxLength` counts Unicode scalar values.

use std::time::Duration;

use askd_core::{
    id::PostKey,
    present::{Buttons, Capabilities, Forms, Limit, Markup, Payload, Unit},
};
use jiff::{SignedDuration, Timestamp};

/// Longest text of one message.
///
/// Unit: scalars of the Markdown, so with the backslash before each punctuation mark. Source: reference, "Create
/// Message", `content`, "up to 2000 characters"; the 4000 of the description are for paying people, not for bots.
pub(crate) const TEXT: Limit = Limit {
    max: 2000,
    unit: Unit::MarkdownScalars,
};

/// What a style adds. Unit: scalars. A span at most `**` on both sides; an instant is written twice, as a time of day
/// and as a countdown: `<t:1764607800:t> (<t:1764607800:R>)`.
const MARKUP: Markup = Markup { span: 4, instant: 35 };

/// Longest label of a button. Unit: UTF-16 units, the stricter of two readings. Source: description,
/// `ButtonComponentForMessageRequest.label`.
const LABEL: Limit = Limit {
    max: 80,
    unit: Unit::Utf16,
};

/// Most rows below a message. Source: reference, "Component Reference", "Action Row", five to a message without the
/// newer layout.
const ROWS: usize = 5;

/// Most buttons in a row. Source: the same.
const PER_ROW: usize = 5;

/// Longest payload of a button. Unit: scalars. Source: description, `custom_id`.
const CUSTOM_ID: usize = 100;
const _: () = assert!(Payload::MAX <= CUSTOM_ID, "a button's payload fits");

/// Longest title of a modal. Unit: UTF-16 units, the stricter reading. Source: description,
/// `ModalInteractionCallbackRequestData.title`.
pub(crate) const TITLE: Limit = Limit {
    max: 45,
    unit: Unit::Utf16,
};

/// Longest label of a modal's input. Unit: UTF-16 units, the stricter reading. Source: description,
/// `TextInputComponentForModalRequest.label`.
pub(crate) const INPUT_LABEL: Limit = Limit {
    max: 45,
    unit: Unit::Utf16,
};

/// Longest text that can be typed into a modal. Unit: characters. Source: description,
/// `TextInputComponentForModalRequest.max_length`. It is also the longest answer askd takes (SPEC 4).
pub(crate) const INPUT: u16 = 4000;

/// Longest description of a command or of its field. Unit: UTF-16 units, the stricter reading. Source: description,
/// `ApplicationCommandUpdateRequest.description`.
pub(crate) const DESCRIPTION: Limit = Limit {
    max: 100,
    unit: Unit::Utf16,
};

/// Longest pairing code that `/start` takes. Unit: characters. Longer than any code.
pub(crate) const CODE: u16 = 64;

/// The key under which a part of a presentation is posted once, within Discord's limit of 25 characters. Source:
/// description, `MessageCreateRequest.nonce`; reference, "Create Message": with `enforce_nonce`, another message of the
/// same key within a few minutes is not made.
pub(crate) fn nonce(key: &PostKey, part: usize) -> String {
    format!("{key}{part:02x}")
}

/// Most messages of one page of a channel's history. Source: reference, "Get Channel Messages", `limit`.
pub(crate) const PAGE: usize = 100;

/// Most pages that are read of one channel after a gap. An ask is open for an hour at most.
pub(crate) const PAGES: usize = 20;

/// How long new texts wait for what was said in a gap before them. What was not read by then is handed in after them.
pub(crate) const LOOK_BACK: Duration = Duration::from_secs(40);

/// How long a call may take, in all.
pub(crate) const CALL: Duration = Duration::from_secs(8);

/// How long a connection may take to be made, within the time of its call.
pub(crate) const CONNECT: Duration = Duration::from_secs(5);

/// How long an answer to an interaction may take: it is worth nothing after 3 s. Source: reference, "Interaction
/// Callback".
pub(crate) const ANSWER: Duration = Duration::from_millis(2500);

/// How long `post` may take in all. Source: the contract of `Channel::post`, 30 s.
pub(crate) const POST: Duration = Duration::from_secs(28);

/// How long `edit` waits by itself for a limit of Discord's to be over. Edits of one prompt count against the same
/// limit: if none waited, the last parts of a long prompt would never have their turn.
pub(crate) const EDIT_WAITS: Duration = Duration::from_secs(10);

/// How long a press, a form or a command waits for its receipt before it is answered without. Source: the contract of
/// `Inbox::accept`.
pub(crate) const AT_ONCE: Duration = Duration::from_millis(1500);

/// Longest pause asked for by the platform that a receipt is worth waiting for.
pub(crate) const WORTH_WAITING: Duration = Duration::from_secs(30);

/// Shortest time between two new sessions. Source: reference, "Gateway", `max_concurrency`: at least one in 5 s.
pub(crate) const IDENTIFY: Duration = Duration::from_secs(5);

/// A session that stood this long ended in the ordinary way: Discord asks for a new connection several times a day.
pub(crate) const STEADY: Duration = Duration::from_secs(30);

/// How long the gateway may take from the connection to the session, before it counts as dead.
pub(crate) const SESSION: Duration = Duration::from_secs(45);

/// How long nothing may come over the gateway before the channel counts as deaf. Each heartbeat is answered; they are
/// 41.25 s apart (reference, "Gateway", `heartbeat_interval`). Two of them, and time to come back in.
pub(crate) const DEAF: Duration = Duration::from_secs(100);

/// How long calls under way may still take when the channel stops. Source: the contract of `Channel::listen`, 5 s in
/// all.
pub(crate) const GRACE: Duration = Duration::from_secs(3);

/// So long after `now`, or the latest instant there is.
pub(crate) fn later(now: Timestamp, by: Duration) -> Timestamp {
    let by = SignedDuration::try_from(by).unwrap_or(SignedDuration::MAX);
    now.saturating_add(by).unwrap_or(Timestamp::MAX)
}

/// What can be shown and heard in one conversation. `direct`: with one person alone. `hears_groups`: the intent for
/// the content of messages is granted.
pub(crate) fn capabilities(direct: bool, hears_groups: bool) -> Capabilities {
    Capabilities {
        text: TEXT,
        markup: MARKUP,
        buttons: Some(Buttons {
            max: ROWS * PER_ROW,
            per_row: PER_ROW,
            rows: ROWS,
            label: LABEL,
        }),
        forms: Some(Forms {
            title: TITLE,
            label: INPUT_LABEL,
        }),
        edits: true,
        instants: true,
        slash_commands: true,
        hears_groups,
        direct,
        // Limits are told with every answer and differ between channels: see `api::pace`.
        pace: None,
        ..Capabilities::plain_text()
    }
}

#[cfg(test)]
mod tests {
    use askd_core::id::DeliveryId;
    use askd_testkit::chance::SeededChance;

    use super::*;

    #[test]
    fn each_part_of_a_post_has_a_key_of_its_own_that_fits() {
        let key = PostKey::prompt(DeliveryId::make(&SeededChance::new(1)));

        let nonces = [0, 1, 255].map(|part| nonce(&key, part));

        assert!(nonces.iter().all(|nonce| nonce.len() == 25), "{nonces:?}");
        assert_ne!(nonces[0], nonces[1]);
    }
}
