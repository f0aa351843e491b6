//! The one thread that writes.
//!
//! While it syncs one commit to disk, the next jobs wait; then all of them go into one transaction, so the sync is
//! paid once for many and skipped for none. Every job runs in a savepoint of its own, so that one that fails undoes
//! nobody else's work, and every caller is told after the commit, or that the commit failed.
//!
//! A batch is what waits when the write lock is held, not what waits when the lock is asked for. There is no delay to
//! collect more: a lone job is committed at once.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use askd_core::store::{Change, Tally};
use rusqlite::Connection;
use tokio::sync::{broadcast, oneshot};

use crate::{
    error::Fault,
    queries::{News, Tx},
    queue::Queue,
    sql::run,
};

/// Most jobs in one transaction, so that the first of them does not wait for ever.
const BATCH: usize = 256;

/// What the writer has done since it was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Transactions committed.
    pub commits: u64,
    /// Jobs committed in them.
    pub jobs: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Counters {
    commits: AtomicU64,
    jobs: AtomicU64,
    tally: Mutex<Tally>,
}

impl Counters {
    pub(crate) fn stats(&self) -> Stats {
        Stats {
            commits: self.commits.load(Ordering::Relaxed),
            jobs: self.jobs.load(Ordering::Relaxed),
        }
    }

    /// What was counted; the rest of a tally is for the store to add.
    pub(crate) fn tally(&self) -> Tally {
        self.counted().clone()
    }

    /// Nothing panics under the lock, so a poisoned one is as good as any.
    fn counted(&self) -> MutexGuard<'_, Tally> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One call of a store's method.
pub(crate) trait Job: Send {
    /// Does its part of the running transaction.
    fn work(&mut self, tx: &mut Tx<'_>) -> Result<(), Fault>;

    /// Tells the caller: what it asked for, or why nothing of it was done.
    fn tell(self: Box<Self>, fault: Option<Fault>);
}

/// A call that waits for a `T`.
pub(crate) struct Call<T, F> {
    work: Option<F>,
    result: Option<T>,
    reply: oneshot::Sender<Result<T, Fault>>,
}

impl<T, F> Call<T, F> {
    pub(crate) fn new(work: F) -> (Self, oneshot::Receiver<Result<T, Fault>>) {
        let (reply, told) = oneshot::channel();
        (
            Self {
                work: Some(work),
                result: None,
                reply,
            },
            told,
        )
    }
}

impl<T, F> Job for Call<T, F>
where
    T: Send,
    F: FnOnce(&mut Tx<'_>) -> Result<T, Fault> + Send,
{
    fn work(&mut self, tx: &mut Tx<'_>) -> Result<(), Fault> {
        if let Some(work) = self.work.take() {
            self.result = Some(work(tx)?);
        }
        Ok(())
    }

    fn tell(self: Box<Self>, fault: Option<Fault>) {
        let done = self.result.ok_or_else(Fault::closed);
        // A caller that has gone away misses only the news.
        let _ = self.reply.send(fault.map_or(done, Err));
    }
}

/// What the writer's thread owns.
pub(crate) struct Writer {
    pub(crate) db: Connection,
    pub(crate) jobs: Arc<Queue<Box<dyn Job>>>,
    pub(crate) changes: broadcast::Sender<Change>,
    pub(crate) counters: Arc<Counters>,
}

impl Writer {
    /// Works until the queue is closed and empty, then closes the connection.
    pub(crate) fn run(self) {
        while self.jobs.wait() {
            self.commit_batch();
        }
    }

    fn commit_batch(&self) {
        if let Err(fault) = self.statement("BEGIN IMMEDIATE") {
            tell(self.jobs.take(BATCH), Some(&fault));
            return;
        }
        let mut done = Vec::new();
        let mut news = Vec::new();
        let mut waiting = self.jobs.take(BATCH).into_iter();
        while let Some(mut job) = waiting.next() {
            let known = news.len();
            let Err(fault) = self.in_savepoint(job.as_mut(), &mut news) else {
                done.push(job);
                continue;
            };
            job.tell(Some(fault.clone()));
            news.truncate(known);
            // SQLite may answer a full or failing disk by undoing the whole transaction, not only the statement:
            // https://sqlite.org/lang_transaction.html#response_to_errors_within_a_transaction
            if self.db.is_autocommit() {
                news.clear();
                tell(done.drain(..), Some(&fault));
                if let Err(fault) = self.statement("BEGIN IMMEDIATE") {
                    tell(waiting, Some(&fault));
                    return;
                }
            }
        }
        self.commit(done, news);
    }

    fn in_savepoint(&self, job: &mut dyn Job, news: &mut Vec<News>) -> Result<(), Fault> {
        self.statement("SAVEPOINT job")?;
        let mut tx = Tx { db: &self.db, news };
        // A rule that panics is a bug, but no reason to stop taking answers. Whatever it left half done in the
        // database is undone below, and the job itself is not run again.
        let worked = catch_unwind(AssertUnwindSafe(|| job.work(&mut tx)))
            .unwrap_or_else(|_| Err(Fault::unavailable("a rule of the core panicked")));
        if self.db.is_autocommit() {
            return worked;
        }
        let undone = if worked.is_err() {
            self.statement("ROLLBACK TO job")
        } else {
            Ok(())
        };
        if let Err(fault) = undone.and_then(|()| self.statement("RELEASE job")) {
            // What this job did cannot be told from the rest any more, so all of it goes.
            self.roll_back();
            return Err(fault);
        }
        worked
    }

    fn roll_back(&self) {
        if !self.db.is_autocommit()
            && let Err(fault) = self.statement("ROLLBACK")
        {
            tracing::error!(error = ?fault, "rollback failed");
        }
    }

    fn commit(&self, done: Vec<Box<dyn Job>>, news: Vec<News>) {
        if let Err(fault) = self.statement("COMMIT") {
            self.roll_back();
            tell(done, Some(&fault));
            return;
        }
        self.counters.commits.fetch_add(1, Ordering::Relaxed);
        self.counters
            .jobs
            .fetch_add(u64::try_from(done.len()).unwrap_or(0), Ordering::Relaxed);
        let mut changes = Vec::new();
        // Counted first: whoever is woken by a change finds it counted.
        {
            let mut tally = self.counters.counted();
            for news in news {
                match news {
                    News::Change(change) => changes.push(change),
                    News::Fact(fact) => tally.count(fact),
                }
            }
        }
        for change in changes {
            // No receiver is no error: nobody waits.
            let _ = self.changes.send(change);
        }
        tell(done, None);
    }

    fn statement(&self, sql: &str) -> Result<(), Fault> {
        run(&self.db, sql, []).map(|_| ())
    }
}

fn tell(jobs: impl IntoIterator<Item = Box<dyn Job>>, fault: Option<&Fault>) {
    for job in jobs {
        job.tell(fault.cloned());
    }
}
