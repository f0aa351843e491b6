//! Buttons and forms.

use super::{OMID, SARA, labels};
use crate::channel_suite::{
    Call, Case, Fault, Place, Saying, SeenMessage, Who, World, asks, sentences,
    world::{Told, bare, button},
};

pub(super) fn cases() -> Vec<Case> {
    sentences! {
        [Buttons] a_prompt_has_a_button_for_each_option_then_other_and_skip;
        [Buttons] a_tap_on_an_option_settles_and_says_so;
        [Buttons] a_second_tap_by_the_same_person_is_told_what_they_chose;
        [Buttons] a_tap_on_skip_declines_the_ask;
        [Buttons, Groups] a_tap_by_somebody_who_may_not_answer_is_told_and_changes_nothing;
        [Buttons] the_slower_of_two_is_told_who_was_faster_and_what_they_chose;
        [Buttons] of_two_who_tap_at_the_same_time_one_settles_and_the_other_is_told;
        [Buttons] a_button_that_was_copied_to_another_conversation_is_worth_nothing;
        [Buttons] made_up_button_data_is_worth_nothing;
        [Buttons] the_data_of_one_question_pressed_below_another_is_worth_nothing;
        [Buttons, Groups] nobody_else_takes_a_message_over_by_a_forged_press;
        [Buttons] a_tap_by_somebody_who_was_cut_off_or_has_left_is_told_and_changes_nothing;
        [Buttons] after_other_the_persons_own_words_settle;
        [Buttons] after_other_a_number_is_own_words_and_a_label_is_the_option;
        [Buttons] buttons_keep_working_while_own_words_are_asked_for;
        [Buttons, Forms] a_form_that_comes_too_late_is_told_how_it_ended;
        [Buttons, Forms, Groups] a_form_by_somebody_who_may_not_answer_changes_nothing;
        [Buttons] labels_too_long_for_a_button_become_markers_with_the_labels_above;
    }
}

async fn a_prompt_has_a_button_for_each_option_then_other_and_skip(world: &mut World) {
    let ask = world.ask(asks::target()).await;

    let prompt = world.prompt(ask, SARA).await;

    assert_eq!(labels(&prompt), ["Staging", "Production", "Other…", "Skip"]);
}

async fn a_tap_on_an_option_settles_and_says_so(world: &mut World) {
    let ask = world.ask(asks::target()).await;
    let prompt = world.prompt(ask, SARA).await;

    let told = world.tap(Who::Sara, SARA, &prompt, "Production").await;

    told.became("settled");
    told.says(&["Production"]);
    let result = world.result(ask).await;
    assert_eq!(
        result["answers"]["answers"]["deploy_target"],
        serde_json::json!(["Production"])
    );
    assert_eq!(result["settledBy"]["name"], "Sara");
    assert_eq!(result["settledBy"]["how"], "tap");
}

async fn a_second_tap_by_the_same_person_is_told_what_they_chose(world: &mut World) {
    let ask = world.ask(asks::target()).await;
    let prompt = world.prompt(ask, SARA).await;
    world.tap(Who::Sara, SARA, &prompt, "Production").await;

    let told = world.tap(Who::Sara, SARA, &prompt, "Staging").await;

    told.became("too late");
    told.says(&["already", "Production"]);
    assert_eq!(world.values(ask, "deploy_target").await, ["Production"]);
}

async fn a_tap_on_skip_declines_the_ask(world: &mut World) {
    let ask = world.ask(asks::target()).await;
    let prompt = world.prompt(ask, SARA).await;

    let told = world.tap(Who::Sara, SARA, &prompt, "Skip").await;

    told.became("settled");
    assert_eq!(world.result(ask).await["reason"], "skipped");
    assert!(world.ending(ask, SARA).await.contains("Sara"));
}

async fn a_tap_by_somebody_who_may_not_answer_is_told_and_changes_nothing(world: &mut World) {
    world.asks(&[Place::Group], &[Who::Sara]);
    let ask = world.ask(asks::target()).await;
    let prompt = world.prompt(ask, Place::Group).await;

    for who in [Who::Omid, Who::Stranger] {
        let told = world.tap(who, Place::Group, &prompt, "Production").await;

        told.became("not yours");
        assert_eq!(told.texts.len(), 1, "{told:?}");
    }
    assert_eq!(world.status(ask).await, "pending");
    assert_eq!(world.prompt(ask, Place::Group).await, prompt);
}

