//! Bodies as they go out: golden files in `tests/snapshots`, and the rules they follow.

use std::sync::Arc;

use askd_channel_discord::{
    DiscordChannel, DiscordConfig,
    read::{Other, Spot},
    render,
};
use askd_core::{
    ask::Ask,
    channel::Channel as _,
    id::{ActionToken, ChannelName},
    inbound::Form,
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
use serenity::model::id::{ChannelId, MessageId, UserId};

const PROMPT: Spot = Spot {
    channel: ChannelId::new(1_122_334_455_667_788_990),
    message: MessageId::new(1_445_000_000_000_000_040),
};

fn can(to: &str) -> Capabilities {
    let config = DiscordConfig {
        token: "a.b.c".into(),
        api_url: None,
    };
    let clock = Arc::new(TestClock::new());
    let chance = Arc::new(SeededChance::new(1));
    DiscordChannel::new(ChannelName::new("dc"), &config, clock, chance)
        .unwrap()
        .capabilities(&address(to))
}

fn reader(language: Language) -> Reader {
    Reader {
        language,
        time_zone: TimeZone::UTC,
    }
}

/// The last message of the prompt of this ask.
fn prompt(ask: &Ask, language: Language) -> Message {
    plan(ask, &can("dc:@8877"), &reader(language), None)
        .messages
        .pop()
        .unwrap()
}

fn json(body: &impl Serialize) -> Value {
    let mut json = serde_json::to_value(body).unwrap();
    // Whether objects keep the order of their fields depends on what else is built.
    json.sort_all_objects();
    json
}

fn payload(gesture: Gesture) -> Payload {
    Payload {
        token: ActionToken::make(&SeededChance::new(1)),
        gesture,
    }
}

fn form(title: &str, label: &str) -> Form {
    Form {
        title: title.to_owned(),
        label: label.to_owned(),
        payload: payload(Gesture::Other),
    }
}

fn span(text: &str, style: Style) -> Span {
    Span {
        text: text.to_owned(),
        style,
    }
}

fn lines<const N: usize>(lines: [Vec<Span>; N]) -> Message {
    Message {
        lines: lines.map(|spans| Line { spans }).to_vec(),
        controls: Controls::None,
    }
}

/// A message as the core plans them, with all there is. Its words are not the catalogue's: those have tests of their own.
fn sample() -> Message {
    let message = lines([
        vec![
            span("❓ ", Style::Plain),
            span("\u{2068}build-bot\u{2069}", Style::Strong),
        ],
        vec![],
        vec![
            span("\u{2068}مقصد\u{2069}: ", Style::Plain),
            span("Where <b>should</b> & *this* go? @everyone", Style::Strong),
        ],
        vec![
            span("Type ", Style::Quiet),
            span("1: 2", Style::Code),
            span(" until ", Style::Quiet),
            span("09:45", Style::Instant(START)),
        ],
        vec![span("https://askd.example.org/ask/1", Style::Link)],
    ]);
    let button = |label: &str, gesture| Button {
        label: label.to_owned(),
        payload: payload(gesture),
    };
    let rows = vec![
        vec![button("Staging", Gesture::Choose(0))],
        vec![button("تولید", Gesture::Choose(1))],
        vec![button("Other…", Gesture::Other), button("Skip", Gesture::Skip)],
    ];
    Message {
        controls: Controls::Buttons(rows),
        ..message
    }
}

/// Bodies of every kind, by name.
fn bodies() -> Vec<(&'static str, Value)> {
    let outcome = Message {
        controls: Controls::None,
        ..sample()
    };
    let other = Other {
        payload: payload(Gesture::Other),
        label: "Other…".to_owned(),
    };
    vec![
        ("prompt", json(&render::message(&sample(), true, "pAbc00"))),
        ("settled", json(&render::edit(&outcome))),
        ("receipt", json(&render::reply(PROMPT, "Thank you. *2*"))),
        ("recipient", json(&render::recipient(UserId::new(8877)))),
        ("pressed_and_settled", json(&render::updated(&outcome))),
        (
            "pressed_and_refused",
            json(&render::said("You may not answer.", true)),
        ),
        (
            "command_in_a_direct_conversation",
            json(&render::said("Nothing is open.", false)),
        ),
        ("form", json(&render::form(&form("Target", "Your answer")))),
        ("form_before_its_receipt", json(&render::form_of(&other))),
        ("press_taken_over", json(&render::taken())),
        ("form_taken_over", json(&render::hold(true))),
        ("follow_up", json(&render::follow_up("You may not answer."))),
        ("original", json(&render::original("Thank you."))),
        ("commands", json(&render::command_list())),
    ]
}

#[test]
fn bodies_are_what_they_were() {
    for (name, body) in bodies() {
        insta::assert_json_snapshot!(name, body);
    }
}

#[test]
fn nobody_is_ever_mentioned() {
    let with_text = bodies().into_iter().filter_map(|(name, body)| {
        let message = body.get("data").filter(|data| data.is_object()).unwrap_or(&body);
        message
            .get("content")
            .map(|_| (name, message["allowed_mentions"].clone()))
    });
    let with_text: Vec<_> = with_text.collect();

    assert_eq!(with_text.len(), 8, "{with_text:?}");
    for (name, mentions) in with_text {
        assert_eq!(mentions["parse"], Value::from([""; 0]), "{name}");
        assert_eq!(mentions["users"], Value::from([""; 0]), "{name}");
        assert_eq!(mentions["roles"], Value::from([""; 0]), "{name}");
        assert_eq!(mentions["replied_user"], false, "{name}");
    }
}

#[test]
fn only_a_prompt_rings_and_no_link_is_previewed() {
    const NO_PREVIEW: u64 = 1 << 2;
    const SILENT: u64 = 1 << 12;
    let flags = |body| json(&body)["flags"].as_u64().unwrap();

    assert_eq!(flags(render::message(&sample(), true, "n")), NO_PREVIEW);
    assert_eq!(flags(render::message(&sample(), false, "n")), NO_PREVIEW | SILENT);
    assert_eq!(flags(render::reply(PROMPT, "x")), NO_PREVIEW | SILENT);
}

#[test]
fn a_message_that_has_lost_its_buttons_says_so() {
    let outcome = Message {
        controls: Controls::None,
        ..sample()
    };

    assert_eq!(json(&render::edit(&outcome))["components"], Value::from([""; 0]));
    assert_eq!(
        json(&render::updated(&outcome))["data"]["components"],
        Value::from([""; 0])
    );
}

fn content(message: &Message) -> String {
    json(&render::edit(message))["content"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn what_stands_in_a_text_is_no_markdown() {
    for (text, written) in [
        ("a *b* _c_ ~~d~~ ||e||", r"a \*b\* \_c\_ \~\~d\~\~ \|\|e\|\|"),
        ("# no heading", r"\# no heading"),
        ("1. no list", r"1\. no list"),
        ("> no quote", r"\> no quote"),
        ("[no](https://example.org)", r"\[no\]\(https\:\/\/example\.org\)"),
        ("<@5> @here `x` \\", r"\<\@5\> \@here \`x\` \\"),
        ("سلام 👩‍🚀", "سلام 👩‍🚀"),
    ] {
        let message = lines([vec![span(text, Style::Plain)]]);
        assert_eq!(content(&message), written);
    }
}

#[test]
fn styles_are_written_around_texts_that_stay_data() {
    for (spans, written) in [
        (vec![span("a*b", Style::Strong)], r"**a\*b**"),
        (vec![span("a", Style::Strong), span("b", Style::Strong)], "**ab**"),
        (vec![span(" ", Style::Strong), span("", Style::Strong)], " "),
        (vec![span("1: 2", Style::Code)], "`1: 2`"),
        (vec![span("a`b", Style::Code)], r"a\`b"),
        (vec![span("quiet.", Style::Quiet)], r"quiet\."),
        (
            vec![span("soon", Style::Instant(START))],
            "<t:1796117400:t> (<t:1796117400:R>)",
        ),
        (
            vec![span("https://askd.example.org/ask/1", Style::Link)],
            "<https://askd.example.org/ask/1>",
        ),
        (vec![span("no link>", Style::Link)], r"no link\>"),
    ] {
        assert_eq!(content(&lines([spans.clone()])), written, "{spans:?}");
    }
}

#[test]
fn a_planned_message_is_never_longer_than_it_was_measured() {
    let samples = Samples::new(1);
    let single = samples.ask(START).record().ask;
    let several = samples
        .ask(START)
        .questions(questions([target(), alerts()]))
        .record()
        .ask;
    let marks = question("q", "***", &"*_~`|".repeat(390), &["**a**", "__b__"], false);
    let marks = samples.ask(START).questions(questions([marks])).record().ask;
    for ask in [single, several, marks] {
        for language in Language::ALL {
            let to = can("dc:@8877");
            for message in plan(&ask, &to, &reader(language), None).messages {
                let written = content(&message).chars().count();
                let measured = message.length(&to);
                assert!(written <= measured && measured <= 2000, "{written} {measured}");
            }
        }
    }
}

#[test]
fn a_deadline_is_a_countdown() {
    let ask = Samples::new(1).ask(START).record().ask;

    let text = content(&prompt(&ask, Language::English));

    let deadline = ask.deadline.as_second();
    assert!(
        text.contains(&format!("<t:{deadline}:t> (<t:{deadline}:R>)")),
        "{text}"
    );
}

#[test]
fn a_form_is_cut_to_what_is_taken() {
    let long = "🦊".repeat(60);

    let body = json(&render::form(&form(&long, &long)));

    let input = &body["data"]["components"][0]["components"][0];
    for text in [&body["data"]["title"], &input["label"]] {
        let units = text.as_str().unwrap().encode_utf16().count();
        assert!((40..=45).contains(&units), "{text}");
    }
}

#[test]
fn every_command_is_described_in_every_language() {
    let commands = json(&render::command_list());

    let names: Vec<_> = commands
        .as_array()
        .unwrap()
        .iter()
        .map(|command| &command["name"])
        .collect();
    assert_eq!(names, ["help", "pending", "skip", "start"]);
    for command in commands.as_array().unwrap() {
        let description = command["description"].as_str().unwrap();
        let persian = |c| ('\u{600}'..='\u{6ff}').contains(&c);
        assert!(description.contains(persian), "{description}");
        assert!(description.starts_with(char::is_alphabetic), "{description}");
        assert!(!description.contains('…'), "{description}");
    }
}
