//! What people type between us and them.

use std::time::Duration;

use super::{SARA, says};
use crate::channel_suite::{Case, Feature, Place, Saying, Who, World, asks, sentences};

pub(super) fn cases() -> Vec<Case> {
    sentences! {
        [] a_typed_number_or_label_is_that_option;
        [] own_words_are_passed_on_as_they_are;
        [] the_word_for_skipping_declines_the_ask;
        [] a_slip_gets_a_hint_and_the_ask_stays_open;
        [Replies] a_reply_to_the_prompt_or_to_a_hint_is_a_reply_to_the_ask;
        [Replies] with_several_asks_open_a_bare_text_gets_a_hint_and_a_reply_decides;
        [Replies] a_reply_to_an_ask_that_is_over_is_told_how_it_ended;
        [] a_text_with_nothing_open_is_told_so_and_for_an_hour_how_the_last_ended;
        [Redelivery] a_text_from_before_the_prompt_gets_a_hint;
        [Forwards] what_somebody_else_said_does_not_count;
        [Attachments] a_photo_counts_by_its_caption_and_gets_a_hint_without;
        [Machines] bots_are_not_answered;
        [PeopleEdit] an_edit_of_what_got_a_hint_is_read_again;
        [PeopleEdit] any_other_edit_is_told_that_it_does_not_count;
        [] help_tells_what_can_be_done;
        [] pending_lists_what_is_open;
        [] commands_are_no_answers;
    }
}

async fn a_typed_number_or_label_is_that_option(world: &mut World) {
    for text in [
        "2",
        "#2.",
        "۲",
        "２",
        "2️⃣",
        "Production",
        " production ",
        "*Production*",
    ] {
        let ask = world.ask(asks::target()).await;

        let told = world.say(Who::Sara, SARA, text).await;

        told.became("settled");
        told.says(&["Production"]);
        assert_eq!(world.values(ask, "deploy_target").await, ["Production"], "{text}");
        assert_eq!(world.result(ask).await["settledBy"]["how"], "reply");
    }
}

async fn own_words_are_passed_on_as_they_are(world: &mut World) {
    for text in ["2 - but only after 5pm", "neither; wait", "/srv/data", "چرا نه؟"] {
        let ask = world.ask(asks::target()).await;

        let told = world.say(Who::Sara, SARA, text).await;

        told.became("settled");
        told.says(&[text]);
        assert_eq!(world.values(ask, "deploy_target").await, [text]);
        assert_eq!(world.result(ask).await["freeText"][0], "deploy_target");
    }
}

async fn the_word_for_skipping_declines_the_ask(world: &mut World) {
    for text in ["skip", "Skip", "/skip", "رد"] {
        let ask = world.ask(asks::target()).await;

        world.say(Who::Sara, SARA, text).await.became("settled");

        assert_eq!(world.status(ask).await, "skipped", "{text}");
    }
}

async fn a_slip_gets_a_hint_and_the_ask_stays_open(world: &mut World) {
    let ask = world.ask(asks::target()).await;

    for text in ["7", "1 2", "ok"] {
        let told = world.say(Who::Sara, SARA, text).await;

        told.became("hint");
        assert_eq!(told.texts.len(), 1, "{text}: {told:?}");
        assert_eq!(world.status(ask).await, "pending", "{text}");
    }
    world.say(Who::Sara, SARA, "1").await.became("settled");
}

async fn a_reply_to_the_prompt_or_to_a_hint_is_a_reply_to_the_ask(world: &mut World) {
    let first = world.ask(asks::target()).await;
    let second = world.ask(asks::target()).await;
    let prompt = world.prompt(first, SARA).await;

    world
        .says(Who::Sara, SARA, &Saying::text("7").reply_to(&prompt))
        .await
        .became("hint");
    let hint = world.seen(SARA).pop().expect("a hint is shown");
    world
        .says(Who::Sara, SARA, &Saying::text("2").reply_to(&hint))
        .await
        .became("settled");

    assert_eq!(world.values(first, "deploy_target").await, ["Production"]);
    assert_eq!(world.status(second).await, "pending");
}

async fn with_several_asks_open_a_bare_text_gets_a_hint_and_a_reply_decides(world: &mut World) {
    let first = world.ask(asks::target()).await;
    let second = world.ask(asks::alerts()).await;

    let told = world.say(Who::Sara, SARA, "1").await;
    let prompt = world.prompt(second, SARA).await;
    world
        .says(Who::Sara, SARA, &Saying::text("1").reply_to(&prompt))
        .await
        .became("settled");
    world.say(Who::Sara, SARA, "2").await.became("settled");

    told.became("hint");
    told.says(&["Target", "Alerts", "build-bot"]);
    assert_eq!(world.values(second, "alerts").await, ["Ops"]);
    assert_eq!(world.values(first, "deploy_target").await, ["Production"]);
}