async fn the_slower_of_two_is_told_who_was_faster_and_what_they_chose(world: &mut World) {
    world.asks(&[SARA, OMID], &[]);
    let ask = world.ask(asks::target()).await;
    let (hers, his) = (world.prompt(ask, SARA).await, world.prompt(ask, OMID).await);
    world.tap(Who::Sara, SARA, &hers, "Staging").await;

    let told = world.tap(Who::Omid, OMID, &his, "Production").await;

    told.became("too late");
    told.says(&["Sara", "Staging"]);
    assert_eq!(world.values(ask, "deploy_target").await, ["Staging"]);
}

async fn of_two_who_tap_at_the_same_time_one_settles_and_the_other_is_told(world: &mut World) {
    world.asks(&[SARA, OMID], &[]);
    let ask = world.ask(asks::target()).await;
    let hers = button(&world.prompt(ask, SARA).await, "Staging");
    let his = button(&world.prompt(ask, OMID).await, "Production");

    world.presses_unheard(Who::Sara, &hers);
    let told = world.press(Who::Omid, OMID, &his).await;

    let result = world.result(ask).await;
    let (winner, value) = match result["settledBy"]["name"].as_str() {
        Some("Sara") => ("Sara", "Staging"),
        _ => ("Omid", "Production"),
    };
    assert_eq!(world.values(ask, "deploy_target").await, [value]);
    told.says(&[value]);
    assert_eq!(told.text().contains("Sara"), winner == "Sara", "{told:?}");
}

async fn a_button_that_was_copied_to_another_conversation_is_worth_nothing(world: &mut World) {
    world.asks(&[OMID], &[Who::Sara, Who::Omid]);
    let elsewhere = world.ask(asks::target()).await;
    let his = world.prompt(elsewhere, OMID).await;
    world.asks(&[SARA], &[Who::Sara, Who::Omid]);
    let ask = world.ask(asks::target()).await;
    let mut copied = button(&world.prompt(ask, SARA).await, "Production");
    copied.on = his.message;

    let told = world.press(Who::Omid, OMID, &copied).await;

    told.became("hint");
    assert_eq!(told.texts.len(), 1, "{told:?}");
    assert_eq!(world.status(ask).await, "pending");
    assert_eq!(world.status(elsewhere).await, "pending");
}

async fn made_up_button_data_is_worth_nothing(world: &mut World) {
    let ask = world.ask(asks::target()).await;
    let real = button(&world.prompt(ask, SARA).await, "Production");
    let token = real.data.split('.').next().unwrap_or_default();
    let forged = [
        "",
        "x",
        "0123456789abcdef0123456789abcdef.1",
        &format!("{token}.7"),
        &format!("{token}.+1"),
        token,
    ];

    for data in forged {
        let mut button = real.clone();
        data.clone_into(&mut button.data);
        let told = world.press(Who::Sara, SARA, &button).await;

        told.became("hint");
        assert_eq!(world.status(ask).await, "pending", "{data}");
    }
}

async fn the_data_of_one_question_pressed_below_another_is_worth_nothing(world: &mut World) {
    let (one, other) = (world.ask(asks::target()).await, world.ask(asks::alerts()).await);
    let third = world.ask(asks::target()).await;
    let (shown, below) = (world.prompt(one, SARA).await, world.prompt(third, SARA).await);
    for label in ["Production", "Skip"] {
        let mut forged = button(&shown, label);
        forged.on = below.message.clone();

        let told = world.press(Who::Sara, SARA, &forged).await;

        told.became("hint");
        assert_eq!(told.texts.len(), 1, "{told:?}");
    }
    for ask in [one, other, third] {
        assert_eq!(world.status(ask).await, "pending");
    }
    world.cancel(one).await;
    assert_eq!(
        world.prompt(third, SARA).await,
        below,
        "the end of one is not shown below another"
    );
    world
        .tap(Who::Sara, SARA, &below, "Staging")
        .await
        .became("settled");
    assert_eq!(world.values(third, "deploy_target").await, ["Staging"]);
}

async fn nobody_else_takes_a_message_over_by_a_forged_press(world: &mut World) {
    world.asks(&[Place::Group], &[Who::Sara]);
    world.fail_next(Call::Post, Fault::Unclear { done: true });
    let unconfirmed = world.ask(asks::target()).await;
    let shown = world.seen(Place::Group).pop().expect("the prompt was shown");
    let before = world.record(unconfirmed).await;

    for who in [Who::Omid, Who::Stranger] {
        let told = world
            .press(who, Place::Group, &button(&shown, "Production"))
            .await;

        told.became("not yours");
        assert_eq!(told.texts.len(), 1, "{told:?}");
    }

    assert_eq!(world.record(unconfirmed).await, before, "and nothing is changed");
    world
        .tap(Who::Sara, Place::Group, &shown, "Production")
        .await
        .became("settled");
    assert_eq!(world.values(unconfirmed, "deploy_target").await, ["Production"]);
}

