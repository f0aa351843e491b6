//! The HTTP API, and the panel's files.
//!
//! One of the entrances: it turns requests into calls of the broker, and what the broker says into JSON. It decides
//! nothing about asks, reads no store, and knows no channel. Agents ask, wait and take back (`asks`); people answer
//! (`answers`), and have their browsers woken (`push`); everybody follows what happens (`events`); operators tie accounts
//! to people (`people`) and delete history (`history`).
//!
//! Operators watch `metrics` and `health`; `limits` and `load` keep one caller from taking what is everybody's, by the
//! address that `remote` finds out.
//!
//! Everything below `/v1` needs a token or a sign-in, but for `POST /v1/sign-in` itself. Public are also the probes
//! (`/healthz`, `/readyz`), the description (`/openapi.json`) and the panel's files (`panel`), none of which tells anything
//! of anybody.
//!
//! What is on the wire is in `view` and `schema`, every error in `problem`. Who calls is found out in `auth`, and web
//! pages of others are kept away in `guard`, before any route.
//!
//! The web panel is a client of this API like any other; its files are in `panel`.
//!
//! Other entrances under the same address (MCP) put their routes into [`HttpOptions::also`]: they then stand behind the
//! same guard, and what they leave unanswered is answered here.
//!
//! Tests: `tests/`, in one binary.

mod answers;
mod asks;
mod auth;
mod body;
mod bridge;
mod context;
mod events;
mod guard;
mod health;
mod history;
mod limits;
mod load;
mod metrics;
mod openapi;
mod panel;
mod people;
mod problem;
mod push;
mod remote;
mod schema;
mod serve;
mod signing_in;
mod view;

use std::{any::Any, net::IpAddr, num::NonZeroU32, sync::Arc};

use askd_core::broker::Broker;
use axum::{
    Router,
    body::Bytes,
    extract::{DefaultBodyLimit, MatchedPath, Request},
    http::{HeaderValue, header},
    response::{IntoResponse as _, Response},
};
use tower_http::{catch_panic::CatchPanicLayer, set_header::SetResponseHeaderLayer, trace::TraceLayer};
use utoipa_axum::{router::OpenApiRouter, routes};

pub use self::serve::serve;
use crate::{
    events::EventLog,
    guard::Guard,
    limits::Limits,
    load::Load,
    problem::{Code, Problem},
    signing_in::{cookie::Jar, tries::Tries},
};

/// What an operator can set, and what stands beside this API.
#[derive(Clone, Debug)]
pub struct HttpOptions {
    /// Longest request body, in bytes; a longer one gets 413. Default 524288 (512 KiB): the largest valid ask has some
    /// 25,000 characters, and a client may write each as two `\uXXXX` escapes of six bytes.
    pub body_limit: usize,
    /// How many changes are kept for streams that resume (`Last-Event-ID`). Default 1000; each takes some 40 bytes.
    pub events_kept: usize,
    /// Whether only names of this machine are answered beside `allowed_hosts`. Default `true`; [`serve`] sets it to
    /// whether its listener is a loopback one.
    pub loopback_only: bool,
    /// Further hosts that `Host` and `Origin` may name: a name, or a name with a port. The host of the public URL
    /// belongs here.
    pub allowed_hosts: Vec<String>,
    /// Proxies in front, whose word on from where a request comes is taken (`Forwarded`, `X-Forwarded-For`,
    /// `X-Forwarded-Proto`). Nobody else's is. Default none.
    pub trusted_proxies: Vec<IpAddr>,
    /// Most requests of one token; ten seconds' worth of them may come at once, the next gets 429. Unit: requests per
    /// second. Default 100, far beyond waiting: who waits makes one in 55 s.
    pub requests_per_second: NonZeroU32,
    /// Most waits and streams that are held at once; the next gets 503. Default 4000; each takes some 30 kB.
    pub max_held: usize,
    /// Most connections that [`serve`] keeps open; the next gets 503 and is closed. Default 5000. Each is an open file of
    /// the process.
    pub max_connections: usize,
    /// The name of the cookie that keeps somebody signed in to the panel. Default `askd`. Browsers do not tell the ports
    /// of a host apart, so a second askd on a machine needs another.
    pub cookie: &'static str,
    /// Routes of other entrances. They must not have a fallback of their own.
    pub also: Router,
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self {
            body_limit: 512 * 1024,
            events_kept: 1000,
            loopback_only: true,
            allowed_hosts: Vec::new(),
            trusted_proxies: Vec::new(),
            requests_per_second: NonZeroU32::new(100).expect("100 is not 0"),
            max_held: 4000,
            max_connections: 5000,
            cookie: "askd",
            also: Router::new(),
        }
    }
}

