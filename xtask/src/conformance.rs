//! `cargo xtask conformance`: the official suite of MCP against askd's entrance, at both families of revisions.
//!
//! The suite wants tools, prompts and resources that askd has none of. So it talks to `tests/examples/mcp_fixture`,
//! which offers them over what askd serves its own tool with. It needs npm and what npm installs, so it stands outside
//! `ci`; what it said is kept in `docs/agents/conformance.md`.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs::{self, File},
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use anyhow::{Context as _, ensure};

use crate::{
    npm::{self, Scripts},
    step::{self, Steps},
};

const SUITE: (&str, &str) = ("@modelcontextprotocol/conformance", "0.2.0-alpha.12");

/// The Node that the suite runs under, itself a package of npm: what a machine has may be older.
const NODE: (&str, &str) = ("node", "22.23.3");

/// Each with the file of what is expected to fail, from the root of the workspace.
const REVISIONS: [(&str, Option<&str>); 2] = [
    (
        "2025-11-25",
        Some("tests/mcp-conformance/expected-failures-2025-11-25.yaml"),
    ),
    ("2026-07-28", None),
];

/// Where the table is kept.
const TABLE: &str = "docs/agents/conformance.md";

/// For all scenarios of one revision. They take some ten seconds.
const LIMIT: Duration = Duration::from_mins(5);

/// What the suite said of one scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Scenario {
    passed: u32,
    failed: u32,
    /// Whether it fails, and is expected to, in whole or in part.
    expected: bool,
    /// Why it does not count, where it does not.
    not_scored: Option<String>,
}

/// What it said of all of them, in the order in which it ran them.
type Said = Vec<(String, Scenario)>;

/// Runs the suite and writes the table; fails where the suite does.
pub(crate) fn run(root: &Path) -> anyhow::Result<()> {
    let mut steps = Steps::default();
    let outcome = in_steps(root, &mut steps);
    println!("\n{}", steps.table());
    outcome
}

