//! The channel with a whole askd behind it: what the suite of all channels cannot know of, because it is Slack's own.

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
    slack::{self, Farewell, Fault, Place},
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
    /// Starts one, and waits until it listens.
    async fn start(bench: Bench, place: &Place, sara: &slack::Person) -> Self {
        let mut directory = Directory::empty();
        let name = PersonName::new("sara");
        let person = Person {
            display: "Sara".to_owned(),
            language: None,
            time_zone: None,
            accounts: vec![bench.channel.parse_address(sara.id()).unwrap()],
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
        bench.idle().await;
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
    async fn prompt(&self, who: &slack::Person, at: &Place) -> slack::Seen {
        let look = || who.sees_last(at).filter(|seen| !seen.buttons.is_empty());
        self.bench.in_time("a prompt", look).await
    }

    /// Waits until the newest prompt that somebody sees at a place has lost its buttons.
    async fn settled(&self, who: &slack::Person, at: &Place) -> slack::Seen {
        let look = || {
            let mut seen = who.sees(at).into_iter().filter(|seen| seen.by_app);
            let prompt = seen.rfind(|seen| seen.text.contains("Where should this go?"))?;
            prompt.buttons.is_empty().then_some(prompt)
        };
        let settled = self.bench.in_time("the outcome", look).await;
        // In time: what went to a ghost is sent again only after a while.
        let is_idle = || self.bench.fake.is_idle().then_some(());
        self.bench.in_time("all to be acknowledged", is_idle).await;
        settled
    }

    /// Waits until an ask has come to this.
    async fn until(&self, ask: AskId, status: &str) {
        let comes = async {
            while self.status(ask).await != status {
                tokio::task::yield_now().await;
            }
        };
        let patience = std::time::Duration::from_secs(10);
        let came = tokio::time::timeout(patience, comes).await;
        assert!(came.is_ok(), "{} is not {status}", self.status(ask).await);
    }
}

fn agent() -> Principal {
    Principal {
        token: TokenName::new("build-bot"),
        role: Role::Agent,
    }
}

#[tokio::test]
async fn a_question_costs_what_the_guide_says() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let daemon = Daemon::start(bench, &sara.direct(), &sara).await;
    let of = |method: &str| daemon.bench.count(method);
    let cost = || [of("chat.postMessage"), of("chat.update"), of("views.open")];

    let ask = daemon.ask().await;
    daemon.prompt(&sara, &sara.direct()).await;
    sara.presses(&sara.direct(), "Production");
    daemon.settled(&sara, &sara.direct()).await;
    assert_eq!(daemon.status(ask).await, "answered");
    assert_eq!(cost(), [2, 1, 0], "by a press");

    let ask = daemon.ask().await;
    daemon.prompt(&sara, &sara.direct()).await;
    sara.says(&sara.direct(), "2");
    daemon.settled(&sara, &sara.direct()).await;
    assert_eq!(daemon.status(ask).await, "answered");
    assert_eq!(cost(), [4, 2, 0], "by a typed reply");

    let ask = daemon.ask().await;
    daemon.prompt(&sara, &sara.direct()).await;
    sara.presses(&sara.direct(), "Other…");
    daemon.bench.in_time("the form", || sara.form()).await;
    sara.fills("only after lunch");
    daemon.settled(&sara, &sara.direct()).await;
    assert_eq!(daemon.status(ask).await, "answered");
    assert_eq!(cost(), [6, 3, 1], "by Other…");
    assert_eq!(
        [of("conversations.open"), of("users.info")],
        [0, 1],
        "once for each person"
    );
    daemon.bench.broke_nothing();
}

#[tokio::test]
async fn a_thread_that_is_a_place_is_asked_and_answered_in_it() {
    let bench = Bench::new().await;
    let (sara, omid) = (bench.fake.person("Sara"), bench.fake.person("Omid"));
    let shop = bench.fake.channel("shop", &[&sara, &omid]);
    let root = omid.says(&shop, "about the release");
    let thread = shop.thread(&root);
    let daemon = Daemon::start(bench, &thread, &sara).await;
    let ask = daemon.ask().await;
    daemon.prompt(&sara, &thread).await;

    sara.replies(&root, "which is cheaper?");
    let hint = daemon.bench.in_time("the hint", || sara.told().pop()).await;
    sara.says(&shop, "2");
    daemon.bench.idle().await;
    assert_eq!(daemon.status(ask).await, "pending", "elsewhere in the channel");
    sara.replies(&root, ":two:");
    daemon.settled(&sara, &thread).await;

    assert!(hint.contains("mention me"), "{hint}");
    assert_eq!(daemon.status(ask).await, "answered");
    daemon.bench.broke_nothing();
}

#[tokio::test]
async fn own_words_by_form_stand_where_the_button_was() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let shop = bench.fake.channel("shop", &[&sara]);
    let daemon = Daemon::start(bench, &shop, &sara).await;
    let ask = daemon.ask().await;
    daemon.prompt(&sara, &shop).await;

    sara.presses(&shop, "Other…");
    daemon.bench.in_time("the form", || sara.form()).await;
    sara.fills("only after *lunch* & <coffee>");
    let settled = daemon.settled(&sara, &shop).await;

    assert!(
        settled.text.contains("only after *lunch* & <coffee>"),
        "{settled:?}"
    );
    assert_eq!(daemon.status(ask).await, "answered");
    daemon.bench.broke_nothing();
}

#[tokio::test]
async fn an_answer_counts_whatever_happens_to_the_sockets() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let daemon = Daemon::start(bench, &sara.direct(), &sara).await;
    let fake = &daemon.bench.fake;
    let harms: [fn(&slack::FakeSlack); 4] = [
        |fake| fake.drop_sockets(),
        |fake| fake.freeze_sockets(),
        |fake| fake.say_farewell(Farewell::Refresh),
        |fake| {
            fake.fail("apps.connections.open", 3, Fault::Gateway { status: 502 });
            fake.drop_sockets();
        },
    ];
    for harm in harms {
        let ask = daemon.ask().await;
        daemon.prompt(&sara, &sara.direct()).await;

        harm(fake);
        sara.says(&sara.direct(), "2");
        daemon.settled(&sara, &sara.direct()).await;

        assert_eq!(daemon.status(ask).await, "answered");
    }
    daemon.bench.broke_nothing();
}

#[tokio::test]
async fn a_channel_that_is_archived_before_the_end_keeps_no_one_waiting() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let shop = bench.fake.channel("shop", &[&sara]);
    let daemon = Daemon::start(bench, &shop, &sara).await;
    let ask = daemon.ask().await;
    daemon.prompt(&sara, &shop).await;
    shop.archive();

    daemon.broker.cancel(&agent(), ask).await.unwrap();
    let next = daemon.ask().await;
    daemon.bench.idle().await;
    daemon
        .bench
        .in_time("the second ask to end", || {
            (daemon.bench.count("chat.postMessage") >= 2).then_some(())
        })
        .await;

    assert_eq!(daemon.status(ask).await, "cancelled");
    daemon.until(next, "undelivered").await;
}
