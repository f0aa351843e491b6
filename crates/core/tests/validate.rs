//! Every sentence of SPEC 1 on what a request may hold, from JSON to a draft or its faults.

mod fields;
mod texts;

use askd_core::ask::{
    Draft,
    validate::{Fault, Faults, Rules, validate},
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn request() -> Value {
    json!({ "questions": [question("target")] })
}

fn question(id: &str) -> Value {
    json!({
        "id": id,
        "header": "Target",
        "question": "Where should this go?",
        "options": [
            { "label": "Staging (Recommended)", "description": "Safe; resets nightly" },
            { "label": "Production" },
        ],
    })
}

/// The request with the value at `pointer` replaced, or added to its parent.
fn with(pointer: &str, value: Value) -> Value {
    let mut request = request();
    let (parent, name) = pointer.rsplit_once('/').expect("a pointer to a field");
    let parent = request.pointer_mut(parent).expect("a parent in the request");
    match parent {
        Value::Array(items) => {
            let n: usize = name.parse().expect("an index");
            items.resize(items.len().max(n + 1), Value::Null);
            items[n] = value;
        }
        parent => parent[name] = value,
    }
    request
}

fn check(request: &Value) -> Result<Draft, Faults> {
    validate(request, &Rules::default())
}

fn draft(request: &Value) -> Draft {
    check(request).unwrap_or_else(|faults| panic!("{request}: {:?}", faults.iter().collect::<Vec<_>>()))
}

/// `pointer rule limit`, one for each fault.
fn faults(request: &Value) -> Vec<String> {
    let Err(faults) = check(request) else {
        return Vec::new();
    };
    let line = |fault: &Fault| {
        let limit = fault.limit.map(|limit| format!(" {limit}")).unwrap_or_default();
        format!("{} {}{limit}", fault.pointer, fault.rule)
    };
    faults.iter().map(line).collect()
}

#[track_caller]
fn each_is_refused(cases: Vec<(&str, Value, &str)>) {
    let wrong: Vec<String> = cases
        .into_iter()
        .map(|(pointer, value, expected)| (faults(&with(pointer, value.clone())), pointer, value, expected))
        .filter(|(found, _, _, expected)| *found != [*expected])
        .map(|(found, pointer, value, expected)| {
            format!("{pointer} {value}\n  expected {expected}\n  found {found:?}")
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[track_caller]
fn each_is_taken(cases: Vec<(&str, Value)>) {
    for (pointer, value) in cases {
        assert_eq!(
            faults(&with(pointer, value.clone())),
            [""; 0],
            "{pointer} {value}"
        );
    }
}

#[test]
fn a_whole_request_becomes_a_draft() {
    let mut full = with("/timeoutSeconds", json!(120));
    full["context"] = json!("Two **failed** builds.\r\n\tSee above. ");
    full["session"] = json!({ "id": "s-1", "title": " Shop " });
    full["run"] = json!("run-7");
    full["questions"][0]["multiSelect"] = json!(true);

    let draft = draft(&full);

    let question = &draft.questions.as_slice()[0];
    assert_eq!(question.id.as_str(), "target");
    assert_eq!(question.header.as_str(), "Target");
    assert_eq!(question.text, "Where should this go?");
    assert_eq!(question.choices[0].label, "Staging (Recommended)");
    assert_eq!(
        question.choices[0].description.as_deref(),
        Some("Safe; resets nightly")
    );
    assert_eq!(question.choices[1].description, None);
    assert!(question.multi_select);
    assert_eq!(draft.timeout_seconds, 120);
    assert_eq!(
        draft.context.as_deref(),
        Some("Two **failed** builds.\n See above.")
    );
    let session = draft.session.expect("a session was sent");
    assert_eq!(
        (session.id.as_str(), session.title.as_deref()),
        ("s-1", Some("Shop"))
    );
    assert_eq!(draft.run.expect("a run was sent").as_str(), "run-7");
    assert_eq!(draft.warnings, []);
}

#[test]
fn what_is_optional_has_a_default() {
    let draft = draft(&request());

    assert!(!draft.questions.as_slice()[0].multi_select);
    assert_eq!(draft.timeout_seconds, 900);
    assert_eq!((draft.context, draft.session, draft.run), (None, None, None));
}

#[test]
fn all_faults_are_reported_at_once() {
    let request = json!({
        "questions": [
            { "id": "Target", "header": " ", "question": 7, "options": [{ "label": "Other" }], "multiselect": true },
            { "id": "target", "header": "x", "question": "?", "options": [
                { "label": "A", "descripton": "typo" }, { "label": "" }, { "label": "a." }, "B", {}
            ]},
            { "id": "target", "header": "x", "question": "?", "options": "none" },
            { "header": "y", "question": "?", "options": [{ "label": "A" }, { "label": "B" }] },
        ],
        "timeoutSeconds": "soon",
        "session": { "title": "t" },
        "extra/~field": 1,
    });

    assert_eq!(
        faults(&request),
        [
            "/extra~1~0field unknown_field",
            "/questions too_many 3",
            "/questions/0/multiselect unknown_field",
            "/questions/0/id not_snake_case",
            "/questions/0/header blank",
            "/questions/0/question not_text",
            "/questions/0/options too_few 2",
            "/questions/0/options/0/label reserved_label",
            "/questions/1/options too_many 4",
            "/questions/1/options/0/descripton unknown_field",
            "/questions/1/options/1/label blank",
            "/questions/1/options/3 not_object",
            "/questions/1/options/4/label missing",
            "/questions/1/options/2/label same_label",
            "/questions/2/options not_list",
            "/questions/3/id missing",
            "/questions/2/id duplicate",
            "/timeoutSeconds not_integer",
            "/session/id missing",
        ]
    );
}

#[test]
fn a_fault_tells_what_was_received_cut_to_80_characters() {
    let received = |pointer, value| {
        let faults = check(&with(pointer, value)).expect_err("a fault");
        faults.iter().next().expect("at least one").received.clone()
    };

    assert_eq!(received("/questions/0/id", json!("Ä")), "Ä");
    assert_eq!(
        received("/questions/0/question", json!("é".repeat(2001))),
        "é".repeat(80)
    );
    assert_eq!(
        received("/questions/0/multiSelect", json!({ "a": [1, null] })),
        r#"{"a":[1,null]}"#
    );
    assert_eq!(received("/questions/0/multiSelect", json!("yes")), "yes");
    assert_eq!(
        received("/timeoutSeconds", json!(["é".repeat(500)]))
            .chars()
            .count(),
        80
    );
    assert_eq!(received("/questions/0/options", json!([])), "0");
    let mut missing = request();
    missing["questions"][0]
        .as_object_mut()
        .expect("an object")
        .remove("header");
    assert_eq!(
        check(&missing)
            .expect_err("a fault")
            .iter()
            .next()
            .expect("one")
            .received,
        ""
    );
}

#[test]
fn the_error_itself_holds_nothing_received() {
    let mut request = with("/questions/0/options/0/label", json!("my secret\u{7}"));
    request["secret_field"] = json!("secret value");

    let error = check(&request).expect_err("two faults");

    assert_eq!(
        error.to_string(),
        "the ask is not valid: unknown_field, control_character"
    );
    assert!(error.iter().all(|fault| !fault.message.contains("secret")));
}

#[test]
fn a_hostile_request_gets_a_short_report() {
    let fields: serde_json::Map<String, Value> = (0..10_000).map(|n| (format!("f{n}"), json!(1))).collect();
    let questions = json!({ "questions": vec![json!({ "x".repeat(10_000): "y".repeat(10_000) }); 10_000] });

    for request in [Value::Object(fields), questions] {
        let faults = check(&request).expect_err("faults");

        assert_eq!(faults.iter().count(), Faults::MAX);
        let longest = faults
            .iter()
            .map(|fault| fault.pointer.len() + fault.received.len())
            .max();
        assert!(longest < Some(400), "{longest:?}");
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let name = prop_oneof![
        Just("questions"),
        Just("id"),
        Just("header"),
        Just("question"),
        Just("options"),
        Just("label"),
        Just("description"),
        Just("multiSelect"),
        Just("timeoutSeconds"),
        Just("session"),
        Just("x"),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 60, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((name.clone(), inner), 0..6).prop_map(|fields| fields
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect()),
        ]
    })
}

proptest! {
    #[test]
    fn any_json_is_taken_or_refused_with_at_least_one_fault(json in any_json()) {
        if let Err(faults) = check(&json) {
            prop_assert!(faults.iter().count() > 0);
            for fault in &faults {
                prop_assert!(fault.received.chars().count() <= Fault::RECEIVED);
            }
        }
    }

    #[test]
    fn any_labels_are_taken_only_if_they_can_be_told_apart(labels in prop::collection::vec("\\PC{0,12}", 2..5)) {
        let options: Vec<Value> = labels.iter().map(|label| json!({ "label": label })).collect();
        if let Ok(draft) = check(&with("/questions/0/options", json!(options))) {
            let question = &draft.questions.as_slice()[0];
            for (n, choice) in question.choices.iter().enumerate() {
                prop_assert!(!choice.label.trim().is_empty());
                prop_assert!(question.choices[..n].iter().all(|other| other.label != choice.label));
            }
        }
    }
}
