//! The dispatcher of pushes, on a clock that the test moves.

#![expect(clippy::unwrap_used, reason = "what fails here fails a test")]

use std::{
    future::poll_fn,
    pin::{Pin, pin},
    sync::Arc,
    task::Poll,
    time::Duration,
};

use askd_core::{
    channel::ChannelError,
    clock::Clock as _,
    dispatch::push::Pusher,
    id::{AskId, PersonName},
    push::{Browser, BrowserFault, Push, PushSender, Subscription, SubscriptionId},
    stage::Responder,
    store::{
        Asked, Changed, CodeHash, DeliveryState, Failure, Record, SignInCode, Store, memory::MemoryStore,
    },
};
use askd_testkit::{
    chance::SeededChance,
    clock::{START, TestClock},
    doorbell::Doorbell,
    sample::Samples,
};
use async_trait::async_trait;
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

use crate::desk::desk;

const SIGN_IN: CodeHash = CodeHash([1; 32]);

/// One browser of sara's, and an ask that is to wake it.
struct Bench {
    store: Arc<MemoryStore>,
    clock: TestClock,
    bell: Arc<Doorbell>,
    ask: AskId,
}

impl Bench {
    async fn new() -> Self {
        let store = Arc::new(MemoryStore::new());
        let browser = Doorbell::browser("phone");
        let id = SubscriptionId::of(&browser.endpoint);
        let sara = Responder::Person(PersonName::new("sara"));
        let code = CodeHash([2; 32]);
        let offer = SignInCode {
            hash: code,
            who: sara.clone(),
            expires: START + Duration::from_mins(1),
        };
        store.put_sign_in_code(offer).await.unwrap();
        store.sign_in(&code, &SIGN_IN, START).await.unwrap().unwrap();
        let new = Subscription {
            id: id.clone(),
            who: sara,
            sign_in: SIGN_IN,
            browser,
            since: START,
        };
        assert!(store.subscribe(new, 20, START).await.unwrap());
        let samples = Samples::new(1);
        let sample = samples.ask(START).to(&[&id.address().to_string()]);
        let Asked::New(record) = store.ask(sample.new_ask()).await.unwrap() else {
            panic!("it is new");
        };
        Self {
            store,
            clock: TestClock::new(),
            bell: Arc::default(),
            ask: record.ask.id,
        }
    }

    async fn read(&self) -> Record {
        self.store.get(self.ask).await.unwrap().unwrap()
    }

    async fn state(&self) -> DeliveryState {
        self.read().await.deliveries[0].state
    }

    /// Lets the dispatcher work until the ask's delivery has come on once.
    async fn once(&self) {
        let mut changes = self.store.changes();
        let chance = Arc::new(SeededChance::new(2));
        let clock = Arc::new(self.clock.clone());
        let pusher = Pusher::new(self.store.clone(), clock, chance, self.bell.clone());
        let stop = CancellationToken::new();
        tokio::select! {
            ended = pusher.run(&stop) => ended.unwrap(),
            () = delivery(&mut changes) => {}
        }
    }
}

async fn delivery(changes: &mut broadcast::Receiver<askd_core::store::Change>) {
    while changes.recv().await.unwrap().what != Changed::Delivery {}
}

/// What a future has come to, if it needs nothing more.
async fn at_once<F: Future>(mut future: Pin<&mut F>) -> Option<F::Output> {
    poll_fn(|cx| {
        let polled = future.as_mut().poll(cx);
        Poll::Ready(match polled {
            Poll::Ready(output) => Some(output),
            Poll::Pending => None,
        })
    })
    .await
}

fn throttled() -> ChannelError {
    ChannelError::Throttled {
        pause: Duration::from_mins(2),
    }
}

#[tokio::test]
async fn a_push_that_is_taken_over_is_shown_until_the_deadline_and_by_one_name() {
    let bench = Bench::new().await;

    bench.once().await;

    let record = bench.read().await;
    assert_eq!(record.deliveries[0].state, DeliveryState::Shown);
    assert!(record.is_delivered());
    let [(browser, push)] = bench.bell.pushes().try_into().unwrap();
    assert_eq!(browser, Doorbell::browser("phone"));
    assert_eq!(push.until, record.ask.deadline);
    bench.store.expire(record.ask.deadline).await.unwrap();
    assert_eq!(bench.read().await.ask.status(), "expired");
}

