//! Looking things up.

use serde_json::Value;

use super::access::Access;
use crate::telegram::{arguments::Arguments, refusal::Refusal, state::State};

#[expect(
    clippy::unnecessary_wraps,
    reason = "the methods of the table are of one shape"
)]
pub(super) fn get_me(state: &mut State, _: &Arguments) -> Result<Value, Refusal> {
    Ok(state.me())
}

pub(super) fn get_chat(state: &mut State, arguments: &Arguments) -> Result<Value, Refusal> {
    let chat = state.reach(arguments, Access::Read)?;
    Ok(state.full_chat(state.chat(chat)))
}

pub(super) fn get_chat_member(state: &mut State, arguments: &Arguments) -> Result<Value, Refusal> {
    let chat = state.reach(arguments, Access::Read)?;
    let user = arguments.integer("user_id");
    if user <= 0 {
        return Err(Refusal::broken("invalid user_id specified"));
    }
    if user != state.bot.id && !state.accounts.contains_key(&user) {
        return Err(Refusal::bad("user not found"));
    }
    Ok(state.member(state.chat(chat), user))
}
