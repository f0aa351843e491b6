//! Types, fields, counts, ids and the time-out.

use askd_core::ask::{
    Warning,
    validate::{Rules, validate},
};
use serde_json::json;

use super::{draft, each_is_refused, each_is_taken, faults, question, with};

#[test]
fn a_wrong_type_is_an_error_everywhere() {
    for not_object in [json!(null), json!([]), json!("x"), json!(1), json!(true)] {
        assert_eq!(faults(&not_object), [" not_object"], "{not_object}");
    }
    each_is_refused(vec![
        ("/questions", json!({}), "/questions not_list"),
        ("/questions", json!(null), "/questions not_list"),
        ("/questions/0", json!("x"), "/questions/0 not_object"),
        ("/questions/0/id", json!(1), "/questions/0/id not_text"),
        ("/questions/0/header", json!(null), "/questions/0/header not_text"),
        (
            "/questions/0/question",
            json!(["x"]),
            "/questions/0/question not_text",
        ),
        (
            "/questions/0/options",
            json!("x"),
            "/questions/0/options not_list",
        ),
        (
            "/questions/0/options/0",
            json!("Staging"),
            "/questions/0/options/0 not_object",
        ),
        (
            "/questions/0/options/0/label",
            json!(3),
            "/questions/0/options/0/label not_text",
        ),
        (
            "/questions/0/options/0/description",
            json!(false),
            "/questions/0/options/0/description not_text",
        ),
        (
            "/questions/0/multiSelect",
            json!("true"),
            "/questions/0/multiSelect not_boolean",
        ),
        (
            "/questions/0/multiSelect",
            json!(1),
            "/questions/0/multiSelect not_boolean",
        ),
        ("/context", json!({}), "/context not_text"),
        ("/session", json!("s"), "/session not_object"),
        ("/session", json!(null), "/session not_object"),
        ("/session", json!({ "id": 1 }), "/session/id not_text"),
        ("/run", json!(7), "/run not_text"),
    ]);
}

#[test]
fn an_unknown_field_is_an_error_everywhere() {
    each_is_refused(vec![
        ("/timeout", json!(5), "/timeout unknown_field"),
        (
            "/questions/0/multi_select",
            json!(true),
            "/questions/0/multi_select unknown_field",
        ),
        (
            "/questions/0/options/1/value",
            json!("x"),
            "/questions/0/options/1/value unknown_field",
        ),
        (
            "/session",
            json!({ "id": "s", "name": "x" }),
            "/session/name unknown_field",
        ),
        ("/a~b", json!(1), "/a~0b unknown_field"),
    ]);
}

#[test]
fn counts_and_lengths_have_limits() {
    let x = |n: usize| json!("ک".repeat(n));
    let option = |n: usize| json!({ "label": format!("L{n}") });
    let options = |n: usize| json!((0..n).map(option).collect::<Vec<_>>());
    let questions = |n: usize| json!((0..n).map(|n| question(&format!("q{n}"))).collect::<Vec<_>>());

    each_is_refused(vec![
        ("/questions", questions(0), "/questions too_few 1"),
        ("/questions", questions(4), "/questions too_many 3"),
        (
            "/questions/0/options",
            options(0),
            "/questions/0/options too_few 2",
        ),
        (
            "/questions/0/options",
            options(1),
            "/questions/0/options too_few 2",
        ),
        (
            "/questions/0/options",
            options(5),
            "/questions/0/options too_many 4",
        ),
        (
            "/questions/0/id",
            json!("a".repeat(65)),
            "/questions/0/id too_long 64",
        ),
        (
            "/questions/0/question",
            x(2001),
            "/questions/0/question too_long 2000",
        ),
        (
            "/questions/0/options/0/label",
            x(201),
            "/questions/0/options/0/label too_long 200",
        ),
        (
            "/questions/0/options/0/description",
            x(1001),
            "/questions/0/options/0/description too_long 1000",
        ),
        ("/context", x(4001), "/context too_long 4000"),
        ("/session", json!({ "id": x(201) }), "/session/id too_long 200"),
        (
            "/session",
            json!({ "id": "s", "title": x(201) }),
            "/session/title too_long 200",
        ),
        ("/run", x(201), "/run too_long 200"),
    ]);
    each_is_taken(vec![
        ("/questions", questions(1)),
        ("/questions", questions(3)),
        ("/questions/0/options", options(2)),
        ("/questions/0/options", options(4)),
        ("/questions/0/id", json!("a".repeat(64))),
        ("/questions/0/question", x(2000)),
        ("/questions/0/options/0/label", x(200)),
        ("/questions/0/options/0/description", x(1000)),
        ("/context", x(4000)),
        ("/session", json!({ "id": x(200), "title": x(200) })),
        ("/run", x(200)),
    ]);
    assert!(faults(&json!({})).contains(&"/questions missing".to_owned()));
}

