//! Claude Code asks with its own tool, and people answer where they are.
//!
//! The hook stands between: what it prints is the answer, and where it prints nothing the question goes to the terminal.

use std::{process::Command, time::Duration};

use askd_core::{broker::Settings, id::AskId};
use askd_http::HttpOptions;
use askd_store_sqlite::Options;
use askd_stories::{Askd, Home, Left, Running};
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinSet};

use crate::{
    inside::{SECRET, World},
    stage::{Scene, runtime, telegram},
};

const HOOK: [&str; 2] = ["hook", "claude-code"];

/// One question of the tool.
fn question(text: &str, header: &str, labels: &[&str]) -> Value {
    let option = |label: &&str| json!({ "label": label, "description": "" });
    json!({
        "question": text, "header": header, "multiSelect": false,
        "options": labels.iter().map(option).collect::<Vec<_>>(),
    })
}

fn where_to() -> Value {
    question(
        "Where should this go?",
        "Target",
        &["Staging (Recommended)", "Production"],
    )
}

fn who_hears() -> Value {
    let mut question = question("Who should hear about it?", "Alerts", &["Ops", "Developers"]);
    question["multiSelect"] = json!(true);
    question
}

/// What Claude Code puts on the hook's stdin.
fn call(questions: &[Value]) -> Value {
    json!({
        "session_id": "0b5c9c1e-3d2f-4a53-9d0e-0e4b1c9c7f10",
        "transcript_path": "/home/sara/.claude/projects/shop.jsonl",
        "cwd": "/home/sara/shop",
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": "AskUserQuestion",
        "tool_input": { "questions": questions },
        "tool_use_id": "toolu_01AbCdEf",
    })
}

fn hook(home: &Home, call: &Value) -> Running {
    Running::start(&mut home.command(&HOOK), &call.to_string())
}

/// The hook at work, once askd has the question.
fn asking(home: &Home, call: &Value) -> Running {
    let mut hook = hook(home, call);
    hook.until_it_notes("waiting for an answer");
    hook
}

fn pending(askd: &Askd) -> Value {
    askd.operator.get("/v1/asks?status=pending").body["asks"][0].clone()
}

fn asks(askd: &Askd) -> usize {
    askd.operator.get("/v1/asks").body["asks"]
        .as_array()
        .map_or(0, Vec::len)
}

/// What the tool is told, of a hook that printed one line and nothing else.
fn answers(left: &Left) -> Value {
    assert_eq!(left.code, 0, "{left:?}");
    assert_eq!(left.stdout.lines().count(), 1, "{left:?}");
    let told = left.json()["hookSpecificOutput"].clone();
    assert_eq!(told["hookEventName"], "PreToolUse", "{told}");
    assert_eq!(told["permissionDecision"], "allow", "{told}");
    told["updatedInput"]["answers"].clone()
}

/// Nothing printed and nothing forbidden: the question goes to the terminal, and stderr says why.
#[track_caller]
fn left_to_the_terminal(left: &Left, why: &str) {
    assert_eq!((left.code, left.stdout.as_str()), (0, ""), "{left:?}");
    assert!(left.stderr.contains(why), "{why:?} in {left:?}");
    assert!(
        left.stderr.contains("the question goes to the terminal"),
        "{left:?}"
    );
}

#[test]
fn a_tap_on_a_phone_answers_the_tool() {
    let home = Home::new();
    let scene = Scene::open(telegram::start, &runtime());
    let sara = scene.sara();
    home.configure(&format!("{}{}", scene.section(), sara.section()));
    let _askd = home.serve();
    let mut hook = asking(&home, &call(&[where_to()]));

    let seen = sara.reads("Where should this go?");
    sara.taps("Production");

    for shown in ["claude-code", "shop", "Target"] {
        assert!(seen.text.contains(shown), "{shown:?} in {seen:?}");
    }
    assert_eq!(
        answers(&hook.end()),
        json!({ "Where should this go?": "Production" })
    );
}

#[test]
fn what_is_handed_back_is_the_input_with_the_answers() {
    let home = Home::new();
    let askd = home.serve();
    let mut call = call(&[where_to(), who_hears()]);
    call["tool_input"]["metadata"] = json!({ "source": "plan" });
    let mut hook = asking(&home, &call);
    let ask = pending(&askd);

    askd.operator
        .reply(ask["id"].as_str().unwrap(), "1: 2\n2: Developers, Ops, my team");

    let left = hook.end();
    let mut expected = call["tool_input"].clone();
    expected["answers"] = json!({
        "Where should this go?": "Production",
        "Who should hear about it?": "Ops, Developers, my team",
    });
    assert_eq!(left.json()["hookSpecificOutput"]["updatedInput"], expected);
    assert_eq!(
        (&ask["agent"], &ask["session"]["title"]),
        (&json!("claude-code"), &json!("shop"))
    );
}

