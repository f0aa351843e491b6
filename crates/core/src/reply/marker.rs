//! Markers: the number or letter by which an option is named, in what is shown and in what is typed.
//!
//! Options are numbered. Where that could be misread, they are lettered instead: if a label begins with a number
//! other than its own position ("3 replicas" as the first option), a typed number could mean the label or the
//! position, and with letters it can only mean the label. What is shown and what is read both come from [`markers`],
//! so that they cannot disagree.
//!
//! SPEC 3 speaks of labels that begin with a number. Taken in the same sense here: a sign or a decimal point belongs
//! to the number ("-1", "1.5 GB", "1 000"), and "#3", "(3)" or "Option 3" begin with one. As do letters: a set is
//! passed over if a label reads as one of its letters ("A", "(b)"). Three labels beside a number could use up the
//! sets of SPEC 3, hence the fourth, H-K.
//!
//! Tests: `tests/reply_cases.rs` and, that every marker shown reads back as its option, `tests/reply_properties.rs`.

use super::{
    clean::{folded, is_wrapper, key, tidy},
    known,
};
use crate::{ask::Question, words::Language};

/// First letters of the sets of four, in order of preference.
const SETS: [char; 4] = ['a', 'p', 'w', 'h'];

/// How the options of one question are marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Markers {
    kind: Kind,
    count: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Numbers,
    /// From this letter on, in lower case.
    Letters(char),
}

/// The markers of `question`: numbers from 1, or letters where a number could be misread. See the module.
#[must_use]
pub fn markers(question: &Question) -> Markers {
    let labels: Vec<String> = question
        .choices
        .iter()
        .map(|choice| folded(&choice.label))
        .collect();
    let misread = labels
        .iter()
        .enumerate()
        .any(|(n, label)| begins_with_another_number(label, n + 1));
    let kind = if misread {
        Kind::Letters(free_set(&labels))
    } else {
        Kind::Numbers
    };
    Markers {
        kind,
        count: labels.len(),
    }
}

impl Markers {
    /// The marker of the option at `position` (from 0), as a reader of `language` sees it: "2", "۲", "B". Without a
    /// dot or bracket.
    #[must_use]
    pub fn shown(self, position: usize, language: Language) -> String {
        match self.kind {
            Kind::Numbers => language.number(position + 1),
            Kind::Letters(first) => letter_at(first, position).to_ascii_uppercase().to_string(),
        }
    }

    /// Whether the options are numbered; else they are lettered.
    #[must_use]
    pub fn are_numbers(self) -> bool {
        self.kind == Kind::Numbers
    }

    /// How many options there are.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a question has at least two options")]
    pub fn len(self) -> usize {
        self.count
    }

    /// The position, from 0, of the option marked `mark`.
    pub(super) fn position(self, mark: Mark) -> Option<usize> {
        let position = match (self.kind, mark) {
            (Kind::Numbers, Mark::Number(n)) => n.checked_sub(1)?,
            (Kind::Letters(first), Mark::Letter(typed)) => {
                usize::try_from(u32::from(typed).checked_sub(u32::from(first))?).ok()?
            }
            _ => return None,
        };
        (position < self.count).then_some(position)
    }

    /// Whether `mark` is of the kind that is shown, whether or not an option has it.
    pub(super) fn are_like(self, mark: Mark) -> bool {
        self.are_numbers() == matches!(mark, Mark::Number(_))
    }
}

fn letter_at(first: char, position: usize) -> char {
    let offset = u32::try_from(position).unwrap_or(0);
    char::from_u32(u32::from(first) + offset).unwrap_or(first)
}

fn free_set(labels: &[String]) -> char {
    let is_of = |first: char, text: &str| {
        let letter = Head::of(text).filter(Head::is_alone).map(|head| head.mark);
        matches!(letter, Some(Mark::Letter(l)) if (first..=letter_at(first, 3)).contains(&l))
    };
    let is_taken = |first| {
        labels
            .iter()
            .any(|label| is_of(first, tidy(label)) || is_of(first, &key(label)))
    };
    SETS.into_iter()
        .find(|&first| !is_taken(first))
        .unwrap_or(SETS[0])
}

