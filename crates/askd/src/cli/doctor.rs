//! `askd doctor`: whether everything works, found out live.
//!
//! `askd check` reads the configuration; this goes on from there to the state directory (`home`), the daemon if one
//! runs, and every platform, which its channel looks at itself ([`Channel::doctor`]). Each finding says how bad it is
//! and what to do. Nothing is changed and nobody is shown anything; a daemon that runs goes on, and loses no event.
//!
//! Tests: `tests/doctor.rs` with the real program; with a platform, the stories.

mod home;

use std::{collections::BTreeSet, path::PathBuf, sync::Arc};

use askd_core::{
    channel::{Channel, Finding, Grade},
    id::{Address, PersonName},
    people::Directory,
    route::Target,
};
use clap::Args;
use serde_json::{Value, json};

use super::{
    Context, check,
    people::{PeopleView, PersonView},
};
use crate::{
    channels,
    client::Reach,
    config::{self, Config, Sources},
    out::{self, Exit, plain},
};

const EXAMPLES: &str = "\
Exit codes: 0 where nothing is bad, 1 where something is, 78 for a bad configuration.

Where another process receives with a bot's token, asking Telegram for updates interrupts it for about
a second. It loses nothing.";

/// What `askd doctor` takes.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The configuration file [default: as askd serve finds it]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    reach: Reach,
}

/// What was found about one part: askd itself, or a channel by its name.
struct Part {
    name: String,
    findings: Vec<Finding>,
}

/// Looks at everything and prints what was found.
pub(super) async fn run(arguments: Arguments, context: &Context) -> anyhow::Result<Exit> {
    let sources = Sources {
        environment: context.environment.clone(),
        file: arguments.config,
        listen: None,
        kinds: channels::BUILT_IN,
    };
    let config = match config::read(&sources) {
        Ok(config) => config,
        Err(bad) => return check::refused(&bad, context),
    };
    let (mut findings, known) = home::look(&arguments.reach, &config, context).await;
    findings.extend(without_account(&config, known.as_ref()));
    let mut parts = vec![Part {
        name: "askd".to_owned(),
        findings,
    }];
    let places = places(&config, known.as_ref());
    for channel in &config.channels {
        parts.push(Part {
            name: channel.name().to_string(),
            findings: channel.doctor(&places).await,
        });
    }
    let bad = parts
        .iter()
        .flat_map(|part| &part.findings)
        .filter(|finding| finding.grade == Grade::Bad)
        .count();
    if context.json {
        out::json(&as_json(&parts, bad))?;
    } else {
        out::line(as_text(&parts, bad))?;
    }
    Ok(if bad == 0 { Exit::Done } else { Exit::Error })
}

/// Every address that people and routes name, and those that pairing tied, as far as they are known.
fn places(config: &Config, known: Option<&PeopleView>) -> Vec<Address> {
    let directory = &config.directory;
    let configured = directory.people.values().flat_map(|person| &person.accounts);
    let routed = directory.routes.iter().flat_map(|route| &route.to);
    let routed = routed.filter_map(|target| match target {
        Target::Place(place) => Some(place),
        Target::Person(_) => None,
    });
    let mut places: BTreeSet<Address> = configured.chain(routed).cloned().collect();
    let accounts = known.into_iter().flat_map(|known| &known.people);
    for account in accounts.flat_map(|person| &person.accounts) {
        let Some(address) = address(&config.channels, &account.account) else {
            continue;
        };
        if account.revoked {
            places.remove(&address);
        } else {
            places.insert(address);
        }
    }
    places.into_iter().collect()
}

/// An address as its channel writes it; `None` for that of a channel that is not configured any more.
fn address(channels: &[Arc<dyn Channel>], text: &str) -> Option<Address> {
    let written = Address::split(text)?;
    let channel = channels
        .iter()
        .find(|channel| *channel.name() == written.channel)?;
    channel.parse_address(&written.local).ok()
}

