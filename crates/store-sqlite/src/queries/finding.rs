//! Asks by what is known of them.

use askd_core::{
    id::{ActionToken, Address, AskId, ChannelName, MessageRef, PersonName, TokenName},
    store::{Filter, MessageOwner, Record},
};
use jiff::Timestamp;
use rusqlite::{Connection, ToSql, params_from_iter};

use crate::{
    error::Fault,
    rows,
    sql::{all, count, first, millis, text},
};

/// `Store::list`.
pub(crate) fn list(db: &Connection, filter: &Filter) -> Result<Vec<Record>, Fault> {
    let owner = filter.owner.as_ref().map(TokenName::as_str);
    let answerer = filter.answerer.as_ref().map(PersonName::as_str);
    let before = filter.before.map(|ask| ask.to_string());
    let limit = count(filter.limit);
    let conditions: [(&str, Option<&dyn ToSql>); 5] = [
        ("owner = ?", owner.as_ref().map(|owner| owner as _)),
        (
            "id IN (SELECT ask FROM answerers WHERE person = ?)",
            answerer.as_ref().map(|person| person as _),
        ),
        ("status = ?", filter.status.as_ref().map(|status| status as _)),
        ("session = ?", filter.session.as_ref().map(|session| session as _)),
        ("id < ?", before.as_ref().map(|before| before as _)),
    ];
    // Only the conditions that hold are written down, so that each combination is planned for what it has.
    let (conditions, mut params): (Vec<&str>, Vec<&dyn ToSql>) = conditions
        .into_iter()
        .filter_map(|(sql, value)| Some((sql, value?)))
        .unzip();
    let conditions = if conditions.is_empty() {
        "1".to_owned()
    } else {
        conditions.join(" AND ")
    };
    params.push(&limit);
    let sql = format!("SELECT id FROM asks WHERE {conditions} ORDER BY id DESC LIMIT ?");
    let ids = all(db, &sql, params_from_iter(params), text)?;
    rows::load_all(db, &ids)
}

/// `Store::by_action`.
pub(crate) fn by_action(db: &Connection, token: ActionToken) -> Result<Option<Record>, Fault> {
    let id = first(
        db,
        "SELECT id FROM asks WHERE action = ?",
        [token.to_string()],
        text,
    )?;
    Ok(id.map(|id| rows::load_text(db, &id)).transpose()?.flatten())
}

/// `Store::by_message`.
pub(crate) fn by_message(
    db: &Connection,
    channel: &ChannelName,
    message: &MessageRef,
) -> Result<Option<MessageOwner>, Fault> {
    let found: Option<(String, String)> = first(
        db,
        "SELECT ask, role FROM messages WHERE channel = ? AND message = ? ORDER BY ask LIMIT 1",
        (channel.as_str(), message.as_str()),
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let Some((ask, role)) = found else { return Ok(None) };
    let ask = AskId::parse(&ask).ok_or_else(|| Fault::damaged("a stored id is none"))?;
    Ok(Some(MessageOwner {
        ask,
        role: rows::role(&role)?,
    }))
}

/// `Store::open_at`.
pub(crate) fn open_at(db: &Connection, at: &Address) -> Result<Vec<Record>, Fault> {
    let ids = all(
        db,
        "SELECT DISTINCT ask FROM deliveries WHERE conversation = ? AND shown = 1 AND ended_at IS NULL ORDER BY ask",
        [at.to_string()],
        text,
    )?;
    rows::load_all(db, &ids)
}

/// `Store::is_on_its_way`.
pub(crate) fn is_on_its_way(db: &Connection, at: &Address) -> Result<bool, Fault> {
    let found = first(
        db,
        "SELECT 1 FROM deliveries WHERE conversation = ? AND due IS NOT NULL AND shown = 0 AND ended_at IS NULL LIMIT 1",
        [at.to_string()],
        |_| Ok(()),
    )?;
    Ok(found.is_some())
}

/// `Store::ended_at`.
pub(crate) fn ended_at(db: &Connection, at: &Address, since: Timestamp) -> Result<Option<Record>, Fault> {
    let id = first(
        db,
        "SELECT ask FROM deliveries WHERE conversation = ? AND shown = 1 AND ended_at >= ?
         ORDER BY ended_at DESC, ask DESC LIMIT 1",
        (at.to_string(), millis(since)),
        text,
    )?;
    Ok(id.map(|id| rows::load_text(db, &id)).transpose()?.flatten())
}

/// `Store::count_pending`.
pub(crate) fn count_pending(db: &Connection) -> Result<u64, Fault> {
    let count = first(
        db,
        "SELECT count(*) FROM asks WHERE status = 'pending'",
        [],
        |row| row.get::<_, i64>(0),
    )?;
    Ok(count.and_then(|count| u64::try_from(count).ok()).unwrap_or(0))
}
