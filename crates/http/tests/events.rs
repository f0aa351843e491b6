//! The stream of events: who is told what, and going on after a break.

use std::{num::NonZeroU32, pin::pin, sync::Arc, time::Duration};

use askd_core::{clock::Clock as _, rights::Tokens};
use askd_http::{HttpOptions, router};
use axum::{
    body::Body,
    http::{Request, StatusCode},
    response::Response,
};
use http_body_util::BodyExt as _;
use serde_json::Value;
use tower::ServiceExt as _;

use crate::{
    contract::Contract,
    waiting::at_once,
    world::{AGENT, OMID, OPERATOR, OTHER_AGENT, SARA, World},
};

/// An open stream, as a client reads it.
struct Stream(Body);

/// One event, or a comment with an id.
#[derive(Debug, Default, PartialEq)]
struct Told {
    id: String,
    event: String,
    data: Value,
    comment: String,
}

impl Stream {
    fn of(response: Response) -> Self {
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        assert_eq!(response.headers()["x-accel-buffering"], "no");
        Self(response.into_body())
    }

    /// The next event; `None` at the end of the stream.
    async fn next(&mut self) -> Option<Told> {
        let frame = self.0.frame().await?.unwrap().into_data().unwrap();
        let text = String::from_utf8(frame.to_vec()).unwrap();
        let mut told = Told::default();
        for line in text.strip_suffix("\n\n").expect("one whole event").lines() {
            match line.split_once(": ").unwrap() {
                ("id", value) => value.clone_into(&mut told.id),
                ("event", value) => value.clone_into(&mut told.event),
                ("data", value) => told.data = serde_json::from_str(value).unwrap(),
                ("", value) => value.clone_into(&mut told.comment),
                ("retry", value) => assert_eq!(value, "2000"),
                (other, _) => panic!("{other}"),
            }
        }
        Some(told)
    }

    /// What the next event is about: the change, and the status the ask has by now.
    async fn change(&mut self) -> (String, String, String) {
        let told = self.next().await.unwrap();
        assert_eq!(told.event, "ask", "{told:?}");
        let text = |pointer| {
            told.data
                .pointer(pointer)
                .and_then(Value::as_str)
                .unwrap()
                .to_owned()
        };
        (text("/change"), text("/ask/id"), text("/ask/status"))
    }

    async fn is_quiet(&mut self) -> bool {
        at_once(pin!(self.next())).await.is_none()
    }
}

async fn opened(world: &World, token: &str, after: Option<&str>) -> Stream {
    let call = world.get("/v1/events").token(token);
    Stream::of(match after {
        Some(id) => call.header("last-event-id", id).open().await,
        None => call.open().await,
    })
}

/// A stream past its greeting, and the id that came with that.
async fn greeted(world: &World, token: &str) -> (Stream, String) {
    let mut stream = opened(world, token, None).await;
    let told = stream.next().await.unwrap();
    assert_eq!((told.comment.as_str(), told.event.as_str()), ("connected", ""));
    (stream, told.id)
}

fn change(what: &str, id: &str, status: &str) -> (String, String, String) {
    (what.to_owned(), id.to_owned(), status.to_owned())
}

#[tokio::test]
async fn every_change_is_told_with_the_ask_as_it_is() {
    let world = World::new();
    let (mut stream, _) = greeted(&world, AGENT).await;
    assert!(stream.is_quiet().await);

    let id = world.asked().await;
    assert_eq!(stream.change().await, change("asked", &id, "pending"));
    world.answered(&id).await;
    assert_eq!(stream.change().await, change("ended", &id, "answered"));
    assert!(stream.is_quiet().await);
}

