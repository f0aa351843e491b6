//! Browsers that are woken: which, and until when.

use std::sync::Arc;

use askd_core::{
    id::PersonName,
    push::{Browser, Subscription, SubscriptionId},
    stage::{End, Responder},
    store::{CodeHash, DeliveryState, Failure, PutBack, SignInCode, Work},
};

use super::{Bench, Case, all_at_once, at, named};
use crate::{clock::START, sample};

pub(super) fn cases() -> Vec<Case> {
    named![
        a_subscription_is_given_back_as_it_was_stored,
        without_a_sign_in_that_lasts_nothing_is_subscribed,
        a_sign_in_has_one_subscription_and_the_last_counts,
        a_browser_that_is_signed_in_anew_is_woken_once,
        of_more_than_the_most_the_oldest_go_and_others_keep_theirs,
        subscriptions_of_several_come_oldest_first,
        a_subscription_ends_with_its_sign_in,
        who_is_signed_out_everywhere_is_woken_nowhere,
        a_subscription_ends_by_itself_when_its_sign_in_does,
        a_browser_can_be_unsubscribed_and_a_dead_one_dropped,
        subscriptions_survive_a_restart,
        of_many_that_are_stored_at_once_the_most_stay,
        a_push_is_a_delivery_that_needs_no_edit,
        a_push_that_is_reported_after_the_end_needs_no_edit_either,
        an_ask_whose_only_push_is_given_up_ends_undelivered,
    ]
}

const DAYS: i64 = 24 * 60 * 60;

async fn a_subscription_is_given_back_as_it_was_stored(bench: Bench) {
    sign_in(&bench, 1, &sara()).await;
    let new = of(1, &sara(), "a", 5);

    assert!(subscribe(&bench, &new).await);

    assert_eq!(one(&bench, &new, 6).await, Some(new.clone()));
    assert_eq!(all(&bench, &[sara()], 6).await, [new]);
    assert_eq!(all(&bench, &[omid()], 6).await, []);
    assert_eq!(all(&bench, &[], 6).await, []);
}

async fn without_a_sign_in_that_lasts_nothing_is_subscribed(bench: Bench) {
    let new = of(1, &sara(), "a", 5);
    assert!(!subscribe(&bench, &new).await, "nobody is signed in");

    sign_in(&bench, 1, &sara()).await;
    let late = of(1, &sara(), "a", 30 * DAYS);
    assert!(!subscribe(&bench, &late).await, "not any more");
    bench.store.sign_out(&hash(1)).await.unwrap();
    assert!(!subscribe(&bench, &new).await, "signed out");

    sign_in(&bench, 2, &sara()).await;
    assert_eq!(all(&bench, &[sara()], 6).await, []);
}

async fn a_sign_in_has_one_subscription_and_the_last_counts(bench: Bench) {
    sign_in(&bench, 1, &sara()).await;
    let (first, second) = (of(1, &sara(), "a", 1), of(1, &sara(), "b", 2));

    subscribe(&bench, &first).await;
    subscribe(&bench, &second).await;

    assert_eq!(one(&bench, &first, 3).await, None);
    assert_eq!(all(&bench, &[sara()], 3).await, [second]);
}

async fn a_browser_that_is_signed_in_anew_is_woken_once(bench: Bench) {
    sign_in(&bench, 1, &sara()).await;
    sign_in(&bench, 2, &omid()).await;
    subscribe(&bench, &of(1, &sara(), "a", 1)).await;
    let anew = of(2, &omid(), "a", 2);

    subscribe(&bench, &anew).await;
    subscribe(&bench, &anew).await;

    assert_eq!(all(&bench, &[sara(), omid()], 3).await, [anew]);
}

