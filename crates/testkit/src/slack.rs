//! A Slack of one's own: the Web API and Socket Mode, and people with clients.
//!
//! On one side it speaks HTTP, as `https://slack.com/api` does, and the WebSocket that `apps.connections.open` leads
//! to, so that a channel meets it through its real library. On the other side are people, who say, mention, press,
//! fill in forms, share and see ([`Person`], [`Place`]). In between it behaves like the platform: events come in
//! envelopes until they are acknowledged, clicks do not come again, texts travel with entities and names of emoji, an
//! update without blocks keeps the old ones, and what the platform refuses is refused by its code. Every broken rule
//! is also noted ([`FakeSlack::violations`]), so that a test can demand that there was none.
//!
//! It knows nothing of askd. What it knows of Slack is checked against Slack's description by `cargo xtask contracts`,
//! as far as that goes, and rule by rule by the tests in `tests/slack/`.
//!
//! Time comes from the clock that is passed in: with a test's clock nothing is pinged, retried or too late until the
//! test moves it.
//!
//! ```no_run
//! # use std::sync::Arc;
//! # use askd_testkit::{clock::TestClock, slack::FakeSlack};
//! # async fn example() {
//! let slack = FakeSlack::start(Arc::new(TestClock::new())).await;
//! let (sara, omid) = (slack.person("Sara"), slack.person("Omid"));
//! let ops = slack.private_channel("ops", &[&sara, &omid]);
//! // Here a channel is connected to `slack.url()` with `slack.bot_token()` and `slack.app_token()`, and asks.
//! sara.presses(&ops, "Staging");
//! slack.until("an answer to the press", || sara.told().pop()).await;
//! let prompt = omid.sees_last(&ops).expect("it is shown there too");
//! assert!(prompt.buttons.is_empty() && slack.violations().is_empty());
//! # }
//! ```
//!
//! Left out, because nobody needs it here: conversations of several people, slash commands, attachments of apps,
//! select menus, home tabs, workspaces that share channels, delivery over HTTP. Asking for them is refused as `not
//! modelled`.

mod answers;
mod arguments;
mod blocks;
mod emoji;
mod envelopes;
mod events;
mod faults;
mod human;
pub mod limits;
mod message;
mod methods;
mod mrkdwn;
mod rates;
mod refusal;
mod render;
mod server;
mod socket;
mod sockets;
mod state;
mod suite;
mod transcript;
mod triggers;
mod views;
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

use self::state::{Kind, State};
pub use self::{
    arguments::Arguments,
    faults::Fault,
    human::{
        person::Person,
        place::Place,
        seen::{Seen, SeenButton, SeenForm},
    },
    message::{MessageAt, NoTs, Ts},
    methods::{COMMON_ERRORS, Call, METHODS, Method, Parameter, Token},
    mrkdwn::{Span, Style},
    refusal::Refusal,
    sockets::Farewell,
    suite::{Connection, SlackPlatform},
};

/// The servers, and the lock around them.
pub(crate) type World = crate::world::World<State>;

/// Below which path the API stands.
const PREFIX: &str = "/api";

/// How a fake Slack begins.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The token of the app's bot.
    pub bot_token: String,
    /// The token of the app itself, for its sockets.
    pub app_token: String,
    /// What the app is called.
    pub name: String,
    /// The scopes of the bot's token. They also decide on what the app is told of.
    pub scopes: Vec<String>,
    /// The scopes of the app's token.
    pub app_scopes: Vec<String>,
    /// Whether people can write to the app: its Messages tab is on.
    pub messages_tab: bool,
    /// Whether messages that follow each other too fast are refused.
    pub rates: bool,
}

impl Default for Setup {
    fn default() -> Self {
        let scopes = [
            "app_mentions:read",
            "channels:history",
            "channels:read",
            "chat:write",
            "groups:history",
            "groups:read",
            "im:history",
            "im:read",
            "im:write",
            "users:read",
        ];
        Self {
            bot_token: "xoxb-0000000000-fakefakefakefake".to_owned(),
            app_token: "xapp-1-A0ASKDAPP0-0000000000-fakefakefakefake".to_owned(),
            name: "askd".to_owned(),
            scopes: scopes.map(str::to_owned).to_vec(),
            app_scopes: vec!["connections:write".to_owned()],
            messages_tab: true,
            rates: false,
        }
    }
}

