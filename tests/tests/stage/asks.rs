//! What agents ask in these stories, and what they get.

use askd_stories::Askd;
use serde_json::{Value, json};

/// One question, as an agent would ask it.
pub(crate) fn deploy() -> Value {
    json!({ "questions": [target()] })
}

/// Two questions.
pub(crate) fn deploy_and_tell() -> Value {
    json!({ "questions": [target(), {
        "id": "alerts", "header": "Alerts", "question": "Who should hear about it?", "multiSelect": true,
        "options": [{ "label": "Ops" }, { "label": "Developers" }],
    }] })
}

fn target() -> Value {
    json!({ "id": "deploy_target", "header": "Target", "question": "Where should this go?", "options": [
        { "label": "Staging (Recommended)", "description": "Safe; resets nightly" },
        { "label": "Production" },
    ] })
}

/// Asks, and waits until askd itself knows that it is shown. A text that comes between the message and the platform's
/// answer to the call that sent it is not taken for a reply yet, and people are not that fast.
pub(crate) fn asks(askd: &Askd, body: &Value) -> String {
    let mut events = askd.operator.events();
    let id = askd.agent.ask(body).id();
    loop {
        let deliveries = askd.agent.read(&id)["deliveries"].clone();
        let mut deliveries = deliveries.as_array().unwrap().iter();
        if deliveries.all(|delivery| delivery["state"] == "shown") {
            return id;
        }
        events.until("delivery");
    }
}

/// What the agent has got; waits for it.
pub(crate) fn result(askd: &Askd, ask: &str) -> Value {
    let answer = askd.agent.get(&format!("/v1/asks/{ask}?wait=55"));
    answer.body["result"].clone()
}

/// The answers of a result.
pub(crate) fn answers(result: &Value) -> &Value {
    &result["answers"]["answers"]
}
