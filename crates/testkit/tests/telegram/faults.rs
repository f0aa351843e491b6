//! What goes wrong on the way.

use std::time::Duration;

use askd_testkit::telegram::{Arguments, Fault};
use serde_json::json;

use super::bot::{Bot, Refused};

#[tokio::test]
async fn a_fault_strikes_as_often_as_ordered_and_only_where_ordered() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    bot.telegram.fail("sendMessage", 2, Fault::unauthorized());
    bot.telegram.fail("sendMessage", 1, Fault::blocked());
    let send = || bot.try_call("sendMessage", json!({"chat_id": sara.id(), "text": "x"}));

    bot.call("getMe", json!({})).await;
    let mut codes = Vec::new();
    for _ in 0..4 {
        codes.push(send().await.unwrap().map_or_else(|refused| refused.code, |_| 200));
    }

    assert_eq!(codes, [401, 401, 403, 200]);
    assert_eq!(
        sara.sees(&sara.direct()).len(),
        1,
        "what was refused was not done"
    );
}

#[tokio::test]
async fn a_fault_can_be_meant_for_a_call_by_what_it_carries() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let two =
        |method: &str, arguments: &Arguments| method == "sendmessage" && arguments.text("text") == "two";
    bot.telegram.fail_meant(two, Fault::blocked());

    bot.sends(sara.id(), "one").await;
    let refused = bot
        .refused("sendMessage", json!({"chat_id": sara.id(), "text": "two"}))
        .await;
    bot.sends(sara.id(), "two").await;

    assert_eq!(
        refused,
        Refused::new(403, "Forbidden: bot was blocked by the user")
    );
}

#[tokio::test]
async fn a_standing_fault_strikes_until_it_is_mended() {
    let bot = Bot::start().await;
    bot.telegram.fail_until_mended("*", Fault::another_poller());

    for method in ["getMe", "getUpdates", "getWebhookInfo"] {
        assert_eq!(bot.refused(method, json!({})).await.code, 409);
    }
    bot.telegram.mend();

    bot.call("getMe", json!({})).await;
}

#[tokio::test]
async fn a_gateway_answers_in_html() {
    let bot = Bot::start().await;

    for status in [200, 502] {
        bot.telegram.fail("getMe", 1, Fault::Gateway { status });

        let response = bot.http.get(bot.url("getMe")).send().await.unwrap();

        assert_eq!(response.status().as_u16(), status);
        assert_eq!(response.headers()["content-type"], "text/html");
        assert!(response.text().await.unwrap().starts_with("<html>"));
    }
}

#[tokio::test]
async fn an_answer_can_be_lost_before_and_after_the_message_is_sent() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let send = || bot.try_call("sendMessage", json!({"chat_id": sara.id(), "text": "x"}));

    bot.telegram.fail("sendMessage", 1, Fault::Lost { done: false });
    let before = send().await.unwrap_err();
    let none = sara.sees(&sara.direct()).len();
    bot.telegram.fail("sendMessage", 1, Fault::Lost { done: true });
    let after = send().await.unwrap_err();

    assert!(
        before.is_request() && after.is_request(),
        "no status line came: {before:?}, {after:?}"
    );
    assert_eq!(none, 0);
    assert_eq!(sara.sees(&sara.direct()).len(), 1);
}

#[tokio::test]
async fn a_call_can_hang_before_and_after_until_it_is_mended_or_given_up() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let send = || bot.try_call("sendMessage", json!({"chat_id": sara.id(), "text": "x"}));
    let hanging = async |n: usize| {
        let found = || (bot.telegram.hanging() == n).then_some(());
        bot.telegram.until("a call to hang, or not", found).await;
    };

    bot.telegram.fail("sendMessage", 1, Fault::Hangs { done: false });
    let (mended, seen) = tokio::join!(send(), async {
        hanging(1).await;
        let seen = sara.sees(&sara.direct()).len();
        bot.telegram.mend();
        seen
    });
    bot.telegram.fail("sendMessage", 1, Fault::Hangs { done: true });
    tokio::select! {
        _ = send() => panic!("it hangs"),
        () = hanging(1) => {}
    }
    // The call was dropped above: its connection is closed, and the server notices.
    hanging(0).await;

    assert!(mended.is_err());
    assert_eq!(seen, 0);
    assert_eq!(sara.sees(&sara.direct()).len(), 1);
}

#[tokio::test]
async fn a_slow_answer_takes_its_time_by_the_clock() {
    let bot = Bot::start().await;
    bot.telegram.fail(
        "getMe",
        1,
        Fault::Slow {
            by: Duration::from_mins(1),
        },
    );

    let (answer, ()) = tokio::join!(bot.try_call("getMe", json!({})), async {
        bot.telegram
            .until("the call", || (!bot.telegram.calls().is_empty()).then_some(()))
            .await;
        bot.clock.advance(Duration::from_mins(1));
    });

    assert_eq!(answer.unwrap().unwrap()["is_bot"], true);
}

#[tokio::test]
async fn the_poll_that_waits_can_be_broken_off() {
    let bot = Bot::start().await;
    let sara = bot.sara();

    let (broken, ()) = tokio::join!(bot.try_call("getUpdates", json!({"timeout": 50})), async {
        bot.telegram
            .until("a poll", || bot.telegram.is_idle().then_some(()))
            .await;
        bot.telegram.break_poll();
    });
    sara.says(&sara.direct(), "hello");

    assert!(broken.is_err());
    assert_eq!(bot.updates().await.len(), 1);
}

#[tokio::test]
async fn any_refusal_can_be_ordered() {
    let bot = Bot::start().await;
    let description = "Bad Request: can't parse entities: ordered".to_owned();
    bot.telegram.fail(
        "sendMessage",
        1,
        Fault::Refused {
            code: 400,
            description: description.clone(),
        },
    );

    let refused = bot.refused("sendMessage", json!({})).await;

    assert_eq!(refused, Refused::new(400, &description));
}
