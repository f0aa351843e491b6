//! The file, the environment and the flags as one tree of values that know where they come from.
//!
//! Three layers are laid over each other key by key: a flag wins over a variable, a variable over the file. What a
//! key means is not known here; `section` reads the result.

use std::collections::BTreeMap;

use sha2::{Digest as _, Sha256};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{
    environment::Environment,
    fault::{Faults, Origin},
};

/// Values by key.
pub(super) type Table = BTreeMap<String, Node>;

/// A value and where it comes from.
#[derive(Clone, PartialEq)]
pub(super) struct Node {
    /// What it is.
    pub(super) value: Value,
    /// Where it stands; for a table, its header.
    pub(super) origin: Origin,
}

/// A value. Not `Debug`: texts may be secrets.
#[derive(Clone, PartialEq)]
pub(super) enum Value {
    /// A text.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// A list.
    List(Vec<Node>),
    /// Further keys.
    Table(Table),
    /// Of a type that no key of ours has; its name.
    Other(&'static str),
}

impl Value {
    /// The type in words, for faults.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "a text",
            Self::Integer(_) => "a number",
            Self::List(_) => "a list",
            Self::Table(_) => "a section",
            Self::Other(kind) => kind,
        }
    }
}

/// Reads a TOML text. Every syntax error is noted, and what could be read is returned.
pub(super) fn parse(text: &str, faults: &Faults) -> Table {
    let lines = Lines::of(text);
    let (document, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        let line = error.span().map(|span| lines.at(span.start));
        // Only the message: the error's full form quotes the line, which may hold a secret.
        faults.add(line.as_ref(), "", error.message());
    }
    table(document.get_ref(), &lines)
}

/// Lays one value over the tree. `path` is in lower case, and a key of the tree that differs only by case and by
/// `-` for `_` is the one that is meant: `build_bot` finds `build-bot`.
pub(super) fn lay_over(tree: &mut Table, path: &[String], value: &str, origin: &Origin, faults: &Faults) {
    let [key, rest @ ..] = path else { return };
    let known = tree
        .keys()
        .find(|known| known.to_lowercase().replace('-', "_") == *key)
        .cloned();
    let key = known.unwrap_or_else(|| key.clone());
    if rest.is_empty() {
        let value = Value::Text(value.to_owned());
        tree.insert(
            key,
            Node {
                value,
                origin: origin.clone(),
            },
        );
        return;
    }
    let node = tree.entry(key.clone()).or_insert_with(|| Node {
        value: Value::Table(Table::new()),
        origin: origin.clone(),
    });
    match &mut node.value {
        Value::Table(table) => lay_over(table, rest, value, origin, faults),
        other => {
            let reason = format!(
                "is {}, of which a variable cannot set a part; use the file",
                other.kind()
            );
            faults.add(Some(origin), key, reason);
        }
    }
}

/// Most parts of the path that a variable sets. Our deepest key has three (`channels.NAME.token`); each further one is a
/// call within a call.
const DEEPEST: usize = 8;

/// Lays the variables of `environment` over the tree.
pub(super) fn lay_environment_over(tree: &mut Table, environment: &Environment, faults: &Faults) {
    for (name, path, value) in environment.configuration() {
        let origin = Origin::Variable(name.to_owned());
        match value {
            _ if path.len() > DEEPEST => {
                faults.add(Some(&origin), path[0].as_str(), "holds no key of so many parts");
            }
            Some(value) => lay_over(tree, &path, value, &origin, faults),
            None => faults.add(Some(&origin), path.join("."), "is not UTF-8"),
        }
    }
}

/// SHA-256 of what a part of the tree says, wherever it stands.
pub(super) fn hash(node: Option<&Node>) -> [u8; 32] {
    let mut hash = Sha256::new();
    if let Some(node) = node {
        feed(&mut hash, &node.value);
    }
    hash.finalize().into()
}

fn feed(hash: &mut Sha256, value: &Value) {
    // Kind and length first, so that no two trees give the same bytes.
    let mut begin = |length: usize| hash.update(format!("{}:{length}:", value.kind()));
    match value {
        Value::Text(text) => {
            begin(text.len());
            hash.update(text);
        }
        Value::Integer(number) => {
            begin(0);
            hash.update(number.to_le_bytes());
        }
        Value::List(items) => {
            begin(items.len());
            for item in items {
                feed(hash, &item.value);
            }
        }
        Value::Table(entries) => {
            begin(entries.len());
            for (key, node) in entries {
                hash.update(format!("{}:{key}", key.len()));
                feed(hash, &node.value);
            }
        }
        Value::Other(_) => begin(0),
    }
}

fn table(source: &DeTable<'_>, lines: &Lines) -> Table {
    source
        .iter()
        .map(|(key, value)| (key.get_ref().to_string(), node(value, key.span().start, lines)))
        .collect()
}

fn node(source: &Spanned<DeValue<'_>>, key_start: usize, lines: &Lines) -> Node {
    let value = match source.get_ref() {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map_or(Value::Other("a number that is far too large"), Value::Integer),
        DeValue::Float(_) => Value::Other("a number with a fraction"),
        DeValue::Boolean(_) => Value::Other("true or false"),
        DeValue::Datetime(_) => Value::Other("a date or time"),
        DeValue::Array(list) => Value::List(
            list.iter()
                .map(|item| node(item, item.span().start, lines))
                .collect(),
        ),
        DeValue::Table(inner) => Value::Table(table(inner, lines)),
    };
    Node {
        value,
        origin: lines.at(key_start),
    }
}

/// Where lines begin, to turn positions into line numbers.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Self {
        let after_newlines = text.match_indices('\n').map(|(at, _)| at + 1);
        Self(std::iter::once(0).chain(after_newlines).collect())
    }

    fn at(&self, position: usize) -> Origin {
        Origin::Line(self.0.partition_point(|&start| start <= position))
    }
}
