//! Who may ask.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::{
    client::{Client, text},
    world::{OPERATOR, OTHER_AGENT, SARA, SHARED, SUBAGENT, World, target},
};

async fn tools(client: &Client) -> usize {
    let listed = client.request("tools/list", json!({})).await.result().await;
    listed["tools"].as_array().unwrap().len()
}

#[tokio::test]
async fn a_sub_agent_sees_no_tool_and_reads_why_it_may_not_call_one() {
    let world = World::new();
    let codex = json!({ "session_id": "s", "thread_source": "subagent" });
    let sub_agents = [
        world.legacy().with_token(SUBAGENT),
        world.modern().with_token(SUBAGENT),
        world.legacy().with_header("askd-role", "subagent"),
        world
            .legacy()
            .with_token(OPERATOR)
            .with_header("askd-role", "subagent"),
        world.modern().with_meta("claudecode/agentId", "agent-7"),
        world.legacy().with_meta("x-codex-turn-metadata", codex.clone()),
        world
            .legacy()
            .with_meta("x-codex-turn-metadata", codex.to_string()),
    ];
    for sub_agent in sub_agents {
        assert_eq!(tools(&sub_agent).await, 0);

        for tool in ["ask_user", "ask_user_wait"] {
            let refused = sub_agent.call(tool, target()).await.result().await;

            assert_eq!(refused["isError"], true);
            assert_eq!(refused["structuredContent"]["reason"], "subagent");
            assert!(text(&refused).contains("primary session"), "{refused}");
        }
    }
    assert!(world.asks().await.is_empty());
}

#[tokio::test]
async fn what_a_primary_session_sends_does_not_make_it_a_sub_agent() {
    let world = World::new();
    let primary = [
        world.modern().with_meta("claudecode/toolUseId", "toolu_1"),
        world
            .legacy()
            .with_meta("x-codex-turn-metadata", json!({ "thread_source": "user" })),
        world.legacy().with_meta("x-codex-turn-metadata", "not JSON"),
        world.legacy().with_meta("claudecode/agentId", Value::Null),
    ];

    for client in primary {
        assert_eq!(tools(&client).await, 2);
    }
}

#[tokio::test]
async fn a_person_sees_no_tool_and_may_not_ask() {
    let world = World::new();
    let sara = world.legacy().with_token(SARA);

    assert_eq!(tools(&sara).await, 0);
    let refused = sara.asked(target()).await;

    assert_eq!(refused["structuredContent"]["reason"], "role");
}

#[tokio::test]
async fn without_a_known_token_nothing_is_heard() {
    let world = World::new();
    let unknown = world.legacy().with_token("made-up");

    for method in ["initialize", "tools/list", "tools/call"] {
        let mut answer = unknown.request(method, json!({})).await;

        assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
        assert!(
            answer.headers["www-authenticate"]
                .to_str()
                .unwrap()
                .starts_with("Bearer")
        );
        let problem = answer.messages().await.remove(0);
        assert_eq!(problem["type"], "urn:askd:problem:unauthorized");
    }
}

#[tokio::test]
async fn a_role_is_never_raised() {
    let world = World::new();

    let answer = world
        .legacy()
        .with_header("askd-role", "operator")
        .request("tools/list", json!({}))
        .await;

    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn another_agents_ask_cannot_be_waited_for() {
    let world = World::new();
    let pending = world.legacy().with_header("askd-hold", "0").asked(target()).await;
    let wait = json!({ "askId": pending["structuredContent"]["askId"], "waitSeconds": 0 });

    let others = world
        .legacy()
        .with_token(OTHER_AGENT)
        .call("ask_user_wait", wait.clone())
        .await
        .result()
        .await;
    let own = world.legacy().call("ask_user_wait", wait).await.result().await;

    assert_eq!(others["structuredContent"]["reason"], "no_ask");
    assert_eq!(own["structuredContent"]["status"], "pending");
}

#[tokio::test]
async fn a_named_token_says_who_asks_and_a_shared_one_lets_the_client_say() {
    let world = World::new();
    world.modern().with_header("askd-hold", "0").asked(target()).await;
    assert_eq!(world.only_ask().await.agent, "build-bot");

    world
        .modern()
        .with_token(SHARED)
        .with_header("askd-hold", "0")
        .asked(target())
        .await;

    let names: Vec<String> = world.asks().await.into_iter().map(|ask| ask.agent).collect();
    assert!(names.contains(&"test-client".to_owned()), "{names:?}");
}

#[tokio::test]
async fn a_shared_token_of_a_client_without_a_name_goes_by_its_own() {
    let world = World::new();

    world
        .legacy()
        .with_token(SHARED)
        .with_header("askd-hold", "0")
        .asked(target())
        .await;

    assert_eq!(world.only_ask().await.agent, "agent");
}
