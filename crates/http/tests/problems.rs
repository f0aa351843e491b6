//! Every error is a problem. `world` holds each against the description; here is which one comes when.

use std::{
    collections::BTreeMap,
    convert::Infallible,
    pin::{Pin, pin},
    task::{Context, Poll},
    time::Duration,
};

use askd_http::HttpOptions;
use axum::{
    Router,
    body::{Body, Bytes, HttpBody},
    http::StatusCode,
    routing::get,
};
use hyper::body::{Frame, SizeHint};
use serde_json::{Value, json};

use crate::{
    waiting::at_once,
    world::{AGENT, OPERATOR, SARA, World, one_question},
};

#[tokio::test]
async fn an_unknown_path_is_a_problem() {
    let world = World::new();
    for path in [
        "/nothing",
        "/v1",
        "/v1/asks/",
        "/v2/asks",
        "/metrics/",
        "/v1/asks/1/2",
    ] {
        let answer = world.get(path).token(AGENT).send().await;

        assert_eq!(
            (answer.status, answer.problem()),
            (StatusCode::NOT_FOUND, "unknown-path"),
            "{path}"
        );
    }
}

#[tokio::test]
async fn what_is_no_id_names_no_ask() {
    let world = World::new();
    for id in ["1", "%00", "%FF", "01940000-0000-7000-8000-00000000000g"] {
        let answer = world.get(&format!("/v1/asks/{id}")).token(AGENT).send().await;

        assert_eq!(
            (answer.status, answer.problem()),
            (StatusCode::NOT_FOUND, "no-ask"),
            "{id}"
        );
    }
}

#[tokio::test]
async fn a_name_in_the_path_that_is_no_text_is_a_problem() {
    let world = World::new();
    for (method, path) in [
        ("DELETE", "/v1/runs/%FF"),
        ("POST", "/v1/people/%FF/pair"),
        ("POST", "/v1/people/%FF/unpair"),
    ] {
        let answer = world.call(method, path).token(OPERATOR).send().await;

        assert_eq!(
            (answer.status, answer.problem()),
            (StatusCode::BAD_REQUEST, "bad-parameter"),
            "{path}: {}",
            answer.body
        );
    }
}

#[tokio::test]
async fn a_wrong_parameter_is_told_without_the_parsers_own_words() {
    let world = World::new();

    let answer = world.get("/v1/asks?limit=0").token(AGENT).send().await;

    assert_eq!(answer.problem(), "bad-parameter");
    assert_eq!(answer.text("/detail"), "limit: must be a number from 1 to 200");
}

#[tokio::test]
async fn a_method_that_the_path_does_not_take_is_a_problem_that_lists_those_it_takes() {
    let world = World::new();
    for (method, path, allowed) in [
        ("PUT", "/v1/asks", vec!["GET", "HEAD", "POST"]),
        ("DELETE", "/v1/asks/1", vec!["GET", "HEAD"]),
        ("GET", "/v1/runs/1", vec!["DELETE"]),
        ("POST", "/healthz", vec!["GET", "HEAD"]),
    ] {
        let answer = world.call(method, path).token(AGENT).send().await;

        let mut listed: Vec<&str> = answer.header("allow").split(',').map(str::trim).collect();
        listed.sort_unstable();
        assert_eq!(
            (answer.status, answer.problem()),
            (StatusCode::METHOD_NOT_ALLOWED, "method"),
            "{method} {path}"
        );
        assert_eq!(listed, allowed, "{method} {path}");
    }
}

#[tokio::test]
async fn a_body_that_is_no_json_is_a_problem_that_says_where() {
    let world = World::new();
    let nested = "[".repeat(10_000);
    for (body, place) in [
        ("{\n \"questions\": [,]}", "line 2 column 16"),
        ("", "line 1 column 0"),
        ("{} {}", "line 1 column 4"),
        (nested.as_str(), "line 1 column"),
    ] {
        let call = world
            .post("/v1/asks")
            .token(AGENT)
            .header("content-type", "application/json");
        let answer = call.body(body.to_owned()).send().await;

        assert_eq!(
            (answer.status, answer.problem()),
            (StatusCode::BAD_REQUEST, "bad-json"),
            "{place}"
        );
        assert!(answer.text("/detail").contains(place), "{}", answer.body);
    }
    let call = world
        .post("/v1/asks")
        .token(AGENT)
        .header("content-type", "application/json");
    let not_text = call.body(vec![b'"', 0xFF, b'"']).send().await;
    assert_eq!(not_text.problem(), "bad-json");
}

