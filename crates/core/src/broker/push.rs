//! Which browsers are woken when an ask comes in.
//!
//! Whoever is signed in to the panel may have their browser woken. A subscription belongs to the sign-in of its browser and
//! ends with it. Woken are the browsers of those who may answer: the ask's people, and operators, to whom the panel shows
//! everything.

use crate::{
    broker::Broker,
    clock::whole_millis,
    id::{DeliveryId, PersonName},
    push::{Browser, BrowserFault, Subscription, SubscriptionId},
    rights::{Denied, Principal},
    stage::Responder,
    store::{Delivery, DeliveryState, StoreError},
};

use super::pair;

/// Most browsers of one person that are woken; of more the oldest are forgotten. Far more than anybody uses, and so few that
/// an ask makes no crowd of deliveries.
const MOST: usize = 20;

/// Why a browser was not subscribed; nothing was stored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SubscribeError {
    /// The caller's role does not include this.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// Web push is not configured.
    #[error("web push is not configured")]
    NotConfigured,
    /// What the browser handed in cannot be used; all faults are listed.
    #[error("the subscription cannot be used")]
    Faults(Vec<BrowserFault>),
    /// The sign-in has ended meanwhile.
    #[error("the sign-in has ended")]
    SignedOut,
    /// The store did not take it; the same may be tried again.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Broker {
    /// The key that browsers subscribe with, in base64url; `None` where web push is not configured.
    #[must_use]
    pub fn push_key(&self) -> Option<&str> {
        self.push.as_ref().map(|sender| sender.public_key())
    }

    /// From now on wakes the browser that keeps `secret`, the secret of its sign-in, when an ask comes in that its person may
    /// answer. It takes the place of what was stored for that sign-in before.
    ///
    /// # Errors
    /// See [`SubscribeError`].
    pub async fn subscribe(
        &self,
        who: &Principal,
        secret: &str,
        browser: Browser,
    ) -> Result<(), SubscribeError> {
        let who = who.responder().ok_or(Denied::Role)?;
        let sender = self.push.as_ref().ok_or(SubscribeError::NotConfigured)?;
        let faults = sender.faults(&browser);
        if !faults.is_empty() {
            return Err(SubscribeError::Faults(faults));
        }
        let now = whole_millis(self.clock.now());
        let new = Subscription {
            id: SubscriptionId::of(&browser.endpoint),
            who,
            sign_in: pair::hash(secret),
            browser,
            since: now,
        };
        if self.store.subscribe(new, MOST, now).await? {
            Ok(())
        } else {
            Err(SubscribeError::SignedOut)
        }
    }

    /// Wakes the browser that keeps this secret no more.
    ///
    /// # Errors
    /// What the store says; the same may be tried again.
    pub async fn unsubscribe(&self, secret: &str) -> Result<(), StoreError> {
        self.store.unsubscribe(&pair::hash(secret)).await?;
        Ok(())
    }

    /// The browsers that an ask for these people wakes.
    pub(super) async fn to_be_woken(
        &self,
        answerers: &[PersonName],
    ) -> Result<Vec<Subscription>, StoreError> {
        if self.push.is_none() {
            return Ok(Vec::new());
        }
        let people = answerers.iter().cloned().map(Responder::Person);
        let tokens = self.tokens();
        let operators = tokens.operators().map(Responder::Operator);
        let who: Vec<Responder> = people.chain(operators).collect();
        self.store.subscriptions(&who, self.clock.now()).await
    }

    /// The delivery of a push that is due at once.
    pub(super) fn wake(&self, subscription: Subscription, now: jiff::Timestamp) -> Delivery {
        let person = match subscription.who {
            Responder::Person(person) => Some(person),
            Responder::Operator(_) => None,
        };
        Delivery {
            id: DeliveryId::make(self.chance.as_ref()),
            to: subscription.id.address(),
            at: None,
            person,
            language: None,
            time_zone: None,
            state: DeliveryState::Queued,
            due: Some(now),
            claimed_until: None,
            attempts: 0,
            unclear: false,
            messages: Vec::new(),
        }
    }
}
