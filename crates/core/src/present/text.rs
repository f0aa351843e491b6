//! Lines in the making.
//!
//! Until a message fits, its text is [`Row`]s of [`Run`]s that remember whether they are ours or somebody else's:
//! only then is a foreign text isolated, so that cutting or breaking it can never cut an isolate open. [`sentence`]
//! fills a sentence of the catalogues with runs, each keeping its style wherever the language puts it.

use super::{
    Limit, Line, Markup, Span, Style,
    isolate::{CLOSES, OPENS, isolate, lines, neutralised},
};
use crate::words::{Arg, Language, say};

/// Puts the base direction of a line right where nothing else on it does (everything foreign is isolated).
const RIGHT_TO_LEFT_MARK: &str = "\u{200f}";

/// A piece of one line, in one style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// Raw; holds no newline.
    pub(super) text: String,
    pub(super) style: Style,
    /// Whether an agent or a person wrote it.
    pub(super) foreign: bool,
}

impl Run {
    pub(super) fn ours(text: impl Into<String>, style: Style) -> Self {
        Self {
            text: text.into(),
            style,
            foreign: false,
        }
    }

    pub(super) fn foreign(text: impl Into<String>, style: Style) -> Self {
        Self {
            text: text.into(),
            style,
            foreign: true,
        }
    }

    /// As it is shown.
    pub(super) fn shown(&self) -> String {
        if self.foreign {
            isolate(&self.text)
        } else {
            self.text.clone()
        }
    }

    /// Length of what is shown, with its markup.
    fn length(&self, limit: Limit, markup: Markup) -> usize {
        let text = if self.foreign {
            let ends = [OPENS, CLOSES].map(|end| limit.measure(end.encode_utf8(&mut [0; 4])));
            ends.iter().sum::<usize>() + limit.measure(&neutralised(&self.text))
        } else {
            limit.measure(&self.text)
        };
        text + markup.of(self.style)
    }
}

/// One line; blank if it has no runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Row(pub(super) Vec<Run>);

impl Row {
    pub(super) fn blank() -> Self {
        Self::default()
    }

    pub(super) fn is_blank(&self) -> bool {
        self.0.iter().all(|run| run.text.trim().is_empty())
    }

    /// Adds at the end.
    pub(super) fn with(mut self, run: Run) -> Self {
        self.0.push(run);
        self
    }

    /// Adds all of another row at the end.
    pub(super) fn join(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// Without isolates in our own text whose other end was broken off.
    pub(super) fn balanced(mut self) -> Self {
        let mut open: Vec<(usize, usize)> = Vec::new();
        let mut broken: Vec<(usize, usize)> = Vec::new();
        for (n, run) in self.0.iter().enumerate().filter(|(_, run)| !run.foreign) {
            for (at, c) in run.text.char_indices() {
                match c {
                    '\u{2066}'..='\u{2068}' => open.push((n, at)),
                    CLOSES if open.pop().is_none() => broken.push((n, at)),
                    _ => {}
                }
            }
        }
        broken.extend(open);
        broken.sort_unstable();
        for (n, at) in broken.into_iter().rev() {
            self.0[n].text.remove(at);
        }
        self
    }

    /// Whether it must begin with a mark to run from right to left in a language that does.
    fn lacks_direction(&self) -> bool {
        let first = self
            .0
            .first()
            .filter(|run| !run.foreign)
            .and_then(|run| run.text.chars().next());
        !self.is_blank() && !first.is_some_and(|c| ('\u{620}'..='\u{6ff}').contains(&c) && c.is_alphabetic())
    }

    fn mark(&self, language: Language) -> Option<&'static str> {
        (language.is_rtl() && self.lacks_direction()).then_some(RIGHT_TO_LEFT_MARK)
    }

    /// Length of what is shown, with its markup.
    pub(super) fn length(&self, limit: Limit, markup: Markup, language: Language) -> usize {
        if self.is_blank() {
            return 0;
        }
        let mark = self.mark(language).map_or(0, |mark| limit.measure(mark));
        let runs = self.0.iter().filter(|run| !run.text.is_empty());
        mark + runs.map(|run| run.length(limit, markup)).sum::<usize>()
    }

