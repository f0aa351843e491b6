//! The request that wakes a browser, and what its answer means.

use std::{fmt, sync::Arc, time::Duration};

use askd_core::{
    channel::{ChannelError, Source},
    clock::Clock,
    push::{Browser, BrowserFault, Push, PushSender},
};
use async_trait::async_trait;
use base64ct::{Base64UrlUnpadded, Encoding as _};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use jiff::{Timestamp, fmt::rfc2822};
use p256::PublicKey;
use reqwest::{Client, Request, Url, redirect};
use web_push_native::{Auth, WebPushBuilder};

use crate::{
    config::{BadConfig, Contact, PushConfig},
    limits,
    services::{self, Service},
    vapid::Key,
};

/// All that is ever pushed. Some browsers drop a push without content, and RFC 8188 knows no empty one.
const CONTENT: &[u8] = b"{}";

/// Pushes to the services of browsers.
pub struct WebPush {
    http: Client,
    key: Key,
    contact: Contact,
    services: Vec<Service>,
    clock: Arc<dyn Clock>,
}

impl fmt::Debug for WebPush {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the key.
        f.debug_struct("WebPush")
            .field("services", &self.services)
            .finish_non_exhaustive()
    }
}

impl WebPush {
    /// Makes ready; calls nobody.
    ///
    /// # Errors
    /// See [`BadConfig`].
    pub fn new(config: PushConfig, clock: Arc<dyn Clock>) -> Result<Self, BadConfig> {
        let http = Client::builder()
            .connect_timeout(limits::CONNECT)
            .timeout(limits::PUSH)
            // A service that sends askd elsewhere would choose whom it calls.
            .redirect(redirect::Policy::none())
            .user_agent(concat!("askd/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| BadConfig::Client(error.without_url().into()))?;
        Ok(Self {
            http,
            key: Key::new(&config.key).ok_or(BadConfig::Key)?,
            contact: config.contact,
            services: config.services,
            clock,
        })
    }

    fn request(&self, reach: &Reach, push: Push) -> Result<Request, ChannelError> {
        let now = self.clock.now();
        let origin = services::origin(&reach.endpoint);
        let lasts = Duration::try_from(push.until.duration_since(now)).unwrap_or_default();
        let uri = reach.endpoint.as_str().parse().map_err(|_| unusable())?;
        let mut request = WebPushBuilder::new(uri, reach.p256dh, reach.auth)
            .with_valid_duration(lasts)
            .build(CONTENT)
            .map_err(|error| ChannelError::Rejected {
                code: error.to_string(),
            })?;
        let headers = request.headers_mut();
        // RFC 8030 sections 5.3 and 5.4: a topic has at most 32 characters of base64url, and a post key has 23.
        headers.insert("urgency", HeaderValue::from_static("high"));
        headers.insert("topic", value(&push.topic.to_string())?);
        let authorization = self.key.authorization(&origin, self.contact.as_str(), now);
        headers.insert(header::AUTHORIZATION, value(&authorization)?);
        Request::try_from(request).map_err(|error| ChannelError::Unclear {
            maybe_done: false,
            source: redacted(error),
        })
    }
}

#[async_trait]
impl PushSender for WebPush {
    fn public_key(&self) -> &str {
        self.key.public()
    }

    fn faults(&self, browser: &Browser) -> Vec<BrowserFault> {
        Reach::read(browser, &self.services).err().unwrap_or_default()
    }

    async fn push(&self, browser: &Browser, push: Push) -> Result<(), ChannelError> {
        // What was trusted when it was stored may not be any more.
        let reach = Reach::read(browser, &self.services).map_err(|_| unusable())?;
        let request = self.request(&reach, push)?;
        // Its body is not read: what there is to know is in the status.
        let answer = self.http.execute(request).await;
        let answer = answer.map_err(|error| ChannelError::Unclear {
            maybe_done: !error.is_connect(),
            source: redacted(error),
        })?;
        understand(answer.status(), answer.headers(), self.clock.now())
    }
}

/// What a browser handed in, read.
struct Reach {
    endpoint: Url,
    p256dh: PublicKey,
    auth: Auth,
}

impl Reach {
    fn read(browser: &Browser, named: &[Service]) -> Result<Self, Vec<BrowserFault>> {
        let endpoint = services::endpoint(&browser.endpoint, named);
        let p256dh = decoded(&browser.p256dh, limits::P256DH)
            .and_then(|bytes| PublicKey::from_sec1_bytes(&bytes).ok());
        let auth = decoded(&browser.auth, limits::AUTH);
        match (endpoint, p256dh, auth) {
            (Some(endpoint), Some(p256dh), Some(auth)) => Ok(Self {
                endpoint,
                p256dh,
                auth: Auth::clone_from_slice(&auth),
            }),
            (endpoint, p256dh, auth) => Err([
                (
                    "endpoint",
                    endpoint.is_none(),
                    format!(
                        "must be an address at the push service of a browser's maker, or at one that push.services \
                         names, of at most {} bytes",
                        limits::ENDPOINT
                    ),
                ),
                (
                    "p256dh",
                    p256dh.is_none(),
                    "must be an uncompressed point on P-256, in base64url without padding".to_owned(),
                ),
                (
                    "auth",
                    auth.is_none(),
                    format!("must be {} bytes, in base64url without padding", limits::AUTH),
                ),
            ]
            .into_iter()
            .filter(|(_, is_wrong, _)| *is_wrong)
            .map(|(field, _, rule)| BrowserFault { field, rule })
            .collect()),
        }
    }
}

/// Exactly this many bytes of base64url. A text that is too long is not decoded.
fn decoded(text: &str, bytes: usize) -> Option<Vec<u8>> {
    if text.len() > 2 * bytes {
        return None;
    }
    let found = Base64UrlUnpadded::decode_vec(text).ok()?;
    (found.len() == bytes).then_some(found)
}

/// What an answer means. RFC 8030 sections 5 and 7.3; Apple and Google also say 410 and 404 for what is no more.
fn understand(status: StatusCode, headers: &HeaderMap, now: Timestamp) -> Result<(), ChannelError> {
    let pause = headers
        .get(header::RETRY_AFTER)
        .and_then(|value| retry_after(value.to_str().ok()?, now));
    let code = || format!("status {}", status.as_u16());
    match (status.as_u16(), pause) {
        (200..=299, _) => Ok(()),
        (404 | 410, _) => Err(ChannelError::Unreachable(code().into())),
        (429 | 500..=599, Some(pause)) => Err(ChannelError::Throttled { pause }),
        (408 | 429 | 500..=599, _) => Err(ChannelError::Unclear {
            maybe_done: false,
            source: code().into(),
        }),
        _ => Err(ChannelError::Rejected { code: code() }),
    }
}

/// Seconds, or an instant. RFC 9110 section 10.2.3.
fn retry_after(text: &str, now: Timestamp) -> Option<Duration> {
    if let Ok(seconds) = text.trim().parse() {
        return Some(Duration::from_secs(seconds));
    }
    let instant = rfc2822::DateTimeParser::new().parse_timestamp(text.trim()).ok()?;
    Some(Duration::try_from(instant.duration_since(now)).unwrap_or_default())
}

fn value(text: &str) -> Result<HeaderValue, ChannelError> {
    HeaderValue::from_str(text).map_err(|_| unusable())
}

/// A subscription that cannot be used any more, as it is stored.
fn unusable() -> ChannelError {
    ChannelError::Unreachable("the subscription cannot be used".into())
}

/// Without the address, which is a secret.
fn redacted(error: reqwest::Error) -> Source {
    error.without_url().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_is_seconds_or_an_instant_and_anything_else_is_none() {
        let now: Timestamp = "2026-12-01T09:00:00Z".parse().unwrap();
        for (text, pause) in [
            ("120", Some(120)),
            (" 0 ", Some(0)),
            ("Tue, 01 Dec 2026 09:01:30 GMT", Some(90)),
            ("Tue, 01 Dec 2026 08:00:00 GMT", Some(0)),
            ("soon", None),
            ("-1", None),
            ("1.5", None),
            ("", None),
        ] {
            assert_eq!(retry_after(text, now), pause.map(Duration::from_secs), "{text:?}");
        }
    }
}
