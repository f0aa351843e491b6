//! Who is not asked tries to answer: what changes nothing, and what is said to it. What people see of it on a platform is
//! in the channel suite of the testkit.

#![expect(clippy::unwrap_used, reason = "what fails here fails a test")]

use crate::desk::{Desk, chat, desk, text};
use askd_core::{
    broker::Broker,
    clock::Clock as _,
    id::{ActionToken, Address, ChannelName, MessageRef, PersonName, TokenName},
    inbound::{Act, Became, Inbound, Inbox as _, PressedMessage, Said, Sender},
    present::{Gesture, Payload},
    rights::{Principal, Role},
    store::Store as _,
};

fn press(desk: &Desk, who: &str, at: &str, token: ActionToken, on: &str) -> Inbound {
    let payload = Payload {
        token,
        gesture: Gesture::Skip,
    };
    Inbound {
        act: Act::Pressed {
            payload: payload.text(),
            message: PressedMessage {
                message: MessageRef::new(on),
                placed: None,
            },
        },
        ..desk.said(who, at, text(""))
    }
}

#[tokio::test]
async fn a_question_that_is_on_its_way_is_not_led_elsewhere_by_who_has_seen_its_buttons() {
    let desk = desk();
    desk.route(&["team"], None);
    let record = desk.try_ask().await;

    let told = desk
        .broker
        .accept(press(&desk, "stranger", "stranger", record.ask.action, "a hint"))
        .await
        .unwrap();

    assert_eq!(told.became, Became::NotYours);
    assert!(!told.text.is_empty());
    let now = desk.store.get(record.ask.id).await.unwrap().unwrap();
    assert_eq!(now, record, "it is still to be shown to the team");
}

#[tokio::test]
async fn a_button_of_another_channels_ask_is_worth_nothing() {
    let desk = desk();
    desk.route(&["team"], None);
    let record = desk.ask().await;
    let elsewhere = |local: &str| Address::new(ChannelName::new("other"), local);
    let event = Inbound {
        at: elsewhere("team"),
        from: Sender::Account {
            account: elsewhere("sara"),
            language: None,
        },
        ..press(&desk, "sara", "team", record.ask.action, "team")
    };

    let told = desk.broker.accept(event).await.unwrap();

    assert_eq!(told.became, Became::Hint);
    assert!(!told.text.is_empty());
    assert_eq!(desk.store.get(record.ask.id).await.unwrap().unwrap(), record);
}

#[tokio::test]
async fn an_account_of_the_same_name_on_another_channel_is_somebody_else() {
    let desk = desk();
    desk.route(&["team"], None);
    let record = desk.ask().await;
    let event = Inbound {
        from: Sender::Account {
            account: Address::new(ChannelName::new("other"), "sara"),
            language: None,
        },
        ..press(&desk, "sara", "team", record.ask.action, "team")
    };

    let told = desk.broker.accept(event).await.unwrap();

    assert_eq!(told.became, Became::NotYours);
    assert_eq!(desk.store.get(record.ask.id).await.unwrap().unwrap(), record);
}

async fn code(broker: &Broker) -> String {
    let operator = Principal {
        token: TokenName::new("operator"),
        role: Role::Operator,
    };
    let sara = PersonName::new("sara");
    broker.pair(&operator, &sara).await.unwrap().code
}

/// How a code comes to be seen at a desk.
type Shows = Box<dyn Fn(&Desk, &str) -> Inbound>;

