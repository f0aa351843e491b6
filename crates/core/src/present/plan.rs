//! The prompt of a pending ask.
//!
//! Blocks of lines (who asks, background, questions with their options, how to answer and until when) are put on as
//! many messages as they need; the controls stand below the last. Only the background may be cut, because only it
//! can be done without.
//!
//! The plan already knows how the ask may end: every part has room for the line that will close it, and there are
//! as many parts as the longest possible outcome needs, because each message is edited and none can be added.

use super::{
    Capabilities, Controls, Limit, Presentation, Reader, Style,
    controls::{Gesture, Labels},
    fit::{Block, Page, largest},
    how::How,
    isolate::{neutral, one_line},
    settled,
    text::{Row, Run, Slot, paragraph, sentence},
};
use crate::{
    ask::{Ask, Question},
    reply::{Markers, markers},
    words::{Language, say},
};

/// The prompt of a pending ask, for one conversation.
///
/// `link` leads to this ask in the panel, where one is served; it is shown where background was cut.
#[must_use]
pub fn plan(ask: &Ask, to: &Capabilities, reader: &Reader, link: Option<&str>) -> Presentation {
    let prompt = Prompt::new(ask, to, reader, link);
    let pages = prompt.pages();
    let of = pages.len();
    let numbered = pages.into_iter().enumerate().map(|(index, mut rows)| {
        if of > 1 {
            rows.push(part_row("prompt-part", index, of, reader.language));
        }
        rows
    });
    let mut messages: Vec<_> = numbered
        .map(|rows| prompt.page.message(&rows, Controls::None))
        .collect();
    if let Some(last) = messages.last_mut() {
        last.controls = prompt.controls;
    }
    Presentation {
        messages,
        rings: true,
    }
}

/// Whether the prompt of `ask` has a button for each option and one for own words, so that a sentence may speak of
/// them, whatever the reader's language.
#[must_use]
pub fn has_buttons(ask: &Ask, to: &Capabilities) -> bool {
    Language::ALL.into_iter().all(|language| {
        let controls = controls(ask, to, language);
        controls.can(Gesture::Choose(0)) && controls.can(Gesture::Other)
    })
}

/// Which part of how many, as the last line of each.
pub(super) fn part_row(id: &str, index: usize, of: usize, language: Language) -> Row {
    sentence(
        language,
        id,
        Style::Quiet,
        &[("part", Slot::Count(index + 1)), ("of", Slot::Count(of))],
    )
}

/// Who asks: `mark` tells from afar whether the ask is open. `most` bounds each of the two names.
pub(super) fn title_row(ask: &Ask, mark: &str, most: Option<Limit>) -> Row {
    let name = |text: &str| {
        let line = one_line(text);
        most.map_or_else(|| line.clone(), |most| most.cut(&line))
    };
    let row = Row(vec![
        Run::ours(format!("{mark} "), Style::Plain),
        Run::foreign(name(&ask.agent), Style::Strong),
    ]);
    match &ask.session {
        Some(session) => row.with(Run::ours(" · ", Style::Plain)).with(Run::foreign(
            name(session.title.as_deref().unwrap_or(&session.id)),
            Style::Plain,
        )),
        None => row,
    }
}

/// `Target: Where should this go?`, numbered where there are several questions. `text` may be cut, even to nothing.
pub(super) fn question_rows(
    question: &Question,
    number: Option<usize>,
    text: &str,
    language: Language,
) -> Vec<Row> {
    let number = number.map(|n| Run::ours(format!("{}. ", language.number(n)), Style::Plain));
    let row = Row(number.into_iter().collect()).with(Run::foreign(question.header.as_str(), Style::Plain));
    if text.is_empty() {
        return vec![row];
    }
    paragraph(row.with(Run::ours(": ", Style::Plain)), text, Style::Strong, "")
}

fn controls(ask: &Ask, to: &Capabilities, language: Language) -> Controls {
    let single = ask.questions.only().filter(|question| !question.multi_select);
    let marked = single.map(|question| (question, markers(question)));
    let labels = Labels {
        options: single
            .iter()
            .flat_map(|question| &question.choices)
            .map(|c| neutral(&c.label))
            .collect(),
        markers: marked
            .iter()
            .flat_map(|(_, set)| (0..set.len()).map(|n| set.shown(n, language)))
            .collect(),
        other: say(language, "prompt-other", &[]),
        skip: say(language, "prompt-skip", &[]),
    };
    Controls::lay_out(&labels, ask.action, to.buttons.as_ref())
}

/// What stands before the lines that belong to one of several questions.
pub(super) const INDENT: &str = "   ";

/// Most messages that background may add where there is no link to the rest of it.
const CONTEXT_MESSAGES: usize = 2;

/// Background shorter than this (in the unit of the platform) says nothing; then it gets a message of its own.
const LEAST_CONTEXT: usize = 120;

/// A prompt before it is put on messages.
pub(super) struct Prompt<'a> {
    ask: &'a Ask,
    to: &'a Capabilities,
    reader: &'a Reader,
    link: Option<&'a str>,
    markers: Vec<Markers>,
    mark: String,
    page: Page,
    controls: Controls,
}