/// A Slack that listens on this machine until it is dropped.
#[derive(Debug)]
pub struct FakeSlack {
    world: Arc<World>,
    address: Option<SocketAddr>,
    /// Holds the server and what keeps time; dropping it ends them.
    serving: JoinSet<()>,
}

impl Drop for FakeSlack {
    fn drop(&mut self) {
        self.world.change(State::break_sockets);
    }
}

impl FakeSlack {
    /// Starts one as [`Setup::default`] has it.
    pub async fn start(clock: Arc<dyn Clock>) -> Self {
        Self::start_as(Setup::default(), clock).await
    }

    /// Starts one that listens on a free port of 127.0.0.1.
    ///
    /// # Panics
    /// If the machine has no port to give.
    pub async fn start_as(setup: Setup, clock: Arc<dyn Clock>) -> Self {
        let mut fake = Self::without_server(&setup, clock);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
            .await
            .expect("the loopback interface has free ports");
        let address = listener.local_addr().expect("it is bound");
        fake.address = Some(address);
        fake.world.change(|state| state.host = address.to_string());
        let router = fake.router();
        fake.serving.spawn(async move {
            // Ends with the task; it has no other end.
            let _ = axum::serve(listener, router).await;
        });
        let world = Arc::clone(&fake.world);
        fake.serving.spawn(async move { world.keep().await });
        fake
    }

    /// One that is only a service, for callers without a socket: see [`FakeSlack::router`].
    #[must_use]
    pub fn without_server(setup: &Setup, clock: Arc<dyn Clock>) -> Self {
        let state = State::new(setup, clock.now());
        Self {
            world: Arc::new(World::new(clock, state)),
            address: None,
            serving: JoinSet::new(),
        }
    }

    /// The service that the server serves.
    pub fn router(&self) -> Router {
        server::router(Arc::clone(&self.world))
    }

    /// What `api_url` of the configuration has to say.
    ///
    /// # Panics
    /// If it was made without a server.
    #[must_use]
    pub fn url(&self) -> String {
        let address = self.address.expect("this fake was made without a server");
        format!("http://{address}{PREFIX}")
    }

    /// The token of the app's bot.
    #[must_use]
    pub fn bot_token(&self) -> String {
        self.world.look(|state| state.app.bot_key.token.clone())
    }

    /// The token of the app itself.
    #[must_use]
    pub fn app_token(&self) -> String {
        self.world.look(|state| state.app.own_key.token.clone())
    }

    /// The account of the app's bot, `U…`.
    #[must_use]
    pub fn bot_user(&self) -> String {
        self.world.look(|state| state.app.user.clone())
    }

    /// Somebody in the workspace.
    #[must_use]
    pub fn person(&self, name: &str) -> Person {
        let id = self.world.change(|state| state.open_account(name, false));
        Person::new(Arc::clone(&self.world), &id)
    }

    /// The bot of another app, which talks like a person.
    #[must_use]
    pub fn machine(&self, name: &str) -> Person {
        let id = self.world.change(|state| state.open_account(name, true));
        Person::new(Arc::clone(&self.world), &id)
    }

    /// A public channel of these people and the app.
    #[must_use]
    pub fn channel(&self, name: &str, members: &[&Person]) -> Place {
        Place::open(&self.world, Kind::Public, name, members)
    }

    /// A private channel of these people and the app.
    #[must_use]
    pub fn private_channel(&self, name: &str, members: &[&Person]) -> Place {
        Place::open(&self.world, Kind::Private, name, members)
    }

    /// The next call of `method` fails.
    pub fn fail_next(&self, method: &str, fault: Fault) {
        self.fail(method, 1, fault);
    }

    /// The next calls of `method` fail, as many as said. Faults strike in the order they were ordered; `*` is any
    /// method, and `response_url` stands for those.
    pub fn fail(&self, method: &str, times: usize, fault: Fault) {
        if times > 0 {
            self.world
                .change(|state| state.faults.order(method, Some(times), fault));
        }
    }

