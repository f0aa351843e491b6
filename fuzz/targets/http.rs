//! Bodies of requests. The check, and what an input is: `checks/http.rs`.
#![no_main]

#[path = "../checks/asks.rs"]
#[expect(dead_code, reason = "its vocabulary alone is used")]
mod asks;
#[path = "../checks/growth.rs"]
mod growth;
#[path = "../checks/http.rs"]
mod http;
#[path = "../checks/made.rs"]
mod made;
#[path = "../../crates/core/tests/profiles.rs"]
mod profiles;

libfuzzer_sys::fuzz_target!(|input: &[u8]| http::check(input));
