//! How much one caller may ask, and that nobody who works in an ordinary way meets a limit.

use std::{num::NonZeroU32, time::Duration};

use askd_http::HttpOptions;
use askd_testkit::clock::START;
use axum::http::StatusCode;

use crate::world::{AGENT, Answer, OTHER_AGENT, SARA, World};

fn slow() -> World {
    World::with(HttpOptions {
        requests_per_second: NonZeroU32::new(2).unwrap(),
        ..HttpOptions::default()
    })
}

async fn list(world: &World, token: &str) -> Answer {
    world.get("/v1/asks").token(token).send().await
}

/// How many of these many requests get through.
async fn through(world: &World, token: &str, many: usize) -> usize {
    let mut through = 0;
    for _ in 0..many {
        through += usize::from(list(world, token).await.status == StatusCode::OK);
    }
    through
}

#[tokio::test]
async fn a_token_that_makes_too_many_requests_is_told_when_to_go_on() {
    let world = slow();

    let at_once = through(&world, AGENT, 30).await;
    let refused = list(&world, AGENT).await;
    world.clock.advance(Duration::from_secs(1));
    let after_a_second = through(&world, AGENT, 5).await;

    assert_eq!(
        (at_once, after_a_second),
        (20, 2),
        "ten seconds' worth, then its rate"
    );
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(refused.problem(), "too-many-requests");
    assert_eq!(refused.header("retry-after"), "1");
}

#[tokio::test]
async fn what_one_token_uses_up_no_other_misses() {
    let world = slow();
    through(&world, AGENT, 30).await;

    assert_eq!(list(&world, OTHER_AGENT).await.status, StatusCode::OK);
    assert_eq!(list(&world, SARA).await.status, StatusCode::OK);
    assert_eq!(world.get("/readyz").send().await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_thousand_agents_that_wait_with_one_token_are_far_from_the_limit() {
    let world = World::new();

    // Each asks anew after its hold of 55 s, for ten minutes.
    for _ in 0..11 {
        assert_eq!(through(&world, AGENT, 1000).await, 1000);
        world.clock.advance(Duration::from_secs(55));
    }
}

#[tokio::test]
async fn a_clock_that_is_set_back_locks_nobody_out() {
    let world = slow();
    through(&world, AGENT, 30).await;

    world.clock.set(START - Duration::from_hours(24));
    let at_once = through(&world, AGENT, 1).await;
    world.clock.advance(Duration::from_secs(1));

    assert_eq!((at_once, through(&world, AGENT, 5).await), (0, 2));
}

#[tokio::test]
async fn guessing_tokens_is_slowed_down_and_a_known_one_is_let_through_all_the_same() {
    let world = World::new();
    let mut known = 0;
    for guess in 0..30 {
        let answer = list(&world, &format!("guess-{guess}")).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{guess}");
    }

    let refused = list(&world, "one guess more").await;
    for _ in 0..100 {
        known += usize::from(list(&world, AGENT).await.status == StatusCode::OK);
        list(&world, "and more").await;
    }
    world.clock.advance(Duration::from_secs(2));
    let later = list(&world, "guess").await;

    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(refused.problem(), "too-many-unknown-tokens");
    assert_eq!(refused.header("retry-after"), "2");
    assert_eq!(known, 100);
    assert_eq!(later.status, StatusCode::UNAUTHORIZED, "one each two seconds");
}

#[tokio::test]
async fn a_request_without_a_token_is_no_guess() {
    let world = World::new();

    for _ in 0..100 {
        let answer = world.get("/v1/asks").send().await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    }
}

#[tokio::test]
async fn beyond_the_most_that_are_held_a_wait_and_a_stream_are_refused_and_the_rest_works() {
    let world = World::with(HttpOptions {
        max_held: 2,
        ..HttpOptions::default()
    });
    let id = world.asked().await;
    let wait = format!("/v1/asks/{id}?wait=50");
    let stream = world.get("/v1/events").token(AGENT).open().await;
    let mut hold = Box::pin(world.get(&wait).token(AGENT).open());
    assert!(
        tokio::time::timeout(Duration::ZERO, hold.as_mut()).await.is_err(),
        "it holds"
    );

    let refused = [
        world.get(&wait).token(AGENT).send().await,
        world.get("/v1/events").token(AGENT).send().await,
    ];
    let read = world.get(&format!("/v1/asks/{id}")).token(AGENT).send().await;
    let asked = world
        .post("/v1/asks?wait=50")
        .token(AGENT)
        .json(&crate::world::one_question())
        .send()
        .await;
    world.answered(&id).await;
    drop((hold, stream));
    let again = world.get(&wait).token(AGENT).send().await;

    for answer in refused {
        assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(answer.problem(), "overloaded");
        assert_eq!(answer.header("retry-after"), "5");
    }
    assert_eq!(read.status, StatusCode::OK);
    assert_eq!(
        (asked.status, asked.text("/status")),
        (StatusCode::CREATED, "pending".to_owned()),
        "it is stored, and answered without a hold"
    );
    assert_eq!(again.text("/status"), "answered");
}
