//! Signing in to the panel: codes, sign-ins, and their ends.

use std::sync::Arc;

use askd_core::{
    id::{PersonName, TokenName},
    stage::Responder,
    store::{CodeHash, SignIn, SignInCode},
};

use super::{Bench, Case, all_at_once, at, named};
use crate::clock::START;

pub(super) fn cases() -> Vec<Case> {
    named![
        a_code_becomes_a_sign_in_that_lasts_thirty_days,
        a_code_signs_in_once,
        of_many_who_hand_in_a_code_at_once_one_is_signed_in,
        a_code_signs_nobody_in_from_its_expiry_on,
        a_code_nobody_made_signs_nobody_in,
        sign_ins_and_codes_survive_a_restart,
        signing_out_ends_that_sign_in_alone,
        a_person_is_signed_out_everywhere_and_their_codes_are_worth_nothing,
        whether_anybody_of_several_is_signed_in_is_known,
        sign_ins_that_ended_long_ago_are_forgotten,
    ]
}

const MINUTES: i64 = 60;
const DAYS: i64 = 24 * 60 * MINUTES;

async fn a_code_becomes_a_sign_in_that_lasts_thirty_days(bench: Bench) {
    for (n, who) in [(1, sara()), (2, operator())] {
        put_code(&bench, n, &who).await;

        let signed_in = sign_in(&bench, n, 10 + n, 5).await;

        let expected = SignIn {
            secret: hash(10 + n),
            who,
            expires: at(5 + 30 * DAYS),
        };
        assert_eq!(signed_in.as_ref(), Some(&expected));
        assert_eq!(signed_in_as(&bench, 10 + n, 30 * DAYS).await, Some(expected));
        assert_eq!(signed_in_as(&bench, 10 + n, 5 + 30 * DAYS).await, None);
        assert_eq!(
            signed_in_as(&bench, n, 6).await,
            None,
            "the code is no secret of a browser"
        );
    }
}

async fn a_code_signs_in_once(bench: Bench) {
    put_code(&bench, 1, &sara()).await;
    assert!(sign_in(&bench, 1, 11, 0).await.is_some());

    assert_eq!(sign_in(&bench, 1, 12, 0).await, None);

    assert_eq!(signed_in_as(&bench, 12, 1).await, None);
    assert!(
        signed_in_as(&bench, 11, 1).await.is_some(),
        "who was first stays signed in"
    );
}

async fn of_many_who_hand_in_a_code_at_once_one_is_signed_in(bench: Bench) {
    put_code(&bench, 1, &sara()).await;

    let tries = (11..31).map(|secret| {
        let store = Arc::clone(&bench.store);
        async move { store.sign_in(&hash(1), &hash(secret), START).await.unwrap() }
    });
    let signed_in = all_at_once(tries).await;

    assert_eq!(signed_in.iter().flatten().count(), 1);
}

async fn a_code_signs_nobody_in_from_its_expiry_on(bench: Bench) {
    put_code(&bench, 1, &sara()).await;

    assert_eq!(sign_in(&bench, 1, 11, 10 * MINUTES).await, None);

    assert!(
        sign_in(&bench, 1, 11, 10 * MINUTES - 1).await.is_some(),
        "the last moment counts"
    );
}

async fn a_code_nobody_made_signs_nobody_in(bench: Bench) {
    put_code(&bench, 1, &sara()).await;

    assert_eq!(sign_in(&bench, 9, 11, 0).await, None);
    assert_eq!(signed_in_as(&bench, 11, 0).await, None);
    assert!(
        sign_in(&bench, 1, 11, 0).await.is_some(),
        "a wrong one uses no other up"
    );
}

async fn sign_ins_and_codes_survive_a_restart(bench: Bench) {
    put_code(&bench, 1, &sara()).await;
    put_code(&bench, 2, &operator()).await;
    let before = sign_in(&bench, 1, 11, 0).await;

    let bench = bench.restarted().await;

    assert_eq!(signed_in_as(&bench, 11, 1).await, before);
    assert_eq!(sign_in(&bench, 1, 12, 1).await, None, "used is used");
    assert!(sign_in(&bench, 2, 13, 1).await.is_some());
}

