//! What a client's settings should say, before it is known what they say already.

use serde_json::Value;

/// One thing that a file should say. Saying it twice changes nothing.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Change {
    /// A table of our own: these fields, beside what its owner has added.
    Entry {
        /// Where, from the top.
        path: Vec<&'static str>,
        /// In the order in which they are written.
        fields: Vec<Field>,
    },
    /// A text that a list holds.
    Listed {
        /// Where the list is.
        path: Vec<&'static str>,
        /// What it holds.
        text: String,
    },
    /// The hook before Claude Code's question tool.
    Hook {
        /// What is run, as a shell reads it.
        command: String,
        /// When Claude Code gives it up. Unit: seconds.
        timeout: u32,
    },
    /// None of our hooks, before any tool.
    NoHook,
}

/// A field of an entry.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) value: Value,
    pub(super) keep: Keep,
}

/// What becomes of another value that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    /// It is replaced: without ours the entry does not work.
    Never,
    /// It stays if it is a larger number: a time-out may be longer.
    IfLarger,
    /// It stays: it is its owner's to decide.
    Always,
}

/// Fields that say how a server is reached, in any client. Those that an entry does not have are removed from it, so
/// that it does not say two things at once.
const REACHED_BY: [&str; 9] = [
    "type",
    "command",
    "args",
    "url",
    "httpUrl",
    "serverUrl",
    "headers",
    "bearer_token_env_var",
    "oauth",
];

impl Field {
    /// A field that must be as we say.
    pub(super) fn ours(name: &'static str, value: impl Into<Value>) -> Self {
        let value = value.into();
        Self {
            name,
            value,
            keep: Keep::Never,
        }
    }

    /// A number that may be larger.
    pub(super) fn at_least(name: &'static str, number: u32) -> Self {
        Self {
            name,
            value: number.into(),
            keep: Keep::IfLarger,
        }
    }

    /// What we propose where nothing is said.
    pub(super) fn unless_said(name: &'static str, value: impl Into<Value>) -> Self {
        let value = value.into();
        Self {
            name,
            value,
            keep: Keep::Always,
        }
    }

    /// What to write, where `there` stands now; `None` if that may stay.
    pub(super) fn instead_of(&self, there: Option<&Value>) -> Option<&Value> {
        let stays = there.is_some_and(|there| match self.keep {
            Keep::Never => *there == self.value,
            Keep::IfLarger => there.as_f64() >= self.value.as_f64(),
            Keep::Always => true,
        });
        (!stays).then_some(&self.value)
    }
}

/// The names to remove from an entry that gets these fields.
pub(super) fn superseded(fields: &[Field]) -> impl Iterator<Item = &'static str> {
    REACHED_BY
        .into_iter()
        .filter(|name| !fields.iter().any(|field| field.name == *name))
}

/// Why a file is left alone. Quotes nothing of it but names, because it may hold secrets.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Unfit {
    /// It cannot be read.
    #[error("line {line}, column {column}: {what}")]
    Syntax {
        line: usize,
        column: usize,
        what: String,
    },
    /// Something else stands where a table should.
    #[error("{0} is no table of settings")]
    NoTable(String),
    /// Something else stands where a list should.
    #[error("{0} is no list")]
    NoList(String),
    /// It can be read in two ways.
    #[error("{0} is there twice")]
    Twice(String),
}

/// A path as a message tells it.
pub(super) fn dotted(path: &[&str]) -> String {
    if path.is_empty() {
        return "the whole".to_owned();
    }
    path.join(".")
}
