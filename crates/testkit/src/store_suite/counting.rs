//! What operators are told: counts of what happened, and whether anything can be stored.

use askd_core::{
    id::RunId,
    stage::End,
    store::{DeliveryResult, Failure, PutBack, Tally},
};

use super::{Bench, Case, all_at_once, at, named, sara};
use crate::{clock::START, sample};

pub(super) fn cases() -> Vec<Case> {
    named![
        each_end_is_counted_once_whoever_caused_it,
        what_a_delivery_came_to_is_counted_for_its_channel,
        what_changes_nothing_is_not_counted,
        of_many_who_answer_at_once_one_end_is_counted,
        counts_begin_anew_with_the_process,
        pending_asks_are_counted,
        a_probe_that_can_write_leaves_asks_as_they_are,
    ]
}

fn ends(tally: &Tally) -> Vec<(&'static str, u64)> {
    tally.ends.iter().map(|(end, count)| (*end, *count)).collect()
}

fn deliveries(tally: &Tally) -> Vec<(String, DeliveryResult, u64)> {
    let counts = tally.deliveries.iter();
    counts
        .map(|((channel, result), count)| (channel.to_string(), *result, *count))
        .collect()
}

async fn each_end_is_counted_once_whoever_caused_it(bench: Bench) {
    let answered = bench.ask(bench.sample().to(&[])).await.ask.id;
    let skipped = bench.ask(bench.sample().to(&[])).await.ask.id;
    bench.ask(bench.sample().run("r1").to(&[])).await;
    let failed = bench.ask(bench.sample()).await;
    bench.shown(bench.sample(), &["m1"]).await;
    bench.ask(bench.sample().to(&[])).await;

    for _ in 0..2 {
        let by = sample::by("sara", &sara());
        let ends = [
            (answered, sample::answered("sara", &sara())),
            (skipped, End::Skipped { by }),
        ];
        for (id, end) in ends {
            bench.store.close(id, end, None, at(1)).await.unwrap();
        }
        let run = RunId::new("r1");
        bench.store.cancel_run(None, &run, at(1)).await.unwrap();
        let how = PutBack::GiveUp(Failure::Unreachable);
        let (ask, delivery) = (failed.ask.id, failed.deliveries[0].id);
        bench.store.put_back(ask, delivery, how, at(1)).await.unwrap();
        bench.store.expire(at(10_000)).await.unwrap();
    }

    assert_eq!(
        ends(&bench.store.tally()),
        [
            ("answered", 1),
            ("cancelled", 1),
            ("expired", 1),
            ("skipped", 1),
            // The one whose delivery failed, and the one that fell due before anybody was shown it.
            ("undelivered", 2),
        ]
    );
}

async fn what_a_delivery_came_to_is_counted_for_its_channel(bench: Bench) {
    let there = sample::address("discord:7");
    let record = bench.ask(bench.sample().to(&["telegram:1", "discord:7"])).await;
    let id = record.ask.id;
    let on_discord = record.deliveries[1].id;

    bench.show(&record, &sara(), &["m1", "m2"]).await;
    let retry = PutBack::Retry(at(5));
    bench.store.put_back(id, on_discord, retry, at(1)).await.unwrap();
    let give_up = PutBack::GiveUp(Failure::Rejected);
    bench
        .store
        .put_back(id, on_discord, give_up, at(6))
        .await
        .unwrap();
    bench.store.close(id, End::Cancelled, None, at(7)).await.unwrap();
    let task = bench.claim_one(at(8)).await;
    bench.store.settled(id, task.delivery.id, None).await.unwrap();
    let dropped = bench.ask(bench.sample().to(&["discord:7"])).await.ask.id;
    bench
        .store
        .close(dropped, End::Cancelled, None, at(9))
        .await
        .unwrap();

    let channel = |name: &str, result| (name.to_owned(), result, 1);
    assert_eq!(
        deliveries(&bench.store.tally()),
        [
            channel(there.channel.as_str(), DeliveryResult::Retried),
            channel("discord", DeliveryResult::Failed),
            channel("discord", DeliveryResult::Dropped),
            channel("telegram", DeliveryResult::Shown),
            channel("telegram", DeliveryResult::Settled),
        ]
    );
}

async fn what_changes_nothing_is_not_counted(bench: Bench) {
    let record = bench.shown(bench.sample().key("k", 1), &["m1"]).await;
    let before = bench.store.tally();

    for key in [1, 2] {
        let again = bench.sample().key("k", key).new_ask();
        bench.store.ask(again).await.unwrap();
    }
    bench.show(&record, &sara(), &["m1"]).await;
    bench.claim("telegram", START, 10).await;

    let after = bench.store.tally();
    assert_eq!(
        (ends(&after), deliveries(&after)),
        (ends(&before), deliveries(&before))
    );
}

async fn of_many_who_answer_at_once_one_end_is_counted(bench: Bench) {
    let id = bench.ask(bench.sample().to(&[])).await.ask.id;

    all_at_once((0..16).map(|n| {
        let store = bench.store.clone();
        let end = if n % 2 == 0 {
            sample::answered("sara", &sara())
        } else {
            End::Cancelled
        };
        async move { store.close(id, end, None, at(1)).await.unwrap() }
    }))
    .await;

    assert_eq!(bench.store.tally().ends.values().sum::<u64>(), 1);
}

async fn counts_begin_anew_with_the_process(bench: Bench) {
    let id = bench.ask(bench.sample().to(&[])).await.ask.id;
    bench.store.close(id, End::Cancelled, None, at(1)).await.unwrap();
    let before = bench.store.tally();

    let bench = bench.restarted().await;

    assert!(before.commits >= 2, "{before:?}");
    let after = bench.store.tally();
    assert_eq!((ends(&after), after.queue), (Vec::new(), 0));
}

async fn pending_asks_are_counted(bench: Bench) {
    let id = bench.ask(bench.sample()).await.ask.id;
    bench.ask(bench.sample()).await;
    let two = bench.store.count_pending().await.unwrap();
    bench.store.close(id, End::Cancelled, None, at(1)).await.unwrap();

    assert_eq!((two, bench.store.count_pending().await.unwrap()), (2, 1));
}

async fn a_probe_that_can_write_leaves_asks_as_they_are(bench: Bench) {
    let record = bench.ask(bench.sample()).await;
    let commits = bench.store.tally().commits;

    for seconds in [1, 2] {
        bench.store.probe(at(seconds)).await.unwrap();
    }

    assert_eq!(bench.get(record.ask.id).await, record);
    assert_eq!(
        bench.store.tally().commits,
        commits + 2,
        "each is a write of its own"
    );
}
