//! What the tests need beside the Rust toolchain, and installing it.
//!
//! The documentation shows how to ask askd from a shell, from Python and from TypeScript, and a test runs those
//! examples as they stand. So it needs `curl`, `jq`, `python3`, `node` and the TypeScript compiler. Stories use the
//! panel in a real browser, so they need Chromium and its driver, put askd behind a real proxy, so they need nginx and
//! `openssl`, and record what it writes and syncs with `strace`. As root on Debian the missing ones are installed; elsewhere the task says what to install.
//!
//! The contract with the tests: [`NODE_TOOLS_VARIABLE`] names a folder whose `node_modules` holds the packages of
//! [`NODE_PACKAGES`]. Tests that find it unset take `target/xtask/node` in the workspace, so that a plain
//! `cargo test` works once this has run, and a test that finds its tool missing fails with "run `cargo xtask test`
//! once: it installs what the tests need". It never passes without having run.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, ensure};

use crate::{
    npm::{self, Scripts},
    step,
};

/// Tells tests where the packages for Node are.
pub(crate) const NODE_TOOLS_VARIABLE: &str = "ASKD_TEST_NODE_TOOLS";

/// Pinned, so that an example which passes today passes tomorrow. The types are those of the oldest Node that the
/// tests accept, so an example cannot use what only a newer one has.
const NODE_PACKAGES: [(&str, &str); 2] = [("typescript", "5.9.3"), ("@types/node", "18.19.130")];

/// A command that tests start.
struct Tool {
    /// As typed.
    command: &'static str,
    /// What it is asked. If it is there, it answers.
    asked: &'static [&'static str],
    /// The Debian package that brings it.
    package: &'static str,
    /// The oldest major version that will do; 0 takes any.
    oldest: u32,
}

impl Tool {
    fn line(&self) -> String {
        format!("{} {}", self.command, self.asked.join(" "))
    }
}

const VERSION: &[&str] = &["--version"];

const CURL: Tool = Tool {
    command: "curl",
    asked: VERSION,
    package: "curl",
    oldest: 0,
};
const JQ: Tool = Tool {
    command: "jq",
    asked: VERSION,
    package: "jq",
    oldest: 0,
};
const PYTHON: Tool = Tool {
    command: "python3",
    asked: VERSION,
    package: "python3",
    oldest: 3,
};
/// 18 is the first with `fetch`, and what Debian 12 has.
const NODE: Tool = Tool {
    command: "node",
    asked: VERSION,
    package: "nodejs",
    oldest: 18,
};
const CHROMIUM: Tool = Tool {
    command: "chromium",
    asked: VERSION,
    package: "chromium",
    oldest: 0,
};
/// Of the same version as Chromium, which Debian sees to.
const CHROMEDRIVER: Tool = Tool {
    command: "chromedriver",
    asked: VERSION,
    package: "chromium-driver",
    oldest: 0,
};
/// Only to ask for fonts.
const FONTCONFIG: Tool = Tool {
    command: "fc-list",
    asked: VERSION,
    package: "fontconfig",
    oldest: 0,
};
/// Letters for Persian, without which its pictures show boxes.
const FONTS: Tool = Tool {
    command: "fc-list",
    asked: &[":lang=fa", "family"],
    package: "fonts-noto-core",
    oldest: 0,
};
/// Stories put askd behind it. It answers on stderr.
const NGINX: Tool = Tool {
    command: "nginx",
    asked: &["-v"],
    package: "nginx-light",
    oldest: 0,
};
/// A story records with it what the program writes and syncs.
const STRACE: Tool = Tool {
    command: "strace",
    asked: VERSION,
    package: "strace",
    oldest: 0,
};
/// Makes the certificate that stories give to it.
const OPENSSL: Tool = Tool {
    command: "openssl",
    asked: &["version"],
    package: "openssl",
    oldest: 0,
};
/// Builds the fuzzer, which is C++.
const CPP: Tool = Tool {
    command: "g++",
    asked: VERSION,
    package: "g++",
    oldest: 0,
};
/// Only to make a folder of Python's packages.
const VENV: Tool = Tool {
    command: "python3",
    asked: &["-c", "import venv, ensurepip; print('venv')"],
    package: "python3-venv",
    oldest: 0,
};
/// Only to install the packages for Node.
const NPM: Tool = Tool {
    command: "npm",
    asked: VERSION,
    package: "npm",
    oldest: 0,
};

/// The folder whose `node_modules` the tests use.
pub(crate) fn node_tools(root: &Path) -> PathBuf {
    root.join("target/xtask/node")
}

/// Installs what is missing; under a second where nothing is.
pub(crate) fn install_missing(root: &Path) -> anyhow::Result<()> {
    let folder = node_tools(root);
    let mut needed = vec![
        CURL,
        JQ,
        PYTHON,
        NODE,
        CHROMIUM,
        CHROMEDRIVER,
        NGINX,
        OPENSSL,
        STRACE,
    ];
    if !npm::has(&folder, &NODE_PACKAGES) {
        needed.push(NPM);
    }
    have(&needed)?;
    npm::install(&folder, &NODE_PACKAGES, Scripts::Skipped)
        .context("the tests of the TypeScript examples need the compiler")
}

