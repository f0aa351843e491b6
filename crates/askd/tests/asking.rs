//! Asking and answering on the command line, against a running daemon.

use rustix::process::Signal;
use serde_json::json;

use crate::home::{Home, left};

const QUESTION: [&str; 6] = ["ask", "Where to?", "-o", "Staging::Safe", "-o", "Production"];

fn with<'a>(arguments: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    arguments.iter().chain(more).copied().collect()
}

#[test]
fn an_answer_is_a_label_alone_on_stdout_and_exit_code_0() {
    let home = Home::new();
    let _askd = home.serve();
    let mut ask = home.start(&QUESTION);
    ask.until_stderr_says("waiting for an answer");

    let receipt = home.run(&["answer", "2"]);

    assert_eq!(receipt.code, 0, "{receipt:?}");
    assert!(receipt.stdout.contains("Production"), "{receipt:?}");
    let left = ask.end();
    assert_eq!((left.code, left.stdout.as_str()), (0, "Production\n"));
}

#[test]
fn several_questions_are_answered_with_exact_values_and_told_with_their_ids() {
    let home = Home::new();
    let _askd = home.serve();
    let body = json!({ "questions": [
        { "id": "target", "header": "Target", "question": "Where?", "options": [{ "label": "A" }, { "label": "B" }] },
        { "id": "alerts", "header": "Alerts", "question": "Who?", "multiSelect": true,
          "options": [{ "label": "Ops" }, { "label": "Developers" }] },
    ] })
    .to_string();
    let asked = home.run_with_input(&["ask", "-", "--no-wait", "--key", "k"], &body);
    let id = asked.stdout.trim();

    let kept = home.run(&["answer", &id[id.len() - 8..], "--set", "target=B", "--json"]);
    let settled = home.run(&["answer", id, "--set", "alerts=Developers", "--set", "alerts=Ops"]);
    let again = home.run_with_input(&["ask", "-", "--key", "k"], &body);

    assert_eq!(kept.json()["receipt"], "kept", "{kept:?}");
    assert_eq!(settled.code, 0, "{settled:?}");
    assert_eq!(
        (again.code, again.stdout.as_str()),
        (0, "target: B\nalerts: Ops\nalerts: Developers\n")
    );
}

#[test]
fn the_result_as_json_is_what_an_agent_gets_over_http() {
    let home = Home::new();
    let _askd = home.serve();
    home.run(&with(&QUESTION, &["--no-wait", "--key", "k"]));
    home.run(&["answer", "prod, but only after five"]);

    let result = home.run(&with(&QUESTION, &["--key", "k", "--json"])).json();

    assert_eq!(result["status"], "answered");
    assert_eq!(
        result["answers"]["answers"],
        json!({ "answer": ["prod, but only after five"] })
    );
    assert_eq!(result["freeText"], json!(["answer"]));
    assert_eq!(result["settledBy"]["channel"], "cli");
}

#[test]
fn every_end_has_its_exit_code_and_a_sentence_on_stderr() {
    let home = Home::new();
    let _askd = home.serve();
    let ends: [(&[&str], i32); 2] = [(&["answer", "--skip"], 3), (&["cancel", "--run", "r"], 4)];
    for (command, code) in ends {
        let mut ask = home.start(&with(&QUESTION, &["--run", "r"]));
        ask.until_stderr_says("waiting for an answer");

        assert_eq!(home.run(command).code, 0, "{command:?}");

        let left = ask.end();
        assert_eq!((left.code, left.stdout.as_str()), (code, ""), "{left:?}");
        assert!(left.stderr.starts_with("askd: "), "{left:?}");
    }
}

#[test]
fn an_ask_that_reaches_nobody_ends_at_once_with_75() {
    let home = Home::new();
    home.configure("[people.sara]\n[[routes]]\nagent = \"another\"\nto = [\"sara\"]\n");
    let _askd = home.serve();

    let left = home.run(&QUESTION);

    assert_eq!((left.code, left.stdout.as_str()), (75, ""), "{left:?}");
}

#[test]
fn a_stopped_ask_is_taken_back() {
    let home = Home::new();
    let _askd = home.serve();
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let mut ask = home.start(&QUESTION);
        ask.until_stderr_says("waiting for an answer");

        ask.signal(signal);

        let left = ask.end();
        assert_eq!((left.code, left.stdout.as_str()), (4, ""), "{signal:?}: {left:?}");
        let pending = home.run(&["list", "--json"]);
        assert_eq!(pending.json()["asks"], json!([]), "{signal:?}");
    }
}

#[test]
fn a_stop_that_finds_an_answer_tells_the_answer() {
    let home = Home::new();
    let _askd = home.serve();
    let mut ask = home.start(&QUESTION);
    ask.until_stderr_says("waiting for an answer");
    // While it is frozen both arrive, the answer first.
    ask.signal(Signal::STOP);
    home.run(&["answer", "Production"]);

    ask.signal(Signal::TERM);
    ask.signal(Signal::CONT);

    let left = ask.end();
    assert_eq!((left.code, left.stdout.as_str()), (0, "Production\n"), "{left:?}");
}

