//! Holding a request until an ask is over.

use std::{
    future::Future,
    pin::{Pin, pin},
    task::Poll,
    time::Duration,
};

use axum::http::StatusCode;

use crate::world::{AGENT, OTHER_AGENT, SARA, World, one_question};

/// What `future` gives without anything else happening; `None` if it waits.
pub(crate) async fn at_once<F: Future>(mut future: Pin<&mut F>) -> Option<F::Output> {
    // More often than any answer takes that waits for nothing.
    for _ in 0..50 {
        let polled = std::future::poll_fn(|cx| Poll::Ready(future.as_mut().poll(cx))).await;
        if let Poll::Ready(output) = polled {
            return Some(output);
        }
        tokio::task::yield_now().await;
    }
    None
}

#[tokio::test]
async fn a_hold_ends_when_the_ask_does() {
    let world = World::new();
    let id = world.asked().await;
    let mut hold = pin!(world.get(&format!("/v1/asks/{id}?wait=50")).token(AGENT).send());
    assert!(at_once(hold.as_mut()).await.is_none());

    world.answered(&id).await;

    let answer = hold.await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.text("/status"), "answered");
    assert_eq!(
        answer.text("/result/answers/answers/deploy_target/0"),
        "Production"
    );
}

#[tokio::test]
async fn a_hold_ends_after_its_seconds_with_the_ask_as_it_stands() {
    let world = World::new();
    let id = world.asked().await;
    let mut hold = pin!(world.get(&format!("/v1/asks/{id}?wait=50")).token(AGENT).send());
    assert!(at_once(hold.as_mut()).await.is_none());

    world.clock.advance(Duration::from_millis(49_999));
    assert!(at_once(hold.as_mut()).await.is_none(), "not a moment earlier");
    world.clock.advance(Duration::from_millis(1));

    let answer = at_once(hold).await.unwrap();
    assert_eq!(
        (answer.status, answer.text("/status")),
        (StatusCode::OK, "pending".to_owned())
    );
    assert!(answer.at("/result").is_null());
}

#[tokio::test]
async fn a_hold_on_an_ask_that_is_over_ends_at_once() {
    let world = World::new();
    let id = world.asked().await;
    world.answered(&id).await;

    let answer = world
        .get(&format!("/v1/asks/{id}?wait=50"))
        .token(AGENT)
        .send()
        .await;

    assert_eq!(answer.text("/status"), "answered");
}

#[tokio::test]
async fn asking_and_waiting_can_be_one_request() {
    let world = World::new();
    let mut hold = pin!(
        world
            .post("/v1/asks?wait=55")
            .token(AGENT)
            .json(&one_question())
            .send()
    );
    assert!(at_once(hold.as_mut()).await.is_none());
    let listed = world.get("/v1/asks?status=pending").token(SARA).send().await;

    world.answered(&listed.text("/asks/0/id")).await;

    let answer = hold.await;
    assert_eq!(
        (answer.status, answer.text("/status")),
        (StatusCode::CREATED, "answered".to_owned())
    );
    assert_eq!(
        answer.header("location"),
        format!("/v1/asks/{}", answer.text("/id"))
    );
}

#[tokio::test]
async fn a_repeat_attaches_to_the_first_ask_and_gets_its_answer() {
    let world = World::new();
    let ask = || {
        world
            .post("/v1/asks?wait=55")
            .token(AGENT)
            .header("idempotency-key", "k")
            .json(&one_question())
    };
    {
        let mut dropped = pin!(ask().send());
        assert!(at_once(dropped.as_mut()).await.is_none());
    }
    let mut again = pin!(ask().send());
    assert!(at_once(again.as_mut()).await.is_none());

    let listed = world.get("/v1/asks").token(SARA).send().await;
    world.answered(&listed.text("/asks/0/id")).await;

    let answer = again.await;
    assert_eq!(
        (answer.status, answer.text("/status")),
        (StatusCode::OK, "answered".to_owned())
    );
}

#[tokio::test]
async fn a_connection_that_is_dropped_cancels_nothing() {
    let world = World::new();
    let id = world.asked().await;
    {
        let mut dropped = pin!(world.get(&format!("/v1/asks/{id}?wait=50")).token(AGENT).send());
        assert!(at_once(dropped.as_mut()).await.is_none());
    }

    let answer = world.get(&format!("/v1/asks/{id}")).token(AGENT).send().await;

    assert_eq!(answer.text("/status"), "pending");
}

#[tokio::test]
async fn a_stop_ends_every_hold_at_once_with_the_ask_pending() {
    let world = World::new();
    let id = world.asked().await;
    let mut reading = pin!(world.get(&format!("/v1/asks/{id}?wait=50")).token(AGENT).send());
    let mut asking = pin!(
        world
            .post("/v1/asks?wait=50")
            .token(AGENT)
            .json(&one_question())
            .send()
    );
    assert!(at_once(reading.as_mut()).await.is_none());
    assert!(at_once(asking.as_mut()).await.is_none());

    world.stop.cancel();

    let (reading, asking) = (at_once(reading).await.unwrap(), at_once(asking).await.unwrap());
    assert_eq!(
        (reading.status, reading.text("/status")),
        (StatusCode::OK, "pending".to_owned())
    );
    assert_eq!(
        (asking.status, asking.text("/status")),
        (StatusCode::CREATED, "pending".to_owned())
    );
}

#[tokio::test]
async fn a_wait_that_fails_does_not_hide_that_the_ask_was_taken_over() {
    let world = World::new();
    let mut asking = pin!(
        world
            .post("/v1/asks?wait=50")
            .token(AGENT)
            .json(&one_question())
            .send()
    );
    assert!(at_once(asking.as_mut()).await.is_none());

    world.store.set_broken(true);
    world.clock.advance(Duration::from_secs(50));

    let answer = asking.await;
    assert_eq!(
        (answer.status, answer.text("/status")),
        (StatusCode::CREATED, "pending".to_owned())
    );
}

#[tokio::test]
async fn the_ask_of_another_is_not_waited_for() {
    let world = World::new();
    let id = world.asked().await;

    let hold = pin!(
        world
            .get(&format!("/v1/asks/{id}?wait=50"))
            .token(OTHER_AGENT)
            .send()
    );

    assert_eq!(at_once(hold).await.unwrap().status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn only_whole_seconds_up_to_55_are_waited() {
    let world = World::new();
    let id = world.asked().await;
    for wait in ["56", "-1", "1.5", "1s", "", "%20", "1000000"] {
        let answer = world
            .get(&format!("/v1/asks/{id}?wait={wait}"))
            .token(AGENT)
            .send()
            .await;

        assert_eq!(
            (answer.status, answer.problem()),
            (StatusCode::BAD_REQUEST, "bad-parameter"),
            "{wait:?}"
        );
        assert!(
            answer.text("/detail").contains("whole seconds from 0 to 55"),
            "{}",
            answer.body
        );
    }
    let answer = world
        .get(&format!("/v1/asks/{id}?wait=0"))
        .token(AGENT)
        .send()
        .await;
    assert_eq!(answer.status, StatusCode::OK);
}
