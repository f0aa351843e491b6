//! The programs in the guides run as they are printed, and what askd says of a platform stands in that platform's guide.
//!
//! A program that is marked `<!-- run: NAME -->` is taken out of `docs/agents/http.md` and run against a daemon that
//! is restarted while it waits; then a person answers. What it needs beside Rust, `cargo xtask test` installs.

use std::{
    collections::BTreeSet,
    fs,
    os::unix::process::CommandExt as _,
    path::{Path, PathBuf},
    process::Command,
};

use askd_stories::{Askd, Home, Running};
use regex::Regex;
use serde_json::{Value, json};

const GUIDE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/agents/http.md");

/// Programs by the name in their mark.
fn programs() -> Vec<(String, String)> {
    let guide = fs::read_to_string(GUIDE).unwrap();
    let marked = guide.split("<!-- run: ").skip(1);
    marked
        .map(|rest| {
            let (name, rest) = rest.split_once(" -->\n").expect("a mark ends its line");
            let (_, rest) = rest.split_once('\n').expect("a fence follows");
            let (program, _) = rest.split_once("\n```").expect("the fence is closed");
            (name.to_owned(), format!("{program}\n"))
        })
        .collect()
}

fn program(name: &str) -> String {
    let found = programs().into_iter().find(|(marked, _)| marked == name);
    found.expect("it is in the guide").1
}

#[test]
fn what_a_channel_warns_of_is_explained_in_its_guide() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for channel in ["telegram", "discord", "slack"] {
        let sources = sources(&repository.join(format!("crates/channel-{channel}/src")));
        let guide = repository.join(format!("docs/channels/{channel}.md"));
        let guide = fs::read_to_string(guide).unwrap();
        let warnings: BTreeSet<String> = sources.iter().flat_map(|source| warnings(source)).collect();

        assert!(warnings.len() > 5, "{channel}: {warnings:?}");
        let unexplained: Vec<_> = warnings
            .iter()
            .filter(|warning| !guide.contains(&format!("`{warning}`")))
            .collect();
        assert!(unexplained.is_empty(), "{channel}: {unexplained:?}");
    }
}

/// Every source below this folder.
fn sources(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let read = |path: PathBuf| {
        if path.is_dir() {
            sources(&path)
        } else {
            vec![fs::read_to_string(path).unwrap()]
        }
    };
    entries.flat_map(read).collect()
}

