//! Live checks for `askd doctor`: is the token good, does somebody else receive, who can be reached.
//!
//! Looks and does not touch: nothing is shown to anybody, nothing is confirmed, no setting changes. One look is felt
//! elsewhere: asking for updates interrupts whoever polls with the same token, for about a second. That is how another
//! poller is found: it takes the place back while we wait.

use askd_core::{
    channel::{Finding, Grade},
    id::Address,
};
use futures_util::{StreamExt as _, stream};
use serde::Deserialize;
use serde_json::Value;
use teloxide::{
    payloads::{GetChat, GetChatMember, GetMe, GetWebhookInfo},
    types::UserId,
};
use tokio::time::{Duration, timeout};

use crate::{
    channel::TelegramChannel,
    error::{Cause, Failure, Rival},
    known::Me,
    limits,
    listen::get_updates,
    place::Place,
    render::recipient,
};

/// How long we wait for another poller to take the place back, in seconds. askd itself is back within one.
const LOOK: u64 = 4;

/// How many places are looked at side by side.
const SIDE_BY_SIDE: usize = 4;

/// How long looking at all places may take.
const PLACES: Duration = Duration::from_secs(40);

pub(crate) async fn doctor(channel: &TelegramChannel, places: &[Address]) -> Vec<Finding> {
    let me: Me = match channel.api.call(&GetMe::new(), limits::CALL).await {
        Ok(me) => me,
        Err(failure) => return vec![unknown_bot(&failure)],
    };
    let places: Vec<Address> = places
        .iter()
        .filter(|address| address.channel == channel.name)
        .cloned()
        .collect();
    let has_groups = places
        .iter()
        .any(|address| !Place::parse(&address.local).is_ok_and(Place::is_direct));
    let mut findings = vec![good("token", format!("the bot is @{}", me.username))];
    findings.push(privacy(&me, has_groups));
    findings.extend(receiving(channel).await);
    let looks = stream::iter(places).map(|address| place(channel, &me, address));
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
            "Telegram refuses the token",
            "copy it again from @BotFather (/mybots, API Token); after /revoke the old one is dead",
        ),
        Failure::NotSent(_) => bad(
            "connection",
            "Telegram cannot be reached",
            "see that api_url is right and that this machine may open connections to it; a proxy is taken from \
             HTTPS_PROXY",
        ),
        Failure::NoAnswer(_) | Failure::Refused(_) => bad(
            "connection",
            "the answer is not Telegram's",
            "see that api_url is a Bot API server and that nothing in between answers in its place",
        ),
    }
}

fn privacy(me: &Me, has_groups: bool) -> Finding {
    if me.hears_groups {
        return good(
            "privacy",
            "privacy mode is off: the bot hears every text in a group",
        );
    }
    let found = "privacy mode is on: in a group the bot hears replies to it, mentions and commands";
    if !has_groups {
        return good("privacy", found);
    }
    Finding {
        grade: Grade::Note,
        about: "privacy".to_owned(),
        found: found.to_owned(),
        remedy: Some(
            "nothing, if people tap or reply; to hear all: @BotFather, /setprivacy, Disable, then take the bot out of \
             the group and add it again"
                .to_owned(),
        ),
    }
}

/// What is looked at of `WebhookInfo`.
#[derive(Deserialize)]
struct Webhook {
    #[serde(default)]
    url: String,
    #[serde(default)]
    pending_update_count: u64,
}

