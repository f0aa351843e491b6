//! Sign-ins to the panel, and the codes for them.

use askd_core::{
    stage::Responder,
    store::{CodeHash, SignIn, SignInCode},
};
use jiff::Timestamp;
use rusqlite::Connection;

use super::Tx;
use crate::{
    error::Fault,
    sql::{first, from_json, instant, millis, run, to_json},
};

/// `Store::put_sign_in_code`.
pub(crate) fn put_code(tx: &Tx<'_>, code: &SignInCode) -> Result<(), Fault> {
    let sql = "INSERT OR REPLACE INTO sign_in_codes (hash, who, expires) VALUES (?, ?, ?)";
    run(
        tx.db,
        sql,
        (code.hash.0, to_json(&code.who)?, millis(code.expires)),
    )?;
    Ok(())
}

/// `Store::sign_in`.
pub(crate) fn sign_in(
    tx: &Tx<'_>,
    code: CodeHash,
    secret: CodeHash,
    now: Timestamp,
) -> Result<Option<SignIn>, Fault> {
    let sql = "SELECT who, expires FROM sign_in_codes WHERE hash = ?";
    let found: Option<(String, i64)> = first(tx.db, sql, [code.0], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let Some((who, expires)) = found else {
        return Ok(None);
    };
    let found = SignInCode {
        hash: code,
        who: from_json(&who)?,
        expires: instant(expires)?,
    };
    let Some(sign_in) = found.redeem(secret, now) else {
        return Ok(None);
    };
    run(tx.db, "DELETE FROM sign_in_codes WHERE hash = ?", [code.0])?;
    run(
        tx.db,
        "INSERT INTO sign_ins (secret, who, expires) VALUES (?, ?, ?)",
        (secret.0, who, millis(sign_in.expires)),
    )?;
    Ok(Some(sign_in))
}

/// `Store::signed_in`.
pub(crate) fn signed_in(db: &Connection, secret: CodeHash, now: Timestamp) -> Result<Option<SignIn>, Fault> {
    let sql = "SELECT who, expires FROM sign_ins WHERE secret = ?";
    let found: Option<(String, i64)> = first(db, sql, [secret.0], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let Some((who, expires)) = found else {
        return Ok(None);
    };
    let sign_in = SignIn {
        secret,
        who: from_json(&who)?,
        expires: instant(expires)?,
    };
    Ok(Some(sign_in).filter(|sign_in| sign_in.lasts(now)))
}

/// `Store::any_signed_in`.
pub(crate) fn any_signed_in(db: &Connection, who: &[Responder], now: Timestamp) -> Result<bool, Fault> {
    for one in who {
        let sql = "SELECT 1 FROM sign_ins WHERE who = ? AND expires > ? LIMIT 1";
        if first(db, sql, (to_json(one)?, millis(now)), |_| Ok(()))?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// `Store::sign_out`.
pub(crate) fn sign_out(tx: &Tx<'_>, secret: CodeHash) -> Result<bool, Fault> {
    Ok(run(tx.db, "DELETE FROM sign_ins WHERE secret = ?", [secret.0])? > 0)
}

/// `Store::sign_out_all`.
pub(crate) fn sign_out_all(tx: &Tx<'_>, who: &Responder) -> Result<usize, Fault> {
    let who = to_json(who)?;
    run(tx.db, "DELETE FROM sign_in_codes WHERE who = ?", [&who])?;
    run(tx.db, "DELETE FROM sign_ins WHERE who = ?", [&who])
}
