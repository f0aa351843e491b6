//! What agents ask in these stories, and what they get.

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
    asks_until(askd, body, |deliveries| deliveries.all_are("shown"))
}

/// Asks, and waits until the deliveries are as `fits` says.
pub(crate) fn asks_until(askd: &Askd, body: &Value, fits: impl Fn(&Deliveries) -> bool) -> String {
    let id = askd.agent.ask(body).id();
    until_delivered(askd, &id, fits);
    id
}

/// Waits until the deliveries of an ask are as `fits` says.
pub(crate) fn until_delivered(askd: &Askd, ask: &str, fits: impl Fn(&Deliveries) -> bool) {
    let mut events = askd.operator.events();
    while !fits(&deliveries(askd, ask)) {
        events.until("delivery");
    }
}

/// What has become of an ask's deliveries.
pub(crate) fn deliveries(askd: &Askd, ask: &str) -> Deliveries {
    let ask = askd.agent.read(ask);
    Deliveries(ask["deliveries"].as_array().unwrap().clone())
}

/// Deliveries, as an agent reads them.
#[derive(Debug)]
pub(crate) struct Deliveries(Vec<Value>);

impl Deliveries {
    pub(crate) fn all_are(&self, state: &str) -> bool {
        self.0.iter().all(|delivery| delivery["state"] == state)
    }

    /// The state of the only one on this channel.
    pub(crate) fn on(&self, channel: &str) -> &str {
        let here: Vec<_> = self
            .0
            .iter()
            .filter(|delivery| delivery["channel"] == channel)
            .collect();
        let [delivery] = here[..] else {
            panic!("not one delivery on {channel}: {self:?}");
        };
        delivery["state"].as_str().unwrap()
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
