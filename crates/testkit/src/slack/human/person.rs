//! Somebody in the workspace.

use std::sync::Arc;

use jiff::tz::TimeZone;
use serde_json::json;

use super::{place::Place, typed};
use crate::slack::{
    World,
    message::{Author, Content, Draft, Edited, MessageAt, Shared},
    render::Button,
    state::{Account, State},
};

/// Somebody with an account. Clones are the same person.
#[derive(Clone, Debug)]
pub struct Person {
    pub(super) world: Arc<World>,
    id: Arc<str>,
}

/// Set-up.
impl Person {
    pub(crate) fn new(world: Arc<World>, id: &str) -> Self {
        Self { world, id: id.into() }
    }

    /// The account's id, `U…`.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What others see above their messages.
    #[must_use]
    pub fn name(&self) -> String {
        self.world.look(|state| self.name_in(state))
    }

    pub(super) fn name_in(&self, state: &State) -> String {
        state.account(&self.id).name.clone()
    }

    /// The conversation with the app, which is opened where there is none.
    #[must_use]
    pub fn direct(&self) -> Place {
        // Looking for it is nothing that happens.
        let open = self.world.look(|state| state.direct_with(&self.id));
        let channel = open.unwrap_or_else(|| self.world.change(|state| state.open_direct(&self.id)));
        Place {
            world: Arc::clone(&self.world),
            channel,
            thread: None,
        }
    }

    /// Sets the client's language: a locale such as `en-US`.
    pub fn speaks(&self, locale: &str) {
        self.account(|account| locale.clone_into(&mut account.locale));
    }

    /// Sets the time zone.
    ///
    /// # Panics
    /// If there is no such zone.
    pub fn lives_in(&self, zone: &str) {
        let zone = TimeZone::get(zone).expect("a time zone of the database");
        self.account(|account| account.zone = zone);
    }

    /// The account is deactivated.
    pub fn is_deactivated(&self) {
        self.account(|account| account.deleted = true);
    }

    fn account(&self, change: impl FnOnce(&mut Account)) {
        self.world.change(|state| change(state.account_mut(&self.id)));
    }
}

/// What is said.
impl Person {
    /// Says something.
    ///
    /// # Panics
    /// If this person cannot write there, or it begins with a slash: Slack takes that for a command and says that there
    /// is none, unless a blank stands before it.
    pub fn says(&self, at: &Place, text: &str) -> MessageAt {
        assert!(!text.starts_with('/'), "Slack keeps {text:?} to itself");
        self.writes(at, typed_content(text, None))
    }

    /// Says something in the thread of a message.
    ///
    /// # Panics
    /// As for [`Person::says`].
    pub fn replies(&self, to: &MessageAt, text: &str) -> MessageAt {
        self.says(&self.thread_of(to), text)
    }

    /// The same, and sends it to the conversation too.
    ///
    /// # Panics
    /// If this person cannot write there.
    pub fn replies_to_all(&self, to: &MessageAt, text: &str) -> MessageAt {
        let content = Content {
            broadcast: true,
            ..typed_content(text, None)
        };
        self.writes(&self.thread_of(to), content)
    }

    /// Mentions the app, and says something to it.
    ///
    /// # Panics
    /// If this person cannot write there.
    pub fn mentions(&self, at: &Place, text: &str) -> MessageAt {
        let app = self.world.look(|state| state.app.user.clone());
        self.writes(at, typed_content(text, Some(&app)))
    }

    /// The same in the thread of a message.
    ///
    /// # Panics
    /// If this person cannot write there.
    pub fn replies_mentioning(&self, to: &MessageAt, text: &str) -> MessageAt {
        self.mentions(&self.thread_of(to), text)
    }

    /// Uploads a file, with a caption or an empty one.
    ///
    /// # Panics
    /// As for [`Person::says`].
    pub fn uploads(&self, at: &Place, caption: &str) -> MessageAt {
        let content = Content {
            file: Some("picture.png".to_owned()),
            ..typed_content(caption, None)
        };
        self.writes(at, content)
    }

