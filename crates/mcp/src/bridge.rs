//! The other end, for clients that speak over stdin and stdout: `askd mcp`.
//!
//! It is a server to its client and a client to askd. Who it is and which tools there are it says itself, without
//! waiting for askd, because a model whose client waits for that in its first turn would never see the tool. Calls it
//! passes on as they are, so that there is one place where they are understood; and it holds on to them: while askd restarts it
//! tries again, and the call's own id leads to the ask that is already there.
//!
//! How messages get to askd, and how askd is found or started, is a [`Relay`]'s to know.
//!
//! Tests: `tests/bridge.rs`.

mod carried;
mod input;

use std::{
    fmt::Debug,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use askd_core::clock::Clock;
use async_trait::async_trait;
use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt as _,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest, CustomResult,
        ListToolsResult, PaginatedRequestParams, ServerConfig, Tool,
    },
    service::RequestContext,
};
use serde_json::Value;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::{mpsc, watch},
};
use tokio_util::sync::CancellationToken;

use self::{carried::Carried, input::Watched};
use crate::{
    call::{names_sub_agent, speaks_without_initialize, unknown},
    outcome::Refusal,
    tools,
};

/// How long the end of stdin waits for calls that are being taken up again, so that askd can be told of them.
const LAST_TRIES: Duration = Duration::from_secs(5);

/// How long a list of tools waits for an askd that runs to say whether this connection may ask. Unit: milliseconds.
/// A client's first turn may not see tools that are listed later than in 100 ms or so; on loopback it takes one or two.
const LOOK: Duration = Duration::from_millis(50);

/// Carries a bridge's messages to askd, all of them over a connection with one name.
#[async_trait]
pub trait Relay: Debug + Send + Sync {
    /// Sends a message and puts every message that comes back into `answers`, until there are no more. Finds askd, and
    /// starts it where it is this relay's to start. Dropping it lets go of the answer and cancels nothing.
    async fn send(&self, message: &Value, answers: mpsc::Sender<Value>) -> Result<(), RelayError>;

    /// Whether askd lets this connection ask. `None` where it does not run or does not say; never starts it.
    async fn may_ask(&self) -> Option<bool>;

    /// Tells askd that this connection is gone for good. Best effort, and quick.
    async fn leave(&self);
}

/// Why a message did not get through.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RelayError {
    /// askd is away, or the connection broke: the same may work in a moment.
    #[error("askd cannot be reached: {0}")]
    Away(String),
    /// Trying again does not help. The text is for whoever set the client up.
    #[error("{0}")]
    Refused(String),
}

/// A bridge between one client and askd.
#[derive(Debug)]
pub struct Bridge {
    relay: Arc<dyn Relay>,
    clock: Arc<dyn Clock>,
    /// Begins the ids of calls that have none of their own; no other bridge has the same.
    name: String,
    sub_agent: bool,
}

impl Bridge {
    /// A bridge over this relay, unlike any other by its `name`.
    #[must_use]
    pub fn new(relay: Arc<dyn Relay>, clock: Arc<dyn Clock>, name: impl Into<String>) -> Self {
        Self {
            relay,
            clock,
            name: name.into(),
            sub_agent: false,
        }
    }

    /// Serves a sub-agent: there is no tool, and a call is told why.
    #[must_use]
    pub fn for_sub_agent(self, sub_agent: bool) -> Self {
        Self { sub_agent, ..self }
    }
}

