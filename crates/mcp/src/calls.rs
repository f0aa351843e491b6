//! Which calls are open, and who waits for which ask.
//!
//! Two questions cannot be answered by a single request: whose call does a cancel mean, and is anybody still waiting
//! for an ask whose waiter has left. Both are about what this process holds open and nothing else, so that a restart
//! may forget it.
//!
//! A cancel names a call by the client's own number. Without sessions such numbers are not unique: every client that
//! shares a token counts from zero. A cancel that could mean two calls is therefore ignored, rather than taking back
//! what another client waits for; a client with a named connection is never in doubt.

use std::{
    collections::{BTreeSet, HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use askd_core::id::{AskId, TokenName};
use jiff::Timestamp;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::{caller::Caller, limits};

/// How a client names a call: its number, and as much as is known of whose number that is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CallName {
    token: TokenName,
    connection: Option<String>,
    program: String,
    id: Value,
}

impl CallName {
    /// The call of this caller with this number.
    pub(crate) fn of(caller: &Caller, id: Value) -> Self {
        Self {
            token: caller.principal.token.clone(),
            connection: caller.connection.clone(),
            program: caller.program.clone(),
            id,
        }
    }
}

/// Every open call. Shared by all requests.
#[derive(Debug, Default)]
pub(crate) struct OpenCalls(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    open: HashMap<u64, Entry>,
    next: u64,
    /// Calls that have just ended, oldest first.
    ended: VecDeque<(CallName, Timestamp)>,
    waiters: HashMap<AskId, Waiters>,
}

#[derive(Clone, Debug)]
struct Entry {
    name: CallName,
    cancel: CancellationToken,
    leave: CancellationToken,
}

/// Who waits for an ask.
#[derive(Debug, Default)]
struct Waiters {
    /// Of each that waits, its place in the order in which they came.
    attached: BTreeSet<u64>,
    /// How often somebody has attached.
    attaches: u64,
    /// Those who left and look back whether another comes.
    lingering: usize,
}

impl OpenCalls {
    /// A call begins.
    pub(crate) fn begin(self: &Arc<Self>, name: CallName) -> OpenCall {
        let entry = Entry {
            name,
            cancel: CancellationToken::new(),
            leave: CancellationToken::new(),
        };
        let mut inner = self.lock();
        let serial = inner.next;
        inner.next += 1;
        inner.open.insert(serial, entry.clone());
        OpenCall {
            calls: Arc::clone(self),
            serial,
            entry,
            ended: None,
        }
    }

    /// Cancels the call of this name; `false`, and nothing happens, if there is none or it could be another client's.
    pub(crate) fn cancel(&self, name: &CallName, now: Timestamp) -> bool {
        let mut inner = self.lock();
        inner.forget(now);
        let mut meant = inner.open.values().filter(|entry| entry.name == *name);
        match (meant.next(), meant.next()) {
            (Some(entry), None) if inner.ended.iter().all(|(ended, _)| ended != name) => {
                entry.cancel.cancel();
                true
            }
            _ => false,
        }
    }

    /// The connection of this token is gone for good: its calls end, and their asks are taken back unless somebody
    /// attaches to them.
    pub(crate) fn leave(&self, token: &TokenName, connection: &str) {
        for entry in self.lock().open.values() {
            if entry.name.token == *token && entry.name.connection.as_deref() == Some(connection) {
                entry.leave.cancel();
            }
        }
    }

    /// A call waits for this ask from now on.
    pub(crate) fn attach(self: &Arc<Self>, ask: AskId) -> Attached {
        let mut inner = self.lock();
        let waiters = inner.waiters.entry(ask).or_default();
        waiters.attaches += 1;
        let turn = waiters.attaches;
        waiters.attached.insert(turn);
        Attached {
            calls: Arc::clone(self),
            ask,
            turn,
        }
    }

    /// A poisoned lock is taken all the same: every change below is whole before anything can panic.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call that is open, until this is dropped.
#[derive(Debug)]
pub(crate) struct OpenCall {
    calls: Arc<OpenCalls>,
    serial: u64,
    entry: Entry,
    ended: Option<Timestamp>,
}

impl OpenCall {
    /// Cancelled when the client takes the call back.
    pub(crate) fn cancelled(&self) -> &CancellationToken {
        &self.entry.cancel
    }

    /// Cancelled when the client's connection is gone for good.
    pub(crate) fn left(&self) -> &CancellationToken {
        &self.entry.leave
    }

    /// It is being answered: a cancel that comes from now on has crossed the answer.
    pub(crate) fn answered(&mut self, now: Timestamp) {
        self.ended = Some(now);
    }
}

impl Drop for OpenCall {
    fn drop(&mut self) {
        let mut inner = self.calls.lock();
        inner.open.remove(&self.serial);
        // A name of its own connection cannot be confused, so nothing need be remembered of it.
        if let Some(now) = self.ended.filter(|_| self.entry.name.connection.is_none()) {
            inner.forget(now);
            inner.ended.push_back((self.entry.name.clone(), now));
        }
    }
}

/// A call that waits for an ask, until this is dropped.
#[derive(Debug)]
pub(crate) struct Attached {
    calls: Arc<OpenCalls>,
    ask: AskId,
    turn: u64,
}

impl Attached {
    /// Whether a call that came later waits for the same ask: then the client has made this one again, and to take this
    /// one back says nothing of the other.
    pub(crate) fn is_made_again(&self) -> bool {
        let inner = self.calls.lock();
        let waiters = inner.waiters.get(&self.ask);
        waiters.is_some_and(|waiters| waiters.attached.last() > Some(&self.turn))
    }

    /// It waits no longer. What comes back tells whether others did, or have come since.
    pub(crate) fn leave(self) -> Left {
        let mut inner = self.calls.lock();
        let waiters = inner.waiters.entry(self.ask).or_default();
        waiters.lingering += 1;
        Left {
            calls: Arc::clone(&self.calls),
            ask: self.ask,
            attaches: waiters.attaches,
        }
        // The lock goes before `self`, which takes it once more.
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        self.calls.lock().change(self.ask, |waiters| {
            waiters.attached.remove(&self.turn);
        });
    }
}

/// A call that waited for an ask and does so no longer.
#[derive(Debug)]
pub(crate) struct Left {
    calls: Arc<OpenCalls>,
    ask: AskId,
    attaches: u64,
}

impl Left {
    /// The ask it waited for.
    pub(crate) fn ask(&self) -> AskId {
        self.ask
    }

    /// Whether nobody waits, and nobody has attached since.
    pub(crate) fn is_alone(&self) -> bool {
        let inner = self.calls.lock();
        let waiters = inner.waiters.get(&self.ask);
        waiters.is_none_or(|waiters| waiters.attached.is_empty() && waiters.attaches == self.attaches)
    }
}

impl Drop for Left {
    fn drop(&mut self) {
        self.calls
            .lock()
            .change(self.ask, |waiters| waiters.lingering -= 1);
    }
}

impl Inner {
    /// Forgets the calls that ended too long ago to matter.
    fn forget(&mut self, now: Timestamp) {
        let recent = now - limits::CROSSING;
        while self.ended.front().is_some_and(|(_, at)| *at < recent) {
            self.ended.pop_front();
        }
    }

    fn change(&mut self, ask: AskId, change: impl FnOnce(&mut Waiters)) {
        if let Some(waiters) = self.waiters.get_mut(&ask) {
            change(waiters);
            if waiters.attached.is_empty() && waiters.lingering == 0 {
                self.waiters.remove(&ask);
            }
        }
    }
}
