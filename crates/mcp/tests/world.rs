//! What the tests share: a broker with a few people and tokens, and the routes before it.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use askd_core::{
    ask::Ask,
    broker::{Broker, Parts, Query, Settings},
    channel::{BadAddress, Channel, ChannelError, Posted},
    id::{Address, ChannelName, MessageRef, PersonName, PostKey, TokenName},
    inbound::{Act, Inbound, Inbox, Sender, Submission},
    people::{Directory, Person},
    present::{Capabilities, Message, Presentation},
    rights::{Principal, Role, Tokens},
    route::{Route, Target},
    store::{Store, memory::MemoryStore},
};
use askd_mcp::{Holds, McpOptions};
use askd_testkit::{chance::SeededChance, clock::TestClock, sample};
use async_trait::async_trait;
use axum::Router;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::client::Client;

/// Names of tokens; each is its own secret.
pub(crate) const AGENT: &str = "build-bot";
pub(crate) const OTHER_AGENT: &str = "night-bot";
pub(crate) const SHARED: &str = "agent";
pub(crate) const SUBAGENT: &str = "helper-bot";
pub(crate) const SARA: &str = "sara-phone";
pub(crate) const OPERATOR: &str = "root";

/// A channel on which nothing happens: what it shows, the tests say.
#[derive(Debug)]
struct Wire(ChannelName);

#[async_trait]
impl Channel for Wire {
    fn name(&self) -> &ChannelName {
        &self.0
    }

    fn parse_address(&self, local: &str) -> Result<Address, BadAddress> {
        Ok(Address::new(self.0.clone(), local))
    }

    fn capabilities(&self, _: &Address) -> Capabilities {
        Capabilities::plain_text()
    }

    async fn post(&self, _: &Address, _: &Presentation, _: &PostKey) -> Result<Posted, ChannelError> {
        Err(ChannelError::Unsupported("post"))
    }

    async fn edit(&self, _: &MessageRef, _: &Message) -> Result<(), ChannelError> {
        Ok(())
    }

    fn deaf_after(&self) -> Duration {
        Duration::from_mins(1)
    }

    async fn listen(&self, _: &dyn Inbox, stop: CancellationToken) -> Result<(), ChannelError> {
        stop.cancelled().await;
        Ok(())
    }
}

/// A broker and the routes before it. Every ask goes to sara.
pub(crate) struct World {
    pub(crate) clock: TestClock,
    pub(crate) store: Arc<MemoryStore>,
    pub(crate) broker: Arc<Broker>,
    pub(crate) stop: CancellationToken,
    pub(crate) tokens: watch::Sender<Arc<Tokens>>,
    pub(crate) holds: watch::Sender<Arc<Holds>>,
    routes: Router,
    channels: Vec<Arc<dyn Channel>>,
}

impl World {
    /// Without any channel: asks wait for whoever opens the panel.
    pub(crate) fn new() -> Self {
        Self::built(TestClock::new(), Arc::default(), Vec::new())
    }

    /// Sara reads a channel called `telegram`.
    pub(crate) fn with_a_channel() -> Self {
        let channel = Arc::new(Wire(ChannelName::new("telegram")));
        Self::built(TestClock::new(), Arc::default(), vec![channel])
    }

    /// The next askd on the same store.
    pub(crate) fn restarted(self) -> Self {
        self.stop.cancel();
        Self::built(self.clock, self.store, self.channels)
    }

    fn built(clock: TestClock, store: Arc<MemoryStore>, channels: Vec<Arc<dyn Channel>>) -> Self {
        let stop = CancellationToken::new();
        let (tokens, tokens_now) = watch::channel(Arc::new(all_tokens()));
        let (holds, holds_now) = watch::channel(Arc::default());
        let broker = Arc::new(Broker::new(Parts {
            store: Arc::clone(&store) as Arc<dyn Store>,
            clock: Arc::new(clock.clone()),
            chance: Arc::new(SeededChance::new(7)),
            directory: watch::Sender::new(Arc::new(directory(!channels.is_empty()))).subscribe(),
            channels: channels.clone(),
            tokens: tokens_now,
            settings: Settings::default(),
            stopping: stop.clone(),
        }));
        let options = McpOptions::new([7; 32])
            .with_holds(holds_now)
            .with_unnamed([TokenName::new(SHARED)]);
        let routes = askd_mcp::router(Arc::clone(&broker), options);
        Self {
            clock,
            store,
            broker,
            stop,
            tokens,
            holds,
            routes,
            channels,
        }
    }

