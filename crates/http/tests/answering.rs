//! Answering with a token: receipts, and what the agent then gets.

use std::time::Duration;

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::world::{AGENT, Answer, OPERATOR, SARA, World, two_questions};

async fn answer(world: &World, id: &str, token: &str, answers: Value) -> Answer {
    let body = json!({ "answers": answers });
    world
        .post(&format!("/v1/asks/{id}/answers"))
        .token(token)
        .json(&body)
        .send()
        .await
}

async fn reply(world: &World, id: &str, token: &str, text: &str) -> Answer {
    world
        .post(&format!("/v1/asks/{id}/reply"))
        .token(token)
        .json(&json!({ "text": text }))
        .send()
        .await
}

#[tokio::test]
async fn exact_labels_settle_the_ask() {
    let world = World::new();
    let id = world.asked().await;

    let receipt = answer(
        &world,
        &id,
        SARA,
        json!({ "deploy_target": ["Staging (Recommended)"] }),
    )
    .await;

    assert_eq!(receipt.status, StatusCode::OK);
    assert_eq!(receipt.text("/receipt"), "settled");
    assert!(receipt.text("/text").contains("Staging (Recommended)"));
    assert_eq!(
        *receipt.at("/stored"),
        json!({ "deploy_target": ["Staging (Recommended)"] })
    );
    assert_eq!(*receipt.at("/missing"), json!([]));
}

#[tokio::test]
async fn a_value_that_is_no_label_is_own_words_and_is_not_read() {
    let world = World::new();
    let id = world.asked().await;

    answer(&world, &id, SARA, json!({ "deploy_target": ["2"] })).await;

    let ask = world.get(&format!("/v1/asks/{id}")).token(AGENT).send().await;
    assert_eq!(
        *ask.at("/result/answers/answers"),
        json!({ "deploy_target": ["2"] })
    );
    assert_eq!(*ask.at("/result/freeText"), json!(["deploy_target"]));
}

#[tokio::test]
async fn part_of_an_answer_is_kept_until_the_rest_comes() {
    let world = World::new();
    let id = world.asked_two().await;

    let part = answer(&world, &id, SARA, json!({ "alerts": ["Nobody", "Ops"] })).await;
    let rest = answer(&world, &id, SARA, json!({ "deploy_target": ["Production"] })).await;

    assert_eq!(part.text("/receipt"), "kept");
    assert_eq!(
        *part.at("/stored"),
        json!({ "alerts": ["Ops", "Nobody"] }),
        "in declared order"
    );
    assert_eq!(*part.at("/missing"), json!(["deploy_target"]));
    assert_eq!(rest.text("/receipt"), "settled");
    assert_eq!(
        *rest.at("/stored"),
        json!({ "alerts": ["Ops", "Nobody"], "deploy_target": ["Production"] })
    );
    assert_eq!(*rest.at("/missing"), json!([]));
}

#[tokio::test]
async fn a_part_that_one_person_gave_is_not_listed_for_another() {
    let world = World::new();
    let id = world.asked_two().await;
    answer(&world, &id, SARA, json!({ "alerts": ["Ops"] })).await;

    let other = answer(&world, &id, OPERATOR, json!({ "deploy_target": ["Production"] })).await;

    assert_eq!(other.text("/receipt"), "kept");
    assert_eq!(*other.at("/stored"), json!({ "deploy_target": ["Production"] }));
    assert_eq!(*other.at("/missing"), json!(["alerts"]));
}

#[tokio::test]
async fn what_does_not_fit_is_hinted_at_and_changes_nothing() {
    let world = World::new();
    let id = world.asked_two().await;
    answer(&world, &id, SARA, json!({ "alerts": ["Ops"] })).await;
    for wrong in [
        json!({ "no_such": ["Production"] }),
        json!({ "deploy_target": ["Production", "Staging (Recommended)"] }),
        json!({ "deploy_target": [] }),
        json!({ "deploy_target": [" "] }),
        json!({ "deploy_target": ["x".repeat(4001)] }),
        json!({}),
        json!({ "deploy_target": ["Production"], "no_such": ["x"] }),
    ] {
        let receipt = answer(&world, &id, SARA, wrong.clone()).await;

        assert_eq!(
            (receipt.status, receipt.text("/receipt")),
            (StatusCode::OK, "hint".to_owned()),
            "{wrong}"
        );
        assert_ne!(receipt.text("/text"), "");
        assert_eq!(*receipt.at("/stored"), json!({ "alerts": ["Ops"] }), "{wrong}");
        assert_eq!(*receipt.at("/missing"), json!(["deploy_target"]), "{wrong}");
    }
}

