//! Changing and deleting messages.

use serde_json::{Value, json};

use crate::slack::{
    arguments::Arguments,
    limits,
    message::{Author, Content, Edited, Message, MessageAt},
    refusal::Refusal,
    state::{Kind, State},
};

pub(super) fn update(state: &mut State, arguments: &Arguments) -> Result<Value, Refusal> {
    let at = addressed(state, arguments)?;
    let message = state
        .message(&at)
        .ok_or_else(|| Refusal::of("message_not_found"))?;
    if message.author != Author::App {
        return Err(Refusal::broken("cant_update_message", Vec::new()));
    }
    if state.conversation(&at.channel).archived {
        return Err(Refusal::of("is_inactive"));
    }
    let before = state
        .message(&at)
        .map(|message| message.content.clone())
        .unwrap_or_default();
    if limits::length(&arguments.text("text"), true) > limits::UPDATED_TEXT.max {
        return Err(Refusal::broken("msg_too_long", Vec::new()));
    }
    let mut content = state.content(arguments)?;
    let is_rich = |blocks: &[Value]| blocks.iter().any(|block| block["type"] == "rich_text");
    if is_rich(&before.blocks) && !content.blocks.is_empty() && !is_rich(&content.blocks) {
        return Err(Refusal::broken("block_mismatch", Vec::new()));
    }
    // What is not given stays: the blocks with their buttons above all.
    if !arguments.has("blocks") {
        content.blocks = before.blocks;
    }
    if !arguments.has("text") {
        content.text = before.text;
    }
    if !arguments.has("metadata") {
        content.metadata = before.metadata;
    }
    content.mrkdwn = before.mrkdwn;
    state.check_markup("chat.update", &content);
    state.change(&at, content);
    let message = state.message(&at).expect("it was just changed");
    let json = state.message_json(message);
    Ok(json!({"channel": at.channel, "ts": at.ts.to_string(), "text": json["text"], "message": json}))
}

pub(super) fn delete(state: &mut State, arguments: &Arguments) -> Result<Value, Refusal> {
    let at = addressed(state, arguments)?;
    let message = state
        .message(&at)
        .ok_or_else(|| Refusal::of("message_not_found"))?;
    if message.author != Author::App {
        return Err(Refusal::broken("cant_delete_message", Vec::new()));
    }
    state.delete(&at);
    Ok(json!({"channel": at.channel, "ts": at.ts.to_string()}))
}

/// The message a call is about, in a conversation that the app is in. An account is no conversation here.
fn addressed(state: &State, arguments: &Arguments) -> Result<MessageAt, Refusal> {
    let conversation = state.conversations.get(&arguments.text("channel"));
    let conversation = conversation.ok_or_else(|| Refusal::of("channel_not_found"))?;
    if !conversation.has_app && conversation.kind != Kind::Public {
        return Err(Refusal::of("channel_not_found"));
    }
    let ts = arguments
        .text("ts")
        .parse()
        .map_err(|_| Refusal::of("message_not_found"))?;
    Ok(MessageAt::new(&conversation.id, ts))
}

impl State {
    /// Gives a message of the app another content.
    pub(crate) fn change(&mut self, at: &MessageAt, content: Content) {
        let (now, app) = (self.now, self.app.user.clone());
        let ts = self.conversation_mut(&at.channel).next_ts(now);
        let Some(message) = self.message_mut(at) else {
            return;
        };
        let before = message.clone();
        message.content = content;
        message.edited = Some(Edited { by: app, ts });
        let after = message.clone();
        self.tell_message(&after, ", changed");
        self.deliver_changed(&before, &after);
    }

    /// The same for a message that may be for one alone.
    pub(crate) fn change_any(&mut self, at: &MessageAt, content: Content) {
        if let Some(whisper) = self.whisper_mut(at) {
            whisper.content = content;
            let after = whisper.clone();
            let who = after.only.clone().unwrap_or_default();
            let text = self.shown(&after, &who).text();
            self.answers.told.push((who.clone(), text));
            self.answers.give(&at.channel, &who);
            self.tell_message(&after, ", changed");
        } else {
            self.change(at, content);
        }
    }

    pub(crate) fn delete_any(&mut self, at: &MessageAt) {
        match self.whisper_mut(at) {
            Some(whisper) => {
                whisper.deleted = true;
                self.tell_deleted(at);
            }
            None => self.delete(at),
        }
    }

    fn whisper_mut(&mut self, at: &MessageAt) -> Option<&mut Message> {
        let whispers = &mut self.conversations.get_mut(&at.channel)?.whispers;
        whispers
            .iter_mut()
            .find(|message| message.at.ts == at.ts && !message.deleted)
    }
}