#[tokio::test]
async fn an_event_is_what_the_description_says() {
    let world = World::new();
    let (mut stream, _) = greeted(&world, AGENT).await;
    let id = world.asked().await;
    world.answered(&id).await;
    let contract = Contract::served();
    for _ in 0..2 {
        let told = stream.next().await.unwrap();

        let mut wrong = Vec::new();
        contract.check(&Contract::schema("AskEvent"), &told.data, "", &mut wrong);
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}

#[tokio::test]
async fn each_is_told_of_what_they_may_see() {
    let world = World::new();
    let mut streams = Vec::new();
    for (token, sees) in [
        (AGENT, true),
        (SARA, true),
        (OPERATOR, true),
        (OTHER_AGENT, false),
        (OMID, false),
    ] {
        streams.push((greeted(&world, token).await.0, token, sees));
    }

    let id = world.asked().await;

    for (mut stream, token, sees) in streams {
        if sees {
            assert_eq!(stream.change().await, change("asked", &id, "pending"), "{token}");
        }
        assert!(stream.is_quiet().await, "{token}");
    }
}

#[tokio::test]
async fn a_clock_that_is_set_back_keeps_no_stream_silent() {
    let world = World::new();
    let (mut stream, _) = greeted(&world, AGENT).await;
    assert!(stream.is_quiet().await);

    world.clock.set(world.clock.now() - Duration::from_hours(3));
    let mut silent = 0;
    while stream.is_quiet().await {
        world.clock.advance(Duration::from_secs(1));
        silent += 1;
        assert!(silent <= 30, "silent for {silent} s");
    }
}

#[tokio::test]
async fn a_stream_goes_on_after_the_last_event_that_was_received() {
    let world = World::new();
    let (mut stream, _) = greeted(&world, AGENT).await;
    let first = world.asked().await;
    let received = stream.next().await.unwrap().id;
    drop(stream);
    let second = world.asked().await;
    world.answered(&first).await;

    let mut stream = opened(&world, AGENT, Some(&received)).await;

    assert_eq!(
        stream.next().await.unwrap().id,
        received,
        "the greeting repeats it"
    );
    assert_eq!(stream.change().await, change("asked", &second, "pending"));
    assert_eq!(stream.change().await, change("ended", &first, "answered"));
    assert!(stream.is_quiet().await);
}

#[tokio::test]
async fn ids_rise_by_one_with_each_change_and_are_the_same_for_everybody() {
    let world = World::new();
    let (mut mine, _) = greeted(&world, AGENT).await;
    let (mut all, _) = greeted(&world, OPERATOR).await;
    world.asked_by(OTHER_AGENT).await;
    world.asked().await;

    let (others, shared) = (all.next().await.unwrap(), all.next().await.unwrap());

    assert!(
        others.id.ends_with(".1") && shared.id.ends_with(".2"),
        "{} {}",
        others.id,
        shared.id
    );
    assert_eq!(mine.next().await.unwrap(), shared);
}

#[tokio::test]
async fn who_was_away_for_too_long_is_told_to_read_everything_anew() {
    let world = World::with(HttpOptions {
        events_kept: 2,
        ..HttpOptions::default()
    });
    let (stream, start) = greeted(&world, AGENT).await;
    drop(stream);
    let ids = [world.asked().await, world.asked().await, world.asked().await];

    let mut too_late = opened(&world, AGENT, Some(&start)).await;
    let resync = too_late.next().await.unwrap();
    let mut in_time = opened(&world, AGENT, Some(&start.replace(".0", ".1"))).await;
    in_time.next().await.unwrap();

    assert_eq!(resync.event, "resync");
    assert!(resync.id.ends_with(".3"), "goes on from here: {}", resync.id);
    assert!(too_late.is_quiet().await);
    assert_eq!(in_time.change().await, change("asked", &ids[1], "pending"));
    assert_eq!(in_time.change().await, change("asked", &ids[2], "pending"));
}

#[tokio::test]
async fn a_stream_that_is_too_slow_is_told_so_too() {
    let world = World::with(HttpOptions {
        events_kept: 2,
        ..HttpOptions::default()
    });
    let (mut stream, _) = greeted(&world, AGENT).await;
    for _ in 0..3 {
        world.asked().await;
    }

    assert_eq!(stream.next().await.unwrap().event, "resync");
    assert!(stream.is_quiet().await);
    let id = world.asked().await;
    assert_eq!(stream.change().await, change("asked", &id, "pending"));
}

#[tokio::test]
async fn an_id_from_before_a_restart_is_not_known() {
    let world = World::new();
    let (_, before) = greeted(&world, AGENT).await;
    let restarted = router(Arc::clone(&world.broker), HttpOptions::default());

    let request = Request::get("/v1/events")
        .header("host", "localhost")
        .header("authorization", "Bearer build-bot");
    let request = request
        .header("last-event-id", &before)
        .body(Body::empty())
        .unwrap();
    let told = Stream::of(restarted.oneshot(request).await.unwrap())
        .next()
        .await
        .unwrap();

    assert_eq!(told.event, "resync");
    assert_ne!(told.id, before);
}

#[tokio::test]
async fn what_was_never_an_id_is_not_known() {
    let world = World::new();
    let (_, start) = greeted(&world, AGENT).await;
    for id in [
        "7",
        "",
        "schlüssel",
        "a.b",
        &start.replace(".0", ".1"),
        &start.replace(".0", ".-1"),
    ] {
        let told = opened(&world, AGENT, Some(id)).await.next().await.unwrap();

        assert_eq!(told.event, "resync", "{id:?}");
    }
}

#[tokio::test]
async fn a_quiet_stream_shows_every_15_seconds_that_it_lives() {
    let world = World::new();
    let (mut stream, _) = greeted(&world, AGENT).await;
    for _ in 0..2 {
        world.clock.advance(Duration::from_millis(14_999));
        assert!(stream.is_quiet().await);
        world.clock.advance(Duration::from_millis(1));
        assert_eq!(stream.next().await.unwrap().comment, "still here");
    }
}

#[tokio::test]
async fn what_others_do_does_not_push_a_quiet_client_out_of_the_log() {
    let world = World::with(HttpOptions {
        events_kept: 2,
        ..HttpOptions::default()
    });
    let (mut stream, _) = greeted(&world, OTHER_AGENT).await;
    for _ in 0..2 {
        world.asked().await;
        assert!(stream.is_quiet().await);
    }
    world.clock.advance(Duration::from_secs(15));
    let alive = stream.next().await.unwrap();
    drop(stream);
    let id = world.asked_by(OTHER_AGENT).await;

    let mut stream = opened(&world, OTHER_AGENT, Some(&alive.id)).await;
    stream.next().await.unwrap();

    assert_eq!((alive.event.as_str(), alive.comment.as_str()), ("", "still here"));
    assert_eq!(stream.change().await, change("asked", &id, "pending"));
}

#[tokio::test]
async fn a_stop_ends_the_stream() {
    let world = World::new();
    let (mut stream, _) = greeted(&world, AGENT).await;
    assert!(stream.is_quiet().await);

    world.stop.cancel();

    assert_eq!(stream.next().await, None);
}

#[tokio::test]
async fn a_token_that_is_withdrawn_ends_the_stream_before_anything_more_is_told() {
    let world = World::new();
    let (mut stream, _) = greeted(&world, SARA).await;
    assert!(stream.is_quiet().await);

    world.tokens.send_replace(Arc::new(Tokens::default()));
    let agent_less = world.get("/v1/events").token(SARA).send().await;
    world.clock.advance(Duration::from_secs(15));

    assert_eq!(stream.next().await, None);
    assert_eq!(agent_less.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_store_that_fails_ends_the_stream_and_who_comes_back_has_missed_nothing() {
    let world = World::new();
    let (mut stream, start) = greeted(&world, AGENT).await;
    let id = world.asked().await;
    world.store.set_broken(true);

    assert_eq!(stream.next().await, None);
    world.store.set_broken(false);
    let mut stream = opened(&world, AGENT, Some(&start)).await;
    stream.next().await.unwrap();

    assert_eq!(stream.change().await, change("asked", &id, "pending"));
}

#[tokio::test]
async fn changes_that_nobody_followed_for_long_are_not_taken_for_told() {
    let world = World::with(HttpOptions {
        events_kept: 10_000,
        requests_per_second: NonZeroU32::MAX,
        ..HttpOptions::default()
    });
    let two_changes = async || {
        let id = world.asked().await;
        world
            .post(&format!("/v1/asks/{id}/cancel"))
            .token(AGENT)
            .open()
            .await;
    };
    let (mut stream, _) = greeted(&world, AGENT).await;
    for _ in 0..10 {
        two_changes().await;
    }
    let mut followed = String::new();
    for _ in 0..20 {
        followed = stream.next().await.unwrap().id;
    }
    drop(stream);
    // A few more than the 1024 that the store holds for who does not look: fewer are lost than the log still has.
    for _ in 0..515 {
        two_changes().await;
    }

    let mut stream = opened(&world, AGENT, Some(&followed)).await;

    assert_eq!(stream.next().await.unwrap().event, "resync");
    assert!(stream.is_quiet().await);
}
