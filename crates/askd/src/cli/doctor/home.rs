//! What belongs to askd itself: its configuration, state directory, tokens and database, and the daemon.

use std::{io, path::Path};

use askd_core::channel::Finding;

use super::{bad, good, note};
use crate::{
    cli::{Context, people::PeopleView},
    client::{CallError, Caller, Client, Reach},
    config::{Config, GENERATED, reason},
    out::plain,
    state::{NoToken, State, read_token},
    view,
};

/// What is good once askd has been started, and not there before.
const START: &str = "the first start makes it: askd serve";

/// Looks at all of it. Returns what the daemon knows of people too, if one runs.
pub(super) async fn look(
    reach: &Reach,
    config: &Config,
    context: &Context,
) -> (Vec<Finding>, Option<PeopleView>) {
    let mut findings = vec![good(
        "configuration",
        config.file.as_ref().map_or_else(
            || "no file, the defaults hold".to_owned(),
            |file| file.display().to_string(),
        ),
    )];
    match context.state() {
        Ok(state) => {
            findings.push(state_directory(state.path()));
            findings.extend(tokens(state));
            let database = config.store.clone().unwrap_or_else(|| state.database());
            findings.push(self::database(&database));
        }
        Err(error) => findings.push(bad("state", format!("{error:#}"), "see askd serve --help")),
    }
    match context.client(reach, Caller::Operator) {
        Ok(client) => {
            let (found, people) = daemon(&client).await;
            findings.push(found);
            (findings, people)
        }
        // Without a token nobody can be asked; that it is not there yet was told above.
        Err(error) if error.downcast_ref::<NoToken>().is_some() || !has_started(context) => (findings, None),
        Err(error) => {
            findings.push(bad("daemon", format!("{error:#}"), "see askd doctor --help"));
            (findings, None)
        }
    }
}

fn has_started(context: &Context) -> bool {
    context.state().is_ok_and(|state| state.url().is_some())
}

fn state_directory(path: &Path) -> Finding {
    let shown = path.display();
    if !path.exists() {
        return note("state", format!("{shown} is not there yet"), START);
    }
    // A file without a name, gone when it is closed.
    match tempfile::tempfile_in(path) {
        Ok(_) => good("state", shown.to_string()),
        Err(error) => bad(
            "state",
            format!("{shown} cannot be written: {}", reason(&error)),
            "let the user that askd runs as write there, or name another with --state-dir",
        ),
    }
}

fn tokens(state: &State) -> Vec<Finding> {
    let names = GENERATED.map(|(name, _)| format!("{name}.token"));
    let mut findings = Vec::new();
    for (name, file) in GENERATED.iter().map(|(name, _)| name).zip(&names) {
        let Err(error) = read_token(&state.token_file(name)) else {
            continue;
        };
        let is_missing = error
            .downcast_ref::<NoToken>()
            .is_some_and(|missing| missing.source.kind() == io::ErrorKind::NotFound);
        findings.push(if is_missing {
            note(file, "is not there yet", START)
        } else {
            bad(
                file,
                format!("{error:#}"),
                "commands of this machine use it; run doctor as the user that askd runs as",
            )
        });
    }
    if findings.is_empty() {
        findings.push(good("tokens", names.join(", ")));
    }
    findings
}

fn database(path: &Path) -> Finding {
    let shown = path.display();
    if !path.exists() {
        return note("database", format!("{shown} is not there yet"), START);
    }
    match askd_store_sqlite::inspect(path) {
        Ok(()) => good("database", shown.to_string()),
        Err(error) => bad(
            "database",
            error.to_string(),
            "askd does not start before that is done",
        ),
    }
}

/// Whether the daemon runs and works, and what it knows of people.
async fn daemon(client: &Client) -> (Finding, Option<PeopleView>) {
    let finding = match client.get(&["readyz"], &[]).await {
        Ok(_) => good("daemon", format!("runs at {}", client.base())),
        Err(CallError::Unreachable { base }) => {
            return (
                note("daemon", format!("none runs at {base}"), "start it: askd serve"),
                None,
            );
        }
        Err(CallError::Problem(problem)) => bad(
            "daemon",
            plain(&problem.to_string()),
            "see below, and its log: it says so in the line where it happened",
        ),
        Err(error) => bad("daemon", error.to_string(), "see what listens there, and its log"),
    };
    let people = client.get(&["v1", "people"], &[]).await.ok();
    (finding, people.and_then(|people| view::read(&people).ok()))
}
