//! Where people talk.

use std::sync::Arc;

use super::person::Person;
use crate::slack::{
    World,
    message::{MessageAt, Ts},
    state::Kind,
};

/// A conversation, or one thread in it.
#[derive(Clone, Debug)]
pub struct Place {
    pub(super) world: Arc<World>,
    pub(super) channel: String,
    pub(super) thread: Option<Ts>,
}

impl Place {
    pub(crate) fn open(world: &Arc<World>, kind: Kind, name: &str, members: &[&Person]) -> Self {
        let members: Vec<String> = members.iter().map(|person| person.id().to_owned()).collect();
        let channel = world.change(|state| state.open_channel(kind, name, &members));
        Self {
            world: Arc::clone(world),
            channel,
            thread: None,
        }
    }

    /// The conversation's id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.channel
    }

    /// The address as a configuration writes it: `<id>`, or `<id>/<thread>`.
    #[must_use]
    pub fn address(&self) -> String {
        match self.thread {
            Some(root) => format!("{}/{root}", self.channel),
            None => self.channel.clone(),
        }
    }

    /// The thread in which a message stands, or that begins at it.
    #[must_use]
    pub fn thread(&self, message: &MessageAt) -> Self {
        let root = self.world.look(|state| state.root_of(message));
        Self {
            thread: Some(root),
            ..self.clone()
        }
    }

    /// Archives the channel: nobody can write there any more.
    pub fn archive(&self) {
        self.set_archived(true, "(the channel is archived)");
    }

    /// Takes it out of the archive.
    pub fn unarchive(&self) {
        self.set_archived(false, "(the channel is open again)");
    }

    fn set_archived(&self, on: bool, line: &str) {
        self.world.change(|state| {
            state.conversation_mut(&self.channel).archived = on;
            state.tell(&self.channel, None, line);
        });
    }

    /// Takes the app out of the channel.
    pub fn remove_app(&self) {
        self.set_app(false, "(the app is removed)");
    }

    /// Invites the app into the channel.
    pub fn invite_app(&self) {
        self.set_app(true, "(the app is invited)");
    }

    fn set_app(&self, on: bool, line: &str) {
        self.world.change(|state| {
            state.conversation_mut(&self.channel).has_app = on;
            state.tell(&self.channel, None, line);
        });
    }

    /// Somebody joins.
    pub fn add(&self, person: &Person) {
        self.world.change(|state| {
            state
                .conversation_mut(&self.channel)
                .members
                .insert(person.id().to_owned());
            state.tell(
                &self.channel,
                None,
                &format!("({} joined)", person.name_in(state)),
            );
        });
    }

    /// Somebody leaves.
    pub fn leave(&self, person: &Person) {
        self.world.change(|state| {
            state.conversation_mut(&self.channel).members.remove(person.id());
            state.tell(&self.channel, None, &format!("({} left)", person.name_in(state)));
        });
    }

    /// Deletes a message, as an administrator may. The app is told.
    pub fn delete(&self, message: &MessageAt) {
        self.world.change(|state| state.delete(message));
    }
}
