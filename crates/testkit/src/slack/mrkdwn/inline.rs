//! Styles within a text: `*bold*`, `_italic_`, `~struck~`, `` `code` ``, blocks of code, quoted lines.
//!
//! A mark opens after nothing, white space or punctuation, and before what is neither white space nor the same mark; it
//! closes the other way round, in the same line. Slack documents the marks alone; the rest is what its clients do.

use super::{Piece, Span, Style};

/// The pieces as spans.
pub(super) fn styled(pieces: &[Piece]) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut rest = pieces;
    while let Some(fence) = find(rest, &['`', '`', '`']) {
        let Some(length) = find(&rest[fence + 3..], &['`', '`', '`']).filter(|length| *length > 0) else {
            break;
        };
        lines(&rest[..fence], &mut spans);
        let code = &rest[fence + 3..fence + 3 + length];
        push(
            code,
            &Style {
                code: true,
                ..Style::default()
            },
            &mut spans,
        );
        rest = &rest[fence + length + 6..];
    }
    lines(rest, &mut spans);
    spans
}

fn lines(pieces: &[Piece], spans: &mut Vec<Span>) {
    let lines = pieces.split_inclusive(|piece| matches!(piece, Piece::Char('\n')));
    for line in lines {
        // An escaped `>` quotes too: it is what arrives when somebody types one.
        let (line, style) = match line {
            [Piece::Char('>'), rest @ ..] => {
                let rest = match rest.first() {
                    Some(Piece::Char(' ')) => &rest[1..],
                    _ => rest,
                };
                (
                    rest,
                    Style {
                        quote: true,
                        ..Style::default()
                    },
                )
            }
            line => (line, Style::default()),
        };
        within(line, &style, spans);
    }
}

/// One line, or what stands between two marks.
fn within(line: &[Piece], style: &Style, spans: &mut Vec<Span>) {
    let mut at = 0;
    let mut plain = 0;
    while at < line.len() {
        let Some(mark) = mark(&line[at]).filter(|mark| opens(line, at, *mark)) else {
            at += 1;
            continue;
        };
        let Some(close) = (at + 2..line.len()).find(|close| closes(line, *close, mark)) else {
            at += 1;
            continue;
        };
        push(&line[plain..at], style, spans);
        let inside = &line[at + 1..close];
        let mut style = style.clone();
        match mark {
            '*' => style.bold = true,
            '_' => style.italic = true,
            '~' => style.strike = true,
            _ => style.code = true,
        }
        if style.code {
            push(inside, &style, spans);
        } else {
            within(inside, &style, spans);
        }
        at = close + 1;
        plain = at;
    }
    push(&line[plain..], style, spans);
}

fn push(pieces: &[Piece], style: &Style, spans: &mut Vec<Span>) {
    spans.extend(pieces.iter().map(|piece| match piece {
        Piece::Char(c) => Span {
            text: c.to_string(),
            style: style.clone(),
        },
        Piece::Whole(span) => Span {
            text: span.text.clone(),
            style: Style {
                link: span.style.link.clone(),
                ..style.clone()
            },
        },
    }));
}

fn mark(piece: &Piece) -> Option<char> {
    match piece {
        Piece::Char(c @ ('*' | '_' | '~' | '`')) => Some(*c),
        _ => None,
    }
}

fn opens(line: &[Piece], at: usize, mark: char) -> bool {
    let before = at.checked_sub(1).map(|at| &line[at]);
    let outside = before.is_none_or(|piece| !is_word(piece));
    let inside = line.get(at + 1).is_some_and(|piece| match piece {
        Piece::Char(c) => !c.is_whitespace() && *c != mark,
        Piece::Whole(_) => true,
    });
    outside && inside
}

fn closes(line: &[Piece], at: usize, mark: char) -> bool {
    let is_it = matches!(&line[at], Piece::Char(c) if *c == mark);
    let inside = !matches!(&line[at - 1], Piece::Char(c) if c.is_whitespace());
    is_it && inside && line.get(at + 1).is_none_or(|piece| !is_word(piece))
}

fn is_word(piece: &Piece) -> bool {
    match piece {
        Piece::Char(c) => c.is_alphanumeric(),
        Piece::Whole(_) => true,
    }
}

fn find(pieces: &[Piece], wanted: &[char]) -> Option<usize> {
    pieces.windows(wanted.len()).position(|window| {
        let same = |(piece, wanted): (&Piece, &char)| matches!(piece, Piece::Char(c) if c == wanted);
        window.iter().zip(wanted).all(same)
    })
}
