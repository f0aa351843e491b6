//! Answers to taps.

use serde_json::Value;

use crate::telegram::{
    arguments::Arguments,
    limits,
    refusal::Refusal,
    state::{Answer, State},
};

/// Said of a tap that is too old, was answered already, or never was: they are not told apart.
pub(super) const TOO_OLD: &str = "query is too old and response timeout expired or query ID is invalid";

pub(super) fn answer_callback_query(state: &mut State, arguments: &Arguments) -> Result<Value, Refusal> {
    let text = arguments.text("text");
    if !limits::ANSWER.fits(text) {
        return Err(Refusal::broken("MESSAGE_TOO_LONG"));
    }
    let now = state.now;
    let id = arguments.text("callback_query_id");
    let tap = state
        .taps
        .get_mut(id)
        .filter(|tap| tap.answer.is_none() && tap.when + limits::ANSWER_WITHIN > now)
        .ok_or_else(|| Refusal::bad(TOO_OLD))?;
    let answer = Answer {
        text: (!text.is_empty()).then(|| text.to_owned()),
        alert: arguments.flag("show_alert"),
    };
    tap.answer = Some(answer.clone());
    state.answers.push((tap.by, answer));
    state.tell_answered(id);
    Ok(Value::Bool(true))
}
