//! Somebody with a telephone.

use std::sync::Arc;

use super::place::Place;
use crate::telegram::{
    World,
    entities::Formatted,
    limits,
    markup::Does,
    message::{Author, Body, Draft, MessageAt, Origin},
    state::{Account, Answer, ChatKind, Command, Standing, State, Tapped, WithBot},
};

/// Somebody with an account. Clones are the same person.
#[derive(Clone, Debug)]
pub struct Person {
    pub(super) world: Arc<World>,
    id: i64,
}

/// A tap, for as long as somebody waits for its answer.
#[derive(Clone, Debug)]
pub struct Tap {
    world: Arc<World>,
    /// The id of the callback query.
    pub id: String,
}

impl Tap {
    /// What came of it. None while the button still waits.
    #[must_use]
    pub fn answer(&self) -> Option<Answer> {
        self.world.look(|state| state.taps.get(&self.id)?.answer.clone())
    }
}

/// Set-up.
impl Person {
    pub(crate) fn new(world: Arc<World>, id: i64) -> Self {
        Self { world, id }
    }

    /// The account's id, which is also the id of the conversation with the bot.
    #[must_use]
    pub fn id(&self) -> i64 {
        self.id
    }

    /// What others see above their messages.
    #[must_use]
    pub fn name(&self) -> String {
        self.world.look(|state| state.account(self.id).name.clone())
    }

    /// The conversation with the bot.
    #[must_use]
    pub fn direct(&self) -> Place {
        Place {
            world: Arc::clone(&self.world),
            chat: self.id,
            topic: None,
        }
    }

    /// Pressed START some time ago.
    pub fn started_earlier(&self) {
        self.account(|account| account.standing = WithBot::Started);
    }

    /// Sets the telephone's language, an IETF tag.
    pub fn speaks(&self, language: &str) {
        self.account(|account| account.language = Some(language.to_owned()));
    }

    /// Takes a username, without `@`.
    pub fn takes_username(&self, username: &str) {
        self.account(|account| account.username = Some(username.to_owned()));
    }

    /// Does not want to be linked to by forwarded messages.
    pub fn hides_forwards(&self) {
        self.account(|account| account.hides_forwards = true);
    }

    /// Closes the account.
    pub fn closes_account(&self) {
        self.account(|account| account.deleted = true);
    }

    fn account(&self, change: impl FnOnce(&mut Account)) {
        self.world.change(|state| change(state.account_mut(self.id)));
    }
}

/// Acts.
impl Person {
    /// Presses START.
    pub fn starts(&self) -> MessageAt {
        self.starts_as("/start")
    }

    /// Opens the bot by a deep link and presses START.
    ///
    /// # Panics
    /// If the link could not exist: 1-64 of letters, digits, `_` and `-`.
    pub fn starts_with(&self, payload: &str) -> MessageAt {
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        assert!(
            !payload.is_empty() && payload.len() <= limits::START_PARAMETER && payload.chars().all(fits),
            "no deep link can carry {payload:?}"
        );
        self.starts_as(&format!("/start {payload}"))
    }

    fn starts_as(&self, text: &str) -> MessageAt {
        self.account(|account| account.standing = WithBot::Started);
        self.says(&self.direct(), text)
    }

    /// Says something.
    ///
    /// # Panics
    /// If this person cannot write there: in the direct conversation there is only START at first.
    pub fn says(&self, at: &Place, text: &str) -> MessageAt {
        self.writes(at, None, Body::Text(Formatted::typed(text)))
    }

    /// Replies to a message.
    ///
    /// # Panics
    /// As for [`Person::says`].
    pub fn replies(&self, to: MessageAt, text: &str) -> MessageAt {
        self.writes(&self.place_of(to), Some(to), Body::Text(Formatted::typed(text)))
    }

    /// Sends a photo, with a caption or an empty one.
    ///
    /// # Panics
    /// As for [`Person::says`].
    pub fn sends_photo(&self, at: &Place, reply_to: Option<MessageAt>, caption: &str) -> MessageAt {
        self.writes(at, reply_to, Body::Photo(Formatted::typed(caption)))
    }