#[tokio::test]
async fn a_reply_is_read() {
    let world = World::new();
    let id = world.asked().await;

    let hint = reply(&world, &id, SARA, "7").await;
    let settled = reply(&world, &id, SARA, "2").await;

    assert_eq!(hint.text("/receipt"), "hint");
    assert_eq!(*hint.at("/missing"), json!(["deploy_target"]));
    assert_eq!(settled.text("/receipt"), "settled");
    assert_eq!(*settled.at("/stored"), json!({ "deploy_target": ["Production"] }));
    let ask = world.get(&format!("/v1/asks/{id}")).token(AGENT).send().await;
    assert_eq!(
        *ask.at("/result/settledBy"),
        json!({ "name": "Sara", "channel": "http", "how": "reply" })
    );
}

#[tokio::test]
async fn who_declined_and_when_is_told_like_who_answered() {
    let world = World::new();
    let id = world.asked().await;

    world
        .post(&format!("/v1/asks/{id}/skip"))
        .header("askd-client", "panel")
        .token(SARA)
        .send()
        .await;

    let ask = world.get(&format!("/v1/asks/{id}")).token(OPERATOR).send().await;
    assert_eq!(
        *ask.at("/settledBy"),
        json!({ "name": "Sara", "channel": "panel", "how": "api" })
    );
    assert_eq!(*ask.at("/settledAt"), "2026-12-01T09:30:00Z");
}

#[tokio::test]
async fn a_skip_declines_the_whole_ask() {
    let world = World::new();
    let id = world.asked_two().await;
    answer(&world, &id, SARA, json!({ "alerts": ["Ops"] })).await;

    let receipt = world
        .post(&format!("/v1/asks/{id}/skip"))
        .token(SARA)
        .send()
        .await;

    assert_eq!(
        (receipt.status, receipt.text("/receipt")),
        (StatusCode::OK, "settled".to_owned())
    );
    assert_eq!(
        (receipt.at("/stored"), receipt.at("/missing")),
        (&json!({}), &json!([]))
    );
    let ask = world.get(&format!("/v1/asks/{id}")).token(AGENT).send().await;
    assert_eq!(
        (ask.text("/status"), ask.text("/result/reason")),
        ("skipped".to_owned(), "skipped".to_owned())
    );
}

#[tokio::test]
async fn who_comes_too_late_is_told_how_it_ended_and_what_was_theirs() {
    let world = World::new();
    let id = world.asked().await;
    world.answered(&id).await;

    let mine = answer(
        &world,
        &id,
        SARA,
        json!({ "deploy_target": ["Staging (Recommended)"] }),
    )
    .await;
    let other = world
        .post(&format!("/v1/asks/{id}/skip"))
        .token(OPERATOR)
        .send()
        .await;

    assert_eq!(
        (mine.status, mine.text("/receipt")),
        (StatusCode::OK, "too_late".to_owned())
    );
    assert_eq!(*mine.at("/stored"), json!({ "deploy_target": ["Production"] }));
    assert!(mine.text("/text").contains("Production"));
    assert_eq!(
        (other.status, other.text("/receipt")),
        (StatusCode::OK, "too_late".to_owned())
    );
    assert_eq!(*other.at("/stored"), json!({}));
}

#[tokio::test]
async fn an_answer_at_the_deadline_is_too_late() {
    let world = World::new();
    let id = world.asked().await;
    world.clock.advance(Duration::from_mins(15));

    let receipt = answer(&world, &id, SARA, json!({ "deploy_target": ["Production"] })).await;

    assert_eq!(receipt.text("/receipt"), "too_late");
}

#[tokio::test]
async fn an_operator_answers_under_the_name_of_its_token() {
    let world = World::new();
    let id = world.asked().await;

    answer(&world, &id, OPERATOR, json!({ "deploy_target": ["Production"] })).await;

    let ask = world.get(&format!("/v1/asks/{id}")).token(AGENT).send().await;
    assert_eq!(
        *ask.at("/result/settledBy"),
        json!({ "name": "root", "channel": "http", "how": "api" })
    );
}

#[tokio::test]
async fn a_client_with_a_name_of_its_own_is_the_channel_that_others_are_told() {
    for client in ["cli", "panel"] {
        let world = World::new();
        let id = world.asked().await;

        let skip = world
            .post(&format!("/v1/asks/{id}/reply"))
            .token(SARA)
            .header("askd-client", client);
        skip.json(&json!({ "text": "1" })).send().await;

        let ask = world.get(&format!("/v1/asks/{id}")).token(AGENT).send().await;
        assert_eq!(ask.text("/result/settledBy/channel"), client);
    }
}

