//! A whole askd around one channel: store, broker, dispatcher, and the people on the platform.
//!
//! Time stands still unless a case lets it pass, and nobody sleeps: after everything that is done, [`World::settle`]
//! waits until askd and the platform have both come to rest. That makes "nothing happens" something a case can
//! check, and is itself a check: an event that is never acknowledged or a receipt that is never shown fails the case
//! it happens in.
//!
//! It plays the supervisor's part too: a channel or dispatcher that ends for good is reported to the broker.

mod acts;
mod process;
mod rest;
mod views;

use std::{sync::Arc, time::Duration};

use askd_core::{
    clock::Clock as _,
    id::{Address, ChannelName, PersonName, TokenName},
    people::{Directory, Person},
    rights::{Principal, Role, Tokens},
    route::{Route, Target},
    store::{Filter, Record, Store as _, memory::MemoryStore},
    words::Language,
};
use jiff::SignedDuration;
use tokio::sync::watch;

use self::process::Running;
pub use self::{
    acts::button,
    views::{Told, bare},
};
use super::{
    platform::{Feature, Place, Platform, Who},
    watched::Traffic,
};
use crate::{
    chance::SeededChance,
    clock::{SetClock, TestClock},
};

/// How long, in real time, anything may take to come to rest. Only a case that fails waits for it.
const AT_MOST: Duration = Duration::from_secs(10);

/// Turns that every ready task gets before the world counts as resting: more than the longest chain of wake-ups
/// between an event and its last consequence.
const TURNS: usize = 64;

/// How far time is moved at once for a dispatcher that waits for a conversation's pace.
const STEP: Duration = Duration::from_millis(250);

/// How long such a step takes in real time where something real is waited for.
const STEP_TAKES: Duration = Duration::from_millis(10);

/// One askd, one channel, one platform.
pub struct World {
    platform: Arc<dyn Platform>,
    store: Arc<MemoryStore>,
    /// The time that passes, on the platform too.
    clock: TestClock,
    /// What askd takes for it.
    ours: SetClock,
    chance: Arc<SeededChance>,
    channel: ChannelName,
    directory: watch::Sender<Arc<Directory>>,
    tokens: watch::Sender<Arc<Tokens>>,
    traffic: Traffic,
    running: Option<Running>,
}

impl World {
    /// Sara and Omid may be asked, everything goes to Sara, and the channel listens.
    pub async fn new(platform: Arc<dyn Platform>, clock: TestClock) -> Self {
        let mut world = Self {
            platform,
            store: Arc::new(MemoryStore::new()),
            ours: SetClock::new(clock.clone()),
            clock,
            chance: Arc::new(SeededChance::new(7)),
            channel: ChannelName::new("fake"),
            directory: watch::Sender::new(Arc::new(Directory::empty())),
            tokens: watch::Sender::new(Arc::default()),
            traffic: Traffic::new(),
            running: None,
        };
        let mut directory = Directory::empty();
        for who in [Who::Sara, Who::Omid] {
            let person = Person {
                display: display(who).to_owned(),
                language: None,
                time_zone: None,
                accounts: vec![world.account(who)],
            };
            directory.people.insert(PersonName::new(who.name()), person);
        }
        world.directory.send_replace(Arc::new(directory));
        world.asks(&[Place::Direct(Who::Sara)], &[]);
        world.start().await;
        world
    }

    /// Sends every ask here, to be answered by these people; by those asked directly, if none is named.
    pub fn asks(&self, places: &[Place], answerers: &[Who]) {
        let to = places.iter().map(|place| match place {
            Place::Direct(who) => Target::Person(PersonName::new(who.name())),
            Place::Group => Target::Place(self.group()),
        });
        let route = Route {
            agent: None,
            session: None,
            to: to.collect(),
            answerers: answerers.iter().map(|who| PersonName::new(who.name())).collect(),
            language: None,
            time_zone: None,
        };
        self.directory
            .send_modify(|directory| Arc::make_mut(directory).routes = vec![route]);
    }

