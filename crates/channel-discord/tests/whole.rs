//! The channel with a whole askd behind it: what the suite of all channels cannot know of, because it is Discord's own.

use std::sync::Arc;

use askd_core::{
    ask::validate::Rules,
    broker::{Broker, Parts, Request, Settings},
    channel::Channel,
    clock::Clock,
    dispatch::Dispatcher,
    id::{Address, AskId, PersonName, TokenName},
    inbound::Inbox,
    people::{Directory, Person},
    rights::{Principal, Role},
    route::{Route, Target},
    store::{Store, memory::MemoryStore},
};
use askd_testkit::{
    chance::SeededChance,
    discord::{self, Outcome, Place, Setup},
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
    async fn new(bench: Bench, at: Address, sara: &discord::Person) -> Self {
        let mut directory = Directory::empty();
        let name = PersonName::new("sara");
        let person = Person {
            display: "Sara".to_owned(),
            language: None,
            time_zone: None,
            accounts: vec![bench.account(sara)],
        };
        directory.people.insert(name.clone(), person);
        directory.routes.push(Route {
            agent: None,
            session: None,
            to: vec![Target::Place(at)],
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
        bench
            .in_time("a session", || {
                (bench.fake.is_idle() && !bench.fake.commands().is_empty()).then_some(())
            })
            .await;
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

    async fn values(&self, ask: AskId) -> serde_json::Value {
        let record = self.broker.get(&agent(), ask).await.unwrap();
        let result = askd_core::result::AgentResult::of(&record.ask);
        serde_json::to_value(result).unwrap()["answers"]["answers"]["target"].clone()
    }

    /// Waits until somebody sees a prompt with buttons at a place.
    async fn prompt(&self, who: &discord::Person, at: &Place) -> discord::Seen {
        let look = || who.sees(at).pop().filter(|seen| !seen.buttons.is_empty());
        self.bench.until("a prompt", look).await
    }

    /// Waits until the message of a prompt says this.
    async fn reads(&self, who: &discord::Person, at: &Place, prompt: &discord::Seen, text: &str) {
        let says = |seen: &discord::Seen| seen.at == prompt.at && seen.text.contains(text);
        let look = || who.sees(at).into_iter().find(says);
        self.bench.until(text, look).await;
    }

    /// Waits until there were so many calls of a route.
    async fn calls(&self, route: &str, count: usize) {
        let counts = || self.bench.fake.counts().get(route).copied().unwrap_or_default();
        self.bench
            .until(route, || (counts() >= count).then_some(()))
            .await;
    }
}

fn agent() -> Principal {
    Principal {
        token: TokenName::new("build-bot"),
        role: Role::Agent,
    }
}

#[tokio::test]
async fn a_question_costs_a_message_an_answer_and_an_edit() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let at = bench.account(&sara);
    let daemon = Daemon::new(bench, at, &sara).await;

    let ask = daemon.ask().await;
    let prompt = daemon.prompt(&sara, &sara.direct()).await;
    let press = sara.presses(&sara.direct(), "Production");
    let outcome = daemon.bench.until("an outcome", || press.settled()).await;
    daemon.calls("update_message", 1).await;

    assert!(
        matches!(&outcome, Outcome::Changed(text) if text.contains("Production")),
        "{outcome:?}"
    );
    assert_eq!(daemon.values(ask).await, json!(["Production"]));
    let counts = daemon.bench.fake.counts();
    let of = |route: &str| counts.get(route).copied().unwrap_or_default();
    assert_eq!(
        [
            of("create_message"),
            of("create_interaction_response"),
            of("update_message"),
        ],
        [1, 1, 1],
        "{counts:?}"
    );
    // What the press showed at once is what stays.
    daemon.reads(&sara, &sara.direct(), &prompt, "Production").await;
    let stays = sara.sees(&sara.direct()).pop().unwrap().text;
    assert_eq!(outcome, Outcome::Changed(stays));
    assert_eq!(daemon.bench.fake.violations(), [""; 0]);
}

#[tokio::test]
async fn own_words_of_a_form_are_shown_where_they_were_written() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let ops = bench.fake.channel("ops", &[&sara]);
    let at = bench.address(&ops);
    let daemon = Daemon::new(bench, at, &sara).await;

    let ask = daemon.ask().await;
    daemon.prompt(&sara, &ops).await;
    let press = sara.presses(&ops, "Other…");
    let opened = daemon.bench.until("a form", || press.settled()).await;
    let sent_in = sara.fills("neither, please wait");
    let outcome = daemon.bench.until("an outcome", || sent_in.settled()).await;

    let Outcome::Form(form) = opened else {
        panic!("{opened:?}")
    };
    assert_eq!(
        (form.title.as_str(), form.inputs[0].label.as_str()),
        ("Target", "Your answer")
    );
    assert!(
        matches!(&outcome, Outcome::Changed(text) if text.contains("neither, please wait")),
        "{outcome:?}"
    );
    assert_eq!(daemon.values(ask).await, json!(["neither, please wait"]));
    assert_eq!(daemon.bench.fake.violations(), [""; 0]);
}

#[tokio::test]
async fn a_text_in_the_prompts_thread_answers() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let ops = bench.fake.channel("ops", &[&sara]);
    let at = bench.address(&ops);
    let daemon = Daemon::new(bench, at, &sara).await;

    for (text, value) in [("2", "Production"), ("Staging", "Staging")] {
        let ask = daemon.ask().await;
        let prompt = daemon.prompt(&sara, &ops).await;
        let thread = sara.opens_thread_below(prompt.at, "Which one?");
        sara.says(&thread, text);
        daemon.reads(&sara, &ops, &prompt, "Sara").await;
        assert_eq!(daemon.values(ask).await, json!([value]));
    }
    assert_eq!(daemon.bench.fake.violations(), [""; 0]);
}

