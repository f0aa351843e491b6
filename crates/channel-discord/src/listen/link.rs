//! The socket: where the gateway is, one session after the other, and what comes through.
//!
//! twilight's shard speaks the gateway's language: it decompresses, sends heartbeats, notices a connection that is dead,
//! begins a session or resumes one. It would also reconnect by itself, by its own clock, to the address it was told last
//! or, without one, to Discord's own. So a shard here lives as long as its connection: when that is lost, the shard is
//! dropped, its session is taken over into the next one, and how long to wait and where to go is decided here. Dropped,
//! it says no goodbye, which would end the session; only [`Link::goodbye`] does.

use std::{
    future::poll_fn,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use askd_core::{channel::ChannelError, inbound::Inbox};
use futures_util::{FutureExt as _, StreamExt as _};
use jiff::Timestamp;
use secrecy::ExposeSecret as _;
use serde::Deserialize;
use tokio::sync::oneshot;
use twilight_gateway::{
    CloseFrame, ConfigBuilder, Intents, Message, Session, Shard, ShardId, ShardState,
    error::{ReceiveMessageError, ReceiveMessageErrorType},
    queue::Queue,
};

use super::trouble::{Loss, Trouble};
use crate::{
    api::Route,
    channel::DiscordChannel,
    error::{Cause, Failure, channel_error},
    known::Me,
    limits::{self, later},
    read::event::{Envelope, Payload, Ready},
};

/// What is received; the last is privileged, and done without where it is not granted.
const INTENTS: Intents = Intents::GUILDS
    .union(Intents::GUILD_MESSAGES)
    .union(Intents::DIRECT_MESSAGES)
    .union(Intents::MESSAGE_CONTENT);

/// Closing codes after which there is no point in coming back. Source: reference, "Gateway Close Event Codes".
const HOPELESS: [u16; 5] = [TOKEN_REFUSED, 4010, 4011, 4012, 4013];

/// The token is wrong.
const TOKEN_REFUSED: u16 = 4004;

/// An intent is not granted.
const INTENT_REFUSED: u16 = 4014;

/// Closing codes after which a session cannot be resumed: its number was wrong, or its time is over. Source: the same.
const SESSION_OVER: [u16; 2] = [4007, 4009];

/// What came through.
#[derive(Debug)]
pub(super) enum Heard {
    /// A new session has begun: what happened since the last one ended was told to nobody.
    Began,
    /// Something happened.
    Event {
        /// Its name.
        kind: String,
        /// All of it.
        json: String,
    },
}

/// Why there is no point in coming back.
#[derive(Debug, thiserror::Error)]
#[error("the gateway closed the connection for good: {0}")]
struct Hopeless(u16);

/// The connection, through all that happens to it.
pub(super) struct Link<'a> {
    channel: &'a DiscordChannel,
    inbox: &'a dyn Inbox,
    intents: Intents,
    session: Option<Session>,
    /// Where to resume it.
    resume_at: Option<String>,
    /// When a session was begun last.
    began: Option<Timestamp>,
    /// Since when the connection has had a session, while it has.
    stands_since: Option<Timestamp>,
    trouble: Trouble,
    state: State<'a>,
}

enum State<'a> {
    /// Nothing is done until then.
    Waiting(Timestamp),
    /// Where is it?
    Asking(Pin<Box<dyn Future<Output = Result<Gateway, Failure>> + Send + 'a>>),
    Open(Box<Open>),
}

struct Open {
    shard: Shard<Granted>,
    /// Whether the shard has been connected.
    was_connected: bool,
    /// When a session has to have begun, while none has.
    begins_by: Option<Timestamp>,
}

/// What is looked at of the answer to [`Route::Gateway`].
#[derive(Debug, Deserialize)]
struct Gateway {
    url: String,
    session_start_limit: Option<StartLimit>,
}

#[derive(Debug, Deserialize)]
struct StartLimit {
    remaining: u64,
    /// In milliseconds.
    reset_after: u64,
}

/// Lets every session begin at once: the link has waited before it connected.
#[derive(Clone, Copy, Debug)]
struct Granted;

impl Queue for Granted {
    fn enqueue(&self, _: u32) -> oneshot::Receiver<()> {
        let (grant, granted) = oneshot::channel();
        // The receiver is in our hands.
        let _ = grant.send(());
        granted
    }
}

impl<'a> Link<'a> {
    pub(super) fn new(channel: &'a DiscordChannel, inbox: &'a dyn Inbox) -> Self {
        Self {
            channel,
            inbox,
            intents: INTENTS,
            session: None,
            resume_at: None,
            began: None,
            stands_since: None,
            trouble: Trouble::default(),
            state: State::Waiting(channel.clock.now()),
        }
    }

