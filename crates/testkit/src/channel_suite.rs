//! What every channel must do, in the words of what people see and do.
//!
//! A case is a sentence about the whole of askd as seen through one channel: an agent asks, people act on the
//! platform, and what they see and what the agent gets is checked. A channel brings its real code and a fake of its
//! platform ([`Platform`]); its test binary is a few lines with `harness = false`:
//!
//! ```no_run
//! use std::{process::ExitCode, sync::Arc};
//!
//! use askd_testkit::{
//!     channel_suite::{self, Subject},
//!     fake::full,
//! };
//!
//! fn main() -> ExitCode {
//!     channel_suite::run(vec![Subject {
//!         name: "full",
//!         start: |clock| Box::pin(async { Arc::new(full::new(clock)) as _ }),
//!         ignores: include_str!("../tests/ignores/full.txt"),
//!     }])
//! }
//! ```
//!
//! A case says what it needs ([`Feature`]). What a platform does not offer is reported as ignored, never as passed,
//! and must stand in the channel's list of ignored cases with a reason: a case that is missing there fails, and so
//! does one that stands there and could run. So nothing is left out unseen.

mod asks;
mod cases;
mod platform;
pub mod table;
mod watched;
pub mod world;

use std::{future::Future, pin::Pin, process::ExitCode, sync::Arc};

use libtest_mimic::{Arguments, Trial};

pub use self::{
    platform::{Call, Fault, Feature, Place, Platform, Saying, SeenButton, SeenForm, SeenMessage, Who},
    world::World,
};
use crate::{
    clock::TestClock,
    suite::{self, Entry},
};

/// A channel to be held to the suite.
#[derive(Clone, Copy)]
pub struct Subject {
    /// Before the names of its cases.
    pub name: &'static str,
    /// Makes an empty platform on this clock. Called once for each case, within its runtime.
    pub start: fn(TestClock) -> Starting,
    /// The reviewed list of cases that cannot run: a line each, `case: reason`. Lines that begin with `#` are remarks.
    pub ignores: &'static str,
}

/// A platform that is being started.
pub type Starting = Pin<Box<dyn Future<Output = Arc<dyn Platform>>>>;

/// Runs every case over every subject, as a test binary does.
#[must_use]
pub fn run(subjects: Vec<Subject>) -> ExitCode {
    let trials = subjects.into_iter().flat_map(trials);
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

/// One sentence of the contract.
#[derive(Clone, Copy)]
struct Case {
    name: &'static str,
    needs: &'static [Feature],
    body: for<'a> fn(&'a mut World) -> Pin<Box<dyn Future<Output = ()> + 'a>>,
}

/// Named functions as cases, after what they need.
macro_rules! sentences {
    ($([$($feature:ident),*] $name:ident;)*) => {
        vec![$($crate::channel_suite::Case {
            name: stringify!($name),
            needs: &[$($crate::channel_suite::Feature::$feature),*],
            body: |world| Box::pin($name(world)),
        }),*]
    };
}
use sentences;

fn trials(subject: Subject) -> Vec<Trial> {
    let offers = suite::block_on(async { (subject.start)(TestClock::new()).await.offers() });
    let entries = cases::all().into_iter().map(|case| Entry {
        name: case.name,
        missing: case
            .needs
            .iter()
            .filter(|need| !offers.contains(need))
            .map(|need| format!("{need:?}"))
            .collect(),
        run: Box::new(move || suite::block_on(play(subject, case))),
    });
    suite::trials(subject.name, subject.ignores, entries.collect())
}

async fn play(subject: Subject, case: Case) {
    let clock = TestClock::new();
    let platform = (subject.start)(clock.clone()).await;
    let mut world = World::new(platform, clock).await;
    (case.body)(&mut world).await;
    world.check().await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_has_a_name_of_its_own() {
        let mut names: Vec<&str> = cases::all().iter().map(|case| case.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();

        assert_eq!(names.len(), count);
    }
}
