//! What was said, read again.

use serde_json::{Value, json};

use super::app::{App, with};

fn said(answer: &Value) -> Vec<&str> {
    let messages = answer["messages"].as_array().expect("messages").iter();
    messages
        .map(|message| message["text"].as_str().expect("a text"))
        .collect()
}

#[tokio::test]
async fn the_history_has_the_newest_first_and_no_replies() {
    let app = App::start().await;
    let (sara, ops) = app.ops();
    let first = sara.says(&ops, "one");
    sara.replies(&first, "below one");
    let second = app.posts(ops.id(), "two").await;
    let gone = sara.says(&ops, "gone");
    sara.deletes(&gone);
    sara.says(&ops, "three");
    let read = |more: Value| {
        let call = with(json!({"channel": ops.id()}), &more);
        let app = &app;
        async move { app.call("conversations.history", call).await }
    };
    let ts = second.ts.to_string();

    assert_eq!(said(&read(json!({})).await), ["three", "two", "one"]);
    assert_eq!(said(&read(json!({"oldest": ts})).await), ["three"]);
    assert_eq!(
        said(&read(json!({"oldest": ts, "inclusive": true})).await),
        ["three", "two"]
    );
    assert_eq!(said(&read(json!({"latest": ts})).await), ["one"]);
    assert_eq!(
        said(&read(json!({"oldest": "1796117399"})).await).len(),
        3,
        "seconds will do"
    );
    let page = read(json!({"limit": 2})).await;
    let cursor = page["response_metadata"]["next_cursor"].clone();
    assert_eq!(
        (said(&page), page["has_more"].as_bool()),
        (vec!["three", "two"], Some(true))
    );
    let rest = read(json!({"limit": 2, "cursor": cursor})).await;
    assert_eq!(
        (said(&rest), rest["has_more"].as_bool()),
        (vec!["one"], Some(false))
    );
}

#[tokio::test]
async fn a_thread_is_read_from_its_first_message_on() {
    let app = App::start().await;
    let (sara, ops) = app.ops();
    let prompt = app.posts(ops.id(), "Where?").await;
    let reply = sara.replies(&prompt, "one");
    sara.replies(&prompt, "two");
    let read = |more: Value| {
        let call = with(json!({"channel": ops.id(), "ts": prompt.ts.to_string()}), &more);
        let app = &app;
        async move { app.call("conversations.replies", call).await }
    };

    assert_eq!(said(&read(json!({})).await), ["Where?", "one", "two"]);
    assert_eq!(
        said(&read(json!({"oldest": reply.ts.to_string()})).await),
        ["Where?", "two"]
    );
    let lone = json!({"channel": ops.id(), "ts": "1000000000.000100"});
    assert_eq!(app.error("conversations.replies", lone).await, "thread_not_found");
}

#[tokio::test]
async fn a_conversation_tells_what_it_is() {
    let app = App::start().await;
    let sara = app.sara();
    let (open, closed) = (
        app.slack.channel("all", &[&sara]),
        app.slack.private_channel("few", &[&sara]),
    );
    let direct = sara.direct();
    let (outside, hidden) = (
        app.slack.channel("theirs", &[&sara]),
        app.slack.private_channel("secret", &[&sara]),
    );
    outside.remove_app();
    hidden.remove_app();
    closed.archive();
    let info = |id: &str| {
        let call = json!({"channel": id, "include_num_members": true});
        let app = &app;
        async move { app.call("conversations.info", call).await["channel"].clone() }
    };

    let (open, closed, direct) = (
        info(open.id()).await,
        info(closed.id()).await,
        info(direct.id()).await,
    );
    let foreign = info(outside.id()).await;

    assert_eq!(
        (
            open["name"].as_str(),
            open["is_private"].as_bool(),
            open["is_member"].as_bool()
        ),
        (Some("all"), Some(false), Some(true))
    );
    assert_eq!(open["num_members"], 2);
    assert_eq!(
        (closed["is_private"].as_bool(), closed["is_archived"].as_bool()),
        (Some(true), Some(true))
    );
    assert_eq!(
        (direct["is_im"].as_bool(), direct["user"].as_str()),
        (Some(true), Some(sara.id()))
    );
    assert_eq!(foreign["is_member"], false);
    for id in [hidden.id(), "C0NOWHERE0"] {
        assert_eq!(
            app.error("conversations.info", json!({"channel": id})).await,
            "channel_not_found"
        );
    }
    assert_eq!(
        app.error("conversations.history", json!({"channel": outside.id()}))
            .await,
        "not_in_channel"
    );
}

#[tokio::test]
async fn a_page_or_an_instant_that_cannot_be_is_refused() {
    let app = App::start().await;
    let (_sara, ops) = app.ops();
    for (name, value, error) in [
        ("limit", "1000", "invalid_arguments"),
        ("limit", "x", "invalid_arguments"),
        ("cursor", "x", "invalid_cursor"),
        ("oldest", "soon", "invalid_ts_oldest"),
        ("latest", "1.2.3", "invalid_ts_latest"),
    ] {
        let call = json!({"channel": ops.id(), name: value});
        assert_eq!(app.error("conversations.history", call).await, error, "{name}");
    }
}
