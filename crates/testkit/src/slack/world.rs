//! The lock around everything, and the bell that rings when something has changed.

use std::{
    fmt,
    future::pending,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use askd_core::clock::Clock;
use jiff::Timestamp;
use tokio::sync::watch;

use super::state::State;

/// The servers' state, its lock, and a bell that rings when it changes.
pub(crate) struct World {
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
    changed: watch::Sender<u64>,
}

impl World {
    pub(crate) fn new(clock: Arc<dyn Clock>, state: State) -> Self {
        Self {
            clock,
            state: Mutex::new(state),
            changed: watch::Sender::new(0),
        }
    }

    /// Changes the state, and rings. What fell due before is done first.
    pub(crate) fn change<R>(&self, change: impl FnOnce(&mut State) -> R) -> R {
        let result = {
            let mut state = self.lock();
            state.now = self.clock.now();
            state.tick();
            let result = change(&mut state);
            state.pump();
            result
        };
        self.touch();
        result
    }

    pub(crate) fn look<R>(&self, look: impl FnOnce(&State) -> R) -> R {
        look(&self.lock())
    }

    pub(crate) fn touch(&self) {
        self.changed.send_modify(|times| *times += 1);
    }

    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub(crate) async fn sleep_until(&self, until: Timestamp) {
        self.clock.sleep_until(until).await;
    }

    /// Does what falls due (pings, retries, the end of a socket) when it does, without end.
    pub(crate) async fn keep(&self) {
        let mut changed = self.changes();
        loop {
            let due = self.look(State::next_due);
            let comes = async {
                match due {
                    Some(due) => self.clock.sleep_until(due).await,
                    None => pending().await,
                }
            };
            tokio::select! {
                () = comes => self.change(|_| {}),
                // The sender is in `self`, so this fails never.
                _ = changed.changed() => {}
            }
        }
    }

    /// A test that fails while it holds the lock has failed already; the others look on.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World").finish_non_exhaustive()
    }
}
