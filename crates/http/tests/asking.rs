//! Asking, listing, and taking back.

use std::time::Duration;

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::world::{AGENT, OPERATOR, OTHER_AGENT, SARA, World, one_question, two_questions};

/// This world has people with accounts on channels that are not configured.
const NO_CHANNEL: &str =
    "no channel shows this ask: it waits for somebody to open the panel, the API or the command line";

#[tokio::test]
async fn an_ask_comes_back_whole_with_null_for_what_is_not_known() {
    let world = World::new();

    let answer = world
        .post("/v1/asks")
        .token(AGENT)
        .json(&one_question())
        .send()
        .await;

    let id = answer.text("/id");
    assert_eq!(answer.status, StatusCode::CREATED);
    assert_eq!(answer.header("location"), format!("/v1/asks/{id}"));
    let expected = json!({
        "id": id,
        "status": "pending",
        "agent": "build-bot",
        "session": null,
        "run": null,
        "context": null,
        "questions": [{
            "id": "deploy_target",
            "header": "Target",
            "question": "Where should this go?",
            "options": [
                { "label": "Staging (Recommended)", "description": "Safe; resets nightly" },
                { "label": "Production" },
            ],
            "multiSelect": false,
        }],
        "createdAt": "2026-12-01T09:30:00Z",
        "deadline": "2026-12-01T09:45:00Z",
        "deliveries": [{
            "channel": "telegram",
            "address": "telegram:1",
            "state": "failed",
            "reason": "no channel of this name is configured",
        }],
        "warnings": [{ "kind": "no_channel", "message": NO_CHANNEL }],
        "settledBy": null,
        "settledAt": null,
        "result": null,
    });
    assert_eq!(answer.body, expected);
}

#[tokio::test]
async fn what_the_agent_says_of_itself_comes_back() {
    let world = World::new();
    let mut body = one_question();
    body["session"] = json!({ "id": "s-1", "title": "shop" });
    body["run"] = json!("run-1");
    body["context"] = json!("The pipeline is *red*.");

    let answer = world.post("/v1/asks").token(AGENT).json(&body).send().await;

    assert_eq!(*answer.at("/session"), json!({ "id": "s-1", "title": "shop" }));
    assert_eq!(*answer.at("/run"), "run-1");
    assert_eq!(*answer.at("/context"), "The pipeline is *red*.");
}

#[tokio::test]
async fn what_was_corrected_is_told() {
    let world = World::new();
    let mut body = one_question();
    body["timeoutSeconds"] = json!(5);
    body["questions"][0]["header"] = json!("Deployment target");

    let answer = world.post("/v1/asks").token(AGENT).json(&body).send().await;

    assert_eq!(answer.text("/deadline"), "2026-12-01T09:30:30Z");
    assert_eq!(answer.text("/questions/0/header"), "Deployment t");
    let mut warnings = answer.at("/warnings").as_array().unwrap().clone();
    warnings.sort_by_key(ToString::to_string);
    let expected = [
        json!({ "kind": "header_cut", "message": "the header of deploy_target was cut to 12 characters" }),
        json!({ "kind": "no_channel", "message": NO_CHANNEL }),
        json!({ "kind": "timeout_clamped", "message": "timeoutSeconds was 5; 30 is used" }),
    ];
    assert_eq!(warnings, expected);
}

#[tokio::test]
async fn an_answered_ask_carries_the_result() {
    let world = World::new();
    let id = world.asked().await;
    world.clock.advance(Duration::from_mins(1));
    world.answered(&id).await;

    let answer = world.get(&format!("/v1/asks/{id}")).token(AGENT).send().await;

    let expected = json!({
        "status": "answered",
        "answers": { "answers": { "deploy_target": ["Production"] } },
        "askId": id,
        "settledBy": { "name": "Sara", "channel": "http", "how": "api" },
        "settledAt": "2026-12-01T09:31:00Z",
        "freeText": [],
    });
    assert_eq!(*answer.at("/result"), expected);
}

#[tokio::test]
async fn a_repeat_under_one_key_returns_the_first_ask() {
    let world = World::new();
    let ask = async || {
        world
            .post("/v1/asks")
            .token(AGENT)
            .header("idempotency-key", "k")
            .json(&one_question())
            .send()
            .await
    };

    let (first, repeat) = (ask().await, ask().await);

    assert_eq!(
        (first.status, repeat.status),
        (StatusCode::CREATED, StatusCode::OK)
    );
    assert_eq!(first.body, repeat.body);
    assert_eq!(repeat.header("location"), first.header("location"));
}

