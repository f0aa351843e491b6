//! Reading the events of Discord's gateway; see `platform` for what an input is.

use askd_channel_discord::{
    Kind, Me, Places,
    read::{Did, Reading, read},
};
use askd_core::{
    id::ChannelName,
    inbound::{Act, Sender},
};
use serde_json::{Value, json};
use serenity::model::id::{ApplicationId, ChannelId, UserId};

use crate::{
    growth::Repeated,
    made::Vocabulary,
    platform::{self, Input},
};

/// Longest text that is read for its time, in characters: ten times what Discord takes.
const LONG: usize = 40_000;

const ME: UserId = UserId::new(99);

const VOCABULARY: Vocabulary = Vocabulary {
    keys: &[
        "t",
        "op",
        "d",
        "id",
        "channel_id",
        "guild_id",
        "author",
        "bot",
        "global_name",
        "username",
        "content",
        "timestamp",
        "edited_timestamp",
        "type",
        "webhook_id",
        "mentions",
        "mention_roles",
        "attachments",
        "sticker_items",
        "poll",
        "message_reference",
        "message_id",
        "referenced_message",
        "message_snapshots",
        "token",
        "data",
        "member",
        "user",
        "message",
        "locale",
        "components",
        "component",
        "custom_id",
        "label",
        "value",
        "name",
        "options",
        "channels",
        "threads",
        "roles",
        "tags",
        "bot_id",
        "parent_id",
    ],
    words: &[
        "",
        "0",
        "1",
        "5",
        "99",
        "18446744073709551615",
        "<@99>",
        "<@5>",
        "<@&77>",
        "<:ship:123>",
        "<",
        ">",
        "/skip",
        "fa",
        "MESSAGE_CREATE",
        "MESSAGE_UPDATE",
        "INTERACTION_CREATE",
        "GUILD_CREATE",
        "CHANNEL_CREATE",
        "2026-12-01T09:31:00Z",
        "q",
        "0123456789abcdef0123456789abcdef.other",
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
                |text| message(&text).to_string(),
                |json| {
                    reading("MESSAGE_CREATE", json);
                },
            ),
            None => typed(text),
        },
    }
}

fn reading(kind: &str, json: &str) -> Option<Did> {
    let me = Me {
        user: ME,
        application: ApplicationId::new(98),
        hears_groups: true,
    };
    let mut places = Places::default();
    places.learn(ChannelId::new(20), Kind::Channel);
    places.learn(
        ChannelId::new(30),
        Kind::Thread {
            parent: ChannelId::new(20),
        },
    );
    let guild = r#"{"op": 0, "d": {"roles": [{"id": "77", "tags": {"bot_id": "99"}}]}}"#;
    places.hear("GUILD_CREATE", guild, ME);
    places.hear(kind, json, ME);
    let with = Reading {
        channel: &ChannelName::new("discord"),
        me: &me,
        places: &places,
    };
    read(kind, json, &with)
}

fn any(event: &Value) {
    let (kind, json) = (event["t"].as_str().unwrap_or("MESSAGE_CREATE"), event.to_string());
    let did = reading(kind, &json);
    assert_eq!(did, reading(kind, &json), "the same event reads the same");
    let Some(did) = did else { return };
    platform::holds(&did.inbound, &ChannelName::new("discord"));
    let is_bot = event.pointer("/d/author/bot") == Some(&json!(true));
    let was_said = matches!(did.inbound.act, Act::Said(_)) && kind.starts_with("MESSAGE");
    assert!(
        !was_said || !is_bot || !matches!(did.inbound.from, Sender::Account { .. }),
        "a bot is nobody"
    );
}

fn typed(text: &str) {
    let did = reading("MESSAGE_CREATE", &message(text).to_string());
    let did = did.expect("somebody said something");
    platform::is_passed_on(text, &platform::said(&did.inbound).text, &['<', '/']);
}

fn message(text: &str) -> Value {
    let mut event = known().swap_remove(0);
    event["d"]["content"] = json!(text);
    event
}

fn known() -> Vec<Value> {
    let omid = json!({ "id": "5", "username": "omid" });
    let said = json!({ "id": "1445000000000000040", "channel_id": "50", "author": omid, "content": "2", "timestamp": "2026-12-01T09:31:00Z" });
    let edited = json!({
        "id": "1445000000000000041", "channel_id": "30", "guild_id": "10", "author": omid, "content": "<@99> 2", "type": 19,
        "edited_timestamp": "2026-12-01T09:32:00Z", "mentions": [{ "id": "99", "username": "askd", "bot": true }], "mention_roles": ["77"],
        "message_reference": { "message_id": "40", "channel_id": "30" }, "referenced_message": { "author": { "id": "99", "username": "askd" } },
        "attachments": [{}],
    });
    let button =
        json!({ "type": 2, "custom_id": "0123456789abcdef0123456789abcdef.other", "label": "Other…" });
    let prompt =
        json!({ "id": "40", "channel_id": "20", "components": [{ "type": 1, "components": [button] }] });
    let pressed = json!({
        "id": "1445000000000000042", "token": "secret", "type": 3, "channel_id": "20", "guild_id": "10", "member": { "user": omid },
        "message": prompt, "data": { "custom_id": "0123456789abcdef0123456789abcdef.other" }, "locale": "fa",
    });
    let filled = json!({
        "id": "1445000000000000043", "token": "secret", "type": 5, "channel_id": "50", "user": omid, "message": prompt,
        "data": { "custom_id": "x", "components": [{ "component": { "value": "own" } }, { "components": [{ "value": "words" }] }] },
    });
    let command = json!({ "id": "1445000000000000044", "token": "secret", "type": 2, "channel_id": "50", "user": omid, "data": { "name": "start", "options": [{ "value": "0123" }] } });
    let guild = json!({ "id": "10", "channels": [{ "id": "20", "type": 0 }], "threads": [{ "id": "30", "type": 11, "parent_id": "20" }] });
    let of = |kind: &str, d: Value| json!({ "op": 0, "t": kind, "d": d });
    vec![
        of("MESSAGE_CREATE", said),
        of("MESSAGE_UPDATE", edited),
        of("INTERACTION_CREATE", pressed),
        of("INTERACTION_CREATE", filled),
        of("INTERACTION_CREATE", command),
        of("GUILD_CREATE", guild),
    ]
}
