//! Typed texts.

use std::time::Duration;

use crate::{
    broker::{
        Broker,
        accept::{
            Actor, Gesture, gesture,
            meant::{Because, Meant},
            receipts,
        },
    },
    id::Address,
    inbound::{Inbound, Placed, Receipt, Said, Sender},
    reply::{self, Asked, Reading},
    stage::{How, Responder},
    store::{Delivery, MessageRole, Record, StoreError},
};

/// How long a refusal or a hint that is given once per person and ask is not given again: longer than an ask lives.
const ONCE: Duration = Duration::from_hours(24);

impl Broker {
    pub(super) async fn said(
        &self,
        event: &Inbound,
        actor: &Actor,
        said: &Said,
    ) -> Result<Receipt, StoreError> {
        if said.edited {
            return match self.burn(event, actor, said).await? {
                Some(receipt) => Ok(receipt),
                None => self.edited(event, actor, said).await,
            };
        }
        if let Some(receipt) = self.command(event, actor, said).await? {
            return Ok(receipt);
        }
        match self.meant(event, said).await? {
            Meant::Ask { record, because } => self.said_to(event, actor, said, &record, because).await,
            Meant::Several(open) => {
                if event.direct && actor.responder.is_none() {
                    return self.stranger(event, actor).await;
                }
                let actor = &self.about(actor, &open[0]);
                Ok(receipts::several_open(&open, actor))
            }
            Meant::None | Meant::Unknown if actor.responder.is_none() => self.stranger(event, actor).await,
            Meant::Unknown => self.unknown_reply(event, actor).await,
            Meant::None => self.nothing_open(event, actor).await,
            Meant::Unheard => Ok(receipts::ignored()),
        }
    }

    /// An edit counts while its message got a hint or was kept and the ask is open; any other is told that it does
    /// not.
    async fn edited(&self, event: &Inbound, actor: &Actor, said: &Said) -> Result<Receipt, StoreError> {
        let Some((ask, again)) = self.meant_before(event, said).await? else {
            return if !event.direct {
                Ok(receipts::ignored())
            } else if actor.responder.is_none() {
                self.stranger(event, actor).await
            } else {
                Ok(receipts::edit_does_not_count(actor))
            };
        };
        let Some(record) = self.store.get(ask).await? else {
            return Ok(receipts::ignored());
        };
        if !again || record.ask.outcome().is_some() {
            return Ok(receipts::edit_does_not_count(&self.about(actor, &record)));
        }
        self.said_to(event, actor, said, &record, Because::AGAIN).await
    }

    pub(super) async fn said_to(
        &self,
        event: &Inbound,
        actor: &Actor,
        said: &Said,
        record: &Record,
        because: Because,
    ) -> Result<Receipt, StoreError> {
        let actor = &self.about(actor, record);
        let Some(gesture) = gesture(event, actor, record, How::Reply) else {
            return self.refused_text(event, actor, record, because).await;
        };
        if record.ask.outcome().is_some() {
            return Ok(match because {
                Because::Thread => receipts::ignored(),
                Because::Reply(_) | Because::Only => receipts::over(event, &record.ask, actor),
            });
        }
        let unread = unread(event, said, record, because, actor);
        match (unread, because) {
            (None, _) => self.read(&gesture, said, record, because).await,
            (Some(_), Because::Thread) => self.thread_talk(&gesture, record).await,
            (Some(receipt), _) => self.hinted(event, actor, record, receipt).await,
        }
    }

    async fn read(
        &self,
        gesture: &Gesture<'_>,
        said: &Said,
        record: &Record,
        because: Because,
    ) -> Result<Receipt, StoreError> {
        let ask = &record.ask;
        let (event, actor) = (gesture.event, gesture.actor);
        let can = self.capabilities(&event.at);
        if because == Because::Reply(MessageRole::OwnWords)
            && let Some(question) = ask.questions.only()
        {
            return match reply::read_own_words(&said.text, question) {
                Ok(answer) => {
                    self.hand_in(gesture, record, vec![(question.id.clone(), answer)], None)
                        .await
                }
                Err(hint) => {
                    self.hinted(event, actor, record, receipts::hint(&hint, ask, &can, actor))
                        .await
                }
            };
        }
        let answered = ask.kept(gesture.who);
        let asked = Asked {
            questions: &ask.questions,
            answered: &answered,
        };
        let reading = reply::read(&said.text, &asked);
        if because == Because::Thread && !is_plainly_an_answer(&said.text, &asked, &reading) {
            return self.thread_talk(gesture, record).await;
        }
        match reading {
            Reading::Answers { answers, hint } => self.hand_in(gesture, record, answers, hint.as_ref()).await,
            Reading::Skip => self.skip(gesture, record).await,
            Reading::Hint(hint) => {
                self.hinted(event, actor, record, receipts::hint(&hint, ask, &can, actor))
                    .await
            }
        }
    }

