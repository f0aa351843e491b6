//! Killed with SIGKILL, again and again, while agents ask and people answer on three platforms and over HTTP.
//!
//! Everybody keeps on through the kills as real ones would: agents repeat their calls under the same key and wait on,
//! people tap again what still looks alive, platforms keep what they keep. A [model](self::model) notes what was tried
//! and what was acknowledged; after the last kill everything is answered, and the [verdict](self::verdict) compares.
//!
//! Moments of kills come from a seed, which is printed, as do the choices of everybody; how threads interleave does not,
//! so a failure may need a few runs with its seed. Four kills in nine are aimed at the writer's thread inside a system
//! call that writes or syncs; others strike right after a request went out, while askd starts, or whenever.
//!
//! A world serves for [`KILLS_OF_A_WORLD`] kills, so that what people see stays short enough to look at often.

mod agents;
mod aim;
mod model;
mod people;
mod report;
mod verdict;
mod world;

use std::{thread, time::Duration};

use askd_core::clock::Chance as _;
use askd_stories::Stopwatch;
use askd_testkit::chance::SeededChance;

use self::{aim::Aim, report::Report, world::World};
use crate::{alone, setting};

/// In the plain tests, and of each world of a longer run.
const KILLS_OF_A_WORLD: u64 = 30;

/// How long everything may take to be over after the last kill.
const TO_THE_END: Duration = Duration::from_secs(90);

#[test]
fn nothing_that_was_acknowledged_is_lost_or_changed_by_kills() {
    let _alone = alone();
    let kills = setting("ASKD_CHAOS_KILLS", KILLS_OF_A_WORLD);
    let seed = setting("ASKD_CHAOS_SEED", 1);
    let mut all = Report::default();
    let mut left = kills;
    for world in 0.. {
        let kills = left.min(KILLS_OF_A_WORLD);
        println!("world {world}: {kills} kills, seed {}", seed + world);
        all.add(of_a_world(seed + world, kills));
        left -= kills;
        if left == 0 {
            break;
        }
    }
    println!("\n{all}");
    all.demand(kills);
}

fn of_a_world(seed: u64, kills: u64) -> Report {
    let chance = SeededChance::new(seed);
    let world = World::new(seed);
    let mut report = Report::default();
    let mut askd = world.home.serve();
    let load = world.start(&askd);
    for _ in 0..kills {
        let aim = Aim::any(&chance);
        let hit = aim.wait(&askd, &load, &chance);
        report.killed(aim, hit, load.in_flight());
        askd.process.kill();
        report.torn(&world.log());
        if aim == Aim::Starting {
            // Once more before it has begun.
            let mut starting = world.start_unattended(&askd);
            thread::sleep(Duration::from_millis(chance.up_to(400)));
            starting.kill();
        }
        let restart = Stopwatch::start();
        askd = world.home.serve();
        report.restarted(restart.elapsed());
    }
    load.ask_no_more();
    let late = load.until_all_is_over(&askd, TO_THE_END);
    let model = load.stop();
    verdict::pass(&world, &askd, &model, &mut report);
    report.faults.extend(late);
    if !report.faults.is_empty() {
        println!("--- askd, after the last kill\n{}", askd.process);
    }
    drop(askd);
    report
}
