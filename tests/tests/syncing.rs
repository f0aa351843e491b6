//! What was acknowledged had been synced before.
//!
//! A kill keeps what the kernel holds, a power cut does not. So the real program runs under `strace`, which records in
//! their order what is written to the database and its log, what is synced, and what is sent: the answers to agents and
//! to people over HTTP, and what people on Telegram read on their taps. For each acknowledgement the files are then made
//! anew from nothing but what was synced before it was sent, the store opens them, and what was acknowledged has to be
//! there; once more with half of what was not synced yet, its last write torn.
//!
//! `strace` and not a VFS of our own below SQLite: that needs no unsafe code, sees the sends on the sockets in the same
//! order, and watches the very program that people run. It has to be allowed to trace its own children, as everywhere but
//! in some locked-down containers; where it may not, this fails and says so.
//!
//! A control leaves out the last sync before each acknowledgement: then things have to be missing, or nothing would have
//! been shown.

mod disk;
mod trace;

use std::{fs, net::Ipv4Addr, path::PathBuf, thread};

use askd_core::{id::AskId, store::Store as _};
use askd_store_sqlite::{Options, SqliteStore};
use askd_stories::{Api, Home, Running, program, question};
use serde_json::{Value, json};

use self::{
    disk::{Disk, Files},
    trace::{Event, Sent},
};
use crate::{
    alone,
    stage::{Scene, runtime, telegram},
};

/// Callers at once, so that commits hold the writes of several, and asks of each.
const CALLERS: usize = 4;
const ASKS: usize = 25;

/// Asks that are answered by a tap.
const TAPS: usize = 6;

/// Most acknowledgements that are checked, evenly among all.
const CHECKED: usize = 150;

/// Of how many that are checked one is controlled.
const CONTROLLED: usize = 6;

/// Something askd has said that is so.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fact {
    /// There is an ask of this id.
    Asked(AskId),
    /// The ask that has this value as an option, or that was given it, was answered with it.
    Answered(String),
}

#[test]
fn what_was_acknowledged_had_been_synced_before() {
    let _alone = alone();
    let home = Home::new();
    let strace = may_trace(&home);
    let runtime = runtime();
    let scene = Scene::open(telegram::start, &runtime);
    home.configure(&format!(
        "{}{}[tokens.of-sara]\nrole = \"person\"\nperson = \"sara\"\ntoken = \"secret-of-sara-herself\"\n\
         [limits]\nmax_pending = 10000\nrequests_per_second = 10000\n",
        scene.section(),
        scene.sara().section()
    ));
    // The first start makes the file, and its stop merges the log into it: the trace begins with one whole file.
    home.serve().process.stop();
    let base = fs::read(home.state().join("askd.db")).unwrap();
    assert!(!home.state().join("askd.db-wal").exists());

    let record = home.path("trace");
    let mut traced = trace(&home, &strace, &record);
    work(&home, &scene, &traced.url);
    traced.process.kill();

    let text = fs::read_to_string(&record).unwrap();
    let checked = check(base, &trace::events(&text));
    println!("{checked:#?}");
    checked.demand();
}

struct Traced {
    process: Running,
    url: String,
}

/// Where `strace` is.
fn may_trace(home: &Home) -> PathBuf {
    let strace = PathBuf::from("/usr/bin/strace");
    assert!(
        strace.exists(),
        "there is no strace; run `cargo xtask test` once: it installs what the tests need"
    );
    let mut command = home.foreign(&strace);
    let left = Running::start(command.args(["-f", "-o", "/dev/null", "/bin/true"]), "").end();
    assert_eq!(
        left.code, 0,
        "strace may not trace here (a container needs the capability SYS_PTRACE, or a seccomp profile that lets ptrace \
         through): {}",
        left.stderr
    );
    strace
}

/// Starts askd with `strace` beside it, which ends when askd does.
fn trace(home: &Home, strace: &PathBuf, record: &PathBuf) -> Traced {
    const CALLS: &str = "trace=pwrite64,pwritev,write,writev,sendto,sendmsg,fdatasync,fsync,ftruncate";
    let mut command = home.foreign(strace);
    command
        .args([
            "-D",
            "-f",
            "--seccomp-bpf",
            "-y",
            "-xx",
            "-s",
            "200000",
            "-e",
            CALLS,
            "-o",
        ])
        .arg(record)
        .arg(program())
        .args(["serve", "--json", "--listen"])
        .arg(format!("{}:0", Ipv4Addr::LOCALHOST));
    let mut process = Running::start(&mut command, "");
    let line = process.next_line();
    let told: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("it did not start: {process}"));
    Traced {
        url: told["url"].as_str().unwrap().to_owned(),
        process,
    }
}

/// Agents ask, and people answer over HTTP and by taps.
fn work(home: &Home, scene: &Scene, url: &str) {
    let agent = Api::new(url, &home.secret("agent"));
    let sara = Api::new(url, "secret-of-sara-herself");
    thread::scope(|scope| {
        for caller in 0..CALLERS {
            let (agent, sara) = (agent.again(), sara.again());
            scope.spawn(move || {
                for n in 0..ASKS {
                    let id = agent.ask(&body(&format!("{caller}-{n}"))).id();
                    let answers = json!({ "answers": { "target": [format!("own-{caller}-{n}")] } });
                    let receipt = sara.post(&format!("/v1/asks/{id}/answers"), &answers);
                    assert_eq!(receipt.body["receipt"], "settled", "{receipt:?}");
                }
            });
        }
    });
    for n in 0..TAPS {
        let id = agent.ask(&body(&format!("tap-{n}"))).id();
        let label = format!("opt-tap-{n}");
        scene.until(&label, || {
            let mut seen = scene.sara().sees().into_iter().flat_map(|seen| seen.buttons);
            seen.any(|button| button.label.contains(&label)).then_some(())
        });
        scene.sara().taps(&label).is_told(&label);
        assert_eq!(agent.read(&id)["status"], "answered");
    }
}

