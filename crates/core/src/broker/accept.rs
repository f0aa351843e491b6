//! Taking over what people do.
//!
//! Every gesture goes the same way: recognise a redelivery, find out who it is, find the ask that is meant, look at
//! rights and at the ask's stage, read, store, and say what became of it. Nothing is shown before it is stored, and
//! an event that stored something is never carried out again (`Heard`).
//!
//! The steps that differ are in `pressed` (buttons and forms), `said` (typed texts), `commands`, and `submitted`
//! (callers with a token); the sentences in `receipts`.

mod commands;
mod meant;
mod pressed;
mod receipts;
mod said;
mod submitted;

use async_trait::async_trait;

use self::meant::Because;
use crate::{
    answer::{Answer, Answers, Given},
    broker::Broker,
    channel::{Posted, PostedMessage},
    id::{AskId, ChannelName, EventId, PersonName, QuestionId},
    inbound::{Act, Became, Inbound, Inbox, NotTaken, Receipt, Sender},
    people::Tie,
    present::Capabilities,
    reply::Hint,
    rights::Role,
    stage::{Closed, End, How, Kept, Responder, SettledBy},
    store::{Filter, Heard, MessageRole, Record, StoreError, Verdict},
    words::{self, Language},
};

/// Most asks whose time ran out that are looked at, the newest first, to find those of the last hour.
const LATELY: usize = 200;

/// Who did something, as far as it is known.
#[derive(Clone, Debug)]
struct Actor {
    /// Who answers, and the name others see; `None` for an account nobody owns.
    responder: Option<(Responder, String)>,
    /// What the platform tells of their language.
    told: Option<Language>,
    /// The language they ask for, before any other.
    wanted: Option<Language>,
    /// In which they read receipts.
    language: Language,
}

#[async_trait]
impl Inbox for Broker {
    fn heard_from(&self, channel: &ChannelName) {
        self.heard_on(channel, false);
    }

    async fn accept(&self, event: Inbound) -> Result<Receipt, NotTaken> {
        self.heard_on(&event.at.channel, true);
        let result = match self.take(&event).await {
            Ok(receipt) => Ok(Receipt {
                text: self.capabilities(&event.at).text.cut(&receipt.text),
                // What counted is stored; how it looks can also wait for the dispatcher.
                shows: self.shows(&event, &receipt).await.unwrap_or_default(),
                ..receipt
            }),
            Err(error) => Err(error),
        };
        if let Err(error) = self.remember_language(&event.from).await {
            tracing::warn!(
                channel = %event.at.channel,
                error = &error as &dyn std::error::Error,
                "language not stored"
            );
        }
        result.map_err(|source| {
            tracing::error!(
                channel = %event.at.channel,
                error = &source as &dyn std::error::Error,
                "event not taken over"
            );
            // Without the store, pairing is not known; the configuration still is.
            let language = self.actor(&event.from, &[]).language;
            NotTaken {
                text: words::say(language, "receipt-not-taken", &[]),
                source,
            }
        })
    }

    async fn shown(&self, receipt: &Receipt, posted: &Posted) {
        let Some(ask) = receipt.ask else { return };
        let role = match receipt.became {
            Became::WriteOwn(_) => MessageRole::OwnWords,
            _ => MessageRole::Note,
        };
        if let Err(error) = self.store.add_note(ask, posted, role).await {
            tracing::warn!(
                ask.id = %ask,
                channel = %posted.at.channel,
                error = &error as &dyn std::error::Error,
                "note not stored"
            );
        }
    }

    async fn open_on(&self, channel: &ChannelName) -> Result<Vec<Posted>, StoreError> {
        let asks = |status: &str, limit| Filter {
            owner: None,
            answerer: None,
            status: Some(status.to_owned()),
            session: None,
            before: None,
            limit,
        };
        let since = self.clock.now() - commands::RECENT;
        let pending = self.store.list(&asks("pending", usize::MAX)).await?;
        let expired = self.store.list(&asks("expired", LATELY)).await?.into_iter();
        let lately = expired.filter(|record| record.ask.outcome().is_some_and(|end| end.at >= since));
        let deliveries = pending
            .into_iter()
            .chain(lately)
            .flat_map(|record| record.deliveries);
        let shown = deliveries.filter(|d| d.is_delivered() && d.conversation().channel == *channel);
        Ok(shown
            .map(|delivery| Posted {
                at: delivery.conversation().clone(),
                messages: delivery
                    .messages
                    .iter()
                    .map(|shown| PostedMessage {
                        message: shown.message.clone(),
                        placed: shown.placed,
                    })
                    .collect(),
            })
            .collect())
    }

    async fn has_heard(&self, channel: &ChannelName, event: &EventId) -> Result<bool, StoreError> {
        Ok(self.store.heard(channel, event).await?.is_some())
    }
}

