//! Who calls askd over HTTP, and goes on calling through every kill: agents that ask, wait and take back, people who
//! answer, and somebody who follows all that happens.
//!
//! Whoever gets no answer repeats the call under the same key until one comes, as the documentation tells clients to.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use askd_core::clock::Chance as _;
use askd_testkit::chance::SeededChance;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::{task::JoinSet, time::sleep};

use super::{
    model::{self, Fact, PEOPLE, body},
    world::{Shared, secret},
};

/// Most asks of one agent that are open at once.
const OPEN: usize = 8;

/// Before a call that broke is made again.
const AGAIN: Duration = Duration::from_millis(15);

/// One call, as it is made and made again.
struct Call<'a> {
    token: &'a str,
    method: Method,
    path: String,
    body: Option<Value>,
    key: Option<String>,
}

/// Counts a request for as long as nobody knows its answer.
struct InFlight<'a>(&'a AtomicUsize);

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Shared {
    /// Calls until an answer comes. One that says "later" is no answer.
    async fn call(&self, call: &Call<'_>) -> (u16, Value) {
        loop {
            match self.try_call(call).await {
                Some((429 | 503, _)) => {}
                Some(answer) => return answer,
                None => {
                    self.broken.fetch_add(1, Ordering::Relaxed);
                }
            }
            sleep(AGAIN).await;
        }
    }

    async fn try_call(&self, call: &Call<'_>) -> Option<(u16, Value)> {
        let url = format!("{}{}", self.url, call.path);
        let mut request = self.client.request(call.method.clone(), url);
        request = request.bearer_auth(call.token);
        if let Some(key) = &call.key {
            request = request.header("Idempotency-Key", key);
        }
        if let Some(body) = &call.body {
            request = request.json(body);
        }
        self.in_flight.fetch_add(1, Ordering::Relaxed);
        let _in_flight = InFlight(&self.in_flight);
        self.sent.send_modify(|sent| *sent += 1);
        let response = request.send().await.ok()?;
        let status = response.status().as_u16();
        let bytes = response.bytes().await.ok()?;
        Some((status, serde_json::from_slice(&bytes).unwrap_or(Value::Null)))
    }
}

/// An agent that makes one ask after the other, and waits for all of them.
pub(super) async fn asks(shared: Arc<Shared>, agent: usize, chance: SeededChance) {
    let mut waiting = JoinSet::new();
    while !shared.closing.load(Ordering::Relaxed) {
        while waiting.len() >= OPEN {
            waiting.join_next().await;
        }
        let number = shared.model.begin(agent, chance.up_to(3) == 0);
        let taken_back = chance.up_to(19) == 0;
        waiting.spawn(follow_through(Arc::clone(&shared), agent, number, taken_back));
        sleep(Duration::from_millis(10 + chance.up_to(120))).await;
    }
    while waiting.join_next().await.is_some() {}
}

/// One ask, until its agent has the result.
async fn follow_through(shared: Arc<Shared>, agent: usize, number: usize, taken_back: bool) {
    let token = secret(&format!("agent-{agent}"));
    let ask = Call {
        token: &token,
        method: Method::POST,
        // Some hold the same call on.
        path: format!(
            "/v1/asks{}",
            if number.is_multiple_of(4) { "?wait=2" } else { "" }
        ),
        body: Some(body(number, shared.model.is_two(number))),
        key: Some(format!("key-{number}")),
    };
    let (status, answer) = shared.call(&ask).await;
    let Some(id) = answer["id"].as_str().filter(|_| [200, 201].contains(&status)) else {
        shared
            .model
            .fault(format!("ask {number} was refused: {status} {answer}"));
        return;
    };
    shared.model.acknowledged(number, id, status == 200);
    shared.model.read(number, &answer["result"]);
    if taken_back {
        sleep(Duration::from_millis(300)).await;
        shared.model.lock().asks[number].cancelling = true;
        let cancel = Call {
            method: Method::POST,
            path: format!("/v1/asks/{id}/cancel"),
            body: None,
            key: None,
            ..ask
        };
        let (status, over) = shared.call(&cancel).await;
        if status != 200 || over["result"].is_null() {
            shared
                .model
                .fault(format!("ask {number} was not taken back: {status} {over}"));
        }
        shared.model.read(number, &over["result"]);
    }
    let wait = Call {
        token: &token,
        method: Method::GET,
        path: format!("/v1/asks/{id}?wait=20"),
        body: None,
        key: None,
    };
    loop {
        let (status, now) = shared.call(&wait).await;
        if status != 200 {
            shared.model.fault(format!(
                "ask {number} was acknowledged as {id}, and now: {status} {now}"
            ));
            return;
        }
        if !now["result"].is_null() {
            shared.model.read(number, &now["result"]);
            shared.model.lock().asks[number].waited = true;
            return;
        }
    }
}

