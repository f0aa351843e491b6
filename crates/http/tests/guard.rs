//! Which hosts and which web pages are answered.

use askd_http::HttpOptions;
use axum::http::StatusCode;

use crate::world::World;

fn allowing(hosts: &[&str], loopback_only: bool) -> World {
    let allowed_hosts = hosts.iter().map(|host| (*host).to_owned()).collect();
    World::with(HttpOptions {
        allowed_hosts,
        loopback_only,
        ..HttpOptions::default()
    })
}

#[tokio::test]
async fn on_a_loopback_listener_only_names_of_this_machine_are_answered() {
    let world = World::new();
    let ours = [
        "localhost",
        "localhost:7373",
        "LocalHost:1",
        "127.0.0.1",
        "127.0.0.1:7373",
        "127.1.2.3",
        "[::1]",
        "[::1]:7373",
    ];
    let foreign = [
        "evil.example",
        "evil.example:7373",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "user@localhost:7373@evil.example",
        "evil.example@localhost:7373",
        "evil.example@127.0.0.1",
        "localhost:evil",
        "localhost:99999",
        "[::1]:",
        "192.168.0.5:7373",
        "0.0.0.0:7373",
        "[::]:7373",
        "",
    ];
    for host in ours {
        let answer = world.get("/healthz").replaced("host", Some(host)).send().await;
        assert_eq!(answer.status, StatusCode::OK, "{host}");
    }
    for host in foreign {
        let answer = world.get("/healthz").replaced("host", Some(host)).send().await;
        assert_eq!(
            (answer.status, answer.problem()),
            (StatusCode::FORBIDDEN, "foreign-host"),
            "{host}"
        );
    }
}

#[tokio::test]
async fn a_request_that_names_no_host_or_two_is_refused() {
    let world = World::new();

    let none = world.get("/healthz").replaced("host", None).send().await;
    let two = world.get("/healthz").header("host", "localhost").send().await;

    assert_eq!(
        (none.status, none.problem()),
        (StatusCode::FORBIDDEN, "foreign-host")
    );
    assert_eq!(
        (two.status, two.problem()),
        (StatusCode::FORBIDDEN, "foreign-host")
    );
}

#[tokio::test]
async fn a_host_in_the_request_line_counts_before_the_header() {
    let world = World::new();

    let foreign = world.get("http://evil.example/healthz").open().await;

    assert_eq!(foreign.status(), StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn hosts_can_be_allowed_with_or_without_their_port() {
    let world = allowing(&["askd.example.org", "box.example:8443"], true);
    for (host, expected) in [
        ("askd.example.org", 200),
        ("ASKD.example.org:443", 200),
        ("box.example:8443", 200),
        ("box.example", 403),
        ("box.example:1", 403),
        ("localhost", 200),
    ] {
        let answer = world.get("/healthz").replaced("host", Some(host)).send().await;
        assert_eq!(answer.status.as_u16(), expected, "{host}");
    }
}

#[tokio::test]
async fn beyond_loopback_every_host_is_answered() {
    let answer = allowing(&[], false)
        .get("/healthz")
        .replaced("host", Some("askd.internal"))
        .send()
        .await;

    assert_eq!(answer.status, StatusCode::OK);
}

#[tokio::test]
async fn web_pages_of_other_origins_are_refused_whatever_the_listener() {
    for loopback_only in [true, false] {
        let world = allowing(&["askd.example.org"], loopback_only);
        for (origin, expected) in [
            ("http://localhost:7373", 200),
            ("http://LOCALHOST:7373", 200),
            ("https://askd.example.org", 200),
            ("https://askd.example.org:8443", 200),
            ("http://localhost:3000", 403),
            ("http://localhost", 403),
            ("http://127.0.0.1:7373", 403),
            ("https://evil.example", 403),
            ("https://askd.example.org.evil.example", 403),
            ("null", 403),
            ("", 403),
            ("file://localhost:7373", 403),
            ("http://localhost:7373/path", 403),
        ] {
            let answer = world.get("/healthz").header("origin", origin).send().await;
            assert_eq!(
                answer.status.as_u16(),
                expected,
                "{origin:?} (loopback only: {loopback_only})"
            );
            if expected == 403 {
                assert_eq!(answer.problem(), "foreign-origin", "{origin:?}");
            }
        }
        let two = world
            .get("/healthz")
            .header("origin", "http://localhost:7373")
            .header("origin", "https://evil.example");
        assert_eq!(two.send().await.status, StatusCode::FORBIDDEN);
    }
}

#[tokio::test]
async fn no_other_origin_may_read_an_answer() {
    let answer = World::new()
        .call("OPTIONS", "/v1/asks")
        .header("origin", "http://localhost:7373")
        .send()
        .await;

    assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED);
    assert!(
        answer
            .headers
            .keys()
            .all(|name| !name.as_str().starts_with("access-control-"))
    );
}
