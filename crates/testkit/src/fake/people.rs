//! People on the fake platform: how the suite acts on it and looks at it.

use std::sync::Arc;

use askd_core::{
    channel::Channel,
    clock::Clock,
    id::{ChannelName, MessageRef},
};
use async_trait::async_trait;
use tokio::sync::watch;

use super::{
    Fake,
    channel::{FakeChannel, number},
    network::{Entry, GROUP, Network},
    wire::{From, MENTION, What},
};
use crate::channel_suite::{
    Call, Fault, Feature, Place, Platform, Saying, SeenButton, SeenForm, SeenMessage, Who,
};

impl Fake {
    fn account_of(&self, who: Who) -> String {
        if self.network.profile.opens_conversations {
            format!("@{}", who.name())
        } else {
            who.name().to_owned()
        }
    }

    fn from(&self, who: Who) -> From {
        match who {
            Who::Hidden => From::Hidden,
            Who::Machine => From::Machine,
            Who::Sara | Who::Omid | Who::Stranger => From::Account(self.account_of(who)),
        }
    }

    fn conversation(&self, place: Place) -> String {
        match place {
            Place::Direct(who) => Network::conversation(&self.account_of(who)),
            Place::Group => GROUP.to_owned(),
        }
    }

    /// The conversation in which a message stands.
    fn conversation_of(&self, message: i64) -> String {
        let state = self.network.state();
        let found = state
            .conversations
            .iter()
            .find(|(_, entries)| entries.iter().any(|entry| entry.id == message));
        found.map_or_else(|| "nowhere".to_owned(), |(name, _)| name.clone())
    }

    fn is_ours(&self, message: i64) -> bool {
        let state = self.network.state();
        state
            .conversations
            .values()
            .flatten()
            .any(|entry| entry.id == message && entry.from.is_none())
    }

    fn offered(&self, feature: Feature, is_used: bool) {
        assert!(
            !is_used || self.network.profile.has(feature),
            "the case did not say that it needs {feature:?}"
        );
    }
}

