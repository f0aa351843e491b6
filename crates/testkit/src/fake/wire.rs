//! What goes over the wire between the fake platform and its channel.

use std::time::Duration;

use jiff::Timestamp;

/// A message to be shown.
#[derive(Debug, Default)]
pub(super) struct Outgoing {
    /// An account or a conversation.
    pub(super) to: String,
    /// The same for every attempt, where the platform knows such keys.
    pub(super) key: Option<String>,
    /// With markup, where the platform has it.
    pub(super) text: String,
    /// Rows of labels and what they carry.
    pub(super) buttons: Vec<Vec<(String, String)>>,
    pub(super) rings: bool,
    pub(super) reply_to: Option<i64>,
    /// Seen by this account alone.
    pub(super) only_for: Option<String>,
}

/// A message that was shown.
#[derive(Clone, Debug)]
pub(super) struct Sent {
    pub(super) conversation: String,
    pub(super) id: i64,
}

/// Why the platform did not do it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    Slower(Duration),
    /// The connection broke before the answer.
    NoAnswer {
        done: bool,
    },
    Unauthorized,
    Forbidden,
    NoSuchMessage,
    Bad(&'static str),
}

/// Something that happened, for us to take over.
#[derive(Clone, Debug)]
pub(super) struct Event {
    /// Rises by one.
    pub(super) id: u64,
    pub(super) from: From,
    pub(super) conversation: String,
    pub(super) direct: bool,
    pub(super) date: Timestamp,
    pub(super) what: What,
}

/// Who did something.
#[derive(Clone, Debug)]
pub(super) enum From {
    Account(String),
    Hidden,
    Machine,
}

/// What happened.
#[derive(Clone, Debug)]
pub(super) enum What {
    Message {
        id: i64,
        /// A mention of us is written before it.
        text: String,
        reply_to: Option<i64>,
        thread: Option<i64>,
        attachment: bool,
        forwarded: bool,
        edited: bool,
    },
    Press {
        on: i64,
        data: String,
    },
    Form {
        data: String,
        text: String,
    },
}

/// How a mention of us is written.
pub(super) const MENTION: &str = "@askd ";

/// Writes `text` so that it is nothing but text.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Reads markup: `<b>` and `</b>`, and the three escapes. `None` for anything else that looks like markup.
pub(super) fn read_markup(text: &str) -> Option<String> {
    let plain = text.replace("<b>", "").replace("</b>", "");
    if plain.contains(['<', '>']) {
        return None;
    }
    let mut read = String::new();
    let mut parts = plain.split('&');
    read.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (name, rest) = part.split_once(';')?;
        read.push(match name {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            _ => return None,
        });
        read.push_str(rest);
    }
    Some(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_escaped_is_read_back_and_other_markup_is_refused() {
        for text in ["plain", "a < b & c > d", "&lt;", "<b>bold</b>", "<!everyone>"] {
            assert_eq!(read_markup(&escape(text)).as_deref(), Some(text));
        }
        for text in ["<!everyone>", "a < b", "a & b", "&nbsp;"] {
            assert_eq!(read_markup(text), None, "{text}");
        }
    }
}
