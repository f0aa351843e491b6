//! More than it can do, and much of what it can.
//!
//! Small in the plain tests; `cargo xtask load` runs the same at length. Most asks wait for somebody who has a token and no
//! account, so that they cost no calls of platforms; every twentieth is shown on Discord, and some of those are tapped there.

use std::{fmt::Write as _, time::Duration};

use askd_stories::{
    Api, Askd, Home, Stopwatch,
    load::{Load, Pending, Waiting, figure, memory, open_files},
    target,
};
use askd_testkit::channel_suite::{Place, Who, world::bare};
use serde_json::{Value, json};

use crate::{
    alone, setting,
    stage::{Scene, discord, runtime},
};

/// Agents with a token each; the last one's asks are shown on Discord.
const AGENTS: usize = 20;

/// Requests under way while asks are made.
const AT_ONCE: usize = 16;

/// How many bursts the answers come in.
const BURSTS: usize = 10;

/// How long all answers may take to reach those who wait.
const TO_WAKE: Duration = Duration::from_mins(1);

const OF_OMID: &str = "secret-of-omid-himself";

fn agent(number: usize) -> String {
    format!("secret-of-agent-{number}-0123456789")
}

fn configure(home: &Home, scene: &Scene, limits: &str) {
    let mut text = format!(
        "[limits]\n{limits}\n{}{}",
        scene.section(),
        scene.sara().section()
    );
    writeln!(
        text,
        "[people.omid]\nname = \"Omid\"\n[tokens.of-omid]\nrole = \"person\"\nperson = \"omid\"\ntoken = \"{OF_OMID}\"\n\
         [[routes]]\nagent = \"agent-{}\"\nto = [\"{}\"]\nanswerers = [\"sara\", \"omid\"]\n\
         [[routes]]\nto = [\"omid\"]",
        AGENTS - 1,
        scene.group()
    )
    .unwrap();
    for number in 0..AGENTS {
        let token = agent(number);
        writeln!(
            text,
            "[tokens.agent-{number}]\nrole = \"agent\"\ntoken = \"{token}\""
        )
        .unwrap();
    }
    home.configure(&text);
}

#[test]
fn many_agents_wait_for_many_asks_and_wake_soon_after_their_answers() {
    let _alone = alone();
    let size = |name, plain| usize::try_from(setting(name, plain)).unwrap();
    let count = size("ASKD_LOAD_ASKS", 200);
    let waiters = size("ASKD_LOAD_WAITERS", 50).min(count);
    let seconds = setting("ASKD_LOAD_SECONDS", 2);
    let files = open_files();
    assert!(
        files > u64::try_from(waiters).unwrap() + 500,
        "{waiters} waiting agents need as many open files, and this process may have {files} (`ulimit -Hn`)"
    );
    let (home, runtime) = (Home::new(), runtime());
    let scene = Scene::open(discord::start, &runtime);
    let pending = count / AGENTS + 10;
    configure(
        &home,
        &scene,
        &format!("max_pending = {pending}\nrequests_per_second = 1000"),
    );
    let askd = home.serve();
    let mut report = format!("{count} pending asks, {waiters} waiting agents\n");
    row(&mut report, "memory, idle", &resident(&askd));
    let load = Load::new(&askd.url, (0..AGENTS).map(agent).collect());
    let threads = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();

    let commits = commits(&askd);
    let begun = Stopwatch::start();
    let (pending, asking) = threads.block_on(load.ask(count, AT_ONCE, body));
    row(&mut report, "asking", &asking);
    row(
        &mut report,
        "all asked after",
        &format!("{:.1?}", begun.elapsed()),
    );
    row(&mut report, "commits for them", &(self::commits(&askd) - commits));
    row(&mut report, "memory, all pending", &resident(&askd));
    assert_eq!(
        (pending.len(), load.errors().len()),
        (count, 0),
        "{:?}",
        load.errors()
    );

    let guard = threads.enter();
    let waiting = load.wait(&pending[..waiters]);
    drop(guard);
    until("all wait", || {
        gauge(&askd, "askd_waiters") >= u64::try_from(waiters).unwrap()
    });
    row(&mut report, "memory, all wait", &resident(&askd));
    let mut settled = taps(&scene, &waiting, &pending[..waiters]);
    row(&mut report, "of them by a tap", &settled.len());
    let begun = Stopwatch::start();
    let left: Vec<usize> = (0..waiters).filter(|number| !settled.contains(number)).collect();
    for (burst, numbers) in left.chunks(left.len().div_ceil(BURSTS)).enumerate() {
        let due = Duration::from_secs(seconds) * u32::try_from(burst).unwrap() / 10;
        std::thread::sleep(due.saturating_sub(begun.elapsed()));
        let counted = threads.block_on(waiting.answer(numbers.iter().copied(), OF_OMID));
        assert_eq!(counted, numbers.len(), "{:?}", load.errors());
        settled.extend(numbers);
    }
    until("all agents to wake", || waiting.left() == 0);

    row(&mut report, "wake after an answer", &waiting.wakes());
    row(&mut report, "memory, after", &resident(&askd));
    row(&mut report, "commits in all", &self::commits(&askd));
    row(
        &mut report,
        "calls of Discord",
        &format!("{:?}", scene.platform.counts()),
    );
    row(&mut report, "refused or broken", &format!("{:?}", load.errors()));
    println!("\n{report}");
    assert_eq!(waiting.wakes().count(), waiters);
    assert_eq!(load.errors().len(), 0, "{:?}", load.errors());
    assert_eq!(
        gauge(&askd, "askd_asks_pending"),
        u64::try_from(count - waiters).unwrap()
    );
    threads.block_on(waiting.stop());
}

