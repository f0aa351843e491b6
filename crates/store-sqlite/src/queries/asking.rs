//! New asks.

use askd_core::store::{Asked, IdempotencyKey, NewAsk, Record};

use super::Tx;
use crate::{error::Fault, rows, sql::first};

/// `Store::ask`.
pub(crate) fn ask(tx: &mut Tx<'_>, new: NewAsk) -> Result<Asked, Fault> {
    let NewAsk {
        record,
        key,
        max_pending,
    } = new;
    if let Some(stored) = rows::load(tx.db, record.ask.id)? {
        return Ok(Asked::Repeat(Box::new(stored)));
    }
    if let Some(key) = &key
        && let Some(asked) = keyed(tx, &record, key)?
    {
        return Ok(asked);
    }
    let pending = pending(tx, &record)?;
    if record.ask.outcome().is_none() && max_pending.is_some_and(|max| pending >= max) {
        return Ok(Asked::TooMany { pending });
    }
    rows::insert(tx.db, &record, key.as_ref())?;
    tx.note(None, &record);
    Ok(Asked::New(Box::new(record)))
}

fn keyed(tx: &Tx<'_>, record: &Record, key: &IdempotencyKey) -> Result<Option<Asked>, Fault> {
    let known: Option<(String, Vec<u8>)> = first(
        tx.db,
        "SELECT id, key_body FROM asks WHERE owner = ? AND key = ?",
        (record.ask.owner.as_str(), &key.key),
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let Some((id, body)) = known else { return Ok(None) };
    if body != key.body {
        return Ok(Some(Asked::OtherBody));
    }
    let stored = rows::load_text(tx.db, &id)?;
    Ok(stored.map(|stored| Asked::Repeat(Box::new(stored))))
}

fn pending(tx: &Tx<'_>, record: &Record) -> Result<usize, Fault> {
    let sql = "SELECT count(*) FROM asks WHERE owner = ? AND ended_at IS NULL";
    let pending: Option<i64> = first(tx.db, sql, [record.ask.owner.as_str()], |row| row.get(0))?;
    Ok(pending.and_then(|n| usize::try_from(n).ok()).unwrap_or_default())
}
