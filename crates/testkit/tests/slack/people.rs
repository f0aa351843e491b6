//! What people do, as the app is told of it.

use serde_json::{Value, json};

use askd_testkit::slack::Setup;

use super::app::{App, buttons};

#[tokio::test]
async fn what_is_typed_arrives_with_entities_names_of_emoji_and_links_in_brackets() {
    let app = App::start().await;
    let sara = app.sara();
    let mut socket = app.connects().await;

    sara.says(
        &sara.direct(),
        "a & b <!channel> 2\u{fe0f}\u{20e3} \u{1f44d}\u{1f3fc} https://example.org",
    );
    let event = socket.takes_event().await;

    assert_eq!(
        event["text"],
        "a &amp; b &lt;!channel&gt; :two: :+1::skin-tone-3: <https://example.org>"
    );
    assert_eq!(
        socket.takes_event().await["subtype"],
        "message_changed",
        "the preview"
    );
    assert_eq!(event["user"], sara.id());
    assert!(event["client_msg_id"].is_string() && event.get("bot_id").is_none());
    assert!(
        sara.sees(&sara.direct())[0]
            .text
            .starts_with("a & b <!channel> 2\u{fe0f}\u{20e3}")
    );
}

#[tokio::test]
async fn a_mention_in_a_channel_arrives_twice_under_one_timestamp() {
    let app = App::start().await;
    let (sara, ops) = app.ops();
    let mut socket = app.connects().await;

    let said = sara.mentions(&ops, "2");
    let (first, second) = (socket.takes().await, socket.takes().await);
    sara.mentions(&sara.direct(), "2");
    sara.says(&ops, "and 3");
    let (direct, bare) = (socket.takes_event().await, socket.takes_event().await);

    let of = |envelope: &Value| envelope["payload"]["event"].clone();
    let kinds = [of(&first)["type"].clone(), of(&second)["type"].clone()];
    assert_eq!(kinds, ["message", "app_mention"]);
    for envelope in [&first, &second] {
        let event = of(envelope);
        assert_eq!(event["ts"], said.ts.to_string());
        assert_eq!(event["text"], format!("<@{}> 2", app.slack.bot_user()));
    }
    assert_eq!(of(&first)["channel_type"], "group");
    assert_ne!(first["payload"]["event_id"], second["payload"]["event_id"]);
    assert_eq!(
        (direct["type"].as_str(), bare["text"].as_str()),
        (Some("message"), Some("and 3"))
    );
}

#[tokio::test]
async fn the_app_is_told_of_what_its_scopes_are_for() {
    let app = App::start_as(Setup {
        scopes: ["app_mentions:read", "im:history", "chat:write"]
            .map(str::to_owned)
            .to_vec(),
        ..Setup::default()
    })
    .await;
    let sara = app.sara();
    let (open, closed) = (
        app.slack.channel("all", &[&sara]),
        app.slack.private_channel("few", &[&sara]),
    );
    let elsewhere = app.slack.channel("theirs", &[&sara]);
    elsewhere.remove_app();
    let mut socket = app.connects().await;

    for place in [&open, &closed, &elsewhere] {
        sara.says(place, "bare");
        sara.mentions(place, "mentioned");
    }
    sara.says(&sara.direct(), "direct");

    let events = [
        socket.takes_event().await,
        socket.takes_event().await,
        socket.takes_event().await,
    ];
    let kinds = events.map(|event| {
        (
            event["type"].as_str().unwrap().to_owned(),
            event["channel"].clone(),
        )
    });
    assert_eq!(kinds[0], ("app_mention".to_owned(), json!(open.id())));
    assert_eq!(kinds[1], ("app_mention".to_owned(), json!(closed.id())));
    assert_eq!(kinds[2], ("message".to_owned(), json!(sara.direct().id())));
}

#[tokio::test]
async fn a_text_in_a_thread_names_the_threads_first_message() {
    let app = App::start().await;
    let (sara, ops) = app.ops();
    let prompt = app.posts(ops.id(), "Where?").await;
    let first = sara.replies(&prompt, "2");
    let mut socket = app.connects().await;
    while socket.takes_event().await["text"] != "2" {}

    sara.replies(&first, "3");
    let event = socket.takes_event().await;

    assert_eq!(event["thread_ts"], prompt.ts.to_string(), "and not the reply");
    assert_eq!(event["parent_user_id"], app.slack.bot_user());
    let replies = json!({"channel": ops.id(), "ts": prompt.ts.to_string()});
    let replies = app.call("conversations.replies", replies).await;
    assert_eq!(replies["messages"][0]["reply_count"], 2);
    assert_eq!(replies["messages"][0]["thread_ts"], prompt.ts.to_string());
}

