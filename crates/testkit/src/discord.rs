//! A Discord of one's own: the API, the gateway, and people with telephones.
//!
//! On one side it speaks HTTP below `/api/v10` and the gateway over a WebSocket, as `https://discord.com` does, so that
//! a channel meets it through its real libraries. On the other side are people, who say, reply, press, fill in, use
//! commands and see ([`Person`], [`Place`]). In between it behaves like the platform: a session that is resumed is told
//! what it missed and a new one is not, an interaction is answered within three seconds and once, contents stay empty
//! without the intent for them, and what Discord refuses is refused with Discord's codes. Every broken rule is also
//! noted ([`FakeDiscord::violations`]), so that a test can demand that there was none.
//!
//! It knows nothing of askd. What it knows of Discord is checked against the API's description by `cargo xtask
//! contracts`, and rule by rule by the tests in `tests/discord/`.
//!
//! Time comes from the clock that is passed in. Heartbeats alone go by real time, because the libraries on the other
//! side send theirs so; [`Setup::heartbeat`] says how often.
//!
//! ```no_run
//! # use std::sync::Arc;
//! # use askd_testkit::{clock::TestClock, discord::{FakeDiscord, Outcome}};
//! # async fn example() {
//! let discord = FakeDiscord::start(Arc::new(TestClock::new())).await;
//! let (sara, omid) = (discord.person("Sara"), discord.person("Omid"));
//! let ops = discord.channel("ops", &[&sara, &omid]);
//! // Here a channel is connected to `discord.url()` with `discord.token()`, and asks.
//! let press = sara.presses(&ops, "Staging");
//! let outcome = discord.until("an answer to the press", || press.settled()).await;
//! assert!(matches!(outcome, Outcome::Changed(_)) && discord.violations().is_empty());
//! # }
//! ```
//!
//! Left out, because nobody needs it here: selects and the second generation of components, embeds, files from the bot,
//! reactions, voice, more than one guild or shard, commands of one guild, interactions over HTTP. Asking for them is
//! refused as `not modelled`.

mod commands;
mod components;
mod events;
mod faults;
pub mod fields;
mod form;
pub(crate) mod gateway_tap;
mod hearing;
mod human;
mod interactions;
pub mod limits;
mod markdown;
mod mentions;
mod message;
mod modal;
mod orders;
mod permissions;
mod rates;
mod refusal;
mod routes;
mod server;
mod sessions;
mod snowflake;
mod socket;
mod state;
mod suite;
mod transcript;
mod wire;

use std::{
    collections::BTreeMap,
    future::Future,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use askd_core::clock::Clock;
use axum::Router;
use tokio::{net::TcpListener, sync::watch, task::JoinSet};

pub use self::{
    commands::{Command, CommandOption},
    faults::Fault,
    human::{
        commands::MenuEntry,
        person::Person,
        place::Place,
        press::{Outcome, Press},
        seen::{Seen, SeenButton},
    },
    message::MessageAt,
    modal::{Input, Modal},
    permissions::Permission,
    refusal::Refusal,
    routes::{Call, ROUTES, Route},
    sessions::Connected,
    suite::{Connection, DiscordPlatform},
};
use self::{sessions::Rest, state::State};

/// The servers, and the lock around them.
pub(crate) type World = crate::world::World<State>;

/// How long ago the bot's account was made.
const BEFORE: Duration = Duration::from_hours(24 * 30);

/// How a fake Discord begins.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The bot's token.
    pub token: String,
    /// What the bot is called.
    pub name: String,
    /// What its guild is called.
    pub guild: String,
    /// Whether the privileged intent for contents is switched on for it.
    pub message_content: bool,
    /// Whether calls that follow each other too fast are refused.
    pub rates: bool,
    /// How often clients are told to send a heartbeat, in real time.
    pub heartbeat: Duration,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            // In parts, so that nobody takes it for a real one.
            token: [
                "MTEwMDAwMDAwMDAwMDAwMDA0Mg",
                "FakeFa",
                "FakeFakeFakeFakeFakeFakeFakeFakeFakeFa",
            ]
            .join("."),
            name: "askd".to_owned(),
            guild: "Shop".to_owned(),
            message_content: true,
            rates: false,
            heartbeat: limits::HEARTBEAT,
        }
    }
}