#[tokio::test]
async fn a_prompt_in_a_thread_is_answered_there() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let ops = bench.fake.channel("ops", &[&sara]);
    let thread = sara.opens_thread(&ops, "Releases");
    let at = bench.address(&thread);
    let daemon = Daemon::new(bench, at, &sara).await;

    let ask = daemon.ask().await;
    let prompt = daemon.prompt(&sara, &thread).await;
    sara.mentions_bot(&thread, "2");
    daemon.reads(&sara, &thread, &prompt, "Sara").await;

    assert_eq!(daemon.values(ask).await, json!(["Production"]));
    assert_eq!(daemon.bench.fake.violations(), [""; 0]);
}

#[tokio::test]
async fn a_prompt_in_a_thread_that_was_archived_meanwhile_is_followed_up() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let ops = bench.fake.channel("ops", &[&sara]);
    let thread = sara.opens_thread(&ops, "Releases");
    let at = bench.address(&thread);
    let daemon = Daemon::new(bench, at, &sara).await;

    let ask = daemon.ask().await;
    daemon.prompt(&sara, &thread).await;
    thread.archive();
    daemon.broker.cancel(&agent(), ask).await.unwrap();
    daemon.calls("create_message", 2).await;

    let seen = daemon
        .bench
        .until("a follow-up", || {
            sara.sees(&thread)
                .pop()
                .filter(|seen| seen.text.contains("Closed"))
        })
        .await;
    assert!(!seen.rang);
}

#[tokio::test]
async fn a_text_that_is_kept_from_us_gets_a_hint_that_says_so() {
    let bench = Bench::on(Setup {
        message_content: false,
        ..Setup::default()
    })
    .await;
    let sara = bench.fake.person("Sara");
    let ops = bench.fake.channel("ops", &[&sara]);
    let at = bench.address(&ops);
    let daemon = Daemon::new(bench, at, &sara).await;

    let ask = daemon.ask().await;
    let prompt = daemon.prompt(&sara, &ops).await;
    sara.replies_quietly(prompt.at, "2");
    let hint = daemon
        .bench
        .until("a hint", || {
            sara.sees(&ops)
                .pop()
                .filter(|seen| seen.text.contains("mention me"))
        })
        .await;
    sara.replies(prompt.at, "2");
    daemon.reads(&sara, &ops, &prompt, "Sara").await;

    assert!(!hint.rang);
    assert_eq!(daemon.values(ask).await, json!(["Production"]));
    assert_eq!(daemon.bench.fake.violations(), [""; 0]);
}

#[tokio::test]
async fn a_code_is_handed_in_by_the_field_of_a_command() {
    let bench = Bench::new().await;
    let (sara, omid) = (bench.fake.person("Sara"), bench.fake.person("Omid"));
    let at = bench.account(&sara);
    let daemon = Daemon::new(bench, at, &sara).await;
    let operator = Principal {
        token: TokenName::new("operator"),
        role: Role::Operator,
    };
    let offer = daemon
        .broker
        .pair(&operator, &PersonName::new("sara"))
        .await
        .unwrap();

    let press = omid.uses(&omid.direct(), "start", Some(&offer.code));
    let outcome = daemon.bench.until("an outcome", || press.settled()).await;

    assert!(
        matches!(&outcome, Outcome::Said(text) if text.contains("Sara")),
        "{outcome:?}"
    );
    assert_eq!(daemon.bench.fake.violations(), [""; 0]);
}