    /// What is not plainly an answer, in the prompt's thread: one hint for each person and ask, then nothing.
    async fn thread_talk(&self, gesture: &Gesture<'_>, record: &Record) -> Result<Receipt, StoreError> {
        let (event, actor, ask) = (gesture.event, gesture.actor, &record.ask);
        let who = match gesture.who {
            Responder::Person(person) => person.as_str(),
            Responder::Operator(token) => token.as_str(),
        };
        let key = format!("thread:{}:{who}", ask.id);
        if !self.store.say_once(&key, self.clock.now(), ONCE).await? {
            return Ok(receipts::ignored());
        }
        let can = self.capabilities(&event.at);
        self.hinted(event, actor, record, receipts::thread(ask, &can, actor))
            .await
    }

    /// One short reply per person and ask; a text that merely stands in a thread is not answered at all.
    async fn refused_text(
        &self,
        event: &Inbound,
        actor: &Actor,
        record: &Record,
        because: Because,
    ) -> Result<Receipt, StoreError> {
        if because == Because::Thread {
            return Ok(receipts::ignored());
        }
        let (key, receipt) = match &event.from {
            Sender::Account { account, .. } => (account.to_string(), receipts::not_yours(&record.ask, actor)),
            _ => ("hidden".to_owned(), receipts::hidden(actor)),
        };
        let key = format!("refused:{}:{key}", record.ask.id);
        let first = self.store.say_once(&key, self.clock.now(), ONCE).await?;
        Ok(if first { receipt } else { receipts::ignored() })
    }
}

/// What is said to a message that is not read at all: somebody else's words, no words, or words from before the ask.
fn unread(event: &Inbound, said: &Said, record: &Record, because: Because, actor: &Actor) -> Option<Receipt> {
    let ask = &record.ask;
    if said.forwarded {
        Some(receipts::forwarded(ask, actor))
    } else if said.text.trim().is_empty() && said.attachment {
        Some(receipts::attachment(ask, actor))
    } else if said.text.is_empty() && !said.addressed && !event.direct {
        // Nobody sends nothing: there is a text, and it was kept from us (Discord, without the right to read it).
        Some(receipts::unreadable(ask, actor))
    } else if !matches!(because, Because::Reply(_)) && is_earlier(record, &event.at, said.placed, event) {
        Some(receipts::earlier(ask, actor))
    } else {
        None
    }
}

/// Whether a text that merely stands in a thread can only be meant as an answer: it is an option, names its question,
/// or skips.
fn is_plainly_an_answer(text: &str, asked: &Asked<'_>, reading: &Reading) -> bool {
    match reading {
        Reading::Answers { answers, .. } => {
            answers.iter().all(|(_, answer)| !answer.has_own_words()) || reply::is_keyed(text, asked)
        }
        Reading::Skip => true,
        Reading::Hint(_) => false,
    }
}

/// Whether a text was placed before the prompt: typed for something else, and only fetched later.
fn is_earlier(record: &Record, at: &Address, placed: Option<Placed>, event: &Inbound) -> bool {
    let here = record
        .deliveries
        .iter()
        .filter(|delivery| delivery.conversation() == at);
    let prompt = here
        .flat_map(Delivery::prompts)
        .filter_map(|shown| shown.placed)
        .max();
    match (placed, prompt) {
        (Some(said), Some(prompt)) => said < prompt,
        // Platforms tell times in seconds, some of them rounded down.
        _ => event.when.as_second() < record.ask.created_at.as_second(),
    }
}
