//! Sockets and sessions.

use std::{io::Read, time::Duration};

use askd_testkit::discord::Setup;
use flate2::{Decompress, FlushDecompress};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::{
    Message,
    protocol::{CloseFrame, frame::coding::CloseCode},
};

use super::bot::{AT_MOST, Bot, CONTENT, Gateway, INTENTS};

const QUERY: &str = "?v=10&encoding=json";

async fn closes(gateway: &mut Gateway, code: u16) {
    let frame = CloseFrame {
        code: CloseCode::from(code),
        reason: "".into(),
    };
    let frame = Message::Close(Some(frame));
    gateway.socket.send(frame).await.expect("it is open");
    let rest = async { while let Some(Ok(_)) = gateway.socket.next().await {} };
    timeout(AT_MOST, rest).await.expect("a goodbye is answered");
}

/// A new socket that resumes where another left off.
async fn resumes(bot: &Bot, old: &Gateway) -> Gateway {
    let mut gateway = Gateway::open(&format!("{}/{QUERY}", old.resume_url)).await;
    gateway.hears_op(10).await;
    gateway.resumes(&bot.discord.token(), &old.session, old.seq).await;
    gateway
}

#[tokio::test]
async fn a_session_begins_with_hello_ready_and_the_guilds() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let ops = bot.discord.channel("ops", &[&sara]);
    let mut gateway = bot.opens(QUERY).await;

    let hello = gateway.hears_op(10).await;
    gateway.identifies(&bot.discord.token(), INTENTS).await;
    let ready = gateway.hears("READY").await;
    let guild = gateway.hears("GUILD_CREATE").await;

    assert_eq!(hello["heartbeat_interval"], 41_250);
    assert_eq!(ready["user"]["id"], bot.discord.bot_id().to_string());
    assert_eq!(ready["application"]["id"], ready["user"]["id"]);
    assert_eq!(ready["guilds"], json!([{"id": guild["id"], "unavailable": true}]));
    assert_eq!(guild["channels"][0]["id"], ops.id().to_string());
    assert_eq!(bot.discord.sockets()[0].identified, Some(INTENTS));
    gateway.hears_nothing_more().await;
}

#[tokio::test]
async fn what_is_wrong_closes_the_socket_with_its_code() {
    let bot = Bot::start_as(Setup {
        message_content: false,
        ..Setup::default()
    })
    .await;
    let token = bot.discord.token();
    let identify = |token: &str, intents: u64| {
        let properties = json!({"os": "linux", "browser": "test", "device": "test"});
        json!({"op": 2, "d": {"token": token, "intents": intents, "properties": properties}})
    };
    let mut sharded = identify(&token, INTENTS);
    sharded["d"]["shard"] = json!([1, 2]);

    for (message, code, broken) in [
        (identify("wrong", INTENTS), 4004, false),
        (identify(&token, INTENTS | CONTENT), 4014, false),
        (identify(&token, INTENTS | 1 << 1), 4014, false),
        (identify(&token, 1 << 40), 4013, true),
        (sharded, 4010, true),
        (json!({"op": 2, "d": {"token": token}}), 4002, true),
        (json!({"op": 77}), 4001, true),
        (json!({"op": 3, "d": {}}), 4003, false),
    ] {
        let before = bot.discord.violations().len();
        let mut gateway = bot.opens(QUERY).await;
        gateway.hears_op(10).await;

        gateway.says(message.clone()).await;

        assert_eq!(gateway.is_closed().await, code, "{message}");
        assert_eq!(bot.discord.violations().len() > before, broken, "{message}");
    }
}

#[tokio::test]
async fn who_is_ready_does_not_identify_again() {
    let bot = Bot::start().await;
    let mut gateway = bot.connects().await;

    gateway.identifies(&bot.discord.token(), INTENTS).await;

    assert_eq!(gateway.is_closed().await, 4005);
}

#[tokio::test]
async fn heartbeats_are_acknowledged_unless_that_is_withheld() {
    let bot = Bot::start().await;
    let mut gateway = bot.connects().await;
    let seq = gateway.seq;

    gateway.says(json!({"op": 1, "d": seq})).await;
    gateway.hears_op(11).await;
    bot.discord.withhold_acks(true);
    gateway.says(json!({"op": 1, "d": seq})).await;
    bot.discord.withhold_acks(false);
    gateway.says(json!({"op": 1, "d": seq + 7})).await;
    gateway.hears_op(11).await;
    gateway.hears_nothing_more().await;

    assert_eq!(bot.discord.violations().len(), 1, "a number that was never sent");
}

