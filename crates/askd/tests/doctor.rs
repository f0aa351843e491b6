//! `askd doctor` where no platform is needed; with one, the stories tell it.

use std::fs;

use serde_json::Value;

use crate::home::{Home, Left};

fn graded(left: &Left, grade: &str) -> Vec<String> {
    let told = left.json();
    let findings = told["findings"].as_array().unwrap().iter();
    findings
        .filter(|finding| finding["grade"] == grade)
        .map(|finding| finding["about"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn before_the_first_start_nothing_is_bad_and_nothing_is_made() {
    let home = Home::new();

    let (text, json) = (home.run(&["doctor"]), home.run(&["doctor", "--json"]));

    assert_eq!((text.code, json.code), (0, 0), "{text:?}");
    assert!(text.stdout.ends_with("\nall is well\n"), "{text:?}");
    assert_eq!(
        graded(&json, "note"),
        ["state", "agent.token", "operator.token", "database", "channels"]
    );
    assert!(!home.state().exists());
}

#[test]
fn a_daemon_that_runs_is_seen_and_goes_on() {
    let home = Home::new();
    let mut askd = home.serve();

    let left = home.run(&["doctor", "--json"]);

    assert_eq!(left.code, 0, "{left:?}");
    assert_eq!(
        graded(&left, "good"),
        ["configuration", "state", "tokens", "database", "daemon"]
    );
    let stopped = askd.stop();
    assert_eq!(stopped.code, 0, "{stopped:?}");
    assert!(!stopped.stderr.contains("WARN"), "{stopped:?}");
    assert_eq!(
        graded(&home.run(&["doctor", "--json"]), "note"),
        ["daemon", "channels"]
    );
}

#[test]
fn what_keeps_askd_from_starting_is_bad_and_says_what_to_do() {
    let home = Home::new();
    let _ = home.serve().stop();
    fs::write(
        home.state().join("askd.db"),
        "no database at all, and rather long",
    )
    .unwrap();
    fs::write(home.state().join("agent.token"), "\n").unwrap();

    let left = home.run(&["doctor", "--json"]);

    assert_eq!(left.code, 1, "{left:?}");
    assert_eq!(graded(&left, "bad"), ["agent.token", "database"]);
    let told = left.json();
    let all = told["findings"].as_array().unwrap();
    assert!(all.iter().all(|finding| {
        let has_remedy = finding["remedy"] != Value::Null;
        has_remedy != (finding["grade"] == "good")
    }));
}

#[test]
fn a_platform_that_cannot_be_reached_is_told_and_the_token_is_not() {
    let home = Home::new();
    // Nothing listens on the port of the discard service.
    home.configure(
        "[channels.telegram]\nkind = \"telegram\"\ntoken = \"123:hush\"\napi_url = \"http://127.0.0.1:9\"\n\
         [people.sara]\n",
    );

    let left = home.run(&["doctor"]);

    assert_eq!(left.code, 1, "{left:?}");
    assert!(
        left.stdout
            .contains("BAD  connection  Telegram cannot be reached"),
        "{left:?}"
    );
    assert!(left.stdout.contains("-> askd pair sara"), "{left:?}");
    assert!(!format!("{left:?}").contains("hush"), "{left:?}");
}

#[test]
fn a_bad_configuration_is_told_as_check_tells_it() {
    let home = Home::new();
    home.configure("[server]\nlisten = 7\n");

    let (doctor, check) = (home.run(&["doctor"]), home.run(&["check"]));
    let (as_json, check_as_json) = (home.run(&["doctor", "--json"]), home.run(&["check", "--json"]));

    assert_eq!((doctor.code, doctor.stderr), (78, check.stderr));
    assert_eq!((as_json.code, as_json.stdout), (78, check_as_json.stdout));
}
