//! Retention: what is deleted, what is spared, and how much at a time.

use std::time::Duration;

use askd_core::{
    id::{MessageRef, PersonName},
    stage::End,
    store::{Asked, CodeHash, Forget, Forgotten, MessageRole, PairingCode, Redeemed, Verdict},
};

use super::{Bench, Case, at, named, sara};
use crate::{clock::START, sample};

pub(super) fn cases() -> Vec<Case> {
    named![
        what_ended_before_goes_and_what_ended_at_or_after_stays,
        a_pending_ask_is_never_deleted,
        everything_about_a_deleted_ask_goes_with_it,
        no_more_than_asked_for_go_at_once_and_the_oldest_first,
        a_session_in_use_keeps_all_its_asks,
        a_session_is_its_owners_own,
        stale_small_records_go_and_fresh_ones_stay,
        ties_are_never_deleted,
        what_is_forgotten_is_gone_with_everything_about_it,
        a_pending_ask_and_one_whose_messages_look_alive_are_not_forgotten_and_are_counted,
        a_session_is_forgotten_whole_though_it_is_in_use,
        what_ended_before_is_forgotten_and_no_more_than_asked_for_at_once,
    ]
}

async fn what_ended_before_goes_and_what_ended_at_or_after_stays(bench: Bench) {
    let mut ids = Vec::new();
    for seconds in [9, 10, 11] {
        let id = bench.ask(bench.sample()).await.ask.id;
        bench
            .store
            .close(id, End::Cancelled, None, at(seconds))
            .await
            .unwrap();
        ids.push(id);
    }

    assert_eq!(bench.store.prune(at(10), 100).await.unwrap(), 1);

    assert_eq!(bench.store.get(ids[0]).await.unwrap(), None);
    assert!(bench.store.get(ids[1]).await.unwrap().is_some());
    assert!(bench.store.get(ids[2]).await.unwrap().is_some());
}

async fn a_pending_ask_is_never_deleted(bench: Bench) {
    let record = bench.shown(bench.sample(), &["m1"]).await;

    assert_eq!(bench.store.prune(at(1_000_000), 100).await.unwrap(), 0);

    assert_eq!(bench.get(record.ask.id).await, record);
}

async fn everything_about_a_deleted_ask_goes_with_it(bench: Bench) {
    let record = bench
        .shown(bench.sample().key("k", 1).session("web-7"), &["m1"])
        .await;
    let id = record.ask.id;
    bench
        .store
        .add_note(id, &sample::posted(&sara(), &["hint"]), MessageRole::Note)
        .await
        .unwrap();
    let heard = bench
        .samples
        .heard(&sara(), Some(id), "tap", Verdict::Settled, at(100));
    bench
        .store
        .close(id, sample::answered("sara", &sara()), Some(heard.clone()), at(1))
        .await
        .unwrap();

    assert_eq!(bench.store.prune(at(50), 100).await.unwrap(), 1);

    let store = &bench.store;
    assert_eq!(store.get(id).await.unwrap(), None);
    assert_eq!(store.by_action(record.ask.action).await.unwrap(), None);
    assert_eq!(store.heard(&heard.channel, &heard.event).await.unwrap(), None);
    assert_eq!(store.ended_at(&sara(), START).await.unwrap(), None);
    for message in ["m1", "hint"] {
        assert_eq!(
            store
                .by_message(&sara().channel, &MessageRef::new(message))
                .await
                .unwrap(),
            None
        );
    }
    assert_eq!(bench.next_due("telegram").await, None, "its edit too");
    let again = store.ask(bench.sample().key("k", 2).new_ask()).await.unwrap();
    assert!(
        matches!(again, Asked::New(_)),
        "a key lives as long as the history"
    );
}

