//! Text of agents and people, kept where it belongs on the line.
//!
//! A label may be Arabic inside an English sentence, or hold bidi controls that turn around everything after it.
//! [`isolate`] wraps such a text so that it orders only itself, and [`neutral`] first takes out what could reach past
//! the wrapping. The catalogues wrap what they are given (`words::say`), so a text goes to them [`neutral`], never
//! isolated.
//!
//! Overrides are taken out even where they are balanced: the one use of `U+202E` in a label is to show something
//! else than what is answered.

use std::borrow::Cow;

/// First strong isolate: what follows takes the direction of its own first letter.
pub(super) const OPENS: char = '\u{2068}';
/// Pop directional isolate.
pub(super) const CLOSES: char = '\u{2069}';

/// `text`, of one line, with every bidi control removed that has no counterpart in it, every override, and every
/// character that ends a line or controls a terminal (as a blank). Never longer than `text`, in any unit.
#[must_use]
pub fn neutral(text: &str) -> String {
    neutralised(text).into_owned()
}

pub(super) fn neutralised(text: &str) -> Cow<'_, str> {
    if text
        .chars()
        .all(|c| Bidi::of(c).is_none() && !c.is_control() && !breaks_line(c))
    {
        return Cow::Borrowed(text);
    }
    let chars: Vec<char> = text.chars().collect();
    let mut keep: Vec<bool> = chars.iter().map(|&c| Bidi::of(c).is_none()).collect();
    let mut open: Vec<(usize, Bidi)> = Vec::new();
    for (at, kind) in chars
        .iter()
        .enumerate()
        .filter_map(|(at, &c)| Some((at, Bidi::of(c)?)))
    {
        match kind {
            Bidi::Isolate | Bidi::Embedding | Bidi::Override => open.push((at, kind)),
            Bidi::EndOfIsolate => {
                // Embeddings opened inside the isolate end with it, unclosed, and stay removed.
                if let Some(opener) = open.iter().rposition(|&(_, kind)| kind == Bidi::Isolate) {
                    keep[open[opener].0] = true;
                    keep[at] = true;
                    open.truncate(opener);
                }
            }
            Bidi::EndOfEmbedding => {
                if let Some((opener, kind)) = open.pop_if(|(_, kind)| *kind != Bidi::Isolate) {
                    keep[opener] = kind == Bidi::Embedding;
                    keep[at] = kind == Bidi::Embedding;
                }
            }
        }
    }
    let printable = |c: char| if c.is_control() || breaks_line(c) { ' ' } else { c };
    chars
        .into_iter()
        .zip(keep)
        .filter(|&(_, keep)| keep)
        .map(|(c, _)| printable(c))
        .collect()
}

/// `text`, of one line, made [`neutral`] and wrapped so that its direction is its own.
#[must_use]
pub fn isolate(text: &str) -> String {
    format!("{OPENS}{}{CLOSES}", neutral(text))
}

/// The lines of `text`, whatever ends them: an agent's newline, or what a person's keyboard sends.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split("\r\n").flat_map(|part| part.split(breaks_line))
}

/// `text` on one line.
#[must_use]
pub fn one_line(text: &str) -> String {
    let parts: Vec<&str> = lines(text)
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    parts.join(" ")
}

/// Characters after which the bidi algorithm starts anew, and the line separator.
fn breaks_line(c: char) -> bool {
    matches!(
        c,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

/// The explicit formatting characters of UAX 9 that open or close something. The marks (LRM, RLM, ALM) do neither.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bidi {
    Isolate,
    Embedding,
    Override,
    EndOfIsolate,
    EndOfEmbedding,
}

impl Bidi {
    fn of(c: char) -> Option<Self> {
        match c {
            '\u{2066}'..='\u{2068}' => Some(Self::Isolate),
            '\u{202a}' | '\u{202b}' => Some(Self::Embedding),
            '\u{202d}' | '\u{202e}' => Some(Self::Override),
            '\u{2069}' => Some(Self::EndOfIsolate),
            '\u{202c}' => Some(Self::EndOfEmbedding),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_cannot_end_its_isolate_or_reach_past_it() {
        let cases = [
            ("plain", "plain"),
            ("a\u{2069}b", "ab"),
            ("a\u{2067}b", "ab"),
            ("a\u{202b}b", "ab"),
            ("\u{2067}a\u{2069}\u{2069}b", "\u{2067}a\u{2069}b"),
            ("\u{2066}\u{2067}a\u{2069}", "\u{2067}a\u{2069}"),
            ("\u{202b}a\u{202c}", "\u{202b}a\u{202c}"),
            ("\u{2068}\u{202b}a\u{2069}\u{202c}", "\u{2068}a\u{2069}"),
            ("\u{202e}noitcudorP\u{202c}", "noitcudorP"),
            ("a\u{2029}b\u{7}c", "a b c"),
            ("\u{200f}\u{200e}", "\u{200f}\u{200e}"),
        ];
        for (text, expected) in cases {
            assert_eq!(neutral(text), expected, "{text:?}");
            assert_eq!(isolate(text), format!("\u{2068}{expected}\u{2069}"), "{text:?}");
        }
    }

    #[test]
    fn every_kind_of_line_end_ends_a_line() {
        let found: Vec<&str> = lines("a\r\nb\nc\u{2028}d\u{85}\u{2029}e\r").collect();
        assert_eq!(found, ["a", "b", "c", "d", "", "e", ""]);
        assert_eq!(one_line(" a \n\n b "), "a b");
    }
}
