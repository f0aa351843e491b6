//! How the daemon starts, and how it refuses to: one line, the right code, nothing lost.

use std::{fs, net::TcpListener};

use crate::home::{Home, Left, Running, left, mode};

fn refuses(left: &Left, code: i32, says: &str) {
    assert_eq!(left.code, code, "{left:?}");
    assert_eq!(left.stdout, "");
    let lines: Vec<&str> = left
        .stderr
        .lines()
        .filter(|line| line.starts_with("askd: "))
        .collect();
    assert_eq!(lines.len(), 1, "one line: {left:?}");
    assert!(lines[0].contains(says), "{says:?} in {left:?}");
}

#[test]
fn the_first_start_makes_a_private_state_directory_and_two_tokens_that_stay() {
    let home = Home::new();
    let tokens = |home: &Home| {
        ["agent", "operator"]
            .map(|name| fs::read_to_string(home.state().join(format!("{name}.token"))).unwrap())
    };
    let mut first = home.serve();
    let made = tokens(&home);
    first.stop();

    let _second = home.serve();

    assert_eq!(tokens(&home), made);
    assert_ne!(made[0], made[1]);
    assert!(
        made.iter().all(|token| token.trim().len() == 64),
        "256 bits in hex"
    );
    assert_eq!(mode(&home.state()), 0o700);
    for file in ["agent.token", "operator.token", "askd.db"] {
        assert_eq!(mode(&home.state().join(file)), 0o600, "{file}");
    }
}

#[test]
fn the_start_is_told_in_one_line_with_where_and_how() {
    let home = Home::new();
    let mut askd = home.start(&["serve", "--listen", "127.0.0.1:0"]);

    let line = askd.next_stdout();

    assert!(line.starts_with("askd listens on http://127.0.0.1:"), "{line}");
    assert!(
        line.contains(home.state().to_str().unwrap())
            && line.contains("askd ask")
            && line.contains("askd pair --web")
            && !line.contains("sign-in"),
        "{line}"
    );
    assert_eq!(askd.stop().stdout, "", "and nothing else");
}

#[test]
fn a_second_start_is_refused_with_the_process_that_runs_and_leaves_it_alone() {
    let home = Home::new();
    let first = home.serve();

    let second = home.run(&["serve", "--listen", "127.0.0.1:0"]);

    refuses(
        &second,
        1,
        &format!("another askd (process {}) already runs on", first.id()),
    );
    assert_eq!(home.run(&["list"]).code, 0, "the first goes on");
}

#[test]
fn a_taken_port_is_told() {
    let home = Home::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();

    refuses(
        &home.run(&["serve", "--listen", &address]),
        1,
        &format!("{address} is taken"),
    );
}

#[test]
fn a_state_directory_that_cannot_be_made_is_told() {
    let home = Home::new();
    let below_a_file = home.write("file", "").join("askd");

    let left = home.run(&["serve", "--state-dir", below_a_file.to_str().unwrap()]);

    refuses(&left, 1, "cannot make the state directory");
}

#[test]
fn a_damaged_database_is_told_and_left_as_it_is() {
    let home = Home::new();
    home.serve().stop();
    let database = home.state().join("askd.db");
    let damaged = vec![b'x'; 8192];
    fs::write(&database, &damaged).unwrap();

    let left = home.run(&["serve", "--listen", "127.0.0.1:0"]);

    refuses(&left, 1, "damaged");
    assert_eq!(fs::read(&database).unwrap(), damaged);
}

#[test]
fn a_bad_configuration_starts_nothing_and_makes_nothing() {
    let home = Home::new();
    home.configure("[server]\nlisten = \"0.0.0.0:7373\"\n");

    refuses(
        &home.run(&["serve"]),
        78,
        "server.listen: would be reachable from other machines",
    );
    assert!(!home.state().exists());
}

#[test]
fn a_file_that_was_named_and_is_not_there_is_bad_configuration() {
    refuses(
        &Home::new().run(&["serve", "--config", "/nonexistent.toml"]),
        78,
        "there is no such file",
    );
}

#[test]
fn a_log_filter_that_is_none_is_bad_configuration() {
    let home = Home::new();

    refuses(
        &left(home.command(&["serve"]).env("ASKD_LOG", "a=b=c")),
        78,
        "ASKD_LOG: ",
    );
}

#[test]
fn a_token_in_the_configuration_cannot_be_one_that_askd_made() {
    let home = Home::new();
    home.serve().stop();
    let made = fs::read_to_string(home.state().join("operator.token")).unwrap();
    home.configure(&format!(
        "[tokens.mine]\nrole = \"agent\"\ntoken = \"{}\"\n",
        made.trim()
    ));

    let left = home.run(&["serve", "--listen", "127.0.0.1:0"]);

    refuses(
        &left,
        78,
        "tokens.mine: is the secret of a token that askd made itself",
    );
    assert!(!left.stderr.contains(made.trim()));
}

#[test]
fn a_log_in_json_is_one_object_a_line() {
    let home = Home::new();
    let mut askd = home.serve_with(&["--listen", "127.0.0.1:0", "--log-format", "json"]);
    home.run(&["ask", "Q?", "-o", "A", "-o", "B", "--no-wait"]);

    let log = askd.stop().stderr;

    let events: Vec<serde_json::Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(
        events
            .iter()
            .any(|event| event["message"] == "ask taken over" && event["owner"] == "agent"),
        "{log}"
    );
}

#[test]
fn the_database_lies_where_the_configuration_says() {
    let home = Home::new();
    let database = home.path("elsewhere.db");
    home.configure(&format!("[store]\nurl = \"sqlite://{}\"\n", database.display()));

    let _askd = home.serve();

    assert!(database.exists());
    assert!(!home.state().join("askd.db").exists());
}

#[test]
fn the_log_holds_neither_secrets_nor_what_people_write_even_when_it_says_most() {
    let home = Home::new();
    let mut command = home.command(&["serve", "--json", "--listen", "127.0.0.1:0"]);
    let mut askd = Running::start(command.env("ASKD_LOG", "trace"));
    askd.next_stdout();
    let id = home.run(&[
        "ask",
        "Kumquat?",
        "-o",
        "Loquat",
        "-o",
        "Medlar",
        "--context",
        "Quince",
        "--no-wait",
    ]);
    home.run(&["answer", id.stdout.trim(), "pomegranate, please"]);

    let log = askd.stop().stderr;

    assert!(log.contains("ask settled"), "{log}");
    let tokens = ["agent", "operator"]
        .map(|name| fs::read_to_string(home.state().join(format!("{name}.token"))).unwrap());
    let words = ["Kumquat", "Loquat", "Medlar", "Quince", "pomegranate"];
    for kept_out in words.into_iter().chain(tokens.iter().map(|token| token.trim())) {
        assert!(!log.contains(kept_out), "{kept_out} in {log}");
    }
}
