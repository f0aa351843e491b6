//! Accounts tied to people, pairing codes, and which node serves a channel.

use std::sync::Arc;

use askd_core::{
    id::{Address, PersonName},
    people::Tie,
    store::{CodeHash, PairingCode, Redeemed},
    words::Language,
};

use super::{Bench, Case, all_at_once, at, named, omid, sara};
use crate::{clock::START, sample};

pub(super) fn cases() -> Vec<Case> {
    named![
        a_tie_replaces_the_earlier_one_of_the_same_account,
        ties_come_oldest_first,
        the_language_told_of_an_account_is_the_latest_and_survives_a_restart,
        a_code_ties_the_account_that_sends_it,
        a_code_works_once,
        of_many_who_send_a_code_at_once_one_is_tied,
        a_code_is_worth_nothing_from_its_expiry_on,
        a_code_seen_by_others_is_burnt,
        a_code_seen_by_others_is_burnt_even_from_who_tried_too_often,
        too_many_wrong_codes_are_not_looked_at,
        wrong_codes_are_forgotten_after_ten_minutes,
        wrong_codes_of_one_account_count_for_no_other,
        wrong_codes_are_forgotten_after_the_right_one,
        pairing_again_undoes_a_cut,
        a_channel_is_leased_to_one_node_at_a_time,
    ]
}

const MINUTES: i64 = 60;

async fn a_tie_replaces_the_earlier_one_of_the_same_account(bench: Bench) {
    let tie = tie(&sara(), "sara", 0);
    bench.store.tie(tie.clone()).await.unwrap();
    let cut = Tie {
        revoked: true,
        at: at(1),
        ..tie
    };

    bench.store.tie(cut.clone()).await.unwrap();

    assert_eq!(bench.store.ties().await.unwrap(), [cut]);
}

async fn ties_come_oldest_first(bench: Bench) {
    let (older, newer) = (tie(&omid(), "omid", 1), tie(&sara(), "sara", 2));
    for tie in [&newer, &older] {
        bench.store.tie(tie.clone()).await.unwrap();
    }

    assert_eq!(bench.store.ties().await.unwrap(), [older, newer]);
}

async fn the_language_told_of_an_account_is_the_latest_and_survives_a_restart(bench: Bench) {
    for language in [Language::English, Language::Persian] {
        bench.store.put_language(&sara(), language).await.unwrap();
    }

    let bench = bench.restarted().await;

    let told = bench.store.language_of(&sara()).await.unwrap();
    assert_eq!(told, Some(Language::Persian));
    assert_eq!(bench.store.language_of(&omid()).await.unwrap(), None);
}

async fn a_code_ties_the_account_that_sends_it(bench: Bench) {
    put_code(&bench, 1, "sara").await;

    let redeemed = redeem(&bench, 1, &sara(), 5).await;

    assert_eq!(redeemed, Redeemed::Tied(PersonName::new("sara")));
    assert_eq!(bench.store.ties().await.unwrap(), [tie(&sara(), "sara", 5)]);
}

async fn a_code_works_once(bench: Bench) {
    put_code(&bench, 1, "sara").await;
    redeem(&bench, 1, &sara(), 1).await;

    assert_eq!(redeem(&bench, 1, &omid(), 2).await, Redeemed::Unknown);

    assert_eq!(bench.store.ties().await.unwrap(), [tie(&sara(), "sara", 1)]);
}

async fn of_many_who_send_a_code_at_once_one_is_tied(bench: Bench) {
    put_code(&bench, 1, "sara").await;

    let redeemed = all_at_once((0..16).map(|n| {
        let store = Arc::clone(&bench.store);
        let account = sample::address(&format!("telegram:{n}"));
        async move { store.redeem(&hash(1), &account, true, START, 5).await.unwrap() }
    }))
    .await;

    assert_eq!(
        redeemed
            .iter()
            .filter(|redeemed| matches!(redeemed, Redeemed::Tied(_)))
            .count(),
        1
    );
    assert_eq!(bench.store.ties().await.unwrap().len(), 1);
}

async fn a_code_is_worth_nothing_from_its_expiry_on(bench: Bench) {
    put_code(&bench, 1, "sara").await;
    put_code(&bench, 2, "omid").await;

    assert_eq!(redeem(&bench, 1, &sara(), 10 * MINUTES).await, Redeemed::Unknown);
    assert_eq!(
        redeem(&bench, 2, &omid(), 10 * MINUTES - 1).await,
        Redeemed::Tied(PersonName::new("omid"))
    );
}

