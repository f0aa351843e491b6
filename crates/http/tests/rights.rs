//! Who may do what: SPEC 5, for every role on every route.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::{
    contract::ROUTES,
    world::{AGENT, Call, OMID, OPERATOR, OTHER_AGENT, SARA, SUBAGENT, World, one_question},
};

/// What each caller gets, in the order of `CALLERS`; the ask in the path is AGENT's, for sara.
#[rustfmt::skip]
const MATRIX: [(&str, &str, [u16; 7]); 25] = [
    //                                   nobody agent other sub  sara omid operator
    ("POST",   "/v1/asks",                 [401, 201, 201, 403, 403, 403, 201]),
    ("GET",    "/v1/asks",                 [401, 200, 200, 403, 200, 200, 200]),
    ("GET",    "/v1/asks/{id}",            [401, 200, 404, 403, 200, 404, 200]),
    ("POST",   "/v1/asks/{id}/answers",    [401, 403, 403, 403, 200, 404, 200]),
    ("POST",   "/v1/asks/{id}/reply",      [401, 403, 403, 403, 200, 404, 200]),
    ("POST",   "/v1/asks/{id}/skip",       [401, 403, 403, 403, 200, 404, 200]),
    ("POST",   "/v1/asks/{id}/seen",       [401, 403, 403, 403, 200, 404, 200]),
    ("GET",    "/v1/asks/{id}/context",    [401, 200, 404, 403, 200, 404, 200]),
    ("POST",   "/v1/asks/{id}/cancel",     [401, 200, 404, 403, 403, 404, 200]),
    ("DELETE", "/v1/runs/{run}",           [401, 200, 200, 403, 403, 403, 200]),
    ("GET",    "/v1/events",               [401, 200, 200, 403, 200, 200, 200]),
    ("GET",    "/v1/people",               [401, 403, 403, 403, 403, 403, 200]),
    ("POST",   "/v1/people/{name}/pair",   [401, 403, 403, 403, 403, 403, 200]),
    ("POST",   "/v1/people/{name}/unpair", [401, 403, 403, 403, 403, 403, 200]),
    ("POST",   "/v1/sign-in",              [401, 401, 401, 401, 401, 401, 401]),
    ("POST",   "/v1/sign-out",             [401, 403, 403, 403, 204, 204, 204]),
    ("GET",    "/v1/me",                   [401, 403, 403, 403, 200, 200, 200]),
    ("POST",   "/v1/sign-in/codes",        [401, 403, 403, 403, 403, 403, 201]),
    ("POST",   "/v1/push",                 [401, 403, 403, 403, 403, 403, 403]),
    ("DELETE", "/v1/push",                 [401, 403, 403, 403, 403, 403, 403]),
    ("POST",   "/v1/forget",               [401, 403, 403, 403, 403, 403, 200]),
    ("GET",    "/healthz",                 [200, 200, 200, 200, 200, 200, 200]),
    ("GET",    "/readyz",                  [200, 200, 200, 200, 200, 200, 200]),
    ("GET",    "/metrics",                 [401, 403, 403, 403, 403, 403, 200]),
    ("GET",    "/openapi.json",            [200, 200, 200, 200, 200, 200, 200]),
];

const CALLERS: [Option<&str>; 7] = [
    None,
    Some(AGENT),
    Some(OTHER_AGENT),
    Some(SUBAGENT),
    Some(SARA),
    Some(OMID),
    Some(OPERATOR),
];

/// A valid call of this route about the ask `id`, by nobody yet.
fn call(world: &World, method: &str, route: &str, id: &str) -> Call {
    let path = route
        .replace("{id}", id)
        .replace("{run}", "run-1")
        .replace("{name}", "sara");
    let call = world.call(method, &path);
    match route {
        "/v1/asks" if method == "POST" => call.json(&one_question()),
        "/v1/asks/{id}/answers" => call.json(&json!({ "answers": { "deploy_target": ["Production"] } })),
        "/v1/asks/{id}/reply" => call.json(&json!({ "text": "2" })),
        // No token has a browser to be woken.
        "/v1/push" if method == "POST" => call.json(&json!({})),
        // No token signs in: only a code does.
        "/v1/sign-in" => call.json(&json!({ "code": "00000000000000000000000000000000" })),
        "/v1/forget" => call.json(&json!({ "ask": id })),
        _ => call,
    }
}

