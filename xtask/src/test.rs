//! `cargo xtask test`: all tests of the workspace, with what they need installed first.

use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::Stdio,
};

use anyhow::{Context, ensure};

use crate::{
    step::{self, Steps},
    tally::Tally,
    tools,
};

/// Runs all tests and prints seconds per step, the runner's closing lines and their sum.
pub(crate) fn run(root: &Path) -> anyhow::Result<()> {
    let mut steps = Steps::default();
    let mut tally = Tally::default();
    let outcome = in_steps(root, &mut steps, &mut tally);
    println!("\n{}\n{tally}", steps.table());
    outcome
}

/// The same as part of a longer task, which prints its own end.
pub(crate) fn in_steps(root: &Path, steps: &mut Steps, tally: &mut Tally) -> anyhow::Result<()> {
    steps.run("tools", || tools::install_missing(root))?;
    steps.run("test", || cargo_test(root, tally))
}

/// Unit tests, integration tests and doctests, all of them even where one binary fails. Closing lines are held back
/// for the end, so that each is printed once.
fn cargo_test(root: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let mut command = step::cargo(root, &["test", "--workspace", "--no-fail-fast"]);
    command
        .env(tools::NODE_TOOLS_VARIABLE, tools::node_tools(root))
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    let mut child = command.spawn().context("cannot start cargo")?;
    let lines = BufReader::new(child.stdout.take().expect("its output was asked for"));
    let mut out = std::io::stdout().lock();
    for line in lines.split(b'\n') {
        let line = line.context("cannot read what cargo says")?;
        if !tally.take(&String::from_utf8_lossy(&line)) {
            out.write_all(&line)?;
            out.write_all(b"\n")?;
        }
    }
    let status = child.wait()?;
    step::succeeded(&command, status)?;
    ensure!(tally.passed > 0, "cargo ran no test at all");
    Ok(())
}
