//! What the broker answers to what people do, where it takes more than one person or conversation to see it. What
//! every channel shows is in the channel suite of the testkit.

use std::{sync::Arc, time::Duration};

use askd_core::{
    channel::Channel,
    clock::Clock as _,
    id::{ChannelName, MessageRef, PersonName},
    inbound::{Act, Became, Inbound, Inbox, PressedMessage, Said},
    people::Directory,
    present::{Gesture, Payload, settled},
    store::Store as _,
    words::Language,
};
use askd_testkit::sample;

use crate::desk::{BOARD, account, agent, chat, desk, in_thread, text};

#[tokio::test]
async fn a_receipt_repeats_own_words_only_where_they_were_written() {
    let desk = desk();
    desk.route(&["sara", "team"], None);
    desk.ask().await;

    let here = desk.says("sara", "sara", text("1: my secret plan")).await;
    let elsewhere = desk
        .says("sara", "team", text("1: Staging; 2: our secret day"))
        .await;
    let again = desk
        .says(
            "sara",
            "sara",
            Said {
                reply_to: Some(MessageRef::new("sara")),
                ..text("1")
            },
        )
        .await;

    assert!(here.text.contains("my secret plan"), "{}", here.text);
    assert_eq!(elsewhere.became, Became::Settled);
    assert_eq!(again.became, Became::TooLate);
    assert!(!again.text.contains("secret"), "{}", again.text);
    assert!(again.text.contains("in own words"), "{}", again.text);
}

#[tokio::test]
async fn the_receipt_of_a_press_that_ended_the_ask_shows_how_its_message_looks_now() {
    for (place, message, shows) in [
        (BOARD, BOARD, true),
        (BOARD, "a post that was never confirmed", true),
        ("team", "team", false),
    ] {
        let desk = desk();
        desk.route(&[place], None);
        let record = desk.ask().await;
        let payload = Payload {
            token: record.ask.action,
            gesture: Gesture::Skip,
        };
        let pressed = Act::Pressed {
            payload: payload.text(),
            message: PressedMessage {
                message: MessageRef::new(message),
                placed: None,
            },
        };
        let press = Inbound {
            act: pressed,
            ..desk.said("sara", place, text(""))
        };

        let receipt = desk.broker.accept(press.clone()).await.unwrap();
        let again = desk.broker.accept(press).await.unwrap();

        assert_eq!(receipt.became, Became::Settled);
        assert_eq!(again, receipt);
        let now = desk.store.get(record.ask.id).await.unwrap().unwrap();
        let (at, reader) = (chat(place), Directory::empty().server);
        let can = desk.chat.capabilities(&at);
        let shown = now.deliveries[0].prompts().count();
        let expected = settled(&now.ask, &at, &can, &reader, None, shown).pop();
        assert_eq!(receipt.shows, expected.filter(|_| shows), "{place} {message}");
    }
}

#[tokio::test]
async fn a_channel_learns_which_of_its_conversations_wait_for_an_answer() {
    let desk = desk();
    desk.route(&[BOARD], None);
    let over = desk.ask().await;
    desk.route(&["sara", "team"], None);
    desk.broker.cancel(&agent(), over.ask.id).await.unwrap();
    desk.ask().await;
    desk.try_ask().await;
    let open = |name: &'static str| {
        let broker = Arc::clone(&desk.broker);
        async move { broker.open_on(&ChannelName::new(name)).await.unwrap() }
    };

    let here = open("chat").await;
    let elsewhere = open("other").await;
    desk.clock.advance(Duration::from_mins(30));
    desk.store.expire(desk.clock.now()).await.unwrap();
    let expired = open("chat").await;
    desk.clock.advance(Duration::from_mins(61));
    let long_ago = open("chat").await;

    let places = ["sara", "team"].map(|place| sample::posted(&chat(place), &[place]));
    assert_eq!(here, places, "not what is over, and not what is on its way");
    assert_eq!(elsewhere, []);
    assert_eq!(expired, places, "an answer may have been on time");
    assert_eq!(long_ago, []);
}

#[tokio::test]
async fn somebody_whose_text_is_kept_from_us_is_told_what_to_do() {
    let desk = desk();
    desk.route(&["team"], None);
    let record = desk.ask().await;
    let reply = Said {
        reply_to: Some(MessageRef::new("team")),
        addressed: false,
        ..text("")
    };

    let unread = desk.says("sara", "team", reply.clone()).await;
    let named = desk
        .says(
            "sara",
            "team",
            Said {
                addressed: true,
                ..reply
            },
        )
        .await;

    assert_eq!((unread.became, named.became), (Became::Hint, Became::Hint));
    assert!(unread.text.contains("mention me"), "{}", unread.text);
    assert!(!named.text.contains("mention me"), "{}", named.text);
    let now = desk.store.get(record.ask.id).await.unwrap().unwrap();
    assert!(now.ask.outcome().is_none());
}

