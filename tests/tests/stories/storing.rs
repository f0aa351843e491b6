//! The database fails in the middle of running: another process holds its lock, or its files cannot be written.
//!
//! What is simulated, and how. *Busy*: this process holds SQLite's write lock, as a tool of an operator may. *Input and
//! output fail*: the daemon's files may not grow (`RLIMIT_FSIZE`), so that writes end with an error that is not "no room".
//! No room: `filling`, in one process, with a database that may have so many pages.

use askd_stories::Askd;
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::stage::{Person, Stage, answers, asks, deploy, result, stories, whom_to_tell};

stories! {
    while_another_process_holds_the_database_nothing_is_lost_and_everybody_is_told,
    while_its_files_cannot_be_written_nothing_is_lost_and_everybody_is_told,
}

fn while_another_process_holds_the_database_nothing_is_lost_and_everybody_is_told(stage: &Stage) {
    let sara = stage.sara();
    stage.configure(&sara.section());
    let mut askd = stage.home.serve();
    let ask = asks(&askd, &deploy());
    sara.reads("Where should this go?");
    let other = Connection::open(stage.home.state().join("askd.db")).unwrap();

    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    everybody_is_told(&askd, sara, &ask);
    other.execute_batch("ROLLBACK").unwrap();

    nothing_is_lost(stage, &mut askd, &ask);
}

fn while_its_files_cannot_be_written_nothing_is_lost_and_everybody_is_told(stage: &Stage) {
    let sara = stage.sara();
    stage.configure(&sara.section());
    let mut askd = stage.home.serve_with_files_that_may_fail();
    let ask = asks(&askd, &deploy());
    sara.reads("Where should this go?");

    askd.process.limit_files(Some(1));
    everybody_is_told(&askd, sara, &ask);
    askd.process.limit_files(None);

    nothing_is_lost(stage, &mut askd, &ask);
}

/// Agents are told when to try again, people that what they said is not saved, operators that the store is down; what is
/// stored can be read.
fn everybody_is_told(askd: &Askd, sara: Person<'_>, ask: &str) {
    let (status, after) = askd.agent.ask_in_vain(&whom_to_tell());
    assert_eq!(status, 503);
    assert!((1..=60).contains(&after), "{after}");

    sara.says("production").is_told("not saved");

    assert_eq!(askd.agent.read(ask)["status"], "pending");
    let ready = askd.operator.get("/readyz");
    assert_eq!(
        (ready.status, &ready.body["checks"]["store"]),
        (503, &json!("down"))
    );
    let metrics = askd.operator.whole("/metrics");
    assert!(metrics.contains("askd_store_up 0"), "{metrics}");
}

/// What could not be saved counts by itself once it can be; all that was acknowledged outlives a kill.
fn nothing_is_lost(stage: &Stage, askd: &mut Askd, ask: &str) {
    let outcome = result(askd, ask);
    assert_eq!(answers(&outcome), &json!({ "deploy_target": ["Production"] }));
    stage.sara().reads(&stage.scene.here());
    let later = askd.agent.ask(&whom_to_tell());
    assert_eq!(later.status, 201, "{later:?}");
    assert_eq!(later.body["status"], "pending");

    askd.process.kill();
    let askd = stage.home.serve();

    assert_eq!(result(&askd, ask), outcome);
    let pending: Value = askd.agent.get("/v1/asks?status=pending").body;
    let pending = pending["asks"].as_array().map_or(0, Vec::len);
    assert_eq!(
        pending, 1,
        "what was refused is not there, what was taken over is"
    );
    let ready = askd.operator.get("/readyz").body;
    let checks = ready.get("checks").unwrap_or(&ready);
    assert_eq!(checks["store"], "up", "{ready}");
}
