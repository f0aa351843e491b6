//! `cargo xtask fuzz`: every target in `fuzz/`, each for so many seconds, one after the other.
//!
//! The toolchain is the workspace's own, so there is no sanitizer, which only a nightly has; askd has no unsafe code for it
//! to watch. Overflows and debug assertions are on. What a target tries and what must hold is in `fuzz/checks`; the inputs it
//! begins with are in `fuzz/seeds`, and a plain `cargo test` runs those too. What it finds beside them is kept below
//! `target/fuzz`: `corpus` for the next run, `found` for what failed. An input that failed belongs into `fuzz/seeds` with
//! the fix.

use std::{
    fmt::Write as _,
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use anyhow::{Context as _, ensure};

use crate::{
    cargo_tool::CargoTool,
    step::{self, Steps},
    tools,
};

const CARGO_FUZZ: CargoTool = CargoTool {
    name: "cargo-fuzz",
    version: "0.13.2",
};

/// A target, and its longest input in bytes: what the platform or the entrance lets through.
struct Target {
    name: &'static str,
    longest: u32,
}

const TARGETS: [Target; 7] = [
    Target {
        name: "asks",
        longest: 524_288,
    },
    Target {
        name: "config",
        longest: 65_536,
    },
    Target {
        name: "discord",
        longest: 65_536,
    },
    Target {
        name: "http",
        longest: 524_288,
    },
    Target {
        name: "reply",
        longest: 65_536,
    },
    Target {
        name: "slack",
        longest: 262_144,
    },
    Target {
        name: "telegram",
        longest: 65_536,
    },
];

/// Seconds that one input may take, by the clock on the wall: generous to a machine that has other work.
const TIMEOUT: u32 = 240;

/// Longest that a target may need beyond its seconds: to read its corpus, and to end.
const GRACE: Duration = Duration::from_mins(6);

/// What came of one target.
#[derive(Debug, Default, PartialEq, Eq)]
struct Run {
    tried: u64,
    /// Edges of the program that were reached.
    coverage: u64,
    /// Inputs that each reach something of their own.
    corpus: u64,
    /// Seconds that the slowest input took.
    slowest: u64,
    /// Inputs that failed, were too slow, or took too much memory.
    crashes: usize,
}

/// Builds all targets and runs them, or those that are named; prints a table, and fails if anything was found.
pub(crate) fn run(root: &Path, seconds: u32, only: &[String]) -> anyhow::Result<()> {
    let known = |name: &String| TARGETS.iter().any(|target| target.name == name);
    ensure!(
        only.iter().all(known),
        "there is no target of this name in fuzz/targets"
    );
    let mut steps = Steps::default();
    let mut table = Vec::new();
    let outcome = in_steps(root, seconds, only, &mut steps, &mut table);
    println!("\n{}\n{}", steps.table(), shown(&table));
    outcome?;
    let found: usize = table.iter().map(|(_, run)| run.crashes).sum();
    ensure!(found == 0, "{found} inputs failed; they are in target/fuzz/found");
    Ok(())
}

fn in_steps(
    root: &Path,
    seconds: u32,
    only: &[String],
    steps: &mut Steps,
    table: &mut Vec<(&'static str, Run)>,
) -> anyhow::Result<()> {
    let folder = root.join("target/fuzz");
    steps.run("tools", tools::install_for_fuzz)?;
    let programs = steps.run("fuzzer", || CARGO_FUZZ.folder(root))?;
    steps.run("build", || build(root, &programs, &folder))?;
    for Target { name, longest } in TARGETS {
        if only.is_empty() || only.iter().any(|wanted| wanted == name) {
            let run = steps.run(name, || one(root, &folder, name, longest, seconds))?;
            table.push((name, run));
        }
    }
    Ok(())
}

fn build(root: &Path, programs: &Path, folder: &Path) -> anyhow::Result<()> {
    let mut build = step::cargo(root, &["fuzz", "build", "--dev", "--sanitizer", "none"]);
    build
        .env("PATH", step::path_with(programs)?)
        .args(["--fuzz-dir", "fuzz", "--target-dir"])
        .arg(folder)
        .stdin(Stdio::null());
    step::finish(&mut build)
}

fn one(root: &Path, folder: &Path, name: &str, longest: u32, seconds: u32) -> anyhow::Result<Run> {
    let (corpus, found) = (folder.join("corpus").join(name), folder.join("found").join(name));
    for folder in [&corpus, &found] {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let before = files(&found)?;
    let log: PathBuf = folder.join(format!("{name}.txt"));
    let mut fuzz = Command::new("nice");
    fuzz.args(["-n", "10"])
        .arg(program(folder, name)?)
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-max_len={longest}"))
        .arg(format!("-timeout={TIMEOUT}"))
        .arg(format!("-report_slow_units={TIMEOUT}"))
        .arg("-rss_limit_mb=2048")
        .arg("-print_final_stats=1")
        // Inputs that are read for their time take long by nature, and would leave none for the others.
        .arg("-entropic_scale_per_exec_time=1")
        .arg(format!(
            "-dict={}",
            root.join("fuzz/dictionaries")
                .join(format!("{name}.txt"))
                .display()
        ))
        .arg(format!("-artifact_prefix={}/", found.display()))
        .arg(&corpus)
        .arg(root.join("fuzz/seeds").join(name))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(File::create(&log)?);
    // That it found something shows by what it wrote there, and the other targets are run all the same.
    let ended = step::finish_within(&mut fuzz, Duration::from_secs(seconds.into()) + GRACE);
    let mut run = read(&String::from_utf8_lossy(&fs::read(&log)?));
    run.crashes = files(&found)? - before;
    ensure!(
        run.tried > 0 && (ended.is_ok() || run.crashes > 0),
        "{name} did not run; see {}",
        log.display()
    );
    Ok(run)
}

/// Where cargo put it: below the name of this machine's kind.
fn program(folder: &Path, name: &str) -> anyhow::Result<PathBuf> {
    let kinds = fs::read_dir(folder)?.filter_map(Result::ok);
    let mut programs = kinds.map(|kind| kind.path().join("debug").join(name));
    programs
        .find(|program| program.is_file())
        .with_context(|| format!("cargo-fuzz built no {name}"))
}

fn files(folder: &Path) -> anyhow::Result<usize> {
    Ok(fs::read_dir(folder)?.count())
}

/// What the fuzzer said: its last line with `cov:`, and its closing figures.
fn read(said: &str) -> Run {
    let mut run = Run::default();
    for line in said.lines() {
        let mut words = line.split_whitespace();
        while let Some(word) = words.next() {
            let into = match word {
                "cov:" => &mut run.coverage,
                "corp:" => &mut run.corpus,
                "stat::number_of_executed_units:" => &mut run.tried,
                "stat::slowest_unit_time_sec:" => &mut run.slowest,
                _ => continue,
            };
            let number = words.next().and_then(|word| word.split('/').next()?.parse().ok());
            *into = number.unwrap_or(*into);
        }
    }
    run
}

fn shown(table: &[(&str, Run)]) -> String {
    let mut text = String::from(
        "| target | inputs tried | coverage | corpus | crashes | slowest input |\n|---|---|---|---|---|---|\n",
    );
    for (name, run) in table {
        let Run {
            tried,
            coverage,
            corpus,
            slowest,
            crashes,
        } = run;
        writeln!(
            text,
            "| {name} | {tried} | {coverage} | {corpus} | {crashes} | {slowest} s |"
        )
        .expect("a String takes all text");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_of_the_fuzzer_are_read_from_what_it_says_last() {
        let said = "#2\tINITED cov: 10 ft: 11 corp: 1/1b exec/s: 0 rss: 40Mb\n\
                    #900\tNEW    cov: 1200 ft: 3000 corp: 321/12Kb lim: 100 exec/s: 90 rss: 60Mb L: 9/90 MS: 1 CMP-\n\
                    stat::number_of_executed_units: 123456\n\
                    stat::slowest_unit_time_sec:    2\n";

        let run = read(said);

        let expected = Run {
            tried: 123_456,
            coverage: 1200,
            corpus: 321,
            slowest: 2,
            crashes: 0,
        };
        assert_eq!(run, expected);
        assert!(shown(&[("reply", run)]).ends_with("| reply | 123456 | 1200 | 321 | 0 | 2 s |\n"));
        assert_eq!(read("it does not start"), Run::default());
    }

    #[test]
    fn every_target_of_the_folder_is_run() {
        let root = crate::workspace().expect("cargo knows it");
        let entries = fs::read_dir(root.join("fuzz/targets")).expect("it is there");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("readable").path())
            .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
            .collect();
        names.sort();

        assert_eq!(names, TARGETS.map(|target| target.name));
    }
}
