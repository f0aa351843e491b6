//! What models get wrong and is read all the same, and what is not.

use serde_json::{Value, json};

use crate::{
    client::text,
    world::{World, target},
};

/// The result of asking so, without waiting.
async fn asked(arguments: Value) -> (World, Value) {
    let world = World::new();
    let result = world
        .legacy()
        .with_header("askd-hold", "0")
        .asked(arguments)
        .await;
    (world, result)
}

fn question() -> Value {
    target()["questions"][0].take()
}

#[tokio::test]
async fn what_can_only_mean_one_thing_is_read_as_that_and_the_result_says_so() {
    let mut plain = question();
    plain["options"] = json!(["Staging (Recommended)", "Production"]);
    let mut quoted_options = question();
    quoted_options["options"] = plain["options"].to_string().into();
    let mut quoted_option = question();
    quoted_option["options"][0] = question()["options"][0].to_string().into();
    let cases = [
        (json!({ "questions": [plain] }), "plain strings"),
        (json!({ "questions": question() }), "a single object"),
        (
            json!({ "questions": json!([question()]).to_string() }),
            "JSON in a string",
        ),
        (json!({ "questions": question().to_string() }), "JSON in a string"),
        (
            json!({ "questions": [question().to_string()] }),
            "JSON in a string",
        ),
        (json!({ "questions": [quoted_options] }), "JSON in a string"),
        (json!({ "questions": [quoted_option] }), "JSON in a string"),
        (target().to_string().into(), "JSON in a string"),
    ];
    for (arguments, said) in cases {
        let (world, result) = asked(arguments.clone()).await;

        assert_eq!(result["isError"], false, "{arguments}: {}", text(&result));
        let ask = world.only_ask().await;
        let labels: Vec<&str> = ask.questions.as_slice()[0]
            .choices
            .iter()
            .map(|choice| choice.label.as_str())
            .collect();
        assert_eq!(labels, ["Staging (Recommended)", "Production"], "{arguments}");
        let notes = result["structuredContent"]["notes"].to_string();
        assert!(notes.contains(said), "{arguments}: {notes}");
        assert!(text(&result).contains(said));
    }
}

#[tokio::test]
async fn what_could_mean_several_things_is_a_fault() {
    let cases = [
        (json!({ "questions": "Where to?" }), "/questions", "not_list"),
        (json!({ "questions": "[not json" }), "/questions", "not_list"),
        (json!({ "questions": [7] }), "/questions/0", "not_object"),
        (json!({ "question": "Where to?" }), "/question", "unknown_field"),
        (json!("Where to?"), "", "not_object"),
        (json!([question()]), "", "not_object"),
    ];
    for (arguments, pointer, rule) in cases {
        let (world, refused) = asked(arguments.clone()).await;

        let faults = refused["structuredContent"]["errors"].as_array().unwrap();
        let named = |fault: &Value| fault["pointer"] == pointer && fault["rule"] == rule;
        assert!(faults.iter().any(named), "{arguments}: {faults:?}");
        assert!(world.asks().await.is_empty());
    }
}

#[tokio::test]
async fn what_was_read_is_said_with_the_faults_too() {
    let (_, refused) = asked(json!({ "questions": [{ "options": ["A", "B"] }] })).await;

    assert!(text(&refused).contains("/questions/0/id is required"));
    assert!(text(&refused).contains("plain strings"));
}

#[tokio::test]
async fn a_well_formed_call_is_left_alone() {
    let (_, result) = asked(target()).await;

    let notes = result["structuredContent"]["notes"].to_string();
    assert!(!notes.contains("read as"), "{notes}");
}

#[tokio::test]
async fn the_faults_of_a_wait_are_listed_too() {
    let world = World::new();
    let arguments = json!({ "ticket": "x", "waitSeconds": "long" });

    let refused = world
        .legacy()
        .call("ask_user_wait", arguments)
        .await
        .result()
        .await;

    let rules: Vec<&str> = refused["structuredContent"]["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fault| fault["rule"].as_str().unwrap())
        .collect();
    assert_eq!(rules, ["unknown_field", "missing", "not_integer"]);
}

#[tokio::test]
async fn a_wait_out_of_range_is_clamped_and_the_result_says_so() {
    let (world, pending) = asked(target()).await;
    let id = &pending["structuredContent"]["askId"];

    let arguments = json!({ "askId": id, "waitSeconds": -5 });
    let result = world
        .legacy()
        .call("ask_user_wait", arguments)
        .await
        .result()
        .await;

    assert_eq!(result["structuredContent"]["status"], "pending");
    assert_eq!(
        result["structuredContent"]["notes"][0],
        "waitSeconds was -5; 0 is used."
    );
}
