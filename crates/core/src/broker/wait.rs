//! Holding until an ask is over.

use jiff::Timestamp;
use tokio::sync::broadcast::error::RecvError;

use crate::{
    broker::{Broker, CallError, figures::Waiting},
    id::AskId,
    rights::Principal,
    store::{Changed, Record},
};

impl Broker {
    /// The ask as soon as it is over; as it is at `until`, or when the process is to stop, otherwise. Dropping the
    /// future cancels nothing.
    ///
    /// # Errors
    /// See [`CallError`].
    pub async fn wait(&self, who: &Principal, id: AskId, until: Timestamp) -> Result<Record, CallError> {
        let _waiting = Waiting::begin(&self.waiting);
        // Subscribed before reading, so that an end between the two is not missed.
        let mut changes = self.store.changes();
        let mut record = self.get(who, id).await?;
        while record.ask.outcome().is_none() {
            tokio::select! {
                change = changes.recv() => match change {
                    Ok(change) if change.ask != id || change.what != Changed::Ended => continue,
                    // Some changes were missed while this task was slow: what is stored tells.
                    Ok(_) | Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => break,
                },
                () = self.clock.sleep_until(until) => break,
                () = self.stopping.cancelled() => break,
            }
            record = self.get(who, id).await?;
        }
        if record.ask.outcome().is_some() {
            Ok(record)
        } else {
            self.get(who, id).await
        }
    }
}
