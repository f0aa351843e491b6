//! The contract of stores, as cases.
//!
//! Every sentence of `askd_core::store` that a caller relies on is a case here, named as a sentence, and every store
//! runs all of them: there is nothing to opt out of. A store's test binary is one line,
//! `fn main() -> ExitCode { store_suite::run(UnderTest::new) }`, with `harness = false`.

#![expect(clippy::unwrap_used, reason = "a case fails by panicking, like any test")]

mod asking;
mod changing;
mod claiming;
mod clocks;
mod conversing;
mod counting;
mod ending;
mod hearing;
mod keeping;
mod listing;
mod pairing;
mod pruning;
mod restarting;
mod seeing;
mod settling;
mod signing_in;
mod waking;

use std::{future::Future, pin::Pin, process::ExitCode, sync::Arc};

use askd_core::{
    id::{Address, AskId},
    store::{Asked, Record, Store, Task},
};
use async_trait::async_trait;
use jiff::Timestamp;
use libtest_mimic::{Arguments, Trial};
use tokio::{runtime, task::JoinSet};

use crate::{
    clock::START,
    sample::{self, AskSample, Samples},
};

/// How a store is made and restarted. One value serves one case.
#[async_trait]
pub trait StoreUnderTest: Send {
    /// Opens an empty store. Called once.
    async fn open(&mut self) -> Arc<dyn Store>;

    /// Ends `store` as a restart would, and opens what it left behind. Nobody else holds it any more.
    async fn reopen(&mut self, store: Arc<dyn Store>) -> Arc<dyn Store>;
}

/// Runs every case over stores that `make` makes, as a test binary does.
#[must_use]
pub fn run<T: StoreUnderTest + 'static>(make: fn() -> T) -> ExitCode {
    let trials = cases().into_iter().map(|case| {
        Trial::test(case.name, move || {
            case.run(Box::new(make()));
            Ok(())
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

/// One sentence of the contract.
struct Case {
    name: &'static str,
    body: fn(Bench) -> Pin<Box<dyn Future<Output = ()>>>,
}

/// The named functions as cases.
macro_rules! named {
    ($($name:ident),* $(,)?) => {
        vec![$($crate::store_suite::Case { name: stringify!($name), body: |bench| Box::pin($name(bench)) }),*]
    };
}
use named;

fn cases() -> Vec<Case> {
    [
        asking::cases(),
        ending::cases(),
        keeping::cases(),
        hearing::cases(),
        claiming::cases(),
        settling::cases(),
        seeing::cases(),
        conversing::cases(),
        counting::cases(),
        listing::cases(),
        pairing::cases(),
        signing_in::cases(),
        waking::cases(),
        pruning::cases(),
        changing::cases(),
        clocks::cases(),
        restarting::cases(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

impl Case {
    /// Several threads, so that races are races.
    fn run(&self, under_test: Box<dyn StoreUnderTest>) {
        let runtime = runtime::Builder::new_multi_thread()
            .worker_threads(4)
            .enable_all()
            .build();
        runtime.expect("a runtime starts").block_on(async {
            let bench = Bench::open(under_test).await;
            (self.body)(bench).await;
        });
    }
}

/// An empty store, and what a case needs to fill it.
struct Bench {
    store: Arc<dyn Store>,
    samples: Samples,
    under_test: Box<dyn StoreUnderTest>,
}

impl Bench {
    async fn open(mut under_test: Box<dyn StoreUnderTest>) -> Self {
        let store = under_test.open().await;
        Self {
            store,
            samples: Samples::new(1),
            under_test,
        }
    }

    async fn restarted(mut self) -> Self {
        let store = self.under_test.reopen(self.store).await;
        Self { store, ..self }
    }

    /// A sample of now.
    fn sample(&self) -> AskSample<'_> {
        self.samples.ask(START)
    }

    /// Stores a new ask.
    async fn ask(&self, sample: AskSample<'_>) -> Record {
        match self.store.ask(sample.new_ask()).await.unwrap() {
            Asked::New(record) => *record,
            other => panic!("a new ask was not taken: {other:?}"),
        }
    }

    /// Stores a new ask and shows it at the first address it goes to, as `messages`.
    async fn shown(&self, sample: AskSample<'_>, messages: &[&str]) -> Record {
        let record = self.ask(sample).await;
        let to = record.deliveries[0].to.clone();
        self.show(&record, &to, messages).await
    }

    /// Posts the first delivery of an ask in the conversation `at`.
    async fn show(&self, record: &Record, at: &Address, messages: &[&str]) -> Record {
        let posted = sample::posted(at, messages);
        let (ask, delivery) = (record.ask.id, record.deliveries[0].id);
        self.store.posted(ask, delivery, &posted, START).await.unwrap();
        self.get(ask).await
    }

    async fn get(&self, id: AskId) -> Record {
        self.store.get(id).await.unwrap().expect("the ask is stored")
    }

    /// Claims what is due on a channel at `now`, for a minute.
    async fn claim(&self, channel: &str, now: Timestamp, max: usize) -> Vec<Task> {
        self.store
            .claim(&sample::channel(channel), now, now + CLAIM, max)
            .await
            .unwrap()
    }

    /// Claims the only thing that is due on telegram.
    async fn claim_one(&self, now: Timestamp) -> Task {
        let mut tasks = self.claim("telegram", now, 10).await;
        assert_eq!(tasks.len(), 1, "one delivery is due");
        tasks.remove(0)
    }

    async fn next_due(&self, channel: &str) -> Option<Timestamp> {
        self.store.next_due(&sample::channel(channel)).await.unwrap()
    }
}

/// How long a claim lasts here.
const CLAIM: std::time::Duration = std::time::Duration::from_mins(1);

/// A conversation with sara.
fn sara() -> Address {
    sample::address("telegram:1")
}

/// A conversation with omid.
fn omid() -> Address {
    sample::address("telegram:2")
}

/// Some seconds after the beginning.
fn at(seconds: i64) -> Timestamp {
    START + jiff::SignedDuration::from_secs(seconds)
}

/// Runs all at once, and collects what they return in no particular order.
async fn all_at_once<T: Send + 'static>(
    work: impl IntoIterator<Item = impl Future<Output = T> + Send + 'static>,
) -> Vec<T> {
    work.into_iter().collect::<JoinSet<_>>().join_all().await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_cases_have_one_name() {
        let mut names: Vec<_> = cases().iter().map(|case| case.name).collect();
        names.sort_unstable();

        let doubles: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();

        assert!(doubles.is_empty(), "{doubles:?}");
    }
}