async fn signing_out_ends_that_sign_in_alone(bench: Bench) {
    for n in [1, 2] {
        put_code(&bench, n, &sara()).await;
        sign_in(&bench, n, 10 + n, 0).await;
    }

    assert!(bench.store.sign_out(&hash(11)).await.unwrap());
    assert!(!bench.store.sign_out(&hash(11)).await.unwrap(), "it was over");

    assert_eq!(signed_in_as(&bench, 11, 1).await, None);
    assert!(signed_in_as(&bench, 12, 1).await.is_some());
}

async fn a_person_is_signed_out_everywhere_and_their_codes_are_worth_nothing(bench: Bench) {
    for (n, who) in [(1, sara()), (2, sara()), (3, omid()), (4, operator())] {
        put_code(&bench, n, &who).await;
        sign_in(&bench, n, 10 + n, 0).await;
    }
    put_code(&bench, 5, &sara()).await;
    put_code(&bench, 6, &omid()).await;

    assert_eq!(bench.store.sign_out_all(&sara()).await.unwrap(), 2);

    for (secret, lasts) in [(11, false), (12, false), (13, true), (14, true)] {
        assert_eq!(signed_in_as(&bench, secret, 1).await.is_some(), lasts, "{secret}");
    }
    assert_eq!(sign_in(&bench, 5, 15, 1).await, None);
    assert!(sign_in(&bench, 6, 16, 1).await.is_some());
    assert_eq!(bench.store.sign_out_all(&sara()).await.unwrap(), 0);
}

async fn whether_anybody_of_several_is_signed_in_is_known(bench: Bench) {
    put_code(&bench, 1, &omid()).await;
    let any = async |who: &[Responder], seconds| bench.store.any_signed_in(who, at(seconds)).await.unwrap();
    assert!(!any(&[sara(), omid()], 0).await, "a code alone is nobody");

    sign_in(&bench, 1, 11, 0).await;

    assert!(any(&[sara(), omid()], 1).await);
    assert!(any(&[omid()], 1).await);
    assert!(!any(&[sara()], 1).await);
    assert!(!any(&[], 1).await);
    // A person and a token of one name are two.
    assert!(!any(&[Responder::Operator(TokenName::new("omid"))], 1).await);
    assert!(!any(&[omid()], 30 * DAYS).await, "it has ended");
}

async fn sign_ins_that_ended_long_ago_are_forgotten(bench: Bench) {
    for n in [1, 2] {
        put_code(&bench, n, &sara()).await;
    }
    sign_in(&bench, 1, 11, 0).await;

    bench.store.prune(at(30 * DAYS), 10).await.unwrap();

    assert!(
        signed_in_as(&bench, 11, 30 * DAYS - 1).await.is_some(),
        "it lasted until then"
    );
    assert_eq!(sign_in(&bench, 2, 12, 0).await, None, "its code was too old");

    bench.store.prune(at(30 * DAYS + 1), 10).await.unwrap();

    assert_eq!(signed_in_as(&bench, 11, 0).await, None);
}

fn sara() -> Responder {
    Responder::Person(PersonName::new("sara"))
}

fn omid() -> Responder {
    Responder::Person(PersonName::new("omid"))
}

fn operator() -> Responder {
    Responder::Operator(TokenName::new("operator"))
}

fn hash(n: u8) -> CodeHash {
    CodeHash([n; 32])
}

/// A code that is good for ten minutes.
async fn put_code(bench: &Bench, n: u8, who: &Responder) {
    let code = SignInCode {
        hash: hash(n),
        who: who.clone(),
        expires: at(10 * MINUTES),
    };
    bench.store.put_sign_in_code(code).await.unwrap();
}

async fn sign_in(bench: &Bench, code: u8, secret: u8, seconds: i64) -> Option<SignIn> {
    let signed_in = bench.store.sign_in(&hash(code), &hash(secret), at(seconds)).await;
    signed_in.unwrap()
}

async fn signed_in_as(bench: &Bench, secret: u8, seconds: i64) -> Option<SignIn> {
    bench.store.signed_in(&hash(secret), at(seconds)).await.unwrap()
}
