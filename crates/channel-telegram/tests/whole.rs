//! The channel with a whole askd behind it: what the suite of all channels cannot know of, because it is Telegram's own.

use std::sync::Arc;

use askd_core::{
    ask::validate::Rules,
    broker::{Broker, Parts, Request, Settings},
    channel::Channel,
    clock::Clock,
    dispatch::Dispatcher,
    id::{AskId, PersonName, TokenName},
    inbound::Inbox,
    people::{Directory, Person},
    rights::{Principal, Role},
    route::{Route, Target},
    store::{Store, memory::MemoryStore},
};
use askd_testkit::{
    chance::SeededChance,
    telegram::{self, Place},
};
use serde_json::json;
use tokio::{sync::watch, task::JoinSet};
use tokio_util::sync::CancellationToken;

use crate::bench::Bench;

/// A daemon on a bench: everything is asked in one place, and Sara may answer.
struct Daemon {
    bench: Bench,
    broker: Arc<Broker>,
    /// Ends with the test.
    _tasks: JoinSet<()>,
}

impl Daemon {
    fn new(bench: Bench, place: &Place, sara: &telegram::Person) -> Self {
        let mut directory = Directory::empty();
        let name = PersonName::new("sara");
        let person = Person {
            display: "Sara".to_owned(),
            language: None,
            time_zone: None,
            accounts: vec![bench.address(&sara.direct())],
        };
        directory.people.insert(name.clone(), person);
        directory.routes.push(Route {
            agent: None,
            session: None,
            to: vec![Target::Place(bench.address(place))],
            answerers: vec![name],
            language: None,
            time_zone: None,
        });
        let directory = watch::Sender::new(Arc::new(directory)).subscribe();
        let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
        let clock: Arc<dyn Clock> = Arc::new(bench.clock.clone());
        let channel: Arc<dyn Channel> = Arc::clone(&bench.channel) as _;
        let chance = Arc::new(SeededChance::new(3));
        let stop = CancellationToken::new();
        let broker = Arc::new(Broker::new(Parts {
            store: Arc::clone(&store),
            clock: Arc::clone(&clock),
            chance: Arc::clone(&chance) as _,
            channels: vec![Arc::clone(&channel)],
            directory: directory.clone(),
            tokens: watch::Sender::new(Arc::default()).subscribe(),
            settings: Settings::default(),
            stopping: stop.clone(),
        }));
        let dispatcher = Dispatcher::new(store, clock, chance, Arc::clone(&channel), directory, None);
        let mut tasks = JoinSet::new();
        let (inbox, stopped) = (Arc::clone(&broker), stop.clone());
        tasks.spawn(async move {
            let inbox: &dyn Inbox = inbox.as_ref();
            channel.listen(inbox, stopped).await.unwrap();
        });
        tasks.spawn(async move { dispatcher.run(&stop).await.unwrap() });
        Self {
            bench,
            broker,
            _tasks: tasks,
        }
    }

    async fn ask(&self) -> AskId {
        let body = json!({ "questions": [{
            "id": "target", "header": "Target", "question": "Where should this go?",
            "options": [{ "label": "Staging" }, { "label": "Production" }],
        }]});
        let request = Request {
            body,
            key: None,
            agent: None,
            rules: Rules::default(),
        };
        let accepted = self.broker.ask(&agent(), request).await.unwrap();
        accepted.record.ask.id
    }

    async fn status(&self, ask: AskId) -> &'static str {
        self.broker.get(&agent(), ask).await.unwrap().ask.status()
    }

    /// Waits until somebody sees a prompt with buttons at a place.
    async fn prompt(&self, who: &telegram::Person, at: &Place) -> telegram::Seen {
        let look = || who.sees_last(at).filter(|seen| !seen.buttons.is_empty());
        self.bench.in_time("a prompt", look).await
    }

    /// Waits until somebody's newest message of ours at a place says this.
    async fn reads(&self, who: &telegram::Person, at: &Place, text: &str) -> telegram::Seen {
        let look = || who.sees_last(at).filter(|seen| seen.text.contains(text));
        self.bench.in_time(text, look).await
    }
}

fn agent() -> Principal {
    Principal {
        token: TokenName::new("build-bot"),
        role: Role::Agent,
    }
}

#[tokio::test]
async fn a_question_costs_a_message_a_notice_and_an_edit() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let daemon = Daemon::new(bench, &sara.direct(), &sara);

    let ask = daemon.ask().await;
    daemon.prompt(&sara, &sara.direct()).await;
    sara.taps(&sara.direct(), "Production");
    daemon.reads(&sara, &sara.direct(), "Sara").await;
    daemon.bench.idle().await;

    assert_eq!(daemon.status(ask).await, "answered");
    let counts = daemon.bench.fake.counts();
    let of = |method: &str| counts.get(method).copied().unwrap_or_default();
    assert_eq!(
        [
            of("sendMessage"),
            of("answerCallbackQuery"),
            of("editMessageText")
        ],
        [1, 1, 1],
        "{counts:?}"
    );
}

#[tokio::test]
async fn a_tap_on_a_message_out_of_reach_counts_also_where_its_topic_is_not_told() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let topic = bench.fake.forum("Shop", &[&sara]).open_topic("Releases");
    let daemon = Daemon::new(bench, &topic, &sara);
    let ask = daemon.ask().await;
    let prompt = daemon.prompt(&sara, &topic).await;
    let production = &prompt.buttons[1][0];

    sara.taps_vanished(prompt.at, &production.data);
    daemon.reads(&sara, &topic, "Sara").await;

    assert_eq!(daemon.status(ask).await, "answered");
}

#[tokio::test]
async fn an_ask_outlives_the_move_of_its_group() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let old = bench.fake.group("Shop", &[&sara]);
    let daemon = Daemon::new(bench, &old, &sara);
    let first = daemon.ask().await;
    daemon.prompt(&sara, &old).await;
    let new = old.upgrade();

    sara.says(&new, "@askd_test_bot 2");
    daemon.reads(&sara, &new, "Production").await;
    let second = daemon.ask().await;
    let prompt = daemon.prompt(&sara, &new).await;
    sara.taps(&new, "Staging");
    let settled = || {
        sara.sees(&new)
            .into_iter()
            .find(|seen| seen.at == prompt.at && seen.buttons.is_empty())
    };
    daemon.bench.in_time("the outcome", settled).await;

    for ask in [first, second] {
        assert_eq!(daemon.status(ask).await, "answered");
    }
    assert_eq!(daemon.bench.fake.violations(), Vec::<String>::new());
}
