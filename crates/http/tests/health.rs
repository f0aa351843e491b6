//! Probes.

use std::{sync::Arc, time::Duration};

use askd_core::{
    channel::{BadAddress, Channel, ChannelError, Posted},
    id::{Address, ChannelName, MessageRef, PostKey},
    inbound::Inbox,
    present::{Capabilities, Message, Presentation},
    store::Store as _,
};
use askd_http::HttpOptions;
use askd_testkit::clock::START;
use async_trait::async_trait;
use axum::http::StatusCode;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::world::{Answer, World};

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

    fn deaf_after(&self) -> Duration {
        Duration::from_mins(1)
    }

    async fn listen(&self, _: &dyn Inbox, stop: CancellationToken) -> Result<(), ChannelError> {
        stop.cancelled().await;
        Ok(())
    }
}

pub(crate) fn with_channels(names: &[&str]) -> World {
    let channels = names
        .iter()
        .map(|name| Arc::new(Silent(ChannelName::new(*name))) as Arc<dyn Channel>);
    World::built(HttpOptions::default(), channels.collect())
}

fn hears(world: &World, channel: &str) {
    let channel = ChannelName::new(channel);
    world.broker.channel_listens(&channel, true);
    world.broker.heard_from(&channel);
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
    for name in ["discord", "telegram"] {
        hears(&world, name);
    }

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
    hears(&world, "discord");
    world
        .broker
        .channel_is_down(&ChannelName::new("slack"), "the token was refused");
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

#[tokio::test]
async fn a_channel_that_listens_and_hears_nothing_is_not_up() {
    let world = with_channels(&["telegram"]);
    world.broker.channel_listens(&ChannelName::new("telegram"), true);

    let at_first = world.get("/readyz").send().await;
    world.clock.advance(Duration::from_secs(61));
    let later = world.get("/readyz").send().await;

    let state = |answer: &Answer| answer.text("/checks/channels/0/state");
    assert_eq!(
        (at_first.status.as_u16(), state(&at_first)),
        (503, "starting".to_owned())
    );
    assert_eq!((later.status.as_u16(), state(&later)), (503, "deaf".to_owned()));
}

#[tokio::test]
async fn a_channel_that_heard_nothing_for_longer_than_its_limit_is_deaf_until_it_hears_again() {
    let world = with_channels(&["telegram"]);
    hears(&world, "telegram");
    world.clock.advance(Duration::from_mins(1));
    let within = world.get("/readyz").send().await;

    world.clock.advance(Duration::from_secs(15));
    let deaf = world.get("/readyz").send().await;
    world.broker.heard_from(&ChannelName::new("telegram"));
    let again = world.get("/readyz").send().await;

    assert_eq!((within.status.as_u16(), again.status.as_u16()), (200, 200));
    assert_eq!(deaf.text("/detail"), "channel telegram is deaf");
    assert_eq!(
        *deaf.at("/checks/channels/0"),
        json!({ "name": "telegram", "state": "deaf", "reason": "nothing was heard from the platform for 75 s" })
    );
}

#[tokio::test]
async fn a_clock_that_is_set_back_hides_no_silence() {
    let world = with_channels(&["telegram"]);
    hears(&world, "telegram");

    world.clock.set(START - Duration::from_hours(2));
    let at_once = world.get("/readyz").send().await;
    world.clock.advance(Duration::from_secs(61));
    let later = world.get("/readyz").send().await;

    assert_eq!((at_once.status.as_u16(), later.status.as_u16()), (200, 503));
}

#[tokio::test]
async fn the_store_is_written_to_at_most_every_five_seconds_however_often_somebody_looks() {
    let world = World::new();
    for _ in 0..3 {
        world.get("/readyz").send().await;
    }
    let written = world.store.tally().commits;

    world.clock.advance(Duration::from_secs(5));
    world.store.set_broken(true);
    let broken = world.get("/readyz").send().await;
    world.store.set_broken(false);
    let still = world.get("/readyz").send().await;
    world.clock.advance(Duration::from_secs(5));
    let again = world.get("/readyz").send().await;

    assert_eq!(written, 1);
    assert_eq!(
        (
            broken.status.as_u16(),
            still.status.as_u16(),
            again.status.as_u16()
        ),
        (503, 503, 200)
    );
}
