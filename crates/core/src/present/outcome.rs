//! How an ask ended, in words.
//!
//! `Staging (Recommended): sara, on Telegram`. Own words are read verbatim in the conversation in which they were
//! written and nowhere else; others learn that there are some. Used below a settled prompt, in follow-ups, and by
//! the receipt of an answer that came too late.

use super::{
    Limit, Style, Unit,
    isolate::{neutral, one_line},
    text::{Row, Run, Slot, paragraph, sentence},
};
use crate::{
    answer::Given,
    ask::{Ask, Question},
    id::{Address, ChannelName},
    stage::{End, SettledBy},
    words::{Arg, Language, say},
};

/// How `ask` ended, on one line, as read at `at`; that it has not, while it is pending. Own words are shortened;
/// foreign text is isolated.
#[must_use]
pub fn outcome_line(ask: &Ask, at: &Address, language: Language) -> String {
    const OWN_WORDS: Limit = Limit {
        max: 120,
        unit: Unit::Scalars,
    };
    let Some(end) = ask.outcome().map(|outcome| &outcome.end) else {
        return say(language, "settled-not-yet", &[]);
    };
    let view = View {
        ask,
        at,
        language,
        own_words: OWN_WORDS,
    };
    let row = match (end, ask.questions.only()) {
        (End::Answered { answers, by }, None) => {
            let between = say(language, "settled-between-answers", &[]);
            let each = answers
                .iter(&ask.questions)
                .map(|(q, given)| joined(view.keyed(q, given, by), " "));
            let colon = Run::ours(": ", Style::Plain);
            view.summary(end)
                .with(colon)
                .join(joined(each.collect(), &between))
        }
        _ => joined(view.single(end), " "),
    };
    row.0.iter().map(Run::shown).collect()
}

fn joined(rows: Vec<Row>, between: &str) -> Row {
    let rows = rows.into_iter();
    rows.reduce(|row, next| row.with(Run::ours(between, Style::Plain)).join(next))
        .unwrap_or_default()
}

/// Most of a person's or channel's name that is shown, in the unit of the conversation.
const NAME: usize = 48;

/// An outcome as one conversation sees it.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) ask: &'a Ask,
    /// Where it is read.
    pub(super) at: &'a Address,
    pub(super) language: Language,
    /// Longest own words.
    pub(super) own_words: Limit,
}

impl View<'_> {
    /// What stands below the only question.
    pub(super) fn single(&self, end: &End) -> Vec<Row> {
        let End::Answered { answers, by } = end else {
            return vec![self.summary(end)];
        };
        let Some((question, given)) = answers.iter(&self.ask.questions).next() else {
            return vec![self.summary(end)];
        };
        if given.answer.choices().is_empty() && !given.is_open_at(self.at) {
            return vec![self.by("settled-in-own-words", by)];
        }
        let mut rows = self.values(question, given);
        let by = self.by("settled-by", by);
        match rows.as_mut_slice() {
            [only] => only
                .0
                .extend(std::iter::once(Run::ours(": ", Style::Plain)).chain(by.0)),
            _ => rows.push(by),
        }
        rows
    }

    /// What stands below one of several questions.
    pub(super) fn answer(&self, question: &Question, given: &Given, by: &SettledBy) -> Vec<Row> {
        let mut rows = self.values(question, given);
        if given.at.channel != by.at.channel
            && let Some(last) = rows.last_mut()
        {
            let elsewhere = format!(" · {}", self.place(&given.at.channel));
            last.0.push(Run::ours(elsewhere, Style::Plain));
        }
        rows
    }

    /// One of several questions and its answer.
    pub(super) fn keyed(&self, question: &Question, given: &Given, by: &SettledBy) -> Vec<Row> {
        let mut rows = self.answer(question, given, by);
        if let Some(first) = rows.first_mut() {
            let header = Run::foreign(question.header.as_str(), Style::Plain);
            first.0.splice(0..0, [header, Run::ours(": ", Style::Plain)]);
        }
        rows
    }

    /// The end in one sentence, without the answers.
    pub(super) fn summary(&self, end: &End) -> Row {
        let plain = |id| sentence(self.language, id, Style::Plain, &[]);
        match end {
            End::Answered { by, .. } => self.by("settled-answered", by),
            End::Skipped { by } => self.by("settled-skipped", by),
            End::Expired => plain("settled-expired"),
            End::Cancelled => plain("settled-cancelled"),
            End::Undelivered(_) => plain("settled-undelivered"),
        }
    }

    /// Labels in declared order, then own words, of which only a later line begins a row of its own.
    fn values(&self, question: &Question, given: &Given) -> Vec<Row> {
        let between = say(self.language, "settled-between-values", &[]);
        let mut rows: Vec<Row> = Vec::new();
        let mut add = |value: Vec<Row>| match rows.last_mut() {
            None => rows = value,
            Some(last) => {
                let mut value = value.into_iter();
                last.0.push(Run::ours(between.as_str(), Style::Plain));
                last.0.extend(value.next().unwrap_or_default().0);
                rows.extend(value);
            }
        };
        for label in given.answer.labels(question) {
            add(vec![Row(vec![Run::foreign(label, Style::Strong)])]);
        }
        if given.is_open_at(self.at) {
            for words in given.answer.own_words() {
                add(paragraph(
                    Row::blank(),
                    &self.own_words.cut(words.trim()),
                    Style::Strong,
                    "",
                ));
            }
        } else {
            add(vec![sentence(
                self.language,
                "settled-own-words",
                Style::Plain,
                &[],
            )]);
        }
        rows
    }

    fn by(&self, id: &str, by: &SettledBy) -> Row {
        let who = Run::foreign(self.name(&by.name), Style::Plain);
        let place = self.place(&by.at.channel);
        sentence(
            self.language,
            id,
            Style::Plain,
            &[("who", Slot::Run(who)), ("where", Slot::Word(&place))],
        )
    }

    fn place(&self, channel: &ChannelName) -> String {
        say(
            self.language,
            "settled-where",
            &[("channel", Arg::Text(&neutral(&self.name(channel.as_str()))))],
        )
    }

    fn name(&self, name: &str) -> String {
        let limit = Limit {
            max: NAME,
            ..self.own_words
        };
        limit.cut(&one_line(name))
    }
}
