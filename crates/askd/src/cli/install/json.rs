//! Settings in JSON, with or without comments.
//!
//! What is there keeps its place, its comments and its white space; only what changes is written anew.

use jsonc_parser::{
    ParseOptions,
    cst::{CstArray, CstInputValue, CstObject, CstRootNode},
    errors::ParseError,
};
use serde_json::{Value, json};

use super::change::{Change, Field, Unfit, dotted, superseded};

/// Some editors write it at the beginning of a file.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// What clients take beside plain JSON; what none of them reads is an error here as well.
const TAKEN: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// Where Claude Code's hooks before a tool are.
const HOOKS: [&str; 2] = ["hooks", "PreToolUse"];

/// The tool that our hook stands before.
const QUESTION_TOOL: &str = "AskUserQuestion";

/// How our hook is recognised in whatever way askd is called: these words, behind a program.
const OUR_HOOK: &str = " hook claude-code";

/// The file with all of this said.
pub(super) fn with(text: &str, changes: &[Change]) -> Result<String, Unfit> {
    edit(text, |root| {
        changes.iter().try_for_each(|change| match change {
            Change::Entry { path, fields } => set_entry(root, path, fields),
            Change::Listed { path, text } => set_listed(root, path, text),
            Change::Hook { command, timeout } => set_hook(root, command, *timeout),
            Change::NoHook => remove_hook(root),
        })
    })
}

/// The file with none of this said.
pub(super) fn without(text: &str, changes: &[Change]) -> Result<String, Unfit> {
    if text.trim_start_matches(BYTE_ORDER_MARK).trim().is_empty() {
        return Ok(text.to_owned());
    }
    edit(text, |root| {
        changes.iter().try_for_each(|change| match change {
            Change::Entry { path, .. } => remove_entry(root, path),
            Change::Listed { path, text } => remove_listed(root, path, text),
            Change::Hook { .. } | Change::NoHook => remove_hook(root),
        })
    })
}

fn edit(text: &str, act: impl FnOnce(&CstObject) -> Result<(), Unfit>) -> Result<String, Unfit> {
    let (mark, text) = match text.strip_prefix(BYTE_ORDER_MARK) {
        Some(text) => (Some(BYTE_ORDER_MARK), text),
        None => (None, text),
    };
    let text = if text.trim().is_empty() { "{}\n" } else { text };
    let root = CstRootNode::parse(text, &TAKEN).map_err(|error| syntax(&error))?;
    let whole = root.object_value().ok_or_else(|| Unfit::NoTable(dotted(&[])))?;
    act(&whole)?;
    Ok(mark.into_iter().chain(root.to_string().chars()).collect())
}

fn syntax(error: &ParseError) -> Unfit {
    Unfit::Syntax {
        line: error.line_display(),
        column: error.column_display(),
        what: error.kind().to_string().to_lowercase(),
    }
}

// What is to be said.

fn set_entry(root: &CstObject, path: &[&str], fields: &[Field]) -> Result<(), Unfit> {
    let entry = object(root, path)?;
    for name in superseded(fields) {
        if let Some(there) = entry.get(name) {
            there.remove();
        }
    }
    for field in fields {
        once(&entry, path, field.name)?;
        set_field(&entry, field);
    }
    Ok(())
}

fn set_field(entry: &CstObject, field: &Field) {
    if let Some(value) = field.instead_of(said(entry, field.name).as_ref()) {
        match entry.get(field.name) {
            Some(there) => there.set_value(input(value)),
            None => {
                entry.append(field.name, input(value));
            }
        }
    }
}

fn set_listed(root: &CstObject, path: &[&str], text: &str) -> Result<(), Unfit> {
    let list = array(root, path)?;
    if position(&list, text).is_none() {
        list.append(text.into());
    }
    Ok(())
}

fn set_hook(root: &CstObject, command: &str, timeout: u32) -> Result<(), Unfit> {
    let groups = array(root, &HOOKS)?;
    let ours = our_hooks(&groups);
    // All of them: of hooks that are the same Claude Code runs one, and askd asks once for both where it does not.
    for our in &ours {
        set_field(&our.hook, &Field::ours("command", command));
        set_field(&our.hook, &Field::at_least("timeout", timeout));
    }
    if !ours.iter().any(|our| stands_before_questions(&our.group)) {
        groups.append(input(&json!({
            "matcher": QUESTION_TOOL,
            "hooks": [{ "type": "command", "command": command, "timeout": timeout }],
        })));
    }
    Ok(())
}

// What is no longer to be said. What is not there needs no removing, whatever else stands in its place.

fn remove_entry(root: &CstObject, path: &[&str]) -> Result<(), Unfit> {
    let Some((name, parents)) = path.split_last() else {
        return Ok(());
    };
    let mut at = root.clone();
    for (depth, parent) in parents.iter().enumerate() {
        once(&at, &path[..depth], parent)?;
        let Some(next) = at.object_value(parent) else {
            return Ok(());
        };
        at = next;
    }
    once(&at, parents, name)?;
    if let Some(entry) = at.get(name) {
        entry.remove();
    }
    Ok(())
}

