//! Changing and deleting messages.

use serde_json::Value;

use super::{access::Access, sending::check_link_preview};
use crate::telegram::{
    arguments::Arguments,
    entities, limits,
    markup::{self, Markup},
    message::{Author, Body, MessageAt},
    refusal::Refusal,
    state::{ChatKind, State},
};

const NOT_MODIFIED: &str = "message is not modified: specified new message content and reply markup are exactly the \
                            same as a current content and reply markup of the message";

/// New text and new buttons: without `reply_markup` there are none afterwards.
pub(super) fn edit_message_text(state: &mut State, arguments: &Arguments) -> Result<Value, Refusal> {
    let words = entities::outgoing(
        arguments.text("text"),
        arguments.text("parse_mode"),
        arguments.json("entities"),
    )?;
    check_link_preview(arguments)?;
    let markup = buttons(arguments)?;
    let at = editable(state, arguments)?;
    if !limits::TEXT.fits(&words.text) {
        return Err(Refusal::broken("MESSAGE_TOO_LONG"));
    }
    if !matches!(
        state.message(at).map(|message| &message.body),
        Some(Body::Text(_))
    ) {
        return Err(Refusal::bad("there is no text in the message to edit"));
    }
    change(state, at, Some(Body::Text(words)), markup)
}

/// New buttons: without `reply_markup` there are none afterwards.
pub(super) fn edit_message_reply_markup(state: &mut State, arguments: &Arguments) -> Result<Value, Refusal> {
    let markup = buttons(arguments)?;
    let at = editable(state, arguments)?;
    change(state, at, None, markup)
}

fn buttons(arguments: &Arguments) -> Result<Markup, Refusal> {
    let markup = markup::read(arguments)?;
    if markup.can_be_edited() {
        Ok(markup)
    } else {
        Err(Refusal::broken("inline keyboard expected"))
    }
}

fn editable(state: &State, arguments: &Arguments) -> Result<MessageAt, Refusal> {
    if arguments.text("chat_id").is_empty() && arguments.integer("message_id") == 0 {
        return Err(Refusal::broken("message identifier is not specified"));
    }
    let at = state.reach_message(arguments, Access::Edit, "message to edit")?;
    let ours = |message: &crate::telegram::message::Message| {
        message.author == Author::Bot && message.markup.can_be_edited()
    };
    if state.message(at).is_some_and(ours) {
        Ok(at)
    } else {
        Err(Refusal::bad("message can't be edited"))
    }
}

fn change(state: &mut State, at: MessageAt, body: Option<Body>, markup: Markup) -> Result<Value, Refusal> {
    let now = state.now;
    let gone = || Refusal::bad("message to edit not found");
    let message = state.message_mut(at).ok_or_else(gone)?;
    let body = body.unwrap_or_else(|| message.body.clone());
    if message.body == body && message.markup == markup {
        return Err(Refusal::bad(NOT_MODIFIED));
    }
    message.body = body;
    message.markup = markup;
    message.edited = Some(now);
    state.tell_changed(at);
    let message = state.message(at).ok_or_else(gone)?;
    Ok(state.message_json(message))
}

pub(super) fn delete_message(state: &mut State, arguments: &Arguments) -> Result<Value, Refusal> {
    let at = state.reach_message(arguments, Access::Write, "message to delete")?;
    let now = state.now;
    let chat = state.chat(at.chat);
    let may_delete_others = chat.kind == ChatKind::Private || chat.bot.is_administrator();
    let deletable = state.message(at).is_some_and(|message| {
        let ours = message.author == Author::Bot;
        let fresh = message.date + limits::DELETABLE > now;
        (ours || may_delete_others) && (fresh || chat.bot.is_administrator())
    });
    if !deletable {
        return Err(Refusal::bad("message can't be deleted"));
    }
    state.delete(at);
    Ok(Value::Bool(true))
}

impl State {
    /// Deletes a message, whoever asks. Bots are not told.
    pub(crate) fn delete(&mut self, at: MessageAt) {
        self.tell_deleted(at);
        if let Some(message) = self.message_mut(at) {
            message.deleted = true;
        }
    }
}
