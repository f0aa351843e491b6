//! What the bot writes: the fields that new messages, changes and answers have in common.

use super::Request;
use crate::discord::{
    components::{self, Rows},
    form::{Form, Object},
    limits,
    mentions::Allowed,
    message::{Draft, Message, MessageAt, flags},
    refusal::Refusal,
    state::State,
};

/// What was written. Each field is none where it was left out.
#[derive(Clone, Debug, Default)]
pub(super) struct Written {
    /// Trimmed, as Discord does; empty for a null.
    content: Option<String>,
    rows: Option<Rows>,
    pub(super) flags: Option<u64>,
    pub(super) allowed: Option<Allowed>,
}

/// The flags that may be set where a message is made.
pub(super) const IN_NEW: u64 = flags::SUPPRESS_EMBEDS | flags::SUPPRESS_NOTIFICATIONS;
/// Where an interaction is answered.
pub(super) const IN_ANSWER: u64 = IN_NEW | flags::EPHEMERAL;
/// Where a message is changed.
pub(super) const IN_CHANGE: u64 = flags::SUPPRESS_EMBEDS;

impl Written {
    /// Reads the fields; what is wrong is noted in the form.
    pub(super) fn read(object: &Object<'_>, known_flags: u64) -> Self {
        let content = if object.has("content") {
            // Trimmed before it is measured.
            let text = object.text("content", 0, usize::MAX).unwrap_or_default();
            let text = text.trim().to_owned();
            let at = object.field("content");
            at.measure(text.chars().count(), 0, limits::CONTENT);
            Some(text)
        } else {
            None
        };
        for name in ["embeds", "sticker_ids", "attachments"] {
            // Libraries send them empty.
            if object
                .array(name, 0, usize::MAX)
                .is_some_and(|items| !items.is_empty())
            {
                object.field(name).not_modelled("anything in it");
            }
        }
        if object.switch("tts") == Some(true) {
            object.field("tts").not_modelled("speech");
        }
        let flags = object.integer("flags").map(|flags| {
            let flags = u64::try_from(flags).unwrap_or_default();
            let unknown = flags & !known_flags;
            if unknown != 0 {
                object
                    .field("flags")
                    .not_modelled(&format!("the flags {unknown}"));
            }
            flags
        });
        Self {
            content,
            rows: components::rows(object),
            flags,
            allowed: Allowed::read(object),
        }
    }

    /// Reads a whole body.
    pub(super) fn of_body(request: &Request, known_flags: u64) -> Result<Self, Refusal> {
        let form = Form::default();
        let written = Self::read(&form.body(request.fields()?), known_flags);
        form.finish()?;
        Ok(written)
    }

    /// A message of the bot, which has to have something in it.
    pub(super) fn draft(self, state: &mut State, route: &str, channel: u64) -> Result<Draft, Refusal> {
        let bot = state.bot.id;
        let mut draft = Draft::new(bot, "");
        draft.flags = self.flags.unwrap_or_default();
        self.apply(state, route, channel, &mut draft)?;
        Ok(draft)
    }

    /// Changes a message; what was left out stays as it is.
    fn apply(self, state: &mut State, route: &str, channel: u64, draft: &mut Draft) -> Result<(), Refusal> {
        if let Some(content) = self.content {
            if self.allowed.is_none() && !content.is_empty() {
                state.broke(format!("{route}: a content without allowed_mentions"));
            }
            let allowed = self.allowed.unwrap_or_else(Allowed::everything);
            let pings = state.pings(draft.author, channel, &content, &allowed);
            if pings.everyone {
                state.broke(format!("{route}: pings everyone"));
            }
            draft.pings = pings;
            draft.content = content;
        }
        if let Some(rows) = self.rows {
            draft.rows = rows;
        }
        if draft.content.is_empty() && draft.rows.is_empty() && draft.files.is_empty() {
            return Err(Refusal::empty_message());
        }
        Ok(())
    }

    /// Makes the message at `at` show this, and tells whoever looks at it.
    pub(super) fn change(self, state: &mut State, route: &str, at: MessageAt) -> Result<(), Refusal> {
        let message = state.message(at).ok_or_else(Refusal::unknown_message)?;
        let mut draft = message.draft.clone();
        let suppressed = self.flags.map(|flags| flags & IN_CHANGE);
        self.apply(state, route, at.channel, &mut draft)?;
        if let Some(suppressed) = suppressed {
            draft.flags = draft.flags & !IN_CHANGE | suppressed;
        }
        let filled = draft.has(flags::LOADING);
        draft.flags &= !flags::LOADING;
        let now = state.now;
        let only_for = draft.only_for;
        if let Some(message) = state.message_mut(at) {
            message.draft = draft;
            if !filled {
                message.changed(now);
            }
        }
        state.tell_changed(at);
        match only_for {
            Some(to) => state.show_alone(to, at),
            None => state.dispatch_message("MESSAGE_UPDATE", at),
        }
        state.shows_by_change(at);
        Ok(())
    }
}

/// The message as the one who sent it is told.
pub(super) fn told(state: &State, at: MessageAt) -> Result<serde_json::Value, Refusal> {
    let message = state.message(at).ok_or_else(Refusal::unknown_message)?;
    Ok(state.message_json(message, is_visible(state, message)))
}

/// Whether the bot reads the content over HTTP.
pub(super) fn is_visible(state: &State, message: &Message) -> bool {
    use crate::discord::events::intents::MESSAGE_CONTENT;
    state.is_open(message) || state.bot.granted & MESSAGE_CONTENT != 0
}
