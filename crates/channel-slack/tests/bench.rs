//! A channel between a fake Slack and an inbox that does as it is told.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::Duration,
};

use askd_channel_slack::{SlackChannel, SlackConfig};
use askd_core::{
    ask::Ask,
    channel::{Channel, ChannelError, Posted},
    id::{Address, ChannelName, DeliveryId, EventId, PostKey},
    inbound::{Act, Became, Form, Inbound, Inbox, NotTaken, Receipt},
    present::{Gesture, Payload, Presentation, Reader, plan},
    store::StoreError,
    words::Language,
};
use askd_testkit::{
    chance::SeededChance,
    clock::{START, TestClock},
    sample::Samples,
    slack::{FakeSlack, MessageAt, Person, Place, Setup},
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
    pub(crate) fake: FakeSlack,
    pub(crate) channel: Arc<SlackChannel>,
    pub(crate) inbox: Arc<ScriptedInbox>,
}

impl Bench {
    pub(crate) async fn new() -> Self {
        Self::on(Setup::default()).await
    }

    pub(crate) async fn on(setup: Setup) -> Self {
        let clock = TestClock::new();
        let fake = FakeSlack::start_as(setup, Arc::new(clock.clone())).await;
        let channel = Arc::new(channel_at(&fake, &clock));
        Self {
            clock,
            fake,
            channel,
            inbox: Arc::new(ScriptedInbox::new()),
        }
    }

    /// The same platform and inbox after a restart.
    pub(crate) fn restarted(self) -> Self {
        let channel = Arc::new(channel_at(&self.fake, &self.clock));
        Self { channel, ..self }
    }

    /// Lets the channel listen, and waits until it does.
    pub(crate) async fn listen(&self) -> Listening {
        let listening = self.begin();
        self.idle().await;
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

    /// Waits until all that happened has been handed out and acknowledged.
    pub(crate) async fn idle(&self) {
        self.until("all to be acknowledged", || self.fake.is_idle().then_some(()))
            .await;
    }

    /// Waits until so many events were taken over.
    pub(crate) async fn taken(&self, count: usize) -> Vec<Inbound> {
        let look = || Some(self.inbox.taken()).filter(|taken| taken.len() >= count);
        self.until("events to be taken over", look).await
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
        let mut happens = self.fake.activity();
        for _ in 0..STEPS {
            if let Some(found) = look() {
                return found;
            }
            if timeout(Duration::from_millis(2), happens.changed())
                .await
                .is_err()
            {
                self.clock.advance(STEP);
            }
        }
        self.in_vain(what)
    }

    fn in_vain(&self, what: &str) -> ! {
        let (calls, transcript) = (self.fake.counts(), self.fake.transcript());
        panic!("waited in vain for {what}; calls: {calls:?}\n\n{transcript}");
    }

    /// The conversation of this place.
    pub(crate) fn address(&self, place: &Place) -> Address {
        self.channel.parse_address(&place.address()).unwrap()
    }

    /// Shows a sample prompt.
    pub(crate) async fn post(&self, to: &Place) -> Result<Posted, ChannelError> {
        self.post_at(&self.address(to)).await
    }

    pub(crate) async fn post_at(&self, to: &Address) -> Result<Posted, ChannelError> {
        self.post_this(to, &self.prompt(to)).await
    }

    pub(crate) async fn post_this(&self, to: &Address, what: &Presentation) -> Result<Posted, ChannelError> {
        self.channel.post(to, what, &key()).await
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
        bench.post(&sara.direct()).await.unwrap();
        bench.idle().await;
        (bench, sara, listening)
    }

    /// How many calls of this method there were.
    pub(crate) fn count(&self, method: &str) -> usize {
        self.fake.counts().get(method).copied().unwrap_or_default()
    }

    pub(crate) fn broke_nothing(&self) {
        assert_eq!(self.fake.violations(), Vec::<String>::new());
    }
}

/// A channel for this platform.
pub(crate) fn channel_at(fake: &FakeSlack, clock: &TestClock) -> SlackChannel {
    let config = SlackConfig {
        bot_token: fake.bot_token().into(),
        app_token: fake.app_token().into(),
        api_url: Some(fake.url()),
    };
    let chance = Arc::new(SeededChance::new(1));
    SlackChannel::new(
        ChannelName::new("slack"),
        &config,
        Arc::new(clock.clone()),
        chance,
    )
    .unwrap()
}

pub(crate) fn key() -> PostKey {
    PostKey::prompt(DeliveryId::make(&SeededChance::new(1)))
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
pub(crate) fn named(at: &MessageAt) -> String {
    format!("{}/{}", at.channel, at.ts)
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
            let_go: watch::Sender::new(false),
            touched: watch::Sender::new(()),
        }
    }

    fn then(&self, does: Does) {
        self.script.lock().unwrap().push_back(does);
    }

    /// The next event gets this receipt.
    pub(crate) fn gives(&self, became: Became, text: &str) {
        self.then(Does::Takes(receipt(became, text)));
    }

    /// The next event is refused.
    pub(crate) fn refuses(&self) {
        self.then(Does::Refuses);
    }

    /// The next event gets this receipt, but only after [`ScriptedInbox::lets_go`].
    pub(crate) fn holds(&self, became: Became, text: &str) {
        self.then(Does::Holds(receipt(became, text)));
    }

    pub(crate) fn lets_go(&self) {
        self.let_go.send_replace(true);
    }

    /// An event of this text is refused for ever.
    pub(crate) fn cannot_take(&self, text: &str) {
        *self.poison.lock().unwrap() = Some(text.to_owned());
    }

    /// This is open.
    pub(crate) fn has_open(&self, posted: Posted) {
        self.open.lock().unwrap().push(posted);
    }

    /// Nothing was taken over.
    pub(crate) fn forgets(&self) {
        self.taken.lock().unwrap().clear();
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
        Ok(self.open.lock().unwrap().clone())
    }

    async fn has_heard(&self, _: &ChannelName, event: &EventId) -> Result<bool, StoreError> {
        Ok(self
            .taken
            .lock()
            .unwrap()
            .iter()
            .any(|taken| taken.event == *event))
    }
}