#[tokio::test]
async fn another_body_under_one_key_is_refused() {
    let world = World::new();
    let ask = async |body: &Value| {
        world
            .post("/v1/asks")
            .token(AGENT)
            .header("idempotency-key", "k")
            .json(body)
            .send()
            .await
    };
    ask(&one_question()).await;

    let answer = ask(&two_questions()).await;

    assert_eq!(
        (answer.status, answer.problem()),
        (StatusCode::UNPROCESSABLE_ENTITY, "key-reused")
    );
    assert!(answer.body.get("errors").is_none(), "not a fault of the body");
}

#[tokio::test]
async fn a_body_with_its_fields_in_another_order_is_no_other_body() {
    let world = World::new();
    let ask = async |fields: [&str; 2]| {
        let text = format!("{{ {} }}", fields.join(", "));
        world
            .post("/v1/asks")
            .token(AGENT)
            .header("idempotency-key", "k")
            .header("content-type", "application/json")
            .body(text)
            .send()
            .await
    };
    let questions = format!("\"questions\": {}", one_question()["questions"]);
    let seconds = "\"timeoutSeconds\": 60";
    ask([&questions, seconds]).await;

    let repeat = ask([seconds, &questions]).await;

    assert_eq!(repeat.status, StatusCode::OK);
}

#[tokio::test]
async fn a_key_belongs_to_its_token() {
    let world = World::new();
    let ask = async |token: &str| {
        world
            .post("/v1/asks")
            .token(token)
            .header("idempotency-key", "k")
            .json(&one_question())
            .send()
            .await
    };

    let (mine, theirs) = (ask(AGENT).await, ask(OTHER_AGENT).await);

    assert_eq!(
        (mine.status, theirs.status),
        (StatusCode::CREATED, StatusCode::CREATED)
    );
    assert_ne!(mine.text("/id"), theirs.text("/id"));
}

#[tokio::test]
async fn a_key_has_1_to_255_characters() {
    let world = World::new();
    let ask = async |key: &str| {
        world
            .post("/v1/asks")
            .token(AGENT)
            .header("idempotency-key", key)
            .json(&one_question())
            .send()
            .await
    };

    assert_eq!(ask(&"k".repeat(255)).await.status, StatusCode::CREATED);
    for key in ["", &"k".repeat(256), "schlüssel"] {
        let answer = ask(key).await;
        assert_eq!(
            (answer.status, answer.problem()),
            (StatusCode::BAD_REQUEST, "bad-header"),
            "{key}"
        );
    }
    let twice = world
        .post("/v1/asks")
        .token(AGENT)
        .header("idempotency-key", "a")
        .header("idempotency-key", "b");
    assert_eq!(twice.json(&one_question()).send().await.problem(), "bad-header");
}

#[tokio::test]
async fn the_sixth_pending_ask_is_refused_with_the_reason() {
    let world = World::new();
    for _ in 0..5 {
        world.asked().await;
    }

    let answer = world
        .post("/v1/asks")
        .token(AGENT)
        .json(&one_question())
        .send()
        .await;

    assert_eq!(
        (answer.status, answer.problem()),
        (StatusCode::TOO_MANY_REQUESTS, "too-many-pending")
    );
    assert!(
        answer
            .text("/detail")
            .starts_with("5 asks of this token are pending and 5 is the most")
    );
    assert_eq!(answer.header("retry-after"), "30");
    world.asked_by(OTHER_AGENT).await;
}

#[tokio::test]
async fn the_list_comes_in_pages_newest_first() {
    let world = World::new();
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(world.asked().await);
        world.clock.advance(Duration::from_millis(1));
    }
    ids.reverse();

    let mut seen = Vec::new();
    let mut path = "/v1/asks?limit=2".to_owned();
    loop {
        let page = world.get(&path).token(AGENT).send().await;
        let asks = page.at("/asks").as_array().unwrap();
        assert!(asks.len() <= 2);
        seen.extend(asks.iter().map(|ask| ask["id"].as_str().unwrap().to_owned()));
        match page.at("/next") {
            Value::Null => break,
            next => path = format!("/v1/asks?limit=2&cursor={}", next.as_str().unwrap()),
        }
    }

    assert_eq!(seen, ids);
}

