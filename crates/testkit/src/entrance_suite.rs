//! What every entrance must do: the HTTP API, the command line, MCP.
//!
//! Behind each stands the same broker, so the same cases run through each. A case speaks as a caller with a token and
//! reads what is on the wire: asks, results, receipts and refusals as SPEC 6 has them. An entrance that has no way to
//! do something does not say that it can ([`Ability`]), and lists the cases that need it with a reason, as channels do.
//!
//! A test binary is a few lines with `harness = false`; [`direct`] shows what an entrance has to bring.

mod askd;
mod cases;
pub mod direct;

use std::{future::Future, pin::Pin, process::ExitCode, sync::Arc};

use askd_core::{
    id::{PersonName, TokenName},
    rights::{Principal, Role},
};
use async_trait::async_trait;
use libtest_mimic::Arguments;
use serde_json::Value;

pub use self::askd::Askd;
use crate::suite::{self, Entry};

/// A way to call askd.
#[async_trait]
pub trait Entrance: Send + Sync {
    /// What can be done through it. Asking always can.
    fn abilities(&self) -> &'static [Ability];

    /// Asks, under an idempotency key if one is given. Returns the ask.
    async fn ask(&self, caller: Caller, body: &Value, key: Option<&str>) -> Result<Value, Refusal>;

    /// Holds until an ask is over, for at most so many seconds (0 to 55). Returns the result: `answered`,
    /// `no_answer` or `pending`.
    async fn wait(&self, caller: Caller, id: &str, seconds: u8) -> Result<Value, Refusal>;

    /// Takes an ask back. Returns the ask.
    async fn cancel(&self, caller: Caller, id: &str) -> Result<Value, Refusal>;

    /// Reads an ask.
    async fn get(&self, caller: Caller, id: &str) -> Result<Value, Refusal>;

    /// Lists asks, of one status if one is given, newest first.
    async fn list(&self, caller: Caller, status: Option<&str>) -> Result<Vec<Value>, Refusal>;

    /// Answers with exact values, `{question id: [values]}`. Returns the receipt.
    async fn answer(&self, caller: Caller, id: &str, answers: &Value) -> Result<Value, Refusal>;

    /// Answers with a text. Returns the receipt.
    async fn reply(&self, caller: Caller, id: &str, text: &str) -> Result<Value, Refusal>;

    /// Declines an ask. Returns the receipt.
    async fn skip(&self, caller: Caller, id: &str) -> Result<Value, Refusal>;
}

/// Something that can be done through an entrance beside asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ability {
    /// Idempotency keys.
    Keys,
    /// Holding until an ask is over.
    Wait,
    /// Taking an ask back.
    Cancel,
    /// Reading and listing asks.
    Read,
    /// Answering with exact values.
    Answer,
    /// Answering with a text.
    Reply,
    /// Declining.
    Skip,
}

/// Who calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// An agent, whose asks go to Sara.
    Agent,
    /// Another agent, whose asks go to Omid.
    OtherAgent,
    /// An agent that no route mentions.
    LostAgent,
    /// A sub-agent of the first.
    Subagent,
    /// Sara.
    Sara,
    /// Omid.
    Omid,
    /// An operator.
    Operator,
}

impl Caller {
    /// Everybody with a token.
    pub const ALL: [Self; 7] = [
        Self::Agent,
        Self::OtherAgent,
        Self::LostAgent,
        Self::Subagent,
        Self::Sara,
        Self::Omid,
        Self::Operator,
    ];

    /// The token's name; its secret is in [`Caller::secret`].
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Agent => "build-bot",
            Self::OtherAgent => "other-bot",
            Self::LostAgent => "lost-bot",
            Self::Subagent => "helper-bot",
            Self::Sara => "sara",
            Self::Omid => "omid",
            Self::Operator => "root",
        }
    }

    /// The secret by which the broker's tokens recognise this caller.
    #[must_use]
    pub fn secret(self) -> String {
        format!("secret of {}", self.name()).replace(' ', "-")
    }

    /// As the broker sees this caller.
    #[must_use]
    pub fn principal(self) -> Principal {
        let role = match self {
            Self::Agent | Self::OtherAgent | Self::LostAgent => Role::Agent,
            Self::Subagent => Role::Subagent,
            Self::Sara | Self::Omid => Role::Person(PersonName::new(self.name())),
            Self::Operator => Role::Operator,
        };
        Principal {
            token: TokenName::new(self.name()),
            role,
        }
    }
}

/// Why a call was refused, whatever its form on the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The request breaks rules: pointer and rule of each fault, in the order reported.
    Invalid(Vec<(String, String)>),
    /// Sub-agents may do nothing.
    Subagent,
    /// The caller's role does not include this.
    Role,
    /// No such ask, or not one of the caller's.
    NoAsk,
    /// The key was used with another body.
    KeyReused,
    /// The caller has too many pending asks.
    TooManyPending,
    /// Anything else; no case expects it.
    Other(String),
}

/// An entrance to be held to the suite.
#[derive(Clone, Copy)]
pub struct Subject {
    /// Before the names of its cases.
    pub name: &'static str,
    /// Opens it before an askd. Called once for each case, within its runtime.
    pub open: fn(&Askd) -> Opening,
    /// The reviewed list of cases that cannot run: a line each, `case: reason`.
    pub ignores: &'static str,
}

/// An entrance that is being opened.
pub type Opening = Pin<Box<dyn Future<Output = Arc<dyn Entrance>>>>;

/// Runs every case through every subject, as a test binary does.
#[must_use]
pub fn run(subjects: Vec<Subject>) -> ExitCode {
    let trials = subjects.into_iter().flat_map(|subject| {
        let abilities = suite::block_on(async { (subject.open)(&Askd::new()).await.abilities() });
        let entries = cases::all().into_iter().map(|case| Entry {
            name: case.name,
            missing: case
                .needs
                .iter()
                .filter(|need| !abilities.contains(need))
                .map(|need| format!("{need:?}"))
                .collect(),
            run: Box::new(move || suite::block_on(play(subject, case))),
        });
        suite::trials(subject.name, subject.ignores, entries.collect())
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

async fn play(subject: Subject, case: Case) {
    let askd = Askd::new();
    let entrance = (subject.open)(&askd).await;
    (case.body)(&Desk { askd, entrance }).await;
}

/// What a case works with.
struct Desk {
    askd: Askd,
    entrance: Arc<dyn Entrance>,
}

/// One sentence of the contract.
#[derive(Clone, Copy)]
struct Case {
    name: &'static str,
    needs: &'static [Ability],
    body: for<'a> fn(&'a Desk) -> Pin<Box<dyn Future<Output = ()> + 'a>>,
}

/// Named functions as cases, after what they need.
macro_rules! sentences {
    ($([$($ability:ident),*] $name:ident;)*) => {
        vec![$($crate::entrance_suite::Case {
            name: stringify!($name),
            needs: &[$($crate::entrance_suite::Ability::$ability),*],
            body: |desk| Box::pin($name(desk)),
        }),*]
    };
}
use sentences;

impl Desk {
    /// Asks as the first agent; returns the id.
    async fn ask(&self, body: &Value) -> String {
        let ask = self.entrance.ask(Caller::Agent, body, None).await;
        id(&ask.expect("the ask is taken over"))
    }
}

fn id(ask: &Value) -> String {
    ask["id"].as_str().expect("an ask has an id").to_owned()
}
