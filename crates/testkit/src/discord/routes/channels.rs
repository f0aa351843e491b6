//! Direct conversations and threads.

use super::{Reply, Request};
use crate::discord::{
    Permission,
    form::Form,
    message::MessageAt,
    refusal::Refusal,
    state::{ChannelKind, State},
};

type Answer = Result<Reply, Refusal>;

/// Opens a direct conversation, or finds the one that is there. It succeeds with those too who take no messages.
pub(super) fn create_dm(state: &mut State, request: &Request) -> Answer {
    let form = Form::default();
    let fields = request.fields()?;
    let recipient = form.body(fields).required_snowflake("recipient_id");
    form.finish()?;
    let recipient = recipient.unwrap_or_default();
    let account = state
        .accounts
        .get(&recipient)
        .ok_or_else(Refusal::invalid_recipient)?;
    if account.is_bot {
        return Err(Refusal::cannot_reach());
    }
    let channel = state.direct_of(recipient);
    Ok(Reply::Told(state.channel_json(state.channel(channel))))
}

pub(super) fn create_thread(state: &mut State, request: &Request) -> Answer {
    let (channel, id) = (request.id("channel_id")?, request.id("message_id")?);
    let at = MessageAt { channel, id };
    let place = state.visible(channel)?;
    if !matches!(place.kind, ChannelKind::Text { .. }) {
        return Err(Refusal::new(400, 50024, "Cannot execute action on this channel type").broken());
    }
    if !state.bot_can(place, Permission::CreatePublicThreads) {
        return Err(Refusal::missing_permissions());
    }
    let form = Form::default();
    let name = form.body(request.fields()?).required_text("name", 1, 100);
    form.finish()?;
    if state.message(at).is_none() {
        return Err(Refusal::unknown_message());
    }
    if state.channels.contains_key(&id) {
        let message = "A thread has already been created for this message";
        return Err(Refusal::new(400, 160_004, message));
    }
    let bot = state.bot.id;
    state.open_thread(at, &name.unwrap_or_default(), bot);
    Ok(Reply::Made(state.channel_json(state.channel(id))))
}

pub(super) fn join_thread(state: &mut State, request: &Request) -> Answer {
    let id = request.id("channel_id")?;
    state.visible(id)?;
    let bot = state.bot.id;
    match &mut state.channel_mut(id).kind {
        ChannelKind::Thread(thread) if thread.archived => Err(Refusal::archived()),
        ChannelKind::Thread(thread) => {
            thread.members.insert(bot);
            Ok(Reply::Done)
        }
        _ => Err(Refusal::new(400, 50024, "Cannot execute action on this channel type").broken()),
    }
}

pub(super) fn typing(state: &mut State, request: &Request) -> Answer {
    let channel = state.visible(request.id("channel_id")?)?;
    if !state.bot_can(channel, Permission::SendMessages) {
        return Err(Refusal::missing_permissions());
    }
    Ok(Reply::Done)
}

/// Opens an archived thread again, or archives one.
pub(super) fn update(state: &mut State, request: &Request) -> Answer {
    let id = request.id("channel_id")?;
    let place = state.visible(id)?;
    let may_manage = state.bot_can(place, Permission::ManageThreads);
    let bot = state.bot.id;
    let form = Form::default();
    let body = form.body(request.fields()?);
    let (archived, locked) = (body.switch("archived"), body.switch("locked"));
    form.finish()?;
    let ChannelKind::Thread(thread) = &mut state.channel_mut(id).kind else {
        return Err(Refusal::not_modelled("changes of channels that are no threads"));
    };
    let may_open = !thread.locked && archived == Some(false) && locked.is_none();
    if !may_manage && !may_open && thread.owner != bot {
        return Err(Refusal::missing_permissions());
    }
    thread.archived = archived.unwrap_or(thread.archived);
    thread.locked = locked.unwrap_or(thread.locked);
    state.dispatch_channel("THREAD_UPDATE", id);
    let told = state.channel_json(state.channel(id));
    Ok(Reply::Told(told))
}
