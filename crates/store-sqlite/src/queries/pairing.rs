//! Accounts: ties, languages, pairing codes; and leases.

use askd_core::{
    id::{Address, ChannelName, PersonName},
    people::Tie,
    store::{CodeHash, PairingCode, Redeemed, TRIES_WINDOW, ago},
    words::Language,
};
use jiff::Timestamp;
use rusqlite::Connection;

use super::Tx;
use crate::{
    error::Fault,
    sql::{all, first, from_json, instant, millis, run, text, to_json},
};

/// `Store::ties`.
pub(crate) fn ties(db: &Connection) -> Result<Vec<Tie>, Fault> {
    let bodies = all(db, "SELECT body FROM ties ORDER BY at, account", [], text)?;
    bodies.iter().map(|body| from_json(body)).collect()
}

/// `Store::tie`.
pub(crate) fn tie(tx: &Tx<'_>, tie: &Tie) -> Result<(), Fault> {
    let sql = "INSERT OR REPLACE INTO ties (account, at, body) VALUES (?, ?, ?)";
    run(
        tx.db,
        sql,
        (tie.account.to_string(), millis(tie.at), to_json(tie)?),
    )?;
    Ok(())
}

/// `Store::language_of`. A language that this version has no catalogue for is none.
pub(crate) fn language_of(db: &Connection, account: &Address) -> Result<Option<Language>, Fault> {
    let sql = "SELECT language FROM languages WHERE account = ?";
    let tag = first(db, sql, [account.to_string()], text)?;
    Ok(tag.and_then(|tag| Language::from_tag(&tag)))
}

/// `Store::put_language`.
pub(crate) fn put_language(tx: &Tx<'_>, account: &Address, language: Language) -> Result<(), Fault> {
    let sql = "INSERT OR REPLACE INTO languages (account, language) VALUES (?, ?)";
    run(tx.db, sql, (account.to_string(), language.tag()))?;
    Ok(())
}

/// `Store::put_code`.
pub(crate) fn put_code(tx: &Tx<'_>, code: &PairingCode) -> Result<(), Fault> {
    let sql = "INSERT OR REPLACE INTO codes (hash, person, expires) VALUES (?, ?, ?)";
    run(
        tx.db,
        sql,
        (code.hash.0, code.person.as_str(), millis(code.expires)),
    )?;
    Ok(())
}

/// `Store::redeem`.
pub(crate) fn redeem(
    tx: &Tx<'_>,
    hash: CodeHash,
    account: &Address,
    direct: bool,
    now: Timestamp,
    most_tries: u32,
) -> Result<Redeemed, Fault> {
    let found = code(tx.db, hash)?;
    let who = account.to_string();
    let latest = now.saturating_add(TRIES_WINDOW).unwrap_or(Timestamp::MAX);
    let window = (&who, millis(ago(now, TRIES_WINDOW)), millis(latest));
    let sql = "SELECT count(*) FROM tries WHERE account = ? AND at > ? AND at <= ?";
    let tries: Option<i64> = first(tx.db, sql, window, |row| row.get(0))?;
    let tries = tries.and_then(|n| u32::try_from(n).ok()).unwrap_or(u32::MAX);
    let redeemed = Redeemed::decide(found.as_ref(), direct, tries, most_tries, now);
    match &redeemed {
        Redeemed::Tied(person) => {
            delete_code(tx.db, hash)?;
            run(tx.db, "DELETE FROM tries WHERE account = ?", [&who])?;
            let (account, person) = (account.clone(), person.clone());
            tie(
                tx,
                &Tie {
                    account,
                    person,
                    at: now,
                    revoked: false,
                },
            )?;
        }
        Redeemed::Burnt => delete_code(tx.db, hash)?,
        Redeemed::Unknown => {
            run(
                tx.db,
                "INSERT INTO tries (account, at) VALUES (?, ?)",
                (&who, millis(now)),
            )?;
        }
        Redeemed::TooOften => {}
    }
    Ok(redeemed)
}

fn code(db: &Connection, hash: CodeHash) -> Result<Option<PairingCode>, Fault> {
    let sql = "SELECT person, expires FROM codes WHERE hash = ?";
    let found: Option<(String, i64)> = first(db, sql, [hash.0], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let Some((person, expires)) = found else {
        return Ok(None);
    };
    Ok(Some(PairingCode {
        hash,
        person: PersonName::new(person),
        expires: instant(expires)?,
    }))
}

fn delete_code(db: &Connection, hash: CodeHash) -> Result<(), Fault> {
    run(db, "DELETE FROM codes WHERE hash = ?", [hash.0])?;
    Ok(())
}

/// `Store::lease`.
pub(crate) fn lease(
    tx: &Tx<'_>,
    channel: &ChannelName,
    node: &str,
    now: Timestamp,
    until: Timestamp,
) -> Result<bool, Fault> {
    let taken = run(
        tx.db,
        "INSERT INTO leases (channel, node, until) VALUES (?1, ?2, ?3)
         ON CONFLICT (channel) DO UPDATE SET node = excluded.node, until = excluded.until
         WHERE node = excluded.node OR until <= ?4",
        (channel.as_str(), node, millis(until), millis(now)),
    )?;
    Ok(taken == 1)
}
