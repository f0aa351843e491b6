//! The channel's side of the seam: thin, and nothing of Slack's JSON.

use std::{collections::BTreeMap, fmt, sync::Arc, time::Duration};

use askd_core::{
    channel::{BadAddress, Channel, ChannelError, Finding, Posted, PostedMessage},
    clock::{Chance, Clock},
    id::{Address, ChannelName, MessageRef, PostKey},
    inbound::Inbox,
    present::{Capabilities, Message, Presentation},
};
use async_trait::async_trait;
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::{
    api::{
        Api,
        history::{self, Since},
    },
    config::{BadConfig, SlackConfig},
    doctor::doctor,
    error::{Cause, Failure, channel_error},
    known::Known,
    limits,
    listen::listen,
    place::{Place, Ts, message_of, message_ref},
    render::{self, Blocks},
};

/// One Slack app in one workspace.
pub struct SlackChannel {
    pub(crate) name: ChannelName,
    pub(crate) api: Api,
    pub(crate) known: Known,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) chance: Arc<dyn Chance>,
}

impl fmt::Debug for SlackChannel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SlackChannel")
            .field("name", &self.name)
            .field("api", &self.api)
            .finish_non_exhaustive()
    }
}

/// What is looked at of a message that was sent; whatever else Slack adds cannot make it unsent.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Sent {
    pub(crate) channel: String,
    pub(crate) ts: Ts,
}

impl Sent {
    pub(crate) fn posted(&self) -> PostedMessage {
        PostedMessage {
            message: message_ref(&self.channel, &self.ts),
            placed: Some(self.ts.placed()),
        }
    }
}

