//! Live checks for `askd doctor`: is the token good, what may the application hear, who can be reached.
//!
//! Looks and does not touch: nothing is shown to anybody, no session is begun, no setting changes. To see whether somebody
//! can be reached directly, the conversation with them is opened, which they do not notice; whether they take messages is
//! known only when one is sent.

mod permissions;

use askd_core::{
    channel::{Finding, Grade},
    id::Address,
};
use futures_util::{StreamExt as _, stream};
use serde::Deserialize;
use serenity::model::id::{ApplicationId, ChannelId, GuildId, UserId};
use tokio::time::{Duration, timeout};

use self::permissions::{HISTORY, INVITED_WITH, Member, Overwrite, SEND, SEND_IN_THREADS, VIEW, missing};
use crate::{
    api::Route,
    channel::DiscordChannel,
    error::{Cause, Failure},
    place::Place,
};

/// How many places are looked at side by side.
const SIDE_BY_SIDE: usize = 4;

/// How long looking at all places may take.
const PLACES: Duration = Duration::from_secs(40);

/// New sessions of a day below which something is wrong: askd needs a few.
const FEW_SESSIONS: u64 = 100;

/// The application may read what does not mention it. Source: reference, "Application Flags":
/// `GATEWAY_MESSAGE_CONTENT` and, for those in few servers, `GATEWAY_MESSAGE_CONTENT_LIMITED`.
const MESSAGE_CONTENT: u64 = 1 << 18 | 1 << 19;

/// What is looked at of the bot's account.
#[derive(Deserialize)]
struct Account {
    id: UserId,
    #[serde(default)]
    username: String,
}

/// What is looked at of the application.
#[derive(Deserialize)]
struct Application {
    id: ApplicationId,
    #[serde(default)]
    flags: u64,
    /// Where presses are sent instead of to the gateway.
    interactions_endpoint_url: Option<String>,
}

impl Application {
    /// Where somebody lets the bot into a server, with all it needs.
    fn invitation(&self) -> String {
        format!(
            "https://discord.com/oauth2/authorize?client_id={}&scope=bot+applications.commands&permissions={INVITED_WITH}",
            self.id
        )
    }
}

pub(crate) async fn doctor(channel: &DiscordChannel, places: &[Address]) -> Vec<Finding> {
    let me: Account = match channel.api.ask(Route::Me).await {
        Ok(me) => me,
        Err(failure) => return vec![unknown_bot(&failure)],
    };
    let mut findings = vec![good("token", format!("the bot is {}", me.username))];
    let application: Application = match channel.api.ask(Route::Application).await {
        Ok(application) => application,
        Err(failure) => {
            findings.push(unknown_bot(&failure));
            return findings;
        }
    };
    let places: Vec<Address> = places
        .iter()
        .filter(|address| address.channel == channel.name)
        .cloned()
        .collect();
    let has_groups = places
        .iter()
        .any(|address| !matches!(Place::parse(&address.local), Ok(Place::Person(_))));
    findings.push(intents(&application, has_groups));
    findings.extend(endpoint(&application));
    findings.push(gateway(channel).await);
    let looks = stream::iter(places).map(|address| place(channel, &me, &application, address));
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
    match failure {
        _ if failure.cause() == Some(Cause::Credentials) => bad(
            "token",
            "Discord refuses the token",
            "copy it again: developer portal, Bot, Reset Token; the old one is dead from then on",
        ),
        Failure::NotSent(_) => bad(
            "connection",
            "Discord cannot be reached",
            "see that api_url is right and that this machine may open connections to it; a proxy is taken from \
             HTTPS_PROXY",
        ),
        Failure::Throttled(_) => bad(
            "connection",
            "Discord asks for a pause",
            "try again in a moment; if it stays so, something else uses the token or the address",
        ),
        Failure::NoAnswer(_) | Failure::Refused(_) => bad(
            "connection",
            "the answer is not Discord's",
            "see that api_url is a Discord API server and that nothing in between answers in its place",
        ),
    }
}