impl Broker {
    async fn take(&self, event: &Inbound) -> Result<Receipt, StoreError> {
        if matches!(event.from, Sender::Machine) {
            // Never answered, so that two bots do not keep each other busy; but what a bot shows, others see.
            if let Act::Said(said) = &event.act {
                self.burn(event, &self.actor(&event.from, &[]), said).await?;
            }
            return Ok(receipts::ignored());
        }
        let ties = self.store.ties().await?;
        let actor = self.actor(&event.from, &ties);
        if let Some(heard) = self.store.heard(&event.at.channel, &event.event).await?
            && let Some(receipt) = self.replay(event, &actor, &heard).await?
        {
            return Ok(receipt);
        }
        match &event.act {
            Act::Pressed { payload, message } => self.pressed(event, &actor, payload, message).await,
            Act::Filled {
                payload,
                text,
                message,
            } => self.filled(event, &actor, payload, text, message.as_ref()).await,
            Act::Said(said) => self.said(event, &actor, said).await,
            Act::Submitted { ask, what } => self.submitted(event, &actor, *ask, what).await,
        }
    }

    /// Keeps what the platform tells of somebody's language, for the prompts they will be shown. Of people alone:
    /// strangers leave nothing behind.
    async fn remember_language(&self, from: &Sender) -> Result<(), StoreError> {
        let Sender::Account {
            account,
            language: Some(language),
        } = from
        else {
            return Ok(());
        };
        if self.store.language_of(account).await? == Some(*language) {
            return Ok(());
        }
        let ties = self.store.ties().await?;
        if self.directory().owner(account, &ties).is_some() {
            self.store.put_language(account, *language).await?;
        }
        Ok(())
    }

    /// The receipt of an event that stored something before, from what is stored now. `None` for events that stored
    /// nothing: carrying them out again is harmless.
    async fn replay(
        &self,
        event: &Inbound,
        actor: &Actor,
        heard: &Heard,
    ) -> Result<Option<Receipt>, StoreError> {
        let Some(ask) = heard.ask else {
            return Ok(self.redeemed_before(event, actor));
        };
        let (Verdict::Settled | Verdict::Kept, Some((who, _))) = (heard.verdict, &actor.responder) else {
            return Ok(None);
        };
        let Some(record) = self.store.get(ask).await? else {
            return Ok(None);
        };
        let actor = &self.about(actor, &record);
        let receipt = match (record.ask.outcome(), &event.act) {
            // Read again for what was not understood beside the answer: the store knows the event and changes nothing.
            (None, Act::Said(said)) => self.said_to(event, actor, said, &record, Because::AGAIN).await?,
            (None, _) => receipts::kept(&record.ask, &record.ask.kept(who), &event.at, None, actor),
            (Some(outcome), _)
                if outcome
                    .end
                    .by()
                    .is_some_and(|by| by.who == *who && by.at == event.at) =>
            {
                receipts::settled(&record.ask, &event.at, actor)
            }
            (Some(_), _) => receipts::over(event, &record.ask, actor),
        };
        Ok(Some(receipt))
    }

    fn actor(&self, from: &Sender, ties: &[Tie]) -> Actor {
        let directory = self.directory();
        let of = |person: &PersonName| {
            (
                Responder::Person(person.clone()),
                directory.display(person).to_owned(),
            )
        };
        match from {
            Sender::Account { account, language } => {
                let owner = directory.owner(account, ties);
                Actor {
                    responder: owner.map(of),
                    told: *language,
                    wanted: None,
                    language: directory.language(owner, *language),
                }
            }
            Sender::Caller { principal, language } => {
                // Whether a caller answers depends on the ask; see `submitted`.
                let responder = principal.responder().map(|who| match who {
                    Responder::Person(person) => of(&person),
                    Responder::Operator(token) => {
                        let name = token.to_string();
                        (Responder::Operator(token), name)
                    }
                });
                let person = match &principal.role {
                    Role::Person(person) => Some(person),
                    _ => None,
                };
                Actor {
                    responder,
                    told: None,
                    wanted: *language,
                    language: language.unwrap_or_else(|| directory.language(person, None)),
                }
            }
            Sender::Hidden | Sender::Machine => Actor {
                responder: None,
                told: None,
                wanted: None,
                language: directory.language(None, None),
            },
        }
    }

    /// The actor as a reader of what is said about this ask: its route may have a language for those without one.
    fn about(&self, actor: &Actor, record: &Record) -> Actor {
        let person = match &actor.responder {
            Some((Responder::Person(person), _)) => Some(person),
            _ => None,
        };
        // One route made all deliveries.
        let of_route = record.deliveries.first().and_then(|delivery| delivery.language);
        Actor {
            language: actor
                .wanted
                .unwrap_or_else(|| self.directory().language(person, of_route.or(actor.told))),
            ..actor.clone()
        }
    }

