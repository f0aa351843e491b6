//! What the platform does to us for minutes: it throttles, answers garbage, drops connections, loses answers, hangs.

use std::time::Duration;

use askd_core::{broker::ChannelHealth, id::AskId};

use super::{SARA, says};
use crate::channel_suite::{Call, Case, Fault, Feature, Saying, Who, World, asks, sentences};

pub(super) fn cases() -> Vec<Case> {
    sentences! {
        [] a_question_is_shown_within_one_pause_after_posts_work_again;
        [] a_question_whose_post_hangs_is_shown_as_soon_as_it_breaks_off;
        [] of_many_questions_asked_meanwhile_none_is_lost_and_nothing_is_left_over;
        [Edits] an_end_is_shown_within_one_pause_after_edits_work_again;
        [Edits] an_end_whose_edit_hangs_is_shown_as_soon_as_it_breaks_off;
        [] what_is_said_while_nothing_is_heard_counts_within_one_pause;
    }
}

/// How each call fails that gets an answer, or the end of its connection.
const FAULTS: [Fault; 4] = [
    Fault::Throttled(Duration::from_secs(20)),
    Fault::Garbage,
    Fault::Unclear { done: false },
    Fault::Unclear { done: true },
];

/// The longest pause of the dispatcher between two attempts.
const LONGEST_PAUSE: Duration = Duration::from_mins(5);

/// The longest pause of a channel before it connects anew, whatever the platform asks for here.
const LONGEST_SILENCE: Duration = Duration::from_mins(1);

/// Some minutes, with a look every ten seconds.
async fn minutes(world: &World) {
    for _ in 0..18 {
        world.pass(Duration::from_secs(10)).await;
    }
}

async fn next_attempt(world: &World, ask: AskId) -> Duration {
    world.next_attempt(ask).await.expect("it is tried again")
}

async fn a_question_is_shown_within_one_pause_after_posts_work_again(world: &mut World) {
    for fault in FAULTS {
        world.fail_all(Call::Post, fault);
        let rang = world.rings(SARA);
        let ask = world.ask(asks::target()).await;
        minutes(world).await;
        let pause = world.next_attempt(ask).await;

        world.mend().await;
        world.pass(pause.unwrap_or_default()).await;

        let is_done = fault == Fault::Unclear { done: true };
        assert!(
            pause.is_some() || is_done && world.has(Feature::KeyedPosts),
            "nothing was confirmed: {fault:?}"
        );
        assert!(pause <= Some(LONGEST_PAUSE), "{fault:?}: {pause:?}");
        assert_eq!(world.prompts(ask, SARA).await.len(), 1, "{fault:?}");
        if !is_done || world.has(Feature::KeyedPosts) {
            assert_eq!(world.rings(SARA), rang + 1, "{fault:?}");
        }
        world.say(Who::Sara, SARA, "2").await.became("settled");
        assert_eq!(world.values(ask, "deploy_target").await, ["Production"]);
    }
}

async fn a_question_whose_post_hangs_is_shown_as_soon_as_it_breaks_off(world: &mut World) {
    world.fail_all(Call::Post, Fault::Hang);
    let ask = world.ask(asks::target()).await;
    world.pass(Duration::from_secs(25)).await;

    world.mend().await;
    world.pass(next_attempt(world, ask).await).await;

    assert_eq!(world.rings(SARA), 1);
    world.say(Who::Sara, SARA, "2").await.became("settled");
    assert_eq!(world.values(ask, "deploy_target").await, ["Production"]);
}

async fn of_many_questions_asked_meanwhile_none_is_lost_and_nothing_is_left_over(world: &mut World) {
    world.fail_all(Call::Post, Fault::Garbage);
    let mut asked = Vec::new();
    for _ in 0..5 {
        asked.push(world.ask(asks::target()).await);
    }
    minutes(world).await;

    world.mend().await;
    world.pass(LONGEST_PAUSE).await;
    world.pass(LONGEST_PAUSE / 5).await;

    assert_eq!(world.seen(SARA).len(), asked.len(), "each once");
    for ask in &asked {
        assert_eq!(world.prompts(*ask, SARA).await.len(), 1);
        world.cancel(*ask).await;
    }
    world.pass(Duration::from_mins(1)).await;
    for ask in asked {
        let record = world.record(ask).await;
        let done = record
            .deliveries
            .iter()
            .all(|d| d.due.is_none() && d.claimed_until.is_none());
        assert!(record.is_done() && done, "{:?}", record.deliveries);
    }
}

async fn an_end_is_shown_within_one_pause_after_edits_work_again(world: &mut World) {
    for fault in FAULTS {
        let ask = world.ask(asks::target()).await;
        world.fail_all(Call::Edit, fault);
        world.say(Who::Sara, SARA, "2").await.became("settled");
        minutes(world).await;
        let pause = next_attempt(world, ask).await;

        world.mend().await;
        world.pass(pause).await;

        assert!(pause <= LONGEST_PAUSE, "{fault:?}: {pause:?}");
        says(&world.ending(ask, SARA).await, &["Production", "Sara"]);
        assert_eq!(world.prompt(ask, SARA).await.buttons, [], "{fault:?}");
    }
    assert_eq!(world.rings(SARA), FAULTS.len());
}

async fn an_end_whose_edit_hangs_is_shown_as_soon_as_it_breaks_off(world: &mut World) {
    let ask = world.ask(asks::target()).await;
    world.fail_all(Call::Edit, Fault::Hang);
    world.say(Who::Sara, SARA, "2").await.became("settled");
    world.pass(Duration::from_secs(25)).await;

    world.mend().await;
    world.pass(next_attempt(world, ask).await).await;

    says(&world.ending(ask, SARA).await, &["Production", "Sara"]);
    assert_eq!(world.prompt(ask, SARA).await.buttons, []);
}

async fn what_is_said_while_nothing_is_heard_counts_within_one_pause(world: &mut World) {
    for fault in [FAULTS[0], FAULTS[1], FAULTS[2]] {
        let ask = world.ask(asks::target()).await;
        let before = world.health();
        world
            .cut_off(fault, world.deaf_after() + Duration::from_mins(1))
            .await;
        let meanwhile = world.health();
        world.says_unheard(Who::Sara, SARA, &Saying::text("2"));

        let took = world.hears_again().await;

        assert_eq!(
            (before, meanwhile),
            (ChannelHealth::Up, ChannelHealth::Deaf),
            "{fault:?}"
        );
        assert_eq!(world.health(), ChannelHealth::Up, "{fault:?}");
        assert!(took <= LONGEST_SILENCE, "{fault:?}: {took:?}");
        assert_eq!(
            world.values(ask, "deploy_target").await,
            ["Production"],
            "{fault:?}"
        );
    }
}
