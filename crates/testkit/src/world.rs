//! The lock around everything that a fake platform's servers know, and the bell that rings when it has changed.

use std::{
    fmt,
    future::pending,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use askd_core::clock::Clock;
use jiff::Timestamp;
use tokio::sync::watch;

/// Longest that [`World::until`] waits, in real time: a wait that long is a bug, and hides behind nothing.
const PATIENCE: Duration = Duration::from_secs(20);

/// What servers know. What time it is stands in it, so that no step of one change is later than another.
pub(crate) trait Servers {
    /// Sets the time at which the next change happens.
    fn set_now(&mut self, now: Timestamp);

    /// What happened so far, for people to read.
    fn transcript(&self) -> String;

    /// Does what fell due by itself, before a change.
    fn tick(&mut self) {}

    /// Sends on what a change left to be sent.
    fn pump(&mut self) {}

    /// When something falls due by itself: see [`World::keep`].
    fn next_due(&self) -> Option<Timestamp> {
        None
    }
}

/// The servers' state, its lock, and a bell that rings when it changes.
pub(crate) struct World<S> {
    clock: Arc<dyn Clock>,
    state: Mutex<S>,
    changed: watch::Sender<u64>,
}

impl<S: Servers> World<S> {
    pub(crate) fn new(clock: Arc<dyn Clock>, state: S) -> Self {
        Self {
            clock,
            state: Mutex::new(state),
            changed: watch::Sender::new(0),
        }
    }

    /// Changes the state, and rings.
    pub(crate) fn change<R>(&self, change: impl FnOnce(&mut S) -> R) -> R {
        let result = self.quietly(change);
        self.touch();
        result
    }

    /// Changes the state without ringing: for those who wait for the bell themselves.
    pub(crate) fn quietly<R>(&self, change: impl FnOnce(&mut S) -> R) -> R {
        let mut state = self.lock();
        state.set_now(self.clock.now());
        state.tick();
        let result = change(&mut state);
        state.pump();
        result
    }

    pub(crate) fn look<R>(&self, look: impl FnOnce(&S) -> R) -> R {
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

    /// Lets what falls due by itself happen when it does, without end: pings, retries, the end of a socket.
    pub(crate) async fn keep(&self) {
        let mut changed = self.changes();
        loop {
            let due = self.look(S::next_due);
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

    /// Waits until a count in the state is another than now.
    pub(crate) async fn until_changed(&self, count: impl Fn(&S) -> u64) {
        let mut changed = self.changes();
        let before = self.look(&count);
        while self.look(&count) == before {
            // The sender is in `self`, so this fails never.
            let _ = changed.changed().await;
        }
    }

    /// Waits until `look` finds something. Looks again whenever anything has happened.
    ///
    /// # Panics
    /// With the transcript so far, if nothing is found within 20 seconds of real time.
    pub(crate) async fn until<T>(&self, what: &str, mut look: impl FnMut() -> Option<T>) -> T {
        let mut changed = self.changes();
        let wait = async {
            loop {
                if let Some(found) = look() {
                    return found;
                }
                // The sender is in `self`, so this fails never.
                let _ = changed.changed().await;
            }
        };
        let found = tokio::time::timeout(PATIENCE, wait).await.ok();
        found.unwrap_or_else(|| {
            let transcript = self.look(S::transcript);
            panic!("waited in vain for {what}\n\n{transcript}")
        })
    }

    /// A test that fails while it holds the lock has failed already; the others look on.
    fn lock(&self) -> MutexGuard<'_, S> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S> fmt::Debug for World<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World").finish_non_exhaustive()
    }
}