/// People who are asked nowhere.
fn without_account(config: &Config, known: Option<&PeopleView>) -> Vec<Finding> {
    if config.channels.is_empty() {
        let found = "none is configured: asks are answered in the panel, on the command line or by HTTP";
        return vec![note("channels", found, "see docs/channels/")];
    }
    let alone = |name: &&PersonName| match known {
        Some(known) => is_alone(known.people.iter().find(|person| person.name == name.as_str())),
        None => config.directory.people[*name].accounts.is_empty(),
    };
    let people = config.directory.people.keys().filter(alone);
    people
        .filter(|name| !answers_by_http(&config.directory, name))
        .map(|name| {
            let remedy = format!("askd pair {name}");
            match known {
                Some(_) => bad(
                    name.as_str(),
                    "has no account: no ask reaches this person",
                    &remedy,
                ),
                None => note(
                    name.as_str(),
                    "has no account in the configuration; whether one was paired, a running askd knows",
                    &remedy,
                ),
            }
        })
        .collect()
}

fn is_alone(person: Option<&PersonView>) -> bool {
    person.is_none_or(|person| person.accounts.iter().all(|account| account.revoked))
}

fn answers_by_http(directory: &Directory, name: &PersonName) -> bool {
    directory.with_token.contains(name)
}

fn as_json(parts: &[Part], bad: usize) -> Value {
    let findings = parts.iter().flat_map(|part| {
        part.findings.iter().map(|finding| {
            json!({
                "part": part.name,
                "grade": word(finding.grade).to_lowercase(),
                "about": finding.about,
                "found": finding.found,
                "remedy": finding.remedy,
            })
        })
    });
    json!({ "ok": bad == 0, "findings": findings.collect::<Vec<_>>() })
}

/// A list for each part; what to do stands below what it is about.
fn as_text(parts: &[Part], bad: usize) -> String {
    let mut lines = Vec::new();
    for part in parts {
        lines.push(part.name.clone());
        let mut rows = Vec::new();
        for finding in &part.findings {
            let grade = format!("  {}", word(finding.grade));
            rows.push(vec![grade, finding.about.clone(), finding.found.clone()]);
            let remedy = finding.remedy.iter().map(|remedy| format!("-> {remedy}"));
            rows.extend(remedy.map(|remedy| vec![String::new(), String::new(), remedy]));
        }
        lines.push(plain(&out::table(&rows)));
        lines.push(String::new());
    }
    lines.push(match bad {
        0 => "all is well".to_owned(),
        1 => "1 thing is bad".to_owned(),
        n => format!("{n} things are bad"),
    });
    lines.join("\n")
}

fn word(grade: Grade) -> &'static str {
    match grade {
        Grade::Good => "good",
        Grade::Note => "note",
        Grade::Bad => "BAD",
    }
}

fn good(about: &str, found: impl Into<String>) -> Finding {
    Finding {
        grade: Grade::Good,
        about: about.to_owned(),
        found: found.into(),
        remedy: None,
    }
}

fn note(about: &str, found: impl Into<String>, remedy: &str) -> Finding {
    Finding {
        grade: Grade::Note,
        remedy: Some(remedy.to_owned()),
        ..good(about, found)
    }
}

fn bad(about: &str, found: impl Into<String>, remedy: &str) -> Finding {
    Finding {
        grade: Grade::Bad,
        ..note(about, found, remedy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_to_do_stands_below_what_it_is_about_and_the_last_line_says_how_it_stands() {
        let part = |name: &str, findings| Part {
            name: name.to_owned(),
            findings,
        };
        let parts = [
            part("askd", vec![good("state", "/var/lib/askd")]),
            part("telegram", vec![bad("token", "is refused", "copy it again")]),
        ];

        assert_eq!(
            as_text(&parts, 1),
            "askd\n  good  state  /var/lib/askd\n\ntelegram\n  BAD  token  is refused\n              -> copy it \
             again\n\n1 thing is bad"
        );
        assert_eq!(as_json(&parts, 1)["findings"][1]["grade"], "bad");
    }
}
