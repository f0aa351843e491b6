//! The cases, by theme.

mod answering;
mod asking;
mod results;
mod rights;

use serde_json::{Value, json};

use super::Case;

pub(super) fn all() -> Vec<Case> {
    [
        asking::cases(),
        results::cases(),
        answering::cases(),
        rights::cases(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// One question.
fn target() -> Value {
    json!({ "questions": [question("deploy_target", &["Staging (Recommended)", "Production"], false)] })
}

/// Two questions, the second of which takes several answers.
fn two() -> Value {
    json!({ "questions": [
        question("deploy_target", &["Staging", "Production"], false),
        question("alerts", &["Ops", "Developers", "Nobody"], true),
    ] })
}

fn question(id: &str, labels: &[&str], several: bool) -> Value {
    let options: Vec<Value> = labels.iter().map(|label| json!({ "label": label })).collect();
    json!({
        "id": id,
        "header": "Header",
        "question": "Which one?",
        "options": options,
        "multiSelect": several,
    })
}
