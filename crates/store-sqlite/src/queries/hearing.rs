//! Events and messages that were taken over, and what was said once.

use std::time::Duration;

use askd_core::{
    id::{ChannelName, EventId, MessageRef},
    store::{Heard, ago},
};
use jiff::Timestamp;
use rusqlite::Connection;

use super::Tx;
use crate::{
    error::Fault,
    sql::{first, from_json, millis, run, text, to_json},
};

/// Records an event. Whether it was new; no event at all is always new.
pub(crate) fn is_news(db: &Connection, heard: Option<&Heard>) -> Result<bool, Fault> {
    let Some(heard) = heard else { return Ok(true) };
    let added = run(
        db,
        "INSERT OR IGNORE INTO heard (channel, event, message, ask, at, body) VALUES (?, ?, ?, ?, ?, ?)",
        (
            heard.channel.as_str(),
            heard.event.as_str(),
            heard.message.as_ref().map(MessageRef::as_str),
            heard.ask.map(|ask| ask.to_string()),
            millis(heard.at),
            to_json(heard)?,
        ),
    )?;
    Ok(added == 1)
}

/// `Store::heard`.
pub(crate) fn heard(db: &Connection, channel: &ChannelName, event: &EventId) -> Result<Option<Heard>, Fault> {
    let sql = "SELECT body FROM heard WHERE channel = ? AND event = ?";
    let body = first(db, sql, (channel.as_str(), event.as_str()), text)?;
    body.map(|body| from_json(&body)).transpose()
}

/// `Store::heard_message`.
pub(crate) fn heard_message(
    db: &Connection,
    channel: &ChannelName,
    message: &MessageRef,
) -> Result<Option<Heard>, Fault> {
    let sql = "SELECT body FROM heard WHERE channel = ? AND message = ? ORDER BY n LIMIT 1";
    let body = first(db, sql, (channel.as_str(), message.as_str()), text)?;
    body.map(|body| from_json(&body)).transpose()
}

/// `Store::say_once`, by the rule of [`askd_core::store::is_recent`].
pub(crate) fn say_once(tx: &Tx<'_>, key: &str, now: Timestamp, every: Duration) -> Result<bool, Fault> {
    let said = run(
        tx.db,
        "INSERT INTO said (key, at) VALUES (?1, ?2)
         ON CONFLICT (key) DO UPDATE SET at = excluded.at WHERE at <= ?3 OR at > ?2",
        (key, millis(now), millis(ago(now, every))),
    )?;
    Ok(said == 1)
}

/// What an ask with its deliveries commonly takes, so that "there is room" means room for one. Unit: bytes. The table and its
/// index each take as much.
const ROOM: i64 = 16 * 1024;

/// `Store::probe`. What is written for good is one small row, always the same. The room for an ask is taken and given back,
/// which finds a database that may not grow; a disk that is full is found by the commit, which has to be synced.
pub(crate) fn probe(tx: &Tx<'_>, now: Timestamp) -> Result<(), Fault> {
    run(tx.db, "SAVEPOINT room", [])?;
    let taken = run(
        tx.db,
        "INSERT INTO said (key, at) VALUES ('probe ' || hex(zeroblob(?1 / 2)), 0)",
        [ROOM],
    );
    // SQLite may have undone the whole transaction by itself; then there is nothing to go back to.
    if !tx.db.is_autocommit() {
        run(tx.db, "ROLLBACK TO room", [])?;
        run(tx.db, "RELEASE room", [])?;
    }
    taken?;
    say_once(tx, "probe", now, Duration::ZERO).map(|_| ())
}
