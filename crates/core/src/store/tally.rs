//! What has become of asks and deliveries, as plain counts.
//!
//! A store counts where it tells of changes: after the commit, by the rule in [`Record::facts_since`], which every store
//! shares. So what is counted did happen, once, whoever caused it: a person, the clock, an agent or a channel that was
//! stopped. Counts begin at nothing with the process; what they are shown as is the business of an entrance.

use std::collections::BTreeMap;

use crate::{
    id::ChannelName,
    store::{Record, delivery::DeliveryState},
};

/// The words an ask can end with ([`End::status`](crate::stage::End::status)).
pub const ENDS: [&str; 5] = ["answered", "skipped", "expired", "cancelled", "undelivered"];

/// Something that is counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// An ask ended; the word of its end.
    Ended(&'static str),
    /// A delivery came to this on a channel.
    Delivery(ChannelName, DeliveryResult),
}

/// What a delivery came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DeliveryResult {
    /// The platform confirmed the prompt, or somebody pressed a button on it.
    Shown,
    /// An attempt failed and is made again later.
    Retried,
    /// It was given up before anybody was shown the ask.
    Failed,
    /// Its messages show how the ask ended, as far as the platform still allowed.
    Settled,
    /// The ask was over before it was shown.
    Dropped,
}

impl DeliveryResult {
    /// Every result.
    pub const ALL: [Self; 5] = [
        Self::Shown,
        Self::Retried,
        Self::Failed,
        Self::Settled,
        Self::Dropped,
    ];

    /// The word for operators; it stays the same.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Shown => "shown",
            Self::Retried => "retried",
            Self::Failed => "failed",
            Self::Settled => "settled",
            Self::Dropped => "dropped",
        }
    }
}

/// What a store has counted since it was opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Asks that ended, by the word of their end.
    pub ends: BTreeMap<&'static str, u64>,
    /// What deliveries came to, by channel. A channel is counted if something came of it: their number is that of the
    /// channels that were ever configured.
    pub deliveries: BTreeMap<(ChannelName, DeliveryResult), u64>,
    /// Transactions that changed something and are durable.
    pub commits: u64,
    /// Calls that wait to be written, at this moment.
    pub queue: usize,
}

impl Tally {
    /// Counts one more.
    pub fn count(&mut self, fact: Fact) {
        match fact {
            Fact::Ended(end) => *self.ends.entry(end).or_default() += 1,
            Fact::Delivery(channel, result) => {
                *self.deliveries.entry((channel, result)).or_default() += 1;
            }
        }
    }
}

impl Record {
    /// What is to be counted of what has changed since `before`; `None`: it was asked just now.
    #[must_use]
    pub fn facts_since(&self, before: Option<&Self>) -> Vec<Fact> {
        let mut facts = Vec::new();
        for (n, now) in self.deliveries.iter().enumerate() {
            let was = before.and_then(|before| before.deliveries.get(n));
            let moved = was.is_none_or(|was| was.state != now.state);
            let holds = [
                (
                    now.is_delivered() && !was.is_some_and(super::Delivery::is_delivered),
                    DeliveryResult::Shown,
                ),
                (
                    was.is_some_and(|was| now.attempts > was.attempts),
                    DeliveryResult::Retried,
                ),
                (
                    moved && matches!(now.state, DeliveryState::Failed(_)),
                    DeliveryResult::Failed,
                ),
                (
                    moved && now.state == DeliveryState::Settled,
                    DeliveryResult::Settled,
                ),
                (
                    moved && now.state == DeliveryState::Dropped,
                    DeliveryResult::Dropped,
                ),
            ];
            let channel = &now.to.channel;
            let came = holds.into_iter().filter(|(holds, _)| *holds);
            facts.extend(came.map(|(_, result)| Fact::Delivery(channel.clone(), result)));
        }
        let was_over = before.is_some_and(|before| before.ask.outcome().is_some());
        if let Some(outcome) = self.ask.outcome().filter(|_| !was_over) {
            facts.push(Fact::Ended(outcome.end.status()));
        }
        facts
    }
}
