//! Asks that come over the bridge of Claude Code's own question tool.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::world::{AGENT, Answer, SARA, SUBAGENT, World, one_question};

fn questions(count: usize) -> Value {
    let question = |n: usize| {
        let mut question = one_question()["questions"][0].clone();
        question["id"] = json!(format!("q_{n}"));
        question
    };
    json!({ "questions": (1..=count).map(question).collect::<Vec<_>>() })
}

async fn asked(world: &World, token: &str, client: &str, body: &Value) -> Answer {
    let call = world.post("/v1/asks").token(token).header("askd-client", client);
    call.json(body).send().await
}

#[tokio::test]
async fn the_bridge_may_ask_four_questions_and_nobody_else_may() {
    let world = World::new();

    let bridged = asked(&world, AGENT, "claude-code", &questions(4)).await;

    assert_eq!(bridged.status, StatusCode::CREATED, "{}", bridged.body);
    assert_eq!(bridged.at("/questions").as_array().map(Vec::len), Some(4));
    for client in ["cli", "panel", "Claude-Code", "claude-code, cli", ""] {
        let refused = asked(&world, AGENT, client, &questions(4)).await;

        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{client:?}");
        assert_eq!(*refused.at("/errors/0/limit"), 3, "{client:?}");
    }
}

#[tokio::test]
async fn five_questions_are_too_many_for_the_bridge_too() {
    let refused = asked(&World::new(), AGENT, "claude-code", &questions(5)).await;

    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(*refused.at("/errors/0/limit"), 4);
}

#[tokio::test]
async fn the_bridge_raises_no_role_and_no_other_limit() {
    let world = World::new();
    for token in [SARA, SUBAGENT] {
        let refused = asked(&world, token, "claude-code", &questions(1)).await;

        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{token}");
    }
    for _ in 0..5 {
        asked(&world, AGENT, "claude-code", &questions(1)).await;
    }

    let sixth = asked(&world, AGENT, "claude-code", &questions(1)).await;

    assert_eq!(
        (sixth.status, sixth.problem()),
        (StatusCode::TOO_MANY_REQUESTS, "too-many-pending")
    );
}

#[tokio::test]
async fn what_the_bridge_asks_is_asked_by_claude_code_and_owned_by_the_token() {
    let world = World::new();

    let bridged = asked(&world, AGENT, "claude-code", &questions(1)).await;

    assert_eq!(bridged.text("/agent"), "claude-code");
    let id = bridged.text("/id");
    let read = world.get(&format!("/v1/asks/{id}")).token(AGENT).send().await;
    assert_eq!(read.status, StatusCode::OK);
}

#[tokio::test]
async fn a_call_id_finds_the_first_ask_and_with_another_body_makes_another() {
    let world = World::new();
    let under_call = async |body: Value| {
        let call = world.post("/v1/asks").token(AGENT);
        let call = call
            .header("askd-client", "claude-code")
            .header("idempotency-key", "toolu_01");
        call.json(&body).send().await
    };

    let (first, again) = (under_call(questions(1)).await, under_call(questions(1)).await);
    let other = under_call(questions(2)).await;

    assert_eq!(
        (first.status, again.status),
        (StatusCode::CREATED, StatusCode::OK)
    );
    assert_eq!(first.text("/id"), again.text("/id"));
    assert_eq!(other.status, StatusCode::CREATED);
    assert_ne!(other.text("/id"), first.text("/id"));
}
