//! How asks end: the first stored end wins, and the deadline is compared in the transaction.

use std::{sync::Arc, time::Duration};

use askd_core::{
    answer::{Answer, Given},
    id::{RunId, TokenName},
    stage::{Closed, End, Unreached},
    store::{Record, Verdict},
};

use super::{Bench, Case, all_at_once, at, named, omid, sara};
use crate::{clock::START, sample};

pub(super) fn cases() -> Vec<Case> {
    named![
        every_end_is_stored_with_its_instant,
        the_first_end_wins_and_the_others_are_told_which,
        the_same_gesture_once_more_is_no_loss,
        a_cancel_that_finds_an_answer_gets_that_answer,
        however_many_close_at_once_exactly_one_ends_the_ask,
        an_answer_and_the_expiry_at_once_leave_one_end,
        an_answer_counts_until_just_before_the_deadline,
        an_answer_at_the_deadline_is_late_and_finds_the_ask_expired,
        a_late_answer_to_an_ask_that_nobody_was_shown_finds_it_undelivered,
        expiry_ends_what_is_due_and_nothing_else,
        an_ask_that_nobody_was_shown_expires_as_undelivered,
        the_next_deadline_is_the_earliest_of_those_pending,
        a_run_is_cancelled_for_its_owner_alone,
        an_operator_cancels_a_run_for_every_owner,
        an_event_heard_again_changes_nothing_and_is_no_loss_for_who_settled,
        an_event_heard_again_is_lost_for_anybody_else,
        an_event_for_no_ask_is_not_recorded,
    ]
}

async fn every_end_is_stored_with_its_instant(bench: Bench) {
    let ends = [
        sample::answered("sara", &sara()),
        End::Skipped {
            by: sample::by("sara", &sara()),
        },
        End::Cancelled,
        End::Undelivered(Unreached::NoAccount),
    ];
    for end in ends {
        let record = bench.shown(bench.sample(), &["m1"]).await;

        let closed = close(&bench, &record, end.clone(), 7).await;

        let stored = bench.get(record.ask.id).await;
        let outcome = stored.ask.outcome().expect("it is over");
        assert_eq!((&outcome.end, outcome.at), (&end, at(7)));
        assert_eq!(closed, Closed::Now(Box::new(stored.ask)));
    }
}

async fn the_first_end_wins_and_the_others_are_told_which(bench: Bench) {
    let record = bench.shown(bench.sample(), &["m1"]).await;
    close(&bench, &record, sample::answered("sara", &sara()), 1).await;

    for end in [
        sample::answered("omid", &omid()),
        End::Skipped {
            by: sample::by("sara", &sara()),
        },
        End::Cancelled,
    ] {
        let closed = close(&bench, &record, end, 2).await;

        let stored = bench.get(record.ask.id).await;
        assert_eq!(closed, Closed::Lost(Box::new(stored.ask.clone())));
        assert_eq!(
            stored.ask.outcome().map(|outcome| &outcome.end),
            Some(&sample::answered("sara", &sara()))
        );
    }
}

async fn the_same_gesture_once_more_is_no_loss(bench: Bench) {
    let record = bench.shown(bench.sample(), &["m1"]).await;
    close(&bench, &record, sample::answered("sara", &sara()), 1).await;

    let again = close(&bench, &record, sample::answered("sara", &sara()), 2).await;

    let stored = bench.get(record.ask.id).await;
    assert_eq!(
        stored.ask.outcome().map(|outcome| outcome.at),
        Some(at(1)),
        "nothing is rewritten"
    );
    assert_eq!(again, Closed::Before(Box::new(stored.ask)));
}

async fn a_cancel_that_finds_an_answer_gets_that_answer(bench: Bench) {
    let record = bench.shown(bench.sample(), &["m1"]).await;
    close(&bench, &record, sample::answered("sara", &sara()), 1).await;

    let cancelled = close(&bench, &record, End::Cancelled, 2).await;

    assert_eq!(cancelled.ask().status(), "answered");
}

