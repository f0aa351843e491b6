//! A push service, and browsers that are subscribed with it.
//!
//! Behaves like those of the browsers' makers: it gives each browser an address of its own, takes only pushes that are
//! signed with the key the browser subscribed with (VAPID), refuses what breaks a rule of the protocol, and keeps a later
//! push in the place of an earlier one of the same topic. What it took over a [`Device`] decrypts. It fails on request.

mod request;

use std::{
    collections::{BTreeMap, VecDeque},
    io,
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use askd_core::{clock::Clock, push::Browser};
use axum::{
    Router,
    body::{Body, Bytes, to_bytes},
    extract::{self, Request},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use base64ct::{Base64UrlUnpadded, Encoding as _};
use futures_util::stream;
use p256::{SecretKey, elliptic_curve::sec1::ToEncodedPoint as _};
use tokio::{net::TcpListener, sync::watch, task::JoinHandle};
use web_push_native::Auth;

pub use self::request::Pushed;

/// A service that runs. It ends when dropped.
#[derive(Debug)]
pub struct PushService {
    shared: Arc<Shared>,
    serving: JoinHandle<()>,
}

#[derive(Debug)]
struct Shared {
    origin: String,
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
    /// Touched whenever a request was answered.
    answered: watch::Sender<()>,
}

#[derive(Debug, Default)]
struct State {
    browsers: BTreeMap<String, Subscribed>,
    /// Of every request to anywhere here, in order.
    requests: usize,
    /// What came to an address that it never gave out.
    strays: Vec<String>,
}

/// What the service knows of one browser, and what a test wants of it.
#[derive(Debug)]
struct Subscribed {
    device: Device,
    /// The application server key it subscribed with.
    server_key: String,
    gone: bool,
    faults: VecDeque<Fault>,
    /// What was accepted.
    pushed: Vec<Pushed>,
    /// What was refused because it broke a rule, and which.
    refused: Vec<String>,
    requests: usize,
}

/// How the service fails, once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Answers with this status, and `Retry-After` where there is a text.
    Says(u16, Option<&'static str>),
    /// The connection breaks before an answer.
    Breaks,
    /// Sends the caller elsewhere.
    Redirects(String),
    /// Answers nothing until the service ends.
    Hangs,
}

/// A browser that is subscribed.
#[derive(Clone)]
pub struct Device {
    path: String,
    /// What the page hands to the server.
    pub browser: Browser,
    secret: SecretKey,
    auth: [u8; 16],
}

impl std::fmt::Debug for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Device").field(&self.path).finish()
    }
}

impl Device {
    /// What is in a push to this browser.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn decrypt(&self, body: &[u8]) -> Result<Vec<u8>, String> {
        let auth = Auth::clone_from_slice(&self.auth);
        web_push_native::decrypt(body.to_vec(), &self.secret, &auth).map_err(|error| error.to_string())
    }
}

