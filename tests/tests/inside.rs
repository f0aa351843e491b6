//! An askd inside this process: the real store and broker, on a clock that the story moves, with a channel to a
//! fake platform: one that has plain text and nothing more, unless the story brings another.

use std::{path::PathBuf, sync::Arc};

use askd_core::{
    broker::{Broker, Parts, Request, Settings},
    channel::Channel,
    dispatch::Dispatcher,
    id::{Address, AskId, ChannelName, PersonName, TokenName},
    people::{Directory, Person},
    rights::{Principal, Role, Tokens},
    store::{Record, Store},
};
use askd_store_sqlite::{Options, SqliteStore};
use askd_stories::PATIENCE;
use askd_testkit::{
    chance::SeededChance,
    channel_suite::{Place, Platform, Who},
    clock::TestClock,
    fake::plain,
};
use serde_json::Value;
use tempfile::TempDir;
use tokio::{sync::watch, task::JoinSet, time::timeout};
use tokio_util::sync::CancellationToken;

/// The secret of the agent.
pub(crate) const SECRET: &str = "secret-of-the-build-bot";

/// What outlives the process: the disk, the platform with Sara on it, and time.
pub(crate) struct World {
    folder: TempDir,
    pub(crate) clock: TestClock,
    pub(crate) platform: Arc<dyn Platform>,
    chance: Arc<SeededChance>,
}

/// A process that runs.
pub(crate) struct Inside {
    pub(crate) broker: Arc<Broker>,
    store: Arc<SqliteStore>,
    loops: JoinSet<()>,
}

pub(crate) fn agent() -> Principal {
    Principal {
        token: TokenName::new("build-bot"),
        role: Role::Agent,
    }
}

impl World {
    pub(crate) fn new() -> Self {
        let clock = TestClock::new();
        Self::on(Arc::new(plain::new(clock.clone())), clock)
    }

    /// With this platform, which lives by this clock.
    pub(crate) fn on(platform: Arc<dyn Platform>, clock: TestClock) -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            platform,
            clock,
            chance: Arc::new(SeededChance::new(3)),
        }
    }

    fn database(&self) -> PathBuf {
        self.folder.path().join("askd.db")
    }

    /// Starts a process on what the last one left behind.
    pub(crate) async fn start(&self, options: Options, settings: Settings) -> Inside {
        let store = Arc::new(SqliteStore::open(&self.database(), options).unwrap());
        let clock = Arc::new(self.clock.clone());
        let name = ChannelName::new("fake");
        let channel = self.platform.connect(name.clone(), clock.clone()).await;
        let sara = Address::new(name, self.platform.account(Who::Sara));
        let directory = watch::Sender::new(Arc::new(directory(sara)));
        let mut tokens = Tokens::default();
        tokens.add(SECRET, agent());
        let stop = CancellationToken::new();
        let broker = Arc::new(Broker::new(Parts {
            store: store.clone(),
            clock: clock.clone(),
            chance: self.chance.clone(),
            channels: vec![channel.clone()],
            directory: directory.subscribe(),
            tokens: watch::Sender::new(Arc::new(tokens)).subscribe(),
            settings,
            stopping: stop.clone(),
        }));
        let dispatcher = Dispatcher::new(
            store.clone(),
            clock,
            self.chance.clone(),
            channel.clone(),
            directory.subscribe(),
            None,
        );
        let mut loops = JoinSet::new();
        loops.spawn(expire(broker.clone(), stop.clone()));
        loops.spawn(dispatch(dispatcher, stop.clone()));
        loops.spawn(listen(channel, broker.clone(), stop));
        Inside { broker, store, loops }
    }

    /// Waits until Sara has been sent a message that holds `text`.
    pub(crate) async fn sara_reads(&self, text: &str) {
        let seen = || self.platform.seen(Place::Direct(Who::Sara));
        let read = || {
            seen()
                .iter()
                .any(|message| message.text.contains(text))
                .then_some(())
        };
        self.until(text, read).await;
    }

    /// Waits until `look` finds something. Looks again whenever anything has happened on the platform.
    pub(crate) async fn until<T>(&self, what: &str, mut look: impl FnMut() -> Option<T>) -> T {
        let mut activity = self.platform.activity();
        let found = async {
            loop {
                if let Some(found) = look() {
                    return found;
                }
                activity.changed().await.unwrap();
            }
        };
        let found = timeout(PATIENCE, found).await;
        let seen = || self.platform.seen(Place::Direct(Who::Sara));
        found.unwrap_or_else(|_| panic!("waited in vain for {what}; Sara sees {:#?}", seen()))
    }
}

impl Inside {
    pub(crate) async fn ask(&self, body: &Value) -> AskId {
        let request = Request {
            body: body.clone(),
            key: None,
            agent: None,
            rules: askd_core::ask::validate::Rules::default(),
        };
        let accepted = self.broker.ask(&agent(), request).await.unwrap();
        accepted.record.ask.id
    }

    /// The ask as it is stored.
    pub(crate) async fn read(&self, ask: AskId) -> Record {
        self.broker.get(&agent(), ask).await.unwrap()
    }

    /// Waits until the ask is as `fits` says.
    pub(crate) async fn until(&self, ask: AskId, fits: impl Fn(&Record) -> bool) -> Record {
        let mut changes = self.store.changes();
        let reached = async {
            loop {
                let record = self.read(ask).await;
                if fits(&record) {
                    return record;
                }
                changes.recv().await.unwrap();
            }
        };
        let Ok(record) = timeout(PATIENCE, reached).await else {
            panic!("it stays {:#?}", self.read(ask).await);
        };
        record
    }

    /// Ends it in the middle of whatever it does.
    pub(crate) async fn kill(mut self) {
        self.loops.shutdown().await;
    }
}

/// Sara, who has an account.
fn directory(account: Address) -> Directory {
    let mut directory = Directory::empty();
    let sara = Person {
        display: "Sara".to_owned(),
        language: None,
        time_zone: None,
        accounts: vec![account],
    };
    directory.people.insert(PersonName::new("sara"), sara);
    directory
}

async fn expire(broker: Arc<Broker>, stop: CancellationToken) {
    broker.expire_loop(&stop).await.unwrap();
}

async fn dispatch(dispatcher: Dispatcher, stop: CancellationToken) {
    dispatcher.run(&stop).await.unwrap();
}

async fn listen(channel: Arc<dyn Channel>, broker: Arc<Broker>, stop: CancellationToken) {
    channel.listen(broker.as_ref(), stop).await.unwrap();
}
