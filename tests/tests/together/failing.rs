//! One platform does not work, and the others do. Each in its turn, because each fails in its own way.

use std::time::Duration;

use askd_stories::Stopwatch;
use serde_json::json;

use super::Together;
use crate::stage::{
    Deliveries, Outage, Person, answers, asks, asks_until, deliveries, deploy, result, until_delivered,
};

/// Far below the time after which a call that hangs is given up (30 seconds), and far above what a slow machine takes.
const AT_ONCE: Duration = Duration::from_secs(15);

/// Tells a story three times: of one who reads on the platform that fails, and of two who read on the others.
fn each_in_its_turn(story: fn(&Together, Person<'_>, [Person<'_>; 2])) {
    for failing in 0..3 {
        let together = Together::new();
        together.configure();
        let readers = together.readers();
        let others = [readers[(failing + 1) % 3], readers[(failing + 2) % 3]];
        story(&together, readers[failing], others);
    }
}

fn is_shown_to(readers: [Person<'_>; 2], deliveries: &Deliveries) -> bool {
    let mut channels = readers.iter().map(|reader| reader.scene.channel);
    channels.all(|channel| deliveries.on(channel) == "shown")
}

/// How it ended, where the first of them chose Production.
fn production_by(reader: Person<'_>) -> String {
    format!("Production: {}, {}", reader.name(), reader.scene.here())
}

#[test]
fn a_platform_that_hangs_delays_no_other_and_gets_nothing_of_what_is_over() {
    each_in_its_turn(|together, failing, others| {
        let askd = together.home.serve();
        failing.scene.rests();
        failing.scene.platform.go_down(Outage::Hangs);
        let stopwatch = Stopwatch::start();

        let ask = asks_until(&askd, &deploy(), |deliveries| is_shown_to(others, deliveries));
        others[0].reads("Where should this go?");
        others[0].taps("Production").is_told("Production");
        others[1].reads(&production_by(others[0]));

        let (took, channel) = (stopwatch.elapsed(), failing.scene.channel);
        assert!(took < AT_ONCE, "{channel}: {took:?}");
        assert_eq!(
            answers(&result(&askd, &ask)),
            &json!({ "deploy_target": ["Production"] })
        );
        assert_eq!(deliveries(&askd, &ask).on(channel), "queued");
        failing.scene.platform.come_back();
        until_delivered(&askd, &ask, |deliveries| deliveries.on(channel) == "dropped");
        assert_eq!(failing.sees(), [], "there is nothing left to answer on {channel}");
    });
}

#[test]
fn a_platform_that_was_down_catches_up() {
    each_in_its_turn(|together, failing, others| {
        let askd = together.home.serve();
        failing.scene.rests();
        failing.scene.platform.go_down(Outage::BadGateway);
        let ask = asks_until(&askd, &deploy(), |deliveries| is_shown_to(others, deliveries));
        assert_eq!(deliveries(&askd, &ask).on(failing.scene.channel), "queued");

        failing.scene.platform.come_back();
        failing.reads("Where should this go?");
        failing.scene.rests();
        failing.taps("Production").is_told("Production");

        assert_eq!(result(&askd, &ask)["settledBy"]["channel"], failing.scene.channel);
        together.all_read(&production_by(failing));
        together.golden(&format!("{}_was_down_and_catches_up", failing.scene.channel));
    });
}

#[test]
fn an_end_that_one_platform_could_not_show_is_shown_there_later() {
    each_in_its_turn(|together, failing, others| {
        let askd = together.home.serve();
        asks(&askd, &deploy());
        together.all_read("Where should this go?");
        failing.scene.platform.go_down(Outage::BadGateway);

        others[0].taps("Production").is_told("Production");
        others[1].reads(&production_by(others[0]));
        let meanwhile = failing.reads("Where should this go?");
        failing.scene.platform.come_back();

        assert!(!meanwhile.buttons.is_empty());
        let settled = failing.reads(&production_by(others[0]));
        assert!(settled.buttons.is_empty());
    });
}

#[test]
fn a_connection_that_breaks_is_made_again_and_what_was_said_meanwhile_counts() {
    each_in_its_turn(|together, failing, _| {
        let askd = together.home.serve();
        let ask = asks(&askd, &deploy());
        together.all_read("Where should this go?");

        failing.scene.platform.break_connection();
        failing
            .replies(&failing.reads("Where should this go?"), "2")
            .is_told("Production");

        assert_eq!(result(&askd, &ask)["settledBy"]["channel"], failing.scene.channel);
        together.all_read(&production_by(failing));
    });
}

#[test]
fn a_revoked_secret_stops_its_channel_with_one_line_and_the_others_go_on() {
    each_in_its_turn(|together, failing, others| {
        let channel = failing.scene.channel;
        let mut askd = together.home.serve();
        for scene in together.scenes() {
            scene.rests();
        }
        failing.scene.platform.refuse_secrets();

        let ask = asks_until(&askd, &deploy(), |deliveries| {
            deliveries.on(channel) == "failed" && is_shown_to(others, deliveries)
        });
        let said = askd.process.until_it_notes("channel stopped");
        let ready = askd.operator.get("/readyz");
        let doctor = together.home.run(&["doctor", "--json"]);
        others[0].reads("Where should this go?");
        others[0].taps("Production").is_told("Production");

        assert!(said.contains("ERROR") && said.contains(channel), "{said}");
        assert_eq!(ready.status, 503);
        let channels = ready.body["checks"]["channels"].as_array().unwrap();
        assert_eq!(channels.len(), 3);
        for told in channels {
            let wanted = if told["name"] == channel { "down" } else { "up" };
            assert_eq!(told["state"], wanted, "{told}");
        }
        assert_eq!(doctor.code, 1, "{doctor:?}");
        let findings = doctor.json()["findings"].as_array().unwrap().clone();
        let bad = findings.iter().filter(|finding| finding["grade"] == "bad");
        let mut bad: Vec<&str> = bad.filter_map(|finding| finding["part"].as_str()).collect();
        bad.dedup();
        assert_eq!(
            bad,
            ["askd", channel],
            "askd is not ready, because of this channel: {findings:?}"
        );
        assert_eq!(
            result(&askd, &ask)["settledBy"]["channel"],
            others[0].scene.channel
        );
        others[1].reads(&production_by(others[0]));
        let left = askd.process.stop();
        let errors = left.stderr.lines().filter(|line| line.contains("ERROR"));
        assert_eq!(errors.count(), 1, "one clear line: {left:?}");
    });
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
    assert!(deliveries(&askd, &ask).all_are("failed"));
}
