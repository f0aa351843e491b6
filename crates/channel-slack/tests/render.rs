//! Payloads as they go out: golden files in `tests/snapshots`, and the rules they follow.

use std::sync::Arc;

use askd_channel_slack::{
    Place, SlackChannel, SlackConfig, Ts,
    read::Spot,
    render::{self, Blocks, Press},
};
use askd_core::{
    ask::Ask,
    channel::Channel as _,
    id::ActionToken,
    id::ChannelName,
    inbound::Form,
    present::{Button, Capabilities, Controls, Gesture, Line, Message, Payload, Reader, Span, Style, plan},
    words::Language,
};
use askd_testkit::{
    chance::SeededChance,
    clock::{START, TestClock},
    sample::{Samples, address, alerts, questions, target},
};
use jiff::tz::TimeZone;
use serde::Serialize;
use serde_json::Value;

fn can(to: &str) -> Capabilities {
    let config = SlackConfig {
        bot_token: "xoxb-1".into(),
        app_token: "xapp-1".into(),
        api_url: None,
    };
    let (clock, chance) = (Arc::new(TestClock::new()), Arc::new(SeededChance::new(1)));
    SlackChannel::new(ChannelName::new("slack"), &config, clock, chance)
        .unwrap()
        .capabilities(&address(to))
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
    let reader = Reader {
        language,
        time_zone: TimeZone::UTC,
    };
    plan(ask, &can(to), &reader, None).messages.pop().unwrap()
}

fn json(payload: &impl Serialize) -> Value {
    let mut json = serde_json::to_value(payload).unwrap();
    // Whether objects keep the order of their fields depends on what else is built.
    json.sort_all_objects();
    json
}

fn ts(text: &str) -> Ts {
    Ts::parse(text).unwrap()
}

fn channel() -> Place {
    Place::conversation("C0SHOP")
}

fn thread() -> Place {
    Place {
        conversation: "C0SHOP".to_owned(),
        thread: Some(ts("1796117300.000900")),
    }
}

fn spot(conversation: &str, thread: Option<&str>) -> Spot {
    Spot {
        conversation: conversation.to_owned(),
        thread: thread.map(str::to_owned),
        user: "U0SARA".to_owned(),
    }
}

fn span(text: &str, style: Style) -> Span {
    Span {
        text: text.to_owned(),
        style,
    }
}

fn message(lines: Vec<Vec<Span>>) -> Message {
    Message {
        lines: lines.into_iter().map(|spans| Line { spans }).collect(),
        controls: Controls::None,
    }
}

fn payload(gesture: Gesture) -> Payload {
    Payload {
        token: ActionToken::make(&SeededChance::new(1)),
        gesture,
    }
}

/// A message as the core plans them, with all there is. Its words are not the catalogue's: those have tests of their own.
fn sample() -> Message {
    let lines = vec![
        vec![
            span("❓ ", Style::Plain),
            span("\u{2068}build-bot\u{2069}", Style::Strong),
        ],
        vec![],
        vec![
            span("\u{2068}مقصد\u{2069}: ", Style::Plain),
            span("\u{2068}Where <b>should</b> R&D go?\u{2069}", Style::Strong),
        ],
        vec![
            span("Type ", Style::Quiet),
            span("1: 2", Style::Code),
            span(" until ", Style::Quiet),
            span("\u{2068}09:45\u{2069}", Style::Instant(START)),
        ],
        vec![span("https://askd.example.org/ask/1?a&b", Style::Link)],
    ];
    let button = |label: &str, gesture| Button {
        label: label.to_owned(),
        payload: payload(gesture),
    };
    let rows = vec![
        vec![
            button("R&D", Gesture::Choose(0)),
            button("تولید", Gesture::Choose(1)),
        ],
        vec![button("Other…", Gesture::Other), button("Skip", Gesture::Skip)],
    ];
    Message {
        controls: Controls::Buttons(rows),
        ..message(lines)
    }
}

