//! People and routes, checked against each other and against the channels.

use std::collections::{BTreeMap, BTreeSet};

use askd_core::{
    id::{Address, ChannelName, PersonName},
    people::{Directory, Person},
    present::Reader,
    route::{Route, Target},
    words::Language,
};
use globset::GlobBuilder;
use jiff::tz::TimeZone;

use super::{
    Channels,
    section::{Found, Section},
};

/// Reads `[people]` and `[[routes]]`.
pub(super) fn read(root: &Section<'_>, channels: &Channels, server: Reader) -> Directory {
    let people = people(root, channels);
    let routes = root
        .list("routes")
        .into_iter()
        .map(|section| route(section, channels, &people))
        .collect();
    let with_token = BTreeSet::new();
    Directory {
        people,
        routes,
        with_token,
        server,
    }
}

/// Language and time zone, wherever both can be said: of a person, a route, the server.
pub(super) fn reader(section: &Section<'_>) -> (Option<Language>, Option<TimeZone>) {
    let language = section.parsed("language", |tag| {
        let known: Vec<&str> = Language::ALL.into_iter().map(Language::tag).collect();
        Language::from_tag(tag)
            .ok_or_else(|| format!("askd does not speak {tag:?}; it speaks {}", known.join(", ")))
    });
    let time_zone = section.parsed("time_zone", |name| {
        let unknown = |_| format!("there is no time zone {name:?}; write one like Europe/Berlin");
        TimeZone::get(name).map_err(unknown)
    });
    (
        language.map(|found| found.value),
        time_zone.map(|found| found.value),
    )
}

fn people(root: &Section<'_>, channels: &Channels) -> BTreeMap<PersonName, Person> {
    let mut people = BTreeMap::new();
    let mut owners: BTreeMap<Address, String> = BTreeMap::new();
    for (name, section) in root.named("people") {
        if !is_name(name) {
            section.fault("a person's name holds no colon, comma or blank");
        }
        let display = section
            .text("name")
            .map_or_else(|| name.to_owned(), |found| found.value);
        let (language, time_zone) = reader(&section);
        let mut accounts = Vec::new();
        for text in section.texts("accounts") {
            let Some(account) = address(&section, &text, channels) else {
                continue;
            };
            match owners.insert(account.clone(), name.to_owned()) {
                Some(other) => section.refuse(&text, format!("{account} is an account of {other} already")),
                None => accounts.push(account),
            }
        }
        section.finish();
        let person = Person {
            display,
            language,
            time_zone,
            accounts,
        };
        people.insert(PersonName::new(name), person);
    }
    people
}

fn route(section: Section<'_>, channels: &Channels, people: &BTreeMap<PersonName, Person>) -> Route {
    let agent = section.text("agent").map(|found| found.value);
    let session = section.parsed("session", |pattern| {
        let glob = GlobBuilder::new(pattern)
            .build()
            .map_err(|error| error.kind().to_string())?;
        Ok::<_, String>(glob.compile_matcher())
    });
    let targets = section.texts("to");
    if targets.is_empty() && !section.has("to") {
        section.lacks("to", "is needed: who is asked");
    } else if targets.is_empty() {
        section.lacks("to", "must name somebody");
    }
    let is_place = |found: &Found<String>| found.value.contains(':');
    let to: Vec<Target> = targets
        .iter()
        .filter_map(|found| {
            if is_place(found) {
                address(&section, found, channels).map(Target::Place)
            } else {
                person(&section, found, people).map(Target::Person)
            }
        })
        .collect();
    let named = section.texts("answerers");
    if let Some(place) = targets
        .iter()
        .find(|found| is_place(found))
        .filter(|_| named.is_empty())
    {
        let reason = format!(
            "{} is a place that several people may read: name who may answer in answerers",
            place.value
        );
        section.refuse(place, reason);
    }
    let answerers = named
        .iter()
        .filter_map(|found| person(&section, found, people))
        .collect();
    let (language, time_zone) = reader(&section);
    section.finish();
    Route {
        agent,
        session: session.map(|found| found.value),
        to,
        answerers,
        language,
        time_zone,
    }
}

fn person(
    section: &Section<'_>,
    name: &Found<String>,
    people: &BTreeMap<PersonName, Person>,
) -> Option<PersonName> {
    let person = PersonName::new(name.value.as_str());
    if people.contains_key(&person) {
        return Some(person);
    }
    section.refuse(name, unknown_person(&name.value, people.keys()));
    None
}

/// What is said where a name is nobody's.
pub(super) fn unknown_person<'a>(name: &str, known: impl Iterator<Item = &'a PersonName>) -> String {
    let known: Vec<&str> = known.map(PersonName::as_str).collect();
    match known.as_slice() {
        [] => format!("{name:?} is nobody in [people], which is empty"),
        known => format!("{name:?} is nobody in [people]; there are: {}", known.join(", ")),
    }
}

/// Reads `channel:local` as that channel would.
fn address(section: &Section<'_>, text: &Found<String>, channels: &Channels) -> Option<Address> {
    let Some(split) = Address::split(&text.value) else {
        section.refuse(
            text,
            format!("{:?} is no address: write CHANNEL:ADDRESS", text.value),
        );
        return None;
    };
    let Some(channel) = channels.get(&split.channel) else {
        section.refuse(text, unknown_channel(&split.channel, channels));
        return None;
    };
    // A channel with a fault of its own has been reported, and its addresses cannot be judged.
    let channel = channel.as_ref()?;
    match channel.parse_address(&split.local) {
        Ok(address) => Some(address),
        Err(bad) => {
            section.refuse(text, format!("{:?}: {bad}", text.value));
            None
        }
    }
}

fn unknown_channel(name: &ChannelName, channels: &Channels) -> String {
    let known: Vec<&str> = channels.keys().map(ChannelName::as_str).collect();
    if known.is_empty() {
        return format!("no channel is configured, so {:?} is none", name.as_str());
    }
    format!("there is no [channels.{name}]; there are: {}", known.join(", "))
}

/// Whether this can be the name of a person or channel: it stands in addresses and in lists.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.contains(|c: char| c == ':' || c == ',' || c == '/' || c.is_whitespace() || c.is_control())
}