impl PushService {
    /// Starts one on a free port of this machine, on the runtime that runs.
    ///
    /// # Panics
    /// If nothing can listen there.
    #[expect(
        clippy::disallowed_methods,
        reason = "a fake of a test, which aborts what it spawned"
    )]
    pub async fn start(clock: Arc<dyn Clock>) -> Self {
        let free = SocketAddr::from(([127, 0, 0, 1], 0));
        let listener = TcpListener::bind(free).await.expect("a port is free");
        let address = listener.local_addr().expect("it listens");
        let shared = Arc::new(Shared {
            origin: format!("http://{address}"),
            clock,
            state: Mutex::default(),
            answered: watch::Sender::new(()),
        });
        let router = Router::new().fallback(answer).with_state(Arc::clone(&shared));
        let serving = tokio::spawn(async move {
            axum::serve(listener, router).await.expect("it serves");
        });
        Self { shared, serving }
    }

    /// Scheme, host and port: what `push.services` names.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.shared.origin
    }

    /// A browser subscribes with the key of its server, as `PushManager.subscribe` does. Its own key comes from its name.
    ///
    /// # Panics
    /// If `server_key` is no public key in base64url.
    #[must_use]
    pub fn subscribe(&self, name: &str, server_key: &str) -> Device {
        let key = Base64UrlUnpadded::decode_vec(server_key).expect("a key is base64url");
        p256::PublicKey::from_sec1_bytes(&key).expect("a key is a point on the curve");
        let (mut seed, mut auth) = ([1; 32], [2; 16]);
        for (n, byte) in name.bytes().enumerate() {
            seed[n % 32] ^= byte;
            auth[n % 16] ^= byte;
        }
        let secret = SecretKey::from_slice(&seed).expect("so small a number is a key");
        let path = format!("/push/{name}-0123456789abcdef");
        let encoded = |bytes: &[u8]| Base64UrlUnpadded::encode_string(bytes);
        let device = Device {
            browser: Browser {
                endpoint: format!("{}{path}", self.shared.origin),
                p256dh: encoded(secret.public_key().to_encoded_point(false).as_bytes()),
                auth: encoded(&auth),
            },
            path: path.clone(),
            secret,
            auth,
        };
        let subscribed = Subscribed {
            device: device.clone(),
            server_key: server_key.to_owned(),
            gone: false,
            faults: VecDeque::new(),
            pushed: Vec::new(),
            refused: Vec::new(),
            requests: 0,
        };
        self.shared.state().browsers.insert(path, subscribed);
        device
    }

    /// The browser forgets its subscription: from now on its address is worth nothing.
    pub fn forget(&self, device: &Device) {
        self.of(device, |known| known.gone = true);
    }

    /// The next pushes to this browser fail like this, one after the other.
    pub fn fails(&self, device: &Device, faults: impl IntoIterator<Item = Fault>) {
        self.of(device, |known| known.faults.extend(faults));
    }

    /// What the service took over for this browser.
    #[must_use]
    pub fn pushed(&self, device: &Device) -> Vec<Pushed> {
        self.of(device, |known| known.pushed.clone())
    }

    /// How many requests came for this browser, refused ones among them.
    #[must_use]
    pub fn requests(&self, device: &Device) -> usize {
        self.of(device, |known| known.requests)
    }

    /// Every rule that was broken, for this browser or by a request to nobody.
    #[must_use]
    pub fn violations(&self) -> Vec<String> {
        let state = self.shared.state();
        let refused = state.browsers.values().flat_map(|known| &known.refused);
        refused.chain(&state.strays).cloned().collect()
    }

    /// Waits until this browser has been sent so many requests. Whoever waits sets the deadline.
    ///
    /// # Panics
    /// Never: the sender lives as long as `self`.
    pub async fn until_requests(&self, device: &Device, number: usize) {
        let mut answered = self.shared.answered.subscribe();
        while self.requests(device) < number {
            answered.changed().await.expect("the sender is ours");
        }
    }

    fn of<T>(&self, device: &Device, what: impl FnOnce(&mut Subscribed) -> T) -> T {
        let mut state = self.shared.state();
        what(state.browsers.get_mut(&device.path).expect("it subscribed here"))
    }
}

impl Drop for PushService {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn answer(extract::State(shared): extract::State<Arc<Shared>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    // More than any service takes, so that what is too long is seen.
    let body = to_bytes(body, 64 * 1024).await.unwrap_or_default();
    let (response, hangs) = respond(&shared, &parts, &body);
    shared.answered.send_replace(());
    if hangs {
        std::future::pending::<()>().await;
    }
    response
}

/// The answer, and whether it is never given.
fn respond(shared: &Shared, parts: &axum::http::request::Parts, body: &Bytes) -> (Response, bool) {
    let mut state = shared.state();
    state.requests += 1;
    let path = parts.uri.path();
    let Some(known) = state.browsers.get_mut(path) else {
        state.strays.push(format!("{} {path}", parts.method));
        return (StatusCode::NOT_FOUND.into_response(), false);
    };
    known.requests += 1;
    match known.faults.pop_front() {
        Some(Fault::Says(status, retry_after)) => {
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_GATEWAY);
            let mut response = status.into_response();
            if let Some(text) = retry_after {
                let headers = response.headers_mut();
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static(text));
            }
            return (response, false);
        }
        // The server has not sent its head when the body fails.
        Some(Fault::Breaks) => {
            let broken = stream::iter([Err::<Bytes, _>(io::Error::other("ordered by the test"))]);
            return (Body::from_stream(broken).into_response(), false);
        }
        Some(Fault::Redirects(to)) => {
            let there = [(header::LOCATION, to)];
            return ((StatusCode::TEMPORARY_REDIRECT, there).into_response(), false);
        }
        Some(Fault::Hangs) => return (StatusCode::OK.into_response(), true),
        None => {}
    }
    if known.gone {
        return (StatusCode::GONE.into_response(), false);
    }
    let read = request::read(parts, body, known, &shared.origin, shared.clock.now());
    match read {
        Ok(pushed) => {
            // One that still waits gives way to a later one of its topic.
            known.pushed.retain(|earlier| earlier.topic != pushed.topic);
            known.pushed.push(pushed);
            let message = format!("{}/message/{}", shared.origin, known.requests);
            (
                (StatusCode::CREATED, [(header::LOCATION, message)]).into_response(),
                false,
            )
        }
        Err((status, rule)) => {
            known.refused.push(rule.to_owned());
            (status.into_response(), false)
        }
    }
}
