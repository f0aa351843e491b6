//! The clock of askd's machine is set by hours, while the platform's goes right.

use std::time::Duration;

use jiff::SignedDuration;

use super::{SARA, says};
use crate::channel_suite::{Call, Case, Fault, Who, World, asks, sentences};

pub(super) fn cases() -> Vec<Case> {
    sentences! {
        [] a_clock_that_is_set_back_delays_no_attempt;
        [Edits] a_clock_that_is_set_back_delays_no_edit;
        [] a_clock_that_is_set_back_leaves_no_conversation_busy;
        [] a_clock_that_is_set_back_leaves_a_question_open_until_its_time_on_the_wall;
        [] a_clock_that_is_set_forward_past_the_deadline_ends_the_ask_and_says_so;
        [] a_clock_that_is_set_forward_ends_nothing_before_its_deadline;
        [Order] what_is_asked_after_the_clock_was_set_is_answered;
        [] after_the_clock_was_set_a_broken_connection_comes_back;
        [] a_process_that_starts_with_its_clock_set_back_goes_on_at_once;
        [] a_stranger_is_told_again_after_the_clock_was_set_back;
    }
}

const HOURS: SignedDuration = SignedDuration::from_hours(3);

async fn a_clock_that_is_set_back_delays_no_attempt(world: &mut World) {
    world.fail_all(Call::Post, Fault::Unclear { done: false });
    let ask = world.ask(asks::target()).await;
    world.pass(Duration::from_secs(20)).await;
    let pause = world.next_attempt(ask).await.expect("it is tried again");
    world.mend().await;

    world.set_clock(-HOURS);
    world.pass(pause).await;

    assert_eq!(world.prompts(ask, SARA).await.len(), 1);
    world.say(Who::Sara, SARA, "2").await.became("settled");
}

async fn a_clock_that_is_set_back_delays_no_edit(world: &mut World) {
    let ask = world.ask(asks::target()).await;
    world.fail_all(Call::Edit, Fault::Throttled(Duration::from_secs(30)));
    world.say(Who::Sara, SARA, "2").await.became("settled");
    let pause = world.next_attempt(ask).await.expect("it is tried again");
    world.mend().await;

    world.set_clock(-HOURS);
    world.pass(pause).await;

    says(&world.ending(ask, SARA).await, &["Production", "Sara"]);
}

async fn a_clock_that_is_set_back_leaves_no_conversation_busy(world: &mut World) {
    world.ask(asks::target()).await;

    world.set_clock(-HOURS);
    let began = world.passed();
    let ask = world.ask(asks::alerts()).await;

    assert_eq!(world.prompts(ask, SARA).await.len(), 1);
    let took = world.passed().saturating_sub(began);
    assert!(took <= Duration::from_secs(35), "{took:?}");
}

async fn a_clock_that_is_set_back_leaves_a_question_open_until_its_time_on_the_wall(world: &mut World) {
    let ask = world.ask(asks::for_seconds(asks::target(), 60)).await;

    world.set_clock(-SignedDuration::from_mins(1));
    world.pass(Duration::from_secs(119)).await;
    let before = world.status(ask).await;
    world.pass(Duration::from_secs(1)).await;

    assert_eq!(before, "pending");
    assert_eq!(world.status(ask).await, "expired");
}

async fn a_clock_that_is_set_forward_past_the_deadline_ends_the_ask_and_says_so(world: &mut World) {
    let ask = world.ask(asks::target()).await;

    world.set_clock(HOURS);
    world.pass(Duration::from_secs(1)).await;

    assert_eq!(world.result(ask).await["reason"], "expired");
    let told = world.say(Who::Sara, SARA, "2").await;
    assert!(!told.texts.is_empty(), "who answers an ask that is over is told");
    assert_eq!(world.status(ask).await, "expired");
}

async fn a_clock_that_is_set_forward_ends_nothing_before_its_deadline(world: &mut World) {
    let ask = world.ask(asks::for_seconds(asks::target(), 3600)).await;

    world.set_clock(SignedDuration::from_mins(59));
    world.pass(Duration::from_secs(30)).await;

    world.say(Who::Sara, SARA, "2").await.became("settled");
    assert_eq!(world.values(ask, "deploy_target").await, ["Production"]);
}

async fn what_is_asked_after_the_clock_was_set_is_answered(world: &mut World) {
    for by in [-HOURS, HOURS * 2] {
        world.set_clock(by);
        let ask = world.ask(asks::target()).await;

        world.say(Who::Sara, SARA, "2").await.became("settled");

        assert_eq!(world.values(ask, "deploy_target").await, ["Production"]);
    }
}

async fn after_the_clock_was_set_a_broken_connection_comes_back(world: &mut World) {
    for by in [-HOURS, SignedDuration::from_mins(50)] {
        let ask = world.ask(asks::for_seconds(asks::target(), 3600)).await;
        world.set_clock(by);
        world.drop_connection().await;

        world.say(Who::Sara, SARA, "2").await.became("settled");

        assert_eq!(world.values(ask, "deploy_target").await, ["Production"], "{by}");
    }
}

async fn a_process_that_starts_with_its_clock_set_back_goes_on_at_once(world: &mut World) {
    world.fail_all(Call::Post, Fault::Unclear { done: false });
    let ask = world.ask(asks::target()).await;
    world.pass(Duration::from_secs(20)).await;
    world.mend().await;

    world.kill().await;
    world.set_clock(-HOURS);
    world.start().await;
    world.pass(Duration::from_mins(5)).await;

    assert_eq!(world.prompts(ask, SARA).await.len(), 1);
    world.say(Who::Sara, SARA, "2").await.became("settled");
}

async fn a_stranger_is_told_again_after_the_clock_was_set_back(world: &mut World) {
    let theirs = crate::channel_suite::Place::Direct(Who::Stranger);
    world
        .say(Who::Stranger, theirs, "hello")
        .await
        .became("not yours");

    world.set_clock(-HOURS);

    world
        .say(Who::Stranger, theirs, "hello")
        .await
        .says(&["pairing code"]);
    world.say(Who::Stranger, theirs, "hello").await.is_nothing();
}
