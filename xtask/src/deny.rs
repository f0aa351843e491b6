//! `cargo xtask deny`: what may be among the dependencies, by cargo-deny and `deny.toml`.
//!
//! Bans, licences and sources need nothing but the lock files. Advisories need a database that is fetched; where it cannot
//! be had the task says so and does not fail, because nothing of ours is wrong then.

use std::{
    path::Path,
    process::{Command, Stdio},
};

use anyhow::{Context as _, bail};

use crate::{
    cargo_tool::CargoTool,
    step::{self, Steps},
};

const CARGO_DENY: CargoTool = CargoTool {
    name: "cargo-deny",
    version: "0.20.2",
};

/// The program's workspace, and that of the fuzz targets, with what is said of each beside the checks. `deny.toml` is for both:
/// of the program's skips each must be needed, and few of them are needed by the targets.
const WORKSPACES: [(&str, [&str; 2]); 2] = [
    ("Cargo.toml", ["--deny", "unmatched-skip"]),
    ("fuzz/Cargo.toml", ["--allow", "unmatched-skip"]),
];

/// Runs all checks, and prints seconds per step.
pub(crate) fn run(root: &Path) -> anyhow::Result<()> {
    let mut steps = Steps::default();
    let outcome = in_steps(root, &mut steps);
    println!("\n{}", steps.table());
    outcome
}

fn in_steps(root: &Path, steps: &mut Steps) -> anyhow::Result<()> {
    let folder = steps.run("tool", || CARGO_DENY.folder(root))?;
    for (manifest, more) in WORKSPACES {
        steps.run("deny", || {
            let mut deny = deny(root, &folder, manifest)?;
            deny.args(more)
                .args(["--allow", "license-exception-not-encountered"]);
            step::finish(deny.args(["bans", "licenses", "sources"]))
        })?;
    }
    let said = steps.run("advice", || advisories(root, &folder))?;
    println!("{said}");
    Ok(())
}

fn deny(root: &Path, folder: &Path, manifest: &str) -> anyhow::Result<Command> {
    let mut command = step::cargo(
        root,
        &["deny", "--manifest-path", manifest, "--config", "deny.toml"],
    );
    command
        .env("PATH", step::path_with(folder)?)
        .args(["check", "--hide-inclusion-graph"])
        .stdin(Stdio::null());
    Ok(command)
}

/// What came of the check of advisories, in one line; fails where one concerns us.
fn advisories(root: &Path, folder: &Path) -> anyhow::Result<String> {
    for (manifest, _) in WORKSPACES {
        let output = deny(root, folder, manifest)?
            .arg("advisories")
            .output()
            .context("cannot start cargo-deny")?;
        if output.status.success() {
            continue;
        }
        let said = String::from_utf8_lossy(&output.stderr);
        if has_no_database(&said) {
            return Ok("advisories: NOT CHECKED, their database cannot be had here".to_owned());
        }
        eprintln!("{said}");
        bail!("an advisory concerns us; see {manifest}");
    }
    Ok("advisories: none concerns us".to_owned())
}

/// Whether cargo-deny failed before it had looked at anything.
fn has_no_database(said: &str) -> bool {
    said.contains("failed to fetch advisory database") || said.contains("failed to load advisory database")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_database_that_cannot_be_had_is_no_failure() {
        assert!(has_no_database(
            "[ERROR] failed to fetch advisory database: no route"
        ));
        assert!(!has_no_database("error[vulnerability]: a crate of ours"));
        assert!(!has_no_database(""));
    }
}
