//! Which question a part of a reply is about: its number, `Q2`, its id or its header, and a separator.
//!
//! A key is only found where nothing else is as likely: not in a time ("2:30"), a URL ("https://..."), a decimal ("1.5"), and
//! not where the same text names two questions.

use std::ops::Range;

use crate::{
    ask::Question,
    reply::{
        clean::{folded, key},
        marker::is_blank,
        multi::is_sure_separator,
    },
};

/// Everything that names a question of one ask.
#[derive(Debug)]
pub(super) struct Keys {
    /// Longest first.
    keys: Vec<Key>,
}

#[derive(Debug)]
struct Key {
    /// Folded, without blanks.
    text: String,
    /// `None` where it names two questions, and so none.
    question: Option<usize>,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// `2`
    Number,
    /// `Q2`
    Q,
    /// Id or header.
    Name,
}

/// A key in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// Whose; `None` for what has the shape of a key and names no question.
    pub(super) question: Option<usize>,
    /// Where its separator ends.
    pub(super) value: usize,
    /// A bare number before `-`, `.` or `)`: also how a list or a range looks.
    pub(super) is_list_number: bool,
    /// A name joined to what follows by `-` or `.`: also how compound words and domain names look.
    pub(super) may_be_a_compound: bool,
}

/// A place within a line where another key begins.
pub(super) struct Cut {
    /// Where what came before ends, its separator not included.
    pub(super) end: usize,
    /// As in [`Found`].
    pub(super) question: Option<usize>,
    /// Where what belongs to this key begins: for no question, the key itself.
    pub(super) value: usize,
}

impl Keys {
    /// The keys of these questions, by position.
    pub(super) fn of(questions: &[Question]) -> Self {
        let mut keys: Vec<Key> = Vec::new();
        let mut add =
            |text: String, question: usize, kind: Kind| match keys.iter_mut().find(|key| key.text == text) {
                Some(key) if key.question != Some(question) => key.question = None,
                Some(_) => {}
                None => keys.push(Key {
                    text,
                    question: Some(question),
                    kind,
                }),
            };
        for (n, question) in questions.iter().enumerate() {
            add((n + 1).to_string(), n, Kind::Number);
            add(format!("q{}", n + 1), n, Kind::Q);
            add(question.id.as_str().to_owned(), n, Kind::Name);
            let header = key(&folded(question.header.as_str()));
            // "Sure?" is also typed as "Sure: yes".
            add(
                header.trim_end_matches(|c: char| !c.is_alphanumeric()).to_owned(),
                n,
                Kind::Name,
            );
            add(header, n, Kind::Name);
        }
        keys.retain(|key| !key.text.is_empty());
        keys.sort_by_key(|key| std::cmp::Reverse(key.text.chars().count()));
        Self { keys }
    }

    /// The key with which a line begins.
    pub(super) fn at_line_start(&self, text: &str, line: Range<usize>) -> Option<Found> {
        self.longest(&text[..line.end], line.start, |key, after| {
            match after.separator {
                Separator::Strong => true,
                Separator::Weak => !(key.kind == Kind::Number && after.is_decimal),
                Separator::Blank => key.kind == Kind::Q,
            }
        })
    }

    /// Where a line is cut: at `;`, `,` or a blank before a key that `:` or `=` follows. A number that is no
    /// question's is cut off after `;`, so that it does not become a part of the answer before it.
    pub(super) fn cuts(&self, text: &str, line: Range<usize>) -> Vec<Cut> {
        let text = &text[..line.end];
        let mut cuts = Vec::new();
        let mut urls = Urls::default();
        let mut at = urls.passed(text, line.start);
        while let Some(from) = text[at..].find(is_cut).map(|offset| at + offset) {
            let rest = text[from..].trim_start_matches(is_cut);
            let start = text.len() - rest.len();
            let is_after_semicolon = text[from..start].contains([';', '؛']);
            let strong = self.longest(text, start, |_, after| after.separator == Separator::Strong);
            match strong {
                Some(Found {
                    question: Some(question),
                    value,
                    ..
                }) => {
                    cuts.push(Cut {
                        end: from,
                        question: Some(question),
                        value,
                    });
                }
                Some(_) if is_after_semicolon => cuts.push(Cut {
                    end: from,
                    question: None,
                    value: start,
                }),
                None if is_after_semicolon && is_number_key(rest) => {
                    cuts.push(Cut {
                        end: from,
                        question: None,
                        value: start,
                    });
                }
                _ => {}
            }
            at = urls.passed(text, start);
        }
        cuts
    }

