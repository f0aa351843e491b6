//! What the platform does to us.

use std::time::Duration;

use askd_core::broker::ChannelHealth;

use super::{OMID, SARA, says};
use crate::channel_suite::{Call, Case, Fault, Feature, Saying, Who, World, asks, sentences};

pub(super) fn cases() -> Vec<Case> {
    sentences! {
        [] a_throttled_post_comes_after_the_platforms_pause_and_not_before;
        [] a_post_that_failed_for_a_while_is_tried_again;
        [KeyedPosts] a_post_whose_answer_was_lost_is_shown_once;
        [Buttons, Edits] a_tap_on_a_prompt_whose_post_was_never_confirmed_counts;
        [] a_text_below_a_prompt_that_was_never_confirmed_is_asked_for_again_and_then_counts;
        [Buttons, Edits] of_a_prompt_that_was_shown_twice_both_are_settled_once_tapped;
        [Buttons, Edits] a_tap_on_an_unconfirmed_prompt_of_an_ask_that_is_over_closes_it;
        [KeyedPosts, Edits] an_unconfirmed_prompt_of_an_ask_that_is_over_is_found_and_closed;
        [Replies] a_reply_to_an_unconfirmed_prompt_of_an_ask_that_is_over_answers_no_other;
        [] where_nobody_can_be_reached_the_agent_is_told_at_once;
        [] content_that_is_refused_is_given_up_and_the_agent_told;
        [] one_destination_is_enough;
        [] refused_credentials_stop_the_channel_and_end_what_nobody_saw;
        [Edits] an_edit_that_failed_for_a_while_is_made_later;
        [Edits] a_prompt_that_was_deleted_is_followed_by_a_short_message;
        [Edits] a_prompt_whose_end_is_refused_says_it_in_fewer_words;
        [] feedback_that_is_lost_does_not_undo_the_answer;
        [Redelivery] what_could_not_be_saved_is_told_and_counts_once_it_can_be;
        [] a_broken_connection_comes_back;
        [] a_channel_whose_platform_falls_silent_is_deaf_within_its_limit_and_up_when_it_is_heard_again;
    }
}

async fn a_throttled_post_comes_after_the_platforms_pause_and_not_before(world: &mut World) {
    world.fail_next(Call::Post, Fault::Throttled(Duration::from_secs(30)));
    let ask = world.ask(asks::target()).await;

    world.pass(Duration::from_secs(28)).await;
    let before = world.seen(SARA).len();
    world.pass(Duration::from_secs(2)).await;

    assert_eq!(before, 0);
    assert_eq!(world.prompts(ask, SARA).await.len(), 1);
}

async fn a_post_that_failed_for_a_while_is_tried_again(world: &mut World) {
    for _ in 0..3 {
        world.fail_next(Call::Post, Fault::Unclear { done: false });
    }
    let ask = world.ask(asks::target()).await;
    let before = world.seen(SARA).len();

    for _ in 0..10 {
        world.pass(Duration::from_secs(1)).await;
    }

    assert_eq!(before, 0);
    assert_eq!(world.prompts(ask, SARA).await.len(), 1);
    world.say(Who::Sara, SARA, "2").await.became("settled");
}

async fn a_post_whose_answer_was_lost_is_shown_once(world: &mut World) {
    world.fail_next(Call::Post, Fault::Unclear { done: true });
    let ask = world.ask(asks::target()).await;

    world.pass(Duration::from_secs(5)).await;

    assert_eq!(world.seen(SARA).len(), 1, "{:?}", world.seen(SARA));
    assert_eq!(world.prompts(ask, SARA).await.len(), 1);
}

async fn a_tap_on_a_prompt_whose_post_was_never_confirmed_counts(world: &mut World) {
    world.fail_next(Call::Post, Fault::Unclear { done: true });
    let ask = world.ask(asks::target()).await;
    let unconfirmed = world.prompts(ask, SARA).await.len();
    let shown = world.seen(SARA).pop().expect("the prompt was shown");

    let told = world.tap(Who::Sara, SARA, &shown, "Production").await;
    world.pass(Duration::from_mins(1)).await;

    assert_eq!(unconfirmed, 0);
    told.became("settled");
    let prompt = world.prompt(ask, SARA).await;
    assert_eq!(prompt.message, shown.message);
    assert!(prompt.buttons.is_empty());
    assert_eq!(world.rings(SARA), 1, "{:?}", world.seen(SARA));
}

