//! What is too long for one platform and not for another: the same rules on all of them and on the floor, a channel of
//! plain texts. Labels that do not fit their buttons become markers, what is too long for one message is split, and only
//! the background is ever cut.

use std::{collections::HashSet, fmt::Write as _, sync::Arc};

use askd_testkit::{
    channel_suite::{Place, Platform, SeenMessage, Who, World, world::bare},
    clock::TestClock,
    fake::plain,
};
use serde_json::{Value, json};

use crate::stage::{golden, platforms};

const SARA: Place = Place::Direct(Who::Sara);

/// Every platform, the floor first.
async fn worlds() -> Vec<(&'static str, World)> {
    // The program does it itself; here nobody else would.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let clock = TestClock::new();
    let floor = World::new(Arc::new(plain::new(clock.clone())), clock).await;
    let mut worlds = vec![("plain", floor)];
    for (kind, start) in platforms() {
        let clock = TestClock::new();
        let platform: Arc<dyn Platform> = start(clock.clone()).await;
        worlds.push((kind, World::new(platform, clock).await));
    }
    worlds
}

/// As the suite of all channels runs: what is ready runs in one order.
fn on_one_thread<T>(told: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.unwrap().block_on(told)
}

/// As many characters, in numbered words that begin with `word`.
fn words(word: &str, characters: usize) -> String {
    let mut text = word.to_owned();
    for number in 1.. {
        if text.len() >= characters {
            break;
        }
        write!(text, " {word}{number}").unwrap();
    }
    text.truncate(characters);
    text
}

/// One question, its options with labels and descriptions of so many characters.
fn ask(question: usize, label: usize, description: usize, context: usize) -> Value {
    let option = |letter: &str| {
        let mut option = json!({ "label": words(&format!("Label-{letter}-"), label) });
        if description > 0 {
            option["description"] = words(&format!("description-{letter}-"), description).into();
        }
        option
    };
    let options = ["a", "b", "c", "d"].map(option);
    let mut ask = json!({ "questions": [{
        "id": "question", "header": "Header", "question": words("question-", question),
        "options": options,
    }] });
    if context > 0 {
        ask["context"] = words("background-", context).into();
    }
    ask
}

/// Every word that has to be there: all but those of the background.
fn told(ask: &Value) -> Vec<&str> {
    let question = &ask["questions"][0];
    let options = question["options"].as_array().unwrap().iter();
    let texts = options.flat_map(|option| [&option["label"], &option["description"]]);
    let texts = [&question["question"]].into_iter().chain(texts);
    texts
        .filter_map(Value::as_str)
        .flat_map(str::split_whitespace)
        .collect()
}

fn text(seen: &[SeenMessage]) -> String {
    let texts: Vec<String> = seen.iter().map(|seen| bare(&seen.text)).collect();
    texts.join("\n")
}

/// How it is shown, in a few words.
fn shape(ask: &Value, seen: &[SeenMessage]) -> String {
    let labels = seen
        .iter()
        .flat_map(|seen| &seen.buttons)
        .map(|button| bare(&button.label));
    let labels: Vec<String> = labels.take(4).collect();
    let controls = match labels.first() {
        None => "text",
        Some(label) if label.starts_with("Label") => "labels",
        Some(_) => "markers",
    };
    let text = text(seen);
    let context = ask["context"].as_str().unwrap_or_default();
    let context = match context
        .split_whitespace()
        .filter(|word| text.contains(word))
        .count()
    {
        0 => "",
        shown if shown == context.split_whitespace().count() => ", background whole",
        _ => ", background cut",
    };
    let messages = match seen.len() {
        1 => "1 message".to_owned(),
        count => format!("{count} messages"),
    };
    format!("{controls}, {messages}{context}")
}

/// A message for a golden file; of a long line its two ends.
fn shown(seen: &SeenMessage) -> String {
    const ENDS: usize = 40;
    let mut shown = String::new();
    for line in bare(&seen.text).lines() {
        let characters: Vec<char> = line.chars().collect();
        if characters.len() <= 3 * ENDS {
            writeln!(shown, "{}", format!("  | {line}").trim_end()).unwrap();
            continue;
        }
        let (first, last) = (&characters[..ENDS], &characters[characters.len() - ENDS..]);
        let [first, last] = [first, last].map(|end| end.iter().collect::<String>());
        let between = characters.len() - 2 * ENDS;
        writeln!(shown, "  | {first} ({between} characters) {last}").unwrap();
    }
    for button in &seen.buttons {
        writeln!(shown, "  [{}]", bare(&button.label)).unwrap();
    }
    shown
}

#[test]
fn what_does_not_fit_is_shown_another_way_by_the_same_rules_everywhere() {
    let lengths = [20, 36, 37, 75, 76, 80, 81, 200];
    let labels = lengths.map(|length| (format!("labels of {length}"), ask(40, length, 0, 0)));
    let others = [
        ("a question of 2000, descriptions of 1000", ask(2000, 20, 1000, 0)),
        ("background of 1000", ask(40, 20, 0, 1000)),
        ("background of 4000", ask(40, 20, 0, 4000)),
        ("all of it as long as it can be", ask(2000, 200, 1000, 4000)),
    ];
    let asks = labels
        .into_iter()
        .chain(others.map(|(name, ask)| (name.to_owned(), ask)));

    let table = on_one_thread(async {
        let worlds = worlds().await;
        let names: Vec<&str> = worlds.iter().map(|(name, _)| *name).collect();
        let mut table = format!(
            "| | {} |\n|---|{}\n",
            names.join(" | "),
            "---|".repeat(names.len())
        );
        for (name, ask) in asks {
            write!(table, "| {name} |").unwrap();
            for (_, world) in &worlds {
                let id = world.ask(ask.clone()).await;
                let seen = world.prompts(id, SARA).await;
                write!(table, " {} |", shape(&ask, &seen)).unwrap();
                let text = text(&seen);
                let there: HashSet<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '-').collect();
                let lost: Vec<_> = told(&ask)
                    .into_iter()
                    .filter(|word| !there.contains(word))
                    .collect();
                assert_eq!(lost, [""; 0], "of {name}: {text}");
                world.cancel(id).await;
            }
            table.push('\n');
        }
        for (_, world) in worlds {
            world.check().await;
        }
        table
    });

    golden("snapshots", "fitting__table", &table);
}

#[test]
fn a_long_ask_and_its_end_on_every_platform() {
    let ask = ask(2000, 78, 1000, 4000);
    for (name, shown) in on_one_thread(async {
        let mut conversations = Vec::new();
        for (name, world) in worlds().await {
            let id = world.ask(ask.clone()).await;
            let asked: Vec<String> = world.prompts(id, SARA).await.iter().map(shown).collect();
            world.say(Who::Sara, SARA, &words("own-", 3900)).await;
            let settled: Vec<String> = world.seen(SARA).iter().map(shown).collect();
            let text = format!(
                "asked:\n\n{}\nanswered in 3900 characters:\n\n{}",
                asked.join("\n"),
                settled.join("\n")
            );
            conversations.push((name, text));
        }
        conversations
    }) {
        golden("snapshots", &format!("fitting__{name}"), &shown);
    }
}
