//! What operators watch: whether the store takes anything, and figures for a dashboard.
//!
//! Figures are facts that are counted elsewhere, by the store and the broker; here they are only put together. How they are
//! written down is the business of an entrance.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicUsize, Ordering},
};

use jiff::{SignedDuration, Timestamp};

use crate::{
    broker::{Broker, ChannelVitals},
    id::ChannelName,
    store::{StoreError, Tally},
};

/// How long a check of the store is good for, so that whoever asks again and again makes no disk busy: each check is a
/// write that is synced.
const CHECK_HOLDS: SignedDuration = SignedDuration::from_secs(5);

/// What operators watch, at one moment.
#[derive(Clone, Debug)]
pub struct Figures {
    /// Every configured channel.
    pub channels: BTreeMap<ChannelName, ChannelVitals>,
    /// How many asks are pending; `None` where the store does not answer.
    pub pending: Option<u64>,
    /// What the store has counted since the process began.
    pub tally: Tally,
    /// Calls that hold until an ask is over.
    pub waiting: usize,
}

/// What a check of the store found, and when.
#[derive(Clone, Debug)]
pub(super) struct StoreCheck {
    at: Timestamp,
    found: Result<(), String>,
}

/// The store takes nothing; the text says why, without content.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct StoreDown(pub String);

impl Broker {
    /// Whether anything can be stored. Writes, at most once in five seconds; in between it tells what was found last.
    ///
    /// # Errors
    /// Where the store is full, out of reach, read-only or damaged.
    pub async fn check_store(&self) -> Result<(), StoreDown> {
        // Held while it looks, so that whoever asks meanwhile waits for what is found.
        let mut last = self.store_checked.lock().await;
        let now = self.clock.now();
        // A check from the future was made before the clock was set back.
        let fresh = last
            .as_ref()
            .filter(|last| last.at <= now && now < last.at + CHECK_HOLDS);
        if let Some(fresh) = fresh {
            return fresh.found.clone().map_err(StoreDown);
        }
        let found = self.store.probe(now).await.map_err(|error| why(&error));
        // From now on it holds: a store that is in trouble takes as long to say so.
        let at = self.clock.now();
        *last = Some(StoreCheck {
            at,
            found: found.clone(),
        });
        found.map_err(StoreDown)
    }

    /// What operators watch, as it is now.
    pub async fn figures(&self) -> Figures {
        let pending = self.store.count_pending().await.ok();
        Figures {
            channels: self.channels_vitals(),
            pending,
            tally: self.store.tally(),
            waiting: self.waiting.load(Ordering::Relaxed),
        }
    }
}

fn why(error: &StoreError) -> String {
    tracing::warn!(error = error as &dyn std::error::Error, "store takes nothing");
    error.to_string()
}

/// Counts one who waits, for as long as this lives.
pub(super) struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    pub(super) fn begin(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
