//! Where kills are told: askd at home, three platforms, and everybody who is at work.

use std::{
    fmt::Write as _,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use askd_stories::{Askd, Home, Running};
use askd_testkit::{
    chance::SeededChance,
    channel_suite::{Place, Who},
};
use tokio::{runtime::Runtime, sync::watch, task::JoinSet};

use super::{
    agents,
    model::{Model, PEOPLE},
    people,
};
use crate::stage::{Scene, Start, clock, platforms};

/// Agents, each with a token of its own.
pub(super) const AGENTS: usize = 3;

pub(super) struct World {
    pub(super) home: Home,
    pub(super) places: Vec<Showing>,
    runtime: Arc<Runtime>,
    seed: u64,
}

/// A platform, and where asks are shown there.
pub(super) struct Showing {
    pub(super) scene: Scene,
    pub(super) place: Place,
    /// Who reads there.
    pub(super) readers: &'static [Who],
}

/// Everybody at work.
pub(super) struct Load {
    pub(super) shared: Arc<Shared>,
    runtime: Arc<Runtime>,
    work: JoinSet<()>,
}

/// What everybody at work has in common.
pub(super) struct Shared {
    pub(super) model: Model,
    pub(super) url: String,
    pub(super) operator: String,
    pub(super) client: reqwest::Client,
    /// Rings when a request goes out.
    pub(super) sent: watch::Sender<u64>,
    /// Requests that are not answered.
    pub(super) in_flight: AtomicUsize,
    /// Requests of which no answer came.
    pub(super) broken: AtomicUsize,
    /// No more asks are made.
    pub(super) closing: AtomicBool,
}

impl World {
    pub(super) fn new(seed: u64) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build();
        let runtime = Arc::new(runtime.unwrap());
        let places = platforms().map(|(kind, start)| showing(kind, start, &runtime));
        let world = Self {
            home: Home::new(),
            places: places.collect(),
            runtime,
            seed,
        };
        world.configure();
        world
    }

    fn configure(&self) {
        let mut text = "[limits]\nmax_pending = 10000\nrequests_per_second = 10000\n".to_owned();
        for showing in &self.places {
            text += &showing.scene.section();
        }
        for name in PEOPLE {
            let key = name.to_lowercase();
            let accounts: Vec<String> = self.places.iter().map(|at| at.account(name)).collect();
            writeln!(text, "[people.{key}]\nname = \"{name}\"\naccounts = {accounts:?}").unwrap();
            let token = secret(&key);
            writeln!(
                text,
                "[tokens.of-{key}]\nrole = \"person\"\nperson = \"{key}\"\ntoken = \"{token}\""
            )
            .unwrap();
        }
        let to: Vec<String> = self.places.iter().map(Showing::address).collect();
        writeln!(text, "[[routes]]\nto = {to:?}\nanswerers = [\"sara\", \"omid\"]").unwrap();
        for agent in 0..AGENTS {
            let name = format!("agent-{agent}");
            let token = secret(&name);
            writeln!(text, "[tokens.{name}]\nrole = \"agent\"\ntoken = \"{token}\"").unwrap();
        }
        self.home.configure(&text);
    }

    /// Everybody begins to work.
    pub(super) fn start(&self, askd: &Askd) -> Load {
        let client = reqwest::Client::builder()
            .no_proxy()
            .timeout(Duration::from_secs(30))
            .build();
        let shared = Arc::new(Shared {
            model: Model::default(),
            url: askd.url.clone(),
            operator: self.home.secret("operator"),
            client: client.unwrap(),
            sent: watch::Sender::new(0),
            in_flight: AtomicUsize::new(0),
            broken: AtomicUsize::new(0),
            closing: AtomicBool::new(false),
        });
        let mut work = JoinSet::new();
        let handle = self.runtime.handle();
        let mut seed = self.seed << 8;
        let mut chance = || {
            seed += 1;
            SeededChance::new(seed)
        };
        for agent in 0..AGENTS {
            work.spawn_on(agents::asks(Arc::clone(&shared), agent, chance()), handle);
        }
        for person in 0..PEOPLE.len() {
            work.spawn_on(agents::answers(Arc::clone(&shared), person, chance()), handle);
        }
        work.spawn_on(agents::follows(Arc::clone(&shared)), handle);
        for at in &self.places {
            let platform = Arc::clone(&at.scene.platform);
            let act = people::act(Arc::clone(&shared), platform, at.place, at.readers, chance());
            work.spawn_on(act, handle);
        }
        Load {
            shared,
            runtime: Arc::clone(&self.runtime),
            work,
        }
    }

    /// Starts askd where it listened before, and does not wait until it runs.
    pub(super) fn start_unattended(&self, before: &Askd) -> Running {
        let listen = before.url.trim_start_matches("http://");
        self.home.start(&["serve", "--json", "--listen", listen])
    }

    /// The write-ahead log.
    pub(super) fn log(&self) -> PathBuf {
        self.home.state().join("askd.db-wal")
    }
}

impl Showing {
    /// As the configuration writes it.
    fn address(&self) -> String {
        match self.place {
            Place::Direct(_) => self.scene.sara().account(),
            Place::Group => self.scene.group(),
        }
    }

    fn account(&self, name: &str) -> String {
        let person = if name == PEOPLE[0] {
            self.scene.sara()
        } else {
            self.scene.omid()
        };
        person.account()
    }
}

/// Alone with Sara on Telegram, and in a channel elsewhere.
fn showing(kind: &str, start: Start, runtime: &Arc<Runtime>) -> Showing {
    let platform = runtime.block_on(start(clock(runtime)));
    let (place, readers): (_, &[Who]) = if kind == "telegram" {
        (Place::Direct(Who::Sara), &[Who::Sara])
    } else {
        (Place::Group, &[Who::Sara, Who::Omid])
    };
    Showing {
        scene: Scene::on(platform, runtime),
        place,
        readers,
    }
}

/// Of a token in the configuration.
pub(super) fn secret(name: &str) -> String {
    format!("secret-of-{name}-0123456789abcdef")
}

impl Load {
    pub(super) fn in_flight(&self) -> usize {
        self.shared.in_flight.load(Ordering::Relaxed)
    }

    /// Waits until the next request goes out.
    pub(super) fn until_sent(&self) {
        let mut sent = self.shared.sent.subscribe();
        // Where nothing is sent any more the kill strikes all the same.
        let _ = self
            .runtime
            .block_on(async { tokio::time::timeout(Duration::from_secs(2), sent.changed()).await });
    }

    pub(super) fn ask_no_more(&self) {
        self.shared.closing.store(true, Ordering::Relaxed);
    }

    /// Waits until every agent has what it asked for. What is still missing after `limit` is a fault.
    pub(super) fn until_all_is_over(&self, askd: &Askd, limit: Duration) -> Vec<String> {
        let model = &self.shared.model;
        let over = self.runtime.block_on(async {
            let over = async {
                while model.unfinished() > 0 {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            };
            tokio::time::timeout(limit, over).await
        });
        if over.is_ok() {
            return Vec::new();
        }
        let known = model.lock();
        let waiting = known.asks.iter().enumerate().filter(|(_, asked)| !asked.waited);
        waiting
            .map(|(number, asked)| {
                let stored = asked.id.as_ref().map(|id| askd.operator.read(id));
                format!("agent {} waits in vain for ask {number}: {stored:?}", asked.agent)
            })
            .collect()
    }

    /// Ends everybody's work.
    pub(super) fn stop(mut self) -> Arc<Shared> {
        self.runtime.block_on(self.work.shutdown());
        self.shared
    }
}
