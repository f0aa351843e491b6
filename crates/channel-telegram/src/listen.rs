//! The connection: fetch, hand in, confirm.
//!
//! One loop owns everything. It fetches updates by long polling, hands each to the inbox, and confirms it by asking for
//! the next only when the inbox has taken it over (`backlog`). While some are still being taken over it goes on fetching,
//! so that a slow store does not keep a tap from its answer. What people are told (`feedback`) runs beside that, and a
//! connection that fails is waited for (`trouble`).
//!
//! It ends for one reason alone: the token is refused. Another process with the same token, a webhook, an outage or a
//! proxy's page are waited out. On stop, what is under way gets three seconds, and what was taken over is confirmed, so
//! that it does not come again after a restart.

mod backlog;
mod feedback;
mod trouble;
mod turns;

use std::{pin::Pin, sync::Arc};

use askd_core::{
    channel::ChannelError,
    dispatch::backoff,
    inbound::{Inbound, Inbox, NotTaken, Receipt, Sender, one_moment},
    words::Language,
};
use futures_util::{
    StreamExt as _,
    future::{self, Either},
    stream::FuturesUnordered,
};
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use teloxide::{
    payloads::{GetMe, GetUpdates},
    types::AllowedUpdate,
};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use self::{
    backlog::{Backlog, Due},
    feedback::Reply,
    trouble::Trouble,
    turns::Turns,
};
use crate::{
    channel::TelegramChannel,
    error::{Cause, Failure, channel_error},
    known::Me,
    limits,
    read::{Answer, Did, Event, Reading, read},
    render,
};

/// What is received. Named in every poll, because Telegram remembers what any process asked for last.
const ALLOWED: [AllowedUpdate; 4] = [
    AllowedUpdate::Message,
    AllowedUpdate::EditedMessage,
    AllowedUpdate::CallbackQuery,
    AllowedUpdate::MyChatMember,
];

/// Most updates of one poll. Source: Bot API `getUpdates.limit`.
const MOST: u8 = 100;

/// Longest pause before an update is handed in again.
const LONGEST_PAUSE: SignedDuration = SignedDuration::from_secs(30);

/// A server that answers a poll at once with nothing is not asked again in the same breath.
const BREATH: std::time::Duration = std::time::Duration::from_millis(100);

type Work<'a> = Pin<Box<dyn Future<Output = Done<'a>> + Send + 'a>>;
type Poll<'a> = Pin<Box<dyn Future<Output = Result<Vec<Value>, Failure>> + Send + 'a>>;

/// What came of a piece of work, and what is left to do.
enum Done<'a> {
    /// The inbox has taken the update over.
    Taken { id: i64, then: Option<Work<'a>> },
    /// The inbox has not.
    Refused {
        id: i64,
        failures: u32,
        then: Option<Work<'a>>,
    },
    /// Nothing is left.
    Nothing,
}

/// Receives until `stop`.
pub(crate) async fn listen(
    channel: &TelegramChannel,
    inbox: &dyn Inbox,
    stop: CancellationToken,
) -> Result<(), ChannelError> {
    let Some(me) = introduce(channel, &stop).await? else {
        return Ok(());
    };
    inbox.heard_from(&channel.name);
    tracing::info!(channel = %channel.name, "receiving");
    let mut receiver = Receiver {
        channel,
        hearing: Hearing {
            channel,
            inbox,
            me,
            turns: Arc::default(),
        },
        backlog: Backlog::default(),
        trouble: Trouble::default(),
        work: FuturesUnordered::new(),
        poll_at: channel.clock.now(),
        confirmed: None,
    };
    receiver.work.push(Box::pin(register_commands(channel)));
    receiver.run(&stop).await?;
    receiver.wind_up().await;
    Ok(())
}

/// Learns who we are. `None` if stopped before.
async fn introduce(
    channel: &TelegramChannel,
    stop: &CancellationToken,
) -> Result<Option<Arc<Me>>, ChannelError> {
    let mut trouble = Trouble::default();
    loop {
        let get_me = GetMe::new();
        let call = channel.api.call::<_, Me>(&get_me, limits::CALL);
        let failure = tokio::select! {
            () = stop.cancelled() => return Ok(None),
            result = call => match result {
                Ok(me) => {
                    trouble.is_over(&channel.name);
                    return Ok(Some(channel.known.introduce(me)));
                }
                Err(failure) => failure,
            },
        };
        if failure.cause() == Some(Cause::Credentials) {
            return Err(channel_error(failure));
        }
        let pause = trouble.pause(&failure, &channel.name, channel.chance.as_ref());
        tokio::select! {
            () = stop.cancelled() => return Ok(None),
            () = channel.clock.sleep_until(later(channel.clock.now(), pause)) => {}
        }
    }
}

