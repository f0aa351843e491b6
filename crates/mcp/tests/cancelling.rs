//! Taking an ask back: by word, by closing where that means it, and by leaving.

use axum::http::StatusCode;
use serde_json::json;

use crate::{
    client::Client,
    world::{OTHER_AGENT, World, settle, target},
};

async fn status(world: &World) -> &'static str {
    settle().await;
    world.only_ask().await.status()
}

#[tokio::test]
async fn a_cancel_takes_the_ask_back_in_every_revision() {
    for modern in [false, true] {
        let world = World::new();
        let client = if modern { world.modern() } else { world.legacy() };
        let mut asked = client.ask(target()).await;
        settle().await;

        client.cancel(asked.id).await;

        assert_eq!(status(&world).await, "cancelled");
        assert_eq!(asked.result().await["structuredContent"]["reason"], "cancelled");
    }
}

#[tokio::test]
async fn a_cancel_of_a_wait_takes_its_ask_back_too() {
    let world = World::new();
    let client = world.legacy();
    let pending = client.clone().with_header("askd-hold", "0").asked(target()).await;
    let wait = json!({ "askId": pending["structuredContent"]["askId"] });
    let waiting = client.call("ask_user_wait", wait).await;
    settle().await;

    client.cancel(waiting.id).await;

    assert_eq!(status(&world).await, "cancelled");
}

#[tokio::test]
async fn a_cancel_of_an_unknown_or_finished_call_is_ignored() {
    let world = World::new();
    let client = world.legacy();
    let mut first = client.ask(target()).await;
    settle().await;

    client.cancel(77).await;
    assert_eq!(status(&world).await, "pending");
    world.answered(&world.only_ask().await, "1").await;
    first.result().await;
    client.cancel(first.id).await;

    assert_eq!(status(&world).await, "answered");
}

#[tokio::test]
async fn a_cancel_that_finds_an_answer_returns_that_answer() {
    let world = World::new();
    let client = world.legacy();
    let mut asked = client.ask(target()).await;
    settle().await;
    // Neither is noticed by the waiting call before the other.
    world.answered(&world.only_ask().await, "2").await;

    client.cancel(asked.id).await;

    assert_eq!(asked.result().await["structuredContent"]["status"], "answered");
}

#[tokio::test]
async fn a_cancel_that_could_mean_another_clients_call_is_ignored() {
    let world = World::new();
    let (mine, theirs) = (world.legacy(), world.legacy());
    let my_call = mine.ask(target()).await;
    let their_call = theirs.ask(target()).await;
    settle().await;
    assert_eq!(my_call.id, their_call.id, "both count from zero");

    mine.cancel(my_call.id).await;

    assert!(world.asks().await.iter().all(|ask| ask.status() == "pending"));
}

#[tokio::test]
async fn a_cancel_that_crosses_its_answer_does_not_hit_another_clients_call() {
    let world = World::new();
    let (mine, theirs) = (world.legacy(), world.legacy());
    let mut my_call = mine.ask(target()).await;
    settle().await;
    world.answered(&world.only_ask().await, "1").await;
    my_call.result().await;
    world.pass(1).await;
    let their_call = theirs.ask(target()).await;
    settle().await;

    mine.cancel(their_call.id).await;
    assert_eq!(world.asks().await[0].status(), "pending");

    world.pass(61).await;
    theirs.cancel(their_call.id).await;
    assert_eq!(
        world.asks().await[0].status(),
        "cancelled",
        "after a minute nothing crosses any more"
    );
}

#[tokio::test]
async fn a_client_with_a_named_connection_is_never_in_doubt() {
    let world = World::new();
    let mine = world.legacy().with_header("askd-connection", "one");
    let theirs = world.legacy().with_header("askd-connection", "two");
    let (my_call, _their_call) = (mine.ask(target()).await, theirs.ask(target()).await);
    settle().await;

    mine.cancel(my_call.id).await;

    let mut ends: Vec<_> = world
        .asks()
        .await
        .iter()
        .map(askd_core::ask::Ask::status)
        .collect();
    ends.sort_unstable();
    assert_eq!(ends, ["cancelled", "pending"]);
}

#[tokio::test]
async fn another_agents_cancel_is_ignored() {
    let world = World::new();
    let asked = world.legacy().ask(target()).await;
    settle().await;

    world.legacy().with_token(OTHER_AGENT).cancel(asked.id).await;

    assert_eq!(status(&world).await, "pending");
}

#[tokio::test]
async fn before_the_newest_revision_a_dropped_connection_cancels_nothing() {
    let world = World::new();
    let asked = world.legacy().ask(target()).await;
    settle().await;

    drop(asked);
    world.pass(60).await;

    assert_eq!(status(&world).await, "pending");
}

/// Asks in the newest revision, and closes the stream.
async fn closed(client: &Client) {
    let asked = client.ask(target()).await;
    settle().await;
    drop(asked);
    settle().await;
}

#[tokio::test]
async fn in_the_newest_revision_closing_the_stream_cancels_after_fifteen_seconds() {
    let world = World::new();
    closed(&world.modern()).await;

    world.pass(14).await;
    assert_eq!(status(&world).await, "pending");
    world.pass(1).await;

    assert_eq!(status(&world).await, "cancelled");
}

#[tokio::test]
async fn closing_before_the_first_byte_is_read_cancels_as_well() {
    let world = World::new();
    let client = world.modern();
    {
        let mut asking = std::pin::pin!(client.ask(target()));
        // Far enough for the ask to be stored.
        for _ in 0..20 {
            let polled = std::future::poll_fn(|cx| std::task::Poll::Ready(asking.as_mut().poll(cx))).await;
            if polled.is_ready() || !world.asks().await.is_empty() {
                break;
            }
            tokio::task::yield_now().await;
        }
    }
    settle().await;
    world.pass(15).await;

    assert_eq!(status(&world).await, "cancelled");
}

