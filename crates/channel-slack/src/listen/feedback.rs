//! Showing people what became of what they did.
//!
//! Best effort: what counted is stored, and nothing here can undo it. In a channel it is a text that only they see, in
//! the thread where they wrote; with one person alone it is a message like any other, which is reported to the inbox, so
//! that a reply to it is a reply to the ask. Other… is answered by a form.

use std::{sync::Arc, time::Duration};

use askd_core::{
    channel::Posted,
    id::Address,
    inbound::{Became, Form, Inbox, Receipt, form_words, one_moment},
    present::{self, Message, Payload, Reader},
    words::Language,
};
use jiff::{SignedDuration, tz::TimeZone};
use serde_json::Value;

use crate::{
    channel::{Sent, SlackChannel},
    error::{Cause, Failure},
    limits,
    listen::turns::Turns,
    place::Ts,
    read::Answer,
    render::{self, Blocks, Press},
};

/// How often a message is tried.
const ATTEMPTS: u32 = 3;

/// The pause after a call that did not get through.
const SHORT: Duration = Duration::from_secs(1);

/// Whom an answer is for, and where it goes.
pub(super) struct Reply<'a> {
    pub(super) channel: &'a SlackChannel,
    pub(super) inbox: &'a dyn Inbox,
    pub(super) turns: Arc<Turns>,
    pub(super) answer: Answer,
    /// The conversation, as the core knows it.
    pub(super) at: Address,
    pub(super) language: Option<Language>,
}

impl Reply<'_> {
    /// The same, for a reader of this language.
    pub(super) fn for_reader(self, language: Option<Language>) -> Self {
        Self { language, ..self }
    }

    /// Shows what became of it.
    pub(super) async fn show(self, receipt: Receipt) {
        match &receipt.became {
            Became::Ignored => {}
            Became::WriteOwn(form) if self.open(form).await => {}
            _ => self.write(&receipt).await,
        }
    }

    /// Opens the form for own words; returns whether it is open. Once for each press, and within three seconds of it.
    pub(super) async fn open(&self, form: &Form) -> bool {
        let Answer::Press { trigger, on, spot } = &self.answer else {
            return false;
        };
        let press = Press {
            trigger,
            at: &self.at.local,
            on,
            spot,
        };
        let request = render::form(&press, form, &form_words(self.language).send);
        match self.channel.api.call::<_, Value>(&request, limits::CALL).await {
            Ok(_) => true,
            Err(failure) => {
                self.not_shown(&failure);
                false
            }
        }
    }

    /// Opens it before it is known what question it is for; rights are looked at when it is sent in.
    pub(super) async fn open_nameless(&self, payload: Payload) -> bool {
        let words = form_words(self.language);
        self.open(&render::nameless(&words, payload)).await
    }

    /// Says that a press was heard, to be seen by this person alone and now.
    pub(super) async fn hold(&self) {
        for message in self.laid_out(&one_moment(self.language)) {
            let call = |with| {
                let request = render::whisper(self.answer.spot(), &message, with);
                async move { self.channel.api.call::<_, Value>(&request, limits::CALL).await }
            };
            self.send(call).await;
        }
    }

    /// Says that nothing was stored.
    pub(super) async fn apologise(self, text: String) {
        for message in self.laid_out(&text) {
            self.tell(&message, None).await;
        }
    }

    async fn write(&self, receipt: &Receipt) {
        let text = match &self.answer {
            Answer::Said { ts, .. } => Some(ts),
            Answer::Press { .. } | Answer::Form { .. } => None,
        };
        let mut sent = Vec::new();
        for message in self.laid_out(&receipt.text) {
            sent.extend(self.tell(&message, text).await);
        }
        if sent.is_empty() {
            return;
        }
        let posted = Posted {
            at: self.at.clone(),
            messages: sent.iter().map(Sent::posted).collect(),
        };
        self.inbox.shown(receipt, &posted).await;
    }

    fn laid_out(&self, text: &str) -> Vec<Message> {
        let spot = self.answer.spot();
        let can = limits::capabilities(spot.is_direct(), spot.thread.is_some());
        let reader = Reader {
            language: self.language.unwrap_or_default(),
            time_zone: TimeZone::UTC,
        };
        present::note(text, &can, &reader).messages
    }

    /// Tells it where they are; gives the message, where it is one that can be replied to. `text`: what is done with then.
    async fn tell(&self, what: &Message, text: Option<&Ts>) -> Option<Sent> {
        let (api, spot) = (&self.channel.api, self.answer.spot());
        if spot.is_direct() {
            let call = |with| {
                let request = render::note(spot, what, text, with);
                async move { api.call::<_, Sent>(&request, limits::CALL).await }
            };
            return self.send(call).await;
        }
        let call = |with| {
            let request = render::whisper(spot, what, with);
            async move { api.call::<_, Value>(&request, limits::CALL).await }
        };
        self.send(call).await;
        None
    }

    /// Sends a message when its turn in that conversation has come.
    async fn send<T, F: Future<Output = Result<T, Failure>>>(&self, call: impl Fn(Blocks) -> F) -> Option<T> {
        let _turn = self.turns.turn(&self.answer.spot().conversation).await;
        let (mut attempts, mut with) = (0, Blocks::With);
        loop {
            let failure = match call(with).await {
                Ok(sent) => return Some(sent),
                Err(failure) => failure,
            };
            attempts += 1;
            let again = match failure.cause() {
                Some(Cause::Throttled(pause)) if pause <= limits::WORTH_WAITING => Some(pause),
                Some(Cause::Blocks) if with == Blocks::With => {
                    with = Blocks::Without;
                    Some(Duration::ZERO)
                }
                None if matches!(failure, Failure::NotSent(_)) => Some(SHORT),
                // Said twice is worse than not said: what may have arrived is left alone.
                _ => None,
            };
            let Some(pause) = again.filter(|_| attempts < ATTEMPTS) else {
                self.not_shown(&failure);
                return None;
            };
            let clock = &self.channel.clock;
            let pause = SignedDuration::try_from(pause).unwrap_or(SignedDuration::ZERO);
            clock.sleep_until(clock.now() + pause).await;
        }
    }

    fn not_shown(&self, failure: &Failure) {
        if failure.cause() == Some(Cause::TriggerOld) {
            tracing::info!(channel = %self.channel.name, "press too old for a form");
        } else {
            tracing::warn!(
                channel = %self.channel.name,
                error = failure as &dyn std::error::Error,
                "receipt not shown"
            );
        }
    }
}
