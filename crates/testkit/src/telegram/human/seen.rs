//! What people see.

use super::{person::Person, place::Place};
use crate::telegram::{
    entities::{Entity, Formatted},
    markup::{Does, Markup},
    message::{Author, Body, Message, MessageAt},
    state::{ChatKind, State},
};

/// A message, as somebody sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Which one it is.
    pub at: MessageAt,
    /// Who it is from, as it stands above it.
    pub from: String,
    /// Whether the bot under test sent it.
    pub by_bot: bool,
    /// What is read, markup applied.
    pub text: String,
    /// How it is styled.
    pub entities: Vec<Entity>,
    /// What stands below it, row by row.
    pub buttons: Vec<Vec<SeenButton>>,
    /// Whether this person's telephone rang when it came.
    pub rang: bool,
    /// Whether it was changed afterwards.
    pub edited: bool,
    /// What it replies to.
    pub reply_to: Option<MessageAt>,
}

/// A button, as somebody sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenButton {
    /// What stands on it.
    pub label: String,
    /// What a tap sends, or the link it opens.
    pub data: String,
    /// Whether a tap reaches the bot.
    pub calls_back: bool,
}

/// A reply that has opened by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// The message it replies to.
    pub to: MessageAt,
    /// What stands in the empty input field.
    pub placeholder: Option<String>,
}

impl Seen {
    /// The labels of its buttons, from the top, left to right.
    #[must_use]
    pub fn labels(&self) -> Vec<&str> {
        self.buttons
            .iter()
            .flatten()
            .map(|button| button.label.as_str())
            .collect()
    }
}

impl Person {
    /// The messages at a place, oldest first, as they look now; service messages are left out. A forum's General topic
    /// shows what stands in no other.
    #[must_use]
    pub fn sees(&self, at: &Place) -> Vec<Seen> {
        self.world.look(|state| {
            let chat = state.chat(at.chat);
            let there = chat.messages.values().filter(|message| {
                let topic = message
                    .thread
                    .filter(|thread| thread.is_topic)
                    .map(|thread| thread.root);
                !message.deleted && topic == at.topic && message.body.words().is_some()
            });
            there.map(|message| self.seen(state, message)).collect()
        })
    }

    /// The newest message of the bot at a place.
    #[must_use]
    pub fn sees_last(&self, at: &Place) -> Option<Seen> {
        self.sees(at).into_iter().rev().find(|seen| seen.by_bot)
    }

    /// The reply that has opened at a place. A later message of the bot with another demand takes its place, and a reply
    /// by this person closes it. In a group a selective one opens only for those it names or answers.
    #[must_use]
    pub fn prompt(&self, at: &Place) -> Option<Prompt> {
        self.world.look(|state| {
            let chat = state.chat(at.chat);
            let mut newest = chat.messages.values().rev().filter(|message| !message.deleted);
            let (message, placeholder) = newest.find_map(|message| match &message.markup {
                Markup::ForceReply {
                    placeholder,
                    selective,
                } if !selective || self.is_meant(state, message) => Some((message, placeholder.clone())),
                _ => None,
            })?;
            let replied = chat.messages.values().any(|reply| {
                reply.reply_to == Some(message.at.id) && reply.author == Author::Account(self.id())
            });
            (!replied).then_some(Prompt {
                to: message.at,
                placeholder,
            })
        })
    }

    fn is_meant(&self, state: &State, message: &Message) -> bool {
        let account = state.account(self.id());
        let chat = state.chat(message.at.chat);
        let replied = message.reply_to.and_then(|id| chat.messages.get(&id));
        let mentioned = |words: &Formatted| {
            words.entities.iter().any(|entity| {
                use crate::telegram::entities::Kind;
                matches!(&entity.kind, Kind::TextMention { user } if *user == account.id)
                    || (entity.name() == "mention"
                        && account
                            .username
                            .as_ref()
                            .is_some_and(|name| words.span(entity) == format!("@{name}")))
            })
        };
        chat.kind == ChatKind::Private
            || replied.is_some_and(|replied| replied.author == Author::Account(account.id))
            || message.body.words().is_some_and(mentioned)
    }

    fn seen(&self, state: &State, message: &Message) -> Seen {
        let words = message.body.words().cloned().unwrap_or_default();
        let own = message.author == Author::Account(self.id());
        let button = |button: &crate::telegram::Button| {
            let (data, calls_back) = match &button.does {
                Does::CallBack(data) => (data, true),
                Does::Open(to) | Does::Copy(to) => (to, false),
            };
            SeenButton {
                label: button.label.clone(),
                data: data.clone(),
                calls_back,
            }
        };
        let rows = message.markup.rows().iter();
        Seen {
            at: message.at,
            from: state.author_name(message.author),
            by_bot: message.author == Author::Bot,
            text: words.text,
            entities: words.entities,
            buttons: rows.map(|row| row.iter().map(button).collect()).collect(),
            rang: !message.silent && !own && !matches!(message.body, Body::Service(_)),
            edited: message.edited.is_some(),
            reply_to: message.reply_to.map(|id| MessageAt { id, ..message.at }),
        }
    }
}
