//! Handing out deliveries: each to one dispatcher at a time, one of a conversation at a time, in order.

use std::sync::Arc;

use askd_core::{
    id::DeliveryId,
    stage::End,
    store::{DeliveryState, Failure, PutBack, Work},
};

use super::{Bench, CLAIM, Case, all_at_once, at, named, sara};
use crate::{clock::START, sample};

pub(super) fn cases() -> Vec<Case> {
    named![
        a_new_ask_is_to_be_posted_at_once,
        a_claimed_delivery_is_not_handed_out_again,
        a_claim_runs_out_at_its_instant_and_not_before,
        a_claim_that_was_let_go_is_handed_out_at_once,
        many_dispatchers_at_once_get_each_delivery_once,
        a_delivery_that_is_not_due_is_not_handed_out,
        the_earliest_come_first_and_no_more_than_asked_for,
        a_retry_comes_behind_what_is_due_before_it,
        a_channel_gets_its_own_deliveries_alone,
        one_conversation_gets_one_delivery_at_a_time_in_order,
        a_conversation_waits_for_a_claim_that_runs_and_for_no_other,
        a_busy_conversation_holds_up_no_other,
        the_next_of_a_conversation_is_due_when_the_claim_runs_out,
        a_retry_is_due_at_its_instant,
        a_channel_without_work_has_nothing_due,
        an_ask_that_ended_is_not_posted_any_more,
        an_ask_past_its_deadline_is_not_posted_any_more,
        a_post_under_way_when_the_ask_ends_is_looked_for_when_its_claim_runs_out,
    ]
}

async fn a_new_ask_is_to_be_posted_at_once(bench: Bench) {
    let record = bench.ask(bench.sample()).await;
    assert_eq!(bench.next_due("telegram").await, Some(START));

    let task = bench.claim_one(START).await;

    assert_eq!((task.work, &task.ask), (Work::Post, &record.ask));
    assert_eq!(task.delivery.claimed_until, Some(START + CLAIM));
    assert_eq!(bench.get(record.ask.id).await.deliveries, [task.delivery]);
}

async fn a_claimed_delivery_is_not_handed_out_again(bench: Bench) {
    bench.ask(bench.sample()).await;
    bench.claim_one(START).await;

    assert_eq!(bench.claim("telegram", at(1), 10).await, []);
    assert_eq!(bench.next_due("telegram").await, Some(START + CLAIM));
}

async fn a_claim_runs_out_at_its_instant_and_not_before(bench: Bench) {
    bench.ask(bench.sample()).await;
    let first = bench.claim_one(START).await;

    assert_eq!(bench.claim("telegram", at(59), 10).await, []);
    let second = bench.claim_one(at(60)).await;

    assert_eq!(second.delivery.id, first.delivery.id);
}

async fn a_claim_that_was_let_go_is_handed_out_at_once(bench: Bench) {
    bench.ask(bench.sample().to(&["telegram:1", "slack:1"])).await;
    let held = bench.claim_one(START).await;
    let elsewhere = bench.claim("slack", START, 10).await;
    assert_eq!(elsewhere.len(), 1);
    let bench = bench.restarted().await;

    bench
        .store
        .let_go(&sample::channel("telegram"), at(1))
        .await
        .unwrap();

    assert_eq!(bench.next_due("telegram").await, Some(at(1)));
    assert_eq!(bench.claim_one(at(1)).await.delivery.id, held.delivery.id);
    assert_eq!(
        bench.claim("slack", at(1), 10).await,
        [],
        "another channel's claim stays"
    );
}

async fn many_dispatchers_at_once_get_each_delivery_once(bench: Bench) {
    let mut asked = Vec::new();
    for n in 0..50 {
        let record = bench.ask(bench.sample().to(&[&format!("telegram:{n}")])).await;
        asked.push(record.deliveries[0].id);
    }

    let claimed = all_at_once((0..8).map(|_| {
        let store = Arc::clone(&bench.store);
        async move {
            let mut mine: Vec<DeliveryId> = Vec::new();
            loop {
                let tasks = store
                    .claim(&sample::channel("telegram"), START, START + CLAIM, 3)
                    .await
                    .unwrap();
                if tasks.is_empty() {
                    return mine;
                }
                mine.extend(tasks.iter().map(|task| task.delivery.id));
            }
        }
    }))
    .await;

    let mut claimed = claimed.concat();
    claimed.sort();
    asked.sort();
    assert_eq!(claimed, asked);
}