async fn a_text_below_a_prompt_that_was_never_confirmed_is_asked_for_again_and_then_counts(
    world: &mut World,
) {
    world.fail_next(Call::Post, Fault::Unclear { done: true });
    let ask = world.ask(asks::target()).await;

    let told = world.say(Who::Sara, SARA, "2").await;
    world.pass(Duration::from_secs(5)).await;
    assert_eq!(
        world.prompts(ask, SARA).await.len(),
        1,
        "shown again, and confirmed"
    );
    let again = world.say(Who::Sara, SARA, "2").await;

    told.became("hint");
    told.says(&["on its way"]);
    again.became("settled");
}

async fn of_a_prompt_that_was_shown_twice_both_are_settled_once_tapped(world: &mut World) {
    world.fail_next(Call::Post, Fault::Unclear { done: true });
    let ask = world.ask(asks::target()).await;
    let first = world.seen(SARA).pop().expect("the prompt was shown");
    world.pass(Duration::from_secs(5)).await;

    world
        .tap(Who::Sara, SARA, &first, "Production")
        .await
        .became("settled");

    let expected = if world.has(Feature::KeyedPosts) { 1 } else { 2 };
    assert_eq!(world.prompts(ask, SARA).await.len(), expected);
    assert!(
        world.seen(SARA).iter().all(|seen| seen.buttons.is_empty()),
        "{:?}",
        world.seen(SARA)
    );
}

async fn a_tap_on_an_unconfirmed_prompt_of_an_ask_that_is_over_closes_it(world: &mut World) {
    world.fail_next(Call::Post, Fault::Unclear { done: true });
    let ask = world.ask(asks::target()).await;
    let shown = world.seen(SARA).pop().expect("the prompt was shown");
    world.cancel(ask).await;

    world
        .tap(Who::Sara, SARA, &shown, "Production")
        .await
        .became("too late");

    assert_eq!(world.status(ask).await, "cancelled");
    let prompt = world.prompt(ask, SARA).await;
    says(&prompt.text, &["Closed"]);
    assert!(prompt.buttons.is_empty(), "{prompt:?}");
}

async fn an_unconfirmed_prompt_of_an_ask_that_is_over_is_found_and_closed(world: &mut World) {
    world.fail_next(Call::Post, Fault::Unclear { done: true });
    let ask = world.ask(asks::target()).await;
    world.kill().await;
    world.start().await;

    world.cancel(ask).await;
    world.pass(Duration::from_secs(5)).await;

    let prompts = world.seen(SARA);
    assert_eq!(prompts.len(), 1, "shown once: {prompts:?}");
    says(&prompts[0].text, &["Closed"]);
    assert!(prompts[0].buttons.is_empty(), "{prompts:?}");
}

async fn a_reply_to_an_unconfirmed_prompt_of_an_ask_that_is_over_answers_no_other(world: &mut World) {
    world.fail_next(Call::Post, Fault::Unclear { done: true });
    let over = world.ask(asks::target()).await;
    let shown = world.seen(SARA).pop().expect("the prompt was shown");
    world.cancel(over).await;
    let other = world.ask(asks::target()).await;

    world
        .says(Who::Sara, SARA, &Saying::text("2").reply_to(&shown))
        .await;

    assert_eq!(world.status(other).await, "pending");
}

async fn where_nobody_can_be_reached_the_agent_is_told_at_once(world: &mut World) {
    world.fail_next(Call::Post, Fault::Unreachable);

    let ask = world.ask(asks::target()).await;

    assert_eq!(world.result(ask).await["reason"], "undelivered");
}

async fn content_that_is_refused_is_given_up_and_the_agent_told(world: &mut World) {
    world.fail_next(Call::Post, Fault::Rejected);

    let ask = world.ask(asks::target()).await;

    assert_eq!(world.result(ask).await["reason"], "undelivered");
}

async fn one_destination_is_enough(world: &mut World) {
    world.asks(&[SARA, OMID], &[]);
    world.fail_next(Call::Post, Fault::Unreachable);
    let ask = world.ask(asks::target()).await;

    let not_hers = world.prompts(ask, SARA).await.is_empty();
    let (place, who) = if not_hers {
        (OMID, Who::Omid)
    } else {
        (SARA, Who::Sara)
    };
    world.say(who, place, "2").await.became("settled");

    assert_eq!(world.values(ask, "deploy_target").await, ["Production"]);
    assert_eq!(world.rings(SARA) + world.rings(OMID), 1);
}

