//! What an agent asks.
//!
//! An [`Ask`] is made once by the broker from a validated [`Draft`] and then changes only in its
//! [`stage`](crate::stage). Validation is in [`validate`], the question itself in [`question`].

pub mod question;
pub mod validate;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

pub use self::question::{Choice, Header, Question, Questions};
use crate::{
    id::{ActionToken, AskId, PersonName, RunId, TokenName},
    stage::Stage,
};

/// A valid request, not yet an ask: nobody was chosen to answer it and nothing is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// What is asked.
    pub questions: Questions,
    /// How long people have to answer: 30-3600 whole seconds (SPEC 1), already clamped.
    pub timeout_seconds: u32,
    /// Background for the human, in short Markdown; at most 4000 characters.
    pub context: Option<String>,
    /// The agent's session, for routes and for the human.
    pub session: Option<Session>,
    /// The agent's run, for cancelling together.
    pub run: Option<RunId>,
    /// What was helpfully corrected.
    pub warnings: Vec<Warning>,
}

/// One stored ask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ask {
    /// Its name, everywhere.
    pub id: AskId,
    /// The token that asked: its owner may read, wait for and cancel it.
    pub owner: TokenName,
    /// Who asks, as people see it. From the token's name or from what the client says of itself.
    pub agent: String,
    /// The agent's session, if it named one.
    pub session: Option<Session>,
    /// The agent's run, if it named one.
    pub run: Option<RunId>,
    /// Background for the human, in short Markdown.
    pub context: Option<String>,
    /// What is asked.
    pub questions: Questions,
    /// What its buttons carry.
    pub action: ActionToken,
    /// Who may answer, as the route said when the ask was made. A person who has since left the configuration
    /// resolves to no account, and so cannot answer.
    pub answerers: Vec<PersonName>,
    /// Whether it waits for somebody to open the panel (or the API, or the command line) although no channel could
    /// be tried: such an ask does not end as undelivered before its deadline.
    pub waits_for_panel: bool,
    /// When it was stored.
    pub created_at: Timestamp,
    /// When it ends by itself. An answer counts up to, not at, this instant.
    pub deadline: Timestamp,
    /// What was corrected or should be known by the agent's author.
    pub warnings: Vec<Warning>,
    /// Where it is in its life.
    pub stage: Stage,
}

/// The conversation an agent works in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// The agent's own id; routes match it by pattern.
    pub id: String,
    /// A title for the human.
    pub title: Option<String>,
}

/// Something the agent's author should know although the ask was taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Warning {
    /// The time-out was out of range and was moved to the nearest bound (seconds).
    TimeoutClamped {
        /// As received.
        received: i64,
        /// As used.
        used: u32,
    },
    /// A header was longer than 12 grapheme clusters and was cut.
    HeaderCut {
        /// The question's id.
        question: String,
    },
    /// No channel shows this ask: it is seen only by who opens the panel, the API or the command line.
    NoChannel,
}

impl Warning {
    /// What it is about in one word, for programs. Part of the API; never changes.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::TimeoutClamped { .. } => "timeout_clamped",
            Self::HeaderCut { .. } => "header_cut",
            Self::NoChannel => "no_channel",
        }
    }

    /// The same in an English sentence, for the agent and its author.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            // What saturated was never received.
            Self::TimeoutClamped {
                received: i64::MIN | i64::MAX,
                used,
            } => format!("timeoutSeconds was far out of range; {used} is used"),
            Self::TimeoutClamped { received, used } => {
                format!("timeoutSeconds was {received}; {used} is used")
            }
            Self::HeaderCut { question } => format!("the header of {question} was cut to 12 characters"),
            Self::NoChannel => {
                "no channel shows this ask: it waits for somebody to open the panel, the API or the command line"
                    .to_owned()
            }
        }
    }
}
