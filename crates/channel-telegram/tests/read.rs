//! Updates as Telegram sends them (`tests/updates`, with made-up people), and what they say.

use std::{fs, path::Path};

use askd_channel_telegram::{
    Me, Moved,
    read::{Answer, Did, Event, Reading, Spot, Tapper, read},
};
use askd_core::{
    id::{ChannelName, MessageRef},
    inbound::{Act, Inbound, Placed, PressedMessage, Said, Sender},
    words::Language,
};
use askd_testkit::{clock::START, sample::address};
use serde_json::{Value, json};

/// What an update of this name says.
fn event(name: &str) -> Event {
    event_after(&Moved::default(), name)
}

fn update(name: &str) -> Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/updates")
        .join(name)
        .with_extension("json");
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

/// What it says where groups have moved.
fn event_after(moved: &Moved, name: &str) -> Event {
    event_of(moved, &update(name))
}

fn event_of(moved: &Moved, update: &Value) -> Event {
    let me = Me {
        id: 123_456_789,
        username: "askd_example_bot".to_owned(),
        hears_groups: false,
    };
    read(
        update,
        &Reading {
            channel: &ChannelName::new("tg"),
            me: &me,
            moved,
            now: START,
        },
    )
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
        account: address("tg:7612345678"),
        language: Some(Language::Persian),
    }
}

fn message(text: &str) -> MessageRef {
    MessageRef::new(text)
}

#[test]
fn a_text_tells_who_said_what_where_and_when() {
    let Did { inbound, answer } = did("text");

    let expected = Said {
        text: "۲".to_owned(),
        message: message("7612345678/41"),
        placed: Some(Placed(41)),
        reply_to: None,
        thread: None,
        addressed: false,
        attachment: false,
        edited: false,
        forwarded: false,
    };
    assert_eq!(inbound.act, Act::Said(expected));
    assert_eq!(inbound.event.as_str(), "864200001");
    assert_eq!(inbound.from, sara());
    assert_eq!(inbound.at, address("tg:7612345678"));
    assert!(inbound.direct);
    assert_eq!(inbound.when.to_string(), "2026-12-01T09:31:00Z");
    let to = Spot {
        chat: 7_612_345_678,
        topic: None,
        message: 41,
    };
    assert_eq!(answer, Answer::Reply { to });
}

#[test]
fn a_reply_counts_as_one_only_to_us() {
    assert_eq!(said("reply").reply_to, Some(message("7612345678/40")));
    assert_eq!(said("reply_to_somebody_else").reply_to, None);
}

#[test]
fn a_tap_tells_what_the_button_carries_and_the_message_it_stood_on() {
    let Did { inbound, answer } = did("tap");

    let on = PressedMessage {
        message: message("7612345678/40"),
        placed: Some(Placed(40)),
    };
    let payload = "00000000000000000000000000000000.0".to_owned();
    assert_eq!(inbound.act, Act::Pressed { payload, message: on });
    assert_eq!(inbound.from, sara(), "who tapped, not who wrote the message");
    assert_eq!(inbound.when, START, "Telegram does not say when");
    let expected = Answer::Tap {
        query: "4382abc".to_owned(),
        on: Spot {
            chat: 7_612_345_678,
            topic: None,
            message: 40,
        },
        by: Tapper {
            id: 7_612_345_678,
            name: "Sara".to_owned(),
        },
    };
    assert_eq!(answer, expected);
}

#[test]
fn a_tap_on_a_message_out_of_reach_still_counts() {
    let inbound = inbound("tap_out_of_reach");

    assert_eq!(inbound.at, address("tg:-1001234567890"), "the topic is not told");
    let Act::Pressed { message: on, .. } = inbound.act else {
        panic!("no tap")
    };
    assert_eq!(on.message, message("-1001234567890/90"));
}

#[test]
fn a_topic_is_a_conversation_and_general_is_the_group() {
    for (name, at) in [
        ("tap_in_topic", "tg:-1001234567890/7"),
        ("topic_text", "tg:-1001234567890/7"),
        ("topic_reply", "tg:-1001234567890/7"),
        ("general_topic", "tg:-1001234567890"),
        ("reply_chain", "tg:-1001234567890"),
        ("private_topic", "tg:7612345678"),
    ] {
        let inbound: Inbound = inbound(name);
        assert_eq!(inbound.at, address(at), "{name}");
        assert_eq!(inbound.direct, name == "private_topic", "{name}");
    }
}

#[test]
fn the_first_message_of_a_topic_is_not_replied_to() {
    assert_eq!(said("topic_text").reply_to, None);
    assert_eq!(said("topic_reply").reply_to, Some(message("-1001234567890/90")));
    assert_eq!(
        said("reply_chain").reply_to,
        Some(message("-1001234567890/40")),
        "without topics the number is that of the first message, which may be ours"
    );
}

#[test]
fn an_answer_goes_to_the_topic_of_what_it_answers() {
    let topic = |name| match did(name).answer {
        Answer::Reply { to } | Answer::Tap { on: to, .. } => to.topic,
    };

    assert_eq!(topic("topic_text"), Some(7));
    assert_eq!(topic("tap_in_topic"), Some(7));
    assert_eq!(topic("private_topic"), Some(12));
    assert_eq!(topic("general_topic"), None);
    assert_eq!(topic("reply_chain"), None);
}

