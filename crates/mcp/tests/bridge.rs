//! The bridge, between a client's pipes and a relay that behaves as askd does, or is away.

mod pipes;

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;

use self::pipes::{Client, Rights, Step, answered};
use crate::world::{settle, target};

#[tokio::test]
async fn who_it_is_and_which_tools_there_are_it_says_without_askd() {
    let mut client = Client::initialized(&[]).await;
    client
        .send(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }))
        .await;
    assert_eq!(client.next().await["result"]["tools"][0]["name"], "ask_user");
    client
        .send(json!({ "jsonrpc": "2.0", "id": 2, "method": "ping" }))
        .await;
    assert_eq!(client.next().await["result"], json!({}));

    let mut modern = Client::with(&[]);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    for (id, method) in [(1, "server/discover"), (2, "tools/list")] {
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": { "_meta": meta } });
        modern.send(message).await;
        assert_eq!(
            modern.next().await["result"]["resultType"],
            "complete",
            "{method}"
        );
    }

    assert!(client.askd.sent().is_empty() && modern.askd.sent().is_empty());
}

#[tokio::test]
async fn a_call_is_passed_on_as_it_is_in_the_newest_revision_with_who_asks_and_an_id() {
    let mut client = Client::initialized(&[Step::Answer, Step::Answer]).await;
    client.call(1, json!({ "claudecode/agentType": "main" })).await;
    client.call(2, json!({ "claudecode/toolUseId": "toolu_1" })).await;

    let calls = client.askd.calls();

    let (own, clients) = (&calls[0]["params"], &calls[1]["params"]);
    assert_eq!(own["name"], "ask_user");
    assert_eq!(own["arguments"], target());
    let meta = &own["_meta"];
    assert_eq!(meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
    assert_eq!(meta["io.modelcontextprotocol/clientInfo"]["name"], "claude-code");
    assert_eq!(meta["claudecode/agentType"], "main");
    assert_eq!(meta["askd/callId"], "bridge-0");
    assert_eq!(clients["_meta"]["claudecode/toolUseId"], "toolu_1");
    assert!(
        clients["_meta"].get("askd/callId").is_none(),
        "the client's own is the better one"
    );
}

#[tokio::test]
async fn a_result_comes_back_in_the_shape_of_the_clients_revision() {
    let mut client = Client::initialized(&[Step::Answer]).await;
    client.call(1, json!({})).await;

    let message = client.next().await;

    assert_eq!(message["id"], 1);
    let mut expected = answered();
    expected.as_object_mut().unwrap().remove("resultType");
    assert_eq!(message["result"], expected);
}

#[tokio::test]
async fn progress_is_passed_on_to_who_asked_for_it() {
    let mut client = Client::initialized(&[Step::Hold, Step::Hold]).await;
    client.call(1, json!({})).await;
    client.call(2, json!({ "progressToken": "p" })).await;

    let told = client.next().await;

    assert_eq!(told["method"], "notifications/progress");
    assert_eq!(told["params"]["progressToken"], "p");
    assert_eq!(told["params"]["progress"], 3.0);
    assert_eq!(told["params"]["total"], 900.0);
}

#[tokio::test]
async fn while_askd_restarts_the_same_call_is_sent_again_until_it_is_back() {
    let steps = [Step::Break, Step::Away, Step::Away, Step::Hold];
    let mut client = Client::initialized(&steps).await;
    client.call(1, json!({})).await;
    for _ in 0..3 {
        client.pass(2.0).await;
    }

    client.askd.over.cancel();
    assert_eq!(
        client.next().await["result"]["structuredContent"]["status"],
        "answered"
    );

    let calls = client.askd.calls();
    assert_eq!(calls.len(), 4);
    assert!(
        calls.iter().all(|call| *call == calls[0]),
        "with the same id, so that it finds the same ask"
    );
}

#[tokio::test]
async fn what_askd_hands_over_it_gets_back() {
    let mut client = Client::initialized(&[Step::HandOver, Step::Away, Step::Answer]).await;
    client.call(1, json!({})).await;
    client.pass(1.0).await;
    client.pass(1.0).await;

    assert_eq!(
        client.next().await["result"]["structuredContent"]["status"],
        "answered"
    );
    let calls = client.askd.calls();
    assert!(calls[0]["params"].get("requestState").is_none());
    assert_eq!(calls[2]["params"]["requestState"], "rs1.state");
    assert_eq!(calls[2]["params"]["_meta"], calls[0]["params"]["_meta"]);
}

#[tokio::test]
async fn progress_goes_on_rising_over_a_restart_and_while_askd_is_away() {
    let mut steps = vec![Step::Break];
    steps.extend(vec![Step::Away; 12]);
    steps.push(Step::Hold);
    let mut client = Client::initialized(&steps).await;
    client.call(1, json!({ "progressToken": "p" })).await;
    for _ in 0..14 {
        client.pass(2.0).await;
    }

    let mut told = Vec::new();
    for _ in 0..3 {
        let message = client.next().await;
        told.push((
            message["params"]["progress"].as_f64().unwrap(),
            message["params"]["message"].clone(),
        ));
    }

    assert!(told.windows(2).all(|two| two[0].0 < two[1].0), "{told:?}");
    assert!(
        told[1].1.as_str().unwrap().starts_with("askd is away"),
        "{told:?}"
    );
    assert!(told[2].1.as_str().unwrap().starts_with("Shown on"), "{told:?}");
}

#[tokio::test]
async fn a_call_that_never_reaches_askd_is_given_up_after_a_minute() {
    let mut client = Client::initialized(&vec![Step::Away; 100]).await;
    client.call(1, json!({ "progressToken": "p" })).await;
    for _ in 0..35 {
        client.pass(2.0).await;
    }

    let mut message = client.next().await;
    while message["method"] == "notifications/progress" {
        let told = message["params"]["message"].as_str().unwrap();
        assert_eq!(
            told,
            "askd is away and may not have the question yet; trying again"
        );
        message = client.next().await;
    }
    let result = message["result"].take();

    assert_eq!(result["isError"], true);
    assert_eq!(result["structuredContent"]["reason"], "unavailable");
    assert!(
        result["content"][0]["text"]
            .as_str()
            .unwrap()
            .contains("best judgment")
    );
}

#[tokio::test]
async fn an_ask_that_was_stored_is_gone_on_with_until_its_deadline() {
    let mut steps = vec![Step::Break];
    steps.extend(vec![Step::Away; 400]);
    steps.push(Step::Answer);
    let mut client = Client::initialized(&steps).await;
    client.call(1, json!({})).await;
    for _ in 0..402 {
        client.pass(2.0).await;
    }

    assert_eq!(
        client.next().await["result"]["structuredContent"]["status"],
        "answered"
    );
}

#[tokio::test]
async fn what_trying_again_cannot_mend_is_said_at_once() {
    let mut client = Client::initialized(&[Step::Refuse]).await;
    client.call(1, json!({})).await;

    let result = client.next().await["result"].take();

    assert_eq!(result["isError"], true);
    assert!(
        result["content"][0]["text"]
            .as_str()
            .unwrap()
            .contains("the token is not known")
    );
}

fn cancelled(id: i64) -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } })
}

