//! Messages, by channel and id.

use serde_json::{Value, json};

use super::{
    Reply, Request,
    writing::{IN_CHANGE, IN_NEW, Written, is_visible, told},
};
use crate::discord::{
    Permission, fields,
    form::{Form, Object},
    limits,
    message::{Kind, MessageAt},
    refusal::Refusal,
    state::{Channel, ChannelKind, State},
};

type Answer = Result<Reply, Refusal>;

fn at(request: &Request) -> Result<MessageAt, Refusal> {
    Ok(MessageAt {
        channel: request.id("channel_id")?,
        id: request.id("message_id")?,
    })
}

pub(super) fn create(state: &mut State, request: &Request) -> Answer {
    let id = request.id("channel_id")?;
    state.visible(id)?;
    let form = Form::default();
    let body = form.body(request.fields()?);
    let written = Written::read(&body, IN_NEW);
    let reply = reference(&body);
    let nonce = nonce(&body);
    let enforced = body.switch("enforce_nonce").unwrap_or_default();
    form.finish()?;
    let channel = state.channel(id);
    may_write(state, channel)?;
    let replied = match &reply {
        Some(reply) => replied(state, channel, reply)?,
        None => None,
    };
    if let Some(at) = nonce
        .as_deref()
        .filter(|_| enforced)
        .and_then(|n| with_nonce(state, n))
    {
        return Ok(Reply::Told(told(state, at)?));
    }
    let pings_replied = written
        .allowed
        .as_ref()
        .is_none_or(|allowed| allowed.replied_user);
    let mut draft = written.draft(state, request.route, id)?;
    draft.nonce = nonce;
    if let Some(at) = replied {
        draft.kind = Kind::Reply;
        draft.refers_to = Some(at);
        let author = state.message(at).map(|message| message.draft.author);
        let author = author.filter(|author| pings_replied && !draft.pings.accounts.contains(author));
        draft.pings.accounts.extend(author);
    }
    if let ChannelKind::Thread(thread) = &mut state.channel_mut(id).kind
        && thread.archived
    {
        // Writing opens it again.
        thread.archived = false;
        state.dispatch_channel("THREAD_UPDATE", id);
    }
    let at = state.post(id, draft);
    Ok(Reply::Told(told(state, at)?))
}

/// The message to reply to, and whether it has to be there.
struct Reference {
    channel: Option<u64>,
    message: u64,
    must_exist: bool,
}

fn reference(body: &Object<'_>) -> Option<Reference> {
    let object = body.object("message_reference")?;
    object.only(fields::REFERENCE);
    if object.integer("type").is_some_and(|kind| kind != 0) {
        object.field("type").not_modelled("passing messages on");
    }
    Some(Reference {
        channel: object.snowflake("channel_id"),
        message: object.required_snowflake("message_id")?,
        must_exist: object.switch("fail_if_not_exists").unwrap_or(true),
    })
}

fn replied(state: &State, channel: &Channel, reply: &Reference) -> Result<Option<MessageAt>, Refusal> {
    let wrong = |code: &str, message: &str| {
        let reason = json!({"code": code, "message": message});
        Refusal::form(json!({"message_reference": {"_errors": [reason]}}))
    };
    if !state.bot_can(channel, Permission::ReadMessageHistory) {
        return Err(Refusal::cannot_reply());
    }
    if reply.channel.is_some_and(|id| id != channel.id) {
        let message = "Cannot reply to a message in a different channel";
        return Err(wrong("REPLIES_CANNOT_REFERENCE_OTHER_CHANNEL", message));
    }
    let at = MessageAt {
        channel: channel.id,
        id: reply.message,
    };
    let found = state
        .message(at)
        .filter(|message| message.draft.only_for.is_none());
    match found {
        Some(message) if !message.draft.kind.is_said() => Err(wrong(
            "REPLIES_CANNOT_REPLY_TO_SYSTEM_MESSAGE",
            "Cannot reply to a system message",
        )),
        Some(_) => Ok(Some(at)),
        None if reply.must_exist => Err(Refusal {
            // Whoever wrote it may have deleted it a moment ago.
            rule_broken: false,
            ..wrong("REPLIES_UNKNOWN_MESSAGE", "Unknown message")
        }),
        None => Ok(None),
    }
}

fn nonce(body: &Object<'_>) -> Option<String> {
    body.text("nonce", 0, limits::NONCE)
}

/// The message that was sent with this nonce not long ago. One that was deleted since is found too, and cannot be told:
/// nothing is sent then either. Source: discord-api-docs, pull request 6647, where it is called intended.
fn with_nonce(state: &State, nonce: &str) -> Option<MessageAt> {
    let messages = state
        .channels
        .values()
        .flat_map(|channel| channel.messages.values());
    let mut recent = messages.filter(|message| message.date + limits::NONCE_KEPT > state.now);
    let same = recent.find(|message| {
        message.draft.author == state.bot.id && message.draft.nonce.as_deref() == Some(nonce)
    });
    same.map(|message| message.at)
}

