//! Holds the SQLite store to the contract of all stores.

use std::{process::ExitCode, sync::Arc};

use askd_core::store::Store;
use askd_store_sqlite::{Options, SqliteStore};
use askd_testkit::store_suite::{StoreUnderTest, run};
use async_trait::async_trait;
use tempfile::TempDir;

struct OnDisk {
    directory: TempDir,
}

impl OnDisk {
    fn new() -> Self {
        Self {
            directory: TempDir::new().expect("a temporary directory"),
        }
    }
}

#[async_trait]
impl StoreUnderTest for OnDisk {
    async fn open(&mut self) -> Arc<dyn Store> {
        let path = self.directory.path().join("askd.db");
        Arc::new(SqliteStore::open(&path, Options::default()).expect("the store opens"))
    }

    async fn reopen(&mut self, store: Arc<dyn Store>) -> Arc<dyn Store> {
        drop(store);
        self.open().await
    }
}

fn main() -> ExitCode {
    run(OnDisk::new)
}
