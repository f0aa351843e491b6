//! What only the SQLite store has: files, commits and disks. What it shares with every store is in `conformance.rs`.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking, like tests"
)]

mod filling;
mod grouping;
mod inspecting;
mod migrating;
mod opening;
mod saving;
mod surviving;

use std::{
    future::Future,
    path::{Path, PathBuf},
    pin::Pin,
    task::{Context, Waker},
};

use askd_core::store::{Asked, NewAsk, Record, Store as _, StoreError};
use askd_store_sqlite::{Options, SqliteStore};
use rusqlite::Connection;
use tempfile::TempDir;

/// A directory that goes with the test.
struct Place {
    directory: TempDir,
}

impl Place {
    fn new() -> Self {
        Self {
            directory: TempDir::new().unwrap(),
        }
    }

    fn path(&self) -> PathBuf {
        self.join("askd.db")
    }

    fn join(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn open(&self) -> SqliteStore {
        SqliteStore::open(&self.path(), Options::default()).unwrap()
    }

    /// A connection beside the store's, as another tool would have.
    fn beside(&self) -> Connection {
        Connection::open(self.path()).unwrap()
    }
}

/// Holds the write lock until it is dropped, so that the writer can commit nothing and jobs pile up.
struct Held(Connection);

impl Held {
    fn over(path: &Path) -> Self {
        let db = Connection::open(path).unwrap();
        db.execute_batch("BEGIN IMMEDIATE").unwrap();
        Self(db)
    }

    fn release(self) {
        self.0.execute_batch("ROLLBACK").unwrap();
    }
}

type Started<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Hands a call to the store, which cannot have finished it yet.
fn start<'a, T>(call: impl Future<Output = T> + Send + 'a) -> Started<'a, T> {
    let mut call: Started<'a, T> = Box::pin(call);
    let polled = call.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    assert!(polled.is_pending(), "the writer is held");
    call
}

async fn ask(store: &SqliteStore, new: NewAsk) -> Result<Record, StoreError> {
    match store.ask(new).await? {
        Asked::New(record) => Ok(*record),
        Asked::Repeat(_) | Asked::OtherBody | Asked::TooMany { .. } => panic!("not a new ask"),
    }
}
