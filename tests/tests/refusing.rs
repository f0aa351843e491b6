//! Starts that cannot work: one clear line, the right exit code, and nothing lost.

use std::{fs, net::TcpListener, path::Path};

use askd_stories::{Home, Left, target};

/// Checks that it said one line that holds all of this, and ended with this code.
fn refused(left: &Left, code: i32, says: &[&str]) {
    assert_eq!((left.code, left.stdout.as_str()), (code, ""), "{left:?}");
    assert_eq!(left.stderr.lines().count(), 1, "one line: {left:?}");
    assert!(left.stderr.starts_with("askd: "), "{left:?}");
    for part in says {
        assert!(left.stderr.contains(part), "{part:?} in {left:?}");
    }
}

const ANYWHERE: [&str; 3] = ["serve", "--listen", "127.0.0.1:0"];

#[test]
fn a_second_askd_names_the_first_and_leaves_its_questions_alone() {
    let home = Home::new();
    let askd = home.serve();
    let ask = askd.agent.ask(&target()).id();

    let second = home.run(&ANYWHERE);

    let process = askd.process.id().to_string();
    refused(
        &second,
        1,
        &["another askd", &process, home.state().to_str().unwrap()],
    );
    assert_eq!(askd.operator.reply(&ask, "2")["receipt"], "settled");
}

#[test]
fn a_port_that_is_taken_is_named_and_the_next_start_elsewhere_has_everything() {
    let home = Home::new();
    let mut askd = home.serve();
    let ask = askd.agent.ask(&target()).id();
    askd.process.stop();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();

    let left = home.run(&["serve", "--listen", &address]);

    refused(&left, 1, &[&address, "is taken"]);
    assert_eq!(home.serve().agent.read(&ask)["status"], "pending");
}

#[test]
fn a_state_directory_that_cannot_be_written_is_named() {
    let home = Home::new();
    let below_a_file = home.write("file", "").join("askd");
    // The last two cannot be written by root either.
    let folders = [
        (below_a_file.as_path(), "cannot make the state directory"),
        (Path::new("/proc/askd"), "cannot make the state directory"),
        (Path::new("/sys/kernel"), "cannot write to the state directory"),
    ];
    for (folder, says) in folders {
        let folder = folder.to_str().unwrap();

        let left = home.run(&[&ANYWHERE[..], &["--state-dir", folder]].concat());

        refused(&left, 1, &[says, folder]);
    }
}

#[test]
fn a_damaged_database_is_left_as_it_is_and_works_again_once_it_is_mended() {
    let home = Home::new();
    let mut askd = home.serve();
    let ask = askd.agent.ask(&target()).id();
    askd.operator.reply(&ask, "2");
    askd.process.stop();
    let database = home.state().join("askd.db");
    let good = fs::read(&database).unwrap();
    let mut damaged = good.clone();
    damaged[..100].fill(b'x');
    fs::write(&database, &damaged).unwrap();

    let left = home.run(&ANYWHERE);

    refused(&left, 1, &["damaged", database.to_str().unwrap()]);
    assert_eq!(
        fs::read(&database).unwrap(),
        damaged,
        "nothing was made of it, and nothing put in its place"
    );
    fs::write(&database, good).unwrap();
    assert_eq!(home.serve().agent.read(&ask)["status"], "answered");
}

#[test]
fn a_bad_configuration_tells_all_its_faults_with_their_lines_and_touches_nothing() {
    let home = Home::new();
    let file = home.configure(
        "[server]\n\
         listen = \"0.0.0.0:7373\"\n\
         colour = \"red\"\n\
         [people.sara]\n\
         language = \"tlh\"\n\
         time_zone = \"Europe/Nowhere\"\n\
         [[routes]]\n\
         to = [\"omid\"]\n\
         [tokens.build-bot]\n\
         role = \"king\"\n\
         token_file = \"missing.token\"\n",
    );

    let lefts = [home.run(&["serve"]), home.run(&["check"])];

    for left in lefts {
        assert_eq!((left.code, left.stdout.as_str()), (78, ""), "{left:?}");
        let mut faults = left.stderr.lines();
        for (line, says) in [
            (2, "server.listen: "),
            (3, "server.colour: "),
            (5, "people.sara.language: "),
            (6, "people.sara.time_zone: "),
            (8, "routes[0].to: "),
            (10, "tokens.build-bot.role: "),
            (11, "tokens.build-bot.token_file: "),
        ] {
            let begin = format!("askd: {}:{line}: {says}", file.display());
            let fault = faults.next().unwrap_or_default();
            assert!(fault.starts_with(&begin), "{begin:?} in {left:?}");
        }
        assert_eq!(faults.next(), None, "{left:?}");
    }
    assert!(!home.state().exists(), "nothing was made");
}
