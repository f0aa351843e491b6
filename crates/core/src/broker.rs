//! The only code that moves an ask through its life.
//!
//! Entrances call it with a [`Principal`] whose token was recognised; channels hand it what people do, through
//! [`Inbox`](crate::inbound::Inbox). It owns no task: its loops are futures that the process supervises.
//!
//! * [`ask`](Broker::ask): validates, chooses a route, stores (`broker/ask.rs`)
//! * [`get`](Broker::get), [`list`](Broker::list), [`cancel`](Broker::cancel): what agents and operators do
//!   (`broker/manage.rs`)
//! * [`wait`](Broker::wait): holds until an ask is over (`broker/wait.rs`)
//! * `accept`: reads what people do (`broker/accept.rs`)
//! * [`channel_stopped`](Broker::channel_stopped): what is known of channels (`broker/channels.rs`)
//! * [`figures`](Broker::figures), [`check_store`](Broker::check_store): what operators watch (`broker/figures.rs`)
//! * [`expire_loop`](Broker::expire_loop): ends what is due (`broker/expire.rs`)
//! * [`pair`](Broker::pair) and friends: accounts (`broker/pair.rs`)
//! * [`sign_in`](Broker::sign_in) and friends: who uses the panel (`broker/sign_in.rs`)
//! * [`subscribe`](Broker::subscribe) and friends: which of their browsers are woken (`broker/push.rs`)

mod accept;
mod ask;
mod channels;
mod expire;
mod figures;
mod manage;
mod pair;
mod push;
mod sign_in;
mod wait;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, atomic::AtomicUsize},
};

use tokio::sync::{broadcast, watch};
use tokio_util::sync::CancellationToken;

pub use self::{
    ask::{Accepted, AskError, Key, Request},
    channels::{ChannelHealth, ChannelVitals},
    figures::{Figures, StoreDown},
    manage::{CallError, Page, Query},
    pair::{AccountView, PairError, PairingOffer, PersonView, Unpaired},
    push::SubscribeError,
    sign_in::{Access, Me, SignInOffer, SignedIn},
};
use crate::{
    channel::Channel,
    clock::{Chance, Clock},
    id::{self, ChannelName, EventId},
    people::Directory,
    push::PushSender,
    rights::Tokens,
    store::{Change, Store},
};

/// Moves asks through their life. Cheap to share; holds no state of its own but what operators watch: the health of
/// channels, and who waits.
#[derive(Debug)]
pub struct Broker {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    chance: Arc<dyn Chance>,
    channels: BTreeMap<ChannelName, Arc<dyn Channel>>,
    /// `None` where web push is not configured.
    push: Option<Arc<dyn PushSender>>,
    directory: watch::Receiver<Arc<Directory>>,
    tokens: watch::Receiver<Arc<Tokens>>,
    settings: Settings,
    stopping: CancellationToken,
    vitals: Mutex<BTreeMap<ChannelName, channels::Vitals>>,
    /// Calls of [`Broker::wait`] that hold.
    waiting: AtomicUsize,
    store_checked: tokio::sync::Mutex<Option<figures::StoreCheck>>,
    /// Touched whenever a sign-in was ended.
    sign_outs: watch::Sender<()>,
}

/// What a broker is made of.
#[derive(Debug)]
pub struct Parts {
    /// Where asks live.
    pub store: Arc<dyn Store>,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// Random bytes, fit for secrets.
    pub chance: Arc<dyn Chance>,
    /// Every configured channel.
    pub channels: Vec<Arc<dyn Channel>>,
    /// People and routes; a new value takes effect at once.
    pub directory: watch::Receiver<Arc<Directory>>,
    /// Tokens; a new value takes effect at once.
    pub tokens: watch::Receiver<Arc<Tokens>>,
    /// Limits.
    pub settings: Settings,
    /// Cancelled when the process is to stop: waits then return what is known.
    pub stopping: CancellationToken,
}

/// Limits an operator can set.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Most pending asks per token; the next is refused. Default 5 (SPEC 2).
    pub max_pending: usize,
    /// Where people reach the panel, without a trailing slash; `None` where it is not served to them.
    pub public_url: Option<String>,
    /// Days that history is kept after an ask has ended. Default 30 (SPEC 2).
    pub retention_days: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            max_pending: 5,
            public_url: None,
            retention_days: 30,
        }
    }
}

impl Broker {
    /// Puts the parts together; starts nothing.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        let channels: BTreeMap<ChannelName, Arc<dyn Channel>> = parts
            .channels
            .into_iter()
            .map(|channel| (channel.name().clone(), channel))
            .collect();
        let vitals = channels
            .iter()
            .map(|(name, channel)| (name.clone(), channels::Vitals::new(channel.deaf_after())))
            .collect();
        Self {
            store: parts.store,
            clock: parts.clock,
            chance: parts.chance,
            channels,
            push: None,
            directory: parts.directory,
            tokens: parts.tokens,
            settings: parts.settings,
            stopping: parts.stopping,
            vitals: Mutex::new(vitals),
            waiting: AtomicUsize::new(0),
            store_checked: tokio::sync::Mutex::default(),
            sign_outs: watch::Sender::new(()),
        }
    }

    /// The same, with web push.
    #[must_use]
    pub fn with_push(self, sender: Arc<dyn PushSender>) -> Self {
        Self {
            push: Some(sender),
            ..self
        }
    }

    /// Tells of every stored change to an ask. Not filtered by rights: the entrance reads the ask as its caller.
    #[must_use]
    pub fn changes(&self) -> broadcast::Receiver<Change> {
        self.store.changes()
    }

    /// Every known token, as of now.
    #[must_use]
    pub fn tokens(&self) -> Arc<Tokens> {
        Arc::clone(&self.tokens.borrow())
    }

    /// Cancelled when the process is to stop.
    #[must_use]
    pub fn stopping(&self) -> &CancellationToken {
        &self.stopping
    }

    /// The clock, for entrances that turn "at most 55 seconds" into an instant.
    #[must_use]
    pub fn clock(&self) -> &dyn Clock {
        self.clock.as_ref()
    }

    /// A name for what a caller with a token hands in, unlike any other: 122 random bits.
    #[must_use]
    pub fn new_event_id(&self) -> EventId {
        EventId::new(id::random(self.chance.as_ref()).to_string())
    }

    /// Where people reach the panel, if it is served to them.
    #[must_use]
    pub fn public_url(&self) -> Option<&str> {
        self.settings.public_url.as_deref()
    }

    fn directory(&self) -> Arc<Directory> {
        Arc::clone(&self.directory.borrow())
    }
}
