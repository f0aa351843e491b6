//! Live checks for `askd doctor`: are the tokens good, may the bot do what it has to, who can be reached.
//!
//! Looks and does not touch: nothing is shown to anybody, and no setting changes. No socket is opened, only its address is
//! asked for: Slack hands events to any socket that stands, so one of ours would take them away from a running askd.

use std::collections::BTreeSet;

use askd_core::{
    channel::{Finding, Grade},
    id::Address,
};
use futures_util::{StreamExt as _, stream};
use serde::Deserialize;
use serde_json::Value;
use tokio::time::{Duration, timeout};

use crate::{
    api::Introduction,
    channel::SlackChannel,
    error::{Cause, Failure},
    place::{Place, Ts},
};

/// What the bot's token must be allowed to do, as `docs/channels/slack-manifest.yaml` asks for it.
pub const SCOPES: [&str; 10] = [
    "app_mentions:read",
    "channels:history",
    "channels:read",
    "chat:write",
    "groups:history",
    "groups:read",
    "im:history",
    "im:read",
    "im:write",
    "users:read",
];

/// How many places are looked at side by side.
const SIDE_BY_SIDE: usize = 4;

/// How long looking at all places may take.
const PLACES: Duration = Duration::from_secs(40);

pub(crate) async fn doctor(channel: &SlackChannel, places: &[Address]) -> Vec<Finding> {
    let (bot, socket) = futures_util::future::join(channel.api.introduce(), channel.api.open_socket()).await;
    let socket = match socket {
        Ok(_) => good("app_token", "Socket Mode opens"),
        Err(failure) => no_socket(&failure),
    };
    let introduction = match bot {
        Ok(introduction) => introduction,
        Err(failure) => return vec![unknown_bot(&failure), socket],
    };
    let me = &introduction.me;
    let mut findings = vec![
        good("bot_token", format!("the bot is @{} in {}", me.name, me.team)),
        scopes(&introduction),
        socket,
    ];
    let places: Vec<Address> = places
        .iter()
        .filter(|address| address.channel == channel.name)
        .cloned()
        .collect();
    let looks = stream::iter(places).map(|address| place(channel, &me.name, address));
    let looks = looks.buffered(SIDE_BY_SIDE).collect::<Vec<_>>();
    findings.extend(timeout(PLACES, looks).await.unwrap_or_else(|_| {
        vec![bad(
            "places",
            "looking at the places took too long",
            "try again; if that does not help, see the connection",
        )]
    }));
    findings
}

fn unknown_bot(failure: &Failure) -> Finding {
    match failure.cause() {
        Some(Cause::Credentials) => bad(
            "bot_token",
            "Slack refuses the bot's token",
            "copy it again from the app's page, \"OAuth & Permissions\", \"Bot User OAuth Token\"; after the app was \
             reinstalled or taken out the old one may be dead",
        ),
        _ => connection(failure),
    }
}

fn no_socket(failure: &Failure) -> Finding {
    match failure.cause() {
        Some(Cause::Scope) => bad(
            "app_token",
            "the app's token may not open a socket",
            "make one with the scope connections:write on the app's page, \"Basic Information\", \"App-Level Tokens\"",
        ),
        Some(Cause::Credentials) => bad(
            "app_token",
            "Slack refuses the app's token",
            "copy it again from the app's page, \"Basic Information\", \"App-Level Tokens\"; a token that was revoked is \
             dead, so make a new one",
        ),
        Some(Cause::Throttled(_)) => Finding {
            grade: Grade::Note,
            about: "app_token".to_owned(),
            found: "Slack asks for a pause before another socket is opened".to_owned(),
            remedy: Some("try again in a minute".to_owned()),
        },
        Some(_) => bad(
            "app_token",
            "Socket Mode does not open",
            "switch it on on the app's page, \"Socket Mode\"",
        ),
        None => connection(failure),
    }
}

fn connection(failure: &Failure) -> Finding {
    match failure {
        Failure::NotSent(_) => bad(
            "connection",
            "Slack cannot be reached",
            "see that api_url is right and that this machine may open connections to it; for calls a proxy is taken from \
             HTTPS_PROXY, the socket needs a direct way",
        ),
        Failure::NoAnswer(_) | Failure::Refused(_) => bad(
            "connection",
            "the answer is not Slack's",
            "see that api_url leads to the Slack API and that nothing in between answers in its place",
        ),
    }
}

