//! Handing events in, and answering whoever made them.
//!
//! Texts, presses and forms differ in what waits: nobody waits at a text; a press opens a form within three seconds or not
//! at all; and a form stays open until it is known what became of it.

use std::sync::Arc;

use askd_core::{
    inbound::{Act, Became, Inbound, Inbox, NotTaken, Receipt, Sender},
    present::{Gesture, Payload},
    words::Language,
};
use futures_util::future::{self, Either};
use serde::Deserialize;
use tokio::time::timeout;

use super::{Done, Work, feedback::Reply, later, queue::Heard, socket::Hold, turns::Turns};
use crate::{
    channel::SlackChannel,
    known::Spoken,
    limits,
    read::{Answer, Did},
};

/// What taking an event over needs.
#[derive(Clone)]
pub(super) struct Hearing<'a> {
    pub(super) channel: &'a SlackChannel,
    pub(super) inbox: &'a dyn Inbox,
    pub(super) turns: Arc<Turns>,
}

impl<'a> Hearing<'a> {
    /// Hands a text to the inbox.
    pub(super) async fn take_text(self, heard: Heard) -> Done<'a> {
        let line = heard.line();
        let is_known = heard.again && {
            let event = &heard.did.inbound.event;
            self.inbox
                .has_heard(&self.channel.name, event)
                .await
                .unwrap_or(false)
        };
        if is_known {
            return Done::Taken { line, then: None };
        }
        let (inbound, reply) = self.prepare(heard.did.clone()).await;
        match self.inbox.accept(inbound).await {
            Ok(receipt) => {
                let then: Work<'a> = Box::pin(async move {
                    reply.show(receipt).await;
                    Done::Nothing
                });
                Done::Taken {
                    line,
                    then: Some(then),
                }
            }
            Err(not_taken) => {
                // Once is enough: it is tried again until it is taken.
                let then = (heard.failures == 0).then(|| -> Work<'a> {
                    Box::pin(async move {
                        reply.apologise(not_taken.text).await;
                        Done::Nothing
                    })
                });
                Done::Refused {
                    heard: Box::new(heard),
                    then,
                }
            }
        }
    }

    /// Hands a press to the inbox. It is not tried again: the button is still there, and the person is told to press it.
    pub(super) async fn take_press(self, did: Did) -> Done<'a> {
        let clock = Arc::clone(&self.channel.clock);
        let at_once = later(clock.now(), limits::AT_ONCE);
        let wants_words = wants_words(&did.inbound.act);
        let (reply, accepting) = self.accept(did);
        let accepting = Box::pin(accepting);
        match future::select(accepting, clock.sleep_until(at_once)).await {
            Either::Left(((language, result), _)) => {
                let reply = reply.for_reader(language);
                match result {
                    Ok(receipt) => reply.show(receipt).await,
                    Err(not_taken) => reply.apologise(not_taken.text).await,
                }
            }
            Either::Right(((), accepting)) => {
                let held = async {
                    if let Some(payload) = wants_words {
                        reply.open_nameless(payload).await
                    } else {
                        reply.hold().await;
                        false
                    }
                };
                let ((language, result), opened) = future::join(accepting, held).await;
                let reply = reply.for_reader(language);
                match result {
                    Ok(receipt) if opened && matches!(receipt.became, Became::WriteOwn(_)) => {}
                    Ok(receipt) => reply.show(receipt).await,
                    Err(_) if opened => {}
                    Err(not_taken) => reply.apologise(not_taken.text).await,
                }
            }
        }
        Done::Nothing
    }

    /// Hands what was typed into a form to the inbox. The form stays open until it is known what became of it, as long as
    /// Slack waits; so what could not be saved or read can be sent in again.
    pub(super) async fn take_form(self, did: Did, hold: Option<Hold>) -> Done<'a> {
        let clock = Arc::clone(&self.channel.clock);
        let latest = later(clock.now(), limits::FORM);
        let block = match &did.answer {
            Answer::Form { block, .. } => block.clone(),
            _ => String::new(),
        };
        let (reply, accepting) = self.accept(did);
        let accepting = Box::pin(accepting);
        let ((language, result), hold) = match future::select(accepting, clock.sleep_until(latest)).await {
            Either::Left((accepted, _)) => (accepted, hold),
            Either::Right(((), accepting)) => {
                if let Some(hold) = hold {
                    hold.close();
                }
                (accepting.await, None)
            }
        };
        let reply = reply.for_reader(language);
        match (result, hold) {
            (Ok(receipt), Some(hold)) if receipt.became == Became::Hint => {
                hold.keep_open(&block, &receipt.text);
            }
            (Ok(receipt), hold) => {
                if let Some(hold) = hold {
                    hold.close();
                }
                reply.show(receipt).await;
            }
            (Err(not_taken), Some(hold)) => hold.keep_open(&block, &not_taken.text),
            (Err(not_taken), None) => reply.apologise(not_taken.text).await,
        }
        Done::Nothing
    }

    /// What the inbox says to it, in the language in which its sender reads; and how to answer, before that is known.
    fn accept(
        &self,
        did: Did,
    ) -> (
        Reply<'a>,
        impl Future<Output = (Option<Language>, Result<Receipt, NotTaken>)> + Send + use<'a>,
    ) {
        let (inbox, this) = (self.inbox, self.clone());
        let reply = self.reply(&did);
        let accepting = async move {
            let (inbound, reply) = this.prepare(did).await;
            (reply.language, inbox.accept(inbound).await)
        };
        (reply, accepting)
    }

    fn reply(&self, did: &Did) -> Reply<'a> {
        Reply {
            channel: self.channel,
            inbox: self.inbox,
            turns: Arc::clone(&self.turns),
            answer: did.answer.clone(),
            at: did.inbound.at.clone(),
            language: None,
        }
    }

    /// Completes an event by what its sender speaks.
    async fn prepare(&self, did: Did) -> (Inbound, Reply<'a>) {
        let mut reply = self.reply(&did);
        let mut inbound = did.inbound;
        if let Sender::Account { language, .. } = &mut inbound.from {
            *language = self.language(&reply.answer.spot().user).await;
            reply.language = *language;
        }
        (inbound, reply)
    }

    /// What somebody speaks, as far as their Slack tells in time.
    async fn language(&self, user: &str) -> Option<Language> {
        #[derive(Deserialize)]
        struct Told {
            user: User,
        }
        #[derive(Deserialize)]
        struct User {
            locale: Option<String>,
        }
        let (channel, now) = (self.channel, self.channel.clock.now());
        if let Spoken::Known(known) = channel.known.language(user, now) {
            return known;
        }
        let parameters = [("user", user), ("include_locale", "true")];
        let asking = channel.api.ask::<Told>("users.info", &parameters);
        let language = match timeout(limits::LANGUAGE, asking).await {
            Ok(Ok(told)) => told.user.locale.as_deref().and_then(Language::from_tag),
            Ok(Err(failure)) => {
                tracing::debug!(channel = %channel.name, error = %failure, "language not told");
                None
            }
            Err(_) => None,
        };
        channel.known.speaks(user, language, now);
        language
    }
}

/// What the button carries, if it asks for own words.
fn wants_words(act: &Act) -> Option<Payload> {
    match act {
        Act::Pressed { payload, .. } => {
            Payload::parse(payload).filter(|payload| payload.gesture == Gesture::Other)
        }
        _ => None,
    }
}