#[tokio::test]
async fn a_re_attach_by_the_same_key_keeps_the_ask() {
    let world = World::new();
    let client = world.modern().with_meta("claudecode/toolUseId", "toolu_1");
    closed(&client).await;
    world.pass(10).await;

    let mut again = client.ask(target()).await;
    world.pass(60).await;
    world.answered(&world.only_ask().await, "1").await;

    assert_eq!(again.result().await["structuredContent"]["status"], "answered");
}

#[tokio::test]
async fn a_re_attach_that_has_ended_again_keeps_the_ask_too() {
    let world = World::new();
    let client = world.modern().with_meta("claudecode/toolUseId", "toolu_1");
    closed(&client).await;
    world.pass(10).await;

    // Held for a moment; the model goes on with ask_user_wait when it likes.
    client.clone().with_header("askd-hold", "0").asked(target()).await;
    world.pass(60).await;

    assert_eq!(status(&world).await, "pending");
}

#[tokio::test]
async fn who_closes_while_another_waits_takes_nothing_back() {
    let world = World::new();
    let client = world.modern().with_meta("callId", "1");
    let mut other = client.ask(target()).await;
    closed(&client).await;
    world.pass(60).await;
    assert_eq!(status(&world).await, "pending");

    world.answered(&world.only_ask().await, "1").await;

    assert_eq!(other.result().await["structuredContent"]["status"], "answered");
}

#[tokio::test]
async fn a_cancel_of_a_call_that_was_made_again_leaves_the_ask_to_the_newer_call() {
    for revision in ["2025-11-25", "2026-07-28"] {
        let world = World::new();
        let client = world
            .legacy()
            .speaking(revision)
            .with_meta("askd/callId", "call-1");
        let given_up = client.ask(target()).await;
        let mut again = client.ask(target()).await;

        client.cancel(given_up.id).await;

        assert_eq!(status(&world).await, "pending", "{revision}");
        world.answered(&world.only_ask().await, "2").await;
        assert_eq!(
            again.result().await["structuredContent"]["status"],
            "answered",
            "{revision}"
        );
    }
}

#[tokio::test]
async fn a_cancel_of_the_newest_call_takes_the_ask_back_from_the_older_too() {
    let world = World::new();
    let client = world.legacy().with_meta("askd/callId", "call-1");
    let mut given_up = client.ask(target()).await;
    let again = client.ask(target()).await;

    client.cancel(again.id).await;

    assert_eq!(status(&world).await, "cancelled");
    assert_eq!(
        given_up.result().await["structuredContent"]["reason"],
        "cancelled"
    );
}

#[tokio::test]
async fn an_answer_within_the_fifteen_seconds_stays() {
    let world = World::new();
    closed(&world.modern()).await;
    world.answered(&world.only_ask().await, "1").await;

    world.pass(15).await;

    assert_eq!(status(&world).await, "answered");
}

#[tokio::test]
async fn a_stop_of_askd_within_the_fifteen_seconds_takes_nothing_back() {
    let world = World::new();
    closed(&world.modern()).await;

    world.stop.cancel();
    world.pass(60).await;

    assert_eq!(status(&world).await, "pending");
}

#[tokio::test]
async fn a_named_connection_that_is_cut_off_takes_nothing_back() {
    let world = World::new();
    closed(&world.modern().with_header("askd-connection", "one")).await;

    world.pass(60).await;

    assert_eq!(status(&world).await, "pending");
}

#[tokio::test]
async fn a_named_connection_that_leaves_takes_its_asks_back_after_fifteen_seconds() {
    for modern in [false, true] {
        let world = World::new();
        let client = if modern { world.modern() } else { world.legacy() };
        let (one, two) = (
            client.clone().with_header("askd-connection", "one"),
            client.with_header("askd-connection", "two"),
        );
        let (_mine, _theirs) = (one.ask(target()).await, two.ask(target()).await);
        settle().await;

        assert_eq!(one.leave().await, StatusCode::NO_CONTENT);
        world.pass(14).await;
        assert!(world.asks().await.iter().all(|ask| ask.status() == "pending"));
        world.pass(1).await;

        let mut ends: Vec<_> = world
            .asks()
            .await
            .iter()
            .map(askd_core::ask::Ask::status)
            .collect();
        ends.sort_unstable();
        assert_eq!(ends, ["cancelled", "pending"]);
    }
}

#[tokio::test]
async fn the_connection_of_another_token_is_not_left() {
    let world = World::new();
    let _asked = world
        .legacy()
        .with_header("askd-connection", "one")
        .ask(target())
        .await;
    settle().await;

    let other = world
        .legacy()
        .with_token(OTHER_AGENT)
        .with_header("askd-connection", "one");
    other.leave().await;
    world.pass(60).await;

    assert_eq!(status(&world).await, "pending");
}

#[tokio::test]
async fn who_re_attaches_after_a_connection_has_left_keeps_the_ask() {
    let world = World::new();
    let client = world.legacy().with_meta("callId", "1");
    let old = client.clone().with_header("askd-connection", "one");
    let _asked = old.ask(target()).await;
    settle().await;
    old.leave().await;
    world.pass(10).await;

    let mut again = client.with_header("askd-connection", "two").ask(target()).await;
    world.pass(60).await;
    world.answered(&world.only_ask().await, "1").await;

    assert_eq!(again.result().await["structuredContent"]["status"], "answered");
}
