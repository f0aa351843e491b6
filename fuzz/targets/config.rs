//! Configurations. The check, and what an input is: `checks/config.rs`.
//!
//! askd is a program and no library, so the module is taken as a file.
#![no_main]

#[path = "../../crates/askd/src"]
#[expect(dead_code, reason = "the program uses all of it")]
mod askd {
    pub(crate) mod config;
}
#[path = "../checks/config.rs"]
mod check;
#[path = "../checks/growth.rs"]
mod growth;

use askd::config;

libfuzzer_sys::fuzz_target!(|input: &[u8]| check::check(input));
