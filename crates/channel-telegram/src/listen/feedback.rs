//! Showing people what became of what they did.
//!
//! Best effort: what counted is stored, and nothing here can undo it. A tap is answered by a notice, once and soon; what
//! cannot be said by it any more, and every answer to a typed text, is a silent message in reply. Those are reported to
//! the inbox, so that a reply to them is a reply to the ask.

use std::{pin::pin, sync::Arc, time::Duration};

use askd_core::{
    channel::Posted,
    id::Address,
    inbound::{Became, Inbox, Receipt},
    present::{self, Reader},
    words::Language,
};
use futures_util::future::{self, Either};
use jiff::{SignedDuration, tz::TimeZone};
use serde_json::Value;
use teloxide::payloads::{AnswerCallbackQuery, SendMessage};

use crate::{
    channel::{Sent, TelegramChannel},
    error::{Cause, Failure},
    limits,
    listen::turns::Turns,
    read::{Answer, Spot},
    render,
};

/// How often a message or notice is tried.
const ATTEMPTS: u32 = 3;

/// The pause after a call that did not get through.
const SHORT: Duration = Duration::from_secs(1);

/// Whom an answer is for, and where it goes.
pub(super) struct Reply<'a> {
    pub(super) channel: &'a TelegramChannel,
    pub(super) inbox: &'a dyn Inbox,
    pub(super) turns: Arc<Turns>,
    pub(super) answer: Answer,
    /// The conversation, as the core knows it.
    pub(super) at: Address,
    pub(super) language: Option<Language>,
    /// Whether the one notice that answers a tap is used up.
    pub(super) notice_used: bool,
}

impl Reply<'_> {
    /// Shows what became of it.
    pub(super) async fn show(self, receipt: Receipt) {
        let (query, on, by) = match &self.answer {
            Answer::Reply { to } => {
                if receipt.became != Became::Ignored {
                    self.write(to, &receipt).await;
                }
                return;
            }
            Answer::Tap { query, on, by } => (query, on, by),
        };
        if let Became::WriteOwn(form) = &receipt.became {
            let payload = render::ask_for_words(on, &receipt.text, form, by);
            return self.ask_for_words(query, on, payload, &receipt).await;
        }
        let noticed = !self.notice_used && {
            let notice = render::notice(query, &receipt.text, &receipt.became);
            self.notice(&notice).await
        };
        match &receipt.became {
            // The prompt itself shows it in a moment.
            Became::Settled | Became::Ignored => {}
            _ if noticed => {}
            _ => self.write(on, &receipt).await,
        }
    }

    /// Opens the input. The message says all there is to say, so the tap is answered without words once it stands; with
    /// them where it takes too long or fails.
    async fn ask_for_words(&self, query: &str, on: &Spot, payload: SendMessage, receipt: &Receipt) {
        let sending = pin!(self.send(on, payload));
        let clock = &self.channel.clock;
        let at_once = SignedDuration::try_from(limits::AT_ONCE).unwrap_or(SignedDuration::ZERO);
        match future::select(sending, clock.sleep_until(clock.now() + at_once)).await {
            Either::Left((sent, _)) => {
                let text = if sent.is_some() { "" } else { &receipt.text };
                self.report(receipt, sent.into_iter().collect()).await;
                self.stop_waiting(query, text).await;
            }
            Either::Right(((), sending)) => {
                let (sent, ()) = future::join(sending, self.stop_waiting(query, &receipt.text)).await;
                self.report(receipt, sent.into_iter().collect()).await;
            }
        }
    }

    /// Answers a tap in passing, if that was not done yet.
    async fn stop_waiting(&self, query: &str, text: &str) {
        if !self.notice_used {
            self.notice(&render::notice_of(query, text, false)).await;
        }
    }

    /// Says that nothing was stored: to a tap by its notice, else by a message to which nobody need reply.
    pub(super) async fn apologise(self, text: String) {
        match &self.answer {
            Answer::Tap { query, on, .. } => {
                let notice = render::notice_of(query, &text, true);
                if self.notice_used || !self.notice(&notice).await {
                    self.send(on, render::reply(on, text)).await;
                }
            }
            Answer::Reply { to } => {
                self.send(to, render::reply(to, text)).await;
            }
        }
    }

    /// Stops the spinner of a tap for which there is no receipt yet.
    pub(super) async fn hold(&self, text: &str) {
        if let Answer::Tap { query, .. } = &self.answer {
            self.stop_waiting(query, text).await;
        }
    }

    async fn write(&self, to: &Spot, receipt: &Receipt) {
        let can = limits::capabilities(to.chat > 0, false);
        let reader = Reader {
            language: self.language.unwrap_or_default(),
            time_zone: TimeZone::UTC,
        };
        let mut sent = Vec::new();
        for message in present::note(&receipt.text, &can, &reader).messages {
            sent.extend(self.send(to, render::reply(to, message.text())).await);
        }
        self.report(receipt, sent).await;
    }

    async fn report(&self, receipt: &Receipt, sent: Vec<Sent>) {
        if sent.is_empty() {
            return;
        }
        let posted = Posted {
            at: self.at.clone(),
            messages: sent.into_iter().map(Sent::posted).collect(),
        };
        self.inbox.shown(receipt, &posted).await;
    }

    /// Sends a message in reply to `to`, when its turn in that chat has come.
    async fn send(&self, to: &Spot, mut payload: SendMessage) -> Option<Sent> {
        let _turn = self.turns.turn(to.chat).await;
        let mut attempts = 0;
        loop {
            let failure = match self.channel.api.call(&payload, limits::CALL).await {
                Ok(sent) => return Some(sent),
                Err(failure) => failure,
            };
            attempts += 1;
            let again = match failure.cause() {
                Some(Cause::Throttled(pause)) if pause <= limits::WORTH_WAITING => Some(pause),
                Some(Cause::Moved(new)) => {
                    payload.chat_id = render::recipient(new);
                    payload.message_thread_id = None;
                    Some(Duration::ZERO)
                }
                Some(Cause::Markup) if payload.entities.is_some() => {
                    payload.entities = None;
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
            self.pause(pause).await;
        }
    }

    /// Answers a tap; returns whether that was shown. Twice does not harm.
    async fn notice(&self, payload: &AnswerCallbackQuery) -> bool {
        let mut attempts = 0;
        loop {
            let Err(failure) = self.channel.api.call::<_, Value>(payload, limits::CALL).await else {
                return true;
            };
            attempts += 1;
            let again = failure.cause().is_none() && attempts < ATTEMPTS;
            if !again {
                self.not_shown(&failure);
                return false;
            }
            self.pause(SHORT).await;
        }
    }

    async fn pause(&self, pause: Duration) {
        let clock = &self.channel.clock;
        let pause = SignedDuration::try_from(pause).unwrap_or(SignedDuration::ZERO);
        clock.sleep_until(clock.now() + pause).await;
    }

    fn not_shown(&self, failure: &Failure) {
        if failure.cause() == Some(Cause::QueryOld) {
            tracing::debug!(channel = %self.channel.name, "tap too old for a notice");
        } else {
            tracing::warn!(
                channel = %self.channel.name,
                error = failure as &dyn std::error::Error,
                "receipt not shown"
            );
        }
    }
}