#[tokio::test]
async fn what_came_through_is_known_by_a_heartbeat() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let mut gateway = bot.connects().await;
    sara.says(&sara.direct(), "hello");
    gateway.hears("MESSAGE_CREATE").await;

    let before = bot.discord.is_idle();
    gateway.hears_op(1).await;
    gateway.says(json!({"op": 1, "d": gateway.seq})).await;
    gateway.hears_op(11).await;

    assert!(!before && bot.discord.is_idle());
}

#[tokio::test]
async fn a_session_that_is_resumed_is_told_what_it_missed() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let mut old = bot.connects().await;
    sara.says(&sara.direct(), "before");
    old.hears("MESSAGE_CREATE").await;
    bot.discord.drop_sockets();
    assert_eq!(old.is_closed().await, 1006);
    sara.says(&sara.direct(), "meanwhile");

    let mut new = resumes(&bot, &old).await;

    assert_eq!(new.hears("MESSAGE_CREATE").await["content"], "meanwhile");
    new.hears("RESUMED").await;
    sara.says(&sara.direct(), "after");
    assert_eq!(new.hears("MESSAGE_CREATE").await["content"], "after");
    assert_eq!(new.seq, old.seq + 3);
    let sockets = bot.discord.sockets();
    assert_eq!(
        (sockets[1].path.as_str(), sockets[1].resumed),
        ("/resume/", Some(old.seq))
    );
}

#[tokio::test]
async fn a_new_session_is_told_nothing_of_the_gap() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let mut old = bot.connects().await;
    bot.discord.drop_sockets();
    old.is_closed().await;
    sara.says(&sara.direct(), "meanwhile");

    let mut new = bot.connects().await;

    new.hears_nothing_more().await;
}

#[tokio::test]
async fn a_session_ends_by_1000_and_1001_and_by_no_other_code_of_the_client() {
    for (code, lives) in [(1000, false), (1001, false), (4000, true), (3000, true)] {
        let bot = Bot::start().await;
        let mut old = bot.connects().await;
        closes(&mut old, code).await;

        let mut new = resumes(&bot, &old).await;

        if lives {
            new.hears("RESUMED").await;
        } else {
            assert_eq!(new.hears_op(9).await, false, "{code}");
        }
        assert_eq!(bot.discord.sockets()[0].closed, Some(code));
    }
}

#[tokio::test]
async fn a_session_waits_a_few_minutes_to_be_resumed() {
    let bot = Bot::start().await;
    for (minutes, lives) in [(2, true), (3, false)] {
        let mut old = bot.connects().await;
        bot.discord.drop_sockets();
        old.is_closed().await;
        bot.clock.advance(Duration::from_mins(minutes));

        let mut new = resumes(&bot, &old).await;

        let next = new.next().await.unwrap();
        assert_eq!(next["t"] == "RESUMED", lives, "{next}");
        bot.discord.drop_sockets();
        new.is_closed().await;
    }
}

#[tokio::test]
async fn a_resume_needs_a_session_a_token_and_a_number_that_was_sent() {
    let bot = Bot::start().await;
    let mut old = bot.connects().await;
    bot.discord.drop_sockets();
    old.is_closed().await;
    let token = bot.discord.token();
    let open = async || {
        let mut gateway = bot.opens(QUERY).await;
        gateway.hears_op(10).await;
        gateway
    };

    let mut unknown = open().await;
    unknown.resumes(&token, "no such session", 1).await;
    let invalid = unknown.hears_op(9).await;
    let mut wrong = open().await;
    wrong.resumes("wrong", &old.session, old.seq).await;
    let mut future = open().await;
    future.resumes(&token, &old.session, old.seq + 1).await;

    assert_eq!(invalid, false);
    assert_eq!(wrong.is_closed().await, 4004);
    assert_eq!(future.is_closed().await, 4007);
    assert_eq!(
        bot.discord.violations().len(),
        1,
        "{:?}",
        bot.discord.violations()
    );
}

#[tokio::test]
async fn the_gateway_orders_a_reconnect_and_says_that_a_session_is_invalid() {
    let bot = Bot::start().await;
    let mut gateway = bot.connects().await;

    bot.discord.order_reconnect();
    gateway.hears_op(7).await;
    bot.discord.invalidate_sessions(true);
    assert_eq!(gateway.hears_op(9).await, true);
    closes(&mut gateway, 4000).await;
    let mut resumed = resumes(&bot, &gateway).await;
    resumed.hears("RESUMED").await;
    bot.discord.invalidate_sessions(false);
    assert_eq!(resumed.hears_op(9).await, false);
    closes(&mut resumed, 4000).await;

    let mut dead = resumes(&bot, &gateway).await;
    assert_eq!(dead.hears_op(9).await, false);
}

