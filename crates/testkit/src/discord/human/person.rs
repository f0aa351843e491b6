//! Somebody with a telephone.

use std::sync::Arc;

use super::{place::Place, press::Press};
use crate::discord::{
    World,
    components::Does,
    interactions::Asked,
    limits,
    mentions::Allowed,
    message::{Draft, File, Kind, MessageAt, Snapshot, flags},
    state::{Account, ChannelKind, State, Thread},
};

/// Somebody with an account. Clones are the same person.
#[derive(Clone, Debug)]
pub struct Person {
    pub(super) world: Arc<World>,
    id: u64,
}

/// Set-up.
impl Person {
    pub(crate) fn new(world: Arc<World>, id: u64) -> Self {
        Self { world, id }
    }

    /// The account's id.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// What others see above their messages.
    pub fn name(&self) -> String {
        self.world.look(|state| state.account(self.id).name.clone())
    }

    /// The conversation with the bot.
    pub fn direct(&self) -> Place {
        Place::new(&self.world, self.world.look(|state| state.direct_of(self.id)))
    }

    /// Sets the client's language.
    ///
    /// # Panics
    /// If Discord has no clients in it.
    pub fn speaks(&self, locale: &str) {
        assert!(limits::LOCALES.contains(&locale), "no client is set to {locale}");
        self.account(|account| locale.clone_into(&mut account.locale));
    }

    /// Blocks the bot, or switches direct messages off. Nobody is told.
    pub fn blocks(&self) {
        self.account(|account| account.unreachable = true);
    }

    /// Lets the bot write again.
    pub fn unblocks(&self) {
        self.account(|account| account.unreachable = false);
    }

    /// Leaves the guild, and with it the only thing they have in common with the bot.
    pub fn leaves_guild(&self) {
        self.world.change(|state| {
            let guild = state.guild_id();
            state.guild_mut(guild).members.remove(&self.id);
        });
    }

    /// Joins the guild, which a message of the place says.
    pub fn joins_guild(&self, at: &Place) {
        self.world.change(|state| {
            let guild = state.guild_id();
            state.join(guild, self.id);
            let draft = Draft {
                kind: Kind::Joined,
                ..Draft::new(self.id, "")
            };
            state.post(at.channel, draft);
        });
    }

    fn account(&self, change: impl FnOnce(&mut Account)) {
        self.world.change(|state| change(state.account_mut(self.id)));
    }
}

/// Acts.
impl Person {
    /// Says something. What is longer than a message goes as a file, as clients do it.
    ///
    /// # Panics
    /// If this person cannot write there.
    pub fn says(&self, at: &Place, text: &str) -> MessageAt {
        self.writes(at.channel, self.typed(text))
    }

    /// Says something, with a mention of the bot before it.
    ///
    /// # Panics
    /// As for [`Person::says`].
    pub fn mentions_bot(&self, at: &Place, text: &str) -> MessageAt {
        let bot = self.world.look(|state| state.bot.id);
        self.says(at, &format!("<@{bot}> {text}"))
    }

    /// Says something, with a mention of the bot's role before it: the menu of names offers that one too.
    ///
    /// # Panics
    /// As for [`Person::says`].
    pub fn mentions_role(&self, at: &Place, text: &str) -> MessageAt {
        let role = self.world.look(|state| state.guild(state.guild_id()).bot_role);
        self.says(at, &format!("<@&{role}> {text}"))
    }

    /// Replies to a message, and pings its author, as clients do unless told otherwise.
    ///
    /// # Panics
    /// As for [`Person::says`].
    pub fn replies(&self, to: MessageAt, text: &str) -> MessageAt {
        self.writes(to.channel, self.replying(to, text, true))
    }

    /// Replies with the ping switched off.
    ///
    /// # Panics
    /// As for [`Person::says`].
    pub fn replies_quietly(&self, to: MessageAt, text: &str) -> MessageAt {
        self.writes(to.channel, self.replying(to, text, false))
    }

    /// Replies, with a mention of the bot beside it.
    ///
    /// # Panics
    /// As for [`Person::says`].
    pub fn replies_mentioning(&self, to: MessageAt, text: &str) -> MessageAt {
        let bot = self.world.look(|state| state.bot.id);
        self.replies(to, &format!("<@{bot}> {text}"))
    }

    /// Sends a photo, with a caption or an empty one.
    ///
    /// # Panics
    /// As for [`Person::says`].
    pub fn sends_photo(&self, at: &Place, reply_to: Option<MessageAt>, caption: &str) -> MessageAt {
        let mut draft = match reply_to {
            Some(to) => self.replying(to, caption, true),
            None => self.typed(caption),
        };
        draft.files.push(File {
            id: 1,
            name: "photo.png".to_owned(),
            kind: "image/png".to_owned(),
            size: 4096,
        });
        self.writes(at.channel, draft)
    }