#[tokio::test]
async fn a_cancel_is_passed_on_and_nothing_is_answered() {
    let mut client = Client::initialized(&[Step::Hold]).await;
    client.call(7, json!({})).await;

    client.send(cancelled(7)).await;

    assert_eq!(client.askd.sent().last().unwrap(), &cancelled(7));
    client
        .send(json!({ "jsonrpc": "2.0", "id": 8, "method": "ping" }))
        .await;
    assert_eq!(client.next().await["id"], 8);
}

#[tokio::test]
async fn a_cancel_while_askd_is_away_is_passed_on_when_it_is_back() {
    let mut client = Client::initialized(&[Step::Away, Step::Away, Step::Hold]).await;
    client.call(7, json!({})).await;

    client.send(cancelled(7)).await;
    assert!(
        !client.askd.sent().contains(&cancelled(7)),
        "askd does not know the call yet"
    );
    client.pass(1.0).await;
    client.pass(1.0).await;

    assert_eq!(client.askd.sent().last().unwrap(), &cancelled(7));
}

#[tokio::test]
async fn when_stdin_ends_askd_is_told_while_its_calls_are_open_and_the_bridge_ends() {
    let mut client = Client::initialized(&[Step::Hold]).await;
    client.call(1, json!({})).await;

    client.close().await;

    let sent = client.askd.sent();
    assert_eq!(sent[1..], [Value::Null, json!({ "open": 1 })], "and no cancel");
    assert!(client.is_over());
}

