//! The process: started, stopped, killed.

use std::sync::Arc;

use askd_core::{
    broker::{Broker, Parts, Settings},
    channel::Channel,
    clock::{Clock, Steady},
    dispatch::{DispatchError, Dispatcher},
    id::ChannelName,
    inbound::Inbox,
    store::Store,
};
use tokio::{task::JoinSet, time::timeout};
use tokio_util::sync::CancellationToken;

use super::{AT_MOST, STEP, STEP_TAKES, TURNS, World};
use crate::channel_suite::watched::{WatchedChannel, WatchedInbox};

/// What ends with the process.
pub(super) struct Running {
    pub(super) broker: Arc<Broker>,
    pub(super) channel: Arc<WatchedChannel>,
    pub(super) inbox: Arc<WatchedInbox>,
    stop: CancellationToken,
    tasks: JoinSet<()>,
}

impl World {
    /// Starts a process on what the last one left behind.
    pub async fn start(&mut self) {
        self.start_only().await;
        self.settle().await;
    }

    async fn start_only(&mut self) {
        assert!(self.running.is_none(), "a process is running already");
        self.store = Arc::new(self.store.reopen());
        let clock: Arc<dyn Clock> = Arc::new(self.ours.clone());
        // As the binary has it.
        let steady = Arc::new(Steady::new(Arc::clone(&clock)));
        let channel = Arc::new(WatchedChannel {
            inner: self.platform.connect(self.channel.clone(), steady).await,
            traffic: self.traffic.clone(),
        });
        let stop = CancellationToken::new();
        let broker = Arc::new(Broker::new(Parts {
            store: Arc::clone(&self.store) as Arc<dyn Store>,
            clock: Arc::clone(&clock),
            chance: Arc::clone(&self.chance) as _,
            channels: vec![Arc::clone(&channel) as _],
            directory: self.directory.subscribe(),
            tokens: self.tokens.subscribe(),
            settings: Settings::default(),
            stopping: stop.clone(),
        }));
        // Where the store is broken there is nothing to let go of.
        let _ = broker.let_go_of_claims().await;
        let inbox = Arc::new(WatchedInbox {
            inner: Arc::clone(&broker) as _,
            traffic: self.traffic.clone(),
            receipts: std::sync::Mutex::default(),
        });
        let dispatcher = Dispatcher::new(
            Arc::clone(&self.store) as _,
            clock,
            Arc::clone(&self.chance) as _,
            Arc::clone(&channel) as _,
            self.directory.subscribe(),
            None,
        );
        let mut tasks = JoinSet::new();
        tasks.spawn(expire(Arc::clone(&broker), stop.clone()));
        tasks.spawn(dispatch(
            dispatcher,
            Arc::clone(&broker),
            self.channel.clone(),
            stop.clone(),
        ));
        tasks.spawn(listen(
            Arc::clone(&channel),
            Arc::clone(&inbox),
            Arc::clone(&broker),
            stop.clone(),
        ));
        self.running = Some(Running {
            broker,
            channel,
            inbox,
            stop,
            tasks,
        });
    }

    /// Ends the process in order, as SIGTERM does. Calls under way are given the time they may take.
    ///
    /// # Panics
    /// If it takes five seconds or more (SPEC 2), or none is running.
    pub async fn stop(&mut self) {
        let mut running = self.running.take().expect("a process is running");
        running.stop.cancel();
        let ended = async {
            while !running.tasks.is_empty() {
                for _ in 0..TURNS {
                    tokio::task::yield_now().await;
                }
                if running.tasks.try_join_next().is_none() {
                    // A channel that says goodbye does so over a real connection, from which time must not run away.
                    tokio::time::sleep(STEP_TAKES).await;
                    self.clock.advance(STEP);
                }
            }
        };
        let began = self.clock.now();
        timeout(AT_MOST, ended)
            .await
            .expect("askd ends when it is told to");
        let took = self.clock.now().duration_since(began);
        assert!(took.as_secs() < 5, "askd took {took:#} to end");
        self.traffic.calls_ended();
    }

    /// Ends the process in the middle of whatever it does, as `kill -9` does.
    ///
    /// # Panics
    /// If none is running.
    pub async fn kill(&mut self) {
        let mut running = self.running.take().expect("a process is running");
        running.tasks.shutdown().await;
        self.traffic.calls_ended();
    }

    /// Kills the process and starts another one on what it left behind.
    pub async fn restart(&mut self) {
        self.kill().await;
        self.start().await;
    }
}

async fn expire(broker: Arc<Broker>, stop: CancellationToken) {
    // A broken store ends the loop; the supervisor starts it again.
    while broker.expire_loop(&stop).await.is_err() {
        tokio::task::yield_now().await;
    }
}

async fn dispatch(
    dispatcher: Dispatcher,
    broker: Arc<Broker>,
    channel: ChannelName,
    stop: CancellationToken,
) {
    loop {
        match dispatcher.run(&stop).await {
            Ok(()) => return,
            Err(DispatchError::ChannelStopped(_)) => {
                broker
                    .channel_stopped(&channel, "credentials refused")
                    .await
                    .expect("the store works");
                return;
            }
            Err(_) => tokio::task::yield_now().await,
        }
    }
}

async fn listen(
    channel: Arc<WatchedChannel>,
    inbox: Arc<WatchedInbox>,
    broker: Arc<Broker>,
    stop: CancellationToken,
) {
    let name = channel.name().clone();
    let inbox: Arc<dyn Inbox> = inbox;
    broker.channel_listens(&name, true);
    if channel.listen(inbox.as_ref(), stop).await.is_err() {
        broker
            .channel_stopped(&name, "credentials refused")
            .await
            .expect("the store works");
    }
}
