//! New asks: keys, repeats and the limit of pending ones.

use std::sync::Arc;

use askd_core::{
    id::{ActionToken, AskId},
    stage::End,
    store::Asked,
};

use super::{Bench, Case, all_at_once, at, named, sara};
use crate::{chance::SeededChance, clock::START, sample};

pub(super) fn cases() -> Vec<Case> {
    named![
        a_new_ask_is_stored_whole,
        what_was_never_stored_is_none,
        a_button_finds_its_ask_whatever_its_stage,
        the_same_key_and_body_return_the_first_ask_as_it_is_now,
        the_same_key_with_another_body_is_refused,
        a_key_belongs_to_its_owner,
        asks_without_a_key_are_never_repeats,
        the_same_ask_once_more_is_a_repeat,
        many_repeats_at_once_store_one_ask,
        an_owner_with_too_many_pending_is_refused_and_told_how_many,
        an_ask_that_ends_makes_room,
        the_limit_is_each_owners_own,
        a_repeat_is_never_one_too_many,
        the_limit_holds_when_many_ask_at_once,
        an_ask_that_reached_nobody_is_stored_over_and_counts_for_no_limit,
    ]
}

async fn a_new_ask_is_stored_whole(bench: Bench) {
    let sample = bench
        .sample()
        .to(&["telegram:1", "slack:C1"])
        .session("web-7")
        .run("r1")
        .context(4000);
    let new = sample
        .questions(sample::questions([sample::target(), sample::alerts()]))
        .new_ask();

    let asked = bench.store.ask(new.clone()).await.unwrap();

    assert_eq!(asked, Asked::New(Box::new(new.record.clone())));
    assert_eq!(bench.get(new.record.ask.id).await, new.record);
}

async fn what_was_never_stored_is_none(bench: Bench) {
    bench.ask(bench.sample()).await;
    let chance = SeededChance::new(99);
    let id = AskId::make(START, &chance);

    assert_eq!(bench.store.get(id).await.unwrap(), None);
    assert_eq!(
        bench.store.by_action(ActionToken::make(&chance)).await.unwrap(),
        None
    );
    assert_eq!(
        bench.store.close(id, End::Cancelled, None, START).await.unwrap(),
        None
    );
    let (answers, by) = (
        sample::answers("deploy_target", 0, &sara()),
        sample::by("sara", &sara()),
    );
    assert_eq!(
        bench.store.keep(id, answers, by, None, START).await.unwrap(),
        None
    );
}

async fn a_button_finds_its_ask_whatever_its_stage(bench: Bench) {
    let (open, over) = (bench.ask(bench.sample()).await, bench.ask(bench.sample()).await);
    bench
        .store
        .close(over.ask.id, End::Cancelled, None, START)
        .await
        .unwrap();

    for id in [open.ask.id, over.ask.id] {
        let record = bench.get(id).await;
        assert_eq!(
            bench.store.by_action(record.ask.action).await.unwrap(),
            Some(record)
        );
    }
}

async fn the_same_key_and_body_return_the_first_ask_as_it_is_now(bench: Bench) {
    let first = bench.ask(bench.sample().key("k", 1)).await;
    bench
        .store
        .close(first.ask.id, sample::answered("sara", &sara()), None, at(1))
        .await
        .unwrap();

    let second = bench
        .store
        .ask(bench.sample().key("k", 1).new_ask())
        .await
        .unwrap();

    assert_eq!(second, Asked::Repeat(Box::new(bench.get(first.ask.id).await)));
}

async fn the_same_key_with_another_body_is_refused(bench: Bench) {
    bench.ask(bench.sample().key("k", 1)).await;
    let other = bench.sample().key("k", 2).new_ask();
    let id = other.record.ask.id;

    assert_eq!(bench.store.ask(other).await.unwrap(), Asked::OtherBody);
    assert_eq!(bench.store.get(id).await.unwrap(), None, "and is not stored");
}

async fn a_key_belongs_to_its_owner(bench: Bench) {
    bench.ask(bench.sample().owner("build-bot").key("k", 1)).await;

    bench.ask(bench.sample().owner("test-bot").key("k", 2)).await;
}

