//! Browsers that are woken: who may, what is taken, and what it comes to.

use std::sync::Arc;

use askd_core::{
    dispatch::push::Pusher,
    store::{Changed, Store},
};
use askd_testkit::{chance::SeededChance, doorbell::Doorbell};
use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::{
    signing_in::me,
    world::{AGENT, Answer, OPERATOR, SARA, World},
};

fn world() -> (World, Arc<Doorbell>) {
    let bell = Arc::<Doorbell>::default();
    (World::with_push(&bell), bell)
}

/// As `PushSubscription.toJSON` writes it.
fn subscription(name: &str) -> Value {
    let browser = Doorbell::browser(name);
    json!({
        "endpoint": browser.endpoint,
        "expirationTime": null,
        "keys": { "p256dh": browser.p256dh, "auth": browser.auth },
    })
}

async fn subscribe(world: &World, cookie: &str, body: &Value) -> Answer {
    world.post("/v1/push").panel(cookie).json(body).send().await
}

/// Where the push deliveries of an ask are.
async fn woken(world: &World, id: &str) -> Vec<Value> {
    let ask = world.get(&format!("/v1/asks/{id}")).token(AGENT).send().await;
    let deliveries = ask.at("/deliveries").as_array().unwrap().iter();
    let pushes = deliveries.filter(|delivery| delivery["channel"] == "push");
    pushes.cloned().collect()
}

/// Runs the dispatcher of pushes until it has changed an ask so often.
async fn push(world: &World, bell: &Arc<Doorbell>, changes: usize) {
    let store = Arc::clone(&world.store) as Arc<dyn Store>;
    let mut told = store.changes();
    let chance = Arc::new(SeededChance::new(9));
    let pusher = Pusher::new(store, Arc::new(world.clock.clone()), chance, bell.clone());
    let enough = async {
        for _ in 0..changes {
            while told.recv().await.unwrap().what != Changed::Delivery {}
        }
    };
    tokio::select! {
        ended = pusher.run(&world.stop) => ended.unwrap(),
        () = enough => {}
    }
}

#[tokio::test]
async fn the_panel_learns_the_key_where_web_push_is_configured() {
    let (world, _) = world();
    let cookie = world.signed_in(Some("sara")).await;

    assert_eq!(
        *me(&world, &cookie).await.at("/push"),
        json!({ "publicKey": Doorbell::KEY })
    );
    let without = World::new();
    let cookie = without.signed_in(Some("sara")).await;
    assert_eq!(*me(&without, &cookie).await.at("/push"), Value::Null);
    let answer = subscribe(&without, &cookie, &subscription("a")).await;
    assert_eq!(
        (answer.status, answer.problem()),
        (StatusCode::NOT_FOUND, "no-push")
    );
    let answer = without.delete("/v1/push").panel(&cookie).send().await;
    assert_eq!(
        answer.status,
        StatusCode::NO_CONTENT,
        "there is nothing to take back"
    );
}

#[tokio::test]
async fn an_ask_wakes_the_browsers_of_those_who_may_answer_and_of_operators() {
    let (world, bell) = world();
    for (person, name) in [
        (Some("sara"), "phone"),
        (Some("sara"), "desk"),
        (Some("omid"), "omid"),
        (None, "operator"),
    ] {
        let cookie = world.signed_in(person).await;
        let answer = subscribe(&world, &cookie, &subscription(name)).await;
        assert_eq!(answer.status, StatusCode::NO_CONTENT, "{}", answer.body);
    }

    let id = world.asked().await;
    assert_eq!(woken(&world, &id).await.len(), 3);
    push(&world, &bell, 3).await;

    let mut rung: Vec<_> = bell
        .pushes()
        .into_iter()
        .map(|(browser, _)| browser.endpoint.rsplit('/').next().unwrap().to_owned())
        .collect();
    rung.sort_unstable();
    assert_eq!(rung, ["desk", "operator", "phone"], "omid may not answer");
    for delivery in woken(&world, &id).await {
        assert_eq!(
            (&delivery["state"], &delivery["reason"]),
            (&json!("shown"), &Value::Null)
        );
    }
}

#[tokio::test]
async fn an_ask_whose_push_was_taken_over_expires_and_is_not_undelivered() {
    for (is_taken, end) in [(true, "expired"), (false, "undelivered")] {
        let (world, bell) = world();
        let cookie = world.signed_in(Some("sara")).await;
        subscribe(&world, &cookie, &subscription("phone")).await;
        if !is_taken {
            bell.fails([askd_core::channel::ChannelError::Unreachable("410".into())]);
        }
        let id = world.asked().await;
        push(&world, &bell, 1).await;

        world.clock.advance(std::time::Duration::from_mins(15));
        world
            .store
            .expire(askd_core::clock::Clock::now(&world.clock))
            .await
            .unwrap();

        let ask = world.get(&format!("/v1/asks/{id}")).token(AGENT).send().await;
        assert_eq!(ask.text("/status"), end);
    }
}

#[tokio::test]
async fn a_browser_is_woken_until_it_takes_that_back_or_signs_out_or_its_person_is_cut_off() {
    let (world, _) = world();
    let cookie = world.signed_in(Some("sara")).await;
    subscribe(&world, &cookie, &subscription("phone")).await;
    assert_eq!(woken(&world, &world.asked().await).await.len(), 1);

    for _ in 0..2 {
        let answer = world.delete("/v1/push").panel(&cookie).send().await;
        assert_eq!(answer.status, StatusCode::NO_CONTENT);
        assert_eq!(woken(&world, &world.asked().await).await, [] as [Value; 0]);
    }

    subscribe(&world, &cookie, &subscription("phone")).await;
    world.post("/v1/sign-out").panel(&cookie).send().await;
    let answer = subscribe(&world, &cookie, &subscription("phone")).await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    assert_eq!(woken(&world, &world.asked().await).await, [] as [Value; 0]);

    let cookie = world.signed_in(Some("sara")).await;
    subscribe(&world, &cookie, &subscription("phone")).await;
    let unpaired = world.post("/v1/people/sara/unpair").token(OPERATOR).send().await;
    assert_eq!(unpaired.status, StatusCode::OK);
    assert_eq!(woken(&world, &world.asked().await).await, [] as [Value; 0]);
}