/// The same with what could be taken for markup.
fn risky() -> Message {
    let mut risky = sample();
    "Delete *.log and `~/tmp`, or :tada:?".clone_into(&mut risky.lines[2].spans[1].text);
    risky
}

fn form() -> Form {
    Form {
        title: "Target".to_owned(),
        label: "Your answer".to_owned(),
        payload: payload(Gesture::Other),
    }
}

fn opened(form: &Form) -> Value {
    let (on, spot) = (ts("1796117400.000100"), spot("C0SHOP", None));
    let press = Press {
        trigger: "1234.5678.abcdef",
        at: "C0SHOP",
        on: &on,
        spot: &spot,
    };
    json(&render::form(&press, form, "Send"))
}

/// Payloads of every kind, by name.
fn payloads() -> Vec<(&'static str, Value)> {
    let outcome = Message {
        controls: Controls::None,
        ..sample()
    };
    let receipt = message(vec![vec![span("Thank you.", Style::Plain)]]);
    let (at, below) = (ts("1796117400.000100"), Some("1796117300.000900"));
    vec![
        (
            "prompt",
            json(&render::message(&channel(), &sample(), "key.0", Blocks::With)),
        ),
        (
            "prompt_with_what_looks_like_markup",
            json(&render::message(&channel(), &risky(), "key.0", Blocks::With)),
        ),
        (
            "prompt_in_a_thread_without_blocks",
            json(&render::message(&thread(), &sample(), "key.0", Blocks::Without)),
        ),
        (
            "settled",
            json(&render::edit("C0SHOP", &at, &outcome, Blocks::With)),
        ),
        (
            "settled_without_blocks",
            json(&render::edit("C0SHOP", &at, &outcome, Blocks::Without)),
        ),
        ("taken_back", json(&render::delete("C0SHOP", &at))),
        (
            "receipt",
            json(&render::note(
                &spot("D0SARA", None),
                &receipt,
                Some(&at),
                Blocks::With,
            )),
        ),
        (
            "receipt_for_one_in_a_thread",
            json(&render::whisper(&spot("C0SHOP", below), &receipt, Blocks::With)),
        ),
        ("form", opened(&form())),
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
fn what_changes_a_message_always_says_its_blocks() {
    let at = ts("1796117400.000100");
    let nothing = message(vec![vec![span("Closed", Style::Plain)]]);

    for with in [Blocks::With, Blocks::Without] {
        let edit = json(&render::edit("C0SHOP", &at, &nothing, with));
        assert!(edit["blocks"].is_array(), "{edit}");
        assert!(!edit["blocks"].to_string().contains("actions"), "{edit}");
    }
}

#[test]
fn each_block_and_each_button_has_a_name_of_its_own() {
    let prompt = json(&render::message(&channel(), &risky(), "key.0", Blocks::With));

    let blocks = prompt["blocks"].as_array().unwrap();
    let ids: Vec<&str> = blocks
        .iter()
        .map(|block| block["block_id"].as_str().unwrap())
        .collect();
    let expected: Vec<String> = (0..blocks.len()).map(|n| format!("key.0.{n}")).collect();
    assert_eq!(ids, expected);
    let actions = blocks.iter().filter(|block| block["type"] == "actions");
    let mut actions: Vec<&str> = actions
        .flat_map(|block| block["elements"].as_array().unwrap())
        .map(|button| button["action_id"].as_str().unwrap())
        .collect();
    assert_eq!(actions, ["choose_0", "choose_1", "other", "skip"]);
    actions.dedup();
    assert_eq!(actions.len(), 4);
}

#[test]
fn text_is_escaped_once_wherever_it_stands() {
    let prompt = json(&render::message(&channel(), &sample(), "key.0", Blocks::With));

    let text = prompt["text"].as_str().unwrap();
    assert!(
        text.contains("Where &lt;b&gt;should&lt;/b&gt; R&amp;D go?"),
        "{text}"
    );
    let section = prompt["blocks"][0]["text"]["text"].as_str().unwrap();
    assert!(section.contains("R&amp;D go?\u{2069}*"), "{section}");
    assert_eq!(prompt["blocks"][1]["elements"][0]["text"]["text"], "R&amp;D");
}

#[test]
fn what_looks_like_markup_is_shown_as_it_is() {
    for text in [
        "*.log",
        "a * b",
        "~x~",
        "`x`",
        "_x_",
        "x_ y",
        ":tada:",
        "see :our-own: now",
    ] {
        let shown = json(&render::message(
            &channel(),
            &message(vec![vec![span("Q: ", Style::Plain), span(text, Style::Strong)]]),
            "key.0",
            Blocks::With,
        ));

        let section = &shown["blocks"][0]["text"];
        assert_eq!(section["type"], "plain_text", "{text}");
        assert_eq!(section["text"], format!("Q: {text}"));
        assert_eq!(section["emoji"], false);
    }
    for text in [
        "deploy_target",
        "12:30:45",
        "a: b",
        "R&D",
        "2 - 3",
        "https://example.org/a_b",
    ] {
        let shown = json(&render::message(
            &channel(),
            &message(vec![vec![span(text, Style::Strong)]]),
            "key.0",
            Blocks::With,
        ));

        assert_eq!(shown["blocks"][0]["text"]["type"], "mrkdwn", "{text}");
    }
}

#[test]
fn a_mark_stands_right_beside_what_it_marks() {
    let shown = json(&render::message(
        &channel(),
        &message(vec![vec![
            span(" bold ", Style::Strong),
            span("  ", Style::Strong),
            span("code", Style::Code),
        ]]),
        "key.0",
        Blocks::With,
    ));

    assert_eq!(shown["blocks"][0]["text"]["text"], " *bold*   `code`");
}

#[test]
fn every_prompt_is_one_section_and_its_buttons() {
    for language in Language::ALL {
        let one = prompt(&Samples::new(1).ask(START).record().ask, "slack:C0SHOP", language);
        let several = prompt(&several(), "slack:D0SARA", language);
        let kinds = |message: &Message| -> Vec<String> {
            let payload = json(&render::message(&channel(), message, "key.0", Blocks::With));
            let blocks = payload["blocks"].as_array().unwrap();
            blocks
                .iter()
                .map(|block| block["type"].as_str().unwrap().to_owned())
                .collect()
        };

        assert_eq!(kinds(&one), ["section", "actions", "actions"]);
        assert_eq!(kinds(&several), ["section", "actions"], "Skip is always there");
    }
}

#[test]
fn styles_and_escapes_cost_no_more_than_the_plan_counts() {
    for message in [
        sample(),
        risky(),
        prompt(&several(), "slack:C0SHOP", Language::Persian),
    ] {
        let can = can("slack:C0SHOP");
        let payload = json(&render::message(&channel(), &message, "key.0", Blocks::With));

        let sections = payload["blocks"].as_array().unwrap().iter();
        let texts = sections.filter_map(|block| block["text"]["text"].as_str());
        let length: usize = texts.map(|text| text.chars().count()).sum();
        assert!(
            length <= message.length(&can),
            "{length} > {}",
            message.length(&can)
        );
    }
}

#[test]
fn a_forms_words_are_cut_to_what_is_taken() {
    let long = "x & y ".repeat(100);
    let view = &opened(&Form {
        title: long.clone(),
        label: format!("{long}\n{long}"),
        ..form()
    })["view"];

    let length = |value: &Value| value.as_str().unwrap().chars().count();
    assert!((16..=24).contains(&length(&view["title"]["text"])), "{view}");
    let label = &view["blocks"][0]["label"]["text"];
    assert!((60..=75).contains(&length(label)), "{view}");
    assert!(length(&view["private_metadata"]) <= 3000);
    assert!(view["blocks"][0]["element"]["multiline"].as_bool().unwrap());
}
