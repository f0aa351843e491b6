//! What goes wrong on demand.

use std::{sync::Arc, time::Duration};

use askd_testkit::slack::{Farewell, Fault};
use serde_json::{Value, json};

use super::app::{App, buttons};

fn to(channel: &str) -> Value {
    json!({"channel": channel, "text": "x"})
}

#[tokio::test]
async fn a_fault_strikes_as_often_as_ordered_and_only_its_method() {
    let app = App::start().await;
    let sara = app.sara();
    app.slack
        .fail("chat.postMessage", 2, Fault::refused("fatal_error"));

    app.call("auth.test", json!({})).await;
    for _ in 0..2 {
        assert_eq!(app.error("chat.postMessage", to(sara.id())).await, "fatal_error");
    }
    app.posts(sara.id(), "x").await;

    assert_eq!(sara.sees(&sara.direct()).len(), 1);
    assert_eq!(app.slack.violations(), [""; 0]);
}

#[tokio::test]
async fn a_fault_can_be_for_any_method_until_it_is_mended() {
    let app = App::start().await;
    app.slack.fail_until_mended("*", Fault::unauthorized());

    for method in ["auth.test", "apps.connections.open"] {
        assert_eq!(app.error(method, json!({})).await, "invalid_auth");
    }
    app.slack.mend();
    app.call("auth.test", json!({})).await;
}

#[tokio::test]
async fn too_many_calls_are_answered_with_a_pause_in_a_header() {
    let app = App::start().await;
    app.slack.fail_next("auth.test", Fault::Throttled { seconds: 30 });

    let request = app
        .http
        .post(app.url("auth.test"))
        .bearer_auth(app.slack.bot_token());
    let answer = request.send().await.unwrap();

    assert_eq!(answer.status().as_u16(), 429);
    assert_eq!(answer.headers()["retry-after"], "30");
    assert_eq!(answer.json::<Value>().await.unwrap()["error"], "ratelimited");
}

#[tokio::test]
async fn a_gateway_answers_in_html() {
    let app = App::start().await;
    for status in [502, 200] {
        app.slack.fail_next("auth.test", Fault::Gateway { status });
        let request = app
            .http
            .post(app.url("auth.test"))
            .bearer_auth(app.slack.bot_token());
        let answer = request.send().await.unwrap();

        assert_eq!(answer.status().as_u16(), status);
        assert!(answer.text().await.unwrap().starts_with("<!DOCTYPE html>"));
    }
}

#[tokio::test]
async fn of_a_lost_answer_nobody_can_tell_whether_it_was_done() {
    let app = App::start().await;
    let sara = app.sara();
    for done in [false, true] {
        app.slack.fail_next("chat.postMessage", Fault::Lost { done });
        assert!(app.try_call("chat.postMessage", to(sara.id())).await.is_err());
        assert_eq!(sara.sees(&sara.direct()).len(), usize::from(done));
    }
}

#[tokio::test]
async fn a_call_that_hangs_ends_when_it_is_mended_or_given_up() {
    let app = Arc::new(App::start().await);
    let sara = app.sara();
    app.slack.fail("chat.postMessage", 2, Fault::Hangs { done: true });
    let call = |app: Arc<App>, id: String| async move { app.try_call("chat.postMessage", to(&id)).await };

    let mut calls = tokio::task::JoinSet::new();
    calls.spawn(call(Arc::clone(&app), sara.id().to_owned()));
    app.slack
        .until("a call hangs", || (app.slack.hanging() == 1).then_some(()))
        .await;
    calls.shutdown().await;
    app.slack
        .until("it is given up", || (app.slack.hanging() == 0).then_some(()))
        .await;
    calls.spawn(call(Arc::clone(&app), sara.id().to_owned()));
    app.slack
        .until("a call hangs", || (app.slack.hanging() == 1).then_some(()))
        .await;
    app.slack.mend();

    assert!(calls.join_next().await.unwrap().unwrap().is_err());
    assert_eq!(sara.sees(&sara.direct()).len(), 2, "both were done before");
}

#[tokio::test]
async fn an_answer_can_be_slow_by_the_fakes_clock() {
    let app = App::start().await;
    app.slack.fail_next(
        "auth.test",
        Fault::Slow {
            by: Duration::from_secs(5),
        },
    );

    let mut call = Box::pin(app.call("auth.test", json!({})));
    let early = tokio::time::timeout(Duration::from_millis(50), &mut call).await;
    app.clock.advance(Duration::from_secs(5));
    call.await;

    assert!(early.is_err());
}