async fn no_more_than_asked_for_go_at_once_and_the_oldest_first(bench: Bench) {
    let mut ids = Vec::new();
    for seconds in [5, 1, 3, 2, 4] {
        let id = bench.ask(bench.sample()).await.ask.id;
        bench
            .store
            .close(id, End::Cancelled, None, at(seconds))
            .await
            .unwrap();
        ids.push((seconds, id));
    }

    assert_eq!(bench.store.prune(at(100), 2).await.unwrap(), 2);
    for (seconds, id) in ids {
        assert_eq!(
            bench.store.get(id).await.unwrap().is_none(),
            seconds <= 2,
            "ended at {seconds}"
        );
    }
    assert_eq!(bench.store.prune(at(100), 2).await.unwrap(), 2);
    assert_eq!(bench.store.prune(at(100), 2).await.unwrap(), 1);
    assert_eq!(bench.store.prune(at(100), 2).await.unwrap(), 0);
}

async fn a_session_in_use_keeps_all_its_asks(bench: Bench) {
    let old = bench.ask(bench.sample().session("web-7")).await.ask.id;
    bench.store.close(old, End::Cancelled, None, at(1)).await.unwrap();
    let open = bench.ask(bench.sample().session("web-7")).await.ask.id;
    assert_eq!(
        bench.store.prune(at(10), 100).await.unwrap(),
        0,
        "an ask of the session is pending"
    );

    bench
        .store
        .close(open, End::Cancelled, None, at(10))
        .await
        .unwrap();
    assert_eq!(
        bench.store.prune(at(10), 100).await.unwrap(),
        0,
        "an ask of the session ended lately"
    );

    assert_eq!(bench.store.prune(at(11), 100).await.unwrap(), 2);
}

async fn a_session_is_its_owners_own(bench: Bench) {
    let old = bench
        .ask(bench.sample().owner("build-bot").session("main"))
        .await
        .ask
        .id;
    bench.store.close(old, End::Cancelled, None, at(1)).await.unwrap();
    bench.ask(bench.sample().owner("test-bot").session("main")).await;

    assert_eq!(bench.store.prune(at(10), 100).await.unwrap(), 1);
}

async fn stale_small_records_go_and_fresh_ones_stay(bench: Bench) {
    let store = &bench.store;
    let ever = Duration::MAX;
    let old = bench.samples.heard(&sara(), None, "m1", Verdict::Other, at(9));
    let fresh = bench.samples.heard(&sara(), None, "m2", Verdict::Other, at(10));
    for heard in [&old, &fresh] {
        store.note(heard.clone()).await.unwrap();
    }
    store.say_once("old", at(9), ever).await.unwrap();
    store.say_once("fresh", at(10), ever).await.unwrap();
    let code = |n| PairingCode {
        hash: CodeHash([n; 32]),
        person: PersonName::new("sara"),
        expires: at(i64::from(n)),
    };
    for n in [9, 10] {
        store.put_code(code(n)).await.unwrap();
    }

    store.prune(at(10), 100).await.unwrap();

    assert_eq!(store.heard(&old.channel, &old.event).await.unwrap(), None);
    assert_eq!(
        store.heard(&fresh.channel, &fresh.event).await.unwrap(),
        Some(fresh)
    );
    assert!(store.say_once("old", at(11), ever).await.unwrap());
    assert!(!store.say_once("fresh", at(11), ever).await.unwrap());
    let redeem = async |n| {
        store
            .redeem(&CodeHash([n; 32]), &sara(), true, at(8), 5)
            .await
            .unwrap()
    };
    assert_eq!(redeem(9).await, Redeemed::Unknown);
    assert_eq!(redeem(10).await, Redeemed::Tied(PersonName::new("sara")));
}

async fn ties_are_never_deleted(bench: Bench) {
    let code = PairingCode {
        hash: CodeHash([1; 32]),
        person: PersonName::new("sara"),
        expires: at(1),
    };
    bench.store.put_code(code).await.unwrap();
    bench
        .store
        .redeem(&CodeHash([1; 32]), &sara(), true, START, 5)
        .await
        .unwrap();

    bench.store.prune(at(1_000_000), 100).await.unwrap();

    assert_eq!(bench.store.ties().await.unwrap().len(), 1);
}

