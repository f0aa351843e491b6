//! Whether and in which language an ask reaches people at all: channels that stop, and what platforms tell of readers.

#![expect(clippy::unwrap_used, reason = "what fails here fails a test")]

use std::sync::{
    Arc, OnceLock, Weak,
    atomic::{AtomicU32, Ordering},
};

use askd_core::{
    broker::{Broker, ChannelHealth},
    clock::Chance,
    dispatch::Dispatcher,
    id::{ChannelName, PersonName, TokenName},
    inbound::{Inbound, Inbox},
    rights::{Principal, Role},
    route::Target,
    store::Store as _,
    words::Language,
};
use askd_testkit::chance::SeededChance;
use tokio_util::sync::CancellationToken;

use crate::desk::{account, chat, desk, desk_with, text};

#[tokio::test]
async fn an_ask_that_no_channel_could_show_ends_at_once_even_if_somebody_has_a_token() {
    let desk = desk();
    desk.route(&["team"], None);
    desk.configure(|directory| directory.with_token = [PersonName::new("sara")].into());
    desk.broker
        .channel_stopped(&ChannelName::new("chat"), "401")
        .await
        .unwrap();

    let record = desk.try_ask().await;

    assert_eq!(record.ask.status(), "undelivered");
}

#[tokio::test]
async fn an_ask_for_somebody_who_has_a_token_and_no_account_waits_for_them() {
    let desk = desk();
    desk.configure(|directory| {
        directory.people.retain(|name, _| name.as_str() == "sara");
        directory
            .people
            .get_mut(&PersonName::new("sara"))
            .unwrap()
            .accounts
            .clear();
        directory.with_token = [PersonName::new("sara")].into();
    });

    let record = desk.try_ask().await;

    assert_eq!(record.ask.status(), "pending");
    assert!(!record.ask.warnings.is_empty(), "and its agent is told");
}

#[tokio::test]
async fn an_ask_for_somebody_who_is_signed_in_to_the_panel_and_has_no_account_waits_for_them() {
    let desk = desk();
    let sara = PersonName::new("sara");
    desk.configure(|directory| {
        directory.people.retain(|name, _| *name == sara);
        directory.people.get_mut(&sara).unwrap().accounts.clear();
    });
    assert_eq!(desk.try_ask().await.ask.status(), "undelivered");

    let operator = Principal {
        token: TokenName::new("operator"),
        role: Role::Operator,
    };
    let offer = desk.broker.offer_sign_in(&operator, Some(&sara)).await.unwrap();
    assert_eq!(
        desk.try_ask().await.ask.status(),
        "undelivered",
        "a link that nobody opened shows nothing"
    );
    desk.broker.sign_in(&offer.code).await.unwrap().unwrap();

    assert_eq!(desk.try_ask().await.ask.status(), "pending");
}

/// Stops the channel at the third draw for an ask: after its first delivery was found to have a channel that works,
/// and before the ask is stored.
#[derive(Debug)]
struct StopsTheChannel {
    chance: SeededChance,
    draws: AtomicU32,
    broker: OnceLock<Weak<Broker>>,
}

impl Chance for StopsTheChannel {
    fn fill(&self, bytes: &mut [u8]) {
        if self.draws.fetch_add(1, Ordering::Relaxed) == 2 {
            let broker = self.broker.get().and_then(Weak::upgrade).unwrap();
            broker.channel_is_down(&ChannelName::new("chat"), "401");
        }
        self.chance.fill(bytes);
    }
}

#[tokio::test]
async fn an_ask_that_is_stored_while_its_only_channel_stops_ends_at_once() {
    let chance = Arc::new(StopsTheChannel {
        chance: SeededChance::new(1),
        draws: AtomicU32::new(0),
        broker: OnceLock::new(),
    });
    let desk = desk_with(chance.clone());
    chance.broker.set(Arc::downgrade(&desk.broker)).unwrap();

    let record = desk.try_ask().await;

    assert_eq!(record.ask.status(), "undelivered", "{:?}", record.deliveries);
}

#[tokio::test]
async fn a_channel_that_stopped_for_good_stays_down() {
    let desk = desk();
    let chat = ChannelName::new("chat");
    desk.broker.channel_stopped(&chat, "401").await.unwrap();

    desk.broker.channel_listens(&chat, true);
    desk.broker.heard_from(&chat);
    desk.broker.channel_is_down(&chat, "told later");

    assert_eq!(
        desk.broker.channels_health()[&chat],
        ChannelHealth::Down("401".to_owned())
    );
}

#[tokio::test]
async fn what_the_platform_tells_of_a_persons_language_is_kept_and_of_a_strangers_not() {
    let desk = desk();
    for who in ["sara", "stranger"] {
        let event = Inbound {
            from: account(who, Some(Language::Persian)),
            ..desk.said(who, who, text("hello"))
        };
        desk.broker.accept(event).await.unwrap();
    }

    assert_eq!(
        desk.store.language_of(&chat("sara")).await.unwrap(),
        Some(Language::Persian)
    );
    assert_eq!(desk.store.language_of(&chat("stranger")).await.unwrap(), None);
}

#[tokio::test]
async fn a_prompt_is_in_the_language_of_the_person_then_the_route_then_the_platform_then_the_server() {
    use Language::{English, Persian};
    for (person, route, told, expected) in [
        (Some(English), Some(Persian), Some(Persian), English),
        (None, Some(Persian), Some(English), Persian),
        (None, None, Some(Persian), Persian),
        (None, None, None, English),
    ] {
        let mut desk = desk();
        desk.route(&[], route);
        desk.configure(|directory| {
            directory.routes[0].to = vec![Target::Person(PersonName::new("sara"))];
            directory
                .people
                .get_mut(&PersonName::new("sara"))
                .unwrap()
                .language = person;
        });
        if let Some(told) = told {
            desk.store.put_language(&chat("sara"), told).await.unwrap();
        }
        desk.try_ask().await;
        let dispatcher = Dispatcher::new(
            desk.store.clone(),
            Arc::new(desk.clock.clone()),
            Arc::new(SeededChance::new(2)),
            desk.chat.clone(),
            desk.directory.subscribe(),
            None,
        );

        let stop = CancellationToken::new();
        let prompt = tokio::select! {
            prompt = desk.posts.recv() => prompt.unwrap(),
            ended = dispatcher.run(&stop) => panic!("{ended:?}"),
        };

        let text = prompt.messages.last().unwrap().text();
        let is_persian = text.contains("پاسخ");
        assert_eq!(
            is_persian,
            expected == Persian,
            "{person:?} {route:?} {told:?}: {text}"
        );
    }
}
