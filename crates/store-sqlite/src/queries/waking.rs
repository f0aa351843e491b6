//! Browsers that are woken. They go with their sign-ins, by reference.

use askd_core::{
    push::{Browser, Subscription, SubscriptionId},
    stage::Responder,
    store::CodeHash,
};
use jiff::Timestamp;
use rusqlite::{Connection, Row};

use super::Tx;
use crate::{
    error::Fault,
    sql::{all, count, first, from_json, instant, millis, run, to_json},
};

const COLUMNS: &str = "subscriptions.sign_in, id, subscriptions.who, since, endpoint, p256dh, auth";

/// Only those whose sign-in lasts.
const LASTING: &str = "subscriptions JOIN sign_ins ON secret = sign_in AND expires > ?2";

/// `Store::subscribe`.
pub(crate) fn subscribe(tx: &Tx<'_>, new: &Subscription, most: usize, now: Timestamp) -> Result<bool, Fault> {
    let sql = "SELECT 1 FROM sign_ins WHERE secret = ? AND expires > ?";
    if first(tx.db, sql, (new.sign_in.0, millis(now)), |_| Ok(()))?.is_none() {
        return Ok(false);
    }
    let (id, who) = (new.id.as_str(), to_json(&new.who)?);
    run(
        tx.db,
        "DELETE FROM subscriptions WHERE sign_in = ? OR id = ?",
        (new.sign_in.0, id),
    )?;
    run(
        tx.db,
        "INSERT INTO subscriptions (sign_in, id, who, since, endpoint, p256dh, auth) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            new.sign_in.0,
            id,
            &who,
            millis(new.since),
            &new.browser.endpoint,
            &new.browser.p256dh,
            &new.browser.auth,
        ),
    )?;
    run(
        tx.db,
        "DELETE FROM subscriptions WHERE who = ?1 AND id NOT IN (
             SELECT id FROM subscriptions WHERE who = ?1 ORDER BY since DESC, id DESC LIMIT ?2)",
        (&who, count(most)),
    )?;
    Ok(true)
}

/// `Store::unsubscribe`.
pub(crate) fn unsubscribe(tx: &Tx<'_>, sign_in: CodeHash) -> Result<bool, Fault> {
    Ok(run(tx.db, "DELETE FROM subscriptions WHERE sign_in = ?", [sign_in.0])? > 0)
}

/// `Store::drop_subscription`.
pub(crate) fn drop(tx: &Tx<'_>, id: &SubscriptionId) -> Result<(), Fault> {
    run(tx.db, "DELETE FROM subscriptions WHERE id = ?", [id.as_str()])?;
    Ok(())
}

/// `Store::subscription`.
pub(crate) fn one(
    db: &Connection,
    id: &SubscriptionId,
    now: Timestamp,
) -> Result<Option<Subscription>, Fault> {
    let sql = format!("SELECT {COLUMNS} FROM {LASTING} WHERE id = ?1");
    let found = first(db, &sql, (id.as_str(), millis(now)), Stored::read)?;
    found.map(Stored::into_subscription).transpose()
}

/// `Store::subscriptions`.
pub(crate) fn of(db: &Connection, who: &[Responder], now: Timestamp) -> Result<Vec<Subscription>, Fault> {
    let sql = format!("SELECT {COLUMNS} FROM {LASTING} WHERE subscriptions.who = ?1");
    let mut found = Vec::new();
    for one in who {
        let theirs = all(db, &sql, (to_json(one)?, millis(now)), Stored::read)?;
        for stored in theirs {
            found.push(stored.into_subscription()?);
        }
    }
    found.sort_by(|a, b| (a.since, &a.id).cmp(&(b.since, &b.id)));
    Ok(found)
}

/// A row.
struct Stored {
    sign_in: [u8; 32],
    id: String,
    who: String,
    since: i64,
    browser: Browser,
}

impl Stored {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            sign_in: row.get(0)?,
            id: row.get(1)?,
            who: row.get(2)?,
            since: row.get(3)?,
            browser: Browser {
                endpoint: row.get(4)?,
                p256dh: row.get(5)?,
                auth: row.get(6)?,
            },
        })
    }

    fn into_subscription(self) -> Result<Subscription, Fault> {
        Ok(Subscription {
            id: SubscriptionId::new(self.id),
            who: from_json(&self.who)?,
            sign_in: CodeHash(self.sign_in),
            browser: self.browser,
            since: instant(self.since)?,
        })
    }
}