async fn a_reply_to_an_ask_that_is_over_is_told_how_it_ended(world: &mut World) {
    let ask = world.ask(asks::target()).await;
    let prompt = world.prompt(ask, SARA).await;
    world.cancel(ask).await;
    let other = world.ask(asks::target()).await;

    let told = world
        .says(Who::Sara, SARA, &Saying::text("2").reply_to(&prompt))
        .await;

    told.became("too late");
    assert_eq!(told.texts.len(), 1, "{told:?}");
    assert_eq!(world.status(other).await, "pending");
}

async fn a_text_with_nothing_open_is_told_so_and_for_an_hour_how_the_last_ended(world: &mut World) {
    let never = world.say(Who::Sara, SARA, "hello?").await;
    let ask = world.ask(asks::target()).await;
    world.say(Who::Sara, SARA, "2").await.became("settled");
    let soon = world.say(Who::Sara, SARA, "1").await;
    world.pass(Duration::from_mins(61)).await;
    let later = world.say(Who::Sara, SARA, "1").await;

    never.became("told");
    soon.says(&["Production"]);
    later.became("told");
    assert_eq!(never.text(), later.text());
    assert_eq!(world.values(ask, "deploy_target").await, ["Production"]);
}

async fn a_text_from_before_the_prompt_gets_a_hint(world: &mut World) {
    world.break_store(true);
    world.say(Who::Sara, SARA, "2").await;
    world.break_store(false);
    if !world.has(Feature::Order) {
        // Nothing but the time tells what came first, in whole seconds. Elsewhere no time may pass, because a channel
        // may try again by itself.
        world.pass(Duration::from_secs(1)).await;
    }
    let ask = world.ask(asks::target()).await;

    // What was not acknowledged comes again, after the prompt.
    world.drop_connection().await;

    assert_eq!(world.status(ask).await, "pending");
    let hint = world.seen(SARA).pop().expect("a hint is shown");
    says(&hint.text, &["before the question"]);
    world.say(Who::Sara, SARA, "2").await.became("settled");
}

async fn what_somebody_else_said_does_not_count(world: &mut World) {
    let ask = world.ask(asks::target()).await;

    let told = world.says(Who::Sara, SARA, &Saying::text("2").forwarded()).await;

    told.became("hint");
    assert_eq!(told.texts.len(), 1, "{told:?}");
    assert_eq!(world.status(ask).await, "pending");
}

async fn a_photo_counts_by_its_caption_and_gets_a_hint_without(world: &mut World) {
    let ask = world.ask(asks::target()).await;

    let bare = world.says(Who::Sara, SARA, &Saying::text("").with_photo()).await;
    let captioned = world.says(Who::Sara, SARA, &Saying::text("2").with_photo()).await;

    bare.became("hint");
    assert_eq!(bare.texts.len(), 1, "{bare:?}");
    captioned.became("settled");
    assert_eq!(world.values(ask, "deploy_target").await, ["Production"]);
}

async fn bots_are_not_answered(world: &mut World) {
    let ask = world.ask(asks::target()).await;

    let told = world.say(Who::Machine, Place::Direct(Who::Machine), "2").await;

    told.is_nothing();
    assert_eq!(world.status(ask).await, "pending");
}

async fn an_edit_of_what_got_a_hint_is_read_again(world: &mut World) {
    let ask = world.ask(asks::target()).await;
    let slip = world.say(Who::Sara, SARA, "7").await;

    let again = world.edits(Who::Sara, SARA, &slip, "8").await;
    let told = world.edits(Who::Sara, SARA, &slip, "2").await;

    again.became("hint");
    told.became("settled");
    assert_eq!(world.values(ask, "deploy_target").await, ["Production"]);
}

async fn any_other_edit_is_told_that_it_does_not_count(world: &mut World) {
    let idle = world.say(Who::Sara, SARA, "hello?").await;
    let ask = world.ask(asks::target()).await;
    let before = world.edits(Who::Sara, SARA, &idle, "1").await;
    let answer = world.say(Who::Sara, SARA, "2").await;
    let after = world.edits(Who::Sara, SARA, &answer, "1").await;

    for told in [before, after] {
        told.became("hint");
        assert_eq!(told.texts.len(), 1, "{told:?}");
    }
    assert_eq!(world.values(ask, "deploy_target").await, ["Production"]);
}

async fn help_tells_what_can_be_done(world: &mut World) {
    for text in ["/help", "/start"] {
        let told = world.say(Who::Sara, SARA, text).await;

        told.became("told");
        told.says(&["skip"]);
        if world.capabilities(SARA).slash_commands {
            told.says(&["/pending"]);
        }
    }
}

async fn pending_lists_what_is_open(world: &mut World) {
    let none = world.say(Who::Sara, SARA, "/pending").await;
    world.ask(asks::target()).await;
    world.ask(asks::alerts()).await;

    let told = world.say(Who::Sara, SARA, "/pending").await;

    none.became("told");
    told.became("told");
    told.says(&["2", "Target", "Alerts", "build-bot", "15"]);
}

async fn commands_are_no_answers(world: &mut World) {
    let ask = world.ask(asks::target()).await;

    for text in ["/help", "/pending", "/start"] {
        world.say(Who::Sara, SARA, text).await.became("told");
    }

    assert_eq!(world.status(ask).await, "pending");
}
