//! What is asked in the stories, as it goes over the wire.

use serde_json::{Value, json};

/// One question with two options.
#[must_use]
pub fn target() -> Value {
    json!({ "questions": [question("deploy_target", &["Staging (Recommended)", "Production"])] })
}

/// Two questions; of the second any number of options may be chosen.
#[must_use]
pub fn two() -> Value {
    let mut alerts = question("alerts", &["Ops", "Developers"]);
    alerts["multiSelect"] = json!(true);
    json!({ "questions": [question("deploy_target", &["Staging (Recommended)", "Production"]), alerts] })
}

/// One question of an ask.
#[must_use]
pub fn question(id: &str, labels: &[&str]) -> Value {
    let options: Vec<Value> = labels.iter().map(|label| json!({ "label": label })).collect();
    json!({ "id": id, "header": "Header", "question": "Which one should it be?", "options": options })
}