fn scopes(introduction: &Introduction) -> Finding {
    let granted: BTreeSet<&str> = introduction.scopes.iter().map(String::as_str).collect();
    let missing: Vec<&str> = SCOPES
        .into_iter()
        .filter(|scope| !granted.contains(scope))
        .collect();
    if introduction.scopes.is_empty() {
        return Finding {
            grade: Grade::Note,
            about: "scopes".to_owned(),
            found: "the server does not tell what the bot may do".to_owned(),
            remedy: Some("compare the app's scopes with docs/channels/slack-manifest.yaml".to_owned()),
        };
    }
    if missing.is_empty() {
        return good("scopes", "the bot may do all it has to");
    }
    bad(
        "scopes",
        &format!("the bot lacks {}", missing.join(", ")),
        "paste docs/channels/slack-manifest.yaml on the app's page, \"App Manifest\", and install the app again, \"Install \
         App\"",
    )
}

/// What is looked at of a conversation.
#[derive(Deserialize)]
struct Info {
    channel: Conversation,
}

#[derive(Deserialize)]
struct Conversation {
    #[serde(default)]
    is_archived: bool,
    #[serde(default)]
    is_member: bool,
    #[serde(default)]
    is_im: bool,
}

/// What is looked at of a person.
#[derive(Deserialize)]
struct Told {
    user: Person,
}

#[derive(Deserialize)]
struct Person {
    #[serde(default)]
    deleted: bool,
    #[serde(default)]
    is_bot: bool,
}

/// Whether asks can reach this place.
async fn place(channel: &SlackChannel, bot: &str, address: Address) -> Finding {
    let about = address.to_string();
    let Ok(place) = Place::parse(&address.local) else {
        return bad(&about, "is no Slack address", "see docs/channels/slack.md");
    };
    if place.is_person() {
        return person(channel, &about, &place.conversation).await;
    }
    let asked = [("channel", place.conversation.as_str())];
    let info: Info = match channel.api.ask("conversations.info", &asked).await {
        Ok(info) => info,
        Err(failure) => return out_of_reach(&about, bot, &failure),
    };
    let found = info.channel;
    if found.is_archived {
        return bad(
            &about,
            "the channel is archived",
            "unarchive it, or take it out of the configuration",
        );
    }
    if !(found.is_member || found.is_im) {
        return not_a_member(&about, bot);
    }
    match &place.thread {
        Some(root) => thread(channel, &about, &place.conversation, root).await,
        None => good(&about, "the bot is a member and may write"),
    }
}

async fn thread(channel: &SlackChannel, about: &str, conversation: &str, root: &Ts) -> Finding {
    let asked = [("channel", conversation), ("ts", root.as_str()), ("limit", "1")];
    match channel.api.ask::<Value>("conversations.replies", &asked).await {
        Ok(_) => good(about, "the bot is a member and may write in the thread"),
        Err(failure) if failure.cause() == Some(Cause::Unreachable) => bad(
            about,
            "there is no such thread",
            "copy the link of its first message: p1796117400000100 in it means 1796117400.000100",
        ),
        Err(failure) => unclear(about, &failure),
    }
}

async fn person(channel: &SlackChannel, about: &str, user: &str) -> Finding {
    match channel.api.ask::<Told>("users.info", &[("user", user)]).await {
        Ok(told) if told.user.deleted => bad(
            about,
            "the account is deactivated",
            "take it out of the configuration",
        ),
        Ok(told) if told.user.is_bot => bad(about, "the account is a bot's", "name a person"),
        Ok(_) => good(about, "can be written to"),
        Err(failure) if failure.cause() == Some(Cause::Unreachable) => bad(
            about,
            "there is no such person in the workspace",
            "copy the id from the person's profile, \"Copy member ID\", or use askd pair",
        ),
        Err(failure) => unclear(about, &failure),
    }
}

fn out_of_reach(about: &str, bot: &str, failure: &Failure) -> Finding {
    match failure.cause() {
        Some(Cause::Unreachable) => bad(
            about,
            "the bot sees no such channel: there is none of this id, or it is private and the bot is not in it",
            &format!(
                "write /invite @{bot} in the channel, or copy its id again from \"View channel details\""
            ),
        ),
        _ => unclear(about, failure),
    }
}

fn not_a_member(about: &str, bot: &str) -> Finding {
    bad(
        about,
        "the bot is not in this channel",
        &format!("write /invite @{bot} in the channel"),
    )
}

fn unclear(about: &str, failure: &Failure) -> Finding {
    match failure.cause() {
        Some(Cause::Scope) => bad(
            about,
            "could not be looked at: the bot lacks a scope",
            "see the finding about scopes",
        ),
        _ => bad(about, "could not be looked at", "try again in a moment"),
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

fn bad(about: &str, found: &str, remedy: &str) -> Finding {
    Finding {
        grade: Grade::Bad,
        about: about.to_owned(),
        found: found.to_owned(),
        remedy: Some(remedy.to_owned()),
    }
}
