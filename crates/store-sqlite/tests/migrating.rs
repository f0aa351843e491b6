//! Databases of every released version open, hold what they held, and end up in the present shape.
//!
//! `fixtures/version_N.sql` is a dump made by the version that first had schema N; it is never changed.

use std::collections::BTreeSet;

use askd_core::{
    id::{AskId, ChannelName, EventId, MessageRef},
    store::{Asked, DeliveryState, Filter, Store as _, Work},
};
use askd_testkit::{
    clock::START,
    sample::{self, Samples},
};
use jiff::SignedDuration;

use crate::Place;

const VERSION_1: &str = include_str!("fixtures/version_1.sql");

#[tokio::test]
async fn a_database_of_version_1_opens_with_all_it_held() {
    let place = Place::new();
    place.beside().execute_batch(VERSION_1).unwrap();
    let store = place.open();

    let records = store.list(&EVERYTHING).await.unwrap();
    let statuses: Vec<_> = records.iter().map(|record| record.ask.status()).collect();
    assert_eq!(statuses, ["pending", "answered", "pending"]);
    let shown = records.last().unwrap();
    assert_eq!(shown.deliveries[0].state, DeliveryState::Shown);
    assert!(
        !shown.ask.kept(&sample::person("sara")).is_empty(),
        "a partial answer"
    );
    let telegram = ChannelName::new("telegram");
    let owner = store.by_message(&telegram, &MessageRef::new("m1")).await.unwrap();
    assert_eq!(owner.map(|owner| owner.ask), Some(shown.ask.id));
    assert!(
        store
            .heard(&telegram, &EventId::new("event-0"))
            .await
            .unwrap()
            .is_some()
    );
    assert_eq!(store.ties().await.unwrap().len(), 1);
    let repeat = store
        .ask(Samples::new(7).ask(START).key("k", 1).new_ask())
        .await
        .unwrap();
    assert!(matches!(repeat, Asked::Repeat(_)), "{repeat:?}");
    let now = START + SignedDuration::from_mins(1);
    let tasks = store
        .claim(&telegram, now, now + SignedDuration::from_mins(1), 10)
        .await
        .unwrap();
    assert_eq!(
        tasks.iter().map(|task| task.work).collect::<Vec<_>>(),
        [Work::Settle]
    );
}

#[test]
fn opening_twice_changes_nothing_and_the_shape_is_that_of_a_new_database() {
    let (old, new) = (Place::new(), Place::new());
    old.beside().execute_batch(VERSION_1).unwrap();
    drop(old.open());
    let once = dump(&old);
    drop(old.open());
    drop(new.open());

    assert_eq!(dump(&old), once);
    assert_eq!(shape(&old), shape(&new));
}

const EVERYTHING: Filter = Filter {
    owner: None,
    answerer: None,
    status: None,
    session: None,
    before: None,
    limit: 100,
};

/// Every table and index, written one way.
fn shape(place: &Place) -> BTreeSet<String> {
    let db = place.beside();
    let mut statement = db
        .prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")
        .unwrap();
    let rows = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
    let versions = ["user_version", "application_id"].map(|name| {
        let value: i64 = db.pragma_query_value(None, name, |row| row.get(0)).unwrap();
        format!("{name} = {value}")
    });
    rows.map(|sql| sql.unwrap()).chain(versions).collect()
}

/// Shape, ids and bodies.
fn dump(place: &Place) -> (BTreeSet<String>, Vec<(AskId, String)>) {
    let db = place.beside();
    let mut statement = db.prepare("SELECT id, body FROM asks ORDER BY id").unwrap();
    let rows = statement
        .query_map([], |row| Ok((row.get::<_, String>(0)?, row.get(1)?)))
        .unwrap();
    let asks = rows.map(|row| row.map(|(id, body)| (AskId::parse(&id).unwrap(), body)).unwrap());
    (shape(place), asks.collect())
}
