//! Asks, answers and events to test with.
//!
//! Everything is fixed or comes from a seed, so a failing test fails again. Names are short texts: addresses are
//! written `channel:local`, people and tokens by their name.

use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use askd_core::{
    answer::{Answer, Answers, Given},
    ask::{Ask, Choice, Header, Question, Questions, Session},
    channel::{Posted, PostedMessage},
    id::{
        ActionToken, Address, AskId, ChannelName, DeliveryId, EventId, MessageRef, PersonName, QuestionId,
        RunId, TokenName,
    },
    inbound::Placed,
    stage::{End, How, Outcome, Pending, Responder, SettledBy, Stage, Unreached},
    store::{Delivery, DeliveryState, Heard, IdempotencyKey, NewAsk, Record, Verdict},
};
use jiff::Timestamp;

use crate::chance::SeededChance;

/// How long people have, unless a test says otherwise.
pub const TIMEOUT: Duration = Duration::from_mins(15);

/// A source of asks that differ in id, action token and delivery ids, and in nothing else unless told.
#[derive(Debug)]
pub struct Samples {
    chance: SeededChance,
    events: AtomicU32,
}

impl Samples {
    /// The samples of this seed, from the first.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            chance: SeededChance::new(seed),
            events: AtomicU32::new(0),
        }
    }

    /// An ask made at `now`: one question, "Where should this go?", for sara at `telegram:1`, by `build-bot`.
    /// Asks of one millisecond sort by chance, not by the order of making.
    pub fn ask(&self, now: Timestamp) -> AskSample<'_> {
        let ask = Ask {
            id: AskId::make(now, &self.chance),
            owner: TokenName::new("build-bot"),
            agent: "build-bot".to_owned(),
            session: None,
            run: None,
            context: None,
            questions: questions([target()]),
            action: ActionToken::make(&self.chance),
            answerers: vec![PersonName::new("sara")],
            waits_for_panel: false,
            created_at: now,
            deadline: now + TIMEOUT,
            warnings: Vec::new(),
            stage: Stage::Pending(Pending::default()),
        };
        AskSample {
            samples: self,
            ask,
            to: vec![address("telegram:1")],
            key: None,
            max_pending: None,
        }
    }

    /// An event on the channel of `at` that nobody has heard before, by sara, about the message `message`.
    #[must_use]
    pub fn heard(
        &self,
        at: &Address,
        ask: Option<AskId>,
        message: &str,
        verdict: Verdict,
        now: Timestamp,
    ) -> Heard {
        let n = self.events.fetch_add(1, Ordering::Relaxed);
        Heard {
            channel: at.channel.clone(),
            event: EventId::new(format!("event-{n}")),
            message: Some(MessageRef::new(message)),
            ask,
            who: Some(person("sara")),
            verdict,
            at: now,
        }
    }

    fn delivery(&self, to: &Address, ask: &Ask) -> Delivery {
        let pending = matches!(ask.stage, Stage::Pending(_));
        Delivery {
            id: DeliveryId::make(&self.chance),
            to: to.clone(),
            at: None,
            person: ask.answerers.first().cloned(),
            language: None,
            time_zone: None,
            state: if pending {
                DeliveryState::Queued
            } else {
                DeliveryState::Dropped
            },
            due: pending.then_some(ask.created_at),
            claimed_until: None,
            attempts: 0,
            unclear: false,
            messages: Vec::new(),
        }
    }
}

/// An ask in the making.
#[derive(Debug)]
#[must_use]
pub struct AskSample<'a> {
    samples: &'a Samples,
    ask: Ask,
    to: Vec<Address>,
    key: Option<IdempotencyKey>,
    max_pending: Option<usize>,
}

