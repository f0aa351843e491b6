//! What a process leaves behind for the next.

use std::time::Duration;

use super::{SARA, labels, says};
use crate::channel_suite::{
    Call, Case, Fault, Saying, SeenMessage, Who, World, asks, sentences, world::button,
};

pub(super) fn cases() -> Vec<Case> {
    sentences! {
        [Buttons, Edits] a_button_shown_before_a_restart_works;
        [] a_text_after_a_restart_is_an_answer;
        [Replies] a_reply_to_a_prompt_from_before_a_restart_is_an_answer;
        [] what_was_said_while_askd_was_down_counts;
        [Buttons, KeptPresses] what_was_tapped_while_askd_was_down_counts;
        [] what_fell_due_while_askd_was_down_ends_at_the_start;
        [] an_ask_that_was_taken_over_is_shown_after_a_restart;
        [Edits] an_end_that_was_not_shown_yet_is_shown_after_a_restart;
        [Edits] an_end_that_finds_the_credentials_refused_is_shown_once_they_hold_again;
        [] a_post_that_died_with_its_process_is_made_again;
        [] a_call_that_hangs_does_not_keep_askd_from_stopping;
        [] a_restart_alone_shows_nothing_new;
    }
}

async fn a_button_shown_before_a_restart_works(world: &mut World) {
    let ask = world.ask(asks::target()).await;
    let prompt = world.prompt(ask, SARA).await;

    world.restart().await;

    world
        .tap(Who::Sara, SARA, &prompt, "Production")
        .await
        .became("settled");
    assert_eq!(labels(&world.prompt(ask, SARA).await), [""; 0]);
}

async fn a_text_after_a_restart_is_an_answer(world: &mut World) {
    let ask = world.ask(asks::target()).await;

    world.stop().await;
    world.start().await;

    world.say(Who::Sara, SARA, "2").await.became("settled");
    assert_eq!(world.values(ask, "deploy_target").await, ["Production"]);
}

async fn a_reply_to_a_prompt_from_before_a_restart_is_an_answer(world: &mut World) {
    let ask = world.ask(asks::target()).await;
    world.ask(asks::target()).await;
    let prompt = world.prompt(ask, SARA).await;

    world.restart().await;

    world
        .says(Who::Sara, SARA, &Saying::text("2").reply_to(&prompt))
        .await
        .became("settled");
    assert_eq!(world.status(ask).await, "answered");
}

async fn what_was_said_while_askd_was_down_counts(world: &mut World) {
    let ask = world.ask(asks::target()).await;
    world.kill().await;

    world.says_unheard(Who::Sara, SARA, &Saying::text("2"));
    world.start().await;

    assert_eq!(world.values(ask, "deploy_target").await, ["Production"]);
}

async fn what_was_tapped_while_askd_was_down_counts(world: &mut World) {
    let ask = world.ask(asks::target()).await;
    let staging = button(&world.prompt(ask, SARA).await, "Staging");
    world.kill().await;

    world.presses_unheard(Who::Sara, &staging);
    world.start().await;

    assert_eq!(world.values(ask, "deploy_target").await, ["Staging"]);
}

async fn what_fell_due_while_askd_was_down_ends_at_the_start(world: &mut World) {
    let ask = world.ask(asks::for_seconds(asks::target(), 60)).await;
    world.kill().await;

    world.pass(Duration::from_mins(5)).await;
    world.start().await;

    assert_eq!(world.status(ask).await, "expired");
    says(&world.ending(ask, SARA).await, &["no answer came in time"]);
}

async fn an_ask_that_was_taken_over_is_shown_after_a_restart(world: &mut World) {
    world.fail_next(Call::Post, Fault::Throttled(Duration::from_secs(20)));
    let ask = world.ask(asks::target()).await;
    world.kill().await;

    world.pass(Duration::from_secs(30)).await;
    world.start().await;

    assert_eq!(world.prompts(ask, SARA).await.len(), 1);
}

async fn an_end_that_was_not_shown_yet_is_shown_after_a_restart(world: &mut World) {
    let ask = world.ask(asks::target()).await;
    world.fail_next(Call::Edit, Fault::Throttled(Duration::from_secs(20)));
    world.cancel(ask).await;
    let before = world.ending(ask, SARA).await;
    world.kill().await;

    world.pass(Duration::from_secs(30)).await;
    world.start().await;

    assert!(!before.contains("Closed"), "{before}");
    says(&world.ending(ask, SARA).await, &["Closed"]);
}

async fn an_end_that_finds_the_credentials_refused_is_shown_once_they_hold_again(world: &mut World) {
    let ask = world.ask(asks::target()).await;
    world.fail_next(Call::Edit, Fault::Refused);
    world.cancel(ask).await;
    let before = world.ending(ask, SARA).await;

    world.restart().await;

    assert!(!before.contains("Closed"), "{before}");
    says(&world.ending(ask, SARA).await, &["Closed"]);
    assert_eq!(world.prompt(ask, SARA).await.buttons, []);
}

async fn a_post_that_died_with_its_process_is_made_again(world: &mut World) {
    world.fail_next(Call::Post, Fault::Hang);
    let ask = world.ask(asks::target()).await;

    world.restart().await;
    world.pass(Duration::from_mins(2)).await;

    assert_eq!(world.prompts(ask, SARA).await.len(), 1);
    world.say(Who::Sara, SARA, "2").await.became("settled");
}

async fn a_call_that_hangs_does_not_keep_askd_from_stopping(world: &mut World) {
    world.fail_next(Call::Post, Fault::Hang);
    let ask = world.ask(asks::target()).await;

    world.stop().await;
    world.start().await;

    assert_eq!(world.status(ask).await, "pending");
}

async fn a_restart_alone_shows_nothing_new(world: &mut World) {
    world.ask(asks::target()).await;
    world.say(Who::Sara, SARA, "2").await.became("settled");
    world.ask(asks::target()).await;
    // Not their texts: a countdown goes on.
    let names = |seen: Vec<SeenMessage>| seen.into_iter().map(|seen| seen.message).collect::<Vec<_>>();
    let before = names(world.seen(SARA));

    world.restart().await;

    assert_eq!(names(world.seen(SARA)), before);
}
