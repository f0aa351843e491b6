//! The limits of blocks: one excess refuses the whole message, and says where.

use serde_json::{Value, json};

use super::app::{App, buttons, section, with};

/// Posts these blocks, and gives what is wrong with them.
async fn faults(app: &App, blocks: Value) -> Vec<String> {
    let sara = app.sara();
    let answer = app
        .try_call(
            "chat.postMessage",
            json!({"channel": sara.id(), "text": "x", "blocks": blocks}),
        )
        .await
        .expect("an answer");
    if answer["ok"] == true {
        return Vec::new();
    }
    assert_eq!(answer["error"], "invalid_blocks", "{answer}");
    let messages = answer["response_metadata"]["messages"]
        .as_array()
        .expect("messages");
    messages
        .iter()
        .map(|message| message.as_str().expect("a text").to_owned())
        .collect()
}

/// An actions block of one button with something more.
fn button_with(more: &Value) -> Value {
    let button = json!({"type": "button", "text": {"type": "plain_text", "text": "A"}, "action_id": "a"});
    json!([{"type": "actions", "elements": [with(button, more)]}])
}

/// Makes blocks of which something is so long.
type Make<'a> = &'a dyn Fn(usize) -> Value;

#[tokio::test]
async fn each_limit_holds_to_the_character_and_its_fault_points_to_the_place() {
    let app = App::start().await;
    let text = |text: String| json!({"type": "plain_text", "text": text});
    let label = |n: usize| button_with(&json!({"text": {"type": "plain_text", "text": "x".repeat(n)}}));
    let value = |n: usize| button_with(&json!({"value": "x".repeat(n)}));
    let action = |n: usize| button_with(&json!({"action_id": "x".repeat(n)}));
    let block = |n: usize| json!([{"type": "divider", "block_id": "x".repeat(n)}]);
    let header = |n: usize| json!([{"type": "header", "text": text("x".repeat(n))}]);
    let paragraph = |n: usize| json!([section(&"x".repeat(n))]);
    let field = |n: usize| json!([{"type": "section", "fields": [text("x".repeat(n))]}]);

    let limits: [(Make<'_>, usize, &str); 7] = [
        (&label, 75, "/blocks/0/elements/0/text/text"),
        (&value, 2000, "/blocks/0/elements/0/value"),
        (&action, 255, "/blocks/0/elements/0/action_id"),
        (&block, 255, "/blocks/0/block_id"),
        (&header, 150, "/blocks/0/text/text"),
        (&paragraph, 3000, "/blocks/0/text/text"),
        (&field, 2000, "/blocks/0/fields/0/text"),
    ];
    for (make, limit, at) in limits {
        assert_eq!(faults(&app, make(limit)).await, [""; 0], "{at}");
        let fault = format!(
            "[ERROR] must be less than {} characters [json-pointer:{at}]",
            limit + 1
        );
        assert_eq!(faults(&app, make(limit + 1)).await, [fault]);
    }
}

#[tokio::test]
async fn what_has_to_be_escaped_counts_as_it_is_kept() {
    let app = App::start().await;
    let label = |text: String| button_with(&json!({"text": {"type": "plain_text", "text": text}}));

    assert_eq!(faults(&app, label("&".repeat(15))).await, [""; 0]);
    assert_eq!(faults(&app, label("&".repeat(16))).await.len(), 1);
    assert_eq!(
        faults(&app, label("\u{1f44d}".repeat(75))).await,
        [""; 0],
        "not UTF-16"
    );
    assert_eq!(
        faults(&app, json!([section(&"&amp;".repeat(601))])).await.len(),
        1
    );
}

#[tokio::test]
async fn there_is_a_most_of_everything() {
    let app = App::start().await;
    let many = |n: usize, of: Value| Value::from(vec![of; n]);
    let labels: Vec<String> = (0..26).map(|n| n.to_string()).collect();
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let context =
        |n: usize| json!([{"type": "context", "elements": many(n, json!({"type": "mrkdwn", "text": "x"}))}]);

    assert_eq!(faults(&app, many(50, json!({"type": "divider"}))).await, [""; 0]);
    assert_eq!(
        faults(&app, many(51, json!({"type": "divider"}))).await,
        ["[ERROR] no more than 50 items allowed [json-pointer:/blocks]"]
    );
    assert_eq!(faults(&app, json!([buttons(&labels[..25])])).await, [""; 0]);
    assert_eq!(
        faults(&app, json!([buttons(&labels)])).await,
        ["[ERROR] no more than 25 items allowed [json-pointer:/blocks/0/elements]"]
    );
    assert_eq!(faults(&app, context(10)).await, [""; 0]);
    assert_eq!(faults(&app, context(11)).await.len(), 1);
}

#[tokio::test]
async fn all_texts_together_have_a_limit_of_their_own() {
    let app = App::start().await;
    let sara = app.sara();
    let of = |last: usize| {
        let mut blocks = vec![section(&"x".repeat(3000)); 4];
        blocks.push(section(&"x".repeat(last)));
        json!({"channel": sara.id(), "text": "x", "blocks": blocks})
    };

    app.call("chat.postMessage", of(1200)).await;
    assert_eq!(
        app.error("chat.postMessage", of(1201)).await,
        "msg_blocks_too_long"
    );
}

#[tokio::test]
async fn ids_are_unique_where_they_have_to_be() {
    let app = App::start().await;
    let twice = json!([{"type": "divider", "block_id": "b"}, {"type": "divider", "block_id": "b"}]);

    assert_eq!(
        faults(&app, twice).await,
        ["[ERROR] block_id \"b\" already exists [json-pointer:/blocks/1/block_id]"]
    );
    assert_eq!(
        faults(&app, json!([buttons(&["A", "A"])])).await,
        ["[ERROR] action_id \"press-A\" already exists [json-pointer:/blocks/0/elements/1/action_id]"]
    );
}

#[tokio::test]
async fn what_is_missing_empty_or_unknown_is_a_fault() {
    let app = App::start().await;
    let with_text = |text: Value| json!([{"type": "section", "text": text}]);
    for (blocks, fault) in [
        (
            json!([{"type": "section"}]),
            "must define either `text` or `fields` [json-pointer:/blocks/0]",
        ),
        (
            with_text(json!({"type": "mrkdwn", "text": ""})),
            "must be more than 0 characters [json-pointer:/blocks/0/text/text]",
        ),
        (
            with_text(json!({"type": "mrkdwn"})),
            "missing required field: text [json-pointer:/blocks/0/text]",
        ),
        (
            with_text(json!("x")),
            "must be an object [json-pointer:/blocks/0/text]",
        ),
        (
            json!([{"type": "header", "text": {"type": "mrkdwn", "text": "x"}}]),
            "failed to match all allowed schemas [json-pointer:/blocks/0/text]",
        ),
        (
            with_text(json!({"type": "mrkdwn", "text": "x", "emoji": true})),
            "invalid additional property: emoji [json-pointer:/blocks/0/text]",
        ),
        (
            json!([{"type": "divider", "x": 1}]),
            "invalid additional property: x [json-pointer:/blocks/0]",
        ),
        (
            json!([{}]),
            "missing required field: type [json-pointer:/blocks/0]",
        ),
        (
            json!([{"type": "actions", "elements": []}]),
            "must have more than 0 items [json-pointer:/blocks/0/elements]",
        ),
        (
            button_with(&json!({"style": "loud"})),
            "value not allowed [json-pointer:/blocks/0/elements/0/style]",
        ),
        (
            button_with(&json!({"value": null})),
            "must be a string [json-pointer:/blocks/0/elements/0/value]",
        ),
        (
            json!([{"type": "input", "label": {"type": "plain_text", "text": "x"}}]),
            "not modelled: a block of type input [json-pointer:/blocks/0]",
        ),
    ] {
        let found = faults(&app, blocks.clone()).await;
        assert!(found.contains(&format!("[ERROR] {fault}")), "{blocks}: {found:?}");
    }
}

#[tokio::test]
async fn what_is_no_list_of_blocks_is_refused_as_that() {
    let app = App::start().await;
    let sara = app.sara();
    for blocks in [json!({"type": "divider"}), json!("[{"), json!(7)] {
        let post = json!({"channel": sara.id(), "text": "x", "blocks": blocks});
        assert_eq!(
            app.error("chat.postMessage", post).await,
            "invalid_blocks_format",
            "{blocks}"
        );
    }
}

#[tokio::test]
async fn a_fault_of_blocks_is_also_noted() {
    let app = App::start().await;

    faults(&app, json!([buttons(&[&"x".repeat(76)])])).await;

    assert_eq!(
        app.slack.violations(),
        [
            "chat.postMessage: invalid_blocks: must be less than 76 characters [json-pointer:/blocks/0/elements/0/text/text]"
        ]
    );
}

#[tokio::test]
async fn blocks_are_read_from_the_top() {
    let app = App::start().await;
    let sara = app.sara();
    let text = |text: &str| json!({"type": "plain_text", "text": text});
    let list = json!({"type": "rich_text_list", "style": "ordered", "elements": [
        {"type": "rich_text_section", "elements": [{"type": "text", "text": "one", "style": {"bold": true}}]},
        {"type": "rich_text_section", "elements": [{"type": "link", "url": "https://example.org", "text": "two"}]},
    ]});
    let blocks = json!([
        {"type": "header", "text": text("Where?")},
        {"type": "section", "text": text("*as it is* &lt;"), "fields": [text("f")],
         "accessory": {"type": "button", "text": text("Open"), "url": "https://example.org"}},
        {"type": "divider"},
        {"type": "context", "elements": [{"type": "mrkdwn", "text": "_small_"}, text("print")]},
        {"type": "rich_text", "elements": [list]},
        buttons(&["A", "B"]),
    ]);

    app.posts_with(json!({"channel": sara.id(), "text": "fallback", "blocks": blocks}))
        .await;

    let seen = sara.sees_last(&sara.direct()).unwrap();
    assert_eq!(seen.text, "Where?\n*as it is* <\nf\nsmall  print\n1. one\n2. two");
    assert_eq!(seen.labels(), ["Open", "A", "B"]);
    assert_eq!(app.slack.violations(), [""; 0]);
    let transcript = app.slack.transcript();
    for line in [
        "  | *Where?*",
        "  | _small_  print",
        "  | 1. *one*",
        "  | 2. [two](https://example.org)",
        "  [A] [B]",
    ] {
        assert!(transcript.contains(line), "{line}\n{transcript}");
    }
}
