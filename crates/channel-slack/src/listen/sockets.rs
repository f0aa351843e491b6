//! One socket at a time, and two while one takes the place of the other.
//!
//! Slack replaces every socket about once an hour and says so beforehand: the next is opened, and when it has said hello
//! the old one is closed. So there is no moment without one, and never a third; any of them may be handed an event. A
//! socket that ends unasked, or turns out to be a ghost, leaves a gap, in which things may have been said.

use std::{future::Future, pin::Pin, sync::Arc};

use askd_core::{channel::ChannelError, inbound::Inbox};
use futures_util::{StreamExt as _, future, stream::FuturesUnordered};
use jiff::Timestamp;
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_util::sync::CancellationToken;

use super::{
    later, sleep_until,
    socket::{Ended, Hold, Leaving, Reader, Signal, Socket, open},
    trouble::{Kind, Trouble},
};
use crate::{
    channel::SlackChannel,
    error::{Cause, Failure, channel_error},
    limits,
};

/// Most sockets at once, those being opened and closed included.
const MOST: usize = 2;

/// Something happened to the sockets.
pub(super) enum Happening {
    /// An envelope was heard, and acknowledged unless there is a hold on it.
    Envelope(Value, Option<Hold>),
    /// A socket says hello. `gap`: something may have been said before that no socket heard.
    Up { gap: bool },
    /// A token is refused: no socket will ever be opened.
    Refused(ChannelError),
    /// The last one is closed, as we wanted.
    Closed,
}

type Opening<'a> = Pin<Box<dyn Future<Output = Result<Socket, Failure>> + Send + 'a>>;
type Signals = (UnboundedSender<(u64, Signal)>, UnboundedReceiver<(u64, Signal)>);
type Running<'a> = Pin<Box<dyn Future<Output = (u64, Ended)> + Send + 'a>>;

/// The sockets of one listening.
pub(super) struct Sockets<'a> {
    channel: &'a SlackChannel,
    inbox: &'a dyn Inbox,
    opening: Option<Opening<'a>>,
    /// The current one, and those that are being closed.
    running: FuturesUnordered<Running<'a>>,
    current: Option<Current>,
    /// From when on another one may be opened; `None` where none is wanted.
    open_at: Option<Timestamp>,
    trouble: Trouble,
    /// What they hear, with the number of the one that did.
    signals: Signals,
    next_id: u64,
    /// Whether something may have been said that no socket heard.
    gap: bool,
    /// Cancelled when none is wanted any more.
    stop: CancellationToken,
}

/// The socket that is wanted.
struct Current {
    id: u64,
    retire: CancellationToken,
    since: Timestamp,
}

impl<'a> Sockets<'a> {
    pub(super) fn new(channel: &'a SlackChannel, inbox: &'a dyn Inbox) -> Self {
        Self {
            channel,
            inbox,
            opening: None,
            running: FuturesUnordered::new(),
            current: None,
            open_at: Some(channel.clock.now()),
            trouble: Trouble::default(),
            signals: unbounded_channel(),
            next_id: 0,
            gap: true,
            stop: CancellationToken::new(),
        }
    }

    /// What happens next. May be dropped at any point: all that is under way is kept in `self`.
    pub(super) async fn next(&mut self) -> Happening {
        let clock = Arc::clone(&self.channel.clock);
        loop {
            let now = clock.now();
            let has_room = self.opening.is_none() && self.running.len() < MOST && !self.stop.is_cancelled();
            let open_at = self.open_at.filter(|_| has_room);
            if open_at.is_some_and(|at| at <= now) {
                self.open_at = None;
                self.opening = Some(Box::pin(introduced(self.channel)));
            }
            let happening = tokio::select! {
                // What was heard comes before the end of what heard it.
                biased;
                Some((id, signal)) = self.signals.1.recv() => self.heard(id, signal),
                opened = until(&mut self.opening) => {
                    self.opening = None;
                    self.opened(opened)
                }
                Some((id, ended)) = self.running.next(), if !self.running.is_empty() => self.ended(id, &ended),
                () = sleep_until(clock.as_ref(), open_at.filter(|at| *at > now)) => None,
            };
            if let Some(happening) = happening {
                return happening;
            }
        }
    }

    /// Closes all of them, and opens none any more.
    pub(super) fn close(&mut self) {
        self.stop.cancel();
        self.opening = None;
        self.current = None;
    }

