//! Reads leniently what models get wrong, before anything is checked.
//!
//! Models send an option as a bare text where an object is wanted, or put a list into quotes. What they mean is
//! plain, and to refuse it costs a turn or starts a loop. So a few shapes are read as what they can only mean, and
//! the result says so. Everything else is left as it is for the validation, which names every fault. No other entrance
//! does this: programs get their calls right once.

use serde_json::{Map, Value};

/// The arguments of `ask_user` as they are to be checked, and what was read into them, a sentence each.
pub(crate) fn ask(arguments: Value) -> (Value, Vec<String>) {
    let (mut body, mut notes) = unquoted_arguments(arguments);
    if let Some(questions) = body.get_mut("questions") {
        let read = unquoted(questions.take(), "questions", &mut notes);
        *questions = match read {
            Value::Object(one) => {
                notes.push("questions was a single object and was read as a list of one.".to_owned());
                Value::Array(vec![Value::Object(one)])
            }
            other => other,
        };
        for (n, question) in questions.as_array_mut().into_iter().flatten().enumerate() {
            let name = format!("question {}", n + 1);
            *question = unquoted(question.take(), &name, &mut notes);
            if let Some(options) = question.get_mut("options") {
                *options = list_of_options(options.take(), &name, &mut notes);
            }
        }
    }
    (body, notes)
}

/// The arguments of any tool, out of quotes.
pub(crate) fn unquoted_arguments(arguments: Value) -> (Value, Vec<String>) {
    let mut notes = Vec::new();
    let read = unquoted(arguments, "the arguments", &mut notes);
    (read, notes)
}

/// A JSON object or list that was put into quotes, without them.
fn unquoted(value: Value, name: &str, notes: &mut Vec<String>) -> Value {
    let Value::String(text) = &value else { return value };
    match serde_json::from_str(text) {
        Ok(inner @ (Value::Object(_) | Value::Array(_))) => {
            notes.push(format!("{name} came as JSON in a string; read as that JSON."));
            inner
        }
        _ => value,
    }
}

/// Other JSON in quotes is a label that people should see as it is: `{}`, `["a"]`.
fn is_option_in_quotes(option: &Value) -> bool {
    let read = option.as_str().map(serde_json::from_str::<Value>);
    read.is_some_and(|read| read.is_ok_and(|read| read["label"].is_string()))
}

fn list_of_options(options: Value, question: &str, notes: &mut Vec<String>) -> Value {
    let options = unquoted(options, &format!("options of {question}"), notes);
    let Value::Array(mut options) = options else {
        return options;
    };
    let mut labels = false;
    for (n, option) in options.iter_mut().enumerate() {
        if is_option_in_quotes(option) {
            *option = unquoted(option.take(), &format!("option {} of {question}", n + 1), notes);
        }
        if let Value::String(label) = option {
            *option = Value::Object(Map::from_iter([("label".to_owned(), label.as_str().into())]));
            labels = true;
        }
    }
    if labels {
        notes.push(format!(
            "options of {question} held plain strings; each was read as a label."
        ));
    }
    Value::Array(options)
}
