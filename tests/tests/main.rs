//! Stories: askd as people and agents meet it, told with the real program.
//!
//! Each file is a theme. `stories` are told on every platform, from one script. What needs a clock or a disk that a test
//! controls (`expiring`, `filling`, `stories::expiring`) is told inside one process, with the real store and the real
//! server.

#![expect(clippy::unwrap_used, reason = "what cannot be unwrapped fails the story")]

mod cancelling;
mod conversing;
mod documentation;
mod expiring;
mod filling;
mod fitting;
mod hook;
mod inside;
mod installing;
mod mcp;
mod operating;
mod proxying;
mod refusing;
mod reloading;
mod restarting;
mod secrecy;
mod stage;
mod stories;
mod telegram;
mod together;
mod transcript;
mod waking;