#[tokio::test]
async fn when_stdin_ends_a_call_that_is_being_taken_up_again_gets_five_seconds() {
    let mut client = Client::initialized(&[Step::Break, Step::Away, Step::Hold]).await;
    client.call(1, json!({})).await;

    client.close().await;
    assert!(!client.is_over());
    client.pass(1.0).await;
    client.pass(1.0).await;

    assert_eq!(client.askd.sent().last().unwrap(), &json!({ "open": 1 }));
    assert!(client.is_over());

    let mut client = Client::initialized(&vec![Step::Away; 50]).await;
    client.call(1, json!({})).await;
    client.close().await;
    client.pass(5.0).await;
    assert!(client.is_over(), "and no more than that");
}

#[tokio::test]
async fn a_client_that_never_speaks_ends_the_bridge() {
    let mut client = Client::with(&[]);

    client.close().await;

    assert!(client.is_over());
}

#[tokio::test]
async fn a_bridge_that_is_told_to_stop_says_good_bye_too() {
    let mut client = Client::initialized(&[Step::Hold]).await;
    client.call(1, json!({})).await;

    client.stop.cancel();
    settle().await;

    assert_eq!(client.askd.sent().last().unwrap(), &json!({ "open": 1 }));
    assert!(client.is_over());
}

#[tokio::test]
async fn a_sub_agent_sees_no_tool_and_its_call_does_not_even_reach_askd() {
    let mut client = Client::of(&[], true);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": { "_meta": meta } });
    client.send(list).await;
    assert_eq!(client.next().await["result"]["tools"], json!([]));

    client.call(2, meta).await;

    assert_eq!(
        client.next().await["result"]["structuredContent"]["reason"],
        "subagent"
    );
    assert!(client.askd.sent().is_empty());
}

#[tokio::test]
async fn a_token_that_may_not_ask_sees_no_tool_where_askd_runs() {
    let mut client = Client::initialized(&[]).await;
    *client.askd.rights.lock().unwrap() = Rights::None;

    client
        .send(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }))
        .await;

    assert_eq!(client.next().await["result"]["tools"], json!([]));
}

#[tokio::test]
async fn an_askd_that_says_nothing_does_not_hold_up_the_list_of_tools() {
    let mut client = Client::initialized(&[]).await;
    *client.askd.rights.lock().unwrap() = Rights::Silent;

    client
        .send(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }))
        .await;
    settle().await;
    client.pass(0.05).await;

    assert_eq!(client.next().await["result"]["tools"][0]["name"], "ask_user");
}

#[tokio::test]
async fn arguments_that_are_no_object_are_passed_on_for_askd_to_judge() {
    let mut client = Client::initialized(&[Step::Answer]).await;
    let params = json!({ "name": "ask_user", "arguments": "Where to?" });

    client
        .send(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }))
        .await;

    let message = client.next().await;
    assert_eq!(message["result"]["structuredContent"]["status"], "answered");
    assert!(message["result"].get("resultType").is_none());
    assert_eq!(client.askd.calls()[0]["params"]["arguments"], "Where to?");
}

#[tokio::test]
async fn what_is_no_message_does_not_end_the_bridge() {
    let mut client = Client::initialized(&[]).await;
    client
        .input
        .as_mut()
        .unwrap()
        .write_all(b"hello?\n")
        .await
        .unwrap();

    client
        .send(json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }))
        .await;

    assert_eq!(client.next().await["id"], 1);
}