    /// Passes a message on.
    ///
    /// # Panics
    /// If there is no such message.
    pub fn forwards(&self, message: MessageAt, to: &Place) -> MessageAt {
        self.world.change(|state| {
            let original = state.message(message).expect("a message that is there").clone();
            let date = original.date;
            let origin = match original.author {
                Author::Account(id) if state.account(id).hides_forwards => Origin::Hidden {
                    name: state.account(id).name.clone(),
                    date,
                },
                Author::Account(id) => Origin::User { account: id, date },
                Author::Bot => Origin::User {
                    account: state.bot.id,
                    date,
                },
                Author::Anonymous(_) => Origin::Hidden {
                    name: state.chat(message.chat).title.clone(),
                    date,
                },
                Author::Channel => Origin::Channel {
                    channel: message.chat,
                    message: message.id,
                    date,
                },
                Author::ForChannel { channel, .. } => Origin::Channel {
                    channel,
                    message: message.id,
                    date,
                },
            };
            let draft = Draft {
                // One's own words are passed on as one's own, and still marked.
                forwarded: Some(origin),
                thread: state.thread_of(to.chat, to.topic, None),
                ..Draft::new(Author::Account(self.id), original.body)
            };
            state.post(to.chat, draft)
        })
    }

    /// Passes on what somebody else wrote in a conversation that the bot has no part in.
    pub fn passes_on(&self, words: &str, of: &Self, to: &Place) -> MessageAt {
        self.world.change(|state| {
            let origin = Origin::User {
                account: of.id,
                date: state.now,
            };
            let draft = Draft {
                forwarded: Some(origin),
                thread: state.thread_of(to.chat, to.topic, None),
                ..Draft::new(Author::Account(self.id), Body::Text(Formatted::typed(words)))
            };
            state.post(to.chat, draft)
        })
    }

    /// Changes what they said. The bot hears of it as of the message itself.
    ///
    /// # Panics
    /// If it is not theirs.
    pub fn edits(&self, message: MessageAt, text: &str) {
        self.world.change(|state| {
            let author = state.message(message).map(|message| message.author);
            assert_eq!(
                author,
                Some(Author::Account(self.id)),
                "only one's own words can be changed"
            );
            state.retype(message, text);
        });
    }

    /// Deletes a message. Bots are not told.
    pub fn deletes(&self, message: MessageAt) {
        self.world.change(|state| state.delete(message));
    }

    /// As an administrator who is hidden behind the group.
    pub fn says_anonymously(&self, at: &Place, text: &str) -> MessageAt {
        self.writes_as(
            Author::Anonymous(self.id),
            at,
            None,
            Body::Text(Formatted::typed(text)),
        )
    }

    /// As an administrator who is hidden behind the group, in reply.
    pub fn replies_anonymously(&self, to: MessageAt, text: &str) -> MessageAt {
        let body = Body::Text(Formatted::typed(text));
        self.writes_as(Author::Anonymous(self.id), &self.place_of(to), Some(to), body)
    }

    /// In a group, on behalf of a channel.
    pub fn says_for(&self, channel: &Place, at: &Place, text: &str) -> MessageAt {
        let author = Author::ForChannel {
            account: self.id,
            channel: channel.id(),
        };
        self.writes_as(author, at, None, Body::Text(Formatted::typed(text)))
    }

    /// Taps the button of this label, on the newest message of a place that has one.
    ///
    /// # Panics
    /// If there is none.
    pub fn taps(&self, at: &Place, label: &str) -> Tap {
        let with = self.sees(at).into_iter().rev().find_map(|seen| {
            let button = seen
                .buttons
                .into_iter()
                .flatten()
                .find(|button| button.label == label)?;
            Some((seen.at, button))
        });
        let Some((message, button)) = with else {
            panic!(
                "there is no button [{label}]\n\n{}",
                self.world.look(|state| state.transcript.render())
            );
        };
        assert!(button.calls_back, "the button [{label}] does not ask the bot");
        self.taps_data(message, &button.data, &button.label)
    }

    /// Taps the button of this label below a message.
    ///
    /// # Panics
    /// If there is none.
    pub fn taps_below(&self, message: MessageAt, label: &str) -> Tap {
        let data = self.world.look(|state| {
            let message = state.message(message)?;
            let mut buttons = message.markup.rows().iter().flatten();
            buttons.find_map(|button| match &button.does {
                Does::CallBack(data) if button.label == label => Some(data.clone()),
                _ => None,
            })
        });
        let data = data.unwrap_or_else(|| panic!("there is no button [{label}] below that message"));
        self.taps_data(message, &data, label)
    }

    /// Taps a button that is not there, or no longer: a slow telephone still shows it, or a forger makes it up. The
    /// bot gets the message as it is now.
    pub fn taps_data(&self, message: MessageAt, data: &str, label: &str) -> Tap {
        self.tap(message, data, label, false)
    }

    /// The same, on a message that the servers will not show the bot any more.
    pub fn taps_vanished(&self, message: MessageAt, data: &str) -> Tap {
        self.tap(message, data, "?", true)
    }