/// Tells Telegram our commands, in each language. They are a comfort: without them everything works.
async fn register_commands<'a>(channel: &TelegramChannel) -> Done<'a> {
    let others = Language::ALL.into_iter().filter(|l| *l != Language::default());
    for language in std::iter::once(None).chain(others.map(Some)) {
        let list = render::command_list(language);
        if let Err(failure) = channel.api.call::<_, Value>(&list, limits::CALL).await {
            tracing::warn!(
                channel = %channel.name,
                error = &failure as &dyn std::error::Error,
                "commands not registered"
            );
            break;
        }
    }
    Done::Nothing
}

struct Receiver<'a> {
    channel: &'a TelegramChannel,
    hearing: Hearing<'a>,
    backlog: Backlog,
    trouble: Trouble,
    /// Updates being taken over, and receipts being shown.
    work: FuturesUnordered<Work<'a>>,
    /// When the next poll may begin.
    poll_at: Timestamp,
    /// What the last poll asked for, and so confirmed.
    confirmed: Option<i64>,
}

impl<'a> Receiver<'a> {
    async fn run(&mut self, stop: &CancellationToken) -> Result<(), ChannelError> {
        let clock = Arc::clone(&self.channel.clock);
        let mut polling: Option<Poll<'a>> = None;
        loop {
            let now = clock.now();
            for due in self.backlog.start(now) {
                let hearing = self.hearing.clone();
                self.work.push(Box::pin(hearing.take_over(due)));
            }
            if polling.is_none() && self.poll_at <= now {
                self.confirmed = self.backlog.confirm();
                polling = Some(Box::pin(poll(self.channel, self.confirmed)));
            }
            let poll_at = polling.is_none().then_some(self.poll_at);
            let wake = [poll_at, self.backlog.wakes_after(now)];
            let wake = wake.into_iter().flatten().min();
            tokio::select! {
                () = stop.cancelled() => return Ok(()),
                Some(done) = self.work.next(), if !self.work.is_empty() => self.done(done),
                fetched = until(&mut polling) => {
                    polling = None;
                    self.fetched(fetched)?;
                }
                () = sleep_until(clock.as_ref(), wake) => {}
            }
        }
    }

    /// A poll came back.
    fn fetched(&mut self, fetched: Result<Vec<Value>, Failure>) -> Result<(), ChannelError> {
        let (channel, now) = (self.channel, self.channel.clock.now());
        match fetched {
            Ok(updates) => {
                self.hearing.inbox.heard_from(&channel.name);
                self.trouble.is_over(&channel.name);
                self.backlog.add(updates, now);
                self.poll_at = if self.backlog.is_clear() {
                    now
                } else {
                    later(now, limits::PEEK)
                };
                Ok(())
            }
            Err(failure) if failure.cause() == Some(Cause::Credentials) => Err(channel_error(failure)),
            Err(failure) => {
                let pause = self
                    .trouble
                    .pause(&failure, &channel.name, channel.chance.as_ref());
                self.poll_at = later(now, pause);
                Ok(())
            }
        }
    }

    /// A piece of work is done.
    fn done(&mut self, done: Done<'a>) {
        let (channel, now) = (self.channel, self.channel.clock.now());
        let then = match done {
            Done::Nothing => None,
            Done::Taken { id, then } => {
                self.backlog.taken(id);
                if self.backlog.is_clear() && !self.trouble.is_on() {
                    self.poll_at = now;
                }
                then
            }
            Done::Refused { id, failures, then } => {
                let pause = backoff::pause(failures, channel.chance.as_ref());
                let pause = SignedDuration::try_from(pause).unwrap_or(LONGEST_PAUSE);
                if self.backlog.refused(id, now + pause.min(LONGEST_PAUSE)) {
                    tracing::error!(channel = %channel.name, update.id = id, "update given up");
                }
                then
            }
        };
        self.work.extend(then);
    }

    /// Finishes what is under way as far as there is time, and confirms what was taken over.
    async fn wind_up(&mut self) {
        // Real time: a stop is promised to be short by the clock on the wall.
        let rest = async {
            while let Some(done) = self.work.next().await {
                self.done(done);
            }
        };
        if timeout(limits::GRACE, rest).await.is_err() {
            tracing::warn!(channel = %self.channel.name, "receipts dropped");
        }
        let offset = self.backlog.confirm();
        if offset != self.confirmed {
            // Whatever it fetches is fetched again after a restart.
            let payload = get_updates(offset, 0, 1);
            let _ = self
                .channel
                .api
                .call::<_, Value>(&payload, limits::LAST_WORD)
                .await;
        }
    }
}

