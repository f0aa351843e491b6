//! What a person answered.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    ask::{Question, Questions},
    id::{Address, QuestionId},
};

/// The values for one question: declared choices and own words, never neither.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// Positions of chosen options, from 0, rising, each once.
    choices: Vec<usize>,
    /// The person's own words, verbatim, in the order given.
    own: Vec<String>,
}

impl Answer {
    /// Sorts `choices` and drops repetitions. `None` if there is neither a choice nor a word.
    #[must_use]
    pub fn new(mut choices: Vec<usize>, own: Vec<String>) -> Option<Self> {
        choices.sort_unstable();
        choices.dedup();
        (!choices.is_empty() || !own.is_empty()).then_some(Self { choices, own })
    }

    /// One declared choice, by position from 0.
    #[must_use]
    pub fn choice(position: usize) -> Self {
        Self {
            choices: vec![position],
            own: Vec::new(),
        }
    }

    /// Own words alone.
    #[must_use]
    pub fn own(words: impl Into<String>) -> Self {
        Self {
            choices: Vec::new(),
            own: vec![words.into()],
        }
    }

    /// Positions of chosen options, from 0, rising, each once.
    #[must_use]
    pub fn choices(&self) -> &[usize] {
        &self.choices
    }

    /// The person's own words.
    #[must_use]
    pub fn own_words(&self) -> &[String] {
        &self.own
    }

    /// Whether it has own words: the agent is told so (`freeText`), and other conversations do not see them.
    #[must_use]
    pub fn has_own_words(&self) -> bool {
        !self.own.is_empty()
    }

    /// The labels of the choices, in declared order.
    pub fn labels<'q>(&self, question: &'q Question) -> impl Iterator<Item = &'q str> {
        self.choices
            .iter()
            .filter_map(|&n| question.choices.get(n))
            .map(|c| c.label.as_str())
    }

    /// What the agent gets: labels in declared order, then own words.
    #[must_use]
    pub fn values(&self, question: &Question) -> Vec<String> {
        self.labels(question)
            .map(str::to_owned)
            .chain(self.own.iter().cloned())
            .collect()
    }
}

/// An answer, and the conversation in which it was given: own words are shown there and nowhere else (SPEC 3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Given {
    /// The values.
    pub answer: Answer,
    /// Where they were given.
    pub at: Address,
}

impl Given {
    /// Whether all of it may be read in the conversation `at`; elsewhere own words are only said to be there.
    #[must_use]
    pub fn is_open_at(&self, at: &Address) -> bool {
        !self.answer.has_own_words() || self.at == *at
    }
}

/// Answers by question: all of them, or those given so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Answers(BTreeMap<QuestionId, Given>);

impl Answers {
    /// None yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an answer; a later one replaces it.
    pub fn put(&mut self, question: QuestionId, given: Given) {
        self.0.insert(question, given);
    }

    /// The answer to this question.
    #[must_use]
    pub fn get(&self, question: &QuestionId) -> Option<&Given> {
        self.0.get(question)
    }

    /// Takes over `later`, which wins.
    pub fn merge(&mut self, later: Self) {
        self.0.extend(later.0);
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Questions without an answer, in declared order.
    #[must_use]
    pub fn missing<'q>(&self, questions: &'q Questions) -> Vec<&'q Question> {
        questions.iter().filter(|q| !self.0.contains_key(&q.id)).collect()
    }

    /// Questions with their answers, in declared order.
    pub fn iter<'a>(&'a self, questions: &'a Questions) -> impl Iterator<Item = (&'a Question, &'a Given)> {
        questions.iter().filter_map(|q| Some((q, self.0.get(&q.id)?)))
    }
}

impl FromIterator<(QuestionId, Given)> for Answers {
    fn from_iter<I: IntoIterator<Item = (QuestionId, Given)>>(iter: I) -> Self {
        Self(iter.into_iter().collect())
    }
}
