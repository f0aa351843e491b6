//! Where people talk.

use std::sync::Arc;

use super::person::Person;
use crate::discord::{
    Permission, World,
    message::{Draft, MessageAt},
    state::{ChannelKind, State},
};

/// A direct conversation, a text channel, or a thread.
#[derive(Clone, Debug)]
pub struct Place {
    pub(super) world: Arc<World>,
    pub(super) channel: u64,
}

impl Place {
    pub(crate) fn new(world: &Arc<World>, channel: u64) -> Self {
        Self {
            world: Arc::clone(world),
            channel,
        }
    }

    /// Opens a text channel of the guild, which these people join if they are not in it. The bot is told.
    pub(crate) fn open(world: &Arc<World>, name: &str, members: &[&Person]) -> Self {
        let channel = world.change(|state| {
            let guild = state.guild_id();
            for person in members {
                state.join(guild, person.id());
            }
            let kind = ChannelKind::Text {
                guild,
                name: name.to_owned(),
            };
            let channel = state.open_channel(kind);
            state.dispatch_channel("CHANNEL_CREATE", channel);
            channel
        });
        Self::new(world, channel)
    }

    /// The id of the channel or thread.
    pub fn id(&self) -> u64 {
        self.channel
    }

    /// Archives this thread, as silence does. The bot is told.
    pub fn archive(&self) {
        self.set_thread("(the thread is archived)", true, false);
    }

    /// Archives this thread and locks it: only moderators open it again. The bot is told.
    pub fn lock(&self) {
        self.set_thread("(the thread is locked)", true, true);
    }

    /// Opens this thread again. The bot is told.
    pub fn reopen(&self) {
        self.set_thread("(the thread is open again)", false, false);
    }

    fn set_thread(&self, line: &str, archived: bool, locked: bool) {
        self.world.change(|state| {
            if let ChannelKind::Thread(thread) = &mut state.channel_mut(self.channel).kind {
                thread.archived = archived;
                thread.locked = locked;
            }
            state.dispatch_channel("THREAD_UPDATE", self.channel);
            state.tell(self.channel, line);
        });
    }

    /// Takes a right away from the bot here. It is told.
    pub fn denies(&self, permission: Permission) {
        self.set_denied(|denied| denied | permission.bit());
    }

    /// Gives the bot that right again. It is told.
    pub fn allows(&self, permission: Permission) {
        self.set_denied(|denied| denied & !permission.bit());
    }

    fn set_denied(&self, change: impl FnOnce(u64) -> u64) {
        self.world.change(|state| {
            let channel = state.channel_mut(self.channel);
            channel.denied = change(channel.denied);
            state.dispatch_channel("CHANNEL_UPDATE", self.channel);
        });
    }

    /// Deletes this channel or thread with all that is in it. The bot is told.
    pub fn vanish(&self) {
        self.world.change(|state| {
            let name = if state.channel(self.channel).thread().is_some() {
                "THREAD_DELETE"
            } else {
                "CHANNEL_DELETE"
            };
            state.dispatch_channel(name, self.channel);
            state.tell(self.channel, "(the channel is deleted)");
            state.channels.remove(&self.channel);
        });
    }

    /// Deletes a message, as a moderator may. The bot is told.
    pub fn delete(&self, at: MessageAt) {
        self.world.change(|state| state.delete(at));
    }

    /// A link in a message gets its preview, some time after it was posted. The bot is told, and nobody changed
    /// anything.
    pub fn shows_preview(&self, at: MessageAt) {
        self.world.change(|state| state.dispatch_preview(at));
    }

    /// An incoming webhook of this channel posts something under a name of its own.
    pub fn hook_posts(&self, name: &str, text: &str) -> MessageAt {
        self.world.change(|state| {
            let author = state.open_account(name, true);
            let bot = state.bot.id;
            let draft = Draft {
                webhook: true,
                ..Draft::new(author, format!("<@{bot}> {text}"))
            };
            state.post(self.channel, draft)
        })
    }
}

impl State {
    /// Somebody joins a guild, unless they are in it.
    pub(crate) fn join(&mut self, guild: u64, account: u64) {
        let now = self.now;
        let members = &mut self.guild_mut(guild).members;
        members.entry(account).or_insert(now);
    }
}
