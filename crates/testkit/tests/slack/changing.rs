//! Updates and deletions.

use serde_json::json;

use super::app::{App, buttons, section, with};

#[tokio::test]
async fn an_update_without_blocks_keeps_the_old_ones_and_an_empty_list_takes_them_away() {
    let app = App::start().await;
    let sara = app.sara();
    let blocks = json!([section("Where?"), buttons(&["A"])]);
    let at = app
        .posts_with(json!({"channel": sara.id(), "text": "Where?", "blocks": blocks}))
        .await;
    let direct = sara.direct();
    let update =
        |more: serde_json::Value| with(json!({"channel": at.channel, "ts": at.ts.to_string()}), &more);

    app.call("chat.update", update(json!({"text": "Done"}))).await;
    let kept = sara.sees_last(&direct).unwrap();
    app.call("chat.update", update(json!({"blocks": [section("Done: A")]})))
        .await;
    let replaced = sara.sees_last(&direct).unwrap();
    app.call(
        "chat.update",
        update(json!({"text": "Done: plain", "blocks": []})),
    )
    .await;
    let bare = sara.sees_last(&direct).unwrap();

    assert_eq!((kept.text.as_str(), kept.labels()), ("Where?", vec!["A"]));
    assert_eq!((replaced.text.as_str(), replaced.labels()), ("Done: A", vec![]));
    assert_eq!(bare.text, "Done: plain");
    assert!(bare.edited && bare.rang, "{bare:?}");
    assert_eq!(sara.sees(&direct).len(), 1);
}

#[tokio::test]
async fn rich_text_gives_way_to_rich_text_alone() {
    let app = App::start().await;
    let sara = app.sara();
    let rich = |text: &str| {
        json!([{"type": "rich_text", "elements": [
            {"type": "rich_text_section", "elements": [{"type": "text", "text": text}]},
        ]}])
    };
    let post = json!({"channel": sara.id(), "text": "x", "blocks": rich("Where?")});
    let at = app.posts_with(post).await;
    let update =
        |blocks: serde_json::Value| json!({"channel": at.channel, "ts": at.ts.to_string(), "blocks": blocks});

    assert_eq!(
        app.error("chat.update", update(json!([section("Done")]))).await,
        "block_mismatch"
    );
    app.call("chat.update", update(rich("Done"))).await;
    app.call("chat.update", with(update(json!([])), &json!({"text": "Done"})))
        .await;
}

#[tokio::test]
async fn an_update_takes_less_text_than_a_new_message() {
    let app = App::start().await;
    let sara = app.sara();
    let at = app.posts(sara.id(), "x").await;
    let update = |n: usize| json!({"channel": at.channel, "ts": at.ts.to_string(), "text": "x".repeat(n)});

    app.call("chat.update", update(4000)).await;
    assert_eq!(app.error("chat.update", update(4001)).await, "msg_too_long");
}

#[tokio::test]
async fn only_what_is_there_and_ones_own_can_be_changed_or_deleted() {
    let app = App::start().await;
    let (sara, ops) = app.ops();
    let theirs = sara.says(&ops, "2");
    let ours = app.posts(ops.id(), "Where?").await;
    let of = |at: &askd_testkit::slack::MessageAt| json!({"channel": at.channel, "ts": at.ts.to_string()});
    let with_text = |mut call: serde_json::Value| {
        call["text"] = "x".into();
        call
    };

    assert_eq!(
        app.error("chat.update", with_text(of(&theirs))).await,
        "cant_update_message"
    );
    assert_eq!(app.error("chat.delete", of(&theirs)).await, "cant_delete_message");
    let direct = json!({"channel": sara.id(), "ts": ours.ts.to_string(), "text": "x"});
    assert_eq!(
        app.error("chat.update", direct).await,
        "channel_not_found",
        "an account is no conversation"
    );
    ops.archive();
    assert_eq!(
        app.error("chat.update", with_text(of(&ours))).await,
        "is_inactive"
    );
    ops.unarchive();
    app.call("chat.delete", of(&ours)).await;
    assert_eq!(
        app.error("chat.update", with_text(of(&ours))).await,
        "message_not_found"
    );
    assert_eq!(app.error("chat.delete", of(&ours)).await, "message_not_found");
}

#[tokio::test]
async fn the_app_hears_of_its_own_messages_changes_and_deletions() {
    let app = App::start().await;
    let sara = app.sara();
    let mut socket = app.connects().await;

    let at = app.posts(sara.id(), "Where?").await;
    let call = json!({"channel": at.channel, "ts": at.ts.to_string(), "text": "Done"});
    app.call("chat.update", call).await;
    app.call(
        "chat.delete",
        json!({"channel": at.channel, "ts": at.ts.to_string()}),
    )
    .await;
    let (posted, changed, deleted) = (
        socket.takes_event().await,
        socket.takes_event().await,
        socket.takes_event().await,
    );

    assert_eq!(posted["user"], app.slack.bot_user());
    assert!(posted["bot_id"].is_string() && posted["client_msg_id"].is_null());
    assert_eq!(changed["subtype"], "message_changed");
    assert_eq!(changed["hidden"], true);
    assert_eq!(changed["message"]["text"], "Done");
    assert_eq!(changed["previous_message"]["text"], "Where?");
    assert_eq!(changed["message"]["ts"], at.ts.to_string());
    assert_ne!(changed["ts"], at.ts.to_string());
    assert_eq!(deleted["subtype"], "message_deleted");
    assert_eq!(deleted["deleted_ts"], at.ts.to_string());
}
