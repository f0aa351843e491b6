//! Waiting: streams that open at once, progress, holds, and their ends.

use std::{collections::BTreeMap, sync::Arc};

use askd_core::{id::TokenName, rights::Tokens};
use askd_mcp::Holds;
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::{
    client::{Answer, Client, Piece, text},
    world::{AGENT, OTHER_AGENT, World, settle, target},
};

#[tokio::test]
async fn the_stream_opens_at_once_and_comments_keep_it_alive() {
    let world = World::new();
    for client in [world.legacy(), world.modern()] {
        let mut asked = client.ask(target()).await;
        assert!(asked.is_stream);
        assert_eq!(asked.at_once().await, Some(Piece::Comment));
        assert_eq!(asked.at_once().await, None);

        for _ in 0..3 {
            world.pass(14).await;
            assert_eq!(asked.at_once().await, None, "not a moment earlier");
            world.pass(1).await;
            assert_eq!(asked.at_once().await, Some(Piece::Comment));
        }

        world.answered(&world.asks().await[0], "1").await;
        assert!(matches!(asked.next().await, Piece::Message(_)));
        assert_eq!(asked.next().await, Piece::End, "nothing comes after the result");
    }
}

/// The next progress. Whether a comment came before it is chance: the two race to open the stream.
async fn told(asked: &mut Answer) -> Value {
    loop {
        match asked.at_once().await {
            Some(Piece::Comment) => {}
            Some(Piece::Message(message)) => {
                assert_eq!(message["method"], "notifications/progress");
                return message["params"].clone();
            }
            other => panic!("no progress: {other:?}"),
        }
    }
}

#[tokio::test]
async fn progress_rises_every_quarter_of_a_minute_and_ends_with_the_result() {
    let world = World::with_a_channel();
    for client in [world.legacy(), world.modern()] {
        let client = client.with_meta("progressToken", "p-7");
        let mut asked = client.ask(target()).await;
        let first = told(&mut asked).await;
        let expected = json!({
            "progressToken": "p-7", "progress": 0.0, "total": 900.0,
            "message": "Not shown yet, being sent on telegram; 15 min left",
        });
        assert_eq!(first, expected);
        world.shown(&world.asks().await[0]).await;
        for n in 1..4 {
            world.pass(15).await;
            let next = told(&mut asked).await;
            assert_eq!(next["progress"], f64::from(15 * n));
            assert_eq!(next["total"], 900.0);
            assert!(
                next["message"].as_str().unwrap().starts_with("Shown on telegram"),
                "{next}"
            );
        }

        world.answered(&world.asks().await[0], "1").await;
        world.pass(30).await;
        let rest = asked.messages().await;
        assert_eq!(rest.len(), 1, "the result and nothing else: {rest:?}");
        assert_eq!(rest[0]["id"], asked.id);
    }
}

#[tokio::test]
async fn progress_rises_even_where_the_clock_is_set_back() {
    let world = World::new();
    let mut asked = world.legacy().with_meta("progressToken", 1).ask(target()).await;
    let mut last = told(&mut asked).await["progress"].as_f64().unwrap();

    for seconds in [15, 15] {
        world.pass(seconds).await;
        let next = told(&mut asked).await["progress"].as_f64().unwrap();
        assert!(next > last);
        last = next;
    }
    let now = askd_core::clock::Clock::now(&world.clock);
    world.clock.set(now - SignedDuration::from_secs(20));
    settle().await;
    // Its next word is due on the clock as it was.
    world.pass(35).await;

    assert!(told(&mut asked).await["progress"].as_f64().unwrap() > last);
}

#[tokio::test]
async fn who_attaches_later_is_told_how_long_the_ask_has_waited() {
    let world = World::new();
    let client = world
        .legacy()
        .with_meta("callId", "1")
        .with_meta("progressToken", 1);
    drop(client.ask(target()).await);
    world.pass(100).await;

    let mut again = client.ask(target()).await;

    assert_eq!(told(&mut again).await["progress"], 100.0);
}

#[tokio::test]
async fn an_ask_that_nobody_answers_ends_with_its_deadline() {
    let world = World::with_a_channel();
    let mut asked = world.legacy().ask(target()).await;
    world.shown(&world.only_ask().await).await;

    world.pass(900).await;
    world.expire().await;

    let result = asked.result().await;
    assert_eq!(result["structuredContent"]["status"], "no_answer");
    assert_eq!(result["structuredContent"]["reason"], "expired");
}

#[tokio::test]
async fn a_wait_outlives_its_deadline_by_little_even_if_nothing_ends_the_ask() {
    let world = World::new();
    let mut asked = world.legacy().ask(target()).await;

    world.pass(904).await;
    asked.at_once().await;
    world.pass(1).await;

    assert_eq!(asked.result().await["structuredContent"]["status"], "pending");
}

