//! How to answer this very ask in this very place, and until when.
//!
//! Only what is true: "tap" where there are buttons, markers as they stand before the options, examples that read
//! back as answers, a word to decline that does not mean an option. The reply reader is asked, so that the two cannot
//! disagree; `tests/plan_properties.rs` holds every example to it.

use super::{
    Capabilities, Controls, Reader, Style,
    controls::Gesture,
    text::{Row, Run, Slot, sentence},
    when,
};
use crate::{
    answer::Answers,
    ask::Ask,
    reply::{self, Asked, Markers, Reading},
    words::{
        Arg, say,
        vocabulary::{Word, alternatives, shown},
    },
};

/// What the last lines of a prompt depend on.
pub(super) struct How<'a> {
    pub(super) ask: &'a Ask,
    pub(super) to: &'a Capabilities,
    pub(super) reader: &'a Reader,
    /// Of each question.
    pub(super) markers: &'a [Markers],
    pub(super) controls: &'a Controls,
}

impl How<'_> {
    /// How to answer; then until when, and how to decline where no button does.
    pub(super) fn rows(&self) -> Vec<Row> {
        let until = self.until();
        let until = match self.skip_word().filter(|_| !self.controls.can(Gesture::Skip)) {
            Some(word) => {
                let skip = ("skip", Slot::Run(Run::ours(word, Style::Code)));
                until
                    .with(Run::ours(" ", Style::Quiet))
                    .join(self.say("prompt-how-skip", &[skip]))
            }
            None => until,
        };
        vec![self.answer(), until]
    }

    fn answer(&self) -> Row {
        let here = match (self.to.direct, self.to.threads) {
            (true, _) => "direct",
            (false, true) => "thread",
            (false, false) => "group",
        };
        let here = ("here", Slot::Word(here));
        let example = |text| ("example", Slot::Run(Run::ours(text, Style::Code)));
        match (self.ask.questions.only(), self.markers) {
            (Some(question), &[markers]) if question.multi_select => {
                let example = example(self.options_example(markers));
                self.say("prompt-how-choose-any", &[here, example])
            }
            (Some(_), &[markers]) if self.controls.can(Gesture::Choose(0)) => {
                let kind = if markers.are_numbers() {
                    "numbers"
                } else {
                    "letters"
                };
                self.say("prompt-how-tap", &[here, ("markers", Slot::Word(kind))])
            }
            (Some(_), &[markers]) => {
                let choices = Run::ours(self.either(markers), Style::Plain);
                self.say("prompt-how-type", &[here, ("choices", Slot::Run(choices))])
            }
            _ => {
                let example = example(reply::example(&self.ask.questions, self.reader.language));
                self.say("prompt-how-keyed", &[here, example])
            }
        }
    }

    /// `1, 2 or 3`.
    fn either(&self, markers: Markers) -> String {
        let language = self.reader.language;
        let mut shown: Vec<String> = (0..markers.len()).map(|n| markers.shown(n, language)).collect();
        let last = shown.pop().unwrap_or_default();
        let some = shown.join(&say(language, "prompt-between-options", &[]));
        say(
            language,
            "prompt-either",
            &[("some", Arg::Text(&some)), ("last", Arg::Text(&last))],
        )
    }

    /// The first two of several that can be chosen: `1, 2`. It has no strong letter of a language written right to
    /// left, in which a mark must keep it in order.
    fn options_example(&self, markers: Markers) -> String {
        let language = self.reader.language;
        let mark = if language.is_rtl() { "\u{200f}" } else { "" };
        let between = say(language, "prompt-between-options", &[]);
        format!(
            "{mark}{}{between}{}",
            markers.shown(0, language),
            markers.shown(1, language)
        )
    }

    /// What declines this very ask when typed here, if anything does: where an option is called "Skip", the word
    /// means that option.
    fn skip_word(&self) -> Option<String> {
        let command = self.to.slash_commands.then(|| "/skip".to_owned());
        let words = std::iter::once(shown(Word::Skip, self.reader.language)).chain(alternatives(Word::Skip));
        let answered = Answers::new();
        let asked = Asked {
            questions: &self.ask.questions,
            answered: &answered,
        };
        command
            .into_iter()
            .chain(words)
            .find(|word| reply::read(word, &asked) == Reading::Skip)
    }

    fn until(&self) -> Row {
        let text = when::deadline(self.ask, self.reader);
        let style = if self.to.instants {
            Style::Instant(self.ask.deadline)
        } else {
            Style::Quiet
        };
        self.say("prompt-until", &[("when", Slot::Run(Run::ours(text, style)))])
    }

    fn say(&self, id: &str, slots: &[(&str, Slot<'_>)]) -> Row {
        sentence(self.reader.language, id, Style::Quiet, slots)
    }
}
