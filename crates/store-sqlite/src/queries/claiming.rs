//! Handing out deliveries.

use askd_core::{id::ChannelName, store::Task};
use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;

use super::Tx;
use crate::{
    error::Fault,
    rows,
    sql::{all, count, first, instant, millis, text},
};

/// `Store::claim`.
pub(crate) fn claim(
    tx: &mut Tx<'_>,
    channel: &ChannelName,
    now: Timestamp,
    until: Timestamp,
    max: usize,
) -> Result<Vec<Task>, Fault> {
    let mut tasks = Vec::new();
    while tasks.len() < max {
        let free = all(
            tx.db,
            "SELECT conversation FROM turns WHERE channel = ? AND due <= ? ORDER BY due LIMIT ?",
            (channel.as_str(), millis(now), count(max - tasks.len())),
            text,
        )?;
        let mut moved = false;
        for conversation in free {
            match claim_first(tx, &conversation, now, until)? {
                First::Claimed(task) => {
                    tasks.push(*task);
                    moved = true;
                }
                // Its next one is looked at in the next round.
                First::Dropped => moved = true,
                First::Nothing => {}
            }
        }
        if !moved {
            break;
        }
    }
    Ok(tasks)
}

enum First {
    Claimed(Box<Task>),
    /// It was not to be posted any more.
    Dropped,
    Nothing,
}

/// Claims the first delivery that is due in a free conversation.
fn claim_first(
    tx: &mut Tx<'_>,
    conversation: &str,
    now: Timestamp,
    until: Timestamp,
) -> Result<First, Fault> {
    let due: Option<(String, i64)> = first(
        tx.db,
        "SELECT ask, position FROM deliveries WHERE conversation = ? AND due IS NOT NULL AND due <= ?
         ORDER BY due, ask, position LIMIT 1",
        (conversation, millis(now)),
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let Some((ask, position)) = due else {
        return Ok(First::Nothing);
    };
    let Some(record) = rows::load_text(tx.db, &ask)? else {
        return Ok(First::Nothing);
    };
    let delivery = usize::try_from(position)
        .ok()
        .and_then(|n| record.deliveries.get(n));
    let Some(id) = delivery.map(|delivery| delivery.id) else {
        return Ok(First::Nothing);
    };
    Ok(
        match tx.change_loaded(record, |record| record.claim(id, now, until))? {
            (Some(task), _) => First::Claimed(Box::new(task)),
            (None, true) => First::Dropped,
            (None, false) => First::Nothing,
        },
    )
}

/// `Store::next_due`.
pub(crate) fn next_due(db: &Connection, channel: &ChannelName) -> Result<Option<Timestamp>, Fault> {
    let sql = "SELECT min(due) FROM turns WHERE channel = ?";
    let due: Option<Option<i64>> = first(db, sql, [channel.as_str()], |row| row.get(0))?;
    due.flatten().map(instant).transpose()
}

/// `Store::let_go`.
pub(crate) fn let_go(tx: &mut Tx<'_>, channel: &ChannelName, now: Timestamp) -> Result<(), Fault> {
    let with_work = with_work(tx, channel)?;
    tx.change_each(with_work, |record| record.let_go(channel, now))
        .map(drop)
}

/// `Store::set_back`.
pub(crate) fn set_back(
    tx: &mut Tx<'_>,
    channel: &ChannelName,
    by: SignedDuration,
    now: Timestamp,
) -> Result<(), Fault> {
    let with_work = with_work(tx, channel)?;
    tx.change_each(with_work, |record| record.set_back(channel, by, now))
        .map(drop)
}

/// The asks that have something to do on this channel, now or later.
fn with_work(tx: &Tx<'_>, channel: &ChannelName) -> Result<Vec<String>, Fault> {
    let sql = "SELECT DISTINCT ask FROM turns JOIN deliveries USING (conversation)
               WHERE turns.channel = ? AND deliveries.due IS NOT NULL ORDER BY ask";
    all(tx.db, sql, [channel.as_str()], text)
}

/// `Store::channels_with_work`.
pub(crate) fn channels_with_work(db: &Connection) -> Result<Vec<ChannelName>, Fault> {
    let names = all(
        db,
        "SELECT DISTINCT channel FROM turns ORDER BY channel",
        [],
        text,
    )?;
    Ok(names.into_iter().map(ChannelName::new).collect())
}
