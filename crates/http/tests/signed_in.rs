//! What a sign-in to the panel is good for, and what it is not.

use std::{pin::pin, sync::Arc};

use axum::{http::StatusCode, response::Response};
use http_body_util::BodyExt as _;
use serde_json::json;

use crate::{
    signing_in::{hand_in, me},
    waiting::at_once,
    world::{AGENT, Call, OMID, OPERATOR, OTHER_AGENT, SARA, SUBAGENT, World, one_question},
};

#[tokio::test]
async fn the_panel_learns_who_is_signed_in() {
    let world = World::new();

    let sara = me(&world, &world.signed_in(Some("sara")).await).await;
    let operator = me(&world, &world.signed_in(None).await).await;

    assert_eq!(
        sara.body,
        json!({ "role": "person", "name": "Sara", "person": "sara", "language": "en", "timeZone": null,
                "languages": ["en", "fa"], "push": null })
    );
    assert_eq!(
        operator.body,
        json!({ "role": "operator", "name": "root", "person": null, "language": null, "timeZone": null,
                "languages": ["en", "fa"], "push": null })
    );
}

#[tokio::test]
async fn nothing_below_v1_is_told_to_who_is_not_signed_in() {
    let world = World::new();
    let id = world.asked().await;
    let cookie = world.signed_in(Some("sara")).await;
    let (name, secret) = cookie.split_once('=').unwrap();
    let other_end = format!(
        "{}{}",
        &secret[..63],
        if secret.ends_with('0') { '1' } else { '0' }
    );
    for forged in [
        String::new(),
        "askd".to_owned(),
        "askd=".to_owned(),
        "askd=0".to_owned(),
        format!("askd={other_end}"),
        format!("askd={}", secret.to_uppercase()),
        format!("ASKD={secret}"),
        format!("askd2={secret}"),
        format!("__Host-askd={secret}"),
        format!("askd=\"{secret}"),
        format!("askd={SARA}"),
        format!("askd={OPERATOR}"),
        "askd=' OR 1=1 --".to_owned(),
    ] {
        for path in ["/v1/me", "/v1/asks", "/v1/events", &format!("/v1/asks/{id}")] {
            let answer = world.get(path).header("cookie", &forged).send().await;
            assert_eq!(
                (answer.status, answer.problem()),
                (StatusCode::UNAUTHORIZED, "unauthorized"),
                "{forged:?} {path}"
            );
        }
    }
    // As browsers send several.
    for sent in [
        format!("theme=dark; {cookie}"),
        format!("askd=old; {cookie}"),
        format!("{name}=x; other=y; {cookie}"),
    ] {
        assert_eq!(me(&world, &sent).await.status, StatusCode::OK, "{sent}");
    }
}