/// Whether the bot may write in a channel that it sees.
fn may_write(state: &State, channel: &Channel) -> Result<(), Refusal> {
    match &channel.kind {
        ChannelKind::Direct(with) => {
            if state.account(*with).unreachable || !state.shares_guild(*with) {
                return Err(Refusal::cannot_reach());
            }
        }
        ChannelKind::Text { .. } => {
            if !state.bot_can(channel, Permission::SendMessages) {
                return Err(Refusal::missing_permissions());
            }
        }
        ChannelKind::Thread(thread) => {
            if !state.bot_can(channel, Permission::SendMessagesInThreads) {
                return Err(Refusal::missing_permissions());
            }
            if thread.locked && !state.bot_can(channel, Permission::ManageThreads) {
                return Err(Refusal::archived());
            }
        }
    }
    Ok(())
}

pub(super) fn list(state: &mut State, request: &Request) -> Answer {
    let id = request.id("channel_id")?;
    let channel = state.visible(id)?;
    let number = |name: &str| -> Result<Option<u64>, Refusal> {
        let Some(text) = request.query(name) else {
            return Ok(None);
        };
        text.parse().map(Some).map_err(|_| {
            let message = format!("Value \"{text}\" is not snowflake.");
            let reason = json!({"code": "NUMBER_TYPE_COERCE", "message": message});
            Refusal::form(json!({name: {"_errors": [reason]}}))
        })
    };
    let limit = number("limit")?.unwrap_or(limits::LIST_DEFAULT as u64);
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    if !(1..=limits::LIST).contains(&limit) {
        let code = if limit == 0 {
            "NUMBER_TYPE_MIN"
        } else {
            "NUMBER_TYPE_MAX"
        };
        let message = format!("int value should be between 1 and {}.", limits::LIST);
        let reason = json!({"code": code, "message": message});
        return Err(Refusal::form(json!({"limit": {"_errors": [reason]}})));
    }
    if !state.bot_can(channel, Permission::ReadMessageHistory) {
        return Ok(Reply::Told(json!([])));
    }
    if number("around")?.is_some() {
        return Err(Refusal::not_modelled("`around` of list_messages"));
    }
    let (after, before) = (number("after")?, number("before")?);
    let ids = channel.open_messages().map(|message| message.at.id);
    let mut ids: Vec<u64> = ids
        .filter(|id| after.is_none_or(|after| *id > after))
        .filter(|id| before.is_none_or(|before| *id < before))
        .collect();
    if after.is_some() {
        ids.truncate(limit);
    } else {
        ids.drain(..ids.len().saturating_sub(limit));
    }
    // The newest comes first, whatever was asked for.
    let read = ids.into_iter().rev().map(|message| {
        read(
            state,
            MessageAt {
                channel: id,
                id: message,
            },
        )
    });
    let read: Result<Vec<Value>, Refusal> = read.collect();
    Ok(Reply::Told(read?.into()))
}

pub(super) fn get(state: &mut State, request: &Request) -> Answer {
    let at = at(request)?;
    let channel = state.visible(at.channel)?;
    if !state.bot_can(channel, Permission::ReadMessageHistory) {
        return Err(Refusal::missing_access());
    }
    if !channel.open_messages().any(|message| message.at == at) {
        return Err(Refusal::unknown_message());
    }
    Ok(Reply::Told(read(state, at)?))
}

/// A message, which the bot now has got.
fn read(state: &mut State, at: MessageAt) -> Result<Value, Refusal> {
    let message = state.message(at).ok_or_else(Refusal::unknown_message)?;
    let is_new = !message.handed_out && state.is_meant(message);
    let value = state.message_json(message, is_visible(state, message));
    state.meant += usize::from(is_new);
    if let Some(message) = state.message_mut(at) {
        message.handed_out = true;
    }
    Ok(value)
}

/// The message, if it stands in a channel for all to see.
fn open(state: &State, at: MessageAt) -> Result<(), Refusal> {
    let found = state
        .message(at)
        .filter(|message| message.draft.only_for.is_none());
    found.map(|_| ()).ok_or_else(Refusal::unknown_message)
}

pub(super) fn update(state: &mut State, request: &Request) -> Answer {
    let at = at(request)?;
    state.visible(at.channel)?;
    open(state, at)?;
    let author = state.message(at).map(|message| message.draft.author);
    if author != Some(state.bot.id) {
        return Err(Refusal::not_its_author());
    }
    let written = Written::of_body(request, IN_CHANGE)?;
    if state
        .channel(at.channel)
        .thread()
        .is_some_and(|thread| thread.archived)
    {
        return Err(Refusal::archived());
    }
    written.change(state, request.route, at)?;
    Ok(Reply::Told(told(state, at)?))
}

pub(super) fn delete(state: &mut State, request: &Request) -> Answer {
    let at = at(request)?;
    let channel = state.visible(at.channel)?;
    open(state, at)?;
    let own = state.message(at).map(|message| message.draft.author) == Some(state.bot.id);
    if !own && channel.is_direct() {
        return Err(Refusal::new(403, 50003, "Cannot execute action on a DM channel"));
    }
    if !own && !state.bot_can(channel, Permission::ManageMessages) {
        return Err(Refusal::missing_permissions());
    }
    if channel.thread().is_some_and(|thread| thread.archived) {
        return Err(Refusal::archived());
    }
    state.delete(at);
    Ok(Reply::Done)
}
