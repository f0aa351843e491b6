//! The channel's side of the seam: thin, and nothing of Discord's numbers or JSON.

use std::{fmt, sync::Arc, time::Duration};

use askd_core::{
    channel::{BadAddress, Channel, ChannelError, Finding, Posted, PostedMessage},
    clock::{Chance, Clock},
    id::{ActionToken, Address, ChannelName, MessageRef, PostKey},
    inbound::Inbox,
    present::{Capabilities, Controls, Message, Payload, Presentation},
};
use async_trait::async_trait;
use jiff::Timestamp;
use serde::{Deserialize, de::IgnoredAny};
use serde_json::Value;
use serenity::model::id::{ChannelId, MessageId, UserId};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::{
    api::{Api, Route},
    config::{BadConfig, DiscordConfig},
    doctor::doctor,
    error::{Cause, Failure, channel_error},
    known::{Kind, Known},
    limits,
    listen::listen,
    place::{Place, made_before, message_of, message_ref, placed},
    read::event::Named,
    render,
};

/// One Discord application's bot.
pub struct DiscordChannel {
    pub(crate) name: ChannelName,
    pub(crate) api: Api,
    pub(crate) known: Known,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) chance: Arc<dyn Chance>,
}

impl fmt::Debug for DiscordChannel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DiscordChannel")
            .field("name", &self.name)
            .field("api", &self.api)
            .finish_non_exhaustive()
    }
}

/// What is looked at of a message that was sent; whatever else Discord adds cannot make it unsent.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Sent {
    pub(crate) id: MessageId,
    pub(crate) channel_id: ChannelId,
}

impl Sent {
    pub(crate) fn posted(self) -> PostedMessage {
        PostedMessage {
            message: message_ref(self.channel_id, self.id),
            placed: placed(self.id.get()),
        }
    }
}

impl DiscordChannel {
    /// A channel for this bot; makes no call yet. What it knows of the bot itself it learns when it begins to listen.
    ///
    /// # Errors
    /// [`BadConfig`] where token or address cannot be right.
    pub fn new(
        name: ChannelName,
        config: &DiscordConfig,
        clock: Arc<dyn Clock>,
        chance: Arc<dyn Chance>,
    ) -> Result<Self, BadConfig> {
        Ok(Self {
            name,
            api: Api::new(config, Arc::clone(&clock))?,
            known: Known::default(),
            clock,
            chance,
        })
    }

    /// The conversation with this person; opens it, which shows nothing to them.
    pub(crate) async fn direct(&self, user: UserId) -> Result<ChannelId, Failure> {
        let opened = self.known.places().direct(user);
        if let Some(channel) = opened {
            return Ok(channel);
        }
        let body = render::recipient(user);
        let channel: Named<ChannelId> = self.api.send(Route::OpenDirect, &body).await?;
        self.known.places().opened(user, channel.id);
        Ok(channel.id)
    }

    /// Sends one message, without buttons where they are refused: the question can still be answered by typing.
    async fn send(&self, to: ChannelId, what: &Message, rings: bool, nonce: &str) -> Result<Sent, Failure> {
        let body = render::message(what, rings, nonce);
        let sent = self.api.send(Route::Send(to), &body).await;
        let Err(failure) = &sent else { return sent };
        if failure.cause() != Some(Cause::Controls) {
            return sent;
        }
        tracing::warn!(channel = %self.name, error = %failure, "buttons refused");
        let plain = body.components(Vec::new());
        self.api.send(Route::Send(to), &plain).await
    }

    async fn post_all(&self, to: Place, what: &Presentation, key: &PostKey) -> Result<Posted, ChannelError> {
        let to = match to {
            Place::Channel(channel) => channel,
            Place::Person(user) => self.direct(user).await.map_err(channel_error)?,
        };
        let mut sent: Vec<Sent> = Vec::with_capacity(what.messages.len());
        let last = what.messages.len().saturating_sub(1);
        for (n, message) in what.messages.iter().enumerate() {
            let nonce = limits::nonce(key, n);
            if let Some(one) = self.known.sent_with(&nonce) {
                // An attempt before this one was carried out, whatever its answer was.
                sent.push(one);
                continue;
            }
            loop {
                // One ring for one ask: when all of it is there.
                match self.send(to, message, what.rings && n == last, &nonce).await {
                    Ok(one) => {
                        self.known.talks().begin(one.channel_id, one.id);
                        sent.push(one);
                        break;
                    }
                    // In the middle it is waited for: the whole again would come to the same limit at the same part.
                    Err(Failure::Throttled(pause)) if n > 0 => self.pause(pause).await,
                    Err(failure) => return Err(self.half_done(&sent, failure).await),
                }
            }
        }
        let Some(first) = sent.first() else {
            return Err(ChannelError::Unsupported("show nothing"));
        };
        Ok(Posted {
            at: Place::Channel(first.channel_id).address(&self.name),
            messages: sent.iter().map(|one| one.posted()).collect(),
        })
    }

    /// A part of a presentation could not be sent. Where it will be tried again, those before it stay: under the same
    /// keys they are not shown twice. Where it will not, they are taken back.
    async fn half_done(&self, sent: &[Sent], failure: Failure) -> ChannelError {
        let error = channel_error(failure);
        if matches!(
            error,
            ChannelError::Unclear { .. } | ChannelError::Throttled { .. } | ChannelError::Refused(_)
        ) {
            return error;
        }
        for one in sent {
            let delete = Route::Delete(one.channel_id, one.id);
            if let Err(failure) = self.api.ask::<IgnoredAny>(delete).await {
                tracing::warn!(channel = %self.name, error = %failure, "half a prompt stays");
            }
        }
        error
    }

