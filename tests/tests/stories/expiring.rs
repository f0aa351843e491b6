//! A question whose time is over, on a clock that the story moves: the shortest a real one lasts is 30 seconds.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use askd_core::broker::Settings;
use askd_store_sqlite::Options;
use askd_testkit::{
    channel_suite::{Place, SeenMessage, Who, world::bare},
    clock::TestClock,
};

use crate::{
    inside::{Inside, World, agent},
    stage::{Scenery, Telling, deploy, readable, runtime, stories},
};

const SARA: Place = Place::Direct(Who::Sara);

stories! {
    at_the_deadline_the_buttons_go_and_who_taps_too_late_is_told,
}

fn at_the_deadline_the_buttons_go_and_who_taps_too_late_is_told(telling: &Telling) {
    runtime().block_on(async {
        let (platform, world) = world(*telling).await;
        let askd = world.start(Options::default(), Settings::default()).await;

        let shown = expire(&askd, &world, &platform).await;
        let before = platform.seen(SARA).len();
        platform.press(Who::Sara, &shown.buttons[0]);

        let told = || {
            let seen = platform.seen(SARA).into_iter().skip(before).map(|seen| seen.text);
            let mut told = platform.told(Who::Sara).into_iter().chain(seen);
            told.any(|told| bare(&told).contains("no answer came in time"))
                .then_some(())
        };
        world.until("what the tap is answered with", told).await;
        assert_eq!(platform.violations(), [""; 0]);
        telling.golden(&readable(&platform.transcript()));
    });
}

/// How often each method was called for an ask that nobody answered, after the first.
pub(super) fn costs(telling: Telling) -> BTreeMap<String, usize> {
    runtime().block_on(async {
        let (platform, world) = world(telling).await;
        let askd = world.start(Options::default(), Settings::default()).await;
        let first = askd.ask(&deploy()).await;
        askd.until(first, |record| record.deliveries[0].is_delivered())
            .await;
        askd.broker.cancel(&agent(), first).await.unwrap();
        askd.until(first, |record| record.deliveries[0].status() == "settled")
            .await;
        // Platforms want messages to follow each other slowly.
        world.clock.advance(Duration::from_mins(1));
        let before = platform.counts();

        expire(&askd, &world, &platform).await;

        since(&before, platform.counts())
    })
}

async fn world(telling: Telling) -> (Arc<dyn Scenery>, World) {
    // The program does it itself; here nobody else would.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let clock = TestClock::new();
    let platform = telling.start(clock.clone()).await;
    (platform.clone(), World::on(platform, clock))
}

/// Asks, and lets the time pass. Returns the message as it was before.
async fn expire(askd: &Inside, world: &World, platform: &Arc<dyn Scenery>) -> SeenMessage {
    let ask = askd.ask(&deploy()).await;
    askd.until(ask, |record| record.deliveries[0].is_delivered())
        .await;
    let shown = platform.seen(SARA).pop().unwrap();
    // A platform that waits for us waits by the same clock.
    world.until("rest", || platform.rests().then_some(())).await;

    world.clock.advance(Duration::from_mins(15));

    let record = askd
        .until(ask, |record| record.deliveries[0].status() == "settled")
        .await;
    assert_eq!(record.ask.status(), "expired");
    world.sara_reads("Closed: no answer came in time").await;
    shown
}

/// The calls of `after` that came on top of `before`.
pub(super) fn since(
    before: &BTreeMap<String, usize>,
    mut after: BTreeMap<String, usize>,
) -> BTreeMap<String, usize> {
    for (method, count) in &mut after {
        *count -= before.get(method).copied().unwrap_or(0);
    }
    after.retain(|_, count| *count > 0);
    after
}
