//! `cargo xtask ci`: everything a change must pass, the cheap steps first.

use std::{path::Path, process::Stdio};

use crate::{
    shape,
    step::{self, Steps},
    tally::Tally,
    test,
};

/// Runs all steps until one fails, and prints seconds per step, the test runner's closing lines and their sum.
pub(crate) fn run(root: &Path) -> anyhow::Result<()> {
    let mut steps = Steps::default();
    let mut tally = Tally::default();
    let outcome = all(root, &mut steps, &mut tally);
    println!("\n{}\n{tally}", steps.table());
    outcome
}

fn all(root: &Path, steps: &mut Steps, tally: &mut Tally) -> anyhow::Result<()> {
    steps.run("fmt", || cargo(root, &["fmt", "--all", "--check"]))?;
    steps.run("shape", || shape::run(root))?;
    steps.run("clippy", || {
        cargo(
            root,
            &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"],
        )
    })?;
    test::in_steps(root, steps, tally)
}

fn cargo(root: &Path, arguments: &[&str]) -> anyhow::Result<()> {
    step::finish(step::cargo(root, arguments).stdin(Stdio::null()))
}
