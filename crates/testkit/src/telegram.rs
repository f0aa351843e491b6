//! A Telegram of one's own: the Bot API's servers, and people with telephones.
//!
//! On one side it speaks HTTP, as `https://api.telegram.org` does, so that a channel meets it through its real
//! library. On the other side are people, who say, reply, tap, forward and see ([`Person`], [`Place`]). In between it
//! behaves like the platform: updates wait until they are confirmed, groups keep texts from bots, keyboards vanish when
//! nobody repeats them, and what the platform refuses is refused in the platform's words. Every broken rule is also
//! noted ([`FakeTelegram::violations`]), so that a test can demand that there was none.
//!
//! It knows nothing of askd. What it knows of Telegram is checked against the documentation by `cargo xtask
//! contracts`, and rule by rule by the tests in `tests/telegram/`.
//!
//! Time comes from the clock that is passed in: with a test's clock, a poll waits until something happens or the test
//! moves it.
//!
//! ```no_run
//! # use std::sync::Arc;
//! # use askd_testkit::{clock::TestClock, telegram::FakeTelegram};
//! # async fn example() {
//! let telegram = FakeTelegram::start(Arc::new(TestClock::new())).await;
//! let (sara, omid) = (telegram.person("Sara"), telegram.person("Omid"));
//! let group = telegram.supergroup("Ops", &[&sara, &omid]);
//! // Here a channel is connected to `telegram.url()` with `telegram.token()`, and asks.
//! let tap = sara.taps(&sara.direct(), "Staging");
//! let answer = telegram.until("an answer to the tap", || tap.answer()).await;
//! let prompt = omid.sees_last(&group).expect("it is shown there too");
//! assert!(prompt.buttons.is_empty() && telegram.violations().is_empty());
//! # }
//! ```
//!
//! Left out, because nobody needs it here: media beyond a photo with a caption, Markdown, inline mode, payments,
//! business accounts, reactions, delivery by webhook. Asking for them is refused as `not modelled`.

mod arguments;
mod entities;
mod faults;
mod fields;
mod human;
pub mod limits;
mod links;
mod markup;
mod message;
mod methods;
mod rates;
mod refusal;
mod server;
mod state;
mod suite;
mod transcript;
mod updates;
mod wire;

use std::{
    collections::BTreeMap,
    future::Future,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
};

use askd_core::clock::Clock;
use axum::Router;
use tokio::{net::TcpListener, sync::watch, task::JoinSet};

use self::state::State;
pub use self::{
    arguments::Arguments,
    entities::{Entity, Formatted, Kind},
    faults::Fault,
    human::{
        person::{Person, Tap},
        place::Place,
        seen::{Prompt, Seen, SeenButton},
    },
    markup::{Button, Does, Markup},
    message::MessageAt,
    methods::{Call, METHODS, Method, Parameter},
    refusal::Refusal,
    state::{Answer, Command},
    suite::{Connection, TelegramPlatform},
};

/// The servers, and the lock around them.
pub(crate) type World = crate::world::World<State>;

/// How a fake Telegram begins.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The bot's token. What stands before the colon is its id.
    pub token: String,
    /// What the bot is called.
    pub name: String,
    /// Its username, without `@`.
    pub username: String,
    /// Below which path the API stands; empty, or beginning with a slash.
    pub prefix: String,
    /// Whether groups keep plain texts from the bot.
    pub privacy: bool,
    /// Whether messages that follow each other too fast are refused.
    pub rates: bool,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            token: "7300000042:AAFakeFakeFakeFakeFakeFakeFakeFake0".to_owned(),
            name: "askd".to_owned(),
            username: "askd_test_bot".to_owned(),
            prefix: String::new(),
            privacy: true,
            rates: false,
        }
    }
}

/// A Telegram that listens on this machine until it is dropped.
#[derive(Debug)]
pub struct FakeTelegram {
    world: Arc<World>,
    prefix: String,
    address: Option<SocketAddr>,
    /// Holds the server; dropping it ends that.
    serving: JoinSet<()>,
}

