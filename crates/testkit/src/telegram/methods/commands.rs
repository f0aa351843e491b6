//! The menu of commands, for each scope and language.

use serde_json::{Value, json};

use super::access::Access;
use crate::telegram::{
    arguments::Arguments,
    fields, limits,
    refusal::Refusal,
    state::{Command, State},
};

pub(super) fn set(state: &mut State, arguments: &Arguments) -> Result<Value, Refusal> {
    let commands = arguments
        .json("commands")
        .ok_or_else(|| Refusal::broken("can't parse commands JSON object"))?;
    let commands = commands
        .as_array()
        .ok_or_else(|| Refusal::broken("expected an Array of BotCommand"))?;
    let key = key(state, arguments)?;
    let commands: Vec<Command> = commands.iter().map(command).collect::<Result<_, _>>()?;
    if commands.len() > limits::COMMANDS {
        return Err(Refusal::broken("BOT_COMMANDS_TOO_MUCH"));
    }
    if commands.is_empty() {
        state.commands.remove(&key);
    } else {
        state.commands.insert(key, commands);
    }
    Ok(Value::Bool(true))
}

pub(super) fn get(state: &mut State, arguments: &Arguments) -> Result<Value, Refusal> {
    let key = key(state, arguments)?;
    let commands = state.commands.get(&key).map_or(&[][..], Vec::as_slice);
    let one = |command: &Command| json!({"command": command.name, "description": command.description});
    Ok(commands.iter().map(one).collect())
}

pub(super) fn delete(state: &mut State, arguments: &Arguments) -> Result<Value, Refusal> {
    let key = key(state, arguments)?;
    state.commands.remove(&key);
    Ok(Value::Bool(true))
}

fn command(command: &Value) -> Result<Command, Refusal> {
    let fault = |fault: String| Refusal::broken(format!("can't parse BotCommand: {fault}"));
    let object = command
        .as_object()
        .ok_or_else(|| fault("expected an Object".to_owned()))?;
    let name = fields::string(object, "command").map_err(fault)?;
    let description = fields::string(object, "description").map_err(fault)?;
    let name = name.strip_prefix('/').unwrap_or(&name);
    if name.is_empty() {
        return Err(Refusal::broken("command must be non-empty"));
    }
    if description.trim().is_empty() {
        return Err(Refusal::broken("command description must be non-empty"));
    }
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if !limits::COMMAND.fits(name) || !name.chars().all(plain) {
        return Err(Refusal::broken("BOT_COMMAND_INVALID"));
    }
    if !limits::COMMAND_DESCRIPTION.fits(&description) {
        return Err(Refusal::broken("BOT_COMMAND_DESCRIPTION_INVALID"));
    }
    Ok(Command {
        name: name.to_owned(),
        description,
    })
}

/// Under which scope and language a menu is kept.
fn key(state: &State, arguments: &Arguments) -> Result<(String, String), Refusal> {
    let language = arguments.text("language_code");
    let short = language.len() == 2 && language.chars().all(|c| c.is_ascii_lowercase());
    if !language.is_empty() && !short {
        return Err(Refusal::broken("invalid language code specified"));
    }
    Ok((scope(state, arguments)?, language.to_owned()))
}

fn scope(state: &State, arguments: &Arguments) -> Result<String, Refusal> {
    if arguments.text("scope").is_empty() {
        return Ok("default".to_owned());
    }
    let scope = arguments
        .json("scope")
        .ok_or_else(|| Refusal::broken("can't parse BotCommandScope JSON object"))?;
    let fault = |fault: String| Refusal::broken(format!("can't parse BotCommandScope: {fault}"));
    let object = scope
        .as_object()
        .ok_or_else(|| fault("expected an Object".to_owned()))?;
    let kind = fields::string(object, "type").map_err(fault)?;
    match kind.as_str() {
        "default" | "all_private_chats" | "all_group_chats" | "all_chat_administrators" => Ok(kind),
        "chat" => {
            let chat = fields::string(object, "chat_id").map_err(fault)?;
            let named = Arguments::from([("chat_id", Value::from(chat))]);
            Ok(format!("chat {}", state.reach(&named, Access::Read)?))
        }
        "chat_administrators" | "chat_member" => {
            Err(Refusal::not_modelled("command menus of single members"))
        }
        _ => Err(fault("unsupported type specified".to_owned())),
    }
}
