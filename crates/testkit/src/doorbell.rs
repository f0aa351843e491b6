//! A sender of pushes without a network: it takes down what it is to push, and fails as it is told.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};

use askd_core::{
    channel::ChannelError,
    push::{Browser, BrowserFault, Push, PushSender},
};
use async_trait::async_trait;

/// Takes every push to addresses below [`Doorbell::SERVICE`], unless it is told to fail.
#[derive(Debug, Default)]
pub struct Doorbell(Mutex<Rung>);

#[derive(Debug, Default)]
struct Rung {
    pushes: Vec<(Browser, Push)>,
    failures: VecDeque<ChannelError>,
}

impl Doorbell {
    /// Where the browsers are that it can wake.
    pub const SERVICE: &str = "https://push.example.org/";

    /// The key that browsers subscribe with.
    pub const KEY: &str = "BAskd";

    /// The browser of this name.
    #[must_use]
    pub fn browser(name: &str) -> Browser {
        Browser {
            endpoint: format!("{}{name}", Self::SERVICE),
            p256dh: format!("key-of-{name}"),
            auth: format!("secret-of-{name}"),
        }
    }

    /// The next pushes fail like this, one after the other.
    pub fn fails(&self, failures: impl IntoIterator<Item = ChannelError>) {
        self.rung().failures.extend(failures);
    }

    /// What it was to push, in order, failures among it.
    #[must_use]
    pub fn pushes(&self) -> Vec<(Browser, Push)> {
        self.rung().pushes.clone()
    }

    fn rung(&self) -> MutexGuard<'_, Rung> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl PushSender for Doorbell {
    fn public_key(&self) -> &'static str {
        Self::KEY
    }

    fn faults(&self, browser: &Browser) -> Vec<BrowserFault> {
        let fault = |field, is_wrong: bool, rule: &str| {
            is_wrong.then(|| BrowserFault {
                field,
                rule: rule.to_owned(),
            })
        };
        let is_ours = browser.endpoint.starts_with(Self::SERVICE);
        [
            fault("endpoint", !is_ours, "must be at the service"),
            fault("p256dh", browser.p256dh.is_empty(), "must be a key"),
            fault("auth", browser.auth.is_empty(), "must be a secret"),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    async fn push(&self, browser: &Browser, push: Push) -> Result<(), ChannelError> {
        let mut rung = self.rung();
        rung.pushes.push((browser.clone(), push));
        rung.failures.pop_front().map_or(Ok(()), Err)
    }
}