fn begins_with_another_number(label: &str, position: usize) -> bool {
    let is_another = |text: &str| {
        let marked = matches!(Head::of(text).map(|head| head.mark), Some(Mark::Number(n)) if n != position);
        let leading = match leading_number(text) {
            Some(Leading::Whole(n)) => n != position,
            Some(Leading::Other) => true,
            None => false,
        };
        marked || leading
    };
    // "1 000" begins with one as it is typed and with a thousand as it compares: either may be meant.
    is_another(tidy(label)) || is_another(&key(label))
}

/// The number at the start of a text.
enum Leading {
    Whole(usize),
    /// Signed or with a fraction or a group of thousands: never a position.
    Other,
}

/// Whether a label (its key) begins with a number, also its own position.
pub(super) fn begins_with_number(key: &str) -> bool {
    leading_number(key).is_some()
}

fn leading_number(text: &str) -> Option<Leading> {
    let text = text.trim_start_matches(is_wrapper);
    let unsigned = text.trim_start_matches(['+', '-', '\u{2212}', '.', ',']);
    let rest = unsigned.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = &unsigned[..unsigned.len() - rest.len()];
    if digits.is_empty() {
        return None;
    }
    let mut after = rest.chars();
    let goes_on = after
        .next()
        .is_some_and(|c| matches!(c, '.' | ',' | '/' | '\u{2044}' | '\u{66B}' | '\u{66C}'))
        && after.next().is_some_and(|c| c.is_ascii_digit());
    let plain = unsigned.len() == text.len() && !goes_on;
    Some(if plain {
        Leading::Whole(number(digits))
    } else {
        Leading::Other
    })
}

/// What a marker says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// A number as typed; huge ones saturate, which is out of range all the same.
    Number(usize),
    /// A Latin letter in lower case.
    Letter(char),
}

fn number(digits: &str) -> usize {
    digits.parse().unwrap_or(usize::MAX)
}

/// A marker at the start of a typed text, and what comes after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head<'t> {
    pub(super) mark: Mark,
    /// Nothing stands before it but the text's beginning.
    pub(super) is_bare: bool,
    rest: &'t str,
}

impl<'t> Head<'t> {
    /// Reads a marker at the start of `text`, which is folded and [`tidy`]: the number or letter, `#` or a word for
    /// option before it, brackets around it or around both.
    pub(super) fn of(text: &'t str) -> Option<Self> {
        let (outer, inside) = opening(text);
        let (prefix, core) = without_prefix(inside);
        let (inner, core) = if outer.is_none() {
            opening(core)
        } else {
            (None, core)
        };
        let (mark, after) = core_of(core, prefix == Prefix::Word)?;
        let rest = match outer.or(inner) {
            Some(close) => after.trim_start().strip_prefix(close)?,
            None => after,
        };
        let is_bare = outer.or(inner).is_none() && prefix == Prefix::None;
        Some(Self { mark, is_bare, rest })
    }

    /// Whether nothing follows but what may close a marker: `. ) : !`.
    pub(super) fn is_alone(&self) -> bool {
        self.rest
            .chars()
            .all(|c| is_blank(c) || matches!(c, '.' | ')' | ':' | '!'))
    }

    /// Whether nothing follows at all.
    pub(super) fn ends(&self) -> bool {
        self.rest.is_empty()
    }

    /// What follows after a blank or `. ) : - – =`: "2) Production" gives "production". `None` where nothing does,
    /// or where the marker runs on ("2nd", "2.5", "12:30").
    pub(super) fn followed_by(&self) -> Option<&'t str> {
        let label = self
            .rest
            .trim_start_matches(|c| is_blank(c) || matches!(c, '.' | ')' | ':' | '-' | '–' | '='));
        let between = &self.rest[..self.rest.len() - label.len()];
        let is_number =
            matches!(self.mark, Mark::Number(_)) && label.starts_with(|c: char| c.is_ascii_digit());
        let runs_on = is_number && matches!(between, "." | ":" | "-" | "–");
        (!label.is_empty() && !between.is_empty() && !runs_on).then_some(label)
    }
}

/// A blank within a line.
pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace() && !matches!(c, '\n' | '\r')
}

/// An opening bracket at the start of `text`, as the one that closes it, and the text after it.
fn opening(text: &str) -> (Option<char>, &str) {
    if let Some(rest) = text.strip_prefix('(') {
        (Some(')'), rest.trim_start_matches(is_blank))
    } else if let Some(rest) = text.strip_prefix('[') {
        (Some(']'), rest.trim_start_matches(is_blank))
    } else {
        (None, text)
    }
}

