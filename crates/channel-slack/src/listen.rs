//! The connection: hear, acknowledge, hand in.
//!
//! One loop owns everything. `sockets` keeps one socket open, and a second while one is replaced by the next; each
//! acknowledges what it hears before anything is done with it, because Slack waits three seconds and then says to the
//! person who pressed that the app does not respond. What was heard is told apart by name (`seen`): presses and forms are
//! handed in at once, texts in the order of their conversation and again until the inbox takes them (`queue`,
//! `hearing`). What people are told (`feedback`) runs beside that. After a time without a socket, what was said meanwhile is read again
//! where something is open (`again`).
//!
//! It ends for one reason alone: a token is refused. An outage, a proxy's page or a socket that hears nothing are waited
//! out (`trouble`). On stop, the sockets are closed and what was acknowledged gets three seconds to be taken over.

mod again;
mod feedback;
mod hearing;
mod queue;
mod seen;
mod socket;
mod sockets;
mod trouble;
mod turns;

use std::{pin::Pin, sync::Arc, time::Duration};

use askd_core::{channel::ChannelError, clock::Clock, dispatch::backoff, id::Address, inbound::Inbox};
use futures_util::{StreamExt as _, future, stream::FuturesUnordered};
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use self::{
    hearing::Hearing,
    queue::{Heard, Queue},
    seen::Seen,
    socket::Hold,
    sockets::{Happening, Sockets},
};
use crate::{
    channel::SlackChannel,
    error::{Cause, channel_error},
    limits,
    read::{Answer, Did, Event, Reading, read},
};

/// Longest pause before a text is handed in again.
const LONGEST_PAUSE: SignedDuration = SignedDuration::from_secs(30);

type Work<'a> = Pin<Box<dyn Future<Output = Done<'a>> + Send + 'a>>;

/// What came of a piece of work, and what is left to do.
enum Done<'a> {
    /// The inbox has taken a text over, which held this conversation up.
    Taken {
        line: Option<Address>,
        then: Option<Work<'a>>,
    },
    /// The inbox has not.
    Refused {
        heard: Box<Heard>,
        then: Option<Work<'a>>,
    },
    /// What was said while nobody heard it.
    Missed(Vec<Did>),
    /// The tokens were looked at.
    Checked(Result<(), ChannelError>),
    /// Nothing is left.
    Nothing,
}

/// Receives until `stop`.
pub(crate) async fn listen(
    channel: &SlackChannel,
    inbox: &dyn Inbox,
    stop: CancellationToken,
) -> Result<(), ChannelError> {
    let mut receiver = Receiver {
        channel,
        hearing: Hearing {
            channel,
            inbox,
            turns: Arc::default(),
        },
        sockets: Sockets::new(channel, inbox),
        queue: Queue::default(),
        seen: Seen::default(),
        work: FuturesUnordered::new(),
        overheard: false,
    };
    receiver.run(&stop).await?;
    receiver.wind_up().await;
    Ok(())
}

struct Receiver<'a> {
    channel: &'a SlackChannel,
    hearing: Hearing<'a>,
    sockets: Sockets<'a>,
    queue: Queue,
    seen: Seen,
    /// Events being taken over, and receipts being shown.
    work: FuturesUnordered<Work<'a>>,
    /// Whether there were texts for which no room was left.
    overheard: bool,
}

impl<'a> Receiver<'a> {
    async fn run(&mut self, stop: &CancellationToken) -> Result<(), ChannelError> {
        let clock = Arc::clone(&self.channel.clock);
        loop {
            let now = clock.now();
            self.start(now);
            let wake = self.queue.wakes_after(now);
            tokio::select! {
                () = stop.cancelled() => return Ok(()),
                Some(done) = self.work.next(), if !self.work.is_empty() => self.done(done)?,
                // Dropped when something else happens first: it loses nothing, because what it waits for is in itself.
                happening = self.sockets.next() => self.happened(happening)?,
                () = sleep_until(clock.as_ref(), wake) => {}
            }
        }
    }

    /// Hands in what may be handed in.
    fn start(&mut self, now: Timestamp) {
        for heard in self.queue.start(now) {
            let hearing = self.hearing.clone();
            self.work.push(Box::pin(hearing.take_text(heard)));
        }
    }

    fn happened(&mut self, happening: Happening) -> Result<(), ChannelError> {
        match happening {
            Happening::Envelope(envelope, hold) => {
                let event = self.read(&envelope);
                self.heard(event, hold);
                Ok(())
            }
            Happening::Up { gap } => {
                if gap {
                    self.queue.hurry(self.channel.clock.now());
                    self.look_back();
                }
                Ok(())
            }
            Happening::Refused(error) => Err(error),
            Happening::Closed => Ok(()),
        }
    }