#[tokio::test]
async fn the_list_can_be_of_one_session_or_one_status() {
    let world = World::new();
    let done = world.asked().await;
    world.answered(&done).await;
    let mut body = one_question();
    body["session"] = json!({ "id": "s 1/ü" });
    let open = world
        .post("/v1/asks")
        .token(AGENT)
        .json(&body)
        .send()
        .await
        .text("/id");
    let list = async |query: &str| -> Value {
        let answer = world.get(&format!("/v1/asks?{query}")).token(AGENT).send().await;
        answer
            .at("/asks")
            .as_array()
            .unwrap()
            .iter()
            .map(|ask| ask["id"].clone())
            .collect()
    };

    assert_eq!(list("status=answered").await, json!([done]));
    assert_eq!(list("status=pending").await, json!([open]));
    assert_eq!(list("status=undelivered").await, json!([]));
    assert_eq!(list("session=s+1%2F%C3%BC").await, json!([open]));
    assert_eq!(list("session=s-1&status=pending").await, json!([]));
}

#[tokio::test]
async fn a_parameter_that_cannot_be_is_refused() {
    let world = World::new();
    for query in [
        "status=open",
        "cursor=7",
        "limit=0",
        "limit=201",
        "limit=ten",
        "sesion=1",
        "wait=1",
        "limit=1&limit=2",
    ] {
        let answer = world.get(&format!("/v1/asks?{query}")).token(AGENT).send().await;

        assert_eq!(
            (answer.status, answer.problem()),
            (StatusCode::BAD_REQUEST, "bad-parameter"),
            "{query}"
        );
    }
}

#[tokio::test]
async fn a_cancelled_ask_comes_back_over() {
    let world = World::new();
    let id = world.asked().await;

    let answer = world
        .post(&format!("/v1/asks/{id}/cancel"))
        .token(AGENT)
        .send()
        .await;

    assert_eq!(
        (answer.status, answer.text("/status")),
        (StatusCode::OK, "cancelled".to_owned())
    );
    assert_eq!(answer.text("/result/status"), "no_answer");
    assert_eq!(answer.text("/result/reason"), "cancelled");
}

#[tokio::test]
async fn a_cancel_that_finds_an_answer_returns_it() {
    let world = World::new();
    let id = world.asked().await;
    world.answered(&id).await;

    let answer = world
        .post(&format!("/v1/asks/{id}/cancel"))
        .token(AGENT)
        .send()
        .await;

    assert_eq!(answer.text("/status"), "answered");
    assert_eq!(answer.text("/result/status"), "answered");
}

#[tokio::test]
async fn a_run_is_taken_back_whole_and_nothing_beside_it() {
    let world = World::new();
    let mut body = one_question();
    body["run"] = json!("nightly/7");
    let ask = async |token: &str| {
        world
            .post("/v1/asks")
            .token(token)
            .json(&body)
            .send()
            .await
            .text("/id")
    };
    let (first, second, theirs) = (ask(AGENT).await, ask(AGENT).await, ask(OTHER_AGENT).await);
    let beside = world.asked().await;
    world.answered(&second).await;

    let answer = world.delete("/v1/runs/nightly%2F7").token(AGENT).send().await;

    assert_eq!(answer.body, json!({ "cancelled": [first] }));
    for (id, status) in [
        (first, "cancelled"),
        (second, "answered"),
        (theirs, "pending"),
        (beside, "pending"),
    ] {
        let ask = world.get(&format!("/v1/asks/{id}")).token(OPERATOR).send().await;
        assert_eq!(ask.text("/status"), status);
    }
}

#[tokio::test]
async fn a_run_that_nobody_has_heard_of_has_no_asks() {
    let answer = World::new().delete("/v1/runs/none").token(AGENT).send().await;

    assert_eq!(
        (answer.status, answer.body),
        (StatusCode::OK, json!({ "cancelled": [] }))
    );
}

#[tokio::test]
async fn what_is_asked_is_kept_in_no_cache() {
    let world = World::new();
    world.asked().await;

    for token in [AGENT, SARA] {
        let answer = world.get("/v1/asks").token(token).send().await;
        assert_eq!(answer.header("cache-control"), "no-store");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
    }
}
