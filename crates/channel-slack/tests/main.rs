//! The channel from outside: its payloads, what it reads, and how it gets on with a fake Slack.
#![expect(clippy::unwrap_used, reason = "what cannot be unwrapped fails the test")]

mod bench;
mod doctor;
mod feedback;
mod listen;
mod post;
mod read;
mod render;
mod sockets;
mod whole;
