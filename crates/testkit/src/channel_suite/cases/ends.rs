//! How an ask ends, and what shows it.

use std::time::Duration;

use super::{OMID, SARA, labels, says};
use crate::channel_suite::{Call, Case, Fault, Feature, Saying, Who, World, asks, sentences};

pub(super) fn cases() -> Vec<Case> {
    sentences! {
        [] an_answer_is_shown_everywhere_with_who_and_where;
        [] a_skip_is_shown_everywhere_with_who_and_where;
        [] an_expiry_is_shown;
        [] a_cancel_is_shown;
        [Edits] a_prompt_that_is_over_keeps_its_question_and_loses_its_controls;
        [] an_answer_counts_until_the_deadline_and_not_after;
        [] an_answer_that_was_on_time_and_stored_late_is_told_so;
        [] what_nobody_was_shown_by_the_deadline_is_undelivered;
        [] a_waiting_agent_is_woken_by_the_answer;
        [Redelivery] an_event_handed_out_twice_changes_nothing_more_and_gets_an_equal_receipt;
        [Redelivery, Buttons] a_tap_handed_out_twice_changes_nothing_more_and_gets_an_equal_receipt;
        [Redelivery] a_kept_answer_handed_out_twice_gets_an_equal_receipt;
        [] a_text_after_the_end_changes_nothing;
        [] an_ask_that_ends_before_it_is_shown_is_never_shown;
    }
}

async fn an_answer_is_shown_everywhere_with_who_and_where(world: &mut World) {
    world.asks(&[SARA, OMID], &[]);
    let ask = world.ask(asks::target()).await;

    let told = world.say(Who::Sara, SARA, "2").await;

    told.says(&["Production"]);
    says(&world.ending(ask, OMID).await, &["Production", "Sara", "fake"]);
    if world.has(Feature::Edits) {
        says(&world.ending(ask, SARA).await, &["Production", "Sara", "fake"]);
    }
}

async fn a_skip_is_shown_everywhere_with_who_and_where(world: &mut World) {
    world.asks(&[SARA, OMID], &[]);
    let ask = world.ask(asks::target()).await;

    world.say(Who::Sara, SARA, "skip").await.became("settled");

    says(&world.ending(ask, OMID).await, &["Skipped", "Sara", "fake"]);
}

async fn an_expiry_is_shown(world: &mut World) {
    let ask = world.ask(asks::for_seconds(asks::target(), 60)).await;
    world.pass(Duration::from_secs(50)).await;
    let before = world.status(ask).await;

    world.pass(Duration::from_secs(10)).await;

    assert_eq!(
        (before.as_str(), world.status(ask).await.as_str()),
        ("pending", "expired")
    );
    says(&world.ending(ask, SARA).await, &["no answer came in time"]);
}

async fn a_cancel_is_shown(world: &mut World) {
    let ask = world.ask(asks::target()).await;

    world.cancel(ask).await;

    assert_eq!(world.status(ask).await, "cancelled");
    says(&world.ending(ask, SARA).await, &["Closed"]);
}

async fn a_prompt_that_is_over_keeps_its_question_and_loses_its_controls(world: &mut World) {
    let ask = world.ask(asks::target()).await;
    let alive = world.prompt(ask, SARA).await;

    world.say(Who::Sara, SARA, "2").await.became("settled");
    let over = world.prompt(ask, SARA).await;

    assert_eq!(alive.message, over.message);
    assert_ne!(alive.text, over.text);
    says(&over.text, &["Where should this go?"]);
    assert_eq!(labels(&over), [""; 0]);
}

async fn an_answer_counts_until_the_deadline_and_not_after(world: &mut World) {
    let ask = world.ask(asks::for_seconds(asks::target(), 60)).await;
    world.pass(Duration::from_secs(50)).await;
    world.say(Who::Sara, SARA, "2").await.became("settled");
    let late = world.ask(asks::for_seconds(asks::target(), 60)).await;
    world.pass(Duration::from_mins(1)).await;

    world.say(Who::Sara, SARA, "2").await.became("told");

    assert_eq!(world.status(ask).await, "answered");
    assert_eq!(world.status(late).await, "expired");
}

