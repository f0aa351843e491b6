//! What a panel shows: a delivery that nobody has to carry out.

use askd_core::{
    id::{Address, AskId},
    stage::End,
    store::{Change, Changed, DeliveryState, Failure, PutBack, Record, Work},
};

use super::{Bench, Case, all_at_once, at, named, sara};
use crate::{clock::START, sample};

pub(super) fn cases() -> Vec<Case> {
    named![
        what_a_panel_shows_is_a_delivery_of_its_own,
        a_panel_counts_once_however_often_it_tells,
        of_many_windows_that_tell_at_once_one_counts,
        the_panels_of_two_are_two,
        an_ask_that_a_panel_showed_outlives_its_destinations,
        an_ask_that_a_panel_showed_expires_and_is_not_undelivered,
        what_is_seen_at_or_after_the_deadline_counts_for_nothing,
        an_ask_that_is_over_is_shown_to_nobody,
        a_panel_has_nothing_to_do_when_the_ask_ends,
        the_other_deliveries_go_on_as_before,
        what_a_panel_showed_survives_a_restart,
        that_a_panel_shows_it_is_told_once,
        nobody_is_shown_an_ask_that_is_not_there,
    ]
}

async fn what_a_panel_shows_is_a_delivery_of_its_own(bench: Bench) {
    let record = bench.ask(bench.sample()).await;

    let seen = see(&bench, record.ask.id, &panel(), 1).await.unwrap();

    assert_eq!(seen, bench.get(record.ask.id).await);
    assert_eq!(seen.deliveries.len(), record.deliveries.len() + 1);
    let delivery = seen.deliveries.last().unwrap();
    assert_eq!((&delivery.to, delivery.conversation()), (&panel(), &panel()));
    assert_eq!((delivery.state, delivery.due), (DeliveryState::Shown, None));
    assert!(delivery.is_delivered() && seen.is_delivered());
}

async fn a_panel_counts_once_however_often_it_tells(bench: Bench) {
    let record = bench.ask(bench.sample()).await;
    let first = see(&bench, record.ask.id, &panel(), 1).await;

    let again = see(&bench, record.ask.id, &panel(), 2).await;

    assert_eq!(again, first);
}

async fn of_many_windows_that_tell_at_once_one_counts(bench: Bench) {
    let record = bench.ask(bench.sample()).await;
    let id = record.ask.id;

    let told = (0..20).map(|_| {
        let store = std::sync::Arc::clone(&bench.store);
        let delivery = bench.samples.ask(START).record().deliveries[0].id;
        async move { store.seen(id, &panel(), None, delivery, at(1)).await.unwrap() }
    });
    all_at_once(told).await;

    assert_eq!(bench.get(id).await.deliveries.len(), 2);
}

async fn the_panels_of_two_are_two(bench: Bench) {
    let record = bench.ask(bench.sample()).await;

    see(&bench, record.ask.id, &panel(), 1).await;
    see(&bench, record.ask.id, &Address::panel("omid"), 1).await;

    assert_eq!(bench.get(record.ask.id).await.deliveries.len(), 3);
}

async fn an_ask_that_a_panel_showed_outlives_its_destinations(bench: Bench) {
    let record = bench.ask(bench.sample()).await;
    let task = bench.claim_one(START).await;
    see(&bench, record.ask.id, &panel(), 1).await;

    let given_up = PutBack::GiveUp(Failure::Unreachable);
    let ended = bench
        .store
        .put_back(record.ask.id, task.delivery.id, given_up, at(2))
        .await
        .unwrap();

    assert!(!ended);
    assert_eq!(bench.get(record.ask.id).await.ask.status(), "pending");
}

async fn an_ask_that_a_panel_showed_expires_and_is_not_undelivered(bench: Bench) {
    let record = bench.ask(bench.sample()).await;
    see(&bench, record.ask.id, &panel(), 1).await;

    bench.store.expire(record.ask.deadline).await.unwrap();

    assert_eq!(bench.get(record.ask.id).await.ask.status(), "expired");
}

async fn what_is_seen_at_or_after_the_deadline_counts_for_nothing(bench: Bench) {
    let record = bench.ask(bench.sample()).await;
    let delivery = bench.samples.ask(START).record().deliveries[0].id;
    let deadline = record.ask.deadline;

    let seen = bench
        .store
        .seen(record.ask.id, &panel(), None, delivery, deadline)
        .await
        .unwrap();

    assert_eq!(seen.as_ref(), Some(&record));
    bench.store.expire(deadline).await.unwrap();
    assert_eq!(bench.get(record.ask.id).await.ask.status(), "undelivered");
}

