//! Signing in to the panel and out of it, and who tries to get around it.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use askd_core::rights::Tokens;
use axum::http::StatusCode;
use serde_json::json;

use crate::world::{Answer, OPERATOR, World};

pub(crate) async fn hand_in(world: &World, code: &str) -> Answer {
    world
        .post("/v1/sign-in")
        .json(&json!({ "code": code }))
        .send()
        .await
}

pub(crate) async fn me(world: &World, cookie: &str) -> Answer {
    world.get("/v1/me").header("cookie", cookie).send().await
}

#[tokio::test]
async fn the_cookie_is_for_this_host_alone_out_of_reach_of_scripts_and_other_sites() {
    let world = World::new();
    let code = world.sign_in_code(Some("sara")).await;

    let answer = hand_in(&world, &code).await;

    assert_eq!(answer.status, StatusCode::NO_CONTENT);
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(answer.headers.get_all("set-cookie").iter().count(), 1);
    let (name_and_value, attributes) = answer.header("set-cookie").split_once("; ").unwrap();
    let (name, secret) = name_and_value.split_once('=').unwrap();
    assert_eq!(name, "askd");
    assert!(
        secret.len() == 64 && secret.bytes().all(|b| b.is_ascii_hexdigit()),
        "{secret}"
    );
    assert!(!secret.contains(&code));
    assert_eq!(attributes, "HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000");
}

#[tokio::test]
async fn where_people_reach_the_panel_by_tls_the_cookie_is_bound_to_it() {
    let world = World::reached_at("https://askd.example.org");
    let code = world.sign_in_code(Some("sara")).await;

    let answer = hand_in(&world, &code).await;

    let (name_and_value, attributes) = answer.header("set-cookie").split_once("; ").unwrap();
    assert_eq!(
        attributes,
        "HttpOnly; SameSite=Strict; Secure; Path=/; Max-Age=2592000"
    );
    let (name, secret) = name_and_value.split_once('=').unwrap();
    assert_eq!(name, "__Host-askd");
    assert_eq!(me(&world, name_and_value).await.status, StatusCode::OK);
    // A cookie that any plain page of the domain could have set.
    assert_eq!(
        me(&world, &format!("askd={secret}")).await.status,
        StatusCode::UNAUTHORIZED
    );
}

#[tokio::test]
async fn a_link_is_whole_where_the_public_address_is_known() {
    let offer = |world: &World, body| world.post("/v1/sign-in/codes").token(OPERATOR).json(&body).send();
    let known = World::reached_at("https://askd.example.org");
    let unknown = World::new();

    let whole = offer(&known, json!({ "person": "sara" })).await;
    let bare = offer(&unknown, json!({})).await;

    let code = whole.text("/code");
    assert!(
        code.len() == 32 && code.bytes().all(|b| b.is_ascii_hexdigit()),
        "128 bits: {code}"
    );
    assert_eq!(
        whole.text("/url"),
        format!("https://askd.example.org/sign-in#{code}")
    );
    assert_eq!(whole.text("/person"), "sara");
    assert_eq!(whole.text("/expires"), "2026-12-01T09:40:00Z");
    assert_eq!(
        (bare.at("/url"), bare.at("/person")),
        (&json!(null), &json!(null))
    );
}