fn in_steps(root: &Path, steps: &mut Steps) -> anyhow::Result<()> {
    let folder = root.join("target/xtask/conformance");
    steps.run("suite", || npm::install(&folder, &[SUITE, NODE], Scripts::Run))?;
    let fixture = steps.run("fixture", || Fixture::start(root))?;
    let mut said = Vec::new();
    let mut failed = Vec::new();
    for (revision, expected) in REVISIONS {
        let outcome = steps.run(revision, || {
            let expected = expected.map(|file| root.join(file));
            let (scenarios, outcome) = scenarios(&folder, &fixture.url, revision, expected.as_deref())?;
            said.push((revision, scenarios));
            outcome
        });
        failed.extend(outcome.err());
    }
    fs::write(root.join(TABLE), table(&said))?;
    match failed.into_iter().next() {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// The server that the suite talks to. Ends with the value.
struct Fixture {
    child: Child,
    url: String,
}

impl Fixture {
    fn start(root: &Path) -> anyhow::Result<Self> {
        let example = ["--quiet", "--package", "askd-stories", "--example", "mcp_fixture"];
        // Built first, so that waiting for its line is not waiting for the compiler.
        step::finish(&mut step::cargo(root, &[&["build"], &example[..]].concat()))?;
        let mut command = step::cargo(root, &[&["run"], &example[..]].concat());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let stdout = child.stdout.take().context("its output was asked for")?;
        let mut url = String::new();
        BufReader::new(stdout).read_line(&mut url)?;
        let url = url.trim().to_owned();
        ensure!(!url.is_empty(), "the fixture does not start");
        Ok(Self { child, url })
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        // It ends with its input.
        drop(self.child.stdin.take());
        let _ = step::wait_within(&mut self.child, Duration::from_secs(10));
    }
}

/// What the suite says at one revision, and whether it is content.
fn scenarios(
    folder: &Path,
    url: &str,
    revision: &str,
    expected: Option<&Path>,
) -> anyhow::Result<(Said, anyhow::Result<()>)> {
    let programs = npm::programs(folder);
    let log: PathBuf = folder.join(format!("{revision}.txt"));
    let mut command = Command::new(programs.join("conformance"));
    command
        .current_dir(folder)
        .env("PATH", step::path_with(&programs)?)
        .env("NO_COLOR", "1")
        .args(["server", "--url", url, "--requirements", revision])
        .args(["--output-dir", &format!("results-{revision}")])
        .stdin(Stdio::null())
        .stdout(File::create(&log)?)
        .stderr(File::create(folder.join(format!("{revision}.err")))?);
    if let Some(expected) = expected {
        command.arg("--expected-failures").arg(expected);
    }
    let outcome = step::finish_within(&mut command, LIMIT);
    let outcome = outcome.with_context(|| format!("the suite found something; see {}", log.display()));
    let mut said = read(&fs::read_to_string(&log)?);
    ensure!(!said.is_empty(), "the suite ran nothing; see {}", log.display());
    let required = folder.join(format!("node_modules/{}/requirements/{revision}.yaml", SUITE.0));
    for (name, why) in not_scored(&fs::read_to_string(required)?) {
        if let Some(scenario) = named(&mut said, &name) {
            scenario.not_scored = Some(why);
        }
    }
    Ok((said, outcome))
}

/// Reads the summary that the suite prints at its end.
fn read(printed: &str) -> Said {
    let summary = printed.rsplit("=== SUMMARY ===").next().unwrap_or_default();
    let mut said = Said::new();
    for line in summary.lines().map(str::trim) {
        let Some((mark, rest)) = line.split_once(' ') else {
            continue;
        };
        match mark {
            "✓" | "✗" => {
                said.extend(counted(rest).map(|(name, scenario)| (name.to_owned(), scenario)));
            }
            "~" => {
                let name = rest.split(':').next().unwrap_or(rest);
                if let Some(scenario) = named(&mut said, name) {
                    scenario.expected = true;
                }
            }
            _ => {}
        }
    }
    said
}

/// `name: 2 passed, 0 failed`.
fn counted(text: &str) -> Option<(&str, Scenario)> {
    let (name, counts) = text.split_once(": ")?;
    let (passed, failed) = counts.split_once(" passed, ")?;
    let scenario = Scenario {
        passed: passed.parse().ok()?,
        failed: failed.strip_suffix(" failed")?.parse().ok()?,
        expected: false,
        not_scored: None,
    };
    Some((name, scenario))
}

/// The scenarios that a revision does not require, with the reason, from the suite's own list: one `scenario: name` and
/// `reason: word` after the other. What it prints tells of them only where nothing is expected to fail.
fn not_scored(requirements: &str) -> Vec<(String, String)> {
    let list = requirements
        .split_once("\nnot_scored:")
        .map_or("", |(_, list)| list);
    let mut found: Vec<(String, String)> = Vec::new();
    for line in list.lines().map(|line| line.trim().trim_start_matches("- ")) {
        if let Some(name) = line.strip_prefix("scenario: ") {
            found.push((name.to_owned(), String::new()));
        } else if let Some(reason) = line.strip_prefix("reason: ")
            && let Some((_, why)) = found.last_mut()
        {
            reason.clone_into(why);
        }
    }
    found
}

fn named<'s>(said: &'s mut Said, name: &str) -> Option<&'s mut Scenario> {
    said.iter_mut()
        .find(|(known, _)| known == name)
        .map(|(_, scenario)| scenario)
}

