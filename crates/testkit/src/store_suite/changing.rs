//! What waiters are told, and when.

use std::sync::Arc;

use askd_core::{
    id::{AskId, RunId},
    stage::End,
    store::{Change, Changed, Failure, PutBack, Store, Verdict},
};
use tokio::sync::broadcast::{Receiver, error::TryRecvError};

use super::{Bench, Case, all_at_once, at, named, sara};
use crate::{clock::START, sample};

pub(super) fn cases() -> Vec<Case> {
    named![
        every_change_is_told,
        an_end_is_told_once_to_everybody_who_listens,
        an_end_by_expiry_run_or_failure_is_told,
        what_changes_nothing_is_not_told,
        a_claim_is_nobody_elses_business,
        who_is_told_of_an_end_finds_it_stored,
    ]
}

async fn every_change_is_told(bench: Bench) {
    let mut changes = bench.store.changes();
    let questions = sample::questions([sample::target(), sample::alerts()]);
    let record = bench.ask(bench.sample().questions(questions)).await;
    let id = record.ask.id;
    assert_eq!(told(&mut changes, id), [Changed::Asked, Changed::Delivery]);

    bench.show(&record, &sara(), &["m1"]).await;
    assert_eq!(told(&mut changes, id), [Changed::Delivery]);

    let (answers, by) = (sample::answers("alerts", 0, &sara()), sample::by("sara", &sara()));
    bench.store.keep(id, answers, by, None, at(1)).await.unwrap();
    assert_eq!(told(&mut changes, id), [Changed::Kept]);

    bench.store.close(id, End::Cancelled, None, at(2)).await.unwrap();
    assert_eq!(told(&mut changes, id), [Changed::Delivery, Changed::Ended]);

    let task = bench.claim_one(at(2)).await;
    bench.store.settled(id, task.delivery.id, None).await.unwrap();
    assert_eq!(told(&mut changes, id), [Changed::Delivery]);
}

async fn an_end_is_told_once_to_everybody_who_listens(bench: Bench) {
    let record = bench.ask(bench.sample().to(&[])).await;
    let mut listeners = [bench.store.changes(), bench.store.changes()];

    for seconds in [1, 2] {
        bench
            .store
            .close(record.ask.id, End::Cancelled, None, at(seconds))
            .await
            .unwrap();
    }

    for changes in &mut listeners {
        assert_eq!(told(changes, record.ask.id), [Changed::Ended]);
    }
}

async fn an_end_by_expiry_run_or_failure_is_told(bench: Bench) {
    let run = bench.ask(bench.sample().run("r1").to(&[])).await.ask.id;
    let due = bench.ask(bench.sample().to(&[])).await.ask.id;
    let failed = bench.ask(bench.sample()).await;
    let mut changes = bench.store.changes();

    bench
        .store
        .cancel_run(None, &RunId::new("r1"), at(1))
        .await
        .unwrap();
    assert_eq!(told(&mut changes, run), [Changed::Ended]);

    let how = PutBack::GiveUp(Failure::Unreachable);
    bench
        .store
        .put_back(failed.ask.id, failed.deliveries[0].id, how, at(1))
        .await
        .unwrap();
    assert_eq!(
        told(&mut changes, failed.ask.id),
        [Changed::Delivery, Changed::Ended]
    );

    bench.store.expire(at(900)).await.unwrap();
    assert_eq!(told(&mut changes, due), [Changed::Ended]);
}

async fn what_changes_nothing_is_not_told(bench: Bench) {
    let record = bench.shown(bench.sample().key("k", 1), &["m1"]).await;
    bench
        .store
        .close(record.ask.id, sample::answered("sara", &sara()), None, at(1))
        .await
        .unwrap();
    let mut changes = bench.store.changes();

    bench
        .store
        .close(record.ask.id, End::Cancelled, None, at(2))
        .await
        .unwrap();
    bench
        .store
        .ask(bench.sample().key("k", 1).new_ask())
        .await
        .unwrap();
    bench
        .store
        .ask(bench.sample().key("k", 2).new_ask())
        .await
        .unwrap();
    bench
        .store
        .note(bench.samples.heard(&sara(), None, "m9", Verdict::Hint, at(3)))
        .await
        .unwrap();
    bench.store.expire(at(10_000)).await.unwrap();

    assert_eq!(changes.try_recv(), Err(TryRecvError::Empty));
}

async fn a_claim_is_nobody_elses_business(bench: Bench) {
    bench.ask(bench.sample()).await;
    let mut changes = bench.store.changes();

    bench.claim_one(START).await;

    assert_eq!(
        changes.try_recv(),
        Err(TryRecvError::Empty),
        "or a dispatcher would wake itself for ever"
    );
}

async fn who_is_told_of_an_end_finds_it_stored(bench: Bench) {
    let mut ids = Vec::new();
    for _ in 0..8 {
        ids.push(bench.ask(bench.sample()).await.ask.id);
    }
    let waiting: Vec<_> = ids
        .iter()
        .map(|id| wait(Arc::clone(&bench.store), bench.store.changes(), *id))
        .collect();
    let closing = ids.iter().map(|id| {
        let (store, id) = (Arc::clone(&bench.store), *id);
        async move { store.close(id, End::Cancelled, None, at(1)).await.unwrap() }
    });
    let closing: Vec<_> = closing.collect();

    let (statuses, _) = tokio::join!(all_at_once(waiting), all_at_once(closing));

    assert_eq!(statuses, ["cancelled"; 8]);
}

async fn wait(store: Arc<dyn Store>, mut changes: Receiver<Change>, id: AskId) -> &'static str {
    let end = Change {
        ask: id,
        what: Changed::Ended,
    };
    while changes.recv().await.expect("the store is open and told little") != end {}
    store
        .get(id)
        .await
        .unwrap()
        .expect("the ask is stored")
        .ask
        .status()
}

/// What has been told since the last call, all of it about `id`.
fn told(changes: &mut Receiver<Change>, id: AskId) -> Vec<Changed> {
    std::iter::from_fn(|| changes.try_recv().ok())
        .inspect(|change| assert_eq!(change.ask, id))
        .map(|change| change.what)
        .collect()
}
