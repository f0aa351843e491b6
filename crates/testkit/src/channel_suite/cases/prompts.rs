//! What a new ask shows.

use askd_core::words::Language;

use super::{OMID, SARA, labels, read, says};
use crate::channel_suite::{Case, Feature, Place, Who, World, asks, sentences};

pub(super) fn cases() -> Vec<Case> {
    sentences! {
        [] a_prompt_tells_all_that_is_needed_to_answer;
        [] a_prompt_says_tap_only_where_there_are_buttons;
        [] only_a_new_ask_rings;
        [] a_prompt_is_in_the_readers_language;
        [] everybody_asked_sees_the_ask_and_nobody_else;
        [Groups] a_place_sees_the_ask_and_not_the_people_in_it;
        [] several_questions_are_a_numbered_text;
        [] asks_come_in_the_order_in_which_they_were_asked;
    }
}

async fn a_prompt_tells_all_that_is_needed_to_answer(world: &mut World) {
    let ask = world.ask(asks::explained()).await;

    let text = read(&world.prompts(ask, SARA).await);

    says(
        &text,
        &[
            "build-bot",
            "shop",
            "The build is green.",
            "Target",
            "Where should this go?",
        ],
    );
    says(
        &text,
        &[
            "Staging (Recommended)",
            "Safe; resets nightly",
            "Production",
            "Everybody sees it",
        ],
    );
    says(&text, &["09:45", "1", "2"]);
}

async fn a_prompt_says_tap_only_where_there_are_buttons(world: &mut World) {
    for (question, has_buttons) in [
        (asks::target(), world.has(Feature::Buttons)),
        (asks::alerts(), false),
    ] {
        let ask = world.ask(question).await;
        let prompts = world.prompts(ask, SARA).await;

        let has_options = prompts.iter().flat_map(labels).any(|label| label != "Skip");

        assert_eq!(
            read(&prompts).to_lowercase().contains("tap"),
            has_buttons,
            "{prompts:?}"
        );
        assert_eq!(has_options, has_buttons, "{prompts:?}");
    }
}

async fn only_a_new_ask_rings(world: &mut World) {
    let ask = world.ask(asks::target()).await;
    world.say(Who::Sara, SARA, "99").await.became("hint");
    world.say(Who::Sara, SARA, "2").await.became("settled");
    let second = world.ask(asks::target()).await;
    world.cancel(second).await;

    assert_eq!(world.status(ask).await, "answered");
    assert_eq!(world.rings(SARA), 2, "{:?}", world.seen(SARA));
}

async fn a_prompt_is_in_the_readers_language(world: &mut World) {
    world.asks(&[SARA, OMID], &[]);
    world.speaks(Who::Sara, Language::Persian);
    let ask = world.ask(asks::target()).await;

    let hers = read(&world.prompts(ask, SARA).await);
    let his = read(&world.prompts(ask, OMID).await);
    world.say(Who::Sara, SARA, "۲").await.says(&["Production"]);

    // What the platform itself renders is in the language of its own clients.
    let rendered = world.capabilities(SARA).instants;
    let until = if rendered { "09:45" } else { "۰۹:۴۵" };
    says(&hers, &["Where should this go?", "۱", "۲", until]);
    says(&his, &["Where should this go?", "1", "2", "09:45"]);
    assert_eq!(world.values(ask, "deploy_target").await, ["Production"]);
}

async fn everybody_asked_sees_the_ask_and_nobody_else(world: &mut World) {
    world.asks(&[SARA, OMID], &[]);
    let both = world.ask(asks::target()).await;
    world.asks(&[OMID], &[]);
    let his = world.ask(asks::alerts()).await;

    assert_eq!(
        (
            world.prompts(both, SARA).await.len(),
            world.prompts(both, OMID).await.len()
        ),
        (1, 1)
    );
    assert_eq!(
        (
            world.prompts(his, SARA).await.len(),
            world.prompts(his, OMID).await.len()
        ),
        (0, 1)
    );
}

async fn a_place_sees_the_ask_and_not_the_people_in_it(world: &mut World) {
    world.asks(&[Place::Group], &[Who::Sara]);
    let ask = world.ask(asks::target()).await;

    assert_eq!(world.prompts(ask, Place::Group).await.len(), 1);
    assert!(world.seen(SARA).is_empty());
}

async fn several_questions_are_a_numbered_text(world: &mut World) {
    let ask = world.ask(asks::two()).await;

    let prompts = world.prompts(ask, SARA).await;
    let text = read(&prompts);

    says(
        &text,
        &["Target", "Where should this go?", "Staging", "Production"],
    );
    says(
        &text,
        &[
            "Alerts",
            "Who should hear about it?",
            "Ops",
            "Developers",
            "Nobody",
        ],
    );
    let buttons: Vec<String> = prompts.iter().flat_map(labels).collect();
    let skips = if world.has(Feature::Buttons) {
        buttons == ["Skip"]
    } else {
        text.contains("skip")
    };
    assert!(skips, "{prompts:?}");
}

async fn asks_come_in_the_order_in_which_they_were_asked(world: &mut World) {
    for number in 0..4 {
        let ask = asks::single(&format!("Question number {number}?"), &["This", "That"]);
        world.try_ask(ask).await.expect("the ask is taken over");
        world.tick();
    }
    world.settle().await;

    let seen = world.seen(SARA);
    let first = |n: usize| {
        seen.iter()
            .position(|message| message.text.contains(&format!("number {n}?")))
    };
    let firsts: Vec<Option<usize>> = (0..4).map(first).collect();

    assert!(
        firsts.iter().all(Option::is_some) && firsts.is_sorted(),
        "{seen:?}"
    );
}
