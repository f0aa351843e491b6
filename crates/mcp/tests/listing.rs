//! What a client learns before it calls: the handshakes of all revisions, and the tools.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::{client::Client, schemas, world::World};

async fn initialized(client: &Client, revision: &str) -> Value {
    let params = json!({
        "protocolVersion": revision, "capabilities": {}, "clientInfo": { "name": "test-client", "version": "1" },
    });
    client.request("initialize", params).await.result().await
}

#[tokio::test]
async fn a_client_of_an_older_revision_is_answered_in_its_own() {
    for revision in ["2025-03-26", "2025-06-18", "2025-11-25"] {
        let world = World::new();

        let result = initialized(&world.legacy().speaking(revision), revision).await;

        assert_eq!(result["protocolVersion"], revision);
        assert_eq!(result["serverInfo"]["name"], "askd");
        assert!(result["capabilities"]["tools"].is_object());
        assert!(result["instructions"].as_str().unwrap().contains("ask_user"));
    }
}

#[tokio::test]
async fn a_client_that_names_a_revision_nobody_knows_is_offered_one_that_is() {
    let world = World::new();

    let result = initialized(&world.legacy(), "1999-01-01").await;

    assert_eq!(result["protocolVersion"], "2025-11-25");
}

#[tokio::test]
async fn a_client_of_the_newest_revision_discovers_instead_of_initializing() {
    let world = World::new();

    let result = world
        .modern()
        .request("server/discover", json!({}))
        .await
        .result()
        .await;

    let versions = result["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!("2026-07-28")) && versions.contains(&json!("2025-06-18")));
    assert!(result["capabilities"]["tools"].is_object());
    assert_eq!(result["resultType"], "complete");
}

#[tokio::test]
async fn no_session_id_is_made_and_a_dead_one_is_ignored() {
    let world = World::new();
    let client = world
        .legacy()
        .with_header("mcp-session-id", "from-before-the-restart");

    let mut answer = client.request("tools/list", json!({})).await;

    assert_eq!(answer.status, StatusCode::OK);
    assert!(!answer.headers.contains_key("mcp-session-id"));
    assert_eq!(answer.result().await["tools"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn both_lifecycles_list_the_same_tools() {
    let world = World::new();
    let list = async |client: Client| client.request("tools/list", json!({})).await.result().await;

    let (legacy, modern) = (list(world.legacy()).await, list(world.modern()).await);

    assert_eq!(legacy["tools"], modern["tools"]);
    assert!(legacy.get("resultType").is_none(), "older clients do not know it");
    assert_eq!(
        modern["cacheScope"], "private",
        "who may ask is no proxy's business"
    );
}

#[tokio::test]
async fn a_description_fits_what_clients_show_and_carries_the_guidance() {
    let tools = schemas::tools().await;
    let ask = &tools[0];

    for tool in &tools {
        let length = tool["description"].as_str().unwrap().chars().count();
        assert!(
            length <= 2048,
            "{}: Claude Code cuts at 2048, this has {length}",
            tool["name"]
        );
    }
    let description = ask["description"].as_str().unwrap();
    for guidance in [
        "truly the user's",
        "permission to proceed",
        "Prefer one question",
        "(Recommended)",
        "multiSelect",
        "\"Other\"",
        "credential",
        "best judgment",
        "ask_user_wait",
    ] {
        assert!(description.contains(guidance), "{guidance}");
    }
}

#[tokio::test]
async fn the_tools_say_that_they_change_nothing() {
    for tool in schemas::tools().await {
        let annotations = &tool["annotations"];
        assert_eq!(annotations["readOnlyHint"], true);
        assert_eq!(annotations["destructiveHint"], false);
        assert_eq!(annotations["openWorldHint"], true);
        assert_eq!(annotations["idempotentHint"], tool["name"] == "ask_user_wait");
        assert!(tool["title"].is_string());
    }
}

#[tokio::test]
async fn there_is_nothing_else() {
    let world = World::new();

    for method in ["resources/read", "prompts/get", "made/up"] {
        let error = world
            .legacy()
            .request(method, json!({ "uri": "x:y", "name": "x" }))
            .await
            .result()
            .await;
        assert_eq!(error["error"]["code"], -32601, "{method}");
    }
    let error = world.legacy().call("ask_users", json!({})).await.result().await;
    assert_eq!(error["error"]["code"], -32602);
}

#[tokio::test]
async fn a_ping_is_answered() {
    let world = World::new();

    assert_eq!(
        world.legacy().request("ping", json!({})).await.result().await,
        json!({})
    );
}
