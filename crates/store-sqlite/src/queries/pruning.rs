//! Retention, and deleting history on request.

use askd_core::store::{Forget, Forgotten};
use jiff::Timestamp;
use rusqlite::types::Value;

use super::Tx;
use crate::{
    error::Fault,
    rows,
    sql::{all, count, first, millis, run, text},
};

/// `Store::prune`.
pub(crate) fn prune(tx: &Tx<'_>, before: Timestamp, max: usize) -> Result<usize, Fault> {
    let (before, max) = (millis(before), count(max));
    let old = all(
        tx.db,
        "SELECT id FROM asks AS old
         WHERE ended_at IS NOT NULL AND ended_at < ?1
             AND NOT EXISTS (
                 SELECT 1 FROM asks WHERE session = old.session AND owner = old.owner AND ended_at IS NULL)
             AND NOT EXISTS (
                 SELECT 1 FROM asks WHERE session = old.session AND owner = old.owner AND ended_at >= ?1)
         ORDER BY ended_at, id LIMIT ?2",
        (before, max),
        text,
    )?;
    for id in &old {
        delete(tx, id)?;
    }
    for sql in SMALL {
        run(tx.db, sql, (before, max))?;
    }
    Ok(old.len())
}

/// `Store::forget`.
pub(crate) fn forget(tx: &Tx<'_>, what: &Forget, max: usize) -> Result<Forgotten, Fault> {
    const LEFT_TO_DO: &str =
        "(ended_at IS NULL OR EXISTS (SELECT 1 FROM deliveries WHERE ask = asks.id AND due IS NOT NULL))";
    let (meant, which) = match what {
        Forget::Ask(id) => ("id = ?1", Value::Text(id.to_string())),
        Forget::Session(id) => ("session = ?1", Value::Text(id.clone())),
        Forget::EndedBefore(instant) => (
            "ended_at IS NOT NULL AND ended_at < ?1",
            Value::Integer(millis(*instant)),
        ),
    };
    let sql = format!("SELECT id FROM asks WHERE {meant} AND NOT {LEFT_TO_DO} LIMIT ?2");
    let done = all(tx.db, &sql, (&which, count(max)), text)?;
    for id in &done {
        delete(tx, id)?;
    }
    let sql = format!("SELECT count(*) FROM asks WHERE {meant} AND {LEFT_TO_DO}");
    let kept = first(tx.db, &sql, [&which], |row| row.get::<_, i64>(0))?;
    Ok(Forgotten {
        forgotten: done.len(),
        kept: kept.and_then(|kept| usize::try_from(kept).ok()).unwrap_or(0),
    })
}

/// Everything about one ask. Its deliveries, messages and answerers go with it by their references.
fn delete(tx: &Tx<'_>, id: &str) -> Result<(), Fault> {
    let waiting: Vec<(String, String)> = all(
        tx.db,
        "SELECT channel, conversation FROM deliveries WHERE ask = ? AND due IS NOT NULL",
        [id],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    run(tx.db, "DELETE FROM heard WHERE ask = ?", [id])?;
    run(tx.db, "DELETE FROM asks WHERE id = ?", [id])?;
    for (channel, conversation) in waiting {
        rows::turn_of(tx.db, &channel, &conversation)?;
    }
    Ok(())
}

/// Small records from before `?1`, at most `?2` of each.
const SMALL: [&str; 7] = [
    "DELETE FROM heard WHERE n IN (
         SELECT n FROM heard
         WHERE at < ?1 AND NOT EXISTS (SELECT 1 FROM asks WHERE asks.id = heard.ask) LIMIT ?2)",
    "DELETE FROM said WHERE key IN (SELECT key FROM said WHERE at < ?1 LIMIT ?2)",
    "DELETE FROM codes WHERE hash IN (SELECT hash FROM codes WHERE expires < ?1 LIMIT ?2)",
    "DELETE FROM tries WHERE rowid IN (SELECT rowid FROM tries WHERE at < ?1 LIMIT ?2)",
    "DELETE FROM sign_in_codes WHERE hash IN (SELECT hash FROM sign_in_codes WHERE expires < ?1 LIMIT ?2)",
    "DELETE FROM sign_ins WHERE secret IN (SELECT secret FROM sign_ins WHERE expires < ?1 LIMIT ?2)",
    "DELETE FROM leases WHERE channel IN (SELECT channel FROM leases WHERE until < ?1 LIMIT ?2)",
];