/// Somebody who answers open asks over HTTP.
pub(super) async fn answers(shared: Arc<Shared>, person: usize, chance: SeededChance) {
    let token = secret(&PEOPLE[person].to_lowercase());
    for turn in 0_u64.. {
        sleep(Duration::from_millis(30 + chance.up_to(150))).await;
        let open = shared.model.open();
        let Some(last) = u64::try_from(open.len()).unwrap().checked_sub(1) else {
            continue;
        };
        let (number, id) = &open[usize::try_from(chance.up_to(last)).unwrap()];
        let answering = Answering {
            shared: &shared,
            token: &token,
            person,
            number: *number,
            id,
            key: format!("of-{person}-{turn}"),
        };
        if shared.model.is_two(*number) {
            answering.in_two_steps().await;
        } else {
            answering.at_once(&chance).await;
        }
    }
}

/// One answer to one ask.
struct Answering<'a> {
    shared: &'a Shared,
    token: &'a str,
    person: usize,
    number: usize,
    id: &'a str,
    key: String,
}

impl Answering<'_> {
    async fn at_once(&self, chance: &SeededChance) {
        let labels = model::labels(self.number);
        let picked = usize::try_from(chance.up_to(2)).unwrap();
        let receipt = match chance.up_to(9) {
            0 => {
                self.shared.model.skips(self.number, PEOPLE[self.person]);
                self.send("skip", json!({})).await
            }
            1 => self.values("first", &[model::own(self.number)]).await,
            2..=4 => {
                self.tries("first", &labels[picked]);
                let text = (picked + 1).to_string();
                self.send("reply", json!({ "text": text })).await
            }
            _ => self.values("first", &labels[picked..=picked]).await,
        };
        self.note(&receipt);
    }

    /// What is kept of the first step has to be there in the second, whatever was killed meanwhile.
    async fn in_two_steps(&self) {
        let (first, second) = model::choices(self.number, self.person);
        let receipt = self
            .values("first", &model::labels(self.number)[first..=first])
            .await;
        self.note(&receipt);
        if receipt["receipt"] != "kept" {
            return;
        }
        let receipt = self
            .values("second", &model::second_labels(self.number)[second..=second])
            .await;
        if receipt["receipt"] == "kept" {
            self.fault(&format!("what was kept before is lost: {receipt}"));
        }
        self.note(&receipt);
    }

    async fn values(&self, question: &str, values: &[String]) -> Value {
        self.tries(question, &values[0]);
        let body = json!({ "answers": { question: values } });
        self.send("answers", body).await
    }

    async fn send(&self, how: &str, body: Value) -> Value {
        let call = Call {
            token: self.token,
            method: Method::POST,
            path: format!("/v1/asks/{}/{how}", self.id),
            body: Some(body),
            key: Some(self.key.clone()),
        };
        let (status, receipt) = self.shared.call(&call).await;
        if status != 200 {
            self.fault(&format!("{how}: {status} {receipt}"));
        }
        receipt
    }

    fn note(&self, receipt: &Value) {
        if receipt["receipt"] != "settled" {
            return;
        }
        let stored = &receipt["stored"];
        let fact = if stored.as_object().is_some_and(|stored| !stored.is_empty()) {
            Fact::Answered(stored.clone())
        } else {
            Fact::Skipped
        };
        self.shared.model.lock().asks[self.number].receipts.push(fact);
    }

    fn tries(&self, question: &str, value: &str) {
        let model = &self.shared.model;
        model.tries(self.number, PEOPLE[self.person], question, value);
    }

    fn name(&self) -> String {
        PEOPLE[self.person].to_owned()
    }

    fn fault(&self, what: &str) {
        let (name, number) = (self.name(), self.number);
        self.shared
            .model
            .fault(format!("{name} answers ask {number}: {what}"));
    }
}

/// Follows the stream of events, as an operator, through all restarts.
pub(super) async fn follows(shared: Arc<Shared>) {
    loop {
        let url = format!("{}/v1/events", shared.url);
        let request = shared.client.get(url).bearer_auth(&shared.operator);
        // Longer than the client's own limit: a stream is not an answer.
        if let Ok(mut stream) = request.timeout(Duration::from_hours(1)).send().await {
            let mut text = String::new();
            while let Ok(Some(chunk)) = stream.chunk().await {
                text += &String::from_utf8_lossy(&chunk);
                while let Some((event, rest)) = text.split_once("\n\n") {
                    tell(&shared, event);
                    text = rest.to_owned();
                }
            }
        }
        sleep(AGAIN).await;
    }
}

fn tell(shared: &Shared, event: &str) {
    let data = event.lines().find_map(|line| line.strip_prefix("data: "));
    let Some(told) = data.and_then(|data| serde_json::from_str::<Value>(data).ok()) else {
        return;
    };
    let question = told["ask"]["questions"][0]["question"].as_str();
    if told["change"] == "ended"
        && let Some(number) = question.and_then(model::marked)
    {
        shared.model.read(number, &told["ask"]["result"]);
        shared.model.lock().asks[number].ends_told += 1;
    }
}
