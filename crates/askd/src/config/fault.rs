//! What is wrong with a configuration: all of it, not the first of it.
//!
//! Reading never stops at a fault. Every part notes what it finds here and goes on with what it can, and at the end
//! either there is nothing here or there is no configuration. A fault names the key, the place and the reason, and
//! never quotes a value that may be a secret.

use std::{
    cell::RefCell,
    fmt,
    path::{Path, PathBuf},
};

/// Where a value comes from. The later kinds win over the earlier ones.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Origin {
    /// A line of the file, from 1.
    Line(usize),
    /// An environment variable.
    Variable(String),
    /// A flag of the command line.
    Flag(&'static str),
}

impl Origin {
    /// Whether both come from the same layer, so that neither wins.
    pub(super) fn same_layer(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Where; `None` where it is about the whole file, or about what is not there.
    pub(crate) origin: Option<Origin>,
    /// The key with its sections (`people.sara.language`); empty where it is about none.
    pub(crate) key: String,
    /// What is wrong and what would be right.
    pub(crate) reason: String,
}

/// Everything that is wrong; a list to add to while reading.
#[derive(Debug, Default)]
pub(crate) struct Faults(RefCell<Vec<Fault>>);

impl Faults {
    /// Notes one.
    pub(super) fn add(&self, origin: Option<&Origin>, key: impl Into<String>, reason: impl Into<String>) {
        let (key, reason) = (on_one_line(&key.into()), on_one_line(&reason.into()));
        let origin = origin.cloned();
        self.0.borrow_mut().push(Fault { origin, key, reason });
    }

    /// The configuration is bad if there is one; `file` is the one that was read.
    pub(super) fn verdict(self, file: Option<&Path>) -> Result<(), BadConfig> {
        let mut faults = self.0.into_inner();
        if faults.is_empty() {
            return Ok(());
        }
        faults.sort_by(|a, b| a.origin.cmp(&b.origin));
        Err(BadConfig {
            file: file.map(Path::to_path_buf),
            faults,
        })
    }
}

/// Keys are what somebody wrote, and each fault is told on a line of its own.
fn on_one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    line
}

/// A configuration that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) struct BadConfig {
    /// The file, if one was read.
    pub(crate) file: Option<PathBuf>,
    /// All that is wrong, in the order of the file; never empty.
    pub(crate) faults: Vec<Fault>,
}

impl BadConfig {
    /// One fault without a line; about the whole file, if `key` is empty.
    pub(super) fn of(file: Option<&Path>, key: impl Into<String>, reason: impl Into<String>) -> Self {
        let faults = Faults::default();
        faults.add(None, key, reason);
        Self {
            file: file.map(Path::to_path_buf),
            faults: faults.0.into_inner(),
        }
    }

    /// One line per fault: `config.toml:12: people.sara.language: …`, or the variable or flag in place of file and
    /// line.
    pub(crate) fn lines(&self) -> impl Iterator<Item = String> {
        self.faults.iter().map(|fault| self.line(fault))
    }

    fn line(&self, fault: &Fault) -> String {
        let file = self.file.as_ref().map(|file| file.display().to_string());
        let place = match (&fault.origin, file) {
            (Some(Origin::Line(line)), Some(file)) => Some(format!("{file}:{line}")),
            (Some(Origin::Line(line)), None) => Some(format!("line {line}")),
            (Some(Origin::Variable(name)), _) => Some(name.clone()),
            (Some(Origin::Flag(flag)), _) => Some((*flag).to_owned()),
            (None, file) => file,
        };
        let key = Some(&fault.key).filter(|key| !key.is_empty()).cloned();
        let parts: Vec<String> = place
            .into_iter()
            .chain(key)
            .chain([fault.reason.clone()])
            .collect();
        parts.join(": ")
    }
}

/// All lines.
impl fmt::Display for BadConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.lines().collect();
        f.write_str(&lines.join("\n"))
    }
}
