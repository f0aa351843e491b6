//! What Slack takes, as numbers with their units and sources.
//!
//! These are the platform's side of the matter, written down a second time and on purpose: a channel has its own
//! `limits.rs`, and a number that is wrong in one of the two fails a test instead of agreeing with itself.
//!
//! Slack says characters and never which. Here they are Unicode scalar values of the text as Slack keeps it, in which
//! a bare `&`, `<` or `>` has become an entity: the strictest reading of what people report. Sources are pages of
//! docs.slack.dev; where sources disagree the strict reading stands and is marked as a guess.

use std::time::Duration;

use askd_core::present::{Limit, Unit};

const fn kept(max: usize) -> Limit {
    Limit {
        max,
        unit: Unit::Scalars,
    }
}

/// Longest `text` of a message. Source: "Truncating really long messages"; a longer one is cut there, which loses
/// words, so it is refused here, as `msg_too_long` of `chat.postMessage` allows.
pub const TEXT: Limit = kept(40_000);

/// Longest `text` of `chat.update`. A guess: that page has `msg_too_long`, and reports name this number, which is
/// also the one recommended for `chat.postMessage`.
pub const UPDATED_TEXT: Limit = kept(4000);

/// All texts of all blocks of a message together. A guess: nowhere documented, bolt-js issue 2509
/// (`msg_blocks_too_long` from 13,172 to 13,297).
pub const ALL_BLOCKS: Limit = kept(13_200);

/// Most blocks of a message. Source: "Blocks".
pub const BLOCKS: usize = 50;

/// Most blocks of a view. Source: "Blocks".
pub const VIEW_BLOCKS: usize = 100;

/// Longest `block_id`, `action_id`, `callback_id`, `external_id`. Source: "Blocks", "Block elements", "Views".
pub const ID: Limit = kept(255);

/// Longest text of a section, and of any text object of which nothing else is said. Source: "Section block",
/// "Text object".
pub const SECTION: Limit = kept(3000);

/// Longest text of one field of a section. Source: "Section block".
pub const FIELD: Limit = kept(2000);

/// Most fields of a section. Source: "Section block".
pub const FIELDS: usize = 10;

/// Longest text of a header. Source: "Header block".
pub const HEADER: Limit = kept(150);

/// Most elements of a context block. Source: "Context block".
pub const CONTEXT: usize = 10;

/// Most elements of an actions block. Source: "Actions block".
pub const ACTIONS: usize = 25;

/// Longest text of a button. Source: "Button element".
pub const BUTTON: Limit = kept(75);

/// Longest value of a button. Source: "Button element".
pub const VALUE: Limit = kept(2000);

/// Longest link of a button. Source: "Button element".
pub const URL: Limit = kept(3000);

/// Longest label and hint of an input block. Source: "Input block".
pub const LABEL: Limit = kept(2000);

/// Longest placeholder of an input. Source: "Plain-text input element".
pub const PLACEHOLDER: Limit = kept(150);

/// What can be typed into an input at most; `max_length` may say less. Source: "Plain-text input element".
pub const INPUT: Limit = kept(3000);

/// Longest title, submit and close of a view. Source: "Views".
pub const VIEW_TITLE: Limit = kept(24);

/// Longest `private_metadata` of a view. Source: "Views".
pub const PRIVATE_METADATA: Limit = kept(3000);

/// How long an envelope may wait for its acknowledgement. Source: "Using Socket Mode", "Handling user interaction".
pub const ACKNOWLEDGE: Duration = Duration::from_secs(3);

/// How long a `trigger_id` works. Source: "Opening modals".
pub const TRIGGER: Duration = Duration::from_secs(3);

/// How often a `response_url` works. Source: "Handling user interaction".
pub const RESPONSES: usize = 5;

/// How long a `response_url` works. Source: "Handling user interaction".
pub const RESPOND_WITHIN: Duration = Duration::from_mins(30);

/// How long after each time-out an event is sent again; after the last it is given up. Source: "The Events API",
/// "Retries". That sockets keep to it too is a guess.
pub const RETRIES: [Duration; 3] = [Duration::ZERO, Duration::from_mins(1), Duration::from_mins(5)];

/// Most sockets of an app at a time. Source: "Using Socket Mode".
pub const SOCKETS: usize = 10;

/// How often a socket is pinged. A guess: the official clients give a socket up after 30 s without a ping.
pub const PING: Duration = Duration::from_secs(10);

/// How long a socket still stands after `disconnect`. Source: "Using Socket Mode" ("about 10 seconds before").
pub const GRACE: Duration = Duration::from_secs(10);

/// How long the address of a socket can be used, once. A guess: "temporary" is all that is documented.
pub const TICKET: Duration = Duration::from_secs(30);

/// Shortest pause between messages to one conversation, where rates are enforced. Source: "Rate limits".
pub const SAME_CHANNEL: Duration = Duration::from_secs(1);

/// Most messages of one page. Source: `conversations.history`, `limit`.
pub const PAGE: usize = 999;

/// The length of a text as Slack keeps it: where markup means nothing, `<` and `>` become entities too.
pub(crate) fn length(text: &str, is_markup: bool) -> usize {
    if !is_markup {
        return super::mrkdwn::kept(text).chars().count();
    }
    let bare = text
        .match_indices('&')
        .filter(|(at, _)| !super::mrkdwn::begins_with_entity(&text[*at..]));
    text.chars().count() + bare.count() * ("&amp;".len() - 1)
}
