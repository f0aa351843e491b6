use std::sync::atomic::{AtomicU32, Ordering};

use askd_core::{
    ask::validate::Rules,
    broker::{ChannelHealth, Request},
    channel::{BadAddress, Posted},
    id::{Address, ChannelName, MessageRef, PersonName, PostKey, TokenName},
    inbound::Inbox,
    people::Person,
    present::{Capabilities, Message, Presentation},
    rights::{Principal, Role},
    store::{Changed, memory::MemoryStore},
};
use askd_testkit::{chance::SeededChance, clock::TestClock};
use async_trait::async_trait;

use super::*;

/// A channel on which posting fails, and that listens as it is told.
#[derive(Debug)]
struct Wire {
    name: ChannelName,
    posting: fn() -> ChannelError,
    listens: fn(u32) -> Result<(), ChannelError>,
    attempts: AtomicU32,
}

#[async_trait]
impl Channel for Wire {
    fn name(&self) -> &ChannelName {
        &self.name
    }

    fn parse_address(&self, local: &str) -> Result<Address, BadAddress> {
        Ok(Address::new(self.name.clone(), local))
    }

    fn capabilities(&self, _: &Address) -> Capabilities {
        Capabilities::plain_text()
    }

    async fn post(&self, _: &Address, _: &Presentation, _: &PostKey) -> Result<Posted, ChannelError> {
        Err((self.posting)())
    }

    async fn edit(&self, _: &MessageRef, _: &Message) -> Result<(), ChannelError> {
        Ok(())
    }

    fn deaf_after(&self) -> Duration {
        Duration::from_mins(1)
    }

    async fn listen(&self, inbox: &dyn Inbox, stop: CancellationToken) -> Result<(), ChannelError> {
        (self.listens)(self.attempts.fetch_add(1, Ordering::SeqCst))?;
        inbox.heard_from(&self.name);
        stop.cancelled().await;
        Ok(())
    }
}

fn throttled() -> ChannelError {
    ChannelError::Throttled {
        pause: Duration::from_mins(10),
    }
}

fn refused() -> ChannelError {
    ChannelError::Refused("401".into())
}

/// A daemon with one person on one wire.
struct Bench {
    daemon: Daemon,
    clock: TestClock,
    wire: Arc<Wire>,
}

async fn bench(posting: fn() -> ChannelError, listens: fn(u32) -> Result<(), ChannelError>) -> Bench {
    let clock = TestClock::new();
    let name = ChannelName::new("wire");
    let mut directory = Directory::empty();
    let sara = Person {
        display: "Sara".to_owned(),
        language: None,
        time_zone: None,
        accounts: vec![Address::new(name.clone(), "1")],
    };
    directory.people.insert(PersonName::new("sara"), sara);
    let wire = Arc::new(Wire {
        name,
        posting,
        listens,
        attempts: AtomicU32::new(0),
    });
    let parts = Parts {
        store: Arc::new(MemoryStore::new()),
        clock: Arc::new(clock.clone()),
        chance: Arc::new(SeededChance::new(1)),
        channels: vec![wire.clone()],
        directory,
        tokens: Tokens::default(),
        settings: Settings::default(),
        http: HttpOptions::default(),
        mcp: McpOptions::new([0; 32]),
        push: None,
    };
    let listener = bind(([127, 0, 0, 1], 0).into()).unwrap();
    let daemon = Daemon::start(parts, listener).await.unwrap();
    Bench { daemon, clock, wire }
}

fn health(daemon: &Daemon) -> ChannelHealth {
    daemon.broker.channels_health()[&ChannelName::new("wire")].clone()
}

fn agent() -> Principal {
    Principal {
        token: TokenName::new("bot"),
        role: Role::Agent,
    }
}

fn request() -> Request {
    let body = serde_json::json!({ "questions": [{
        "id": "a", "header": "A", "question": "?", "options": [{ "label": "x" }, { "label": "y" }],
    }] });
    Request {
        body,
        key: None,
        agent: None,
        rules: Rules::default(),
    }
}

#[tokio::test]
async fn a_channel_whose_credentials_are_refused_is_down_and_its_asks_end_undelivered() {
    let Bench { daemon, .. } = bench(throttled, |_| Err(refused())).await;
    let mut changes = daemon.broker.changes();

    let asked = daemon.broker.ask(&agent(), request()).await.unwrap();

    // Either the refusal came first, and the ask ends as it is made, or the ask did, and the refusal ends it.
    while daemon
        .broker
        .get(&agent(), asked.record.ask.id)
        .await
        .unwrap()
        .ask
        .outcome()
        .is_none()
    {
        while changes.recv().await.unwrap().what != Changed::Ended {}
    }
    let ended = daemon.broker.get(&agent(), asked.record.ask.id).await.unwrap();
    assert_eq!(ended.ask.status(), "undelivered");
    assert!(matches!(health(&daemon), ChannelHealth::Down(_)));
    assert!(daemon.end().await);
}

#[tokio::test]
async fn a_channel_that_refuses_to_post_stays_down_after_its_listening_has_ended() {
    let Bench { daemon, .. } = bench(refused, |_| Ok(())).await;
    let mut changes = daemon.broker.changes();
    daemon.broker.ask(&agent(), request()).await.unwrap();
    while changes.recv().await.unwrap().what != Changed::Ended {}

    // More turns than dispatcher, listener and their supervisors need to end.
    for _ in 0..1000 {
        tokio::task::yield_now().await;
    }

    let later = daemon.broker.ask(&agent(), request()).await.unwrap();
    assert_eq!(later.record.ask.status(), "undelivered");
    assert!(matches!(health(&daemon), ChannelHealth::Down(_)));
    assert!(daemon.end().await);
}

#[tokio::test]
async fn a_channel_that_lost_its_connection_or_panicked_is_up_again_after_a_pause_and_not_before() {
    let Bench { daemon, clock, wire } = bench(throttled, |attempt| match attempt {
        0 => Err(ChannelError::Unclear {
            maybe_done: false,
            source: "reset".into(),
        }),
        1 => panic!("a bug"),
        _ => Ok(()),
    })
    .await;
    let attempts = || wire.attempts.load(Ordering::SeqCst);

    for failed in [1, 2] {
        while attempts() < failed || health(&daemon) != ChannelHealth::Starting {
            tokio::task::yield_now().await;
        }
        while attempts() == failed {
            clock.advance(Duration::from_millis(500));
            tokio::task::yield_now().await;
        }
    }

    assert_eq!((attempts(), health(&daemon)), (3, ChannelHealth::Up));
    assert!(daemon.end().await);
}

#[tokio::test]
async fn a_taken_port_is_told_in_one_line() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();

    let error = bind(address).unwrap_err();

    assert_eq!(
        format!("{error:#}"),
        format!("{address} is taken: another program listens there")
    );
}
