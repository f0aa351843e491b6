//! A home for askd, and a Telegram that it reaches by `api_url`.

use std::{collections::BTreeMap, sync::Arc};

use askd_stories::{Askd, Home};
use askd_testkit::{
    clock::WallClock,
    telegram::{Answer, FakeTelegram, Person, Place, Seen, Tap},
};
use serde_json::{Value, json};
use tokio::runtime::{self, Runtime};

use super::transcript::{readable, visible};

/// A home and a Telegram.
pub(crate) struct Bench {
    pub(crate) telegram: FakeTelegram,
    pub(crate) home: Home,
    /// Serves the Telegram while a story blocks.
    runtime: Runtime,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let runtime = runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        Self {
            telegram: runtime.block_on(FakeTelegram::start(Arc::new(WallClock))),
            home: Home::new(),
            runtime,
        }
    }

    /// Configures the bot, and what else is said.
    pub(crate) fn configure(&self, more: &str) {
        let (token, url) = (self.telegram.token(), self.telegram.url());
        self.home.configure(&format!(
            "[channels.telegram]\nkind = \"telegram\"\ntoken = \"{token}\"\napi_url = \"{url}\"\n{more}"
        ));
    }

    /// Somebody who has started the bot, and their section of the configuration.
    pub(crate) fn person(&self, name: &str) -> (Person, String) {
        let person = self.telegram.person(name);
        let section = format!(
            "[people.{}]\nname = \"{name}\"\naccounts = [\"telegram:{}\"]\n",
            name.to_lowercase(),
            person.id()
        );
        (person, section)
    }

    /// Waits until `look` finds something on Telegram.
    pub(crate) fn until<T>(&self, what: &str, look: impl FnMut() -> Option<T>) -> T {
        self.runtime.block_on(self.telegram.until(what, look))
    }

    /// Waits until a message of the bot that holds `text` stands before this person.
    pub(crate) fn reads(&self, person: &Person, at: &Place, text: &str) -> Seen {
        self.until(text, || {
            let seen = person.sees(at).into_iter();
            seen.rev()
                .find(|seen| seen.by_bot && visible(&seen.text).contains(text))
        })
    }

    /// Waits for what a tap is answered with.
    pub(crate) fn told(&self, tap: &Tap) -> Answer {
        self.until("an answer to the tap", || tap.answer())
    }

    /// Waits until everything that people did has been taken over.
    pub(crate) fn rests(&self) {
        self.until("rest", || self.telegram.is_idle().then_some(()));
    }

    /// The conversation, for a golden file. Demands that the bot kept to the rules of the platform.
    pub(crate) fn transcript(&self) -> String {
        self.rests();
        assert_eq!(self.telegram.violations(), [""; 0]);
        readable(&self.telegram.transcript())
    }

    /// How often each method was called, without what is called whether or not anybody asks.
    pub(crate) fn counts(&self) -> BTreeMap<String, usize> {
        let mut counts = self.telegram.counts();
        counts.retain(|method, _| !matches!(method.as_str(), "getUpdates" | "getMe" | "setMyCommands"));
        counts
    }
}

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
/// answer to `sendMessage` is not taken for a reply yet, and people are not that fast.
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
