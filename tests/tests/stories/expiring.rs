//! A question whose time is over, on a clock that the story moves: the shortest a real one lasts is 30 seconds.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use askd_core::broker::Settings;
use askd_store_sqlite::Options;
use askd_testkit::{
    channel_suite::{Place, Who, world::bare},
    clock::TestClock,
};

use crate::{
    inside::World,
    stage::{Scenery, Telling, deploy, readable, runtime, stories},
};

stories! {
    at_the_deadline_the_buttons_go_and_who_taps_too_late_is_told,
}

fn at_the_deadline_the_buttons_go_and_who_taps_too_late_is_told(telling: &Telling) {
    runtime().block_on(async {
        let (platform, _) = expire(*telling).await;

        assert_eq!(platform.violations(), [""; 0]);
        telling.golden(&readable(&platform.transcript()));
    });
}

/// How often each method was called for an ask that nobody answered.
pub(super) fn costs(telling: Telling) -> BTreeMap<String, usize> {
    runtime().block_on(async { expire(telling).await.1 })
}

/// Asks, lets the time pass, and taps afterwards. Returns what it cost before the tap.
async fn expire(telling: Telling) -> (Arc<dyn Scenery>, BTreeMap<String, usize>) {
    // The program does it itself; here nobody else would.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let clock = TestClock::new();
    let platform = telling.start(clock.clone()).await;
    let world = World::on(platform.clone(), clock);
    let askd = world.start(Options::default(), Settings::default()).await;
    world.until("rest", || platform.rests().then_some(())).await;
    let before = platform.counts();
    let ask = askd.ask(&deploy()).await;
    askd.until(ask, |record| record.deliveries[0].is_delivered())
        .await;
    let seen = platform.seen(Place::Direct(Who::Sara));
    let button = seen[0].buttons[0].clone();

    world.clock.advance(Duration::from_mins(15));

    let record = askd.until(ask, |record| record.ask.outcome().is_some()).await;
    assert_eq!(record.ask.status(), "expired");
    world.sara_reads("Closed: no answer came in time").await;
    let costs = since(&before, platform.counts());
    platform.press(Who::Sara, &button);
    let told = || {
        let told = platform.told(Who::Sara);
        told.iter()
            .any(|told| bare(told).contains("no answer came in time"))
            .then_some(())
    };
    world.until("what the tap is answered with", told).await;
    (platform, costs)
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
