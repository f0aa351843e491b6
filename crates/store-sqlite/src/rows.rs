//! A record and its rows.
//!
//! The JSON is the record; the columns beside it are written here, from it, and nowhere else. [`save`] writes only
//! what differs, so that a claim does not rewrite a long ask.

use askd_core::{
    id::{AskId, RunId},
    store::{Delivery, IdempotencyKey, MessageRole, Record},
};
use rusqlite::{Connection, named_params};

use crate::{
    error::Fault,
    sql::{all, first, from_json, millis, run, text, to_json},
};

/// The record of this ask.
pub(crate) fn load(db: &Connection, id: AskId) -> Result<Option<Record>, Fault> {
    load_text(db, &id.to_string())
}

/// The record of this ask, by the text of its id.
pub(crate) fn load_text(db: &Connection, id: &str) -> Result<Option<Record>, Fault> {
    let Some(ask) = first(db, "SELECT body FROM asks WHERE id = ?", [id], text)? else {
        return Ok(None);
    };
    let deliveries = all(
        db,
        "SELECT body FROM deliveries WHERE ask = ? ORDER BY position",
        [id],
        text,
    )?;
    Ok(Some(Record {
        ask: from_json(&ask)?,
        deliveries: deliveries
            .iter()
            .map(|body| from_json(body))
            .collect::<Result<_, _>>()?,
    }))
}

/// The records of these asks, in this order. All are read in one transaction, so none can be missing.
pub(crate) fn load_all(db: &Connection, ids: &[String]) -> Result<Vec<Record>, Fault> {
    let missing = || Fault::damaged("an indexed ask is missing");
    ids.iter()
        .map(|id| load_text(db, id)?.ok_or_else(missing))
        .collect()
}

/// Stores a record that is new.
pub(crate) fn insert(db: &Connection, record: &Record, key: Option<&IdempotencyKey>) -> Result<(), Fault> {
    let ask = &record.ask;
    let id = ask.id.to_string();
    run(
        db,
        "INSERT INTO asks (id, owner, session, run, status, action, deadline, ended_at, key, key_body, body)
         VALUES (:id, :owner, :session, :run, :status, :action, :deadline, :ended_at, :key, :key_body, :body)",
        named_params! {
            ":id": id,
            ":owner": ask.owner.as_str(),
            ":session": ask.session.as_ref().map(|session| &session.id),
            ":run": ask.run.as_ref().map(RunId::as_str),
            ":status": ask.status(),
            ":action": ask.action.to_string(),
            ":deadline": millis(ask.deadline),
            ":ended_at": ended_at(record),
            ":key": key.map(|key| &key.key),
            ":key_body": key.map(|key| key.body.as_slice()),
            ":body": to_json(ask)?,
        },
    )?;
    for person in &ask.answerers {
        // A route may name a person twice.
        run(
            db,
            "INSERT OR IGNORE INTO answerers (person, ask) VALUES (?, ?)",
            (person.as_str(), &id),
        )?;
    }
    for (position, delivery) in (0_i64..).zip(&record.deliveries) {
        insert_delivery(db, record, position, delivery)?;
    }
    Ok(())
}

fn insert_delivery(
    db: &Connection,
    record: &Record,
    position: i64,
    delivery: &Delivery,
) -> Result<(), Fault> {
    let id = record.ask.id.to_string();
    run(
        db,
        "INSERT INTO deliveries
             (id, ask, position, channel, conversation, shown, ended_at, due, claimed_until, body)
         VALUES
             (:id, :ask, :position, :channel, :conversation, :shown, :ended_at, :due, :claimed_until, :body)",
        named_params! {
            ":id": delivery.id.to_string(),
            ":ask": id,
            ":position": position,
            ":channel": delivery.to.channel.as_str(),
            ":conversation": delivery.conversation().to_string(),
            ":shown": delivery.is_delivered(),
            ":ended_at": ended_at(record),
            ":due": delivery.due.map(millis),
            ":claimed_until": delivery.claimed_until.map(millis),
            ":body": to_json(delivery)?,
        },
    )?;
    insert_messages(db, &id, delivery, 0)?;
    set_turn(db, delivery)
}

