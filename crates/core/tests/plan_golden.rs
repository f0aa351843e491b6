//! Prompts and outcomes as people see them, for reading: `tests/snapshots/`.
//!
//! Bidi isolates and marks are left out (`plan_properties` is about those); what is to be typed stands in
//! backticks, an instant that the platform renders itself in angle brackets.

#![expect(clippy::unwrap_used, reason = "what fails here fails a test")]

use std::fmt::Write as _;

use askd_core::{
    answer::Answer,
    ask::Ask,
    present::{
        Capabilities, Controls, Message, Presentation, Reader, Style, follow_up, plan, settled, summary_text,
    },
    stage::{End, Unreached},
};

use crate::{
    asks::{alerts, answered, ask, at, by_sara, english, multi, over, persian, place, question, target},
    profiles,
};

fn drawn(presentation: &Presentation) -> String {
    let messages: Vec<String> = presentation.messages.iter().map(drawn_message).collect();
    messages.join("\n\n──────────\n\n")
}

fn drawn_message(message: &Message) -> String {
    let mut text = String::new();
    for line in &message.lines {
        for span in &line.spans {
            let shown: String = span.text.chars().filter(|&c| !is_invisible(c)).collect();
            match span.style {
                Style::Code => write!(text, "`{shown}`").unwrap(),
                Style::Instant(_) => write!(text, "<{shown}>").unwrap(),
                _ => text.push_str(&shown),
            }
        }
        text.push('\n');
    }
    if let Controls::Buttons(rows) = &message.controls {
        for row in rows {
            let row: Vec<String> = row.iter().map(|button| format!("[ {} ]", button.label)).collect();
            writeln!(text, "{}", row.join(" ")).unwrap();
        }
    }
    text.trim_end().to_owned()
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{2066}'..='\u{2069}')
}

#[test]
fn a_session_without_a_title_is_named_by_its_id() {
    let mut ask = ask(vec![target()]);
    ask.session.as_mut().unwrap().title = None;

    let prompt = drawn(&plan(&ask, &profiles::telegram_private(), &english(), None));

    assert!(prompt.starts_with("❓ build-bot · s-1\n"), "{prompt}");
}

/// One prompt in several places and both languages.
fn gallery(ask: &Ask, places: &[(&str, Capabilities)]) -> String {
    let mut all = String::new();
    for (place, to) in places {
        for (language, reader) in [("English", english()), ("Persian", persian())] {
            let prompt = drawn(&plan(ask, to, &reader, None));
            write!(all, "══ {place}, {language}\n\n{prompt}\n\n").unwrap();
        }
    }
    all
}