    /// A client of revision 2025-11-25 with the agent's token.
    pub(crate) fn legacy(&self) -> Client {
        Client::new(self.routes.clone(), AGENT, "2025-11-25")
    }

    /// A client of revision 2026-07-28 with the agent's token.
    pub(crate) fn modern(&self) -> Client {
        Client::new(self.routes.clone(), AGENT, "2026-07-28")
    }

    /// The only ask there is.
    pub(crate) async fn only_ask(&self) -> Ask {
        let mut asks = self.asks().await;
        assert_eq!(asks.len(), 1, "{asks:?}");
        asks.remove(0)
    }

    /// Every ask, newest first.
    pub(crate) async fn asks(&self) -> Vec<Ask> {
        let page = self.broker.list(&principal(OPERATOR), Query::default()).await;
        page.unwrap()
            .records
            .into_iter()
            .map(|record| record.ask)
            .collect()
    }

    /// Sara answers it, somewhere else.
    pub(crate) async fn answered(&self, ask: &Ask, text: &str) {
        let event = Inbound {
            event: self.broker.new_event_id(),
            from: Sender::Caller {
                principal: principal(SARA),
                language: None,
            },
            at: Address::new(ChannelName::new("http"), SARA),
            direct: true,
            when: askd_core::clock::Clock::now(&self.clock),
            act: Act::Submitted {
                ask: ask.id,
                what: Submission::Text(text.to_owned()),
            },
        };
        self.broker.accept(event).await.unwrap();
    }

    /// The channel shows it.
    pub(crate) async fn shown(&self, ask: &Ask) {
        let record = self.broker.get(&principal(OPERATOR), ask.id).await.unwrap();
        let delivery = &record.deliveries[0];
        let posted = sample::posted(&delivery.to, &["1"]);
        self.store
            .posted(ask.id, delivery.id, &posted, ask.created_at)
            .await
            .unwrap();
    }

    /// Lets time pass, and whatever is due then happen.
    pub(crate) async fn pass(&self, seconds: u64) {
        self.clock.advance(Duration::from_secs(seconds));
        settle().await;
    }

    /// Ends what is due, as the loop of the process does.
    pub(crate) async fn expire(&self) {
        let now = askd_core::clock::Clock::now(&self.clock);
        self.store.expire(now).await.unwrap();
    }
}

/// Lets every task go on until it waits for something.
pub(crate) async fn settle() {
    // More often than any step here takes.
    for _ in 0..200 {
        tokio::task::yield_now().await;
    }
}

pub(crate) fn principal(name: &str) -> Principal {
    let role = match name {
        SUBAGENT => Role::Subagent,
        SARA => Role::Person(PersonName::new("sara")),
        OPERATOR => Role::Operator,
        _ => Role::Agent,
    };
    Principal {
        token: TokenName::new(name),
        role,
    }
}

fn all_tokens() -> Tokens {
    let mut tokens = Tokens::default();
    for name in [AGENT, OTHER_AGENT, SHARED, SUBAGENT, SARA, OPERATOR] {
        assert!(tokens.add(name, principal(name)));
    }
    tokens
}

fn directory(with_account: bool) -> Directory {
    let sara = PersonName::new("sara");
    let person = Person {
        display: "Sara".to_owned(),
        language: None,
        time_zone: None,
        accounts: if with_account {
            vec![sample::address("telegram:sara")]
        } else {
            Vec::new()
        },
    };
    Directory {
        people: [(sara.clone(), person)].into(),
        routes: vec![Route {
            agent: None,
            session: None,
            to: vec![Target::Person(sara.clone())],
            answerers: Vec::new(),
            language: None,
            time_zone: None,
        }],
        with_token: BTreeSet::from([sara]),
        ..Directory::empty()
    }
}

/// Where should this go?
pub(crate) fn target() -> Value {
    json!({ "questions": [{
        "id": "deploy_target",
        "header": "Target",
        "question": "Where should this go?",
        "options": [
            { "label": "Staging (Recommended)", "description": "Safe; resets nightly" },
            { "label": "Production" },
        ],
    }] })
}