#[test]
fn one_entrance_may_take_a_fourth_question_and_none_a_fifth() {
    let ask_of = |ids: &[&str]| json!({ "questions": ids.iter().map(|id| question(id)).collect::<Vec<_>>() });
    let (four, five) = (ask_of(&["a", "b", "c", "d"]), ask_of(&["a", "b", "c", "d", "e"]));

    assert!(validate(&four, &Rules { max_questions: 4 }).is_ok());
    assert!(validate(&five, &Rules { max_questions: 9 }).is_err());
}

#[test]
fn an_id_is_snake_case_and_unique() {
    for id in ["Target", "1st", "_x", "a-b", "a b", "ä", "a.b", "A"] {
        assert_eq!(
            faults(&with("/questions/0/id", json!(id))),
            ["/questions/0/id not_snake_case"],
            "{id:?}"
        );
    }
    each_is_taken(vec![
        ("/questions/0/id", json!("a")),
        ("/questions/0/id", json!(" q_2__x9 ")),
    ]);
    each_is_refused(vec![(
        "/questions/1",
        question(" target "),
        "/questions/1/id duplicate",
    )]);
}

#[test]
fn a_timeout_out_of_range_is_clamped_and_the_result_says_so() {
    for (received, used, noted) in [
        (json!(30), 30, None),
        (json!(3600), 3600, None),
        (json!(900.0), 900, None),
        (json!(9e2), 900, None),
        (json!(29), 30, Some(29)),
        (json!(0), 30, Some(0)),
        (json!(-0.0), 30, Some(0)),
        (json!(-5), 30, Some(-5)),
        (json!(3601), 3600, Some(3601)),
        (json!(u64::MAX), 3600, Some(i64::MAX)),
        (json!(1e300), 3600, Some(i64::MAX)),
        (json!(-1e300), 30, Some(i64::MIN)),
    ] {
        let draft = draft(&with("/timeoutSeconds", received.clone()));

        let warnings: Vec<Warning> = noted
            .into_iter()
            .map(|received| Warning::TimeoutClamped { received, used })
            .collect();
        assert_eq!(
            (draft.timeout_seconds, draft.warnings),
            (used, warnings),
            "{received}"
        );
    }
}

#[test]
fn a_timeout_that_no_integer_holds_is_told_without_a_number_that_nobody_sent() {
    for (received, told) in [
        (json!(1e300), "timeoutSeconds was far out of range; 3600 is used"),
        (json!(-1e300), "timeoutSeconds was far out of range; 30 is used"),
        (json!(3601), "timeoutSeconds was 3601; 3600 is used"),
    ] {
        let draft = draft(&with("/timeoutSeconds", received));

        assert_eq!(draft.warnings[0].message(), told);
    }
}

#[test]
fn a_timeout_that_is_no_integer_is_an_error() {
    for wrong in [
        json!(1.5),
        json!("900"),
        json!(null),
        json!(true),
        json!([900]),
        json!(899.999_999),
    ] {
        each_is_refused(vec![("/timeoutSeconds", wrong, "/timeoutSeconds not_integer")]);
    }
}
