//! Payloads as they go out: golden files in `tests/snapshots`, and the rules they follow.

use std::sync::Arc;

use askd_channel_telegram::{
    Place, TelegramChannel, TelegramConfig,
    read::{Spot, Tapper},
    render::{self, Styles},
};
use askd_core::{
    ask::Ask,
    channel::Channel as _,
    id::{ActionToken, ChannelName},
    inbound::{Became, Form},
    present::{Button, Capabilities, Controls, Gesture, Line, Message, Payload, Reader, Span, Style, plan},
    words::Language,
};
use askd_testkit::{
    chance::SeededChance,
    clock::{START, TestClock},
    sample::{Samples, address, alerts, question, questions, target},
};
use jiff::tz::TimeZone;
use serde::Serialize;
use serde_json::Value;

const SARA: Place = Place {
    chat: 7_612_345_678,
    topic: None,
};
const TOPIC: Place = Place {
    chat: -1_001_234_567_890,
    topic: Some(7),
};
const PROMPT: Spot = Spot {
    chat: 7_612_345_678,
    topic: None,
    message: 40,
};
const PROMPT_IN_TOPIC: Spot = Spot {
    chat: -1_001_234_567_890,
    topic: Some(7),
    message: 90,
};

fn can(to: &str) -> Capabilities {
    let config = TelegramConfig {
        token: "123:abc".into(),
        api_url: None,
    };
    let clock = Arc::new(TestClock::new());
    let chance = Arc::new(SeededChance::new(1));
    TelegramChannel::new(ChannelName::new("tg"), &config, clock, chance)
        .unwrap()
        .capabilities(&address(to))
}

fn reader(language: Language) -> Reader {
    Reader {
        language,
        time_zone: TimeZone::UTC,
    }
}

fn single() -> Ask {
    Samples::new(1).ask(START).record().ask
}

fn several() -> Ask {
    let samples = Samples::new(1);
    samples
        .ask(START)
        .questions(questions([target(), alerts()]))
        .record()
        .ask
}

/// The last message of the prompt of this ask.
fn prompt(ask: &Ask, to: &str, language: Language) -> Message {
    plan(ask, &can(to), &reader(language), None)
        .messages
        .pop()
        .unwrap()
}

fn json(payload: &impl Serialize) -> Value {
    let mut json = serde_json::to_value(payload).unwrap();
    // Whether objects keep the order of their fields depends on what else is built.
    json.sort_all_objects();
    json
}

fn tapper() -> Tapper {
    Tapper {
        id: 7_612_345_678,
        name: "Sara 🦊".to_owned(),
    }
}

fn form(label: &str) -> Form {
    Form {
        title: "Target".to_owned(),
        label: label.to_owned(),
        payload: Payload {
            token: ActionToken::make(&SeededChance::new(1)),
            gesture: Gesture::Other,
        },
    }
}

/// A message as the core plans them, with all there is. Its words are not the catalogue's: those have tests of their own.
fn sample() -> Message {
    let span = |text: &str, style| Span {
        text: text.to_owned(),
        style,
    };
    let lines = [
        vec![
            span("❓ ", Style::Plain),
            span("\u{2068}build-bot\u{2069}", Style::Strong),
        ],
        vec![],
        vec![
            span("\u{2068}مقصد\u{2069}: ", Style::Plain),
            span("Where <b>should</b> & *this* go?", Style::Strong),
        ],
        vec![
            span("Type ", Style::Quiet),
            span("1: 2", Style::Code),
            span(" or see ", Style::Quiet),
        ],
        vec![span("https://askd.example.org/ask/1", Style::Link)],
    ];
    let token = ActionToken::make(&SeededChance::new(1));
    let button = |label: &str, gesture| Button {
        label: label.to_owned(),
        payload: Payload { token, gesture },
    };
    let rows = vec![
        vec![button("Staging", Gesture::Choose(0))],
        vec![button("تولید", Gesture::Choose(1))],
        vec![button("Other…", Gesture::Other), button("Skip", Gesture::Skip)],
    ];
    Message {
        lines: lines.map(|spans| Line { spans }).to_vec(),
        controls: Controls::Buttons(rows),
    }
}

/// Payloads of every kind, by name.
fn payloads() -> Vec<(&'static str, Value)> {
    let prompt = sample();
    let outcome = Message {
        controls: Controls::None,
        ..sample()
    };
    vec![
        (
            "prompt",
            json(&render::message(SARA, &prompt, true, Styles::With)),
        ),
        (
            "prompt_in_a_topic_without_styles",
            json(&render::message(TOPIC, &prompt, true, Styles::Without)),
        ),
        (
            "settled",
            json(&render::edit(SARA.chat, 40, &outcome, Styles::With)),
        ),
        ("taken_back", json(&render::delete(SARA.chat, 40))),
        (
            "tap_counted",
            json(&render::notice("4382abc", "Thank you.", &Became::Settled)),
        ),
        (
            "tap_refused",
            json(&render::notice(
                "4382abc",
                "You may not answer.",
                &Became::NotYours,
            )),
        ),
        (
            "tap_ignored",
            json(&render::notice("4382abc", "", &Became::Ignored)),
        ),
        (
            "receipt",
            json(&render::reply(&PROMPT_IN_TOPIC, "Thank you.".to_owned())),
        ),
        (
            "own_words_of_a_person",
            json(&render::ask_for_words(
                &PROMPT,
                "Please reply.",
                &form("Your answer"),
                &tapper(),
            )),
        ),
        (
            "own_words_of_one_in_a_group",
            json(&render::ask_for_words(
                &PROMPT_IN_TOPIC,
                "Please reply.",
                &form("Your answer"),
                &tapper(),
            )),
        ),
    ]
}

