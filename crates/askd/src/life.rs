//! The life of the process: long tasks, their supervision, and the end.
//!
//! Nothing else in this crate starts a long task. A task is a function that makes a future; the future ends when the process is to
//! stop, or fails and is made anew after a pause that grows. A panic is a failure like any other. One token stops
//! everything, and [`Life::end`] waits five seconds at most: nothing that counts is lost then, because nothing counts
//! before it is stored.

use std::{future::Future, sync::Arc};

use askd_core::{
    clock::{Chance, Clock},
    dispatch::backoff,
};
use jiff::SignedDuration;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// How long a stop waits for tasks to end. SPEC 2: under 5 s, with a little left for the rest.
const GRACE: SignedDuration = SignedDuration::from_millis(4500);

/// The pause grows up to 32 seconds and not further: a full disk that has room again should be noticed soon.
const MOST_DOUBLINGS: u32 = 5;

/// A task that ran this long before it failed starts over with the first pause.
const SETTLED_AFTER: SignedDuration = SignedDuration::from_mins(1);

/// How an attempt of a task failed.
#[derive(Debug)]
pub(crate) enum Failed {
    /// It may work next time.
    Again(anyhow::Error),
    /// Trying again is pointless; the process goes on without the task. What somebody must do about it has been said
    /// where it was found out.
    ForGood(anyhow::Error),
}

impl<E: Into<anyhow::Error>> From<E> for Failed {
    fn from(error: E) -> Self {
        Self::Again(error.into())
    }
}

/// Every long task of the process.
#[derive(Debug)]
pub(crate) struct Life {
    stop: CancellationToken,
    clock: Arc<dyn Clock>,
    chance: Arc<dyn Chance>,
    tasks: JoinSet<()>,
}

impl Life {
    /// Without any task yet; `stop` ends all of them.
    pub(crate) fn new(stop: CancellationToken, clock: Arc<dyn Clock>, chance: Arc<dyn Chance>) -> Self {
        let tasks = JoinSet::new();
        Self {
            stop,
            clock,
            chance,
            tasks,
        }
    }

    /// Cancelled when everything is to stop.
    pub(crate) fn stop(&self) -> &CancellationToken {
        &self.stop
    }

    /// Keeps the task running that `make` makes. `Ok` ends it: a task returns so when it is told to stop, or when
    /// there is nothing left for it to do.
    pub(crate) fn keep<M, F>(&mut self, name: impl Into<String>, make: M)
    where
        M: Fn(CancellationToken) -> F + Send + Sync + 'static,
        F: Future<Output = Result<(), Failed>> + Send + 'static,
    {
        let supervisor = Supervisor {
            name: name.into(),
            stop: self.stop.clone(),
            clock: Arc::clone(&self.clock),
            chance: Arc::clone(&self.chance),
        };
        self.tasks.spawn(async move { supervisor.run(make).await });
    }

    /// Stops everything. Returns whether all tasks ended in time; those that did not are aborted.
    pub(crate) async fn end(mut self) -> bool {
        self.stop.cancel();
        let last = self.clock.now() + GRACE;
        let in_time = tokio::select! {
            () = async { while self.tasks.join_next().await.is_some() {} } => true,
            () = self.clock.sleep_until(last) => false,
        };
        if !in_time {
            tracing::warn!(tasks = self.tasks.len(), "tasks aborted at the stop");
            self.tasks.shutdown().await;
        }
        in_time
    }
}

struct Supervisor {
    name: String,
    stop: CancellationToken,
    clock: Arc<dyn Clock>,
    chance: Arc<dyn Chance>,
}

impl Supervisor {
    async fn run<M, F>(self, make: M)
    where
        M: Fn(CancellationToken) -> F + Send + Sync,
        F: Future<Output = Result<(), Failed>> + Send + 'static,
    {
        let mut failures = 0;
        while !self.stop.is_cancelled() {
            let began = self.clock.now();
            let error = match attempt(make(self.stop.clone())).await {
                Ok(()) => return,
                Err(Failed::ForGood(error)) => {
                    tracing::info!(task = self.name, error = %format!("{error:#}"), "task ended for good");
                    return;
                }
                Err(Failed::Again(error)) => error,
            };
            if self.stop.is_cancelled() {
                return;
            }
            if self.clock.now().duration_since(began) > SETTLED_AFTER {
                failures = 0;
            }
            let pause = backoff::pause(failures.min(MOST_DOUBLINGS), self.chance.as_ref());
            failures += 1;
            let error = format!("{error:#}");
            tracing::warn!(task = self.name, %error, failures, pause_ms = %pause.as_millis(), "task failed");
            let until = self.clock.now() + SignedDuration::try_from(pause).unwrap_or(SETTLED_AFTER);
            tokio::select! {
                () = self.stop.cancelled() => {}
                () = self.clock.sleep_until(until) => {}
            }
        }
    }
}

/// Runs one attempt as a task of its own, so that a panic is a value. Dropping this aborts the attempt.
async fn attempt<F>(future: F) -> Result<(), Failed>
where
    F: Future<Output = Result<(), Failed>> + Send + 'static,
{
    let mut alone = JoinSet::new();
    alone.spawn(future);
    match alone.join_next().await {
        Some(Ok(result)) => result,
        // The panic's text went to stderr by the hook; it is not repeated, it may quote anything.
        Some(Err(_)) | None => Err(Failed::Again(anyhow::anyhow!("the task panicked"))),
    }
}

#[cfg(test)]
mod tests;
