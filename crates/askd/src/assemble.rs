//! Puts the parts together and starts them: the only place that knows which loop, channel and entrance there is.
//!
//! `askd serve` and `askd demo` are this with different parts. What it starts is supervised by `life`; what may change
//! while it runs (people, routes, tokens) goes through watch channels, and everything else needs a restart.

use std::{
    net::SocketAddr,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use anyhow::Context as _;
use askd_core::{
    broker::{self, Broker, Settings},
    channel::{Channel, ChannelError},
    clock::{Chance, Clock},
    dispatch::{DispatchError, Dispatcher, push::Pusher},
    id::ChannelName,
    people::Directory,
    push::PushSender,
    rights::Tokens,
    store::{Store, StoreError},
};
use askd_http::HttpOptions;
use askd_mcp::McpOptions;
use askd_store_sqlite::SqliteStore;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::life::{Failed, Life};

/// How long closing the database may hold up the end of the process, after its tasks have ended.
const CLOSING: Duration = Duration::from_millis(400);

/// What a daemon is made of.
pub(crate) struct Parts {
    /// Where asks live.
    pub(crate) store: Arc<dyn Store>,
    /// What time it is.
    pub(crate) clock: Arc<dyn Clock>,
    /// Random bytes, fit for secrets.
    pub(crate) chance: Arc<dyn Chance>,
    /// What wakes browsers, where that is switched on.
    pub(crate) push: Option<Arc<dyn PushSender>>,
    /// Every channel.
    pub(crate) channels: Vec<Arc<dyn Channel>>,
    /// People and routes.
    pub(crate) directory: Directory,
    /// Tokens.
    pub(crate) tokens: Tokens,
    /// Limits.
    pub(crate) settings: Settings,
    /// What the HTTP API is told.
    pub(crate) http: HttpOptions,
    /// What the MCP server is told.
    pub(crate) mcp: McpOptions,
}

/// A daemon that runs.
pub(crate) struct Daemon {
    /// The only code that moves an ask through its life.
    pub(crate) broker: Arc<Broker>,
    life: Life,
    directory: watch::Sender<Arc<Directory>>,
    tokens: watch::Sender<Arc<Tokens>>,
}

impl Daemon {
    /// Starts everything. Returns once it runs: what is asked from then on is shown.
    pub(crate) async fn start(parts: Parts, listener: std::net::TcpListener) -> anyhow::Result<Self> {
        let stop = CancellationToken::new();
        let mut life = Life::new(stop.clone(), Arc::clone(&parts.clock), Arc::clone(&parts.chance));
        let (directory, directory_now) = watch::channel(Arc::new(parts.directory));
        let (tokens, tokens_now) = watch::channel(Arc::new(parts.tokens));
        let public_url = parts.settings.public_url.clone();
        let broker = Broker::new(broker::Parts {
            store: Arc::clone(&parts.store),
            clock: Arc::clone(&parts.clock),
            chance: Arc::clone(&parts.chance),
            channels: parts.channels.clone(),
            directory: directory_now.clone(),
            tokens: tokens_now,
            settings: parts.settings,
            stopping: stop,
        });
        let broker = Arc::new(match &parts.push {
            Some(sender) => broker.with_push(Arc::clone(sender)),
            None => broker,
        });

        broker.let_go_of_claims().await?;
        let lost = broker.give_up_unknown_channels().await?;
        if !lost.is_empty() {
            tracing::warn!(asks = lost.len(), "asks undelivered, their channel is gone");
        }
        keep_clockwork(&mut life, &broker);
        if let Some(sender) = parts.push {
            let (clock, chance) = (Arc::clone(&parts.clock), Arc::clone(&parts.chance));
            let pusher = Pusher::new(Arc::clone(&parts.store), clock, chance, sender);
            keep_pushing(&mut life, pusher);
        }
        for channel in parts.channels {
            let dispatcher = Arc::new(Dispatcher::new(
                Arc::clone(&parts.store),
                Arc::clone(&parts.clock),
                Arc::clone(&parts.chance),
                Arc::clone(&channel),
                directory_now.clone(),
                public_url.clone(),
            ));
            keep_channel(&mut life, &broker, channel, dispatcher);
        }
        let http = HttpOptions {
            also: askd_mcp::router(Arc::clone(&broker), parts.mcp),
            ..parts.http
        };
        keep_http(&mut life, &broker, listener, http);
        Ok(Self {
            broker,
            life,
            directory,
            tokens,
        })
    }

    /// Puts new people, routes and tokens in the place of the old ones, at once.
    pub(crate) fn replace(&self, directory: Directory, tokens: Tokens) {
        self.directory.send_replace(Arc::new(directory));
        self.tokens.send_replace(Arc::new(tokens));
    }

    /// Stops everything within five seconds. Asks stay pending.
    pub(crate) async fn end(self) -> bool {
        self.life.end().await
    }
}

/// What happens by itself: expiry and forgetting.
fn keep_clockwork(life: &mut Life, broker: &Arc<Broker>) {
    let expiring = Arc::clone(broker);
    life.keep("expire", move |stop| {
        let broker = Arc::clone(&expiring);
        async move { Ok(broker.expire_loop(&stop).await?) }
    });
    let pruning = Arc::clone(broker);
    life.keep("prune", move |stop| {
        let broker = Arc::clone(&pruning);
        async move { Ok(broker.prune_loop(&stop).await?) }
    });
}

/// Wakes browsers.
fn keep_pushing(life: &mut Life, pusher: Pusher) {
    let pusher = Arc::new(pusher);
    life.keep("dispatch push", move |stop| {
        let pusher = Arc::clone(&pusher);
        async move { Ok(pusher.run(&stop).await?) }
    });
}

/// A channel's two directions. They end together: where the platform refuses the credentials in one, the other is
/// pointless. Both may find it out at the same moment, and the operator is told once.
fn keep_channel(
    life: &mut Life,
    broker: &Arc<Broker>,
    channel: Arc<dyn Channel>,
    dispatcher: Arc<Dispatcher>,
) {
    let name = channel.name().clone();
    let ending = Arc::new(Ending {
        broker: Arc::clone(broker),
        channel: name.clone(),
        both: life.stop().child_token(),
        told: AtomicBool::new(false),
    });

    let at_dispatch = Arc::clone(&ending);
    life.keep(format!("dispatch {name}"), move |_| {
        let (dispatcher, ending) = (Arc::clone(&dispatcher), Arc::clone(&at_dispatch));
        async move {
            match dispatcher.run(&ending.both).await {
                Err(DispatchError::ChannelStopped(error)) => Err(ending.refused(error).await?),
                ended => Ok(ended?),
            }
        }
    });

    life.keep(format!("listen {name}"), move |_| {
        let (channel, ending) = (Arc::clone(&channel), Arc::clone(&ending));
        async move { listen(channel.as_ref(), &ending).await }
    });
}

async fn listen(channel: &dyn Channel, ending: &Ending) -> Result<(), Failed> {
    let broker = ending.broker.as_ref();
    let receiving = Receiving::begin(broker, channel.name());
    let ended = channel.listen(broker, ending.both.clone()).await;
    drop(receiving);
    match ended {
        Err(error @ ChannelError::Refused(_)) => Err(ending.refused(error).await?),
        ended => Ok(ended?),
    }
}

/// How both directions of a channel end.
struct Ending {
    broker: Arc<Broker>,
    channel: ChannelName,
    both: CancellationToken,
    /// Whether the operator has been told.
    told: AtomicBool,
}

impl Ending {
    /// The platform refuses the credentials.
    async fn refused(&self, error: ChannelError) -> Result<Failed, StoreError> {
        let lost = self
            .broker
            .channel_stopped(&self.channel, error.to_string())
            .await?;
        // Only after the store has it: a call that failed is made again.
        if !self.told.swap(true, Ordering::Relaxed) {
            tracing::error!(
                channel = %self.channel,
                asks_undelivered = lost.len(),
                error = &error as &dyn std::error::Error,
                remedy = "askd doctor says what to do; then start askd again",
                "channel stopped"
            );
        }
        self.both.cancel();
        Ok(Failed::ForGood(error.into()))
    }
}

/// A channel listens while this lives; however that ends, by a panic too, it does not from then on.
struct Receiving<'a> {
    broker: &'a Broker,
    name: &'a ChannelName,
}

