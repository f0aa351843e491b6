//! The program itself: what it prints, what it leaves on the disk, and how it ends.
//!
//! Every test has a home of its own ([`home::Home`]) and knows nothing of the machine's environment. Nothing sleeps:
//! a daemon says on stdout that it runs, and `askd ask` says on stderr that it waits.
#![expect(clippy::unwrap_used, reason = "what cannot be unwrapped fails the test")]

mod asking;
mod checking;
mod demo;
mod doctor;
mod home;
mod starting;
mod stopping;
