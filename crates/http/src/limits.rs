//! How much one caller may ask of us.
//!
//! Three limits, none of which anybody meets who works in an ordinary way:
//!
//! * **Requests of a token**: [`HttpOptions::requests_per_second`](crate::HttpOptions::requests_per_second), and ten seconds'
//!   worth of them at once. An agent that waits makes one request in 55 s.
//! * **Unknown tokens from an address**: [`WRONG_AT_ONCE`], then one each [`WRONG_EVERY`]. It makes guessing pointless and
//!   counts nothing else: a known token is let through from any address, whatever else came from there.
//! * **Held requests** ([`crate::load`]): waits and streams.
//!
//! Time is what has passed by the broker's clock: where that is set back nobody is locked out.
//!
//! Tests: `tests/limiting.rs`.

use std::{net::IpAddr, num::NonZeroU32, sync::Arc, time::Duration};

use askd_core::{broker::Broker, id::TokenName};
use axum::{
    extract::{Request, State},
    http::{HeaderMap, header},
    middleware::Next,
    response::Response,
};
use governor::{
    NotUntil, Quota, RateLimiter, clock::Clock as _, middleware::NoOpMiddleware, nanos::Nanos,
    state::keyed::HashMapStateStore,
};

use crate::{
    problem::{Code, Problem},
    remote::{Client, Remote},
};

/// Unknown tokens that one address may send at once: somebody who rolls a token out to many machines behind one address
/// gets it wrong more than once.
const WRONG_AT_ONCE: NonZeroU32 = NonZeroU32::new(30).expect("30 is not 0");

/// How often one address may send an unknown token after that.
const WRONG_EVERY: Duration = Duration::from_secs(2);

/// How many seconds' worth of its requests a token may make at once.
const BURST: u32 = 10;

/// Most addresses that are kept apart; beyond, all further ones share one count. Each takes some 100 bytes.
const MOST_ADDRESSES: usize = 10_000;

type Limiter<K> = RateLimiter<K, HashMapStateStore<K>, Passed, NoOpMiddleware<Nanos>>;

/// The limits of one API.
pub(crate) struct Limits {
    broker: Arc<Broker>,
    proxies: Vec<IpAddr>,
    requests: Limiter<TokenName>,
    wrong: Limiter<Client>,
    clock: Passed,
}

impl Limits {
    pub(crate) fn new(broker: Arc<Broker>, proxies: Vec<IpAddr>, requests_per_second: NonZeroU32) -> Self {
        let clock = Passed(Arc::clone(&broker));
        let burst = requests_per_second.saturating_mul(NonZeroU32::MIN.saturating_add(BURST - 1));
        let requests = Quota::per_second(requests_per_second).allow_burst(burst);
        let wrong = Quota::with_period(WRONG_EVERY).expect("two seconds are not none");
        Self {
            requests: RateLimiter::hashmap_with_clock(requests, clock.clone()),
            wrong: RateLimiter::hashmap_with_clock(wrong.allow_burst(WRONG_AT_ONCE), clock.clone()),
            broker,
            proxies: proxies.into_iter().map(|proxy| proxy.to_canonical()).collect(),
            clock,
        }
    }

    fn check(&self, headers: &HeaderMap, remote: Remote) -> Result<(), Problem> {
        // What is no single token is refused by the route, with the reason.
        let Some(secret) = secret(headers) else {
            return Ok(());
        };
        let tokens = self.broker.tokens();
        if let Some(principal) = tokens.recognise(secret) {
            let checked = self.requests.check_key(&principal.token);
            return checked.map_err(|until| {
                self.refused(
                    Code::TooManyRequests,
                    "this token makes too many requests",
                    &until,
                )
            });
        }
        let checked = self.wrong.check_key(&self.counted_as(remote.client()));
        checked.map_err(|until| {
            self.refused(
                Code::TooManyWrong,
                "too many unknown tokens came from this address; a known one is let through",
                &until,
            )
        })
    }

    fn refused(&self, code: Code, detail: &str, until: &NotUntil<Nanos>) -> Problem {
        let pause = until.wait_time_from(self.clock.now());
        let whole = pause.as_secs() + u64::from(pause.subsec_nanos() > 0);
        Problem::new(code, detail).after(u32::try_from(whole).unwrap_or(u32::MAX).max(1))
    }

    /// By whom an unknown token is counted; all further ones together, where there are too many to tell apart.
    fn counted_as(&self, client: Client) -> Client {
        if self.wrong.len() >= MOST_ADDRESSES {
            self.wrong.retain_recent();
            if self.wrong.len() >= MOST_ADDRESSES {
                return Client::SHARED;
            }
        }
        client
    }
}

/// The one token of a request, as every entrance reads it (RFC 9110 section 11.1).
fn secret(headers: &HeaderMap) -> Option<&str> {
    let mut sent = headers.get_all(header::AUTHORIZATION).iter();
    let (Some(one), None) = (sent.next(), sent.next()) else {
        return None;
    };
    let (scheme, secret) = one.to_str().ok()?.split_once(' ')?;
    scheme
        .eq_ignore_ascii_case("bearer")
        .then(|| secret.trim_matches(' '))
}

/// Finds out where a request comes from, and refuses what is too much.
pub(crate) async fn keep(
    State(limits): State<Arc<Limits>>,
    mut request: Request,
    next: Next,
) -> Result<Response, Problem> {
    let remote = Remote::of(request.extensions(), request.headers(), &limits.proxies);
    limits.check(request.headers(), remote)?;
    request.extensions_mut().insert(remote);
    Ok(next.run(request).await)
}

/// The time that has passed, by the broker's clock.
#[derive(Clone, Debug)]
struct Passed(Arc<Broker>);

impl governor::clock::Clock for Passed {
    type Instant = Nanos;

    fn now(&self) -> Nanos {
        self.0.clock().passed().into()
    }
}
