//! A restart of askd while a call waits.

use serde_json::{Value, json};

use crate::{
    client::{Client, text},
    world::{OTHER_AGENT, World, settle, target},
};

/// Asks, and stops askd; what the client is told, and the next askd.
async fn stopped(world: World, client: &Client) -> (World, Value) {
    let mut asked = client.ask(target()).await;
    settle().await;
    world.stop.cancel();
    let told = asked.result().await;
    assert_eq!(world.only_ask().await.status(), "pending");
    (world.restarted(), told)
}

/// The same call once more, with the state that was handed over.
async fn gone_on(client: &Client, state: &Value) -> crate::client::Answer {
    let params = json!({ "name": "ask_user", "arguments": target(), "requestState": state });
    client.request("tools/call", params).await
}

#[tokio::test]
async fn in_the_newest_revision_a_call_is_handed_over_to_the_next_askd() {
    let world = World::new();
    let client = world.modern();

    let (world, told) = stopped(world, &client).await;
    assert_eq!(told["resultType"], "input_required");
    assert!(
        told.get("inputRequests").is_none(),
        "there is nothing to do but to call again"
    );
    let mut again = gone_on(&world.modern(), &told["requestState"]).await;
    settle().await;
    world.answered(&world.only_ask().await, "2").await;

    assert_eq!(again.result().await["structuredContent"]["status"], "answered");
    assert_eq!(world.asks().await.len(), 1);
}

#[tokio::test]
async fn an_answer_given_meanwhile_is_there_at_once() {
    let world = World::new();
    let client = world.modern();
    let (world, told) = stopped(world, &client).await;
    world.answered(&world.only_ask().await, "2").await;

    let result = gone_on(&world.modern(), &told["requestState"])
        .await
        .result()
        .await;

    assert_eq!(result["structuredContent"]["status"], "answered");
}

#[tokio::test]
async fn a_state_is_good_for_its_token_and_for_ten_minutes() {
    let world = World::new();
    let client = world.modern();
    let (world, told) = stopped(world, &client).await;
    let state = told["requestState"].as_str().unwrap();
    let mut forged = state.to_owned();
    forged.replace_range(10..11, if &state[10..11] == "A" { "B" } else { "A" });

    let others = gone_on(&world.modern().with_token(OTHER_AGENT), &told["requestState"])
        .await
        .result()
        .await;
    let forgers = gone_on(&world.modern(), &forged.into()).await.result().await;
    for refused in [others, forgers] {
        assert_eq!(refused["structuredContent"]["reason"], "bad_state");
        assert!(!text(&refused).contains(&world.only_ask().await.id.to_string()));
    }

    world.pass(599).await;
    let mut in_time = gone_on(&world.modern(), &told["requestState"]).await;
    assert!(in_time.at_once().await.is_some() && in_time.is_stream);
    world.pass(1).await;
    let late = gone_on(&world.modern(), &told["requestState"])
        .await
        .result()
        .await;

    assert_eq!(late["structuredContent"]["reason"], "bad_state");
    assert!(
        text(&late).contains(&world.only_ask().await.id.to_string()),
        "it can still be waited for"
    );
    assert_eq!(world.asks().await.len(), 1);
}

#[tokio::test]
async fn before_the_newest_revision_a_call_ends_pending() {
    let world = World::new();
    let client = world.legacy();

    let (world, told) = stopped(world, &client).await;
    assert_eq!(told["structuredContent"]["status"], "pending");
    let wait = json!({ "askId": told["structuredContent"]["askId"] });
    let mut again = world.legacy().call("ask_user_wait", wait).await;
    settle().await;
    world.answered(&world.only_ask().await, "1").await;

    assert_eq!(again.result().await["structuredContent"]["status"], "answered");
}

#[tokio::test]
async fn a_client_that_tries_again_after_a_crash_finds_the_same_ask() {
    for modern in [false, true] {
        let world = World::new();
        let client = |world: &World| {
            let client = if modern { world.modern() } else { world.legacy() };
            client.with_meta("claudecode/toolUseId", "toolu_1")
        };
        let asked = client(&world).ask(target()).await;
        settle().await;
        // The old process is gone with everything it knew; its end of the stream is never heard of again.
        let world = world.restarted();
        std::mem::forget(asked);

        let mut again = client(&world).ask(target()).await;
        settle().await;
        world.answered(&world.only_ask().await, "1").await;

        assert_eq!(again.result().await["structuredContent"]["status"], "answered");
    }
}

#[tokio::test]
async fn an_answer_that_is_there_when_askd_stops_is_told() {
    let world = World::new();
    let mut asked = world.modern().ask(target()).await;
    settle().await;

    world.answered(&world.only_ask().await, "1").await;
    world.stop.cancel();

    assert_eq!(asked.result().await["structuredContent"]["status"], "answered");
}
