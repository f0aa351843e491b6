//! Envelopes as Slack sends them (`tests/events`, with made-up people), and what they say.

use std::{fs, path::Path};

use askd_channel_slack::{
    Me, Place, Threads, Ts,
    read::{Answer, Did, Event, Reading, Spot, read, read_again},
};
use askd_core::{
    id::{ChannelName, MessageRef},
    inbound::{Act, Inbound, Placed, PressedMessage, Said, Sender},
};
use askd_testkit::{clock::START, sample::address};
use serde_json::Value;

fn envelope(name: &str) -> Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/events")
        .join(name)
        .with_extension("json");
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

fn reading<T>(threads: &Threads, with: impl FnOnce(&Reading<'_>) -> T) -> T {
    let me = Me {
        user: "U0ASKD".to_owned(),
        bot: "B0ASKD".to_owned(),
        name: "askd".to_owned(),
        team: "Example".to_owned(),
        team_id: "T0EXAMPLE".to_owned(),
        enterprise_id: None,
    };
    with(&Reading {
        channel: &ChannelName::new("slack"),
        me: &me,
        threads,
        now: START,
    })
}

/// What an envelope of this name says.
fn event(name: &str) -> Event {
    reading(&Threads::default(), |with| read(&envelope(name), with))
}

fn did(name: &str) -> Did {
    match event(name) {
        Event::Did(did) => *did,
        other => panic!("{name}: {other:?}"),
    }
}

fn inbound(name: &str) -> Inbound {
    did(name).inbound
}

fn said(name: &str) -> Said {
    match inbound(name).act {
        Act::Said(said) => said,
        other => panic!("{name}: {other:?}"),
    }
}

fn sara() -> Sender {
    Sender::Account {
        account: address("slack:U0SARA"),
        language: None,
    }
}

fn message(text: &str) -> MessageRef {
    MessageRef::new(text)
}

fn spot(conversation: &str, thread: Option<&str>) -> Spot {
    Spot {
        conversation: conversation.to_owned(),
        thread: thread.map(str::to_owned),
        user: "U0SARA".to_owned(),
    }
}

#[test]
fn a_text_tells_who_said_what_where_and_when() {
    let Did {
        inbound,
        answer,
        event,
    } = did("direct");

    let expected = Said {
        text: "2️⃣".to_owned(),
        message: message("D0SARA/1796117460.000200"),
        placed: Some(Placed(1_796_117_460_000_200)),
        reply_to: None,
        thread: None,
        addressed: false,
        attachment: false,
        edited: false,
        forwarded: false,
    };
    assert_eq!(inbound.act, Act::Said(expected));
    assert_eq!(inbound.event.as_str(), "message/D0SARA/1796117460.000200");
    assert_eq!(inbound.from, sara());
    assert_eq!(inbound.at, address("slack:D0SARA"));
    assert!(inbound.direct);
    assert_eq!(inbound.when.to_string(), "2026-12-01T09:31:00.0002Z");
    assert_eq!(
        answer,
        Answer::Said {
            ts: Ts::parse("1796117460.000200").unwrap(),
            spot: spot("D0SARA", None)
        }
    );
    assert_eq!(event.as_deref(), Some("Ev0EXAMPLE01"));
}

#[test]
fn a_mention_is_two_events_of_one_name() {
    let (message, mention) = (did("mention"), did("mention_as_mention"));

    assert_eq!(message.inbound, mention.inbound);
    assert_ne!(message.event, mention.event);
    let text = said("mention");
    assert_eq!((text.text.as_str(), text.addressed), ("2 & then lunch", true));
    assert_eq!(message.inbound.at, address("slack:C0SHOP"));
    assert!(!message.inbound.direct);
    assert!(!inbound("in_private_channel").direct);
}

#[test]
fn a_text_below_a_message_of_ours_is_one_of_its_channel() {
    let below = inbound("below_our_prompt");
    assert_eq!(below.at, address("slack:C0SHOP"));
    assert_eq!(
        said("below_our_prompt").thread,
        Some(message("C0SHOP/1796117400.000100"))
    );
    assert_eq!(
        did("below_our_prompt").answer,
        Answer::Said {
            ts: Ts::parse("1796117460.000200").unwrap(),
            spot: spot("C0SHOP", Some("1796117400.000100"))
        }
    );

    let direct = inbound("below_our_prompt_in_direct");
    assert_eq!(direct.at, address("slack:D0SARA"));
    assert_eq!(
        said("below_our_prompt_in_direct").thread,
        Some(message("D0SARA/1796117400.000100"))
    );
    assert_eq!(
        said("below_our_prompt_in_direct").reply_to,
        said("below_our_prompt_in_direct").thread,
        "alone with us, it can only be meant so"
    );
    assert_eq!(said("below_our_prompt").reply_to, None, "it may be mere talk");
    assert_eq!(inbound("thread_broadcast").at, address("slack:C0SHOP"));
    assert_eq!(said("first_of_a_thread").thread, None, "it is below nothing");
}

#[test]
fn a_thread_that_somebody_else_began_is_a_place_of_its_own() {
    let elsewhere = inbound("in_another_thread");

    assert_eq!(elsewhere.at, address("slack:C0SHOP/1796117300.000900"));
    assert!(!elsewhere.direct);
}

#[test]
fn a_thread_that_was_asked_as_a_place_is_one_whoever_began_it() {
    let mut threads = Threads::default();
    threads.learn(&Place {
        conversation: "C0SHOP".to_owned(),
        thread: Ts::parse("1796117400.000100"),
    });

    let event = reading(&threads, |with| read(&envelope("below_our_prompt"), with));

    let Event::Did(did) = event else {
        panic!("{event:?}")
    };
    assert_eq!(did.inbound.at, address("slack:C0SHOP/1796117400.000100"));
}

#[test]
fn a_file_counts_by_its_words() {
    let with = said("file");
    assert_eq!(
        (with.text.as_str(), with.attachment),
        ("2 as in the picture", true)
    );

    let without = said("file_without_words");
    assert_eq!((without.text.as_str(), without.attachment), ("", true));
}

#[test]
fn what_is_passed_on_is_somebody_elses_unless_something_is_said_to_it() {
    let shared = said("shared");
    assert_eq!(shared.text, "Production & nothing else");
    assert!(shared.forwarded);

    let commented = said("shared_with_comment");
    assert_eq!(commented.text, "2");
    assert!(!commented.forwarded);
}

#[test]
fn a_change_names_the_message_and_has_a_name_of_its_own() {
    let edited = inbound("edited");

    assert_eq!(
        edited.event.as_str(),
        "edit/D0SARA/1796117460.000200/1796117500.000000"
    );
    assert_eq!(edited.when.to_string(), "2026-12-01T09:31:40Z");
    let words = said("edited");
    assert!(words.edited && words.text == "2");
    assert_eq!(words.message, message("D0SARA/1796117460.000200"));
}

#[test]
fn what_nobody_said_and_what_we_said_is_nothing() {
    for name in [
        "preview",
        "our_own_edit",
        "ourselves",
        "joined",
        "deleted",
        "reaction",
        "closed",
        "command",
        "form_of_another_app",
    ] {
        assert_eq!(event(name), Event::Nothing, "{name}");
    }
}

/// Who did it, in an envelope that was changed.
fn from_changed(name: &str, change: impl FnOnce(&mut Value)) -> Sender {
    let mut envelope = envelope(name);
    change(&mut envelope["payload"]);
    match reading(&Threads::default(), |with| read(&envelope, with)) {
        Event::Did(did) => did.inbound.from,
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn a_guest_from_another_workspace_is_nobody_of_ours_whatever_their_id() {
    let guest = Sender::Account {
        account: address("slack:U0SARA@T0OTHER"),
        language: None,
    };
    let message = |team: &str| {
        from_changed("direct", |payload| {
            payload["event"]["user_team"] = team.into();
        })
    };
    assert_eq!(message("T0OTHER"), guest);
    assert_eq!(message("T0EXAMPLE"), sara());
    for name in ["press", "form"] {
        let by = |team: &str| {
            from_changed(name, |payload| {
                payload["user"]["team_id"] = team.into();
            })
        };
        assert_eq!(by("T0OTHER"), guest, "{name}");
        assert_eq!(by("T0EXAMPLE"), sara(), "{name}");
    }
}

#[test]
fn who_somebody_is_says_the_id_of_the_account_and_no_name() {
    for key in ["username", "name"] {
        let renamed = from_changed("press", |payload| payload["user"][key] = "somebody.else".into());
        assert_eq!(renamed, sara(), "{key}");
    }
    let impostor = from_changed("press", |payload| payload["user"]["id"] = "U0EVE".into());
    assert_ne!(impostor, sara());
}

#[test]
fn bots_are_machines() {
    for name in ["another_bot", "old_bot", "slackbot"] {
        assert_eq!(inbound(name).from, Sender::Machine, "{name}");
    }
}

#[test]
fn words_come_through_whatever_slack_adds() {
    let newer = said("newer_than_the_library");

    assert_eq!(newer.text, "2, please");
    let payload = envelope("newer_than_the_library")["payload"].clone();
    let library: slack_morphism::events::SlackPushEventCallback = serde_json::from_value(payload).unwrap();
    assert!(
        !format!("{library:?}").contains("2, please"),
        "the library has learnt to read it: see docs/adr/0005"
    );
}

#[test]
fn a_press_tells_what_the_button_carries_and_the_message_it_stood_on() {
    let Did { inbound, answer, .. } = did("press");

    let on = PressedMessage {
        message: message("C0SHOP/1796117400.000100"),
        placed: Some(Placed(1_796_117_400_000_100)),
    };
    let payload = "00000000000000000000000000000000.0".to_owned();
    assert_eq!(inbound.act, Act::Pressed { payload, message: on });
    assert_eq!(inbound.from, sara(), "who pressed, not who wrote the message");
    assert_eq!(inbound.at, address("slack:C0SHOP"));
    assert_eq!(inbound.when.to_string(), "2026-12-01T09:31:05.123456Z");
    assert_eq!(inbound.event.as_str(), "press/1234.5678.abcdef");
    let expected = Answer::Press {
        trigger: "1234.5678.abcdef".to_owned(),
        on: Ts::parse("1796117400.000100").unwrap(),
        spot: spot("C0SHOP", None),
    };
    assert_eq!(answer, expected);
}

#[test]
fn a_press_in_a_thread_is_answered_there() {
    let Did { inbound, answer, .. } = did("press_in_a_thread");

    assert_eq!(inbound.at, address("slack:C0SHOP/1796117300.000900"));
    assert_eq!(answer.spot(), &spot("C0SHOP", Some("1796117300.000900")));
}

#[test]
fn a_press_of_something_without_a_value_carries_nothing() {
    let act = inbound("press_without_value").act;

    assert!(matches!(act, Act::Pressed { payload, .. } if payload.is_empty()));
}

#[test]
fn a_form_tells_what_was_typed_as_it_was_typed_and_which_button_opened_it() {
    let Did { inbound, answer, .. } = did("form");

    let on = PressedMessage {
        message: message("C0SHOP/1796117400.000100"),
        placed: Some(Placed(1_796_117_400_000_100)),
    };
    let expected = Act::Filled {
        payload: "00000000000000000000000000000000.other".to_owned(),
        text: "only <after> lunch &amp; 👍".to_owned(),
        message: Some(on),
    };
    assert_eq!(inbound.act, expected);
    assert_eq!(inbound.at, address("slack:C0SHOP"));
    assert_eq!(inbound.from, sara());
    assert_eq!(inbound.when, START, "Slack does not say when");
    let expected = Answer::Form {
        spot: spot("C0SHOP", None),
        block: "own_words".to_owned(),
    };
    assert_eq!(answer, expected);

    let empty = self::inbound("form_left_empty").act;
    assert!(matches!(empty, Act::Filled { text, .. } if text.is_empty()));
}

#[test]
fn a_revoked_token_or_a_removed_app_is_worth_a_look() {
    assert_eq!(event("removed"), Event::Revoked);
    assert_eq!(event("revoked"), Event::Revoked);
}

#[test]
fn what_is_no_event_at_all_is_nothing() {
    for junk in [
        serde_json::json!(null),
        serde_json::json!([]),
        serde_json::json!({ "type": "events_api" }),
        serde_json::json!({ "type": "events_api", "payload": { "event": { "type": "message" } } }),
        serde_json::json!({ "type": "events_api", "payload": { "event": { "type": "message", "ts": 5 } } }),
        serde_json::json!({ "type": "interactive", "payload": { "type": "block_actions" } }),
        serde_json::json!({ "type": "interactive", "payload": { "type": "view_submission" } }),
        serde_json::json!({ "type": "hologram", "payload": {} }),
    ] {
        let event = reading(&Threads::default(), |with| read(&junk, with));

        assert_eq!(event, Event::Nothing, "{junk}");
    }
}

#[test]
fn a_message_of_the_past_reads_as_it_would_have_as_an_event() {
    let past = reading(&Threads::default(), |with| {
        read_again(&envelope("in_the_past"), "C0SHOP", with)
    });

    let past = past.unwrap();
    assert_eq!(past.inbound.event.as_str(), "message/C0SHOP/1796117460.000200");
    assert_eq!(past.inbound.at, address("slack:C0SHOP"));
    let Act::Said(words) = past.inbound.act else {
        panic!("{past:?}")
    };
    assert_eq!(words.text, "2 & lunch");
    assert_eq!(words.thread, Some(message("C0SHOP/1796117400.000100")));
    let ours = envelope("ourselves")["payload"]["event"].clone();
    let ours = reading(&Threads::default(), |with| read_again(&ours, "D0SARA", with));
    assert_eq!(ours, None);
}
