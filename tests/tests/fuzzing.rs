//! The targets of `cargo xtask fuzz`, each with every input of its corpus in `fuzz/seeds`: no nightly, no fuzzer.
//!
//! What a fuzzer found once is an input there, so this fails where it would happen again. The configuration's target is
//! run by `crates/askd`, whose module no other package can name.

#[path = "../../fuzz/checks/asks.rs"]
mod asks;
#[path = "../../fuzz/checks/discord.rs"]
mod discord;
#[path = "../../fuzz/checks/growth.rs"]
mod growth;
#[path = "../../fuzz/checks/http.rs"]
mod http;
#[path = "../../fuzz/checks/made.rs"]
mod made;
#[path = "../../fuzz/checks/platform.rs"]
mod platform;
#[path = "../../crates/core/tests/profiles.rs"]
mod profiles;
#[path = "../../fuzz/checks/reply.rs"]
mod reply;
#[path = "../../fuzz/checks/slack.rs"]
mod slack;
#[path = "../../fuzz/checks/telegram.rs"]
mod telegram;

use std::{collections::BTreeSet, fs, path::PathBuf};

fn fuzz(inside: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../fuzz")
        .join(inside)
}

/// Every input of a target goes through its check; which one fails is in the output.
fn all_of(target: &str, check: impl Fn(&[u8])) {
    let folder = fuzz("seeds").join(target);
    let mut tried = 0;
    for entry in fs::read_dir(folder).expect("the corpus is there") {
        let path = entry.expect("readable").path();
        eprintln!("{}", path.display());
        check(&fs::read(&path).expect("readable"));
        tried += 1;
    }
    assert!(tried >= 10, "a corpus of {tried}");
}

#[test]
fn replies_are_read_as_what_they_say_in_linear_time() {
    all_of("reply", reply::check);
}

#[test]
fn asks_are_refused_with_reasons_or_fit_wherever_they_are_shown() {
    all_of("asks", asks::check);
}

#[test]
fn any_update_of_telegram_is_read_in_linear_time() {
    all_of("telegram", telegram::check);
}

#[test]
fn any_event_of_discord_is_read_in_linear_time() {
    all_of("discord", discord::check);
}

#[test]
fn any_envelope_of_slack_is_read_in_linear_time() {
    all_of("slack", slack::check);
}

#[test]
fn any_body_is_answered_with_what_the_route_promises_or_a_problem() {
    all_of("http", http::check);
}

#[test]
fn every_target_has_a_corpus_and_a_dictionary() {
    let manifest = fs::read_to_string(fuzz("Cargo.toml")).unwrap();
    let targets: BTreeSet<String> = manifest
        .lines()
        .filter_map(|line| line.strip_prefix("path = \"targets/")?.strip_suffix(".rs\""))
        .map(str::to_owned)
        .collect();
    let names = |folder: &str| -> BTreeSet<String> {
        let entries = fs::read_dir(fuzz(folder)).unwrap();
        let stems = entries.map(|entry| entry.expect("readable").path().file_stem().unwrap().to_owned());
        stems.map(|stem| stem.into_string().unwrap()).collect()
    };

    assert_eq!(targets.len(), 7);
    for folder in ["targets", "seeds", "dictionaries"] {
        assert_eq!(names(folder), targets, "{folder}");
    }
}
