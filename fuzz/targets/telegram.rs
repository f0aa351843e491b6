//! Updates of Telegram. The check, and what an input is: `checks/telegram.rs`.
#![no_main]

#[path = "../checks/growth.rs"]
mod growth;
#[path = "../checks/made.rs"]
mod made;
#[path = "../checks/platform.rs"]
mod platform;
#[path = "../checks/telegram.rs"]
mod telegram;

libfuzzer_sys::fuzz_target!(|input: &[u8]| telegram::check(input));