/// A Discord that listens on this machine until it is dropped.
#[derive(Debug)]
pub struct FakeDiscord {
    world: Arc<World>,
    address: Option<SocketAddr>,
    /// Holds the server; dropping it ends that.
    serving: JoinSet<()>,
}

impl Drop for FakeDiscord {
    fn drop(&mut self) {
        // Sockets are served by tasks of their own, which outlive the server's.
        self.world.change(|state| state.sessions.sockets.clear());
    }
}

/// Set-up.
impl FakeDiscord {
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
        fake.world
            .change(|state| state.bot.gateway = format!("ws://{address}"));
        let router = fake.router();
        fake.serving.spawn(async move {
            // Ends with the task; it has no other end.
            let _ = axum::serve(listener, router).await;
        });
        fake
    }

    /// One that is only a service, for callers without a socket: see [`FakeDiscord::router`].
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
        format!("http://{address}")
    }

    /// The bot's token.
    #[must_use]
    pub fn token(&self) -> String {
        self.world.look(|state| state.bot.token.clone())
    }

    /// The id of the bot, and of its application.
    #[must_use]
    pub fn bot_id(&self) -> u64 {
        self.world.look(|state| state.bot.id)
    }

    /// The id of the guild.
    #[must_use]
    pub fn guild_id(&self) -> u64 {
        self.world.look(State::guild_id)
    }

    /// Somebody with an account who has no guild in common with the bot.
    #[must_use]
    pub fn stranger(&self, name: &str) -> Person {
        let id = self.world.change(|state| state.open_account(name, false));
        Person::new(Arc::clone(&self.world), id)
    }

    /// A member of the guild.
    #[must_use]
    pub fn person(&self, name: &str) -> Person {
        let person = self.stranger(name);
        self.world.change(|state| {
            let guild = state.guild_id();
            state.join(guild, person.id());
        });
        person
    }

    /// Another bot that is in the guild.
    #[must_use]
    pub fn machine(&self, name: &str) -> Person {
        let id = self.world.change(|state| {
            let id = state.open_account(name, true);
            let guild = state.guild_id();
            state.join(guild, id);
            id
        });
        Person::new(Arc::clone(&self.world), id)
    }

    /// A text channel of the guild, which these people join if they are not in it.
    #[must_use]
    pub fn channel(&self, name: &str, members: &[&Person]) -> Place {
        Place::open(&self.world, name, members)
    }
}

/// What happened.
impl FakeDiscord {
    /// Whether the newest session is connected and has received all that it was told. What has been received may still
    /// be worked on.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        let rest = self.world.quietly(|state| state.sessions.rest());
        if rest == Rest::Asked {
            // For the socket's task.
            self.world.touch();
        }
        rest == Rest::Idle
    }

    /// Whether a client is connected, and identified or resumed.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        self.world.look(|state| {
            let newest = state.sessions.newest();
            newest.is_some_and(sessions::Session::is_connected)
        })
    }

    /// Every socket so far, oldest first.
    #[must_use]
    pub fn sockets(&self) -> Vec<Connected> {
        self.world.look(|state| state.sessions.history.clone())
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

    /// How many calls of each route there were: what an ask costs.
    #[must_use]
    pub fn counts(&self) -> BTreeMap<String, usize> {
        self.world.look(|state| {
            let mut counts = BTreeMap::new();
            for call in &state.calls {
                *counts.entry(call.route.to_owned()).or_default() += 1;
            }
            counts
        })
    }

    /// Which rules the bot broke, as `route: reason`.
    #[must_use]
    pub fn violations(&self) -> Vec<String> {
        self.world.quietly(|state| state.all_violations())
    }

    /// The slash commands that are registered.
    #[must_use]
    pub fn commands(&self) -> Vec<Command> {
        self.world.look(|state| state.commands.clone())
    }

    /// What happened, for people to read and for golden files.
    #[must_use]
    pub fn transcript(&self) -> String {
        self.world.quietly(|state| state.transcript.render())
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