    /// Blocks the bot. It is told.
    pub fn blocks(&self) {
        self.sets_standing(WithBot::Blocked, Standing::Member, Standing::Kicked);
    }

    /// Unblocks the bot. It is told.
    pub fn unblocks(&self) {
        self.sets_standing(WithBot::Started, Standing::Kicked, Standing::Member);
    }

    fn sets_standing(&self, with_bot: WithBot, old: Standing, new: Standing) {
        self.world.change(|state| {
            state.account_mut(self.id).standing = with_bot;
            let update = state.my_member_changed(state.chat(self.id), self.id, old, new);
            let now = state.now;
            state.updates.push("my_chat_member", update, now);
            let line = if new == Standing::Kicked {
                "(the bot is blocked)"
            } else {
                "(the bot is unblocked)"
            };
            state.tell(self.id, None, line);
        });
    }

    fn tap(&self, on: MessageAt, data: &str, label: &str, vanished: bool) -> Tap {
        let id = self.world.change(|state| {
            // Beyond what a double holds exactly, as real ones are.
            let id = (4_382_000_000_000_000_001_u64 + state.taps.len() as u64).to_string();
            let tapped = Tapped {
                by: self.id,
                on,
                when: state.now,
                answer: None,
            };
            state.taps.insert(id.clone(), tapped);
            state.tell_tapped(self.id, on, label);
            let update = state.tap_json(&id, self.id, on, data, vanished);
            let now = state.now;
            state.updates.push("callback_query", update, now);
            id
        });
        Tap {
            world: Arc::clone(&self.world),
            id,
        }
    }

    fn writes(&self, at: &Place, reply_to: Option<MessageAt>, body: Body) -> MessageAt {
        self.writes_as(Author::Account(self.id), at, reply_to, body)
    }

    fn writes_as(&self, author: Author, at: &Place, reply_to: Option<MessageAt>, body: Body) -> MessageAt {
        self.world.change(|state| {
            self.may_write(state, at);
            let reply_to = reply_to.map(|to| to.id);
            let draft = Draft {
                reply_to,
                thread: state.thread_of(at.chat, at.topic, reply_to),
                ..Draft::new(author, body)
            };
            state.post(at.chat, draft)
        })
    }

    fn may_write(&self, state: &State, at: &Place) {
        let chat = state.chat(at.chat);
        let name = &state.account(self.id).name;
        if chat.kind == ChatKind::Private {
            assert_eq!(chat.id, self.id, "{name} has no part in that conversation");
            assert!(
                state.account(self.id).has_started(),
                "{name} sees nothing there but START"
            );
        } else {
            let standing = chat.members.get(&self.id).copied().unwrap_or(Standing::Left);
            assert!(standing.is_in(), "{name} is not in {}", chat.title);
            assert!(chat.migrated_to.is_none(), "{} has moved", chat.title);
        }
    }

    fn place_of(&self, message: MessageAt) -> Place {
        let topic = self.world.look(|state| {
            let thread = state.message(message)?.thread?;
            thread.is_topic.then_some(thread.root)
        });
        Place {
            world: Arc::clone(&self.world),
            chat: message.chat,
            topic,
        }
    }

    /// The menu of commands at a place, in the telephone's language where there is one.
    #[must_use]
    pub fn menu(&self, at: &Place) -> Vec<Command> {
        self.world.look(|state| {
            let language = state.account(self.id).language.clone().unwrap_or_default();
            let language = language.split('-').next().unwrap_or_default().to_owned();
            let wide = match state.chat(at.chat).kind {
                ChatKind::Private => "all_private_chats",
                _ => "all_group_chats",
            };
            let scopes = [format!("chat {}", at.chat), wide.to_owned(), "default".to_owned()];
            let keys = scopes
                .iter()
                .flat_map(|scope| [(scope.clone(), language.clone()), (scope.clone(), String::new())]);
            let mut menus = keys.filter_map(|key| state.commands.get(&key));
            menus.next().cloned().unwrap_or_default()
        })
    }
}

impl State {
    /// Types a message anew.
    pub(crate) fn retype(&mut self, at: MessageAt, text: &str) {
        let now = self.now;
        if let Some(message) = self.message_mut(at) {
            let words = Formatted::typed(text);
            message.body = match message.body {
                Body::Photo(_) => Body::Photo(words),
                _ => Body::Text(words),
            };
            message.edited = Some(now);
        }
        self.tell_changed(at);
        self.deliver(at, true);
    }
}