/// What stands before a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Prefix {
    None,
    Sign,
    /// A word with no blank after it: a letter that follows is part of another word ("options").
    Word,
}

fn without_prefix(text: &str) -> (Prefix, &str) {
    let word = known::option_words_longest_first()
        .iter()
        .find_map(|word| text.strip_prefix(word.as_str()));
    let (mut prefix, mut rest) = match word {
        Some(rest) if rest.starts_with(is_blank) => (Prefix::Sign, rest.trim_start_matches(is_blank)),
        Some(rest) => (Prefix::Word, rest),
        None => (Prefix::None, text),
    };
    if let Some(after) = rest.strip_prefix('#') {
        (prefix, rest) = (Prefix::Sign, after.trim_start_matches(is_blank));
    }
    (prefix, rest)
}

fn core_of(text: &str, is_glued: bool) -> Option<(Mark, &str)> {
    let after = text.trim_start_matches(|c: char| c.is_ascii_digit());
    if after.len() < text.len() {
        return Some((Mark::Number(number(&text[..text.len() - after.len()])), after));
    }
    let letter = text.chars().next().filter(char::is_ascii_lowercase)?;
    let after = &text[1..];
    let stands_alone = !is_glued && !after.starts_with(char::is_alphanumeric);
    stands_alone.then_some((Mark::Letter(letter), after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ask::{Choice, Header},
        id::QuestionId,
    };

    fn question(labels: &[&str]) -> Question {
        Question {
            id: QuestionId::new("size"),
            header: Header::cut("Size").0,
            text: "Which size?".to_owned(),
            choices: labels
                .iter()
                .map(|&l| Choice {
                    label: l.to_owned(),
                    description: None,
                })
                .collect(),
            multi_select: false,
        }
    }

    fn shown(labels: &[&str], language: Language) -> String {
        let question = question(labels);
        let markers = markers(&question);
        (0..labels.len()).map(|n| markers.shown(n, language)).collect()
    }

    #[test]
    fn options_are_numbered_unless_a_number_could_be_misread() {
        for (labels, expected) in [
            (&["Staging", "Production"][..], "12"),
            (&["1 GB", "2 GB"], "12"),
            (&["1. Staging", "2. Production"], "12"),
            (&["v3", "v2"], "12"),
            (&["Staging", "2 replicas", "three"], "123"),
            (&["3 replicas", "Production"], "AB"),
            (&["۳ نسخه", "هیچ"], "AB"),
            (&["３ copies", "none"], "AB"),
            (&["10 GB", "20 GB", "30 GB"], "ABC"),
            (&["1.5 GB", "2 GB"], "AB"),
            (&["1 000 users", "more"], "AB"),
            (&["1,000 users", "more"], "AB"),
            (&["½ cup", "cup"], "AB"),
            (&["-1", "+1"], "AB"),
            (&["\"3\" copies", "none"], "AB"),
            (&["#3", "#4"], "AB"),
            (&["(2) late", "(1) early"], "AB"),
            (&["!(2)", "none"], "AB"),
            (&["Option 2", "Option 1"], "AB"),
            (&["Option 1", "Option 2"], "12"),
        ] {
            assert_eq!(shown(labels, Language::English), expected, "{labels:?}");
        }
    }

    #[test]
    fn a_set_of_letters_is_passed_over_if_a_label_is_one_of_them() {
        for (labels, expected) in [
            (&["3", "B"][..], "PQ"),
            (&["3", "d."], "PQ"),
            (&["3", "(c)"], "PQ"),
            (&["3", "option a"], "PQ"),
            (&["3", ".a"], "PQ"),
            (&["3", "a", "Q"], "WXY"),
            (&["3", "a", "p", "z"], "HIJK"),
            (&["3", "Apple"], "AB"),
        ] {
            assert_eq!(shown(labels, Language::English), expected, "{labels:?}");
        }
    }

    #[test]
    fn numbers_are_shown_in_the_readers_digits_and_letters_alike_to_all() {
        assert_eq!(shown(&["x", "y"], Language::Persian), "۱۲");
        assert_eq!(shown(&["3", "4"], Language::Persian), "AB");
    }
}