fn main_places() -> [(&'static str, Capabilities); 5] {
    [
        ("Telegram, private", profiles::telegram_private()),
        ("Telegram, group", profiles::telegram_group()),
        ("Discord, server", profiles::discord_guild()),
        ("Slack, channel", profiles::slack_channel()),
        ("Plain text", Capabilities::plain_text()),
    ]
}

#[test]
fn one_question_becomes_buttons() {
    insta::assert_snapshot!(gallery(&ask(vec![target()]), &main_places()));
}

#[test]
fn several_questions_become_numbered_text() {
    insta::assert_snapshot!(gallery(&ask(vec![target(), alerts()]), &main_places()));
}

#[test]
fn a_multi_select_question_becomes_numbered_text() {
    insta::assert_snapshot!(gallery(&ask(vec![alerts()]), &main_places()));
}

#[test]
fn labels_that_begin_with_numbers_are_lettered() {
    let options = [
        ("3 replicas", "as now"),
        ("5 replicas", ""),
        ("10 replicas", "twice the cost"),
    ];
    let ask = ask(vec![question("size", "Size", "How many replicas?", &options)]);
    let places = [
        ("Telegram, group", profiles::telegram_group()),
        ("Plain text", Capabilities::plain_text()),
    ];

    insta::assert_snapshot!(gallery(&ask, &places));
}

#[test]
fn labels_too_long_for_buttons_become_markers() {
    let options = [
        (
            "Roll back the release and restore last night's backup of the orders table",
            "",
        ),
        (
            "Keep the release and repair the twelve broken orders by hand, one by one",
            "",
        ),
        ("Wait", "support is looking at it"),
    ];
    let ask = ask(vec![question(
        "repair",
        "Repair",
        "How should the orders be repaired?",
        &options,
    )]);

    insta::assert_snapshot!(gallery(
        &ask,
        &[("Telegram, private", profiles::telegram_private())]
    ));
}

#[test]
fn background_comes_first_and_texts_keep_their_lines_and_direction() {
    let options = [
        ("استیجینگ (پیشنهادی)", "امن است\nهر شب پاک می‌شود"),
        ("Production", "For customers.\nNo way back."),
    ];
    let mut ask = ask(vec![question("target", "مقصد", "نسخهٔ 1.4 کجا برود؟", &options)]);
    ask.context = Some("All 312 tests pass.\n\n* migrations: none\n* size: 4 MB".to_owned());

    insta::assert_snapshot!(gallery(
        &ask,
        &[("Telegram, private", profiles::telegram_private())]
    ));
}

#[test]
fn a_deadline_on_another_day_has_a_date() {
    let mut ask = ask(vec![target()]);
    (ask.created_at, ask.deadline) = (at("2026-12-01T20:00:00Z"), at("2026-12-01T20:45:00Z"));
    let shown = |reader: &Reader| drawn(&plan(&ask, &profiles::telegram_private(), reader, None));
    let english = Reader {
        time_zone: persian().time_zone,
        ..english()
    };

    insta::assert_snapshot!(format!("{}\n\n{}", shown(&english), shown(&persian())));
}

#[test]
fn long_background_is_cut_where_the_panel_has_the_rest() {
    let mut ask = ask(vec![target()]);
    ask.context = Some(
        "Every customer has a row, and every row has a story. "
            .repeat(70)
            .trim()
            .to_owned(),
    );
    let link = Some("https://askd.example.org/asks/42");
    let to = profiles::discord_guild();

    let with_link = drawn(&plan(&ask, &to, &english(), link));
    let without = drawn(&plan(&ask, &to, &english(), None));
    insta::assert_snapshot!(format!(
        "══ with a link\n\n{with_link}\n\n══ without\n\n{without}"
    ));
}

#[test]
fn what_is_too_long_is_split_with_the_controls_on_the_last_part() {
    let text =
        "Which of the following plans should be carried out tonight, when traffic is lowest? ".repeat(4);
    let options = [
        (
            "Move everything",
            "All shards at once; the shop is closed for about twenty minutes.",
        ),
        (
            "Move by halves",
            "Two windows, an hour apart; orders are slower in between, and the cache is cold.",
        ),
        ("Wait", ""),
    ];
    let ask = ask(vec![question("plan", "Plan", text.trim(), &options)]);
    let to = Capabilities {
        edits: true,
        ..profiles::few_buttons()
    };

    let over = over(&ask, End::Expired);
    let prompt = plan(&ask, &to, &english(), None);
    let of = prompt.messages.len();
    let closed = Presentation {
        messages: settled(&over, &place("telegram"), &to, &english(), None, of),
        rings: false,
    };
    let all = format!("{}\n\n══ and closed\n\n{}", drawn(&prompt), drawn(&closed));
    insta::assert_snapshot!(all);
}

#[test]
fn an_outcome_stands_below_the_question() {
    let one = ask(vec![target()]);
    let two = ask(vec![target(), alerts()]);
    let own = "Neither. Ask Omid first,\nhe knows why.";
    let staging = || Answer::choice(0);
    let both = || Answer::new(vec![0, 1], vec!["the night shift".to_owned()]).unwrap();
    let ends = [
        ("chosen", answered(&one, vec![(staging(), "telegram")])),
        (
            "in own words, here",
            answered(&one, vec![(Answer::own(own), "slack")]),
        ),
        (
            "in own words, elsewhere",
            answered(&one, vec![(Answer::own(own), "http")]),
        ),
        (
            "several questions",
            answered(&two, vec![(staging(), "telegram"), (both(), "telegram")]),
        ),
        (
            "several, on two channels",
            answered(&two, vec![(staging(), "telegram"), (both(), "slack")]),
        ),
        (
            "several choices",
            answered(&ask(vec![multi(target())]), vec![(both(), "cli")]),
        ),
        (
            "skipped",
            over(
                &one,
                End::Skipped {
                    by: by_sara("discord"),
                },
            ),
        ),
        ("expired", over(&two, End::Expired)),
        ("cancelled", over(&one, End::Cancelled)),
        ("undelivered", over(&one, End::Undelivered(Unreached::AllFailed))),
    ];

    let (to, at) = (profiles::slack_channel(), place("slack"));
    let mut all = String::new();
    for (name, ask) in &ends {
        for (language, reader) in [("English", english()), ("Persian", persian())] {
            let shown = drawn_message(&settled(ask, &at, &to, &reader, None, 1)[0]);
            write!(all, "══ {name}, {language}\n\n{shown}\n\n").unwrap();
        }
    }
    insta::assert_snapshot!(all);
}

#[test]
fn where_a_prompt_cannot_be_edited_a_short_message_follows() {
    let question = question(
        "plan",
        "Plan",
        &"Should the migration run tonight? ".repeat(9),
        &[("Yes", ""), ("No", "")],
    );
    let ask = answered(&ask(vec![question]), vec![(Answer::choice(0), "telegram")]);
    let shown = |reader: &Reader| drawn(&follow_up(&ask, &place("sms"), &profiles::like_sms(), reader));

    insta::assert_snapshot!(format!("{}\n\n{}", shown(&english()), shown(&persian())));
}

#[test]
fn an_agent_reads_question_options_and_answer() {
    let two = ask(vec![target(), alerts()]);
    let both = Answer::new(vec![0, 1], vec!["the night shift".to_owned()]).unwrap();
    let asks = [
        answered(&two, vec![(Answer::choice(0), "telegram"), (both, "telegram")]),
        over(&ask(vec![target()]), End::Undelivered(Unreached::NoRoute)),
        ask(vec![target()]),
    ];
    let texts: Vec<String> = asks.iter().map(summary_text).collect();

    insta::assert_snapshot!(texts.join("\n\n══\n\n"));
}