#[tokio::test]
async fn a_body_must_be_declared_as_json() {
    let world = World::new();
    let ask = async |media: Option<&str>| {
        let call = world
            .post("/v1/asks")
            .token(OPERATOR)
            .body(one_question().to_string());
        match media {
            Some(media) => call.header("content-type", media).send().await,
            None => call.send().await,
        }
    };

    for media in [
        None,
        Some("text/plain"),
        Some("application/x-www-form-urlencoded"),
        Some("text/json+json"),
        Some(""),
    ] {
        let answer = ask(media).await;
        assert_eq!(
            (answer.status, answer.problem()),
            (StatusCode::UNSUPPORTED_MEDIA_TYPE, "media-type"),
            "{media:?}"
        );
    }
    for media in [
        "application/json",
        "Application/JSON; charset=utf-8",
        "application/vnd.askd+json",
    ] {
        assert_eq!(ask(Some(media)).await.status, StatusCode::CREATED, "{media}");
    }
    let unpair = world
        .post("/v1/people/sara/unpair")
        .token(OPERATOR)
        .body("{}")
        .send()
        .await;
    assert_eq!(unpair.problem(), "media-type");
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused() {
    let world = World::with(HttpOptions {
        body_limit: 1000,
        ..HttpOptions::default()
    });
    let ask = async |bytes: usize| {
        let mut body = one_question().to_string();
        body.push_str(&" ".repeat(bytes - body.len()));
        world
            .post("/v1/asks")
            .token(AGENT)
            .header("content-type", "application/json")
            .body(body)
            .send()
            .await
    };

    let (fits, over) = (ask(1000).await, ask(1001).await);

    assert_eq!(fits.status, StatusCode::CREATED);
    assert_eq!(
        (over.status, over.problem()),
        (StatusCode::PAYLOAD_TOO_LARGE, "too-large")
    );
    assert_eq!(over.text("/detail"), "a body can have at most 1000 bytes");
}

#[tokio::test]
async fn a_body_that_says_it_is_too_long_is_not_waited_for() {
    let call = World::new()
        .post("/v1/asks")
        .token(AGENT)
        .header("content-type", "application/json")
        .body(Body::new(Promised(512 * 1024 + 1)));

    let answer = at_once(pin!(call.send()).as_mut()).await;

    assert_eq!(answer.expect("not waited for").problem(), "too-large");
}

/// A body that says how many bytes it has, and never sends one.
struct Promised(u64);

impl HttpBody for Promised {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Pending
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0)
    }
}

#[tokio::test]
async fn a_body_can_have_512_kib_unless_the_operator_says_otherwise() {
    let call = World::new()
        .post("/v1/asks")
        .token(AGENT)
        .header("content-type", "application/json");

    let answer = call.body(" ".repeat(512 * 1024 + 1)).send().await;

    assert_eq!(answer.text("/detail"), "a body can have at most 524288 bytes");
}

#[tokio::test]
async fn a_body_that_does_not_arrive_is_not_waited_for() {
    let world = World::new();
    let never = Body::from_stream(futures_util::stream::pending::<Result<Bytes, Infallible>>());
    let call = world
        .post("/v1/asks")
        .token(AGENT)
        .header("content-type", "application/json")
        .body(never);
    let mut sent = pin!(call.send());
    assert!(at_once(sent.as_mut()).await.is_none());

    world.clock.advance(Duration::from_secs(10));

    let answer = sent.await;
    assert_eq!(
        (answer.status, answer.problem()),
        (StatusCode::REQUEST_TIMEOUT, "slow")
    );
}

