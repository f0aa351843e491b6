//! The options of one question, as a piece of a reply is compared with them.

use super::{
    clean::{folded, key, tidy},
    hint::Slip,
    known,
    marker::{Head, Mark, Markers, begins_with_number, markers},
};
use crate::{ask::Question, id::QuestionId};

/// One question, prepared for reading.
#[derive(Debug)]
pub(super) struct Options<'q> {
    question: &'q Question,
    /// The labels as they compare, in declared order.
    keys: Vec<String>,
    markers: Markers,
    /// Whether any label begins with a number, so that a number may be a value.
    have_numbers: bool,
    /// The labels of the ask's other questions, as they compare.
    elsewhere: Vec<(&'q QuestionId, String)>,
}

impl<'q> Options<'q> {
    /// Prepares `question`; `others` are the other questions of its ask.
    pub(super) fn new(question: &'q Question, others: impl Iterator<Item = &'q Question>) -> Self {
        let keys_of = |q: &'q Question| q.choices.iter().map(|choice| key(&folded(&choice.label)));
        let keys: Vec<String> = keys_of(question).collect();
        Self {
            question,
            have_numbers: keys.iter().any(|key| begins_with_number(key)),
            keys,
            markers: markers(question),
            elsewhere: others
                .flat_map(|q| keys_of(q).map(move |key| (&q.id, key)))
                .collect(),
        }
    }

    pub(super) fn question(&self) -> &'q Question {
        self.question
    }

    /// Whether several may be chosen.
    pub(super) fn are_multi(&self) -> bool {
        self.question.multi_select
    }

    /// The option whose label is `typed`, character for character.
    pub(super) fn exact(&self, typed: &str) -> Option<usize> {
        self.question
            .choices
            .iter()
            .position(|choice| choice.label == typed.trim())
    }

    /// The option whose label compares equal to `text` (folded).
    pub(super) fn label(&self, text: &str) -> Option<usize> {
        let key = key(text);
        self.keys.iter().position(|label| *label == key)
    }

    /// The option that `text` (folded and tidy) names by its marker, alone or followed by its own label.
    pub(super) fn marker(&self, text: &str) -> Option<usize> {
        let head = Head::of(text)?;
        let position = self.markers.position(head.mark)?;
        let names =
            head.is_alone() || head.followed_by().and_then(|label| self.label(label)) == Some(position);
        names.then_some(position)
    }

    /// The option that `typed`, folded to `text`, says exactly.
    pub(super) fn option(&self, typed: &str, text: &str) -> Option<usize> {
        self.exact(typed).or_else(|| {
            let text = tidy(text);
            self.label(text).or_else(|| self.marker(text))
        })
    }

    /// The only option whose label is a word that `is` accepts.
    pub(super) fn word(&self, is: impl Fn(&str) -> bool) -> Option<usize> {
        let mut named = self.keys.iter().enumerate().filter(|(_, key)| is(key));
        let (position, _) = named.next()?;
        named.next().is_none().then_some(position)
    }

    /// Whether a label is a word for skipping.
    pub(super) fn have_skip_label(&self) -> bool {
        self.keys.iter().any(|key| known::is_skip(key))
    }

    /// Markers with blanks between them, nothing before or after any: "1 2".
    pub(super) fn bare_markers(&self, text: &str) -> Option<Vec<usize>> {
        let marker = |word| {
            let head = Head::of(word).filter(|head| head.is_bare && head.ends())?;
            self.markers.position(head.mark)
        };
        let positions: Vec<usize> = tidy(text).split_whitespace().map(marker).collect::<Option<_>>()?;
        (positions.len() > 1).then_some(positions)
    }

    /// A range over the shown markers, "1-3"; `Err` where it runs backwards or beyond them. On a single choice it
    /// is two picks whichever way it runs, and with an end beyond the markers the person's own ("2-30").
    pub(super) fn range(&self, typed: &str, text: &str) -> Option<Result<Vec<usize>, Slip>> {
        let (from, to) = range_ends(tidy(text))
            .filter(|&(from, to)| self.markers.are_like(from) && self.markers.are_like(to))?;
        match (self.markers.position(from), self.markers.position(to)) {
            (Some(from), Some(to)) if from <= to => Some(Ok((from..=to).collect())),
            (Some(from), Some(to)) if !self.are_multi() => Some(Ok(vec![to, from])),
            _ if self.are_multi() => Some(Err(Slip::NoSuchRange {
                typed: typed.to_owned(),
            })),
            _ => None,
        }
    }

    /// What is wrong with `typed` (folded to `text`), which is no option, if it is plainly meant as one: a number or
    /// letter that no option has, a marker before another option's label, a range beyond the markers.
    pub(super) fn slip(&self, typed: &str, text: &str) -> Option<Slip> {
        let text = tidy(text);
        let no_such_option = || Slip::NoSuchOption {
            typed: typed.to_owned(),
        };
        if is_integer(text) {
            return (!self.have_numbers).then(no_such_option);
        }
        if let Some(Err(slip)) = self.range(typed, text) {
            return Some(slip);
        }
        let head = Head::of(text)?;
        // "#7" and "option 7" mean an option whatever the markers are; a letter only where letters are shown.
        let is_meant = matches!(head.mark, Mark::Number(_)) || self.markers.are_like(head.mark);
        if head.is_alone() && is_meant {
            return Some(no_such_option());
        }
        let label = head.followed_by().filter(|_| self.markers.are_like(head.mark))?;
        self.label(label).map(|_| Slip::OtherLabel {
            typed: typed.to_owned(),
        })
    }

    /// The other question of which `text` (folded) is a label.
    pub(super) fn label_elsewhere(&self, text: &str) -> Option<QuestionId> {
        let key = key(text);
        self.elsewhere
            .iter()
            .find(|(_, label)| *label == key)
            .map(|(question, _)| (*question).clone())
    }

    /// For each length, in parts as `count` counts them, a label may have: longest first, always with 1.
    pub(super) fn label_lengths(&self, count: impl Fn(&str) -> usize) -> Vec<usize> {
        let mut lengths: Vec<usize> = self
            .question
            .choices
            .iter()
            .map(|c| count(&folded(&c.label)))
            .collect();
        lengths.push(1);
        lengths.sort_unstable_by(|a, b| b.cmp(a));
        lengths.dedup();
        lengths
    }
}

/// An integer, also signed, with nothing but dots after it.
fn is_integer(text: &str) -> bool {
    let number = text.trim_end_matches(['.', '!', '。', '۔']);
    let unsigned = number.trim_start_matches(['+', '-', '\u{2212}']);
    let is_signed_once = number.chars().count() - unsigned.chars().count() <= 1;
    let digits = unsigned.trim_start();
    is_signed_once && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// The two ends of `1-3`, with hyphen, dash or minus.
fn range_ends(text: &str) -> Option<(Mark, Mark)> {
    let at = text.find(['-', '\u{2010}', '–', '—', '\u{2212}'])?;
    let (from, dash_and_to) = text.split_at(at);
    let to = dash_and_to.trim_start_matches(|c: char| !c.is_alphanumeric());
    let between = &dash_and_to[..dash_and_to.len() - to.len()];
    let is_one_dash = between.trim().chars().count() == 1;
    let end = |text| {
        Head::of(text)
            .filter(|head| head.is_bare && head.ends())
            .map(|head| head.mark)
    };
    Some((end(from.trim())?, end(to)?)).filter(|_| is_one_dash)
}