async fn asks_without_a_key_are_never_repeats(bench: Bench) {
    bench.ask(bench.sample()).await;

    bench.ask(bench.sample()).await;
}

async fn the_same_ask_once_more_is_a_repeat(bench: Bench) {
    let new = bench.sample().max_pending(1).new_ask();
    bench.store.ask(new.clone()).await.unwrap();

    let again = bench.store.ask(new.clone()).await.unwrap();

    assert_eq!(
        again,
        Asked::Repeat(Box::new(new.record)),
        "the caller may not know whether it got through"
    );
}

async fn many_repeats_at_once_store_one_ask(bench: Bench) {
    let asks: Vec<_> = (0..16).map(|_| bench.sample().key("k", 1).new_ask()).collect();

    let asked = all_at_once(asks.into_iter().map(|new| {
        let store = Arc::clone(&bench.store);
        async move { store.ask(new).await.unwrap() }
    }))
    .await;

    let ids: Vec<_> = asked.iter().map(id).collect();
    assert!(ids.iter().all(|id| *id == ids[0]), "everybody gets the same ask");
    assert_eq!(
        asked
            .iter()
            .filter(|asked| matches!(asked, Asked::New(_)))
            .count(),
        1
    );
}

fn id(asked: &Asked) -> AskId {
    match asked {
        Asked::New(record) | Asked::Repeat(record) => record.ask.id,
        other => panic!("refused: {other:?}"),
    }
}

async fn an_owner_with_too_many_pending_is_refused_and_told_how_many(bench: Bench) {
    for _ in 0..2 {
        bench.ask(bench.sample().max_pending(2)).await;
    }
    let third = bench.sample().max_pending(2).key("k", 1).new_ask();
    let id = third.record.ask.id;

    assert_eq!(
        bench.store.ask(third).await.unwrap(),
        Asked::TooMany { pending: 2 }
    );
    assert_eq!(bench.store.get(id).await.unwrap(), None, "and is not stored");
}

async fn an_ask_that_ends_makes_room(bench: Bench) {
    let first = bench.ask(bench.sample().max_pending(1)).await;
    bench
        .store
        .close(first.ask.id, End::Cancelled, None, START)
        .await
        .unwrap();

    bench.ask(bench.sample().max_pending(1)).await;
}

async fn the_limit_is_each_owners_own(bench: Bench) {
    bench.ask(bench.sample().owner("build-bot").max_pending(1)).await;

    bench.ask(bench.sample().owner("test-bot").max_pending(1)).await;
}

async fn a_repeat_is_never_one_too_many(bench: Bench) {
    bench.ask(bench.sample().max_pending(1).key("k", 1)).await;

    let again = bench
        .store
        .ask(bench.sample().max_pending(1).key("k", 1).new_ask())
        .await
        .unwrap();

    assert!(matches!(again, Asked::Repeat(_)), "{again:?}");
}

async fn the_limit_holds_when_many_ask_at_once(bench: Bench) {
    let asks: Vec<_> = (0..16).map(|_| bench.sample().max_pending(5).new_ask()).collect();

    let asked = all_at_once(asks.into_iter().map(|new| {
        let store = Arc::clone(&bench.store);
        async move { store.ask(new).await.unwrap() }
    }))
    .await;

    let taken = asked
        .iter()
        .filter(|asked| matches!(asked, Asked::New(_)))
        .count();
    let refused = asked
        .iter()
        .filter(|asked| **asked == Asked::TooMany { pending: 5 })
        .count();
    assert_eq!((taken, refused), (5, 11));
}

async fn an_ask_that_reached_nobody_is_stored_over_and_counts_for_no_limit(bench: Bench) {
    bench.ask(bench.sample().max_pending(1)).await;

    let record = bench.ask(bench.sample().unrouted().to(&[]).max_pending(1)).await;

    assert_eq!(bench.get(record.ask.id).await.ask.status(), "undelivered");
    assert_eq!(
        bench.store.next_deadline().await.unwrap(),
        Some(at(900)),
        "of the other ask"
    );
}
