//! `cargo xtask web`: what Node and its packages say of the panel, and pictures of it for people to look at.
//!
//! The page itself needs no Node: browsers run its modules as they stand. So this stands outside `ci`. It checks the
//! types, runs the modules' own tests, and walks through the panel's states with the real program: every state in light
//! and dark, on a desktop and a phone, in English and Persian. axe examines each, and a page must ask for nothing
//! elsewhere. Then it prints what the page costs.
//!
//! All pictures go to `target/xtask/web/pictures`, and the few that the documentation shows to `docs/panel`.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use anyhow::{Context as _, ensure};

use crate::{
    npm::{self, Scripts},
    step::{self, Steps},
    tools,
};

const PACKAGES: [(&str, &str); 3] = [
    ("axe-core", "4.14.1"),
    ("playwright-core", "1.65.1"),
    ("typescript", "5.9.3"),
];

/// Where the page is.
const PAGE: &str = "crates/http/web";

/// Where the pictures are that the documentation shows.
const KEPT: &str = "docs/panel";

/// For all pictures; they take some two minutes.
const LIMIT: Duration = Duration::from_mins(15);

/// Runs all steps until one fails, and prints seconds per step.
pub(crate) fn run(root: &Path) -> anyhow::Result<()> {
    let mut steps = Steps::default();
    let outcome = in_steps(root, &mut steps);
    println!("\n{}", steps.table());
    outcome
}

fn in_steps(root: &Path, steps: &mut Steps) -> anyhow::Result<()> {
    let folder = root.join("target/xtask/web");
    steps.run("tools", tools::install_for_web)?;
    steps.run("packages", || npm::install(&folder, &PACKAGES, Scripts::Skipped))?;
    steps.run("types", || types(root, &folder))?;
    steps.run("modules", || modules(root))?;
    steps.run("askd", || {
        step::finish(&mut step::cargo(root, &["build", "--quiet", "--package", "askd"]))
    })?;
    steps.run("pictures", || pictures(root, &folder))
}

fn types(root: &Path, folder: &Path) -> anyhow::Result<()> {
    let mut command = Command::new(npm::programs(folder).join("tsc"));
    step::finish(
        command
            .arg("--project")
            .arg(root.join(PAGE).join("jsconfig.json")),
    )
}

/// The tests of the page's modules, by Node's own runner.
fn modules(root: &Path) -> anyhow::Result<()> {
    let tests = tests(&root.join(PAGE).join("tests"))?;
    ensure!(!tests.is_empty(), "{PAGE}/tests holds no test");
    step::finish(
        Command::new("node")
            .arg("--test")
            .args(tests)
            .stdin(Stdio::null()),
    )
}

/// Files are named, because which folders the runner takes differs from one Node to the next.
fn tests(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut tests = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let name = path.to_string_lossy();
        if name.ends_with(".test.js") || name.ends_with(".test.mjs") {
            tests.push(path);
        }
    }
    tests.sort();
    Ok(tests)
}

fn pictures(root: &Path, folder: &Path) -> anyhow::Result<()> {
    let mut command = Command::new("node");
    command
        .current_dir(folder)
        .arg(root.join("xtask/web/look.mjs"))
        .arg(root.join("target/debug/askd"))
        .arg(folder.join("pictures"))
        .arg(root.join(KEPT))
        .stdin(Stdio::null());
    step::finish_within(&mut command, LIMIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_named_as_a_test_is_run_as_one() {
        let folder = tempfile::tempdir().expect("a folder of our own");
        for name in ["b.test.js", "a.test.js", "world.js", "note.md"] {
            fs::write(folder.path().join(name), "").expect("writable");
        }

        let found = super::tests(folder.path()).expect("readable");

        let names: Vec<_> = found.iter().filter_map(|path| path.file_name()).collect();
        assert_eq!(names, ["a.test.js", "b.test.js"]);
    }
}