/// Installs what `cargo xtask web` needs and is missing.
pub(crate) fn install_for_web() -> anyhow::Result<()> {
    have(&[NODE, NPM, CHROMIUM, FONTCONFIG, FONTS])
}

/// Installs what `cargo xtask fuzz` needs and is missing.
pub(crate) fn install_for_fuzz() -> anyhow::Result<()> {
    have(&[CPP])
}

/// Installs what `cargo xtask schemathesis` needs and is missing.
pub(crate) fn install_for_schemathesis() -> anyhow::Result<()> {
    have(&[PYTHON, VENV])
}

/// Installs those that are missing, and demands that all run.
fn have(needed: &[Tool]) -> anyhow::Result<()> {
    let missing: Vec<&Tool> = needed.iter().filter(|tool| version(tool).is_none()).collect();
    if !missing.is_empty() {
        install(&missing)?;
    }
    for tool in needed {
        check(tool, version(tool).as_deref())?;
    }
    Ok(())
}

/// What `tool` answers, mostly its version; `None` if it is not there, does not run, or says nothing.
fn version(tool: &Tool) -> Option<String> {
    let output = Command::new(tool.command)
        .args(tool.asked)
        .stdin(Stdio::null())
        .output()
        .ok()?;
    // Some write it to stderr.
    let said = if output.stdout.is_empty() {
        output.stderr
    } else {
        output.stdout
    };
    (output.status.success() && !said.is_empty()).then(|| String::from_utf8_lossy(&said).into_owned())
}

/// Whether a tool that says this of its version will do.
fn check(tool: &Tool, version: Option<&str>) -> anyhow::Result<()> {
    let version = version
        .with_context(|| format!("`{}` fails, although {} was installed", tool.line(), tool.package))?;
    ensure!(
        tool.oldest == 0 || major(version).is_some_and(|major| major >= tool.oldest),
        "{} {} or newer is needed, and this machine has {}",
        tool.command,
        tool.oldest,
        version.trim()
    );
    Ok(())
}

/// The first number in a text such as `v18.20.4` or `Python 3.11.2`.
fn major(version: &str) -> Option<u32> {
    let digits = version.trim_start_matches(|c: char| !c.is_ascii_digit());
    digits.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

fn install(missing: &[&Tool]) -> anyhow::Result<()> {
    let packages: Vec<&str> = missing.iter().map(|tool| tool.package).collect();
    ensure!(is_root() && has_apt(), cannot_install(&packages));
    let mut update = apt();
    // A list that cannot be refreshed may still be good enough: whether the installation works is what counts.
    if let Err(error) = step::finish(update.args(["-q", "update"])) {
        eprintln!("xtask: {error:#}; going on with the package lists as they are");
    }
    step::finish(
        apt()
            .args(["-q", "-y", "--no-install-recommends", "install"])
            .args(&packages),
    )
    .with_context(|| format!("the tests need {}", packages.join(", ")))
}

fn cannot_install(packages: &[&str]) -> String {
    format!(
        "the tests need what this machine lacks, and only root on Debian can have it installed here; install it \
         yourself, then run this again: {}",
        packages.join(", ")
    )
}

fn apt() -> Command {
    let mut command = Command::new("apt-get");
    command
        .env("DEBIAN_FRONTEND", "noninteractive")
        .stdin(Stdio::null());
    command
}

fn has_apt() -> bool {
    apt()
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success())
}

fn is_root() -> bool {
    Command::new("id")
        .arg("-u")
        .output()
        .is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read_from_what_each_tool_says() {
        for (said, wanted) in [
            ("v18.20.4\n", Some(18)),
            ("Python 3.11.2\n", Some(3)),
            ("curl 7.88.1 (x86_64-pc-linux-gnu) libcurl/7.88.1", Some(7)),
            ("unknown", None),
            ("", None),
        ] {
            assert_eq!(major(said), wanted, "{said:?}");
        }
    }

    #[test]
    fn a_tool_too_old_is_refused_with_both_versions() {
        let refusal = check(&NODE, Some("v16.20.2\n"))
            .expect_err("16 has no fetch")
            .to_string();

        assert_eq!(
            refusal,
            "node 18 or newer is needed, and this machine has v16.20.2"
        );
        check(&NODE, Some("v18.0.0\n")).expect("the oldest that will do");
        check(&CURL, Some("anything")).expect("any version will do");
    }

    #[test]
    fn a_tool_that_still_does_not_run_is_named() {
        let refusal = check(&PYTHON, None).expect_err("it does not run").to_string();

        assert!(refusal.contains("python3 --version"), "{refusal}");
    }

    #[test]
    fn without_root_every_missing_package_is_named() {
        assert!(cannot_install(&["nodejs", "npm"]).ends_with(": nodejs, npm"));
    }
}