impl AskSample<'_> {
    /// Asked by this token.
    pub fn owner(mut self, token: &str) -> Self {
        self.ask.owner = TokenName::new(token);
        token.clone_into(&mut self.ask.agent);
        self
    }

    /// In this session.
    pub fn session(mut self, id: &str) -> Self {
        self.ask.session = Some(Session {
            id: id.to_owned(),
            title: None,
        });
        self
    }

    /// In this run.
    pub fn run(mut self, run: &str) -> Self {
        self.ask.run = Some(RunId::new(run));
        self
    }

    /// With these questions.
    pub fn questions(mut self, questions: Questions) -> Self {
        self.ask.questions = questions;
        self
    }

    /// With background of this many characters, for asks that take room.
    pub fn context(mut self, characters: usize) -> Self {
        self.ask.context = Some("x".repeat(characters));
        self
    }

    /// Ending by itself after `timeout`.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.ask.deadline = self.ask.created_at + timeout;
        self
    }

    /// Shown at these addresses, in this order; none at all is allowed.
    pub fn to(mut self, addresses: &[&str]) -> Self {
        self.to = addresses.iter().map(|text| address(text)).collect();
        self
    }

    /// Answered by these people.
    pub fn answerers(mut self, names: &[&str]) -> Self {
        self.ask.answerers = names.iter().map(|name| PersonName::new(*name)).collect();
        self
    }

    /// Waiting for the panel, whatever becomes of its deliveries.
    pub fn waits_for_panel(mut self) -> Self {
        self.ask.waits_for_panel = true;
        self
    }

    /// Over from the start: no route matched.
    pub fn unrouted(mut self) -> Self {
        let outcome = Outcome {
            end: End::Undelivered(Unreached::NoRoute),
            at: self.ask.created_at,
        };
        self.ask.stage = Stage::Over(outcome);
        self
    }

    /// Under this key, with a body that is told apart by one byte.
    pub fn key(mut self, key: &str, body: u8) -> Self {
        self.key = Some(IdempotencyKey {
            key: key.to_owned(),
            body: [body; 32],
        });
        self
    }

    /// Refused where its owner has this many pending.
    pub fn max_pending(mut self, most: usize) -> Self {
        self.max_pending = Some(most);
        self
    }

    /// The ask with its deliveries, queued for now.
    #[must_use]
    pub fn record(self) -> Record {
        self.new_ask().record
    }

    /// What a store is given.
    #[must_use]
    pub fn new_ask(self) -> NewAsk {
        let deliveries = self
            .to
            .iter()
            .map(|to| self.samples.delivery(to, &self.ask))
            .collect();
        NewAsk {
            record: Record {
                ask: self.ask,
                deliveries,
            },
            key: self.key,
            max_pending: self.max_pending,
        }
    }
}

/// `channel:local`.
///
/// # Panics
/// If `text` has no colon or nothing on one side of it.
#[must_use]
pub fn address(text: &str) -> Address {
    Address::split(text).expect("a sample address is channel:local")
}

/// The channel of this name.
#[must_use]
pub fn channel(name: &str) -> ChannelName {
    ChannelName::new(name)
}

/// This person, answering.
#[must_use]
pub fn person(name: &str) -> Responder {
    Responder::Person(PersonName::new(name))
}

/// A question with these labels.
#[must_use]
pub fn question(id: &str, header: &str, text: &str, labels: &[&str], multi_select: bool) -> Question {
    let choice = |label: &&str| Choice {
        label: (*label).to_owned(),
        description: None,
    };
    Question {
        id: QuestionId::new(id),
        header: Header::cut(header).0,
        text: text.to_owned(),
        choices: labels.iter().map(choice).collect(),
        multi_select,
    }
}

/// Where should this go? Staging (recommended) or production.
#[must_use]
pub fn target() -> Question {
    let labels = ["Staging (Recommended)", "Production"];
    question("deploy_target", "Target", "Where should this go?", &labels, false)
}

/// Who should hear about it? Any of three.
#[must_use]
pub fn alerts() -> Question {
    let labels = ["Ops", "Developers", "Nobody"];
    question("alerts", "Alerts", "Who should hear about it?", &labels, true)
}

/// These questions in one ask.
///
/// # Panics
/// Unless there are 1 to 4 with distinct ids.
#[must_use]
pub fn questions(list: impl IntoIterator<Item = Question>) -> Questions {
    Questions::new(list.into_iter().collect()).expect("1 to 4 sample questions with distinct ids")
}

/// The option at `position`, from 0, of question `id`, given at `at`.
#[must_use]
pub fn answers(id: &str, position: usize, at: &Address) -> Answers {
    let given = Given {
        answer: Answer::choice(position),
        at: at.clone(),
    };
    [(QuestionId::new(id), given)].into_iter().collect()
}

/// By this person, with a tap at `at`.
#[must_use]
pub fn by(name: &str, at: &Address) -> SettledBy {
    SettledBy {
        who: person(name),
        name: name.to_owned(),
        at: at.clone(),
        how: How::Tap,
    }
}

/// The first option of [`target`], tapped by this person at `at`.
#[must_use]
pub fn answered(name: &str, at: &Address) -> End {
    End::Answered {
        answers: answers("deploy_target", 0, at),
        by: by(name, at),
    }
}

/// Messages posted at `at`, the n-th placed at n from 1.
#[must_use]
pub fn posted(at: &Address, messages: &[&str]) -> Posted {
    let message = |(place, message): (i64, &&str)| PostedMessage {
        message: MessageRef::new(*message),
        placed: Some(Placed(place)),
    };
    Posted {
        at: at.clone(),
        messages: (1..).zip(messages).map(message).collect(),
    }
}
