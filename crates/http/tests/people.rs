//! People and their accounts, for operators.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::world::{Answer, OPERATOR, World};

async fn unpair(world: &World, name: &str, body: Option<Value>) -> Answer {
    let call = world.post(&format!("/v1/people/{name}/unpair")).token(OPERATOR);
    match body {
        Some(body) => call.json(&body).send().await,
        None => call.send().await,
    }
}

#[tokio::test]
async fn everybody_is_listed_with_their_accounts() {
    let answer = World::new().get("/v1/people").token(OPERATOR).send().await;

    let expected = json!({ "people": [
        { "name": "omid", "display": "Omid", "accounts": [] },
        { "name": "sara", "display": "Sara", "accounts": [
            { "account": "telegram:1", "paired": false, "revoked": false },
        ] },
    ] });
    assert_eq!(answer.body, expected);
}

#[tokio::test]
async fn a_pairing_code_is_shown_once_and_lives_ten_minutes() {
    let world = World::new();

    let first = world.post("/v1/people/omid/pair").token(OPERATOR).send().await;
    let second = world.post("/v1/people/omid/pair").token(OPERATOR).send().await;

    let code = first.text("/code");
    assert_eq!(
        (first.status, first.text("/person")),
        (StatusCode::OK, "omid".to_owned())
    );
    assert_eq!(first.text("/expires"), "2026-12-01T09:40:00Z");
    assert_eq!(*first.at("/links"), json!([]));
    assert!(
        code.len() == 32 && code.bytes().all(|byte| byte.is_ascii_hexdigit()),
        "{code}"
    );
    assert_ne!(code, second.text("/code"));
    assert_eq!(first.header("cache-control"), "no-store");
}

#[tokio::test]
async fn an_account_that_is_cut_off_is_listed_so() {
    let world = World::new();

    let answer = unpair(&world, "sara", Some(json!({ "account": "telegram:1" }))).await;
    let people = world.get("/v1/people").token(OPERATOR).send().await;

    assert_eq!(
        answer.body,
        json!({ "person": "sara", "unpaired": ["telegram:1"], "signedOut": 0 })
    );
    assert_eq!(
        *people.at("/people/1/accounts"),
        json!([{ "account": "telegram:1", "paired": false, "revoked": true }])
    );
}

#[tokio::test]
async fn without_an_account_all_are_cut_off() {
    for body in [
        None,
        Some(json!({})),
        Some(json!(null)),
        Some(json!({ "account": null })),
    ] {
        let answer = unpair(&World::new(), "sara", body.clone()).await;

        assert_eq!(
            answer.body,
            json!({ "person": "sara", "unpaired": ["telegram:1"], "signedOut": 0 }),
            "{body:?}"
        );
    }
}

#[tokio::test]
async fn who_is_not_configured_is_not_found_and_the_known_are_named() {
    let world = World::new();

    let paired = world.post("/v1/people/nina/pair").token(OPERATOR).send().await;
    let cut_off = unpair(&world, "nina", None).await;

    for answer in [paired, cut_off] {
        assert_eq!(
            (answer.status, answer.problem()),
            (StatusCode::NOT_FOUND, "no-person")
        );
        assert_eq!(answer.text("/detail"), "configured are: omid, sara");
    }
}

#[tokio::test]
async fn an_account_that_is_not_the_persons_is_not_found() {
    let answer = unpair(&World::new(), "omid", Some(json!({ "account": "telegram:1" }))).await;

    assert_eq!(
        (answer.status, answer.problem()),
        (StatusCode::NOT_FOUND, "no-account")
    );
}

#[tokio::test]
async fn a_body_of_another_shape_is_refused_with_every_fault() {
    let world = World::new();
    for (body, pointers) in [
        (json!({ "account": "12345" }), vec!["/account"]),
        (
            json!({ "account": 12345, "acount": "telegram:1" }),
            vec!["/acount", "/account"],
        ),
        (json!(["telegram:1"]), vec![""]),
    ] {
        let answer = unpair(&world, "sara", Some(body.clone())).await;

        let found: Vec<&Value> = answer
            .at("/errors")
            .as_array()
            .unwrap()
            .iter()
            .map(|error| &error["pointer"])
            .collect();
        assert_eq!(
            (answer.status, answer.problem()),
            (StatusCode::UNPROCESSABLE_ENTITY, "invalid"),
            "{body}"
        );
        assert_eq!(found, pointers, "{body}");
    }
}