    /// Waits for what comes through next, however many connections that takes. Can be dropped and called again without
    /// losing anything.
    ///
    /// # Errors
    /// Where coming back is pointless.
    pub(super) async fn next(&mut self) -> Result<Heard, ChannelError> {
        loop {
            match &mut self.state {
                State::Waiting(until) => {
                    let until = *until;
                    self.channel.clock.sleep_until(until).await;
                    self.state = match self.resume_at.take().filter(|_| self.session.is_some()) {
                        Some(address) => self.connect(address),
                        None => State::Asking(Box::pin(self.channel.api.ask(Route::Gateway))),
                    };
                }
                State::Asking(asking) => {
                    let told = asking.await;
                    self.state = self.told(told)?;
                }
                State::Open(open) => {
                    let heard = open.hear(self.channel).await;
                    // Whatever it was, an answered heartbeat among it.
                    if heard.is_ok() {
                        self.inbox.heard_from(&self.channel.name);
                    }
                    if let Some(heard) = self.take(heard)? {
                        return Ok(heard);
                    }
                }
            }
        }
    }

    /// Tells the gateway that nobody will come back, so that the bot is not shown as present.
    pub(super) fn goodbye(self) {
        if let State::Open(mut open) = self.state
            && open.begins_by.is_none()
        {
            open.shard.close(CloseFrame::NORMAL);
            // The first look at the shard writes the frame. A second one might connect again. If it does not get through,
            // the gateway notices by itself.
            let _ = open.shard.next().now_or_never();
        }
    }

    /// Where the gateway is, as it was told.
    fn told(&mut self, told: Result<Gateway, Failure>) -> Result<State<'a>, ChannelError> {
        let gateway = match told {
            Ok(gateway) => gateway,
            Err(failure) if failure.cause() == Some(Cause::Credentials) => {
                return Err(channel_error(failure));
            }
            Err(failure) => return Ok(self.wait(&failure.into())),
        };
        let limit = gateway.session_start_limit.filter(|_| self.session.is_none());
        if let Some(limit) = limit.filter(|limit| limit.remaining == 0) {
            let pause = Duration::from_millis(limit.reset_after);
            return Ok(self.wait(&Loss::NoSessions(pause)));
        }
        Ok(match self.channel.api.base().gateway(&gateway.url) {
            Ok(address) => self.connect(address),
            Err(bad) => self.wait(&bad.into()),
        })
    }

    fn connect(&mut self, address: String) -> State<'a> {
        let now = self.channel.clock.now();
        let token = self.channel.api.token().expose_secret().to_owned();
        let config = ConfigBuilder::new(token, self.intents)
            .queue(Granted)
            .proxy_url(address.clone());
        let config = if let Some(session) = self.session.clone() {
            config.session(session).resume_url(address)
        } else {
            self.began = Some(now);
            config
        };
        State::Open(Box::new(Open {
            shard: Shard::with_config(ShardId::ONE, config.build()),
            was_connected: false,
            begins_by: Some(later(now, limits::SESSION)),
        }))
    }

    /// Takes in what was heard, or the loss of the connection. `None`: nothing for others.
    fn take(&mut self, heard: Result<Option<Heard>, Loss>) -> Result<Option<Heard>, ChannelError> {
        let loss = match heard {
            Ok(Some(Heard::Began)) => {
                self.begin();
                return Ok(Some(Heard::Began));
            }
            Ok(heard) => {
                self.goes_on();
                return Ok(heard);
            }
            Err(loss) => loss,
        };
        let stood = self.stands_since.take();
        if stood.is_some_and(|since| self.channel.clock.now() >= later(since, limits::STEADY)) {
            self.trouble.was_steady();
        }
        if let State::Open(open) = &self.state {
            self.session = open.shard.session().cloned();
            // Where nobody answers a session is asked for elsewhere; after a failed connection twilight forgets by itself.
            let resume_at = open.shard.resume_url().filter(|_| !matches!(loss, Loss::Silent));
            self.resume_at = resume_at.and_then(|url| self.channel.api.base().gateway(url).ok());
        }
        if let Loss::Closed(Some(code)) = loss {
            if HOPELESS.contains(&code) {
                return Err(ChannelError::Refused(Hopeless(code).into()));
            }
            if code == INTENT_REFUSED {
                return self.ask_for_less();
            }
            if SESSION_OVER.contains(&code) {
                self.session = None;
            }
        }
        self.state = self.wait(&loss);
        Ok(None)
    }

    /// The intent for the content of messages is not granted: without it, what mentions us and what is said to us alone
    /// is still heard.
    fn ask_for_less(&mut self) -> Result<Option<Heard>, ChannelError> {
        if !self.intents.contains(Intents::MESSAGE_CONTENT) {
            return Err(ChannelError::Refused(Hopeless(INTENT_REFUSED).into()));
        }
        tracing::warn!(
            channel = %self.channel.name,
            remedy = "to hear bare texts in threads: developer portal, Bot, Message Content Intent; then start askd again",
            "message content not granted"
        );
        self.intents.remove(Intents::MESSAGE_CONTENT);
        self.session = None;
        self.state = State::Waiting(self.may_begin());
        Ok(None)
    }

    fn begin(&mut self) {
        self.trouble.is_over(&self.channel.name);
        self.stands_since = Some(self.channel.clock.now());
        if let State::Open(open) = &mut self.state {
            open.begins_by = None;
        }
    }

    /// An event came, so there is a session.
    fn goes_on(&mut self) {
        if let State::Open(open) = &mut self.state
            && open.begins_by.is_some()
            && open.shard.session().is_some()
            && open.shard.state() == ShardState::Active
        {
            self.begin();
        }
    }

    fn wait(&mut self, loss: &Loss) -> State<'a> {
        let (channel, now) = (self.channel, self.channel.clock.now());
        let pause = self.trouble.pause(loss, &channel.name, channel.chance.as_ref());
        let mut until = later(now, pause);
        if self.session.is_none() {
            until = until.max(self.may_begin());
        }
        State::Waiting(until)
    }

    /// When a session may be begun again.
    fn may_begin(&self) -> Timestamp {
        let now = self.channel.clock.now();
        self.began.map_or(now, |began| later(began, limits::IDENTIFY))
    }
}

