//! Recognising events and messages again.

use std::{sync::Arc, time::Duration};

use askd_core::{
    id::MessageRef,
    store::{Heard, Verdict},
};

use super::{Bench, Case, all_at_once, at, named, omid, sara};
use crate::{clock::START, sample};

pub(super) fn cases() -> Vec<Case> {
    named![
        a_noted_event_is_known_on_its_channel_alone,
        an_event_noted_twice_keeps_its_first_verdict,
        an_event_that_ended_an_ask_is_known,
        a_message_keeps_what_became_of_its_first_version,
        what_was_said_is_not_said_again_within_its_time,
        what_was_said_once_for_ever_is_never_said_again,
        one_of_many_at_once_says_it,
    ]
}

async fn a_noted_event_is_known_on_its_channel_alone(bench: Bench) {
    let heard = bench.samples.heard(&sara(), None, "m1", Verdict::Other, START);

    bench.store.note(heard.clone()).await.unwrap();

    let store = &bench.store;
    assert_eq!(
        store.heard(&heard.channel, &heard.event).await.unwrap(),
        Some(heard.clone())
    );
    assert_eq!(
        store
            .heard(&sample::channel("slack"), &heard.event)
            .await
            .unwrap(),
        None
    );
    assert_eq!(
        store
            .heard_message(&sample::channel("slack"), &MessageRef::new("m1"))
            .await
            .unwrap(),
        None
    );
}

async fn an_event_noted_twice_keeps_its_first_verdict(bench: Bench) {
    let first = bench.samples.heard(&sara(), None, "m1", Verdict::Hint, START);
    let second = Heard {
        verdict: Verdict::Other,
        at: at(1),
        ..first.clone()
    };

    bench.store.note(first.clone()).await.unwrap();
    bench.store.note(second).await.unwrap();

    assert_eq!(
        bench.store.heard(&first.channel, &first.event).await.unwrap(),
        Some(first)
    );
}

async fn an_event_that_ended_an_ask_is_known(bench: Bench) {
    let record = bench.shown(bench.sample(), &["m1"]).await;
    let heard = bench
        .samples
        .heard(&sara(), Some(record.ask.id), "tap", Verdict::Settled, at(1));

    bench
        .store
        .close(
            record.ask.id,
            sample::answered("sara", &sara()),
            Some(heard.clone()),
            at(1),
        )
        .await
        .unwrap();

    assert_eq!(
        bench.store.heard(&heard.channel, &heard.event).await.unwrap(),
        Some(heard)
    );
}

async fn a_message_keeps_what_became_of_its_first_version(bench: Bench) {
    let said = bench.samples.heard(&sara(), None, "m1", Verdict::Hint, START);
    let edited = bench.samples.heard(&sara(), None, "m1", Verdict::Kept, at(1));
    let elsewhere = bench.samples.heard(&omid(), None, "m2", Verdict::Other, at(1));

    for heard in [&said, &edited, &elsewhere] {
        bench.store.note(heard.clone()).await.unwrap();
    }

    let found = bench
        .store
        .heard_message(&said.channel, &MessageRef::new("m1"))
        .await
        .unwrap();
    assert_eq!(found, Some(said));
    assert_eq!(
        bench.store.heard(&edited.channel, &edited.event).await.unwrap(),
        Some(edited),
        "the event is known"
    );
}

async fn what_was_said_is_not_said_again_within_its_time(bench: Bench) {
    let every = Duration::from_mins(10);
    let say = async |key: &str, now| bench.store.say_once(key, at(now), every).await.unwrap();

    assert!(say("how to pair: telegram:9", 0).await);
    assert!(say("how to pair: telegram:8", 0).await, "another key");
    assert!(!say("how to pair: telegram:9", 599).await);
    assert!(
        say("how to pair: telegram:9", 600).await,
        "refusals in between do not put it off"
    );
    assert!(!say("how to pair: telegram:9", 601).await);
}

async fn what_was_said_once_for_ever_is_never_said_again(bench: Bench) {
    assert!(bench.store.say_once("k", START, Duration::MAX).await.unwrap());

    assert!(
        !bench
            .store
            .say_once("k", at(1_000_000_000), Duration::MAX)
            .await
            .unwrap()
    );
}

async fn one_of_many_at_once_says_it(bench: Bench) {
    let said = all_at_once((0..16).map(|_| {
        let store = Arc::clone(&bench.store);
        async move { store.say_once("k", START, Duration::from_mins(10)).await.unwrap() }
    }))
    .await;

    assert_eq!(said.into_iter().filter(|said| *said).count(), 1);
}
