//! The loop that shows asks.
//!
//! One dispatcher per channel, and one for pushes ([`push`]), claims due deliveries, plans what fits, calls the channel,
//! and records what came of it. One channel that is slow or down therefore delays no other; and because a claim is stored
//! and runs out, a process that dies in the middle is repeated, by itself or by another.
//!
//! An edit means "render this message again": it is planned from the ask as it is when the claim is made, and only
//! deliveries of asks that are over are ever edited, so a late retry cannot revive buttons.

pub mod backoff;
mod claims;
pub mod push;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use tokio::sync::{Mutex, watch};
use tokio_util::sync::CancellationToken;

use self::claims::Claims;
use crate::{
    channel::{Channel, ChannelError, Next, Posted},
    clock::{Chance, Clock},
    id::{Address, AskId, MessageRef, PostKey},
    people::Directory,
    present::{self, Presentation, Reader},
    store::{Delivery, Failure, PutBack, Store, StoreError, Task, Work},
};

/// Carries out the deliveries of one channel.
#[derive(Debug)]
pub struct Dispatcher {
    claims: Claims,
    channel: Arc<dyn Channel>,
    directory: watch::Receiver<Arc<Directory>>,
    public_url: Option<String>,
    /// When each conversation may next be posted to, for channels that have a pace: the time that will have passed
    /// ([`Clock::passed`]), which no clock that is set changes.
    next_post: Mutex<BTreeMap<Address, Duration>>,
}

