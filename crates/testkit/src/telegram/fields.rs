//! Reading the fields of JSON objects as the server does, with the server's complaints.
//!
//! A missing field and one of the wrong type are told apart, and a `null` is of the wrong type. Numbers may come as
//! texts. Source: TDLib, `JsonObject::get_required_string_field` and its sisters.

use serde_json::{Map, Value};

type Fields = Map<String, Value>;

/// A text that has to be there.
pub(crate) fn string(fields: &Fields, name: &str) -> Result<String, String> {
    optional_string(fields, name)?.ok_or_else(|| missing(name))
}

/// A text that may be missing. Numbers are taken for texts.
pub(crate) fn optional_string(fields: &Fields, name: &str) -> Result<Option<String>, String> {
    match fields.get(name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(Value::Number(number)) => Ok(Some(number.to_string())),
        Some(_) => Err(wrong(name, "String")),
    }
}

/// A whole number that has to be there.
pub(crate) fn integer(fields: &Fields, name: &str) -> Result<i64, String> {
    let number = match fields.get(name).ok_or_else(|| missing(name))? {
        Value::Number(number) => number.as_i64(),
        Value::String(text) => text.parse().ok(),
        _ => return Err(wrong(name, "Number")),
    };
    number.ok_or_else(|| format!("Field \"{name}\" must be a valid Number"))
}

/// A switch, off where it is missing.
pub(crate) fn switch(fields: &Fields, name: &str) -> Result<bool, String> {
    match fields.get(name) {
        None => Ok(false),
        Some(Value::Bool(on)) => Ok(*on),
        Some(_) => Err(wrong(name, "Boolean")),
    }
}

/// An array, if it is there.
pub(crate) fn array<'a>(fields: &'a Fields, name: &str) -> Result<Option<&'a Vec<Value>>, String> {
    match fields.get(name) {
        None => Ok(None),
        Some(Value::Array(values)) => Ok(Some(values)),
        Some(_) => Err(wrong(name, "Array")),
    }
}

/// The complaint with its first letter as it stands behind `Bad Request: `.
pub(crate) fn sentence(fault: &str) -> String {
    let mut chars = fault.chars();
    chars
        .next()
        .map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

fn missing(name: &str) -> String {
    format!("Can't find field \"{name}\"")
}

fn wrong(name: &str, kind: &str) -> String {
    format!("Field \"{name}\" must be of type {kind}")
}
