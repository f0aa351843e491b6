//! Events as Discord sends them (`tests/events`, with made-up people), and what they say.

use std::{fs, path::Path};

use askd_channel_discord::{
    Kind, Me, Places,
    read::{Answer, By, Did, Interaction, Other, Reading, Spot, Token, read},
};
use askd_core::{
    id::{ActionToken, ChannelName, MessageRef},
    inbound::{Act, Inbound, Placed, PressedMessage, Said, Sender},
    present::{Gesture, Payload},
    words::Language,
};
use askd_testkit::sample::address;
use serde_json::Value;
use serenity::model::id::{ApplicationId, ChannelId, InteractionId, MessageId, UserId};

const ME: UserId = UserId::new(1_300_000_000_000_000_099);
const CHANNEL: ChannelId = ChannelId::new(1_122_334_455_667_788_990);
const THREAD: ChannelId = ChannelId::new(1_445_000_000_000_000_040);
const DIRECT: ChannelId = ChannelId::new(1_444_000_000_000_000_077);

/// The message that was shown, below which the thread hangs.
const PROMPT: &str = "1122334455667788990/1445000000000000040";

fn json(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/events")
        .join(name)
        .with_extension("json");
    fs::read_to_string(file).unwrap()
}

/// What is known of channels in most tests.
fn places() -> Places {
    let mut places = Places::default();
    places.learn(CHANNEL, Kind::Channel);
    places.learn(THREAD, Kind::Thread { parent: CHANNEL });
    let guild = r#"{"op": 0, "d": {"roles": [{"id": "1300000000000000097", "tags": {"bot_id": "1300000000000000099"}}]}}"#;
    places.hear("GUILD_CREATE", guild, ME);
    places
}

/// What an event of this name says.
fn event(name: &str) -> Option<Did> {
    event_where(&places(), name)
}

fn event_where(places: &Places, name: &str) -> Option<Did> {
    event_of(places, &json(name))
}

fn event_of(places: &Places, json: &str) -> Option<Did> {
    let kind = serde_json::from_str::<Value>(json).unwrap()["t"]
        .as_str()
        .unwrap()
        .to_owned();
    let me = Me {
        user: ME,
        application: ApplicationId::new(1_300_000_000_000_000_098),
        hears_groups: true,
    };
    let reading = Reading {
        channel: &ChannelName::new("dc"),
        me: &me,
        places,
    };
    read(&kind, json, &reading)
}

/// An event of this name, changed.
fn changed(name: &str, change: impl FnOnce(&mut Value)) -> Did {
    let mut event = serde_json::from_str(&json(name)).unwrap();
    change(&mut event);
    event_of(&places(), &event.to_string()).unwrap_or_else(|| panic!("{name} says nothing"))
}