#[tokio::test]
async fn only_an_operator_makes_codes_and_only_for_who_is_configured() {
    let world = World::new();

    let by_operator_in_panel = world
        .post("/v1/sign-in/codes")
        .panel(&world.signed_in(None).await)
        .json(&json!({ "person": "omid" }))
        .send()
        .await;
    let by_person_in_panel = world
        .post("/v1/sign-in/codes")
        .panel(&world.signed_in(Some("sara")).await)
        .json(&json!({ "person": "sara" }))
        .send()
        .await;
    let for_nobody = world
        .post("/v1/sign-in/codes")
        .token(OPERATOR)
        .json(&json!({ "person": "nina" }))
        .send()
        .await;
    let of_another_shape = world
        .post("/v1/sign-in/codes")
        .token(OPERATOR)
        .json(&json!({ "person": 1, "code": "x" }))
        .send()
        .await;

    assert_eq!(by_operator_in_panel.status, StatusCode::CREATED);
    assert_eq!(by_person_in_panel.problem(), "role");
    assert_eq!(for_nobody.problem(), "no-person");
    assert_eq!(of_another_shape.at("/errors").as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_code_signs_in_once() {
    let world = World::new();
    let code = world.sign_in_code(Some("sara")).await;
    assert_eq!(hand_in(&world, &code).await.status, StatusCode::NO_CONTENT);

    let again = hand_in(&world, &code).await;

    assert_eq!(
        (again.status, again.problem()),
        (StatusCode::UNAUTHORIZED, "sign-in-code")
    );
    assert_eq!(again.header("set-cookie"), "");
    assert_eq!(again.header("www-authenticate"), r#"Bearer realm="askd""#);
}

#[tokio::test]
async fn a_code_is_good_for_ten_minutes() {
    let world = World::new();
    let (timely, late) = (
        world.sign_in_code(Some("sara")).await,
        world.sign_in_code(Some("sara")).await,
    );

    world.clock.advance(Duration::from_secs(599));
    assert_eq!(hand_in(&world, &timely).await.status, StatusCode::NO_CONTENT);
    world.clock.advance(Duration::from_secs(1));

    assert_eq!(hand_in(&world, &late).await.problem(), "sign-in-code");
}

#[tokio::test]
async fn a_code_counts_in_the_body_of_a_post_and_nowhere_else() {
    let world = World::new();
    let code = world.sign_in_code(Some("sara")).await;
    let wrong = [
        world.get(&format!("/v1/sign-in?code={code}")),
        world.post(&format!("/v1/sign-in?code={code}")),
        world.post(&format!("/v1/sign-in?code={code}")).json(&json!({})),
        world.post("/v1/sign-in").token(&code).json(&json!({})),
        world.post("/v1/sign-in").json(&json!({ "code": [code] })),
        world
            .post("/v1/sign-in")
            .json(&json!({ "code": code, "person": "omid" })),
        // What a form of another page could send without a preflight.
        world
            .post("/v1/sign-in")
            .header("content-type", "text/plain")
            .body(json!({ "code": code }).to_string()),
        world
            .post("/v1/sign-in")
            .header("content-type", "application/x-www-form-urlencoded")
            .body(format!("code={code}")),
    ];
    for call in wrong {
        let answer = call.send().await;
        assert!(answer.status.is_client_error(), "{}", answer.body);
        assert_eq!(answer.header("set-cookie"), "", "{}", answer.body);
    }
    for path in ["/", "/sign-in", &format!("/sign-in?code={code}")] {
        let page = world
            .get(path)
            .header("cookie", &format!("askd={code}"))
            .open()
            .await;
        assert_eq!(page.headers().get("set-cookie"), None, "{path}");
    }
    assert_eq!(
        me(&world, &format!("askd={code}")).await.status,
        StatusCode::UNAUTHORIZED,
        "the code itself is no sign-in"
    );

    assert_eq!(
        hand_in(&world, &code).await.status,
        StatusCode::NO_CONTENT,
        "none of that used it up"
    );
}

#[tokio::test]
async fn a_sign_in_lasts_thirty_days_used_or_not() {
    let world = World::new();
    let cookie = world.signed_in(Some("sara")).await;

    world.clock.advance(Duration::from_secs(30 * 24 * 3600 - 1));
    assert_eq!(me(&world, &cookie).await.status, StatusCode::OK);
    world.clock.advance(Duration::from_secs(1));

    assert_eq!(me(&world, &cookie).await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_foreign_page_gets_no_preflight_answered_and_cannot_sign_anybody_in() {
    let world = World::new();
    let code = world.sign_in_code(Some("sara")).await;

    let preflight = world
        .call("OPTIONS", "/v1/sign-in")
        .header("origin", "https://evil.example")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "content-type,askd-client")
        .send()
        .await;
    let signed_in = world
        .post("/v1/sign-in")
        .header("origin", "https://evil.example")
        .json(&json!({ "code": code }))
        .send()
        .await;

    assert_eq!(preflight.problem(), "foreign-origin");
    assert!(
        preflight
            .headers
            .keys()
            .all(|name| !name.as_str().starts_with("access-control"))
    );
    assert_eq!(signed_in.problem(), "foreign-origin");
    assert_eq!(hand_in(&world, &code).await.status, StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn who_signs_out_is_out_and_the_cookie_goes() {
    let world = World::new();
    let (here, elsewhere) = (
        world.signed_in(Some("sara")).await,
        world.signed_in(Some("sara")).await,
    );

    let answer = world.post("/v1/sign-out").panel(&here).send().await;

    assert_eq!(answer.status, StatusCode::NO_CONTENT);
    assert_eq!(
        answer.header("set-cookie"),
        "askd=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0"
    );
    assert_eq!(me(&world, &here).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(me(&world, &elsewhere).await.status, StatusCode::OK);
}

#[tokio::test]
async fn who_signs_in_anew_leaves_no_sign_in_behind() {
    let world = World::new();
    let before = world.signed_in(Some("omid")).await;
    let code = world.sign_in_code(Some("sara")).await;

    let answer = world
        .post("/v1/sign-in")
        .panel(&before)
        .json(&json!({ "code": code }))
        .send()
        .await;

    assert_eq!(answer.status, StatusCode::NO_CONTENT);
    assert_eq!(me(&world, &before).await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn to_unpair_a_person_signs_them_out_everywhere_and_one_account_does_not() {
    let world = World::new();
    let (sara, omid) = (
        world.signed_in(Some("sara")).await,
        world.signed_in(Some("omid")).await,
    );
    let open = world.sign_in_code(Some("sara")).await;
    let unpair = |body| {
        world
            .post("/v1/people/sara/unpair")
            .token(OPERATOR)
            .json(&body)
            .send()
    };

    let one = unpair(json!({ "account": "telegram:1" })).await;
    assert_eq!(*one.at("/signedOut"), json!(0));
    assert_eq!(me(&world, &sara).await.status, StatusCode::OK);
    let all = unpair(json!({})).await;

    assert_eq!(*all.at("/signedOut"), json!(1));
    assert_eq!(me(&world, &sara).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(me(&world, &omid).await.status, StatusCode::OK);
    assert_eq!(
        hand_in(&world, &open).await.problem(),
        "sign-in-code",
        "a link that was not opened yet is worth nothing"
    );
}

#[tokio::test]
async fn who_has_left_the_configuration_is_out_at_once() {
    let world = World::new();
    let (sara, operator) = (world.signed_in(Some("sara")).await, world.signed_in(None).await);
    let code = world.sign_in_code(Some("sara")).await;

    world.directory.send_modify(|directory| {
        let mut changed = askd_core::people::Directory::clone(directory);
        changed.people = BTreeMap::new();
        *directory = Arc::new(changed);
    });
    assert_eq!(me(&world, &sara).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(hand_in(&world, &code).await.problem(), "sign-in-code");
    assert_eq!(me(&world, &operator).await.status, StatusCode::OK);

    world.tokens.send_replace(Arc::new(Tokens::default()));
    assert_eq!(me(&world, &operator).await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn wrong_codes_are_limited_and_nobody_is_kept_out_for_long() {
    let world = World::new();
    for n in 0..10 {
        let wrong = hand_in(&world, &format!("{n:032}")).await;
        assert_eq!(wrong.problem(), "sign-in-code", "{n}");
    }
    let code = world.sign_in_code(Some("sara")).await;

    let refused = hand_in(&world, &code).await;

    assert_eq!(
        (refused.status, refused.problem()),
        (StatusCode::TOO_MANY_REQUESTS, "too-many-tries")
    );
    assert_eq!(refused.header("retry-after"), "60");
    world.clock.advance(Duration::from_mins(1));
    assert_eq!(hand_in(&world, &code).await.status, StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn while_the_store_fails_nobody_is_let_in_and_no_code_is_used_up() {
    let world = World::new();
    let (cookie, code) = (
        world.signed_in(Some("sara")).await,
        world.sign_in_code(Some("omid")).await,
    );
    world.store.set_broken(true);

    assert_eq!(me(&world, &cookie).await.problem(), "unavailable");
    assert_eq!(hand_in(&world, &code).await.problem(), "unavailable");

    world.store.set_broken(false);
    assert_eq!(me(&world, &cookie).await.status, StatusCode::OK);
    assert_eq!(hand_in(&world, &code).await.status, StatusCode::NO_CONTENT);
}
