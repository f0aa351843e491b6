//! What of an event is looked at.
//!
//! Own types, because slack-morphism's message is read whole or not at all: its contents are an optional part, which
//! becomes nothing, text and all, where one attachment or a piece of metadata is of a shape newer than the library
//! (`docs/adr/0005`). Here every unknown field is passed over, and what is only looked into is left as it is, so what
//! people type comes through whatever Slack adds.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::place::Ts;

/// A message, as an event, in a conversation's past, or within an event about its change.
#[derive(Clone, Debug, Deserialize)]
#[expect(clippy::struct_field_names, reason = "the names are Slack's")]
pub(crate) struct Message {
    pub(super) subtype: Option<String>,
    pub(super) user: Option<String>,
    /// The workspace of who said it, in a channel that workspaces share.
    pub(super) user_team: Option<String>,
    pub(super) bot_id: Option<String>,
    text: Option<String>,
    pub(crate) ts: Ts,
    thread_ts: Option<Ts>,
    /// Who began the thread; told of replies alone.
    pub(super) parent_user_id: Option<String>,
    pub(super) channel: Option<String>,
    #[serde(default)]
    files: Value,
    #[serde(default)]
    attachments: Value,
    #[serde(default)]
    edited: Value,
    /// How it reads now.
    message: Option<Box<Message>>,
    /// How it read before.
    #[serde(default)]
    previous_message: Value,
    /// Of the first message of a thread.
    #[serde(default)]
    reply_count: Value,
}

/// What a message may be beside a plain one and still have been said by somebody. Source: the pages of the subtypes.
const SAID: [&str; 4] = ["file_share", "me_message", "thread_broadcast", "bot_message"];

impl Message {
    /// Whether it was said, and is not a note of Slack's that somebody joined.
    pub(super) fn is_said(&self) -> bool {
        self.subtype.as_deref().is_none_or(|kind| SAID.contains(&kind))
    }

    pub(super) fn text(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }

    /// The first message of the thread it stands in, unless it is that itself.
    pub(super) fn root(&self) -> Option<&Ts> {
        self.thread_ts.as_ref().filter(|root| **root != self.ts)
    }

    /// Whether something is said below it.
    pub(crate) fn has_replies(&self) -> bool {
        self.reply_count.as_u64().is_some_and(|count| count > 0)
    }

    pub(super) fn has_attachment(&self) -> bool {
        self.files.as_array().is_some_and(|files| !files.is_empty())
    }

    /// Somebody else's message that it passes on without a word of its own. With one, that is what was said.
    pub(super) fn passed_on(&self) -> Option<String> {
        let attachments = self.attachments.as_array()?;
        let shared = attachments.iter().find(|one| one["is_share"] == true)?;
        let words = shared["text"].as_str().unwrap_or_default();
        self.text().trim().is_empty().then(|| words.to_owned())
    }

    /// Whether it is about the change of another.
    pub(super) fn is_change(&self) -> bool {
        self.subtype.as_deref() == Some("message_changed")
    }

    /// What that became and when, if a person changed what they had said. A link that gets a preview, or a first reply,
    /// is such an event too.
    pub(super) fn change(&self) -> Option<(Self, Ts)> {
        let new = self.message.as_deref()?;
        let at = new.edited["ts"].as_str().and_then(Ts::parse)?;
        let before = self.previous_message["text"].as_str();
        let says_the_same = before == Some(new.text()) && self.previous_message["edited"] == new.edited;
        let new = Self {
            channel: self.channel.clone(),
            ..new.clone()
        };
        (!says_the_same).then_some((new, at))
    }
}

/// Somebody pressed a button.
#[derive(Debug, Deserialize)]
#[expect(clippy::struct_field_names, reason = "the names are Slack's")]
pub(super) struct Actions {
    pub(super) trigger_id: String,
    pub(super) user: User,
    #[serde(default)]
    pub(super) actions: Vec<Action>,
    #[serde(default)]
    container: Value,
    #[serde(default)]
    channel: Value,
    #[serde(default)]
    message: Value,
}

#[derive(Debug, Deserialize)]
pub(super) struct User {
    pub(super) id: String,
    /// Their workspace.
    pub(super) team_id: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Action {
    pub(super) value: Option<String>,
    pub(super) action_ts: Option<Ts>,
}

impl Actions {
    /// The message with the button: its conversation and its name there.
    pub(super) fn on(&self) -> Option<(String, Ts)> {
        let (container, channel) = (&self.container["channel_id"], &self.channel["id"]);
        let conversation = container.as_str().or(channel.as_str())?;
        if conversation.is_empty() {
            return None;
        }
        let (container, message) = (&self.container["message_ts"], &self.message["ts"]);
        let ts = container.as_str().or(message.as_str()).and_then(Ts::parse)?;
        Some((conversation.to_owned(), ts))
    }

    /// The thread that message stands in.
    pub(super) fn root(&self, ts: &Ts) -> Option<Ts> {
        let (container, message) = (&self.container["thread_ts"], &self.message["thread_ts"]);
        let root = message.as_str().or(container.as_str()).and_then(Ts::parse);
        root.filter(|root| root != ts)
    }

    /// Who began it.
    pub(super) fn began(&self) -> Option<&str> {
        self.message["parent_user_id"].as_str()
    }
}

/// Somebody sent in a form.
#[derive(Debug, Deserialize)]
pub(super) struct Submission {
    trigger_id: Option<String>,
    pub(super) user: User,
    pub(super) view: View,
}

#[derive(Debug, Deserialize)]
pub(super) struct View {
    #[serde(default)]
    id: String,
    #[serde(default)]
    hash: String,
    pub(super) callback_id: Option<String>,
    pub(super) private_metadata: Option<String>,
    state: State,
}

#[derive(Debug, Deserialize)]
struct State {
    /// By block, then by action.
    values: BTreeMap<String, BTreeMap<String, Value>>,
}

impl Submission {
    /// A name that a second sending of the same form does not share, and a second delivery does.
    pub(super) fn name(&self) -> String {
        let of_view = || format!("{}/{}", self.view.id, self.view.hash);
        self.trigger_id.clone().unwrap_or_else(of_view)
    }
}

impl View {
    /// The block of the only input, and what was typed; an empty input comes as `null`.
    pub(super) fn input(&self) -> Option<(String, Option<String>)> {
        let (block, actions) = self.state.values.first_key_value()?;
        let value = &actions.values().next()?["value"];
        Some((block.clone(), value.as_str().map(str::to_owned)))
    }
}
