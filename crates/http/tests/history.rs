//! Deleting history.

use askd_core::store::Store as _;
use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::world::{AGENT, Answer, OPERATOR, World};

async fn forget(world: &World, body: &Value) -> Answer {
    world.post("/v1/forget").token(OPERATOR).json(body).send().await
}

async fn cancelled(world: &World) -> String {
    let id = world.asked().await;
    world
        .post(&format!("/v1/asks/{id}/cancel"))
        .token(AGENT)
        .send()
        .await;
    id
}

#[tokio::test]
async fn an_ask_that_is_over_is_gone_for_everybody_and_a_pending_one_stays_and_is_counted() {
    let world = World::new();
    let (over, pending) = (cancelled(&world).await, world.asked().await);

    let gone = forget(&world, &json!({ "ask": over })).await;
    let kept = forget(&world, &json!({ "ask": pending })).await;

    assert_eq!(gone.body, json!({ "forgotten": 1, "kept": 0 }));
    assert_eq!(kept.body, json!({ "forgotten": 0, "kept": 1 }));
    for token in [AGENT, OPERATOR] {
        let read = world.get(&format!("/v1/asks/{over}")).token(token).send().await;
        assert_eq!(read.problem(), "no-ask");
        let read = world
            .get(&format!("/v1/asks/{pending}"))
            .token(token)
            .send()
            .await;
        assert_eq!(read.text("/status"), "pending");
    }
}

#[tokio::test]
async fn more_than_fits_into_one_transaction_goes_too() {
    let world = World::with(askd_http::HttpOptions {
        requests_per_second: std::num::NonZeroU32::MAX,
        ..askd_http::HttpOptions::default()
    });
    for _ in 0..501 {
        cancelled(&world).await;
    }
    world.clock.advance(std::time::Duration::from_secs(1));

    let answer = forget(&world, &json!({ "endedBefore": "2026-12-01T09:30:01Z" })).await;

    assert_eq!(answer.body, json!({ "forgotten": 501, "kept": 0 }));
    assert_eq!(world.store.count_pending().await.unwrap(), 0);
}

#[tokio::test]
async fn what_is_not_one_thing_to_forget_is_refused_and_forgets_nothing() {
    let world = World::new();
    let id = cancelled(&world).await;
    for (body, pointer) in [
        (json!({}), ""),
        (json!([]), ""),
        (json!({ "ask": id, "session": "s" }), ""),
        (json!({ "ask": 1 }), "/ask"),
        (json!({ "ask": "x" }), "/ask"),
        (json!({ "session": null }), "/session"),
        (json!({ "endedBefore": "yesterday" }), "/endedBefore"),
        (json!({ "everything": true }), "/everything"),
        (json!({ "every/thing": "x" }), "/every~1thing"),
    ] {
        let answer = forget(&world, &body).await;

        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{body}");
        assert_eq!(answer.text("/errors/0/pointer"), pointer, "{body}");
    }
    let read = world.get(&format!("/v1/asks/{id}")).token(AGENT).send().await;
    assert_eq!(read.status, StatusCode::OK);
}
