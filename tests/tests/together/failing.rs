//! One platform does not work, and the others do.

use std::time::Duration;

use askd_stories::Stopwatch;
use serde_json::json;

use super::Together;
use crate::stage::{Outage, answers, asks, asks_until, deliveries, deploy, result, until_delivered};

/// Far below the time after which a call that hangs is given up (30 seconds), and far above what a slow machine takes.
const AT_ONCE: Duration = Duration::from_secs(15);

fn is_shown_on(channels: &[&str]) -> impl Fn(&std::collections::BTreeMap<String, String>) -> bool {
    move |deliveries| channels.iter().all(|channel| deliveries[*channel] == "shown")
}

#[test]
fn a_platform_that_hangs_delays_no_other_and_gets_nothing_of_what_is_over() {
    let together = Together::new();
    together.configure();
    let askd = together.home.serve();
    together.slack.rests();
    together.slack.platform.go_down(Outage::Hangs);
    let stopwatch = Stopwatch::start();

    let ask = asks_until(&askd, &deploy(), is_shown_on(&["telegram", "discord"]));
    together.sara().reads("Where should this go?");
    together.sara().taps("Production").is_told("Production");
    together
        .discord
        .omid()
        .in_the_group()
        .reads("Production: Sara, on Telegram");

    let took = stopwatch.elapsed();
    assert!(took < AT_ONCE, "{took:?}");
    assert_eq!(
        answers(&result(&askd, &ask)),
        &json!({ "deploy_target": ["Production"] })
    );
    assert_eq!(deliveries(&askd, &ask)["slack"], "queued");
    together.slack.platform.come_back();
    until_delivered(&askd, &ask, |deliveries| deliveries["slack"] == "dropped");
    assert_eq!(
        together.slack.sara().in_the_group().sees(),
        [],
        "there is nothing left to answer"
    );
}

#[test]
fn a_platform_that_was_down_catches_up() {
    let together = Together::new();
    together.configure();
    let askd = together.home.serve();
    together.slack.rests();
    together.slack.platform.go_down(Outage::BadGateway);
    let ask = asks_until(&askd, &deploy(), is_shown_on(&["telegram", "discord"]));

    together.slack.platform.come_back();
    let sara = together.slack.sara().in_the_group();
    sara.reads("Where should this go?");
    together.slack.rests();
    sara.taps("Production").is_told("Production");

    assert_eq!(result(&askd, &ask)["settledBy"]["channel"], "slack");
    together.all_read("Production: Sara, on Slack");
    together.golden("a_platform_that_was_down_catches_up");
}

#[test]
fn an_end_that_one_platform_could_not_show_is_shown_there_later() {
    let together = Together::new();
    together.configure();
    let askd = together.home.serve();
    asks(&askd, &deploy());
    together.all_read("Where should this go?");
    together.slack.platform.go_down(Outage::BadGateway);

    together.sara().taps("Production").is_told("Production");
    together
        .discord
        .omid()
        .in_the_group()
        .reads("Production: Sara, on Telegram");
    let sara = together.slack.sara().in_the_group();
    let meanwhile = sara.reads("Where should this go?");
    together.slack.platform.come_back();

    assert!(!meanwhile.buttons.is_empty());
    let settled = sara.reads("Production: Sara, on Telegram");
    assert!(settled.buttons.is_empty());
}

#[test]
fn a_connection_that_breaks_is_made_again_and_what_was_said_meanwhile_counts() {
    let together = Together::new();
    together.configure();
    let askd = together.home.serve();
    let ask = asks(&askd, &deploy());
    together.all_read("Where should this go?");
    let omid = together.discord.omid().in_the_group();

    together.discord.platform.break_connection();
    omid.replies(&omid.reads("Where should this go?"), "2")
        .is_told("Production");

    assert_eq!(result(&askd, &ask)["settledBy"]["channel"], "discord");
    together.all_read("Production: Omid, on Discord");
}

#[test]
fn a_revoked_token_stops_its_channel_and_the_others_go_on() {
    let together = Together::new();
    together.configure();
    let mut askd = together.home.serve();
    for scene in together.scenes() {
        scene.rests();
    }
    together.slack.platform.refuse_secrets();

    let ask = asks_until(&askd, &deploy(), |deliveries| {
        deliveries["slack"] == "failed" && is_shown_on(&["telegram", "discord"])(deliveries)
    });
    let said = askd.process.until_it_notes("channel stopped");
    let ready = askd.operator.get("/readyz");
    let doctor = together.home.run(&["doctor", "--json"]);
    together.sara().reads("Where should this go?");
    together.sara().taps("Production").is_told("Production");

    assert!(said.contains("ERROR") && said.contains("slack"), "{said}");
    assert_eq!(ready.status, 503);
    let channels = ready.body["checks"]["channels"].as_array().unwrap().iter();
    let states: Vec<_> = channels
        .map(|channel| (&channel["name"], &channel["state"]))
        .collect();
    assert_eq!(states.len(), 3);
    for (name, state) in states {
        let wanted = if name == "slack" { "down" } else { "up" };
        assert_eq!(state, wanted, "{name}");
    }
    assert_eq!(doctor.code, 1, "{doctor:?}");
    let findings = doctor.json()["findings"].as_array().unwrap().clone();
    let mut bad: Vec<&str> = findings
        .iter()
        .filter(|finding| finding["grade"] == "bad")
        .filter_map(|finding| finding["part"].as_str())
        .collect();
    bad.dedup();
    assert_eq!(
        bad,
        ["askd", "slack"],
        "askd is not ready, because of this channel: {findings:?}"
    );
    assert_eq!(result(&askd, &ask)["settledBy"]["channel"], "telegram");
    together
        .discord
        .omid()
        .in_the_group()
        .reads("Production: Sara, on Telegram");
    let left = askd.process.stop();
    let errors = left.stderr.lines().filter(|line| line.contains("ERROR"));
    assert_eq!(errors.count(), 1, "one clear line: {left:?}");
}

#[test]
fn what_no_platform_takes_has_reached_nobody_at_once() {
    let together = Together::new();
    together.configure();
    let askd = together.home.serve();
    for scene in together.scenes() {
        scene.rests();
        scene.platform.refuse_secrets();
    }
    let stopwatch = Stopwatch::start();

    let ask = askd.agent.ask(&deploy()).id();
    let result = result(&askd, &ask);

    assert!(stopwatch.elapsed() < AT_ONCE);
    assert_eq!(
        (&result["status"], &result["reason"]),
        (&json!("no_answer"), &json!("undelivered"))
    );
    for (channel, state) in deliveries(&askd, &ask) {
        assert_eq!(state, "failed", "{channel}");
    }
}