async fn is_held_for(client: &Client, world: &World, seconds: u64) {
    let mut asked = client.ask(target()).await;
    world.pass(seconds - 1).await;
    while let Some(piece) = asked.at_once().await {
        assert_eq!(piece, Piece::Comment);
    }
    world.pass(1).await;
    let result = asked.result().await;
    assert_eq!(result["isError"], false);
    assert_eq!(result["structuredContent"]["status"], "pending");
    let id = result["structuredContent"]["askId"].as_str().unwrap();
    assert!(text(&result).contains(id), "a model may see the text alone");
    assert!(text(&result).contains("ask_user_wait"));
}

#[tokio::test]
async fn a_hold_of_the_agents_token_ends_with_pending() {
    let world = World::new();
    let seconds = SignedDuration::from_secs;
    world.holds.send_replace(Arc::new(Holds {
        default: Some(seconds(100)),
        by_token: BTreeMap::from([(TokenName::new(AGENT), seconds(50))]),
    }));

    is_held_for(&world.legacy(), &world, 50).await;
    is_held_for(&world.legacy().with_token(OTHER_AGENT), &world, 100).await;
    is_held_for(&world.legacy().with_header("askd-hold", "20"), &world, 20).await;
}

#[tokio::test]
async fn a_pending_ask_is_waited_for_by_its_id_fifty_seconds_at_a_time() {
    let world = World::new();
    let pending = world.legacy().with_header("askd-hold", "0").asked(target()).await;
    let wait = json!({ "askId": pending["structuredContent"]["askId"] });

    let mut first = world.legacy().call("ask_user_wait", wait.clone()).await;
    world.pass(49).await;
    while let Some(piece) = first.at_once().await {
        assert_eq!(piece, Piece::Comment);
    }
    world.pass(1).await;
    assert_eq!(first.result().await["structuredContent"]["status"], "pending");

    let mut second = world.legacy().call("ask_user_wait", wait.clone()).await;
    settle().await;
    world.answered(&world.only_ask().await, "2").await;
    assert_eq!(second.result().await["structuredContent"]["status"], "answered");

    let third = world.legacy().call("ask_user_wait", wait).await.result().await;
    assert_eq!(
        third["structuredContent"]["status"], "answered",
        "it can be read again"
    );
}

#[tokio::test]
async fn a_wait_for_what_is_no_ask_is_refused() {
    let world = World::new();
    for id in ["nonsense", "00000000-0000-7000-8000-000000000000"] {
        let refused = world
            .legacy()
            .call("ask_user_wait", json!({ "askId": id }))
            .await
            .result()
            .await;
        assert_eq!(refused["structuredContent"]["reason"], "no_ask");
    }
}

#[tokio::test]
async fn two_who_wait_for_one_ask_both_get_its_answer() {
    let world = World::new();
    let client = world.legacy().with_meta("callId", "1");
    let mut first = client.ask(target()).await;
    let mut second = client.ask(target()).await;
    settle().await;

    world.answered(&world.only_ask().await, "1").await;

    for asked in [&mut first, &mut second] {
        assert_eq!(asked.result().await["structuredContent"]["status"], "answered");
    }
}

#[tokio::test]
async fn a_store_that_is_away_for_a_moment_does_not_end_a_wait() {
    let world = World::new();
    let mut asked = world.legacy().with_meta("progressToken", 1).ask(target()).await;
    settle().await;

    world.store.set_broken(true);
    world.pass(15).await;
    world.store.set_broken(false);
    world.pass(15).await;
    world.answered(&world.only_ask().await, "1").await;

    assert_eq!(asked.result().await["structuredContent"]["status"], "answered");
}

#[tokio::test]
async fn a_wait_that_fails_does_not_hide_that_the_ask_was_taken_over() {
    let world = World::new();
    let mut asked = world.legacy().with_header("askd-hold", "20").ask(target()).await;
    settle().await;
    let id = world.only_ask().await.id.to_string();

    world.store.set_broken(true);
    world.pass(20).await;

    let result = asked.result().await;
    assert_eq!(result["structuredContent"]["status"], "pending");
    assert_eq!(result["structuredContent"]["askId"], id);
}

#[tokio::test]
async fn a_token_that_is_taken_away_ends_the_wait() {
    let world = World::new();
    let mut asked = world.legacy().ask(target()).await;
    settle().await;

    world.tokens.send_replace(Arc::new(Tokens::default()));
    world.pass(15).await;

    assert_eq!(
        asked.result().await["structuredContent"]["reason"],
        "unauthorized"
    );
}
