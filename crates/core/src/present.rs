//! What is shown, planned so that it fits where it is shown.
//!
//! `(ask, capabilities, reader) -> Presentation`, pure. A channel maps a [`Presentation`] to its platform's payload
//! and decides nothing: texts are cut and split, controls laid out and labels fitted before it sees them. For every
//! valid ask and every capability profile there is a plan that fits and still tells the whole question
//! (`tests/plan_properties.rs`); what people see is in `tests/snapshots`.

pub mod capabilities;
pub mod controls;
mod fit;
mod how;
mod isolate;
mod outcome;
mod plan;
mod result;
mod settled;
mod text;
mod when;

use jiff::{Timestamp, tz::TimeZone};

pub use self::{
    capabilities::{Buttons, Capabilities, Forms, Limit, Markup, Pace, Unit},
    controls::{Button, Controls, Gesture, Payload},
    fit::note,
    isolate::{isolate, neutral, one_line},
    outcome::outcome_line,
    plan::{has_buttons, plan},
    result::{PENDING, message, summary_text},
    settled::{follow_up, settled},
};
use crate::words::Language;

/// Whom a presentation is for.
#[derive(Clone, Debug, PartialEq)]
pub struct Reader {
    /// The language of every sentence of ours.
    pub language: Language,
    /// For times of day.
    pub time_zone: TimeZone,
}

/// A finished plan: what to show at one address, already fitting it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Presentation {
    /// In order; never empty. Controls are on the last alone.
    pub messages: Vec<Message>,
    /// Whether the phone may ring: only a new ask does.
    pub rings: bool,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The same text twice: here as styled spans ...
    pub lines: Vec<Line>,
    /// What can be pressed below it.
    pub controls: Controls,
}

impl Message {
    /// ... and here plain, lines joined by newlines. Styles add nothing to it, so a channel whose markup is refused
    /// sends this.
    #[must_use]
    pub fn text(&self) -> String {
        let lines: Vec<String> = self.lines.iter().map(Line::text).collect();
        lines.join("\n")
    }

    /// Its length as the platform counts it, with its markup: at most `to.text.max` for every planned message.
    #[must_use]
    pub fn length(&self, to: &Capabilities) -> usize {
        let span = |span: &Span| to.text.measure(&span.text) + to.markup.of(span.style);
        let newlines = self.lines.len().saturating_sub(1);
        self.lines
            .iter()
            .flat_map(|line| &line.spans)
            .map(span)
            .sum::<usize>()
            + newlines
    }
}

/// One line of a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// From the reader's start of the line; a span holds no newline.
    pub spans: Vec<Span>,
}

impl Line {
    /// Its spans without their styles.
    #[must_use]
    pub fn text(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }
}

/// A piece of text in one style. Data, never markup: the channel escapes it for its platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// What is read.
    pub text: String,
    /// How it looks, where the platform can.
    pub style: Style,
}

/// How a span looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// As any text.
    Plain,
    /// For the question itself and what was chosen.
    Strong,
    /// For what is said beside it.
    Quiet,
    /// For what is to be typed as it stands.
    Code,
    /// An instant, for platforms that render one in the reader's own zone, perhaps with a countdown behind it;
    /// `text` is the same instant in words, for all others. It stands where a time of day can stand.
    Instant(Timestamp),
    /// A link to the panel; the target is ours, never an agent's.
    Link,
}
