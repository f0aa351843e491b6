//! The statements, by what they are about. Those that change something get a [`Tx`], the others a connection in a
//! read transaction.

pub(crate) mod asking;
pub(crate) mod claiming;
pub(crate) mod finding;
pub(crate) mod hearing;
pub(crate) mod pairing;
pub(crate) mod pruning;
pub(crate) mod settling;
pub(crate) mod signing_in;
pub(crate) mod waking;

#[cfg(test)]
mod plans;

use askd_core::{
    id::AskId,
    store::{Change, Fact, Record},
};
use rusqlite::Connection;

use crate::{error::Fault, rows};

/// A transaction of the writer, and what it has changed so far.
pub(crate) struct Tx<'a> {
    pub(crate) db: &'a Connection,
    /// What becomes of it once it is durable.
    pub(crate) news: &'a mut Vec<News>,
}

/// What a change is good for beside being stored.
#[derive(Debug)]
pub(crate) enum News {
    /// Told to whoever waits.
    Change(Change),
    /// Counted.
    Fact(Fact),
}

impl Tx<'_> {
    /// Loads a record, changes it by a rule of the core, writes it back and notes what that changed.
    pub(crate) fn change<T>(
        &mut self,
        id: AskId,
        how: impl FnOnce(&mut Record) -> T,
    ) -> Result<Option<T>, Fault> {
        let Some(record) = rows::load(self.db, id)? else {
            return Ok(None);
        };
        self.change_loaded(record, how).map(|(result, _)| Some(result))
    }

    /// [`Tx::change`] of a record that is loaded already; also tells whether anything changed.
    pub(crate) fn change_loaded<T>(
        &mut self,
        mut record: Record,
        how: impl FnOnce(&mut Record) -> T,
    ) -> Result<(T, bool), Fault> {
        let before = record.clone();
        let result = how(&mut record);
        rows::save(self.db, &before, &record)?;
        self.note(Some(&before), &record);
        Ok((result, before != record))
    }

    /// Changes each of these records; returns those for which `how` said yes.
    pub(crate) fn change_each(
        &mut self,
        ids: Vec<String>,
        how: impl Fn(&mut Record) -> bool,
    ) -> Result<Vec<AskId>, Fault> {
        let mut said_yes = Vec::new();
        // One at a time: after a long downtime there may be many.
        for id in ids {
            let Some(record) = rows::load_text(self.db, &id)? else {
                continue;
            };
            let id = record.ask.id;
            if self.change_loaded(record, &how)?.0 {
                said_yes.push(id);
            }
        }
        Ok(said_yes)
    }

    /// Notes what changed between `before` and `after`.
    pub(crate) fn note(&mut self, before: Option<&Record>, after: &Record) {
        let ask = after.ask.id;
        let changed = after.changes_since(before).into_iter();
        self.news
            .extend(changed.map(|what| News::Change(Change { ask, what })));
        self.news
            .extend(after.facts_since(before).into_iter().map(News::Fact));
    }
}