fn body(name: &str) -> Value {
    let labels = [format!("opt-{name}"), format!("alt-{name}")];
    json!({ "questions": [question("target", &[&labels[0], &labels[1]])] })
}

/// What askd says by this.
fn said(sent: &Sent) -> Option<Fact> {
    let text = String::from_utf8_lossy(&sent.data);
    if text.starts_with("HTTP/1.1 20") {
        let body = text.split("\r\n\r\n").nth(1)?;
        let body: Value = serde_json::from_str(body).ok()?;
        if let Some(id) = body["id"].as_str() {
            return AskId::parse(id).map(Fact::Asked);
        }
        let settled = (body["receipt"] == "settled").then(|| &body["stored"]["target"][0])?;
        return settled.as_str().map(|value| Fact::Answered(value.to_owned()));
    }
    let value = text.split("Your answer: ").nth(1)?;
    let from = value.find("opt-tap-")?;
    let end = value[from..]
        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
        .map_or(value.len(), |end| from + end);
    Some(Fact::Answered(value[from..end].to_owned()))
}

/// What was looked at, and what was missing.
#[derive(Debug, Default)]
struct Checked {
    acknowledged: usize,
    by_tap: usize,
    syncs: usize,
    looked_at: usize,
    torn: usize,
    /// Facts that were not there.
    missing: Vec<String>,
    /// How often the last sync was left out, and how many of these facts were not there then.
    controlled: usize,
    missing_without_the_last_sync: usize,
    /// Whether the directory was synced once the log stood in it, before anything was acknowledged.
    log_is_in_its_folder: bool,
}

impl Checked {
    fn demand(&self) {
        assert!(self.missing.is_empty(), "{:#?}", self.missing);
        assert!(
            self.log_is_in_its_folder,
            "the folder with the log was not synced"
        );
        assert!(self.acknowledged >= CALLERS * ASKS * 2 && self.looked_at >= 100);
        assert!(self.by_tap >= TAPS, "taps were not seen");
        assert!(self.torn > 0, "nothing was ever under way");
        assert!(
            self.missing_without_the_last_sync > 0,
            "without the last sync nothing was missing either: the check sees nothing"
        );
    }
}

fn check(base: Vec<u8>, events: &[Event]) -> Checked {
    let facts: Vec<(usize, Fact)> = events
        .iter()
        .enumerate()
        .filter_map(|(at, event)| match event {
            Event::Sends(sent) => Some((at, said(sent)?)),
            _ => None,
        })
        .collect();
    let every = facts.len().div_ceil(CHECKED).max(1);
    let mut chosen = facts.iter().step_by(every).peekable();
    let mut checked = Checked {
        acknowledged: facts.len(),
        by_tap: facts
            .iter()
            .filter(|(_, fact)| matches!(fact, Fact::Answered(value) if value.starts_with("opt-tap")))
            .count(),
        ..Checked::default()
    };
    let mut disk = Disk::new(base);
    for (at, event) in events.iter().enumerate() {
        disk.take(event);
        if chosen.peek().is_none_or(|(chosen, _)| *chosen != at) {
            continue;
        }
        let Some((_, fact)) = chosen.next() else { break };
        if checked.looked_at == 0 {
            checked.log_is_in_its_folder = disk.folder_synced;
        }
        checked.looked_at += 1;
        if !holds(&disk.synced(), fact) {
            checked.missing.push(format!("{fact:?}, by what was synced"));
        }
        if let Some(torn) = disk.torn() {
            checked.torn += 1;
            if !holds(&torn, fact) {
                checked
                    .missing
                    .push(format!("{fact:?}, with a torn write behind it"));
            }
        }
        if checked.looked_at.is_multiple_of(CONTROLLED) {
            checked.controlled += 1;
            checked.missing_without_the_last_sync += usize::from(!holds(&disk.before_the_last_sync(), fact));
        }
    }
    checked.syncs = disk.syncs;
    checked
}

/// Whether a store that opens these files knows it.
fn holds(files: &Files, fact: &Fact) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("askd.db");
    fs::write(&path, &files.database).unwrap();
    fs::write(folder.path().join("askd.db-wal"), &files.log).unwrap();
    let store = SqliteStore::open(&path, Options::default());
    let store = store.unwrap_or_else(|error| panic!("{fact:?}: {error}"));
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        match fact {
            Fact::Asked(id) => store.get(*id).await.unwrap().is_some(),
            Fact::Answered(value) => {
                let filter = askd_core::store::Filter {
                    owner: None,
                    answerer: None,
                    status: Some("answered".to_owned()),
                    session: None,
                    before: None,
                    limit: usize::MAX,
                };
                let answered = store.list(&filter).await.unwrap();
                answered.iter().any(|record| {
                    let result = askd_core::result::AgentResult::of(&record.ask);
                    let result = serde_json::to_value(result).unwrap();
                    result["answers"]["answers"]["target"][0] == *value
                })
            }
        }
    })
}