fn intents(application: &Application, has_groups: bool) -> Finding {
    if application.flags & MESSAGE_CONTENT != 0 {
        return good(
            "intents",
            "message content is granted: the bot hears bare texts in threads below its messages",
        );
    }
    let found = "message content is not granted: in a server the bot hears presses, forms, commands, mentions, and \
                 replies with the mention switched on";
    if !has_groups {
        return good("intents", found);
    }
    note(
        "intents",
        found,
        "nothing, if that is enough; to hear all: developer portal, Bot, Message Content Intent, then start askd again",
    )
}

fn endpoint(application: &Application) -> Option<Finding> {
    application
        .interactions_endpoint_url
        .as_deref()
        .filter(|url| !url.is_empty())?;
    Some(bad(
        "interactions",
        "an interactions endpoint is set: presses go to a web server and not to askd",
        "developer portal, General Information, Interactions Endpoint URL: make it empty; or give askd an application of \
         its own",
    ))
}

/// What is looked at of the answer to [`Route::Gateway`].
#[derive(Deserialize)]
struct Gateway {
    url: String,
    session_start_limit: Option<StartLimit>,
}

#[derive(Deserialize)]
struct StartLimit {
    remaining: u64,
}

async fn gateway(channel: &DiscordChannel) -> Finding {
    let gateway: Gateway = match channel.api.ask(Route::Gateway).await {
        Ok(gateway) => gateway,
        Err(_) => {
            return bad(
                "gateway",
                "where the gateway is could not be learnt",
                "try again in a moment",
            );
        }
    };
    if let Err(error) = channel.api.base().gateway(&gateway.url) {
        return bad(
            "gateway",
            error.to_string(),
            "let the server at api_url name a gateway of its own, with encryption if it has it itself, or leave api_url \
             out",
        );
    }
    match gateway.session_start_limit {
        Some(limit) if limit.remaining < FEW_SESSIONS => note(
            "gateway",
            format!("sessions that may still be begun today: {}", limit.remaining),
            "see whether something else uses the token, or what keeps ending askd's connection",
        ),
        _ => good("gateway", "sessions may be begun"),
    }
}

/// What is looked at of a channel or thread.
#[derive(Deserialize)]
struct Channel {
    #[serde(rename = "type", default)]
    kind: u64,
    guild_id: Option<GuildId>,
    parent_id: Option<ChannelId>,
    #[serde(default)]
    permission_overwrites: Vec<Overwrite>,
    thread_metadata: Option<Thread>,
}

#[derive(Clone, Copy, Deserialize)]
struct Thread {
    #[serde(default)]
    archived: bool,
    #[serde(default)]
    locked: bool,
}

/// Kinds of channel that take no messages: categories, directories, forums, galleries. Source: reference, "Channel
/// Types".
const WITHOUT_MESSAGES: [u64; 4] = [4, 14, 15, 16];

/// Whether asks can reach this place.
async fn place(
    channel: &DiscordChannel,
    me: &Account,
    application: &Application,
    address: Address,
) -> Finding {
    let about = address.to_string();
    match Place::parse(&address.local) {
        Ok(Place::Person(user)) => person(channel, application, &about, user).await,
        Ok(Place::Channel(id)) => match of_channel(channel, me, application, &about, id).await {
            Ok(finding) => finding,
            Err(failure) => out_of_reach(application, &about, &failure),
        },
        Err(_) => bad(&about, "is no Discord address", "see docs/channels/discord.md"),
    }
}

async fn person(channel: &DiscordChannel, application: &Application, about: &str, user: UserId) -> Finding {
    match channel.direct(user).await {
        Ok(_) => good(
            about,
            "can be written to, unless they take no direct messages from the servers they share with the bot",
        ),
        Err(failure) if failure.cause() == Some(Cause::Unreachable) => bad(
            about,
            "there is nobody of this number, or they share no server with the bot",
            format!(
                "let the bot into a server they are in: {}",
                application.invitation()
            ),
        ),
        Err(_) => unsure(about),
    }
}