#[tokio::test]
async fn a_receipt_is_in_the_language_of_the_person_then_the_route_then_the_platform_then_the_server() {
    use Language::{English, Persian};
    let thanks = |language| askd_core::words::say(language, "receipt-skipped", &[]);
    for (person, route, platform, expected) in [
        (Some(English), Some(Persian), Some(Persian), English),
        (None, Some(Persian), Some(English), Persian),
        (None, None, Some(Persian), Persian),
        (None, None, None, English),
    ] {
        let desk = desk();
        desk.route(&["sara"], route);
        desk.configure(|directory| {
            directory
                .people
                .get_mut(&PersonName::new("sara"))
                .unwrap()
                .language = person;
        });
        desk.ask().await;
        let event = Inbound {
            from: account("sara", platform),
            ..desk.said("sara", "sara", text("skip"))
        };

        let receipt = desk.broker.accept(event).await.unwrap();

        assert_eq!(
            receipt.text,
            thanks(expected),
            "{person:?} {route:?} {platform:?}"
        );
    }
}

#[tokio::test]
async fn what_cannot_be_stored_is_told_in_the_persons_own_language() {
    let desk = desk();
    desk.configure(|directory| {
        directory
            .people
            .get_mut(&PersonName::new("sara"))
            .unwrap()
            .language = Some(Language::Persian);
    });
    desk.store.set_broken(true);

    let not_taken = desk
        .broker
        .accept(desk.said("sara", "sara", text("2")))
        .await
        .unwrap_err();

    assert_eq!(
        not_taken.text,
        askd_core::words::say(Language::Persian, "receipt-not-taken", &[])
    );
}

#[tokio::test]
async fn whatever_is_said_in_the_thread_beside_answers_gets_one_hint_for_each_person() {
    let desk = desk();
    desk.route(&["team"], None);
    // Two people of one name are two people.
    desk.configure(|directory| {
        for person in directory.people.values_mut() {
            "Sara".clone_into(&mut person.display);
        }
    });
    desk.ask().await;
    let photo = || Said {
        attachment: true,
        ..in_thread("")
    };
    let forwarded = || Said {
        forwarded: true,
        ..in_thread("1: 2; 2: 1")
    };

    let mut became = Vec::new();
    for (who, said) in [
        ("sara", photo()),
        ("sara", photo()),
        ("sara", forwarded()),
        ("sara", in_thread("hm")),
        ("omid", in_thread("hm")),
        ("sara", in_thread("1: 2")),
    ] {
        became.push(match desk.says(who, "team", said).await.became {
            Became::Hint => "hint",
            Became::Ignored => "nothing",
            Became::Kept { .. } => "kept",
            other => panic!("{other:?}"),
        });
    }

    assert_eq!(became, ["hint", "nothing", "nothing", "nothing", "hint", "kept"]);
}

#[tokio::test]
async fn a_stranger_who_edits_is_told_no_more_often_than_one_who_writes() {
    let desk = desk();
    let edit = || Said {
        edited: true,
        ..text("hello")
    };

    let first = desk.says("stranger", "stranger", edit()).await;
    let second = desk.says("stranger", "stranger", edit()).await;

    assert_eq!(first.became, Became::NotYours);
    assert_eq!(second.became, Became::Ignored);
}

#[tokio::test]
async fn in_a_thread_that_was_asked_a_bare_text_counts_where_it_is_plainly_an_answer() {
    let desk = desk();
    desk.route(&["thread 1"], None);
    let bare = |said| Said {
        addressed: false,
        ..text(said)
    };
    let nothing_open = desk.says("sara", "thread 1", bare("1: 2")).await;
    desk.ask().await;

    let elsewhere = desk.says("sara", "thread 2", bare("1: 2")).await;
    let talk = desk.says("sara", "thread 1", bare("which is cheaper?")).await;
    let answer = desk.says("sara", "thread 1", bare("1: 2; 2: 1")).await;

    assert_eq!(nothing_open.became, Became::Ignored);
    assert_eq!(elsewhere.became, Became::Ignored);
    assert_eq!(talk.became, Became::Hint);
    assert_eq!(answer.became, Became::Settled);
}

#[tokio::test]
async fn a_channel_can_find_out_what_it_handed_in_before() {
    let desk = desk();
    let channel = ChannelName::new("chat");
    desk.ask().await;
    let answer = desk.said("sara", "sara", text("1: 2; 2: 1"));
    let before = desk.broker.has_heard(&channel, &answer.event).await.unwrap();

    desk.broker.accept(answer.clone()).await.unwrap();

    let after = desk.broker.has_heard(&channel, &answer.event).await.unwrap();
    assert_eq!((before, after), (false, true));
}