async fn however_many_close_at_once_exactly_one_ends_the_ask(bench: Bench) {
    for closers in [2, 3, 5, 8, 16] {
        let record = bench.shown(bench.sample(), &["m1"]).await;
        let id = record.ask.id;

        let closed = all_at_once((0..closers).map(|n| {
            let store = Arc::clone(&bench.store);
            let end = sample::answered(&format!("person-{n}"), &sara());
            async move { store.close(id, end, None, at(1)).await.unwrap().unwrap() }
        }))
        .await;

        let winners = closed
            .iter()
            .filter(|closed| matches!(closed, Closed::Now(_)))
            .count();
        assert_eq!(winners, 1, "of {closers}");
        let stored = bench.get(id).await;
        assert!(
            closed.iter().all(|closed| *closed.ask() == stored.ask),
            "all are told the same end"
        );
    }
}

async fn an_answer_and_the_expiry_at_once_leave_one_end(bench: Bench) {
    let mut ids = Vec::new();
    for _ in 0..8 {
        ids.push(bench.shown(bench.sample(), &["m1"]).await.ask.id);
    }

    let answering = ids.iter().map(|id| {
        let (store, id) = (Arc::clone(&bench.store), *id);
        let end = sample::answered("sara", &sara());
        // By the clocks of two loops that differ a little, one is just in time and the other just late.
        async move {
            usize::from(matches!(
                store.close(id, end, None, at(899)).await.unwrap(),
                Some(Closed::Now(_))
            ))
        }
    });
    let answering: Vec<_> = answering.collect();
    let store = Arc::clone(&bench.store);
    let expiring = async move { store.expire(at(900)).await.unwrap().len() };
    let (answered, expired) = tokio::join!(all_at_once(answering), expiring);

    assert_eq!(answered.iter().sum::<usize>() + expired, ids.len());
}

async fn an_answer_counts_until_just_before_the_deadline(bench: Bench) {
    let record = bench.shown(bench.sample(), &["m1"]).await;
    let just_before = record.ask.deadline - Duration::from_millis(1);

    let closed = bench
        .store
        .close(
            record.ask.id,
            sample::answered("sara", &sara()),
            None,
            just_before,
        )
        .await
        .unwrap();

    assert!(matches!(closed, Some(Closed::Now(_))));
}

async fn an_answer_at_the_deadline_is_late_and_finds_the_ask_expired(bench: Bench) {
    let record = bench.shown(bench.sample(), &["m1"]).await;

    let closed = close(&bench, &record, sample::answered("sara", &sara()), 900).await;

    assert!(matches!(closed, Closed::Lost(_)));
    assert_eq!(
        bench.get(record.ask.id).await.ask.status(),
        "expired",
        "stored, before the expiry loop wakes"
    );
    assert_eq!(bench.store.expire(at(901)).await.unwrap(), []);
}

async fn a_late_answer_to_an_ask_that_nobody_was_shown_finds_it_undelivered(bench: Bench) {
    let record = bench.ask(bench.sample()).await;

    close(&bench, &record, sample::answered("sara", &sara()), 900).await;

    let stored = bench.get(record.ask.id).await;
    assert_eq!(
        stored.ask.outcome().map(|outcome| &outcome.end),
        Some(&End::Undelivered(Unreached::DeadlinePassed))
    );
}

async fn expiry_ends_what_is_due_and_nothing_else(bench: Bench) {
    let minute = Duration::from_mins(1);
    let due = bench.shown(bench.sample().timeout(minute), &["m1"]).await;
    let later = bench.shown(bench.sample().timeout(minute * 2), &["m2"]).await;
    let over = bench.shown(bench.sample().timeout(minute), &["m3"]).await;
    close(&bench, &over, End::Cancelled, 1).await;

    assert_eq!(bench.store.expire(at(59)).await.unwrap(), [], "a second early");
    assert_eq!(bench.store.expire(at(60)).await.unwrap(), [due.ask.id]);

    let status = async |record: &Record| bench.get(record.ask.id).await.ask.status();
    assert_eq!(status(&due).await, "expired");
    assert_eq!(status(&later).await, "pending");
    assert_eq!(status(&over).await, "cancelled");
}

async fn an_ask_that_nobody_was_shown_expires_as_undelivered(bench: Bench) {
    let record = bench.ask(bench.sample()).await;

    assert_eq!(bench.store.expire(at(900)).await.unwrap(), [record.ask.id]);

    assert_eq!(bench.get(record.ask.id).await.ask.status(), "undelivered");
}

