//! What agents ask in these stories, and what they get.

use std::collections::BTreeMap;

use askd_stories::Askd;
use serde_json::{Value, json};

/// One question, as an agent would ask it.
pub(crate) fn deploy() -> Value {
    json!({ "questions": [target()] })
}

/// Another one, of which any number of options may be chosen.
pub(crate) fn whom_to_tell() -> Value {
    json!({ "questions": [alerts()] })
}

/// Both in one ask.
pub(crate) fn deploy_and_tell() -> Value {
    json!({ "questions": [target(), alerts()] })
}

fn target() -> Value {
    json!({ "id": "deploy_target", "header": "Target", "question": "Where should this go?", "options": [
        { "label": "Staging (Recommended)", "description": "Safe; resets nightly" },
        { "label": "Production" },
    ] })
}

fn alerts() -> Value {
    json!({
        "id": "alerts", "header": "Alerts", "question": "Who should hear about it?", "multiSelect": true,
        "options": [{ "label": "Ops" }, { "label": "Developers" }],
    })
}

/// Asks, and waits until askd itself knows that it is shown. A text that comes between the message and the platform's
/// answer to the call that sent it is not taken for a reply yet, and people are not that fast.
pub(crate) fn asks(askd: &Askd, body: &Value) -> String {
    asks_until(askd, body, |deliveries| {
        deliveries.values().all(|state| state == "shown")
    })
}

/// Asks, and waits until the deliveries, their states by channel, are as `fits` says.
pub(crate) fn asks_until(
    askd: &Askd,
    body: &Value,
    fits: impl Fn(&BTreeMap<String, String>) -> bool,
) -> String {
    let id = askd.agent.ask(body).id();
    until_delivered(askd, &id, fits);
    id
}

/// Waits until the deliveries of an ask are as `fits` says.
pub(crate) fn until_delivered(askd: &Askd, ask: &str, fits: impl Fn(&BTreeMap<String, String>) -> bool) {
    let mut events = askd.operator.events();
    while !fits(&deliveries(askd, ask)) {
        events.until("delivery");
    }
}

/// The states of an ask's deliveries by channel.
pub(crate) fn deliveries(askd: &Askd, ask: &str) -> BTreeMap<String, String> {
    let ask = askd.agent.read(ask);
    let deliveries = ask["deliveries"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    deliveries
        .map(|delivery| (text(&delivery["channel"]), text(&delivery["state"])))
        .collect()
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
