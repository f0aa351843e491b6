//! What the agent gets.

use std::time::Duration;

use serde_json::{Value, json};

use super::{target, two};
use crate::entrance_suite::{Caller, Case, Desk, id, sentences};

pub(super) fn cases() -> Vec<Case> {
    sentences! {
        [Wait] an_answer_is_its_values_and_who_gave_them;
        [Wait] values_come_in_the_declared_order_then_own_words;
        [Wait] a_skip_is_no_answer_and_says_what_to_do;
        [Wait] an_expiry_is_no_answer_and_says_what_to_do;
        [Wait] what_nobody_opened_by_its_deadline_is_undelivered;
        [Wait, Cancel] a_cancel_is_no_answer_and_says_what_to_do;
        [Wait] an_undelivered_ask_says_that_nobody_saw_it;
        [Wait] a_hold_that_ends_first_is_pending_and_goes_on;
        [Wait] a_hold_ends_with_the_answer;
        [Cancel] a_cancel_that_finds_an_answer_returns_it;
    }
}

async fn wait(desk: &Desk, ask: &str) -> Value {
    desk.entrance
        .wait(Caller::Agent, ask, 0)
        .await
        .expect("an agent waits for its own ask")
}

async fn an_answer_is_its_values_and_who_gave_them(desk: &Desk) {
    let ask = desk.ask(&target()).await;
    desk.askd.answered_elsewhere(Caller::Sara, &ask, "1").await;

    let result = wait(desk, &ask).await;

    assert_eq!(
        result,
        json!({
            "status": "answered",
            "answers": { "answers": { "deploy_target": ["Staging (Recommended)"] } },
            "askId": ask,
            "settledBy": { "name": "Sara", "channel": "http", "how": "reply" },
            "settledAt": "2026-12-01T09:30:00Z",
            "freeText": [],
        })
    );
}

async fn values_come_in_the_declared_order_then_own_words(desk: &Desk) {
    let ask = desk.ask(&two()).await;
    desk.askd
        .answered_elsewhere(Caller::Sara, &ask, "2: 3, the neighbours, 1\n1: neither")
        .await;

    let result = wait(desk, &ask).await;

    let answers = json!({ "deploy_target": ["neither"], "alerts": ["Ops", "Nobody", "the neighbours"] });
    assert_eq!(result["answers"]["answers"], answers);
    assert_eq!(result["freeText"], json!(["deploy_target", "alerts"]));
}

/// Checks the two fields of the contract, and that a model is told what to do.
fn is_no_answer(result: &Value, reason: &str) {
    assert_eq!(result["status"], "no_answer");
    assert_eq!(result["reason"], reason);
    let message = result["message"].as_str().unwrap_or_default();
    assert!(message.contains("best judgment"), "{message}");
}

async fn a_skip_is_no_answer_and_says_what_to_do(desk: &Desk) {
    let ask = desk.ask(&target()).await;
    desk.askd.answered_elsewhere(Caller::Sara, &ask, "skip").await;

    is_no_answer(&wait(desk, &ask).await, "skipped");
}

async fn an_expiry_is_no_answer_and_says_what_to_do(desk: &Desk) {
    let ask = desk.ask(&two()).await;
    // Who answers part of it has seen it.
    desk.askd.answered_elsewhere(Caller::Sara, &ask, "1: 2").await;

    desk.askd.pass(Duration::from_mins(15)).await;

    is_no_answer(&wait(desk, &ask).await, "expired");
}

async fn what_nobody_opened_by_its_deadline_is_undelivered(desk: &Desk) {
    let ask = desk.ask(&target()).await;

    desk.askd.pass(Duration::from_mins(15)).await;

    is_no_answer(&wait(desk, &ask).await, "undelivered");
}

async fn a_cancel_is_no_answer_and_says_what_to_do(desk: &Desk) {
    let ask = desk.ask(&target()).await;
    desk.entrance
        .cancel(Caller::Agent, &ask)
        .await
        .expect("an agent cancels its own");

    is_no_answer(&wait(desk, &ask).await, "cancelled");
}

async fn an_undelivered_ask_says_that_nobody_saw_it(desk: &Desk) {
    let ask = desk
        .entrance
        .ask(Caller::LostAgent, &target(), None)
        .await
        .expect("it is taken over");

    let result = desk
        .entrance
        .wait(Caller::LostAgent, &id(&ask), 55)
        .await
        .expect("it is its own");

    is_no_answer(&result, "undelivered");
}

async fn a_hold_that_ends_first_is_pending_and_goes_on(desk: &Desk) {
    let ask = desk.ask(&target()).await;

    let before = wait(desk, &ask).await;
    desk.askd.answered_elsewhere(Caller::Sara, &ask, "2").await;
    let after = wait(desk, &ask).await;

    assert_eq!(
        (&before["status"], &before["askId"]),
        (&json!("pending"), &json!(ask))
    );
    assert_eq!(after["status"], "answered");
}

async fn a_hold_ends_with_the_answer(desk: &Desk) {
    let ask = desk.ask(&target()).await;

    let hold = desk.entrance.wait(Caller::Agent, &ask, 55);
    let (result, _) = tokio::join!(hold, desk.askd.answered_elsewhere(Caller::Sara, &ask, "2"));

    assert_eq!(result.expect("it is its own")["status"], "answered");
}

async fn a_cancel_that_finds_an_answer_returns_it(desk: &Desk) {
    let ask = desk.ask(&target()).await;
    desk.askd.answered_elsewhere(Caller::Sara, &ask, "2").await;

    let found = desk
        .entrance
        .cancel(Caller::Agent, &ask)
        .await
        .expect("an agent cancels its own");

    assert_eq!(found["status"], "answered");
    assert_eq!(
        found["result"]["answers"]["answers"],
        json!({ "deploy_target": ["Production"] })
    );
}
