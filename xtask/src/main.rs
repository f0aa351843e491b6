//! Development tasks, run as `cargo xtask TASK`.
//!
//! Everything a change has to pass is here, so that a developer and the continuous integration run the same thing:
//! [`ci`] is the whole of it, the others are its parts. A task needs the Rust toolchain and nothing else; [`tools`]
//! installs the rest.
//!
//! A task that fails exits with the code of the command that failed, else with 1.

mod cargo_tool;
mod chaos;
mod ci;
mod clients;
mod conformance;
mod contracts;
mod deny;
mod fuzz;
mod generate;
mod npm;
mod schemathesis;
mod shape;
mod step;
mod tally;
mod test;
mod tools;
mod web;

use std::{
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use anyhow::Context;
use clap::Parser;

use crate::step::Broke;

/// Development tasks of askd.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Task {
    /// Installs what the tests need and this machine lacks, then runs all tests
    Test,
    /// Everything a change must pass: format, lints, shape, tests
    Ci,
    /// Checks the dependency rule, the files of each crate and the house rules on sources
    Shape,
    /// Writes the files that are made from the code: the table of cases and channels
    Generate,
    /// Only installs what the tests need and this machine lacks
    Tools,
    /// Holds the fakes of the platforms against the platforms' documents in a folder
    Contracts {
        /// Where the documents are; `crates/testkit/src/contracts.rs` has their names
        folder: PathBuf,
    },
    /// Runs the official conformance suite of MCP against askd's entrance, and writes its table to docs/agents/conformance.md
    Conformance,
    /// Has the real agents' programs read what `askd install` writes
    Clients,
    /// Kills askd again and again under load on three platforms, and looks for anything that was acknowledged and is lost
    Chaos(chaos::Chaos),
    /// Has many agents wait for many asks, and prints how soon they wake and what it costs
    Load(chaos::Load),
    /// Checks the panel with Node and its packages: types, tests, axe; writes pictures to docs/panel and prints what the page costs
    Web,
    /// Runs the fuzz targets one after the other, and prints how many inputs each tried
    Fuzz {
        /// How long each is run
        #[arg(long, default_value_t = 60)]
        seconds: u32,
        /// Those to run; all without it
        targets: Vec<String>,
    },
    /// Holds a running askd against its own description with requests that schemathesis makes up
    Schemathesis,
    /// Checks what is among the dependencies against deny.toml
    Deny,
}

fn main() -> ExitCode {
    match run(&Task::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            error
                .downcast_ref::<Broke>()
                .map_or(ExitCode::FAILURE, |broke| ExitCode::from(broke.code))
        }
    }
}

fn run(task: &Task) -> anyhow::Result<()> {
    let root = workspace()?;
    match task {
        Task::Test => test::run(&root),
        Task::Ci => ci::run(&root),
        Task::Shape => shape::run(&root),
        Task::Generate => generate::run(&root),
        Task::Tools => tools::install_missing(&root),
        Task::Contracts { folder } => contracts::run(&root, folder),
        Task::Conformance => conformance::run(&root),
        Task::Clients => clients::run(&root),
        Task::Chaos(with) => chaos::kill(&root, with),
        Task::Load(with) => chaos::load(&root, with),
        Task::Web => web::run(&root),
        Task::Fuzz { seconds, targets } => fuzz::run(&root, *seconds, targets),
        Task::Schemathesis => schemathesis::run(&root),
        Task::Deny => deny::run(&root),
    }
}

/// The folder of the workspace around the present one. Asked of cargo, because the path that was compiled in would be
/// wrong once the checkout has moved.
fn workspace() -> anyhow::Result<PathBuf> {
    let arguments = ["locate-project", "--workspace", "--message-format", "plain"];
    let output = Command::new("cargo")
        .args(arguments)
        .output()
        .context("cannot start cargo")?;
    let manifest = String::from_utf8(output.stdout).context("the path of the workspace is not UTF-8")?;
    let root = Path::new(manifest.trim())
        .parent()
        .context("this is not inside the workspace")?;
    Ok(root.to_path_buf())
}
