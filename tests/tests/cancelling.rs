//! Taking a question back, and not taking it back.

use askd_stories::{Home, target};
use rustix::process::Signal;
use serde_json::json;

const QUESTION: [&str; 6] = ["ask", "Where to?", "-o", "Staging", "-o", "Production"];

#[test]
fn ctrl_c_takes_the_question_back_and_whoever_answers_then_is_told() {
    let home = Home::new();
    let askd = home.serve();
    let mut asking = home.start(&QUESTION);
    asking.until_it_notes("waiting for an answer");
    let ask = askd.operator.get("/v1/asks").body["asks"][0]["id"].clone();

    asking.signal(Signal::INT);

    let left = asking.end();
    assert_eq!((left.code, left.stdout.as_str()), (4, ""), "{left:?}");
    let late = askd.operator.reply(ask.as_str().unwrap(), "2");
    assert_eq!(late["receipt"], "too_late", "{late}");
    assert_eq!(askd.agent.read(ask.as_str().unwrap())["status"], "cancelled");
}

#[test]
fn the_end_of_a_run_takes_all_its_questions_back_and_no_other() {
    let home = Home::new();
    let askd = home.serve();
    let of_run = |run: &'static str| {
        let mut asking = home.start(&[&QUESTION[..], &["--run", run]].concat());
        asking.until_it_notes("waiting for an answer");
        asking
    };
    let (mut first, mut second, mut other) = (of_run("one"), of_run("one"), of_run("two"));

    let ended = askd.agent.delete("/v1/runs/one");

    assert_eq!(
        ended.body["cancelled"].as_array().map(Vec::len),
        Some(2),
        "{ended:?}"
    );
    assert_eq!((first.end().code, second.end().code), (4, 4));
    assert_eq!(
        home.run(&["answer", "1"]).code,
        0,
        "the other is the only one left"
    );
    assert_eq!(other.end().stdout, "Staging\n");
}

#[test]
fn a_cancel_that_finds_an_answer_returns_the_answer() {
    let home = Home::new();
    let askd = home.serve();
    let over_http = askd.agent.ask(&target()).id();
    askd.operator.reply(&over_http, "2");
    let found = askd.agent.post_empty(&format!("/v1/asks/{over_http}/cancel"));

    let mut asking = home.start(&QUESTION);
    asking.until_it_notes("waiting for an answer");
    // Stopped, it cannot hear of the answer before it is told to give up.
    asking.signal(Signal::STOP);
    assert_eq!(home.run(&["answer", "2"]).code, 0);
    asking.signal(Signal::INT);
    asking.signal(Signal::CONT);

    assert_eq!((found.status, &found.body["status"]), (200, &json!("answered")));
    assert_eq!(
        found.body["result"]["answers"]["answers"]["deploy_target"],
        json!(["Production"])
    );
    let left = asking.end();
    assert_eq!((left.code, left.stdout.as_str()), (0, "Production\n"), "{left:?}");
}

#[test]
fn an_agent_that_dies_takes_nothing_back_and_finds_the_answer_when_it_lives_again() {
    let home = Home::new();
    let askd = home.serve();
    let with_key = [&QUESTION[..], &["--key", "deploy-7"]].concat();
    let mut asking = home.start(&with_key);
    asking.until_it_notes("waiting for an answer");

    asking.kill();
    assert_eq!(
        askd.operator.get("/v1/asks?status=pending").body["asks"]
            .as_array()
            .map(Vec::len),
        Some(1)
    );
    assert_eq!(home.run(&["answer", "Production"]).code, 0);

    let again = home.run(&with_key);
    assert_eq!(
        (again.code, again.stdout.as_str()),
        (0, "Production\n"),
        "{again:?}"
    );
}