impl<'a> Receiving<'a> {
    fn begin(broker: &'a Broker, name: &'a ChannelName) -> Self {
        broker.channel_listens(name, true);
        Self { broker, name }
    }
}

impl Drop for Receiving<'_> {
    fn drop(&mut self) {
        self.broker.channel_listens(self.name, false);
    }
}

fn keep_http(life: &mut Life, broker: &Arc<Broker>, listener: std::net::TcpListener, options: HttpOptions) {
    let broker = Arc::clone(broker);
    life.keep("http", move |stop| {
        // A clone of the same socket for each attempt: a client that connects in between waits, and is served.
        let socket = listener.try_clone();
        let (broker, options) = (Arc::clone(&broker), options.clone());
        async move {
            let listener = tokio::net::TcpListener::from_std(socket?)?;
            Ok(askd_http::serve(listener, broker, options, stop).await?)
        }
    });
}

/// Listens on `address`; one line says why not.
pub(crate) fn bind(address: SocketAddr) -> anyhow::Result<std::net::TcpListener> {
    use std::io::ErrorKind;
    let listener = std::net::TcpListener::bind(address).map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => anyhow::anyhow!("{address} is taken: another program listens there"),
        ErrorKind::PermissionDenied => anyhow::anyhow!("not allowed to listen on {address}"),
        ErrorKind::AddrNotAvailable => anyhow::anyhow!("{address} is no address of this machine"),
        _ => anyhow::anyhow!("cannot listen on {address}: {error}"),
    })?;
    listener.set_nonblocking(true).context("cannot listen")?;
    Ok(listener)
}

/// Opens the database. The error is one line that says what to do.
pub(crate) async fn open_store(path: PathBuf) -> anyhow::Result<Arc<SqliteStore>> {
    let open = move || SqliteStore::open(&path, askd_store_sqlite::Options::default());
    Ok(Arc::new(tokio::task::spawn_blocking(open).await??))
}

/// Lets go of the database, after its daemon has ended. Whatever counted was stored before; what this adds is that the
/// next start need not check the file.
pub(crate) async fn close_store(store: Arc<SqliteStore>) {
    let closing = tokio::task::spawn_blocking(move || store.shut_down());
    if tokio::time::timeout(CLOSING, closing).await.is_err() {
        tracing::warn!("database not closed in time");
    }
}

#[cfg(test)]
mod tests;
