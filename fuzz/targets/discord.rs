//! Events of Discord. The check, and what an input is: `checks/discord.rs`.
#![no_main]

#[path = "../checks/discord.rs"]
mod discord;
#[path = "../checks/growth.rs"]
mod growth;
#[path = "../checks/made.rs"]
mod made;
#[path = "../checks/platform.rs"]
mod platform;

libfuzzer_sys::fuzz_target!(|input: &[u8]| discord::check(input));
