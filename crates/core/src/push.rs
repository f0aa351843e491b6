//! The seam to web push: waking a browser in which somebody is signed in to the panel.
//!
//! A browser subscribes with the push service of its maker and hands askd what that service gave it ([`Browser`]): an
//! address, to which a request wakes this one browser, and the keys by which it alone can read what comes. What is pushed
//! says nothing of any ask: only that one waits.
//!
//! To the rest of askd a subscription is a conversation like any other (`push:…`), so that a push is a stored delivery that
//! is claimed, tried again and given up by the rules of all deliveries ([`Pusher`](crate::dispatch::push::Pusher)).
//! Only [`PushSender`] knows the protocol.

use std::fmt;

use async_trait::async_trait;
use jiff::Timestamp;
use sha2::{Digest as _, Sha256};

use crate::{
    channel::ChannelError,
    id::{Address, PostKey, hex},
    stage::Responder,
    store::CodeHash,
};

/// What a browser tells to be woken by, as it writes it. Whoever knows it can wake that browser: `Debug` prints nothing of
/// it, and it never reaches a log, an error or a metric.
#[derive(Clone, PartialEq, Eq)]
pub struct Browser {
    /// The address at its push service, a capability URL.
    pub endpoint: String,
    /// Its public key, in base64url.
    pub p256dh: String,
    /// A secret that it shares with who may write to it, in base64url.
    pub auth: String,
}

impl fmt::Debug for Browser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Browser").finish_non_exhaustive()
    }
}

/// A browser that is to be woken, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscription {
    /// Its name here.
    pub id: SubscriptionId,
    /// Who is signed in there.
    pub who: Responder,
    /// The sign-in that it ends with, by the hash of its secret. A sign-in has one subscription.
    pub sign_in: CodeHash,
    /// How to wake it.
    pub browser: Browser,
    /// Since when it has been subscribed.
    pub since: Timestamp,
}

/// The name of a subscription: 32 hex digits, made from its address and telling nothing of it. Stored with deliveries and
/// shown to agents.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SubscriptionId(String);

impl SubscriptionId {
    /// That of the browser which is woken at `endpoint`.
    #[must_use]
    pub fn of(endpoint: &str) -> Self {
        Self(hex(&Sha256::digest(endpoint.as_bytes())[..16]))
    }

    /// As it was stored.
    #[must_use]
    pub fn new(stored: impl Into<String>) -> Self {
        Self(stored.into())
    }

    /// The text that is stored.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The conversation that pushes to it are deliveries of.
    #[must_use]
    pub fn address(&self) -> Address {
        Address::push(&self.0)
    }
}

/// One push.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Push {
    /// Until when it is worth something to be woken: the deadline of the ask.
    pub until: Timestamp,
    /// The same for every attempt at the same push: a later one takes the place of an earlier that still waits for its
    /// browser.
    pub topic: PostKey,
}

/// A field of a [`Browser`] that cannot be used. The texts are for whoever wrote the client, and quote nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrowserFault {
    /// `endpoint`, `p256dh` or `auth`.
    pub field: &'static str,
    /// What it must be, as in "must be …".
    pub rule: String,
}

/// Speaks to push services. Knows no ask and no store.
#[async_trait]
pub trait PushSender: fmt::Debug + Send + Sync {
    /// The key by which push services know this askd, in base64url. Browsers subscribe with it. Constant.
    fn public_key(&self) -> &str;

    /// What is wrong with what a browser handed in, all of it; nothing, where it can be used. Pure: no I/O.
    fn faults(&self, browser: &Browser) -> Vec<BrowserFault>;

    /// Asks the push service to wake the browser. `Ok`: the service took it over. Must not retry by itself, must give up
    /// within 30 seconds, and must go nowhere but to the address, whatever is answered.
    ///
    /// # Errors
    /// [`ChannelError::Unreachable`] where the subscription is no more: it is forgotten then. Never
    /// [`ChannelError::Refused`], since one service that refuses askd says nothing of the others.
    async fn push(&self, browser: &Browser, push: Push) -> Result<(), ChannelError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_browser_is_woken_by_is_not_printed_and_not_in_its_name() {
        let endpoint = "https://push.example.org/walrus";
        let subscription = Subscription {
            id: SubscriptionId::of(endpoint),
            who: Responder::Operator(crate::id::TokenName::new("root")),
            sign_in: CodeHash([0; 32]),
            browser: Browser {
                endpoint: endpoint.to_owned(),
                p256dh: "walrus".to_owned(),
                auth: "walrus".to_owned(),
            },
            since: Timestamp::UNIX_EPOCH,
        };

        let printed = format!("{subscription:?} {}", subscription.id.address());

        assert!(
            !printed.contains("walrus") && !printed.contains("example"),
            "{printed}"
        );
        assert_eq!(subscription.id.as_str().len(), 32);
        assert_ne!(
            subscription.id,
            SubscriptionId::of("https://push.example.org/other")
        );
    }
}
