//! Slash commands of the whole application.

use serde_json::Value;

use super::{Reply, Request};
use crate::discord::{commands, form::Form, limits, refusal::Refusal, state::State};

type Answer = Result<Reply, Refusal>;

fn own(state: &State, request: &Request) -> Result<(), Refusal> {
    if request.id("application_id")? == state.bot.id {
        return Ok(());
    }
    let message = "You are not authorized to perform this action on this application";
    Err(Refusal::new(403, 20012, message).broken())
}

pub(super) fn list(state: &mut State, request: &Request) -> Answer {
    own(state, request)?;
    Ok(Reply::Told(told(state)))
}

/// Puts these commands in the place of all that were there.
pub(super) fn replace(state: &mut State, request: &Request) -> Answer {
    own(state, request)?;
    let Value::Array(items) = &request.body else {
        return Err(Refusal::invalid_json());
    };
    let form = Form::default();
    let fields = serde_json::Map::new();
    let body = form.body(&fields);
    body.at.measure(items.len(), 0, limits::COMMANDS);
    let mut new: Vec<commands::Command> = Vec::new();
    for (n, value) in items.iter().enumerate() {
        let at = body.at.index(n);
        let name = value["name"].as_str().unwrap_or_default();
        let known = state.commands.iter().find(|command| command.name == name);
        let id = match known {
            Some(known) => known.id,
            None => state.ids.next(state.now),
        };
        let Some(command) = commands::read(value, &at, id) else {
            continue;
        };
        if new.iter().any(|other| other.name == command.name) {
            let message = "Application command names must be unique";
            at.field("name")
                .wrong("APPLICATION_COMMANDS_DUPLICATE_NAME", message);
        }
        new.push(command);
    }
    form.finish()?;
    state.commands = new;
    Ok(Reply::Told(told(state)))
}

fn told(state: &State) -> Value {
    let commands = state.commands.iter();
    commands.map(|command| state.command_json(command)).collect()
}
