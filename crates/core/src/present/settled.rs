//! An ask that is over, shown so that nobody takes it for alive.
//!
//! Each message of the prompt is rendered again, without controls: the last says how it ended, below the question;
//! the others stay readable and say that they are closed. Where messages cannot be edited, one short silent message
//! says it instead.
//!
//! A message cannot become two, so what does not fit is cut: the question first, then own words, never labels. In
//! the rare case that the labels alone are too long for the last message, they take up the ones before it as well,
//! of which the plan made enough ([`parts_needed`]).

use super::{
    Capabilities, Controls, Limit, Message, Presentation, Reader, Style,
    fit::{Block, Page, largest},
    outcome::View,
    plan::{INDENT, Prompt, numbered_page, part_row, plan, question_rows, title_row},
    text::{Row, Run},
};
use crate::{
    answer::{Answer, Given},
    ask::Ask,
    id::{Address, ChannelName, PersonName},
    stage::{End, How, Responder, SettledBy},
    words::{Arg, say},
};

/// The `of` messages of an ask that is over, rendered again for the conversation `at`: as many as were posted there,
/// at least one, and none with controls.
///
/// The other arguments are those of [`plan`], so that a part that stays is the part that was posted; if there are
/// not as many any more (a profile or a language has changed since), it keeps only its title. While the ask is
/// pending, these are the messages as planned.
#[must_use]
pub fn settled(
    ask: &Ask,
    at: &Address,
    to: &Capabilities,
    reader: &Reader,
    link: Option<&str>,
    of: usize,
) -> Vec<Message> {
    let language = reader.language;
    let page = Page::of(to, language);
    let Some(outcome) = ask.outcome() else {
        let mut messages = plan(ask, to, reader, link).messages;
        messages.resize_with(of, || page.message(&[], Controls::None));
        return messages;
    };
    let closing = Closing {
        ask,
        at,
        reader,
        end: &outcome.end,
        limit: to.text,
    };
    if of <= 1 {
        let mut pages = closing.pages(page, QUESTION);
        return vec![page.message(&pages.swap_remove(0), Controls::None)];
    }
    let room = numbered_page(page, language);
    let last = closing.pages(room, QUESTION);
    let earlier = closing.earlier_parts(to, link, of);
    let stay = of.saturating_sub(last.len());
    let parts = earlier.into_iter().take(stay).map(|rows| (rows, "settled-part"));
    let parts = parts.chain(last.into_iter().map(|rows| (rows, "prompt-part")));
    let numbered = parts.take(of).enumerate().map(|(index, (mut rows, id))| {
        rows.push(part_row(id, index, of, language));
        page.message(&rows, Controls::None)
    });
    numbered.collect()
}

/// How `ask` ended, as a new silent message below a prompt that cannot be edited. While the ask is pending, its plan
/// without controls.
#[must_use]
pub fn follow_up(ask: &Ask, at: &Address, to: &Capabilities, reader: &Reader) -> Presentation {
    /// Enough to recognise a question by, in the unit of the platform.
    const REMINDER: usize = 100;
    let page = Page::of(to, reader.language);
    let pages = match ask.outcome() {
        Some(outcome) => {
            let closing = Closing {
                ask,
                at,
                reader,
                end: &outcome.end,
                limit: to.text,
            };
            closing.pages(page, REMINDER)
        }
        None => Prompt::new(ask, to, reader, None).pages(),
    };
    let messages = pages
        .iter()
        .map(|rows| page.message(rows, Controls::None))
        .collect();
    Presentation {
        messages,
        rings: false,
    }
}

/// How many messages the longest outcome this ask can have needs, own words cut.
pub(super) fn parts_needed(ask: &Ask, to: &Capabilities, reader: &Reader) -> usize {
    let (end, at) = (longest_end(ask, to.text), far("z"));
    let closing = Closing {
        ask,
        at: &at,
        reader,
        end: &end,
        limit: to.text,
    };
    let page = Page::of(to, reader.language);
    match page.pack(&closing.bare()).len() {
        0 | 1 => 1,
        _ => numbered_page(page, reader.language).pack(&closing.bare()).len(),
    }
}

/// The end with the most to tell: all that can be chosen, own words besides, and the longest names of three places.
fn longest_end(ask: &Ask, limit: Limit) -> End {
    let answers = ask.questions.iter().filter_map(|question| {
        let all = 0..question.choices.len();
        let answer = if question.multi_select {
            Answer::new(all.collect(), vec!["...".to_owned()])?
        } else {
            Answer::choice(all.max_by_key(|&n| limit.measure(&question.choices[n].label))?)
        };
        Some((question.id.clone(), Given { answer, at: far("y") }))
    });
    let who = Responder::Person(PersonName::new(LONG_NAME));
    let by = SettledBy {
        who,
        name: "x".repeat(100),
        at: far("x"),
        how: How::Tap,
    };
    End::Answered {
        answers: answers.collect(),
        by,
    }
}