#[tokio::test]
async fn a_half_open_socket_hears_nothing_and_its_session_lives() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let mut old = bot.connects().await;
    bot.discord.freeze_sockets();
    sara.says(&sara.direct(), "hello");
    old.says(json!({"op": 1, "d": old.seq})).await;

    let silence = timeout(Duration::from_millis(50), old.next()).await;
    let mut new = resumes(&bot, &old).await;

    assert!(silence.is_err(), "{silence:?}");
    assert_eq!(new.hears("MESSAGE_CREATE").await["content"], "hello");
}

#[tokio::test]
async fn sockets_are_closed_and_turned_away_on_demand() {
    let bot = Bot::start().await;
    let mut gateway = bot.connects().await;
    bot.discord.close_sockets(4000);
    assert_eq!(gateway.is_closed().await, 4000);
    let mut gateway = bot.connects().await;
    bot.discord.set_message_content(false);
    assert_eq!(gateway.is_closed().await, 4014);

    bot.discord.refuse_sockets(true);
    let url = format!("ws{}/{QUERY}", bot.discord.url().strip_prefix("http").unwrap());
    let refused = tokio_tungstenite::connect_async(&url).await;
    bot.discord.refuse_sockets(false);

    assert!(refused.is_err());
    bot.connects_with(INTENTS).await;
}

#[tokio::test]
async fn a_revoked_token_closes_the_socket() {
    let bot = Bot::start().await;
    let mut gateway = bot.connects().await;

    bot.discord.revoke_token("another");

    assert_eq!(gateway.is_closed().await, 4004);
}

#[tokio::test]
async fn sessions_are_counted_and_told() {
    let bot = Bot::start().await;
    bot.discord.set_sessions_left(1);
    let left = async || bot.get("/gateway/bot").await["session_start_limit"]["remaining"].clone();

    let before = left().await;
    bot.connects().await;

    assert_eq!((before, left().await), (json!(1), json!(0)));
    let mut gateway = bot.opens(QUERY).await;
    gateway.hears_op(10).await;
    gateway.identifies(&bot.discord.token(), INTENTS).await;
    assert_eq!(gateway.is_closed().await, 4004);
    assert_eq!(bot.discord.violations().len(), 1);
}

#[tokio::test]
async fn whoever_talks_too_much_is_closed_where_pace_is_watched() {
    let bot = Bot::start_as(Setup {
        rates: true,
        ..Setup::default()
    })
    .await;
    let mut gateway = bot.connects().await;

    for _ in 0..120 {
        gateway.says(json!({"op": 1, "d": gateway.seq})).await;
    }

    assert_eq!(gateway.is_closed().await, 4008);
}

#[tokio::test]
async fn everything_comes_in_one_stream_of_zlib_where_that_is_asked_for() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let mut gateway = bot.opens(&format!("{QUERY}&compress=zlib-stream")).await;
    let mut stream = Decompress::new(true);
    let mut next = async |gateway: &mut Gateway| -> Value {
        let frame = timeout(AT_MOST, gateway.socket.next())
            .await
            .expect("something comes");
        let frame = frame.unwrap().unwrap().into_data();
        assert!(
            frame.ends_with(&[0, 0, 0xff, 0xff]),
            "each message ends with a flush"
        );
        let mut text = Vec::with_capacity(1 << 20);
        stream
            .decompress_vec(&frame, &mut text, FlushDecompress::Sync)
            .unwrap();
        let mut read = String::new();
        text.as_slice().read_to_string(&mut read).unwrap();
        serde_json::from_str(&read).unwrap()
    };

    let hello = next(&mut gateway).await;
    gateway.identifies(&bot.discord.token(), INTENTS | CONTENT).await;
    let ready = next(&mut gateway).await;
    next(&mut gateway).await;
    let long = "x".repeat(4000);
    sara.says(&sara.direct(), &long);
    let said = next(&mut gateway).await;

    assert_eq!((&hello["op"], &ready["t"]), (&json!(10), &json!("READY")));
    assert_eq!(said["d"]["content"], long);
}

#[tokio::test]
async fn another_version_or_compression_is_not_modelled() {
    let bot = Bot::start().await;
    let url = |query: &str| format!("ws{}/{query}", bot.discord.url().strip_prefix("http").unwrap());

    for query in [
        "?v=9&encoding=json",
        "?v=10&encoding=etf",
        "?v=10&encoding=json&compress=zstd-stream",
    ] {
        assert!(
            tokio_tungstenite::connect_async(url(query)).await.is_err(),
            "{query}"
        );
    }
    assert_eq!(bot.discord.violations().len(), 3);
}

#[tokio::test]
async fn an_event_can_come_twice() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let mut gateway = bot.connects().await;
    sara.says(&sara.direct(), "hello");
    let first = gateway.hears("MESSAGE_CREATE").await;

    bot.discord.redeliver_last();

    assert_eq!(gateway.hears("MESSAGE_CREATE").await, first);
}
