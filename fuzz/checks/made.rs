//! JSON that is made of bytes, with the words that a reader looks for: raw bytes would hardly ever get past the parser.

use arbitrary::Unstructured;
use serde_json::{Map, Value, json};

/// What a reader looks for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vocabulary {
    /// Names of fields.
    pub(crate) keys: &'static [&'static str],
    /// Texts.
    pub(crate) words: &'static [&'static str],
}

/// A number from 0 to `most`; 0 where there are no bytes left.
pub(crate) fn up_to(bytes: &mut Unstructured<'_>, most: usize) -> usize {
    bytes.int_in_range(0..=most).unwrap_or(0)
}

fn one_of(bytes: &mut Unstructured<'_>, list: &[&'static str]) -> &'static str {
    list.get(up_to(bytes, list.len().saturating_sub(1)))
        .copied()
        .unwrap_or_default()
}

/// A text of such words and any others.
pub(crate) fn text(bytes: &mut Unstructured<'_>, of: &Vocabulary) -> String {
    match up_to(bytes, 5) {
        0 => bytes.arbitrary::<String>().unwrap_or_default(),
        1 => {
            let word = one_of(bytes, of.words);
            word.repeat(up_to(bytes, 2500))
        }
        2 => (0..up_to(bytes, 6)).map(|_| one_of(bytes, of.words)).collect(),
        _ => one_of(bytes, of.words).to_owned(),
    }
}

/// Any JSON, `depth` levels deep at most.
pub(crate) fn value(bytes: &mut Unstructured<'_>, of: &Vocabulary, depth: usize) -> Value {
    let kinds = if depth == 0 { 6 } else { 9 };
    match up_to(bytes, kinds) {
        0 => Value::Null,
        1 => json!(up_to(bytes, 1) == 1),
        2 => json!(bytes.arbitrary::<i64>().unwrap_or_default()),
        3 => json!(bytes.arbitrary::<f64>().unwrap_or_default()),
        4 => json!(up_to(bytes, 5000)),
        5 | 6 => Value::String(text(bytes, of)),
        7 => {
            let items = up_to(bytes, 5);
            (0..items).map(|_| value(bytes, of, depth - 1)).collect()
        }
        _ => object(bytes, of, depth - 1),
    }
}

fn object(bytes: &mut Unstructured<'_>, of: &Vocabulary, depth: usize) -> Value {
    let mut fields = Map::new();
    for _ in 0..up_to(bytes, 8) {
        let key = one_of(bytes, of.keys).to_owned();
        let key = if up_to(bytes, 15) == 0 {
            text(bytes, of)
        } else {
            key
        };
        fields.insert(key, value(bytes, of, depth));
    }
    Value::Object(fields)
}

/// `whole` with one part of it in another shape, missing, or beside one that it does not know.
pub(crate) fn changed(bytes: &mut Unstructured<'_>, of: &Vocabulary, mut whole: Value) -> Value {
    let mut part = &mut whole;
    for _ in 0..up_to(bytes, 6) {
        let (is_object, length) = match &*part {
            Value::Object(fields) => (true, fields.len()),
            Value::Array(items) => (false, items.len()),
            _ => break,
        };
        if length == 0 {
            break;
        }
        let at = up_to(bytes, length - 1);
        let inner = if is_object {
            part.as_object_mut()
                .and_then(|fields| fields.values_mut().nth(at))
        } else {
            part.as_array_mut().and_then(|items| items.get_mut(at))
        };
        let Some(inner) = inner else { return whole };
        part = inner;
    }
    match part {
        Value::Object(fields) if up_to(bytes, 2) > 0 => {
            let key = one_of(bytes, of.keys);
            if up_to(bytes, 1) == 0 {
                fields.shift_remove(key);
            } else {
                fields.insert(key.to_owned(), value(bytes, of, 2));
            }
        }
        part => *part = value(bytes, of, 2),
    }
    whole
}
