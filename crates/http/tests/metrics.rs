//! Figures for a dashboard.

use std::time::Duration;

use askd_core::{
    id::{ChannelName, EventId},
    inbound::{Act, Inbound, Inbox as _, Sender},
    store::{Failure, PutBack, Store as _},
};
use askd_testkit::{clock::START, sample};
use http_body_util::BodyExt as _;

use crate::{
    health::with_channels,
    world::{AGENT, OPERATOR, World},
};

/// What is served, line by line.
async fn lines(world: &World) -> Vec<String> {
    let response = world.get("/metrics").token(OPERATOR).open().await;
    assert_eq!(response.status(), 200);
    assert_eq!(
        response.headers()["content-type"],
        "application/openmetrics-text; version=1.0.0; charset=utf-8"
    );
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    assert!(text.ends_with("# EOF\n"), "{text}");
    text.lines().map(str::to_owned).collect()
}

/// Fails unless each of these lines is served.
async fn shows(world: &World, expected: &[&str]) {
    let lines = lines(world).await;
    for line in expected {
        assert!(
            lines.iter().any(|served| served == line),
            "no {line:?} in\n{}",
            lines.join("\n")
        );
    }
}

#[tokio::test]
async fn a_channel_is_up_by_what_was_heard_and_its_ages_grow() {
    let world = with_channels(&["discord", "telegram"]);
    let telegram = ChannelName::new("telegram");
    world.broker.channel_listens(&telegram, true);
    world.broker.heard_from(&telegram);
    world.clock.advance(Duration::from_millis(12_500));

    shows(
        &world,
        &[
            r#"askd_channel_up{channel="discord"} 0"#,
            r#"askd_channel_up{channel="telegram"} 1"#,
            r#"askd_channel_heard_age_seconds{channel="telegram"} 12.5"#,
        ],
    )
    .await;
    world.clock.advance(Duration::from_mins(1));
    shows(&world, &[r#"askd_channel_up{channel="telegram"} 0"#]).await;
    let served = lines(&world).await.join("\n");
    assert!(!served.contains(r#"askd_channel_heard_age_seconds{channel="discord"}"#));
    assert!(!served.contains("askd_channel_event_age_seconds{"), "{served}");
}

#[tokio::test]
async fn asks_and_deliveries_are_counted_by_what_became_of_them() {
    let world = with_channels(&["telegram"]);
    shows(
        &world,
        &[
            "askd_asks_pending 0",
            r#"askd_asks_ended_total{end="answered"} 0"#,
            r#"askd_asks_ended_total{end="undelivered"} 0"#,
            r#"askd_deliveries_total{channel="telegram",result="failed"} 0"#,
        ],
    )
    .await;

    let answered = world.asked().await;
    world.answered(&answered).await;
    let failing = world.asked().await;
    world.asked().await;
    let task = world
        .store
        .claim(
            &ChannelName::new("telegram"),
            START,
            START + Duration::from_mins(1),
            10,
        )
        .await
        .unwrap()
        .into_iter()
        .find(|task| task.ask.id.to_string() == failing)
        .unwrap();
    world
        .store
        .put_back(
            task.ask.id,
            task.delivery.id,
            PutBack::GiveUp(Failure::Unreachable),
            START,
        )
        .await
        .unwrap();

    shows(
        &world,
        &[
            "askd_asks_pending 1",
            r#"askd_asks_ended_total{end="answered"} 1"#,
            r#"askd_asks_ended_total{end="undelivered"} 1"#,
            r#"askd_deliveries_total{channel="telegram",result="failed"} 1"#,
            r#"askd_deliveries_total{channel="telegram",result="dropped"} 1"#,
            "askd_store_up 1",
        ],
    )
    .await;
}

#[tokio::test]
async fn requests_are_counted_by_the_pattern_of_their_path_and_never_by_what_was_sent() {
    let world = World::new();
    let id = world.asked().await;
    for path in [
        format!("/v1/asks/{id}"),
        "/v1/asks/hush-id".to_owned(),
        "/hush-path".to_owned(),
        "/v1/asks?session=hush-session".to_owned(),
    ] {
        world.get(&path).token(AGENT).open().await;
    }
    world.call("HUSH-METHOD", "/v1/asks").token(AGENT).open().await;
    world.get("/v1/asks").token("hush-token").open().await;

    shows(
        &world,
        &[
            r#"askd_http_requests_total{route="/v1/asks/{id}",status="2xx"} 1"#,
            r#"askd_http_requests_total{route="/v1/asks/{id}",status="4xx"} 1"#,
            r#"askd_http_requests_total{route="none",status="4xx"} 1"#,
            r#"askd_http_requests_total{route="/v1/asks",status="4xx"} 2"#,
            r#"askd_http_requests_total{route="/v1/asks",status="2xx"} 2"#,
        ],
    )
    .await;
    let served = lines(&world).await.join("\n").to_ascii_lowercase();
    assert!(!served.contains("hush"), "{served}");
}

#[tokio::test]
async fn whoever_holds_is_counted_until_they_go() {
    let world = World::new();
    let id = world.asked().await;
    let stream = world.get("/v1/events").token(AGENT).open().await;
    let hold = world.get(&format!("/v1/asks/{id}?wait=50")).token(AGENT).open();
    let mut hold = Box::pin(hold);
    // It holds once it was polled.
    assert!(tokio::time::timeout(Duration::ZERO, hold.as_mut()).await.is_err());

    shows(&world, &["askd_streams 1", "askd_waiters 1"]).await;
    drop((stream, hold));
    shows(&world, &["askd_streams 0", "askd_waiters 0"]).await;
}

#[tokio::test]
async fn where_the_store_does_not_answer_the_rest_is_still_told() {
    let world = World::new();
    world.store.set_broken(true);

    shows(&world, &["askd_store_up 0"]).await;

    assert!(!lines(&world).await.join("\n").contains("askd_asks_pending "));
}

#[tokio::test]
async fn every_metric_is_described_for_operators_and_no_other_is() {
    let documented = include_str!("../../../docs/operations.md");
    let world = with_channels(&["telegram"]);
    let somebody_says = Inbound {
        event: EventId::new("1"),
        from: Sender::Machine,
        at: sample::address("telegram:1"),
        direct: true,
        when: START,
        act: Act::Filled {
            payload: String::new(),
            text: String::new(),
            message: None,
        },
    };
    world.broker.accept(somebody_says).await.unwrap();
    world.get("/healthz").send().await;

    let served = lines(&world).await;
    let served: Vec<&str> = served
        .iter()
        .filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' '))
        .map(|(name, kind)| {
            let name = if kind == "counter" {
                format!("{name}_total")
            } else if kind == "info" {
                format!("{name}_info")
            } else {
                name.to_owned()
            };
            &*name.leak()
        })
        .collect();

    for name in &served {
        assert!(
            documented.contains(&format!("| `{name}`")),
            "{name} is not described"
        );
    }
    let described = documented
        .lines()
        .filter_map(|line| line.strip_prefix("| `askd_")?.split_once('`'))
        .map(|(name, _)| format!("askd_{name}"));
    for name in described {
        assert!(
            served.contains(&name.as_str()),
            "{name} is described and not served"
        );
    }
}
