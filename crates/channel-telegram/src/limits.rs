//! Every number of the platform, with its unit and where it comes from.
//!
//! [`capabilities`] is built from these and from nothing else. "Bot API" is <https://core.telegram.org/bots/api>, read at
//! version 10.1; "server" is the source of `tdlib/telegram-bot-api`, which answers the calls.

use std::time::Duration;

use askd_core::present::{Buttons, Capabilities, Limit, Pace, Payload, Unit};

/// Longest text of one message.
///
/// Unit: UTF-16 code units, the stricter of two readings: TDLib counts code points, clients count UTF-16. Styles do not
/// count: they travel beside the text. Source: Bot API `sendMessage.text`, "1-4096 characters after entities parsing".
pub(crate) const TEXT: Limit = Limit {
    max: 4096,
    unit: Unit::Utf16,
};

/// Longest text of the notice that answers a tap.
///
/// Unit: UTF-16 code units, the stricter reading. Source: Bot API `answerCallbackQuery.text`, "0-200 characters".
pub(crate) const NOTICE: Limit = Limit {
    max: 200,
    unit: Unit::Utf16,
};

/// Longest placeholder of the input that `ForceReply` opens.
///
/// Unit: UTF-16 code units, the stricter reading. Source: Bot API `ForceReply.input_field_placeholder`, "1-64
/// characters".
pub(crate) const PLACEHOLDER: Limit = Limit {
    max: 64,
    unit: Unit::Utf16,
};

/// Longest label of a button.
///
/// Unit: UTF-16 code units. Not the server's limit, which is far off: clients cut a label to one line without telling.
/// On a narrow phone (360 dp) a full-width button has about 280 dp for its label, at about 7.5 dp a letter.
pub(crate) const LABEL: Limit = Limit {
    max: 36,
    unit: Unit::Utf16,
};

/// Most buttons below one message. Source: the server refuses more with `REPLY_MARKUP_TOO_LONG`; askd needs six.
const BUTTONS: usize = 100;

/// Most buttons side by side. Eight are taken; more than four leave no room for a thumb.
const PER_ROW: usize = 4;

/// Longest payload of a button, in bytes. Source: Bot API `InlineKeyboardButton.callback_data`, "1-64 bytes".
const CALLBACK_DATA: usize = 64;
const _: () = assert!(Payload::MAX <= CALLBACK_DATA, "a button's payload fits");

/// Shortest pause between two messages to one person. Source: Bot API FAQ, "avoid sending more than one message per
/// second" in one chat.
const PACE_DIRECT: Duration = Duration::from_secs(1);

/// Shortest pause between two messages to one group. Source: Bot API FAQ, "not able to send more than 20 messages per
/// minute to the same group".
const PACE_GROUP: Duration = Duration::from_secs(3);

/// How long the server holds a poll open while nothing happens. It allows 50 s; a shorter poll notices a dead
/// connection sooner, and a tap is gone 150 s after it was made.
pub(crate) const POLL: Duration = Duration::from_secs(25);

/// What a poll may take beside [`POLL`] before the connection counts as dead.
pub(crate) const POLL_SLACK: Duration = Duration::from_secs(10);

/// How long no poll may succeed before the channel counts as deaf: two of them, each as slow as it may be.
pub(crate) const DEAF: Duration = POLL.saturating_add(POLL_SLACK).saturating_mul(2);

/// How soon updates that are still being taken over are asked for again, to see what came after them. Source: server,
/// `process_get_updates_query`: the same offset asked for again within half a second yields one update only.
pub(crate) const PEEK: Duration = Duration::from_millis(600);

/// How long any other call may take, in all.
pub(crate) const CALL: Duration = Duration::from_secs(8);

/// How long a connection may take to be made, within the time of its call.
pub(crate) const CONNECT: Duration = Duration::from_secs(5);

/// How long `post` may take in all. Source: the contract of `Channel::post`, 30 s.
pub(crate) const POST: Duration = Duration::from_secs(28);

/// How long a tap waits for its receipt before it is answered without: the client shows a spinner until then.
pub(crate) const AT_ONCE: Duration = Duration::from_millis(800);

/// Longest pause asked for by the platform that a receipt is worth waiting for.
pub(crate) const WORTH_WAITING: Duration = Duration::from_secs(30);

/// How long calls under way may still take when the channel stops. Source: the contract of `Channel::listen`, 5 s, less
/// what the last confirmation takes.
pub(crate) const GRACE: Duration = Duration::from_secs(3);

/// How long the last confirmation may take when the channel stops.
pub(crate) const LAST_WORD: Duration = Duration::from_secs(1);

/// What can be shown and heard in one conversation. `direct`: with one person alone. `hears_groups`: privacy mode is
/// off.
pub(crate) fn capabilities(direct: bool, hears_groups: bool) -> Capabilities {
    let same_address = if direct { PACE_DIRECT } else { PACE_GROUP };
    Capabilities {
        text: TEXT,
        buttons: Some(Buttons {
            max: BUTTONS,
            per_row: PER_ROW,
            rows: BUTTONS,
            label: LABEL,
        }),
        edits: true,
        // There is an entity for instants (`date_time`), but the library cannot name it and older clients ignore it.
        instants: false,
        slash_commands: true,
        hears_groups,
        direct,
        pace: Some(Pace { same_address }),
        ..Capabilities::plain_text()
    }
}
