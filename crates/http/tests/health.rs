//! Probes.

use std::sync::Arc;

use askd_core::{
    broker::ChannelHealth,
    channel::{BadAddress, Channel, ChannelError, Posted},
    id::{Address, ChannelName, MessageRef, PostKey},
    inbound::Inbox,
    present::{Capabilities, Message, Presentation},
};
use askd_http::HttpOptions;
use async_trait::async_trait;
use axum::http::StatusCode;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::world::World;

/// A channel that is only there.
#[derive(Debug)]
struct Silent(ChannelName);

#[async_trait]
impl Channel for Silent {
    fn name(&self) -> &ChannelName {
        &self.0
    }

    fn parse_address(&self, local: &str) -> Result<Address, BadAddress> {
        Ok(Address::new(self.0.clone(), local))
    }

    fn capabilities(&self, _: &Address) -> Capabilities {
        Capabilities::plain_text()
    }

    async fn post(&self, _: &Address, _: &Presentation, _: &PostKey) -> Result<Posted, ChannelError> {
        Err(ChannelError::Unsupported("post"))
    }

    async fn edit(&self, _: &MessageRef, _: &Message) -> Result<(), ChannelError> {
        Err(ChannelError::Unsupported("edit"))
    }

    async fn listen(&self, _: &dyn Inbox, stop: CancellationToken) -> Result<(), ChannelError> {
        stop.cancelled().await;
        Ok(())
    }
}

fn with_channels(names: &[&str]) -> World {
    let channels = names
        .iter()
        .map(|name| Arc::new(Silent(ChannelName::new(*name))) as Arc<dyn Channel>);
    World::built(HttpOptions::default(), channels.collect())
}

#[tokio::test]
async fn a_process_that_answers_is_alive_whatever_else_is_wrong() {
    let world = World::new();
    world.store.set_broken(true);
    world.stop.cancel();

    let answer = world.get("/healthz").send().await;

    assert_eq!(
        (answer.status, answer.body),
        (StatusCode::OK, json!({ "status": "ok" }))
    );
}

#[tokio::test]
async fn ready_means_that_the_store_answers_and_every_channel_is_up() {
    let world = with_channels(&["discord", "telegram"]);
    world
        .broker
        .channel_is(&ChannelName::new("discord"), ChannelHealth::Up);
    world
        .broker
        .channel_is(&ChannelName::new("telegram"), ChannelHealth::Up);

    let answer = world.get("/readyz").send().await;

    let expected = json!({ "ready": true, "store": "up", "channels": [
        { "name": "discord", "state": "up", "reason": null },
        { "name": "telegram", "state": "up", "reason": null },
    ] });
    assert_eq!((answer.status, answer.body), (StatusCode::OK, expected));
}

#[tokio::test]
async fn what_is_wanting_is_listed() {
    let world = with_channels(&["discord", "slack", "telegram"]);
    world
        .broker
        .channel_is(&ChannelName::new("discord"), ChannelHealth::Up);
    world.broker.channel_is(
        &ChannelName::new("slack"),
        ChannelHealth::Down("the token was refused".to_owned()),
    );
    world.store.set_broken(true);

    let answer = world.get("/readyz").send().await;

    assert_eq!(
        (answer.status, answer.problem()),
        (StatusCode::SERVICE_UNAVAILABLE, "not-ready")
    );
    assert_eq!(
        answer.text("/detail"),
        "the store is not available; channel slack is down; channel telegram is starting"
    );
    let expected = json!({ "ready": false, "store": "down", "channels": [
        { "name": "discord", "state": "up", "reason": null },
        { "name": "slack", "state": "down", "reason": "the token was refused" },
        { "name": "telegram", "state": "starting", "reason": null },
    ] });
    assert_eq!(*answer.at("/checks"), expected);
}

#[tokio::test]
async fn who_is_about_to_stop_is_not_ready() {
    let world = World::new();
    world.stop.cancel();

    let answer = world.get("/readyz").send().await;

    assert_eq!(
        (answer.status, answer.text("/detail")),
        (StatusCode::SERVICE_UNAVAILABLE, "askd is stopping".to_owned())
    );
}
