//! Telling that the panel shows an ask, and what that counts for.

use std::{pin::pin, time::Duration};

use askd_core::{
    id::ChannelName,
    store::{Changed, Store as _},
};
use axum::http::StatusCode;
use serde_json::json;

use crate::{
    waiting::at_once,
    world::{AGENT, OPERATOR, SARA, World},
};

async fn seen(world: &World, id: &str, cookie: &str) -> crate::world::Answer {
    world
        .post(&format!("/v1/asks/{id}/seen"))
        .panel(cookie)
        .send()
        .await
}

#[tokio::test]
async fn what_the_panel_shows_is_delivered_and_says_where() {
    let world = World::new();
    let cookie = world.signed_in(Some("sara")).await;
    let id = world.asked().await;

    let answer = seen(&world, &id, &cookie).await;

    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.body, json!({ "stored": {}, "missing": ["deploy_target"] }));
    let ask = world.get(&format!("/v1/asks/{id}")).token(AGENT).send().await;
    assert_eq!(
        *ask.at("/deliveries/1"),
        json!({ "channel": "panel", "address": "panel:sara", "state": "shown", "reason": null })
    );
}

#[tokio::test]
async fn to_say_it_twice_or_by_another_window_changes_nothing_and_others_count_apart() {
    let world = World::new();
    let (first, second) = (
        world.signed_in(Some("sara")).await,
        world.signed_in(Some("sara")).await,
    );
    let operator = world.signed_in(None).await;
    let id = world.asked().await;

    for cookie in [&first, &first, &second, &operator, &operator] {
        assert_eq!(seen(&world, &id, cookie).await.status, StatusCode::OK);
    }
    let by_token = world
        .post(&format!("/v1/asks/{id}/seen"))
        .token(SARA)
        .send()
        .await;
    assert_eq!(by_token.status, StatusCode::OK);

    let ask = world.get(&format!("/v1/asks/{id}")).token(AGENT).send().await;
    let deliveries = ask.at("/deliveries").as_array().unwrap().iter();
    let addresses: Vec<_> = deliveries
        .map(|delivery| delivery["address"].as_str().unwrap())
        .collect();
    assert_eq!(addresses, ["telegram:1", "panel:sara", "panel:root"]);
}

#[tokio::test]
async fn what_was_kept_so_far_is_told_to_who_kept_it() {
    let world = World::new();
    let (sara, operator) = (world.signed_in(Some("sara")).await, world.signed_in(None).await);
    let id = world.asked_two().await;
    let partial = world
        .post(&format!("/v1/asks/{id}/answers"))
        .panel(&sara)
        .json(&json!({ "answers": { "alerts": ["Ops"] } }));
    assert_eq!(partial.send().await.text("/receipt"), "kept");

    assert_eq!(
        seen(&world, &id, &sara).await.body,
        json!({ "stored": { "alerts": ["Ops"] }, "missing": ["deploy_target"] })
    );
    assert_eq!(
        seen(&world, &id, &operator).await.body,
        json!({ "stored": {}, "missing": ["deploy_target", "alerts"] })
    );
}

#[tokio::test]
async fn an_ask_that_was_seen_expires_and_one_that_was_not_is_undelivered() {
    let world = World::new();
    let cookie = world.signed_in(Some("sara")).await;
    let (seen_one, other) = (world.asked().await, world.asked().await);
    seen(&world, &seen_one, &cookie).await;

    world.clock.advance(Duration::from_mins(15));
    world.store.expire(world.broker.clock().now()).await.unwrap();

    for (id, status) in [(&seen_one, "expired"), (&other, "undelivered")] {
        let ask = world.get(&format!("/v1/asks/{id}")).token(AGENT).send().await;
        assert_eq!(ask.text("/status"), status);
    }
}

#[tokio::test]
async fn what_is_seen_after_the_deadline_was_not_delivered() {
    let world = World::new();
    let cookie = world.signed_in(Some("sara")).await;
    let id = world.asked().await;
    world.clock.advance(Duration::from_mins(15));

    let late = seen(&world, &id, &cookie).await;
    world.store.expire(world.broker.clock().now()).await.unwrap();
    let later = seen(&world, &id, &cookie).await;

    assert_eq!(late.status, StatusCode::OK);
    assert_eq!(later.body, json!({ "stored": {}, "missing": [] }));
    let ask = world.get(&format!("/v1/asks/{id}")).token(AGENT).send().await;
    assert_eq!(ask.text("/status"), "undelivered");
}

#[tokio::test]
async fn the_panel_is_no_channel_that_has_work() {
    let world = World::new();
    let cookie = world.signed_in(Some("sara")).await;
    let id = world.asked().await;
    seen(&world, &id, &cookie).await;
    world.answered(&id).await;

    let names = world.store.channels_with_work().await.unwrap();
    let panel = ChannelName::new("panel");
    let due = world.store.next_due(&panel).await.unwrap();
    world.broker.give_up_unknown_channels().await.unwrap();

    assert!(!names.contains(&panel), "{names:?}");
    assert_eq!(due, None);
    let page = world.get("/v1/asks").token(OPERATOR).send().await;
    assert_eq!(*page.at("/asks/0/deliveries/1/state"), json!("settled"));
}

#[tokio::test]
async fn streams_tell_of_it() {
    let world = World::new();
    let cookie = world.signed_in(Some("sara")).await;
    let id = world.asked().await;
    let mut changes = world.broker.changes();

    seen(&world, &id, &cookie).await;

    let told = at_once(pin!(changes.recv()))
        .await
        .expect("told at once")
        .unwrap();
    assert_eq!(told.what, Changed::Delivery);
    seen(&world, &id, &cookie).await;
    assert!(at_once(pin!(changes.recv())).await.is_none(), "nothing is new");
}
