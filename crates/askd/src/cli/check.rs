//! `askd check`: what the configuration says, without starting anything.
//!
//! It reads files and nothing else: no socket, no platform. Every fault is printed; without one, what was understood
//! is, so that a misunderstanding shows before anybody is asked in vain.

use std::path::PathBuf;

use askd_core::{
    id::PersonName,
    people::Person,
    rights::Role,
    route::{Route, Target},
};
use clap::Args;
use serde_json::{Value, json};

use super::Context;
use crate::{
    channels,
    config::{self, BadConfig, Config, Origin, Sources},
    out::{self, Exit},
};

/// What `askd check` takes.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// The configuration file [default: as askd serve finds it]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// Prints what was understood, or every fault.
pub(super) fn run(arguments: &Arguments, context: &Context) -> anyhow::Result<Exit> {
    let sources = Sources {
        environment: context.environment.clone(),
        file: arguments.config.clone(),
        listen: None,
        kinds: channels::BUILT_IN,
    };
    match config::read(&sources) {
        Ok(config) if context.json => out::json(&as_json(&config))?,
        Ok(config) => out::line(as_text(&config))?,
        Err(bad) => return refused(&bad, context),
    }
    Ok(Exit::Done)
}

/// What every command that reads the configuration says of a bad one: each fault on a line of its own, or all as JSON.
pub(super) fn refused(bad: &BadConfig, context: &Context) -> anyhow::Result<Exit> {
    if context.json {
        out::json(&faults(bad))?;
    } else {
        for line in bad.lines() {
            out::note(line);
        }
    }
    Ok(Exit::BadConfig)
}

fn faults(bad: &BadConfig) -> Value {
    let faults = bad.faults.iter().map(|fault| {
        let (line, variable) = match &fault.origin {
            Some(Origin::Line(line)) => (Some(*line), None),
            Some(Origin::Variable(name)) => (None, Some(name.as_str())),
            Some(Origin::Flag(flag)) => (None, Some(*flag)),
            None => (None, None),
        };
        json!({ "key": fault.key, "line": line, "variable": variable, "reason": fault.reason })
    });
    json!({ "ok": false, "config": bad.file, "faults": faults.collect::<Vec<_>>() })
}

fn as_json(config: &Config) -> Value {
    let directory = &config.directory;
    let people: serde_json::Map<String, Value> = directory
        .people
        .iter()
        .map(|(name, person)| {
            let accounts: Vec<String> = person.accounts.iter().map(ToString::to_string).collect();
            let value = json!({
                "name": person.display,
                "language": person.language.map(askd_core::words::Language::tag),
                "timeZone": person.time_zone.as_ref().and_then(jiff::tz::TimeZone::iana_name),
                "accounts": accounts,
            });
            (name.to_string(), value)
        })
        .collect();
    let routes = directory.routes.iter().map(|route| {
        json!({
            "agent": route.agent,
            "session": route.session.as_ref().map(|glob| glob.glob().glob()),
            "to": targets(route),
            "answerers": names(&route.answerers),
        })
    });
    let channels = config.channels.iter().map(|channel| channel.name().as_str());
    let tokens = config
        .tokens
        .iter()
        .map(|token| (token.name.to_string(), json!(token.role.as_str())));
    json!({
        "ok": true,
        "config": config.file,
        "server": {
            "listen": config.server.listen.to_string(),
            "trustedProxy": config.server.trusted_proxies,
            "publicUrl": config.server.public_url,
            "language": directory.server.language.tag(),
            "timeZone": directory.server.time_zone.iana_name(),
        },
        "database": config.store,
        "limits": {
            "maxPending": config.limits.max_pending,
            "maxBodyBytes": config.limits.max_body_bytes,
            "requestsPerSecond": config.limits.requests_per_second,
            "maxHeld": config.limits.max_held,
            "maxConnections": config.limits.max_connections,
            "retentionDays": config.limits.retention_days,
        },
        "mcp": { "holdSeconds": config.hold_seconds },
        "push": config.push.as_ref().map(|push| json!({
            "contact": push.contact.as_str(),
            "services": push.services.iter().map(ToString::to_string).collect::<Vec<_>>(),
        })),
        "channels": channels.collect::<Vec<_>>(),
        "people": people,
        "routes": routes.collect::<Vec<_>>(),
        "tokens": tokens.collect::<serde_json::Map<_, _>>(),
    })
}

