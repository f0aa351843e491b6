//! What was tried, and what askd said of it. Knows no socket: actors tell it.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, MutexGuard, PoisonError},
};

use askd_stories::question;
use serde_json::{Value, json};

/// Two people, everywhere.
pub(super) const PEOPLE: [&str; 2] = ["Sara", "Omid"];

/// Everything that is known of all asks, by their number.
#[derive(Debug, Default)]
pub(super) struct Model {
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
pub(super) struct Known {
    pub(super) asks: Vec<Asked>,
    /// What must not have happened.
    pub(super) faults: Vec<String>,
}

/// One ask, from the moment an agent decided to make it.
#[derive(Debug)]
pub(super) struct Asked {
    /// Which agent's.
    pub(super) agent: usize,
    /// Whether it has two questions.
    pub(super) two: bool,
    /// Once askd acknowledged it.
    pub(super) id: Option<String>,
    /// What people sent off, by person and question, acknowledged or not.
    pub(super) tried: BTreeMap<(String, String), BTreeSet<String>>,
    /// Who sent off that they decline.
    pub(super) skipping: BTreeSet<String>,
    pub(super) cancelling: bool,
    /// What askd told those who answered over HTTP.
    pub(super) receipts: Vec<Fact>,
    /// Each result that was read, once.
    pub(super) results: Vec<Value>,
    /// Whether the agent that waits has got it.
    pub(super) waited: bool,
    /// How often the stream of events told of its end.
    pub(super) ends_told: usize,
}

/// An end that askd has acknowledged to somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fact {
    /// These values, by question.
    Answered(Value),
    Skipped,
}

impl Model {
    pub(super) fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn fault(&self, fault: String) {
        self.lock().faults.push(fault);
    }

    /// A new ask; its number.
    pub(super) fn begin(&self, agent: usize, two: bool) -> usize {
        let mut known = self.lock();
        known.asks.push(Asked {
            agent,
            two,
            id: None,
            tried: BTreeMap::new(),
            skipping: BTreeSet::new(),
            cancelling: false,
            receipts: Vec::new(),
            results: Vec::new(),
            waited: false,
            ends_told: 0,
        });
        known.asks.len() - 1
    }

    /// askd acknowledged an ask, or its repeat.
    pub(super) fn acknowledged(&self, number: usize, id: &str, repeat: bool) {
        let mut known = self.lock();
        let before = known.asks[number].id.replace(id.to_owned());
        match before {
            Some(before) if before != id => known
                .faults
                .push(format!("ask {number} is {before}, and then {id}")),
            Some(_) if !repeat => known
                .faults
                .push(format!("ask {number} was taken over twice: {id}")),
            _ => {}
        }
    }

    /// Somebody sends off a value.
    pub(super) fn tries(&self, number: usize, person: &str, question: &str, value: &str) {
        let key = (person.to_owned(), question.to_owned());
        let mut known = self.lock();
        known.asks[number]
            .tried
            .entry(key)
            .or_default()
            .insert(value.to_owned());
    }

    /// Somebody sends off that they decline.
    pub(super) fn skips(&self, number: usize, person: &str) {
        self.lock().asks[number].skipping.insert(person.to_owned());
    }

    /// Somebody read what an agent gets. Pending ones have none.
    pub(super) fn read(&self, number: usize, result: &Value) {
        if result.is_null() {
            return;
        }
        let mut known = self.lock();
        let results = &mut known.asks[number].results;
        if !results.contains(result) {
            results.push(result.clone());
        }
    }

    /// Asks that are acknowledged and of which nobody read the end yet.
    pub(super) fn open(&self) -> Vec<(usize, String)> {
        let known = self.lock();
        let open = known.asks.iter().enumerate();
        open.filter(|(_, asked)| asked.results.is_empty())
            .filter_map(|(number, asked)| Some((number, asked.id.clone()?)))
            .collect()
    }

    /// How many asks an agent still waits for, or could not hand over yet.
    pub(super) fn unfinished(&self) -> usize {
        self.lock().asks.iter().filter(|asked| !asked.waited).count()
    }

    pub(super) fn is_two(&self, number: usize) -> bool {
        self.lock().asks[number].two
    }
}

/// What an agent sends.
pub(super) fn body(number: usize, two: bool) -> Value {
    let mut questions = vec![named("first", number, &labels(number))];
    if two {
        let mut second = named("second", number, &second_labels(number));
        second["multiSelect"] = json!(true);
        questions.push(second);
    }
    json!({ "questions": questions, "timeoutSeconds": 3600 })
}

fn named(id: &str, number: usize, labels: &[String]) -> Value {
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let mut question = question(id, &labels);
    question["question"] = json!(format!("{} which one?", mark(number)));
    question
}

/// By which its messages are known; stands in each question.
pub(super) fn mark(number: usize) -> String {
    format!("Q{number:05}:")
}

/// The ask whose question stands in a text.
pub(super) fn marked(text: &str) -> Option<usize> {
    let digits = text.match_indices('Q').find_map(|(at, _)| {
        let digits = text.get(at + 1..at + 6)?;
        (text.get(at + 6..at + 7) == Some(":")).then_some(digits)
    })?;
    digits.parse().ok()
}

/// Of its first question. No other ask has them.
pub(super) fn labels(number: usize) -> [String; 3] {
    ["alpha", "beta", "gamma"].map(|word| format!("{word}-{number}"))
}

/// Of its second question.
pub(super) fn second_labels(number: usize) -> [String; 2] {
    ["ops", "dev"].map(|word| format!("{word}-{number}"))
}

/// In a person's own words.
pub(super) fn own(number: usize) -> String {
    format!("own-{number}")
}

/// What this person answers where an ask has two questions: always the same, so that nothing they said is replaced.
pub(super) fn choices(number: usize, person: usize) -> (usize, usize) {
    ((number + person) % 3, (number + person) % 2)
}

/// The values of asks that stand in a text, with the number of the ask.
pub(super) fn values(text: &str) -> impl Iterator<Item = (usize, String)> + '_ {
    const WORDS: [&str; 6] = ["alpha", "beta", "gamma", "ops", "dev", "own"];
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
    words.filter_map(|word| {
        let (name, number) = word.split_once('-')?;
        let known = WORDS.contains(&name);
        Some((number.parse().ok().filter(|_| known)?, word.to_owned()))
    })
}

#[test]
fn an_ask_is_known_by_what_is_read_of_it() {
    assert_eq!(marked("❓ agent\n\nHeader: Q00017: which one?"), Some(17));
    assert_eq!(marked("Quite: another text"), None);
    let found: Vec<_> = values("Your answer: Header: *beta-17*; ops-3, a-4").collect();
    assert_eq!(found, [(17, "beta-17".to_owned()), (3, "ops-3".to_owned())]);
}
