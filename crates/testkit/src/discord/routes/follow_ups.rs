//! What comes after the first answer to an interaction, for a quarter of an hour.

use super::{
    Reply, Request,
    interactions::post,
    writing::{IN_ANSWER, IN_CHANGE, Written, told},
};
use crate::discord::{
    interactions::{Answer as How, Interaction},
    message::{MessageAt, flags},
    refusal::Refusal,
    state::State,
};

type Answer = Result<Reply, Refusal>;

fn interaction(state: &State, request: &Request) -> Result<Interaction, Refusal> {
    let id = state.followed_up(request.id("webhook_id")?, request.parameter("webhook_token"))?;
    Ok(state.interactions[&id].clone())
}

/// The message of the first answer.
fn original(interaction: &Interaction) -> Result<MessageAt, Refusal> {
    interaction.original.ok_or_else(Refusal::unknown_message)
}

/// A message that followed, or the first.
fn followed(interaction: &Interaction, request: &Request) -> Result<MessageAt, Refusal> {
    let id = request.id("message_id")?;
    let mut known = interaction.follow_ups.iter().chain(&interaction.original);
    known
        .find(|at| at.id == id)
        .copied()
        .ok_or_else(Refusal::unknown_message)
}

pub(super) fn create(state: &mut State, request: &Request) -> Answer {
    let interaction = interaction(state, request)?;
    let written = Written::of_body(request, IN_ANSWER)?;
    // The first one fills the message that was on its way, which keeps its flags.
    let waiting = interaction.original.filter(|at| {
        let message = state.message(*at);
        interaction.answer == How::Loading && message.is_some_and(|message| message.draft.has(flags::LOADING))
    });
    let at = if let Some(at) = waiting {
        written.change(state, request.route, at)?;
        at
    } else {
        let draft = written.draft(state, request.route, interaction.channel)?;
        let at = post(state, &interaction, draft);
        let entry = state.interactions.get_mut(&interaction.id);
        entry.expect("it was found above").follow_ups.push(at);
        at
    };
    state.shows(interaction.id);
    Ok(Reply::Told(told(state, at)?))
}

pub(super) fn get_original(state: &mut State, request: &Request) -> Answer {
    let interaction = interaction(state, request)?;
    Ok(Reply::Told(told(state, original(&interaction)?)?))
}

pub(super) fn update_original(state: &mut State, request: &Request) -> Answer {
    let interaction = interaction(state, request)?;
    change(state, request, &interaction, original(&interaction)?)
}

pub(super) fn delete_original(state: &mut State, request: &Request) -> Answer {
    let interaction = interaction(state, request)?;
    remove(state, original(&interaction)?)
}

pub(super) fn get(state: &mut State, request: &Request) -> Answer {
    let interaction = interaction(state, request)?;
    Ok(Reply::Told(told(state, followed(&interaction, request)?)?))
}

pub(super) fn update(state: &mut State, request: &Request) -> Answer {
    let interaction = interaction(state, request)?;
    change(state, request, &interaction, followed(&interaction, request)?)
}

pub(super) fn delete(state: &mut State, request: &Request) -> Answer {
    let interaction = interaction(state, request)?;
    remove(state, followed(&interaction, request)?)
}

fn change(state: &mut State, request: &Request, interaction: &Interaction, at: MessageAt) -> Answer {
    let written = Written::of_body(request, IN_CHANGE)?;
    written.change(state, request.route, at)?;
    state.shows(interaction.id);
    Ok(Reply::Told(told(state, at)?))
}

fn remove(state: &mut State, at: MessageAt) -> Answer {
    state.message(at).ok_or_else(Refusal::unknown_message)?;
    state.delete(at);
    Ok(Reply::Done)
}