async fn of_more_than_the_most_the_oldest_go_and_others_keep_theirs(bench: Bench) {
    sign_in(&bench, 9, &omid()).await;
    let others = of(9, &omid(), "omid", 0);
    subscribe(&bench, &others).await;
    for n in 1..=4 {
        sign_in(&bench, n, &sara()).await;
        let new = of(n, &sara(), &n.to_string(), i64::from(n));
        assert!(bench.store.subscribe(new, 2, at(i64::from(n))).await.unwrap());
    }

    let kept = [of(3, &sara(), "3", 3), of(4, &sara(), "4", 4)];
    assert_eq!(all(&bench, &[sara()], 5).await, kept);
    assert_eq!(all(&bench, &[omid()], 5).await, [others]);
}

async fn subscriptions_of_several_come_oldest_first(bench: Bench) {
    for (n, who) in [(1, sara()), (2, omid()), (3, sara())] {
        sign_in(&bench, n, &who).await;
        subscribe(&bench, &of(n, &who, &n.to_string(), i64::from(n))).await;
    }

    let found = all(&bench, &[omid(), sara()], 5).await;

    let since: Vec<_> = found.iter().map(|found| found.since).collect();
    assert_eq!(since, [at(1), at(2), at(3)]);
}

async fn a_subscription_ends_with_its_sign_in(bench: Bench) {
    for n in [1, 2] {
        sign_in(&bench, n, &sara()).await;
        subscribe(&bench, &of(n, &sara(), &n.to_string(), 1)).await;
    }

    bench.store.sign_out(&hash(1)).await.unwrap();

    assert_eq!(one(&bench, &of(1, &sara(), "1", 1), 2).await, None);
    assert_eq!(all(&bench, &[sara()], 2).await, [of(2, &sara(), "2", 1)]);
}

async fn who_is_signed_out_everywhere_is_woken_nowhere(bench: Bench) {
    for (n, who) in [(1, sara()), (2, sara()), (3, omid())] {
        sign_in(&bench, n, &who).await;
        subscribe(&bench, &of(n, &who, &n.to_string(), 1)).await;
    }

    bench.store.sign_out_all(&sara()).await.unwrap();

    assert_eq!(all(&bench, &[sara(), omid()], 2).await, [of(3, &omid(), "3", 1)]);
}

async fn a_subscription_ends_by_itself_when_its_sign_in_does(bench: Bench) {
    sign_in(&bench, 1, &sara()).await;
    let new = of(1, &sara(), "a", 1);
    subscribe(&bench, &new).await;

    assert!(one(&bench, &new, 30 * DAYS - 1).await.is_some());
    assert_eq!(one(&bench, &new, 30 * DAYS).await, None);
    assert_eq!(all(&bench, &[sara()], 30 * DAYS).await, []);

    bench.store.prune(at(30 * DAYS + 1), 10).await.unwrap();
    assert_eq!(one(&bench, &new, 2).await, None, "it is gone for good");
}

async fn a_browser_can_be_unsubscribed_and_a_dead_one_dropped(bench: Bench) {
    for n in [1, 2] {
        sign_in(&bench, n, &sara()).await;
        subscribe(&bench, &of(n, &sara(), &n.to_string(), 1)).await;
    }

    assert!(bench.store.unsubscribe(&hash(1)).await.unwrap());
    assert!(!bench.store.unsubscribe(&hash(1)).await.unwrap(), "it was");
    let dead = of(2, &sara(), "2", 1);
    bench.store.drop_subscription(&dead.id).await.unwrap();
    bench.store.drop_subscription(&dead.id).await.unwrap();

    assert_eq!(all(&bench, &[sara()], 2).await, []);
    assert!(
        bench.store.signed_in(&hash(1), at(2)).await.unwrap().is_some(),
        "still signed in"
    );
}

async fn subscriptions_survive_a_restart(bench: Bench) {
    sign_in(&bench, 1, &sara()).await;
    let new = of(1, &sara(), "a", 1);
    subscribe(&bench, &new).await;

    let bench = bench.restarted().await;

    assert_eq!(one(&bench, &new, 2).await, Some(new));
}

async fn of_many_that_are_stored_at_once_the_most_stay(bench: Bench) {
    for n in 1..=12 {
        sign_in(&bench, n, &sara()).await;
    }

    let stored = (1..=12).map(|n| {
        let store = Arc::clone(&bench.store);
        let new = of(n, &sara(), &n.to_string(), 1);
        async move { store.subscribe(new, 5, at(1)).await.unwrap() }
    });
    assert!(all_at_once(stored).await.into_iter().all(|stored| stored));

    assert_eq!(all(&bench, &[sara()], 2).await.len(), 5);
}