fn as_text(config: &Config) -> String {
    let directory = &config.directory;
    let mut rows: Vec<[String; 2]> = Vec::new();
    let mut row = |key: &str, value: String| rows.push([key.to_owned(), value]);
    let file = config.file.as_ref().map(|file| file.display().to_string());
    row(
        "configuration",
        file.unwrap_or_else(|| "no file, the defaults hold".to_owned()),
    );
    row("listens on", config.server.listen.to_string());
    if let Some(url) = &config.server.public_url {
        row("reached at", url.clone());
    }
    let database = config.store.as_ref().map(|path| path.display().to_string());
    row(
        "database",
        database.unwrap_or_else(|| "askd.db in the state directory".to_owned()),
    );
    let channels: Vec<&str> = config
        .channels
        .iter()
        .map(|channel| channel.name().as_str())
        .collect();
    row(
        "channels",
        or(
            &channels,
            "none: asks are answered in the panel, on the command line or by HTTP",
        ),
    );
    if let Some(seconds) = config.hold_seconds {
        row("MCP calls", format!("are held for {seconds} s"));
    }
    if let Some(push) = &config.push {
        row("web push", format!("on, {}", push.contact.as_str()));
    }
    for (name, person) in &directory.people {
        row("person", self::person(name, person));
    }
    for route in &directory.routes {
        row("route", self::route(route));
    }
    if directory.routes.is_empty() && !directory.people.is_empty() {
        row("route", "every ask goes to everybody".to_owned());
    }
    for token in &config.tokens {
        let role = match &token.role {
            Role::Person(person) => format!("person {person}"),
            role => role.as_str().to_owned(),
        };
        let held = token
            .hold_seconds
            .map(|seconds| format!(", MCP calls are held for {seconds} s"))
            .unwrap_or_default();
        row("token", format!("{} ({role}){held}", token.name));
    }
    let rows: Vec<Vec<String>> = rows.into_iter().map(Vec::from).collect();
    format!("{}\nall is well", out::plain(&out::table(&rows)))
}

fn person(name: &PersonName, person: &Person) -> String {
    let zone = person
        .time_zone
        .as_ref()
        .and_then(|zone| zone.iana_name().map(str::to_owned));
    let own: Vec<String> = [
        Some(person.display.clone()).filter(|display| display != name.as_str()),
        person.language.map(|language| language.tag().to_owned()),
        zone,
    ]
    .into_iter()
    .flatten()
    .collect();
    let own = if own.is_empty() {
        String::new()
    } else {
        format!(" ({})", own.join(", "))
    };
    let accounts: Vec<String> = person.accounts.iter().map(ToString::to_string).collect();
    format!("{name}{own}: {}", or(&accounts, "no account yet, see askd pair"))
}

fn route(route: &Route) -> String {
    let agent = route.agent.as_ref().map(|agent| format!("agent {agent}"));
    let session = route
        .session
        .as_ref()
        .map(|glob| format!("session {}", glob.glob().glob()));
    let which: Vec<String> = agent.into_iter().chain(session).collect();
    let answerers = if route.answerers.is_empty() {
        "whoever is asked".to_owned()
    } else {
        names(&route.answerers).join(", ")
    };
    format!(
        "{} to {}; answered by {answerers}",
        or(&which, "any ask"),
        targets(route).join(", ")
    )
}

fn targets(route: &Route) -> Vec<String> {
    let target = |target: &Target| match target {
        Target::Person(person) => person.to_string(),
        Target::Place(place) => place.to_string(),
    };
    route.to.iter().map(target).collect()
}

fn names(people: &[PersonName]) -> Vec<String> {
    people.iter().map(ToString::to_string).collect()
}

fn or<T: AsRef<str>>(list: &[T], none: &str) -> String {
    if list.is_empty() {
        return none.to_owned();
    }
    list.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ")
}
