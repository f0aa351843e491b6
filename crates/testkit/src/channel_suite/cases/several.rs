//! Several questions, several answers, and several people.

use super::{OMID, SARA};
use crate::channel_suite::{Case, Saying, Who, World, asks, sentences};

pub(super) fn cases() -> Vec<Case> {
    sentences! {
        [] several_answers_to_one_question_come_in_the_declared_order;
        [] several_questions_are_answered_in_one_message;
        [] what_is_understood_is_kept_and_the_rest_completes_it;
        [] a_later_reply_replaces_what_was_kept;
        [] a_slip_beside_an_answer_is_named_and_the_answer_kept;
        [] two_people_do_not_complete_each_others_answers;
        [] what_was_kept_survives_a_restart;
        [PeopleEdit] an_edit_of_what_was_kept_is_read_again;
        [Replies] a_reply_to_the_receipt_completes_the_answer;
        [] the_word_for_skipping_declines_all_questions;
    }
}

async fn several_answers_to_one_question_come_in_the_declared_order(world: &mut World) {
    let ask = world.ask(asks::alerts()).await;

    world
        .say(Who::Sara, SARA, "3, 1, the neighbours")
        .await
        .became("settled");

    assert_eq!(
        world.values(ask, "alerts").await,
        ["Ops", "Nobody", "the neighbours"]
    );
}

async fn several_questions_are_answered_in_one_message(world: &mut World) {
    for text in ["1: 2; 2: 1, 3", "Target: Production\nAlerts: Ops, Nobody"] {
        let ask = world.ask(asks::two()).await;

        let told = world.say(Who::Sara, SARA, text).await;

        told.became("settled");
        told.says(&["Production", "Ops", "Nobody"]);
        assert_eq!(world.values(ask, "deploy_target").await, ["Production"]);
        assert_eq!(world.values(ask, "alerts").await, ["Ops", "Nobody"]);
    }
}

async fn what_is_understood_is_kept_and_the_rest_completes_it(world: &mut World) {
    let ask = world.ask(asks::two()).await;

    let first = world.say(Who::Sara, SARA, "1: 2").await;
    let status = world.status(ask).await;
    let second = world.say(Who::Sara, SARA, "3").await;

    first.became("kept");
    first.says(&["Production", "Alerts"]);
    assert_eq!(status, "pending");
    second.became("settled");
    assert_eq!(world.values(ask, "deploy_target").await, ["Production"]);
    assert_eq!(world.values(ask, "alerts").await, ["Nobody"]);
}

async fn a_later_reply_replaces_what_was_kept(world: &mut World) {
    let ask = world.ask(asks::two()).await;

    world.say(Who::Sara, SARA, "1: 2").await.became("kept");
    world.say(Who::Sara, SARA, "1: 1").await.says(&["Staging"]);
    world.say(Who::Sara, SARA, "2: 1").await.became("settled");

    assert_eq!(world.values(ask, "deploy_target").await, ["Staging"]);
}

async fn a_slip_beside_an_answer_is_named_and_the_answer_kept(world: &mut World) {
    let ask = world.ask(asks::two()).await;

    let told = world.say(Who::Sara, SARA, "1: 9; 2: 1").await;
    let status = world.status(ask).await;
    world.say(Who::Sara, SARA, "2").await.became("settled");

    told.became("kept");
    told.says(&["Ops", "Target"]);
    assert_eq!(status, "pending");
    assert_eq!(world.values(ask, "deploy_target").await, ["Production"]);
}

async fn two_people_do_not_complete_each_others_answers(world: &mut World) {
    world.asks(&[SARA, OMID], &[]);
    let ask = world.ask(asks::two()).await;

    world.say(Who::Sara, SARA, "1: 2").await.became("kept");
    world.say(Who::Omid, OMID, "2: 1").await.became("kept");
    let status = world.status(ask).await;
    world.say(Who::Omid, OMID, "1: 1").await.became("settled");

    assert_eq!(status, "pending");
    assert_eq!(world.values(ask, "deploy_target").await, ["Staging"]);
    assert_eq!(world.result(ask).await["settledBy"]["name"], "Omid");
}

async fn what_was_kept_survives_a_restart(world: &mut World) {
    let ask = world.ask(asks::two()).await;
    world.say(Who::Sara, SARA, "1: 2").await.became("kept");

    world.restart().await;
    world.say(Who::Sara, SARA, "2: 2").await.became("settled");

    assert_eq!(world.values(ask, "deploy_target").await, ["Production"]);
    assert_eq!(world.values(ask, "alerts").await, ["Developers"]);
}

async fn an_edit_of_what_was_kept_is_read_again(world: &mut World) {
    let ask = world.ask(asks::two()).await;
    let kept = world.say(Who::Sara, SARA, "1: 2").await;

    world.edits(Who::Sara, SARA, &kept, "1: 1").await.became("kept");
    world
        .edits(Who::Sara, SARA, &kept, "1: 1; 2: 3")
        .await
        .became("settled");

    assert_eq!(world.values(ask, "deploy_target").await, ["Staging"]);
    assert_eq!(world.values(ask, "alerts").await, ["Nobody"]);
}

async fn a_reply_to_the_receipt_completes_the_answer(world: &mut World) {
    let ask = world.ask(asks::two()).await;
    world.ask(asks::target()).await;
    let prompt = world.prompts(ask, SARA).await.pop().expect("the ask is shown");
    world
        .says(Who::Sara, SARA, &Saying::text("1: 2").reply_to(&prompt))
        .await
        .became("kept");
    let receipt = world.seen(SARA).pop().expect("a receipt is shown");

    world
        .says(Who::Sara, SARA, &Saying::text("1").reply_to(&receipt))
        .await
        .became("settled");

    assert_eq!(world.values(ask, "alerts").await, ["Ops"]);
}

async fn the_word_for_skipping_declines_all_questions(world: &mut World) {
    let ask = world.ask(asks::two()).await;
    world.say(Who::Sara, SARA, "1: 2").await.became("kept");

    world.say(Who::Sara, SARA, "skip").await.became("settled");

    assert_eq!(world.status(ask).await, "skipped");
}