fn did(name: &str) -> Did {
    event(name).unwrap_or_else(|| panic!("{name} says nothing"))
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

fn sara(language: Option<Language>) -> Sender {
    Sender::Account {
        account: address("dc:@8877665544332211"),
        language,
    }
}

fn prompt() -> MessageRef {
    MessageRef::new(PROMPT)
}

fn pressed() -> PressedMessage {
    PressedMessage {
        message: prompt(),
        placed: Some(Placed(1_445_000_000_000_000_040)),
    }
}

#[test]
fn a_text_tells_who_said_what_where_and_when() {
    let Did { inbound, answer } = did("direct_text");

    let expected = Said {
        text: "۲".to_owned(),
        message: MessageRef::new("1444000000000000077/1445000000000000041"),
        placed: Some(Placed(1_445_000_000_000_000_041)),
        reply_to: None,
        thread: None,
        addressed: false,
        attachment: false,
        edited: false,
        forwarded: false,
    };
    assert_eq!(inbound.act, Act::Said(expected));
    assert_eq!(inbound.event.as_str(), "1445000000000000041");
    assert_eq!(inbound.from, sara(None));
    assert_eq!(inbound.at, address("dc:1444000000000000077"));
    assert!(inbound.direct);
    assert_eq!(inbound.when.to_string(), "2026-12-01T09:31:00.25Z");
    let to = Spot {
        channel: DIRECT,
        message: MessageId::new(1_445_000_000_000_000_041),
    };
    assert_eq!(answer, Answer::Reply(to));
}

#[test]
fn a_text_in_a_server_is_addressed_only_if_it_says_so() {
    for (name, text, addressed) in [
        ("bare_text", "2", false),
        ("without_content", "", false),
        ("mention", "2, but ask @Omid :ship:", true),
        ("mention_of_our_role", "2", true),
        ("reply", "2", false),
        ("reply_that_pings", "2", true),
        ("typed_command", "/pending", true),
    ] {
        let said = said(name);
        assert_eq!((said.text.as_str(), said.addressed), (text, addressed), "{name}");
        assert!(!inbound(name).direct, "{name}");
    }
}

#[test]
fn a_reply_counts_as_one_only_to_us() {
    for (name, replied) in [
        ("reply", Some(prompt())),
        ("reply_that_pings", Some(prompt())),
        ("reply_to_a_deleted_message", Some(prompt())),
        ("reply_to_somebody_else", None),
        ("bare_text", None),
    ] {
        assert_eq!(said(name).reply_to, replied, "{name}");
    }
}

#[test]
fn a_text_in_a_thread_tells_the_message_below_which_that_hangs() {
    let inbound = inbound("text_in_the_thread");

    assert_eq!(inbound.at, address("dc:1445000000000000040"), "the thread");
    assert_eq!(said("text_in_the_thread").thread, Some(prompt()));
    assert_eq!(said("bare_text").thread, None);
}

#[test]
fn what_is_no_text_is_an_attachment_and_what_is_passed_on_is_not_theirs() {
    for (name, text, attachment, forwarded) in [
        ("photo_with_caption", "2", true, false),
        ("sticker", "", true, false),
        ("poll", "", true, false),
        ("forwarded", "", false, true),
        ("direct_text", "۲", false, false),
    ] {
        let said = said(name);
        assert_eq!(
            (said.text.as_str(), said.attachment, said.forwarded),
            (text, attachment, forwarded),
            "{name}"
        );
        assert_eq!(said.reply_to, None, "{name}");
    }
}

#[test]
fn an_edit_is_another_event_about_the_same_message() {
    let (first, edit) = (said("bare_text"), said("edited"));

    assert!(edit.edited && !first.edited);
    assert_eq!(edit.message, first.message);
    assert_eq!(
        inbound("edited").event.as_str(),
        "1445000000000000041/2026-12-01T09:32:00.500000+00:00"
    );
    assert_eq!(inbound("edited").when.to_string(), "2026-12-01T09:32:00.5Z");
}

#[test]
fn nobody_speaks_where_a_machine_does() {
    for name in [
        "bot",
        "webhook",
        "joined",
        "thread_started",
        "preview",
        "whole_preview",
        "autocomplete",
    ] {
        assert_eq!(event(name), None, "{name}");
    }
}

#[test]
fn what_is_done_between_people_is_not_done_with_us_alone() {
    for name in ["command_with_a_code", "direct_press"] {
        let in_context = |context: u64| changed(name, |event| event["d"]["context"] = context.into());

        assert!(in_context(1).inbound.direct, "{name}: with the bot");
        assert!(
            !in_context(2).inbound.direct,
            "{name}: others read in a private channel"
        );
    }
}

#[test]
fn who_somebody_is_says_the_number_of_the_account_and_no_name() {
    for (name, at) in [("direct_text", "/d/author"), ("press", "/d/member/user")] {
        let from = |key: &str, value: &str| {
            changed(name, |event| {
                event.pointer_mut(at).unwrap()[key] = value.into();
            })
            .inbound
            .from
        };
        let same = inbound(name).from;

        assert_eq!(from("username", "somebody.else"), same, "{name}: renamed");
        assert_eq!(from("global_name", "Somebody Else"), same, "{name}: renamed");
        let Sender::Account { account, .. } = from("id", "66") else {
            panic!("{name}")
        };
        assert_eq!(
            account,
            address("dc:@66"),
            "{name}: who takes a name is somebody else"
        );
    }
}

#[test]
fn what_the_library_does_not_know_takes_nothing_away() {
    let said = said("newer_than_the_library");

    assert_eq!(said.text, "2");
    assert!(said.addressed && said.attachment);
    assert_eq!(said.reply_to, None, "to another bot's message");
}

#[test]
fn the_library_still_loses_what_docs_adr_0004_says_it_does() {
    use serenity::model::{application::Interaction as Whole, channel::Message, event::Event};
    let whole = |name| serde_json::from_str::<Value>(&json(name)).unwrap();

    let newer = whole("newer_than_the_library");
    let mut reply = whole("reply");
    reply["d"]["referenced_message"] = newer["d"]["referenced_message"].clone();
    for event in [newer, reply] {
        assert!(serde_json::from_value::<Message>(event["d"].clone()).is_err());
        assert!(matches!(serde_json::from_value(event), Ok(Event::Unknown(_))));
    }

    let Ok(Whole::Modal(form)) = serde_json::from_value(whole("form_with_labels")["d"].clone()) else {
        panic!("it reads modals")
    };
    assert!(form.data.components.iter().all(|row| row.components.is_empty()));
}

#[test]
fn a_press_tells_what_the_button_carries_and_the_message_it_stood_on() {
    let Did { inbound, answer } = did("press");

    let payload = "0123456789abcdef0123456789abcdef.0".to_owned();
    let act = Act::Pressed {
        payload,
        message: pressed(),
    };
    assert_eq!(inbound.act, act);
    assert_eq!(inbound.event.as_str(), "1445000000000000050");
    assert_eq!(
        inbound.from,
        sara(Some(Language::English)),
        "who pressed, not who wrote the message"
    );
    assert_eq!(inbound.at, address("dc:1122334455667788990"));
    assert!(!inbound.direct);
    assert_eq!(
        inbound.when.to_string(),
        "2025-12-01T10:34:06.801Z",
        "as its number says"
    );
    let expected = Interaction {
        id: InteractionId::new(1_445_000_000_000_000_050),
        token: Token::new("aW50ZXJhY3Rpb246ZXhhbXBsZQ"),
        by: By::Press {
            on: Spot {
                channel: CHANNEL,
                message: MessageId::new(1_445_000_000_000_000_040),
            },
            other: None,
        },
        channel: CHANNEL,
    };
    assert_eq!(answer, Answer::Interaction(expected));
}

#[test]
fn a_button_for_own_words_says_what_stands_on_it() {
    let Answer::Interaction(interaction) = did("press_on_other").answer else {
        panic!("no interaction")
    };

    let By::Press { other, .. } = interaction.by else {
        panic!("no press")
    };
    let expected = Other {
        payload: Payload {
            token: ActionToken::parse("0123456789abcdef0123456789abcdef").unwrap(),
            gesture: Gesture::Other,
        },
        label: "Other…".to_owned(),
    };
    assert_eq!(other, Some(expected));
}

#[test]
fn a_button_is_pressed_where_its_message_stands() {
    let in_thread = inbound("press_in_the_thread");
    let direct = event_where(&Places::default(), "direct_press").unwrap().inbound;

    assert_eq!(in_thread.at, address("dc:1122334455667788990"));
    assert_eq!(direct.at, address("dc:1444000000000000077"));
    assert!(direct.direct && !in_thread.direct);
}

#[test]
fn a_form_tells_what_was_typed_in_whatever_shape_it_comes() {
    for (name, typed, message) in [
        ("form", "neither,\nplease wait", Some(pressed())),
        ("form_with_labels", "neither", Some(pressed())),
        ("empty_form", "", None),
    ] {
        let Act::Filled {
            payload,
            text,
            message: on,
        } = inbound(name).act
        else {
            panic!("{name}")
        };
        assert_eq!((text.as_str(), on), (typed, message), "{name}");
        assert_eq!(payload, "0123456789abcdef0123456789abcdef.other");
    }
}

#[test]
fn a_command_is_what_one_would_type() {
    for (name, text, direct) in [
        ("command", "/skip", false),
        (
            "command_with_a_code",
            "/start 0123456789abcdef0123456789abcdef",
            true,
        ),
    ] {
        let (said, inbound) = (said(name), inbound(name));
        assert_eq!((said.text.as_str(), inbound.direct), (text, direct));
        assert!(said.addressed, "{name}");
        assert_eq!(said.placed, Some(Placed(1_445_000_000_000_000_050)), "{name}");
        assert!(
            matches!(did(name).answer, Answer::Interaction(Interaction { by: By::Command { direct: told }, .. }) if told == direct),
            "{name}"
        );
    }
}

#[test]
fn what_cannot_be_read_is_passed_over() {
    let me = Me {
        user: ME,
        application: ApplicationId::new(1),
        hears_groups: true,
    };
    let reading = Reading {
        channel: &ChannelName::new("dc"),
        me: &me,
        places: &Places::default(),
    };
    for (kind, json) in [
        ("MESSAGE_CREATE", "{}"),
        ("MESSAGE_CREATE", r#"{"d": {"id": "x", "channel_id": "1"}}"#),
        ("MESSAGE_CREATE", r#"{"d": {"id": "5", "channel_id": "1"}}"#),
        (
            "INTERACTION_CREATE",
            r#"{"d": {"id": "5", "type": 3, "token": "t"}}"#,
        ),
        ("TYPING_START", "{}"),
    ] {
        assert_eq!(read(kind, json, &reading), None, "{kind} {json}");
    }
}
