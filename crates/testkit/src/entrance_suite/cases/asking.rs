//! What is taken over, and what is not.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::{question, target};
use crate::entrance_suite::{Caller, Case, Desk, Refusal, id, sentences};

pub(super) fn cases() -> Vec<Case> {
    sentences! {
        [] all_faults_are_reported_at_once_each_with_where_it_is;
        [] a_fourth_question_is_refused;
        [] an_option_called_other_is_refused;
        [] a_timeout_out_of_range_is_clamped_and_the_ask_says_so;
        [] an_ask_that_only_a_panel_shows_says_so;
        [Keys] a_repeat_under_a_key_returns_the_first_ask;
        [Keys] a_key_with_another_body_is_refused;
        [Keys] a_key_belongs_to_its_token;
        [Cancel] beyond_five_pending_asks_the_next_is_refused_until_one_is_over;
        [] a_sub_agent_may_not_ask_and_is_told_why;
        [] a_person_may_not_ask;
        [] an_ask_that_no_route_takes_is_undelivered_at_once;
    }
}

async fn all_faults_are_reported_at_once_each_with_where_it_is(desk: &Desk) {
    let body = json!({
        "questions": [
            { "id": "Bad Id", "header": "H", "question": " ", "options": [{ "label": "Same" }, { "label": "same" }] },
            { "id": "q", "header": "H", "question": "Why?", "options": [{ "label": "Only" }], "colour": "red" },
        ],
        "timeoutSeconds": "soon",
    });

    let refused = desk.entrance.ask(Caller::Agent, &body, None).await;

    let Err(Refusal::Invalid(mut faults)) = refused else {
        panic!("{refused:?}")
    };
    faults.sort();
    let fault = |pointer: &str, rule: &str| (pointer.to_owned(), rule.to_owned());
    assert_eq!(
        faults,
        [
            fault("/questions/0/id", "not_snake_case"),
            fault("/questions/0/options/1/label", "same_label"),
            fault("/questions/0/question", "blank"),
            fault("/questions/1/colour", "unknown_field"),
            fault("/questions/1/options", "too_few"),
            fault("/timeoutSeconds", "not_integer"),
        ]
    );
}

async fn a_fourth_question_is_refused(desk: &Desk) {
    let ids = ["a", "b", "c", "d"];
    let questions: Vec<Value> = ids.iter().map(|id| question(id, &["Yes", "No"], false)).collect();
    let three = desk
        .entrance
        .ask(Caller::Agent, &json!({ "questions": questions[..3] }), None)
        .await;
    let four = desk
        .entrance
        .ask(Caller::Agent, &json!({ "questions": questions }), None)
        .await;

    assert!(three.is_ok(), "{three:?}");
    assert_eq!(
        four,
        Err(Refusal::Invalid(vec![(
            "/questions".to_owned(),
            "too_many".to_owned()
        )]))
    );
}

async fn an_option_called_other_is_refused(desk: &Desk) {
    for label in ["Other", "other…", "سایر"] {
        let body = json!({ "questions": [question("q", &["This", label], false)] });

        let refused = desk.entrance.ask(Caller::Agent, &body, None).await;

        let fault = (
            "/questions/0/options/1/label".to_owned(),
            "reserved_label".to_owned(),
        );
        assert_eq!(refused, Err(Refusal::Invalid(vec![fault])), "{label}");
    }
}

async fn a_timeout_out_of_range_is_clamped_and_the_ask_says_so(desk: &Desk) {
    for (asked, used) in [(5, 30), (9000, 3600)] {
        let mut body = target();
        body["timeoutSeconds"] = asked.into();

        let ask = desk
            .entrance
            .ask(Caller::Agent, &body, None)
            .await
            .expect("it is taken over");

        let instant =
            |name: &str| -> Timestamp { ask[name].as_str().unwrap_or_default().parse().expect(name) };
        assert_eq!(
            instant("deadline").duration_since(instant("createdAt")),
            SignedDuration::from_secs(used)
        );
        assert!(kinds(&ask).contains(&"timeout_clamped"), "{ask}");
    }
}

async fn an_ask_that_only_a_panel_shows_says_so(desk: &Desk) {
    let ask = desk
        .entrance
        .ask(Caller::Agent, &target(), None)
        .await
        .expect("it is taken over");

    assert_eq!(ask["status"], "pending");
    assert_eq!(kinds(&ask), ["no_channel"]);
}

fn kinds(ask: &Value) -> Vec<&str> {
    let warnings = ask["warnings"].as_array().map(Vec::as_slice).unwrap_or_default();
    warnings
        .iter()
        .filter_map(|warning| warning["kind"].as_str())
        .collect()
}

async fn a_repeat_under_a_key_returns_the_first_ask(desk: &Desk) {
    let first = desk
        .entrance
        .ask(Caller::Agent, &target(), Some("k"))
        .await
        .expect("it is taken over");
    desk.askd.answered_elsewhere(Caller::Sara, &id(&first), "2").await;

    let again = desk
        .entrance
        .ask(Caller::Agent, &target(), Some("k"))
        .await
        .expect("it is a repeat");
    let other = desk
        .entrance
        .ask(Caller::Agent, &target(), Some("l"))
        .await
        .expect("it is taken over");

    assert_eq!(id(&again), id(&first));
    assert_eq!(again["status"], "answered");
    assert_ne!(id(&other), id(&first));
}

async fn a_key_with_another_body_is_refused(desk: &Desk) {
    desk.entrance
        .ask(Caller::Agent, &target(), Some("k"))
        .await
        .expect("it is taken over");

    let other = desk.entrance.ask(Caller::Agent, &super::two(), Some("k")).await;

    assert_eq!(other, Err(Refusal::KeyReused));
}

async fn a_key_belongs_to_its_token(desk: &Desk) {
    let mine = desk
        .entrance
        .ask(Caller::Agent, &target(), Some("k"))
        .await
        .expect("it is taken over");

    let theirs = desk
        .entrance
        .ask(Caller::OtherAgent, &target(), Some("k"))
        .await
        .expect("it is taken over");

    assert_ne!(id(&mine), id(&theirs));
}

async fn beyond_five_pending_asks_the_next_is_refused_until_one_is_over(desk: &Desk) {
    let first = desk.ask(&target()).await;
    for _ in 1..5 {
        desk.ask(&target()).await;
    }

    let sixth = desk.entrance.ask(Caller::Agent, &target(), None).await;
    let others = desk.entrance.ask(Caller::OtherAgent, &target(), None).await;
    desk.entrance
        .cancel(Caller::Agent, &first)
        .await
        .expect("an agent cancels its own");
    let later = desk.entrance.ask(Caller::Agent, &target(), None).await;

    assert_eq!(sixth, Err(Refusal::TooManyPending));
    assert!(others.is_ok() && later.is_ok(), "{others:?} {later:?}");
}

async fn a_sub_agent_may_not_ask_and_is_told_why(desk: &Desk) {
    let refused = desk.entrance.ask(Caller::Subagent, &target(), None).await;

    assert_eq!(refused, Err(Refusal::Subagent));
}

async fn a_person_may_not_ask(desk: &Desk) {
    let refused = desk.entrance.ask(Caller::Sara, &target(), None).await;

    assert_eq!(refused, Err(Refusal::Role));
}

async fn an_ask_that_no_route_takes_is_undelivered_at_once(desk: &Desk) {
    let ask = desk
        .entrance
        .ask(Caller::LostAgent, &target(), None)
        .await
        .expect("it is taken over");

    assert_eq!(ask["status"], "undelivered");
    assert_eq!(ask["result"]["reason"], "undelivered");
}
