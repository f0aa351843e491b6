//! What is no message of the protocol.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::world::World;

#[tokio::test]
async fn what_is_no_message_gets_an_error_of_the_protocol() {
    let world = World::new();
    for (body, code) in [("{", -32700), ("[]", -32600), ("7", -32600)] {
        let mut answer = world.legacy().open("POST", body.to_owned(), &Value::Null).await;

        assert_eq!(answer.status, StatusCode::BAD_REQUEST);
        let error = answer.messages().await.remove(0);
        assert_eq!(error["error"]["code"], code, "{body}");
        assert!(error["id"].is_null());
    }
}

#[tokio::test]
async fn what_is_json_and_no_message_gets_an_error_under_its_own_number() {
    let world = World::new();
    let call = json!({ "name": "ask_user", "arguments": {}, "_meta": [] });
    for (message, id) in [
        (json!({ "id": 7, "method": "ping" }), json!(7)),
        (
            json!({ "jsonrpc": "2.0", "id": null, "method": "ping" }),
            Value::Null,
        ),
        (
            json!({ "jsonrpc": "2.0", "id": 1.5, "method": "ping" }),
            Value::Null,
        ),
        (
            json!({ "jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": call }),
            json!("a"),
        ),
    ] {
        let mut answer = world.legacy().send(&message).await;

        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{message}");
        let error = answer.messages().await.remove(0);
        assert_eq!(error["error"]["code"], -32600, "{message}");
        assert_eq!(error["id"], id, "{message}");
    }
}

#[tokio::test]
async fn a_call_that_names_no_tool_is_told_so() {
    let world = World::new();

    let answer = world
        .legacy()
        .request("tools/call", json!({}))
        .await
        .result()
        .await;

    assert_eq!(answer["error"]["code"], -32602);
    assert_eq!(
        answer["error"]["message"],
        "tools/call needs the name of a tool in params.name"
    );
}

#[tokio::test]
async fn there_is_no_stream_without_a_request_and_no_session_to_delete() {
    let world = World::new();

    for method in ["GET", "DELETE"] {
        let answer = world.legacy().open(method, String::new(), &Value::Null).await;
        assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED, "{method}");
    }
}

#[tokio::test]
async fn a_request_of_the_newest_revision_must_say_in_its_headers_what_it_is() {
    let world = World::new();
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": { "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    } } });

    // Its headers are those of an older one.
    let mut answer = world.legacy().send(&message).await;

    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert_eq!(answer.messages().await[0]["error"]["code"], -32020);
}

#[tokio::test]
async fn a_hold_that_is_none_is_an_error_and_not_ignored() {
    let world = World::new();
    for hold in ["-1", "3601", "soon", "1.5", ""] {
        let client = world.legacy().with_header("askd-hold", hold);

        let answer = client.request("tools/list", json!({})).await;

        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{hold}");
    }
}

#[tokio::test]
async fn a_body_beyond_the_limit_of_whoever_serves_this_is_refused() {
    let world = World::new();

    let answer = world
        .legacy()
        .open("POST", "x".repeat(3 << 20), &Value::Null)
        .await;

    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn other_notifications_are_accepted() {
    let world = World::new();

    let message = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });

    assert_eq!(world.legacy().send(&message).await.status, StatusCode::ACCEPTED);
}