#[test]
fn four_questions_are_asked_and_own_words_come_back_as_they_were_typed() {
    let home = Home::new();
    let askd = home.serve();
    let more = |n: u8| question(&format!("Number {n}?"), &format!("N{n}"), &["A", "B"]);
    let mut hook = asking(&home, &call(&[where_to(), who_hears(), more(3), more(4)]));

    let ask = pending(&askd)["id"].as_str().unwrap().to_owned();
    askd.operator
        .reply(&ask, "1: prod, after five\n2: all\n3: B\n4: 1");

    assert_eq!(
        answers(&hook.end()),
        json!({
            "Where should this go?": "prod, after five",
            "Who should hear about it?": "Ops, Developers",
            "Number 3?": "B",
            "Number 4?": "A",
        })
    );
}

#[test]
fn the_fourth_question_is_refused_on_the_command_line() {
    let home = Home::new();
    let _askd = home.serve();
    let more = |n: u8| json!({ "id": format!("q_{n}"), "header": "H", "question": "Q?", "options": [{ "label": "A" }, { "label": "B" }] });
    let body = json!({ "questions": (1..=4).map(more).collect::<Vec<_>>() });

    let left = home.run_with_input(&["ask", "-", "--json"], &body.to_string());

    assert_eq!(left.code, 2, "{left:?}");
    assert_eq!(left.json()["errors"][0]["limit"], 3);
}

#[test]
fn a_second_run_for_the_same_call_finds_the_first_ask() {
    let home = Home::new();
    let askd = home.serve();
    let mut hook = asking(&home, &call(&[where_to()]));
    hook.kill();

    let mut again = asking(&home, &call(&[where_to()]));
    let ask = pending(&askd)["id"].as_str().unwrap().to_owned();
    askd.operator.reply(&ask, "1");

    assert_eq!(
        answers(&again.end()),
        json!({ "Where should this go?": "Staging (Recommended)" })
    );
    assert_eq!(asks(&askd), 1);
}

#[test]
fn a_restart_of_the_daemon_goes_unnoticed() {
    let home = Home::new();
    let mut askd = home.serve();
    let mut hook = asking(&home, &call(&[where_to()]));

    askd.process.stop();
    let askd = home.serve();
    let ask = pending(&askd)["id"].as_str().unwrap().to_owned();
    askd.operator.reply(&ask, "2");

    assert_eq!(
        answers(&hook.end()),
        json!({ "Where should this go?": "Production" })
    );
}

#[test]
fn escape_in_the_terminal_takes_the_question_back() {
    for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
        let home = Home::new();
        let askd = home.serve();
        let mut hook = asking(&home, &call(&[where_to()]));
        let ask = pending(&askd)["id"].as_str().unwrap().to_owned();

        hook.signal(signal);

        left_to_the_terminal(&hook.end(), "cancelled");
        assert_eq!(askd.agent.read(&ask)["status"], "cancelled", "{signal:?}");
    }
}

