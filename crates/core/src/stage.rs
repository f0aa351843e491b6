//! The one life an ask has.
//!
//! `Pending` ends in exactly one of five ways, and the first stored end wins for ever. The transitions are here
//! and consume what they change, so that every store decides alike: it loads an [`Ask`], calls one of these inside
//! its transaction, and writes what comes back.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    answer::Answers,
    ask::Ask,
    id::{Address, PersonName, QuestionId, TokenName},
};

/// Where an ask is in its life.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Open; holds the partial answers of each person.
    Pending(Pending),
    /// Ended, for ever.
    Over(Outcome),
}

/// What an open ask has collected.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pending {
    /// Incomplete answers, kept per person (SPEC 4). Pairs, because JSON keys are texts.
    kept: Vec<(Responder, Answers)>,
}

impl Pending {
    /// What this person has answered so far.
    #[must_use]
    pub fn kept(&self, who: &Responder) -> Option<&Answers> {
        self.kept
            .iter()
            .find(|(w, _)| w == who)
            .map(|(_, answers)| answers)
    }
}

/// Who answers, for rights and for keeping partial answers apart. Two accounts of one person are one responder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Responder {
    /// A person, on whatever channel.
    Person(PersonName),
    /// An operator, who answers with a token and may answer everything.
    Operator(TokenName),
}

/// How an ask ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// Which of the five ends.
    pub end: End,
    /// When it was stored.
    pub at: Timestamp,
}

/// The five ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// Every question has an answer.
    Answered {
        /// The answers, complete.
        answers: Answers,
        /// Who gave the last of them.
        by: SettledBy,
    },
    /// A person declined the whole ask.
    Skipped {
        /// Who.
        by: SettledBy,
    },
    /// The deadline passed after somebody had been shown the ask.
    Expired,
    /// The agent, its run or an operator took it back.
    Cancelled,
    /// Nobody was shown it.
    Undelivered(Unreached),
}

/// Why nobody was shown an ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unreached {
    /// Routes are configured and none matches.
    NoRoute,
    /// Every destination failed for good.
    AllFailed,
    /// A route matches, but nobody on it has an account or a token.
    NoAccount,
    /// The deadline passed before any destination took it.
    DeadlinePassed,
}

/// Who settled an ask, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettledBy {
    /// Who.
    pub who: Responder,
    /// Their name as others see it, as it was then.
    pub name: String,
    /// In which conversation; its channel is what others are told.
    pub at: Address,
    /// By which gesture.
    pub how: How,
}

/// The gesture of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// A button.
    Tap,
    /// A typed message.
    Reply,
    /// A form (modal, view).
    Form,
    /// Exact values through the API or the command line.
    Api,
}

impl How {
    /// The word on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Tap => "tap",
            Self::Reply => "reply",
            Self::Form => "form",
            Self::Api => "api",
        }
    }
}

impl End {
    /// The word on the wire: `answered`, `skipped`, `expired`, `cancelled` or `undelivered`.
    #[must_use]
    pub fn status(&self) -> &'static str {
        match self {
            Self::Answered { .. } => "answered",
            Self::Skipped { .. } => "skipped",
            Self::Expired => "expired",
            Self::Cancelled => "cancelled",
            Self::Undelivered(_) => "undelivered",
        }
    }

    /// Who settled it, where a person did.
    #[must_use]
    pub fn by(&self) -> Option<&SettledBy> {
        match self {
            Self::Answered { by, .. } | Self::Skipped { by } => Some(by),
            Self::Expired | Self::Cancelled | Self::Undelivered(_) => None,
        }
    }
}

/// What became of an attempt to end an ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Closed {
    /// This attempt ended it.
    Now(Box<Ask>),
    /// It had ended before, with the same gesture of the same person: a redelivery, or a second tap.
    Before(Box<Ask>),
    /// It had ended before, otherwise. An answer after the deadline that nobody had noticed yet ends the ask as
    /// expired (or undelivered), stores that, and is lost too.
    Lost(Box<Ask>),
}

