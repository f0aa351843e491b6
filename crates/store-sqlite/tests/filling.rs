//! A disk that runs full, and has room again.

use std::collections::BTreeMap;

use askd_core::{
    id::AskId,
    stage::End,
    store::{Record, Store as _, StoreError},
};
use askd_store_sqlite::{Options, SqliteStore};
use askd_testkit::{clock::START, sample::Samples};
use jiff::SignedDuration;

use crate::{Held, Place, ask, start};

/// A store with room for some dozens of long asks (in pages of 4096 bytes).
fn small(place: &Place) -> SqliteStore {
    let options = Options {
        max_pages: Some(200),
        ..Options::default()
    };
    SqliteStore::open(&place.path(), options).unwrap()
}

#[tokio::test]
async fn a_full_store_says_so_and_keeps_all_it_acknowledged() {
    let place = Place::new();
    let store = small(&place);
    let stored = fill(&store).await;
    assert!(stored.len() > 10, "{}", stored.len());

    for (id, record) in &stored {
        assert_eq!(store.get(*id).await.unwrap().as_ref(), Some(record));
    }
    drop(store);
    assert_eq!(
        content(&place.open()).await,
        stored,
        "and nothing of what it refused"
    );
}

#[tokio::test]
async fn of_many_asks_at_once_exactly_those_are_stored_that_were_acknowledged() {
    let place = Place::new();
    let store = small(&place);
    let samples = Samples::new(1);
    let held = Held::over(&place.path());
    let asks: Vec<_> = (0..200)
        .map(|_| start(ask(&store, samples.ask(START).context(4000).new_ask())))
        .collect();
    held.release();

    let mut acknowledged = BTreeMap::new();
    let mut refused = 0;
    for asked in asks {
        match asked.await {
            Ok(record) => drop(acknowledged.insert(record.ask.id, record)),
            Err(error) => {
                assert!(matches!(error, StoreError::Full(_)), "{error:?}");
                refused += 1;
            }
        }
    }

    assert!(
        refused > 0 && !acknowledged.is_empty(),
        "{refused} refused, {} stored",
        acknowledged.len()
    );
    assert_eq!(content(&store).await, acknowledged);
}

#[tokio::test]
async fn writes_work_again_once_there_is_room() {
    let place = Place::new();
    let store = small(&place);
    let samples = Samples::new(2);
    for _ in 0..5 {
        let old = ask(&store, samples.ask(START).context(4000).new_ask())
            .await
            .unwrap();
        store
            .close(old.ask.id, End::Cancelled, None, START)
            .await
            .unwrap();
    }
    fill(&store).await;

    let deleted = store
        .prune(START + SignedDuration::from_secs(1), 100)
        .await
        .unwrap();

    assert_eq!(deleted, 5);
    ask(&store, samples.ask(START).context(4000).new_ask())
        .await
        .expect("there is room again");
}

#[tokio::test]
async fn a_full_store_is_still_read() {
    let place = Place::new();
    let store = small(&place);
    let stored = fill(&store).await;

    assert_eq!(content(&store).await, stored);
    assert!(store.next_deadline().await.unwrap().is_some());
}

#[tokio::test]
async fn a_probe_finds_a_full_store_and_one_that_has_room_again() {
    let place = Place::new();
    let store = small(&place);
    let samples = Samples::new(2);
    for _ in 0..20 {
        let old = ask(&store, samples.ask(START).context(4000).new_ask())
            .await
            .unwrap();
        store
            .close(old.ask.id, End::Cancelled, None, START)
            .await
            .unwrap();
    }
    store.probe(START).await.expect("there is room");
    fill(&store).await;

    let full = store.probe(START).await;
    store
        .prune(START + SignedDuration::from_secs(1), 1000)
        .await
        .unwrap();
    let again = store.probe(START).await;

    assert!(matches!(full, Err(StoreError::Full(_))), "{full:?}");
    again.expect("there is room again");
}

/// Asks until the store is full; what it took.
async fn fill(store: &SqliteStore) -> BTreeMap<AskId, Record> {
    let samples = Samples::new(1);
    let mut stored = BTreeMap::new();
    loop {
        match ask(store, samples.ask(START).context(4000).new_ask()).await {
            Ok(record) => drop(stored.insert(record.ask.id, record)),
            Err(StoreError::Full(_)) => return stored,
            Err(other) => panic!("not full: {other:?}"),
        }
    }
}

async fn content(store: &SqliteStore) -> BTreeMap<AskId, Record> {
    let everything = askd_core::store::Filter {
        owner: None,
        answerer: None,
        status: Some("pending".to_owned()),
        session: None,
        before: None,
        limit: usize::MAX,
    };
    let records = store.list(&everything).await.unwrap();
    records
        .into_iter()
        .map(|record| (record.ask.id, record))
        .collect()
}