impl SlackChannel {
    /// A channel for this app; makes no call yet. What it knows of the bot itself, such as its name, it learns when it
    /// begins to listen.
    ///
    /// # Errors
    /// [`BadConfig`] where a token or the address cannot be right.
    pub fn new(
        name: ChannelName,
        config: &SlackConfig,
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

    /// Where a person is written to: opens their direct conversation, which shows them nothing yet.
    async fn reach(&self, place: Place) -> Result<Place, Failure> {
        #[derive(Deserialize)]
        struct Opened {
            channel: Conversation,
        }
        #[derive(Deserialize)]
        struct Conversation {
            id: String,
        }
        if !place.is_person() {
            return Ok(place);
        }
        if let Some(known) = self.known.direct(&place.conversation) {
            return Ok(Place::conversation(known));
        }
        let person = place.conversation;
        let opened: Opened = self.api.ask("conversations.open", &[("users", &person)]).await?;
        self.known.reached_at(&person, &opened.channel.id);
        Ok(Place::conversation(opened.channel.id))
    }

    /// Sends one message, plain where its blocks are refused.
    async fn send(&self, to: &Place, what: &Message, name: &str) -> Result<Sent, Failure> {
        let mut with = Blocks::With;
        loop {
            let request = render::message(to, what, name, with);
            match self.api.call(&request, limits::CALL).await {
                Err(failure) if failure.cause() == Some(Cause::Blocks) && with == Blocks::With => {
                    tracing::warn!(channel = %self.name, error = %failure, "blocks refused");
                    with = Blocks::Without;
                }
                done => return done,
            }
        }
    }

    async fn post_all(&self, to: Place, what: &Presentation, key: &PostKey) -> Result<Posted, ChannelError> {
        let to = self.reach(to).await.map_err(channel_error)?;
        self.known.threads().learn(&to);
        let mut sent = match self.standing(&to, what, key).await {
            Ok(sent) => sent,
            Err(failure) => {
                // Not known yet, so it must be asked again.
                self.known.may_stand(key);
                return Err(channel_error(failure));
            }
        };
        for (part, message) in what.messages.iter().enumerate().skip(sent.len()) {
            match self.send(&to, message, &format!("{key}.{part}")).await {
                Ok(one) => sent.push(one),
                Err(failure) => return Err(self.half_done(&sent, failure).await),
            }
        }
        if sent.is_empty() {
            return Err(ChannelError::Unsupported("show nothing"));
        }
        Ok(Posted {
            at: to.address(&self.name),
            messages: sent.iter().map(Sent::posted).collect(),
        })
    }

    /// What stands already of a presentation whose earlier attempt got no answer. Slack has no key by which it shows a
    /// message once; but a message carries the names of its blocks, by which it is found again. Nothing, unless all of it
    /// stands: a part without the rest is taken back.
    async fn standing(&self, to: &Place, what: &Presentation, key: &PostKey) -> Result<Vec<Sent>, Failure> {
        if !self.known.might_stand(key) {
            return Ok(Vec::new());
        }
        self.standing_since(to, what, key, self.clock.now()).await
    }

    /// The same, of a post that was made not long before `since` or after it.
    async fn standing_since(
        &self,
        to: &Place,
        what: &Presentation,
        key: &PostKey,
        since: Timestamp,
    ) -> Result<Vec<Sent>, Failure> {
        let past = history::read(self, to, &Since::Lately(since)).await?;
        let mut found = BTreeMap::new();
        for message in past {
            if let Some((part, sent)) = part_of(&message, to, key) {
                found.insert(part, sent);
            }
        }
        let sent: Vec<Sent> = found.into_values().collect();
        if sent.len() == what.messages.len() {
            tracing::info!(channel = %self.name, messages = sent.len(), "post found again");
            return Ok(sent);
        }
        self.take_back(&sent).await;
        Ok(Vec::new())
    }

    /// A part of a presentation could not be sent. Those before it are taken back, so that a second attempt shows the
    /// whole once; only where that fails, or the part may stand all the same, something may be there twice.
    async fn half_done(&self, sent: &[Sent], failure: Failure) -> ChannelError {
        let all_gone = self.take_back(sent).await;
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

    /// Deletes messages; returns whether all are gone.
    async fn take_back(&self, sent: &[Sent]) -> bool {
        let mut all_gone = true;
        for one in sent {
            let request = render::delete(&one.channel, &one.ts);
            all_gone &= self.api.call::<_, Value>(&request, limits::CALL).await.is_ok();
        }
        all_gone
    }
}

/// Which part of the post by this key a message is.
fn part_of(message: &Value, to: &Place, key: &PostKey) -> Option<(usize, Sent)> {
    let block = message["blocks"][0]["block_id"].as_str()?;
    let (part, _) = block
        .strip_prefix(&key.to_string())?
        .strip_prefix('.')?
        .split_once('.')?;
    let sent = Sent {
        channel: to.conversation.clone(),
        ts: Ts::parse(message["ts"].as_str()?)?,
    };
    Some((part.parse().ok()?, sent))
}

#[async_trait]
impl Channel for SlackChannel {
    fn name(&self) -> &ChannelName {
        &self.name
    }

    fn parse_address(&self, local: &str) -> Result<Address, BadAddress> {
        Ok(Place::parse(local)?.address(&self.name))
    }

    fn capabilities(&self, to: &Address) -> Capabilities {
        let place = Place::parse(&to.local);
        let is = |what: fn(&Place) -> bool| place.as_ref().is_ok_and(what);
        limits::capabilities(is(Place::is_direct), is(|place| place.thread.is_some()))
    }

    async fn post(&self, to: &Address, what: &Presentation, key: &PostKey) -> Result<Posted, ChannelError> {
        let place = Place::parse(&to.local).map_err(|error| ChannelError::Unreachable(error.into()))?;
        let posted = timeout(limits::POST, self.post_all(place, what, key))
            .await
            .unwrap_or_else(|elapsed| {
                Err(ChannelError::Unclear {
                    maybe_done: true,
                    source: elapsed.into(),
                })
            });
        if let Err(ChannelError::Unclear { maybe_done: true, .. }) = &posted {
            self.known.may_stand(key);
        }
        posted
    }

    async fn find(
        &self,
        to: &Address,
        what: &Presentation,
        key: &PostKey,
        since: Timestamp,
    ) -> Result<Option<Posted>, ChannelError> {
        let place = Place::parse(&to.local).map_err(|error| ChannelError::Unreachable(error.into()))?;
        let find = async {
            let to = self.reach(place).await?;
            let sent = self.standing_since(&to, what, key, since).await?;
            Ok((to, sent))
        };
        let found: Result<_, Failure> =
            timeout(limits::POST, find)
                .await
                .map_err(|elapsed| ChannelError::Unclear {
                    maybe_done: false,
                    source: elapsed.into(),
                })?;
        let (to, sent) = found.map_err(channel_error)?;
        Ok((!sent.is_empty()).then(|| Posted {
            at: to.address(&self.name),
            messages: sent.iter().map(Sent::posted).collect(),
        }))
    }

    async fn edit(&self, at: &MessageRef, what: &Message) -> Result<(), ChannelError> {
        let Some((conversation, ts)) = message_of(at) else {
            return Err(ChannelError::Gone);
        };
        let mut with = Blocks::With;
        loop {
            let request = render::edit(conversation, &ts, what, with);
            let Err(failure) = self.api.call::<_, Value>(&request, limits::CALL).await else {
                return Ok(());
            };
            match failure.cause() {
                Some(Cause::Blocks) if with == Blocks::With => with = Blocks::Without,
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