    /// Sets somebody's language.
    pub fn speaks(&self, who: Who, language: Language) {
        self.directory.send_modify(|directory| {
            let people = &mut Arc::make_mut(directory).people;
            people
                .entry(PersonName::new(who.name()))
                .and_modify(|person| person.language = Some(language));
        });
    }

    /// Takes somebody's accounts out of the configuration.
    pub fn forget_account(&self, who: Who) {
        self.directory.send_modify(|directory| {
            let people = &mut Arc::make_mut(directory).people;
            people
                .entry(PersonName::new(who.name()))
                .and_modify(|person| person.accounts.clear());
        });
    }

    /// Lets time pass, and the world come to rest.
    pub async fn pass(&self, time: Duration) {
        self.clock.advance(time);
        self.settle().await;
    }

    /// Lets a millisecond pass, so that what is asked next is asked later. Waits for nothing.
    pub fn tick(&self) {
        self.clock.advance(Duration::from_millis(1));
    }

    /// The machine's clock is set forward, or back, by this much; no time passes by that. The platform has its own.
    pub fn set_clock(&self, by: SignedDuration) {
        self.ours.set_by(by);
    }

    /// How much time has passed.
    #[must_use]
    pub fn passed(&self) -> Duration {
        self.clock.passed()
    }

    /// Makes every call of the store fail, or work again.
    pub fn break_store(&self, broken: bool) {
        self.store.set_broken(broken);
    }

    /// Lets the next piece of feedback fail on the platform, and does not wait for it.
    pub fn lose_feedback(&self, fault: super::platform::Fault) {
        self.platform.fail_next(super::platform::Call::Feedback, fault);
        self.traffic.excuse();
    }

    /// Everything stored; nothing while the store is broken.
    async fn records(&self) -> Vec<Record> {
        let all = Filter {
            owner: None,
            answerer: None,
            status: None,
            session: None,
            before: None,
            limit: usize::MAX,
        };
        self.store.list(&all).await.unwrap_or_default()
    }

    /// What holds after every case, whatever it was about.
    ///
    /// # Panics
    /// If it does not.
    pub async fn check(&self) {
        assert_eq!(
            self.platform.violations(),
            [""; 0],
            "the channel broke rules of its platform"
        );
        if !self.platform.offers().contains(&Feature::Edits) || self.running.is_none() {
            return;
        }
        let mut places: Vec<Place> = Who::WITH_ACCOUNT.map(Place::Direct).into();
        if self.platform.offers().contains(&Feature::Groups) {
            places.push(Place::Group);
        }
        for record in self.records().await {
            let over = record.ask.outcome().is_some();
            let settling = record.deliveries.iter().any(|delivery| delivery.due.is_some());
            for message in places.iter().flat_map(|place| self.platform.seen(*place)) {
                let ours = record
                    .deliveries
                    .iter()
                    .any(|d| d.messages.iter().any(|m| m.message == message.message));
                assert!(
                    !(over && ours && !settling) || message.buttons.is_empty(),
                    "a message of an ask that is over looks alive: {message:?}"
                );
            }
        }
    }

    fn running(&self) -> &Running {
        self.running.as_ref().expect("a process is running")
    }

    /// The account of somebody, as the configuration names it.
    #[must_use]
    pub fn account(&self, who: Who) -> Address {
        Address::new(self.channel.clone(), self.platform.account(who))
    }

    fn group(&self) -> Address {
        Address::new(self.channel.clone(), self.platform.group())
    }
}

/// The name as others see it.
fn display(who: Who) -> &'static str {
    match who {
        Who::Sara => "Sara",
        Who::Omid => "Omid",
        Who::Stranger | Who::Hidden | Who::Machine => "nobody",
    }
}

fn agent() -> Principal {
    Principal {
        token: TokenName::new("build-bot"),
        role: Role::Agent,
    }
}

fn operator() -> Principal {
    Principal {
        token: TokenName::new("operator"),
        role: Role::Operator,
    }
}
