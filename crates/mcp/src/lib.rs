//! askd over MCP: the tool `ask_user`, and waits that outlive the client's patience.
//!
//! One of the entrances. It turns `tools/call` into calls of the broker and decides nothing about asks. The protocol
//! itself (its revisions, their headers, its messages) is rmcp's; what rmcp leaves to its host is here, and
//! `docs/adr/0006` says why each part of it is.
//!
//! In reading order:
//!
//! 1. `tools`: what a model is told and what it may send; `outcome`: what it gets back.
//! 2. `gate`: the HTTP side, up to rmcp. Who calls (`caller`), cancels, and streams that open at once (`events`).
//! 3. `server`: rmcp's side, from the protocol to the broker. `call` is what a call says of itself, `repair` what is
//!    read leniently.
//! 4. `waiting`: holding a call until its ask is over. `calls` knows which calls are open, `progress` what is told
//!    meanwhile, `hand_over` how a stopping askd passes a call on to the next.
//! 5. `bridge`: the other end, for clients that speak over stdin and stdout.
//!
//! Nothing is remembered of a client between two requests: no session is made or asked for, and who calls is found
//! out each time. What is remembered is in the store, and found again by the ids that clients send.
//!
//! Tests: `tests/`, in one binary, on a clock that they move.

mod bridge;
mod call;
mod caller;
mod calls;
mod events;
mod gate;
mod hand_over;
mod limits;
mod outcome;
mod progress;
mod repair;
mod server;
mod tools;
mod waiting;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use askd_core::{broker::Broker, id::TokenName};
use axum::Router;
use jiff::SignedDuration;
use rmcp::{RoleServer, ServerHandler, service::RequestContext};
use tokio::sync::watch;

pub use self::bridge::{Bridge, Relay, RelayError, serve_stdio};
use self::{calls::OpenCalls, hand_over::HandOver, server::Server};

/// Where MCP is served.
pub const PATH: &str = "/mcp";

/// What an operator can set.
#[derive(Debug)]
pub struct McpOptions {
    hand_over: HandOver,
    holds: watch::Receiver<Arc<Holds>>,
    unnamed: BTreeSet<TokenName>,
}

/// How long calls are held before they return `pending`. Without one, until the ask is over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holds {
    /// Of tokens that have none of their own.
    pub default: Option<SignedDuration>,
    /// Of single tokens.
    pub by_token: BTreeMap<TokenName, SignedDuration>,
}

impl Holds {
    fn of(&self, token: &TokenName) -> Option<SignedDuration> {
        self.by_token.get(token).copied().or(self.default)
    }
}

impl McpOptions {
    /// With the usual settings. `key` signs what a stopping askd hands to clients, and must be the same after a
    /// restart; it is a secret.
    #[must_use]
    pub fn new(key: [u8; 32]) -> Self {
        Self {
            hand_over: HandOver::new(key),
            holds: watch::Sender::default().subscribe(),
            unnamed: BTreeSet::new(),
        }
    }

    /// Holds calls this long; a new value takes effect with the next call.
    #[must_use]
    pub fn with_holds(self, holds: watch::Receiver<Arc<Holds>>) -> Self {
        Self { holds, ..self }
    }

    /// Names of tokens that say nothing of the agent, such as one that all programs of a machine share: people are
    /// shown, and routes are chosen by, the name that the client gives itself.
    #[must_use]
    pub fn with_unnamed(self, tokens: impl IntoIterator<Item = TokenName>) -> Self {
        Self {
            unnamed: tokens.into_iter().collect(),
            ..self
        }
    }
}

/// What every call can reach.
#[derive(Debug)]
struct Desk {
    broker: Arc<Broker>,
    calls: Arc<OpenCalls>,
    options: McpOptions,
}

/// The routes of this entrance. They check tokens; hosts and origins are checked by whom they are served.
pub fn router(broker: Arc<Broker>, options: McpOptions) -> Router {
    let desk = desk(broker, options);
    let server = Server(Arc::clone(&desk));
    gate::routes(desk, server)
}

/// The same routes before a server of the caller's own: for a test of the protocol that wants other tools than ours.
/// It may call [`opens`] where ours does.
pub fn router_before<S: ServerHandler + Clone>(
    broker: Arc<Broker>,
    options: McpOptions,
    server: S,
) -> Router {
    gate::routes(desk(broker, options), server)
}

/// Opens the stream of an answer before there is anything to send. For servers of [`router_before`].
pub fn opens(context: &RequestContext<RoleServer>) {
    call::Opening::of(context).inspect(|opening| opening.0.notify_one());
}

fn desk(broker: Arc<Broker>, options: McpOptions) -> Arc<Desk> {
    Arc::new(Desk {
        broker,
        calls: Arc::new(OpenCalls::default()),
        options,
    })
}