#[test]
fn payloads_are_what_they_were() {
    for (name, payload) in payloads() {
        insta::assert_json_snapshot!(name, payload);
    }
}

#[test]
fn no_payload_has_a_null_in_it() {
    fn has_null(value: &Value) -> bool {
        match value {
            Value::Null => true,
            Value::Array(items) => items.iter().any(has_null),
            Value::Object(fields) => fields.values().any(has_null),
            _ => false,
        }
    }
    for (name, payload) in payloads() {
        assert!(!has_null(&payload), "{name}: {payload}");
    }
}

#[test]
fn commands_are_listed_for_everybody_and_in_each_other_language() {
    let everybody = json(&render::command_list(None));
    let persian = json(&render::command_list(Some(Language::Persian)));

    let names = |list: &Value| -> Vec<String> {
        let commands = list["commands"].as_array().unwrap();
        commands
            .iter()
            .map(|command| command["command"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(names(&everybody), ["help", "pending", "skip", "start"]);
    assert_eq!(names(&persian), names(&everybody));
    assert_eq!(
        (everybody.get("language_code"), &persian["language_code"]),
        (None, &Value::from("fa"))
    );
    assert_ne!(everybody["commands"], persian["commands"]);
}

#[test]
fn only_a_prompt_rings() {
    let message = prompt(&single(), "tg:7612345678", Language::English);

    let silent = |payload| json(&payload)["disable_notification"] == Value::Bool(true);

    assert!(!silent(render::message(SARA, &message, true, Styles::With)));
    assert!(silent(render::message(SARA, &message, false, Styles::With)));
    assert!(silent(render::reply(&PROMPT, String::new())));
    assert!(silent(render::ask_for_words(&PROMPT, "", &form("x"), &tapper())));
}

#[test]
fn a_style_covers_its_own_text_whatever_stands_before_it() {
    let span = |text: &str, style| Span {
        text: text.to_owned(),
        style,
    };
    let lines = [
        vec![span("❓ 👩‍🚀 ", Style::Plain), span("bold 🦊", Style::Strong)],
        vec![],
        vec![
            span("", Style::Strong),
            span("سلام ", Style::Quiet),
            span("1: 2", Style::Code),
        ],
        vec![
            span("https://askd.example.org/ask/1", Style::Link),
            span("no link", Style::Link),
        ],
    ];
    let message = Message {
        lines: lines.map(|spans| Line { spans }).to_vec(),
        controls: Controls::None,
    };

    let payload = json(&render::message(SARA, &message, true, Styles::With));

    let text: Vec<u16> = payload["text"].as_str().unwrap().encode_utf16().collect();
    let number = |entity: &Value, key: &str| usize::try_from(entity[key].as_u64().unwrap()).unwrap();
    let covered: Vec<(String, String)> = payload["entities"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entity| {
            let (from, length) = (number(entity, "offset"), number(entity, "length"));
            let covered = String::from_utf16(&text[from..from + length]).unwrap();
            (entity["type"].as_str().unwrap().to_owned(), covered)
        })
        .collect();
    let expected = [
        ("bold", "bold 🦊"),
        ("code", "1: 2"),
        ("text_link", "https://askd.example.org/ask/1"),
    ];
    assert_eq!(
        covered,
        expected.map(|(kind, text)| (kind.to_owned(), text.to_owned()))
    );
    assert_eq!(payload["text"], message.text());
}

#[test]
fn without_styles_the_text_is_the_same() {
    let message = prompt(&several(), "tg:7612345678", Language::Persian);

    let with = json(&render::message(SARA, &message, true, Styles::With));
    let without = json(&render::message(SARA, &message, true, Styles::Without));

    assert_eq!(with["text"], without["text"]);
    assert!(with.get("entities").is_some() && without.get("entities").is_none());
}

#[test]
fn what_must_be_read_is_put_up_and_what_counted_passes_by() {
    let alert = |became| {
        json(&render::notice("1", "text", &became))
            .get("show_alert")
            .cloned()
    };
    let write_own = Became::WriteOwn(form("Your answer"));

    for became in [Became::Hint, Became::TooLate, Became::NotYours, Became::Told] {
        assert_eq!(alert(became.clone()), Some(Value::Bool(true)), "{became:?}");
    }
    for became in [Became::Settled, write_own, Became::Ignored] {
        assert_eq!(alert(became.clone()), None, "{became:?}");
    }
}

#[test]
fn a_notice_and_a_placeholder_are_cut_to_what_is_taken() {
    let long = "🦊".repeat(300);

    let notice = json(&render::notice("1", &long, &Became::Settled));
    let words = json(&render::ask_for_words(&PROMPT, "x", &form(&long), &tapper()));

    let units = |value: &Value| value.as_str().unwrap().encode_utf16().count();
    assert!((190..=200).contains(&units(&notice["text"])), "{notice}");
    let placeholder = &words["reply_markup"]["input_field_placeholder"];
    assert!((60..=64).contains(&units(placeholder)), "{placeholder}");
}

#[test]
fn a_label_that_a_phone_would_cut_is_not_put_on_a_button() {
    let long = "Production, with a look at the dashboards";
    let asked = question("target", "Target", "Where?", &["Staging", long], false);
    let samples = Samples::new(1);
    let ask = samples.ask(START).questions(questions([asked])).record().ask;

    let payload = json(&render::message(
        SARA,
        &prompt(&ask, "tg:7612345678", Language::English),
        true,
        Styles::With,
    ));

    let first = &payload["reply_markup"]["inline_keyboard"][0][0]["text"];
    assert!(first.as_str().unwrap().len() < 3, "{first}");
    assert!(payload["text"].as_str().unwrap().contains(long));
}
