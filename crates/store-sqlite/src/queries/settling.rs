//! Ends and partial answers.

use askd_core::{
    answer::Answers,
    id::{AskId, ChannelName, RunId, TokenName},
    stage::{Closed, End, Kept, SettledBy},
    store::{Failure, Heard},
};
use jiff::Timestamp;
use rusqlite::Connection;

use super::{Tx, hearing};
use crate::{
    error::Fault,
    rows,
    sql::{all, first, instant, millis, text},
};

/// `Store::keep`.
pub(crate) fn keep(
    tx: &mut Tx<'_>,
    id: AskId,
    answers: Answers,
    by: &SettledBy,
    heard: Option<&Heard>,
    now: Timestamp,
) -> Result<Option<Kept>, Fault> {
    let Some(record) = rows::load(tx.db, id)? else {
        return Ok(None);
    };
    if !hearing::is_news(tx.db, heard)? {
        return Ok(Some(record.kept_before(by)));
    }
    let (kept, _) = tx.change_loaded(record, |record| record.keep(answers, by, now))?;
    Ok(Some(kept))
}

/// `Store::close`.
pub(crate) fn close(
    tx: &mut Tx<'_>,
    id: AskId,
    end: End,
    heard: Option<&Heard>,
    now: Timestamp,
) -> Result<Option<Closed>, Fault> {
    let Some(record) = rows::load(tx.db, id)? else {
        return Ok(None);
    };
    if !hearing::is_news(tx.db, heard)? {
        return Ok(Some(record.closed_before(end.by())));
    }
    let (closed, _) = tx.change_loaded(record, |record| record.close(end, now))?;
    Ok(Some(closed))
}

/// `Store::cancel_run`.
pub(crate) fn cancel_run(
    tx: &mut Tx<'_>,
    owner: Option<&TokenName>,
    run: &RunId,
    now: Timestamp,
) -> Result<Vec<AskId>, Fault> {
    let pending = all(
        tx.db,
        "SELECT id FROM asks WHERE run = ?1 AND ended_at IS NULL AND (?2 IS NULL OR owner = ?2) ORDER BY id",
        (run.as_str(), owner.map(TokenName::as_str)),
        text,
    )?;
    tx.change_each(pending, |record| {
        let _ = record.close(End::Cancelled, now);
        true
    })
}

/// `Store::expire`.
pub(crate) fn expire(tx: &mut Tx<'_>, now: Timestamp) -> Result<Vec<AskId>, Fault> {
    let sql = "SELECT id FROM asks WHERE ended_at IS NULL AND deadline <= ? ORDER BY deadline";
    let due = all(tx.db, sql, [millis(now)], text)?;
    tx.change_each(due, |record| record.expire(now))
}

/// `Store::channel_stopped`.
pub(crate) fn channel_stopped(
    tx: &mut Tx<'_>,
    channel: &ChannelName,
    why: Failure,
    now: Timestamp,
) -> Result<Vec<AskId>, Fault> {
    let open = all(
        tx.db,
        "SELECT DISTINCT ask FROM turns JOIN deliveries USING (conversation)
         WHERE turns.channel = ? AND deliveries.due IS NOT NULL ORDER BY ask",
        [channel.as_str()],
        text,
    )?;
    tx.change_each(open, |record| record.channel_stopped(channel, why, now))
}

/// `Store::next_deadline`.
pub(crate) fn next_deadline(db: &Connection) -> Result<Option<Timestamp>, Fault> {
    let sql = "SELECT min(deadline) FROM asks WHERE ended_at IS NULL";
    let deadline: Option<Option<i64>> = first(db, sql, [], |row| row.get(0))?;
    deadline.flatten().map(instant).transpose()
}