#[tokio::test]
async fn a_change_and_a_deletion_arrive_with_what_was_there_before() {
    let app = App::start().await;
    let (sara, ops) = app.ops();
    let mut socket = app.connects().await;
    let said = sara.says(&ops, "7");
    socket.takes_event().await;

    sara.edits(&said, "2");
    let changed = socket.takes_event().await;
    sara.deletes(&said);
    let deleted = socket.takes_event().await;

    assert_eq!(changed["subtype"], "message_changed");
    assert_eq!(changed["message"]["text"], "2");
    assert_eq!(changed["message"]["edited"]["user"], sara.id());
    assert_eq!(changed["previous_message"]["text"], "7");
    assert!(changed.get("text").is_none() && changed.get("user").is_none());
    assert_eq!(deleted["subtype"], "message_deleted");
    assert_eq!(deleted["previous_message"]["text"], "2");
    assert!(sara.sees(&ops).is_empty());
}

#[tokio::test]
async fn a_mention_that_is_written_into_a_message_afterwards_is_told_of_once_more() {
    let app = App::start().await;
    let (sara, ops) = app.ops();
    let mut socket = app.connects().await;
    let said = sara.says(&ops, "7");
    socket.takes_event().await;

    sara.edits_mentioning(&said, "8");
    let added = [socket.takes_event().await, socket.takes_event().await];
    sara.edits_mentioning(&said, "9");
    sara.says(&ops, "next");
    let again = [socket.takes_event().await, socket.takes_event().await];

    let kinds = |events: &[Value; 2]| events.each_ref().map(|event| event["type"].clone());
    assert_eq!(kinds(&added), ["message", "app_mention"]);
    assert_eq!(added[0]["message"]["ts"], added[1]["ts"]);
    assert_eq!(kinds(&again), ["message", "message"], "it was there before");
}

#[tokio::test]
async fn a_file_comes_with_its_caption_and_what_is_shared_as_an_attachment() {
    let app = App::start().await;
    let (sara, ops) = app.ops();
    let omid = app.slack.person("Omid");
    let mut socket = app.connects().await;

    sara.uploads(&sara.direct(), "2 & 3");
    let file = socket.takes_event().await;
    sara.passes_on("two", &omid, &sara.direct());
    let foreign = socket.takes_event().await;
    let own = sara.says(&ops, "mine");
    socket.takes_event().await;
    sara.shares(&own, &sara.direct(), "look");
    let shared = socket.takes_event().await;

    assert_eq!(
        (file["subtype"].as_str(), file["text"].as_str()),
        (Some("file_share"), Some("2 &amp; 3"))
    );
    assert_eq!(file["files"][0]["mimetype"], "image/png");
    assert_eq!(foreign["text"], "");
    let attachment = &foreign["attachments"][0];
    assert_eq!(
        (attachment["is_share"].as_bool(), attachment["text"].as_str()),
        (Some(true), Some("two"))
    );
    assert_eq!(attachment["author_id"], omid.id());
    assert_eq!(shared["text"], "look");
    assert_eq!(shared["attachments"][0]["ts"], own.ts.to_string());
    assert!(shared.get("subtype").is_none());
}

#[tokio::test]
async fn the_preview_of_a_link_looks_like_an_edit_that_nobody_made() {
    let app = App::start().await;
    let sara = app.sara();
    let mut socket = app.connects().await;

    let said = sara.says(&sara.direct(), "see https://example.org/a, please");
    let (event, preview) = (socket.takes_event().await, socket.takes_event().await);
    sara.edits(&said, "see nothing");
    let edit = socket.takes_event().await;

    assert_eq!(event["text"], "see <https://example.org/a>, please");
    assert_eq!(preview["subtype"], "message_changed");
    assert_eq!(preview["message"]["text"], event["text"]);
    assert_eq!(
        preview["message"]["attachments"][0]["from_url"],
        "https://example.org/a"
    );
    assert!(preview["message"].get("edited").is_none());
    assert!(edit["message"]["edited"].is_object());
}

#[tokio::test]
async fn a_reply_that_is_also_sent_to_the_channel_has_a_subtype_and_is_a_reply() {
    let app = App::start().await;
    let (sara, ops) = app.ops();
    let prompt = app.posts(ops.id(), "Where?").await;
    let mut socket = app.connects().await;
    socket.takes().await;

    sara.replies_to_all(&prompt, "2");
    let event = socket.takes_event().await;

    assert_eq!(event["subtype"], "thread_broadcast");
    assert_eq!(event["thread_ts"], prompt.ts.to_string());
    assert_eq!(event["text"], "2");
}

