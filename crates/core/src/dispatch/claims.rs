//! What every dispatcher does alike: claiming what is due on its channel, and recording what came of it.

use std::{error::Error, sync::Arc, time::Duration};

use futures_util::{StreamExt as _, stream::FuturesUnordered};
use jiff::{SignedDuration, Timestamp};
use tokio::sync::{Mutex, broadcast, broadcast::error::RecvError};
use tokio_util::sync::CancellationToken;

use super::{DispatchError, backoff};
use crate::{
    channel::{ChannelError, Next, Posted},
    clock::{Chance, Clock},
    id::ChannelName,
    store::{Change, Failure, PutBack, Store, StoreError, Task},
};

/// How long a claim is held. Longer than a `find` and a `post` in a row, each of which a channel gives up within 30
/// seconds, plus pacing.
const CLAIM: SignedDuration = SignedDuration::from_secs(90);

/// Most calls under way at once on one channel.
const MOST_AT_ONCE: usize = 8;

/// Longest sleep: a clock set forward, or work made by another process, is noticed after this at the latest.
const LOOK_AGAIN: SignedDuration = SignedDuration::from_secs(30);

/// By how much a clock may be corrected without anything having to be moved along.
const SET_BACK: SignedDuration = SignedDuration::from_secs(1);

/// Shortest sleep while what is due cannot be claimed, because its conversation is busy.
const BUSY: SignedDuration = SignedDuration::from_millis(250);

/// How long calls under way may still take when the process stops.
const GRACE: SignedDuration = SignedDuration::from_secs(3);

/// How often the report of a posted prompt is tried to be stored, with backoff: two to four minutes in all. A post that
/// is not recorded is shown a second time, where the platform cannot tell that it stands.
const RECORD_TRIES: u32 = 8;

/// How long after an ask's end its messages are still tried to be edited.
const SETTLE_FOR: SignedDuration = SignedDuration::from_hours(24);

/// The claims of one channel.
#[derive(Debug)]
pub(super) struct Claims {
    pub(super) store: Arc<dyn Store>,
    pub(super) clock: Arc<dyn Clock>,
    chance: Arc<dyn Chance>,
    channel: ChannelName,
    /// The instant of the last look at the clock, and what had passed then.
    looked: Mutex<(Timestamp, Duration)>,
}

impl Claims {
    pub(super) fn new(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        chance: Arc<dyn Chance>,
        channel: ChannelName,
    ) -> Self {
        let looked = Mutex::new((clock.now(), clock.passed()));
        Self {
            store,
            clock,
            chance,
            channel,
            looked,
        }
    }

    /// Works until `stop`. Calls under way are then given three seconds; what is not done by then is dropped, and its
    /// claim runs out and is repeated after a restart.
    pub(super) async fn work<F>(
        &self,
        stop: &CancellationToken,
        carry_out: impl Fn(Task) -> F,
    ) -> Result<(), DispatchError>
    where
        F: Future<Output = Result<(), DispatchError>>,
    {
        let mut changes = self.store.changes();
        let mut running = FuturesUnordered::new();
        loop {
            let wake = match self.claim(running.len()).await {
                Ok((tasks, wake)) => {
                    running.extend(tasks.into_iter().map(&carry_out));
                    wake
                }
                // What is under way still has to be recorded: a post that is not is shown a second time.
                Err(error) if !running.is_empty() => {
                    self.note(&error);
                    self.clock.now() + LOOK_AGAIN
                }
                Err(error) => return Err(error.into()),
            };
            tokio::select! {
                () = stop.cancelled() => break,
                Some(done) = running.next(), if !running.is_empty() => self.unless_others(done, running.len())?,
                () = self.clock.sleep_until(wake) => {}
                () = changed(&mut changes) => {}
            }
        }
        let last = self.clock.now() + GRACE;
        loop {
            tokio::select! {
                done = running.next() => match done {
                    Some(done) => self.unless_others(done, running.len())?,
                    None => return Ok(()),
                },
                () = self.clock.sleep_until(last) => return Ok(()),
            }
        }
    }

    /// Claims what is due, as far as there is room beside what is under way, and says when to look again.
    async fn claim(&self, running: usize) -> Result<(Vec<Task>, Timestamp), StoreError> {
        let now = self.look_at_the_clock().await?;
        let room = MOST_AT_ONCE.saturating_sub(running);
        let mut tasks = Vec::new();
        if room > 0 {
            tasks = self.store.claim(&self.channel, now, now + CLAIM, room).await?;
        }
        let wake = self.next_wake(now, running + tasks.len()).await?;
        Ok((tasks, wake))
    }

    /// What came of one task. That the store failed it ends the others only if there are none: theirs may yet be
    /// recorded, and its own is repeated when its claim runs out.
    fn unless_others(&self, done: Result<(), DispatchError>, others: usize) -> Result<(), DispatchError> {
        match done {
            Err(DispatchError::Store(error)) if others > 0 => {
                self.note(&error);
                Ok(())
            }
            done => done,
        }
    }

