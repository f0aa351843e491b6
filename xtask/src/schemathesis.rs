//! `cargo xtask schemathesis`: askd against the description that it serves itself.
//!
//! Schemathesis makes up requests from `/openapi.json`, right ones and wrong ones, sends them to a real askd on loopback, and
//! compares what comes back: statuses, media types, schemas, headers, that wrong data is refused and right data taken. It does
//! so once in each role, and once with nothing to show. `xtask/schemathesis.toml` says what it takes for granted.
//!
//! It needs Python and its packages, so it stands outside `ci`.

use std::{
    fmt::Write as _,
    fs::{self, File},
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use anyhow::{Context as _, ensure};

use crate::{
    step::{self, Steps},
    tools,
};

const PACKAGE: &str = "schemathesis==4.32.5";

/// Roles by the names of their tokens; with the last there is no token.
const CALLERS: [&str; 5] = ["agent", "person", "operator", "subagent", "nobody"];

/// A stream does not end by itself, and is told of in `crates/http/tests/events.rs`.
const LEFT_OUT: &str = "/v1/events";

/// Seconds in each role, and most requests for each operation in each phase.
const SECONDS: u32 = 60;
const REQUESTS: u32 = 50;

/// Longest beyond its seconds: to start, and to end what is under way.
const GRACE: Duration = Duration::from_mins(3);

const CONFIG: &str = r#"
[limits]
max_pending = 10000
requests_per_second = 1000000
[people.sara]
[tokens.agent]
role = "agent"
token = "secret-of-agent"
[tokens.person]
role = "person"
person = "sara"
token = "secret-of-person"
[tokens.operator]
role = "operator"
token = "secret-of-operator"
[tokens.subagent]
role = "subagent"
token = "secret-of-subagent"
"#;

/// What came of one role.
#[derive(Debug, Default, PartialEq, Eq)]
struct Run {
    operations: u64,
    calls: u64,
    found: u64,
}

/// Runs all roles and prints a table; fails if anything was found.
pub(crate) fn run(root: &Path) -> anyhow::Result<()> {
    let mut steps = Steps::default();
    let mut table = Vec::new();
    let outcome = in_steps(root, &mut steps, &mut table);
    println!("\n{}\n{}", steps.table(), shown(&table));
    outcome
}

fn in_steps(root: &Path, steps: &mut Steps, table: &mut Vec<(&'static str, Run)>) -> anyhow::Result<()> {
    let folder = root.join("target/xtask/schemathesis");
    steps.run("tools", tools::install_for_schemathesis)?;
    let program = steps.run("package", || install(&folder))?;
    steps.run("askd", || {
        step::finish(&mut step::cargo(root, &["build", "--quiet", "--package", "askd"]))
    })?;
    let mut failed = Vec::new();
    for caller in CALLERS {
        let outcome = steps.run(caller, || {
            let askd = Askd::start(root, &folder)?;
            let (run, outcome) = one(root, &folder, &program, &askd.url, caller)?;
            table.push((caller, run));
            outcome
        });
        failed.extend(outcome.err());
    }
    failed.into_iter().next().map_or(Ok(()), Err)
}

/// The program, in an environment of its own at exactly one version.
fn install(folder: &Path) -> anyhow::Result<PathBuf> {
    let (venv, mark) = (folder.join("venv"), folder.join("installed.txt"));
    if !fs::read_to_string(&mark).is_ok_and(|installed| installed == PACKAGE) {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        step::finish(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&venv))?;
        let pip = [
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            PACKAGE,
        ];
        step::finish(
            Command::new(venv.join("bin/python"))
                .args(pip)
                .stdin(Stdio::null()),
        )?;
        // Last, so that an installation that was broken off is done again.
        fs::write(&mark, PACKAGE)?;
    }
    Ok(venv.join("bin/schemathesis"))
}

/// The daemon, with a state of its own. Ends with the value.
struct Askd {
    child: Child,
    url: String,
}

impl Askd {
    fn start(root: &Path, folder: &Path) -> anyhow::Result<Self> {
        let home = folder.join("home");
        if home.exists() {
            fs::remove_dir_all(&home)?;
        }
        fs::create_dir_all(&home)?;
        let config = home.join("config.toml");
        fs::write(&config, CONFIG)?;
        let mut child = Command::new(root.join("target/debug/askd"))
            .args(["serve", "--json", "--listen", "127.0.0.1:0", "--config"])
            .arg(&config)
            .env_clear()
            .env("HOME", &home)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(File::create(folder.join("askd.txt"))?)
            .spawn()
            .context("askd does not start")?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().context("its output was asked for")?).read_line(&mut line)?;
        let told: serde_json::Value = serde_json::from_str(&line).context("askd does not start")?;
        let url = told["url"]
            .as_str()
            .context("askd tells where it listens")?
            .to_owned();
        Ok(Self { child, url })
    }
}

