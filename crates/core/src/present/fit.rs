//! Measuring, cutting and splitting, so that everything fits.
//!
//! All of it counts in the unit of the platform. Texts break at a line, else at a blank, else between grapheme
//! clusters, and inside a cluster only if it alone is longer than a whole message.

use unicode_segmentation::UnicodeSegmentation as _;

use super::{
    Capabilities, Controls, Limit, Markup, Message, Presentation, Reader, Style,
    isolate::lines,
    text::{Row, Run},
};
use crate::words::Language;

impl Limit {
    /// `text` cut to fit, with an ellipsis where something was lost: at a blank if one is near, else between grapheme
    /// clusters. Empty where not even the ellipsis fits.
    #[must_use]
    pub fn cut(self, text: &str) -> String {
        const ELLIPSIS: &str = "…";
        if self.fits(text) {
            return text.to_owned();
        }
        let Some(room) = self.max.checked_sub(self.measure(ELLIPSIS)) else {
            return String::new();
        };
        let end = clusters(text, Limit { max: room, ..self });
        format!("{}{ELLIPSIS}", text[..near_blank(text, end)].trim_end())
    }
}

/// A text of ours that is neither a prompt nor an outcome, such as a hint: silent, without controls, in as many
/// messages as it needs. Its lines may hold isolated foreign text.
#[must_use]
pub fn note(text: &str, to: &Capabilities, reader: &Reader) -> Presentation {
    let page = Page::of(to, reader.language);
    let rows = lines(text)
        .map(|line| Row(vec![Run::ours(line, Style::Plain)]))
        .collect();
    let pages = page.pack(&[Block { rows, gap: false }]);
    let messages = pages
        .iter()
        .map(|rows| page.message(rows, Controls::None))
        .collect();
    Presentation {
        messages,
        rings: false,
    }
}

/// The largest number in `0..=most` that `fits`; `None` if not even zero does. `fits` holds up to some number and
/// not beyond.
pub(super) fn largest(most: usize, fits: impl Fn(usize) -> bool) -> Option<usize> {
    if fits(most) {
        return Some(most);
    }
    if !fits(0) {
        return None;
    }
    let (mut good, mut bad) = (0, most);
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        if fits(middle) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    Some(good)
}

/// Where the longest part of `text` ends that fits and does not break a grapheme cluster; in bytes, perhaps zero.
fn clusters(text: &str, limit: Limit) -> usize {
    let mut left = limit.max;
    for (at, cluster) in text.grapheme_indices(true) {
        match left.checked_sub(limit.measure(cluster)) {
            Some(rest) => left = rest,
            None => return at,
        }
    }
    text.len()
}

/// Where to break `text` so that what is before it fits; in bytes, never zero unless `text` is empty: a cluster
/// longer than `limit` is broken, and a character longer than `limit` is taken whole.
fn break_at(text: &str, limit: Limit) -> usize {
    match clusters(text, limit) {
        0 => {
            let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
            let fitting = ends.clone().take_while(|&end| limit.fits(&text[..end])).last();
            fitting.or_else(|| ends.clone().next()).unwrap_or(0)
        }
        end => near_blank(text, end),
    }
}

/// The last blank before `end`, unless it is far from it: then the word is not one that can be kept whole.
fn near_blank(text: &str, end: usize) -> usize {
    if text[end..].starts_with(char::is_whitespace) || end == text.len() {
        return end;
    }
    text[..end]
        .rfind(char::is_whitespace)
        .filter(|at| at * 2 >= end)
        .unwrap_or(end)
}

/// Rows that stay together where they can.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    pub(super) rows: Vec<Row>,
    /// Whether a blank line sets it apart from what is above it in the same message.
    pub(super) gap: bool,
}

/// The room of one message, and how it is counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Page {
    pub(super) limit: Limit,
    markup: Markup,
    language: Language,
}

/// Between two lines, in every unit.
const NEWLINE: usize = 1;

impl Page {
    pub(super) fn of(to: &Capabilities, language: Language) -> Self {
        Self {
            limit: to.text,
            markup: to.markup,
            language,
        }
    }

