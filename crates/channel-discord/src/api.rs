//! Our calls to Discord: one HTTP client, its time-outs, its limits, and the token.
//!
//! serenity gives the bodies as types and we send them ourselves (`docs/adr/0004`): its own client goes to the real host
//! whatever it is told, or loses how long to pause. No error leaves this module with its URL in it: the URLs of
//! interactions hold their token.
//!
//! It makes a call once and never waits: whoever calls decides what a pause is worth.

pub(crate) mod pace;
pub(crate) mod route;

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use askd_core::{channel::Source, clock::Clock};
use reqwest::{
    Client, RequestBuilder, Response, Url,
    header::{AUTHORIZATION, HeaderMap, HeaderValue},
    redirect,
};
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

use self::pace::{Counted, Pace, Told};
pub(crate) use self::route::Route;
use crate::{
    config::{ApiUrl, BadConfig, DiscordConfig},
    error::{Failure, Refusal, USUAL_PAUSE},
    limits,
};

/// One bot at one server.
pub(crate) struct Api {
    http: Client,
    base: ApiUrl,
    token: SecretString,
    header: HeaderValue,
    clock: Arc<dyn Clock>,
    pace: Mutex<Pace>,
}

impl fmt::Debug for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `Client` prints no request, but what it will print one day is not ours to say.
        f.debug_struct("Api")
            .field("base", &self.base.as_url().as_str())
            .finish_non_exhaustive()
    }
}

impl Api {
    pub(crate) fn new(config: &DiscordConfig, clock: Arc<dyn Clock>) -> Result<Self, BadConfig> {
        let (token, base) = (config.token()?, config.api()?);
        let mut header =
            HeaderValue::try_from(format!("Bot {}", token.expose_secret())).map_err(|_| BadConfig::Token)?;
        header.set_sensitive(true);
        let http = Client::builder()
            .connect_timeout(limits::CONNECT)
            .tcp_keepalive(Duration::from_secs(30))
            // Whoever redirects a call would be told the token.
            .redirect(redirect::Policy::none())
            // Discord turns away whoever does not name themselves in this form. Source: reference, "User Agent".
            .user_agent(concat!("DiscordBot (askd, ", env!("CARGO_PKG_VERSION"), ")"))
            .build()
            .map_err(|error| BadConfig::Client(error.without_url().into()))?;
        Ok(Self {
            http,
            base,
            token,
            header,
            clock,
            pace: Mutex::default(),
        })
    }

    /// Where calls go.
    pub(crate) fn base(&self) -> &ApiUrl {
        &self.base
    }

    /// The bot's token, for the gateway.
    pub(crate) fn token(&self) -> &SecretString {
        &self.token
    }

    /// Asks for something.
    pub(crate) async fn ask<T: DeserializeOwned>(&self, route: Route<'_>) -> Result<T, Failure> {
        self.call(&route, |request| request).await
    }

