//! Socket Mode: envelopes, acknowledgements, and sockets that end.

use std::time::Duration;

use askd_testkit::slack::Farewell;
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use super::app::{App, buttons};

const SECOND: Duration = Duration::from_secs(1);

#[tokio::test]
async fn what_people_say_comes_in_an_envelope_until_it_is_acknowledged() {
    let app = App::start().await;
    let sara = app.sara();
    let mut socket = app.connects().await;

    let said = sara.says(&sara.direct(), "2");
    let first = socket.hears().await;
    app.clock.advance(3 * SECOND);
    let idle = app.slack.is_idle();
    app.clock.advance(SECOND);
    let second = socket.takes().await;
    app.slack
        .until("all is acknowledged", || app.slack.is_idle().then_some(()))
        .await;

    assert_eq!(first["type"], "events_api");
    assert_eq!(first["retry_attempt"], 0);
    let event = &first["payload"]["event"];
    assert_eq!(
        (event["type"].as_str(), event["text"].as_str()),
        (Some("message"), Some("2"))
    );
    assert_eq!(event["channel_type"], "im");
    assert_eq!(event["ts"], said.ts.to_string());
    assert!(!idle);
    assert_eq!(second["retry_attempt"], 1);
    assert_eq!(second["retry_reason"], "timeout");
    assert_ne!(second["envelope_id"], first["envelope_id"]);
    assert_eq!(second["payload"]["event_id"], first["payload"]["event_id"]);
    assert_eq!(app.slack.violations(), [""; 0]);
}

#[tokio::test]
async fn a_late_acknowledgement_is_a_broken_rule() {
    let app = App::start().await;
    let sara = app.sara();
    let mut socket = app.connects().await;
    sara.says(&sara.direct(), "2");
    let first = socket.hears().await;

    app.clock.advance(4 * SECOND);
    let second = socket.takes().await;
    socket.acknowledges(&first).await;
    socket.acknowledges(&second).await;
    socket.says(json!({"envelope_id": "made up"})).await;
    app.slack
        .until("three faults", || {
            (app.slack.violations().len() == 3).then_some(())
        })
        .await;

    assert_eq!(
        app.slack.violations(),
        [
            "socket: acknowledged after more than 3 s",
            "socket: acknowledged twice",
            "socket: acknowledged what was never sent"
        ]
    );
}

#[tokio::test]
async fn a_click_does_not_come_again_and_the_person_sees_a_warning() {
    let app = App::start().await;
    let sara = app.sara();
    let blocks = json!([buttons(&["A"])]);
    app.posts_with(json!({"channel": sara.id(), "text": "Where?", "blocks": blocks}))
        .await;

    sara.presses(&sara.direct(), "A");
    let mut socket = app.connects().await;
    let own = socket.takes_event().await;
    sara.says(&sara.direct(), "2");
    let next = socket.takes_event().await;

    assert_eq!(own["bot_id"], "B0ASKDBOT0");
    assert_eq!(next["text"], "2");
    assert!(
        app.slack
            .transcript()
            .contains("Sara sees a warning sign beside the button")
    );
    assert_eq!(app.slack.violations(), [""; 0]);
}

#[tokio::test]
async fn what_is_not_acknowledged_when_a_socket_breaks_goes_to_the_next() {
    let app = App::start().await;
    let sara = app.sara();
    let mut socket = app.connects().await;
    sara.says(&sara.direct(), "2");
    let first = socket.hears().await;

    app.slack.drop_sockets();
    socket.ends().await;
    let mut next = app.connects().await;
    let second = next.takes().await;

    assert_eq!(second["payload"]["event_id"], first["payload"]["event_id"]);
    assert_eq!(second["retry_attempt"], 1);
}

#[tokio::test]
async fn every_socket_gets_its_share() {
    let app = App::start().await;
    let sara = app.sara();
    let (mut one, mut two) = (app.connects().await, app.connects().await);

    for text in ["1", "2", "3", "4"] {
        sara.says(&sara.direct(), text);
    }

    let mut heard = Vec::new();
    for _ in 0..2 {
        for socket in [&mut one, &mut two] {
            heard.push(socket.takes_event().await["text"].as_str().unwrap().to_owned());
        }
    }
    heard.sort_unstable();
    assert_eq!(heard, ["1", "2", "3", "4"]);
}

#[tokio::test]
async fn a_socket_that_is_told_to_go_gets_nothing_more_and_is_closed() {
    let app = App::start().await;
    let sara = app.sara();
    let mut old = app.connects().await;

    app.slack.say_farewell(Farewell::Refresh);
    let bye = old.hears().await;
    let mut new = app.connects().await;
    sara.says(&sara.direct(), "2");
    let heard = new.takes_event().await;
    app.clock.advance(11 * SECOND);
    old.ends().await;

    assert_eq!(bye["type"], "disconnect");
    assert_eq!(bye["reason"], "refresh_requested");
    assert_eq!(heard["text"], "2");
    assert_eq!(app.slack.sockets(), 1);
}

#[tokio::test]
async fn a_ghost_swallows_what_is_sent_and_answers_no_ping() {
    let app = App::start().await;
    let sara = app.sara();
    let mut ghost = app.connects().await;

    app.slack.freeze_sockets();
    sara.says(&sara.direct(), "2");
    ghost.sends(Message::Ping("are you there?".into())).await;
    let mut alive = app.connects().await;
    app.clock.advance(4 * SECOND);
    let heard = alive.takes_event().await;
    let silence = tokio::time::timeout(Duration::from_millis(100), ghost.next()).await;

    assert_eq!(heard["text"], "2");
    assert!(silence.is_err(), "{silence:?}");
    assert_eq!(app.slack.sockets(), 2);
}

#[tokio::test]
async fn sockets_are_pinged_and_answer_pings() {
    let app = App::start().await;
    let mut socket = app.connects().await;

    app.clock.advance(10 * SECOND);
    let theirs = socket.next().await;
    socket.sends(Message::Ping("mine".into())).await;
    let answer = socket.next().await;

    assert!(matches!(theirs, Some(Message::Ping(_))), "{theirs:?}");
    assert_eq!(answer, Some(Message::Pong("mine".into())));
}