async fn a_delivery_that_is_not_due_is_not_handed_out(bench: Bench) {
    bench.ask(bench.samples.ask(at(10))).await;

    assert_eq!(bench.claim("telegram", at(9), 10).await, []);
    assert_eq!(bench.next_due("telegram").await, Some(at(10)));
    bench.claim_one(at(10)).await;
}

async fn the_earliest_come_first_and_no_more_than_asked_for(bench: Bench) {
    let mut asked = Vec::new();
    for seconds in [3, 1, 2, 0] {
        let to = format!("telegram:{seconds}");
        asked.push((
            seconds,
            bench.ask(bench.samples.ask(at(seconds)).to(&[&to])).await.ask.id,
        ));
    }
    asked.sort_unstable();

    let first = bench.claim("telegram", at(9), 3).await;
    let rest = bench.claim("telegram", at(9), 3).await;

    let claimed: Vec<_> = first.iter().chain(&rest).map(|task| task.ask.id).collect();
    assert_eq!(first.len(), 3);
    assert_eq!(claimed, asked.into_iter().map(|(_, id)| id).collect::<Vec<_>>());
}

async fn a_retry_comes_behind_what_is_due_before_it(bench: Bench) {
    for (channel, later) in [("telegram", "telegram:1"), ("slack", "slack:C1")] {
        let first = bench
            .ask(bench.samples.ask(at(0)).to(&[&format!("{channel}:1")]))
            .await;
        let second = bench.ask(bench.samples.ask(at(10)).to(&[later])).await;
        let task = bench.claim(channel, at(0), 1).await.remove(0);
        let retry = PutBack::Retry(at(20));
        bench
            .store
            .put_back(task.ask.id, task.delivery.id, retry, at(1))
            .await
            .unwrap();

        let next = bench.claim(channel, at(30), 1).await.remove(0);

        assert_eq!(
            (task.ask.id, next.ask.id),
            (first.ask.id, second.ask.id),
            "in {later}"
        );
    }
}

async fn a_channel_gets_its_own_deliveries_alone(bench: Bench) {
    bench.ask(bench.sample().to(&["telegram:1", "slack:C1"])).await;

    let tasks = bench.claim("slack", START, 10).await;

    let addresses: Vec<_> = tasks.iter().map(|task| task.delivery.to.to_string()).collect();
    assert_eq!(addresses, ["slack:C1"]);
    assert_eq!(bench.next_due("telegram").await, Some(START));
    assert_eq!(bench.next_due("discord").await, None);
}

async fn one_conversation_gets_one_delivery_at_a_time_in_order(bench: Bench) {
    let mut asked = Vec::new();
    for seconds in [0, 1, 2] {
        asked.push(bench.ask(bench.samples.ask(at(seconds))).await.ask.id);
    }

    for ask in asked {
        let task = bench.claim_one(at(10)).await;
        assert_eq!(task.ask.id, ask);
        bench
            .store
            .posted(ask, task.delivery.id, &sample::posted(&sara(), &["m"]), at(10))
            .await
            .unwrap();
    }
    assert_eq!(bench.claim("telegram", at(10), 10).await, []);
}

async fn a_conversation_waits_for_a_claim_that_runs_and_for_no_other(bench: Bench) {
    bench.ask(bench.sample()).await;
    let first = bench.claim_one(START).await;
    let second = bench.ask(bench.samples.ask(at(1))).await;
    assert_eq!(bench.claim("telegram", at(59), 10).await, [], "the claim runs");

    let retry = PutBack::Retry(at(300));
    bench
        .store
        .put_back(first.ask.id, first.delivery.id, retry, at(59))
        .await
        .unwrap();

    assert_eq!(
        bench.claim_one(at(59)).await.ask.id,
        second.ask.id,
        "a retry to come holds up nobody"
    );
}