    /// Shares a message, with a comment or an empty one.
    ///
    /// # Panics
    /// If there is no such message.
    pub fn shares(&self, message: &MessageAt, to: &Place, comment: &str) -> MessageAt {
        let shared = self.world.look(|state| {
            let original = state.message(message).expect("a message that is there");
            Shared {
                author: state.author_id(&original.author).to_owned(),
                at: message.clone(),
                text: original.content.text.clone(),
            }
        });
        self.writes_shared(to, shared, comment)
    }

    /// Shares what somebody else said in a conversation that the app has no part in.
    pub fn passes_on(&self, words: &str, of: &Self, to: &Place) -> MessageAt {
        let shared = self.world.change(|state| {
            let now = state.now;
            let elsewhere = state.new_id("C");
            Shared {
                author: of.id.to_string(),
                at: MessageAt::new(&elsewhere, crate::slack::message::Ts::after(None, now)),
                text: typed::encoded(words),
            }
        });
        self.writes_shared(to, shared, "")
    }

    fn writes_shared(&self, to: &Place, shared: Shared, comment: &str) -> MessageAt {
        let content = Content {
            shared: Some(shared),
            ..typed_content(comment, None)
        };
        self.writes(to, content)
    }

    /// Changes what they said.
    ///
    /// # Panics
    /// If it is not theirs.
    pub fn edits(&self, message: &MessageAt, text: &str) {
        self.retypes(message, text, None);
    }

    /// Changes what they said into a mention of the app.
    ///
    /// # Panics
    /// If it is not theirs.
    pub fn edits_mentioning(&self, message: &MessageAt, text: &str) {
        let app = self.world.look(|state| state.app.user.clone());
        self.retypes(message, text, Some(&app));
    }

    fn retypes(&self, message: &MessageAt, text: &str, mention: Option<&str>) {
        self.world.change(|state| {
            let now = state.now;
            let ts = state.conversation_mut(&message.channel).next_ts(now);
            let theirs = Author::Account(self.id.to_string());
            let before = state.message(message).expect("a message that is there").clone();
            assert_eq!(before.author, theirs, "only one's own words can be changed");
            let mut after = before.clone();
            let typed = typed_content(text, mention);
            (after.content.text, after.content.blocks) = (typed.text, typed.blocks);
            after.content.preview = None;
            after.edited = Some(Edited {
                by: self.id.to_string(),
                ts,
            });
            if let Some(message) = state.message_mut(message) {
                *message = after.clone();
            }
            state.tell_message(&after, ", changed");
            state.deliver_changed(&before, &after);
            state.preview(&after.at);
        });
    }

    /// Deletes what they said.
    pub fn deletes(&self, message: &MessageAt) {
        self.world.change(|state| state.delete(message));
    }

    fn writes(&self, at: &Place, mut content: Content) -> MessageAt {
        self.world.change(|state| {
            self.may_write(state, &at.channel);
            if state.account(&self.id).bot.is_none() {
                content.client_id = Some(state.new_uuid());
            } else {
                content.blocks.clear();
            }
            let draft = Draft {
                thread: at.thread,
                ..Draft::new(Author::Account(self.id.to_string()), content)
            };
            let posted = state.post(&at.channel, draft);
            state.preview(&posted);
            posted
        })
    }

    fn may_write(&self, state: &State, channel: &str) {
        let conversation = state.conversation(channel);
        let name = self.name_in(state);
        assert!(
            conversation.members.contains(self.id()),
            "{name} is not in {}",
            conversation.name
        );
        assert!(!conversation.archived, "{} is archived", conversation.name);
    }

    fn thread_of(&self, message: &MessageAt) -> Place {
        let root = self.world.look(|state| state.root_of(message));
        Place {
            world: Arc::clone(&self.world),
            channel: message.channel.clone(),
            thread: Some(root),
        }
    }
}

