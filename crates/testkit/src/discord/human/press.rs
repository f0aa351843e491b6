//! What somebody asked of the bot by a button, a command or a form, and what came of it.

use std::sync::Arc;

use crate::discord::{
    World,
    interactions::{Answer, Interaction},
    message::flags,
    modal::Modal,
    state::State,
};

/// A press of a button, a command or a form that was sent in.
#[derive(Clone, Debug)]
pub struct Press {
    world: Arc<World>,
    /// The id of the interaction.
    pub id: u64,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing yet: the button turns, or a message is on its way.
    Waiting,
    /// Nobody answered in time; this is read.
    Failed(&'static str),
    /// A form has opened.
    Form(Modal),
    /// A message that one person alone sees, as it is read.
    Alone(String),
    /// A message for all.
    Said(String),
    /// The message of the button has changed, and reads this.
    Changed(String),
    /// The button stops turning, and the message stays as it was.
    Stopped,
    /// What had been shown is gone.
    Gone,
}

impl Press {
    pub(super) fn new(world: &Arc<World>, id: u64) -> Self {
        Self {
            world: Arc::clone(world),
            id,
        }
    }

    /// What came of it, as it looks now.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.world.quietly(|state| {
            let interaction = &state.interactions[&self.id];
            outcome(state, interaction)
        })
    }

    /// What followed the answer, oldest first, as it is read now.
    #[must_use]
    pub fn followed(&self) -> Vec<String> {
        self.world.quietly(|state| {
            let follow_ups = &state.interactions[&self.id].follow_ups;
            let messages = follow_ups.iter().filter_map(|at| state.message(*at));
            messages
                .map(|message| state.read(&message.draft.content))
                .collect()
        })
    }

    /// What came of it, once it is more than waiting.
    #[must_use]
    pub fn settled(&self) -> Option<Outcome> {
        Some(self.outcome()).filter(|outcome| *outcome != Outcome::Waiting)
    }
}

fn outcome(state: &State, interaction: &Interaction) -> Outcome {
    if let Some(notice) = interaction.failure(state.now) {
        return Outcome::Failed(notice);
    }
    let message = interaction.original.and_then(|at| state.message(at));
    match (interaction.answer, message) {
        (Answer::None, _) => Outcome::Waiting,
        (Answer::Form, _) => state
            .forms
            .values()
            .find(|form| form.from == interaction.id)
            .map_or(Outcome::Gone, |form| Outcome::Form(form.modal.clone())),
        (Answer::LaterUpdate, _) if !interaction.shown => Outcome::Stopped,
        (_, None) => Outcome::Gone,
        (Answer::Update | Answer::LaterUpdate, Some(message)) => {
            Outcome::Changed(state.read(&message.draft.content))
        }
        (Answer::Message | Answer::Loading, Some(message)) => {
            if message.draft.has(flags::LOADING) {
                return Outcome::Waiting;
            }
            let text = state.read(&message.draft.content);
            if message.draft.only_for.is_some() {
                Outcome::Alone(text)
            } else {
                Outcome::Said(text)
            }
        }
    }
}