#[tokio::test]
async fn what_changes_something_needs_the_header_that_only_the_panel_sends() {
    let world = World::new();
    let cookie = world.signed_in(None).await;
    let id = world.asked().await;
    let asks = format!("/v1/asks/{id}");
    let unsafe_calls = [
        ("POST", format!("{asks}/skip"), json!(null)),
        ("POST", format!("{asks}/cancel"), json!(null)),
        ("POST", format!("{asks}/seen"), json!(null)),
        ("POST", format!("{asks}/reply"), json!({ "text": "1" })),
        (
            "POST",
            format!("{asks}/answers"),
            json!({ "answers": { "deploy_target": ["Production"] } }),
        ),
        ("POST", "/v1/asks".to_owned(), one_question()),
        ("POST", "/v1/sign-out".to_owned(), json!(null)),
        ("POST", "/v1/push".to_owned(), json!({})),
        ("DELETE", "/v1/push".to_owned(), json!(null)),
        ("POST", "/v1/sign-in/codes".to_owned(), json!({})),
        ("POST", "/v1/people/sara/unpair".to_owned(), json!({})),
        ("DELETE", "/v1/runs/run-1".to_owned(), json!(null)),
    ];
    for (method, path, body) in unsafe_calls {
        for client in [None, Some("cli"), Some("Panel"), Some("")] {
            let call = world.call(method, &path).header("cookie", &cookie).json(&body);
            let call = match client {
                Some(client) => call.header("askd-client", client),
                None => call,
            };
            let answer = call.send().await;
            assert_eq!(
                (answer.status, answer.problem()),
                (StatusCode::FORBIDDEN, "not-panel"),
                "{method} {path} {client:?}"
            );
        }
    }
    let ask = world.get(&format!("/v1/asks/{id}")).token(AGENT).send().await;
    assert_eq!(ask.text("/status"), "pending", "nothing was done");
    assert_eq!(me(&world, &cookie).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_sign_in_is_not_for_pages_of_other_origins_nor_names_that_point_here() {
    let world = World::new();
    let cookie = world.signed_in(Some("sara")).await;
    let id = world.asked().await;
    let skip = || world.post(&format!("/v1/asks/{id}/skip")).panel(&cookie);
    let list = || world.get("/v1/asks").panel(&cookie);
    for make in [&skip as &dyn Fn() -> Call, &list] {
        for (header, value) in [
            ("origin", "https://evil.example"),
            // Same site, and so sent the cookie: another program's page on this machine.
            ("origin", "http://localhost:3000"),
            ("origin", "null"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
            ("sec-fetch-site", "anything"),
        ] {
            let answer = make().header(header, value).send().await;
            assert_eq!(
                (answer.status, answer.problem()),
                (StatusCode::FORBIDDEN, "foreign-origin"),
                "{header}: {value}"
            );
        }
        let rebound = make()
            .replaced("host", Some("evil.example:7373"))
            .header("origin", "http://evil.example:7373")
            .header("sec-fetch-site", "same-origin")
            .send()
            .await;
        assert_eq!(
            (rebound.status, rebound.problem()),
            (StatusCode::FORBIDDEN, "foreign-host")
        );
    }
    let own = skip()
        .header("origin", "http://localhost:7373")
        .header("sec-fetch-site", "same-origin");
    assert_eq!(own.send().await.text("/receipt"), "settled");
}

#[tokio::test]
async fn a_person_sees_and_answers_what_their_routes_allow_and_nothing_else() {
    let world = World::new();
    let (sara, omid) = (
        world.signed_in(Some("sara")).await,
        world.signed_in(Some("omid")).await,
    );
    let id = world.asked().await;
    let list = async |cookie: &str| world.get("/v1/asks").panel(cookie).send().await;
    assert_eq!(list(&sara).await.at("/asks").as_array().unwrap().len(), 1);
    assert_eq!(list(&omid).await.at("/asks").as_array().unwrap().len(), 0);

    for (path, body) in [
        ("", None),
        ("/context", None),
        ("/seen", Some(json!(null))),
        ("/skip", Some(json!(null))),
        ("/reply", Some(json!({ "text": "1" }))),
        (
            "/answers",
            Some(json!({ "answers": { "deploy_target": ["Production"] } })),
        ),
    ] {
        let path = format!("/v1/asks/{id}{path}");
        let call = match &body {
            None => world.get(&path),
            Some(body) => world.post(&path).json(body),
        };
        let answer = call.panel(&omid).send().await;
        assert_eq!(
            (answer.status, answer.problem()),
            (StatusCode::NOT_FOUND, "no-ask"),
            "{path}"
        );
    }
    // What agents and operators do is not a person's.
    for (method, path) in [
        ("POST", "/v1/asks".to_owned()),
        ("POST", format!("/v1/asks/{id}/cancel")),
        ("DELETE", "/v1/runs/run-1".to_owned()),
        ("GET", "/v1/people".to_owned()),
        ("POST", "/v1/people/sara/pair".to_owned()),
        ("POST", "/v1/people/sara/unpair".to_owned()),
    ] {
        let call = world.call(method, &path).panel(&sara).json(&one_question());
        assert_eq!(call.send().await.problem(), "role", "{method} {path}");
    }

    let reply = world
        .post(&format!("/v1/asks/{id}/reply"))
        .panel(&sara)
        .json(&json!({ "text": "2" }))
        .send()
        .await;
    assert_eq!(reply.text("/receipt"), "settled");
    let ask = world.get(&format!("/v1/asks/{id}")).token(AGENT).send().await;
    assert_eq!(
        *ask.at("/result/settledBy"),
        json!({ "name": "Sara", "channel": "panel", "how": "reply" })
    );
}

#[tokio::test]
async fn an_operator_sees_and_answers_all_under_the_tokens_name() {
    let world = World::new();
    let cookie = world.signed_in(None).await;
    let id = world.asked_by(OTHER_AGENT).await;

    let skipped = world
        .post(&format!("/v1/asks/{id}/skip"))
        .panel(&cookie)
        .send()
        .await;

    assert_eq!(skipped.text("/receipt"), "settled");
    let people = world.get("/v1/people").panel(&cookie).send().await;
    assert_eq!(people.status, StatusCode::OK);
}

#[tokio::test]
async fn no_token_signs_in_and_a_sign_in_is_no_token() {
    let world = World::new();
    for token in [AGENT, SUBAGENT, SARA, OMID, OPERATOR] {
        assert_eq!(hand_in(&world, token).await.problem(), "sign-in-code", "{token}");
    }
    let cookie = world.signed_in(Some("sara")).await;
    let secret = cookie.split_once('=').unwrap().1;

    let as_token = world.get("/v1/me").token(secret).send().await;
    // A token that is sent counts, whatever cookie the program has beside it.
    let beside_agent = world.get("/v1/me").token(AGENT).panel(&cookie).send().await;
    let beside_wrong = world.get("/v1/me").token("wrong").panel(&cookie).send().await;
    let as_subagent = world
        .get("/v1/me")
        .panel(&cookie)
        .header("askd-role", "subagent")
        .send()
        .await;

    assert_eq!(as_token.problem(), "unauthorized");
    assert_eq!(beside_agent.problem(), "role");
    assert_eq!(beside_wrong.problem(), "unauthorized");
    assert_eq!(as_subagent.problem(), "subagent");
}

/// An open stream, after its first comment.
async fn stream(world: &World, cookie: &str) -> axum::body::Body {
    let response: Response = world.get("/v1/events").header("cookie", cookie).open().await;
    assert_eq!(response.status(), StatusCode::OK);
    let mut body = response.into_body();
    body.frame().await.unwrap().unwrap();
    body
}

#[tokio::test]
async fn a_stream_ends_with_its_sign_in() {
    let world = World::new();
    let ended =
        async |stream: &mut axum::body::Body| matches!(at_once(pin!(stream.frame())).await, Some(None));
    let (a, b, c) = (
        world.signed_in(Some("sara")).await,
        world.signed_in(Some("sara")).await,
        world.signed_in(Some("omid")).await,
    );
    let (mut first, mut second, mut third) = (
        stream(&world, &a).await,
        stream(&world, &b).await,
        stream(&world, &c).await,
    );

    world.post("/v1/sign-out").panel(&a).send().await;
    assert!(ended(&mut first).await, "signed out");
    assert!(!ended(&mut second).await);

    world.post("/v1/people/sara/unpair").token(OPERATOR).send().await;
    assert!(ended(&mut second).await, "unpaired");
    assert!(!ended(&mut third).await);

    world
        .directory
        .send_replace(Arc::new(askd_core::people::Directory::empty()));
    assert!(ended(&mut third).await, "not configured any more");
}

#[tokio::test]
async fn a_stream_tells_of_what_this_person_may_see() {
    let world = World::new();
    let (sara, omid) = (
        world.signed_in(Some("sara")).await,
        world.signed_in(Some("omid")).await,
    );
    let (mut hers, mut his) = (stream(&world, &sara).await, stream(&world, &omid).await);

    let id = world.asked().await;

    let frame = hers.frame().await.unwrap().unwrap().into_data().unwrap();
    assert!(String::from_utf8_lossy(&frame).contains(&id));
    assert!(at_once(pin!(his.frame())).await.is_none());
}

#[tokio::test]
async fn receipts_come_in_the_language_that_was_chosen_in_the_panel() {
    let world = World::new();
    let cookie = world.signed_in(Some("sara")).await;
    let said = async |accepted: Option<&str>, panel: bool| {
        let id = world.asked().await;
        let call = world.post(&format!("/v1/asks/{id}/skip"));
        let call = if panel {
            call.panel(&cookie)
        } else {
            call.token(SARA)
        };
        let call = match accepted {
            Some(accepted) => call.header("accept-language", accepted),
            None => call,
        };
        let text = call.send().await.text("/text");
        text.chars().any(|c| ('\u{600}'..'\u{700}').contains(&c))
    };

    assert!(!said(None, true).await, "English is configured");
    assert!(said(Some("fa"), true).await);
    assert!(said(Some("de, fa-IR;q=0.5"), true).await);
    assert!(!said(Some("de"), true).await);
    assert!(
        !said(Some("fa"), false).await,
        "what another client's library sends by itself is no choice"
    );
}
