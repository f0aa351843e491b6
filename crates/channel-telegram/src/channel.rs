//! The channel's side of the seam: thin, and nothing of Telegram's prose or JSON.

use std::{fmt, sync::Arc, time::Duration};

use askd_core::{
    channel::{BadAddress, Channel, ChannelError, Finding, Posted, PostedMessage},
    clock::{Chance, Clock},
    id::{Address, ChannelName, MessageRef, PostKey},
    inbound::{Inbox, Placed},
    present::{Capabilities, Message, Presentation},
};
use async_trait::async_trait;
use serde::Deserialize;
use serde_json::Value;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::{
    api::Api,
    config::{BadConfig, TelegramConfig},
    doctor::doctor,
    error::{Cause, Failure, channel_error},
    known::Known,
    limits,
    listen::listen,
    place::{Place, message_of, message_ref},
    render::{self, Styles},
};

/// One Telegram bot.
pub struct TelegramChannel {
    pub(crate) name: ChannelName,
    pub(crate) api: Api,
    pub(crate) known: Known,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) chance: Arc<dyn Chance>,
}

impl fmt::Debug for TelegramChannel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TelegramChannel")
            .field("name", &self.name)
            .field("api", &self.api)
            .finish_non_exhaustive()
    }
}

/// What is looked at of a message that was sent; whatever else Telegram adds cannot make it unsent.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Sent {
    pub(crate) message_id: i32,
    pub(crate) chat: SentChat,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct SentChat {
    pub(crate) id: i64,
}

impl Sent {
    pub(crate) fn posted(self) -> PostedMessage {
        PostedMessage {
            message: message_ref(self.chat.id, self.message_id),
            placed: Some(Placed(i64::from(self.message_id))),
        }
    }
}

impl TelegramChannel {
    /// A channel for this bot; makes no call yet. What it knows of the bot itself, such as its name, it learns when it
    /// begins to listen.
    ///
    /// # Errors
    /// [`BadConfig`] where token or address cannot be right.
    pub fn new(
        name: ChannelName,
        config: &TelegramConfig,
        clock: Arc<dyn Clock>,
        chance: Arc<dyn Chance>,
    ) -> Result<Self, BadConfig> {
        Ok(Self {
            name,
            api: Api::new(config)?,
            known: Known::default(),
            clock,
            chance,
        })
    }

    /// Sends one message, plain where its styles are refused, and to where its group has moved.
    async fn send(&self, to: Place, what: &Message, rings: bool) -> Result<Sent, Failure> {
        let mut to = Place {
            chat: self.known.moved().now(to.chat),
            ..to
        };
        let mut styles = Styles::With;
        loop {
            let payload = render::message(to, what, rings, styles);
            let failure = match self.api.call(&payload, limits::CALL).await {
                Ok(sent) => return Ok(sent),
                Err(failure) => failure,
            };
            match failure.cause() {
                Some(Cause::Markup) if styles == Styles::With => {
                    tracing::warn!(channel = %self.name, error = %failure, "styles refused");
                    styles = Styles::Without;
                }
                Some(Cause::Moved(new)) if new != to.chat => {
                    tracing::info!(channel = %self.name, "group has moved");
                    self.known.moved().learn(to.chat, new);
                    to = Place::chat(new);
                }
                _ => return Err(failure),
            }
        }
    }

    async fn post_all(&self, to: Place, what: &Presentation) -> Result<Posted, ChannelError> {
        let mut sent: Vec<Sent> = Vec::with_capacity(what.messages.len());
        let last = what.messages.len().saturating_sub(1);
        for (n, message) in what.messages.iter().enumerate() {
            // One ring for one ask: when all of it is there.
            match self.send(to, message, what.rings && n == last).await {
                Ok(one) => sent.push(one),
                Err(failure) => return Err(self.half_done(&sent, failure).await),
            }
        }
        let Some(first) = sent.first() else {
            return Err(ChannelError::Unsupported("show nothing"));
        };
        self.known.moved().posted(first.chat.id);
        let moved = first.chat.id != to.chat;
        let at = Place {
            chat: first.chat.id,
            topic: to.topic.filter(|_| !moved),
        };
        Ok(Posted {
            at: at.address(&self.name),
            messages: sent.iter().map(|one| one.posted()).collect(),
        })
    }

    /// A part of a presentation could not be sent. Those before it are taken back, so that a second attempt shows the
    /// whole once; only where that fails, or the part may stand all the same, something may be there twice.
    async fn half_done(&self, sent: &[Sent], failure: Failure) -> ChannelError {
        let mut all_gone = true;
        for one in sent {
            let payload = render::delete(one.chat.id, one.message_id);
            let deleted = self.api.call::<_, Value>(&payload, limits::CALL).await;
            all_gone &= deleted.is_ok();
        }
        match channel_error(failure) {
            ChannelError::Throttled { .. } if !all_gone => ChannelError::Unclear {
                maybe_done: true,
                source: "a part of the prompt is out".into(),
            },
            ChannelError::Unclear { maybe_done, source } => ChannelError::Unclear {
                maybe_done: maybe_done || !all_gone,
                source,
            },
            other => other,
        }
    }
}

#[async_trait]
impl Channel for TelegramChannel {
    fn name(&self) -> &ChannelName {
        &self.name
    }

    fn parse_address(&self, local: &str) -> Result<Address, BadAddress> {
        Ok(Place::parse(local)?.address(&self.name))
    }

    fn capabilities(&self, to: &Address) -> Capabilities {
        let direct = Place::parse(&to.local).is_ok_and(Place::is_direct);
        let hears_groups = self.known.me().is_some_and(|me| me.hears_groups);
        limits::capabilities(direct, hears_groups)
    }

    fn pairing_link(&self, code: &str) -> Option<String> {
        let me = self.known.me()?;
        Some(format!("https://t.me/{}?start={code}", me.username))
    }

    async fn post(&self, to: &Address, what: &Presentation, _key: &PostKey) -> Result<Posted, ChannelError> {
        let place = Place::parse(&to.local).map_err(|error| ChannelError::Unreachable(error.into()))?;
        timeout(limits::POST, self.post_all(place, what))
            .await
            .unwrap_or_else(|elapsed| {
                Err(ChannelError::Unclear {
                    maybe_done: true,
                    source: elapsed.into(),
                })
            })
    }

    async fn edit(&self, at: &MessageRef, what: &Message) -> Result<(), ChannelError> {
        let Some((chat, message)) = message_of(at) else {
            return Err(ChannelError::Gone);
        };
        let mut styles = Styles::With;
        loop {
            let payload = render::edit(chat, message, what, styles);
            let Err(failure) = self.api.call::<_, Value>(&payload, limits::CALL).await else {
                return Ok(());
            };
            match failure.cause() {
                Some(Cause::Unchanged) => return Ok(()),
                Some(Cause::Markup) if styles == Styles::With => styles = Styles::Without,
                Some(Cause::Moved(new)) => {
                    self.known.moved().learn(chat, new);
                    return Err(ChannelError::Gone);
                }
                // What stands in a group that has moved cannot be changed, however Telegram puts it.
                Some(Cause::Unreachable) if self.known.moved().has_left(chat) => {
                    return Err(ChannelError::Gone);
                }
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