impl Closed {
    /// The ask as it is stored now.
    #[must_use]
    pub fn ask(&self) -> &Ask {
        match self {
            Self::Now(ask) | Self::Before(ask) | Self::Lost(ask) => ask,
        }
    }
}

impl Ask {
    /// `pending`, or the word of its end.
    #[must_use]
    pub fn status(&self) -> &'static str {
        match &self.stage {
            Stage::Pending(_) => "pending",
            Stage::Over(outcome) => outcome.end.status(),
        }
    }

    /// How it ended, if it has.
    #[must_use]
    pub fn outcome(&self) -> Option<&Outcome> {
        match &self.stage {
            Stage::Pending(_) => None,
            Stage::Over(outcome) => Some(outcome),
        }
    }

    /// What this person has answered so far; empty once the ask is over.
    #[must_use]
    pub fn kept(&self, who: &Responder) -> Answers {
        match &self.stage {
            Stage::Pending(pending) => pending.kept(who).cloned().unwrap_or_default(),
            Stage::Over(_) => Answers::new(),
        }
    }

    /// Whether somebody has answered a part of it, and so has seen it.
    #[must_use]
    pub fn is_begun(&self) -> bool {
        matches!(&self.stage, Stage::Pending(pending) if !pending.kept.is_empty())
    }

    /// Whether its deadline has passed at `now`.
    #[must_use]
    pub fn is_due(&self, now: Timestamp) -> bool {
        now >= self.deadline
    }

    /// Ends the ask, if it is open and `end` may still count at `now`.
    ///
    /// Anything but an expiry that comes at or after the deadline finds the ask expired instead: the deadline is
    /// compared here, inside the store's transaction, so that a late answer cannot slip in before the expiry loop
    /// wakes. `delivered` says whether anybody was shown it, and decides between `expired` and `undelivered`.
    #[must_use]
    pub fn close(mut self, end: End, delivered: bool, now: Timestamp) -> Closed {
        if let Stage::Over(outcome) = &self.stage {
            let same = outcome.end.by().is_some() && outcome.end == end;
            let boxed = Box::new(self);
            return if same {
                Closed::Before(boxed)
            } else {
                Closed::Lost(boxed)
            };
        }
        let timely = !self.is_due(now);
        let counts = timely || matches!(end, End::Expired | End::Undelivered(_));
        let end = if timely {
            end
        } else if delivered {
            End::Expired
        } else {
            End::Undelivered(Unreached::DeadlinePassed)
        };
        self.stage = Stage::Over(Outcome { end, at: now });
        let boxed = Box::new(self);
        if counts {
            Closed::Now(boxed)
        } else {
            Closed::Lost(boxed)
        }
    }

    /// Adds to what `who` has answered. When that completes the set, the ask ends as answered.
    ///
    /// `at` and `how` describe the gesture that brought these answers, for the outcome.
    #[must_use]
    pub fn keep(mut self, answers: Answers, by: &SettledBy, delivered: bool, now: Timestamp) -> Kept {
        let mut all = self.kept(&by.who);
        all.merge(answers);
        if all.missing(&self.questions).is_empty() || self.outcome().is_some() || self.is_due(now) {
            return Kept::Closed(self.close(
                End::Answered {
                    answers: all,
                    by: by.clone(),
                },
                delivered,
                now,
            ));
        }
        let missing: Vec<QuestionId> = all
            .missing(&self.questions)
            .iter()
            .map(|q| q.id.clone())
            .collect();
        if let Stage::Pending(pending) = &mut self.stage {
            pending.kept.retain(|(who, _)| *who != by.who);
            pending.kept.push((by.who.clone(), all));
        }
        Kept::Open {
            ask: Box::new(self),
            missing,
        }
    }
}

/// What became of answers handed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Stored; the ask waits for the rest.
    Open {
        /// The ask with what was kept.
        ask: Box<Ask>,
        /// What this person has yet to answer, in declared order.
        missing: Vec<QuestionId>,
    },
    /// They completed the set, or came too late.
    Closed(Closed),
}
