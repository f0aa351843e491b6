//! Accounts that nobody owns, and how they come to be somebody's.

use std::time::Duration;

use super::{OMID, SARA};
use crate::channel_suite::{Case, Place, Saying, Who, World, asks, sentences};

pub(super) fn cases() -> Vec<Case> {
    sentences! {
        [] an_unknown_account_is_told_how_to_be_paired_once_in_ten_minutes;
        [] a_code_sent_directly_ties_the_account;
        [] a_code_works_once;
        [] a_code_is_worth_nothing_after_ten_minutes;
        [Groups] a_code_that_others_saw_is_burnt;
        [] guessing_is_stopped;
        [] an_account_that_was_cut_off_cannot_answer;
        [] a_code_that_somebody_known_hands_in_makes_them_who_it_names;
        [Groups, HiddenSenders] a_code_that_somebody_hidden_shows_to_others_is_burnt;
        [Groups] a_code_in_the_middle_of_what_others_see_is_burnt;
        [PairingLinks] a_link_hands_the_code_in;
        [Redelivery] a_code_handed_out_twice_is_told_the_same;
        [Forwards] a_code_that_was_passed_on_ties_nobody;
    }
}

const STRANGER: Place = Place::Direct(Who::Stranger);

async fn an_unknown_account_is_told_how_to_be_paired_once_in_ten_minutes(world: &mut World) {
    let first = world.say(Who::Stranger, STRANGER, "hello").await;
    let others = ["hello", "/start", "/help", "/pending"];
    for text in others {
        world.say(Who::Stranger, STRANGER, text).await.is_nothing();
    }
    world.pass(Duration::from_mins(10)).await;
    let later = world.say(Who::Stranger, STRANGER, "/start").await;

    for told in [first, later] {
        told.became("not yours");
        told.says(&["pairing code"]);
    }
}

async fn a_code_sent_directly_ties_the_account(world: &mut World) {
    world.forget_account(Who::Omid);
    world.asks(&[OMID], &[]);
    for start in ["", "/start "] {
        let offer = world.pair(Who::Omid).await;

        let told = world
            .say(Who::Omid, OMID, &format!("{start}{}", offer.code))
            .await;

        told.became("told");
        told.says(&["Omid"]);
        let ask = world.ask(asks::target()).await;
        world.say(Who::Omid, OMID, "2").await.became("settled");
        assert_eq!(world.result(ask).await["settledBy"]["name"], "Omid");
        world.unpair(Who::Omid).await;
    }
}

async fn a_code_works_once(world: &mut World) {
    let offer = world.pair(Who::Omid).await;
    world.say(Who::Omid, OMID, &offer.code).await.says(&["Omid"]);

    let told = world.say(Who::Stranger, STRANGER, &offer.code).await;

    told.says(&["does not work"]);
    world
        .say(Who::Stranger, STRANGER, "hello")
        .await
        .became("not yours");
}

async fn a_code_is_worth_nothing_after_ten_minutes(world: &mut World) {
    let offer = world.pair(Who::Omid).await;
    world.pass(Duration::from_mins(10)).await;

    let told = world.say(Who::Stranger, STRANGER, &offer.code).await;

    told.says(&["does not work"]);
}

async fn a_code_that_others_saw_is_burnt(world: &mut World) {
    let offer = world.pair(Who::Omid).await;

    let seen = world
        .say(Who::Omid, Place::Group, &format!("/start {}", offer.code))
        .await;
    let direct = world.say(Who::Omid, OMID, &offer.code).await;

    seen.says(&["does not work any more"]);
    direct.says(&["does not work"]);
}

async fn guessing_is_stopped(world: &mut World) {
    let offer = world.pair(Who::Omid).await;
    for n in 0..5 {
        world
            .say(Who::Stranger, STRANGER, &format!("{n:032x}"))
            .await
            .says(&["does not work"]);
    }

    let told = world.say(Who::Stranger, STRANGER, &offer.code).await;
    world.pass(Duration::from_mins(11)).await;
    let fresh = world.pair(Who::Omid).await;
    let later = world.say(Who::Stranger, STRANGER, &fresh.code).await;

    told.says(&["Too many"]);
    later.says(&["Omid"]);
}

async fn an_account_that_was_cut_off_cannot_answer(world: &mut World) {
    let ask = world.ask(asks::target()).await;
    world.unpair(Who::Sara).await;

    let told = world.say(Who::Sara, SARA, "2").await;

    told.became("not yours");
    assert_eq!(world.status(ask).await, "pending");
}

async fn a_code_that_somebody_known_hands_in_makes_them_who_it_names(world: &mut World) {
    let ask = world.ask(asks::target()).await;
    let offer = world.pair(Who::Omid).await;

    world.say(Who::Sara, SARA, &offer.code).await.says(&["Omid"]);
    let told = world.say(Who::Sara, SARA, "2").await;

    told.became("not yours");
    assert_eq!(world.status(ask).await, "pending");
    world
        .say(Who::Stranger, STRANGER, &offer.code)
        .await
        .says(&["does not work"]);
}

async fn a_code_that_somebody_hidden_shows_to_others_is_burnt(world: &mut World) {
    let offer = world.pair(Who::Omid).await;

    let seen = world
        .says(
            Who::Hidden,
            Place::Group,
            &Saying::text(offer.code.as_str()).mentioning(),
        )
        .await;
    let direct = world.say(Who::Omid, OMID, &offer.code).await;

    seen.says(&["does not work any more"]);
    direct.says(&["does not work"]);
}

async fn a_code_in_the_middle_of_what_others_see_is_burnt(world: &mut World) {
    let offer = world.pair(Who::Omid).await;
    let text = format!(
        "here it is: https://chat.example.org/askd?start={}, ok?",
        offer.code
    );

    let seen = world
        .says(Who::Sara, Place::Group, &Saying::text(text).mentioning())
        .await;
    let direct = world.say(Who::Omid, OMID, &offer.code).await;

    seen.says(&["does not work any more"]);
    direct.says(&["does not work"]);
}

async fn a_link_hands_the_code_in(world: &mut World) {
    let offer = world.pair(Who::Omid).await;

    let links: Vec<&str> = offer.links.iter().map(|(_, link)| link.as_str()).collect();

    assert_eq!(links.len(), 1, "{links:?}");
    assert!(links[0].contains(&offer.code), "{links:?}");
}

async fn a_code_handed_out_twice_is_told_the_same(world: &mut World) {
    let offer = world.pair(Who::Omid).await;
    let first = world.say(Who::Stranger, STRANGER, &offer.code).await;

    let again = world.redeliver_last(Who::Stranger, STRANGER).await;

    first.says(&["Omid"]);
    assert_eq!(again.receipt, first.receipt);
}

async fn a_code_that_was_passed_on_ties_nobody(world: &mut World) {
    let offer = world.pair(Who::Omid).await;
    let forwarded = Saying::text(offer.code.as_str()).forwarded();

    world
        .says(Who::Stranger, STRANGER, &forwarded)
        .await
        .became("not yours");

    world.say(Who::Omid, OMID, &offer.code).await.says(&["Omid"]);
}