fn remove_listed(root: &CstObject, path: &[&str], text: &str) -> Result<(), Unfit> {
    if let Some(list) = array_if_there(root, path)?
        && let Some(at) = position(&list, text)
        && let Some(element) = list.elements().into_iter().nth(at)
    {
        element.remove();
    }
    Ok(())
}

fn remove_hook(root: &CstObject) -> Result<(), Unfit> {
    let Some(groups) = array_if_there(root, &HOOKS)? else {
        return Ok(());
    };
    for our in our_hooks(&groups) {
        if our.of_group.elements().len() > 1 {
            our.hook.remove();
        } else {
            our.group.remove();
        }
    }
    Ok(())
}

// Finding one's way.

/// The object at this path, made where there is none.
fn object(root: &CstObject, path: &[&str]) -> Result<CstObject, Unfit> {
    let mut at = root.clone();
    for (depth, name) in path.iter().enumerate() {
        once(&at, &path[..depth], name)?;
        let next = at.object_value_or_create(name);
        at = next.ok_or_else(|| Unfit::NoTable(dotted(&path[..=depth])))?;
    }
    Ok(at)
}

/// The list at this path, made where there is none.
fn array(root: &CstObject, path: &[&str]) -> Result<CstArray, Unfit> {
    let (name, parents) = path.split_last().unwrap_or((&"", &[]));
    let parent = object(root, parents)?;
    once(&parent, parents, name)?;
    let list = parent.array_value_or_create(name);
    list.ok_or_else(|| Unfit::NoList(dotted(path)))
}

fn array_if_there(root: &CstObject, path: &[&str]) -> Result<Option<CstArray>, Unfit> {
    let (name, parents) = path.split_last().unwrap_or((&"", &[]));
    let mut at = root.clone();
    for (depth, parent) in parents.iter().enumerate() {
        once(&at, &path[..depth], parent)?;
        let Some(next) = at.object_value(parent) else {
            return Ok(None);
        };
        at = next;
    }
    once(&at, parents, name)?;
    Ok(at.array_value(name))
}

/// Of a name that is there twice clients read the last, and people the first.
fn once(at: &CstObject, path: &[&str], name: &str) -> Result<(), Unfit> {
    let named = at.properties().into_iter();
    let count = named
        .filter(|property| property.decoded_name().as_deref() == Some(name))
        .count();
    if count > 1 {
        return Err(Unfit::Twice(dotted(&[path, &[name]].concat())));
    }
    Ok(())
}

fn position(list: &CstArray, text: &str) -> Option<usize> {
    let wanted = Value::from(text);
    let mut elements = list.elements().into_iter();
    elements.position(|element| element.to_serde_value().as_ref() == Some(&wanted))
}

/// A hook of ours, and where it stands.
struct OurHook {
    group: CstObject,
    of_group: CstArray,
    hook: CstObject,
}

/// Every hook of ours, whichever tool it stands before.
fn our_hooks(groups: &CstArray) -> Vec<OurHook> {
    let mut ours = Vec::new();
    for group in groups.elements() {
        let Some(group) = group.as_object() else { continue };
        let Some(of_group) = group.array_value("hooks") else {
            continue;
        };
        let hooks = of_group.elements().into_iter();
        let hooks = hooks.filter_map(|hook| hook.as_object()).filter(is_ours);
        ours.extend(hooks.map(|hook| OurHook {
            group: group.clone(),
            of_group: of_group.clone(),
            hook,
        }));
    }
    ours
}

fn is_ours(hook: &CstObject) -> bool {
    let Some(Value::String(command)) = said(hook, "command") else {
        return false;
    };
    let mut behind = command.match_indices(OUR_HOOK).map(|(at, _)| {
        let (program, rest) = (&command[..at], &command[at + OUR_HOOK.len()..]);
        !program.trim().is_empty() && (rest.is_empty() || rest.starts_with(char::is_whitespace))
    });
    behind.any(|is_ours| is_ours)
}

/// Whether Claude Code runs the hooks of this group before its question tool, as far as that is plain. Seen with 2.1.332:
/// a name is compared whole, `|` lists names, and the same hook in two groups runs once. What only a regular expression
/// can tell counts for no, which costs a second entry and never the hook.
fn stands_before_questions(group: &CstObject) -> bool {
    match said(group, "matcher") {
        None => true,
        Some(Value::String(matcher)) => {
            ["", "*", ".*"].contains(&matcher.as_str())
                || matcher.split('|').any(|tool| tool == QUESTION_TOOL)
        }
        Some(_) => false,
    }
}

fn said(at: &CstObject, name: &str) -> Option<Value> {
    at.get(name)?.value()?.to_serde_value()
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(fields) => {
            // The hook reads best in the order that Claude Code's own pages have.
            let last = |name: &str| ["hooks", "timeout"].contains(&name);
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by_key(|(name, _)| (name.as_str() != "type", last(name)));
            let fields = fields
                .into_iter()
                .map(|(name, value)| (name.clone(), input(value)));
            CstInputValue::Object(fields.collect())
        }
    }
}

#[cfg(test)]
mod tests;
