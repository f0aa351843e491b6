//! Slack's markup: what a text means, and what of it nobody can have meant.
//!
//! A text travels with `&amp;`, `&lt;` and `&gt;`, and angle brackets make mentions, links and dates. An app that lets
//! words of others through unescaped mentions everybody some day; so a mention in a text of the app under test, and
//! an `&`, `<` or `>` that stands there bare, is a fault. Source: "Formatting text".

mod date;
mod inline;

use jiff::{Timestamp, tz::TimeZone};

/// A stretch of text in one style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// What is read.
    pub text: String,
    /// How.
    pub style: Style,
}

/// How a stretch of text looks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "styles that hold together")]
pub struct Style {
    /// `*bold*`.
    pub bold: bool,
    /// `_italic_`.
    pub italic: bool,
    /// `~struck~`.
    pub strike: bool,
    /// `` `code` ``, or a block of it.
    pub code: bool,
    /// `> quoted`.
    pub quote: bool,
    /// Where it leads.
    pub link: Option<String>,
}

/// What a text turned out to be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Read {
    pub(crate) spans: Vec<Span>,
    /// What no careful app writes.
    pub(crate) faults: Vec<String>,
}

/// What there is to know for reading a text.
pub(crate) struct Reader<'a> {
    pub(crate) now: Timestamp,
    pub(crate) zone: &'a TimeZone,
    /// The name of an account or a conversation.
    pub(crate) name: &'a dyn Fn(&str) -> Option<String>,
}

/// One character, or something that a pair of angle brackets stood for.
#[derive(Clone, Debug)]
enum Piece {
    Char(char),
    Whole(Span),
}

impl Reader<'_> {
    /// Reads mrkdwn.
    pub(crate) fn mrkdwn(&self, text: &str) -> Read {
        let mut faults = Vec::new();
        let pieces = self.pieces(text, &mut faults);
        Read {
            spans: merged(inline::styled(&pieces)),
            faults,
        }
    }

    /// Reads a text in which only angle brackets and entities mean something: `mrkdwn: false`.
    pub(crate) fn unstyled(&self, text: &str) -> Read {
        let mut faults = Vec::new();
        let spans = self
            .pieces(text, &mut faults)
            .into_iter()
            .map(|piece| match piece {
                Piece::Char(c) => Span::plain(c),
                Piece::Whole(span) => span,
            });
        Read {
            spans: merged(spans.collect()),
            faults,
        }
    }

    fn pieces(&self, text: &str, faults: &mut Vec<String>) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut rest = text;
        let mut line_begins = true;
        while let Some(c) = rest.chars().next() {
            let may_quote = std::mem::replace(&mut line_begins, c == '\n');
            if let Some((decoded, left)) = entity(rest) {
                pieces.push(Piece::Char(decoded));
                rest = left;
                continue;
            }
            rest = &rest[c.len_utf8()..];
            if c == '<'
                && let Some((span, left)) = self.bracketed(rest, faults)
            {
                pieces.push(Piece::Whole(span));
                rest = left;
                continue;
            }
            if c == ':'
                && let Some((picture, left)) = named_picture(rest)
            {
                pieces.extend(picture.chars().map(Piece::Char));
                rest = left;
                continue;
            }
            if matches!(c, '<' | '&') || (c == '>' && !may_quote) {
                faults.push(format!("`{c}` is not escaped"));
            }
            pieces.push(Piece::Char(c));
        }
        pieces
    }

    /// What begins behind an angle bracket, and what is left after it.
    fn bracketed<'t>(&self, rest: &'t str, faults: &mut Vec<String>) -> Option<(Span, &'t str)> {
        let (inside, left) = rest.split_once('>')?;
        if inside.contains(['<', '\n']) {
            return None;
        }
        Some((self.token(inside, faults)?, left))
    }

    /// What stands between angle brackets; none where that means nothing.
    fn token(&self, inside: &str, faults: &mut Vec<String>) -> Option<Span> {
        let (what, label) = match inside.split_once('|') {
            Some((what, label)) => (what, Some(decoded(label))),
            None => (inside, None),
        };
        let named = |id: &str| (self.name)(id).unwrap_or_else(|| id.to_owned());
        let text = if let Some(id) = what.strip_prefix('@') {
            faults.push("mentions somebody".to_owned());
            format!("@{}", label.unwrap_or_else(|| named(id)))
        } else if let Some(id) = what.strip_prefix('#') {
            faults.push("mentions a channel".to_owned());
            format!("#{}", label.unwrap_or_else(|| named(id)))
        } else if let Some(date) = what.strip_prefix("!date^") {
            date::read(date, self.now, self.zone).unwrap_or_else(|| {
                faults.push("a date that cannot be read".to_owned());
                label.unwrap_or_default()
            })
        } else if let Some(many) = what.strip_prefix('!') {
            faults.push("mentions many".to_owned());
            let many = many.split('^').next().unwrap_or_default();
            format!("@{}", label.unwrap_or_else(|| many.to_owned()))
        } else {
            let (scheme, _) = what.split_once(':')?;
            if !["http", "https", "mailto", "slack", "tel"].contains(&scheme) {
                return None;
            }
            let url = decoded(what);
            return Some(Span {
                text: label.unwrap_or_else(|| url.clone()),
                style: Style {
                    link: Some(url),
                    ..Style::default()
                },
            });
        };
        Some(Span {
            text,
            style: Style::default(),
        })
    }
}