    fn note(&self, error: &StoreError) {
        tracing::warn!(channel = %self.channel, error = error as &dyn Error, "store failed, what is under way goes on");
    }

    /// The present. Where the clock was set back, what waits for a later instant is moved along first.
    async fn look_at_the_clock(&self) -> Result<Timestamp, StoreError> {
        let mut looked = self.looked.lock().await;
        let (now, passed) = (self.clock.now(), self.clock.passed());
        let (before, then) = *looked;
        let went_on = before.saturating_add(passed.saturating_sub(then)).unwrap_or(now);
        let back = went_on.duration_since(now);
        if back > SET_BACK {
            tracing::warn!(channel = %self.channel, seconds = back.as_secs(), "clock set back");
            // Remembered only once it is stored: who runs this anew after a failure finds it again.
            self.store.set_back(&self.channel, back, now).await?;
        }
        *looked = (now, passed);
        Ok(now)
    }

    async fn next_wake(&self, now: Timestamp, running: usize) -> Result<Timestamp, StoreError> {
        let latest = now + LOOK_AGAIN;
        if running >= MOST_AT_ONCE {
            return Ok(latest);
        }
        let due = self.store.next_due(&self.channel).await?;
        Ok(due.map_or(latest, |due| due.max(now + BUSY).min(latest)))
    }

    /// Records that a prompt was posted.
    pub(super) async fn record(&self, task: &Task, posted: &Posted) -> Result<(), StoreError> {
        for attempt in 0..RECORD_TRIES {
            match self
                .store
                .posted(task.ask.id, task.delivery.id, posted, self.clock.now())
                .await
            {
                Err(StoreError::Unavailable(_) | StoreError::Full(_)) => {
                    let pause = backoff::pause(attempt, self.chance.as_ref());
                    let pause = SignedDuration::try_from(pause).unwrap_or(LOOK_AGAIN);
                    self.clock.sleep_until(self.clock.now() + pause).await;
                }
                done => return done,
            }
        }
        self.store
            .posted(task.ask.id, task.delivery.id, posted, self.clock.now())
            .await
    }

    /// Ends the claim of an attempt that failed, as the error says.
    pub(super) async fn put_back(&self, task: &Task, error: ChannelError) -> Result<(), DispatchError> {
        let (ask, delivery, now) = (&task.ask, &task.delivery, self.clock.now());
        let how = match error.next() {
            Next::StopChannel => return Err(DispatchError::ChannelStopped(error)),
            Next::Retry(pause) => {
                let pause = pause.unwrap_or_else(|| backoff::pause(delivery.attempts, self.chance.as_ref()));
                let at = now.saturating_add(SignedDuration::try_from(pause).unwrap_or(LOOK_AGAIN));
                let at = at.unwrap_or(Timestamp::MAX);
                match ask.outcome() {
                    Some(outcome) if now > outcome.at + SETTLE_FOR => PutBack::GiveUp(Failure::Unreachable),
                    _ if may_be_done(&error) => PutBack::Unclear(at),
                    _ => PutBack::Retry(at),
                }
            }
            Next::GiveUp | Next::FollowUp => PutBack::GiveUp(failure(&error)),
        };
        self.end(task, how, &error).await
    }

    /// Ends a claim whose work was not done, for this reason.
    pub(super) async fn end(
        &self,
        task: &Task,
        how: PutBack,
        error: &ChannelError,
    ) -> Result<(), DispatchError> {
        let (ask, delivery) = (&task.ask, &task.delivery);
        tracing::warn!(
            ask.id = %ask.id,
            channel = %delivery.to.channel,
            attempts = delivery.attempts,
            given_up = matches!(how, PutBack::GiveUp(_)),
            error = error as &dyn Error,
            "delivery failed"
        );
        let now = self.clock.now();
        if self.store.put_back(ask.id, delivery.id, how, now).await? {
            tracing::warn!(ask.id = %ask.id, "ask undelivered");
        }
        Ok(())
    }
}

fn may_be_done(error: &ChannelError) -> bool {
    matches!(error, ChannelError::Unclear { maybe_done: true, .. })
}

fn failure(error: &ChannelError) -> Failure {
    match error {
        ChannelError::Refused(_) => Failure::Credentials,
        ChannelError::Rejected { .. } => Failure::Rejected,
        ChannelError::Unsupported(_) | ChannelError::Gone => Failure::Unsupported,
        ChannelError::Unreachable(_) | ChannelError::Throttled { .. } | ChannelError::Unclear { .. } => {
            Failure::Unreachable
        }
    }
}

async fn changed(changes: &mut broadcast::Receiver<Change>) {
    if let Err(RecvError::Closed) = changes.recv().await {
        std::future::pending::<()>().await;
    }
}
