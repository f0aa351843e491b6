//! What the broker answers to what people do, where it takes more than one person or conversation to see it. What
//! every channel shows is in the channel suite of the testkit.

#![expect(clippy::unwrap_used, reason = "what fails here fails a test")]

use std::sync::{
    Arc, OnceLock, Weak,
    atomic::{AtomicU32, Ordering},
};

use askd_core::{
    ask::validate::Rules,
    broker::{Broker, ChannelHealth, Parts, Request, Settings},
    channel::{BadAddress, Channel, ChannelError, Posted},
    clock::{Chance, Clock as _},
    dispatch::Dispatcher,
    id::{Address, ChannelName, EventId, MessageRef, PersonName, PostKey, TokenName},
    inbound::{Act, Became, Inbound, Inbox, PressedMessage, Receipt, Said, Sender},
    people::{Directory, Person},
    present::{Capabilities, Gesture, Message, Payload, Presentation, settled},
    rights::{Principal, Role, Tokens},
    route::{Route, Target},
    store::{Record, Store as _, memory::MemoryStore},
    words::Language,
};
use askd_testkit::{chance::SeededChance, clock::TestClock, sample};
use async_trait::async_trait;
use serde_json::json;
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

/// The one conversation in which messages can be changed.
const BOARD: &str = "board";

/// A channel that hands back what it is to post, and posts nothing; most tests do that themselves.
#[derive(Debug)]
struct Chat(ChannelName, mpsc::UnboundedSender<Presentation>);

#[async_trait]
impl Channel for Chat {
    fn name(&self) -> &ChannelName {
        &self.0
    }

    fn parse_address(&self, local: &str) -> Result<Address, BadAddress> {
        Ok(Address::new(self.0.clone(), local))
    }

    fn capabilities(&self, to: &Address) -> Capabilities {
        Capabilities {
            edits: to.local == BOARD,
            is_thread: to.local.starts_with("thread"),
            ..Capabilities::plain_text()
        }
    }

    async fn post(&self, _: &Address, what: &Presentation, _: &PostKey) -> Result<Posted, ChannelError> {
        self.1.send(what.clone()).unwrap();
        Err(ChannelError::Unsupported("posting"))
    }

    async fn edit(&self, _: &MessageRef, _: &Message) -> Result<(), ChannelError> {
        Err(ChannelError::Unsupported("editing"))
    }

    async fn listen(&self, _: &dyn Inbox, _: CancellationToken) -> Result<(), ChannelError> {
        Ok(())
    }
}

/// A broker with one channel, `chat`, on which sara and omid have accounts of their names.
struct Desk {
    broker: Arc<Broker>,
    store: Arc<MemoryStore>,
    clock: TestClock,
    directory: watch::Sender<Arc<Directory>>,
    chat: Arc<Chat>,
    posts: mpsc::UnboundedReceiver<Presentation>,
    events: AtomicU32,
}

fn desk() -> Desk {
    desk_with(Arc::new(SeededChance::new(1)))
}

fn desk_with(chance: Arc<dyn Chance>) -> Desk {
    let (clock, store) = (TestClock::new(), Arc::new(MemoryStore::new()));
    let mut people = Directory::empty();
    for name in ["sara", "omid"] {
        let person = Person {
            display: name.to_owned(),
            language: None,
            time_zone: None,
            accounts: vec![chat(name)],
        };
        people.people.insert(PersonName::new(name), person);
    }
    let directory = watch::Sender::new(Arc::new(people));
    let (sender, posts) = mpsc::unbounded_channel();
    let chat = Arc::new(Chat(ChannelName::new("chat"), sender));
    let broker = Broker::new(Parts {
        store: store.clone(),
        clock: Arc::new(clock.clone()),
        chance,
        channels: vec![chat.clone()],
        directory: directory.subscribe(),
        tokens: watch::Sender::new(Arc::<Tokens>::default()).subscribe(),
        settings: Settings::default(),
        stopping: CancellationToken::new(),
    });
    Desk {
        broker: Arc::new(broker),
        store,
        clock,
        directory,
        chat,
        posts,
        events: AtomicU32::new(0),
    }
}

fn chat(local: &str) -> Address {
    Address::new(ChannelName::new("chat"), local)
}

fn agent() -> Principal {
    Principal {
        token: TokenName::new("build-bot"),
        role: Role::Agent,
    }
}

impl Desk {
    fn configure(&self, change: impl FnOnce(&mut Directory)) {
        self.directory
            .send_modify(|directory| change(Arc::make_mut(directory)));
    }

    /// From now on both persons are asked in these places.
    fn route(&self, places: &[&str], language: Option<Language>) {
        self.configure(|directory| {
            directory.routes = vec![Route {
                agent: None,
                session: None,
                to: places.iter().map(|place| Target::Place(chat(place))).collect(),
                answerers: ["sara", "omid"].map(PersonName::new).into(),
                language,
                time_zone: None,
            }];
        });
    }

    async fn try_ask(&self) -> Record {
        let options = |labels: &[&str]| {
            labels
                .iter()
                .map(|label| json!({ "label": label }))
                .collect::<Vec<_>>()
        };
        let body = json!({ "questions": [
            { "id": "target", "header": "Target", "question": "Where?", "options": options(&["Staging", "Production"]) },
            { "id": "day", "header": "Day", "question": "When?", "options": options(&["Today", "Monday"]) },
        ] });
        let request = Request {
            body,
            key: None,
            agent: None,
            rules: Rules::default(),
        };
        self.broker.ask(&agent(), request).await.unwrap().record
    }

    /// Asks two questions, shown in each place by a message of the place's name.
    async fn ask(&self) -> Record {
        let record = self.try_ask().await;
        let now = self.clock.now();
        for task in self
            .store
            .claim(&ChannelName::new("chat"), now, now, 9)
            .await
            .unwrap()
        {
            let to = &task.delivery.to;
            let posted = sample::posted(to, &[&to.local]);
            self.store
                .posted(task.ask.id, task.delivery.id, &posted, now)
                .await
                .unwrap();
        }
        self.store.get(record.ask.id).await.unwrap().unwrap()
    }

    fn said(&self, who: &str, at: &str, said: Said) -> Inbound {
        let n = self.events.fetch_add(1, Ordering::Relaxed);
        Inbound {
            event: EventId::new(n.to_string()),
            from: account(who, None),
            at: chat(at),
            direct: who == at,
            when: self.clock.now(),
            act: Act::Said(said),
        }
    }

    async fn says(&self, who: &str, at: &str, said: Said) -> Receipt {
        self.broker.accept(self.said(who, at, said)).await.unwrap()
    }
}

fn account(who: &str, language: Option<Language>) -> Sender {
    Sender::Account {
        account: chat(who),
        language,
    }
}

fn text(text: &str) -> Said {
    Said {
        text: text.to_owned(),
        message: MessageRef::new(format!("said {text}")),
        placed: None,
        reply_to: None,
        thread: None,
        addressed: true,
        attachment: false,
        edited: false,
        forwarded: false,
    }
}

/// Not meant for us, below the prompt.
fn in_thread(said: &str) -> Said {
    Said {
        thread: Some(MessageRef::new("team")),
        addressed: false,
        ..text(said)
    }
}

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

    let places = ["sara", "team"].map(|place| sample::posted(&chat(place), &[place]));
    assert_eq!(here, places, "not what is over, and not what is on its way");
    assert_eq!(elsewhere, []);
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
            broker.channel_is(&ChannelName::new("chat"), ChannelHealth::Down("401".to_owned()));
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

    desk.broker.channel_is(&chat, ChannelHealth::Starting);

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