async fn what_is_forgotten_is_gone_with_everything_about_it(bench: Bench) {
    let spared = bench.ask(bench.sample().to(&[])).await;
    let id = bench.ask(bench.sample().key("k", 1).to(&[])).await.ask.id;
    let heard = bench
        .samples
        .heard(&sara(), Some(id), "m1", Verdict::Settled, at(1));
    bench
        .store
        .close(id, End::Cancelled, Some(heard.clone()), at(1))
        .await
        .unwrap();
    let what = Forget::Ask(id);

    let first = bench.store.forget(&what, 100).await.unwrap();
    let again = bench.store.forget(&what, 100).await.unwrap();

    let gone = |forgotten| Forgotten { forgotten, kept: 0 };
    assert_eq!((first, again), (gone(1), gone(0)));
    assert_eq!(bench.store.get(id).await.unwrap(), None);
    let trace = bench.store.heard(&heard.channel, &heard.event).await.unwrap();
    assert_eq!(trace, None, "what was done about it is forgotten too");
    let anew = bench
        .store
        .ask(bench.sample().key("k", 2).to(&[]).new_ask())
        .await;
    assert!(matches!(anew, Ok(Asked::New(_))), "its key is free: {anew:?}");
    assert_eq!(bench.get(spared.ask.id).await, spared);
}

async fn a_pending_ask_and_one_whose_messages_look_alive_are_not_forgotten_and_are_counted(bench: Bench) {
    let pending = bench.ask(bench.sample().session("s").to(&[])).await;
    let settling = bench.shown(bench.sample().session("s"), &["m1"]).await.ask.id;
    bench
        .store
        .close(settling, End::Cancelled, None, at(1))
        .await
        .unwrap();
    let kept = |kept| Forgotten { forgotten: 0, kept };

    for (what, count) in [
        (Forget::Ask(pending.ask.id), 1),
        (Forget::Ask(settling), 1),
        (Forget::Session("s".to_owned()), 2),
        // One that is pending has not ended before anything.
        (Forget::EndedBefore(at(1_000_000)), 1),
    ] {
        assert_eq!(
            bench.store.forget(&what, 100).await.unwrap(),
            kept(count),
            "{what:?}"
        );
    }
    assert_eq!(bench.get(pending.ask.id).await, pending);

    let task = bench.claim_one(at(2)).await;
    bench
        .store
        .settled(settling, task.delivery.id, None)
        .await
        .unwrap();
    let done = bench.store.forget(&Forget::Ask(settling), 100).await.unwrap();
    assert_eq!((done.forgotten, done.kept), (1, 0));
}

async fn a_session_is_forgotten_whole_though_it_is_in_use(bench: Bench) {
    let mut ids = Vec::new();
    for session in ["s", "s", "other"] {
        let id = bench.ask(bench.sample().session(session).to(&[])).await.ask.id;
        bench.store.close(id, End::Cancelled, None, at(1)).await.unwrap();
        ids.push(id);
    }
    bench.ask(bench.sample().session("s").to(&[])).await;

    let result = bench
        .store
        .forget(&Forget::Session("s".to_owned()), 100)
        .await
        .unwrap();

    assert_eq!((result.forgotten, result.kept), (2, 1));
    assert!(bench.store.get(ids[2]).await.unwrap().is_some());
}

async fn what_ended_before_is_forgotten_and_no_more_than_asked_for_at_once(bench: Bench) {
    let mut ids = Vec::new();
    for seconds in [8, 9, 10, 11] {
        let id = bench.ask(bench.sample().session("s").to(&[])).await.ask.id;
        bench
            .store
            .close(id, End::Cancelled, None, at(seconds))
            .await
            .unwrap();
        ids.push(id);
    }
    let what = Forget::EndedBefore(at(10));

    let mut counts = Vec::new();
    for _ in 0..3 {
        counts.push(bench.store.forget(&what, 1).await.unwrap().forgotten);
    }

    assert_eq!(counts, [1, 1, 0]);
    let left = [
        bench.store.get(ids[2]).await.unwrap(),
        bench.store.get(ids[3]).await.unwrap(),
    ];
    assert!(left.iter().all(Option::is_some), "{left:?}");
}