/// Serves a client until it closes `input` or `stop` is cancelled; both mean that it is gone for good, and askd is told
/// before this returns. Nothing but messages is written to `output`.
pub async fn serve_stdio<R, W>(bridge: Bridge, input: R, output: W, stop: CancellationToken)
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let (relay, clock) = (Arc::clone(&bridge.relay), Arc::clone(&bridge.clock));
    let gone = stop.child_token();
    let left = CancellationToken::new();
    let trying = watch::Sender::new(0);
    let server = Server(Arc::new(Inner {
        bridge,
        calls: AtomicU64::new(0),
        gone: gone.clone(),
        left: left.clone(),
        trying: trying.clone(),
    }));
    let transport = (Watched::new(input, gone.clone()), output);
    let serving = async {
        // A client that goes before it has said who it is wants nothing from us.
        if let Ok(service) = server.serve_with_ct(transport, CancellationToken::new()).await {
            // However it ended, it has ended.
            let _ = service.waiting().await;
        }
    };
    let leaving = async {
        gone.cancelled().await;
        let mut trying = trying.subscribe();
        let last = clock.now() + LAST_TRIES;
        tokio::select! {
            _ = trying.wait_for(|calls| *calls == 0) => {}
            () = clock.sleep_until(last) => {}
        }
        // askd learns it while the calls are still open, and only then are they let go of.
        relay.leave().await;
        left.cancel();
    };
    // The service ends by itself with its input; where the client was told to stop, it is let go of with the rest.
    let mut serving = std::pin::pin!(serving);
    tokio::select! {
        () = leaving => {
            if !stop.is_cancelled() {
                serving.await;
            }
        }
        () = &mut serving => {
            // The output broke, or the input ended before anything was said.
            relay.leave().await;
        }
    }
}

#[derive(Debug)]
struct Inner {
    bridge: Bridge,
    calls: AtomicU64,
    /// Cancelled when the client is gone.
    gone: CancellationToken,
    /// Cancelled when askd has been told so.
    left: CancellationToken,
    /// How many calls are not attached to their ask at the moment.
    trying: watch::Sender<usize>,
}

/// What rmcp calls for each message of the client.
#[derive(Clone, Debug)]
struct Server(Arc<Inner>);

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        tools::server()
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::named(name)
    }

    /// Where askd does not run, a token of a sub-agent is found out only when it calls.
    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let hidden = self.0.bridge.sub_agent || names_sub_agent(&context.meta) || self.is_refused().await;
        let tools = if hidden { Vec::new() } else { tools::all() };
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let params = serde_json::to_value(request)
            .map_err(|_| ErrorData::internal_error("the call is not JSON", None))?;
        let result = self.carry(params, context).await?;
        serde_json::from_value::<CallToolResult>(result)
            .map(CallToolResponse::from)
            .map_err(|_| ErrorData::internal_error("askd's answer is no result of a tool", None))
    }

    /// A call whose arguments are no object does not look like a call to rmcp; askd knows what to say about it.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let params = request.params.unwrap_or_default();
        if request.method != "tools/call" || !params["name"].is_string() {
            return Err(unknown(request.method));
        }
        let is_modern = speaks_without_initialize(&context.meta);
        let mut result = self.carry(params, context).await?;
        if !is_modern && let Some(fields) = result.as_object_mut() {
            fields.remove("resultType");
        }
        Ok(CustomResult::new(result))
    }
}

impl Server {
    /// Whether an askd that runs says that this connection may not ask.
    async fn is_refused(&self) -> bool {
        let Bridge { relay, clock, .. } = &self.0.bridge;
        tokio::select! {
            may_ask = relay.may_ask() => may_ask == Some(false),
            () = clock.sleep_until(clock.now() + LOOK) => false,
        }
    }

    async fn carry(&self, params: Value, context: RequestContext<RoleServer>) -> Result<Value, ErrorData> {
        let inner = &self.0;
        if inner.bridge.sub_agent {
            let refusal = Refusal::from(askd_core::rights::Denied::Subagent);
            return Ok(as_json(refusal.into()));
        }
        let number = inner.calls.fetch_add(1, Ordering::Relaxed);
        Carried::new(Arc::clone(inner), params, context, number)
            .answer()
            .await
    }
}

fn as_json(result: CallToolResult) -> Value {
    serde_json::to_value(result).expect("texts and JSON are always JSON")
}
