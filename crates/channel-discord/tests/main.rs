//! The channel from outside: its bodies, what it reads, and how it gets on with a fake Discord.
#![expect(clippy::unwrap_used, reason = "what cannot be unwrapped fails the test")]

mod bench;
mod doctor;
mod feedback;
mod gaps;
mod listen;
mod post;
mod read;
mod render;
mod whole;
