//! What an agent asks. The check, and what an input is: `checks/asks.rs`.
#![no_main]

#[path = "../checks/asks.rs"]
mod asks;
#[path = "../checks/growth.rs"]
mod growth;
#[path = "../checks/made.rs"]
mod made;
#[path = "../../crates/core/tests/profiles.rs"]
mod profiles;

libfuzzer_sys::fuzz_target!(|input: &[u8]| asks::check(input));