    /// Reads anew what was said where something is open.
    fn look_back(&mut self) {
        let hearing = self.hearing.clone();
        self.work
            .push(Box::pin(async move { Done::Missed(hearing.missed().await) }));
    }

    /// Takes a text in, if there is room.
    fn add(&mut self, heard: Heard, event: Option<&str>) {
        if self.queue.is_full() {
            if !std::mem::replace(&mut self.overheard, true) {
                tracing::error!(channel = %self.channel.name, texts = queue::MOST, "too many texts wait");
            }
        } else if self.seen.is_wanted(&heard.did.inbound.event, event) {
            self.queue.add(heard);
        }
    }

    fn read(&self, envelope: &Value) -> Event {
        // A socket stands only after the bot has introduced itself.
        let Some(me) = self.channel.known.me() else {
            return Event::Nothing;
        };
        let threads = self.channel.known.threads();
        let reading = Reading {
            channel: &self.channel.name,
            me: &me,
            threads: &threads,
            now: self.channel.clock.now(),
        };
        read(envelope, &reading)
    }

    fn heard(&mut self, event: Event, hold: Option<Hold>) {
        match event {
            Event::Did(did) => {
                let hearing = self.hearing.clone();
                match did.answer {
                    Answer::Said { .. } => {
                        let event = did.event.clone();
                        self.add(Heard::new(*did), event.as_deref());
                    }
                    Answer::Press { .. } => self.work.push(Box::pin(hearing.take_press(*did))),
                    Answer::Form { .. } => self.work.push(Box::pin(hearing.take_form(*did, hold))),
                }
            }
            Event::Nothing => {
                if let Some(hold) = hold {
                    hold.close();
                }
            }
            Event::Revoked => {
                let channel = self.channel;
                self.work
                    .push(Box::pin(async move { Done::Checked(check(channel).await) }));
            }
        }
    }

    /// A piece of work is done.
    fn done(&mut self, done: Done<'a>) -> Result<(), ChannelError> {
        let (channel, now) = (self.channel, self.channel.clock.now());
        let then = match done {
            Done::Nothing => None,
            Done::Checked(result) => return result,
            Done::Missed(missed) => {
                for did in missed {
                    self.add(Heard::again(did), None);
                }
                None
            }
            Done::Taken { line, then } => {
                self.queue.taken(line.as_ref());
                if self.queue.is_empty() && std::mem::take(&mut self.overheard) {
                    self.look_back();
                }
                then
            }
            Done::Refused { heard, then } => {
                let pause = backoff::pause(heard.failures, channel.chance.as_ref());
                let pause = SignedDuration::try_from(pause).unwrap_or(LONGEST_PAUSE);
                if self.queue.refused(*heard, now + pause.min(LONGEST_PAUSE)) {
                    tracing::error!(channel = %channel.name, "text given up");
                }
                then
            }
        };
        self.work.extend(then);
        Ok(())
    }

    /// Closes the sockets, and finishes what is under way as far as there is time.
    async fn wind_up(&mut self) {
        self.sockets.close();
        // Real time: a stop is promised to be short by the clock on the wall.
        let rest = async {
            loop {
                self.start(self.channel.clock.now());
                if self.work.is_empty() && self.sockets.are_closed() {
                    return;
                }
                tokio::select! {
                    Some(done) = self.work.next(), if !self.work.is_empty() => {
                        // Who stops need not be told that a token was revoked.
                        let _ = self.done(done);
                    }
                    happening = self.sockets.next() => {
                        let _ = self.happened(happening);
                    }
                }
            }
        };
        if timeout(limits::GRACE, rest).await.is_err() {
            tracing::warn!(channel = %self.channel.name, "receipts dropped");
        }
    }
}

/// Whether the bot's token still holds.
async fn check(channel: &SlackChannel) -> Result<(), ChannelError> {
    match channel.api.introduce().await {
        Err(failure) if failure.cause() == Some(Cause::Credentials) => Err(channel_error(failure)),
        _ => Ok(()),
    }
}

async fn sleep_until(clock: &dyn Clock, wake: Option<Timestamp>) {
    match wake {
        Some(wake) => clock.sleep_until(wake).await,
        None => future::pending().await,
    }
}

fn later(now: Timestamp, by: Duration) -> Timestamp {
    let by = SignedDuration::try_from(by).unwrap_or(LONGEST_PAUSE);
    now.saturating_add(by).unwrap_or(Timestamp::MAX)
}
