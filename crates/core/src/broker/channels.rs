//! What is known of channels.
//!
//! A channel that has stopped for good must not keep a question that nobody will be shown: its open deliveries are
//! given up, and new asks do not count on it.

use std::{
    collections::BTreeMap,
    sync::{MutexGuard, PoisonError},
    time::Duration,
};

use jiff::Timestamp;

use crate::{
    broker::Broker,
    id::{Address, AskId, ChannelName},
    store::{Failure, StoreError},
};

/// Whether a channel works, for `/readyz` and the operator.
///
/// By facts: a channel is up because its platform was heard, and not because a connection is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChannelHealth {
    /// Not connected yet, or reconnecting: nothing was heard since it began to listen.
    Starting,
    /// The platform was heard within the channel's limit ([`Channel::deaf_after`](crate::channel::Channel::deaf_after)).
    Up,
    /// It listens, and the platform was not heard for longer than that.
    Deaf,
    /// Stopped for good; the text says why, without secrets.
    Down(String),
}

/// What is known of a channel at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelVitals {
    /// Whether it works.
    pub health: ChannelHealth,
    /// How long ago the platform was heard last: an event, an answered poll, a heartbeat. `None`: never.
    pub heard: Option<Duration>,
    /// How long ago the last event came. `None`: none came since the process began, which is ordinary.
    pub event: Option<Duration>,
}

/// What is remembered of a channel.
#[derive(Clone, Debug)]
pub(super) struct Vitals {
    deaf_after: Duration,
    /// Since when it listens; `None` while it does not.
    listening: Option<Timestamp>,
    heard: Option<Timestamp>,
    event: Option<Timestamp>,
    /// Why it was stopped for good.
    down: Option<String>,
}

impl Vitals {
    pub(super) fn new(deaf_after: Duration) -> Self {
        Self {
            deaf_after,
            listening: None,
            heard: None,
            event: None,
            down: None,
        }
    }

    fn at(&mut self, now: Timestamp) -> ChannelVitals {
        // What was heard in the future was heard before the clock was set back: it counts as heard now, so that a channel
        // is found deaf within its limit all the same.
        for instant in [&mut self.listening, &mut self.heard, &mut self.event] {
            *instant = instant.map(|instant| instant.min(now));
        }
        let ago = |then: Timestamp| Duration::try_from(now.duration_since(then)).unwrap_or_default();
        let health = match (&self.down, self.listening) {
            (Some(why), _) => ChannelHealth::Down(why.clone()),
            (None, None) => ChannelHealth::Starting,
            (None, Some(since)) => match self.heard.filter(|heard| *heard >= since) {
                Some(heard) if ago(heard) <= self.deaf_after => ChannelHealth::Up,
                None if ago(since) <= self.deaf_after => ChannelHealth::Starting,
                _ => ChannelHealth::Deaf,
            },
        };
        ChannelVitals {
            health,
            heard: self.heard.map(ago),
            event: self.event.map(ago),
        }
    }
}

impl Broker {
    /// Records whether a channel listens. Called by whoever supervises it. Listening alone makes no channel up: that its
    /// platform was heard does.
    pub fn channel_listens(&self, channel: &ChannelName, listens: bool) {
        let since = listens.then(|| self.clock.now());
        if let Some(vitals) = self.vitals().get_mut(channel) {
            vitals.listening = since;
        }
    }

    /// Records that the platform was heard on a channel just now; `event`: that somebody did something.
    pub(super) fn heard_on(&self, channel: &ChannelName, event: bool) {
        let now = self.clock.now();
        if let Some(vitals) = self.vitals().get_mut(channel) {
            vitals.heard = Some(now);
            if event {
                vitals.event = Some(now);
            }
        }
    }

    /// Records that a channel has stopped for good, and why. It stays down, whatever the rest of it reports on its way
    /// out: new asks must not count on it again.
    pub fn channel_is_down(&self, channel: &ChannelName, why: impl Into<String>) {
        if let Some(vitals) = self.vitals().get_mut(channel) {
            vitals.down.get_or_insert(why.into());
        }
    }

    /// Whether each channel works.
    #[must_use]
    pub fn channels_health(&self) -> BTreeMap<ChannelName, ChannelHealth> {
        let vitals = self.channels_vitals().into_iter();
        vitals.map(|(name, vitals)| (name, vitals.health)).collect()
    }

    /// What is known of each channel.
    #[must_use]
    pub fn channels_vitals(&self) -> BTreeMap<ChannelName, ChannelVitals> {
        let now = self.clock.now();
        let mut known = self.vitals();
        known
            .iter_mut()
            .map(|(name, vitals)| (name.clone(), vitals.at(now)))
            .collect()
    }

    fn vitals(&self) -> MutexGuard<'_, BTreeMap<ChannelName, Vitals>> {
        // A panic while holding the lock leaves whole values behind: setting one field is all that is ever done.
        self.vitals.lock().unwrap_or_else(PoisonError::into_inner)
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
        self.channel_is_down(channel, why);
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
        let push = ChannelName::new(Address::PUSH);
        let push = self.push.is_some().then_some(&push);
        for channel in self.channels.keys().chain(push) {
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
            if !self.is_configured(&channel) {
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

    /// Whether anything is delivered there, web push included.
    fn is_configured(&self, channel: &ChannelName) -> bool {
        let is_push = self.push.is_some() && channel.as_str() == Address::PUSH;
        is_push || self.channels.contains_key(channel)
    }

    /// Why a delivery on this channel would be given up at once, if it would.
    pub(super) fn lost(&self, channel: &ChannelName) -> Option<Failure> {
        if !self.is_configured(channel) {
            return Some(Failure::NoChannel);
        }
        let known = self.vitals();
        let down = known.get(channel).is_some_and(|vitals| vitals.down.is_some());
        down.then_some(Failure::Credentials)
    }
}
