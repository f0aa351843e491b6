//! Envelopes of Slack. The check, and what an input is: `checks/slack.rs`.
#![no_main]

#[path = "../checks/growth.rs"]
mod growth;
#[path = "../checks/made.rs"]
mod made;
#[path = "../checks/platform.rs"]
mod platform;
#[path = "../checks/slack.rs"]
mod slack;

libfuzzer_sys::fuzz_target!(|input: &[u8]| slack::check(input));
