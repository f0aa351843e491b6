//! The schemas of the tools, as clients get them, and what is held against them.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use crate::world::{World, target};

/// The tools that a client is told of.
pub(crate) async fn tools() -> Vec<Value> {
    let listed = World::new()
        .legacy()
        .request("tools/list", json!({}))
        .await
        .result()
        .await;
    listed["tools"].as_array().unwrap().clone()
}

/// Read once for all tests.
static TOOLS: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let listed = std::thread::spawn(|| {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build();
        runtime.unwrap().block_on(tools())
    });
    listed.join().unwrap()
});

fn tool(name: &str) -> &'static Value {
    TOOLS.iter().find(|tool| tool["name"] == name).unwrap()
}

/// Holds a result against what clients were told of it.
pub(crate) fn hold_result(name: &str, structured: &Value) {
    let wrong = check(&tool(name)["outputSchema"], structured, "");
    assert!(wrong.is_empty(), "{wrong:#?} in {structured:#}");
}

/// JSON Schema, as far as the tools use it. A keyword that is not known here fails, so that nothing is taken for
/// checked that is not.
fn check(schema: &Value, value: &Value, at: &str) -> Vec<String> {
    let schema = schema.as_object().unwrap();
    let mut wrong = Vec::new();
    let length = value.as_str().map(|text| text.chars().count());
    let items = value.as_array();
    let most = |rule: &Value, is: Option<usize>| is.is_some_and(|n| n > limit(rule));
    let least = |rule: &Value, is: Option<usize>| is.is_some_and(|n| n < limit(rule));
    for (keyword, rule) in schema {
        let is_wrong = match keyword.as_str() {
            "type" => {
                let types = rule.as_array().cloned().unwrap_or_else(|| vec![rule.clone()]);
                !types
                    .iter()
                    .any(|wanted| is_type(wanted.as_str().unwrap(), value))
            }
            "enum" => !rule.as_array().unwrap().contains(value),
            "required" => {
                let names = rule.as_array().unwrap().iter();
                names
                    .clone()
                    .any(|name| value.get(name.as_str().unwrap()).is_none())
                    && value.is_object()
            }
            "minItems" => least(rule, items.map(Vec::len)),
            "maxItems" => most(rule, items.map(Vec::len)),
            "minLength" => least(rule, length),
            "maxLength" => most(rule, length),
            "pattern" => {
                assert_eq!(rule, "^[a-z][a-z0-9_]*$", "the one pattern this check knows");
                let is_snake = |text: &str| {
                    text.starts_with(|c: char| c.is_ascii_lowercase())
                        && text
                            .chars()
                            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
                };
                !value.as_str().is_none_or(is_snake)
            }
            "format" => value
                .as_str()
                .is_some_and(|text| text.parse::<jiff::Timestamp>().is_err()),
            "properties" | "additionalProperties" | "items" | "description" | "default" => false,
            unknown => panic!("{at}: the schema uses `{unknown}`, which this check does not know"),
        };
        if is_wrong {
            wrong.push(format!("{at}: {keyword} {rule}"));
        }
    }
    for (name, field) in value.as_object().into_iter().flatten() {
        let declared = schema.get("properties").and_then(|fields| fields.get(name));
        match declared.or_else(|| schema.get("additionalProperties")) {
            Some(Value::Bool(false)) => wrong.push(format!("{at}/{name} is not declared")),
            Some(rule) => wrong.extend(check(rule, field, &format!("{at}/{name}"))),
            None => {}
        }
    }
    for (n, item) in items.into_iter().flatten().enumerate() {
        wrong.extend(check(&schema["items"], item, &format!("{at}/{n}")));
    }
    wrong
}

fn limit(rule: &Value) -> usize {
    usize::try_from(rule.as_u64().unwrap()).unwrap()
}

fn is_type(wanted: &str, value: &Value) -> bool {
    match wanted {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.as_f64().is_some_and(|n| n.fract() == 0.0),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("no such type: {other}"),
    }
}

