//! Showing people what became of what they did.
//!
//! Best effort: what counted is stored, and nothing here can undo it.
//!
//! An interaction is answered once and within three seconds: by its message as it looks now, by a text that one person
//! alone sees, or by a form. Where there is no receipt after half of that time, it is taken over without words, and they
//! follow. Other… is the exception: a form can only be opened by the first answer, so without a receipt it is opened from
//! what the button itself says, and who may answer is decided when it is sent in. An answer that Discord refuses leaves
//! the interaction open, and a plainer one is tried.
//!
//! What was typed is answered by a silent message in reply. Those are reported to the inbox, so that a reply to them is a
//! reply to the ask.

use std::{pin::pin, sync::Arc, time::Duration};

use askd_core::{
    channel::Posted,
    id::Address,
    inbound::{Became, Inbox, NotTaken, Receipt},
    present::{self, Reader},
    words::Language,
};
use futures_util::future::{self, Either};
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize, de::IgnoredAny};
use serenity::{builder::CreateInteractionResponse, model::id::ApplicationId};

use super::turns::Turns;
use crate::{
    api::Route,
    channel::{DiscordChannel, Sent},
    error::{Cause, Failure},
    limits,
    read::{By, Interaction, Spot},
    render,
};

/// How often a call is tried.
const ATTEMPTS: u32 = 3;

/// The pause after a call that did not get through.
const SHORT: Duration = Duration::from_secs(1);

/// Whom an answer is for.
#[derive(Clone)]
pub(super) struct Reply<'a> {
    pub(super) channel: &'a DiscordChannel,
    pub(super) inbox: &'a dyn Inbox,
    pub(super) turns: Arc<Turns>,
    /// The conversation, as the core knows it.
    pub(super) at: Address,
    pub(super) direct: bool,
    pub(super) language: Option<Language>,
}

/// What a call to answer an interaction came to.
#[derive(Clone, Copy, Debug)]
enum Shown {
    /// It is answered; by this message, if it was told.
    Yes(Option<Sent>),
    /// Discord would not take this.
    Refused,
    /// It can no longer be answered.
    No,
}

/// What is looked at of the answer to an answer.
#[derive(Debug, Default, Deserialize)]
struct Response {
    resource: Option<Resource>,
}

#[derive(Debug, Deserialize)]
struct Resource {
    message: Option<Sent>,
}