#[tokio::test]
async fn faults_of_an_ask_are_listed_all_at_once_with_their_pointers() {
    let world = World::new();
    let mut body = one_question();
    body["questions"][0]["question"] = json!("");
    body["questions"][0]["header"] = json!(7);
    body["questions"][0]["options"][1]["label"] = json!("x".repeat(201));
    body["questions"][0]["hint"] = json!("none");
    body.as_object_mut()
        .unwrap()
        .insert("timeoutSeconds".to_owned(), json!("soon"));

    let answer = world.post("/v1/asks").token(AGENT).json(&body).send().await;

    let found: BTreeMap<&str, &Value> = answer
        .at("/errors")
        .as_array()
        .unwrap()
        .iter()
        .map(|error| (error["pointer"].as_str().unwrap(), error))
        .collect();
    let rules: Vec<(&str, &str)> = found
        .iter()
        .map(|(pointer, error)| (*pointer, error["rule"].as_str().unwrap()))
        .collect();
    assert_eq!(
        (answer.status, answer.problem()),
        (StatusCode::UNPROCESSABLE_ENTITY, "invalid")
    );
    assert_eq!(answer.text("/detail"), "5 rules are broken; `errors` lists them");
    assert_eq!(
        rules,
        [
            ("/questions/0/header", "not_text"),
            ("/questions/0/hint", "unknown_field"),
            ("/questions/0/options/1/label", "too_long"),
            ("/questions/0/question", "blank"),
            ("/timeoutSeconds", "not_integer"),
        ]
    );
    let too_long = found["/questions/0/options/1/label"];
    assert_eq!(too_long["limit"], 200);
    assert_eq!(too_long["received"], "x".repeat(80));
    assert_eq!(too_long["message"], "must have at most 200 characters");
}

#[tokio::test]
async fn one_fault_is_told_in_the_detail() {
    let world = World::new();
    for (body, detail) in [
        (json!({}), "/questions is required"),
        (json!("questions"), "the body must be an object"),
    ] {
        let answer = world.post("/v1/asks").token(AGENT).json(&body).send().await;

        assert_eq!(answer.text("/detail"), detail);
    }
}

#[tokio::test]
async fn the_fourth_question_is_one_too_many() {
    let world = World::new();
    let mut body = one_question();
    for n in 1..4 {
        let mut question = body["questions"][0].clone();
        question["id"] = json!(format!("q{n}"));
        body["questions"].as_array_mut().unwrap().push(question);
    }

    let answer = world.post("/v1/asks").token(AGENT).json(&body).send().await;

    assert_eq!(answer.text("/errors/0/pointer"), "/questions");
    assert_eq!(
        (answer.text("/errors/0/rule"), answer.at("/errors/0/limit")),
        ("too_many".to_owned(), &json!(3))
    );
}

#[tokio::test]
async fn a_store_that_does_not_answer_is_a_problem_that_passes() {
    let world = World::new();
    let id = world.asked().await;
    world.store.set_broken(true);
    for call in [
        world.post("/v1/asks").token(AGENT).json(&one_question()),
        world.get("/v1/asks").token(AGENT),
        world.get(&format!("/v1/asks/{id}")).token(AGENT),
        world.get(&format!("/v1/asks/{id}?wait=50")).token(AGENT),
        world.post(&format!("/v1/asks/{id}/cancel")).token(AGENT),
        world.delete("/v1/runs/1").token(AGENT),
        world.post(&format!("/v1/asks/{id}/skip")).token(SARA),
        world.get("/v1/people").token(OPERATOR),
        world.post("/v1/people/sara/pair").token(OPERATOR),
        world.post("/v1/people/sara/unpair").token(OPERATOR),
    ] {
        let answer = call.send().await;

        assert_eq!(
            (answer.status, answer.problem()),
            (StatusCode::SERVICE_UNAVAILABLE, "unavailable")
        );
        assert_eq!(answer.header("retry-after"), "1");
    }
}

#[tokio::test]
async fn a_panic_is_a_problem_that_says_nothing_of_what_was_worked_on() {
    let also = Router::new().route("/panics", get(async || -> StatusCode { panic!("secret words") }));
    let world = World::with(HttpOptions {
        also,
        ..HttpOptions::default()
    });

    let answer = world.get("/panics").send().await;

    assert_eq!(
        (answer.status, answer.problem()),
        (StatusCode::INTERNAL_SERVER_ERROR, "internal")
    );
    assert!(!answer.body.to_string().contains("secret"));
}

#[tokio::test]
async fn routes_of_other_entrances_stand_behind_the_same_guard_and_get_the_same_errors() {
    let also = Router::new().route("/panel", get(async || ([("cache-control", "max-age=60")], "{}")));
    let world = World::with(HttpOptions {
        also,
        ..HttpOptions::default()
    });

    let foreign = world
        .get("/panel")
        .replaced("host", Some("evil.example"))
        .send()
        .await;
    let wrong_method = world.post("/panel").send().await;
    let served = world.get("/panel").open().await;

    assert_eq!(foreign.problem(), "foreign-host");
    assert_eq!(wrong_method.problem(), "method");
    assert_eq!(
        served.headers()["cache-control"],
        "max-age=60",
        "what they say of caching stands"
    );
    assert_eq!(served.headers()["x-content-type-options"], "nosniff");
}