    /// As it is shown.
    pub(super) fn shown(&self, language: Language) -> Line {
        if self.is_blank() {
            return Line::default();
        }
        let mark = self.mark(language).map(|mark| Span {
            text: mark.to_owned(),
            style: Style::Plain,
        });
        let spans = self.0.iter().filter(|run| !run.text.is_empty());
        let spans = spans.map(|run| Span {
            text: run.shown(),
            style: run.style,
        });
        Line {
            spans: mark.into_iter().chain(spans).collect(),
        }
    }
}

/// Rows of a foreign text of several lines: `first` stands before its first line, `indent` before the others.
pub(super) fn paragraph(first: Row, text: &str, style: Style, indent: &str) -> Vec<Row> {
    let mut lines = lines(text);
    let first = first.join(foreign_line(lines.next().unwrap_or_default(), style));
    let rest = lines.map(|line| {
        let row = foreign_line(line, style);
        if row.is_blank() || indent.is_empty() {
            row
        } else {
            Row(vec![Run::ours(indent, Style::Plain)]).join(row)
        }
    });
    std::iter::once(first).chain(rest).collect()
}

fn foreign_line(line: &str, style: Style) -> Row {
    if line.trim().is_empty() {
        Row::blank()
    } else {
        Row(vec![Run::foreign(line.trim_end(), style)])
    }
}

/// What fills a variable of a sentence.
pub(super) enum Slot<'a> {
    /// Shown where the sentence has it.
    Run(Run),
    /// Chooses a variant, or is shown in plain.
    Word(&'a str),
    /// Chooses a variant, or is shown in the language's digits.
    Count(usize),
}

/// Noncharacters, which Unicode keeps for internal use, stand for runs while the catalogue puts them in order; no
/// foreign text is in the sentence at that time, so they cannot be forged. As many as a sentence has variables.
const STAND_INS: [&str; 6] = [
    "\u{fdd0}", "\u{fdd1}", "\u{fdd2}", "\u{fdd3}", "\u{fdd4}", "\u{fdd5}",
];

/// The sentence `id`, in `style`, with its variables filled.
pub(super) fn sentence(language: Language, id: &str, style: Style, slots: &[(&str, Slot<'_>)]) -> Row {
    let args: Vec<(&str, Arg<'_>)> = slots
        .iter()
        .zip(STAND_INS)
        .map(|((name, slot), stand_in)| match slot {
            Slot::Run(_) => (*name, Arg::Text(stand_in)),
            Slot::Word(word) => (*name, Arg::Text(word)),
            Slot::Count(count) => (*name, Arg::Count(*count)),
        })
        .collect();
    let text = say(language, id, &args);

    let mut row = Row::blank();
    let mut rest = text.as_str();
    while let Some((before, run, after)) = next_run(rest, slots) {
        // A foreign run brings its own isolate when it is shown.
        let wrapped = before
            .strip_suffix('\u{2068}')
            .zip(after.strip_prefix('\u{2069}'));
        let (before, after) = wrapped.filter(|_| run.foreign).unwrap_or((before, after));
        row = row.with(Run::ours(before, style)).with(run.clone());
        rest = after;
    }
    row = row.with(Run::ours(rest, style));
    row.0.retain(|run| !run.text.is_empty());
    row
}

/// The first run that `text` stands in for, and what is around it.
fn next_run<'t, 's>(text: &'t str, slots: &'s [(&str, Slot<'_>)]) -> Option<(&'t str, &'s Run, &'t str)> {
    let runs = slots
        .iter()
        .zip(STAND_INS)
        .filter_map(|((_, slot), stand_in)| match slot {
            Slot::Run(run) => text
                .split_once(stand_in)
                .map(|(before, after)| (before, run, after)),
            Slot::Word(_) | Slot::Count(_) => None,
        });
    runs.min_by_key(|(before, _, _)| before.len())
}
