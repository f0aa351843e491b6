use clap::Parser as _;

use super::*;
use crate::cli::{Cli, Command};

fn arguments(typed: &[&str]) -> Arguments {
    match Cli::try_parse_from(["askd", "ask"].iter().chain(typed))
        .unwrap()
        .command
    {
        Command::Ask(arguments) => arguments,
        other => panic!("{other:?}"),
    }
}

fn built(typed: &[&str]) -> Value {
    body(&arguments(typed), || panic!("stdin is not read")).unwrap()
}

#[test]
fn flags_make_one_question() {
    let body = built(&[
        "Where to?",
        "-o",
        "Staging::Safe; resets: nightly",
        "-o",
        " Production ",
        "--multi",
    ]);

    assert_eq!(
        body,
        json!({ "questions": [{
            "id": "answer", "header": "Question", "question": "Where to?", "multiSelect": true,
            "options": [
                { "label": "Staging", "description": "Safe; resets: nightly" },
                { "label": "Production" },
            ],
        }] })
    );
}

#[test]
fn what_is_told_beside_the_question_goes_along() {
    let typed = [
        "Q?",
        "-o",
        "A",
        "-o",
        "B",
        "--timeout",
        "60",
        "--context",
        "c",
        "--session",
        "s",
        "--title",
        "t",
        "--run",
        "r",
    ];

    let body = built(&typed);

    assert_eq!(body["timeoutSeconds"], 60);
    assert_eq!(body["context"], "c");
    assert_eq!(body["session"], json!({ "id": "s", "title": "t" }));
    assert_eq!(body["run"], "r");
}

#[test]
fn an_ask_is_read_whole_from_stdin_and_flags_win_over_it() {
    for typed in [&["-"][..], &["--file", "-"]] {
        let typed: Vec<&str> = typed.iter().copied().chain(["--timeout", "60"]).collect();
        let stdin = || Ok(r#"{"questions":[],"timeoutSeconds":900,"unknown":1}"#.to_owned());

        let body = body(&arguments(&typed), stdin).unwrap();

        assert_eq!(
            body,
            json!({ "questions": [], "timeoutSeconds": 60, "unknown": 1 }),
            "{typed:?}"
        );
    }
}

#[test]
fn what_cannot_be_an_ask_is_wrong_usage_before_anything_is_sent() {
    let from = |typed: &[&str], text: &str| {
        let text = text.to_owned();
        Exit::of(&body(&arguments(typed), || Ok(text)).unwrap_err())
    };

    assert_eq!(from(&["Q?", "-o", "only one"], ""), Exit::Usage);
    assert_eq!(from(&["-"], "no JSON"), Exit::Usage);
    assert_eq!(from(&["-"], "[]"), Exit::Usage);
    assert_eq!(from(&["--file", "/nonexistent/ask.json"], ""), Exit::Usage);
}

#[test]
fn every_end_has_its_exit_code() {
    for (status, code) in [
        ("answered", Exit::Done),
        ("skipped", Exit::Skipped),
        ("cancelled", Exit::Cancelled),
        ("expired", Exit::NoAnswer),
        ("undelivered", Exit::NoAnswer),
    ] {
        assert_eq!(exit(status), code, "{status}");
    }
}
