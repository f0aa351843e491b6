//! Updates: confirmed, repeated, filtered, expired, fought over.

use std::time::Duration;

use serde_json::{Value, json};

use super::bot::{Bot, Refused};

const OTHER: &str =
    "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running";
const WEBHOOK: &str = "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the \
                       webhook first";

fn texts(updates: &[Value]) -> Vec<&str> {
    updates
        .iter()
        .map(|update| update["message"]["text"].as_str().expect("a text"))
        .collect()
}

#[tokio::test]
async fn an_update_is_handed_out_until_a_later_offset_confirms_it() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    sara.says(&sara.direct(), "one");
    sara.says(&sara.direct(), "two");

    let first = bot.updates().await;
    let again = bot.updates().await;
    let second = first[1]["update_id"].as_i64().unwrap();
    let rest = bot.call("getUpdates", json!({"offset": second})).await;
    let none = bot.call("getUpdates", json!({"offset": second + 1})).await;

    assert_eq!(texts(&first), ["one", "two"]);
    assert_eq!(first, again);
    assert_eq!(texts(rest.as_array().unwrap()), ["two"]);
    assert_eq!(none, json!([]));
    assert_eq!(bot.telegram.handed_out(), [2, 3]);
    assert_eq!(bot.telegram.waiting(), 0);
}

#[tokio::test]
async fn a_negative_offset_forgets_all_but_the_last() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    for text in ["one", "two", "three"] {
        sara.says(&sara.direct(), text);
    }

    let last = bot.call("getUpdates", json!({"offset": -1})).await;

    assert_eq!(texts(last.as_array().unwrap()), ["three"]);
    assert_eq!(texts(&bot.updates().await), ["three"]);
}

#[tokio::test]
async fn a_limit_leaves_the_rest_for_the_next_poll() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    for text in ["one", "two"] {
        sara.says(&sara.direct(), text);
    }

    let first = bot.call("getUpdates", json!({"limit": 1})).await;

    assert_eq!(texts(first.as_array().unwrap()), ["one"]);
}

#[tokio::test]
async fn a_poll_waits_for_what_happens_and_at_most_50_seconds() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let poll = |timeout: i64| bot.call("getUpdates", json!({"timeout": timeout}));

    let (heard, ()) = tokio::join!(poll(50), async {
        bot.telegram
            .until("a poll", || bot.telegram.is_idle().then_some(()))
            .await;
        sara.says(&sara.direct(), "hello");
    });
    let next = heard[0]["update_id"].as_i64().unwrap() + 1;
    bot.call("getUpdates", json!({"offset": next})).await;
    let (silence, ()) = tokio::join!(poll(3600), async {
        bot.telegram
            .until("a poll", || bot.telegram.is_idle().then_some(()))
            .await;
        bot.clock.advance(Duration::from_secs(50));
    });

    assert_eq!(heard[0]["message"]["text"], "hello");
    assert_eq!(silence, json!([]));
}

#[tokio::test]
async fn the_kinds_asked_for_stay_until_others_are() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let at = bot.sends(sara.id(), "which?").await;

    bot.call("getUpdates", json!({"allowed_updates": ["callback_query"]}))
        .await;
    sara.says(&sara.direct(), "not heard");
    bot.call("getUpdates", json!({})).await;
    sara.says(&sara.direct(), "not heard either");
    sara.taps_data(at, "1", "A");
    let tapped = bot.updates().await;
    let kinds = bot.call("getWebhookInfo", json!({})).await["allowed_updates"].clone();
    bot.call("getUpdates", json!({"allowed_updates": []})).await;
    sara.says(&sara.direct(), "heard");
    let both = bot.updates().await;

    assert_eq!(tapped.len(), 1);
    assert!(tapped[0]["callback_query"].is_object());
    assert_eq!(kinds, json!(["callback_query"]));
    assert_eq!(both[1]["message"]["text"], "heard");
}

#[tokio::test]
async fn a_message_waits_a_day_and_a_tap_two_and_a_half_minutes() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let at = bot.sends(sara.id(), "which?").await;
    sara.says(&sara.direct(), "hello");
    sara.taps_data(at, "1", "A");

    let count = async || bot.updates().await.len();
    bot.clock.advance(Duration::from_secs(149));
    let both = count().await;
    bot.clock.advance(Duration::from_secs(1));
    let message = count().await;
    bot.clock
        .advance(Duration::from_hours(24) - Duration::from_secs(151));
    let still = count().await;
    bot.clock.advance(Duration::from_secs(1));

    assert_eq!((both, message, still, count().await), (2, 1, 1, 0));
}

#[tokio::test]
async fn the_newer_poll_wins_over_the_one_that_waits() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let poll = || bot.try_call("getUpdates", json!({"timeout": 50}));

    let (older, newer) = tokio::join!(poll(), async {
        bot.telegram
            .until("a poll", || bot.telegram.is_idle().then_some(()))
            .await;
        let (newer, ()) = tokio::join!(poll(), async {
            let ended = || bot.telegram.calls().iter().any(|call| call.outcome.is_some());
            bot.telegram
                .until("the older poll to end", || ended().then_some(()))
                .await;
            sara.says(&sara.direct(), "hello");
        });
        newer
    });

    assert_eq!(older.unwrap(), Err(Refused::new(409, OTHER)));
    assert_eq!(newer.unwrap().unwrap()[0]["message"]["text"], "hello");
}

#[tokio::test]
async fn a_webhook_ends_the_poll_that_waits_and_forbids_the_next() {
    let bot = Bot::start().await;

    let (waiting, set) = tokio::join!(bot.try_call("getUpdates", json!({"timeout": 50})), async {
        bot.telegram
            .until("a poll", || bot.telegram.is_idle().then_some(()))
            .await;
        bot.call("setWebhook", json!({"url": "https://example.org/hook"}))
            .await
    });
    let next = bot.refused("getUpdates", json!({})).await;
    let info = bot.call("getWebhookInfo", json!({})).await;
    bot.call("deleteWebhook", json!({})).await;

    assert_eq!(set, true);
    assert_eq!(
        waiting.unwrap(),
        Err(Refused::new(409, "Conflict: terminated by setWebhook request"))
    );
    assert_eq!(next, Refused::new(409, WEBHOOK));
    assert_eq!(info["url"], "https://example.org/hook");
    assert_eq!(bot.updates().await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_webhook_needs_https_and_may_drop_what_waits() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    sara.says(&sara.direct(), "hello");

    let plain = bot
        .refused("setWebhook", json!({"url": "http://example.org"}))
        .await;
    bot.call("deleteWebhook", json!({"drop_pending_updates": true}))
        .await;

    let says = "Bad Request: bad webhook: HTTPS url must be provided for webhook";
    assert_eq!(plain, Refused::new(400, says));
    assert_eq!(bot.updates().await, Vec::<Value>::new());
}

#[tokio::test]
async fn an_update_can_be_handed_out_again_after_it_was_confirmed() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    sara.says(&sara.direct(), "hello");
    let first = bot.updates().await;
    let next = first[0]["update_id"].as_i64().unwrap() + 1;
    bot.call("getUpdates", json!({"offset": next})).await;

    bot.telegram.redeliver_last();
    let again = bot.call("getUpdates", json!({"offset": next})).await;
    let then = bot.call("getUpdates", json!({"offset": next})).await;

    assert_eq!(again, Value::Array(first));
    assert_eq!(then, json!([]));
}
