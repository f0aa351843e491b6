//! What is known of channels.
//!
//! A channel that has stopped for good must not keep a question that nobody will be shown: its open deliveries are
//! given up, and new asks do not count on it.

use std::collections::BTreeMap;
use std::sync::PoisonError;

use crate::{
    broker::Broker,
    id::{AskId, ChannelName},
    store::{Failure, StoreError},
};

/// Whether a channel works, for `/readyz` and the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChannelHealth {
    /// It does not listen yet, or is about to again.
    Starting,
    /// It listens. An outage of the platform is waited out within that: it is in the log, and no reason to turn callers
    /// away.
    Up,
    /// Stopped for good; the text says why, without secrets.
    Down(String),
}

impl Broker {
    /// Records whether a channel works. Called by whoever supervises it. One that has stopped for good stays down,
    /// whatever the rest of it reports on its way out: new asks must not count on it again.
    pub fn channel_is(&self, channel: &ChannelName, health: ChannelHealth) {
        // A panic while holding the lock leaves a whole map behind: inserting is all that is ever done.
        let mut known = self.health.lock().unwrap_or_else(PoisonError::into_inner);
        if !matches!(known.get(channel), Some(ChannelHealth::Down(_))) {
            known.insert(channel.clone(), health);
        }
    }

    /// Whether each channel works.
    #[must_use]
    pub fn channels_health(&self) -> BTreeMap<ChannelName, ChannelHealth> {
        self.health.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Stops counting on a channel whose credentials were refused: its open deliveries are given up, and so are
    /// those of later asks, until the process starts anew. Returns the asks that this ended as undelivered.
    ///
    /// # Errors
    /// What the store says; the channel counts as down all the same.
    pub async fn channel_stopped(
        &self,
        channel: &ChannelName,
        why: impl Into<String>,
    ) -> Result<Vec<AskId>, StoreError> {
        self.channel_is(channel, ChannelHealth::Down(why.into()));
        self.store
            .channel_stopped(channel, Failure::Credentials, self.clock.now())
            .await
    }

    /// Makes what a process that died was doing due at once, instead of when its claims run out. To be called once,
    /// before any dispatcher runs, by the only process that serves these channels.
    ///
    /// # Errors
    /// What the store says.
    pub async fn let_go_of_claims(&self) -> Result<(), StoreError> {
        for channel in self.channels.keys() {
            self.store.let_go(channel, self.clock.now()).await?;
        }
        Ok(())
    }

    /// Gives up what is left of channels that are no longer configured. To be called once, before any dispatcher
    /// runs. Returns the asks that this ended as undelivered.
    ///
    /// # Errors
    /// What the store says.
    pub async fn give_up_unknown_channels(&self) -> Result<Vec<AskId>, StoreError> {
        let mut ended = Vec::new();
        for channel in self.store.channels_with_work().await? {
            if !self.channels.contains_key(&channel) {
                tracing::warn!(channel = %channel, "deliveries of an unknown channel given up");
                let now = self.clock.now();
                ended.extend(
                    self.store
                        .channel_stopped(&channel, Failure::NoChannel, now)
                        .await?,
                );
            }
        }
        Ok(ended)
    }

    /// Why a delivery on this channel would be given up at once, if it would.
    pub(super) fn lost(&self, channel: &ChannelName) -> Option<Failure> {
        if !self.channels.contains_key(channel) {
            return Some(Failure::NoChannel);
        }
        let health = self.health.lock().unwrap_or_else(PoisonError::into_inner);
        matches!(health.get(channel), Some(ChannelHealth::Down(_))).then_some(Failure::Credentials)
    }
}
