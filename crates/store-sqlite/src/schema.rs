//! The shape of the database, and how an older one becomes the present one.
//!
//! Each step is a numbered file that is never changed once released; `PRAGMA user_version` counts the steps taken.
//! A step and its count are one transaction, so a crash in between leaves the version before. `tests/migrating.rs`
//! opens a database of every released version.

use rusqlite::{Connection, TransactionBehavior};

/// The steps, from an empty file on. The n-th, from 1, makes version n.
const STEPS: [&str; 4] = [
    include_str!("schema/0001.sql"),
    include_str!("schema/0002.sql"),
    include_str!("schema/0003.sql"),
    include_str!("schema/0004.sql"),
];

/// `askd` in ASCII. Says whose database it is, for `file` and for us. <https://sqlite.org/pragma.html#pragma_application_id>
const APPLICATION_ID: i64 = 0x6173_6b64;

/// The newest version, which this code reads and writes.
pub(crate) fn newest() -> i64 {
    i64::try_from(STEPS.len()).unwrap_or(i64::MAX)
}

/// What a file holds before anything is done to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// A version of ours, from 0 (nothing yet).
    Version(i64),
    /// Tables of another program.
    Foreign,
}

/// Looks at a file and changes nothing.
pub(crate) fn look(db: &Connection) -> rusqlite::Result<Found> {
    let number = |sql| db.query_row(sql, [], |row| row.get::<_, i64>(0));
    let version = number("PRAGMA user_version")?;
    let ours = number("PRAGMA application_id")? == APPLICATION_ID;
    let empty = number("SELECT count(*) FROM sqlite_schema")? == 0;
    Ok(match (ours, empty, version) {
        (false, true, 0) => Found::Version(0),
        (true, ..) => Found::Version(version),
        (false, ..) => Found::Foreign,
    })
}

/// Takes the steps that are missing after `version`.
pub(crate) fn migrate(db: &mut Connection, version: i64) -> rusqlite::Result<()> {
    for (n, step) in (1_i64..).zip(STEPS).filter(|(n, _)| *n > version) {
        let step_in = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        step_in.execute_batch(step)?;
        step_in.pragma_update(None, "application_id", APPLICATION_ID)?;
        step_in.pragma_update(None, "user_version", n)?;
        step_in.commit()?;
        tracing::info!(version = n, "database migrated");
    }
    Ok(())
}
