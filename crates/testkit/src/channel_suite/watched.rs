//! Standing between askd and a channel, to know when both have come to rest.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use askd_core::{
    channel::{BadAddress, Channel, ChannelError, Posted},
    id::{Address, ChannelName, EventId, MessageRef, PostKey},
    inbound::{Inbound, Inbox, NotTaken, Receipt},
    present::{Capabilities, Message, Presentation},
    store::StoreError,
};
use async_trait::async_trait;
use jiff::Timestamp;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// What has gone through between askd and its channels since the case began.
#[derive(Clone, Debug)]
pub(super) struct Traffic(Arc<watch::Sender<Counts>>);

/// How much has gone through.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// Calls to `post`, `find` and `edit` under way.
    pub(super) calls: usize,
    /// Events that `accept` has returned from.
    pub(super) heard: usize,
    /// Of these, events whose receipt is to be shown to somebody.
    pub(super) to_be_shown: usize,
    /// Of these, receipts whose showing a case makes fail.
    pub(super) excused: usize,
}

impl Traffic {
    pub(super) fn new() -> Self {
        Self(Arc::new(watch::Sender::new(Counts::default())))
    }

    pub(super) fn counts(&self) -> Counts {
        *self.0.borrow()
    }

    pub(super) fn subscribe(&self) -> watch::Receiver<Counts> {
        self.0.subscribe()
    }

    /// A process ended, and its calls with it.
    pub(super) fn calls_ended(&self) {
        self.0.send_modify(|counts| counts.calls = 0);
    }

    /// A piece of feedback that a case lets fail need not be waited for.
    pub(super) fn excuse(&self) {
        self.0.send_modify(|counts| counts.excused += 1);
    }
}

/// A channel whose calls are counted.
#[derive(Debug)]
pub(super) struct WatchedChannel {
    pub(super) inner: Arc<dyn Channel>,
    pub(super) traffic: Traffic,
}

#[async_trait]
impl Channel for WatchedChannel {
    fn name(&self) -> &ChannelName {
        self.inner.name()
    }

    fn parse_address(&self, local: &str) -> Result<Address, BadAddress> {
        self.inner.parse_address(local)
    }

    fn capabilities(&self, to: &Address) -> Capabilities {
        self.inner.capabilities(to)
    }

    fn pairing_link(&self, code: &str) -> Option<String> {
        self.inner.pairing_link(code)
    }

    async fn post(&self, to: &Address, what: &Presentation, key: &PostKey) -> Result<Posted, ChannelError> {
        self.traffic.0.send_modify(|counts| counts.calls += 1);
        let posted = self.inner.post(to, what, key).await;
        self.traffic
            .0
            .send_modify(|counts| counts.calls = counts.calls.saturating_sub(1));
        posted
    }

    async fn find(
        &self,
        to: &Address,
        what: &Presentation,
        key: &PostKey,
        since: Timestamp,
    ) -> Result<Option<Posted>, ChannelError> {
        self.traffic.0.send_modify(|counts| counts.calls += 1);
        let found = self.inner.find(to, what, key, since).await;
        self.traffic
            .0
            .send_modify(|counts| counts.calls = counts.calls.saturating_sub(1));
        found
    }

    async fn edit(&self, at: &MessageRef, what: &Message) -> Result<(), ChannelError> {
        self.traffic.0.send_modify(|counts| counts.calls += 1);
        let edited = self.inner.edit(at, what).await;
        self.traffic
            .0
            .send_modify(|counts| counts.calls = counts.calls.saturating_sub(1));
        edited
    }

    fn deaf_after(&self) -> Duration {
        self.inner.deaf_after()
    }

    async fn listen(&self, inbox: &dyn Inbox, stop: CancellationToken) -> Result<(), ChannelError> {
        self.inner.listen(inbox, stop).await
    }
}

/// An inbox that remembers its receipts.
pub(super) struct WatchedInbox {
    pub(super) inner: Arc<dyn Inbox>,
    pub(super) traffic: Traffic,
    pub(super) receipts: Mutex<Vec<Receipt>>,
}

impl WatchedInbox {
    pub(super) fn receipts(&self) -> Vec<Receipt> {
        self.receipts
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

#[async_trait]
impl Inbox for WatchedInbox {
    fn heard_from(&self, channel: &ChannelName) {
        self.inner.heard_from(channel);
    }

    async fn accept(&self, event: Inbound) -> Result<Receipt, NotTaken> {
        let result = self.inner.accept(event).await;
        let is_shown = match &result {
            Ok(receipt) => {
                let mut receipts = self.receipts.lock().unwrap_or_else(PoisonError::into_inner);
                receipts.push(receipt.clone());
                !receipt.text.is_empty()
            }
            Err(_) => true,
        };
        self.traffic.0.send_modify(|counts| {
            counts.heard += 1;
            counts.to_be_shown += usize::from(is_shown);
        });
        result
    }

    async fn shown(&self, receipt: &Receipt, posted: &Posted) {
        self.inner.shown(receipt, posted).await;
    }

    async fn open_on(&self, channel: &ChannelName) -> Result<Vec<Posted>, StoreError> {
        self.inner.open_on(channel).await
    }

    async fn has_heard(&self, channel: &ChannelName, event: &EventId) -> Result<bool, StoreError> {
        self.inner.has_heard(channel, event).await
    }
}
