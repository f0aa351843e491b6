//! Settings in TOML: Codex's.
//!
//! What is there keeps its place and its comments.

use serde_json::Value;
use toml_edit::{DocumentMut, InlineTable, Item, Table, TableLike, TomlError};

use super::change::{Change, Field, Unfit, dotted, superseded};

/// The file with all of this said. Only entries can be: the rest is Claude Code's, whose settings are JSON.
pub(super) fn with(text: &str, changes: &[Change]) -> Result<String, Unfit> {
    edit(text, |root| {
        changes.iter().try_for_each(|change| match change {
            Change::Entry { path, fields } => set_entry(root, path, fields),
            Change::Listed { .. } | Change::Hook { .. } | Change::NoHook => Ok(()),
        })
    })
}

/// The file with none of this said.
pub(super) fn without(text: &str, changes: &[Change]) -> Result<String, Unfit> {
    edit(text, |root| {
        for change in changes {
            if let Change::Entry { path, .. } = change {
                remove_entry(root, path);
            }
        }
        Ok(())
    })
}

fn edit(text: &str, act: impl FnOnce(&mut Table) -> Result<(), Unfit>) -> Result<String, Unfit> {
    let mut document: DocumentMut = text.parse().map_err(|error| syntax(text, &error))?;
    let before = document.to_string();
    act(document.as_table_mut())?;
    let written = document.to_string();
    // Written out again, even a text that nothing was done to may end its lines in another way.
    if written == before {
        return Ok(text.to_owned());
    }
    if text.contains("\r\n") {
        return Ok(written.replace("\r\n", "\n").replace('\n', "\r\n"));
    }
    Ok(written)
}

/// The parser's own message shows the line, which may hold a secret.
fn syntax(text: &str, error: &TomlError) -> Unfit {
    let at = error.span().map_or(0, |span| span.start);
    let before = text.get(..at).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    Unfit::Syntax {
        line: before.matches('\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
        what: error.message().lines().next().unwrap_or_default().to_owned(),
    }
}

fn set_entry(root: &mut Table, path: &[&str], fields: &[Field]) -> Result<(), Unfit> {
    let mut at: &mut dyn TableLike = root;
    let mut inline = false;
    for (depth, name) in path.iter().enumerate() {
        let is_last = depth + 1 == path.len();
        let next = at.entry(name).or_insert_with(|| table(inline, is_last));
        inline |= next.is_inline_table();
        at = next
            .as_table_like_mut()
            .ok_or_else(|| Unfit::NoTable(dotted(&path[..=depth])))?;
    }
    for name in superseded(fields) {
        at.remove(name);
    }
    for field in fields {
        let said = at.get(field.name).and_then(json);
        if let Some(value) = field.instead_of(said.as_ref()) {
            set(at, field.name, value);
        }
    }
    Ok(())
}

/// With the comments that stand around the old value.
fn set(at: &mut dyn TableLike, name: &str, value: &Value) {
    let mut new = toml(value);
    match at.get_mut(name) {
        Some(Item::Value(old)) => {
            *new.decor_mut() = old.decor().clone();
            *old = new;
        }
        Some(other) => *other = Item::Value(new),
        None => {
            at.insert(name, Item::Value(new));
        }
    }
}

/// A table of its own, or one inside a line where what it stands in is one. Those above ours need no header.
fn table(inline: bool, is_last: bool) -> Item {
    if inline {
        return Item::Value(InlineTable::new().into());
    }
    let mut table = Table::new();
    table.set_implicit(!is_last);
    Item::Table(table)
}

fn remove_entry(root: &mut Table, path: &[&str]) {
    let Some((name, parents)) = path.split_last() else {
        return;
    };
    let mut at: &mut dyn TableLike = root;
    for parent in parents {
        match at.get_mut(parent).and_then(Item::as_table_like_mut) {
            Some(next) => at = next,
            None => return,
        }
    }
    at.remove(name);
}

/// A value as JSON, as far as entries hold such.
fn json(item: &Item) -> Option<Value> {
    if let Some(items) = item.as_array() {
        let items = items.iter().map(|item| json(&Item::Value(item.clone())));
        return items.collect::<Option<_>>().map(Value::Array);
    }
    let text = item.as_str().map(Value::from);
    let number = item.as_integer().map(Value::from);
    let fraction = item.as_float().map(Value::from);
    text.or(number).or(fraction).or(item.as_bool().map(Value::from))
}

fn toml(value: &Value) -> toml_edit::Value {
    match value {
        Value::Bool(value) => (*value).into(),
        Value::Number(number) => number.as_i64().unwrap_or_default().into(),
        Value::Array(items) => items.iter().map(toml).collect(),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| (name.as_str(), toml(value)));
            fields.collect()
        }
        Value::String(text) => text.as_str().into(),
        Value::Null => "".into(),
    }
}

#[cfg(test)]
mod tests;