    /// The longest key at `at` whose separator `fits`.
    fn longest(&self, text: &str, at: usize, fits: impl Fn(&Key, &After) -> bool) -> Option<Found> {
        let zeros = text[at..].len() - text[at..].trim_start_matches('0').len();
        self.keys.iter().find_map(|key| {
            let at = if key.kind == Kind::Number { at + zeros } else { at };
            let end = end_of(text, at, &key.text)?;
            let after = After::of(&text[end..], key.kind)?;
            fits(key, &after).then(|| Found {
                question: key.question,
                value: end + after.length,
                is_list_number: key.kind == Kind::Number && after.separator == Separator::Weak,
                may_be_a_compound: key.kind == Kind::Name && after.is_compound,
            })
        })
    }
}

fn is_cut(c: char) -> bool {
    is_blank(c) || is_sure_separator(c)
}

/// Where `key`, which has no blanks, ends in `text` if it stands at `at`; blanks within do not count.
fn end_of(text: &str, at: usize, key: &str) -> Option<usize> {
    let mut wanted = key.chars().peekable();
    for (offset, c) in text[at..].char_indices() {
        match wanted.peek() {
            None => return Some(at + offset),
            Some(&next) if next == c => _ = wanted.next(),
            Some(_) if is_blank(c) && offset > 0 => {}
            Some(_) => return None,
        }
    }
    wanted.peek().is_none().then_some(text.len())
}

/// What separates a key from its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Separator {
    /// `:` or `=`
    Strong,
    /// `-`, `.` or `)`
    Weak,
    /// Nothing but a blank.
    Blank,
}

struct After {
    separator: Separator,
    /// Its length with the blanks before it. Unit: bytes.
    length: usize,
    is_decimal: bool,
    is_compound: bool,
}

impl After {
    /// Reads the separator at the start of `rest`, which follows a key.
    fn of(rest: &str, kind: Kind) -> Option<Self> {
        let text = rest.trim_start_matches(is_blank);
        let blanks = rest.len() - text.len();
        let mut chars = text.chars();
        let c = chars.next();
        let next = chars.next();
        let (separator, own) = match c {
            Some(':')
                if text.starts_with("://") || (kind == Kind::Number && blanks == 0 && is_time(text)) =>
            {
                return None;
            }
            Some(':') => (Separator::Strong, 1),
            Some('=') => (Separator::Strong, 1 + usize::from(next == Some('>'))),
            Some(c @ ('-' | '–' | '—')) => {
                (Separator::Weak, c.len_utf8() + usize::from(next == Some('>')))
            }
            Some('.' | ')') => (Separator::Weak, 1),
            Some(_) if blanks > 0 => (Separator::Blank, 0),
            _ => return None,
        };
        let is_glued = blanks == 0 && next.is_some_and(char::is_alphanumeric);
        Some(Self {
            separator,
            length: blanks + own,
            is_decimal: c == Some('.') && is_glued && next.is_some_and(|c| c.is_ascii_digit()),
            is_compound: separator == Separator::Weak && is_glued,
        })
    }
}

/// `:dd` and no further digit, after the hours.
fn is_time(after_hours: &str) -> bool {
    let rest = after_hours[1..].trim_start_matches(|c: char| c.is_ascii_digit());
    after_hours.len() - rest.len() == 3
}

/// A number followed by `:` or `=` that is no time.
fn is_number_key(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < text.len()
        && After::of(rest, Kind::Number).is_some_and(|after| after.separator == Separator::Strong)
}

/// URLs in a line: nothing in one is a key. Remembers the word it looked at last, because a word may be cut at many
/// places, and looking through it at each would take as long as there are characters in it.
#[derive(Default)]
struct Urls {
    /// Where the word ends.
    end: usize,
    /// Where its last `://` is.
    scheme: Option<usize>,
}

impl Urls {
    /// `at`, or the end of the URL at `at` or within the word from there on. Asked with rising `at`.
    fn passed(&mut self, text: &str, at: usize) -> usize {
        if at >= self.end {
            let word = text[at..].split(is_blank).next().unwrap_or_default();
            self.end = at + word.len();
            self.scheme = word.rfind("://").map(|offset| at + offset);
        }
        if self.scheme.is_some_and(|scheme| scheme >= at) {
            at + text[at..self.end].trim_end_matches(is_sure_separator).len()
        } else {
            at
        }
    }
}
