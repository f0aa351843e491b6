//! Asking: what becomes an ask, what a model gets back, and why a call is refused.

use std::pin::pin;

use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::{
    client::text,
    world::{AGENT, World, principal, settle, target},
};

/// Asks, has it answered, and returns the result.
async fn answered(world: &World, body: Value, reply: &str) -> Value {
    let client = world.legacy();
    let mut asked = client.ask(body).await;
    settle().await;
    world.answered(&world.only_ask().await, reply).await;
    asked.result().await
}

#[tokio::test]
async fn an_answer_comes_back_for_programs_and_as_a_text_that_stands_on_its_own() {
    let world = World::new();

    let result = answered(&world, target(), "1").await;

    let ask = world.only_ask().await;
    assert_eq!(result["isError"], false);
    assert_eq!(
        result["structuredContent"],
        json!({
            "status": "answered",
            "answers": { "answers": { "deploy_target": ["Staging (Recommended)"] } },
            "askId": ask.id.to_string(),
            "settledBy": { "name": "Sara", "channel": "http", "how": "reply" },
            "settledAt": "2026-12-01T09:30:00Z",
            "freeText": [],
        })
    );
    for part in [
        "Where should this go?",
        "1. Staging (Recommended)",
        "2. Production",
        "Answer: Staging",
    ] {
        assert!(text(&result).contains(part), "{part} in {}", text(&result));
    }
}

#[tokio::test]
async fn own_words_come_back_as_they_were_typed_and_are_flagged() {
    let world = World::new();

    let result = answered(&world, target(), "neither, wait for Monday").await;

    let structured = &result["structuredContent"];
    assert_eq!(
        structured["answers"]["answers"]["deploy_target"],
        json!(["neither, wait for Monday"])
    );
    assert_eq!(structured["freeText"], json!(["deploy_target"]));
}

#[tokio::test]
async fn a_skip_is_no_error_and_says_what_to_do() {
    let world = World::new();

    let result = answered(&world, target(), "skip").await;

    assert_eq!(result["isError"], false);
    assert_eq!(result["structuredContent"]["status"], "no_answer");
    assert_eq!(result["structuredContent"]["reason"], "skipped");
    assert!(text(&result).contains("best judgment"));
}

#[tokio::test]
async fn background_session_and_run_go_with_the_ask() {
    let world = World::new();
    let mut body = target();
    body["context"] = "Two hosts are free.".into();
    body["session"] = json!({ "id": "s-1", "title": "shop" });
    body["run"] = "run-1".into();

    answered(&world, body, "1").await;

    let ask = world.only_ask().await;
    assert_eq!(ask.context.as_deref(), Some("Two hosts are free."));
    assert_eq!(ask.session.unwrap().title.as_deref(), Some("shop"));
    assert_eq!(ask.run.unwrap().as_str(), "run-1");
}

#[tokio::test]
async fn every_fault_is_listed_at_once_with_where_what_the_limit_and_what_was_received() {
    let world = World::new();
    let body = json!({ "timeoutSeconds": 1.5, "questions": [
        { "id": "Deploy", "header": "H", "question": "Q?", "options": [{ "label": "A" }] },
        { "id": "b", "header": "H", "question": "x".repeat(2001), "options": [{ "label": "A" }, { "label": "Other" }] },
    ] });

    let refused = world.legacy().asked(body).await;

    assert_eq!(refused["isError"], true);
    let structured = &refused["structuredContent"];
    assert_eq!(
        (&structured["status"], &structured["reason"]),
        (&json!("error"), &json!("invalid"))
    );
    let faults: Vec<[&str; 2]> = structured["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fault| {
            [
                fault["pointer"].as_str().unwrap(),
                fault["rule"].as_str().unwrap(),
            ]
        })
        .collect();
    let expected = [
        ["/questions/0/id", "not_snake_case"],
        ["/questions/0/options", "too_few"],
        ["/questions/1/question", "too_long"],
        ["/questions/1/options/1/label", "reserved_label"],
        ["/timeoutSeconds", "not_integer"],
    ];
    assert_eq!(faults, expected);
    assert_eq!(structured["errors"][1]["limit"], 2);
    assert_eq!(structured["errors"][2]["received"].as_str().unwrap().len(), 80);
    for [pointer, _] in expected {
        assert!(text(&refused).contains(pointer), "{}", text(&refused));
    }
    assert!(world.asks().await.is_empty());
}

#[tokio::test]
async fn a_fourth_question_is_refused() {
    let world = World::new();
    let mut body = target();
    let questions = body["questions"].as_array_mut().unwrap();
    for n in 1..4 {
        let mut question = questions[0].clone();
        question["id"] = format!("q{n}").into();
        questions.push(question);
    }

    let refused = world.legacy().asked(body).await;

    assert_eq!(refused["structuredContent"]["errors"][0]["rule"], "too_many");
}