#[tokio::test]
async fn what_is_put_off_is_pushed_again_after_the_pause_under_the_same_topic() {
    let bench = Bench::new().await;
    bench.bell.fails([throttled()]);
    bench.once().await;
    assert_eq!(bench.state().await, DeliveryState::Queued);
    let due = bench.read().await.deliveries[0].due;
    assert_eq!(due, Some(START + Duration::from_mins(2)));

    bench.clock.advance(Duration::from_mins(2));
    bench.once().await;

    assert_eq!(bench.state().await, DeliveryState::Shown);
    let [(_, first), (_, second)] = bench.bell.pushes().try_into().unwrap();
    assert_eq!(first.topic, second.topic);
}

#[tokio::test]
async fn what_is_put_off_until_the_deadline_is_undelivered_and_pushed_no_more() {
    let bench = Bench::new().await;
    bench.bell.fails([throttled()]);
    bench.once().await;
    bench.clock.advance(Duration::from_mins(15));

    bench.store.expire(bench.clock.now()).await.unwrap();

    let record = bench.read().await;
    assert_eq!(record.ask.status(), "undelivered");
    assert_eq!(record.deliveries[0].state, DeliveryState::Dropped);
    assert_eq!(bench.bell.pushes().len(), 1);
}

#[tokio::test]
async fn a_dead_browser_alone_leaves_the_ask_undelivered_at_once_and_is_forgotten() {
    let bench = Bench::new().await;
    bench.bell.fails([ChannelError::Unreachable("410".into())]);

    bench.once().await;

    let record = bench.read().await;
    assert_eq!(
        record.deliveries[0].state,
        DeliveryState::Failed(Failure::Unsubscribed)
    );
    assert_eq!(record.ask.status(), "undelivered");
    assert!(!bench.store.unsubscribe(&SIGN_IN).await.unwrap(), "it is gone");
}

#[tokio::test]
async fn a_service_that_will_not_take_it_leaves_the_browser_subscribed() {
    let bench = Bench::new().await;
    let code = "status 403".to_owned();
    bench.bell.fails([ChannelError::Rejected { code }]);

    bench.once().await;

    assert_eq!(bench.state().await, DeliveryState::Failed(Failure::Rejected));
    assert!(bench.store.unsubscribe(&SIGN_IN).await.unwrap());
}

#[tokio::test]
async fn who_has_signed_out_is_not_woken() {
    let bench = Bench::new().await;
    bench.store.sign_out(&SIGN_IN).await.unwrap();

    bench.once().await;

    assert_eq!(bench.bell.pushes(), []);
    assert_eq!(bench.state().await, DeliveryState::Failed(Failure::Unsubscribed));
}

/// Pushes, and finds the store broken afterwards.
#[derive(Debug)]
struct Breaking {
    bell: Arc<Doorbell>,
    store: Arc<MemoryStore>,
}

#[async_trait]
impl PushSender for Breaking {
    fn public_key(&self) -> &str {
        self.bell.public_key()
    }

    fn faults(&self, browser: &Browser) -> Vec<BrowserFault> {
        self.bell.faults(browser)
    }

    async fn push(&self, browser: &Browser, push: Push) -> Result<(), ChannelError> {
        self.store.set_broken(true);
        self.bell.push(browser, push).await
    }
}

#[tokio::test]
async fn what_was_sent_while_the_store_broke_is_recorded_once_it_works_and_is_not_sent_again() {
    let bench = Bench::new().await;
    let sender = Arc::new(Breaking {
        bell: bench.bell.clone(),
        store: bench.store.clone(),
    });
    let (clock, chance) = (Arc::new(bench.clock.clone()), Arc::new(SeededChance::new(2)));
    let pusher = Pusher::new(bench.store.clone(), clock, chance, sender);
    let stop = CancellationToken::new();
    let mut run = pin!(pusher.run(&stop));
    assert!(at_once(run.as_mut()).await.is_none());

    // Long enough to look for more to do, which fails.
    bench.clock.advance(Duration::from_secs(35));
    assert!(at_once(run.as_mut()).await.is_none(), "it goes on");
    bench.store.set_broken(false);
    // Within the claim.
    bench.clock.advance(Duration::from_secs(40));
    assert!(at_once(run.as_mut()).await.is_none());

    assert_eq!(bench.state().await, DeliveryState::Shown);
    assert_eq!(bench.bell.pushes().len(), 1);
}

#[tokio::test]
async fn what_waited_to_be_pushed_is_given_up_where_web_push_was_switched_off() {
    let desk = desk();
    let samples = Samples::new(1);
    let sample = samples.ask(START).to(&["push:a"]);
    let Asked::New(record) = desk.store.ask(sample.new_ask()).await.unwrap() else {
        panic!("it is new");
    };

    let ended = desk.broker.give_up_unknown_channels().await.unwrap();

    assert_eq!(ended, [record.ask.id]);
}