    /// The next call that is `meant` fails; it is asked with the method's name and the arguments.
    pub fn fail_meant(&self, meant: impl Fn(&str, &Arguments) -> bool + Send + 'static, fault: Fault) {
        let meant = move |method: &str, arguments: &Arguments, _: &State| meant(method, arguments);
        self.world
            .change(|state| state.faults.order_for(Box::new(meant), Some(1), fault));
    }

    /// All calls of `method` fail until [`FakeSlack::mend`].
    pub fn fail_until_mended(&self, method: &str, fault: Fault) {
        self.world.change(|state| state.faults.order(method, None, fault));
    }

    /// Takes all faults back. What hangs gets a broken connection.
    pub fn mend(&self) {
        self.world.change(|state| state.faults.mend());
    }

    /// A `trigger_id` for something that somebody just did.
    pub(crate) fn trigger(&self, person: &Person) -> String {
        let direct = person.direct();
        self.world
            .change(|state| state.new_trigger(person.id(), direct.id()))
    }

    /// Breaks every socket without a word.
    pub fn drop_sockets(&self) {
        self.world.change(State::break_sockets);
    }

    /// Makes ghosts of the sockets that are open: they stay open, and nothing comes through in either direction.
    pub fn freeze_sockets(&self) {
        self.world.change(State::freeze_sockets);
    }

    /// Tells every socket to go; it is closed about ten seconds later.
    pub fn say_farewell(&self, why: Farewell) {
        self.world.change(|state| state.say_farewell(why));
    }

    /// Turns the rule on pace on or off.
    pub fn enforce_rates(&self, on: bool) {
        self.world.change(|state| state.rates.enforced = on);
    }

    /// Revokes the bot's token: whoever uses it learns so.
    pub fn revoke_bot_token(&self) {
        self.refuse_bot_token("token_revoked");
    }

    /// Refuses the bot's token with this error, such as `account_inactive` for an app that was removed.
    pub fn refuse_bot_token(&self, error: &'static str) {
        self.world.change(|state| state.app.bot_key.refused = Some(error));
    }

    /// Revokes the app's token. Its sockets are told that there are none any more.
    pub fn revoke_app_token(&self) {
        self.world.change(|state| {
            state.app.own_key.refused = Some("token_revoked");
            state.say_farewell(Farewell::Disabled);
        });
    }

    /// Takes a scope from the bot's token, as after a change of the app that was not installed anew.
    pub fn take_scope(&self, scope: &str) {
        self.world.change(|state| {
            state.app.bot_key.scopes.remove(scope);
            state.app.own_key.scopes.remove(scope);
        });
    }

    /// Turns the app's Messages tab on or off.
    pub fn set_messages_tab(&self, on: bool) {
        self.world.change(|state| state.app.messages_tab = on);
    }

    /// Tells the app once more what somebody did last, in a new envelope, acknowledged or not.
    ///
    /// # Panics
    /// If nobody has done anything.
    pub fn redeliver_last(&self) {
        self.world.change(State::repeat_last);
    }

    /// How many sockets are open, ghosts included.
    #[must_use]
    pub fn sockets(&self) -> usize {
        self.world.look(|state| state.sockets.count())
    }

    /// How many sockets were opened so far.
    #[must_use]
    pub fn sockets_opened(&self) -> usize {
        self.world.look(|state| state.sockets.opened)
    }

    /// How many envelopes wait to be handed out or acknowledged.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.world.look(|state| state.envelopes.pending())
    }

    /// How many envelopes were handed out so far.
    #[must_use]
    pub fn handed_out(&self) -> usize {
        self.world.look(|state| state.envelopes.handed_out)
    }

    /// Whether a socket is open, and all that happened has been handed out and acknowledged.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.world
            .look(|state| state.sockets.is_alive() && state.envelopes.pending() == 0)
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

    /// Which rules the app broke, as `method: error` or `socket: what it did`.
    #[must_use]
    pub fn violations(&self) -> Vec<String> {
        self.world.look(|state| state.violations.clone())
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
