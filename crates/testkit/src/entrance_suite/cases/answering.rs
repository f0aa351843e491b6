//! Answering with a token.

use serde_json::json;

use super::{target, two};
use crate::entrance_suite::{Caller, Case, Desk, sentences};

pub(super) fn cases() -> Vec<Case> {
    sentences! {
        [Answer, Read] exact_labels_are_options_and_anything_else_is_own_words;
        [Answer, Read] part_of_an_answer_is_kept_and_the_rest_completes_it;
        [Answer, Read] values_that_are_none_change_nothing;
        [Reply, Read] a_text_is_read_as_on_a_channel;
        [Reply, Read] a_slip_or_a_command_gets_a_hint_and_changes_nothing;
        [Skip, Read] a_skip_declines_the_ask;
        [Answer, Reply, Skip] who_comes_too_late_is_told_how_it_ended;
    }
}

async fn exact_labels_are_options_and_anything_else_is_own_words(desk: &Desk) {
    for (value, is_own) in [
        ("Production", false),
        ("2", true),
        ("production", true),
        ("skip", true),
    ] {
        let ask = desk.ask(&target()).await;

        let receipt = desk
            .entrance
            .answer(Caller::Sara, &ask, &json!({ "deploy_target": [value] }))
            .await;

        assert_eq!(receipt.expect("she may")["receipt"], "settled");
        let result = &desk
            .entrance
            .get(Caller::Agent, &ask)
            .await
            .expect("it is its own")["result"];
        assert_eq!(result["answers"]["answers"]["deploy_target"], json!([value]));
        assert_eq!(result["freeText"] == json!(["deploy_target"]), is_own, "{value}");
        assert_eq!(result["settledBy"]["how"], "api");
    }
}

async fn part_of_an_answer_is_kept_and_the_rest_completes_it(desk: &Desk) {
    let ask = desk.ask(&two()).await;

    let first = desk
        .entrance
        .answer(Caller::Sara, &ask, &json!({ "alerts": ["Nobody", "Ops"] }))
        .await
        .expect("she may");
    let status = desk
        .entrance
        .get(Caller::Agent, &ask)
        .await
        .expect("it is its own")["status"]
        .clone();
    let second = desk
        .entrance
        .answer(Caller::Sara, &ask, &json!({ "deploy_target": ["Staging"] }))
        .await
        .expect("she may");

    assert_eq!(
        (&first["receipt"], &first["stored"]),
        (&json!("kept"), &json!({ "alerts": ["Ops", "Nobody"] }))
    );
    assert_eq!(status, "pending");
    assert_eq!(second["receipt"], "settled");
}

async fn values_that_are_none_change_nothing(desk: &Desk) {
    let ask = desk.ask(&target()).await;
    let two_of_one = json!({ "deploy_target": ["Staging (Recommended)", "Production"] });

    for answers in [
        json!({ "nothing": ["x"] }),
        json!({ "deploy_target": [" "] }),
        two_of_one,
    ] {
        let receipt = desk
            .entrance
            .answer(Caller::Sara, &ask, &answers)
            .await
            .expect("she may");

        assert_eq!(receipt["receipt"], "hint", "{answers}");
    }
    assert_eq!(
        desk.entrance
            .get(Caller::Agent, &ask)
            .await
            .expect("it is its own")["status"],
        "pending"
    );
}

async fn a_text_is_read_as_on_a_channel(desk: &Desk) {
    let ask = desk.ask(&two()).await;

    let receipt = desk
        .entrance
        .reply(Caller::Sara, &ask, "1: 2; 2: 1, 3")
        .await
        .expect("she may");

    assert_eq!(receipt["receipt"], "settled");
    let result = &desk
        .entrance
        .get(Caller::Agent, &ask)
        .await
        .expect("it is its own")["result"];
    let answers = json!({ "deploy_target": ["Production"], "alerts": ["Ops", "Nobody"] });
    assert_eq!(result["answers"]["answers"], answers);
    assert_eq!(result["settledBy"]["how"], "reply");
}

async fn a_slip_or_a_command_gets_a_hint_and_changes_nothing(desk: &Desk) {
    let ask = desk.ask(&target()).await;
    for text in ["7", "/help", " /pending "] {
        let receipt = desk
            .entrance
            .reply(Caller::Sara, &ask, text)
            .await
            .expect("she may");

        assert_eq!(receipt["receipt"], "hint", "{text}");
        assert!(
            receipt["text"].as_str().is_some_and(|text| !text.is_empty()),
            "{receipt}"
        );
        let stored = desk
            .entrance
            .get(Caller::Agent, &ask)
            .await
            .expect("it is its own");
        assert_eq!(stored["status"], "pending", "{text}");
    }
}

async fn a_skip_declines_the_ask(desk: &Desk) {
    let ask = desk.ask(&target()).await;

    let receipt = desk.entrance.skip(Caller::Sara, &ask).await.expect("she may");

    assert_eq!(receipt["receipt"], "settled");
    assert_eq!(
        desk.entrance
            .get(Caller::Agent, &ask)
            .await
            .expect("it is its own")["status"],
        "skipped"
    );
}

async fn who_comes_too_late_is_told_how_it_ended(desk: &Desk) {
    let ask = desk.ask(&target()).await;
    desk.askd.answered_elsewhere(Caller::Sara, &ask, "2").await;

    let answers = json!({ "deploy_target": ["Staging (Recommended)"] });
    let receipts = [
        desk.entrance.answer(Caller::Operator, &ask, &answers).await,
        desk.entrance.reply(Caller::Operator, &ask, "1").await,
        desk.entrance.skip(Caller::Operator, &ask).await,
    ];

    for receipt in receipts {
        let receipt = receipt.expect("an operator may");
        assert_eq!(receipt["receipt"], "too_late");
        let text = receipt["text"].as_str().unwrap_or_default();
        assert!(text.contains("Production") && text.contains("Sara"), "{text}");
    }
}
