//! Several options in one reply: "1, 3", "Ops and Developers", a list with bullets.
//!
//! A reply is cut in two steps, because only some separators are sure to be meant as such. Commas, semicolons and
//! newlines cut it into groups, which may be options or own words. Within a group `/ + &`, a word for "and", and blanks
//! between bare markers separate only if everything between them is an option; otherwise the group stays whole:
//! "Ops and whoever is on call" is one value. A label may itself hold separators, so the longest label is tried
//! first at every place.
//!
//! A single choice is cut the same way, to notice two picks.

use std::{ops::Range, sync::LazyLock};

use regex::Regex;

use super::{
    clean::{Folded, tidy, word_key},
    hint::Slip,
    known,
    marker::is_blank,
    options::Options,
};

/// A group of a reply.
#[derive(Debug)]
pub(super) enum Part<'t> {
    /// Options, by position, in the order typed.
    Options(Vec<usize>),
    /// Plainly meant as an option, and none.
    Slip(Slip),
    /// Own words, as typed.
    Own(&'t str),
    /// Own words that are said to be: everything after `other:`.
    SaidOwn(&'t str),
}

/// Cuts `reply` into its groups. Linear in its length for labels of ordinary length: at each place at most one try
/// for each label.
pub(super) fn parts<'t>(reply: &Folded<'t>, options: &Options<'_>) -> Vec<Part<'t>> {
    let text = reply.text();
    let lengths = options.label_lengths(|label| Atoms::of(label, 0..label.len()).ranges.len());
    let mut parts = Vec::new();
    for line in lines(text) {
        let atoms = Atoms::of(text, line);
        let mut group = Group::default();
        let mut at = 0;
        while at < atoms.ranges.len() {
            if group.is_empty()
                && let Some(own) = own_after_other(&text[atoms.ranges[at].start..])
            {
                parts.push(Part::SaidOwn(reply.typed(text.len() - own.len()..text.len())));
                return parts;
            }
            at += group.take(reply, options, &atoms, at, &lengths);
            if atoms.is_cut_after(at - 1) {
                parts.extend(std::mem::take(&mut group).close(reply, options));
            }
        }
    }
    parts
}

/// The atoms between two sure separators.
#[derive(Default)]
struct Group {
    range: Option<Range<usize>>,
    options: Vec<usize>,
    has_own: bool,
}

impl Group {
    fn is_empty(&self) -> bool {
        self.range.is_none()
    }

    /// Takes the longest option that begins at atom `at`, else that atom alone; says how many atoms it took.
    fn take(
        &mut self,
        reply: &Folded<'_>,
        options: &Options<'_>,
        atoms: &Atoms,
        at: usize,
        lengths: &[usize],
    ) -> usize {
        let (length, found) = lengths
            .iter()
            .filter(|&&length| at + length <= atoms.ranges.len())
            .find_map(|&length| {
                let range = atoms.ranges[at].start..atoms.ranges[at + length - 1].end;
                let found = options_in(reply, options, range, length == 1)?;
                Some((length, found))
            })
            .unwrap_or_default();
        let length = length.max(1);
        let (start, end) = (atoms.ranges[at].start, atoms.ranges[at + length - 1].end);
        self.has_own |= found.is_empty() && !reply.text()[start..end].trim().is_empty();
        self.options.extend(found);
        self.range = Some(self.range.as_ref().map_or(start, |range| range.start)..end);
        length
    }

    fn close<'t>(self, reply: &Folded<'t>, options: &Options<'_>) -> Option<Part<'t>> {
        let range = self.range?;
        let text = &reply.text()[range.clone()];
        if tidy(text).is_empty() {
            return None;
        }
        if !self.has_own {
            return Some(Part::Options(self.options));
        }
        let typed = reply.typed(range);
        let slip = if known::is_skip(&word_key(text)) {
            Some(Slip::SkipPart)
        } else {
            options.slip(typed, text)
        };
        Some(slip.map_or(Part::Own(typed), Part::Slip))
    }
}

/// What the atoms in `range` choose, if they say exactly that. Lists and ranges only in a `single` atom.
fn options_in(
    reply: &Folded<'_>,
    options: &Options<'_>,
    range: Range<usize>,
    single: bool,
) -> Option<Vec<usize>> {
    let text = &reply.text()[range.clone()];
    if text.trim().is_empty() {
        return None;
    }
    let typed = reply.typed(range);
    if let Some(position) = options.option(typed, text) {
        return Some(vec![position]);
    }
    if !single {
        return None;
    }
    options
        .range(typed, text)
        .and_then(Result::ok)
        .or_else(|| options.bare_markers(text))
}

/// A line between its separators.
struct Atoms {
    /// At least one; may be blank.
    ranges: Vec<Range<usize>>,
    /// Whether the separator after each but the last is sure.
    sure: Vec<bool>,
}

impl Atoms {
    fn of(text: &str, line: Range<usize>) -> Self {
        // Letters are matched as whole words, so that "and" is found and "candy" is not.
        static SEPARATOR: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(r"[,;،؛、/+&]|[\p{L}\p{M}]+").expect("a valid pattern"));

        let mut atoms = Self {
            ranges: Vec::new(),
            sure: Vec::new(),
        };
        let mut start = line.start;
        for found in SEPARATOR.find_iter(&text[line.clone()]) {
            let sure = found.as_str().starts_with(is_sure_separator);
            if sure || matches!(found.as_str(), "/" | "+" | "&") || known::is_and(found.as_str()) {
                atoms.ranges.push(start..line.start + found.start());
                atoms.sure.push(sure);
                start = line.start + found.end();
            }
        }
        atoms.ranges.push(start..line.end);
        atoms
    }

    fn is_cut_after(&self, atom: usize) -> bool {
        self.sure.get(atom).copied().unwrap_or(true)
    }
}

/// Comma, semicolon and their Arabic and CJK forms (the full-width ones fold to ASCII).
pub(super) fn is_sure_separator(c: char) -> bool {
    is_comma(c) || is_semicolon(c)
}

pub(super) fn is_comma(c: char) -> bool {
    matches!(c, ',' | '،' | '、')
}

pub(super) fn is_semicolon(c: char) -> bool {
    matches!(c, ';' | '؛')
}

/// The lines of a folded text that are not blank, without the bullets at their beginnings.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut next = 0;
    text.split('\n').filter_map(move |line| {
        let start = next;
        next += line.len() + 1;
        let content = without_bullet(line.trim_start());
        let skipped = line.len() - content.len();
        (!content.trim().is_empty()).then(|| start + skipped..start + skipped + content.trim_end().len())
    })
}

fn without_bullet(line: &str) -> &str {
    match line.strip_prefix(['-', '*', '•', '–']) {
        Some(rest) if rest.starts_with(is_blank) => rest.trim_start(),
        _ => line,
    }
}

/// What follows `other:` at the start of a folded text.
pub(super) fn own_after_other(text: &str) -> Option<&str> {
    // Far enough for any word of the vocabulary; a colon further on belongs to something else.
    const REACH: usize = 64;
    let (at, _) = text.char_indices().take(REACH).find(|&(_, c)| c == ':')?;
    known::is_other(&word_key(&text[..at])).then(|| &text[at + 1..])
}
