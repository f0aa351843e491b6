//! What goes wrong on the way.

use std::time::Duration;

use askd_testkit::discord::{Call, Fault, Setup};
use serde_json::{Value, json};

use super::bot::{Bot, Refused};

fn text(content: &str) -> Value {
    json!({"content": content, "allowed_mentions": {"parse": []}})
}

#[tokio::test]
async fn a_fault_strikes_as_often_as_ordered_and_only_where_ordered() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let path = format!("/channels/{}/messages", sara.direct().id());
    bot.discord.fail("create_message", 2, Fault::unauthorized());
    bot.discord.fail_next("create_message", Fault::cannot_reach());

    bot.get("/users/@me").await;
    let mut codes = Vec::new();
    for _ in 0..4 {
        let outcome = bot.try_call("POST", &path, text("x")).await.unwrap();
        codes.push(outcome.map_or_else(|refused| refused.status, |_| 200));
    }

    assert_eq!(codes, [401, 401, 403, 200]);
    assert_eq!(
        sara.sees(&sara.direct()).len(),
        1,
        "what was refused was not done"
    );
    assert_eq!(bot.discord.violations(), [""; 0], "it was ordered");
}

#[tokio::test]
async fn a_fault_can_be_meant_for_a_call_by_what_it_carries() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let path = format!("/channels/{}/messages", sara.direct().id());
    bot.discord.fail_meant(
        |call: &Call| call.body["content"] == "two",
        Fault::missing_permissions(),
    );

    bot.call("POST", &path, text("one")).await;
    let refused = bot.refused("POST", &path, text("two")).await;
    bot.call("POST", &path, text("two")).await;

    assert_eq!(refused, Refused::new(403, 50013, "Missing Permissions"));
    let counts = bot.discord.counts();
    assert_eq!(counts["create_message"], 3);
}

#[tokio::test]
async fn a_standing_fault_strikes_until_it_is_mended() {
    let bot = Bot::start().await;
    bot.discord.fail_until_mended("*", Fault::internal());

    for path in ["/users/@me", "/gateway/bot", "/applications/@me"] {
        assert_eq!(bot.refused("GET", path, Value::Null).await.status, 500);
    }
    bot.discord.mend();

    bot.get("/users/@me").await;
}

#[tokio::test]
async fn the_platforms_refusals_can_be_ordered() {
    let bot = Bot::start().await;

    for (fault, status, code) in [
        (Fault::missing_access(), 403, 50001),
        (Fault::missing_permissions(), 403, 50013),
        (Fault::cannot_reach(), 403, 50007),
        (Fault::unknown_message(), 404, 10008),
        (Fault::archived(), 400, 50083),
        (Fault::invalid_form(), 400, 50035),
        (Fault::refused(400, 30046, "ordered"), 400, 30046),
    ] {
        bot.discord.fail_next("get_my_user", fault);

        let refused = bot.refused("GET", "/users/@me", Value::Null).await;

        assert_eq!((refused.status, refused.code), (status, code));
    }
}

#[tokio::test]
async fn a_throttled_call_says_for_how_long_and_whether_for_all() {
    let bot = Bot::start().await;
    let pause = Duration::from_millis(1500);

    for (fault, global) in [
        (Fault::Throttled { pause }, false),
        (Fault::ThrottledGlobally { pause }, true),
    ] {
        bot.discord.fail_next("get_my_user", fault);

        let response = bot.request("GET", "/users/@me").send().await.unwrap();

        assert_eq!(response.status().as_u16(), 429);
        assert_eq!(response.headers()["retry-after"], "2");
        assert_eq!(response.headers().contains_key("x-ratelimit-global"), global);
        let body: Value = response.json().await.unwrap();
        assert_eq!(
            (&body["retry_after"], &body["global"]),
            (&json!(1.5), &json!(global))
        );
    }
}

#[tokio::test]
async fn servers_in_between_answer_in_html() {
    let bot = Bot::start().await;

    for (fault, status, retry_after) in [
        (Fault::Gateway { status: 502 }, 502, None),
        (Fault::Gateway { status: 200 }, 200, None),
        (Fault::Barred { seconds: 600 }, 429, Some("600")),
    ] {
        bot.discord.fail_next("get_my_user", fault);

        let response = bot.request("GET", "/users/@me").send().await.unwrap();

        assert_eq!(response.status().as_u16(), status);
        assert_eq!(response.headers()["content-type"], "text/html");
        let header = response.headers().get("retry-after");
        assert_eq!(header.map(|value| value.to_str().unwrap()), retry_after);
        assert!(!response.headers().contains_key("x-ratelimit-limit"));
        assert!(response.text().await.unwrap().starts_with("<html>"));
    }
}

