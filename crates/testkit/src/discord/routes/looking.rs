//! Looking things up.

#![expect(clippy::unnecessary_wraps, reason = "any route may refuse; these never do")]

use serde_json::{Value, json};

use super::{Reply, Request};
use crate::discord::{
    Permission, limits,
    permissions::OF_EVERYBODY,
    refusal::Refusal,
    state::{Channel, State},
};

type Answer = Result<Reply, Refusal>;

pub(super) fn gateway(state: &mut State, _: &Request) -> Answer {
    Ok(Reply::Told(json!({"url": state.bot.gateway})))
}

pub(super) fn bot_gateway(state: &mut State, _: &Request) -> Answer {
    Ok(Reply::Told(json!({
        "url": state.bot.gateway,
        "shards": 1,
        "session_start_limit": {
            "total": limits::SESSIONS,
            "remaining": state.sessions.left,
            "reset_after": 86_400_000,
            "max_concurrency": 1,
        },
    })))
}

pub(super) fn application(state: &mut State, _: &Request) -> Answer {
    Ok(Reply::Told(state.application_json()))
}

pub(super) fn me(state: &mut State, _: &Request) -> Answer {
    Ok(Reply::Told(state.me_json()))
}

pub(super) fn for_people(_: &mut State, _: &Request) -> Answer {
    Err(Refusal::bots_cannot())
}

pub(super) fn my_guilds(state: &mut State, _: &Request) -> Answer {
    let guilds = state.guilds.values().filter(|guild| guild.bot_since.is_some());
    let told = guilds.map(|guild| {
        json!({
            "id": guild.id.to_string(),
            "name": guild.name,
            "icon": null,
            "banner": null,
            "owner": false,
            "permissions": (guild.bot_may | OF_EVERYBODY).to_string(),
            "features": [],
        })
    });
    Ok(Reply::Told(told.collect()))
}

pub(super) fn user(state: &mut State, request: &Request) -> Answer {
    let id = request.id("user_id")?;
    if !state.accounts.contains_key(&id) {
        return Err(Refusal::unknown_user());
    }
    Ok(Reply::Told(state.user_json(id)))
}

/// The guild, if the bot is in it.
fn mine(state: &State, request: &Request) -> Result<u64, Refusal> {
    let id = request.id("guild_id")?;
    let guild = state.guilds.get(&id).ok_or_else(Refusal::unknown_guild)?;
    if guild.bot_since.is_none() {
        return Err(Refusal::missing_access());
    }
    Ok(id)
}

pub(super) fn guild(state: &mut State, request: &Request) -> Answer {
    let id = mine(state, request)?;
    Ok(Reply::Told(state.guild_json(id)))
}

pub(super) fn member(state: &mut State, request: &Request) -> Answer {
    let guild = mine(state, request)?;
    let account = request.id("user_id")?;
    if !state.accounts.contains_key(&account) {
        return Err(Refusal::unknown_user());
    }
    let member = state.member_json(guild, account);
    Ok(Reply::Told(member.ok_or_else(Refusal::unknown_member)?))
}

pub(super) fn roles(state: &mut State, request: &Request) -> Answer {
    let guild = mine(state, request)?;
    Ok(Reply::Told(state.role_json(guild)))
}

pub(super) fn guild_channels(state: &mut State, request: &Request) -> Answer {
    let guild = mine(state, request)?;
    let channels = of_guild(state, guild).filter(|channel| channel.thread().is_none());
    let told: Vec<Value> = channels.map(|channel| state.channel_json(channel)).collect();
    Ok(Reply::Told(told.into()))
}

pub(super) fn threads(state: &mut State, request: &Request) -> Answer {
    let guild = mine(state, request)?;
    let active = of_guild(state, guild).filter(|channel| {
        let thread = channel.thread();
        thread.is_some_and(|thread| !thread.archived) && state.bot_can(channel, Permission::ViewChannel)
    });
    let threads: Vec<Value> = active.map(|channel| state.channel_json(channel)).collect();
    Ok(Reply::Told(
        json!({"threads": threads, "members": [], "has_more": false}),
    ))
}

fn of_guild(state: &State, guild: u64) -> impl Iterator<Item = &Channel> {
    let channels = state.channels.values();
    channels.filter(move |channel| channel.guild() == Some(guild))
}

pub(super) fn channel(state: &mut State, request: &Request) -> Answer {
    let channel = state.visible(request.id("channel_id")?)?;
    Ok(Reply::Told(state.channel_json(channel)))
}