/// Stores what of a known record has changed. Deliveries are only ever added at the end, and an ask changes in its stage
/// alone.
pub(crate) fn save(db: &Connection, before: &Record, after: &Record) -> Result<(), Fault> {
    let id = after.ask.id.to_string();
    if before.ask != after.ask {
        run(
            db,
            "UPDATE asks SET status = :status, ended_at = :ended_at, body = :body WHERE id = :id",
            named_params! {
                ":id": id,
                ":status": after.ask.status(),
                ":ended_at": ended_at(after),
                ":body": to_json(&after.ask)?,
            },
        )?;
    }
    let ended = ended_at(before) != ended_at(after);
    for (was, now) in before.deliveries.iter().zip(&after.deliveries) {
        if was == now && !ended {
            continue;
        }
        run(
            db,
            "UPDATE deliveries SET conversation = :conversation, shown = :shown, ended_at = :ended_at, due = :due,
                 claimed_until = :claimed_until, body = :body
             WHERE id = :id",
            named_params! {
                ":id": now.id.to_string(),
                ":conversation": now.conversation().to_string(),
                ":shown": now.is_delivered(),
                ":ended_at": ended_at(after),
                ":due": now.due.map(millis),
                ":claimed_until": now.claimed_until.map(millis),
                ":body": to_json(now)?,
            },
        )?;
        insert_messages(db, &id, now, was.messages.len())?;
        if was.conversation() != now.conversation() {
            set_turn(db, was)?;
        }
        set_turn(db, now)?;
    }
    let new = (0_i64..).zip(&after.deliveries).skip(before.deliveries.len());
    for (position, delivery) in new {
        insert_delivery(db, after, position, delivery)?;
    }
    Ok(())
}

/// The messages of a delivery from the `known`-th on; they are only ever added at the end.
fn insert_messages(db: &Connection, ask: &str, delivery: &Delivery, known: usize) -> Result<(), Fault> {
    for shown in delivery.messages.iter().skip(known) {
        run(
            db,
            "INSERT OR IGNORE INTO messages (channel, message, ask, role) VALUES (?, ?, ?, ?)",
            (
                delivery.to.channel.as_str(),
                shown.message.as_str(),
                ask,
                role_text(shown.role),
            ),
        )?;
    }
    Ok(())
}

/// Works out anew when the conversation of `delivery` comes next. Two look-ups in indexes, whatever waits there.
pub(crate) fn set_turn(db: &Connection, delivery: &Delivery) -> Result<(), Fault> {
    turn_of(
        db,
        delivery.to.channel.as_str(),
        &delivery.conversation().to_string(),
    )
}

/// [`set_turn`] by the texts of channel and conversation.
pub(crate) fn turn_of(db: &Connection, channel: &str, conversation: &str) -> Result<(), Fault> {
    let next: Option<i64> = first(
        db,
        "SELECT COALESCE(
             (SELECT max(claimed_until) FROM deliveries WHERE conversation = ?1 AND claimed_until IS NOT NULL),
             (SELECT min(due) FROM deliveries WHERE conversation = ?1 AND due IS NOT NULL))",
        [conversation],
        |row| row.get(0),
    )?
    .flatten();
    match next {
        Some(due) => run(
            db,
            "INSERT INTO turns (conversation, channel, due) VALUES (?, ?, ?)
             ON CONFLICT (conversation) DO UPDATE SET due = excluded.due",
            (conversation, channel, due),
        )?,
        None => run(db, "DELETE FROM turns WHERE conversation = ?", [conversation])?,
    };
    Ok(())
}

fn ended_at(record: &Record) -> Option<i64> {
    record.ask.outcome().map(|outcome| millis(outcome.at))
}

fn role_text(role: MessageRole) -> &'static str {
    match role {
        MessageRole::Prompt => "prompt",
        MessageRole::OwnWords => "own_words",
        MessageRole::Note => "note",
    }
}

/// What [`role_text`] wrote.
pub(crate) fn role(text: &str) -> Result<MessageRole, Fault> {
    [MessageRole::Prompt, MessageRole::OwnWords, MessageRole::Note]
        .into_iter()
        .find(|role| role_text(*role) == text)
        .ok_or_else(|| Fault::damaged("a stored role is none"))
}
