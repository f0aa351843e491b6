//! The context of an ask as a tree.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::world::{AGENT, OMID, SARA, World, one_question};

async fn asked_with(world: &World, context: Option<&str>) -> String {
    let mut body = one_question();
    if let Some(context) = context {
        body["context"] = json!(context);
    }
    let answer = world.post("/v1/asks").token(AGENT).json(&body).send().await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.body);
    answer.text("/id")
}

/// What sara's panel gets for this Markdown.
async fn tree(markdown: &str) -> Value {
    let world = World::new();
    let id = asked_with(&world, Some(markdown)).await;
    let cookie = world.signed_in(Some("sara")).await;
    let answer = world
        .get(&format!("/v1/asks/{id}/context"))
        .panel(&cookie)
        .send()
        .await;
    assert_eq!(answer.status, StatusCode::OK, "{markdown:?}: {}", answer.body);
    answer.body
}

fn text(text: &str) -> Value {
    json!({ "t": "text", "text": text })
}

#[tokio::test]
async fn markdown_becomes_a_tree_of_known_nodes() {
    let markdown = "# Plan\n\nWe **must** *not* ~~wait~~ `now`.\n\n* one\n* two\n\n3. three\n\n> said\n\n```sh\nls -l\n```\n\n---\n";

    assert_eq!(
        tree(markdown).await,
        json!([
            { "t": "h", "level": 1, "c": [text("Plan")] },
            { "t": "p", "c": [
                text("We "),
                { "t": "strong", "c": [text("must")] },
                text(" "),
                { "t": "em", "c": [text("not")] },
                text(" "),
                { "t": "del", "c": [text("wait")] },
                text(" "),
                { "t": "code", "text": "now" },
                text("."),
            ] },
            { "t": "ul", "c": [{ "t": "li", "c": [text("one")] }, { "t": "li", "c": [text("two")] }] },
            { "t": "ol", "start": 3, "c": [{ "t": "li", "c": [text("three")] }] },
            { "t": "quote", "c": [{ "t": "p", "c": [text("said")] }] },
            { "t": "pre", "text": "ls -l\n" },
            { "t": "hr" },
        ])
    );
}

#[tokio::test]
async fn tables_have_a_head_and_rows() {
    let cell = |t: &str, what: &str| json!({ "t": t, "c": [text(what)] });

    assert_eq!(
        tree("| a | b |\n|---|---|\n| 1 | 2 |\n").await,
        json!([{ "t": "table", "c": [
            { "t": "tr", "c": [cell("th", "a"), cell("th", "b")] },
            { "t": "tr", "c": [cell("td", "1"), cell("td", "2")] },
        ] }])
    );
}

#[tokio::test]
async fn lines_stay_lines() {
    assert_eq!(
        tree("one\ntwo  \nthree").await,
        json!([{ "t": "p", "c": [text("one"), { "t": "br" }, text("two"), { "t": "br" }, text("three")] }])
    );
}

#[tokio::test]
async fn html_is_the_text_it_is() {
    assert_eq!(
        tree("<script>alert(1)</script>\n").await,
        json!([{ "t": "p", "c": [text("<script>alert(1)</script>")] }])
    );
    assert_eq!(
        tree("a <b onclick=x>bold</b>").await,
        json!([{ "t": "p", "c": [text("a <b onclick=x>bold</b>")] }])
    );
    assert_eq!(
        tree("&lt;img src=x&gt; &amp;").await,
        json!([{ "t": "p", "c": [text("<img src=x> &")] }])
    );
}

#[tokio::test]
async fn an_image_is_its_alternative_text_and_is_fetched_from_nowhere() {
    assert_eq!(
        tree("see ![the *chart*](https://tracker.example/x.png \"t\")").await,
        json!([{ "t": "p", "c": [text("see the "), { "t": "em", "c": [text("chart")] }] }])
    );
}

#[tokio::test]
async fn links_lead_to_pages_and_mail_and_nowhere_else() {
    for address in [
        "https://example.org/a?b=c#d",
        "HTTP://example.org",
        "mailto:a@example.org",
    ] {
        assert_eq!(
            tree(&format!("[here]({address})")).await,
            json!([{ "t": "p", "c": [{ "t": "a", "href": address, "c": [text("here")] }] }]),
            "{address}"
        );
    }
    assert_eq!(
        tree("<https://example.org>").await,
        json!([{ "t": "p", "c": [{ "t": "a", "href": "https://example.org", "c": [text("https://example.org")] }] }])
    );
    for address in [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java&#10;script:alert(1)",
        "&#1;javascript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "vbscript:x",
        "file:///etc/passwd",
        "blob:https://example.org/1",
        "//evil.example",
        "/v1/sign-out",
        "../x",
        "#x",
        "https:evil.example",
        "http:/evil.example",
        "https://",
        "mailto:",
        "",
        "<ht tps://x>",
        "<https://a b>",
    ] {
        let found = tree(&format!("[here]({address})")).await.to_string();
        assert!(!found.contains("href"), "{address}: {found}");
        assert!(found.contains("here"), "{address}: {found}");
    }
}

#[tokio::test]
async fn no_text_is_too_strange_and_none_makes_a_deep_or_a_long_tree() {
    let strange = [
        "> ".repeat(2000),
        "* ".repeat(2000),
        "*".repeat(4000),
        "[".repeat(4000),
        "![".repeat(2000),
        "<a ".repeat(1333),
        "`".repeat(3999) + "x",
        "*a **a ".repeat(571),
        "|a".repeat(2000),
        "|a|\n|-|\n".to_owned() + &"|\n".repeat(1990),
        "- a\n".repeat(1000),
        (0..60).map(|n| " ".repeat(2 * n) + "- a\n").collect(),
        "> 1. ".repeat(799) + "deep",
        "\u{202e}\u{2066}x\u{200b}".repeat(800),
        "&#0;&#xD800;&#x110000;&nbsp;".to_owned(),
        "[a]: x\n[a][a]".repeat(250),
        "\\".repeat(4000),
    ];
    for markdown in strange {
        let tree = tree(&markdown).await;

        assert!(depth(&tree) <= 2 * 24 + 4, "{} {markdown:.40}", depth(&tree));
        assert!(tree.to_string().len() < 400_000, "{markdown:.40}");
    }
    assert!(
        tree(&("> 1. ".repeat(799) + "deep"))
            .await
            .to_string()
            .contains("deep"),
        "what is too deep is text of what is not"
    );
}

/// How deep a value is nested, lists counted.
fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

#[tokio::test]
async fn an_ask_without_context_has_an_empty_tree() {
    let world = World::new();
    let id = asked_with(&world, None).await;

    let answer = world
        .get(&format!("/v1/asks/{id}/context"))
        .token(SARA)
        .send()
        .await;

    assert_eq!(answer.body, json!([]));
}

#[tokio::test]
async fn who_may_not_see_the_ask_does_not_see_its_context() {
    let world = World::new();
    let id = asked_with(&world, Some("secret plan")).await;

    let answer = world
        .get(&format!("/v1/asks/{id}/context"))
        .token(OMID)
        .send()
        .await;

    assert_eq!(
        (answer.status, answer.problem()),
        (StatusCode::NOT_FOUND, "no-ask")
    );
}
