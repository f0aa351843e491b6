//! Stops, restarts and reloads while people are being asked.

use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::home::{Home, left};

const QUESTION: [&str; 6] = ["ask", "Where to?", "-o", "Staging", "-o", "Production"];

#[expect(
    clippy::disallowed_methods,
    reason = "how long a real process takes is what is tested"
)]
fn now() -> Instant {
    Instant::now()
}

#[test]
fn a_stop_takes_less_than_five_seconds_with_asks_pending_and_clients_waiting() {
    for signal in [Signal::TERM, Signal::INT] {
        let home = Home::new();
        let mut askd = home.serve();
        let mut ask = home.start(&QUESTION);
        ask.until_stderr_says("waiting for an answer");
        let began = now();

        askd.signal(signal);

        let left = askd.end();
        assert_eq!(left.code, 0, "{left:?}");
        assert!(
            began.elapsed() < Duration::from_secs(5),
            "{signal:?}: {:?}",
            began.elapsed()
        );
    }
}

#[test]
fn an_agent_that_waits_goes_on_waiting_through_a_restart() {
    let home = Home::new();
    let mut askd = home.serve();
    let url = askd.announcement()["url"].as_str().unwrap().to_owned();
    let mut ask = home.start(&QUESTION);
    ask.until_stderr_says("waiting for an answer");

    askd.stop();
    let _again = home.serve_with(&["--listen", url.trim_start_matches("http://")]);
    let receipt = home.run(&["answer", "1"]);

    assert_eq!(receipt.code, 0, "{receipt:?}");
    let left = ask.end();
    assert_eq!((left.code, left.stdout.as_str()), (0, "Staging\n"), "{left:?}");
}

#[test]
fn a_killed_daemon_has_lost_nothing() {
    let home = Home::new();
    let mut askd = home.serve();
    let first = home.run(&[&QUESTION[..], &["--no-wait", "--key", "k"]].concat());
    home.run(&["answer", "Production"]);

    askd.signal(Signal::KILL);
    askd.end();
    let _again = home.serve();

    let repeat = home.run(&[&QUESTION[..], &["--key", "k"]].concat());
    assert_eq!(repeat.stdout, "Production\n", "{first:?} {repeat:?}");
}

#[test]
fn a_reload_takes_new_people_and_tokens_over_at_once() {
    let home = Home::new();
    home.configure("");
    let mut askd = home.serve();
    let list = || left(home.command(&["list"]).env("ASKD_TOKEN", "secret-of-the-agent")).code;
    assert_eq!(list(), 77);

    home.configure("[people.sara]\n[tokens.bot]\nrole = \"agent\"\ntoken = \"secret-of-the-agent\"\n");
    askd.signal(Signal::HUP);
    askd.until_stderr_says("configuration reloaded");

    assert_eq!(list(), 0);
    assert!(home.run(&["people"]).stdout.contains("sara"));
}

#[test]
fn a_bad_file_keeps_the_old_configuration_and_says_so() {
    let home = Home::new();
    home.configure("[people.sara]\n");
    let mut askd = home.serve();

    home.configure("[people.sara]\nlanguage = \"tlh\"\n[people.omid]\n");
    askd.signal(Signal::HUP);
    let said = askd.until_stderr_says("configuration refused, the old one stays");

    assert!(
        said.contains("config.toml:2: people.sara.language: askd does not speak"),
        "{said}"
    );
    let people = home.run(&["people"]);
    assert!(
        people.stdout.contains("sara") && !people.stdout.contains("omid"),
        "{people:?}"
    );
}

#[test]
fn what_a_reload_cannot_change_is_said() {
    let home = Home::new();
    home.configure("");
    let mut askd = home.serve();

    home.configure("[limits]\nmax_pending = 1\n");
    askd.signal(Signal::HUP);

    askd.until_stderr_says("the rest needs a restart");
}