/// The whole file.
fn table(said: &[(&str, Said)]) -> String {
    let (suite, version) = SUITE;
    let mut text = format!(
        "# Conformance with MCP\n\n\
         What the official suite ({suite} {version}) says of askd's MCP entrance. `cargo xtask\n\
         conformance` writes this file.\n\n\
         The suite wants tools, prompts and resources that askd does not have, so it talks to a\n\
         [fixture](../../tests/examples/mcp_fixture/main.rs) that offers them over what askd serves its own tool with: the \
         same HTTP\nserver and guard, tokens, streams and cancels.\n"
    );
    for (revision, scenarios) in said {
        let scored = scenarios
            .iter()
            .filter(|(_, scenario)| scenario.not_scored.is_none());
        let scored: Vec<_> = scored.collect();
        let passed = scored.iter().filter(|(_, scenario)| scenario.failed == 0).count();
        // A `String` takes all text.
        let _ = write!(
            text,
            "\n## {revision}\n\nOf {} scenarios that the revision requires, {passed} pass.\n\n\
             | scenario | checks passed | failed |\n|---|---|---|\n",
            scored.len()
        );
        for (name, scenario) in scenarios {
            let _ = writeln!(text, "| {name} | {} | {} |", scenario.passed, remark(scenario));
        }
    }
    let expected: BTreeMap<&str, &str> = REVISIONS
        .into_iter()
        .filter_map(|(revision, file)| Some((revision, file?)))
        .collect();
    text.push_str("\nWhy what is expected to fail does:");
    for (revision, file) in expected {
        let _ = write!(text, " [{revision}](../../{file})");
    }
    text.push_str(
        ".\nWhat is not scored is an extension, or younger than its revision, or not passed by the suite's own \
         reference.\naskd implements no extension.\n",
    );
    text
}

fn remark(scenario: &Scenario) -> String {
    let failed = scenario.failed.to_string();
    match (&scenario.not_scored, scenario.expected) {
        (Some(why), _) => format!("{failed}, not scored: {why}"),
        (None, true) if scenario.failed == 0 => "0, one warning expected".to_owned(),
        (None, true) => format!("{failed}, expected"),
        (None, false) => failed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = "\
=== Running scenario: ping ===
Running client scenario 'ping' against server: http://127.0.0.1:1/mcp

=== SUMMARY ===
✓ ping: 2 passed, 0 failed
✗ tools-call-sampling: 1 passed, 1 failed
✓ server-sse-multiple-streams: 0 passed, 0 failed
✗ tasks-lifecycle: 1 passed, 8 failed

Total: 4 passed, 9 failed

Expected failures (in baseline):
  ~ tools-call-sampling
  ~ server-sse-multiple-streams:server-sse-multiple-streams-session
";

    const REQUIRED: &str = "\
server:
  - ping

not_scored:
  - scenario: tasks-lifecycle
    leg: server
    reason: extension
    note: >-
      of another extension
";

    #[test]
    fn the_summary_is_read_with_what_is_expected_and_what_does_not_count() {
        let mut said = read(PRINTED);
        for (name, why) in not_scored(REQUIRED) {
            named(&mut said, &name).expect("it was run").not_scored = Some(why);
        }

        let remarks: Vec<_> = said
            .iter()
            .map(|(name, scenario)| (name.as_str(), scenario.passed, remark(scenario)))
            .collect();
        assert_eq!(
            remarks,
            [
                ("ping", 2, "0".to_owned()),
                ("tools-call-sampling", 1, "1, expected".to_owned()),
                (
                    "server-sse-multiple-streams",
                    0,
                    "0, one warning expected".to_owned()
                ),
                ("tasks-lifecycle", 1, "8, not scored: extension".to_owned()),
            ]
        );
    }

    #[test]
    fn the_table_counts_what_is_required() {
        let table = table(&[("2026-07-28", read(PRINTED))]);

        assert!(
            table.contains("Of 4 scenarios that the revision requires, 2 pass."),
            "{table}"
        );
        assert!(table.contains("| ping | 2 | 0 |\n"), "{table}");
    }

    #[test]
    fn what_printed_no_summary_said_nothing() {
        assert_eq!(read("Error: connect ECONNREFUSED\n"), Said::new());
    }
}