    /// Stores answers to one or more questions, and says what became of them. `remains` is what was not understood
    /// beside them.
    async fn hand_in(
        &self,
        gesture: &Gesture<'_>,
        record: &Record,
        answers: Vec<(QuestionId, Answer)>,
        remains: Option<&Hint>,
    ) -> Result<Receipt, StoreError> {
        let at = &gesture.event.at;
        let given = |answer| Given {
            answer,
            at: at.clone(),
        };
        let answers: Answers = answers
            .into_iter()
            .map(|(question, answer)| (question, given(answer)))
            .collect();
        let by = gesture.by();
        let all_given = {
            let mut all = record.ask.kept(&by.who);
            all.merge(answers.clone());
            all.missing(&record.ask.questions).is_empty()
        };
        let verdict = if all_given {
            Verdict::Settled
        } else {
            Verdict::Kept
        };
        let heard = self.heard_as(gesture.event, Some(record.ask.id), Some(gesture.who), verdict);
        let now = self.clock.now();
        let kept = self
            .store
            .keep(record.ask.id, answers, by, Some(heard), now)
            .await?;
        Ok(match kept {
            None => receipts::gone(gesture.actor),
            Some(Kept::Open { ask, .. }) => {
                let can = self.capabilities(at);
                let remains = remains.map(|hint| receipts::hint_text(hint, &ask, &can, gesture.actor));
                receipts::kept(&ask, &ask.kept(gesture.who), at, remains, gesture.actor)
            }
            Some(Kept::Closed(closed)) => Self::closed(gesture, &closed),
        })
    }

    /// Declines the whole ask.
    async fn skip(&self, gesture: &Gesture<'_>, record: &Record) -> Result<Receipt, StoreError> {
        let heard = self.heard_as(
            gesture.event,
            Some(record.ask.id),
            Some(gesture.who),
            Verdict::Settled,
        );
        let end = End::Skipped { by: gesture.by() };
        let closed = self
            .store
            .close(record.ask.id, end, Some(heard), self.clock.now())
            .await?;
        Ok(match closed {
            None => receipts::gone(gesture.actor),
            Some(closed) => Self::closed(gesture, &closed),
        })
    }

    fn closed(gesture: &Gesture<'_>, closed: &Closed) -> Receipt {
        let (ask, at) = (closed.ask(), &gesture.event.at);
        match closed {
            Closed::Now(_) => {
                tracing::info!(
                    ask.id = %ask.id,
                    status = ask.status(),
                    channel = %at.channel,
                    how = gesture.how.as_str(),
                    "ask settled"
                );
                receipts::settled(ask, at, gesture.actor)
            }
            Closed::Before(_) => receipts::settled(ask, at, gesture.actor),
            Closed::Lost(_) => receipts::over(gesture.event, ask, gesture.actor),
        }
    }

    /// Records that an event got a hint, so that an edit of its message is read again.
    async fn hinted(
        &self,
        event: &Inbound,
        actor: &Actor,
        record: &Record,
        receipt: Receipt,
    ) -> Result<Receipt, StoreError> {
        let who = actor.responder.as_ref().map(|(who, _)| who);
        let heard = self.heard_as(event, Some(record.ask.id), who, Verdict::Hint);
        self.store.note(heard).await?;
        Ok(receipt)
    }

    fn heard_as(
        &self,
        event: &Inbound,
        ask: Option<AskId>,
        who: Option<&Responder>,
        verdict: Verdict,
    ) -> Heard {
        Heard {
            channel: event.at.channel.clone(),
            event: event.event.clone(),
            message: match &event.act {
                Act::Said(said) => Some(said.message.clone()),
                _ => None,
            },
            ask,
            who: who.cloned(),
            verdict,
            at: self.clock.now(),
        }
    }

    /// What can be shown in this conversation; the floor where no channel serves it.
    fn capabilities(&self, at: &crate::id::Address) -> Capabilities {
        self.channels
            .get(&at.channel)
            .map_or_else(Capabilities::plain_text, |channel| channel.capabilities(at))
    }
}

/// A gesture of somebody who may answer.
struct Gesture<'a> {
    event: &'a Inbound,
    actor: &'a Actor,
    who: &'a Responder,
    name: &'a str,
    how: How,
}

impl Gesture<'_> {
    fn by(&self) -> SettledBy {
        SettledBy {
            who: self.who.clone(),
            name: self.name.to_owned(),
            at: self.event.at.clone(),
            how: self.how,
        }
    }
}

/// The gesture, if this actor is one of the ask's answerers.
fn gesture<'a>(event: &'a Inbound, actor: &'a Actor, record: &Record, how: How) -> Option<Gesture<'a>> {
    let (who, name) = actor.responder.as_ref()?;
    let may = match who {
        Responder::Person(person) => record.ask.answerers.contains(person),
        Responder::Operator(_) => true,
    };
    may.then_some(Gesture {
        event,
        actor,
        who,
        name,
        how,
    })
}
