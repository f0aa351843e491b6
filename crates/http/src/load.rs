//! How much is going on at this moment, and when that is enough.
//!
//! A wait or a stream holds a connection open for minutes; where there are as many of them as are allowed, the next is
//! refused at once (503, `Retry-After`) instead of slowing down everybody. Asking and answering are never refused for that.
//! Requests are counted here too, by the pattern of their path and the class of their status: of both there are only so
//! many.
//!
//! Tests: `tests/limiting.rs`, `tests/metrics.rs`.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use axum::{
    extract::{MatchedPath, Request, State},
    middleware::Next,
    response::Response,
};
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family},
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::problem::{Code, Problem};

/// Seconds after which a refused wait or stream may be tried again.
const PAUSE: u32 = 5;

/// What is going on.
#[derive(Debug)]
pub(crate) struct Load {
    held: Arc<Semaphore>,
    pub(crate) streams: Gauge,
    pub(crate) connections: Gauge,
    pub(crate) requests: Family<Answered, Counter>,
    pub(crate) refused: Family<Refused, Counter>,
}

/// By which requests are counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct Answered {
    /// The pattern of the path, as it is declared; `none` for a path that is not.
    route: String,
    /// `2xx`, `4xx` and so on.
    status: &'static str,
}

/// By which refused requests are counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct Refused {
    /// One of [`Refused::REASONS`].
    pub(crate) reason: &'static str,
}

impl Refused {
    /// As many connections as are allowed are open.
    pub(crate) const CONNECTIONS: &str = "connections";
    /// As many waits and streams as are allowed are held.
    pub(crate) const HELD: &str = "held";
    /// The token makes too many requests.
    pub(crate) const REQUESTS: &str = "requests";
    /// Too many unknown tokens came from the address.
    pub(crate) const UNKNOWN_TOKENS: &str = "unknown_tokens";
    /// All of them.
    pub(crate) const REASONS: [&str; 4] = [
        Self::CONNECTIONS,
        Self::HELD,
        Self::REQUESTS,
        Self::UNKNOWN_TOKENS,
    ];
}

/// How many there are of something.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gauge(Arc<AtomicUsize>);

impl Gauge {
    pub(crate) fn get(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    /// One more, for as long as what is returned lives.
    pub(crate) fn one_more(&self) -> Counted {
        self.0.fetch_add(1, Ordering::Relaxed);
        Counted(self.clone())
    }
}

/// One of a [`Gauge`].
#[derive(Debug)]
pub(crate) struct Counted(Gauge);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Load {
    pub(crate) fn new(most_held: usize) -> Self {
        Self {
            held: Arc::new(Semaphore::new(most_held.min(Semaphore::MAX_PERMITS))),
            streams: Gauge::default(),
            connections: Gauge::default(),
            requests: Family::default(),
            refused: Family::default(),
        }
    }

    /// A place among the held ones, for as long as what is returned lives.
    ///
    /// # Errors
    /// Where there is none.
    pub(crate) fn hold(&self) -> Result<OwnedSemaphorePermit, Problem> {
        Arc::clone(&self.held).try_acquire_owned().map_err(|_| {
            let detail =
                "as many waits and streams as are allowed are open; without `wait` this works at once";
            Problem::new(Code::Overloaded, detail).after(PAUSE)
        })
    }
}

/// Counts a request by how it was answered.
pub(crate) async fn count(State(load): State<Arc<Load>>, request: Request, next: Next) -> Response {
    let pattern = request.extensions().get::<MatchedPath>();
    let route = pattern.map_or("none", MatchedPath::as_str).to_owned();
    let response = next.run(request).await;
    if let Some(code) = response.extensions().get::<Code>() {
        let reason = match code {
            Code::Overloaded => Some(Refused::HELD),
            Code::TooManyRequests => Some(Refused::REQUESTS),
            Code::TooManyWrong => Some(Refused::UNKNOWN_TOKENS),
            _ => None,
        };
        if let Some(reason) = reason {
            load.refused.get_or_create(&Refused { reason }).inc();
        }
    }
    let status = match response.status().as_u16() {
        100..=199 => "1xx",
        200..=299 => "2xx",
        300..=399 => "3xx",
        400..=499 => "4xx",
        _ => "5xx",
    };
    load.requests.get_or_create(&Answered { route, status }).inc();
    response
}
