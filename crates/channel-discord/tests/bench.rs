//! A channel between a fake Discord and an inbox that does as it is told.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::Duration,
};

use askd_channel_discord::{DiscordChannel, DiscordConfig};
use askd_core::{
    ask::Ask,
    channel::{Channel, ChannelError, Posted},
    clock::Clock as _,
    id::{Address, ChannelName, DeliveryId, EventId, PostKey},
    inbound::{Act, Became, Form, Inbound, Inbox, NotTaken, Receipt},
    present::{Gesture, Message, Payload, Presentation, Reader, plan},
    store::StoreError,
    words::Language,
};
use askd_testkit::{
    chance::SeededChance,
    clock::{START, TestClock},
    discord::{FakeDiscord, MessageAt, Person, Place, Setup},
    sample::Samples,
};
use async_trait::async_trait;
use jiff::tz::TimeZone;
use tokio::{sync::watch, task::JoinSet, time::timeout};
use tokio_util::sync::CancellationToken;

/// Longest time without anything happening, in real time. Only a test that fails waits for it.
const PATIENCE: Duration = Duration::from_secs(10);

/// How far time is moved at once while nothing happens.
const STEP: Duration = Duration::from_millis(400);

/// Most steps of it.
const STEPS: usize = 5_000;

/// A channel and its surroundings.
pub(crate) struct Bench {
    pub(crate) clock: TestClock,
    pub(crate) fake: FakeDiscord,
    pub(crate) channel: Arc<DiscordChannel>,
    pub(crate) inbox: Arc<ScriptedInbox>,
}

impl Bench {
    pub(crate) async fn new() -> Self {
        Self::on(Setup::default()).await
    }

    pub(crate) async fn on(setup: Setup) -> Self {
        let clock = TestClock::new();
        let fake = FakeDiscord::start_as(setup, Arc::new(clock.clone())).await;
        let channel = Arc::new(channel_at(&fake.url(), &fake.token(), &clock));
        Self {
            clock,
            fake,
            channel,
            inbox: Arc::new(ScriptedInbox::new()),
        }
    }

    /// Lets the channel listen, and waits until it does and has looked back.
    pub(crate) async fn listen(&self) -> Listening {
        let listening = self.begin();
        self.in_time("a session", || self.is_listening().then_some(()))
            .await;
        listening
    }

    /// Lets the channel listen.
    pub(crate) fn begin(&self) -> Listening {
        let stop = CancellationToken::new();
        let (channel, inbox, token) = (Arc::clone(&self.channel), Arc::clone(&self.inbox), stop.clone());
        let mut task = JoinSet::new();
        task.spawn(async move { channel.listen(inbox.as_ref(), token).await });
        Listening { stop, task }
    }

    fn is_listening(&self) -> bool {
        self.fake.is_idle() && self.inbox.looks() > 0 && !self.fake.commands().is_empty()
    }

    /// Waits until a new session has begun after one was lost, and everything the channel asks for then has come.
    pub(crate) async fn listens_anew(&self, looks: usize) {
        self.in_time("a new session", || {
            (self.fake.is_idle() && self.inbox.looks() >= looks).then_some(())
        })
        .await;
    }

    /// Waits until `look` finds something; looks again whenever anything has happened. Time stands still.
    pub(crate) async fn until<T>(&self, what: &str, mut look: impl FnMut() -> Option<T>) -> T {
        let (mut platform, mut inbox) = (self.fake.activity(), self.inbox.touched.subscribe());
        loop {
            if let Some(found) = look() {
                return found;
            }
            let happened = async {
                tokio::select! {
                    _ = platform.changed() => {}
                    _ = inbox.changed() => {}
                }
            };
            if timeout(PATIENCE, happened).await.is_err() {
                self.in_vain(what);
            }
        }
    }

    /// The same for what waits by the clock: moves it in small steps as long as nothing happens.
    pub(crate) async fn in_time<T>(&self, what: &str, mut look: impl FnMut() -> Option<T>) -> T {
        let (mut platform, mut inbox) = (self.fake.activity(), self.inbox.touched.subscribe());
        for _ in 0..STEPS {
            if let Some(found) = look() {
                return found;
            }
            let happens = async {
                tokio::select! {
                    _ = platform.changed() => {}
                    _ = inbox.changed() => {}
                }
            };
            if timeout(Duration::from_millis(4), happens).await.is_err() {
                self.clock.advance(STEP);
            }
        }
        self.in_vain(what)
    }

    fn in_vain(&self, what: &str) -> ! {
        panic!("waited in vain for {what}\n\n{}", self.fake.transcript());
    }

    /// What time it is.
    pub(crate) fn millis(&self) -> i64 {
        self.clock.now().as_millisecond()
    }

    /// Waits until this many events were handed in.
    pub(crate) async fn heard(&self, events: usize) -> Vec<String> {
        self.in_time("an event", || {
            Some(self.inbox.heard()).filter(|heard| heard.len() >= events)
        })
        .await
    }

    /// The conversation of this place, as events name it.
    pub(crate) fn address(&self, place: &Place) -> Address {
        self.channel.parse_address(&place.id().to_string()).unwrap()
    }