impl FakeTelegram {
    /// Starts one as [`Setup::default`] has it.
    pub async fn start(clock: Arc<dyn Clock>) -> Self {
        Self::start_as(Setup::default(), clock).await
    }

    /// Starts one that listens on a free port of 127.0.0.1.
    ///
    /// # Panics
    /// If the machine has no port to give.
    pub async fn start_as(setup: Setup, clock: Arc<dyn Clock>) -> Self {
        let mut fake = Self::without_server(setup, clock);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
            .await
            .expect("the loopback interface has free ports");
        fake.address = Some(listener.local_addr().expect("it is bound"));
        let router = fake.router();
        fake.serving.spawn(async move {
            // Ends with the task; it has no other end.
            let _ = axum::serve(listener, router).await;
        });
        fake
    }

    /// One that is only a service, for callers without a socket: see [`FakeTelegram::router`].
    #[must_use]
    pub fn without_server(setup: Setup, clock: Arc<dyn Clock>) -> Self {
        let state = State::new(&setup, clock.now());
        Self {
            world: Arc::new(World::new(clock, state)),
            prefix: setup.prefix,
            address: None,
            serving: JoinSet::new(),
        }
    }

    /// The service that the server serves.
    pub fn router(&self) -> Router {
        server::router(Arc::clone(&self.world), &self.prefix)
    }

    /// What `api_url` of the configuration has to say.
    ///
    /// # Panics
    /// If it was made without a server.
    #[must_use]
    pub fn url(&self) -> String {
        let address = self.address.expect("this fake was made without a server");
        format!("http://{address}{}", self.prefix)
    }

    /// The bot's token.
    #[must_use]
    pub fn token(&self) -> String {
        self.world.look(|state| state.bot.token.clone())
    }

    /// The bot's username, without `@`.
    #[must_use]
    pub fn username(&self) -> String {
        self.world.look(|state| state.bot.username.clone())
    }

    /// Somebody who has an account and has never pressed START.
    #[must_use]
    pub fn stranger(&self, name: &str) -> Person {
        let id = self.world.change(|state| state.open_account(name));
        Person::new(Arc::clone(&self.world), id)
    }

    /// Somebody who pressed START some time ago.
    #[must_use]
    pub fn person(&self, name: &str) -> Person {
        let person = self.stranger(name);
        person.started_earlier();
        person
    }

    /// A basic group of these people and the bot. The first of them owns it.
    #[must_use]
    pub fn group(&self, title: &str, members: &[&Person]) -> Place {
        Place::open(&self.world, state::ChatKind::Group, title, members)
    }

    /// A supergroup.
    #[must_use]
    pub fn supergroup(&self, title: &str, members: &[&Person]) -> Place {
        Place::open(
            &self.world,
            state::ChatKind::Supergroup { forum: false },
            title,
            members,
        )
    }

    /// A supergroup with topics; the place itself is the General topic.
    #[must_use]
    pub fn forum(&self, title: &str, members: &[&Person]) -> Place {
        Place::open(
            &self.world,
            state::ChatKind::Supergroup { forum: true },
            title,
            members,
        )
    }

    /// A channel. The bot is its administrator, as it has to be.
    #[must_use]
    pub fn channel(&self, title: &str, members: &[&Person]) -> Place {
        Place::open(&self.world, state::ChatKind::Channel, title, members)
    }

    /// The next calls of `method` fail, as many as said. Faults strike in the order they were ordered; `*` is any
    /// method.
    pub fn fail(&self, method: &str, times: usize, fault: Fault) {
        if times > 0 {
            self.world
                .change(|state| state.faults.order(method, Some(times), fault));
        }
    }

    /// The next call that is `meant` fails; it is asked with the method's name, in lower case, and the arguments.
    pub fn fail_meant(&self, meant: impl Fn(&str, &Arguments) -> bool + Send + 'static, fault: Fault) {
        self.world
            .change(|state| state.faults.order_for(Box::new(meant), Some(1), fault));
    }

