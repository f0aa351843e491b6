//! `cargo xtask clients`: the real agents' programs, from npm, read what `askd install` writes.
//!
//! Each gets a home of its own below `target`, has askd installed into it, and lists its MCP servers; what it lists
//! must name askd. They have no account, and a proxy that is not there, so nothing leaves the machine. Outside `ci`: it
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

/// What askd calls a client, and how that lists its servers.
const CLIENTS: [(&str, [&str; 3]); 4] = [
    ("claude-code", ["claude", "mcp", "list"]),
    ("codex", ["codex", "mcp", "list"]),
    ("opencode", ["opencode", "mcp", "list"]),
    ("gemini", ["gemini", "mcp", "list"]),
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
    for (client, list) in CLIENTS {
        for scope in [&[][..], &["--project"]] {
            steps.run(client, || listed(&folder, &askd, client, scope, list))?;
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
fn listed(folder: &Path, askd: &Path, client: &str, scope: &[&str], list: [&str; 3]) -> anyhow::Result<()> {
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
            .args(["install", client, "--write", "--command", path])
            .args(scope)
            .stderr(Stdio::null()),
    )?;
    let [program, arguments @ ..] = list;
    let log: PathBuf = folder.join(format!("{client}.txt"));
    let output = File::create(&log)?;
    let mut listing = command(&npm::programs(folder).join(program))?;
    listing.args(arguments).stderr(output.try_clone()?).stdout(output);
    step::finish_within(&mut listing, LIMIT).with_context(|| format!("see {}", log.display()))?;
    let listed = fs::read_to_string(&log)?;
    let ours: Vec<&str> = listed.lines().filter(|line| line.contains("askd")).collect();
    ensure!(
        !ours.is_empty(),
        "{client} does not list askd; see {}",
        log.display()
    );
    println!("{}", ours.join("\n"));
    Ok(())
}