impl<'a> Prompt<'a> {
    pub(super) fn new(ask: &'a Ask, to: &'a Capabilities, reader: &'a Reader, link: Option<&'a str>) -> Self {
        let language = reader.language;
        let markers = ask.questions.iter().map(markers).collect();
        let controls = controls(ask, to, language);
        let page = Page::of(to, language);
        let mark = say(language, "prompt-mark", &[]);
        Self {
            ask,
            to,
            reader,
            link,
            markers,
            mark,
            page,
            controls,
        }
    }

    /// With another mark before the title, for an ask that is over.
    pub(super) fn marked(self, mark: String) -> Self {
        Self { mark, ..self }
    }

    /// The rows of each message, without the line that numbers it.
    pub(super) fn pages(&self) -> Vec<Vec<Row>> {
        let least = settled::parts_needed(self.ask, self.to, self.reader);
        let without = self.pack(None, least);
        let Some(context) = self
            .ask
            .context
            .as_deref()
            .filter(|context| !context.trim().is_empty())
        else {
            return without;
        };
        let most = without.len() + if self.link.is_some() { 0 } else { CONTEXT_MESSAGES };
        let whole = self.pack(Some(context), least);
        if whole.len() <= most {
            return whole;
        }
        let shortened = |units| {
            let limit = Limit {
                max: units,
                ..self.to.text
            };
            limit.cut(context)
        };
        for most in [most, without.len() + 1] {
            let fits = |units| self.pack(Some(&shortened(units)), least).len() <= most;
            if let Some(units) = largest(self.to.text.measure(context), fits).filter(|&n| n >= LEAST_CONTEXT)
            {
                return self.pack(Some(&shortened(units)), least);
            }
        }
        self.pack(Some(&shortened(LEAST_CONTEXT)), least)
    }

    fn pack(&self, context: Option<&str>, least: usize) -> Vec<Vec<Row>> {
        let blocks = self.blocks(context);
        let pages = self.page.pack(&blocks);
        if pages.len() == 1 && least <= 1 {
            return pages;
        }
        let mut room = numbered_page(self.page, self.reader.language);
        let mut pages = room.pack(&blocks);
        // More parts than the prompt itself needs: almost never, and only where labels are most of it.
        while pages.len() < least && room.limit.max > LEAST_CONTEXT {
            room = room.less(room.limit.max / 10);
            pages = room.pack(&blocks);
        }
        pages
    }

    fn blocks(&self, context: Option<&str>) -> Vec<Block> {
        let title = Block {
            rows: vec![title_row(self.ask, &self.mark, None)],
            gap: false,
        };
        let context = context.map(|shown| self.context(shown));
        let questions = self
            .ask
            .questions
            .iter()
            .zip(self.markers.iter().copied())
            .enumerate();
        let questions = questions.flat_map(|(n, (question, markers))| self.question(n, question, markers));
        let how = How {
            ask: self.ask,
            to: self.to,
            reader: self.reader,
            markers: &self.markers,
            controls: &self.controls,
        };
        let footer = Block {
            rows: how.rows(),
            gap: true,
        };
        std::iter::once(title)
            .chain(context)
            .chain(questions)
            .chain([footer])
            .collect()
    }

    fn context(&self, shown: &str) -> Block {
        let mut rows = paragraph(Row::blank(), shown, Style::Plain, "");
        let whole = self.ask.context.as_deref() == Some(shown);
        if let Some(link) = self.link.filter(|_| !whole) {
            let link = Slot::Run(Run::ours(link, Style::Link));
            rows.push(sentence(
                self.reader.language,
                "prompt-more",
                Style::Quiet,
                &[("link", link)],
            ));
        }
        Block { rows, gap: true }
    }

    /// A block for the question and one for each option.
    fn question(&self, n: usize, question: &Question, markers: Markers) -> Vec<Block> {
        let language = self.reader.language;
        let several = self.ask.questions.len() > 1;
        let mut rows = question_rows(question, several.then_some(n + 1), &question.text, language);
        if let Some(last) = rows.last_mut().filter(|_| question.multi_select) {
            let any = say(language, "prompt-choose-any", &[]);
            last.0.push(Run::ours(format!(" {any}"), Style::Quiet));
        }
        let indent = if several { INDENT } else { "" };
        let options = question.choices.iter().enumerate().map(|(n, choice)| {
            let row = Row(vec![
                Run::ours(format!("{indent}{}. ", markers.shown(n, language)), Style::Plain),
                Run::foreign(choice.label.as_str(), Style::Plain),
            ]);
            let rows = match choice
                .description
                .as_deref()
                .filter(|text| !text.trim().is_empty())
            {
                Some(text) => {
                    let row = row.with(Run::ours(": ", Style::Plain));
                    paragraph(row, text, Style::Quiet, &format!("{indent}{INDENT}"))
                }
                None => vec![row],
            };
            Block { rows, gap: false }
        });
        std::iter::once(Block { rows, gap: true })
            .chain(options)
            .collect()
    }
}

/// The room of a message that is one of several: without the line that numbers it, now or once it is closed.
pub(super) fn numbered_page(page: Page, language: Language) -> Page {
    // Wider than any number of parts that can be needed.
    const WIDEST: usize = 999;
    let lines = ["prompt-part", "settled-part"]
        .map(|id| vec![Row::blank(), part_row(id, WIDEST - 1, WIDEST, language)]);
    page.less(
        lines
            .iter()
            .map(|rows| page.measure(rows))
            .max()
            .unwrap_or_default(),
    )
}