#[tokio::test]
async fn a_time_out_out_of_range_is_clamped_and_the_result_says_so() {
    for (asked, used) in [(5, 30), (9000, 3600), (-1, 30)] {
        let world = World::new();
        let mut body = target();
        body["timeoutSeconds"] = asked.into();

        let result = answered(&world, body, "1").await;

        let ask = world.only_ask().await;
        assert_eq!(
            ask.deadline.duration_since(ask.created_at),
            SignedDuration::from_secs(used)
        );
        let note = format!("timeoutSeconds was {asked}; {used} is used.");
        assert_eq!(result["structuredContent"]["notes"][0], note);
        assert!(text(&result).contains(&note));
    }
}

#[tokio::test]
async fn while_nobody_can_see_the_question_the_result_says_so() {
    let world = World::new();

    let pending = world.legacy().with_header("askd-hold", "0").asked(target()).await;

    assert!(text(&pending).contains("no channel shows this ask"));
}

#[tokio::test]
async fn a_result_that_is_over_does_not_say_that_it_waits() {
    let world = World::new();
    let client = world.legacy();
    let mut asked = client.ask(target()).await;
    world.pass(900).await;
    world.expire().await;

    let result = asked.result().await;

    assert_eq!(result["structuredContent"]["status"], "no_answer");
    assert!(!text(&result).contains("it waits"), "{}", text(&result));
}

#[tokio::test]
async fn a_call_that_the_client_repeats_finds_the_first_ask() {
    for key in ["claudecode/toolUseId", "callId", "askd/callId"] {
        let world = World::new();
        let client = world.legacy().with_meta(key, "toolu_1");
        drop(client.ask(target()).await);
        settle().await;

        let mut again = client.another().ask(target()).await;
        settle().await;
        world.answered(&world.only_ask().await, "2").await;

        assert_eq!(
            again.result().await["structuredContent"]["status"],
            "answered",
            "{key}"
        );
    }
}

#[tokio::test]
async fn a_repeat_with_another_body_is_another_ask() {
    let world = World::new();
    let client = world
        .legacy()
        .with_meta("claudecode/toolUseId", "toolu_1")
        .with_header("askd-hold", "0");
    client.asked(target()).await;
    let mut other = target();
    other["questions"][0]["question"] = "Really?".into();

    client.asked(other).await;

    assert_eq!(world.asks().await.len(), 2);
}

#[tokio::test]
async fn an_idempotency_key_goes_before_the_clients_call_id_and_refuses_another_body() {
    let world = World::new();
    let client = world
        .legacy()
        .with_header("idempotency-key", "k")
        .with_header("askd-hold", "0");
    client.clone().with_meta("callId", "1").asked(target()).await;
    client.clone().with_meta("callId", "2").asked(target()).await;
    assert_eq!(world.asks().await.len(), 1);
    let mut other = target();
    other["questions"][0]["question"] = "Really?".into();

    let refused = client.asked(other).await;

    assert_eq!(refused["structuredContent"]["reason"], "key_reused");
}

#[tokio::test]
async fn calls_without_an_id_are_asks_of_their_own() {
    let world = World::new();
    let client = world.legacy().with_header("askd-hold", "0");

    client.asked(target()).await;
    client.asked(target()).await;

    assert_eq!(world.asks().await.len(), 2);
}

#[tokio::test]
async fn beyond_five_pending_asks_the_next_is_refused() {
    let world = World::new();
    let client = world.legacy().with_header("askd-hold", "0");
    for _ in 0..5 {
        client.asked(target()).await;
    }

    let refused = client.asked(target()).await;

    assert_eq!(refused["structuredContent"]["reason"], "too_many_pending");
    assert!(text(&refused).contains('5'));
}

#[tokio::test]
async fn what_the_store_does_not_take_is_no_ask_and_the_refusal_says_so() {
    let world = World::new();
    world.store.set_broken(true);

    let refused = world.legacy().asked(target()).await;

    assert_eq!(refused["isError"], true);
    assert_eq!(refused["structuredContent"]["reason"], "unavailable");
    world.store.set_broken(false);
    assert!(world.asks().await.is_empty());
}

#[tokio::test]
async fn an_ask_is_stored_before_anything_is_heard_of_it() {
    let world = World::new();
    let client = world.legacy();
    let asked = pin!(client.ask(target()));

    let mut answer = asked.await;

    // Already with the first byte of the stream.
    assert!(answer.is_stream);
    assert_eq!(world.only_ask().await.owner, principal(AGENT).token);
    world.answered(&world.only_ask().await, "1").await;
    answer.result().await;
}
