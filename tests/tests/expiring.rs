//! Questions whose time is over, and questions that reach nobody.

use std::time::Duration;

use askd_core::{broker::Settings, result::AgentResult};
use askd_store_sqlite::Options;
use askd_stories::target;
use askd_testkit::channel_suite::{Call, Fault, Place, Saying, Who};
use serde_json::{Value, json};

use crate::inside::{Inside, World, agent};

const MINUTE: Duration = Duration::from_mins(1);

async fn start(world: &World) -> Inside {
    world.start(Options::default(), Settings::default()).await
}

fn open_for(minutes: u32) -> Value {
    let mut body = target();
    body["timeoutSeconds"] = json!(minutes * 60);
    body
}

#[tokio::test]
async fn a_question_ends_at_its_deadline_and_whoever_waits_wakes_up() {
    let world = World::new();
    let askd = start(&world).await;
    let long = askd.ask(&open_for(20)).await;
    askd.until(long, |record| record.deliveries[0].is_delivered())
        .await;
    // The platform takes a message every half second.
    world.clock.advance(MINUTE);
    let short = askd.ask(&open_for(10)).await;
    askd.until(short, |record| record.deliveries[0].is_delivered())
        .await;
    let caller = agent();
    let held = askd.broker.wait(&caller, short, jiff::Timestamp::MAX);

    let (woken, ()) = tokio::join!(held, async { world.clock.advance(10 * MINUTE) });

    let result = json!(AgentResult::of(&woken.unwrap().ask));
    assert_eq!(
        (&result["status"], &result["reason"]),
        (&json!("no_answer"), &json!("expired"))
    );
    assert!(
        result["message"].as_str().unwrap().contains("best judgment"),
        "{result}"
    );
    assert_eq!(
        askd.read(long).await.ask.status(),
        "pending",
        "its time is not over"
    );
    world.sara_reads("Closed: no answer came in time").await;
}

#[tokio::test]
async fn what_fell_due_while_askd_was_down_ends_at_the_start() {
    let world = World::new();
    let askd = start(&world).await;
    let ask = askd.ask(&target()).await;
    askd.until(ask, |record| record.deliveries[0].is_delivered())
        .await;

    askd.kill().await;
    world.clock.advance(60 * MINUTE);
    let askd = start(&world).await;

    let record = askd.until(ask, |record| record.ask.outcome().is_some()).await;
    assert_eq!(record.ask.status(), "expired");
    world.sara_reads("Closed: no answer came in time").await;
}

#[tokio::test]
async fn who_answers_after_the_deadline_is_told_and_changes_nothing() {
    let world = World::new();
    let askd = start(&world).await;
    let ask = askd.ask(&target()).await;
    askd.until(ask, |record| record.deliveries[0].is_delivered())
        .await;
    world.clock.advance(15 * MINUTE);
    askd.until(ask, |record| record.ask.outcome().is_some()).await;
    // The message that says how it ended comes first.
    world.sara_reads("Closed: no answer came in time").await;
    world.clock.advance(MINUTE);

    world
        .platform
        .say(Who::Sara, Place::Direct(Who::Sara), &Saying::text("2"));

    world.sara_reads("No question is open here.").await;
    assert_eq!(askd.read(ask).await.ask.status(), "expired");
}

#[tokio::test]
async fn an_answer_that_waited_while_askd_was_down_counts_if_there_is_time_left() {
    let world = World::new();
    let askd = start(&world).await;
    let ask = askd.ask(&target()).await;
    askd.until(ask, |record| record.deliveries[0].is_delivered())
        .await;

    askd.kill().await;
    world
        .platform
        .say(Who::Sara, Place::Direct(Who::Sara), &Saying::text("2"));
    world.clock.advance(14 * MINUTE);
    let askd = start(&world).await;

    let record = askd.until(ask, |record| record.ask.outcome().is_some()).await;
    assert_eq!(record.ask.status(), "answered");
    world.sara_reads("Thank you").await;
}

#[tokio::test]
async fn a_question_that_reaches_nobody_ends_at_once() {
    let world = World::new();
    let askd = start(&world).await;
    world.platform.fail_next(Call::Post, Fault::Unreachable);

    let ask = askd.ask(&target()).await;

    let record = askd.until(ask, |record| record.ask.outcome().is_some()).await;
    let result = json!(AgentResult::of(&record.ask));
    assert_eq!(
        (record.ask.status(), &result["reason"]),
        ("undelivered", &json!("undelivered"))
    );
    assert_eq!(record.deliveries[0].status(), "failed");
}

#[tokio::test]
async fn a_deadline_that_passes_before_anybody_was_shown_the_question_is_no_expiry() {
    let world = World::new();
    let askd = start(&world).await;
    world
        .platform
        .fail_next(Call::Post, Fault::Throttled(60 * MINUTE));
    let ask = askd.ask(&target()).await;
    askd.until(ask, |record| record.deliveries[0].attempts > 0).await;

    world.clock.advance(15 * MINUTE);

    let record = askd.until(ask, |record| record.ask.outcome().is_some()).await;
    assert_eq!(record.ask.status(), "undelivered");
}
