//! Reading one section of the tree, key by key, noting every fault.
//!
//! A section knows which keys were asked for, and [`Section::finish`] reports the others, so that a misspelt key is
//! never passed over. All readers return `None` both for an absent key and for one with a fault: whoever reads goes
//! on either way, and the faults decide at the end.

use std::{cell::RefCell, collections::BTreeSet, ops::RangeInclusive};

use super::{
    fault::{Faults, Origin},
    tree::{Node, Table, Value},
};

/// One section.
pub(crate) struct Section<'a> {
    path: String,
    origin: Option<&'a Origin>,
    entries: Option<&'a Table>,
    asked: RefCell<BTreeSet<String>>,
    faults: &'a Faults,
}

/// A value that was read, with its key and place, for faults that are found later.
#[derive(Clone, Debug)]
pub(crate) struct Found<T> {
    /// What was read.
    pub(crate) value: T,
    /// The key with its sections.
    pub(crate) key: String,
    /// Where it stands.
    pub(crate) origin: Origin,
}

impl<T> Found<T> {
    /// The same place with another value.
    pub(super) fn with<U>(self, value: U) -> Found<U> {
        let Self { key, origin, .. } = self;
        Found { value, key, origin }
    }
}

impl<'a> Section<'a> {
    /// The whole tree.
    pub(super) fn root(tree: &'a Table, faults: &'a Faults) -> Self {
        Self::new(String::new(), None, Some(tree), faults)
    }

    fn new(path: String, origin: Option<&'a Origin>, entries: Option<&'a Table>, faults: &'a Faults) -> Self {
        let asked = RefCell::default();
        Self {
            path,
            origin,
            entries,
            asked,
            faults,
        }
    }

    /// The section `key` of this one; an empty one where there is none.
    pub(super) fn section(&self, key: &str) -> Section<'a> {
        match self.get(key) {
            Some(node) => self.as_section(self.path_of(key), node),
            None => Self::new(self.path_of(key), self.origin, None, self.faults),
        }
    }

    /// The sections `[key.NAME]`, in the order of their names.
    pub(super) fn named(&self, key: &str) -> Vec<(&'a str, Section<'a>)> {
        let outer = self.section(key);
        let entries = outer.entries.into_iter().flatten();
        entries
            .map(|(name, node)| (name.as_str(), self.as_section(outer.path_of(name), node)))
            .collect()
    }

    /// The sections `[[key]]`, in their order.
    pub(super) fn list(&self, key: &str) -> Vec<Section<'a>> {
        let Some(node) = self.get(key) else {
            return Vec::new();
        };
        let path = self.path_of(key);
        match &node.value {
            Value::List(items) => {
                let numbered = items.iter().enumerate();
                numbered
                    .map(|(n, item)| self.as_section(format!("{path}[{n}]"), item))
                    .collect()
            }
            other => {
                let reason = format!("must be written as [[{path}]], not as {}", other.kind());
                self.faults.add(Some(&node.origin), path, reason);
                Vec::new()
            }
        }
    }

    /// Whether the key is there, be it right or wrong.
    pub(super) fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// A text that is not blank, trimmed.
    pub(crate) fn text(&self, key: &str) -> Option<Found<String>> {
        let node = self.get(key)?;
        self.text_of(self.path_of(key), node)
    }

    /// A text that `read` turns into something else, or says why it cannot.
    pub(crate) fn parsed<T, E: ToString>(
        &self,
        key: &str,
        read: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<Found<T>> {
        let text = self.text(key)?;
        match read(&text.value) {
            Ok(value) => Some(text.with(value)),
            Err(reason) => {
                self.refuse(&text, reason.to_string());
                None
            }
        }
    }

    /// A whole number within bounds. A variable writes it in digits.
    pub(crate) fn integer(&self, key: &str, bounds: RangeInclusive<u32>) -> Option<u32> {
        let node = self.get(key)?;
        let from_text = |text: &String| text.trim().parse().ok();
        let number: Option<i64> = match (&node.value, &node.origin) {
            (Value::Integer(number), _) => Some(*number),
            (Value::Text(text), Origin::Variable(_) | Origin::Flag(_)) => from_text(text),
            _ => None,
        };
        let fitting = number
            .and_then(|number| u32::try_from(number).ok())
            .filter(|n| bounds.contains(n));
        if fitting.is_none() {
            let reason = format!(
                "must be a whole number from {} to {}",
                bounds.start(),
                bounds.end()
            );
            self.faults.add(Some(&node.origin), self.path_of(key), reason);
        }
        fitting
    }

    /// A list of texts; a single text is a list of one. A variable separates them by commas.
    pub(crate) fn texts(&self, key: &str) -> Vec<Found<String>> {
        let Some(node) = self.get(key) else {
            return Vec::new();
        };
        let path = self.path_of(key);
        match (&node.value, &node.origin) {
            (Value::List(items), _) => items
                .iter()
                .filter_map(|item| self.text_of(path.clone(), item))
                .collect(),
            (Value::Text(text), Origin::Variable(_) | Origin::Flag(_)) => {
                let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
                let found = |part: &str| {
                    let (key, origin) = (path.clone(), node.origin.clone());
                    Found {
                        value: part.to_owned(),
                        key,
                        origin,
                    }
                };
                parts.map(found).collect()
            }
            _ => self.text_of(path, node).into_iter().collect(),
        }
    }

    /// Notes a fault of a value that was read.
    pub(crate) fn refuse<T>(&self, found: &Found<T>, reason: impl Into<String>) {
        self.faults.add(Some(&found.origin), &found.key, reason);
    }

    /// Notes that `key` is needed and absent. Not called where it is there and wrong: that was noted.
    pub(crate) fn lacks(&self, key: &str, reason: impl Into<String>) {
        self.faults.add(self.origin, self.path_of(key), reason);
    }

    /// Notes a fault of the section as a whole.
    pub(crate) fn fault(&self, reason: impl Into<String>) {
        self.faults.add(self.origin, &self.path, reason);
    }

    /// Reports every key that nobody asked for.
    pub(crate) fn finish(self) {
        let asked = self.asked.borrow();
        for (key, node) in self
            .entries
            .into_iter()
            .flatten()
            .filter(|(key, _)| !asked.contains(*key))
        {
            let known: Vec<&str> = asked.iter().map(String::as_str).collect();
            let reason = format!("no such key; known here: {}", known.join(", "));
            self.faults.add(Some(&node.origin), self.path_of(key), reason);
        }
    }

    fn get(&self, key: &str) -> Option<&'a Node> {
        self.asked.borrow_mut().insert(key.to_owned());
        self.entries?.get(key)
    }

    fn as_section(&self, path: String, node: &'a Node) -> Section<'a> {
        if let Value::Table(entries) = &node.value {
            return Self::new(path, Some(&node.origin), Some(entries), self.faults);
        }
        let reason = format!("must be a section, not {}", node.value.kind());
        self.faults.add(Some(&node.origin), path.clone(), reason);
        Self::new(path, Some(&node.origin), None, self.faults)
    }

    fn text_of(&self, path: String, node: &Node) -> Option<Found<String>> {
        let reason = match &node.value {
            Value::Text(text) if !text.trim().is_empty() => {
                let (value, origin) = (text.trim().to_owned(), node.origin.clone());
                return Some(Found {
                    value,
                    key: path,
                    origin,
                });
            }
            Value::Text(_) => "must not be blank".to_owned(),
            other => format!("must be a text in quotes, not {}", other.kind()),
        };
        self.faults.add(Some(&node.origin), path, reason);
        None
    }

    fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.path)
        }
    }
}