    /// With `units` less room; at least one is left.
    pub(super) fn less(self, units: usize) -> Self {
        let max = self.limit.max.saturating_sub(units).max(1);
        Self {
            limit: Limit { max, ..self.limit },
            ..self
        }
    }

    pub(super) fn message(&self, rows: &[Row], controls: Controls) -> Message {
        Message {
            lines: rows.iter().map(|row| row.shown(self.language)).collect(),
            controls,
        }
    }

    /// Length of `rows` joined by newlines.
    pub(super) fn measure(&self, rows: &[Row]) -> usize {
        rows.iter().map(|row| self.row(row)).sum::<usize>() + rows.len().saturating_sub(1) * NEWLINE
    }

    pub(super) fn fits(&self, rows: &[Row]) -> bool {
        self.measure(rows) <= self.limit.max
    }

    fn row(&self, row: &Row) -> usize {
        row.length(self.limit, self.markup, self.language)
    }

    /// Breaks `row` so that the first part fits `room`. That part may be blank, unless it `must` not be.
    fn break_row(&self, row: Row, room: usize, must: bool) -> (Row, Row) {
        let mut head = Row::blank();
        let mut runs = row.0.into_iter();
        while let Some(run) = runs.next() {
            let longer = head.clone().with(run.clone());
            if self.row(&longer) <= room {
                head = longer;
                continue;
            }
            let must = must && head.is_blank();
            let [before, after] = self.break_run(&head, run, room, must);
            let head = Row(head.0.into_iter().chain(before).collect());
            let tail = Row(after.into_iter().chain(runs).collect());
            return (head.balanced(), tail.balanced());
        }
        (head, Row::blank())
    }

    /// What of `run` still fits behind `head`, and the rest. What is read as one thing (an instant, a link, something
    /// to type) stays whole, unless it `must` be broken; then it loses its style.
    fn break_run(&self, head: &Row, run: Run, room: usize, must: bool) -> [Option<Run>; 2] {
        let is_one_thing = matches!(run.style, Style::Code | Style::Instant(_) | Style::Link);
        if is_one_thing && !must {
            return [None, Some(run)];
        }
        let style = if is_one_thing { Style::Plain } else { run.style };
        let part = |text: &str| Run {
            text: text.to_owned(),
            style,
            ..run
        };
        let some = |text: &str| (!text.trim().is_empty()).then(|| part(text));
        let probe = self.row(&head.clone().with(part("x"))) - self.limit.measure("x");
        let left = Limit {
            max: room.saturating_sub(probe),
            ..self.limit
        };
        let (before, after) = run.text.split_at(break_at(&run.text, left));
        if left.fits(before) || must {
            [some(before.trim_end()), some(after.trim_start())]
        } else {
            [None, some(&run.text)]
        }
    }

    /// Puts `blocks` on as many pages as they need, in order; no page is blank, and no blank line begins or ends one.
    ///
    /// A block that fits a page of its own moves there whole, unless that would leave most of this page empty.
    pub(super) fn pack(&self, blocks: &[Block]) -> Vec<Vec<Row>> {
        let mut pack = Packing {
            page: self,
            done: Vec::new(),
            rows: Vec::new(),
            used: 0,
        };
        for block in blocks.iter().filter(|block| !block.rows.is_empty()) {
            pack.block(block);
        }
        pack.turn();
        pack.done
    }
}

/// Pages being filled.
struct Packing<'a> {
    page: &'a Page,
    done: Vec<Vec<Row>>,
    rows: Vec<Row>,
    used: usize,
}

