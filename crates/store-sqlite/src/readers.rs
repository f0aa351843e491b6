//! The threads that read.
//!
//! Each has a connection of its own and sees what was committed when its transaction began, so a long write holds up
//! no reader, and no reader the writer.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::{error::Fault, queue::Queue};

/// How many: one for a long list, one for what somebody waits for.
pub(crate) const READERS: usize = 2;

/// One call of a store's method; tells its caller by itself.
pub(crate) type Read = Box<dyn FnOnce(&Connection) + Send>;

/// A read that waits for a `T`.
pub(crate) fn read<T: Send + 'static>(
    work: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
) -> (Read, oneshot::Receiver<Result<T, Fault>>) {
    let (reply, told) = oneshot::channel();
    let read = move |db: &Connection| {
        // A caller that has gone away misses only the news.
        let _ = reply.send(in_snapshot(db, work));
    };
    (Box::new(read), told)
}

/// Several statements see one state.
fn in_snapshot<T>(db: &Connection, work: impl FnOnce(&Connection) -> Result<T, Fault>) -> Result<T, Fault> {
    let snapshot = db.unchecked_transaction()?;
    let result = work(&snapshot)?;
    snapshot.commit()?;
    Ok(result)
}

/// Until the queue is closed and empty.
pub(crate) fn run(db: &Connection, reads: &Arc<Queue<Read>>) {
    while let Some(read) = reads.next() {
        // One that panics is a bug; its caller is told by the dropped sender, and the others still read.
        let _ = catch_unwind(AssertUnwindSafe(|| read(db)));
    }
}