#[tokio::test]
async fn another_app_talks_under_its_own_bot_id() {
    let app = App::start().await;
    let robot = app.slack.machine("Robot");
    let ops = app.slack.channel("ops", &[&robot]);
    let mut socket = app.connects().await;

    robot.mentions(&ops, "2");
    let events = [socket.takes_event().await, socket.takes_event().await];

    for event in events {
        assert!(event["bot_id"].is_string(), "{event}");
        assert_ne!(event["user"], app.slack.bot_user());
        assert!(event.get("client_msg_id").is_none());
    }
}

#[tokio::test]
#[should_panic(expected = "Slack keeps \"/skip\" to itself")]
async fn what_begins_with_a_slash_is_not_sent() {
    let app = App::start().await;
    let sara = app.sara();

    sara.says(&sara.direct(), " /skip");
    sara.says(&sara.direct(), "/skip");
}

#[tokio::test]
async fn a_press_carries_the_button_the_message_and_a_way_to_answer() {
    let app = App::start().await;
    let (sara, ops) = app.ops();
    let blocks = json!([buttons(&["A & B", "C"])]);
    let at = app
        .posts_with(json!({"channel": ops.id(), "text": "Where?", "blocks": blocks}))
        .await;
    let mut socket = app.connects().await;
    socket.takes().await;

    sara.presses(&ops, "A & B");
    let envelope = socket.takes().await;

    assert_eq!(envelope["type"], "interactive");
    assert_eq!(envelope["accepts_response_payload"], false);
    assert!(envelope.get("retry_attempt").is_none());
    let press = &envelope["payload"];
    assert_eq!(press["type"], "block_actions");
    assert_eq!(press["user"]["id"], sara.id());
    assert_eq!(press["channel"]["id"], ops.id());
    assert_eq!(press["container"]["message_ts"], at.ts.to_string());
    assert_eq!(press["container"]["is_ephemeral"], false);
    assert_eq!(press["message"]["text"], "Where?");
    let action = &press["actions"][0];
    assert_eq!(action["value"], "A & B");
    assert_eq!(action["action_id"], "press-A & B");
    assert_eq!(action["block_id"], "choices");
    assert_eq!(
        action["text"]["text"], "A &amp; B",
        "labels come back with entities"
    );
    assert!(press["trigger_id"].is_string() && press["response_url"].is_string());
}

#[tokio::test]
async fn a_button_that_is_gone_can_still_be_pressed() {
    let app = App::start().await;
    let sara = app.sara();
    let blocks = json!([buttons(&["A"])]);
    let at = app
        .posts_with(json!({"channel": sara.id(), "text": "Where?", "blocks": blocks}))
        .await;
    let update = json!({"channel": at.channel, "ts": at.ts.to_string(), "text": "Done", "blocks": []});
    app.call("chat.update", update).await;
    let mut socket = app.connects().await;
    for _ in 0..2 {
        socket.takes().await;
    }

    sara.presses_data(&at, "A", "A");
    let pressed = socket.takes().await;
    app.call(
        "chat.delete",
        json!({"channel": at.channel, "ts": at.ts.to_string()}),
    )
    .await;
    socket.takes().await;
    sara.presses_data(&at, "", "forged");
    let forged = socket.takes().await;

    let action = &pressed["payload"]["actions"][0];
    assert_eq!(
        (action["value"].as_str(), action["action_id"].as_str()),
        (Some("A"), Some("press-A"))
    );
    assert_eq!(pressed["payload"]["message"]["text"], "Done");
    assert_eq!(forged["payload"]["actions"][0]["value"], "");
    assert!(forged["payload"].get("message").is_none());
}

#[tokio::test]
async fn a_button_below_a_message_for_one_alone_comes_without_the_message() {
    let app = App::start().await;
    let (sara, ops) = app.ops();
    let whisper = json!({"channel": ops.id(), "user": sara.id(), "text": "?", "blocks": [buttons(&["A"])]});
    let whisper = app.call("chat.postEphemeral", whisper).await;
    let mut socket = app.connects().await;

    sara.presses(&ops, "A");
    let press = socket.takes().await["payload"].clone();
    let url = press["response_url"].as_str().unwrap();
    let replace = json!({"replace_original": true, "text": "done"});
    app.http.post(url).json(&replace).send().await.unwrap();
    let replaced = sara.sees_alone(&ops);
    app.http
        .post(url)
        .json(&json!({"delete_original": true}))
        .send()
        .await
        .unwrap();

    assert_eq!(press["container"]["is_ephemeral"], true);
    assert_eq!(press["container"]["message_ts"], whisper["message_ts"]);
    assert!(press.get("message").is_none());
    assert_eq!((replaced.len(), replaced[0].text.as_str()), (1, "done"));
    assert!(sara.sees_alone(&ops).is_empty());
}