#[test]
fn our_name_is_taken_out_and_makes_a_text_addressed() {
    let mention = said("topic_text");
    assert_eq!((mention.text.as_str(), mention.addressed), ("2", true));

    let command = said("general_topic");
    assert_eq!((command.text.as_str(), command.addressed), ("/skip", true));

    assert_eq!(event("other_bots_command"), Event::Nothing);
}

#[test]
fn who_is_hidden_a_bot_or_the_platform_is_told_apart() {
    for (name, from) in [
        ("anonymous_admin", Sender::Hidden),
        ("linked_channel_post", Sender::Machine),
        ("bot", Sender::Machine),
        ("joined", Sender::Machine),
    ] {
        assert_eq!(inbound(name).from, from, "{name}");
    }
}

#[test]
fn a_photo_counts_by_its_caption_and_a_sticker_is_an_attachment() {
    let photo = said("photo_with_caption");
    assert_eq!((photo.text.as_str(), photo.attachment), ("prod", true));

    let sticker = said("sticker");
    assert_eq!((sticker.text.as_str(), sticker.attachment), ("", true));
}

#[test]
fn what_is_newer_than_the_library_comes_through() {
    let said = said("newer_than_the_library");

    assert_eq!((said.text.as_str(), said.attachment), ("at 14:30", true));
}

#[test]
fn a_forwarded_text_says_so() {
    assert!(said("forwarded").forwarded);
}

#[test]
fn words_of_another_bot_are_not_the_senders_own() {
    let mut update = update("text");
    update["message"]["via_bot"] =
        json!({ "id": 99, "is_bot": true, "first_name": "Helper", "username": "helper_bot" });

    let Event::Did(did) = event_of(&Moved::default(), &update) else {
        panic!("it was said")
    };

    let Act::Said(said) = did.inbound.act else {
        panic!("it was said")
    };
    assert!(said.forwarded);
    assert_eq!(did.inbound.from, sara());
}

#[test]
fn who_somebody_is_says_the_number_of_the_account_and_no_name() {
    for (name, at) in [("text", "message"), ("tap", "callback_query")] {
        let (mut renamed, mut impostor) = (update(name), update(name));
        for key in ["first_name", "username"] {
            renamed[at]["from"][key] = "somebody_else".into();
        }
        impostor[at]["from"]["id"] = 66.into();

        let from = |update| match event_of(&Moved::default(), update) {
            Event::Did(did) => did.inbound.from,
            other => panic!("{other:?}"),
        };
        assert_eq!(
            from(&renamed),
            sara(),
            "{name}: a person who is renamed is the same"
        );
        let Sender::Account { account, .. } = from(&impostor) else {
            panic!("{name}")
        };
        assert_eq!(
            account,
            address("tg:66"),
            "{name}: who takes a name is somebody else"
        );
    }
}

#[test]
fn an_edit_is_told_as_one_with_its_own_time() {
    let inbound = inbound("edited");

    assert_eq!(inbound.when.to_string(), "2026-12-01T09:32:00Z");
    let said = said("edited");
    assert!(said.edited);
    assert_eq!(
        said.message,
        message("7612345678/41"),
        "the message that was said before"
    );
    assert_eq!(event("edited_location"), Event::Nothing, "nothing was said anew");
}

#[test]
fn a_group_that_moves_says_where_to_from_either_side() {
    let moved = Event::Moved {
        from: -987_654,
        to: -1_001_234_567_890,
    };

    assert_eq!(event("moved_away"), moved);
    assert_eq!(event("moved_here"), moved);
}

#[test]
fn what_happens_in_a_moved_group_is_told_under_the_id_its_open_asks_were_shown_under() {
    let mut moved = Moved::default();
    moved.learn(-987_654, -1_001_234_567_890);
    let at = |moved: &Moved| match event_after(moved, "reply_chain") {
        Event::Did(did) => did.inbound,
        other => panic!("{other:?}"),
    };

    let before = at(&moved);
    moved.posted(-1_001_234_567_890);
    let after = at(&moved);

    assert_eq!(before.at, address("tg:-987654"));
    assert_eq!(after.at, address("tg:-1001234567890"));
    for (inbound, placed) in [(before, None), (after, Some(Placed(94)))] {
        let Act::Said(said) = inbound.act else {
            panic!("said")
        };
        assert_eq!(said.placed, placed, "it counts its messages anew");
        assert_eq!(
            said.message,
            message("-1001234567890/94"),
            "messages keep the id they have"
        );
    }
}

#[test]
fn what_is_not_for_us_says_nothing() {
    for name in ["tap_on_inline_message", "blocked"] {
        assert_eq!(event(name), Event::Nothing, "{name}");
    }
    let me = Me {
        id: 1,
        username: "b".to_owned(),
        hears_groups: false,
    };
    let reading = Reading {
        channel: &ChannelName::new("tg"),
        me: &me,
        moved: &Moved::default(),
        now: START,
    };
    for odd in ["{}", "[]", r#"{"update_id":1,"message":{"text":5}}"#] {
        let update = serde_json::from_str(odd).unwrap();
        assert_eq!(read(&update, &reading), Event::Nothing, "{odd}");
    }
}

#[test]
fn every_update_here_is_looked_at_by_a_test() {
    let tests = include_str!("read.rs");
    for file in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/updates")).unwrap() {
        let name = file.unwrap().path().file_stem().unwrap().to_owned();
        let quoted = format!("\"{}\"", name.to_str().unwrap());
        assert!(tests.contains(&quoted), "{quoted}");
    }
}