impl Open {
    /// Waits for the next message. `None`: nothing but what the shard itself is for.
    async fn hear(&mut self, channel: &DiscordChannel) -> Result<Option<Heard>, Loss> {
        let silence = async {
            match self.begins_by {
                Some(by) => channel.clock.sleep_until(by).await,
                None => std::future::pending().await,
            }
        };
        let message = tokio::select! {
            message = poll_fn(|cx| poll(&mut self.shard, &mut self.was_connected, cx)) => message,
            () = silence => return Err(Loss::Silent),
        };
        match message {
            Some(Ok(Message::Text(json))) => understand(json, channel, self.shard.config().intents()),
            Some(Ok(Message::Close(frame))) => Err(Loss::Closed(frame.map(|frame| frame.code))),
            Some(Err(error)) => failed(error, channel),
            None => Err(Loss::Closed(None)),
        }
    }
}

/// The next message. A shard whose connection broke without a word says nothing of that and makes another by itself, to
/// wherever it was told to resume; so it ends here as soon as it is found without one.
fn poll(
    shard: &mut Shard<Granted>,
    was_connected: &mut bool,
    cx: &mut Context<'_>,
) -> Poll<Option<Result<Message, ReceiveMessageError>>> {
    let polled = shard.poll_next_unpin(cx);
    let is_connected = !matches!(shard.state(), ShardState::Disconnected { .. });
    if polled.is_pending() && *was_connected && !is_connected {
        return Poll::Ready(None);
    }
    *was_connected |= is_connected;
    polled
}

fn understand(json: String, channel: &DiscordChannel, intents: Intents) -> Result<Option<Heard>, Loss> {
    /// Source: reference, "Gateway Opcodes".
    const DISPATCH: u8 = 0;
    const RECONNECT: u8 = 7;
    const INVALID_SESSION: u8 = 9;
    let Ok(envelope) = serde_json::from_str::<Envelope>(&json) else {
        return Ok(None);
    };
    match (envelope.op, envelope.t) {
        (DISPATCH, Some(kind)) if kind == "READY" => {
            let Ok(ready) = serde_json::from_str::<Payload<Ready>>(&json) else {
                tracing::warn!(channel = %channel.name, "session not understood");
                return Err(Loss::Invalid);
            };
            channel.known.introduce(Me {
                user: ready.d.user.id,
                application: ready.d.application.id,
                hears_groups: intents.contains(Intents::MESSAGE_CONTENT),
            });
            Ok(Some(Heard::Began))
        }
        (DISPATCH, Some(kind)) => Ok(Some(Heard::Event { kind, json })),
        (RECONNECT, _) => Err(Loss::Asked),
        (INVALID_SESSION, _) => Err(Loss::Invalid),
        _ => Ok(None),
    }
}

/// What twilight could not do. Its own errors hold whole events, and are not passed on.
fn failed(error: ReceiveMessageError, channel: &DiscordChannel) -> Result<Option<Heard>, Loss> {
    match error.kind() {
        ReceiveMessageErrorType::Reconnect => {
            let source = error.into_source();
            Err(Loss::Unreachable(
                source.unwrap_or_else(|| "no reason told".into()),
            ))
        }
        ReceiveMessageErrorType::Deserializing { .. } => {
            tracing::warn!(channel = %channel.name, "event not understood");
            Ok(None)
        }
        _ => Err(Loss::Closed(None)),
    }
}