impl Drop for Askd {
    fn drop(&mut self) {
        // What it has stored is thrown away.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What was found in one role, and whether that is nothing.
fn one(
    root: &Path,
    folder: &Path,
    program: &Path,
    url: &str,
    caller: &str,
) -> anyhow::Result<(Run, anyhow::Result<()>)> {
    let log = folder.join(format!("{caller}.txt"));
    let mut command = Command::new(program);
    command
        .current_dir(folder)
        .arg("--config-file")
        .arg(root.join("xtask/schemathesis.toml"))
        .args([
            "run",
            &format!("{url}/openapi.json"),
            "--checks",
            "all",
            "--no-color",
        ])
        .args(["--exclude-path", LEFT_OUT, "--seed", "1"])
        .args([
            "--max-time",
            &SECONDS.to_string(),
            "--max-examples",
            &REQUESTS.to_string(),
        ])
        .stdin(Stdio::null())
        .stdout(File::create(&log)?)
        .stderr(Stdio::null());
    if caller != "nobody" {
        command.args(["--header", &format!("Authorization: Bearer secret-of-{caller}")]);
    }
    let outcome = step::finish_within(&mut command, Duration::from_secs(SECONDS.into()) + GRACE);
    let said = fs::read_to_string(&log)?;
    let run = read(&said);
    ensure!(run.calls > 0, "{caller}: it did not run; see {}", log.display());
    Ok((
        run,
        outcome.with_context(|| format!("{caller}: see {}", log.display())),
    ))
}

/// Its closing figures: `Tested: 21`, and `2070 generated, 1 found 1 unique failure, 27 skipped`.
fn read(said: &str) -> Run {
    let number = |text: &str| text.split_whitespace().next().and_then(|word| word.parse().ok());
    let mut run = Run::default();
    for line in said.lines().map(str::trim) {
        if let Some(tested) = line.strip_prefix("Tested:") {
            run.operations = number(tested).unwrap_or_default();
        } else if line
            .split_whitespace()
            .nth(1)
            .is_some_and(|word| word.starts_with("generated"))
        {
            let mut parts = line.split(',').map(str::trim);
            run.calls = parts.next().and_then(number).unwrap_or_default();
            let found = parts.find(|part| part.contains(" found ") || part.contains(" errored"));
            run.found = found.and_then(number).unwrap_or_default();
        }
    }
    run
}

fn shown(table: &[(&str, Run)]) -> String {
    let mut text = String::from("| as | operations | calls | found |\n|---|---|---|---|\n");
    for (caller, run) in table {
        writeln!(
            text,
            "| {caller} | {} | {} | {} |",
            run.operations, run.calls, run.found
        )
        .expect("a String takes all text");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_are_read_from_the_closing_lines() {
        let with_failures = "API Operations:\n  Selected: 21/22\n  Tested: 21\n\nTest cases:\n  2070 generated, 1 found 1 unique failure, 27 skipped\n";
        let without = "  Tested: 20\nTest cases:\n  900 generated, 900 passed, 3 skipped\n";

        let run = |operations, calls, found| Run {
            operations,
            calls,
            found,
        };
        assert_eq!(read(with_failures), run(21, 2070, 1));
        assert_eq!(read(without), run(20, 900, 0));
        assert_eq!(read(""), Run::default());
    }
}