async fn a_push_is_a_delivery_that_needs_no_edit(bench: Bench) {
    let record = bench.ask(bench.sample().to(&["push:a"])).await;
    let task = bench.claim("push", START, 10).await.remove(0);
    assert_eq!(task.work, Work::Post);
    let shown = bench.show(&record, &sample::address("push:a"), &["d"]).await;
    assert_eq!(shown.deliveries[0].state, DeliveryState::Shown);
    assert!(shown.is_delivered());

    bench
        .store
        .close(record.ask.id, End::Cancelled, None, at(1))
        .await
        .unwrap();

    let after = bench.get(record.ask.id).await;
    assert_eq!(
        (after.deliveries[0].state, after.deliveries[0].due),
        (DeliveryState::Settled, None)
    );
    assert_eq!(bench.store.channels_with_work().await.unwrap(), []);
}

async fn a_push_that_is_reported_after_the_end_needs_no_edit_either(bench: Bench) {
    let record = bench.ask(bench.sample().to(&["push:a"])).await;
    bench.claim("push", START, 10).await;
    bench
        .store
        .close(record.ask.id, End::Cancelled, None, at(1))
        .await
        .unwrap();

    let after = bench.show(&record, &sample::address("push:a"), &["d"]).await;

    assert_eq!(after.deliveries[0].state, DeliveryState::Settled);
    assert_eq!(bench.store.channels_with_work().await.unwrap(), []);
}

async fn an_ask_whose_only_push_is_given_up_ends_undelivered(bench: Bench) {
    let record = bench.ask(bench.sample().to(&["push:a"])).await;
    let task = bench.claim("push", START, 10).await.remove(0);

    let how = PutBack::GiveUp(Failure::Unsubscribed);
    let ended = bench
        .store
        .put_back(record.ask.id, task.delivery.id, how, at(1))
        .await
        .unwrap();

    assert!(ended);
    assert_eq!(bench.get(record.ask.id).await.ask.status(), "undelivered");
}

fn sara() -> Responder {
    Responder::Person(PersonName::new("sara"))
}

fn omid() -> Responder {
    Responder::Person(PersonName::new("omid"))
}

fn hash(n: u8) -> CodeHash {
    CodeHash([n; 32])
}

/// The subscription of the browser `name`, in which `who` is signed in by the secret `n`.
fn of(n: u8, who: &Responder, name: &str, seconds: i64) -> Subscription {
    let endpoint = format!("https://push.example.org/{name}");
    Subscription {
        id: SubscriptionId::of(&endpoint),
        who: who.clone(),
        sign_in: hash(n),
        browser: Browser {
            endpoint,
            p256dh: format!("key of {name}"),
            auth: format!("secret of {name}"),
        },
        since: at(seconds),
    }
}

/// Signs a browser in, at the beginning, by the secret `n`.
async fn sign_in(bench: &Bench, n: u8, who: &Responder) {
    let code = CodeHash([100 + n; 32]);
    let offer = SignInCode {
        hash: code,
        who: who.clone(),
        expires: at(60),
    };
    bench.store.put_sign_in_code(offer).await.unwrap();
    let signed_in = bench.store.sign_in(&code, &hash(n), START).await.unwrap();
    assert!(signed_in.is_some());
}

async fn subscribe(bench: &Bench, new: &Subscription) -> bool {
    bench.store.subscribe(new.clone(), 20, new.since).await.unwrap()
}

async fn one(bench: &Bench, known: &Subscription, seconds: i64) -> Option<Subscription> {
    bench.store.subscription(&known.id, at(seconds)).await.unwrap()
}

async fn all(bench: &Bench, who: &[Responder], seconds: i64) -> Vec<Subscription> {
    bench.store.subscriptions(who, at(seconds)).await.unwrap()
}
