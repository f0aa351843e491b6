//! What is there after the process is gone, and what readers see meanwhile.

use std::{fs, time::Duration};

use askd_core::{
    stage::End,
    store::{Filter, Record, Store as _},
};
use askd_store_sqlite::{Options, SqliteStore};
use askd_testkit::{
    clock::START,
    sample::{self, Samples},
};

use crate::{Held, Place, ask, start};

/// What a killed process leaves are its files as they are, the log not merged. (The index file beside the log is
/// made anew.)
#[tokio::test]
async fn the_files_hold_every_acknowledged_write_at_any_moment() {
    let place = Place::new();
    let store = place.open();
    let samples = Samples::new(1);
    for n in 0..30 {
        let record = ask(&store, samples.ask(START).context(n * 100).new_ask())
            .await
            .unwrap();
        let at = sample::address("telegram:1");
        let posted = sample::posted(&at, &[&format!("m{n}")]);
        store
            .posted(record.ask.id, record.deliveries[0].id, &posted, START)
            .await
            .unwrap();
        if n % 3 == 0 {
            store
                .close(record.ask.id, sample::answered("sara", &at), None, START)
                .await
                .unwrap();
        }
        let acknowledged = everything(&store).await;

        let copy = Place::new();
        for file in ["askd.db", "askd.db-wal"] {
            fs::copy(place.join(file), copy.join(file)).unwrap();
        }

        assert_eq!(everything(&copy.open()).await, acknowledged, "after {n}");
    }
}

#[tokio::test]
async fn an_orderly_close_merges_the_log_and_loses_nothing() {
    let place = Place::new();
    let store = place.open();
    ask(&store, Samples::new(1).ask(START).new_ask()).await.unwrap();
    let acknowledged = everything(&store).await;

    store.shut_down();

    assert!(!place.join("askd.db-wal").exists());
    let copy = Place::new();
    fs::copy(place.path(), copy.path()).unwrap();
    assert_eq!(everything(&copy.open()).await, acknowledged, "one file is all");
}

#[tokio::test]
async fn what_waits_at_the_close_is_still_done() {
    let place = Place::new();
    let store = place.open();
    let samples = Samples::new(1);
    let held = Held::over(&place.path());
    let asks: Vec<_> = (0..10)
        .map(|_| start(ask(&store, samples.ask(START).new_ask())))
        .collect();
    held.release();

    store.shut_down();

    for asked in asks {
        asked.await.expect("it was taken over before the close");
    }
    assert_eq!(everything(&place.open()).await.len(), 10);
}

#[tokio::test]
async fn reads_do_not_wait_for_a_write() {
    let place = Place::new();
    let store = place.open();
    let record = ask(&store, Samples::new(1).ask(START).new_ask()).await.unwrap();
    let id = record.ask.id;
    let held = Held::over(&place.path());
    let closing = start(store.close(id, End::Cancelled, None, START));

    assert_eq!(
        store.get(id).await.unwrap().map(|record| record.ask.status()),
        Some("pending")
    );

    held.release();
    closing.await.unwrap();
    assert_eq!(
        store.get(id).await.unwrap().map(|record| record.ask.status()),
        Some("cancelled")
    );
}

#[tokio::test]
async fn a_store_that_another_process_keeps_locked_is_not_available_for_now() {
    let place = Place::new();
    let options = Options {
        busy_timeout: Duration::from_millis(1),
        ..Options::default()
    };
    let store = SqliteStore::open(&place.path(), options).unwrap();
    let held = Held::over(&place.path());

    let samples = Samples::new(1);
    let refused = ask(&store, samples.ask(START).new_ask()).await;
    held.release();

    assert!(
        matches!(refused, Err(askd_core::store::StoreError::Unavailable(_))),
        "{refused:?}"
    );
    ask(&store, samples.ask(START).new_ask())
        .await
        .expect("the same call works in a moment");
}

async fn everything(store: &SqliteStore) -> Vec<Record> {
    let filter = Filter {
        owner: None,
        answerer: None,
        status: None,
        session: None,
        before: None,
        limit: usize::MAX,
    };
    store.list(&filter).await.unwrap()
}