#[tokio::test]
async fn a_fault_can_be_meant_for_one_call_among_many() {
    let app = App::start().await;
    let (sara, omid) = (app.sara(), app.slack.person("Omid"));
    let his = omid.id().to_owned();
    app.slack.fail_meant(
        move |_, arguments| arguments.text("channel") == his,
        Fault::invalid_blocks(),
    );

    app.posts(sara.id(), "x").await;
    let (error, messages) = app.refused("chat.postMessage", to(omid.id())).await;
    assert_eq!(error, "invalid_blocks");
    assert!(messages[0].contains("json-pointer:/blocks/0"), "{messages:?}");
    app.posts(omid.id(), "x").await;
}

#[tokio::test]
async fn what_was_called_is_kept_and_counted() {
    let app = App::start().await;
    let sara = app.sara();
    app.posts(sara.id(), "x").await;
    app.posts(sara.id(), "x").await;
    app.error("chat.delete", json!({"channel": sara.id(), "ts": "x"}))
        .await;

    let calls = app.slack.calls();
    assert_eq!(app.slack.counts()["chat.postMessage"], 2);
    assert_eq!(calls[0].arguments.text("text"), "x");
    assert!(calls[0].outcome.as_ref().unwrap().is_ok());
    assert_eq!(
        calls[2].outcome.as_ref().unwrap().as_ref().unwrap_err().error,
        "channel_not_found"
    );
}

#[tokio::test]
async fn what_somebody_did_can_be_told_once_more() {
    let app = App::start().await;
    let sara = app.sara();
    let mut socket = app.connects().await;
    sara.says(&sara.direct(), "2");
    let first = socket.takes().await;
    app.posts(sara.id(), "Noted.").await;
    socket.takes().await;

    app.slack.redeliver_last();
    let again = socket.takes().await;

    assert_eq!(again["payload"], first["payload"]);
    assert_ne!(again["envelope_id"], first["envelope_id"]);
    assert_eq!(again["retry_attempt"], 1);
}

#[tokio::test]
async fn an_event_that_is_never_acknowledged_is_given_up_after_three_retries() {
    let app = App::start().await;
    let sara = app.sara();
    let mut socket = app.connects().await;
    sara.says(&sara.direct(), "2");

    let mut attempts = Vec::new();
    // The first retry comes at once, the second after a minute, the third after five more.
    for pause in [0, 4, 64, 304] {
        app.clock.advance(Duration::from_secs(pause));
        attempts.push(socket.hears().await["retry_attempt"].as_u64().unwrap());
    }
    app.clock.advance(Duration::from_secs(4));
    app.slack
        .until("it is given up", || (app.slack.waiting() == 0).then_some(()))
        .await;

    assert_eq!(attempts, [0, 1, 2, 3]);
}

#[tokio::test]
async fn a_warning_leaves_a_socket_ten_seconds_and_a_revoked_token_all_of_them_none() {
    let app = App::start().await;
    let sara = app.sara();
    let mut socket = app.connects().await;

    app.slack.say_farewell(Farewell::Warning);
    let warned = socket.hears().await;
    sara.says(&sara.direct(), "2");
    let heard = socket.takes_event().await;
    app.slack.revoke_app_token();
    let disabled = socket.hears().await;
    app.clock.advance(Duration::from_secs(10));
    socket.ends().await;

    assert_eq!(
        (warned["reason"].as_str(), heard["text"].as_str()),
        (Some("warning"), Some("2"))
    );
    assert_eq!(disabled["reason"], "link_disabled");
    assert_eq!(
        app.error("apps.connections.open", json!({})).await,
        "token_revoked"
    );
}

#[tokio::test]
async fn of_more_than_ten_sockets_the_last_is_turned_away() {
    let app = App::start().await;
    let mut sockets = Vec::new();
    for _ in 0..10 {
        sockets.push(app.connects().await);
    }

    let mut last = app.opens().await;
    let bye = last.hears().await;
    last.ends().await;

    assert_eq!(
        (bye["type"].as_str(), bye["reason"].as_str()),
        (Some("disconnect"), Some("too_many_websockets"))
    );
    assert_eq!(app.slack.sockets(), 10);
    assert_eq!(app.slack.violations(), ["socket: more than 10 are open"]);
}

#[tokio::test]
async fn a_press_that_is_not_acknowledged_is_a_broken_rule_and_not_told_again() {
    let app = App::start().await;
    let sara = app.sara();
    app.posts_with(json!({"channel": sara.id(), "text": "?", "blocks": [buttons(&["A"])]}))
        .await;
    let mut socket = app.connects().await;
    socket.takes().await;
    app.slack
        .until("nothing waits", || (app.slack.waiting() == 0).then_some(()))
        .await;

    sara.presses(&sara.direct(), "A");
    socket.hears().await;
    app.clock.advance(Duration::from_secs(4));
    app.slack
        .until("nothing waits", || (app.slack.waiting() == 0).then_some(()))
        .await;

    assert_eq!(
        app.slack.violations(),
        ["socket: a click or a form was not acknowledged within 3 s"]
    );
}
