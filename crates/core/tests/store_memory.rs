//! Holds [`MemoryStore`] to the contract of all stores.

use std::{process::ExitCode, sync::Arc};

use askd_core::store::{Store, memory::MemoryStore};
use askd_testkit::store_suite::{StoreUnderTest, run};
use async_trait::async_trait;

/// Keeps a second handle, because what is in memory would go with the last one.
#[derive(Default)]
struct InMemory {
    content: MemoryStore,
}

#[async_trait]
impl StoreUnderTest for InMemory {
    async fn open(&mut self) -> Arc<dyn Store> {
        Arc::new(self.content.reopen())
    }

    async fn reopen(&mut self, store: Arc<dyn Store>) -> Arc<dyn Store> {
        drop(store);
        self.open().await
    }
}

fn main() -> ExitCode {
    run(InMemory::default)
}