    /// All calls of `method` fail until [`FakeTelegram::mend`].
    pub fn fail_until_mended(&self, method: &str, fault: Fault) {
        self.world.change(|state| state.faults.order(method, None, fault));
    }

    /// Takes all faults back. What hangs gets a broken connection.
    pub fn mend(&self) {
        self.world.change(|state| state.faults.mend());
    }

    /// Breaks the connection of the poll that waits, if one does.
    pub fn break_poll(&self) {
        self.world.change(|state| state.faults.broken += 1);
    }

    /// Turns the rules on pace on or off.
    pub fn enforce_rates(&self, on: bool) {
        self.world.change(|state| state.rates.enforced = on);
    }

    /// Gives the bot another token; the old one is refused from now on.
    pub fn revoke_token(&self, new: &str) {
        self.world.change(|state| new.clone_into(&mut state.bot.token));
    }

    /// Turns privacy mode on or off, as BotFather does.
    pub fn set_privacy(&self, on: bool) {
        self.world.change(|state| state.bot.reads_groups = !on);
    }

    /// Hands the update that was handed out last out again, confirmed or not.
    ///
    /// # Panics
    /// If none has been handed out.
    pub fn redeliver_last(&self) {
        self.world.change(|state| {
            let now = state.now;
            state.updates.repeat_last(now);
        });
    }

    /// How many updates wait to be confirmed.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.world.look(|state| state.updates.waiting())
    }

    /// How many updates wait that were never handed out, or are to be once more.
    #[must_use]
    pub fn unseen(&self) -> usize {
        self.world.look(|state| state.updates.unseen())
    }

    /// Whether a poll waits, and nothing else does: all that happened has been fetched and confirmed.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.world
            .look(|state| state.updates.waiting() == 0 && state.updates.polling > 0)
    }

    /// How often each update was handed out, oldest first.
    #[must_use]
    pub fn handed_out(&self) -> Vec<usize> {
        self.world.look(|state| state.updates.handed_out().collect())
    }

    /// How many calls hang at this moment.
    #[must_use]
    pub fn hanging(&self) -> usize {
        self.world.look(|state| state.faults.hanging)
    }

    /// Every call so far, oldest first.
    #[must_use]
    pub fn calls(&self) -> Vec<Call> {
        self.world.look(|state| state.calls.clone())
    }

    /// How many calls of each method there were: what an ask costs.
    #[must_use]
    pub fn counts(&self) -> BTreeMap<String, usize> {
        self.world.look(|state| {
            let mut counts = BTreeMap::new();
            for call in &state.calls {
                *counts.entry(call.method.clone()).or_default() += 1;
            }
            counts
        })
    }

    /// Which rules the bot broke, as `method: description`.
    #[must_use]
    pub fn violations(&self) -> Vec<String> {
        self.world.look(|state| state.violations.clone())
    }

    /// Every answer to a tap so far, with the account of the one who tapped, in the order they came.
    #[must_use]
    pub fn answers(&self) -> Vec<(i64, Answer)> {
        self.world.look(|state| state.answers.clone())
    }

    /// What happened, for people to read and for golden files.
    #[must_use]
    pub fn transcript(&self) -> String {
        self.world.look(|state| state.transcript.render())
    }

    /// Changes whenever anything happens.
    #[must_use]
    pub fn activity(&self) -> watch::Receiver<u64> {
        self.world.changes()
    }

    /// Waits until `look` finds something. Looks again whenever anything has happened.
    ///
    /// # Panics
    /// With the transcript so far, if nothing is found within 20 seconds of real time.
    pub fn until<T>(&self, what: &str, look: impl FnMut() -> Option<T>) -> impl Future<Output = T> {
        let world = Arc::clone(&self.world);
        async move { world.until(what, look).await }
    }
}
