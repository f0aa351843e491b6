//! What was promised, compared with what is there at the end.

use std::collections::{BTreeMap, BTreeSet};

use askd_stories::Askd;
use askd_testkit::channel_suite::{SeenMessage, world::bare};
use serde_json::Value;

use super::{
    model::{self, Asked, Fact},
    report::Report,
    world::{Shared, Showing, World},
};

/// Of a press that askd had received when it was killed: Discord does not hand it out again, and who pressed sees that it
/// failed.
const UNANSWERED: &str = "an interaction was received and never answered";

/// Notes every fault in the report.
pub(super) fn pass(world: &World, askd: &Askd, shared: &Shared, report: &mut Report) {
    for at in &world.places {
        at.scene.rests();
    }
    until_shown(askd, &stored(askd, report));
    let stored = stored(askd, report);
    let mut known = shared.model.lock();
    report.faults.append(&mut known.faults);
    report.asks += known.asks.len();
    report.repeated += shared.broken.load(std::sync::atomic::Ordering::Relaxed);
    for (number, asked) in known.asks.iter().enumerate() {
        let mut faults = Vec::new();
        match stored.get(&number) {
            None => faults.push("is not there".to_owned()),
            Some(ask) => {
                kept(asked, ask, &mut faults);
                *report.ends.entry(end(ask)).or_default() += 1;
                report.receipts += asked.receipts.len();
            }
        }
        let faults = faults.into_iter().map(|fault| format!("ask {number}: {fault}"));
        report.faults.extend(faults);
    }
    drop(known);
    for at in &world.places {
        looks_over(at, &stored, report);
        said(at, &stored, report);
        for rule in at.scene.platform.violations() {
            if rule == UNANSWERED {
                report.unanswered += 1;
            } else {
                report.faults.push(format!("{}: {rule}", at.scene.channel));
            }
        }
    }
}

/// All asks by their number, as the operator reads them.
fn stored(askd: &Askd, report: &mut Report) -> BTreeMap<usize, Value> {
    let mut stored = BTreeMap::new();
    let mut path = "/v1/asks?limit=200".to_owned();
    loop {
        let page = askd.operator.get(&path).body;
        for ask in page["asks"].as_array().unwrap() {
            let question = ask["questions"][0]["question"].as_str().unwrap();
            let number = model::marked(question).unwrap();
            if let Some(other) = stored.insert(number, ask.clone()) {
                let fault = format!("ask {number} is there twice: {other} and {ask}");
                report.faults.push(fault);
            }
        }
        let Some(next) = page["next"].as_str() else {
            return stored;
        };
        path = format!("/v1/asks?limit=200&cursor={next}");
    }
}

/// Waits until nothing is left to be shown.
fn until_shown(askd: &Askd, stored: &BTreeMap<usize, Value>) {
    let mut events = askd.operator.events();
    for ask in stored.values() {
        let id = ask["id"].as_str().unwrap();
        let open = || {
            let now = askd.operator.read(id);
            let deliveries = now["deliveries"].as_array().unwrap().clone();
            now["result"].is_null()
                || deliveries.iter().any(|delivery| {
                    ["queued", "shown", "settling"]
                        .map(Value::from)
                        .contains(&delivery["state"])
                })
        };
        while open() {
            events.until("delivery");
        }
    }
}

/// What askd acknowledged about one ask still holds.
fn kept(asked: &Asked, ask: &Value, faults: &mut Vec<String>) {
    let (id, result) = (&ask["id"], &ask["result"]);
    if asked.id.as_ref().is_some_and(|acknowledged| id != acknowledged) {
        faults.push(format!("was acknowledged as {:?} and is {id}", asked.id));
    }
    for other in asked.results.iter().filter(|read| *read != result) {
        faults.push(format!("ended as {result}, and was read as {other}"));
    }
    if asked.ends_told > 1 {
        faults.push(format!("its end was told {} times", asked.ends_told));
    }
    for fact in &asked.receipts {
        let holds = match fact {
            Fact::Answered(answers) => result["answers"]["answers"] == *answers,
            Fact::Skipped => result["reason"] == "skipped",
        };
        if !holds {
            faults.push(format!("a receipt said {fact:?}, and it ended as {result}"));
        }
    }
    if !was_tried(asked, ask) {
        faults.push(format!("nobody did what it ended as: {ask}; tried: {asked:?}"));
    }
}

