//! Reading Slack's envelopes; see `platform` for what an input is.

use askd_channel_slack::{
    Me, Place, Threads,
    read::{Did, Event, Reading, read, read_again},
};
use askd_core::{id::ChannelName, inbound::Sender};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::{
    growth::Repeated,
    made::Vocabulary,
    platform::{self, Input},
};

/// Longest text that is read for its time, in characters. Source: Slack's limit of a message, 40,000; what is typed comes
/// encoded, so it may be five times that.
const LONG: usize = 200_000;

const VOCABULARY: Vocabulary = Vocabulary {
    keys: &[
        "type",
        "payload",
        "event",
        "event_id",
        "subtype",
        "user",
        "bot_id",
        "text",
        "ts",
        "thread_ts",
        "parent_user_id",
        "channel",
        "files",
        "attachments",
        "is_share",
        "edited",
        "message",
        "previous_message",
        "reply_count",
        "actions",
        "value",
        "action_ts",
        "trigger_id",
        "container",
        "message_ts",
        "channel_id",
        "view",
        "id",
        "hash",
        "callback_id",
        "private_metadata",
        "state",
        "values",
    ],
    words: &[
        "",
        "events_api",
        "interactive",
        "message",
        "app_mention",
        "message_changed",
        "block_actions",
        "view_submission",
        "askd_own_words",
        "U0SARA",
        "U0ASKD",
        "B0ASKD",
        "C0OPS",
        "D0SARA",
        "1796117460.000100",
        "1796117460.000200",
        "<@U0ASKD>",
        "<",
        ">",
        "&amp;",
        ":two:",
        ":+1::skin-tone-3:",
        "<https://example.com|here>",
        "{\"at\":\"C0OPS\",\"payload\":\"x\",\"on\":\"1796117460.000100\",\"spot\":{\"conversation\":\"C0OPS\",\"thread\":null,\"user\":\"U0SARA\"}}",
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
                |envelope| {
                    reading(|with| read(envelope, with));
                },
            ),
            None => typed(text),
        },
    }
}

fn reading<T>(read: impl FnOnce(&Reading<'_>) -> T) -> T {
    let me = Me {
        user: "U0ASKD".to_owned(),
        bot: "B0ASKD".to_owned(),
        name: "askd".to_owned(),
        team: "Example".to_owned(),
        team_id: "T0EXAMPLE".to_owned(),
        enterprise_id: None,
    };
    let mut threads = Threads::default();
    threads.learn(&Place::conversation("C0OPS"));
    read(&Reading {
        channel: &ChannelName::new("slack"),
        me: &me,
        threads: &threads,
        now: Timestamp::UNIX_EPOCH,
    })
}

fn any(envelope: &Value) {
    let event = reading(|with| read(envelope, with));
    assert_eq!(
        event,
        reading(|with| read(envelope, with)),
        "the same envelope reads the same"
    );
    if let Event::Did(did) = event {
        holds(&did);
    }
    if let Some(did) = reading(|with| read_again(&envelope["payload"]["event"], "C0OPS", with)) {
        holds(&did);
    }
}

fn holds(did: &Did) {
    platform::holds(&did.inbound, &ChannelName::new("slack"));
    let ours = ["slack:U0ASKD", "slack:USLACKBOT"];
    if let Sender::Account { account, .. } = &did.inbound.from {
        let by_form = matches!(did.answer, askd_channel_slack::read::Answer::Said { .. });
        assert!(
            !by_form || !ours.contains(&account.to_string().as_str()),
            "the bot hears itself"
        );
    }
    assert!(
        !format!("{:?}", did.inbound).contains('\u{fdd0}'),
        "the mark of a mention gets out"
    );
}

fn typed(text: &str) {
    match reading(|with| read(&message(text), with)) {
        Event::Did(did) => {
            let special = ['<', '>', '&', ':', '\u{fdd0}', '@'];
            platform::is_passed_on(text, &platform::said(&did.inbound).text, &special);
        }
        other => panic!("{other:?}, where somebody said something"),
    }
}

fn message(text: &str) -> Value {
    let mut envelope = known().swap_remove(0);
    envelope["payload"]["event"]["text"] = json!(text);
    envelope
}

fn known() -> Vec<Value> {
    let happened = |event: Value| json!({ "type": "events_api", "payload": { "type": "event_callback", "event_id": "Ev1", "event": event } });
    let interactive = |payload: Value| json!({ "type": "interactive", "payload": payload });
    let said = json!({ "type": "message", "channel": "D0SARA", "user": "U0SARA", "text": "2", "ts": "1796117460.000200" });
    let below = json!({
        "type": "app_mention", "channel": "C0OPS", "user": "U0SARA", "text": "<@U0ASKD> :two:", "ts": "1796117460.000200", "thread_ts": "1796117460.000100",
        "parent_user_id": "U0ASKD", "files": [{}],
    });
    let changed = json!({
        "type": "message", "subtype": "message_changed", "channel": "C0OPS", "ts": "1796117460.000300",
        "message": { "user": "U0SARA", "text": "3", "ts": "1796117460.000200", "edited": { "user": "U0SARA", "ts": "1796117460.000300" } },
        "previous_message": { "user": "U0SARA", "text": "2", "ts": "1796117460.000200" },
    });
    let passed_on = json!({
        "type": "message", "channel": "D0SARA", "user": "U0SARA", "text": "", "ts": "1796117460.000200",
        "attachments": [{ "is_share": true, "text": "2" }],
    });
    let pressed = json!({
        "type": "block_actions", "trigger_id": "1.2", "user": { "id": "U0SARA" }, "channel": { "id": "C0OPS" },
        "message": { "ts": "1796117460.000100", "thread_ts": "1796117460.000000", "parent_user_id": "U0ASKD" },
        "container": { "type": "message", "message_ts": "1796117460.000100", "channel_id": "C0OPS" },
        "actions": [{ "action_id": "a", "value": "0123456789abcdef0123456789abcdef.1", "action_ts": "1796117460.100000" }],
    });
    let kept = json!({
        "at": "C0OPS", "payload": "x", "on": "1796117460.000100", "spot": { "conversation": "C0OPS", "thread": null, "user": "U0SARA" },
    });
    let filled = json!({
        "type": "view_submission", "trigger_id": "1.3", "user": { "id": "U0SARA" },
        "view": { "id": "V1", "hash": "h", "callback_id": "askd_own_words", "private_metadata": kept.to_string(),
            "state": { "values": { "block": { "action": { "type": "plain_text_input", "value": "own words" } } } } },
    });
    vec![
        happened(said),
        happened(below),
        happened(changed),
        happened(passed_on),
        interactive(pressed),
        interactive(filled),
    ]
}