#[tokio::test]
async fn an_answer_can_be_lost_before_and_after_the_message_is_sent() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let path = format!("/channels/{}/messages", sara.direct().id());

    bot.discord
        .fail_next("create_message", Fault::Lost { done: false });
    let before = bot.try_call("POST", &path, text("x")).await.unwrap_err();
    let none = sara.sees(&sara.direct()).len();
    bot.discord
        .fail_next("create_message", Fault::Lost { done: true });
    let after = bot.try_call("POST", &path, text("x")).await.unwrap_err();

    assert!(before.is_request() && after.is_request(), "{before:?}, {after:?}");
    assert_eq!((none, sara.sees(&sara.direct()).len()), (0, 1));
}

#[tokio::test]
async fn a_call_can_hang_before_and_after_until_it_is_mended_or_given_up() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let path = format!("/channels/{}/messages", sara.direct().id());
    let hanging = async |n: usize| {
        let found = || (bot.discord.hanging() == n).then_some(());
        bot.discord.until("a call to hang, or not", found).await;
    };

    bot.discord
        .fail_next("create_message", Fault::Hangs { done: false });
    let (mended, seen) = tokio::join!(bot.try_call("POST", &path, text("x")), async {
        hanging(1).await;
        let seen = sara.sees(&sara.direct()).len();
        bot.discord.mend();
        seen
    });
    bot.discord
        .fail_next("create_message", Fault::Hangs { done: true });
    tokio::select! {
        _ = bot.try_call("POST", &path, text("x")) => panic!("it hangs"),
        () = hanging(1) => {}
    }
    // The call was dropped above: its connection is closed, and the server notices.
    hanging(0).await;

    assert!(mended.is_err());
    assert_eq!((seen, sara.sees(&sara.direct()).len()), (0, 1));
}

#[tokio::test]
async fn a_slow_answer_takes_its_time_by_the_clock() {
    let bot = Bot::start().await;
    bot.discord.fail_next(
        "get_my_user",
        Fault::Slow {
            by: Duration::from_mins(1),
        },
    );

    let (answer, ()) = tokio::join!(bot.try_call("GET", "/users/@me", Value::Null), async {
        bot.discord
            .until("the call", || (!bot.discord.calls().is_empty()).then_some(()))
            .await;
        bot.clock.advance(Duration::from_mins(1));
    });

    assert_eq!(answer.unwrap().unwrap()["bot"], true);
}

#[tokio::test]
async fn every_answer_tells_its_pace() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let path = format!("/channels/{}/messages", sara.direct().id());

    let response = bot.request("POST", &path).json(&text("x")).send().await.unwrap();

    let header = |name: &str| response.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(
        (header("x-ratelimit-limit"), header("x-ratelimit-remaining")),
        ("5".to_owned(), "4".to_owned())
    );
    assert_eq!(header("x-ratelimit-reset-after"), "5.000");
    assert_eq!(header("x-ratelimit-reset"), "1796117405.000");
    assert_eq!(header("x-ratelimit-bucket").len(), 32);
}

#[tokio::test]
async fn where_pace_is_watched_a_bucket_is_one_channel_of_one_route() {
    let bot = Bot::start_as(Setup {
        rates: true,
        ..Setup::default()
    })
    .await;
    let (sara, omid) = (bot.sara(), bot.discord.person("Omid"));
    let of = |channel: u64| format!("/channels/{channel}/messages");
    let send = async |path: String| bot.request("POST", &path).json(&text("x")).send().await.unwrap();

    for left in (0..5).rev() {
        let response = send(of(sara.direct().id())).await;
        assert_eq!(response.headers()["x-ratelimit-remaining"], left.to_string());
    }
    let refused = send(of(sara.direct().id())).await;
    let other = send(of(omid.direct().id())).await;
    bot.clock.advance(Duration::from_secs(5));
    let later = send(of(sara.direct().id())).await;

    assert_eq!(
        (
            refused.status().as_u16(),
            &refused.headers()["x-ratelimit-remaining"]
        ),
        (429, &"0".parse().unwrap())
    );
    assert_eq!(refused.headers()["x-ratelimit-scope"], "user");
    let body: Value = refused.json().await.unwrap();
    assert_eq!(body["retry_after"], 5.0);
    assert_eq!((other.status().as_u16(), later.status().as_u16()), (200, 200));
    assert_eq!(sara.sees(&sara.direct()).len(), 6);
}

#[tokio::test]
async fn where_pace_is_watched_fifty_calls_fit_into_a_second() {
    let bot = Bot::start_as(Setup {
        rates: true,
        ..Setup::default()
    })
    .await;

    for path in ["/users/@me", "/applications/@me"] {
        for _ in 0..25 {
            bot.get(path).await;
        }
    }
    let response = bot.request("GET", "/gateway/bot").send().await.unwrap();

    assert_eq!(response.status().as_u16(), 429);
    assert_eq!(response.headers()["x-ratelimit-global"], "true");
}
