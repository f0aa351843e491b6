//! What agents and people do, each followed by the world coming to rest.

use std::time::Duration;

use askd_core::{
    ask::validate::Rules,
    broker::{Accepted, AskError, PairingOffer, Request},
    clock::Clock as _,
    id::{AskId, PersonName},
    people::Directory,
};
use serde_json::Value;

use super::{STEP, STEP_TAKES, Told, World, agent, operator};
use crate::channel_suite::platform::{Call, Fault, Place, Saying, SeenButton, SeenMessage, Who};

impl World {
    /// The agent asks, and the ask is shown.
    ///
    /// # Panics
    /// If it is not taken over.
    pub async fn ask(&self, body: Value) -> AskId {
        let accepted = self.try_ask(body).await.expect("the ask is taken over");
        self.settle().await;
        accepted.record.ask.id
    }

    /// The agent asks; nothing is waited for.
    ///
    /// # Errors
    /// What the broker says.
    pub async fn try_ask(&self, body: Value) -> Result<Accepted, AskError> {
        let request = Request {
            body,
            key: None,
            agent: None,
            rules: Rules::default(),
        };
        self.running().broker.ask(&agent(), request).await
    }

    /// The agent takes an ask back.
    ///
    /// # Panics
    /// If the broker refuses.
    pub async fn cancel(&self, ask: AskId) {
        self.running()
            .broker
            .cancel(&agent(), ask)
            .await
            .expect("an agent may cancel its own ask");
        self.settle().await;
    }

    /// An operator offers somebody a pairing code.
    ///
    /// # Panics
    /// If the broker refuses.
    pub async fn pair(&self, who: Who) -> PairingOffer {
        let person = PersonName::new(who.name());
        self.running()
            .broker
            .pair(&operator(), &person)
            .await
            .expect("an operator may pair")
    }

    /// An operator cuts all of somebody's accounts off.
    ///
    /// # Panics
    /// If the broker refuses.
    pub async fn unpair(&self, who: Who) {
        let person = PersonName::new(who.name());
        self.running()
            .broker
            .unpair(&operator(), &person, None)
            .await
            .expect("an operator may unpair");
    }

    /// Somebody says something in a few words; what they are told on it.
    pub async fn say(&self, who: Who, place: Place, text: &str) -> Told {
        self.says(who, place, &Saying::text(text)).await
    }

    /// Somebody says something; what they are told on it.
    pub async fn says(&self, who: Who, place: Place, what: &Saying) -> Told {
        let before = self.told_so_far(who, place);
        let message = self.platform.say(who, place, what);
        self.settle().await;
        self.told_since(&before, Some(message))
    }

    /// Somebody says something that nobody waits for: askd may be down.
    pub fn says_unheard(&self, who: Who, place: Place, what: &Saying) {
        self.platform.say(who, place, what);
    }

    /// Somebody presses a button that nobody waits for: askd may be down.
    pub fn presses_unheard(&self, who: Who, button: &SeenButton) {
        self.platform.press(who, button);
    }

    /// Somebody changes what they said; what they are told on it.
    ///
    /// # Panics
    /// If `said` is not what somebody said.
    pub async fn edits(&self, who: Who, place: Place, said: &Told, text: &str) -> Told {
        let before = self.told_so_far(who, place);
        let message = said.message.clone().expect("what somebody said can be edited");
        self.platform.edit(who, &message, text);
        self.settle().await;
        self.told_since(&before, Some(message))
    }

    /// Somebody presses a button in a place; what they are told on it.
    pub async fn press(&self, who: Who, place: Place, button: &SeenButton) -> Told {
        let before = self.told_so_far(who, place);
        self.platform.press(who, button);
        self.settle().await;
        self.told_since(&before, None)
    }

    /// Somebody presses the button of this label.
    ///
    /// # Panics
    /// If the message has none.
    pub async fn tap(&self, who: Who, place: Place, message: &SeenMessage, label: &str) -> Told {
        self.press(who, place, &button(message, label)).await
    }

    /// Somebody sends in the form that is open before them.
    pub async fn fill(&self, who: Who, place: Place, text: &str) -> Told {
        let before = self.told_so_far(who, place);
        self.platform.fill(who, text);
        self.settle().await;
        self.told_since(&before, None)
    }

    /// The platform hands its last event out again; what that person is told on it.
    pub async fn redeliver_last(&self, who: Who, place: Place) -> Told {
        let before = self.told_so_far(who, place);
        self.platform.redeliver_last();
        self.settle().await;
        self.told_since(&before, None)
    }

    /// The channel's connection breaks.
    pub async fn drop_connection(&self) {
        self.platform.drop_connection();
        self.settle().await;
    }

    /// The platform says nothing for so long, and goes on saying nothing.
    pub async fn silence(&self, lasts: Duration) {
        self.platform.fall_silent();
        self.goes_by(lasts).await;
    }

    /// The platform behaves again.
    pub async fn speak_again(&self) {
        self.platform.speak_again();
        self.settle().await;
    }

    /// Every such call of the channel fails, until [`World::mend`].
    pub fn fail_all(&self, call: Call, fault: Fault) {
        self.platform.fail_all(call, fault);
    }

    /// No call fails any more.
    pub async fn mend(&self) {
        self.platform.mend();
        self.settle().await;
    }

    /// The channel can receive nothing for so long, each of its attempts failing like this.
    pub async fn cut_off(&self, fault: Fault, lasts: Duration) {
        self.platform.fail_all(Call::Listen, fault);
        self.goes_by(lasts).await;
    }

    /// Receiving works again. Returns how long the channel took to notice.
    ///
    /// # Panics
    /// If it does not, within ten minutes.
    pub async fn hears_again(&self) -> Duration {
        self.platform.mend();
        let began = self.clock.passed();
        let took = || self.clock.passed().saturating_sub(began);
        while !self.platform.is_heard() {
            assert!(took() < Duration::from_mins(10), "nothing is heard again");
            self.goes_by(STEP).await;
        }
        let took = took();
        self.settle().await;
        took
    }

    /// Lets time pass while real connections are made and break, from which it must not run away.
    async fn goes_by(&self, time: Duration) {
        let until = self.clock.passed() + time;
        while self.clock.passed() < until {
            tokio::time::sleep(STEP_TAKES).await;
            let left = until.saturating_sub(self.clock.passed());
            self.clock.advance(left.min(STEP * 4));
        }
    }

    /// The next such call of the channel fails.
    pub fn fail_next(&self, call: Call, fault: Fault) {
        self.platform.fail_next(call, fault);
    }

    /// A message of ours is deleted by somebody else.
    pub fn delete(&self, message: &SeenMessage) {
        self.platform.delete(&message.message);
    }

    /// Changes people and routes.
    pub fn configure(&self, change: impl FnOnce(&mut Directory)) {
        self.directory
            .send_modify(|directory| change(std::sync::Arc::make_mut(directory)));
    }
}

/// The button of this label.
///
/// # Panics
/// If the message has none.
#[must_use]
pub fn button(message: &SeenMessage, label: &str) -> SeenButton {
    let found = message
        .buttons
        .iter()
        .find(|button| super::views::bare(&button.label) == label);
    found
        .unwrap_or_else(|| panic!("no button \"{label}\" below {message:?}"))
        .clone()
}
