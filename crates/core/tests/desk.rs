//! A broker with one channel on which nothing is ever posted, and people who do things there.

#![expect(clippy::unwrap_used, reason = "what fails here fails a test")]

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use askd_core::{
    ask::validate::Rules,
    broker::{Broker, Parts, Request, Settings},
    channel::{BadAddress, Channel, ChannelError, Posted},
    clock::{Chance, Clock as _},
    id::{Address, ChannelName, EventId, MessageRef, PersonName, PostKey, TokenName},
    inbound::{Act, Inbound, Inbox, Receipt, Said, Sender},
    people::{Directory, Person},
    present::{Capabilities, Message, Presentation},
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
pub(crate) const BOARD: &str = "board";

/// A channel that hands back what it is to post, and posts nothing; most tests do that themselves.
#[derive(Debug)]
pub(crate) struct Chat(ChannelName, mpsc::UnboundedSender<Presentation>);

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

    fn deaf_after(&self) -> Duration {
        Duration::from_mins(1)
    }

    async fn listen(&self, _: &dyn Inbox, _: CancellationToken) -> Result<(), ChannelError> {
        Ok(())
    }
}

/// A broker with one channel, `chat`, on which sara and omid have accounts of their names.
pub(crate) struct Desk {
    pub(crate) broker: Arc<Broker>,
    pub(crate) store: Arc<MemoryStore>,
    pub(crate) clock: TestClock,
    pub(crate) directory: watch::Sender<Arc<Directory>>,
    pub(crate) chat: Arc<Chat>,
    pub(crate) posts: mpsc::UnboundedReceiver<Presentation>,
    pub(crate) events: AtomicU32,
}

pub(crate) fn desk() -> Desk {
    desk_with(Arc::new(SeededChance::new(1)))
}

pub(crate) fn desk_with(chance: Arc<dyn Chance>) -> Desk {
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

pub(crate) fn chat(local: &str) -> Address {
    Address::new(ChannelName::new("chat"), local)
}

pub(crate) fn agent() -> Principal {
    Principal {
        token: TokenName::new("build-bot"),
        role: Role::Agent,
    }
}

impl Desk {
    pub(crate) fn configure(&self, change: impl FnOnce(&mut Directory)) {
        self.directory
            .send_modify(|directory| change(Arc::make_mut(directory)));
    }

    /// From now on both persons are asked in these places.
    pub(crate) fn route(&self, places: &[&str], language: Option<Language>) {
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

    pub(crate) async fn try_ask(&self) -> Record {
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
    pub(crate) async fn ask(&self) -> Record {
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

    pub(crate) fn said(&self, who: &str, at: &str, said: Said) -> Inbound {
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

    pub(crate) async fn says(&self, who: &str, at: &str, said: Said) -> Receipt {
        self.broker.accept(self.said(who, at, said)).await.unwrap()
    }
}

pub(crate) fn account(who: &str, language: Option<Language>) -> Sender {
    Sender::Account {
        account: chat(who),
        language,
    }
}

pub(crate) fn text(text: &str) -> Said {
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
pub(crate) fn in_thread(said: &str) -> Said {
    Said {
        thread: Some(MessageRef::new("team")),
        addressed: false,
        ..text(said)
    }
}
