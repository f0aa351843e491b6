//! From what a human typed to an answer.
//!
//! People answer "2", "#2.", "STAGING", "۲", "1: 2; 2: Ops and Developers". This module reads such text against the
//! questions of one ask, and either gives answers, or says in a sentence fit to be shown ([`Hint::sentence`]) what
//! would have fitted. It knows no platform, reads no clock and stores nothing; the channel has already removed its
//! own mention and encoding.
//!
//! Reading is strict on purpose: a text is a declared option only if it says so exactly, by number, letter or label,
//! after a clean-up that removes what carries no meaning. What could mean two things is a [`Hint`], never
//! a guess; a wrong answer costs an agent's whole run, a second look costs a human three seconds. Everything else is
//! the person's own words, passed on as typed.
//!
//! Where SPEC 4 is silent:
//!
//! * A text of nothing but quote lines is taken as it stands, so "> 5 GB" is an answer.
//! * Words ("skip", "yes") compare as labels do, so "Skip." and "ردکردن" are words too.
//! * `other:` makes own words of all that follows it, to the end of the text. `other` alone is a hint.
//! * Yes and no words, `all` and the word for "and" mean nothing special inside a longer text; a skip word as one
//!   of several parts is a hint.
//! * On a single choice two numbers joined by a dash are two picks, if both are options; otherwise own words.
//!
//! The rules as a table: `tests/reply_cases.rs`; hints word for word: `tests/reply_hints.rs`; what holds for every
//! text: `tests/reply_properties.rs`.

mod clean;
mod hint;
mod known;
pub mod marker;
mod multi;
mod options;
mod several;
mod single;

pub use self::{
    hint::{Here, Hint, Slip, example},
    marker::{Markers, markers},
};
use crate::{
    answer::{Answer, Answers},
    ask::{Question, Questions},
    id::QuestionId,
};

/// Longest own words. Unit: characters (Unicode scalar values). Source: SPEC 4.
pub const OWN_WORDS: usize = 4000;

/// What a reply is read against.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The questions of the ask.
    pub questions: &'a Questions,
    /// What this person has answered so far.
    pub answered: &'a Answers,
}

/// What a reply says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Answers to one or more of the questions, not necessarily all.
    Answers {
        /// What was understood: never empty, each question once.
        answers: Vec<(QuestionId, Answer)>,
        /// What was not.
        hint: Option<Hint>,
    },
    /// To decline the whole ask.
    Skip,
    /// Nothing that counts; the ask stays open.
    Hint(Hint),
}

/// Reads a reply typed as a message. Never fails and never panics; the time it takes is linear in the length of
/// `text`, and texts that are too long to be an answer are not looked into.
#[must_use]
pub fn read(text: &str, asked: &Asked<'_>) -> Reading {
    let Some(question) = asked.questions.only() else {
        return several::read(text, asked);
    };
    let options = options::Options::new(question, std::iter::empty());
    match single::read(text, &options) {
        Ok(single::One::Skip) => Reading::Skip,
        Ok(single::One::Answer(answer)) => Reading::Answers {
            answers: vec![(question.id.clone(), answer)],
            hint: None,
        },
        Err(slip) => Reading::Hint(Hint::One(slip)),
    }
}

/// Whether `text` answers a question by naming it, as in `1: 2`, and so is meant as an answer wherever it stands.
#[must_use]
pub fn is_keyed(text: &str, asked: &Asked<'_>) -> bool {
    asked.questions.only().is_none() && several::is_keyed(text, asked)
}

/// Reads what was typed into Other... (a form, or the reply to its prompt): own words, unless it is exactly a label,
/// character for character. Numbers are no markers there, and the word for skipping is a word.
///
/// # Errors
/// A hint, where nothing is left without quote lines and blanks, or more than [`OWN_WORDS`].
pub fn read_own_words(text: &str, question: &Question) -> Result<Answer, Hint> {
    let options = options::Options::new(question, std::iter::empty());
    let own = clean::without_quotes(text);
    if let Some(position) = options.exact(text) {
        return Ok(Answer::choice(position));
    }
    if own.chars().count() > OWN_WORDS {
        return Err(Hint::One(Slip::TooLong { limit: OWN_WORDS }));
    }
    if clean::folded(&own).trim().is_empty() {
        return Err(Hint::One(Slip::NothingLeft));
    }
    single::own_words(&own, &options).map_err(Hint::One)
}

/// What two labels of one question must not share (SPEC 1): they would be read as the same.
#[must_use]
pub(crate) fn label_key(label: &str) -> String {
    clean::key(&clean::folded(label))
}

/// Whether a label is the word before own words, in any language: it would promise an option where there is a field.
#[must_use]
pub(crate) fn is_other(label: &str) -> bool {
    known::is_other(&label_key(label))
}

/// Whether nothing of `text` can be seen.
#[must_use]
pub(crate) fn is_blank(text: &str) -> bool {
    clean::folded(text).trim().is_empty()
}