/// Longer than any name that is shown.
const LONG_NAME: &str = "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn";

fn far(first: &str) -> Address {
    Address::new(ChannelName::new(format!("{first}{LONG_NAME}")), "")
}

/// Most of a question that is repeated: all of it, since none is longer (SPEC 1).
const QUESTION: usize = usize::MAX;

/// What is left of a long question before own words are cut, in the unit of the platform.
const LEAST_QUESTION: usize = 80;

/// Most of the agent's name and of the session's title, in the unit of the platform.
const TITLE: usize = 60;

/// What stands in the last message.
struct Closing<'a> {
    ask: &'a Ask,
    at: &'a Address,
    reader: &'a Reader,
    end: &'a End,
    limit: Limit,
}

impl Closing<'_> {
    /// At least one page; more only where the labels alone need them.
    fn pages(&self, page: Page, question: usize) -> Vec<Vec<Row>> {
        let whole = self.longest_text();
        let question = question.min(whole);
        let shorter = question.min(LEAST_QUESTION);
        let cut_questions = || {
            let fits = |extra| page.fits(&self.rows(shorter + extra, whole));
            largest(question - shorter, fits).map(|extra| self.rows(shorter + extra, whole))
        };
        let cut_words = |question| {
            let fits = |words| page.fits(&self.rows(question, words));
            largest(whole, fits).map(|words| self.rows(question, words))
        };
        let rows = cut_questions()
            .or_else(|| cut_words(shorter))
            .or_else(|| cut_words(0));
        rows.map_or_else(|| page.pack(&self.bare()), |rows| vec![rows])
    }

    /// In the unit of the platform, at least as long as every question and all own words.
    fn longest_text(&self) -> usize {
        let questions = self
            .ask
            .questions
            .iter()
            .map(|question| self.limit.measure(&question.text));
        let own = match self.end {
            End::Answered { answers, .. } => answers
                .iter(&self.ask.questions)
                .flat_map(|(_, given)| given.answer.own_words())
                .map(|words| self.limit.measure(words))
                .max(),
            _ => None,
        };
        questions.chain(own).max().unwrap_or_default()
    }

    /// Title, questions and outcome, with each question and each of the own words cut to so many units.
    fn rows(&self, question: usize, words: usize) -> Vec<Row> {
        let mut rows = vec![self.title()];
        let view = self.view(words);
        let limit = Limit {
            max: question,
            ..self.limit
        };
        let several = self.ask.questions.len() > 1;
        for (n, question) in self.ask.questions.iter().enumerate() {
            rows.push(Row::blank());
            let number = several.then_some(n + 1);
            rows.extend(question_rows(
                question,
                number,
                &limit.cut(&question.text),
                self.reader.language,
            ));
            if let End::Answered { answers, by } = self.end
                && let Some(given) = answers.get(&question.id).filter(|_| several)
            {
                rows.extend(view.answer(question, given, by).into_iter().map(indented));
            }
        }
        rows.push(Row::blank());
        if several {
            rows.push(view.summary(self.end));
        } else {
            rows.extend(view.single(self.end));
        }
        rows
    }

    /// The outcome alone.
    fn bare(&self) -> Vec<Block> {
        let view = self.view(0);
        let blocks = match (self.end, self.ask.questions.only()) {
            (End::Answered { answers, by }, None) => {
                let each = answers
                    .iter(&self.ask.questions)
                    .map(|(q, given)| view.keyed(q, given, by));
                each.chain([vec![view.summary(self.end)]]).collect()
            }
            _ => vec![view.single(self.end)],
        };
        blocks
            .into_iter()
            .map(|rows| Block { rows, gap: false })
            .collect()
    }

    /// The parts of the prompt as they were posted, but for the mark before the title.
    fn earlier_parts(&self, to: &Capabilities, link: Option<&str>, of: usize) -> Vec<Vec<Row>> {
        let pages = Prompt::new(self.ask, to, self.reader, link)
            .marked(self.mark())
            .pages();
        if pages.len() == of {
            pages
        } else {
            vec![vec![self.title()]; of]
        }
    }

    fn mark(&self) -> String {
        say(
            self.reader.language,
            "settled-mark",
            &[("end", Arg::Text(self.end.status()))],
        )
    }

    fn title(&self) -> Row {
        title_row(
            self.ask,
            &self.mark(),
            Some(Limit {
                max: TITLE,
                ..self.limit
            }),
        )
    }

    fn view(&self, words: usize) -> View<'_> {
        let own_words = Limit {
            max: words,
            ..self.limit
        };
        View {
            ask: self.ask,
            at: self.at,
            language: self.reader.language,
            own_words,
        }
    }
}

fn indented(row: Row) -> Row {
    if row.is_blank() {
        row
    } else {
        Row(vec![Run::ours(INDENT, Style::Plain)]).join(row)
    }
}