async fn a_tap_by_somebody_who_was_cut_off_or_has_left_is_told_and_changes_nothing(world: &mut World) {
    world.asks(&[SARA, OMID], &[]);
    let ask = world.ask(asks::target()).await;
    let (hers, his) = (world.prompt(ask, SARA).await, world.prompt(ask, OMID).await);
    world.unpair(Who::Sara).await;
    world.forget_account(Who::Omid);

    for (who, place, prompt) in [(Who::Sara, SARA, &hers), (Who::Omid, OMID, &his)] {
        for label in ["Production", "Skip"] {
            let told = world.tap(who, place, prompt, label).await;

            told.became("not yours");
            assert_eq!(told.texts.len(), 1, "{told:?}");
        }
        assert_eq!(&world.prompt(ask, place).await, prompt);
    }
    assert_eq!(world.status(ask).await, "pending");
}

/// Presses Other…, and writes `text` in the form, or in reply to what asks for it.
async fn write_own(world: &World, prompt: &SeenMessage, text: &str) -> Told {
    world
        .tap(Who::Sara, SARA, prompt, "Other…")
        .await
        .became("write own");
    if world.form(Who::Sara).is_some() {
        return world.fill(Who::Sara, SARA, text).await;
    }
    let wanted = world.seen(SARA).pop().expect("own words are asked for");
    world
        .says(Who::Sara, SARA, &Saying::text(text).reply_to(&wanted))
        .await
}

async fn after_other_the_persons_own_words_settle(world: &mut World) {
    let ask = world.ask(asks::target()).await;
    let prompt = world.prompt(ask, SARA).await;

    let told = write_own(world, &prompt, "neither, please wait").await;

    told.became("settled");
    told.says(&["neither, please wait"]);
    let result = world.result(ask).await;
    assert_eq!(
        result["answers"]["answers"]["deploy_target"],
        serde_json::json!(["neither, please wait"])
    );
    assert_eq!(result["freeText"], serde_json::json!(["deploy_target"]));
}

async fn after_other_a_number_is_own_words_and_a_label_is_the_option(world: &mut World) {
    for (text, free) in [("2", true), ("Production", false)] {
        let ask = world.ask(asks::target()).await;
        let prompt = world.prompt(ask, SARA).await;

        write_own(world, &prompt, text).await.became("settled");

        assert_eq!(world.values(ask, "deploy_target").await, [text]);
        let free_text = world.result(ask).await["freeText"].as_array().map_or(0, Vec::len);
        assert_eq!(free_text == 1, free, "{text}");
    }
}

async fn buttons_keep_working_while_own_words_are_asked_for(world: &mut World) {
    let ask = world.ask(asks::target()).await;
    let prompt = world.prompt(ask, SARA).await;
    world.tap(Who::Sara, SARA, &prompt, "Other…").await;

    let told = world.tap(Who::Sara, SARA, &prompt, "Staging").await;

    told.became("settled");
    assert_eq!(world.values(ask, "deploy_target").await, ["Staging"]);
}

async fn a_form_that_comes_too_late_is_told_how_it_ended(world: &mut World) {
    let ask = world.ask(asks::target()).await;
    let prompt = world.prompt(ask, SARA).await;
    world.tap(Who::Sara, SARA, &prompt, "Other…").await;
    world.cancel(ask).await;

    let told = world.fill(Who::Sara, SARA, "too late").await;

    told.became("too late");
    assert_eq!(world.status(ask).await, "cancelled");
}

async fn a_form_by_somebody_who_may_not_answer_changes_nothing(world: &mut World) {
    world.asks(&[Place::Group], &[Who::Sara, Who::Omid]);
    let ask = world.ask(asks::target()).await;
    let prompt = world.prompt(ask, Place::Group).await;
    world
        .tap(Who::Omid, Place::Group, &prompt, "Other…")
        .await
        .became("write own");
    world.forget_account(Who::Omid);

    let told = world.fill(Who::Omid, Place::Group, "mine").await;

    told.became("not yours");
    assert_eq!(world.status(ask).await, "pending");
}

async fn labels_too_long_for_a_button_become_markers_with_the_labels_above(world: &mut World) {
    let long =
        "A label that goes on for so long that no button of any platform could ever show all of it at once";
    let ask = world.ask(asks::single("Which one?", &[long, "Short"])).await;
    let prompt = world.prompt(ask, SARA).await;

    let told = world.tap(Who::Sara, SARA, &prompt, "1").await;

    assert!(bare(&prompt.text).contains(long), "{}", prompt.text);
    assert_eq!(labels(&prompt)[..2], ["1", "2"]);
    told.became("settled");
    assert_eq!(world.values(ask, "q").await, [long]);
}