#[test]
fn an_ask_that_was_killed_stays_open() {
    let home = Home::new();
    let _askd = home.serve();
    let mut ask = home.start(&QUESTION);
    ask.until_stderr_says("waiting for an answer");

    ask.signal(Signal::KILL);
    ask.end();

    assert_eq!(home.run(&["answer", "1"]).code, 0);
}

#[test]
fn a_slip_gets_a_hint_and_the_ask_stays_open() {
    let home = Home::new();
    let _askd = home.serve();
    home.run(&with(&QUESTION, &["--no-wait"]));

    let hint = home.run_with_input(&["answer"], "9\n");

    assert_eq!(hint.code, 1, "{hint:?}");
    assert!(hint.stdout.contains('9'), "{hint:?}");
    assert_eq!(home.run(&["answer", "1"]).code, 0);
}

#[test]
fn of_several_pending_asks_one_must_be_named() {
    let home = Home::new();
    let _askd = home.serve();
    let ids = ["One?", "Two?"].map(|question| {
        let asked = home.run(&["ask", question, "-o", "A", "-o", "B", "--no-wait"]);
        asked.stdout.trim().to_owned()
    });

    let unclear = home.run(&["answer", "1"]);
    let named = home.run(&["answer", &ids[1][28..], "1"]);

    assert_eq!(unclear.code, 2, "{unclear:?}");
    assert!(
        unclear.stderr.contains("One?") && unclear.stderr.contains("Two?"),
        "{unclear:?}"
    );
    assert_eq!(named.code, 0, "{named:?}");
    assert!(
        home.run(&["list"]).stdout.contains("One?"),
        "the other stays open"
    );
    assert!(home.run(&["show", &ids[1]]).stdout.contains("answer: A"));
}

#[test]
fn what_is_wrong_with_an_ask_is_told_whole() {
    let home = Home::new();
    let _askd = home.serve();
    let body = json!({ "questions": [{ "id": "Not Snake", "header": " ", "question": "?", "options": [] }] });

    let left = home.run_with_input(&["ask", "-"], &body.to_string());

    assert_eq!(left.code, 2, "{left:?}");
    for pointer in ["/questions/0/id", "/questions/0/header", "/questions/0/options"] {
        assert!(left.stderr.contains(pointer), "{pointer}: {left:?}");
    }
}

#[test]
fn with_json_a_refusal_is_the_problem_on_stdout_as_over_http() {
    let home = Home::new();
    let _askd = home.serve();

    let left = home.run_with_input(&["ask", "-", "--json"], "{\"questions\": []}");

    assert_eq!(left.code, 2, "{left:?}");
    let problem = left.json();
    assert_eq!(problem["type"], "urn:askd:problem:invalid");
    assert_eq!(problem["errors"][0]["rule"], "too_few");
    assert!(
        left.stderr.contains("/questions"),
        "and a line for people: {left:?}"
    );
}

#[test]
fn an_agents_token_cannot_answer_and_an_unknown_one_nothing() {
    let home = Home::new();
    let _askd = home.serve();
    let asked = home.run(&with(&QUESTION, &["--no-wait"]));
    let agent = home.state().join("agent.token");
    let stranger = home.write("stranger.token", "nobody-knows-this");

    let answer = home.run(&[
        "answer",
        asked.stdout.trim(),
        "1",
        "--token-file",
        agent.to_str().unwrap(),
    ]);
    let people = left(
        home.command(&["people"])
            .env("ASKD_TOKEN", std::fs::read_to_string(&agent).unwrap()),
    );
    let list = home.run(&["list", "--token-file", stranger.to_str().unwrap()]);

    assert_eq!(
        (answer.code, people.code, list.code),
        (77, 77, 77),
        "{answer:?} {people:?} {list:?}"
    );
}

#[test]
fn without_a_daemon_every_command_says_so_with_69() {
    let home = Home::new();
    home.serve().stop();
    let commands: [&[&str]; 7] = [
        &QUESTION,
        &["answer", "1"],
        &["list"],
        &["show", "0193a000"],
        &["cancel", "--run", "r"],
        &["people"],
        &["pair", "sara"],
    ];
    for command in commands {
        let left = home.run(command);

        assert_eq!(left.code, 69, "{command:?}: {left:?}");
        assert!(left.stderr.contains("askd serve"), "{left:?}");
    }
}

#[test]
fn people_are_listed_and_paired_by_name() {
    let home = Home::new();
    home.configure("[people.sara]\nname = \"Sara\"\n");
    let _askd = home.serve();

    let people = home.run(&["people"]);
    let offer = home.run(&["pair", "sara", "--json"]).json();
    let nobody = home.run(&["pair", "nobody"]);

    assert!(people.stdout.starts_with("sara  Sara  no account"), "{people:?}");
    assert_eq!(offer["person"], "sara");
    assert_eq!(offer["code"].as_str().map(str::len), Some(32), "128 bits in hex");
    assert_eq!(nobody.code, 1);
    assert!(nobody.stderr.contains("sara"), "it says who there is: {nobody:?}");
    assert_eq!(home.run(&["unpair", "sara"]).code, 0);
}