#[test]
fn who_skips_leaves_the_question_to_the_terminal() {
    let home = Home::new();
    let askd = home.serve();
    let mut hook = asking(&home, &call(&[where_to()]));

    let ask = pending(&askd)["id"].as_str().unwrap().to_owned();
    askd.operator.post_empty(&format!("/v1/asks/{ask}/skip"));

    left_to_the_terminal(&hook.end(), "skipped");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_answers_in_time() {
    let world = World::new();
    let askd = world.start(Options::default(), Settings::default()).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (broker, stop) = (askd.broker.clone(), askd.broker.stopping().clone());
    let mut server = JoinSet::new();
    server.spawn(askd_http::serve(listener, broker, HttpOptions::default(), stop));
    let home = Home::new();
    let mut command = home.command(&[&HOOK[..], &["--timeout", "600"]].concat());
    command.env("ASKD_URL", url).env("ASKD_TOKEN", SECRET);
    let mut hook = Running::start(&mut command, &call(&[where_to()]).to_string());
    let noted = hook.until_it_notes("waiting for an answer");
    let ask = noted.split_whitespace().last().and_then(AskId::parse).unwrap();
    askd.until(ask, |record| record.deliveries[0].is_delivered())
        .await;

    world.clock.advance(Duration::from_mins(10));

    left_to_the_terminal(&hook.end(), "expired");
}

#[test]
fn a_question_that_reaches_nobody_goes_to_the_terminal_at_once() {
    let home = Home::new();
    home.configure("[people.sara]\n[[routes]]\nagent = \"another-bot\"\nto = [\"sara\"]\n");
    let _askd = home.serve();

    left_to_the_terminal(&hook(&home, &call(&[where_to()])).end(), "undelivered");
}

#[test]
fn without_a_daemon_the_terminal_asks_at_once() {
    let home = Home::new();

    left_to_the_terminal(&hook(&home, &call(&[where_to()])).end(), "has not run");

    home.serve().process.stop();
    left_to_the_terminal(&hook(&home, &call(&[where_to()])).end(), "cannot be reached");
}

#[test]
fn a_token_that_may_not_ask_leaves_the_question_to_the_terminal() {
    let home = Home::new();
    home.configure(
        "[people.sara]\n[tokens.helper]\nrole = \"subagent\"\ntoken = \"secret-of-a-helper\"\n\
         [tokens.of-sara]\nrole = \"person\"\nperson = \"sara\"\ntoken = \"secret-of-sara\"\n",
    );
    let askd = home.serve();

    for secret in [
        "secret-of-a-helper",
        "secret-of-sara",
        "secret-of-nobody",
        "no token",
    ] {
        let mut command: Command = home.command(&HOOK);
        command.env("ASKD_TOKEN", secret);
        let left = Running::start(&mut command, &call(&[where_to()]).to_string()).end();

        left_to_the_terminal(&left, "askd: ");
    }
    assert_eq!(asks(&askd), 0);
}

#[test]
fn an_agent_with_too_many_questions_open_is_left_to_the_terminal() {
    let home = Home::new();
    home.configure("[limits]\nmax_pending = 1\n");
    let _askd = home.serve();
    let _first = asking(&home, &call(&[where_to()]));

    left_to_the_terminal(&hook(&home, &call(&[who_hears()])).end(), "pending");
}

#[test]
fn what_an_ask_may_not_hold_is_left_to_the_terminal_and_nobody_is_asked() {
    let home = Home::new();
    let askd = home.serve();
    let one = |labels: &[&str]| call(&[question("Which?", "Which", labels)]);
    let more = |n: usize| question(&format!("Number {n}?"), "N", &["A", "B"]);
    let cases = [
        ("five questions", call(&(1..=5).map(more).collect::<Vec<_>>())),
        ("no question", call(&[])),
        ("one option", one(&["A"])),
        ("five options", one(&["A", "B", "C", "D", "E"])),
        ("a blank label", one(&["A", " "])),
        ("a label twice after clean-up", one(&["Staging", "staging."])),
        ("an option for own words", one(&["A", "Other"])),
        ("a label of two lines", one(&["A", "B\nC"])),
        ("a blank header", call(&[question("Which?", " ", &["A", "B"])])),
        ("a blank question", call(&[question("", "Which", &["A", "B"])])),
        (
            "a question too long",
            call(&[question(&"x".repeat(2001), "Which", &["A", "B"])]),
        ),
    ];
    for (case, call) in cases {
        let left = hook(&home, &call).end();

        assert_eq!((left.code, left.stdout.as_str()), (0, ""), "{case}: {left:?}");
    }
    assert_eq!(asks(&askd), 0);
}

#[test]
fn what_is_no_call_of_the_tool_is_left_to_the_terminal_and_nobody_is_asked() {
    let home = Home::new();
    let askd = home.serve();
    let with = |name: &str, value: Value| {
        let mut call = call(&[where_to()]);
        call[name] = value;
        call.to_string()
    };
    for (input, why) in [
        (String::new(), "not the input of a hook"),
        ("no JSON".to_owned(), "not the input of a hook"),
        ("[]".to_owned(), "not the input of a hook"),
        (
            with("tool_name", json!("Bash")),
            "something else than AskUserQuestion",
        ),
        (
            with("hook_event_name", json!("PostToolUse")),
            "something else than AskUserQuestion",
        ),
        (with("agent_id", json!("agent-7")), "a sub-agent asks"),
        (with("tool_input", json!({ "questions": "Which?" })), "a shape"),
    ] {
        let left = home.run_with_input(&HOOK, &input);

        left_to_the_terminal(&left, why);
    }
    assert_eq!(asks(&askd), 0);
}

#[test]
fn a_hook_that_is_set_up_wrongly_says_so_and_forbids_nothing() {
    let home = Home::new();

    for arguments in [
        &["hook"][..],
        &["hook", "another-agent"],
        &["hook", "claude-code", "--timeout", "soon"],
    ] {
        let left = home.run_with_input(arguments, &call(&[where_to()]).to_string());

        // 2 would tell Claude Code to forbid the call.
        assert_eq!((left.code, left.stdout.as_str()), (1, ""), "{left:?}");
        assert!(!left.stderr.is_empty());
    }
}

#[test]
fn no_word_of_a_question_stands_on_stderr() {
    let home = Home::new();
    let _askd = home.serve();
    let call = call(&[question(
        "walrus-question?",
        "walrus-head",
        &["walrus-label", "walrus-label."],
    )]);
    let mut odd = call.clone();
    odd["tool_input"]["questions"][0]["walrus-field"] = json!("walrus-value");

    for call in [call, odd] {
        let left = hook(&home, &call).end();

        assert!(!left.stderr.contains("walrus"), "{left:?}");
    }
}