/// Whether updates come to us.
async fn receiving(channel: &TelegramChannel) -> Vec<Finding> {
    let webhook: Webhook = match channel.api.call(&GetWebhookInfo::new(), limits::CALL).await {
        Ok(webhook) => webhook,
        Err(_) => Webhook {
            url: String::new(),
            pending_update_count: 0,
        },
    };
    if !webhook.url.is_empty() {
        return vec![webhook_set()];
    }
    let look = get_updates(None, LOOK, 1);
    let within = Duration::from_secs(LOOK) + limits::CALL;
    let poller = match channel.api.call::<_, Vec<Value>>(&look, within).await {
        Ok(_) => good("receiving", "nobody else receives with this token"),
        Err(failure) => match failure.cause() {
            Some(Cause::Conflict(Rival::Webhook)) => webhook_set(),
            Some(Cause::Conflict(Rival::Poller)) => Finding {
                grade: Grade::Note,
                about: "receiving".to_owned(),
                found: "another process polls with this token".to_owned(),
                remedy: Some(
                    "all is well if that is this askd, running; else stop it, or give askd a bot of its own"
                        .to_owned(),
                ),
            },
            _ => bad("receiving", "asking for updates fails", "try again in a moment"),
        },
    };
    let waiting = (webhook.pending_update_count > 0).then(|| Finding {
        grade: Grade::Note,
        about: "backlog".to_owned(),
        found: format!("updates waiting to be fetched: {}", webhook.pending_update_count),
        remedy: Some(
            "start askd; Telegram keeps texts for a day and taps for two and a half minutes".to_owned(),
        ),
    });
    std::iter::once(poller).chain(waiting).collect()
}

fn webhook_set() -> Finding {
    bad(
        "webhook",
        "a webhook is set: updates go to a web server and not to askd",
        "delete it: call deleteWebhook with this token, or give askd a bot of its own",
    )
}

/// What is looked at of `ChatFullInfo`.
#[derive(Deserialize)]
struct Chat {
    #[serde(default)]
    is_forum: bool,
}

/// What is looked at of `ChatMember`.
#[derive(Deserialize)]
struct Member {
    status: String,
    /// Told of restricted members alone.
    can_send_messages: Option<bool>,
}

/// Whether asks can reach this place.
async fn place(channel: &TelegramChannel, me: &Me, address: Address) -> Finding {
    let about = address.to_string();
    let Ok(place) = Place::parse(&address.local) else {
        return bad(&about, "is no Telegram address", "see docs/channels/telegram.md");
    };
    let chat: Chat = match channel
        .api
        .call(&GetChat::new(recipient(place.chat)), limits::CALL)
        .await
    {
        Ok(chat) => chat,
        Err(failure) => return out_of_reach(&about, place, me, &failure),
    };
    if place.is_direct() {
        return good(&about, "can be reached, unless the bot was blocked since");
    }
    if place.topic.is_some() && !chat.is_forum {
        return bad(
            &about,
            "the group has no topics",
            "take the topic out of the address, or switch topics on in the group",
        );
    }
    let Ok(id) = u64::try_from(me.id) else {
        return bad(&about, "the bot has no number", "report this");
    };
    let payload = GetChatMember::new(recipient(place.chat), UserId(id));
    match channel.api.call::<_, Member>(&payload, limits::CALL).await {
        Ok(member) if matches!(member.status.as_str(), "left" | "kicked") => not_a_member(&about),
        Ok(member) if member.can_send_messages == Some(false) => bad(
            &about,
            "the bot may not write there",
            "let it send messages, in the group's permissions",
        ),
        Ok(_) => good(&about, "the bot is a member and may write"),
        Err(failure) => out_of_reach(&about, place, me, &failure),
    }
}

fn out_of_reach(about: &str, place: Place, me: &Me, failure: &Failure) -> Finding {
    match failure.cause() {
        Some(Cause::Moved(new)) => Finding {
            grade: Grade::Note,
            about: about.to_owned(),
            found: format!("the group has a new number: {new}"),
            remedy: Some("write it into the configuration; until then askd follows by itself".to_owned()),
        },
        Some(Cause::Unreachable) if place.is_direct() => bad(
            about,
            "this person has never written to the bot, or there is none of this number",
            &format!(
                "let them open https://t.me/{} and press Start, or use askd pair",
                me.username
            ),
        ),
        Some(Cause::Unreachable) => not_a_member(about),
        _ => bad(about, "could not be looked at", "try again in a moment"),
    }
}

fn not_a_member(about: &str) -> Finding {
    bad(
        about,
        "the bot is not in this group, or there is none of this number",
        "add the bot to the group; a supergroup's number begins with -100",
    )
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
