//! Where more than one person reads.

use super::{SARA, says};
use crate::channel_suite::{Case, Place, Saying, Who, World, asks, sentences};

pub(super) fn cases() -> Vec<Case> {
    sentences! {
        [Groups] a_bare_text_in_a_group_is_not_heard;
        [Groups] a_mention_is_heard_in_full;
        [Groups, Replies] a_reply_to_the_prompt_is_heard_in_full;
        [Groups] a_command_is_heard;
        [Groups, Replies] somebody_who_may_not_answer_is_told_once_and_changes_nothing;
        [Groups, Replies, PrivateTexts] what_concerns_one_alone_is_said_to_them_alone;
        [Groups, Replies, HiddenSenders] somebody_whose_account_is_hidden_is_told_why_it_does_not_count;
        [Groups, Threads, BareGroupTexts] in_the_prompts_thread_a_bare_option_counts;
        [Groups, Threads, BareGroupTexts] other_talk_in_the_thread_gets_one_hint;
        [Groups, Threads, BareGroupTexts] a_mention_in_the_thread_is_heard_in_full;
        [Groups, Threads, BareGroupTexts] others_may_talk_in_the_thread;
        [Groups] own_words_stand_only_where_they_were_written;
        [Groups] a_stranger_is_not_taught_to_pair_where_others_read;
        [Groups] any_of_those_who_may_answer_answers_for_all;
    }
}

const GROUP: Place = Place::Group;

async fn a_bare_text_in_a_group_is_not_heard(world: &mut World) {
    world.asks(&[GROUP], &[Who::Sara]);
    let ask = world.ask(asks::target()).await;

    for who in [Who::Sara, Who::Omid, Who::Stranger] {
        world.say(who, GROUP, "2").await.is_nothing();
    }

    assert_eq!(world.status(ask).await, "pending");
}

async fn a_mention_is_heard_in_full(world: &mut World) {
    world.asks(&[GROUP], &[Who::Sara]);
    for (text, value) in [("2", "Production"), ("neither of these", "neither of these")] {
        let ask = world.ask(asks::target()).await;

        world
            .says(Who::Sara, GROUP, &Saying::text(text).mentioning())
            .await
            .became("settled");

        assert_eq!(world.values(ask, "deploy_target").await, [value]);
    }
}

async fn a_reply_to_the_prompt_is_heard_in_full(world: &mut World) {
    world.asks(&[GROUP], &[Who::Sara]);
    for (text, value) in [("2", "Production"), ("neither of these", "neither of these")] {
        let ask = world.ask(asks::target()).await;
        let prompt = world.prompt(ask, GROUP).await;

        world
            .says(Who::Sara, GROUP, &Saying::text(text).reply_to(&prompt))
            .await
            .became("settled");

        assert_eq!(world.values(ask, "deploy_target").await, [value]);
    }
}

async fn a_command_is_heard(world: &mut World) {
    world.asks(&[GROUP], &[Who::Sara]);
    let ask = world.ask(asks::target()).await;

    world.say(Who::Sara, GROUP, "/pending").await.says(&["Target"]);
    world.say(Who::Sara, GROUP, "/skip").await.became("settled");

    assert_eq!(world.status(ask).await, "skipped");
}

async fn somebody_who_may_not_answer_is_told_once_and_changes_nothing(world: &mut World) {
    world.asks(&[GROUP], &[Who::Sara]);
    let ask = world.ask(asks::target()).await;
    let prompt = world.prompt(ask, GROUP).await;
    let reply = Saying::text("2").reply_to(&prompt);

    let first = world.says(Who::Omid, GROUP, &reply).await;
    let second = world.says(Who::Omid, GROUP, &reply).await;
    let other = world.says(Who::Stranger, GROUP, &reply).await;

    for told in [first, other] {
        told.became("not yours");
        assert_eq!(told.texts.len(), 1, "{told:?}");
    }
    second.is_nothing();
    assert_eq!(world.status(ask).await, "pending");
}

async fn what_concerns_one_alone_is_said_to_them_alone(world: &mut World) {
    world.asks(&[GROUP], &[Who::Sara]);
    let ask = world.ask(asks::target()).await;
    let prompt = world.prompt(ask, GROUP).await;
    let before = world.seen(GROUP);

    world
        .says(Who::Omid, GROUP, &Saying::text("2").reply_to(&prompt))
        .await
        .became("not yours");
    world
        .says(Who::Sara, GROUP, &Saying::text("7").reply_to(&prompt))
        .await
        .became("hint");

    assert_eq!(world.seen(GROUP), before);
}

