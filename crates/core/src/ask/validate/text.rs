//! The rules for a text from an agent.

use super::fault::Rule;
use crate::reply;

/// What a text field may hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text {
    /// Most characters, after tidying.
    pub(super) max: Option<usize>,
    /// Whether it may have several lines.
    pub(super) lines: bool,
    pub(super) blank: Blank,
}

/// What a text is of which nothing can be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blank {
    /// A fault.
    Refused,
    /// As if the field were absent.
    IsNone,
}

impl Text {
    /// The tidied text, and everything that is wrong with it (with the limit, where the rule has one).
    pub(super) fn apply(self, received: &str) -> (Option<String>, Vec<(Rule, Option<usize>)>) {
        let tidied = received.replace("\r\n", "\n").replace('\t', " ");
        let text = tidied.trim();
        let mut faults = Vec::new();
        if text.chars().any(|c| c.is_control() && c != '\n') {
            faults.push((Rule::ControlCharacter, None));
        }
        if !self.lines && text.contains(['\n', '\u{2028}', '\u{2029}']) {
            faults.push((Rule::Newline, None));
        }
        if let Some(max) = self.max.filter(|&max| text.chars().nth(max).is_some()) {
            faults.push((Rule::TooLong, Some(max)));
        }
        if faults.is_empty() && reply::is_blank(text) {
            if self.blank == Blank::Refused {
                faults.push((Rule::Blank, None));
            }
            return (None, faults);
        }
        (Some(text.to_owned()), faults)
    }
}