impl Span {
    fn plain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            style: Style::default(),
        }
    }

    /// The text with its style written out, the way people write it.
    pub(crate) fn marked(&self) -> String {
        let style = &self.style;
        // Marks hold words, not the blanks and line breaks around them.
        let words = self.text.trim();
        let Some((before, after)) = self.text.split_once(words).filter(|_| !words.is_empty()) else {
            return self.text.clone();
        };
        let mut text = words.to_owned();
        for (on, mark) in [
            (style.code, "`"),
            (style.strike, "~"),
            (style.italic, "_"),
            (style.bold, "*"),
        ] {
            if on {
                text = format!("{mark}{text}{mark}");
            }
        }
        if let Some(url) = style.link.as_ref().filter(|url| **url != self.text) {
            text = format!("[{text}]({url})");
        }
        format!("{before}{text}{after}")
    }
}

/// The picture of the emoji whose name begins behind a colon, and what is left after it.
pub(crate) fn named_picture(rest: &str) -> Option<(String, &str)> {
    let (name, left) = rest.split_once(':')?;
    Some((super::emoji::picture(name)?, left))
}

/// Neighbours of one style as one.
pub(crate) fn merged(spans: Vec<Span>) -> Vec<Span> {
    let mut merged: Vec<Span> = Vec::new();
    for span in spans {
        match merged.last_mut() {
            Some(last) if last.style == span.style && span.style.link.is_none() => {
                last.text.push_str(&span.text);
            }
            _ => merged.push(span),
        }
    }
    merged
}

const ENTITIES: [(&str, char); 3] = [("&amp;", '&'), ("&lt;", '<'), ("&gt;", '>')];

fn entity(text: &str) -> Option<(char, &str)> {
    let mut entities = ENTITIES.iter();
    entities.find_map(|(entity, c)| Some((*c, text.strip_prefix(entity)?)))
}

pub(crate) fn begins_with_entity(text: &str) -> bool {
    entity(text).is_some()
}

/// The text without entities.
pub(crate) fn decoded(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (c, left) = entity(rest).unwrap_or((c, &rest[c.len_utf8()..]));
        out.push(c);
        rest = left;
    }
    out
}

/// The text with entities for `&`, `<` and `>`, and those that are there left as they are.
pub(crate) fn kept(text: &str) -> String {
    escaped(&decoded(text))
}

/// The text with entities for `&`, `<` and `>`.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