async fn refused_credentials_stop_the_channel_and_end_what_nobody_saw(world: &mut World) {
    let shown = world.ask(asks::target()).await;
    world.fail_next(Call::Post, Fault::Refused);

    let refused = world.ask(asks::target()).await;
    let later = world.ask(asks::target()).await;

    assert_eq!(world.result(refused).await["reason"], "undelivered");
    assert_eq!(world.result(later).await["reason"], "undelivered");
    assert_eq!(world.status(shown).await, "pending");
}

async fn an_edit_that_failed_for_a_while_is_made_later(world: &mut World) {
    let throttled = Fault::Throttled(Duration::from_secs(20));
    for fault in [
        throttled,
        Fault::Unclear { done: false },
        Fault::Unclear { done: true },
    ] {
        let ask = world.ask(asks::target()).await;
        world.fail_next(Call::Edit, fault);
        world.say(Who::Sara, SARA, "2").await.became("settled");

        world.pass(Duration::from_secs(30)).await;

        says(&world.ending(ask, SARA).await, &["Production", "Sara"]);
        assert_eq!(world.prompt(ask, SARA).await.buttons, []);
    }
}

async fn a_prompt_that_was_deleted_is_followed_by_a_short_message(world: &mut World) {
    let ask = world.ask(asks::target()).await;
    let prompt = world.prompt(ask, SARA).await;
    world.delete(&prompt);

    world.cancel(ask).await;

    let seen = world.seen(SARA);
    assert_eq!(seen.len(), 1, "{seen:?}");
    says(&seen[0].text, &["Closed"]);
    assert!(!seen[0].rang);
}

async fn a_prompt_whose_end_is_refused_says_it_in_fewer_words(world: &mut World) {
    let ask = world.ask(asks::target()).await;
    world.fail_next(Call::Edit, Fault::Rejected);

    world.say(Who::Sara, SARA, "2").await.became("settled");

    let prompt = world.prompt(ask, SARA).await;
    says(&prompt.text, &["Where should this go?", "Production", "Sara"]);
    assert_eq!(prompt.buttons, []);
    assert_eq!(world.rings(SARA), 1);
}

async fn feedback_that_is_lost_does_not_undo_the_answer(world: &mut World) {
    let ask = world.ask(asks::target()).await;
    world.lose_feedback(Fault::Unclear { done: false });

    world.say(Who::Sara, SARA, "2").await.became("settled");

    assert_eq!(world.values(ask, "deploy_target").await, ["Production"]);
}

async fn what_could_not_be_saved_is_told_and_counts_once_it_can_be(world: &mut World) {
    let ask = world.ask(asks::target()).await;
    world.break_store(true);
    let told = world.say(Who::Sara, SARA, "2").await;
    world.break_store(false);
    let before = world.status(ask).await;

    world.drop_connection().await;

    told.says(&["not saved"]);
    assert_eq!(before, "pending");
    assert_eq!(world.values(ask, "deploy_target").await, ["Production"]);
}

async fn a_broken_connection_comes_back(world: &mut World) {
    let ask = world.ask(asks::target()).await;
    world.drop_connection().await;

    world.say(Who::Sara, SARA, "2").await.became("settled");

    assert_eq!(world.values(ask, "deploy_target").await, ["Production"]);
}

async fn a_channel_whose_platform_falls_silent_is_deaf_within_its_limit_and_up_when_it_is_heard_again(
    world: &mut World,
) {
    let ask = world.ask(asks::target()).await;
    let before = world.health();
    let limit = world.deaf_after();

    world.silence(limit / 2).await;
    let in_between = world.health();
    world.silence(limit / 2 + Duration::from_secs(2)).await;
    let deaf = world.health();
    world.speak_again().await;
    world.say(Who::Sara, SARA, "2").await.became("settled");

    assert_eq!((before, in_between), (ChannelHealth::Up, ChannelHealth::Up));
    assert_eq!((deaf, world.health()), (ChannelHealth::Deaf, ChannelHealth::Up));
    assert!(
        limit <= Duration::from_mins(2),
        "an operator hears of it soon: {limit:?}"
    );
    assert_eq!(world.values(ask, "deploy_target").await, ["Production"]);
}
