//! What Telegram takes, as numbers with their units and sources.
//!
//! These are the platform's side of the matter, written down a second time and on purpose: a channel has its own
//! `limits.rs`, and a number that is wrong in one of the two fails a test instead of agreeing with itself. Where the
//! documentation states a number, [`stated`] repeats its wording, and `cargo xtask contracts` looks it up there.
//!
//! Where sources disagree the strict reading stands and is marked as a guess.

use std::time::Duration;

use askd_core::present::{Limit, Unit};

/// Longest text of a message.
///
/// Unit: UTF-16 code units, counted after markup is parsed and the ends are trimmed. The documentation says
/// characters; TDLib counts code points and clients UTF-16 units, of which this is the stricter.
/// Source: Bot API `sendMessage.text`.
pub const TEXT: Limit = Limit {
    max: 4096,
    unit: Unit::Utf16,
};

/// Longest text before markup is parsed. Unit: bytes. Source: telegram-bot-api, `Client::get_formatted_text`.
pub const RAW_TEXT: Limit = Limit {
    max: 1 << 15,
    unit: Unit::Bytes,
};

/// Most styled spans of a message; the rest lose their style without a word. Source: Telegram's limits page.
pub const ENTITIES: usize = 100;

/// Longest data of a button; the shortest is 1. Unit: bytes. Source: Bot API `InlineKeyboardButton.callback_data`.
pub const CALLBACK_DATA: Limit = Limit {
    max: 64,
    unit: Unit::Bytes,
};

/// Longest text in answer to a tap. Unit: UTF-16 code units, the stricter reading of "characters".
/// Source: Bot API `answerCallbackQuery.text`.
pub const ANSWER: Limit = Limit {
    max: 200,
    unit: Unit::Utf16,
};

/// Most buttons of a keyboard. A guess: common knowledge, nowhere documented.
pub const BUTTONS: usize = 100;

/// Longest keyboard, as JSON. Unit: bytes. A guess, as above.
pub const KEYBOARD: usize = 10 * 1024;

/// Longest placeholder of an input field; the shortest is 1. Unit: UTF-16 code units, the stricter reading.
/// Source: Bot API `ForceReply.input_field_placeholder`.
pub const PLACEHOLDER: Limit = Limit {
    max: 64,
    unit: Unit::Utf16,
};

/// Most commands of one scope and language. Source: Bot API `setMyCommands.commands`.
pub const COMMANDS: usize = 100;

/// Longest name of a command, which is of `a-z`, `0-9` and `_`. Source: Bot API `BotCommand.command`.
pub const COMMAND: Limit = Limit {
    max: 32,
    unit: Unit::Scalars,
};

/// Longest description of a command; the shortest is 1. Source: Bot API `BotCommand.description`.
pub const COMMAND_DESCRIPTION: Limit = Limit {
    max: 256,
    unit: Unit::Utf16,
};

/// Longest parameter of a deep link, of `A-Z`, `a-z`, `0-9`, `_` and `-`. Source: Telegram, "Deep linking".
pub const START_PARAMETER: usize = 64;

/// Most updates of one poll; fewer may be asked for. Source: Bot API `getUpdates.limit`.
pub const UPDATES: usize = 100;

/// Longest poll; a longer time-out is cut to it. Source: telegram-bot-api, `LONG_POLL_MAX_TIMEOUT`.
pub const POLL: Duration = Duration::from_secs(50);

/// How long a message waits to be fetched. Source: telegram-bot-api, `process_new_message_queue`.
pub const MESSAGE_WAITS: Duration = Duration::from_hours(24);

/// How long a tap waits to be fetched. Source: telegram-bot-api, `process_new_callback_query_queue`.
pub const TAP_WAITS: Duration = Duration::from_secs(150);

/// How long a tap can be answered. A guess: reports name between 10 and 20 seconds.
pub const ANSWER_WITHIN: Duration = Duration::from_secs(15);

/// How long a message can be deleted by the one who sent it. Source: Bot API `deleteMessage`.
pub const DELETABLE: Duration = Duration::from_hours(48);

/// Shortest pause between messages to one chat, where rates are enforced. Source: Bots FAQ, "My bot is hitting limits".
pub const SAME_CHAT: Duration = Duration::from_secs(1);

/// Most messages a minute to one group, where rates are enforced. Source: as above.
pub const GROUP_A_MINUTE: usize = 20;

/// Most messages a second overall, where rates are enforced. Source: as above ("about 30").
pub const A_SECOND: usize = 30;

/// A limit in the words of the documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated {
    /// `method` or `Type`, a dot, and the name of the parameter or field.
    pub at: &'static str,
    /// What stands in its description if the number is right.
    pub says: String,
}

/// The limits that the documentation states, in its words.
#[must_use]
pub fn stated() -> Vec<Stated> {
    let say = |at, says: String| Stated { at, says };
    vec![
        say("sendMessage.text", format!("1-{} characters", TEXT.max)),
        say("editMessageText.text", format!("1-{} characters", TEXT.max)),
        say(
            "InlineKeyboardButton.callback_data",
            format!("1-{} bytes", CALLBACK_DATA.max),
        ),
        say("answerCallbackQuery.text", format!("0-{} characters", ANSWER.max)),
        say(
            "ForceReply.input_field_placeholder",
            format!("1-{} characters", PLACEHOLDER.max),
        ),
        say("BotCommand.command", format!("1-{} characters", COMMAND.max)),
        say(
            "BotCommand.description",
            format!("1-{} characters", COMMAND_DESCRIPTION.max),
        ),
        say("setMyCommands.commands", format!("At most {COMMANDS} commands")),
        say("getUpdates.limit", format!("between 1-{UPDATES} are accepted")),
    ]
}
