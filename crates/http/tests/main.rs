//! The HTTP API, called as its clients call it.
//!
//! Everything runs on the store in memory and a clock that the tests move. Every answer in every test is also held
//! against the OpenAPI description that the API serves (`contract`).
#![expect(clippy::unwrap_used, reason = "what cannot be unwrapped fails the test")]

mod answering;
mod asking;
mod bridging;
mod context;
mod contract;
mod events;
mod guard;
mod health;
mod history;
mod limiting;
mod logs;
mod metrics;
mod panel;
mod people;
mod problems;
mod rights;
mod seeing;
mod serving;
mod signed_in;
mod signing_in;
mod smuggling;
mod waiting;
mod waking;
mod world;
