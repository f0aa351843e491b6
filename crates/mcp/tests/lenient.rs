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
    let client = world.legacy().with_header("askd-hold", "0");
    for (seconds, said) in [
        (json!(-5), Some("waitSeconds was -5; 0 is used.")),
        (json!(51), Some("waitSeconds was 51; 50 is used.")),
        (json!(30.0), None),
        (
            json!(1e300),
            Some("waitSeconds was far out of range; 50 is used."),
        ),
        (
            json!(-1e300),
            Some("waitSeconds was far out of range; 0 is used."),
        ),
    ] {
        let arguments = json!({ "askId": id, "waitSeconds": seconds });
        let result = client.call("ask_user_wait", arguments).await.result().await;

        assert_eq!(result["structuredContent"]["status"], "pending");
        let notes = result["structuredContent"]["notes"].as_array().unwrap();
        let of_the_wait = notes.iter().filter_map(Value::as_str);
        let of_the_wait = of_the_wait.filter(|note| note.starts_with("waitSeconds"));
        assert_eq!(of_the_wait.collect::<Vec<_>>(), Vec::from_iter(said), "{seconds}");
    }
}

#[tokio::test]
async fn a_wait_whose_arguments_are_json_in_a_string_is_read_as_well() {
    let (world, pending) = asked(target()).await;
    let arguments = json!({ "askId": pending["structuredContent"]["askId"], "waitSeconds": 0 });

    let client = world.legacy();
    let result = client
        .call("ask_user_wait", arguments.to_string().into())
        .await
        .result()
        .await;

    assert_eq!(result["structuredContent"]["status"], "pending");
    assert!(text(&result).contains("JSON in a string"), "{}", text(&result));
}

#[tokio::test]
async fn an_option_that_looks_like_json_and_is_no_option_is_a_label() {
    for labels in [["{}", "[]"], [r#"{"a": 1}"#, "null"], [r#"["x"]"#, "7"]] {
        let mut question = question();
        question["options"] = json!(labels);

        let (world, result) = asked(json!({ "questions": [question] })).await;

        assert_eq!(result["isError"], false, "{}", text(&result));
        let ask = world.only_ask().await;
        let choices = &ask.questions.as_slice()[0].choices;
        assert!(
            choices.iter().map(|choice| &choice.label).eq(labels),
            "{choices:?}"
        );
    }
}

#[tokio::test]
async fn a_number_in_quotes_is_refused_in_words_that_name_the_quotes() {
    let mut wrong = target();
    wrong["timeoutSeconds"] = "900".into();
    wrong["questions"][0]["multiSelect"] = "true".into();

    let (_, refused) = asked(wrong).await;

    let told = text(&refused);
    assert!(
        told.contains("/timeoutSeconds must be a whole number of seconds, without quotes"),
        "{told}"
    );
    assert!(told.contains("must be true or false, without quotes"), "{told}");
}

#[tokio::test]
async fn each_note_stands_on_a_line_of_its_own() {
    let mut arguments = target();
    arguments["timeoutSeconds"] = json!(5);

    let (_, result) = asked(arguments).await;

    let notes: Vec<&str> = text(&result)
        .lines()
        .filter_map(|line| line.strip_prefix("Note: "))
        .collect();
    assert_eq!(notes[0], "timeoutSeconds was 5; 30 is used.");
    assert!(notes[1].starts_with("no channel shows this ask"), "{notes:?}");
}