/// Why a dispatcher stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DispatchError {
    /// The platform refused the channel's credentials. Whoever runs the dispatcher tells the broker
    /// ([`channel_stopped`](crate::broker::Broker::channel_stopped)), which gives the open deliveries up, and does not
    /// start it again before the operator has acted.
    #[error("the channel was stopped")]
    ChannelStopped(#[source] ChannelError),
    /// The store did not answer; start it again.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Dispatcher {
    /// A dispatcher for `channel`; starts nothing.
    #[must_use]
    pub fn new(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        chance: Arc<dyn Chance>,
        channel: Arc<dyn Channel>,
        directory: watch::Receiver<Arc<Directory>>,
        public_url: Option<String>,
    ) -> Self {
        let next_post = Mutex::new(BTreeMap::new());
        Self {
            claims: Claims::new(store, clock, chance, channel.name().clone()),
            channel,
            directory,
            public_url,
            next_post,
        }
    }

    /// Works until `stop`. Calls under way are then given three seconds; what is not done by then is dropped, and its
    /// claim runs out and is repeated after a restart.
    ///
    /// # Errors
    /// See [`DispatchError`].
    pub async fn run(&self, stop: &CancellationToken) -> Result<(), DispatchError> {
        self.claims.work(stop, |task| self.carry_out(task)).await
    }

    async fn carry_out(&self, task: Task) -> Result<(), DispatchError> {
        let done = match task.work {
            Work::Post => self.post(&task).await,
            Work::Find => self.find(&task).await,
            Work::Settle => self.settle(&task).await,
        };
        let Err(error) = done else { return Ok(()) };
        match error {
            Failed::Store(error) => Err(error.into()),
            Failed::Channel(error) => self.claims.put_back(&task, error).await,
        }
    }

    async fn post(&self, task: &Task) -> Result<(), Failed> {
        let delivery = &task.delivery;
        let what = self.plan(task).await?;
        if delivery.unclear
            && let Some(posted) = self.found(task, &what).await?
        {
            self.claims.record(task, &posted).await?;
            return Ok(());
        }
        let pace = self.channel.capabilities(&delivery.to).pace;
        self.wait_for_turn(&delivery.to, pace).await;
        let posted = self
            .channel
            .post(&delivery.to, &what, &PostKey::prompt(delivery.id))
            .await?;
        self.claims.record(task, &posted).await?;
        tracing::info!(
            ask.id = %task.ask.id,
            channel = %delivery.to.channel,
            messages = posted.messages.len(),
            "prompt shown"
        );
        Ok(())
    }

    async fn plan(&self, task: &Task) -> Result<Presentation, StoreError> {
        let to = self.channel.capabilities(&task.delivery.to);
        let link = link(self.public_url.as_deref(), task.ask.id);
        let reader = self.reader(&task.delivery).await?;
        Ok(present::plan(&task.ask, &to, &reader, link.as_deref()))
    }

    /// Looks for a prompt of an ask that is over. What is found is recorded, and so settled next.
    async fn find(&self, task: &Task) -> Result<(), Failed> {
        let what = self.plan(task).await?;
        if let Some(posted) = self.found(task, &what).await? {
            self.claims.record(task, &posted).await?;
        } else {
            let how = PutBack::GiveUp(Failure::Unreachable);
            let (ask, delivery) = (task.ask.id, task.delivery.id);
            let now = self.claims.clock.now();
            self.claims.store.put_back(ask, delivery, how, now).await?;
        }
        Ok(())
    }

    /// What stands of a post whose outcome nobody knows. Where the platform will not let us look, nothing is known of it.
    async fn found(&self, task: &Task, what: &Presentation) -> Result<Option<Posted>, ChannelError> {
        let (to, key) = (&task.delivery.to, PostKey::prompt(task.delivery.id));
        match self.channel.find(to, what, &key, task.ask.created_at).await {
            Err(error) if matches!(error.next(), Next::GiveUp | Next::FollowUp) => {
                tracing::warn!(
                    ask.id = %task.ask.id,
                    channel = %to.channel,
                    error = &error as &dyn std::error::Error,
                    "post cannot be looked for"
                );
                Ok(None)
            }
            found => found,
        }
    }

    async fn settle(&self, task: &Task) -> Result<(), Failed> {
        let delivery = &task.delivery;
        let at = delivery.conversation();
        let can = self.channel.capabilities(at);
        let follow_up = if can.edits {
            self.edit_all(task, at, &can).await?
        } else {
            // Whoever settled it here was told by the receipt of their own message.
            let by = task.ask.outcome().and_then(|outcome| outcome.end.by());
            by.is_none_or(|by| by.at != *at)
        };
        let posted = if follow_up {
            Some(self.follow_up(task, at, &can).await?)
        } else {
            None
        };
        self.claims
            .store
            .settled(task.ask.id, delivery.id, posted.as_ref())
            .await?;
        Ok(())
    }

    /// Edits every prompt message; returns whether a follow-up must say what an edit could not.
    async fn edit_all(&self, task: &Task, at: &Address, can: &present::Capabilities) -> Result<bool, Failed> {
        let reader = self.reader(&task.delivery).await?;
        let link = link(self.public_url.as_deref(), task.ask.id);
        let prompts: Vec<_> = task.delivery.prompts().collect();
        let settled = present::settled(&task.ask, at, can, &reader, link.as_deref(), prompts.len());
        let mut gone = false;
        for (prompt, what) in prompts.into_iter().zip(settled) {
            match self.channel.edit(&prompt.message, &what).await {
                Ok(()) => {}
                Err(error) if error.next() == Next::FollowUp => gone = true,
                Err(error @ ChannelError::Rejected { .. }) => {
                    tracing::warn!(
                        ask.id = %task.ask.id,
                        channel = %at.channel,
                        error = &error as &dyn std::error::Error,
                        "edit refused, a shorter one follows"
                    );
                    gone |= !self.edit_shortly(task, &prompt.message, at, can, &reader).await?;
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(gone)
    }

    /// Puts what a follow-up would say in the place of a prompt, which else would look alive: a short text may be taken
    /// where the whole was not. Returns whether all of it stands there.
    async fn edit_shortly(
        &self,
        task: &Task,
        prompt: &MessageRef,
        at: &Address,
        can: &present::Capabilities,
        reader: &Reader,
    ) -> Result<bool, Failed> {
        let what = present::follow_up(&task.ask, at, can, reader).messages;
        let Some(first) = what.first() else {
            return Ok(false);
        };
        match self.channel.edit(prompt, first).await {
            Ok(()) => Ok(what.len() == 1),
            Err(ChannelError::Rejected { .. }) => Ok(false),
            Err(error) if error.next() == Next::FollowUp => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    async fn follow_up(
        &self,
        task: &Task,
        at: &Address,
        can: &present::Capabilities,
    ) -> Result<Posted, Failed> {
        let reader = self.reader(&task.delivery).await?;
        let what = present::follow_up(&task.ask, at, can, &reader);
        self.wait_for_turn(at, can.pace).await;
        let posted = self
            .channel
            .post(at, &what, &PostKey::follow_up(task.delivery.id))
            .await?;
        Ok(posted)
    }

    async fn reader(&self, delivery: &Delivery) -> Result<Reader, StoreError> {
        let directory = Arc::clone(&self.directory.borrow());
        reader(delivery, self.claims.store.as_ref(), &directory).await
    }

    /// Keeps to the pace of a conversation. Only one task per conversation runs at a time, so nobody overtakes.
    async fn wait_for_turn(&self, at: &Address, pace: Option<present::Pace>) {
        let Some(pace) = pace else { return };
        let clock = &self.claims.clock;
        let pause = {
            let mut next = self.next_post.lock().await;
            let passed = clock.passed();
            next.retain(|_, turn| *turn > passed);
            let turn = next.get(at).copied().unwrap_or(passed);
            next.insert(at.clone(), turn + pace.same_address);
            turn.saturating_sub(passed)
        };
        clock.sleep_until(clock.now() + pause).await;
    }
}

/// Who reads at a delivery: person, route, platform, server, in this order. Of who reads at a place, a platform tells
/// nothing.
pub(crate) async fn reader(
    delivery: &Delivery,
    store: &dyn Store,
    directory: &Directory,
) -> Result<Reader, StoreError> {
    let mut language = delivery.language;
    if language.is_none() && delivery.person.is_some() {
        language = store.language_of(&delivery.to).await?;
    }
    Ok(directory.reader(delivery.person.as_ref(), language, delivery.zone()))
}

/// Where the panel shows this ask, if it is served to people.
pub(crate) fn link(public_url: Option<&str>, ask: AskId) -> Option<String> {
    public_url.map(|url| format!("{url}/ask/{ask}"))
}

/// Why an attempt did not do its work.
enum Failed {
    Channel(ChannelError),
    Store(StoreError),
}

impl From<ChannelError> for Failed {
    fn from(error: ChannelError) -> Self {
        Self::Channel(error)
    }
}

impl From<StoreError> for Failed {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}
