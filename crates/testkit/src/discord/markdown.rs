//! What people read of a content: Discord's Markdown, as its clients show it.
//!
//! A bot cannot switch the markup off, so everything that somebody else wrote has to be escaped, or it is read
//! differently from how it was meant. The rules are those of the clients' parser, which grew out of simple-markdown;
//! left out are tables of emoji and what only embeds show.

mod blocks;
mod instants;
mod spans;

use jiff::{Timestamp, tz::TimeZone};

use super::state::State;

/// A text as it is read, in pieces of one style each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Words {
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Piece {
    text: String,
    /// From the outside in.
    styles: Vec<Style>,
}

/// How a piece is styled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Bold,
    Italic,
    Underline,
    Strike,
    Spoiler,
    Code,
    Block,
    /// A text that hides where it leads.
    Masked(String),
    Heading,
    Small,
    Quote,
}

/// Who reads, and when.
pub(crate) struct Reader<'s> {
    pub(crate) state: &'s State,
    pub(crate) now: Timestamp,
    pub(crate) zone: TimeZone,
}

impl Reader<'_> {
    /// The content as it is read.
    pub(crate) fn read(&self, content: &str) -> Words {
        let mut words = Words::default();
        blocks::read(self, content, &mut words);
        words
    }
}

impl Words {
    fn push(&mut self, text: &str, styles: &[Style]) {
        if text.is_empty() {
            return;
        }
        match self.pieces.last_mut() {
            Some(last) if last.styles == styles => last.text.push_str(text),
            _ => self.pieces.push(Piece {
                text: text.to_owned(),
                styles: styles.to_vec(),
            }),
        }
    }

    /// What is read, without its styles.
    pub(crate) fn text(&self) -> String {
        self.pieces.iter().map(|piece| piece.text.as_str()).collect()
    }

    /// The text with its styles written out, the way people write them.
    pub(crate) fn written(&self) -> String {
        let mut text = String::new();
        let mut open: Vec<&Style> = Vec::new();
        for piece in &self.pieces {
            let same = open
                .iter()
                .zip(&piece.styles)
                .take_while(|(a, b)| **a == *b)
                .count();
            for style in open.drain(same..).rev() {
                text.push_str(&style.marks().1);
            }
            for style in &piece.styles[same..] {
                text.push_str(&style.marks().0);
                open.push(style);
            }
            text.push_str(&piece.text);
        }
        for style in open.into_iter().rev() {
            text.push_str(&style.marks().1);
        }
        text
    }
}

impl Style {
    fn marks(&self) -> (String, String) {
        let both = |mark: &str| (mark.to_owned(), mark.to_owned());
        let before = |mark: &str| (mark.to_owned(), String::new());
        match self {
            Self::Bold => both("*"),
            Self::Italic => both("_"),
            Self::Underline => both("__"),
            Self::Strike => both("~"),
            Self::Spoiler => both("||"),
            Self::Code => both("`"),
            Self::Block => both("```"),
            Self::Masked(url) => ("[".to_owned(), format!("]({url})")),
            Self::Heading => before("# "),
            Self::Small => before("-# "),
            Self::Quote => before("> "),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{clock::START, discord::Setup};

    fn read(content: &str) -> Words {
        let state = State::new(&Setup::default(), START);
        let reader = Reader {
            state: &state,
            now: START,
            zone: TimeZone::UTC,
        };
        reader.read(content)
    }

    #[test]
    fn what_is_escaped_is_read_as_it_stands() {
        let hostile = "<!everyone> @everyone <b>x</b> &lt; & *a* _b_ `c` [d](https://example.org) ||e|| <@1> ~~f~~ \\ \
                       # g - h > i 1. j **k** __l__";
        let escaped: String = hostile
            .chars()
            .flat_map(|c| c.is_ascii_punctuation().then_some('\\').into_iter().chain([c]))
            .collect();

        let words = read(&escaped);

        assert_eq!(words.text(), hostile);
        assert_eq!(words.written(), hostile, "and nothing of it is styled");
    }

    #[test]
    fn markup_is_taken_for_markup() {
        for (content, written) in [
            (
                "**a** *b* _c_ __d__ ~~e~~ ||f|| `g*g*`",
                "*a* _b_ _c_ __d__ ~e~ ||f|| `g*g*`",
            ),
            ("***a***", "*_a_*"),
            ("**a *b* c**", "*a _b_ c*"),
            ("snake_case_name and 2*3*4", "snake_case_name and 2_3_4"),
            ("a * b * c", "a * b * c"),
            ("[here](https://example.org)", "[here](https://example.org)"),
            ("[a](b)", "[a](b)"),
            ("<https://example.org>", "https://example.org"),
            ("# Title\nbody", "# Title\nbody"),
            ("-# small\n> quoted\nplain", "-# small\n> quoted\nplain"),
            ("- one\n* two\n1. three\n-four", "• one\n• two\n1. three\n-four"),
            ("```rust\nlet x = *y*;\n```", "```let x = *y*;```"),
            ("\\*a\\*", "*a*"),
            ("\\a \\", "\\a \\"),
            ("¯\\_(ツ)_/¯", "¯\\_(ツ)_/¯"),
        ] {
            assert_eq!(read(content).written(), written, "{content}");
        }
    }

    #[test]
    fn an_instant_is_told_in_the_readers_zone_and_as_a_countdown() {
        let due = START.as_second() + 900;
        for (style, text) in [
            ("", "1 December 2026 09:45"),
            (":t", "09:45"),
            (":T", "09:45:00"),
            (":d", "01/12/2026"),
            (":D", "1 December 2026"),
            (":F", "Tuesday, 1 December 2026 09:45"),
            (":R", "in 15 minutes"),
        ] {
            assert_eq!(read(&format!("<t:{due}{style}>")).text(), text);
        }
        assert_eq!(
            read(&format!("<t:{}:R>", START.as_second() - 7200)).text(),
            "2 hours ago"
        );
        assert_eq!(read("<t:x:R>").text(), "<t:x:R>");
    }

    #[test]
    fn mentions_are_read_as_names() {
        let mut state = State::new(&Setup::default(), START);
        let sara = state.open_account("Sara", false);
        let reader = Reader {
            state: &state,
            now: START,
            zone: TimeZone::UTC,
        };

        assert_eq!(
            reader.read(&format!("<@{sara}> and <@!{sara}>")).text(),
            "@Sara and @Sara"
        );
        assert_eq!(
            reader.read("<@1> </skip:5> <:wave:6>").text(),
            "@unknown-user /skip :wave:"
        );
    }
}
