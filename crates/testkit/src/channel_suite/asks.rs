//! What agents ask in the cases, as JSON.

use serde_json::{Value, json};

/// One question: staging or production?
pub(super) fn target() -> Value {
    json!({ "questions": [target_question()] })
}

/// The same with background, a session and descriptions.
pub(super) fn explained() -> Value {
    json!({
        "questions": [{
            "id": "deploy_target",
            "header": "Target",
            "question": "Where should this go?",
            "options": [
                { "label": "Staging (Recommended)", "description": "Safe; resets nightly" },
                { "label": "Production", "description": "Everybody sees it" },
            ],
        }],
        "context": "The build is green.",
        "session": { "id": "s-1", "title": "shop" },
    })
}

/// One question of this text with these labels.
pub(super) fn single(question: &str, labels: &[&str]) -> Value {
    let options: Vec<Value> = labels.iter().map(|label| json!({ "label": label })).collect();
    json!({ "questions": [{ "id": "q", "header": "Question", "question": question, "options": options }] })
}

/// One question that takes several answers.
pub(super) fn alerts() -> Value {
    json!({ "questions": [alerts_question()] })
}

/// Two questions.
pub(super) fn two() -> Value {
    json!({ "questions": [target_question(), alerts_question()] })
}

/// `ask` with another time-out.
pub(super) fn for_seconds(mut ask: Value, seconds: u32) -> Value {
    ask["timeoutSeconds"] = seconds.into();
    ask
}

fn target_question() -> Value {
    json!({
        "id": "deploy_target",
        "header": "Target",
        "question": "Where should this go?",
        "options": [{ "label": "Staging" }, { "label": "Production" }],
    })
}

fn alerts_question() -> Value {
    json!({
        "id": "alerts",
        "header": "Alerts",
        "question": "Who should hear about it?",
        "options": [{ "label": "Ops" }, { "label": "Developers" }, { "label": "Nobody" }],
        "multiSelect": true,
    })
}