impl Reply<'_> {
    /// Answers what was typed.
    pub(super) async fn write(&self, to: Spot, receipt: &Receipt) {
        if receipt.became == Became::Ignored {
            return;
        }
        let can = limits::capabilities(self.direct, false);
        let reader = Reader {
            language: self.language.unwrap_or_default(),
            time_zone: TimeZone::UTC,
        };
        let mut sent = Vec::new();
        for message in present::note(&receipt.text, &can, &reader).messages {
            sent.extend(self.send(to, &message.text()).await);
        }
        self.report(receipt, sent).await;
    }

    /// Answers an interaction, of which the inbox is about to say what became of it.
    pub(super) async fn answer(
        &self,
        to: &Interaction,
        application: ApplicationId,
        accepting: impl Future<Output = Result<Receipt, NotTaken>> + Send,
    ) {
        let clock = &self.channel.clock;
        let at_once = limits::later(clock.now(), limits::AT_ONCE);
        let accepting = pin!(accepting);
        match future::select(accepting, clock.sleep_until(at_once)).await {
            Either::Left((result, _)) => self.at_once(to, application, &receipt(result)).await,
            Either::Right(((), accepting)) => {
                let (result, held) = future::join(accepting, self.hold(to)).await;
                self.later(to, application, &receipt(result), held).await;
            }
        }
    }

    /// There is a receipt in time.
    async fn at_once(&self, to: &Interaction, application: ApplicationId, receipt: &Receipt) {
        let private = is_private(to);
        let body = match (&receipt.became, &receipt.shows, &to.by) {
            (Became::WriteOwn(form), _, By::Press { .. }) => render::form(form),
            (Became::Settled, Some(message), By::Press { .. } | By::Form { on: Some(_) }) => {
                render::updated(message)
            }
            (Became::Settled | Became::Ignored, _, By::Press { .. })
            | (Became::Ignored, _, By::Form { on: Some(_) }) => render::taken(),
            (Became::Ignored, _, _) => return self.say_nothing(to, application).await,
            _ => render::said(&receipt.text, private),
        };
        match self.respond(to, &body).await {
            Shown::Yes(sent) => {
                let seen_by_all = sent.filter(|_| !private);
                self.report(receipt, seen_by_all.into_iter().collect()).await;
            }
            Shown::Refused => {
                tracing::warn!(channel = %self.channel.name, "answer refused, a plainer one follows");
                let held = self.hold(to).await;
                self.later(to, application, receipt, held).await;
            }
            Shown::No => self.say_otherwise(to, receipt).await,
        }
    }

    /// The interaction was taken over, and here is its receipt.
    async fn later(&self, to: &Interaction, application: ApplicationId, receipt: &Receipt, held: bool) {
        if !held {
            return self.say_otherwise(to, receipt).await;
        }
        match (&to.by, &receipt.became) {
            // The message itself shows it in a moment; the form is open.
            (By::Press { .. }, Became::Settled | Became::Ignored | Became::WriteOwn(_)) => {}
            (By::Press { .. }, _) => {
                let text = render::follow_up(&receipt.text);
                self.follow(Route::FollowUp(application, &to.token), &text).await;
            }
            (_, Became::Ignored) => self.drop_original(to, application).await,
            // What was shown in the meantime is filled; another message would come beside it.
            _ => {
                let text = render::original(&receipt.text);
                let sent = self.follow(Route::Original(application, &to.token), &text).await;
                let seen_by_all = sent.filter(|_| !is_private(to));
                self.report(receipt, seen_by_all.into_iter().collect()).await;
            }
        }
    }

    /// Takes an interaction over for which there are no words yet; returns whether that came in time.
    async fn hold(&self, to: &Interaction) -> bool {
        let body = match &to.by {
            By::Press {
                other: Some(other), ..
            } => render::form_of(other),
            By::Press { .. } => render::taken(),
            By::Form { .. } | By::Command { .. } => render::hold(is_private(to)),
        };
        matches!(self.respond(to, &body).await, Shown::Yes(_))
    }

    /// A command has to be answered, also one that is to get no answer.
    async fn say_nothing(&self, to: &Interaction, application: ApplicationId) {
        if let Shown::Yes(_) = self.respond(to, &render::hold(true)).await {
            self.drop_original(to, application).await;
        }
    }

    /// The interaction could not be answered; who did it sees that it failed, and not that it may have counted.
    async fn say_otherwise(&self, to: &Interaction, receipt: &Receipt) {
        if matches!(
            receipt.became,
            Became::Settled | Became::Ignored | Became::WriteOwn(_)
        ) {
            return;
        }
        if let By::Press { on, .. } | By::Form { on: Some(on) } = &to.by {
            self.write(*on, receipt).await;
        }
    }

    async fn respond(&self, to: &Interaction, body: &CreateInteractionResponse) -> Shown {
        for attempt in 1.. {
            let answer = Route::Answer(to.id, &to.token);
            let failure = match self.channel.api.send::<_, Option<Response>>(answer, body).await {
                Ok(response) => {
                    let resource = response.and_then(|response| response.resource);
                    return Shown::Yes(resource.and_then(|resource| resource.message));
                }
                Err(failure) => failure,
            };
            match failure.cause() {
                // The answer before it came through after all.
                Some(Cause::Answered) => return Shown::Yes(None),
                Some(Cause::Content | Cause::Controls) => return Shown::Refused,
                // Once more while there is time.
                None if attempt == 1 => {}
                _ => {
                    self.not_shown(&failure);
                    break;
                }
            }
        }
        Shown::No
    }

    /// Says something on an interaction that was taken over.
    async fn follow(&self, route: Route<'_>, body: &(impl Serialize + Sync)) -> Option<Sent> {
        let sent = self.try_to(route, body).await;
        sent.inspect_err(|failure| self.not_shown(failure)).ok()
    }

    async fn try_to(&self, route: Route<'_>, body: &(impl Serialize + Sync)) -> Result<Sent, Failure> {
        let mut attempts = 0;
        loop {
            let failure = match self.channel.api.send(route.clone(), body).await {
                Ok(sent) => return Ok(sent),
                Err(failure) => failure,
            };
            attempts += 1;
            match is_worth_another(&failure).filter(|_| attempts < ATTEMPTS) {
                Some(pause) => self.channel.pause(pause).await,
                None => return Err(failure),
            }
        }
    }

    async fn drop_original(&self, to: &Interaction, application: ApplicationId) {
        let drop = Route::DropOriginal(application, &to.token);
        if let Err(failure) = self.channel.api.ask::<IgnoredAny>(drop).await {
            self.not_shown(&failure);
        }
    }

    /// Sends a message in reply to `to`, when its turn in that channel has come; by itself where we may not reply.
    async fn send(&self, to: Spot, text: &str) -> Option<Sent> {
        let _turn = self.turns.turn(to.channel).await;
        let route = Route::Send(to.channel);
        match self.try_to(route.clone(), &render::reply(to, text)).await {
            Err(failure) if failure.cause() == Some(Cause::NoReply) => {
                self.follow(route, &render::note(text)).await
            }
            sent => sent.inspect_err(|failure| self.not_shown(failure)).ok(),
        }
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

    fn not_shown(&self, failure: &Failure) {
        tracing::warn!(
            channel = %self.channel.name,
            error = failure as &dyn std::error::Error,
            "receipt not shown"
        );
    }
}

fn receipt(result: Result<Receipt, NotTaken>) -> Receipt {
    result.unwrap_or_else(apology)
}

/// What is said where nothing was stored.
pub(super) fn apology(not_taken: NotTaken) -> Receipt {
    Receipt {
        became: Became::Hint,
        text: not_taken.text,
        ask: None,
        shows: None,
    }
}

/// Whether one person alone is to see the answer.
fn is_private(to: &Interaction) -> bool {
    !matches!(to.by, By::Command { direct: true })
}

/// How long to wait before a call is made again, if it is. Said twice is worse than not said: what may have arrived is
/// left alone.
fn is_worth_another(failure: &Failure) -> Option<Duration> {
    match failure {
        Failure::Throttled(pause) => Some(*pause).filter(|pause| *pause <= limits::WORTH_WAITING),
        Failure::NotSent(_) => Some(SHORT),
        Failure::Refused(_) | Failure::NoAnswer(_) => None,
    }
}