/// What every route can reach.
#[derive(Debug)]
struct Api {
    broker: Arc<Broker>,
    events: EventLog,
    body_limit: usize,
    description: Bytes,
    load: Arc<Load>,
    /// How the cookie of a sign-in is named and bound: to TLS, where people reach the panel by it.
    jar: Jar,
    tries: Tries,
}

/// The API as a router, behind its guard. Starts nothing; keeps the changes that happen from now on.
///
/// # Panics
/// If [`HttpOptions::also`] has a path of this API or a fallback: a mistake in putting the program together.
pub fn router(broker: Arc<Broker>, options: HttpOptions) -> Router {
    let load = Arc::new(Load::new(options.max_held));
    routed(broker, options, load)
}

/// [`router`], with counts that its caller keeps too.
fn routed(broker: Arc<Broker>, options: HttpOptions, load: Arc<Load>) -> Router {
    let (routes, description) = OpenApiRouter::with_openapi(openapi::base())
        .routes(routes!(asks::ask, asks::list))
        .routes(routes!(asks::read))
        .routes(routes!(asks::cancel))
        .routes(routes!(asks::cancel_run))
        .routes(routes!(answers::answer))
        .routes(routes!(answers::reply))
        .routes(routes!(answers::skip))
        .routes(routes!(answers::seen))
        .routes(routes!(context::context))
        .routes(routes!(events::events))
        .routes(routes!(people::people))
        .routes(routes!(people::pair))
        .routes(routes!(people::unpair))
        .routes(routes!(signing_in::sign_in))
        .routes(routes!(signing_in::sign_out))
        .routes(routes!(signing_in::me))
        .routes(routes!(signing_in::make_code))
        .routes(routes!(push::subscribe, push::unsubscribe))
        .routes(routes!(history::forget))
        .routes(routes!(health::healthz))
        .routes(routes!(health::readyz))
        .routes(routes!(metrics::metrics))
        .routes(routes!(openapi::openapi))
        .split_for_parts();
    let description = serde_json::to_vec(&openapi::complete(description))
        .expect("a description made of types is always JSON");
    let limits = Arc::new(Limits::new(
        Arc::clone(&broker),
        options.trusted_proxies,
        options.requests_per_second,
    ));
    let api = Arc::new(Api {
        events: EventLog::new(&broker, options.events_kept),
        jar: Jar::new(
            options.cookie,
            broker.public_url().is_some_and(|url| url.starts_with("https://")),
        ),
        broker,
        body_limit: options.body_limit,
        description: description.into(),
        load: Arc::clone(&load),
        tries: Tries::default(),
    });
    let guard = Arc::new(Guard {
        loopback: options.loopback_only,
        allowed: options.allowed_hosts,
    });
    let no_store = HeaderValue::from_static("no-store");
    let no_sniff = HeaderValue::from_static("nosniff");

    // The last layer is the first that a request meets.
    routes
        .with_state(api)
        .merge(panel::router())
        .merge(options.also)
        .method_not_allowed_fallback(async || {
            Problem::new(Code::Method, "the header `Allow` lists what it takes")
        })
        .fallback(async || Problem::new(Code::UnknownPath, "GET /openapi.json lists every path"))
        .layer(DefaultBodyLimit::max(options.body_limit))
        .layer(axum::middleware::from_fn_with_state(limits, limits::keep))
        .layer(axum::middleware::from_fn_with_state(guard, guard::keep))
        // What is asked and answered is nobody's to keep; the panel's files say otherwise of themselves.
        .layer(SetResponseHeaderLayer::if_not_present(
            header::CACHE_CONTROL,
            no_store,
        ))
        .layer(SetResponseHeaderLayer::if_not_present(
            header::X_CONTENT_TYPE_OPTIONS,
            no_sniff,
        ))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(axum::middleware::from_fn_with_state(load, load::count))
        .layer(TraceLayer::new_for_http().make_span_with(span).on_failure(()))
}

/// What the log says of a request: its method and the pattern of its path. Never the path itself, the query, a header
/// or a body.
fn span(request: &Request) -> tracing::Span {
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or("none", MatchedPath::as_str);
    tracing::debug_span!("request", method = %request.method(), route)
}

fn panicked(_: Box<dyn Any + Send>) -> Response {
    // What it says is left out: it may quote what was being worked on.
    tracing::error!("request panicked");
    Problem::new(Code::Internal, "this request met a bug; the log has the place").into_response()
}