/// Sara taps some of what stands in the channel and is waited for; which those were.
fn taps(scene: &Scene, waiting: &Waiting, asks: &[Pending]) -> Vec<usize> {
    let there = asks.iter().filter(|ask| ask.agent == AGENTS - 1).count();
    let tapped = there.min(3);
    let shown = || {
        let seen = scene.platform.seen(Place::Group).into_iter();
        let shown = seen.filter_map(|seen| {
            let text = bare(&seen.text);
            let number = asks.iter().position(|ask| text.contains(&question(ask.number)))?;
            Some((number, seen.buttons.into_iter().next()?))
        });
        shown.take(tapped).collect::<Vec<_>>()
    };
    let shown = scene.until("prompts", || Some(shown()).filter(|shown| shown.len() == tapped));
    for (number, button) in &shown {
        waiting.answered(*number);
        scene.platform.press(Who::Sara, button);
    }
    shown.into_iter().map(|(number, _)| number).collect()
}

fn question(number: usize) -> String {
    format!("Which one, of number {number}?")
}

fn body(number: usize) -> Value {
    let mut body = target();
    body["questions"][0]["question"] = json!(question(number));
    body["timeoutSeconds"] = json!(3600);
    body
}

#[test]
fn what_is_too_much_is_refused_with_a_time_to_come_again_and_harms_nobody_else() {
    let _alone = alone();
    let (home, runtime) = (Home::new(), runtime());
    let scene = Scene::open(discord::start, &runtime);
    let limits = "max_pending = 20\nrequests_per_second = 10\nmax_held = 10\nmax_connections = 60";
    configure(&home, &scene, limits);
    let askd = home.serve();
    let threads = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let refused = |load: &Load, what: &str| {
        let errors = load.errors();
        let found = errors.keys().find(|error| error.contains(what)).cloned();
        found.unwrap_or_else(|| panic!("no {what}: {errors:?}"))
    };

    // More asks than one token may have, and more requests.
    let greedy = Load::new(&askd.url, vec![agent(0)]);
    let (taken, _) = threads.block_on(greedy.ask(300, 30, body));
    assert_eq!(taken.len(), 20, "{:?}", greedy.errors());
    refused(&greedy, "429 too-many-pending");
    assert!(refused(&greedy, "429 too-many-requests").contains("retry after"));
    let other = askd.called_by(&agent(1)).ask(&target());
    assert_eq!(other.status, 201, "another token is not harmed: {other:?}");

    // More waits than may be held.
    let patient = Load::new(&askd.url, (2..6).map(agent).collect());
    let (pending, _) = threads.block_on(patient.ask(16, 2, body));
    let waiting = {
        let _guard = threads.enter();
        patient.wait(&pending)
    };
    until("waits to be refused", || {
        patient.errors().keys().any(|error| error.starts_with("503"))
    });
    assert!(refused(&patient, "503 overloaded").contains("retry after"));
    let counted = threads.block_on(waiting.answer(0..pending.len(), OF_OMID));
    assert_eq!(
        counted,
        pending.len(),
        "answers are taken all the same: {:?}",
        patient.errors()
    );
    until("all agents to wake", || waiting.left() == 0);
    threads.block_on(waiting.stop());

    // More connections than may be open. They are held by callers who send nothing.
    let address = askd.url.trim_start_matches("http://");
    let held: Vec<_> = (0..200)
        .filter_map(|_| std::net::TcpStream::connect(address).ok())
        .collect();
    until("connections to be refused", || {
        let told = Api::new(&askd.url, &agent(7)).try_post("/v1/asks", &target());
        told.is_none_or(|told| told.status == 503)
    });
    drop(held);
    until("work to be taken again", || {
        let told = Api::new(&askd.url, &agent(7)).try_post("/v1/asks", &target());
        told.is_some_and(|told| told.status == 201)
    });
    let healthy = askd.called_by(&agent(8)).get("/healthz");
    assert_eq!(
        (healthy.status, askd.called_by(&agent(8)).ask(&target()).status),
        (200, 201)
    );
    assert_eq!(gauge(&askd, "askd_store_up"), 1);
}

/// Waits until something is so.
fn until(what: &str, is_so: impl Fn() -> bool) {
    let waited = Stopwatch::start();
    while !is_so() {
        assert!(waited.elapsed() < TO_WAKE, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn gauge(askd: &Askd, name: &str) -> u64 {
    figure(&metrics(askd), name)
}

fn commits(askd: &Askd) -> u64 {
    figure(&metrics(askd), "askd_store_commits_total")
}

/// The body behind the head.
fn metrics(askd: &Askd) -> String {
    askd.operator.whole("/metrics")
}

fn resident(askd: &Askd) -> String {
    let bytes = memory(askd.process.id());
    bytes.map_or("unknown".to_owned(), |bytes| format!("{} MiB", bytes >> 20))
}

fn row(report: &mut String, name: &str, value: &dyn std::fmt::Display) {
    writeln!(report, "  {name:<22} {value}").unwrap();
}
