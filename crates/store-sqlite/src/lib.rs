//! The embedded default store: one SQLite file.
//!
//! Good for one askd process and for hundreds of thousands of asks. [`SqliteStore`] is a queue in front of one thread
//! that writes (`writer`) and two that read (`readers`); async callers never block. What is decided is in
//! `askd_core::store`; here are only statements (`queries`) and rows (`rows`).
//!
//! Durable means: in the write-ahead log and synced (`synchronous=FULL`) before the caller is told. A copy of the
//! database and its `-wal` file at any moment holds everything that was acknowledged.
//!
//! Tests: `tests/conformance.rs` is the suite of all stores; `tests/main.rs` is what only SQLite has.

mod backup;
mod connect;
mod error;
mod inspect;
mod queries;
mod queue;
mod readers;
mod rows;
mod schema;
mod sql;
mod store;
mod writer;

use std::{
    fmt,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    thread::{self, JoinHandle},
    time::Duration,
};

use askd_core::store::Change;
use tokio::sync::broadcast;

pub use self::{
    backup::{BackupError, backup},
    error::OpenError,
    inspect::inspect,
    writer::Stats,
};
use self::{
    connect::Lock,
    queue::Queue,
    readers::{READERS, Read},
    writer::{Counters, Job, Writer},
};

/// Changes a slow receiver may lag behind before it misses some and must read anew.
const CHANGES: usize = 4096;

/// How a database is opened.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Most pages of 4096 bytes the file may grow to; beyond, writes fail as `StoreError::Full`. `None`: as much as
    /// the disk holds.
    pub max_pages: Option<u32>,
    /// How long to wait for a lock that another process holds, such as another tool that makes a backup. After that
    /// writes fail as `StoreError::Unavailable`.
    pub busy_timeout: Duration,
}

impl Default for Options {
    /// No limit of pages; five seconds.
    fn default() -> Self {
        Self {
            max_pages: None,
            busy_timeout: Duration::from_secs(5),
        }
    }
}

/// A store in one SQLite file. Held by one process at a time.
///
/// Dropping it is [`SqliteStore::shut_down`].
pub struct SqliteStore {
    jobs: Arc<Queue<Box<dyn Job>>>,
    reads: Arc<Queue<Read>>,
    changes: broadcast::Sender<Change>,
    counters: Arc<Counters>,
    threads: Mutex<Threads>,
}

#[derive(Default)]
struct Threads {
    readers: Vec<JoinHandle<()>>,
    writer: Option<JoinHandle<()>>,
}

impl SqliteStore {
    /// Opens the database at `path`, creating the file (not its directory) where there is none, and takes the steps
    /// from an older schema. Blocks for some milliseconds; for longer where the last process was killed and the file
    /// is checked. The files, which hold questions and answers, are made for this user alone.
    ///
    /// # Errors
    /// See [`OpenError`], whose text tells the operator what to do.
    pub fn open(path: &Path, options: Options) -> Result<Self, OpenError> {
        let lock = Lock::take(path)?;
        let db = connect::writer(path, options)?;
        let readers = (0..READERS)
            .map(|_| connect::reader(path, options))
            .collect::<Result<Vec<_>, _>>()?;
        let (changes, _) = broadcast::channel(CHANGES);
        let store = Self {
            jobs: Arc::new(Queue::new()),
            reads: Arc::new(Queue::new()),
            changes,
            counters: Arc::default(),
            threads: Mutex::default(),
        };
        let writer = Writer {
            db,
            jobs: Arc::clone(&store.jobs),
            changes: store.changes.clone(),
            counters: Arc::clone(&store.counters),
        };
        // If a thread cannot be started, dropping `store` closes the queues, which ends those that were.
        let failed = |error: std::io::Error| OpenError::Failed {
            path: path.to_owned(),
            source: error.into(),
        };
        let write = move || {
            writer.run();
            // Only now may another process have the file.
            drop(lock);
        };
        let mut threads = Threads {
            readers: Vec::new(),
            writer: Some(spawn("store-writer".to_owned(), write).map_err(failed)?),
        };
        for (n, db) in readers.into_iter().enumerate() {
            let reads = Arc::clone(&store.reads);
            let reader =
                spawn(format!("store-reader-{n}"), move || readers::run(&db, &reads)).map_err(failed)?;
            threads.readers.push(reader);
        }
        *store.threads.lock().unwrap_or_else(PoisonError::into_inner) = threads;
        Ok(store)
    }

    /// Finishes what waits, syncs it, merges the log into the file and lets the file go. Blocks until that is done;
    /// every later call fails as unavailable. A second call does nothing.
    pub fn shut_down(&self) {
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        // The readers first: SQLite merges and removes the log when the last connection closes, and only one that
        // may write can do that.
        self.reads.close();
        for reader in threads.readers.drain(..) {
            join(reader);
        }
        self.jobs.close();
        if let Some(writer) = threads.writer.take() {
            join(writer);
        }
    }

    /// What the writer has done since the store was opened.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.counters.stats()
    }
}

impl Drop for SqliteStore {
    fn drop(&mut self) {
        self.shut_down();
    }
}

impl fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteStore")
            .field("stats", &self.stats())
            .finish_non_exhaustive()
    }
}

fn join(thread: JoinHandle<()>) {
    if thread.join().is_err() {
        tracing::error!("store thread panicked");
    }
}

fn spawn(name: String, work: impl FnOnce() + Send + 'static) -> std::io::Result<JoinHandle<()>> {
    thread::Builder::new().name(name).spawn(work)
}