async fn a_code_seen_by_others_is_burnt(bench: Bench) {
    put_code(&bench, 1, "sara").await;

    assert_eq!(
        bench
            .store
            .redeem(&hash(1), &sara(), false, START, 5)
            .await
            .unwrap(),
        Redeemed::Burnt
    );

    assert_eq!(redeem(&bench, 1, &sara(), 1).await, Redeemed::Unknown);
    assert_eq!(bench.store.ties().await.unwrap(), []);
    let unknown = bench
        .store
        .redeem(&hash(9), &sara(), false, START, 5)
        .await
        .unwrap();
    assert_eq!(unknown, Redeemed::Unknown, "there was nothing to burn");
}

async fn a_code_seen_by_others_is_burnt_even_from_who_tried_too_often(bench: Bench) {
    put_code(&bench, 1, "sara").await;
    try_wrongly(&bench, &sara(), 5, 0).await;

    assert_eq!(
        bench
            .store
            .redeem(&hash(1), &sara(), false, at(1), 5)
            .await
            .unwrap(),
        Redeemed::Burnt
    );

    assert_eq!(redeem(&bench, 1, &omid(), 2).await, Redeemed::Unknown);
}

async fn too_many_wrong_codes_are_not_looked_at(bench: Bench) {
    put_code(&bench, 1, "sara").await;
    try_wrongly(&bench, &sara(), 5, 0).await;

    assert_eq!(redeem(&bench, 1, &sara(), 1).await, Redeemed::TooOften);

    assert_eq!(
        redeem(&bench, 1, &omid(), 2).await,
        Redeemed::Tied(PersonName::new("sara")),
        "the code is not used up"
    );
}

async fn wrong_codes_are_forgotten_after_ten_minutes(bench: Bench) {
    try_wrongly(&bench, &sara(), 5, 0).await;

    assert_eq!(
        redeem(&bench, 9, &sara(), 10 * MINUTES - 1).await,
        Redeemed::TooOften
    );
    assert_eq!(redeem(&bench, 9, &sara(), 10 * MINUTES).await, Redeemed::Unknown);
}

async fn wrong_codes_of_one_account_count_for_no_other(bench: Bench) {
    put_code(&bench, 1, "omid").await;
    try_wrongly(&bench, &sara(), 5, 0).await;

    assert_eq!(
        redeem(&bench, 1, &omid(), 1).await,
        Redeemed::Tied(PersonName::new("omid"))
    );
}

async fn wrong_codes_are_forgotten_after_the_right_one(bench: Bench) {
    put_code(&bench, 1, "sara").await;
    try_wrongly(&bench, &sara(), 4, 0).await;

    redeem(&bench, 1, &sara(), 1).await;

    try_wrongly(&bench, &sara(), 5, 2).await;
}

async fn pairing_again_undoes_a_cut(bench: Bench) {
    bench
        .store
        .tie(Tie {
            revoked: true,
            ..tie(&sara(), "sara", 0)
        })
        .await
        .unwrap();
    put_code(&bench, 1, "sara").await;

    redeem(&bench, 1, &sara(), 5).await;

    assert_eq!(bench.store.ties().await.unwrap(), [tie(&sara(), "sara", 5)]);
}

async fn a_channel_is_leased_to_one_node_at_a_time(bench: Bench) {
    let lease = async |channel, node, now, until| {
        bench
            .store
            .lease(&sample::channel(channel), node, at(now), at(until))
            .await
            .unwrap()
    };

    assert!(lease("telegram", "a", 0, 30).await);
    assert!(lease("slack", "b", 0, 30).await, "another channel");
    assert!(!lease("telegram", "b", 29, 59).await, "held");
    assert!(lease("telegram", "a", 29, 60).await, "renewed");
    assert!(!lease("telegram", "b", 59, 90).await, "held longer");
    assert!(lease("telegram", "b", 60, 90).await, "run out");
    assert!(!lease("telegram", "a", 61, 90).await, "taken over");
}

fn tie(account: &Address, person: &str, seconds: i64) -> Tie {
    Tie {
        account: account.clone(),
        person: PersonName::new(person),
        at: at(seconds),
        revoked: false,
    }
}

fn hash(n: u8) -> CodeHash {
    CodeHash([n; 32])
}

/// A code that is good for ten minutes.
async fn put_code(bench: &Bench, n: u8, person: &str) {
    let code = PairingCode {
        hash: hash(n),
        person: PersonName::new(person),
        expires: at(10 * MINUTES),
    };
    bench.store.put_code(code).await.unwrap();
}

async fn redeem(bench: &Bench, n: u8, account: &Address, seconds: i64) -> Redeemed {
    bench
        .store
        .redeem(&hash(n), account, true, at(seconds), 5)
        .await
        .unwrap()
}

async fn try_wrongly(bench: &Bench, account: &Address, times: u8, seconds: i64) {
    for n in 0..times {
        assert_eq!(redeem(bench, 100 + n, account, seconds).await, Redeemed::Unknown);
    }
}
