//! An ask as the daemon sends it, as far as the command line shows it.
//!
//! Read leniently: a field that a newer daemon adds is passed over, and `--json` prints what was sent, not this.

use std::collections::BTreeMap;

use askd_core::ask::Questions;
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

/// One ask.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AskView {
    /// Its id.
    pub(crate) id: String,
    /// `pending`, or how it ended.
    pub(crate) status: String,
    /// Who asks.
    pub(crate) agent: String,
    /// The agent's session.
    pub(crate) session: Option<SessionView>,
    /// The agent's run.
    pub(crate) run: Option<String>,
    /// Background for the human.
    pub(crate) context: Option<String>,
    /// What is asked. The core's own, so that its options are marked here as they are read.
    pub(crate) questions: Questions,
    /// When it was stored.
    pub(crate) created_at: Timestamp,
    /// When it ends by itself.
    pub(crate) deadline: Timestamp,
    /// Where it is shown.
    #[serde(default)]
    pub(crate) deliveries: Vec<DeliveryView>,
    /// What the agent's author should know.
    #[serde(default)]
    pub(crate) warnings: Vec<WarningView>,
    /// What the agent gets; absent while the ask is pending.
    pub(crate) result: Option<ResultView>,
}

/// The conversation an agent works in.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct SessionView {
    /// The agent's own id.
    pub(crate) id: String,
    /// A title for the human.
    pub(crate) title: Option<String>,
}

/// One address the ask is shown at.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct DeliveryView {
    /// The whole address.
    pub(crate) address: String,
    /// Where the delivery is in its life.
    pub(crate) state: String,
    /// Why it failed.
    pub(crate) reason: Option<String>,
}

/// Something the agent's author should know.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct WarningView {
    /// In a sentence.
    pub(crate) message: String,
}

/// What the agent gets.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResultView {
    /// Why there is no answer.
    pub(crate) reason: Option<String>,
    /// What a model should do now.
    pub(crate) message: Option<String>,
    /// `{"answers": {question id: [values]}}`.
    pub(crate) answers: Option<AnswersView>,
    /// Who settled it.
    pub(crate) settled_by: Option<SettledByView>,
}

/// Answers by question id.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct AnswersView {
    /// `{question id: [values]}`.
    pub(crate) answers: BTreeMap<String, Vec<String>>,
}

/// Who settled an ask.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct SettledByView {
    /// The name.
    pub(crate) name: String,
    /// The channel.
    pub(crate) channel: String,
}

/// What became of an answer.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ReceiptView {
    /// `settled`, `kept`, `hint`, `too_late` or `not_yours`.
    pub(crate) receipt: String,
    /// The same in words.
    pub(crate) text: String,
}

impl AskView {
    /// Reads what the daemon sent.
    pub(crate) fn of(value: &Value) -> anyhow::Result<Self> {
        read(value)
    }

    /// Whether it waits for an answer.
    pub(crate) fn is_pending(&self) -> bool {
        self.status == "pending"
    }

    /// The end of the id, which tells asks of one moment apart; their beginnings are equal.
    pub(crate) fn short_id(&self) -> &str {
        short_id(&self.id)
    }
}

/// The last eight characters of an id.
pub(crate) fn short_id(id: &str) -> &str {
    id.len().checked_sub(8).and_then(|at| id.get(at..)).unwrap_or(id)
}

/// Reads a value that the daemon sent; one of another shape is another version's.
pub(crate) fn read<T: for<'de> Deserialize<'de>>(value: &Value) -> anyhow::Result<T> {
    T::deserialize(value)
        .map_err(|error| anyhow::anyhow!("askd answered in a shape this version does not know: {error}"))
}
