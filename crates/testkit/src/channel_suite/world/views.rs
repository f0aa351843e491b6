//! What agents get and people see.

use std::time::Duration;

use askd_core::{
    broker::ChannelHealth,
    channel::Channel as _,
    clock::Clock as _,
    id::{Address, AskId, MessageRef},
    inbound::{Became, Receipt},
    present::Capabilities,
    result::AgentResult,
    store::{Delivery, Record, Store as _},
};
use serde_json::Value;

use super::{World, agent};
use crate::channel_suite::platform::{Place, SeenForm, SeenMessage, Who};

/// What somebody was told on something they did: privately, or in the conversation.
#[derive(Clone, Debug)]
pub struct Told {
    /// Each text once, private ones first, without bidi controls.
    pub texts: Vec<String>,
    /// The receipt behind it, as the broker gave it.
    pub receipt: Option<Receipt>,
    /// What they said, as the channel names it.
    pub message: Option<MessageRef>,
}

impl Told {
    /// Everything, in one text.
    #[must_use]
    pub fn text(&self) -> String {
        self.texts.join("\n")
    }

    /// Checks that all of these stand in it.
    ///
    /// # Panics
    /// If one does not.
    #[track_caller]
    pub fn says(&self, wanted: &[&str]) {
        let text = self.text();
        for wanted in wanted {
            assert!(text.contains(wanted), "\"{wanted}\" is missing in: {text:?}");
        }
    }

    /// Checks that nothing was said at all.
    ///
    /// # Panics
    /// If something was.
    #[track_caller]
    pub fn is_nothing(&self) {
        assert_eq!(self.texts, [""; 0], "nothing should have been said");
    }

    /// Checks what became of it.
    ///
    /// # Panics
    /// If something else did.
    #[track_caller]
    pub fn became(&self, wanted: &str) {
        let became = self
            .receipt
            .as_ref()
            .map_or("nothing", |receipt| name(&receipt.became));
        assert_eq!(became, wanted, "told: {:?}", self.texts);
    }
}

fn name(became: &Became) -> &'static str {
    match became {
        Became::Settled => "settled",
        Became::Kept { .. } => "kept",
        Became::Hint => "hint",
        Became::WriteOwn(_) => "write own",
        Became::TooLate => "too late",
        Became::NotYours => "not yours",
        Became::Told => "told",
        Became::Ignored => "ignored",
    }
}

/// What had been told before something was done.
pub(super) struct SoFar {
    who: Who,
    place: Place,
    told: usize,
    seen: Vec<MessageRef>,
    receipts: usize,
}

impl World {
    /// Whether the channel works, as operators are told.
    ///
    /// # Panics
    /// If no process is running.
    #[must_use]
    pub fn health(&self) -> ChannelHealth {
        self.running().broker.channels_health()[&self.channel].clone()
    }

    /// How long the platform may be silent.
    ///
    /// # Panics
    /// If no process is running.
    #[must_use]
    pub fn deaf_after(&self) -> Duration {
        self.running().channel.deaf_after()
    }

    pub(super) fn told_so_far(&self, who: Who, place: Place) -> SoFar {
        SoFar {
            who,
            place,
            told: self.platform.told(who).len(),
            seen: self
                .platform
                .seen(place)
                .into_iter()
                .map(|seen| seen.message)
                .collect(),
            receipts: self.receipts().len(),
        }
    }

    pub(super) fn told_since(&self, before: &SoFar, message: Option<MessageRef>) -> Told {
        let told = self.platform.told(before.who).split_off(before.told);
        let seen = self.platform.seen(before.place);
        let new = seen
            .into_iter()
            .filter(|seen| !before.seen.contains(&seen.message) && !seen.rang);
        let texts = told.into_iter().chain(new.map(|seen| seen.text));
        Told {
            texts: texts.map(|text| bare(&text)).collect(),
            receipt: self.receipts().split_off(before.receipts).pop(),
            message,
        }
    }

    fn receipts(&self) -> Vec<Receipt> {
        self.running
            .as_ref()
            .map_or_else(Vec::new, |running| running.inbox.receipts())
    }

    /// The result of an ask as the agent gets it.
    ///
    /// # Panics
    /// If there is no such ask.
    pub async fn result(&self, ask: AskId) -> Value {
        let record = self
            .running()
            .broker
            .get(&agent(), ask)
            .await
            .expect("an agent may read its own ask");
        serde_json::to_value(AgentResult::of(&record.ask)).expect("a result is JSON")
    }

    /// The result of an ask once there is one, or after `time`, as the agent gets it.
    ///
    /// # Panics
    /// If there is no such ask.
    pub async fn wait(&self, ask: AskId, time: std::time::Duration) -> Value {
        let until = self.ours.now() + time;
        let record = self.running().broker.wait(&agent(), ask, until).await;
        let record = record.expect("an agent may wait for its own ask");
        serde_json::to_value(AgentResult::of(&record.ask)).expect("a result is JSON")
    }

