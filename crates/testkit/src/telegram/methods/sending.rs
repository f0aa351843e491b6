//! New messages.

use serde_json::Value;

use super::access::Access;
use crate::telegram::{
    arguments::Arguments,
    entities, fields, limits, markup,
    message::{Author, Body, Draft, MessageAt, Thread},
    refusal::Refusal,
    state::State,
};

pub(super) fn send_message(state: &mut State, arguments: &Arguments) -> Result<Value, Refusal> {
    let words = entities::outgoing(
        arguments.text("text"),
        arguments.text("parse_mode"),
        arguments.json("entities"),
    )?;
    check_link_preview(arguments)?;
    let reply = Reply::read(arguments)?;
    let markup = markup::read(arguments)?;
    let chat = state.reach(arguments, Access::Write)?;
    let reply_to = reply.map(|reply| reply.find(state, chat)).transpose()?.flatten();
    let thread = thread(state, chat, arguments, reply_to)?;
    if !limits::TEXT.fits(&words.text) {
        return Err(Refusal::broken("message is too long"));
    }
    let is_group = state.chat(chat).is_group();
    state.rates.count(chat, is_group, state.now)?;
    let at = state.post(
        chat,
        Draft {
            markup,
            silent: arguments.flag("disable_notification"),
            protected: arguments.flag("protect_content"),
            reply_to,
            thread,
            ..Draft::new(Author::Bot, Body::Text(words))
        },
    );
    let message = state.message(at).expect("it was posted under this very lock");
    Ok(state.message_json(message))
}

/// Shows that something is being done. Refused where a message would be, which makes it a way of asking.
pub(super) fn send_chat_action(state: &mut State, arguments: &Arguments) -> Result<Value, Refusal> {
    const ACTIONS: [&str; 3] = ["typing", "upload_document", "cancel"];
    if !ACTIONS.contains(&arguments.text("action")) {
        return Err(Refusal::broken("wrong parameter action in request"));
    }
    let chat = state.reach(arguments, Access::Write)?;
    thread(state, chat, arguments, None)?;
    Ok(Value::Bool(true))
}

/// The parameter `reply_parameters`.
struct Reply {
    message: i64,
    or_not: bool,
    chat: Option<i64>,
}

impl Reply {
    fn read(arguments: &Arguments) -> Result<Option<Self>, Refusal> {
        if arguments.text("reply_parameters").is_empty() {
            return Ok(None);
        }
        let parameters = arguments
            .json("reply_parameters")
            .ok_or_else(|| Refusal::broken("can't parse reply parameters JSON object"))?;
        let object = parameters
            .as_object()
            .ok_or_else(|| Refusal::broken("object expected as reply parameters"))?;
        let fault = |fault: String| Refusal::broken(fields::sentence(&fault));
        let known = ["message_id", "chat_id", "allow_sending_without_reply"];
        if let Some(name) = object.keys().find(|name| !known.contains(&name.as_str())) {
            return Err(Refusal::not_modelled(&format!("`{name}` of reply_parameters")));
        }
        let chat = object.contains_key("chat_id");
        Ok(Some(Self {
            message: fields::integer(object, "message_id").map_err(fault)?,
            or_not: fields::switch(object, "allow_sending_without_reply").map_err(fault)?,
            chat: chat
                .then(|| fields::integer(object, "chat_id"))
                .transpose()
                .map_err(fault)?,
        }))
    }

    fn find(self, state: &State, chat: i64) -> Result<Option<i64>, Refusal> {
        if self.chat.is_some_and(|named| named != chat) {
            return Err(Refusal::not_modelled("replies to another chat"));
        }
        let at = MessageAt {
            chat,
            id: self.message,
        };
        match state.message(at) {
            Some(message) => Ok(Some(message.at.id)),
            None if self.or_not => Ok(None),
            None => Err(Refusal::bad("message to be replied not found")),
        }
    }
}

/// The thread of a new message: the one named, else that of the message it replies to. The General topic has no id that
/// could be named: 1 is as unknown as any other.
/// Source: telegram-bot-api, issues 356, 447 and 798.
fn thread(
    state: &State,
    chat: i64,
    arguments: &Arguments,
    reply_to: Option<i64>,
) -> Result<Option<Thread>, Refusal> {
    let named = arguments.integer("message_thread_id");
    if named <= 0 {
        return Ok(state.thread_of(chat, None, reply_to));
    }
    let chat = state.chat(chat);
    let topic = chat.topics.get(&named).filter(|_| chat.is_forum());
    match topic {
        None => Err(Refusal::bad("message thread not found")),
        Some(topic) if topic.closed && !chat.bot.is_administrator() => Err(Refusal::bad("TOPIC_CLOSED")),
        Some(_) => Ok(Some(Thread {
            root: named,
            is_topic: true,
        })),
    }
}

/// Previews are not shown here, but what is said of them has to be sound.
pub(super) fn check_link_preview(arguments: &Arguments) -> Result<(), Refusal> {
    if arguments.text("link_preview_options").is_empty() {
        return Ok(());
    }
    let options = arguments
        .json("link_preview_options")
        .ok_or_else(|| Refusal::broken("can't parse link preview options JSON object"))?;
    let object = options
        .as_object()
        .ok_or_else(|| Refusal::broken("object expected as link preview options"))?;
    for name in [
        "is_disabled",
        "prefer_small_media",
        "prefer_large_media",
        "show_above_text",
    ] {
        fields::switch(object, name).map_err(|fault| Refusal::broken(fields::sentence(&fault)))?;
    }
    Ok(())
}