impl Packing<'_> {
    fn block(&mut self, block: &Block) {
        let need = self.page.measure(&block.rows);
        let gap = if block.gap { NEWLINE } else { 0 };
        if need + gap > self.room() && need <= self.page.limit.max && self.is_half_full() {
            self.turn();
        }
        if block.gap {
            self.push(Row::blank());
        }
        for row in &block.rows {
            self.row(row.clone());
        }
    }

    fn row(&mut self, mut row: Row) {
        loop {
            let need = self.page.row(&row);
            if need <= self.room() {
                self.push(row);
                return;
            }
            if self.is_half_full() {
                self.turn();
                continue;
            }
            let (head, tail) = self.page.break_row(row, self.room(), self.rows.is_empty());
            if !head.is_blank() {
                self.push(head);
            }
            self.turn();
            row = tail;
        }
    }

    /// What one more row may measure.
    fn room(&self) -> usize {
        let newline = if self.rows.is_empty() { 0 } else { NEWLINE };
        self.page.limit.max.saturating_sub(self.used + newline)
    }

    fn is_half_full(&self) -> bool {
        self.used * 2 >= self.page.limit.max
    }

    fn push(&mut self, row: Row) {
        if self.rows.is_empty() && row.is_blank() {
            return;
        }
        self.used += self.page.row(&row) + if self.rows.is_empty() { 0 } else { NEWLINE };
        self.rows.push(row);
    }

    fn turn(&mut self) {
        while self.rows.pop_if(|row| row.is_blank()).is_some() {}
        if !self.rows.is_empty() {
            self.done.push(std::mem::take(&mut self.rows));
        }
        self.used = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::Unit;

    fn page(max: usize) -> Page {
        let text = Limit {
            max,
            unit: Unit::Scalars,
        };
        Page::of(
            &Capabilities {
                text,
                ..Capabilities::plain_text()
            },
            Language::English,
        )
    }

    fn block(text: &str) -> Block {
        Block {
            rows: lines(text)
                .map(|line| Row(vec![Run::ours(line, Style::Plain)]))
                .collect(),
            gap: false,
        }
    }

    fn packed(page: Page, blocks: &[Block]) -> Vec<String> {
        page.pack(blocks)
            .iter()
            .map(|rows| page.message(rows, Controls::None).text())
            .collect()
    }

    #[test]
    fn a_text_breaks_at_a_line_else_at_a_blank_else_between_clusters() {
        let family = "\u{1f469}\u{200d}\u{1f467}";
        for (max, text, expected) in [
            (9, "one\ntwo", vec!["one\ntwo"]),
            (7, "one\ntwo\nthree", vec!["one\ntwo", "three"]),
            (9, "one two three", vec!["one two", "three"]),
            (9, "one\n\n\n\n\n\n\nsix", vec!["one", "six"]),
            (4, "abcdefgh", vec!["abcd", "efgh"]),
            (4, &format!("{family}{family}"), vec![family, family]),
            (2, family, vec!["\u{1f469}\u{200d}", "\u{1f467}"]),
        ] {
            assert_eq!(packed(page(max), &[block(text)]), expected, "{text:?} in {max}");
        }
    }

    #[test]
    fn a_block_stays_together_unless_that_leaves_a_page_mostly_empty() {
        let question = block("aaaa\nbbbb");

        assert_eq!(
            packed(page(12), &[block("123456"), question.clone()]),
            ["123456", "aaaa\nbbbb"]
        );
        assert_eq!(packed(page(12), &[block("123"), question]), ["123\naaaa", "bbbb"]);
    }

    #[test]
    fn what_is_read_as_one_thing_is_broken_only_if_no_page_holds_it() {
        let row = Row(vec![
            Run::ours("see ", Style::Plain),
            Run::ours("abcdefghij", Style::Link),
        ]);
        let blocks = [Block {
            rows: vec![row],
            gap: false,
        }];

        assert_eq!(packed(page(12), &blocks), ["see ", "abcdefghij"]);
        assert_eq!(packed(page(6), &blocks), ["see ", "abcdef", "ghij"]);
    }

    #[test]
    fn a_cut_shows_that_something_is_missing_and_fits() {
        for (max, unit, expected) in [
            (99, Unit::Bytes, "two words"),
            (9, Unit::Scalars, "two words"),
            (8, Unit::Scalars, "two wor…"),
            (5, Unit::Scalars, "two…"),
            (4, Unit::Bytes, "t…"),
            (3, Unit::Bytes, "…"),
            (2, Unit::Bytes, ""),
        ] {
            assert_eq!(Limit { max, unit }.cut("two words"), expected, "{max} {unit:?}");
        }
    }
}