#[tokio::test]
async fn every_role_may_do_on_every_route_what_the_table_says() {
    assert_eq!(
        MATRIX.map(|(method, route, _)| (method, route)),
        ROUTES,
        "the table lists every route"
    );
    let mut wrong = Vec::new();
    for (method, route, expected) in MATRIX {
        for (caller, expected) in CALLERS.into_iter().zip(expected) {
            let world = World::new();
            let id = world.asked().await;
            let call = call(&world, method, route, &id);
            let call = match caller {
                Some(token) => call.token(token),
                None => call,
            };

            // Opened only: the stream of events does not end.
            let status = call.open().await.status().as_u16();

            if status != expected {
                wrong.push(format!(
                    "{method} {route} by {caller:?}: {status}, not {expected}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test]
async fn a_connection_that_calls_itself_a_sub_agent_may_do_nothing_whatever_its_token() {
    for (method, route) in ROUTES.into_iter().filter(|(_, route)| route.starts_with("/v1/")) {
        for token in [AGENT, SARA, OPERATOR] {
            let world = World::new();
            let id = world.asked().await;

            let call = call(&world, method, route, &id)
                .token(token)
                .header("askd-role", "subagent");
            let answer = call.send().await;

            assert_eq!(
                answer.status,
                StatusCode::FORBIDDEN,
                "{method} {route} by {token}"
            );
            assert_eq!(answer.problem(), "subagent");
        }
    }
}

#[tokio::test]
async fn a_sub_agent_is_told_that_its_primary_session_may_ask() {
    let world = World::new();

    let answer = world
        .post("/v1/asks")
        .token(SUBAGENT)
        .json(&one_question())
        .send()
        .await;

    assert_eq!(
        answer.text("/detail"),
        "sub-agents may not ask people; the primary session may"
    );
}

#[tokio::test]
async fn a_role_is_never_raised() {
    let world = World::new();
    for role in [
        "agent",
        "operator",
        "person",
        "Subagent",
        "subagent, operator",
        "",
    ] {
        for token in [AGENT, OPERATOR] {
            let answer = world
                .get("/v1/asks")
                .token(token)
                .header("askd-role", role)
                .send()
                .await;

            assert_eq!(
                (answer.status, answer.problem()),
                (StatusCode::BAD_REQUEST, "bad-header"),
                "{role:?}"
            );
        }
        let answer = world
            .get("/v1/asks")
            .token(SUBAGENT)
            .header("askd-role", role)
            .send()
            .await;
        assert_eq!(answer.problem(), "subagent", "{role:?}");
    }
}

#[tokio::test]
async fn without_a_known_token_there_is_a_challenge() {
    let world = World::new();
    let unsent = [None, Some("Basic cm9vdDpyb290"), Some("root"), Some("Bearer")];
    let unknown = [
        Some("Bearer nobody"),
        Some("Bearer "),
        Some("Bearer root root"),
        Some("Bearer ROOT"),
    ];
    for (authorization, challenge) in unsent
        .map(|sent| (sent, r#"Bearer realm="askd""#))
        .into_iter()
        .chain(unknown.map(|sent| (sent, r#"Bearer realm="askd", error="invalid_token""#)))
    {
        let call = world.get("/v1/asks?session=root");
        let call = match authorization {
            Some(value) => call.header("authorization", value),
            None => call,
        };
        let answer = call.send().await;

        assert_eq!(
            (answer.status, answer.problem()),
            (StatusCode::UNAUTHORIZED, "unauthorized"),
            "{authorization:?}"
        );
        assert_eq!(answer.header("www-authenticate"), challenge, "{authorization:?}");
        assert!(
            !answer.body.to_string().contains("nobody"),
            "a token is never sent back"
        );
    }
}

#[tokio::test]
async fn the_scheme_of_the_token_is_read_in_any_case_and_the_token_once() {
    let world = World::new();

    let lower = world
        .get("/v1/asks")
        .header("authorization", "bearer  build-bot")
        .send()
        .await;
    let twice = world.get("/v1/asks").token(AGENT).token(OPERATOR).send().await;

    assert_eq!(lower.status, StatusCode::OK);
    assert_eq!(
        (twice.status, twice.problem()),
        (StatusCode::BAD_REQUEST, "bad-header")
    );
}

#[tokio::test]
async fn each_sees_in_the_list_what_is_theirs() {
    let world = World::new();
    let mine = world.asked().await;
    let other = world.asked_by(OTHER_AGENT).await;
    let both = json!([other, mine]);
    let seen = async |token: &str| -> Value {
        let answer = world.get("/v1/asks").token(token).send().await;
        answer
            .at("/asks")
            .as_array()
            .unwrap()
            .iter()
            .map(|ask| ask["id"].clone())
            .collect()
    };

    assert_eq!(seen(AGENT).await, json!([mine]));
    assert_eq!(seen(OTHER_AGENT).await, json!([other]));
    assert_eq!(sorted(seen(SARA).await), sorted(both.clone()));
    assert_eq!(seen(OMID).await, json!([]));
    assert_eq!(sorted(seen(OPERATOR).await), sorted(both));
}

/// Asks of one millisecond are listed in no particular order.
fn sorted(mut list: Value) -> Value {
    list.as_array_mut().unwrap().sort_by_key(ToString::to_string);
    list
}

#[tokio::test]
async fn an_ask_of_another_cannot_be_told_from_one_that_is_not_there() {
    let world = World::new();
    let id = world.asked().await;
    let missing = "01940000-0000-7000-8000-000000000000";
    for (token, method, route) in [
        (OTHER_AGENT, "GET", "/v1/asks/{id}"),
        (OTHER_AGENT, "POST", "/v1/asks/{id}/cancel"),
        (OMID, "GET", "/v1/asks/{id}"),
        (OMID, "POST", "/v1/asks/{id}/answers"),
        (OMID, "POST", "/v1/asks/{id}/skip"),
        (OMID, "POST", "/v1/asks/{id}/cancel"),
    ] {
        let others = call(&world, method, route, &id).token(token).send().await;
        let none = call(&world, method, route, missing).token(token).send().await;

        assert_eq!(others.status, StatusCode::NOT_FOUND, "{method} {route}");
        assert_eq!(
            (others.status, &others.body),
            (none.status, &none.body),
            "{method} {route}"
        );
    }
}
