//! What the stories are told with: a home for askd, the program in it, and somebody who calls it over HTTP.
//!
//! A story runs the real program as people and agents do, on the command line ([`Home::run`]) and over HTTP ([`Api`]),
//! and looks at nothing but what comes out. Each has a home and a loopback address of its own, so that all run at
//! once.
//!
//! Nothing sleeps. A story waits for what the program says: the line that tells that it runs, a line of its log, an
//! event of its stream. Whatever does not come within [`PATIENCE`] fails the story, with everything the program said.
//!
//! The stories are in `tests/main.rs`; the suite of all entrances is in `tests/entrances.rs`.

mod api;
mod asks;
mod home;
pub mod load;
mod program;
mod running;

use std::time::{Duration, Instant};

pub use self::{
    api::{Answer, Api, Events},
    asks::{question, target, two},
    home::{Askd, Home},
    program::program,
    running::{Left, Running},
};

/// How long anything may take to come. Only a story that fails waits for it, so it is generous to slow machines.
pub const PATIENCE: Duration = Duration::from_mins(1);

/// Measures real time, for what is promised of a real process.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts now.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "how long a real process takes is what is told"
    )]
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// How long ago that was.
    #[must_use]
    pub fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}
