//! Short ways to run one cached statement, and the forms in which values are stored.

use jiff::Timestamp;
use rusqlite::{CachedStatement, Connection, OptionalExtension as _, Params, Row};
use serde::{Serialize, de::DeserializeOwned};

use crate::error::Fault;

/// Runs a statement; returns how many rows it changed.
pub(crate) fn run(db: &Connection, sql: &str, params: impl Params) -> Result<usize, Fault> {
    Ok(prepare(db, sql)?.execute(params)?)
}

/// The first row.
pub(crate) fn first<T>(
    db: &Connection,
    sql: &str,
    params: impl Params,
    read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Option<T>, Fault> {
    Ok(prepare(db, sql)?.query_row(params, read).optional()?)
}

/// Every row.
pub(crate) fn all<T>(
    db: &Connection,
    sql: &str,
    params: impl Params,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, Fault> {
    let mut statement = prepare(db, sql)?;
    let rows = statement.query_map(params, read)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn prepare<'db>(db: &'db Connection, sql: &str) -> Result<CachedStatement<'db>, Fault> {
    #[cfg(test)]
    SEEN.with_borrow_mut(|seen| seen.insert(sql.to_owned()));
    Ok(db.prepare_cached(sql)?)
}

// Every statement that this thread has run, for looking at their plans.
#[cfg(test)]
thread_local! {
    pub(crate) static SEEN: std::cell::RefCell<std::collections::BTreeSet<String>> = const {
        std::cell::RefCell::new(std::collections::BTreeSet::new())
    };
}

/// The first column as text.
pub(crate) fn text(row: &Row<'_>) -> rusqlite::Result<String> {
    row.get(0)
}

/// An instant as it is stored: milliseconds since 1970.
pub(crate) fn millis(instant: Timestamp) -> i64 {
    instant.as_millisecond()
}

/// What [`millis`] wrote.
pub(crate) fn instant(millis: i64) -> Result<Timestamp, Fault> {
    Timestamp::from_millisecond(millis).map_err(|_| Fault::damaged("a stored instant is out of range"))
}

/// A number as SQLite takes it; more than it can hold is as good as no limit.
pub(crate) fn count(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// A value as JSON.
pub(crate) fn to_json<T: Serialize>(value: &T) -> Result<String, Fault> {
    Ok(serde_json::to_string(value)?)
}

/// What [`to_json`] wrote.
pub(crate) fn from_json<T: DeserializeOwned>(json: &str) -> Result<T, Fault> {
    Ok(serde_json::from_str(json)?)
}
