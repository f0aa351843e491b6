//! Lines that begin with a mark: headings, small print, quotes and lists; and blocks of code.

use super::{Reader, Style, Words, spans};

/// Reads a whole content.
pub(super) fn read(reader: &Reader<'_>, content: &str, words: &mut Words) {
    let mut rest = content;
    let mut begins_line = true;
    while !rest.is_empty() {
        if let Some((code, after)) = fenced(rest) {
            words.push(code, &[Style::Block]);
            rest = after;
            begins_line = true;
            continue;
        }
        if begins_line && let Some(quoted) = rest.strip_prefix(">>> ") {
            spans::read(reader, quoted, &[Style::Quote], words);
            return;
        }
        // Up to the end of the line, or to a block of code within it.
        let end = rest.find('\n').map_or(rest.len(), |end| end + 1);
        let end = fence_within(&rest[..end], rest).unwrap_or(end);
        let (line, after) = rest.split_at(end);
        if begins_line {
            // What is styled across lines begins in one of them.
            let (taken, after) = paragraph(line, after, rest);
            begin(reader, taken, words);
            rest = after;
        } else {
            spans::read(reader, line, &[], words);
            rest = after;
        }
        begins_line = true;
    }
}

/// Lines without a mark of their own belong together, so that a style can reach across them.
fn paragraph<'a>(line: &'a str, after: &'a str, whole: &'a str) -> (&'a str, &'a str) {
    if mark(line).is_some() {
        return (line, after);
    }
    let mut end = line.len();
    while end < whole.len() {
        let next = &whole[end..];
        let length = next.find('\n').map_or(next.len(), |end| end + 1);
        let is_plain = mark(&next[..length]).is_none() && !next.starts_with(">>> ");
        if !is_plain || next[..length].contains("```") || !whole[..end].ends_with('\n') {
            break;
        }
        end += length;
    }
    whole.split_at(end)
}

/// What a line begins with.
enum Mark<'a> {
    Styled(Style, &'a str),
    Item(&'a str, &'a str),
}

fn mark(line: &str) -> Option<Mark<'_>> {
    let has_text = |rest: &&str| !rest.trim().is_empty();
    for (prefix, style) in [
        ("# ", Style::Heading),
        ("## ", Style::Heading),
        ("### ", Style::Heading),
        ("-# ", Style::Small),
        ("> ", Style::Quote),
    ] {
        if let Some(rest) = line.strip_prefix(prefix).filter(has_text) {
            return Some(Mark::Styled(style, rest));
        }
    }
    let text = line.trim_start_matches(' ');
    let indent = &line[..line.len() - text.len()];
    let item = text.strip_prefix("- ").or_else(|| text.strip_prefix("* "));
    item.filter(has_text).map(|rest| Mark::Item(indent, rest))
}

fn begin(reader: &Reader<'_>, line: &str, words: &mut Words) {
    match mark(line) {
        Some(Mark::Styled(style, rest)) => {
            let (text, end) = match rest.strip_suffix('\n') {
                Some(text) => (text, "\n"),
                None => (rest, ""),
            };
            spans::read(reader, text, &[style], words);
            words.push(end, &[]);
        }
        Some(Mark::Item(indent, rest)) => {
            words.push(indent, &[]);
            words.push("• ", &[]);
            spans::read(reader, rest, &[], words);
        }
        None => spans::read(reader, line, &[], words),
    }
}

/// A block of code at the beginning, and what follows it.
fn fenced(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix("```")?;
    let end = inner.find("```")?;
    let (mut code, after) = (&inner[..end], &inner[end + 3..]);
    if let Some((language, rest)) = code.split_once('\n')
        && !language.is_empty()
        && language
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_+-.#".contains(c))
        && !rest.trim().is_empty()
    {
        code = rest;
    }
    let code = code.trim_matches('\n');
    (!code.is_empty()).then_some((code, after))
}

/// Where a block of code begins within a line.
fn fence_within(line: &str, text: &str) -> Option<usize> {
    let at = line.find("```").filter(|at| *at > 0)?;
    let escaped = text[..at].ends_with('\\');
    (!escaped && fenced(&text[at..]).is_some()).then_some(at)
}
