//! Stopped, killed, and started again.

use std::{
    sync::{Arc, Mutex, mpsc},
    thread,
    time::Duration,
};

use askd_stories::{Home, Stopwatch, target, two};
use serde_json::json;

#[test]
fn a_stop_waits_for_nobody_and_whoever_waits_goes_on_after_the_restart() {
    let home = Home::new();
    let mut askd = home.serve();
    let mut asking = home.start(&["ask", "Where to?", "-o", "Staging", "-o", "Production"]);
    asking.until_it_notes("waiting for an answer");
    let operator = askd.operator.again();
    let mut events = operator.events();
    let agent = askd.agent.again();
    let holding = thread::spawn(move || agent.post("/v1/asks?wait=55", &target()));
    let held = events.until("asked");

    let stopwatch = Stopwatch::start();
    let left = askd.process.stop();
    let took = stopwatch.elapsed();

    assert_eq!(left.code, 0, "{left:?}");
    assert!(took < Duration::from_secs(5), "it took {took:?}");
    let returned = holding.join().unwrap();
    assert_eq!(
        (returned.status, &returned.body["status"]),
        (201, &json!("pending")),
        "a hold is not broken off"
    );
    events.until_it_ends();

    let askd = home.serve();
    let (agent, id) = (askd.agent.again(), held["id"].as_str().unwrap().to_owned());
    let path = format!("/v1/asks/{id}?wait=55");
    let holding = thread::spawn(move || agent.get(&path));
    askd.operator.reply(&id, "2");
    assert_eq!(holding.join().unwrap().body["status"], "answered");
    assert_eq!(home.run(&["answer", "1"]).code, 0);
    let left = asking.end();
    assert_eq!((left.code, left.stdout.as_str()), (0, "Staging\n"), "{left:?}");
}

#[test]
fn whoever_waits_goes_on_after_a_kill_too() {
    let home = Home::new();
    let mut askd = home.serve();
    let mut asking = home.start(&["ask", "Where to?", "-o", "Staging", "-o", "Production"]);
    asking.until_it_notes("waiting for an answer");

    askd.process.kill();
    let _askd = home.serve();

    assert_eq!(home.run(&["answer", "2"]).code, 0);
    let left = asking.end();
    assert_eq!((left.code, left.stdout.as_str()), (0, "Production\n"), "{left:?}");
}

#[test]
fn a_key_means_the_first_ask_after_a_restart_too() {
    let home = Home::new();
    let mut askd = home.serve();
    let first = askd.agent.ask_once(&target(), "deploy-7");
    askd.operator.reply(&first.id(), "1");

    askd.process.stop();
    let askd = home.serve();

    let again = askd.agent.ask_once(&target(), "deploy-7");
    assert_eq!((first.status, again.status), (201, 200));
    assert_eq!(again.id(), first.id());
    assert_eq!(again.body["status"], "answered", "whatever has become of it");
    let other = askd.agent.ask_once(&two(), "deploy-7");
    assert_eq!(
        (other.status, &other.body["type"]),
        (422, &json!("urn:askd:problem:key-reused"))
    );
}

/// What was acknowledged of one ask before the daemon was killed.
struct Acknowledged {
    ask: String,
    settled: bool,
}

#[test]
fn a_kill_in_the_middle_of_everything_loses_nothing_that_was_acknowledged() {
    const BEFORE_THE_KILL: usize = 40;
    let home = Home::new();
    home.configure("[limits]\nmax_pending = 10000\n");
    let mut askd = home.serve();
    let acknowledged: Arc<Mutex<Vec<Acknowledged>>> = Arc::default();
    let (tell, told) = mpsc::channel();
    let callers: Vec<_> = (0..3)
        .map(|_| {
            let (agent, operator) = (askd.agent.again(), askd.operator.again());
            let (acknowledged, tell) = (Arc::clone(&acknowledged), tell.clone());
            thread::spawn(move || {
                // Every second ask is answered, until the daemon is gone.
                for turn in 0.. {
                    let Some(taken) = agent.try_post("/v1/asks", &target()) else {
                        return;
                    };
                    assert_eq!(taken.status, 201, "{taken:?}");
                    let ask = taken.id();
                    let settled = turn % 2 == 0
                        && operator
                            .try_post(&format!("/v1/asks/{ask}/reply"), &json!({ "text": "2" }))
                            .is_some_and(|receipt| receipt.body["receipt"] == "settled");
                    acknowledged.lock().unwrap().push(Acknowledged { ask, settled });
                    let _ = tell.send(());
                }
            })
        })
        .collect();
    for _ in 0..BEFORE_THE_KILL {
        told.recv_timeout(askd_stories::PATIENCE)
            .expect("they go on asking");
    }

    askd.process.kill();
    for caller in callers {
        caller.join().unwrap();
    }

    let askd = home.serve();
    let acknowledged = acknowledged.lock().unwrap();
    assert!(acknowledged.len() >= BEFORE_THE_KILL);
    for Acknowledged { ask, settled } in acknowledged.iter() {
        let found = askd.agent.get(&format!("/v1/asks/{ask}"));
        assert_eq!(found.status, 200, "{ask} was acknowledged");
        if *settled {
            let answers = &found.body["result"]["answers"]["answers"];
            assert_eq!(
                *answers,
                json!({ "deploy_target": ["Production"] }),
                "{ask} was settled"
            );
        }
    }
}