/// What the client makes of what is typed, behind a mention if there is one.
fn typed_content(text: &str, mention: Option<&str>) -> Content {
    let mut elements = Vec::new();
    let mut encoded = typed::encoded(text);
    if let Some(user) = mention {
        elements.push(json!({"type": "user", "user_id": user}));
        elements.push(json!({"type": "text", "text": " "}));
        encoded = format!("<@{user}> {encoded}");
    }
    if !text.is_empty() {
        elements.push(json!({"type": "text", "text": text}));
    }
    let section = json!({"type": "rich_text_section", "elements": elements});
    let block = json!({"type": "rich_text", "block_id": "typed", "elements": [section]});
    Content {
        blocks: if elements.is_empty() {
            Vec::new()
        } else {
            vec![block]
        },
        ..Content::text(encoded)
    }
}

/// Buttons and forms.
impl Person {
    /// Presses the button of this label, on the newest message of a place that has one: also on one that this person
    /// alone sees.
    ///
    /// # Panics
    /// If there is none.
    pub fn presses(&self, at: &Place, label: &str) {
        let mut seen = self.sees(at);
        seen.extend(self.sees_alone(at));
        seen.sort_by_key(|seen| seen.at.ts);
        let with = seen.into_iter().rev().find(|seen| seen.labels().contains(&label));
        let Some(with) = with else {
            panic!(
                "there is no button [{label}]\n\n{}",
                self.world.look(|state| state.transcript.render())
            );
        };
        self.presses_below(&with.at, label);
    }

    /// Presses the button of this label below a message. The app is told also where the button opens a link.
    ///
    /// # Panics
    /// If there is none.
    pub fn presses_below(&self, message: &MessageAt, label: &str) {
        let button = self.world.look(|state| {
            let message = state.message_ever(message)?;
            let mut buttons = state.shown(message, &self.id).buttons.into_iter().flatten();
            buttons.find(|button| button.label == label)
        });
        let button = button.unwrap_or_else(|| panic!("there is no button [{label}] below that message"));
        self.press(message, &button);
    }

    /// Presses a button that is not there, or no longer: a slow client still shows it, or a forger makes it up. The
    /// app gets the message as it is now.
    pub fn presses_data(&self, message: &MessageAt, data: &str, label: &str) {
        let known = self.world.look(|state| state.button_of(data).cloned());
        let button = Button {
            label: label.to_owned(),
            block_id: known
                .as_ref()
                .map_or_else(|| "gone".to_owned(), |known| known.block_id.clone()),
            action_id: known.map_or_else(|| "gone".to_owned(), |known| known.action_id),
            value: Some(data.to_owned()),
            url: None,
        };
        self.press(message, &button);
    }

    fn press(&self, on: &MessageAt, button: &Button) {
        self.world.change(|state| {
            state.tell_pressed(&self.id, on, &button.label);
            state.press(&self.id, on, button);
        });
    }

    /// Writes into the first input of the form that is open, and sends it in.
    ///
    /// # Panics
    /// If none is open, or the client would not send it: empty, too short, too long.
    pub fn fills(&self, text: &str) {
        self.world.change(|state| {
            let view = state.view_before(&self.id).expect("a form is open").clone();
            let inputs = state.inputs(&view, &self.id);
            let mut typed: Vec<String> = inputs.iter().map(|input| input.initial.clone()).collect();
            if let Some(first) = typed.first_mut() {
                text.clone_into(first);
            }
            for (input, text) in inputs.iter().zip(&typed) {
                let length = text.chars().count();
                assert!(
                    input.optional || length > 0,
                    "{:?} has to be filled in",
                    input.label
                );
                assert!(length == 0 || length >= input.min, "{:?} wants more", input.label);
                assert!(
                    length <= input.max,
                    "{:?} takes no more than {}",
                    input.label,
                    input.max
                );
            }
            state.tell_sent(&self.id, &typed);
            state.send_view(&self.id, &typed);
        });
    }

    /// Closes the form that is open, which by itself tells the app nothing.
    ///
    /// # Panics
    /// If none is.
    pub fn closes_form(&self) {
        self.world.change(|state| state.close_view(&self.id));
    }
}
