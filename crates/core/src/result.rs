//! What the agent gets.
//!
//! The first two fields are the contract of `ask_user` and never change; the rest is additional (SPEC 2). Every
//! entrance hands out this one type.

use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::{
    ask::Ask,
    present,
    stage::{End, SettledBy},
};

/// The result of an ask, as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "status", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum AgentResult {
    /// Every question has an answer.
    Answered {
        /// `{"answers": {question id: [values]}}`; values are labels in declared order, then own words.
        answers: AnswersView,
        /// The ask.
        ask_id: String,
        /// Who settled it.
        settled_by: SettledByView,
        /// When.
        settled_at: Timestamp,
        /// Ids of questions whose answer has own words.
        free_text: Vec<String>,
    },
    /// It ended without an answer.
    NoAnswer {
        /// `expired`, `skipped`, `cancelled` or `undelivered`.
        reason: &'static str,
        /// The ask.
        ask_id: String,
        /// What a model should do now, in one sentence.
        message: String,
    },
    /// A bounded hold ended first; wait again.
    Pending {
        /// The ask.
        ask_id: String,
        /// What a model should do now, in one sentence.
        message: String,
    },
}

/// Answers by question id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AnswersView {
    /// `{question id: [values]}`.
    pub answers: Map<String, Value>,
}

/// Who settled an ask, as agents and other people see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SettledByView {
    /// The person's name.
    pub name: String,
    /// The channel's name.
    pub channel: String,
    /// `tap`, `reply`, `form` or `api`.
    pub how: &'static str,
}

impl From<&SettledBy> for SettledByView {
    fn from(by: &SettledBy) -> Self {
        Self {
            name: by.name.clone(),
            channel: by.at.channel.to_string(),
            how: by.how.as_str(),
        }
    }
}

impl AgentResult {
    /// The result of this ask as it stands.
    #[must_use]
    pub fn of(ask: &Ask) -> Self {
        let ask_id = ask.id.to_string();
        let Some(outcome) = ask.outcome() else {
            return Self::Pending {
                ask_id,
                message: present::PENDING.to_owned(),
            };
        };
        let End::Answered { answers, by } = &outcome.end else {
            return Self::NoAnswer {
                reason: outcome.end.status(),
                ask_id,
                message: present::message(outcome).to_owned(),
            };
        };
        let given = || answers.iter(&ask.questions);
        let values = given()
            .map(|(q, given)| (q.id.to_string(), Value::from(given.answer.values(q))))
            .collect();
        let own = given().filter(|(_, given)| given.answer.has_own_words());
        Self::Answered {
            answers: AnswersView { answers: values },
            ask_id,
            settled_by: by.into(),
            settled_at: outcome.at,
            free_text: own.map(|(q, _)| q.id.to_string()).collect(),
        }
    }
}
