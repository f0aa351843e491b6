//! The dispatcher of pushes: wakes the browsers of those who may answer.
//!
//! A push is a delivery at the address of a subscription, so that it survives a kill and is tried again like any other.
//! What a push service takes over counts as shown. There is nothing to plan and nothing to edit: a push says only that
//! something waits.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::{DispatchError, claims::Claims};
use crate::{
    channel::{ChannelError, Posted, PostedMessage},
    clock::{Chance, Clock},
    id::{Address, ChannelName, MessageRef, PostKey},
    push::{Push, PushSender, SubscriptionId},
    store::{Failure, PutBack, Store, Task, Work},
};

/// Carries out the deliveries to browsers that are woken.
#[derive(Debug)]
pub struct Pusher {
    claims: Claims,
    sender: Arc<dyn PushSender>,
}

impl Pusher {
    /// A dispatcher that pushes with `sender`; starts nothing.
    #[must_use]
    pub fn new(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        chance: Arc<dyn Chance>,
        sender: Arc<dyn PushSender>,
    ) -> Self {
        let channel = ChannelName::new(Address::PUSH);
        Self {
            claims: Claims::new(store, clock, chance, channel),
            sender,
        }
    }

    /// Works until `stop`, as [`Dispatcher::run`](super::Dispatcher::run) does.
    ///
    /// # Errors
    /// [`DispatchError::Store`].
    pub async fn run(&self, stop: &CancellationToken) -> Result<(), DispatchError> {
        self.claims.work(stop, |task| self.carry_out(task)).await
    }

    async fn carry_out(&self, task: Task) -> Result<(), DispatchError> {
        match task.work {
            Work::Post => self.push(&task).await,
            // Nothing of a push stands anywhere: what is over wakes nobody.
            Work::Find => {
                let (ask, delivery) = (task.ask.id, task.delivery.id);
                let (how, now) = (PutBack::GiveUp(Failure::Unreachable), self.claims.clock.now());
                self.claims.store.put_back(ask, delivery, how, now).await?;
                Ok(())
            }
            // Only what was stored by an askd without pushes can ask for it.
            Work::Settle => {
                let (ask, delivery) = (task.ask.id, task.delivery.id);
                Ok(self.claims.store.settled(ask, delivery, None).await?)
            }
        }
    }

    async fn push(&self, task: &Task) -> Result<(), DispatchError> {
        let (store, to) = (&self.claims.store, &task.delivery.to);
        let id = SubscriptionId::new(to.local.as_str());
        // Looked up at the last moment: who has signed out meanwhile is not woken.
        let Some(found) = store.subscription(&id, self.claims.clock.now()).await? else {
            let gone = ChannelError::Unreachable("signed out or unsubscribed".into());
            return self.give_up(task, &gone).await;
        };
        let push = Push {
            until: task.ask.deadline,
            topic: PostKey::prompt(task.delivery.id),
        };
        match self.sender.push(&found.browser, push).await {
            Ok(()) => {
                let message = MessageRef::new(task.delivery.id.to_string());
                let posted = Posted {
                    at: to.clone(),
                    messages: vec![PostedMessage {
                        message,
                        placed: None,
                    }],
                };
                self.claims.record(task, &posted).await?;
                tracing::info!(ask.id = %task.ask.id, "push accepted");
                Ok(())
            }
            Err(gone @ ChannelError::Unreachable(_)) => {
                store.drop_subscription(&id).await?;
                self.give_up(task, &gone).await
            }
            Err(error) => self.claims.put_back(task, error).await,
        }
    }

    async fn give_up(&self, task: &Task, why: &ChannelError) -> Result<(), DispatchError> {
        let how = PutBack::GiveUp(Failure::Unsubscribed);
        self.claims.end(task, how, why).await
    }
}
