//! What answers whom, what rings, and how it all reads.

use std::time::Duration;

use serde_json::json;

use super::app::{App, buttons, section};

#[tokio::test]
async fn what_comes_unasked_rings_and_what_answers_somebody_does_not() {
    let app = App::start().await;
    let sara = app.sara();
    let mut socket = app.connects().await;
    let direct = sara.direct();

    app.posts(sara.id(), "part one").await;
    app.posts(sara.id(), "part two").await;
    app.clock.advance(Duration::from_secs(4));
    app.posts(sara.id(), "another").await;
    sara.says(&direct, "2");
    for _ in 0..4 {
        socket.takes().await;
    }
    app.posts(sara.id(), "Noted.").await;
    app.posts(sara.id(), "a new one").await;

    let seen: Vec<(String, bool, bool)> = sara
        .sees(&direct)
        .into_iter()
        .filter(|seen| seen.by_app)
        .map(|seen| (seen.text, seen.rang, seen.at_once))
        .collect();
    let text = |text: &str, rang: bool, at_once: bool| (text.to_owned(), rang, at_once);
    assert_eq!(
        seen,
        [
            text("part one", true, false),
            text("part two", true, true),
            text("another", true, false),
            text("Noted.", false, false),
            text("a new one", true, false),
        ]
    );
}

#[tokio::test]
async fn in_a_channel_only_what_stands_in_a_thread_answers_somebody() {
    let app = App::start().await;
    let (sara, ops) = app.ops();
    let mut socket = app.connects().await;
    let prompt = app.posts(ops.id(), "Where?").await;
    sara.replies(&prompt, "2");
    for _ in 0..2 {
        socket.takes().await;
    }

    app.posts(ops.id(), "for all").await;
    let answer = json!({"channel": ops.id(), "text": "Noted.", "thread_ts": prompt.ts.to_string()});
    app.posts_with(answer).await;

    let seen = sara.sees(&ops);
    assert_eq!((seen[2].rang, seen[2].answers), (true, false));
    assert_eq!((seen[3].rang, seen[3].answers), (false, true));
}

#[tokio::test]
async fn the_transcript_is_what_people_saw() {
    let app = App::start().await;
    let (sara, omid) = (app.sara(), app.slack.person("Omid"));
    let ops = app.slack.private_channel("ops", &[&sara, &omid]);
    let mut socket = app.connects().await;
    let blocks = json!([section("*Target*: where?"), buttons(&["Staging", "Other"])]);
    let prompt = app
        .posts_with(json!({"channel": ops.id(), "text": "Where?", "blocks": blocks}))
        .await;
    socket.takes().await;

    omid.replies(&prompt, "what is this?");
    sara.presses(&ops, "Other");
    socket.takes().await;
    let press = socket.takes().await;
    let input = json!({
        "type": "input", "block_id": "own", "label": {"type": "plain_text", "text": "Your answer"},
        "element": {"type": "plain_text_input", "action_id": "text"},
    });
    let view = json!({
        "type": "modal", "title": {"type": "plain_text", "text": "Target"},
        "submit": {"type": "plain_text", "text": "Send"}, "blocks": [input],
    });
    let trigger = &press["payload"]["trigger_id"];
    app.call("views.open", json!({"trigger_id": trigger, "view": view}))
        .await;
    sara.fills("neither");
    socket.takes().await;
    app.call(
        "chat.postEphemeral",
        json!({"channel": ops.id(), "user": sara.id(), "text": "Noted."}),
    )
    .await;
    let update = json!({"channel": ops.id(), "ts": prompt.ts.to_string(), "text": "Done", "blocks": [section("*Done*")]});
    app.call("chat.update", update).await;
    omid.passes_on("a & b", &sara, &omid.direct());

    let expected = "\
== #ops, private ==

#1 askd (rings)
  | *Target*: where?
  [Staging] [Other]


== #ops, private / the thread of #1 ==

#2 Omid
  | what is this?


== #ops, private ==

Sara presses [Other] below #1

A form opens before Sara: Target
  Your answer: ___
  [Cancel] [Send]

Sara sends the form
  | neither

#3 askd, for Sara alone
  | Noted.

#1 askd, changed
  | *Done*


== Omid, alone with askd ==

#4 Omid, sharing
  | (Sara said) a & b

";
    assert_eq!(app.slack.transcript(), expected);
}
