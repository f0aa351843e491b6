//! Ending what is due, and forgetting what is old.

use jiff::{SignedDuration, Timestamp};
use tokio::sync::broadcast::error::RecvError;
use tokio_util::sync::CancellationToken;

use crate::{
    broker::{Broker, CallError},
    rights::Principal,
    store::{Changed, Forget, Forgotten, StoreError},
};

/// Longest sleep of a loop that waits for an instant: a clock set forward, or another process on the same database,
/// is noticed after this at the latest.
const LOOK_AGAIN: SignedDuration = SignedDuration::from_secs(30);

/// Asks forgotten in one transaction, so that answers do not wait behind a long deletion.
const PRUNE_BATCH: usize = 500;

impl Broker {
    /// Ends every ask at its deadline, those that fell due while nobody was running first. Returns on `stop`.
    ///
    /// # Errors
    /// What the store says; the supervisor starts the loop again.
    pub async fn expire_loop(&self, stop: &CancellationToken) -> Result<(), StoreError> {
        let mut changes = self.store.changes();
        loop {
            let ended = self.store.expire(self.clock.now()).await?;
            if !ended.is_empty() {
                tracing::info!(asks = ended.len(), "asks expired");
            }
            let latest = self.clock.now() + LOOK_AGAIN;
            let next = self
                .store
                .next_deadline()
                .await?
                .map_or(latest, |deadline| deadline.min(latest));
            tokio::select! {
                () = stop.cancelled() => return Ok(()),
                () = self.clock.sleep_until(next) => {}
                () = asked(&mut changes) => {}
            }
        }
    }

    /// Forgets asks that ended longer ago than the retention, once an hour. Returns on `stop`.
    ///
    /// # Errors
    /// What the store says; the supervisor starts the loop again.
    pub async fn prune_loop(&self, stop: &CancellationToken) -> Result<(), StoreError> {
        loop {
            let kept = SignedDuration::from_hours(24 * i64::from(self.settings.retention_days));
            let before = self.clock.now().checked_sub(kept).unwrap_or(Timestamp::MIN);
            while self.store.prune(before, PRUNE_BATCH).await? >= PRUNE_BATCH {}
            tokio::select! {
                () = stop.cancelled() => return Ok(()),
                () = self.clock.sleep_until(self.clock.now() + SignedDuration::from_hours(1)) => {}
            }
        }
    }
}

impl Broker {
    /// Deletes history for good. What is pending, or whose messages still have to show its end, stays and is counted; it
    /// can be forgotten later.
    ///
    /// # Errors
    /// See [`CallError`]: operators alone may.
    pub async fn forget(&self, who: &Principal, what: &Forget) -> Result<Forgotten, CallError> {
        who.may_operate()?;
        let mut total = Forgotten::default();
        loop {
            let batch = self.store.forget(what, PRUNE_BATCH).await?;
            total.forgotten += batch.forgotten;
            total.kept = batch.kept;
            if batch.forgotten < PRUNE_BATCH {
                break;
            }
        }
        tracing::info!(
            token = %who.token,
            asks = total.forgotten,
            kept = total.kept,
            "history forgotten"
        );
        Ok(total)
    }
}

/// Returns when a new ask may have an earlier deadline than the one waited for.
async fn asked(changes: &mut tokio::sync::broadcast::Receiver<crate::store::Change>) {
    loop {
        match changes.recv().await {
            Ok(change) if change.what == Changed::Asked => return,
            Ok(_) => {}
            Err(RecvError::Lagged(_)) => return,
            Err(RecvError::Closed) => std::future::pending().await,
        }
    }
}
