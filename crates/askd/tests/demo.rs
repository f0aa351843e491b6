//! `askd demo`, unattended.

use std::{fs, io::Write as _, process::Stdio};

use crate::home::{Home, left};

#[test]
fn the_demo_shows_the_whole_way_of_a_question_and_ends_by_itself() {
    let home = Home::new();

    let left = home.run_with_input(&["demo"], "2\n");

    assert_eq!(left.code, 0, "{left:?}");
    let steps = [
        "curl",
        "/sign-in#",
        "The build is green",
        "> 2",
        "Production",
        "\"status\": \"answered\"",
        "askd serve",
    ];
    let mut rest = left.stdout.as_str();
    for step in steps {
        let at = rest
            .find(step)
            .unwrap_or_else(|| panic!("{step:?} in this order in {}", left.stdout));
        rest = &rest[at..];
    }
}

#[test]
fn a_slip_gets_a_hint_and_the_next_line_counts() {
    let left = Home::new().run_with_input(&["demo", "--json"], "9\n1\n");

    assert_eq!(left.code, 0, "{left:?}");
    assert_eq!(
        left.json()["answers"]["answers"]["deploy_target"],
        serde_json::json!(["Staging (Recommended)"])
    );
    assert!(
        left.stderr.contains("> 9"),
        "what is shown goes to stderr: {left:?}"
    );
}

#[test]
fn the_end_of_the_input_takes_the_question_back() {
    let home = Home::new();

    assert_eq!(home.run_with_input(&["demo"], "").code, 4);
    assert_eq!(home.run_with_input(&["demo"], "skip\n").code, 3);
}

#[test]
fn the_demo_ends_though_nobody_reads_what_it_shows() {
    let home = Home::new();
    let mut command = home.command(&["demo"]);
    let mut demo = command.stdin(Stdio::piped()).spawn().unwrap();
    drop(demo.stdout.take());
    demo.stdin.take().unwrap().write_all(b"2\n").unwrap();

    let left = demo.wait_with_output().unwrap();

    assert_eq!(left.status.code(), Some(0), "{left:?}");
}

#[test]
fn the_demo_leaves_nothing_behind_and_needs_no_home() {
    let home = Home::new();

    let left = left(home.command(&["demo"]).env_remove("HOME"));

    assert_eq!(left.code, 4, "{left:?}");
    assert_eq!(fs::read_dir(home.path("tmp")).unwrap().count(), 0);
    assert!(!home.state().exists());
}