#[tokio::test]
async fn a_client_that_is_not_known_is_refused() {
    let world = World::new();
    let id = world.asked().await;

    let answer = world
        .post(&format!("/v1/asks/{id}/skip"))
        .token(SARA)
        .header("askd-client", "telegram")
        .send()
        .await;

    assert_eq!(
        (answer.status, answer.problem()),
        (StatusCode::BAD_REQUEST, "bad-header")
    );
}

#[tokio::test]
async fn a_repeat_under_one_key_gets_an_equal_receipt() {
    for token in [SARA, OPERATOR] {
        let world = World::new();
        let (one, two) = (world.asked().await, world.asked_two().await);
        let send = async |id: &str, answers: Value| {
            let call = world
                .post(&format!("/v1/asks/{id}/answers"))
                .token(token)
                .header("idempotency-key", "k");
            call.json(&json!({ "answers": answers })).send().await.body
        };

        let settled = send(&one, json!({ "deploy_target": ["Production"] })).await;
        let again = send(&one, json!({ "deploy_target": ["Production"] })).await;
        let kept = send(&two, json!({ "alerts": ["Ops"] })).await;
        let kept_again = send(&two, json!({ "alerts": ["Ops"] })).await;

        assert_eq!(
            settled["receipt"], "settled",
            "{token}: the key was not used for this ask before"
        );
        assert_eq!(settled, again, "{token}");
        assert_eq!(kept["receipt"], "kept", "{token}");
        assert_eq!(kept, kept_again, "{token}");
    }
}

#[tokio::test]
async fn a_key_used_again_for_another_answer_hides_nothing() {
    let world = World::new();
    let id = world.asked_two().await;
    let send = async |answers: Value| {
        let call = world
            .post(&format!("/v1/asks/{id}/answers"))
            .token(SARA)
            .header("idempotency-key", "k");
        call.json(&json!({ "answers": answers })).send().await
    };

    send(json!({ "alerts": ["Ops"] })).await;
    let other = send(json!({ "deploy_target": ["Production"] })).await;

    assert_eq!(other.text("/receipt"), "settled");
}

#[tokio::test]
async fn a_body_of_another_shape_is_refused_with_every_fault() {
    let world = World::new();
    let id = world.asked().await;
    let pointers = |answer: &Answer| -> Vec<String> {
        let errors = answer.at("/errors").as_array().unwrap();
        errors
            .iter()
            .map(|error| {
                format!(
                    "{} {}",
                    error["pointer"].as_str().unwrap(),
                    error["rule"].as_str().unwrap()
                )
            })
            .collect()
    };
    let cases: [(&str, Value, &[&str]); 8] = [
        ("answers", json!([]), &[" not_object"]),
        ("answers", json!({}), &["/answers missing"]),
        (
            "answers",
            json!({ "answers": ["Production"] }),
            &["/answers not_object"],
        ),
        (
            "answers",
            json!({ "answers": { "a/b": "Production", "c~d": [1, "x", null] } }),
            &[
                "/answers/a~1b not_list",
                "/answers/c~0d/0 not_text",
                "/answers/c~0d/2 not_text",
            ],
        ),
        (
            "answers",
            json!({ "answer": {} }),
            &["/answer unknown_field", "/answers missing"],
        ),
        ("reply", json!({ "text": 2 }), &["/text not_text"]),
        (
            "reply",
            json!({ "txt": "2" }),
            &["/txt unknown_field", "/text missing"],
        ),
        ("reply", json!("2"), &[" not_object"]),
    ];
    for (route, body, expected) in cases {
        let answer = world
            .post(&format!("/v1/asks/{id}/{route}"))
            .token(SARA)
            .json(&body)
            .send()
            .await;

        assert_eq!(
            (answer.status, answer.problem()),
            (StatusCode::UNPROCESSABLE_ENTITY, "invalid"),
            "{body}"
        );
        assert_eq!(pointers(&answer), expected, "{body}");
    }
}

#[tokio::test]
async fn several_questions_can_be_answered_in_one_request() {
    let world = World::new();
    let asked = world
        .post("/v1/asks")
        .token(AGENT)
        .json(&two_questions())
        .send()
        .await;

    let answers = json!({ "deploy_target": ["Production"], "alerts": ["someone else", "Ops"] });
    let receipt = answer(&world, &asked.text("/id"), SARA, answers).await;

    assert_eq!(receipt.text("/receipt"), "settled");
    assert_eq!(
        receipt.at("/stored/alerts"),
        &json!(["Ops", "someone else"]),
        "labels first, then own words"
    );
}
