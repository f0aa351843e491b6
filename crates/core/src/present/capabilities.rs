//! What one conversation on a platform can show, as data.
//!
//! A feature and its limits are one `Option`; what is not mentioned cannot be done. Profiles start from
//! [`Capabilities::plain_text`], the floor that every channel reaches.

use std::time::Duration;

use super::Style;

/// What can be shown and heard in one conversation. Built by a channel from its `limits.rs` and from nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a yes or no of its own about one conversation"
)]
pub struct Capabilities {
    /// Longest text of one message.
    pub text: Limit,
    /// What styles cost of it.
    pub markup: Markup,
    /// Buttons below a message.
    pub buttons: Option<Buttons>,
    /// A form that a button can open, for own words.
    pub forms: Option<Forms>,
    /// Whether a posted message can be changed.
    pub edits: bool,
    /// Whether an instant is rendered for each reader, in their zone and as a countdown.
    pub instants: bool,
    /// Whether `/skip` reaches us (Slack keeps texts with a leading `/` to itself).
    pub slash_commands: bool,
    /// Whether a bare text in a group reaches us; where it does not, the prompt says to reply to it.
    pub hears_groups: bool,
    /// Whether this conversation is with one person alone.
    pub direct: bool,
    /// Whether one replies to a message in a thread below it (Slack) rather than by quoting it.
    pub threads: bool,
    /// Whether this conversation is itself a thread among others of its channel. A bare text in it is heard as one below
    /// a prompt is.
    pub is_thread: bool,
    /// How fast messages may follow each other.
    pub pace: Option<Pace>,
}

/// What styles add to the length of a text that holds its own markup, in the unit of that text. Nothing where styles
/// travel beside the text (Telegram's entities).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Markup {
    /// Most that one styled span adds, such as four for `**bold**`.
    pub span: usize,
    /// Most that an instant adds to its own words, such as `<t:1764607800:t>` to `16:50`.
    pub instant: usize,
}

impl Markup {
    /// Most that a span of this style adds.
    #[must_use]
    pub fn of(self, style: Style) -> usize {
        match style {
            Style::Plain => 0,
            Style::Instant(_) => self.instant,
            Style::Strong | Style::Quiet | Style::Code | Style::Link => self.span,
        }
    }
}

/// Buttons below a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buttons {
    /// Most buttons on one message.
    pub max: usize,
    /// Most buttons in one row.
    pub per_row: usize,
    /// Most rows.
    pub rows: usize,
    /// Longest label.
    pub label: Limit,
}

/// A form with one text input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forms {
    /// Longest title.
    pub title: Limit,
    /// Longest label of the input.
    pub label: Limit,
}

/// How fast messages may follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Shortest pause between two messages to the same conversation.
    pub same_address: Duration,
}

/// How a platform counts the length of a text.
///
/// "4096 characters" in a platform's documentation is not a unit. Find out which one is meant, prove it in
/// `limits.rs`, and name the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// UTF-8 bytes.
    Bytes,
    /// UTF-16 code units, what JavaScript calls length.
    Utf16,
    /// Unicode scalar values.
    Scalars,
    /// Unicode scalar values after `&`, `<` and `>` have become entities (`&amp;`, `&lt;`, `&gt;`): Slack's text.
    EscapedScalars,
    /// Unicode scalar values after a backslash has been put before every ASCII punctuation character: Markdown that
    /// cannot be switched off, as Discord's. A channel may escape fewer.
    MarkdownScalars,
}

/// A length limit with its unit; a bare number is never a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The longest text that is still accepted, in `unit`.
    pub max: usize,
    /// How the platform counts.
    pub unit: Unit,
}

impl Limit {
    /// Length of `text` as the platform counts it. The length of two texts together is the sum of theirs.
    ///
    /// ```
    /// # use askd_core::present::{Limit, Unit};
    /// let of = |unit| Limit { max: 0, unit }.measure("na\u{ef}ve \u{1f44d} & co");
    /// assert_eq!(of(Unit::Scalars), 12);
    /// assert_eq!(of(Unit::Utf16), 13); // the thumb is a pair
    /// assert_eq!(of(Unit::Bytes), 16);
    /// assert_eq!(of(Unit::EscapedScalars), 16); // &amp;
    /// assert_eq!(of(Unit::MarkdownScalars), 13); // \&
    /// ```
    #[must_use]
    pub fn measure(self, text: &str) -> usize {
        match self.unit {
            Unit::Bytes => text.len(),
            Unit::Utf16 => text.encode_utf16().count(),
            Unit::Scalars => text.chars().count(),
            Unit::EscapedScalars => text.chars().map(entity_length).sum(),
            Unit::MarkdownScalars => text
                .chars()
                .map(|c| 1 + usize::from(c.is_ascii_punctuation()))
                .sum(),
        }
    }

    /// Whether `text` is accepted.
    #[must_use]
    pub fn fits(self, text: &str) -> bool {
        self.measure(text) <= self.max
    }
}

fn entity_length(c: char) -> usize {
    match c {
        '&' => "&amp;".len(),
        '<' | '>' => "&lt;".len(),
        _ => 1,
    }
}

impl Capabilities {
    /// The floor: text of 2000 scalars, nothing else. A channel adds what it can do.
    #[must_use]
    pub fn plain_text() -> Self {
        Self {
            text: Limit {
                max: 2000,
                unit: Unit::Scalars,
            },
            markup: Markup::default(),
            buttons: None,
            forms: None,
            edits: false,
            instants: false,
            slash_commands: true,
            hears_groups: true,
            direct: true,
            threads: false,
            is_thread: false,
            pace: None,
        }
    }
}
