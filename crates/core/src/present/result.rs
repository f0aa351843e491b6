//! What the agent is told, in English.
//!
//! Agents read English, so nothing here comes from the catalogues, and nothing is isolated: an agent gets the text
//! of labels and answers as it is.

use std::fmt::Write as _;

use crate::{
    answer::Given,
    ask::{Ask, Question},
    stage::{End, Outcome, Stage, Unreached},
};

/// Tells a model what to do while nobody has answered.
pub const PENDING: &str =
    "Nobody has answered yet. Call ask_user_wait with this askId to go on waiting; do not ask again.";

/// The one sentence that tells a model what to do after `outcome`.
#[must_use]
pub fn message(outcome: &Outcome) -> &'static str {
    match &outcome.end {
        End::Answered { .. } => "The user answered; act on it.",
        End::Skipped { .. } => "The user declined to answer; continue with your best judgment.",
        End::Expired => "No answer came in time; continue with your best judgment.",
        End::Cancelled => "The question was cancelled; continue with your best judgment.",
        End::Undelivered(Unreached::NoRoute) => {
            "Nobody saw the question, because no route leads to anybody; continue with your best judgment."
        }
        End::Undelivered(Unreached::NoAccount) => {
            "Nobody saw the question, because nobody it is for can be reached; continue with your best judgment."
        }
        End::Undelivered(Unreached::AllFailed) => {
            "Nobody saw the question, because it could not be delivered; continue with your best judgment."
        }
        End::Undelivered(Unreached::DeadlinePassed) => {
            "Nobody saw the question, because it could not be delivered in time; continue with your best judgment."
        }
    }
}

/// A result that can be understood without the call it answers: what to do, then each question with its numbered
/// options and its answer.
#[must_use]
pub fn summary_text(ask: &Ask) -> String {
    let (first, answers) = match &ask.stage {
        Stage::Pending(_) => (PENDING, None),
        Stage::Over(outcome) => match &outcome.end {
            End::Answered { answers, .. } => (message(outcome), Some(answers)),
            _ => (message(outcome), None),
        },
    };
    let mut text = first.to_owned();
    for question in &ask.questions {
        text.push_str("\n\n");
        text.push_str(&question_text(
            question,
            answers.and_then(|answers| answers.get(&question.id)),
        ));
    }
    text
}

fn question_text(question: &Question, given: Option<&Given>) -> String {
    let mut text = format!("{}: {}", question.header.as_str(), question.text);
    if question.multi_select {
        text.push_str(" (several may be chosen)");
    }
    for (n, choice) in question.choices.iter().enumerate() {
        let description = choice
            .description
            .as_deref()
            .map(|text| format!(": {text}"))
            .unwrap_or_default();
        write!(text, "\n{}. {}{description}", n + 1, choice.label).expect("a string takes everything");
    }
    let Some(given) = given else {
        text.push_str("\nNo answer.");
        return text;
    };
    let labels: Vec<&str> = given.answer.labels(question).collect();
    if !labels.is_empty() {
        write!(text, "\nAnswer: {}", labels.join("; ")).expect("a string takes everything");
    }
    for words in given.answer.own_words() {
        // Indented, so that a later line cannot pass for one of ours.
        let words = words.replace('\n', "\n   ");
        write!(text, "\nAnswer in own words: {words}").expect("a string takes everything");
    }
    text
}
