//! Every number of the platform, with its unit and where it comes from.
//!
//! [`capabilities`] is built from these and from nothing else. "Reference" is <https://docs.slack.dev/reference>, read
//! in December 2026; where it says characters it means Unicode scalar values, as far as can be told from what is refused.

use std::time::Duration;

use askd_core::present::{Buttons, Capabilities, Forms, Limit, Markup, Pace, Payload, Unit};

/// Longest text of one message.
///
/// Unit: scalar values of the escaped text, because `&` travels as `&amp;`. A message of ours is one section. Source:
/// Reference, Block Kit, section block, `text`: "maximum length 3000 characters"; the fallback beside the blocks holds
/// the same text, within the 4000 that `chat.postMessage` recommends.
pub(crate) const TEXT: Limit = Limit {
    max: 3000,
    unit: Unit::EscapedScalars,
};

/// Most that one styled span adds: `*…*`, `` `…` ``, `<…>`. Source: Reference, formatting message text.
const MARKUP: usize = 2;

/// Most that an instant adds: `<!date^1796117400^{time}|…>`. Source: Reference, formatting message text, date
/// formatting.
const INSTANT: usize = "<!date^9999999999^{time}|>".len();

/// Longest label of a button.
///
/// Unit: scalar values of the escaped text: plain text is kept with entities too, and comes back with them. Source:
/// Reference, Block Kit, button element, `text`: "maximum length 75 characters"; clients may cut it to about 30 without
/// telling, but the prompt lists the labels in full.
pub(crate) const LABEL: Limit = Limit {
    max: 75,
    unit: Unit::EscapedScalars,
};

/// Most buttons in one row: an actions block. Source: Reference, Block Kit, actions block, `elements`: 25. More than
/// five wrap on a narrow screen.
const PER_ROW: usize = 5;

/// Rows of buttons below one message: the options, then Other… and Skip. Slack allows 50 blocks a message.
const ROWS: usize = 2;

/// Longest `value` of a button, in scalar values. Source: Reference, Block Kit, button element, `value`: 2000.
const VALUE: usize = 2000;
const _: () = assert!(Payload::MAX <= VALUE, "a button's payload fits");

/// Longest title of a form. Unit: scalar values of the escaped text. Source: Reference, views, modal, `title`: 24 characters. The same holds
/// for the words on its two buttons.
pub(crate) const TITLE: Limit = Limit {
    max: 24,
    unit: Unit::EscapedScalars,
};

/// Longest label of a form's input. Unit: scalar values of the escaped text. Source: Reference, Block Kit, input block, `label`: 2000; one
/// line reads best.
pub(crate) const INPUT_LABEL: Limit = Limit {
    max: 75,
    unit: Unit::EscapedScalars,
};

/// Longest text a form's input takes. Unit: scalar values. Source: Reference, Block Kit, plain-text input element,
/// `max_length`: "maximum value is 3000".
pub(crate) const INPUT: u64 = 3000;

/// Shortest pause between two messages to one conversation. Source: Reference, rate limits: "1 per second" for
/// `chat.postMessage` in one channel.
const PACE: Duration = Duration::from_secs(1);

/// How long any call may take, in all.
pub(crate) const CALL: Duration = Duration::from_secs(8);

/// How long a connection may take to be made, within the time of its call.
pub(crate) const CONNECT: Duration = Duration::from_secs(5);

/// How long `post` may take in all. Source: the contract of `Channel::post`, 30 s.
pub(crate) const POST: Duration = Duration::from_secs(28);

/// How long a socket may take from its connection to its first word, and how long a frame may take to be sent.
pub(crate) const HELLO: Duration = Duration::from_secs(10);

/// How long an acknowledgement may take to leave. Source: Reference, Socket Mode: an envelope that is not acknowledged
/// within 3 s is sent again.
pub(crate) const ACK: Duration = Duration::from_secs(2);

/// How long a socket may be silent before it is asked whether it lives. Slack pings about every ten seconds, by what
/// its own clients expect (`serverPingTimeout` of its socket-mode client, 30 s).
pub(crate) const QUIET: Duration = Duration::from_secs(20);

/// How long it then may take to answer before it counts as a ghost.
pub(crate) const PONG: Duration = Duration::from_secs(10);

/// The least of that by the machine's own time: a clock that is set forward must not make a living socket look dead.
pub(crate) const PONG_AT_LEAST: Duration = Duration::from_millis(300);

/// How long no socket may hear anything before the channel counts as deaf. A silent one is given up after
/// [`QUIET`] and [`PONG`]; the rest is for the next to be opened.
pub(crate) const DEAF: Duration = QUIET.saturating_add(PONG).saturating_mul(2);

/// A socket that held this long ended in the ordinary way. Slack replaces each about every hour.
pub(crate) const STEADY: Duration = Duration::from_secs(30);

/// How long a socket that was replaced is still read: what was on its way over it would be lost. Slack closes it itself
/// about ten seconds after it said so.
pub(crate) const LINGER: Duration = Duration::from_secs(2);

/// How long the last word over a socket may take.
pub(crate) const CLOSE: Duration = Duration::from_secs(1);

/// How long the receipt of a press may take before the person is told that it is under way, and how long a form waits
/// to be opened in the words of its question. Source: Reference, triggers: a `trigger_id` is worth nothing after 3 s,
/// less two calls.
pub(crate) const AT_ONCE: Duration = Duration::from_secs(1);

/// How long a form that was sent in stays open, waiting for what became of it. Source: Reference, Socket Mode: 3 s.
pub(crate) const FORM: Duration = Duration::from_secs(2);

/// How long the first event of a person waits for their language.
pub(crate) const LANGUAGE: Duration = Duration::from_millis(700);

/// Longest pause asked for by the platform that a receipt is worth waiting for.
pub(crate) const WORTH_WAITING: Duration = Duration::from_secs(30);

/// How long work under way may still take when the channel stops. Source: the contract of `Channel::listen`, 5 s, less
/// what closing the sockets takes.
pub(crate) const GRACE: Duration = Duration::from_secs(3);

/// Messages of one page of a conversation's past. Source: `conversations.history.limit`: "it's recommended you use no
/// more than 200 results at a time".
pub(crate) const PAGE: usize = 200;

/// Most pages that are read of one conversation: a thousand messages within the hour that an ask can be open.
pub(crate) const PAGES: usize = 5;

/// What can be shown and heard in one conversation. `direct`: with one person alone. `is_thread`: it is one thread of a
/// channel.
pub(crate) fn capabilities(direct: bool, is_thread: bool) -> Capabilities {
    Capabilities {
        text: TEXT,
        markup: Markup {
            span: MARKUP,
            instant: INSTANT,
        },
        buttons: Some(Buttons {
            max: PER_ROW * ROWS,
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
        // Clients keep what begins with a slash to themselves, and say that there is no such command.
        slash_commands: false,
        // Every message of a channel the bot is in reaches us, by the event `message.channels`.
        hears_groups: true,
        direct,
        threads: !direct,
        is_thread,
        pace: Some(Pace { same_address: PACE }),
    }
}