    /// Whether they are, and all they heard was told.
    pub(super) fn are_closed(&self) -> bool {
        self.running.is_empty() && self.signals.1.is_empty()
    }

    fn heard(&mut self, id: u64, signal: Signal) -> Option<Happening> {
        let why = match signal {
            Signal::Envelope(envelope, hold) => return Some(Happening::Envelope(envelope, hold)),
            Signal::Leaving(why) => why,
        };
        let is_current = self.current.as_ref().is_some_and(|current| current.id == id);
        if is_current && self.open_at.is_none() && self.opening.is_none() {
            let now = self.channel.clock.now();
            let pause = match why {
                Leaving::Refresh => std::time::Duration::ZERO,
                Leaving::Disabled => self.in_trouble(Kind::Disabled, None),
                Leaving::TooMany => self.in_trouble(Kind::TooMany, None),
            };
            self.open_at = Some(later(now, pause));
        }
        None
    }

    /// A socket says hello, or does not.
    fn opened(&mut self, opened: Result<Socket, Failure>) -> Option<Happening> {
        let now = self.channel.clock.now();
        let socket = match opened {
            Ok(socket) => socket,
            Err(failure) if matches!(failure.cause(), Some(Cause::Credentials | Cause::Scope)) => {
                return Some(Happening::Refused(channel_error(failure)));
            }
            Err(failure) => {
                let pause = self.in_trouble(Kind::of(&failure), Some(&failure));
                let asked_for = match failure.cause() {
                    Some(Cause::Throttled(pause)) => pause,
                    _ => std::time::Duration::ZERO,
                };
                self.open_at = Some(later(now, pause.max(asked_for)));
                return None;
            }
        };
        let is_first = self.next_id == 0;
        let of_others = socket.of_app.saturating_sub(self.running.len() as u64 + 1);
        if of_others > 0 {
            // Not trouble yet: the sockets of a process that was killed stand in Slack's books for a while.
            tracing::warn!(channel = %self.channel.name, sockets = of_others, "others receive with this app token");
        }
        let (id, retire) = (self.next_id, CancellationToken::new());
        self.next_id += 1;
        let (answer, answers) = unbounded_channel();
        self.inbox.heard_from(&self.channel.name);
        let reader = Reader {
            id,
            channel: self.channel,
            inbox: self.inbox,
            signals: self.signals.0.clone(),
            answers,
            answer,
            retire: retire.clone(),
            stop: self.stop.clone(),
        };
        self.running.push(Box::pin(reader.run(socket)));
        let new = Current {
            id,
            retire,
            since: now,
        };
        if let Some(old) = self.current.replace(new) {
            old.retire.cancel();
        }
        if is_first {
            tracing::info!(channel = %self.channel.name, "receiving");
        }
        self.trouble.is_over(&self.channel.name);
        let gap = std::mem::take(&mut self.gap);
        Some(Happening::Up { gap })
    }

    fn ended(&mut self, id: u64, ended: &Ended) -> Option<Happening> {
        if self.stop.is_cancelled() {
            return self.running.is_empty().then_some(Happening::Closed);
        }
        if self.current.as_ref().is_none_or(|current| current.id != id) {
            return None;
        }
        let now = self.channel.clock.now();
        let since = self.current.take().map_or(now, |current| current.since);
        if now >= later(since, limits::STEADY) {
            self.trouble.was_steady();
        }
        let pause = match ended {
            Ended::Retired => return None,
            Ended::Ghost => self.in_trouble(Kind::Ghost, None),
            Ended::Lost(source) => self.in_trouble(Kind::Lost, Some(source.as_ref())),
        };
        self.gap = true;
        if self.opening.is_none() {
            self.open_at = Some(later(now, pause));
        }
        None
    }

    fn in_trouble(
        &mut self,
        kind: Kind,
        error: Option<&(dyn std::error::Error + 'static)>,
    ) -> std::time::Duration {
        let channel = self.channel;
        self.trouble
            .pause(kind, error, &channel.name, channel.chance.as_ref())
    }
}

/// A socket, after a look at the bot's token: one that was revoked is noticed here at the latest.
async fn introduced(channel: &SlackChannel) -> Result<Socket, Failure> {
    let introduction = channel.api.introduce().await?;
    channel.known.introduce(introduction.me);
    open(channel).await
}

/// The socket that is being opened; never, if none is.
async fn until(opening: &mut Option<Opening<'_>>) -> Result<Socket, Failure> {
    match opening {
        Some(opening) => opening.await,
        None => future::pending().await,
    }
}
