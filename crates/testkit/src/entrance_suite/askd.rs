//! The askd behind an entrance: a broker over a store in memory, with people who have tokens and no channel.

use std::{sync::Arc, time::Duration};

use askd_core::{
    broker::{Broker, Parts, Settings},
    clock::Clock as _,
    id::{Address, AskId, ChannelName, PersonName},
    inbound::{Act, Inbound, Inbox as _, Receipt, Sender, Submission},
    people::{Directory, Person},
    rights::Tokens,
    route::{Route, Target},
    store::{Store as _, memory::MemoryStore},
};
use tokio::{sync::watch, task::JoinSet};
use tokio_util::sync::CancellationToken;

use super::Caller;
use crate::{chance::SeededChance, clock::TestClock};

/// A broker to open an entrance to. Time stands still unless a case lets it pass.
#[derive(Debug)]
pub struct Askd {
    broker: Arc<Broker>,
    store: Arc<MemoryStore>,
    clock: TestClock,
    // Ends with the value.
    _loops: JoinSet<()>,
}

impl Askd {
    pub(super) fn new() -> Self {
        let store = Arc::new(MemoryStore::new());
        let clock = TestClock::new();
        let mut tokens = Tokens::default();
        for caller in Caller::ALL {
            assert!(tokens.add(&caller.secret(), caller.principal()), "secrets differ");
        }
        let broker = Arc::new(Broker::new(Parts {
            store: Arc::clone(&store) as _,
            clock: Arc::new(clock.clone()),
            chance: Arc::new(SeededChance::new(11)),
            channels: Vec::new(),
            directory: watch::Sender::new(Arc::new(directory())).subscribe(),
            tokens: watch::Sender::new(Arc::new(tokens)).subscribe(),
            settings: Settings::default(),
            stopping: CancellationToken::new(),
        }));
        let mut loops = JoinSet::new();
        let expiring = Arc::clone(&broker);
        loops.spawn(async move {
            let ended = expiring.expire_loop(expiring.stopping()).await;
            ended.expect("the store works");
        });
        Self {
            broker,
            store,
            clock,
            _loops: loops,
        }
    }

    /// What the entrance calls.
    #[must_use]
    pub fn broker(&self) -> Arc<Broker> {
        Arc::clone(&self.broker)
    }

    /// Lets time pass, and what is due then happen.
    pub(super) async fn pass(&self, time: Duration) {
        self.clock.advance(time);
        let mut changes = self.store.changes();
        while self
            .store
            .next_deadline()
            .await
            .expect("the store works")
            .is_some_and(|due| due <= self.clock.now())
        {
            changes.recv().await.expect("the store lives");
        }
    }

    /// A person answers somewhere else, so that an entrance without answers can be told of one.
    pub(super) async fn answered_elsewhere(&self, caller: Caller, ask: &str, text: &str) -> Receipt {
        let event = Inbound {
            event: self.broker.new_event_id(),
            from: Sender::Caller {
                principal: caller.principal(),
                language: None,
            },
            at: Address::new(ChannelName::new("http"), caller.name()),
            direct: true,
            when: self.clock.now(),
            act: Act::Submitted {
                ask: AskId::parse(ask).expect("an id of an ask"),
                what: Submission::Text(text.to_owned()),
            },
        };
        self.broker.accept(event).await.expect("the store works")
    }
}

/// Sara is asked by the first agent, Omid by the other; both have a token.
fn directory() -> Directory {
    let mut directory = Directory::empty();
    for (name, display) in [("sara", "Sara"), ("omid", "Omid")] {
        let person = Person {
            display: display.to_owned(),
            language: None,
            time_zone: None,
            accounts: Vec::new(),
        };
        directory.people.insert(PersonName::new(name), person);
        directory.with_token.insert(PersonName::new(name));
    }
    let route = |agent: Caller, to: &str| Route {
        agent: Some(agent.name().to_owned()),
        session: None,
        to: vec![Target::Person(PersonName::new(to))],
        answerers: Vec::new(),
        language: None,
        time_zone: None,
    };
    directory.routes = vec![route(Caller::Agent, "sara"), route(Caller::OtherAgent, "omid")];
    directory
}