#[tokio::test]
async fn who_signs_out_between_the_ask_and_the_push_is_not_woken() {
    let (world, bell) = world();
    let cookie = world.signed_in(Some("sara")).await;
    subscribe(&world, &cookie, &subscription("phone")).await;
    let id = world.asked().await;
    world.post("/v1/sign-out").panel(&cookie).send().await;

    push(&world, &bell, 1).await;

    assert_eq!(bell.pushes(), []);
    let delivery = woken(&world, &id).await.remove(0);
    assert_eq!(delivery["state"], "failed");
    assert_eq!(
        delivery["reason"],
        "the browser is no longer subscribed to notifications"
    );
}

#[tokio::test]
async fn the_address_of_a_browser_is_told_to_nobody() {
    let (world, _) = world();
    let cookie = world.signed_in(Some("sara")).await;
    let answer = subscribe(&world, &cookie, &subscription("walrus")).await;
    assert_eq!(answer.body, Value::Null);
    let id = world.asked().await;

    for path in ["/v1/me", "/v1/people", "/v1/asks", &format!("/v1/asks/{id}")] {
        let answer = world.get(path).token(OPERATOR).send().await;
        assert_eq!(answer.status, StatusCode::OK);
        assert!(
            !answer.body.to_string().contains("walrus"),
            "{path}: {}",
            answer.body
        );
    }
    let delivery = woken(&world, &id).await.remove(0);
    let address = delivery["address"].as_str().unwrap();
    assert_eq!((&address[..5], address.len()), ("push:", 37), "{address}");
}

#[tokio::test]
async fn a_token_has_no_browser() {
    let (world, _) = world();
    for token in [SARA, OPERATOR] {
        for call in [
            world.post("/v1/push").json(&subscription("a")),
            world.delete("/v1/push"),
        ] {
            let answer = call.token(token).send().await;
            assert_eq!(
                (answer.status, answer.problem()),
                (StatusCode::FORBIDDEN, "no-browser")
            );
        }
    }
}

#[tokio::test]
async fn what_is_no_subscription_is_refused_with_all_its_faults_and_nothing_of_it() {
    let (world, _) = world();
    let cookie = world.signed_in(Some("sara")).await;
    let good = subscription("walrus");
    let with = |pointer: &str, value: Value| {
        let mut body = good.clone();
        *body.pointer_mut(pointer).unwrap() = value;
        body
    };
    let without = |field: &str| {
        let mut body = good.clone();
        body.as_object_mut().unwrap().remove(field);
        body
    };
    for (body, wrong) in [
        (json!([]), vec![""]),
        (json!("walrus"), vec![""]),
        (json!({}), vec!["/endpoint", "/keys"]),
        (without("endpoint"), vec!["/endpoint"]),
        (without("keys"), vec!["/keys"]),
        (with("/keys", json!("walrus")), vec!["/keys"]),
        (with("/keys", json!({})), vec!["/keys/p256dh", "/keys/auth"]),
        (with("/keys/auth", json!(["walrus"])), vec!["/keys/auth"]),
        (with("/endpoint", json!({ "walrus": 1 })), vec!["/endpoint"]),
        (
            with("/endpoint", json!("https://walrus.example/")),
            vec!["/endpoint"],
        ),
        (
            with("/endpoint", json!("http://169.254.169.254/walrus")),
            vec!["/endpoint"],
        ),
        (with("/keys/p256dh", json!("")), vec!["/keys/p256dh"]),
        (
            json!({ "endpoint": "walrus", "keys": { "p256dh": "", "auth": "" } }),
            vec!["/endpoint", "/keys/p256dh", "/keys/auth"],
        ),
    ] {
        let answer = subscribe(&world, &cookie, &body).await;

        assert_eq!(
            (answer.status, answer.problem()),
            (StatusCode::UNPROCESSABLE_ENTITY, "invalid")
        );
        let faults = answer.at("/errors").as_array().unwrap().iter();
        let pointers: Vec<_> = faults.map(|fault| fault["pointer"].as_str().unwrap()).collect();
        assert_eq!(pointers, wrong, "{body}");
        assert!(!answer.body.to_string().contains("walrus"), "{}", answer.body);
    }
    let more = json!({ "endpoint": 1, "keys": {}, "more": "walrus" });
    let answer = subscribe(&world, &cookie, &more).await;
    assert!(answer.body.to_string().contains("/more"), "{}", answer.body);
    assert_eq!(woken(&world, &world.asked().await).await, [] as [Value; 0]);
}

#[tokio::test]
async fn a_sign_in_has_one_browser_and_a_person_as_many_as_are_of_use() {
    let (world, _) = world();
    let cookie = world.signed_in(Some("sara")).await;
    for name in ["a", "b", "b"] {
        subscribe(&world, &cookie, &subscription(name)).await;
    }
    assert_eq!(woken(&world, &world.asked().await).await.len(), 1);

    for n in 0..25 {
        let cookie = world.signed_in(Some("sara")).await;
        world.clock.advance(std::time::Duration::from_secs(1));
        let answer = subscribe(&world, &cookie, &subscription(&n.to_string())).await;
        assert_eq!(answer.status, StatusCode::NO_CONTENT);
    }

    assert_eq!(woken(&world, &world.asked().await).await.len(), 20);
}