    /// The account of this person.
    pub(crate) fn account(&self, person: &Person) -> Address {
        self.channel.parse_address(&format!("@{}", person.id())).unwrap()
    }

    /// Shows a sample prompt.
    pub(crate) async fn post(&self, to: &Address) -> Result<Posted, ChannelError> {
        let what = self.prompt(to);
        self.post_this(to, &what).await
    }

    pub(crate) async fn post_this(&self, to: &Address, what: &Presentation) -> Result<Posted, ChannelError> {
        self.post_as(1, to, what).await
    }

    /// Shows something under the key of this number.
    pub(crate) async fn post_as(
        &self,
        key: u64,
        to: &Address,
        what: &Presentation,
    ) -> Result<Posted, ChannelError> {
        let key = PostKey::prompt(DeliveryId::make(&SeededChance::new(key)));
        self.channel.post(to, what, &key).await
    }

    /// A sample prompt, as it is planned for this conversation.
    pub(crate) fn prompt(&self, to: &Address) -> Presentation {
        plan(&ask(), &self.channel.capabilities(to), &english(), None)
    }

    /// Somebody with a prompt before them, and the channel listening.
    pub(crate) async fn with_prompt() -> (Self, Person, Listening) {
        let bench = Self::new().await;
        let sara = bench.fake.person("Sara");
        let listening = bench.listen().await;
        bench.post(&bench.account(&sara)).await.unwrap();
        (bench, sara, listening)
    }

    /// The same in a channel of a server.
    pub(crate) async fn with_prompt_in_a_channel() -> (Self, Person, Place, Listening) {
        let bench = Self::new().await;
        let sara = bench.fake.person("Sara");
        let ops = bench.fake.channel("ops", &[&sara]);
        let listening = bench.listen().await;
        bench.post(&bench.address(&ops)).await.unwrap();
        (bench, sara, ops, listening)
    }
}

/// The prompt, as somebody sees it.
pub(crate) fn prompt_at(who: &Person, at: &Place) -> MessageAt {
    let seen = who.sees(at);
    let prompt = seen.iter().find(|seen| seen.by_bot && !seen.buttons.is_empty());
    prompt.unwrap().at
}

/// A channel for this token at this server.
pub(crate) fn channel_at(url: &str, token: &str, clock: &TestClock) -> DiscordChannel {
    let config = DiscordConfig {
        token: token.into(),
        api_url: Some(url.to_owned()),
    };
    let chance = Arc::new(SeededChance::new(1));
    DiscordChannel::new(
        ChannelName::new("discord"),
        &config,
        Arc::new(clock.clone()),
        chance,
    )
    .unwrap()
}

pub(crate) fn ask() -> Ask {
    Samples::new(1).ask(START).record().ask
}

pub(crate) fn english() -> Reader {
    Reader {
        language: Language::English,
        time_zone: TimeZone::UTC,
    }
}

/// A message as the channel names it.
pub(crate) fn named(at: MessageAt) -> String {
    format!("{}/{}", at.channel, at.id)
}

/// A channel that listens.
pub(crate) struct Listening {
    stop: CancellationToken,
    task: JoinSet<Result<(), ChannelError>>,
}

impl Listening {
    /// Stops it, and waits until it has stopped.
    pub(crate) async fn stop(self) -> Result<(), ChannelError> {
        self.stop.cancel();
        self.end().await
    }

    /// Waits until it ends.
    pub(crate) async fn end(mut self) -> Result<(), ChannelError> {
        self.task.join_next().await.unwrap().unwrap()
    }

    /// How it ended, if it has.
    pub(crate) fn has_ended(&mut self) -> Option<Result<(), ChannelError>> {
        self.task.try_join_next().map(Result::unwrap)
    }

    /// Ends it in the middle of whatever it does.
    pub(crate) async fn kill(mut self) {
        self.task.shutdown().await;
    }
}

/// What the inbox does with an event.
#[derive(Clone, Debug)]
enum Does {
    Takes(Receipt),
    Refuses,
    /// Takes it when it is let go.
    Holds(Receipt),
}

/// An inbox that does as it is told, and takes what it is told nothing about.
#[derive(Debug)]
pub(crate) struct ScriptedInbox {
    script: Mutex<VecDeque<Does>>,
    /// Events of this text or payload are refused for ever.
    poison: Mutex<Option<String>>,
    taken: Mutex<Vec<Inbound>>,
    shown: Mutex<Vec<(Receipt, Posted)>>,
    open: Mutex<Vec<Posted>>,
    looks: Mutex<usize>,
    /// So many looks fail.
    blind: Mutex<usize>,
    asked: Mutex<usize>,
    let_go: watch::Sender<bool>,
    touched: watch::Sender<()>,
}

impl ScriptedInbox {
    fn new() -> Self {
        Self {
            script: Mutex::default(),
            poison: Mutex::default(),
            taken: Mutex::default(),
            shown: Mutex::default(),
            open: Mutex::default(),
            looks: Mutex::default(),
            blind: Mutex::default(),
            asked: Mutex::default(),
            let_go: watch::Sender::new(false),
            touched: watch::Sender::new(()),
        }
    }

