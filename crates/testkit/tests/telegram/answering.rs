//! Taps and their answers.

use std::time::Duration;

use askd_testkit::telegram::Answer;
use serde_json::json;

use super::bot::{Bot, Refused, keyboard};

const TOO_OLD: &str = "Bad Request: query is too old and response timeout expired or query ID is invalid";

#[tokio::test]
async fn a_tap_tells_who_where_and_what() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    sara.speaks("fa");
    let at = bot
        .sends_with(json!({"chat_id": sara.id(), "text": "Where?", "reply_markup": keyboard(&["Staging"])}))
        .await;

    let tap = sara.taps(&sara.direct(), "Staging");
    let query = bot.hears("callback_query").await;

    assert_eq!(query["id"], tap.id);
    assert_eq!(query["from"]["id"], sara.id());
    assert_eq!(query["from"]["language_code"], "fa");
    assert_eq!(query["data"], "Staging");
    assert_eq!(query["message"]["message_id"], at.id);
    assert_eq!(query["message"]["text"], "Where?");
    assert_eq!(query["message"]["reply_markup"], keyboard(&["Staging"]));
    assert_eq!(tap.answer(), None, "the button waits");
}

#[tokio::test]
async fn an_answer_is_a_toast_or_an_alert_or_nothing_to_read() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let at = bot.sends(sara.id(), "Where?").await;

    for (arguments, text, alert) in [
        (json!({"text": "Recorded"}), Some("Recorded"), false),
        (
            json!({"text": "Not yours", "show_alert": true}),
            Some("Not yours"),
            true,
        ),
        (json!({}), None, false),
    ] {
        let tap = sara.taps_data(at, "1", "A");
        let mut arguments = arguments;
        arguments["callback_query_id"] = tap.id.as_str().into();

        assert_eq!(bot.call("answerCallbackQuery", arguments).await, true);

        let text = text.map(str::to_owned);
        assert_eq!(tap.answer(), Some(Answer { text, alert }));
    }
    let by: Vec<i64> = bot.telegram.answers().iter().map(|(by, _)| *by).collect();
    assert_eq!(by, [sara.id(); 3]);
}

#[tokio::test]
async fn a_tap_is_answered_once_and_soon_or_not_at_all() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let at = bot.sends(sara.id(), "Where?").await;
    let once = sara.taps_data(at, "1", "A").id;
    bot.call("answerCallbackQuery", json!({"callback_query_id": once}))
        .await;
    let late = sara.taps_data(at, "1", "A").id;
    bot.clock.advance(Duration::from_secs(15));

    for id in [once.as_str(), late.as_str(), "1", ""] {
        let refused = bot
            .refused("answerCallbackQuery", json!({"callback_query_id": id}))
            .await;

        assert_eq!(refused, Refused::new(400, TOO_OLD), "{id}");
    }
}

#[tokio::test]
async fn an_answer_has_at_most_200_utf_16_units() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let at = bot.sends(sara.id(), "Where?").await;

    for (text, fits) in [
        ("x".repeat(200), true),
        ("x".repeat(201), false),
        ("👍".repeat(100), true),
        ("👍".repeat(101), false),
    ] {
        let id = sara.taps_data(at, "1", "A").id;
        let arguments = json!({"callback_query_id": id, "text": text});
        let outcome = bot.try_call("answerCallbackQuery", arguments).await.unwrap();

        let expected = if fits {
            Ok(json!(true))
        } else {
            Err(Refused::new(400, "Bad Request: MESSAGE_TOO_LONG"))
        };
        assert_eq!(outcome, expected, "{text}");
    }
}

#[tokio::test]
async fn a_tap_can_carry_what_no_button_carries_and_a_message_that_is_gone() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let at = bot
        .sends_with(json!({"chat_id": sara.id(), "text": "Where?", "reply_markup": keyboard(&["A"])}))
        .await;
    bot.call(
        "editMessageText",
        json!({"chat_id": at.chat, "message_id": at.id, "text": "Done"}),
    )
    .await;

    sara.taps_data(at, "A", "A");
    let removed = bot.hears("callback_query").await;
    sara.taps_vanished(at, "A");
    let vanished = bot.hears("callback_query").await;

    assert_eq!(removed["data"], "A");
    assert!(removed["message"].get("reply_markup").is_none());
    assert_eq!(vanished["message"]["date"], 0);
    assert_eq!(vanished["message"]["message_id"], at.id);
    assert!(vanished["message"].get("text").is_none());
}