#[tokio::test]
async fn a_code_that_others_see_is_burnt_whoever_shows_it_and_however() {
    let hidden = |event: Inbound| Inbound {
        from: Sender::Hidden,
        ..event
    };
    let by_a_bot = |event: Inbound| Inbound {
        from: Sender::Machine,
        ..event
    };
    let said = |said: fn(&str) -> Said| -> Shows {
        Box::new(move |desk, code| desk.said("omid", "team", said(code)))
    };
    let ways: [(&str, Shows, bool); 7] = [
        ("alone", said(text), true),
        (
            "in a sentence",
            said(|code| text(&format!("it is {code}."))),
            true,
        ),
        (
            "in a link",
            said(|code| text(&format!("https://example.org/?start={code}&x=1"))),
            true,
        ),
        (
            "passed on",
            said(|code| Said {
                forwarded: true,
                ..text(code)
            }),
            true,
        ),
        (
            "in an edit, and not meant for us",
            said(|code| Said {
                edited: true,
                addressed: false,
                ..text(code)
            }),
            true,
        ),
        (
            "by somebody hidden",
            Box::new(move |desk, code| hidden(desk.said("omid", "team", text(code)))),
            true,
        ),
        (
            "by a bot, which is never answered",
            Box::new(move |desk, code| by_a_bot(desk.said("omid", "team", text(code)))),
            false,
        ),
    ];
    for (way, shows, answered) in ways {
        let desk = desk();
        let code = code(&desk.broker).await;

        let seen = desk.broker.accept(shows(&desk, &code)).await.unwrap();
        let directly = desk.says("newcomer", "newcomer", text(&code)).await;

        assert_eq!(!seen.text.is_empty(), answered, "{way}: {seen:?}");
        assert!(
            directly.text.contains("does not work"),
            "{way}: {}",
            directly.text
        );
        assert_eq!(desk.store.ties().await.unwrap(), [], "{way}");
    }
}

#[tokio::test]
async fn a_checksum_in_a_conversation_is_no_code_and_keeps_nobody_from_pairing() {
    let desk = desk();
    let sum = "d41d8cd98f00b204e9800998ecf8427e";
    for n in 0..20 {
        let quoted = Said {
            addressed: false,
            ..text(&format!("build {n} has {sum}"))
        };
        let told = desk.says("newcomer", "team", quoted).await;
        assert_eq!(told.became, Became::Ignored);
    }

    let code = code(&desk.broker).await;
    let told = desk.says("newcomer", "newcomer", text(&code)).await;

    assert_eq!(told.became, Became::Told, "{}", told.text);
    assert_eq!(desk.store.ties().await.unwrap().len(), 1);
}

#[tokio::test]
async fn nobody_hidden_and_no_bot_skips_or_looks_around() {
    for from in [Sender::Hidden, Sender::Machine] {
        let desk = desk();
        desk.route(&["team"], None);
        let record = desk.ask().await;
        for words in ["/skip", "skip", "1: Staging; 2: Today", "/pending"] {
            let said = Said {
                reply_to: Some(MessageRef::new("team")),
                ..text(words)
            };
            let event = Inbound {
                from: from.clone(),
                ..desk.said("somebody", "team", said)
            };
            let told = desk.broker.accept(event).await.unwrap();
            assert!(
                matches!(told.became, Became::NotYours | Became::Ignored),
                "{words}: {told:?}"
            );
        }
        assert_eq!(desk.store.get(record.ask.id).await.unwrap().unwrap(), record);
    }
}

#[tokio::test]
async fn who_was_cut_off_or_has_left_the_configuration_answers_nothing_any_more() {
    let desk = desk();
    desk.route(&["team"], None);
    let record = desk.ask().await;
    let tie = askd_core::people::Tie {
        account: chat("sara"),
        person: PersonName::new("sara"),
        at: desk.clock.now(),
        revoked: true,
    };
    desk.store.tie(tie).await.unwrap();
    desk.configure(|directory| {
        directory.people.remove(&PersonName::new("omid"));
    });

    for who in ["sara", "omid"] {
        let told = desk
            .broker
            .accept(press(&desk, who, "team", record.ask.action, "team"))
            .await
            .unwrap();
        assert_eq!(told.became, Became::NotYours, "{who}");
        assert!(!told.text.is_empty());
    }
    assert_eq!(desk.store.get(record.ask.id).await.unwrap().unwrap(), record);
}
