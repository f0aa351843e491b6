//! Reading Telegram's updates; see `platform` for what an input is.

use askd_channel_telegram::{
    Me, Moved,
    read::{Event, Reading, read},
};
use askd_core::{id::ChannelName, inbound::Sender};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::{
    growth::Repeated,
    made::Vocabulary,
    platform::{self, Input},
};

/// Longest text that is read for its time, in characters: ten times what Telegram takes.
const LONG: usize = 40_960;

const VOCABULARY: Vocabulary = Vocabulary {
    keys: &[
        "update_id",
        "message",
        "edited_message",
        "callback_query",
        "message_id",
        "date",
        "edit_date",
        "chat",
        "id",
        "type",
        "from",
        "is_bot",
        "first_name",
        "language_code",
        "sender_chat",
        "message_thread_id",
        "is_topic_message",
        "is_automatic_forward",
        "forward_origin",
        "reply_to_message",
        "text",
        "caption",
        "migrate_to_chat_id",
        "migrate_from_chat_id",
        "photo",
        "data",
    ],
    words: &[
        "",
        "private",
        "group",
        "supergroup",
        "channel",
        "fa",
        "en",
        "@askd_example_bot",
        "@askd_example_bot ",
        "/skip",
        "/skip@askd_example_bot",
        "/skip@other_bot",
        "/start 0123",
        ",",
        "2",
        "a",
    ],
};

/// Reads it, and checks what holds for every reading.
pub(crate) fn check(input: &[u8]) {
    let Some(input) = platform::input(input, &known(), &VOCABULARY) else {
        return;
    };
    match input {
        Input::Event(event) => any(&event),
        Input::Typed(text) => match Repeated::of(text) {
            Some(repeated) => repeated.is_linear(
                LONG,
                |text| message(&text),
                |update| {
                    reading(update);
                },
            ),
            None => typed(text),
        },
    }
}

fn reading(update: &Value) -> Event {
    let me = Me {
        id: 123_456_789,
        username: "askd_example_bot".to_owned(),
        hears_groups: false,
    };
    let mut moved = Moved::default();
    moved.learn(-40, -1_000_040);
    let with = Reading {
        channel: &ChannelName::new("telegram"),
        me: &me,
        moved: &moved,
        now: Timestamp::UNIX_EPOCH,
    };
    read(update, &with)
}

fn any(update: &Value) {
    let event = reading(update);
    assert_eq!(event, reading(update), "the same update reads the same");
    let Event::Did(did) = event else { return };
    platform::holds(&did.inbound, &ChannelName::new("telegram"));
    let has_text = ["message", "edited_message", "callback_query"];
    let inner = has_text
        .iter()
        .rev()
        .find_map(|key| update.get(key).filter(|inner| !inner.is_null()));
    let is_bot = inner.and_then(|inner| inner.pointer("/from/is_bot")) == Some(&json!(true));
    assert!(
        !is_bot || !matches!(did.inbound.from, Sender::Account { .. }),
        "a bot is nobody"
    );
}

fn typed(text: &str) {
    match reading(&message(text)) {
        Event::Did(did) => platform::is_passed_on(text, &platform::said(&did.inbound).text, &['@', '/']),
        other => panic!("{other:?}, where somebody said something in a direct conversation"),
    }
}

fn message(text: &str) -> Value {
    let mut update = known().swap_remove(0);
    update["message"]["text"] = json!(text);
    update
}

fn known() -> Vec<Value> {
    let sara =
        json!({ "id": 7_612_345_678_i64, "is_bot": false, "first_name": "Sara", "language_code": "fa" });
    let us = json!({ "id": 123_456_789, "is_bot": true, "first_name": "askd" });
    let direct = json!({ "message_id": 41, "date": 1_796_117_460, "chat": { "id": 7_612_345_678_i64, "type": "private" }, "from": sara, "text": "2" });
    let group = json!({
        "message_id": 42, "date": 1_796_117_460, "chat": { "id": -1_000_040, "type": "supergroup" }, "from": sara, "caption": "2", "photo": [],
        "message_thread_id": 7, "is_topic_message": true, "reply_to_message": { "message_id": 40, "from": us },
    });
    let prompt = json!({ "message_id": 40, "date": 0, "chat": { "id": -1_000_040, "type": "supergroup" } });
    vec![
        json!({ "update_id": 1, "message": direct }),
        json!({ "update_id": 2, "edited_message": group }),
        json!({ "update_id": 3, "callback_query": { "id": "9", "from": sara, "message": prompt, "data": "0123:1" } }),
        json!({ "update_id": 4, "message": { "message_id": 43, "date": 1, "chat": { "id": -40 }, "migrate_to_chat_id": -1_000_040 } }),
    ]
}