    /// Passes a message on.
    ///
    /// # Panics
    /// If there is no such message.
    pub fn forwards(&self, message: MessageAt, to: &Place) -> MessageAt {
        let snapshot = self.world.look(|state| {
            let original = state.message(message).expect("a message that is there");
            Snapshot {
                from: message,
                content: original.draft.content.clone(),
                date: original.date,
            }
        });
        self.passes(snapshot, to)
    }

    /// Passes on what somebody wrote in a conversation that the bot has no part in.
    pub fn passes_on(&self, words: &str, to: &Place) -> MessageAt {
        let snapshot = self.world.change(|state| Snapshot {
            from: MessageAt {
                channel: state.ids.next(state.now),
                id: state.ids.next(state.now),
            },
            content: words.to_owned(),
            date: state.now,
        });
        self.passes(snapshot, to)
    }

    fn passes(&self, snapshot: Snapshot, to: &Place) -> MessageAt {
        let draft = Draft {
            forwarded: Some(snapshot),
            ..Draft::new(self.id, "")
        };
        self.writes(to.channel, draft)
    }

    /// Changes what they said. The bot is told.
    ///
    /// # Panics
    /// If it is not theirs.
    pub fn edits(&self, message: MessageAt, text: &str) {
        self.world.change(|state| {
            let author = state.message(message).map(|message| message.draft.author);
            assert_eq!(author, Some(self.id), "only one's own words can be changed");
            let pings = state.pings(self.id, message.channel, text, &Allowed::everything());
            let now = state.now;
            if let Some(message) = state.message_mut(message) {
                text.trim().clone_into(&mut message.draft.content);
                // A reply keeps the ping it was sent with.
                let replied = message.draft.pings.accounts.clone();
                let kept = replied.into_iter().filter(|_| message.draft.kind == Kind::Reply);
                message.draft.pings = pings;
                let accounts = &mut message.draft.pings.accounts;
                let new: Vec<u64> = kept.filter(|id| !accounts.contains(id)).collect();
                accounts.extend(new);
                message.changed(now);
            }
            state.tell_changed(message);
            state.dispatch_message("MESSAGE_UPDATE", message);
        });
    }

    /// Deletes a message. The bot is told.
    pub fn deletes(&self, message: MessageAt) {
        self.world.change(|state| state.delete(message));
    }

    /// Pins a message, which another message says: it refers to the pinned one, and is no reply.
    pub fn pins(&self, message: MessageAt) -> MessageAt {
        self.world.change(|state| {
            let draft = Draft {
                kind: Kind::Pinned,
                refers_to: Some(message),
                ..Draft::new(self.id, "")
            };
            state.post(message.channel, draft)
        })
    }

    /// Begins a thread below a message. The bot is told.
    ///
    /// # Panics
    /// If it stands in no text channel.
    pub fn opens_thread_below(&self, message: MessageAt, name: &str) -> Place {
        self.world
            .change(|state| state.open_thread(message, name, self.id));
        Place::new(&self.world, message.id)
    }

    /// Begins a thread that stands alone, which a message of the channel says. The bot is told.
    ///
    /// # Panics
    /// If the place is no text channel.
    pub fn opens_thread(&self, at: &Place, name: &str) -> Place {
        let thread = self.world.change(|state| {
            let id = state.ids.next(state.now);
            state.put_thread(id, at.channel, name, self.id);
            state.dispatch_channel("THREAD_CREATE", id);
            let draft = Draft {
                kind: Kind::ThreadMade,
                refers_to: Some(MessageAt { channel: id, id }),
                ..Draft::new(self.id, name)
            };
            state.post(at.channel, draft);
            id
        });
        Place::new(&self.world, thread)
    }

    /// Presses the button of this label, on the newest message of a place that has one.
    ///
    /// # Panics
    /// If there is none, or it cannot be pressed.
    pub fn presses(&self, at: &Place, label: &str) -> Press {
        let with = self.sees(at).into_iter().rev().find_map(|seen| {
            let mut buttons = seen.buttons.into_iter().flatten();
            let button = buttons.find(|button| button.label == label)?;
            Some((seen.at, button))
        });
        let Some((message, button)) = with else {
            panic!(
                "there is no button [{label}]\n\n{}",
                self.world.look(|state| state.transcript.render())
            );
        };
        assert!(
            button.asks && button.enabled,
            "the button [{label}] does not ask the bot"
        );
        self.presses_data(message, &button.data, label)
    }

