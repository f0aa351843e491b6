//! `cargo xtask clients`: the real agents' programs, from npm, read what `askd install` writes.
//!
//! Each gets a home of its own below `target`, has askd installed into it, and lists its MCP servers, for which all but
//! Codex start `askd mcp` and ask it for its tools. They have no account, and a proxy that is not there, so nothing leaves the machine. Outside `ci`: it
//! needs npm, and some 800 MB of packages.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use anyhow::{Context as _, ensure};

use crate::{
    npm::{self, Scripts},
    step::{self, Steps},
};

/// The versions that `crates/askd/src/cli/install/client.rs` names, and the Node that the newest of them needs.
const PACKAGES: [(&str, &str); 5] = [
    ("@anthropic-ai/claude-code", "2.1.332"),
    ("@openai/codex", "0.171.0"),
    ("opencode-ai", "1.18.33"),
    ("@google/gemini-cli", "0.61.0"),
    ("node", "22.23.3"),
];

/// A client of the four.
struct Client {
    /// What askd calls it.
    name: &'static str,
    /// Its program, which lists its servers with `mcp list`.
    program: &'static str,
    /// What the line about askd holds: for the user, and for a project.
    says: [&'static str; 2],
}

const CLIENTS: [Client; 4] = [
    Client {
        name: "claude-code",
        program: "claude",
        // What a project brings along has to be approved first, in the program itself.
        says: ["\u{2714} Connected", "Pending approval"],
    },
    Client {
        name: "codex",
        program: "codex",
        // It lists without connecting.
        says: ["enabled", "enabled"],
    },
    Client {
        name: "opencode",
        program: "opencode",
        says: ["connected", "connected"],
    },
    Client {
        name: "gemini",
        program: "gemini",
        says: ["- Connected", "- Connected"],
    },
];

/// For one program to list its servers, which it starts and asks for their tools.
const LIMIT: Duration = Duration::from_mins(2);

/// Prints what each lists; fails where one does not know askd.
pub(crate) fn run(root: &Path) -> anyhow::Result<()> {
    let mut steps = Steps::default();
    let outcome = in_steps(root, &mut steps);
    println!("\n{}", steps.table());
    outcome
}

fn in_steps(root: &Path, steps: &mut Steps) -> anyhow::Result<()> {
    let folder = root.join("target/xtask/clients");
    steps.run("packages", || npm::install(&folder, &PACKAGES, Scripts::Run))?;
    steps.run("askd", || {
        step::finish(&mut step::cargo(root, &["build", "--quiet", "--package", "askd"]))
    })?;
    let askd = root.join("target/debug/askd");
    for client in CLIENTS {
        for (scope, says) in [&[][..], &["--project"]].into_iter().zip(client.says) {
            steps.run(client.name, || listed(&folder, &askd, &client, scope, says))?;
        }
    }
    Ok(())
}

/// Codex passes over the settings of a project that nobody said to trust.
fn trust(home: &Path, project: &Path) -> anyhow::Result<()> {
    let trusted = format!(
        "[projects.{:?}]\ntrust_level = \"trusted\"\n",
        project.display().to_string()
    );
    fs::create_dir_all(home.join(".codex"))?;
    Ok(fs::write(home.join(".codex/config.toml"), trusted)?)
}

/// Installs askd into an empty home and has the client list it.
fn listed(folder: &Path, askd: &Path, client: &Client, scope: &[&str], says: &str) -> anyhow::Result<()> {
    let home = folder.join("home");
    if home.exists() {
        fs::remove_dir_all(&home)?;
    }
    let project = home.join("project");
    fs::create_dir_all(&project)?;
    trust(&home, &project)?;
    let command = |program: &Path| -> anyhow::Result<Command> {
        let mut command = Command::new(program);
        command
            .current_dir(&project)
            .env_clear()
            .env("HOME", &home)
            .env("PATH", step::path_with(&npm::programs(folder))?)
            .env("TERM", "dumb")
            // Gemini CLI starts nothing in a folder that nobody said to trust.
            .env("GEMINI_CLI_TRUST_WORKSPACE", "true")
            .envs(["HTTP_PROXY", "HTTPS_PROXY"].map(|name| (name, "http://127.0.0.1:9")))
            .env("NO_PROXY", "127.0.0.1,localhost")
            .stdin(Stdio::null());
        Ok(command)
    };
    let path = askd.to_str().context("the workspace lies at a path of text")?;
    step::finish(
        command(askd)?
            .args(["install", client.name, "--write", "--command", path])
            .args(scope)
            .stderr(Stdio::null()),
    )?;
    let log: PathBuf = folder.join(format!("{}.txt", client.name));
    let output = File::create(&log)?;
    let mut listing = command(&npm::programs(folder).join(client.program))?;
    listing
        .args(["mcp", "list"])
        .stderr(output.try_clone()?)
        .stdout(output);
    step::finish_within(&mut listing, LIMIT).with_context(|| format!("see {}", log.display()))?;
    let listed = fs::read_to_string(&log)?;
    let ours: Vec<&str> = listed.lines().filter(|line| line.contains("askd")).collect();
    ensure!(
        ours.iter().any(|line| line.contains(says)),
        "{} does not say {says:?} of askd; see {}",
        client.name,
        log.display()
    );
    println!("{}", ours.join("\n"));
    Ok(())
}
