//! MCP, called as its clients call it.
//!
//! Everything runs on the store in memory and a clock that the tests move. Every result is also held against the
//! schema that `tools/list` gives to clients (`schemas`).
#![expect(clippy::unwrap_used, reason = "what cannot be unwrapped fails the test")]

mod asking;
mod bridge;
mod cancelling;
mod client;
mod gate;
mod lenient;
mod listing;
mod restarting;
mod rights;
mod schemas;
mod waiting;
mod world;