    /// Presses the button of this label below a message.
    ///
    /// # Panics
    /// If there is none.
    pub fn presses_below(&self, message: MessageAt, label: &str) -> Press {
        let data = self.world.look(|state| {
            let message = state.message(message)?;
            let mut buttons = message.draft.rows.iter().flatten();
            buttons.find_map(|button| match &button.does {
                Does::Ask(data) if button.label == label => Some(data.clone()),
                _ => None,
            })
        });
        let data = data.unwrap_or_else(|| panic!("there is no button [{label}] below that message"));
        self.presses_data(message, &data, label)
    }

    /// Presses a button that is not there, or no longer: a slow telephone still shows it, or a forger makes it up. The
    /// bot gets the message as it is now.
    pub fn presses_data(&self, message: MessageAt, custom_id: &str, label: &str) -> Press {
        let id = self.world.change(|state| {
            state.tell_pressed(self.id, message, label);
            let asked = Asked::Button {
                on: message,
                custom_id: custom_id.to_owned(),
            };
            state.interact(self.id, message.channel, asked)
        });
        Press::new(&self.world, id)
    }

    fn typed(&self, text: &str) -> Draft {
        let mut draft = Draft::new(self.id, text.trim());
        if text.chars().count() > limits::TYPED {
            draft.content.clear();
            draft.files.push(File {
                id: 1,
                name: "message.txt".to_owned(),
                kind: "text/plain; charset=utf-8".to_owned(),
                size: text.len(),
            });
        }
        draft
    }

    fn replying(&self, to: MessageAt, text: &str, pings: bool) -> Draft {
        let (author, answers) = self.world.look(|state| {
            let message = state.message(to).expect("a message that is there");
            (message.draft.author, message.draft.answers)
        });
        let mut draft = Draft {
            kind: Kind::Reply,
            refers_to: Some(to),
            ..self.typed(text)
        };
        // What answers an interaction was sent by a webhook, and a webhook cannot be pinged. A guess: discord-api-docs,
        // issue 5395, which is closed without a word.
        if pings && answers.is_none() {
            draft.pings.accounts.push(author);
        }
        draft
    }

    fn writes(&self, channel: u64, mut draft: Draft) -> MessageAt {
        self.world.change(|state| {
            self.may_write(state, channel);
            let pings = state.pings(self.id, channel, &draft.content, &Allowed::everything());
            let accounts = pings.accounts.into_iter();
            let replied = draft.pings.accounts.clone();
            draft
                .pings
                .accounts
                .extend(accounts.filter(|id| !replied.contains(id)));
            draft.pings.roles = pings.roles;
            if let ChannelKind::Thread(thread) = &mut state.channel_mut(channel).kind
                && thread.archived
            {
                thread.archived = false;
                state.dispatch_channel("THREAD_UPDATE", channel);
            }
            for file in &mut draft.files {
                file.id = state.ids.next(state.now);
            }
            state.post(channel, draft)
        })
    }

    fn may_write(&self, state: &State, channel: u64) {
        let channel = state.channel(channel);
        let account = state.account(self.id);
        match channel.guild() {
            None => {
                let own = channel.kind == ChannelKind::Direct(self.id);
                assert!(own, "{} has no part in that conversation", account.name);
                assert!(!account.unreachable, "{} has blocked the bot", account.name);
            }
            Some(guild) => {
                let is_in = state.guild(guild).members.contains_key(&self.id);
                assert!(is_in, "{} is not in the guild", account.name);
                let locked = channel.thread().is_some_and(|thread| thread.locked);
                assert!(!locked, "the thread is locked");
            }
        }
    }
}

impl State {
    /// Begins a thread below a message, whose id it takes.
    pub(crate) fn open_thread(&mut self, message: MessageAt, name: &str, owner: u64) {
        self.put_thread(message.id, message.channel, name, owner);
        if let Some(message) = self.message_mut(message) {
            message.draft.flags |= flags::HAS_THREAD;
        }
        self.dispatch_channel("THREAD_CREATE", message.id);
        let starter = Draft {
            kind: Kind::ThreadStarter,
            refers_to: Some(message),
            ..Draft::new(owner, "")
        };
        self.post(message.id, starter);
    }

    fn put_thread(&mut self, id: u64, parent: u64, name: &str, owner: u64) {
        let ChannelKind::Text { guild, .. } = self.channel(parent).kind else {
            panic!("only text channels have threads");
        };
        let thread = Thread {
            guild,
            parent,
            name: name.to_owned(),
            owner,
            archived: false,
            locked: false,
            since: self.now,
            members: [owner].into(),
        };
        self.put_channel(id, ChannelKind::Thread(thread));
    }
}