async fn of_channel(
    channel: &DiscordChannel,
    me: &Account,
    application: &Application,
    about: &str,
    id: ChannelId,
) -> Result<Finding, Failure> {
    let found: Channel = channel.api.ask(Route::Channel(id)).await?;
    if WITHOUT_MESSAGES.contains(&found.kind) {
        return Ok(bad(
            about,
            "this kind of channel takes no messages",
            "name a text channel; of a forum, name a post in it, which is a thread",
        ));
    }
    let Some(guild) = found.guild_id else {
        return Ok(good(about, "is a direct conversation, and can be written to"));
    };
    let guild: permissions::Guild = channel.api.ask(Route::Guild(guild)).await?;
    let member: Member = channel.api.ask(Route::Member(guild.id, me.id)).await?;
    if is_timed_out(channel, &member) {
        return Ok(bad(
            about,
            "somebody has timed the bot out in this server",
            "let a moderator remove the timeout",
        ));
    }
    let (needed, overwrites) = match (found.thread_metadata, found.parent_id) {
        (Some(_), Some(parent)) => {
            let parent: Channel = channel.api.ask(Route::Channel(parent)).await?;
            ([VIEW, SEND_IN_THREADS, HISTORY], parent.permission_overwrites)
        }
        _ => ([VIEW, SEND, HISTORY], found.permission_overwrites),
    };
    let lacks = missing(&needed, me.id, &guild, &member, &overwrites);
    if !lacks.is_empty() {
        return Ok(bad(
            about,
            format!("the bot lacks permissions: {}", lacks.join(", ")),
            format!(
                "give them to its role (Edit Channel, Permissions), or invite it anew: {}",
                application.invitation()
            ),
        ));
    }
    Ok(match found.thread_metadata {
        Some(Thread { locked: true, .. }) => bad(
            about,
            "the thread is locked: nobody can write in it",
            "let a moderator unlock it, or name another",
        ),
        Some(Thread { archived: true, .. }) => note(
            about,
            "the thread is archived: what stands in it cannot be changed",
            "nothing: the next question opens it again",
        ),
        Some(_) => good(about, "the bot may read and write in this thread"),
        None => good(about, "the bot may read and write"),
    })
}

fn is_timed_out(channel: &DiscordChannel, member: &Member) -> bool {
    let until = member.communication_disabled_until.as_deref();
    until
        .and_then(|until| until.parse().ok())
        .is_some_and(|until: jiff::Timestamp| until > channel.clock.now())
}

fn out_of_reach(application: &Application, about: &str, failure: &Failure) -> Finding {
    match failure.cause() {
        Some(Cause::Unreachable) => bad(
            about,
            "the bot does not see this channel, or there is none of this number",
            format!(
                "let the bot into the server ({}), and let its role view the channel",
                application.invitation()
            ),
        ),
        _ => unsure(about),
    }
}

fn unsure(about: &str) -> Finding {
    bad(about, "could not be looked at", "try again in a moment")
}

fn good(about: &str, found: impl Into<String>) -> Finding {
    Finding {
        grade: Grade::Good,
        about: about.to_owned(),
        found: found.into(),
        remedy: None,
    }
}

fn note(about: &str, found: impl Into<String>, remedy: impl Into<String>) -> Finding {
    Finding {
        grade: Grade::Note,
        about: about.to_owned(),
        found: found.into(),
        remedy: Some(remedy.into()),
    }
}

fn bad(about: &str, found: impl Into<String>, remedy: impl Into<String>) -> Finding {
    Finding {
        grade: Grade::Bad,
        ..note(about, found, remedy)
    }
}