async fn the_next_deadline_is_the_earliest_of_those_pending(bench: Bench) {
    assert_eq!(bench.store.next_deadline().await.unwrap(), None);
    let first = bench.ask(bench.sample().timeout(Duration::from_mins(1))).await;
    bench.ask(bench.sample().timeout(Duration::from_mins(2))).await;
    assert_eq!(bench.store.next_deadline().await.unwrap(), Some(at(60)));

    close(&bench, &first, End::Cancelled, 1).await;

    assert_eq!(bench.store.next_deadline().await.unwrap(), Some(at(120)));
}

async fn a_run_is_cancelled_for_its_owner_alone(bench: Bench) {
    let ours = bench.ask(bench.sample().owner("build-bot").run("r1")).await;
    let over = bench.ask(bench.sample().owner("build-bot").run("r1")).await;
    close(&bench, &over, sample::answered("sara", &sara()), 1).await;
    let theirs = bench.ask(bench.sample().owner("test-bot").run("r1")).await;
    let other_run = bench.ask(bench.sample().owner("build-bot").run("r2")).await;
    let no_run = bench.ask(bench.sample().owner("build-bot")).await;

    let ended = bench
        .store
        .cancel_run(Some(&TokenName::new("build-bot")), &RunId::new("r1"), at(2))
        .await
        .unwrap();

    assert_eq!(ended, [ours.ask.id]);
    assert_eq!(bench.get(ours.ask.id).await.ask.status(), "cancelled");
    assert_eq!(bench.get(over.ask.id).await.ask.status(), "answered");
    for untouched in [theirs, other_run, no_run] {
        assert_eq!(bench.get(untouched.ask.id).await, untouched);
    }
}

async fn an_operator_cancels_a_run_for_every_owner(bench: Bench) {
    let mut ids = Vec::new();
    for owner in ["build-bot", "test-bot"] {
        ids.push(bench.ask(bench.sample().owner(owner).run("r1")).await.ask.id);
    }
    ids.sort();

    let mut ended = bench
        .store
        .cancel_run(None, &RunId::new("r1"), START)
        .await
        .unwrap();
    ended.sort();

    assert_eq!(ended, ids);
}

async fn an_event_heard_again_changes_nothing_and_is_no_loss_for_who_settled(bench: Bench) {
    let record = bench.shown(bench.sample(), &["m1"]).await;
    let heard = bench
        .samples
        .heard(&sara(), Some(record.ask.id), "tap", Verdict::Settled, at(1));
    let close = async |end, now| {
        bench
            .store
            .close(record.ask.id, end, Some(heard.clone()), at(now))
            .await
            .unwrap()
            .unwrap()
    };
    close(sample::answered("sara", &sara()), 1).await;
    let stored = bench.get(record.ask.id).await;

    let other_words = End::Answered {
        answers: [(
            sample::target().id,
            Given {
                answer: Answer::own("read otherwise this time"),
                at: sara(),
            },
        )]
        .into_iter()
        .collect(),
        by: sample::by("sara", &sara()),
    };
    let again = close(other_words, 2).await;

    assert_eq!(again, Closed::Before(Box::new(stored.ask.clone())));
    assert_eq!(bench.get(record.ask.id).await, stored);
}

async fn an_event_heard_again_is_lost_for_anybody_else(bench: Bench) {
    let record = bench.shown(bench.sample(), &["m1"]).await;
    close(&bench, &record, sample::answered("omid", &omid()), 1).await;
    let heard = bench
        .samples
        .heard(&sara(), Some(record.ask.id), "tap", Verdict::Settled, at(2));

    for now in [2, 3] {
        let end = sample::answered("sara", &sara());
        let closed = bench
            .store
            .close(record.ask.id, end, Some(heard.clone()), at(now))
            .await
            .unwrap();
        assert!(matches!(closed, Some(Closed::Lost(_))), "the same both times");
    }
}

async fn an_event_for_no_ask_is_not_recorded(bench: Bench) {
    let gone = bench.sample().record().ask.id;
    let heard = bench
        .samples
        .heard(&sara(), Some(gone), "tap", Verdict::Settled, START);

    let closed = bench
        .store
        .close(gone, End::Cancelled, Some(heard.clone()), START)
        .await
        .unwrap();

    assert_eq!(closed, None);
    assert_eq!(
        bench.store.heard(&heard.channel, &heard.event).await.unwrap(),
        None
    );
}

async fn close(bench: &Bench, record: &Record, end: End, seconds: i64) -> Closed {
    let closed = bench.store.close(record.ask.id, end, None, at(seconds)).await;
    closed.unwrap().expect("the ask is stored")
}
