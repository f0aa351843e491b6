//! Restarts and kills in the middle of an answer.

use std::time::Duration;

use askd_stories::Stopwatch;
use askd_testkit::channel_suite::{Call, Fault};
use serde_json::json;

use crate::stage::{Outage, Stage, answers, asks, deploy, result, stories};

stories! {
    what_is_said_while_askd_is_away_counts_when_it_is_back,
    killed_between_storing_and_editing_it_edits_after_the_restart,
    a_stop_takes_less_than_five_seconds_also_while_the_platform_hangs,
}

fn what_is_said_while_askd_is_away_counts_when_it_is_back(stage: &Stage) {
    let sara = stage.sara();
    stage.configure(&sara.section());
    let mut askd = stage.home.serve();
    let ask = asks(&askd, &deploy());
    sara.reads("Where should this go?");
    askd.process.stop();

    let act = sara.says("production");
    let askd = stage.home.serve();

    act.is_told("Production");
    assert_eq!(
        answers(&result(&askd, &ask)),
        &json!({ "deploy_target": ["Production"] })
    );
    sara.reads(&stage.scene.here());
    stage.golden();
}

fn killed_between_storing_and_editing_it_edits_after_the_restart(stage: &Stage) {
    let sara = stage.sara();
    let platform = &stage.scene.platform;
    stage.configure(&sara.section());
    let mut askd = stage.home.serve();
    let ask = asks(&askd, &deploy());
    sara.reads("Where should this go?");
    platform.fail_next(Call::Edit, Fault::Hang);

    sara.says("production").is_told("Production");
    stage
        .scene
        .until("an edit under way", || (platform.hanging() > 0).then_some(()));
    askd.process.kill();
    let alive = sara.reads("Where should this go?");
    let askd = stage.home.serve();

    assert!(!alive.buttons.is_empty(), "nobody edited it before the restart");
    let edited = sara.reads(&stage.scene.here());
    assert!(edited.buttons.is_empty());
    assert_eq!(
        answers(&result(&askd, &ask)),
        &json!({ "deploy_target": ["Production"] })
    );
    stage.golden();
}

fn a_stop_takes_less_than_five_seconds_also_while_the_platform_hangs(stage: &Stage) {
    let platform = &stage.scene.platform;
    stage.configure(&stage.sara().section());
    let mut askd = stage.home.serve();
    let ask = asks(&askd, &deploy());
    platform.go_down(Outage::Hangs);
    askd.agent.ask(&deploy());
    stage
        .scene
        .until("a call under way", || (platform.hanging() > 0).then_some(()));
    let stopwatch = Stopwatch::start();

    let left = askd.process.stop();

    let took = stopwatch.elapsed();
    assert!(took < Duration::from_secs(5), "{took:?}");
    assert_eq!(left.code, 0, "{left:?}");
    platform.come_back();
    assert_eq!(stage.home.serve().agent.read(&ask)["status"], "pending");
}