/// What taking an update over needs.
#[derive(Clone)]
struct Hearing<'a> {
    channel: &'a TelegramChannel,
    inbox: &'a dyn Inbox,
    me: Arc<Me>,
    turns: Arc<Turns>,
}

impl<'a> Hearing<'a> {
    /// Hands one update to the inbox.
    async fn take_over(self, due: Due) -> Done<'a> {
        let Due { id, update, failures } = due;
        let channel = self.channel;
        let Did { inbound, answer } = match self.read(&update) {
            Event::Nothing => return Done::Taken { id, then: None },
            Event::Moved { from, to } => {
                tracing::info!(channel = %channel.name, "group has moved");
                channel.known.moved().learn(from, to);
                return Done::Taken { id, then: None };
            }
            Event::Did(did) => *did,
        };
        let language = match &inbound.from {
            Sender::Account { language, .. } => *language,
            _ => None,
        };
        let mut reply = Reply {
            channel,
            inbox: self.inbox,
            turns: self.turns,
            answer,
            at: inbound.at.clone(),
            language,
            // Where it was refused before, that was said.
            notice_used: failures > 0,
        };
        match accept(self.inbox, inbound, &mut reply).await {
            Ok(receipt) => {
                let then: Work<'a> = Box::pin(async move {
                    reply.show(receipt).await;
                    Done::Nothing
                });
                Done::Taken { id, then: Some(then) }
            }
            Err(not_taken) => {
                // Once is enough: it is tried again until it is taken.
                let then = (failures == 0).then(|| -> Work<'a> {
                    Box::pin(async move {
                        reply.apologise(not_taken.text).await;
                        Done::Nothing
                    })
                });
                Done::Refused { id, failures, then }
            }
        }
    }

    fn read(&self, update: &Value) -> Event {
        let moved = self.channel.known.moved();
        let reading = Reading {
            channel: &self.channel.name,
            me: &self.me,
            moved: &moved,
            now: self.channel.clock.now(),
        };
        read(update, &reading)
    }
}

/// Waits for the receipt. Whoever tapped is shown a sign of life if that takes longer than a client shows its spinner.
async fn accept(inbox: &dyn Inbox, event: Inbound, reply: &mut Reply<'_>) -> Result<Receipt, NotTaken> {
    let accepting = inbox.accept(event);
    if !matches!(reply.answer, Answer::Tap { .. }) || reply.notice_used {
        return accepting.await;
    }
    let clock = &reply.channel.clock;
    let at_once = later(clock.now(), limits::AT_ONCE);
    match future::select(accepting, clock.sleep_until(at_once)).await {
        Either::Left((result, _)) => result,
        Either::Right(((), accepting)) => {
            let text = one_moment(reply.language);
            let (result, ()) = future::join(accepting, reply.hold(&text)).await;
            reply.notice_used = true;
            result
        }
    }
}

async fn poll(channel: &TelegramChannel, offset: Option<i64>) -> Result<Vec<Value>, Failure> {
    let payload = get_updates(offset, limits::POLL.as_secs(), MOST);
    let updates: Vec<Value> = channel
        .api
        .call(&payload, limits::POLL + limits::POLL_SLACK)
        .await?;
    if updates.is_empty() {
        sleep(BREATH).await;
    }
    Ok(updates)
}

/// A poll. Asking for `offset` confirms all before it. `seconds`: how long it waits for something to happen.
pub(crate) fn get_updates(offset: Option<i64>, seconds: u64, limit: u8) -> GetUpdates {
    let mut payload = GetUpdates::new();
    payload.offset = offset.and_then(|offset| i32::try_from(offset).ok());
    payload.limit = Some(limit);
    payload.timeout = u32::try_from(seconds).ok();
    payload.allowed_updates = Some(ALLOWED.to_vec());
    payload
}

/// The poll that is under way; never, if none is.
async fn until(polling: &mut Option<Poll<'_>>) -> Result<Vec<Value>, Failure> {
    match polling {
        Some(poll) => poll.await,
        None => future::pending().await,
    }
}

async fn sleep_until(clock: &dyn askd_core::clock::Clock, wake: Option<Timestamp>) {
    match wake {
        Some(wake) => clock.sleep_until(wake).await,
        None => future::pending().await,
    }
}

fn later(now: Timestamp, by: std::time::Duration) -> Timestamp {
    let by = SignedDuration::try_from(by).unwrap_or(LONGEST_PAUSE);
    now.saturating_add(by).unwrap_or(Timestamp::MAX)
}
