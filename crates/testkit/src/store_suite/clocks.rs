//! A clock that is set, back for the most part: forward, everything is merely later.

use std::time::Duration;

use askd_core::{
    id::PersonName,
    stage::Responder,
    store::{CODE_LIFE, CodeHash, PairingCode, PutBack, Redeemed, SignInCode},
};
use jiff::SignedDuration;

use super::{Bench, CLAIM, Case, at, named, sara};
use crate::{clock::START, sample};

pub(super) fn cases() -> Vec<Case> {
    named![
        a_clock_that_is_set_back_moves_along_what_is_claimed_and_what_is_tried_again,
        of_a_clock_that_is_set_back_other_channels_hear_by_themselves,
        after_a_start_nothing_is_tried_again_later_than_in_five_minutes,
        what_was_said_in_the_future_may_be_said_again,
        wrong_codes_of_the_future_keep_nobody_out,
        a_code_that_seems_to_last_for_hours_is_worth_nothing,
    ]
}

const BACK: SignedDuration = SignedDuration::from_hours(3);

async fn a_clock_that_is_set_back_moves_along_what_is_claimed_and_what_is_tried_again(bench: Bench) {
    let retried = bench.ask(bench.sample().to(&["telegram:1"])).await;
    let task = bench.claim_one(START).await;
    let again = PutBack::Retry(at(100));
    let (ask, delivery) = (task.ask.id, task.delivery.id);
    bench.store.put_back(ask, delivery, again, START).await.unwrap();
    let claimed = bench.ask(bench.sample().to(&["telegram:2"])).await;
    bench.claim_one(START).await;
    let due = bench.ask(bench.sample().to(&["telegram:3"])).await;
    let now = at(10) - BACK;

    let telegram = sample::channel("telegram");
    bench.store.set_back(&telegram, BACK, now).await.unwrap();
    let bench = bench.restarted().await;

    let of = async |record: &askd_core::store::Record| {
        let delivery = bench.get(record.ask.id).await.deliveries.remove(0);
        (delivery.due, delivery.claimed_until)
    };
    assert_eq!(of(&retried).await, (Some(at(100) - BACK), None));
    let end = START + CLAIM - BACK;
    assert_eq!(of(&claimed).await, (Some(end), Some(end)));
    assert_eq!(
        of(&due).await,
        (Some(now), None),
        "what was due is due, and no earlier"
    );
    assert_eq!(bench.next_due("telegram").await, Some(now));
    assert_eq!(bench.claim("telegram", now, 10).await.len(), 1);
    assert_eq!(
        bench.claim("telegram", at(100) - BACK, 10).await.len(),
        3,
        "by then both claims have run out"
    );
}

async fn of_a_clock_that_is_set_back_other_channels_hear_by_themselves(bench: Bench) {
    bench.ask(bench.sample().to(&["telegram:1", "slack:1"])).await;
    bench.claim_one(START).await;
    bench.claim("slack", START, 10).await;

    let telegram = sample::channel("telegram");
    bench.store.set_back(&telegram, BACK, START - BACK).await.unwrap();

    assert_eq!(bench.next_due("telegram").await, Some(START + CLAIM - BACK));
    assert_eq!(bench.next_due("slack").await, Some(START + CLAIM));
}

async fn after_a_start_nothing_is_tried_again_later_than_in_five_minutes(bench: Bench) {
    let mut asked = Vec::new();
    for (seconds, place) in [(100, "telegram:1"), (10_000, "telegram:2")] {
        asked.push(bench.ask(bench.sample().to(&[place])).await.ask.id);
        let task = bench.claim_one(START).await;
        let again = PutBack::Retry(at(seconds));
        let (ask, delivery) = (task.ask.id, task.delivery.id);
        bench.store.put_back(ask, delivery, again, START).await.unwrap();
    }
    let bench = bench.restarted().await;

    let telegram = sample::channel("telegram");
    bench.store.let_go(&telegram, at(10)).await.unwrap();

    for (ask, due) in asked.into_iter().zip([100, 310]) {
        assert_eq!(bench.get(ask).await.deliveries[0].due, Some(at(due)));
    }
    assert_eq!(bench.next_due("telegram").await, Some(at(100)));
    assert_eq!(bench.claim("telegram", at(310), 10).await.len(), 2);
}

async fn what_was_said_in_the_future_may_be_said_again(bench: Bench) {
    let ten = Duration::from_mins(10);
    let say = async |now| bench.store.say_once("k", now, ten).await.unwrap();
    assert!(say(START).await);

    assert!(say(START - BACK).await);
    assert!(!say(START - BACK + ten / 2).await, "once");
}

async fn wrong_codes_of_the_future_keep_nobody_out(bench: Bench) {
    let redeem = async |n: u8, now| {
        let code = CodeHash([n; 32]);
        bench.store.redeem(&code, &sara(), true, now, 5).await.unwrap()
    };
    for n in 0..5 {
        assert_eq!(redeem(n, START).await, Redeemed::Unknown);
    }
    assert_eq!(redeem(9, START).await, Redeemed::TooOften);

    let a_little = START - SignedDuration::from_mins(5);
    assert_eq!(
        redeem(9, a_little).await,
        Redeemed::TooOften,
        "no way around the limit"
    );
    assert_eq!(redeem(9, START - BACK).await, Redeemed::Unknown);
}

async fn a_code_that_seems_to_last_for_hours_is_worth_nothing(bench: Bench) {
    let (hash, sara_herself) = (CodeHash([1; 32]), PersonName::new("sara"));
    let pairing = PairingCode {
        hash,
        person: sara_herself.clone(),
        expires: START + CODE_LIFE,
    };
    let sign_in = SignInCode {
        hash,
        who: Responder::Person(sara_herself.clone()),
        expires: START + CODE_LIFE,
    };
    bench.store.put_code(pairing).await.unwrap();
    bench.store.put_sign_in_code(sign_in).await.unwrap();

    for (now, counts) in [(START - BACK, false), (START - CODE_LIFE / 2, true)] {
        let redeemed = bench.store.redeem(&hash, &sara(), true, now, 5).await.unwrap();
        let signed_in = bench.store.sign_in(&hash, &CodeHash([2; 32]), now).await.unwrap();
        let tied = redeemed == Redeemed::Tied(sara_herself.clone());
        assert_eq!((tied, signed_in.is_some()), (counts, counts), "{redeemed:?}");
    }
}