/// An ask with one thing changed, by JSON pointer.
fn with(pointer: &str, value: Value) -> Value {
    let mut body = target();
    body["questions"][0]["multiSelect"] = false.into();
    body["timeoutSeconds"] = 900.into();
    body["context"] = "Two hosts.".into();
    body["session"] = json!({ "id": "s", "title": "shop" });
    body["run"] = "r".into();
    if pointer.is_empty() {
        return body;
    }
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    match body.pointer_mut(parent).unwrap() {
        Value::Array(items) => items[name.parse::<usize>().unwrap()] = value,
        object => object[name] = value,
    }
    body
}

#[tokio::test]
async fn what_the_schema_refuses_is_refused_and_what_it_allows_is_taken() {
    let long = |n: usize| Value::from("x".repeat(n));
    let option = |n: usize| json!({ "label": format!("option {n}") });
    let options = |n: usize| Value::from((0..n).map(option).collect::<Vec<_>>());
    let question = |n: usize| {
        let mut question = target()["questions"][0].take();
        question["id"] = format!("q{n}").into();
        question
    };
    let questions = |n: usize| Value::from((0..n).map(question).collect::<Vec<_>>());
    let q = |field: &str| format!("/questions/0/{field}");
    let cases: Vec<(String, Value)> = vec![
        (String::new(), Value::Null),
        ("/questions".into(), questions(0)),
        ("/questions".into(), questions(3)),
        ("/questions".into(), questions(4)),
        (q("id"), "Deploy".into()),
        (q("id"), "1st".into()),
        (q("id"), long(64)),
        (q("id"), long(65)),
        (q("header"), "".into()),
        (q("question"), "".into()),
        (q("question"), long(2000)),
        (q("question"), long(2001)),
        (q("options"), options(1)),
        (q("options"), options(4)),
        (q("options"), options(5)),
        (q("options/0/label"), "".into()),
        (q("options/0/label"), long(200)),
        (q("options/0/label"), long(201)),
        (q("options/0/description"), long(1000)),
        (q("options/0/description"), long(1001)),
        (q("options/0/value"), 1.into()),
        (q("multiSelect"), 1.into()),
        (q("surprise"), 1.into()),
        ("/surprise".into(), 1.into()),
        ("/timeoutSeconds".into(), 5.into()),
        ("/timeoutSeconds".into(), json!(900.0)),
        ("/timeoutSeconds".into(), json!(900.5)),
        ("/timeoutSeconds".into(), "900".into()),
        ("/context".into(), long(4000)),
        ("/context".into(), long(4001)),
        ("/session/id".into(), "".into()),
        ("/session/id".into(), long(201)),
        ("/session/title".into(), long(201)),
        ("/session/name".into(), "x".into()),
        ("/run".into(), "".into()),
        ("/run".into(), long(201)),
    ];
    let schema = tool("ask_user")["inputSchema"].clone();
    for (pointer, value) in cases {
        let body = with(&pointer, value.clone());
        let allowed = check(&schema, &body, "").is_empty();
        let world = World::new();
        let client = world.legacy().with_header("askd-hold", "0");

        let result = client.asked(body).await;

        let taken = result["isError"] == false;
        assert_eq!(taken, allowed, "{pointer} = {value:.80}: {result:#}");
    }
}

#[tokio::test]
async fn the_schemas_are_plain_objects_that_every_client_can_read() {
    for tool in tools().await {
        for schema in [&tool["inputSchema"], &tool["outputSchema"]] {
            assert_eq!(schema["type"], "object");
            assert_eq!(schema["additionalProperties"], false);
            for word in ["oneOf", "anyOf", "allOf", "$ref", "null"] {
                assert!(!schema.to_string().contains(word), "{word}");
            }
        }
    }
}

#[test]
fn a_result_that_the_schema_does_not_know_is_noticed() {
    let schema = tool("ask_user")["outputSchema"].clone();
    let wrong = |value: Value| !check(&schema, &value, "").is_empty();

    assert!(!wrong(
        json!({ "status": "pending", "askId": "1", "message": "m" })
    ));
    assert!(wrong(json!({ "status": "bored" })));
    assert!(wrong(json!({ "askId": "1" })));
    assert!(wrong(json!({ "status": "pending", "surprise": 1 })));
    assert!(wrong(Value::Object(Map::new())));
}