    /// The message whose buttons carry this token, among those since.
    async fn standing(
        &self,
        place: Place,
        token: ActionToken,
        since: Timestamp,
    ) -> Result<Option<Posted>, ChannelError> {
        let to = match place {
            Place::Channel(channel) => channel,
            Place::Person(user) => self.direct(user).await.map_err(channel_error)?,
        };
        let mut after = made_before(since);
        for _ in 0..limits::PAGES {
            let page: Vec<Value> = self
                .api
                .ask(Route::After(to, after))
                .await
                .map_err(channel_error)?;
            let sent = |message: &Value| Sent::deserialize(message).ok();
            if let Some(found) = page.iter().find(|message| carries(message, token)).and_then(sent) {
                self.known.talks().begin(found.channel_id, found.id);
                return Ok(Some(Posted {
                    at: Place::Channel(to).address(&self.name),
                    messages: vec![found.posted()],
                }));
            }
            // The newest comes first.
            match page.first().and_then(sent) {
                Some(newest) if page.len() >= limits::PAGE => after = newest.id,
                _ => break,
            }
        }
        Ok(None)
    }

    pub(crate) async fn pause(&self, pause: Duration) {
        let until = limits::later(self.clock.now(), pause);
        self.clock.sleep_until(until).await;
    }
}

/// The token that the buttons of a presentation carry.
fn token(what: &Presentation) -> Option<ActionToken> {
    let Controls::Buttons(rows) = &what.messages.last()?.controls else {
        return None;
    };
    rows.iter().flatten().map(|button| button.payload.token).next()
}

/// Whether a message, as Discord tells it, has a button with this token.
fn carries(message: &Value, token: ActionToken) -> bool {
    let components = |of: &Value| of["components"].as_array().cloned().unwrap_or_default();
    components(message)
        .iter()
        .flat_map(components)
        .filter_map(|button| Payload::parse(button["custom_id"].as_str()?))
        .any(|payload| payload.token == token)
}

#[async_trait]
impl Channel for DiscordChannel {
    fn name(&self) -> &ChannelName {
        &self.name
    }

    fn parse_address(&self, local: &str) -> Result<Address, BadAddress> {
        Ok(Place::parse(local)?.address(&self.name))
    }

    fn capabilities(&self, to: &Address) -> Capabilities {
        let direct = match Place::parse(&to.local) {
            Ok(Place::Person(_)) => true,
            Ok(Place::Channel(channel)) => self.known.places().kind(channel) == Some(Kind::Direct),
            Err(_) => false,
        };
        let hears_groups = self.known.me().is_some_and(|me| me.hears_groups);
        limits::capabilities(direct, hears_groups)
    }

    async fn post(&self, to: &Address, what: &Presentation, key: &PostKey) -> Result<Posted, ChannelError> {
        let place = Place::parse(&to.local).map_err(|error| ChannelError::Unreachable(error.into()))?;
        timeout(limits::POST, self.post_all(place, what, key))
            .await
            .unwrap_or_else(|elapsed| {
                Err(ChannelError::Unclear {
                    maybe_done: true,
                    source: elapsed.into(),
                })
            })
    }

    /// Discord forgets a nonce after a few minutes and does not tell it of a message; but our buttons name their ask, and
    /// stand below the last message of a prompt. That one is found: only it can look alive.
    async fn find(
        &self,
        to: &Address,
        what: &Presentation,
        _: &PostKey,
        since: Timestamp,
    ) -> Result<Option<Posted>, ChannelError> {
        let place = Place::parse(&to.local).map_err(|error| ChannelError::Unreachable(error.into()))?;
        let Some(token) = token(what) else {
            return Ok(None);
        };
        timeout(limits::POST, self.standing(place, token, since))
            .await
            .unwrap_or_else(|elapsed| {
                Err(ChannelError::Unclear {
                    maybe_done: false,
                    source: elapsed.into(),
                })
            })
    }

    async fn edit(&self, at: &MessageRef, what: &Message) -> Result<(), ChannelError> {
        let Some((channel, message)) = message_of(at) else {
            return Err(ChannelError::Gone);
        };
        let body = render::edit(what);
        let mut waits = limits::EDIT_WAITS;
        loop {
            let edit = Route::Edit(channel, message);
            let Err(failure) = self.api.send::<_, IgnoredAny>(edit, &body).await else {
                return Ok(());
            };
            match failure.cause() {
                Some(Cause::Throttled(pause)) if pause <= waits => {
                    waits -= pause;
                    self.pause(pause).await;
                }
                // A new message wakes the thread up again, unless it is locked.
                Some(Cause::Archived) => return Err(ChannelError::Gone),
                _ => return Err(channel_error(failure)),
            }
        }
    }

    fn deaf_after(&self) -> Duration {
        limits::DEAF
    }

    async fn listen(&self, inbox: &dyn Inbox, stop: CancellationToken) -> Result<(), ChannelError> {
        listen(self, inbox, stop).await
    }

    async fn doctor(&self, places: &[Address]) -> Vec<Finding> {
        doctor(self, places).await
    }
}
