//! The daemon between agents that must ask and people who must answer, and its command line.
//!
//! This is the only crate that knows all the others. In reading order: `cli` says what can be typed, `config` what the
//! operator wants, `assemble` puts the parts together, `life` keeps them running and ends them. `client` is the other
//! side: every command that talks to a running daemon goes through it.

mod assemble;
mod background;
mod bridge;
mod channels;
mod cli;
mod client;
mod clock;
mod config;
mod files;
mod life;
mod lock;
mod log;
mod out;
mod signals;
mod state;
mod terminal;
mod view;

use std::process::ExitCode;

fn main() -> ExitCode {
    // The one place where a crypto provider is chosen. It fails where one is chosen already, and nothing ran before.
    let _ = rustls::crypto::ring::default_provider().install_default();
    cli::run(std::env::args_os(), config::Environment::of_process())
}