async fn a_busy_conversation_holds_up_no_other(bench: Bench) {
    for seconds in 0..5 {
        bench
            .ask(bench.samples.ask(at(seconds)).to(&["telegram:1"]))
            .await;
    }
    let other = bench.ask(bench.samples.ask(at(9)).to(&["telegram:2"])).await;

    let tasks = bench.claim("telegram", at(10), 2).await;

    assert_eq!(tasks.len(), 2);
    assert_eq!(tasks[1].ask.id, other.ask.id);
}

async fn the_next_of_a_conversation_is_due_when_the_claim_runs_out(bench: Bench) {
    bench.ask(bench.sample()).await;
    bench.ask(bench.sample()).await;
    bench.claim_one(START).await;

    assert_eq!(
        bench.next_due("telegram").await,
        Some(START + CLAIM),
        "asking before would be in vain"
    );
}

async fn a_retry_is_due_at_its_instant(bench: Bench) {
    let record = bench.ask(bench.sample()).await;
    for attempts in [1, 2] {
        let now = 100 * i64::from(attempts);
        let task = bench.claim_one(at(now)).await;

        let lost = bench
            .store
            .put_back(
                task.ask.id,
                task.delivery.id,
                PutBack::Retry(at(now + 50)),
                at(now),
            )
            .await;

        assert!(!lost.unwrap());
        let delivery = &bench.get(record.ask.id).await.deliveries[0];
        assert_eq!((delivery.attempts, delivery.due), (attempts, Some(at(now + 50))));
        assert_eq!(delivery.claimed_until, None);
        assert_eq!(bench.next_due("telegram").await, Some(at(now + 50)));
        assert_eq!(bench.claim("telegram", at(now + 49), 10).await, []);
    }
}

async fn a_channel_without_work_has_nothing_due(bench: Bench) {
    assert_eq!(bench.next_due("telegram").await, None);
    let record = bench.shown(bench.sample(), &["m1"]).await;

    assert_eq!(
        bench.next_due("telegram").await,
        None,
        "shown, and the ask is open"
    );
    assert_eq!(bench.claim("telegram", at(100), 10).await, []);
    assert_eq!(record.deliveries[0].state, DeliveryState::Shown);
}

async fn an_ask_that_ended_is_not_posted_any_more(bench: Bench) {
    let record = bench.ask(bench.sample()).await;
    bench
        .store
        .close(record.ask.id, End::Cancelled, None, at(1))
        .await
        .unwrap();

    assert_eq!(bench.claim("telegram", at(2), 10).await, []);

    assert_eq!(
        bench.get(record.ask.id).await.deliveries[0].state,
        DeliveryState::Dropped
    );
    assert_eq!(bench.next_due("telegram").await, None);
}

async fn an_ask_past_its_deadline_is_not_posted_any_more(bench: Bench) {
    let late = bench.ask(bench.sample()).await;
    let timely = bench.ask(bench.samples.ask(at(1))).await;

    let task = bench.claim_one(at(900)).await;

    assert_eq!(
        task.ask.id, timely.ask.id,
        "a refused one counts neither for the number nor for its conversation"
    );
    assert_eq!(
        bench.get(late.ask.id).await.deliveries[0].state,
        DeliveryState::Dropped
    );
    assert_eq!(bench.store.expire(at(900)).await.unwrap(), [late.ask.id]);
}

async fn a_post_under_way_when_the_ask_ends_is_looked_for_when_its_claim_runs_out(bench: Bench) {
    let record = bench.ask(bench.sample()).await;
    bench.claim_one(START).await;
    bench
        .store
        .close(record.ask.id, End::Cancelled, None, at(1))
        .await
        .unwrap();
    assert_eq!(
        bench.next_due("telegram").await,
        Some(START + CLAIM),
        "its post may yet be reported"
    );

    assert_eq!(bench.claim_one(at(60)).await.work, Work::Find);

    let how = PutBack::GiveUp(Failure::Unreachable);
    bench
        .store
        .put_back(record.ask.id, record.deliveries[0].id, how, at(61))
        .await
        .unwrap();
    assert_eq!(
        bench.get(record.ask.id).await.deliveries[0].state,
        DeliveryState::Dropped
    );
    assert_eq!(bench.next_due("telegram").await, None);
}
