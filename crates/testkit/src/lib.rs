//! What the tests of all crates share: time and chance that a test controls, samples, fakes of the platforms, and
//! the suites that hold every store, channel and entrance to one contract. A dev-dependency only.

pub mod chance;
pub mod channel_suite;
pub mod clock;
pub mod contracts;
pub mod discord;
pub mod doorbell;
pub mod entrance_suite;
pub mod fake;
pub mod push_service;
pub mod sample;
mod scenes;
pub mod slack;
pub mod store_suite;
mod suite;
pub mod telegram;
mod world;
