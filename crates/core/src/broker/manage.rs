//! Reading and cancelling, with the rights of the caller.

use crate::{
    broker::Broker,
    id::{Address, AskId, DeliveryId, RunId},
    rights::{Denied, Principal, Role},
    stage::{End, Responder},
    store::{Filter, Record, StoreError},
};

/// Why a call about an ask was not carried out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// There is no such ask, or it is another's: entrances tell the two apart to nobody.
    #[error("no such ask")]
    NotFound,
    /// The caller's role does not include this.
    #[error(transparent)]
    Denied(Denied),
    /// The store did not answer; the same call may be tried again.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Denied> for CallError {
    fn from(denied: Denied) -> Self {
        match denied {
            Denied::NotYours => Self::NotFound,
            Denied::Role | Denied::Subagent => Self::Denied(denied),
        }
    }
}

/// Which asks to list.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// `pending` or the word of an end.
    pub status: Option<String>,
    /// Of this session only.
    pub session: Option<String>,
    /// Older than this one only.
    pub before: Option<AskId>,
    /// At most this many; [`Query::MAX`] at most.
    pub limit: Option<usize>,
}

impl Query {
    /// Most asks of one page.
    pub const MAX: usize = 200;
    /// Asks of a page whose size nobody named.
    pub const DEFAULT: usize = 50;
}

/// One page of asks, newest first.
#[derive(Clone, Debug)]
pub struct Page {
    /// The asks.
    pub records: Vec<Record>,
    /// Where the next page begins; `None` where this was the last.
    pub next: Option<AskId>,
}

impl Broker {
    /// The ask, if the caller may see it.
    ///
    /// # Errors
    /// See [`CallError`].
    pub async fn get(&self, who: &Principal, id: AskId) -> Result<Record, CallError> {
        let record = self.store.get(id).await?.ok_or(CallError::NotFound)?;
        who.may_read(&record.ask)?;
        Ok(record)
    }

    /// The asks that the caller may see.
    ///
    /// # Errors
    /// See [`CallError`].
    pub async fn list(&self, who: &Principal, query: Query) -> Result<Page, CallError> {
        let (owner, answerer) = match &who.role {
            Role::Agent => (Some(who.token.clone()), None),
            Role::Person(person) => (None, Some(person.clone())),
            Role::Operator => (None, None),
            Role::Subagent => return Err(CallError::Denied(Denied::Subagent)),
        };
        let limit = query.limit.unwrap_or(Query::DEFAULT).clamp(1, Query::MAX);
        let filter = Filter {
            owner,
            answerer,
            status: query.status,
            session: query.session,
            before: query.before,
            limit: limit + 1,
        };
        let mut records = self.store.list(&filter).await?;
        let more = records.len() > limit;
        records.truncate(limit);
        let next = if more {
            records.last().map(|record| record.ask.id)
        } else {
            None
        };
        Ok(Page { records, next })
    }

    /// Records that the caller's panel shows the ask, which counts as delivered. Returns the ask as it is then.
    ///
    /// # Errors
    /// See [`CallError`]; an agent's token shows nothing to anybody.
    pub async fn seen(&self, who: &Principal, id: AskId) -> Result<Record, CallError> {
        let responder = who.responder().ok_or(CallError::Denied(Denied::Role))?;
        let record = self.get(who, id).await?;
        who.may_answer(&record.ask, &self.directory())?;
        let (at, person) = match &responder {
            Responder::Person(person) => (Address::panel(person.as_str()), Some(person)),
            Responder::Operator(token) => (Address::panel(token.as_str()), None),
        };
        let delivery = DeliveryId::make(self.chance.as_ref());
        let now = self.clock.now();
        self.store
            .seen(id, &at, person, delivery, now)
            .await?
            .ok_or(CallError::NotFound)
    }

    /// Takes an ask back. One that is over stays as it is: a cancel that finds an answer returns it.
    ///
    /// # Errors
    /// See [`CallError`].
    pub async fn cancel(&self, who: &Principal, id: AskId) -> Result<Record, CallError> {
        let record = self.get(who, id).await?;
        who.may_cancel(&record.ask)?;
        self.store
            .close(id, End::Cancelled, None, self.clock.now())
            .await?;
        self.get(who, id).await
    }

    /// Takes every pending ask of a run back: the caller's own, or anybody's for an operator. Returns those it
    /// ended; a run nobody has heard of has none.
    ///
    /// # Errors
    /// See [`CallError`].
    pub async fn cancel_run(&self, who: &Principal, run: &RunId) -> Result<Vec<AskId>, CallError> {
        let owner = match who.role {
            Role::Agent => Some(&who.token),
            Role::Operator => None,
            Role::Person(_) => return Err(CallError::Denied(Denied::Role)),
            Role::Subagent => return Err(CallError::Denied(Denied::Subagent)),
        };
        Ok(self.store.cancel_run(owner, run, self.clock.now()).await?)
    }
}
