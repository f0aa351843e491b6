//! What people see.

use serde_json::Value;

use super::{person::Person, place::Place};
use crate::slack::{
    message::{Author, Message, MessageAt, Ts},
    mrkdwn::{Span, decoded},
    render::Shown,
    state::State,
    views::View,
};

/// A message, as somebody sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts of a message")]
pub struct Seen {
    /// Which one it is.
    pub at: MessageAt,
    /// Who it is from, as it stands above it.
    pub from: String,
    /// Whether the app under test sent it.
    pub by_app: bool,
    /// What is read, markup applied, paragraph below paragraph.
    pub text: String,
    /// The same as stretches of one style each.
    pub paragraphs: Vec<Vec<Span>>,
    /// The blocks it is made of, as the app gave them; empty where it is a text alone.
    pub blocks: Vec<Value>,
    /// What stands below it, row by row.
    pub buttons: Vec<Vec<SeenButton>>,
    /// Whether telephones rang when it came.
    pub rang: bool,
    /// Whether it came at once with one that rang before: one ring is heard for both.
    pub at_once: bool,
    /// Whether it was changed afterwards.
    pub edited: bool,
    /// The first message of its thread, if it stands in one.
    pub thread: Option<Ts>,
    /// Whether it answers what somebody had just done.
    pub answers: bool,
}

/// A button, as somebody sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenButton {
    /// What stands on it.
    pub label: String,
    /// What a press sends: its value, or its action where it has none.
    pub data: String,
    /// The link it opens.
    pub url: Option<String>,
}

/// A form that is open before somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenForm {
    /// Above it.
    pub title: String,
    /// What is read in it.
    pub text: String,
    /// Before each input.
    pub labels: Vec<String>,
    /// On the button that sends it in.
    pub submit: Option<String>,
    /// What stands below its inputs in red.
    pub errors: Vec<String>,
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
    /// The messages at a place, oldest first, as they look now: those in threads too where the place is the whole
    /// conversation, and without those for one alone.
    #[must_use]
    pub fn sees(&self, at: &Place) -> Vec<Seen> {
        self.world.look(|state| {
            let conversation = state.conversation(&at.channel);
            let there = conversation.messages.values().filter(|message| {
                let here = at
                    .thread
                    .is_none_or(|root| message.thread == Some(root) || message.at.ts == root);
                !message.deleted && here
            });
            there.map(|message| self.seen(state, message)).collect()
        })
    }

    /// The newest message of the app at a place.
    #[must_use]
    pub fn sees_last(&self, at: &Place) -> Option<Seen> {
        self.sees(at).into_iter().rev().find(|seen| seen.by_app)
    }

    /// What only this person sees at a place, oldest first.
    #[must_use]
    pub fn sees_alone(&self, at: &Place) -> Vec<Seen> {
        self.world.look(|state| {
            let whispers = state.conversation(&at.channel).whispers.iter();
            let theirs =
                whispers.filter(|message| !message.deleted && message.only.as_deref() == Some(self.id()));
            theirs.map(|message| self.seen(state, message)).collect()
        })
    }

    /// What this person alone was shown anywhere, oldest first: texts for them alone, and what a form came to say.
    #[must_use]
    pub fn told(&self) -> Vec<String> {
        self.world.look(|state| {
            let told = state.answers.told.iter().filter(|(who, _)| who == self.id());
            told.map(|(_, text)| text.clone()).collect()
        })
    }

    /// The form that is open before this person.
    #[must_use]
    pub fn form(&self) -> Option<SeenForm> {
        self.world
            .look(|state| Some(form(state, state.view_before(self.id())?, self.id())))
    }

    fn seen(&self, state: &State, message: &Message) -> Seen {
        let Shown {
            paragraphs, buttons, ..
        } = state.shown(message, self.id());
        let text = state.shown(message, self.id()).text();
        let button = |button: crate::slack::render::Button| SeenButton {
            label: button.label,
            data: button.value.unwrap_or(button.action_id),
            url: button.url,
        };
        Seen {
            at: message.at.clone(),
            from: state.author_name(&message.author),
            by_app: message.author == Author::App,
            text,
            paragraphs,
            blocks: message.content.blocks.clone(),
            buttons: buttons
                .into_iter()
                .map(|row| row.into_iter().map(button).collect())
                .collect(),
            rang: message.rang,
            at_once: message.at_once,
            edited: message.edited.is_some(),
            thread: message.thread,
            answers: message.answers,
        }
    }
}

fn form(state: &State, view: &View, who: &str) -> SeenForm {
    let blocks = view.shape["blocks"].as_array().cloned().unwrap_or_default();
    let shown = state.shown_blocks(&blocks, who);
    let label = |part: &str| view.shape[part]["text"].as_str().map(decoded);
    SeenForm {
        title: label("title").unwrap_or_default(),
        text: shown.text(),
        labels: shown.inputs.into_iter().map(|input| input.label).collect(),
        submit: label("submit"),
        errors: view.errors.values().cloned().collect(),
    }
}