    /// How long it is until the ask's only delivery is tried again, as it is stored. `None`: nothing is left to do.
    ///
    /// # Panics
    /// If there are more or none.
    pub async fn next_attempt(&self, ask: AskId) -> Option<Duration> {
        let record = self.record(ask).await;
        let [delivery] = &record.deliveries[..] else {
            panic!("one delivery: {:?}", record.deliveries);
        };
        let left = delivery.due?.duration_since(self.ours.now());
        Some(Duration::try_from(left).unwrap_or_default())
    }

    /// `pending`, or the word of its end.
    pub async fn status(&self, ask: AskId) -> String {
        self.record(ask).await.ask.status().to_owned()
    }

    /// The values of the answer to this question; none while there is no answer.
    pub async fn values(&self, ask: AskId, question: &str) -> Vec<String> {
        let result = self.result(ask).await;
        let values = result["answers"]["answers"][question]
            .as_array()
            .cloned()
            .unwrap_or_default();
        values
            .iter()
            .filter_map(|value| value.as_str().map(str::to_owned))
            .collect()
    }

    /// The ask with its deliveries.
    ///
    /// # Panics
    /// If there is no such ask.
    pub async fn record(&self, ask: AskId) -> Record {
        self.store
            .get(ask)
            .await
            .expect("the store works")
            .expect("the ask is stored")
    }

    /// Everything that stands in a place.
    #[must_use]
    pub fn seen(&self, place: Place) -> Vec<SeenMessage> {
        self.platform.seen(place)
    }

    /// The messages of this ask's prompt in a place, in order, as they look now.
    pub async fn prompts(&self, ask: AskId, place: Place) -> Vec<SeenMessage> {
        let record = self.record(ask).await;
        let prompts: Vec<_> = record
            .deliveries
            .iter()
            .flat_map(Delivery::prompts)
            .map(|p| &p.message)
            .collect();
        let seen = self.platform.seen(place);
        seen.into_iter()
            .filter(|seen| prompts.contains(&&seen.message))
            .collect()
    }

    /// The only message of this ask's prompt in a place, as it looks now.
    ///
    /// # Panics
    /// If there are more or none.
    pub async fn prompt(&self, ask: AskId, place: Place) -> SeenMessage {
        let mut prompts = self.prompts(ask, place).await;
        assert_eq!(
            prompts.len(),
            1,
            "one message shows the ask in {place:?}: {:?}",
            self.seen(place)
        );
        prompts.remove(0)
    }

    /// How the end of this ask reads in a place, without bidi controls: in the prompt where it can be changed, else
    /// in what came after it.
    pub async fn ending(&self, ask: AskId, place: Place) -> String {
        let prompts = self.prompts(ask, place).await;
        let seen = self.platform.seen(place);
        let texts: Vec<String> = if self.has(crate::channel_suite::Feature::Edits) {
            prompts.into_iter().map(|seen| seen.text).collect()
        } else {
            let last = prompts.last().map(|last| last.message.clone());
            seen.into_iter()
                .skip_while(|seen| Some(&seen.message) != last.as_ref())
                .skip(1)
                .map(|seen| seen.text)
                .collect()
        };
        bare(&texts.join("\n"))
    }

    /// The form that is open before somebody.
    #[must_use]
    pub fn form(&self, who: Who) -> Option<SeenForm> {
        self.platform.form(who)
    }

    /// Whether the platform offers this.
    #[must_use]
    pub fn has(&self, feature: crate::channel_suite::Feature) -> bool {
        self.platform.offers().contains(&feature)
    }

    /// What the channel says can be shown and heard in a place.
    #[must_use]
    pub fn capabilities(&self, place: Place) -> Capabilities {
        self.running().channel.capabilities(&self.address(place))
    }

    /// Whether the channel reads the address of a place, as the configuration writes it, as that address.
    #[must_use]
    pub fn reads_address(&self, place: Place) -> bool {
        let address = self.address(place);
        self.running().channel.parse_address(&address.local).as_ref() == Ok(&address)
    }

    fn address(&self, place: Place) -> Address {
        match place {
            Place::Direct(who) => self.account(who),
            Place::Group => self.group(),
        }
    }

    /// How often phones rang in a place.
    #[must_use]
    pub fn rings(&self, place: Place) -> usize {
        self.platform.seen(place).iter().filter(|seen| seen.rang).count()
    }
}

/// `text` without the characters that only direct its display, so that a sentence with isolated parts can be compared.
#[must_use]
pub fn bare(text: &str) -> String {
    let directing = |c: char| matches!(c, '\u{2066}'..='\u{2069}' | '\u{202a}'..='\u{202e}' | '\u{200e}' | '\u{200f}' | '\u{061c}');
    text.chars().filter(|c| !directing(*c)).collect()
}