    /// Hands something in.
    pub(crate) async fn send<B, T>(&self, route: Route<'_>, body: &B) -> Result<T, Failure>
    where
        B: Serialize + Sync,
        T: DeserializeOwned,
    {
        self.call(&route, |request| request.json(body)).await
    }

    async fn call<T: DeserializeOwned>(
        &self,
        route: &Route<'_>,
        with: impl FnOnce(RequestBuilder) -> RequestBuilder,
    ) -> Result<T, Failure> {
        let counted = route.counted();
        if let Some(counted) = &counted {
            let now = self.clock.now();
            self.pace().admit(counted, now).map_err(Failure::Throttled)?;
        }
        let within = if matches!(route, Route::Answer(..)) {
            limits::ANSWER
        } else {
            limits::CALL
        };
        let mut request = self.http.request(route.method(), self.url(route)).timeout(within);
        if route.is_ours() {
            request = request.header(AUTHORIZATION, self.header.clone());
        }
        let response = with(request).send().await.map_err(unsent)?;
        self.understand(counted.as_ref(), response).await
    }

    fn url(&self, route: &Route<'_>) -> Url {
        let mut url = self.base.as_url().clone();
        url.path_segments_mut()
            .expect("an http URL has a path")
            .pop_if_empty()
            .extend(["api", "v10"])
            .extend(route.segments());
        let query = route.query();
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        url
    }

    async fn understand<T: DeserializeOwned>(
        &self,
        counted: Option<&Counted>,
        response: Response,
    ) -> Result<T, Failure> {
        let status = response.status().as_u16();
        let headers = Headers::read(response.headers());
        let now = self.clock.now();
        if let (Some(counted), Some(told)) = (counted, &headers.told) {
            self.pace().learn(counted, told, now);
        }
        let body = response
            .bytes()
            .await
            .map_err(|error| Failure::NoAnswer(redacted(error)))?;
        if status == 429 {
            let limit = Limit::read(&headers, &body);
            if let Some(counted) = counted {
                self.pace()
                    .refused(counted, limit.pause, limit.everything, self.clock.now());
            }
            return Err(Failure::Throttled(limit.pause));
        }
        understand(status, &body)
    }

    /// A panic while the lock is held leaves a whole value behind: each change is one step.
    fn pace(&self) -> MutexGuard<'_, Pace> {
        self.pace.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Before a connection stands, nothing can have been done.
fn unsent(error: reqwest::Error) -> Failure {
    if error.is_connect() || error.is_builder() {
        Failure::NotSent(redacted(error))
    } else {
        Failure::NoAnswer(redacted(error))
    }
}

fn redacted(error: reqwest::Error) -> Source {
    error.without_url().into()
}

/// What the headers of an answer say of limits.
#[derive(Debug, Default, PartialEq)]
struct Headers {
    told: Option<Told>,
    retry_after: Option<Duration>,
    is_global: bool,
}

impl Headers {
    fn read(headers: &HeaderMap) -> Self {
        let text = |name: &str| headers.get(name)?.to_str().ok();
        let seconds = |name: &str| seconds(text(name)?.parse().ok()?);
        let told = || {
            Some(Told {
                bucket: text("x-ratelimit-bucket")?.to_owned(),
                remaining: text("x-ratelimit-remaining")?.parse().ok()?,
                reset_after: seconds("x-ratelimit-reset-after")?,
            })
        };
        Self {
            told: told(),
            retry_after: seconds("retry-after").or_else(|| seconds("x-ratelimit-reset-after")),
            is_global: text("x-ratelimit-global").is_some_and(|text| text == "true"),
        }
    }
}

fn seconds(number: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(number).ok()
}

/// What a refusal for too many calls says.
#[derive(Debug, PartialEq)]
struct Limit {
    pause: Duration,
    /// Whether nothing else may be called either.
    everything: bool,
}

impl Limit {
    fn read(headers: &Headers, body: &[u8]) -> Self {
        #[derive(Deserialize)]
        struct Body {
            retry_after: Option<f64>,
            #[serde(default)]
            global: bool,
        }
        match serde_json::from_slice::<Body>(body) {
            Ok(body) => Self {
                pause: body
                    .retry_after
                    .and_then(seconds)
                    .or(headers.retry_after)
                    .unwrap_or(USUAL_PAUSE),
                everything: body.global || headers.is_global,
            },
            // What stands before Discord turns away an address, not a call.
            Err(_) => Self {
                pause: headers.retry_after.unwrap_or(limits::WORTH_WAITING),
                everything: true,
            },
        }
    }
}

/// An answer that is none of Discord's, such as a proxy's page.
#[derive(Debug, thiserror::Error)]
#[error("an answer of status {0} that is not Discord's")]
struct Foreign(u16);

/// Reads an answer. A failure of the server is no answer: it may have failed after the work was done.
fn understand<T: DeserializeOwned>(status: u16, body: &[u8]) -> Result<T, Failure> {
    #[derive(Deserialize)]
    struct Refused {
        code: u64,
        errors: Option<Value>,
    }
    let foreign = || Foreign(status).into();
    if (200..300).contains(&status) {
        // Nothing to tell is told by no body at all.
        let body = if body.is_empty() { b"null" } else { body };
        return serde_json::from_slice(body).map_err(|_| Failure::NoAnswer(foreign()));
    }
    if status >= 500 {
        return Err(Failure::NoAnswer(foreign()));
    }
    let Ok(refused) = serde_json::from_slice::<Refused>(body) else {
        // A gateway that turns a request away has not passed it on; one that gave up waiting may have.
        return Err(if status == 408 {
            Failure::NoAnswer(foreign())
        } else {
            Failure::NotSent(foreign())
        });
    };
    let fields = refused.errors.as_ref().and_then(Value::as_object);
    Err(Failure::Refused(Refusal {
        status,
        code: refused.code,
        of_controls: fields.is_some_and(|fields| fields.keys().all(|field| field == "components")),
    }))
}

#[cfg(test)]
mod tests;