/// The messages that are logged as a warning or an error: the last text of each such call.
fn warnings(source: &str) -> Vec<String> {
    let call = Regex::new(r#"(?s)tracing::(?:warn|error)!\(.*?"([^"]*)",?\s*\)"#).unwrap();
    let calls = call.captures_iter(source);
    calls.map(|call| call[1].to_owned()).collect()
}

#[test]
fn every_program_that_is_marked_is_run_here() {
    let marked: Vec<String> = programs().into_iter().map(|(name, _)| name).collect();

    assert_eq!(marked, ["curl", "python", "typescript"]);
    let distinct: BTreeSet<&String> = marked.iter().collect();
    assert_eq!(distinct.len(), marked.len());
}

#[test]
fn the_shell_script_waits_through_a_restart_prints_the_answer_and_takes_back() {
    for tool in ["curl", "jq"] {
        needs(tool);
    }
    tells_its_story(|home| {
        let script = home.write("ask.sh", &program("curl"));
        let mut command = tool(home, "sh");
        command.arg(script);
        command
    });
}

#[test]
fn the_python_program_waits_through_a_restart_prints_the_answer_and_takes_back() {
    needs("python3");
    tells_its_story(|home| {
        let script = home.write("ask.py", &program("python"));
        let mut command = tool(home, "python3");
        command.arg(script);
        command
    });
}

#[test]
fn the_typescript_program_waits_through_a_restart_prints_the_answer_and_takes_back() {
    needs("node");
    let home = Home::new();
    let compiled = compiled(&home);
    tells_its_story(|home| {
        let mut command = tool(home, "node");
        command.arg(&compiled);
        command
    });
}

/// Compiles the TypeScript program with every check on.
fn compiled(home: &Home) -> PathBuf {
    let tools = node_tools();
    let compiler = tools.join("node_modules/typescript/bin/tsc");
    let types = tools.join("node_modules/@types");
    assert!(compiler.exists() && types.join("node").exists(), "{INSTALL}");
    let source = home.write("ask.ts", &program("typescript"));
    let mut command = tool(home, "node");
    command
        .arg(compiler)
        .args(["--strict", "--target", "es2022", "--module", "commonjs"])
        .args(["--types", "node", "--typeRoots"])
        .arg(types)
        .arg(&source);
    let left = Running::start(&mut command, "").end();
    assert_eq!((left.code, left.stdout.as_str()), (0, ""), "{left:?}");
    source.with_extension("js")
}

/// Runs a program to its answer, through a restart of the daemon, and once more until it is interrupted.
fn tells_its_story(program: impl Fn(&Home) -> Command) {
    waits_through_a_restart(&program);
    takes_back(&program);
}

fn waits_through_a_restart(program: impl Fn(&Home) -> Command) {
    let home = Home::new();
    let mut askd = serve(&home);
    let (id, mut asking) = ask(&home, &mut askd, program);

    askd.process.stop();
    let askd = serve(&home);
    let receipt = askd.operator.reply(&id, "2");

    assert_eq!(receipt["receipt"], "settled", "{receipt}");
    let left = asking.end();
    // What stderr says of the daemon that was away is as it may be.
    assert_eq!(left.code, 0, "{left:?}");
    assert_eq!(left.json(), json!({ "deploy_target": ["Production"] }));
}

fn takes_back(program: impl Fn(&Home) -> Command) {
    let home = Home::new();
    let mut askd = serve(&home);
    let (id, mut asking) = ask(&home, &mut askd, program);

    asking.interrupt_group();

    let left = asking.end();
    assert_ne!(left.code, 0, "{left:?}");
    assert_eq!(askd.agent.read(&id)["status"], "cancelled", "{left:?}");
}

/// A daemon that tells of every request.
fn serve(home: &Home) -> Askd {
    home.serve_with(&[("ASKD_LOG", "debug")], &[])
}

/// Starts the program; returns the id of what it asks, once it waits.
fn ask(home: &Home, askd: &mut Askd, program: impl Fn(&Home) -> Command) -> (String, Running) {
    let mut command = program(home);
    command
        .env("ASKD_URL", &askd.url)
        .env("ASKD_TOKEN", home.secret("agent"))
        // As in a terminal, where Ctrl-C goes to the program and all it has started.
        .process_group(0);
    let mut events = askd.operator.events();
    let asking = Running::start(&mut command, "");
    let ask: Value = events.until("asked");
    askd.process.until_it_notes("method=GET route=\"/v1/asks/{id}\"");
    (ask["id"].as_str().unwrap().to_owned(), asking)
}

const INSTALL: &str = "run `cargo xtask test` once: it installs what the tests need";

/// Fails where a tool is missing: a guide that was not run is not known to be right.
fn needs(name: &str) {
    let runs = Command::new(name).arg("--version").output();
    assert!(
        runs.is_ok_and(|output| output.status.success()),
        "there is no {name}; {INSTALL}"
    );
}

/// A tool of this machine, found as its user finds it.
#[expect(
    clippy::disallowed_methods,
    reason = "tools are where the tests' own PATH says"
)]
fn tool(home: &Home, name: &str) -> Command {
    let mut command = home.foreign(Path::new(name));
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command
}

/// Where the packages for Node are.
#[expect(
    clippy::disallowed_methods,
    reason = "`cargo xtask test` says it by a variable"
)]
fn node_tools() -> PathBuf {
    let named = std::env::var_os("ASKD_TEST_NODE_TOOLS").map(PathBuf::from);
    named.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/xtask/node"))
}
