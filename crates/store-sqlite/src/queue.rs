//! Work that waits for a thread.

use std::{
    collections::VecDeque,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
};

/// Which work goes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// What people and agents did: they wait for an answer, some of them for three seconds at most.
    Inbound,
    /// What dispatchers report, and the rest.
    Delivery,
}

/// Two lanes, each first in first out. Not bounded by itself: every job is one caller that waits.
#[derive(Debug)]
pub(crate) struct Queue<T> {
    lanes: Mutex<Lanes<T>>,
    /// Signalled at every push and at the close, under the lock, so that no thread sleeps over one.
    pushed: Condvar,
}

#[derive(Debug)]
struct Lanes<T> {
    inbound: VecDeque<T>,
    delivery: VecDeque<T>,
    closed: bool,
}

impl<T> Queue<T> {
    pub(crate) fn new() -> Self {
        let lanes = Lanes {
            inbound: VecDeque::new(),
            delivery: VecDeque::new(),
            closed: false,
        };
        Self {
            lanes: Mutex::new(lanes),
            pushed: Condvar::new(),
        }
    }

    /// Adds a job; gives it back if the queue is closed.
    pub(crate) fn push(&self, lane: Lane, job: T) -> Result<(), T> {
        let mut lanes = self.lock();
        if lanes.closed {
            return Err(job);
        }
        match lane {
            Lane::Inbound => lanes.inbound.push_back(job),
            Lane::Delivery => lanes.delivery.push_back(job),
        }
        self.pushed.notify_one();
        Ok(())
    }

    /// Waits until there is a job. `false`: the queue is closed and empty.
    pub(crate) fn wait(&self) -> bool {
        let idle = |lanes: &mut Lanes<T>| lanes.is_empty() && !lanes.closed;
        let lanes = self.pushed.wait_while(self.lock(), idle);
        !lanes.unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Takes up to `most` of the jobs that wait, the first lane first; may be none.
    pub(crate) fn take(&self, most: usize) -> Vec<T> {
        let mut lanes = self.lock();
        std::iter::from_fn(|| lanes.pop()).take(most).collect()
    }

    /// Waits for one job. `None`: the queue is closed and empty.
    pub(crate) fn next(&self) -> Option<T> {
        let idle = |lanes: &mut Lanes<T>| lanes.is_empty() && !lanes.closed;
        let lanes = self.pushed.wait_while(self.lock(), idle);
        lanes.unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// How many jobs wait.
    pub(crate) fn len(&self) -> usize {
        let lanes = self.lock();
        lanes.inbound.len() + lanes.delivery.len()
    }

    /// Takes no more jobs; those that wait are still done.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.pushed.notify_all();
    }

    /// Nothing panics under the lock, so a poisoned one is as good as any.
    fn lock(&self) -> MutexGuard<'_, Lanes<T>> {
        self.lanes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Lanes<T> {
    fn is_empty(&self) -> bool {
        self.inbound.is_empty() && self.delivery.is_empty()
    }

    fn pop(&mut self) -> Option<T> {
        self.inbound.pop_front().or_else(|| self.delivery.pop_front())
    }
}