fn was_tried(asked: &Asked, ask: &Value) -> bool {
    let result = &ask["result"];
    let by = ask["settledBy"]["name"].as_str().unwrap_or_default().to_owned();
    match ask["status"].as_str() {
        Some("answered") => {
            let answers = result["answers"]["answers"].as_object().unwrap();
            answers.iter().all(|(question, values)| {
                let tried = asked.tried.get(&(by.clone(), question.clone()));
                let mut values = values.as_array().unwrap().iter();
                values.all(|value| {
                    tried.is_some_and(|tried| value.as_str().is_some_and(|value| tried.contains(value)))
                })
            })
        }
        Some("skipped") => asked.skipping.contains(&by),
        Some("cancelled") => asked.cancelling,
        _ => false,
    }
}

fn end(ask: &Value) -> String {
    let status = ask["status"].as_str().unwrap();
    match ask["settledBy"]["channel"].as_str() {
        Some(channel) => format!("{status}, {channel}"),
        None => status.to_owned(),
    }
}

/// Every prompt shows how it ended. On a platform where nothing can tell askd of a message whose sending was never
/// confirmed, that message is tapped once: it has to say that it is over, and to look so from then on.
fn looks_over(at: &Showing, stored: &BTreeMap<usize, Value>, report: &mut Report) {
    let platform = &at.scene.platform;
    let alive = || {
        let seen = platform.seen(at.place).into_iter();
        let prompts = seen.filter(|seen| model::marked(&bare(&seen.text)).is_some());
        prompts
            .filter(|seen| !seen.buttons.is_empty())
            .collect::<Vec<SeenMessage>>()
    };
    for seen in alive() {
        if at.scene.channel != "telegram" {
            let fault = format!(
                "{} shows as if it were open: {}",
                at.scene.channel,
                bare(&seen.text)
            );
            report.faults.push(fault);
        }
        *report.adopted.entry(at.scene.channel).or_default() += 1;
        platform.press(at.readers[0], &seen.buttons[0]);
    }
    at.scene
        .until("the end of what was tapped", || alive().is_empty().then_some(()));
    let mut shown: BTreeMap<usize, usize> = BTreeMap::new();
    for seen in platform.seen(at.place) {
        let text = bare(&seen.text);
        let Some(number) = model::marked(&text).filter(|_| seen.rang) else {
            continue;
        };
        *shown.entry(number).or_default() += 1;
        if let Some(ask) = stored.get(&number)
            && !tells(&text, ask)
        {
            let fault = format!("ask {number} ended as {}, and shows: {text}", ask["result"]);
            report.faults.push(format!("{}: {fault}", at.scene.channel));
        }
    }
    for (number, times) in shown.into_iter().filter(|(_, times)| *times > 1) {
        *report.twice.entry(at.scene.channel).or_default() += times - 1;
        if at.scene.channel != "telegram" {
            let fault = format!("{} shows ask {number} {times} times", at.scene.channel);
            report.faults.push(fault);
        }
    }
}

/// Whether a message tells how its ask ended, and nothing else.
fn tells(text: &str, ask: &Value) -> bool {
    let result = &ask["result"];
    let name = ask["settledBy"]["name"].as_str().unwrap_or_default();
    match ask["status"].as_str() {
        Some("answered") => {
            let chosen: BTreeSet<&str> = result["answers"]["answers"]
                .as_object()
                .into_iter()
                .flat_map(|answers| answers.values())
                .filter_map(|values| values.as_array())
                .flatten()
                .filter_map(Value::as_str)
                .collect();
            let shown: BTreeSet<String> = model::values(text).map(|(_, value)| value).collect();
            let in_own_words = chosen.iter().any(|value| value.starts_with("own-"));
            text.contains(&format!("{name}, on "))
                && shown.iter().all(|shown| chosen.contains(shown.as_str()))
                && (in_own_words || shown.len() == chosen.len())
        }
        Some("skipped") => text.contains(&format!("Skipped by {name}")),
        Some("cancelled") => text.contains("Closed: no answer is needed any more"),
        _ => false,
    }
}

/// Whatever was said of an end on this platform, to anybody and at any time, was true.
fn said(at: &Showing, stored: &BTreeMap<usize, Value>, report: &mut Report) {
    const SAYS: [&str; 5] = [
        "Your answer: ",
        "You already chose ",
        "This question is closed. ",
        ": Sara, on ",
        ": Omid, on ",
    ];
    let transcript = bare(&at.scene.platform.transcript());
    for line in transcript.lines() {
        if !SAYS.iter().any(|says| line.contains(says)) {
            continue;
        }
        for (number, value) in model::values(line) {
            *report.said.entry(at.scene.channel).or_default() += 1;
            let answers = stored
                .get(&number)
                .map(|ask| ask["result"]["answers"].to_string());
            if answers.is_none_or(|answers| !answers.contains(&format!("\"{value}\""))) {
                let ended = stored.get(&number).map(|ask| &ask["result"]);
                let fault = format!("{} said {line:?}, and it ended as {ended:?}", at.scene.channel);
                report.faults.push(fault);
            }
        }
    }
}