async fn an_answer_that_was_on_time_and_stored_late_is_told_so(world: &mut World) {
    for replies in [false, world.has(Feature::Replies)] {
        let ask = world.ask(asks::for_seconds(asks::target(), 60)).await;
        let prompt = world.prompt(ask, SARA).await;
        let saying = if replies {
            Saying::text("2").reply_to(&prompt)
        } else {
            Saying::text("2")
        };
        world.kill().await;

        world.says_unheard(Who::Sara, SARA, &saying);
        world.pass(Duration::from_mins(2)).await;
        world.start().await;

        assert_eq!(world.status(ask).await, "expired");
        let told = world.seen(SARA).pop().expect("a receipt is shown");
        says(&told.text, &["You were in time"]);
    }
}

async fn what_nobody_was_shown_by_the_deadline_is_undelivered(world: &mut World) {
    world.fail_next(Call::Post, Fault::Throttled(Duration::from_mins(10)));
    let ask = world.ask(asks::for_seconds(asks::target(), 60)).await;

    world.pass(Duration::from_mins(1)).await;
    world.pass(Duration::from_mins(10)).await;

    assert_eq!(world.result(ask).await["reason"], "undelivered");
    assert!(world.seen(SARA).is_empty(), "{:?}", world.seen(SARA));
}

async fn a_waiting_agent_is_woken_by_the_answer(world: &mut World) {
    let ask = world.ask(asks::target()).await;

    let waiting = world.wait(ask, Duration::from_secs(55));
    let (result, told) = tokio::join!(waiting, world.say(Who::Sara, SARA, "1"));

    told.became("settled");
    assert_eq!(result["status"], "answered");
}

async fn an_event_handed_out_twice_changes_nothing_more_and_gets_an_equal_receipt(world: &mut World) {
    for text in ["2", "own words", "skip"] {
        let ask = world.ask(asks::target()).await;
        let first = world.say(Who::Sara, SARA, text).await;
        let before = world.result(ask).await;

        let again = world.redeliver_last(Who::Sara, SARA).await;

        assert_eq!(again.receipt, first.receipt, "{text}");
        assert_eq!(world.result(ask).await, before);
    }
}

async fn a_tap_handed_out_twice_changes_nothing_more_and_gets_an_equal_receipt(world: &mut World) {
    let ask = world.ask(asks::target()).await;
    let prompt = world.prompt(ask, SARA).await;
    let first = world.tap(Who::Sara, SARA, &prompt, "Staging").await;

    let again = world.redeliver_last(Who::Sara, SARA).await;

    assert_eq!(again.receipt, first.receipt);
    assert_eq!(world.values(ask, "deploy_target").await, ["Staging"]);
}

async fn a_kept_answer_handed_out_twice_gets_an_equal_receipt(world: &mut World) {
    for text in ["1: 2", "1: 2; 2: 9"] {
        let ask = world.ask(asks::two()).await;
        let first = world.say(Who::Sara, SARA, text).await;

        let again = world.redeliver_last(Who::Sara, SARA).await;

        first.became("kept");
        assert_eq!(again.receipt, first.receipt, "{text}");
        assert_eq!(world.status(ask).await, "pending");
        world.cancel(ask).await;
    }
}

async fn a_text_after_the_end_changes_nothing(world: &mut World) {
    let ask = world.ask(asks::target()).await;
    world.say(Who::Sara, SARA, "2").await.became("settled");
    let before = world.result(ask).await;

    world.say(Who::Sara, SARA, "1").await.became("told");

    assert_eq!(world.result(ask).await, before);
}

async fn an_ask_that_ends_before_it_is_shown_is_never_shown(world: &mut World) {
    world.fail_next(Call::Post, Fault::Throttled(Duration::from_secs(20)));
    let ask = world.ask(asks::target()).await;
    world.cancel(ask).await;

    world.pass(Duration::from_secs(30)).await;

    assert_eq!(world.status(ask).await, "cancelled");
    assert!(world.seen(SARA).is_empty(), "{:?}", world.seen(SARA));
}