#[async_trait]
impl Platform for Fake {
    fn offers(&self) -> &'static [Feature] {
        self.network.profile.offers
    }

    async fn connect(&self, name: ChannelName, _clock: Arc<dyn Clock>) -> Arc<dyn Channel> {
        Arc::new(FakeChannel::new(name, Arc::clone(&self.network)))
    }

    fn account(&self, who: Who) -> String {
        self.account_of(who)
    }

    fn group(&self) -> String {
        GROUP.to_owned()
    }

    fn say(&self, who: Who, place: Place, what: &Saying) -> MessageRef {
        self.offered(Feature::Groups, place == Place::Group);
        self.offered(Feature::Replies, what.reply_to.is_some());
        self.offered(Feature::Threads, what.thread.is_some());
        self.offered(Feature::Attachments, what.attachment);
        self.offered(Feature::Forwards, what.forwarded);
        self.offered(Feature::HiddenSenders, who == Who::Hidden);
        self.offered(Feature::Machines, who == Who::Machine);
        let conversation = self.conversation(place);
        let id = {
            let mut state = self.network.state();
            let id = state.next_message();
            state
                .conversations
                .entry(conversation.clone())
                .or_default()
                .push(Entry {
                    id,
                    from: Some(who.name().to_owned()),
                    text: what.text.clone(),
                    buttons: Vec::new(),
                    rang: true,
                });
            id
        };
        let reply_to = what.reply_to.as_ref().map(number);
        let thread = what.thread.as_ref().map(number);
        let addressed =
            what.mention || what.text.starts_with('/') || reply_to.is_some_and(|id| self.is_ours(id));
        if place != Place::Group || addressed || self.network.profile.has(Feature::BareGroupTexts) {
            let mention = if what.mention { MENTION } else { "" };
            let message = What::Message {
                id,
                text: format!("{mention}{}", what.text),
                reply_to,
                thread,
                attachment: what.attachment,
                forwarded: what.forwarded,
                edited: false,
            };
            self.network.happens(self.from(who), &conversation, message);
        }
        MessageRef::new(id.to_string())
    }

    fn press(&self, who: Who, button: &SeenButton) {
        let on = number(&button.on);
        let conversation = self.conversation_of(on);
        self.network.happens(
            self.from(who),
            &conversation,
            What::Press {
                on,
                data: button.data.clone(),
            },
        );
    }

    fn fill(&self, who: Who, text: &str) {
        let form = self
            .network
            .state()
            .forms
            .remove(&self.account_of(who))
            .expect("a form is open");
        let filled = What::Form {
            data: form.data,
            text: text.to_owned(),
        };
        self.network.happens(self.from(who), &form.conversation, filled);
    }

    fn edit(&self, who: Who, message: &MessageRef, text: &str) {
        let id = number(message);
        let conversation = self.conversation_of(id);
        {
            let mut state = self.network.state();
            let mut entries = state.conversations.values_mut().flatten();
            let entry = entries.find(|entry| entry.id == id && entry.from.as_deref() == Some(who.name()));
            text.clone_into(&mut entry.expect("people edit what they said").text);
        }
        let message = What::Message {
            id,
            text: text.to_owned(),
            reply_to: None,
            thread: None,
            attachment: false,
            forwarded: false,
            edited: true,
        };
        self.network.happens(self.from(who), &conversation, message);
    }

    fn seen(&self, place: Place) -> Vec<SeenMessage> {
        let state = self.network.state();
        let entries = state
            .conversations
            .get(&self.conversation(place))
            .into_iter()
            .flatten();
        entries
            .filter(|entry| entry.from.is_none())
            .map(|entry| {
                let message = MessageRef::new(entry.id.to_string());
                let button = |(label, data): &(String, String)| SeenButton {
                    label: label.clone(),
                    on: message.clone(),
                    data: data.clone(),
                };
                SeenMessage {
                    buttons: entry.buttons.iter().flatten().map(button).collect(),
                    text: entry.text.clone(),
                    rang: entry.rang,
                    message,
                }
            })
            .collect()
    }

    fn told(&self, who: Who) -> Vec<String> {
        let account = self.account_of(who);
        let state = self.network.state();
        state
            .told
            .iter()
            .filter(|(to, _)| *to == account)
            .map(|(_, text)| text.clone())
            .collect()
    }

    fn form(&self, who: Who) -> Option<SeenForm> {
        let state = self.network.state();
        let form = state.forms.get(&self.account_of(who))?;
        Some(SeenForm {
            title: form.title.clone(),
            label: form.label.clone(),
        })
    }

    fn feedback(&self) -> usize {
        self.network.state().feedback
    }

    fn fail_next(&self, call: Call, fault: Fault) {
        self.network.fail_next(call, fault);
    }

    fn fail_all(&self, call: Call, fault: Fault) {
        self.network.fail_all(call, fault);
        if call == Call::Listen {
            self.network.drop_connection();
        }
    }

    fn mend(&self) {
        self.network.mend();
    }

    fn is_heard(&self) -> bool {
        self.network.answers()
    }

    fn hanging(&self) -> usize {
        self.network.state().hanging
    }

    fn redeliver_last(&self) {
        self.network.redeliver_last();
    }

    fn drop_connection(&self) {
        self.network.drop_connection();
    }

    fn fall_silent(&self) {
        self.network.set_silent(true);
    }

    fn speak_again(&self) {
        self.network.set_silent(false);
        self.network.drop_connection();
    }

    fn delete(&self, message: &MessageRef) {
        let id = number(message);
        for entries in self.network.state().conversations.values_mut() {
            entries.retain(|entry| entry.id != id);
        }
    }

    fn is_idle(&self, _heard: usize) -> bool {
        self.network.is_idle()
    }

    fn activity(&self) -> watch::Receiver<u64> {
        self.network.activity()
    }

    fn violations(&self) -> Vec<String> {
        self.network.state().violations.clone()
    }
}