    /// The next event gets this receipt.
    pub(crate) fn gives(&self, became: Became, text: &str) {
        self.gives_this(receipt(became, text));
    }

    pub(crate) fn gives_this(&self, receipt: Receipt) {
        self.script.lock().unwrap().push_back(Does::Takes(receipt));
    }

    /// The next event is refused.
    pub(crate) fn refuses(&self) {
        self.script.lock().unwrap().push_back(Does::Refuses);
    }

    /// The next event gets this receipt, but only after [`ScriptedInbox::lets_go`].
    pub(crate) fn holds(&self, became: Became, text: &str) {
        self.script
            .lock()
            .unwrap()
            .push_back(Does::Holds(receipt(became, text)));
    }

    pub(crate) fn lets_go(&self) {
        self.let_go.send_replace(true);
    }

    /// An event of this text is refused for ever.
    pub(crate) fn cannot_take(&self, text: &str) {
        *self.poison.lock().unwrap() = Some(text.to_owned());
    }

    /// This was shown, and waits for an answer.
    pub(crate) fn waits_for(&self, posted: Posted) {
        self.open.lock().unwrap().push(posted);
    }

    /// It cannot say what waits for an answer, so many times.
    pub(crate) fn cannot_look(&self, times: usize) {
        *self.blind.lock().unwrap() = times;
    }

    /// How often it was asked what waits for an answer.
    pub(crate) fn looks(&self) -> usize {
        *self.looks.lock().unwrap()
    }

    /// How many events were handed in, taken over or not.
    pub(crate) fn asked(&self) -> usize {
        *self.asked.lock().unwrap()
    }

    /// What was taken over, in order.
    pub(crate) fn taken(&self) -> Vec<Inbound> {
        self.taken.lock().unwrap().clone()
    }

    /// How many were taken over.
    pub(crate) fn count(&self) -> usize {
        self.taken.lock().unwrap().len()
    }

    /// The texts and payloads that were taken over, in order.
    pub(crate) fn heard(&self) -> Vec<String> {
        self.taken().iter().map(words).collect()
    }

    /// What was reported as shown.
    pub(crate) fn shown(&self) -> Vec<(Receipt, Posted)> {
        self.shown.lock().unwrap().clone()
    }
}

fn words(event: &Inbound) -> String {
    match &event.act {
        Act::Pressed { payload, .. } => payload.clone(),
        Act::Filled { text, .. } => text.clone(),
        Act::Said(said) => said.text.clone(),
        Act::Submitted { .. } => String::new(),
    }
}

pub(crate) fn receipt(became: Became, text: &str) -> Receipt {
    Receipt {
        became,
        text: text.to_owned(),
        ask: Some(ask().id),
        shows: None,
    }
}

/// The ask is over, and its message looks like this.
pub(crate) fn settled(message: Message) -> Receipt {
    Receipt {
        shows: Some(message),
        ..receipt(Became::Settled, "Thank you.")
    }
}

/// What Other… becomes.
pub(crate) fn write_own() -> Became {
    Became::WriteOwn(Form {
        title: "Target".to_owned(),
        label: "Your answer".to_owned(),
        payload: Payload {
            token: ask().action,
            gesture: Gesture::Other,
        },
    })
}

#[async_trait]
impl Inbox for ScriptedInbox {
    fn heard_from(&self, _: &ChannelName) {}

    async fn accept(&self, event: Inbound) -> Result<Receipt, NotTaken> {
        let refused = || NotTaken {
            text: "Not saved.".to_owned(),
            source: StoreError::Unavailable("told so".into()),
        };
        *self.asked.lock().unwrap() += 1;
        self.touched.send_replace(());
        if self.poison.lock().unwrap().as_deref() == Some(words(&event).as_str()) {
            return Err(refused());
        }
        let does = self.script.lock().unwrap().pop_front();
        let receipt = match does.unwrap_or_else(|| Does::Takes(receipt(Became::Ignored, ""))) {
            Does::Takes(receipt) => receipt,
            Does::Refuses => return Err(refused()),
            Does::Holds(receipt) => {
                let mut let_go = self.let_go.subscribe();
                let_go.wait_for(|let_go| *let_go).await.unwrap();
                receipt
            }
        };
        self.taken.lock().unwrap().push(event);
        self.touched.send_replace(());
        Ok(receipt)
    }

    async fn shown(&self, receipt: &Receipt, posted: &Posted) {
        self.shown.lock().unwrap().push((receipt.clone(), posted.clone()));
        self.touched.send_replace(());
    }

    async fn open_on(&self, _: &ChannelName) -> Result<Vec<Posted>, StoreError> {
        *self.looks.lock().unwrap() += 1;
        self.touched.send_replace(());
        let mut blind = self.blind.lock().unwrap();
        if *blind > 0 {
            *blind -= 1;
            return Err(StoreError::Unavailable("told so".into()));
        }
        Ok(self.open.lock().unwrap().clone())
    }

    async fn has_heard(&self, _: &ChannelName, _: &EventId) -> Result<bool, StoreError> {
        Ok(false)
    }
}
