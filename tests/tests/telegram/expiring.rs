//! A question whose time is over, on a clock that the story moves: the shortest a real one lasts is 30 seconds.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use askd_channel_telegram::{TelegramChannel, TelegramConfig};
use askd_core::broker::Settings;
use askd_store_sqlite::Options;
use askd_testkit::{
    chance::SeededChance,
    channel_suite::{Place, Platform as _, Who},
    clock::TestClock,
    telegram::{Connection, TelegramPlatform},
};

use super::{bench::deploy, transcript::readable};
use crate::inside::World;

/// A Telegram with a channel to it, as the program makes one.
pub(crate) async fn world() -> World<TelegramPlatform> {
    // The program does it itself; here nobody else would.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let clock = TestClock::new();
    let connect = |connection: Connection| {
        let config = TelegramConfig {
            token: connection.token.into(),
            api_url: Some(connection.api_url),
        };
        let chance = Arc::new(SeededChance::new(7));
        let channel = TelegramChannel::new(connection.name, &config, connection.clock, chance).unwrap();
        Arc::new(channel) as _
    };
    World::on(TelegramPlatform::start(clock.clone(), connect).await, clock)
}

/// Asks, lets the time pass, and taps afterwards. Returns what it cost before the tap.
async fn expire(world: &World<TelegramPlatform>) -> BTreeMap<String, usize> {
    let askd = world.start(Options::default(), Settings::default()).await;
    let ask = askd.ask(&deploy()).await;
    askd.until(ask, |record| record.deliveries[0].is_delivered())
        .await;
    let seen = world.platform.seen(Place::Direct(Who::Sara));
    let button = seen[0].buttons[0].clone();

    world.clock.advance(Duration::from_mins(15));

    let record = askd.until(ask, |record| record.ask.outcome().is_some()).await;
    assert_eq!(record.ask.status(), "expired");
    world.sara_reads("Closed: no answer came in time").await;
    let costs = world.platform.fake().counts();
    world.platform.press(Who::Sara, &button);
    let answered = || (!world.platform.told(Who::Sara).is_empty()).then_some(());
    world
        .platform
        .fake()
        .until("an answer to the tap", answered)
        .await;
    costs
}

#[tokio::test]
async fn at_the_deadline_the_buttons_go_and_who_taps_too_late_is_told() {
    let world = world().await;

    expire(&world).await;

    assert_eq!(world.platform.violations(), [""; 0]);
    insta::assert_snapshot!(readable(&world.platform.fake().transcript()));
}

/// How often each method was called for an ask that nobody answered.
pub(crate) async fn costs() -> BTreeMap<String, usize> {
    let mut costs = expire(&world().await).await;
    costs.retain(|method, _| !matches!(method.as_str(), "getUpdates" | "getMe" | "setMyCommands"));
    costs
}
