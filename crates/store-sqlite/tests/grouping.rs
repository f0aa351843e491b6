//! One commit for many, and what happens to the others when one fails.

use std::time::Duration;

use askd_core::{
    channel::Posted,
    id::{AskId, RunId},
    stage::End,
    store::{Change, Changed, Store as _, StoreError},
};
use askd_testkit::{
    clock::START,
    sample::{self, Samples},
};
use jiff::SignedDuration;
use tokio::sync::broadcast::error::TryRecvError;

use crate::{Held, Place, ask, start};

#[tokio::test]
async fn jobs_that_wait_are_committed_together_in_bounded_batches() {
    let place = Place::new();
    let store = place.open();
    let samples = Samples::new(1);
    let held = Held::over(&place.path());
    let asks: Vec<_> = (0..300)
        .map(|_| start(ask(&store, samples.ask(START).new_ask())))
        .collect();

    held.release();
    for ask in asks {
        ask.await.unwrap();
    }

    let stats = store.stats();
    assert_eq!((stats.jobs, stats.commits), (300, 2), "256 and the rest");
}

#[tokio::test]
async fn a_lone_job_is_committed_at_once() {
    let place = Place::new();
    let store = place.open();
    let samples = Samples::new(1);

    for _ in 0..3 {
        ask(&store, samples.ask(START).new_ask()).await.unwrap();
    }

    let stats = store.stats();
    assert_eq!((stats.jobs, stats.commits), (3, 3));
}

#[tokio::test]
async fn what_people_did_is_committed_before_what_dispatchers_report() {
    let place = Place::new();
    let store = place.open();
    let samples = Samples::new(1);
    let posted = ask(&store, samples.ask(START).new_ask()).await.unwrap();
    let pressed = ask(&store, samples.ask(START).to(&[]).new_ask()).await.unwrap();
    let mut changes = store.changes();
    let held = Held::over(&place.path());
    let report: Posted = sample::posted(&sample::address("telegram:1"), &["m1"]);

    let reporting = start(store.posted(posted.ask.id, posted.deliveries[0].id, &report, START));
    let pressing = start(store.close(pressed.ask.id, End::Cancelled, None, START));
    held.release();
    reporting.await.unwrap();
    pressing.await.unwrap();

    let told: Vec<Change> = std::iter::from_fn(|| changes.try_recv().ok()).collect();
    let change = |ask: AskId, what| Change { ask, what };
    assert_eq!(
        told,
        [
            change(pressed.ask.id, Changed::Ended),
            change(posted.ask.id, Changed::Delivery)
        ]
    );
}

#[tokio::test]
async fn a_job_that_fails_undoes_nobody_elses() {
    let place = Place::new();
    let store = place.open();
    fail_asks_of_doomed(&place, "RAISE(ABORT, 'told to')");

    let results = three_asks_in_one_batch(&place, &store).await;

    assert_eq!(
        results.map(|(_, told_ok, stored)| (told_ok, stored)),
        [(true, true), (false, false), (true, true)]
    );
}

#[tokio::test]
async fn a_job_that_fails_halfway_changes_and_announces_nothing() {
    let place = Place::new();
    let store = place.open();
    let samples = Samples::new(1);
    let mut ids = Vec::new();
    for seconds in [0, 1] {
        let now = START + SignedDuration::from_secs(seconds);
        ids.push(
            ask(&store, samples.ask(now).run("r1").new_ask())
                .await
                .unwrap()
                .ask
                .id,
        );
    }
    let trigger = format!(
        "CREATE TRIGGER second AFTER UPDATE ON asks WHEN new.id = '{}' BEGIN SELECT RAISE(ABORT, 'told to'); END",
        ids[1]
    );
    place.beside().execute_batch(&trigger).unwrap();
    let mut changes = store.changes();

    let cancelled = store.cancel_run(None, &RunId::new("r1"), START).await;

    assert!(cancelled.is_err());
    // A later commit is over, so anything announced by then has been.
    store.say_once("k", START, Duration::ZERO).await.unwrap();
    assert_eq!(changes.try_recv(), Err(TryRecvError::Empty));
    for id in ids {
        assert_eq!(
            store.get(id).await.unwrap().map(|record| record.ask.status()),
            Some("pending")
        );
    }
}

#[tokio::test]
async fn where_sqlite_undoes_everything_those_before_are_told_and_those_after_are_done() {
    let place = Place::new();
    let store = place.open();
    fail_asks_of_doomed(&place, "RAISE(ROLLBACK, 'told to')");

    let results = three_asks_in_one_batch(&place, &store).await;

    assert_eq!(
        results.map(|(_, told_ok, stored)| (told_ok, stored)),
        [(false, false), (false, false), (true, true)]
    );
}

#[tokio::test]
async fn where_the_commit_fails_everybody_is_told_and_nothing_is_stored_or_announced() {
    let place = Place::new();
    let store = place.open();
    // A reference that is checked at the commit alone.
    let orphan = "CREATE TABLE orphans (of TEXT REFERENCES asks (id) DEFERRABLE INITIALLY DEFERRED);
        CREATE TRIGGER orphan AFTER INSERT ON asks WHEN new.owner = 'doomed'
        BEGIN INSERT INTO orphans VALUES ('nobody'); END;";
    place.beside().execute_batch(orphan).unwrap();
    let mut changes = store.changes();

    let results = three_asks_in_one_batch(&place, &store).await;

    assert_eq!(
        results.map(|(_, told_ok, stored)| (told_ok, stored)),
        [(false, false); 3]
    );
    assert_eq!(changes.try_recv(), Err(TryRecvError::Empty));
    ask(&store, Samples::new(2).ask(START).new_ask())
        .await
        .expect("the writer goes on");
}

#[tokio::test]
async fn a_caller_that_went_away_changes_nothing_about_its_job() {
    let place = Place::new();
    let store = place.open();
    let new = Samples::new(1).ask(START).new_ask();
    let id = new.record.ask.id;
    let held = Held::over(&place.path());

    drop(start(store.ask(new)));
    held.release();
    // Behind it in the same lane, so when this one is done, so is the other.
    store.close(id, End::Cancelled, None, START).await.unwrap();

    assert!(store.get(id).await.unwrap().is_some());
}

fn fail_asks_of_doomed(place: &Place, how: &str) {
    let trigger = format!(
        "CREATE TRIGGER doomed AFTER INSERT ON asks WHEN new.owner = 'doomed' BEGIN SELECT {how}; END"
    );
    place.beside().execute_batch(&trigger).unwrap();
}

/// An ask, one of `doomed`, and another: their ids, whether the caller was told that it is stored, and whether it is.
async fn three_asks_in_one_batch(
    place: &Place,
    store: &askd_store_sqlite::SqliteStore,
) -> [(AskId, bool, bool); 3] {
    let samples = Samples::new(1);
    let held = Held::over(&place.path());
    let started = ["first", "doomed", "last"].map(|owner| {
        let new = samples.ask(START).owner(owner).new_ask();
        (new.record.ask.id, start(ask(store, new)))
    });
    held.release();
    let mut results = Vec::new();
    for (id, asked) in started {
        let told: Result<_, StoreError> = asked.await;
        results.push((id, told.is_ok(), store.get(id).await.unwrap().is_some()));
    }
    results.try_into().unwrap()
}
