//! What people see.

use jiff::tz::TimeZone;

use super::{person::Person, place::Place};
use crate::discord::{
    components::{Button, Does},
    markdown::Reader,
    message::{Message, MessageAt, flags},
    state::{Shown, State},
};

/// A message, as somebody sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts that are seen of a message"
)]
pub struct Seen {
    /// Which one it is.
    pub at: MessageAt,
    /// Who it is from, as it stands above it.
    pub from: String,
    /// Whether the bot under test sent it.
    pub by_bot: bool,
    /// What is read, markup applied.
    pub text: String,
    /// What stands below it, row by row.
    pub buttons: Vec<Vec<SeenButton>>,
    /// Whether this person's telephone rang when it came.
    pub rang: bool,
    /// Whether it was changed afterwards.
    pub edited: bool,
    /// What it replies to.
    pub reply_to: Option<MessageAt>,
    /// Whether nobody else sees it.
    pub alone: bool,
    /// Whether it names this person so that they are told.
    pub pings: bool,
}

/// A button, as somebody sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenButton {
    /// What stands on it.
    pub label: String,
    /// What a press sends, or the link it opens.
    pub data: String,
    /// Whether a press reaches the bot.
    pub asks: bool,
    /// Whether it can be pressed.
    pub enabled: bool,
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
    /// The messages at a place, oldest first, as they look now; what says what happened to the place is left out.
    #[must_use]
    pub fn sees(&self, at: &Place) -> Vec<Seen> {
        self.world.quietly(|state| {
            let mine = |message: &&Message| {
                let draft = &message.draft;
                !message.deleted && draft.kind.is_said() && draft.only_for.is_none_or(|to| to == self.id())
            };
            let Some(channel) = state.channels.get(&at.channel) else {
                return Vec::new();
            };
            let there = channel.messages.values().filter(mine);
            there.map(|message| self.seen(state, message)).collect()
        })
    }

    /// The newest message of the bot at a place that others see too.
    #[must_use]
    pub fn sees_last(&self, at: &Place) -> Option<Seen> {
        let mut seen = self.sees(at).into_iter().rev();
        seen.find(|seen| seen.by_bot && !seen.alone)
    }

    /// What was shown to this person alone so far, and what became of messages whose buttons they pressed: each as it
    /// read when it appeared, oldest first.
    #[must_use]
    pub fn told(&self) -> Vec<String> {
        self.world.quietly(|state| {
            let mine = state.told.iter().filter(|told| told.to == self.id());
            let mut mine: Vec<_> = mine.collect();
            mine.sort_by_key(|told| told.when);
            let text = |shown: &Shown| match shown {
                Shown::Content(content) => state.read(content),
                Shown::Notice(notice) => (*notice).to_owned(),
            };
            mine.into_iter().map(|told| text(&told.what)).collect()
        })
    }

    fn seen(&self, state: &State, message: &Message) -> Seen {
        let draft = &message.draft;
        let own = draft.author == self.id();
        let button = |button: &Button| {
            let (data, asks) = match &button.does {
                Does::Ask(data) => (data, true),
                Does::Open(url) => (url, false),
            };
            SeenButton {
                label: button.label.clone(),
                data: data.clone(),
                asks,
                enabled: !button.disabled,
            }
        };
        let silent = draft.has(flags::SUPPRESS_NOTIFICATIONS) || draft.only_for.is_some();
        Seen {
            at: message.at,
            from: state.account(draft.author).name.clone(),
            by_bot: draft.author == state.bot.id,
            text: state.read(&draft.content),
            buttons: draft
                .rows
                .iter()
                .map(|row| row.iter().map(button).collect())
                .collect(),
            rang: !silent && !own,
            edited: message.edited.is_some(),
            reply_to: draft.replies_to(),
            alone: draft.only_for.is_some(),
            pings: draft.pings.everyone || draft.pings.accounts.contains(&self.id()),
        }
    }
}

impl State {
    /// A content as it is read now.
    pub(crate) fn read(&self, content: &str) -> String {
        self.reader().read(content).text()
    }

    /// A content with its styles written out.
    pub(crate) fn written(&self, content: &str) -> String {
        self.reader().read(content).written()
    }

    /// Everybody lives in one zone, so that a golden file is the same everywhere.
    fn reader(&self) -> Reader<'_> {
        Reader {
            state: self,
            now: self.now,
            zone: TimeZone::UTC,
        }
    }
}