async fn somebody_whose_account_is_hidden_is_told_why_it_does_not_count(world: &mut World) {
    world.asks(&[GROUP], &[Who::Sara]);
    let ask = world.ask(asks::target()).await;
    let prompt = world.prompt(ask, GROUP).await;

    let told = world
        .says(Who::Hidden, GROUP, &Saying::text("2").reply_to(&prompt))
        .await;

    told.became("not yours");
    told.says(&["hidden"]);
    assert_eq!(world.status(ask).await, "pending");
}

async fn in_the_prompts_thread_a_bare_option_counts(world: &mut World) {
    world.asks(&[GROUP], &[Who::Sara]);
    for (text, status) in [("2", "answered"), ("Production", "answered"), ("skip", "skipped")] {
        let ask = world.ask(asks::target()).await;
        let prompt = world.prompt(ask, GROUP).await;

        world
            .says(Who::Sara, GROUP, &Saying::text(text).in_thread(&prompt))
            .await
            .became("settled");

        assert_eq!(world.status(ask).await, status, "{text}");
    }
}

async fn other_talk_in_the_thread_gets_one_hint(world: &mut World) {
    world.asks(&[GROUP], &[Who::Sara]);
    let ask = world.ask(asks::target()).await;
    let prompt = world.prompt(ask, GROUP).await;

    let first = world
        .says(
            Who::Sara,
            GROUP,
            &Saying::text("which is cheaper?").in_thread(&prompt),
        )
        .await;
    let second = world
        .says(Who::Sara, GROUP, &Saying::text("I wonder").in_thread(&prompt))
        .await;
    let third = world
        .says(Who::Sara, GROUP, &Saying::text("1").in_thread(&prompt))
        .await;

    first.became("hint");
    assert_eq!(first.texts.len(), 1, "{first:?}");
    second.is_nothing();
    third.became("settled");
    assert_eq!(world.values(ask, "deploy_target").await, ["Staging"]);
}

async fn a_mention_in_the_thread_is_heard_in_full(world: &mut World) {
    world.asks(&[GROUP], &[Who::Sara]);
    let ask = world.ask(asks::target()).await;
    world.ask(asks::alerts()).await;
    let prompt = world.prompt(ask, GROUP).await;
    let saying = Saying::text("neither").in_thread(&prompt).mentioning();

    world.says(Who::Sara, GROUP, &saying).await.became("settled");

    assert_eq!(world.values(ask, "deploy_target").await, ["neither"]);
}

async fn others_may_talk_in_the_thread(world: &mut World) {
    world.asks(&[GROUP], &[Who::Sara]);
    let ask = world.ask(asks::target()).await;
    let prompt = world.prompt(ask, GROUP).await;

    for who in [Who::Omid, Who::Stranger] {
        world
            .says(who, GROUP, &Saying::text("2").in_thread(&prompt))
            .await
            .is_nothing();
    }

    assert_eq!(world.status(ask).await, "pending");
}

async fn own_words_stand_only_where_they_were_written(world: &mut World) {
    world.asks(&[SARA, GROUP], &[Who::Sara]);
    let ask = world.ask(asks::target()).await;

    let told = world.say(Who::Sara, SARA, "only after lunch").await;

    told.says(&["only after lunch"]);
    let elsewhere = world.ending(ask, GROUP).await;
    assert!(!elsewhere.contains("lunch"), "{elsewhere}");
    says(&elsewhere, &["own words", "Sara"]);
}

async fn a_stranger_is_not_taught_to_pair_where_others_read(world: &mut World) {
    for text in ["hello", "/help", "/start"] {
        world
            .says(Who::Stranger, GROUP, &Saying::text(text).mentioning())
            .await
            .is_nothing();
    }
}

async fn any_of_those_who_may_answer_answers_for_all(world: &mut World) {
    world.asks(&[GROUP, SARA], &[Who::Sara, Who::Omid]);
    let ask = world.ask(asks::target()).await;

    world
        .says(Who::Omid, GROUP, &Saying::text("1").mentioning())
        .await
        .became("settled");
    let late = world.say(Who::Sara, SARA, "2").await;

    late.says(&["Omid", "Staging"]);
    says(&world.ending(ask, SARA).await, &["Staging", "Omid"]);
}
