//! What somebody typed. The check, and what an input is: `checks/reply.rs`.
#![no_main]

#[path = "../checks/growth.rs"]
mod growth;
#[path = "../../crates/core/tests/profiles.rs"]
mod profiles;
#[path = "../checks/reply.rs"]
mod reply;

libfuzzer_sys::fuzz_target!(|input: &[u8]| reply::check(input));