async fn an_ask_that_is_over_is_shown_to_nobody(bench: Bench) {
    let record = bench.ask(bench.sample()).await;
    bench
        .store
        .close(record.ask.id, End::Cancelled, None, at(1))
        .await
        .unwrap();
    let before = bench.get(record.ask.id).await;

    assert_eq!(
        see(&bench, record.ask.id, &panel(), 2).await.as_ref(),
        Some(&before)
    );
    assert_eq!(bench.get(record.ask.id).await, before);
}

async fn a_panel_has_nothing_to_do_when_the_ask_ends(bench: Bench) {
    let record = bench.ask(bench.sample().to(&[]).waits_for_panel()).await;
    see(&bench, record.ask.id, &panel(), 1).await;
    assert_no_work(&bench).await;

    bench
        .store
        .close(record.ask.id, End::Cancelled, None, at(2))
        .await
        .unwrap();

    assert_no_work(&bench).await;
    let after = bench.get(record.ask.id).await;
    assert_eq!(
        (after.deliveries[0].state, after.deliveries[0].due),
        (DeliveryState::Settled, None)
    );
}

async fn the_other_deliveries_go_on_as_before(bench: Bench) {
    let record = bench.ask(bench.sample()).await;
    see(&bench, record.ask.id, &panel(), 1).await;

    let task = bench.claim_one(at(2)).await;
    assert_eq!((task.work, &task.delivery.to), (Work::Post, &sara()));
    bench
        .store
        .posted(
            record.ask.id,
            task.delivery.id,
            &sample::posted(&sara(), &["m1"]),
            at(3),
        )
        .await
        .unwrap();
    bench
        .store
        .close(record.ask.id, sample::answered("sara", &panel()), None, at(4))
        .await
        .unwrap();

    let task = bench.claim_one(at(5)).await;
    assert_eq!((task.work, &task.delivery.to), (Work::Settle, &sara()));
}

async fn what_a_panel_showed_survives_a_restart(bench: Bench) {
    let record = bench.ask(bench.sample()).await;
    let seen = see(&bench, record.ask.id, &panel(), 1).await.unwrap();

    let bench = bench.restarted().await;

    assert_eq!(bench.get(record.ask.id).await, seen);
    assert_eq!(
        bench.store.channels_with_work().await.unwrap(),
        [sample::channel("telegram")]
    );
}

async fn that_a_panel_shows_it_is_told_once(bench: Bench) {
    let record = bench.ask(bench.sample()).await;
    let mut changes = bench.store.changes();

    see(&bench, record.ask.id, &panel(), 1).await;
    see(&bench, record.ask.id, &panel(), 2).await;
    // By now everything before is told.
    bench
        .store
        .close(record.ask.id, End::Cancelled, None, at(3))
        .await
        .unwrap();

    let told = |what| Change {
        ask: record.ask.id,
        what,
    };
    assert_eq!(changes.recv().await.unwrap(), told(Changed::Delivery));
    assert_eq!(
        changes.recv().await.unwrap(),
        told(Changed::Delivery),
        "the deliveries of the end"
    );
    assert_eq!(changes.recv().await.unwrap(), told(Changed::Ended));
}

async fn nobody_is_shown_an_ask_that_is_not_there(bench: Bench) {
    let unknown = bench.samples.ask(START).record().ask.id;

    assert_eq!(see(&bench, unknown, &panel(), 1).await, None);
}

/// The panel of sara.
fn panel() -> Address {
    Address::panel("sara")
}

async fn see(bench: &Bench, ask: AskId, at_panel: &Address, seconds: i64) -> Option<Record> {
    let delivery = bench.samples.ask(START).record().deliveries[0].id;
    bench
        .store
        .seen(ask, at_panel, None, delivery, at(seconds))
        .await
        .unwrap()
}

async fn assert_no_work(bench: &Bench) {
    let panels = sample::channel(Address::PANEL);
    assert_eq!(bench.store.channels_with_work().await.unwrap(), []);
    assert_eq!(bench.store.next_due(&panels).await.unwrap(), None);
    assert_eq!(bench.claim(Address::PANEL, at(600), 10).await, []);
}
