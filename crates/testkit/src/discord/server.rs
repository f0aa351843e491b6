//! The HTTP side: paths, tokens, bodies, headers, faults on the way.
//!
//! A call is answered in the order of the real thing: the connection may break before anything is read, an unknown
//! token learns nothing, and only then is something done. A fault that strikes afterwards leaves it done.

use std::{collections::BTreeMap, io, sync::Arc};

use axum::{
    Json, Router,
    body::{Body, Bytes, to_bytes},
    extract::{self, FromRequestParts, Request, WebSocketUpgrade},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use futures_util::stream;
use serde_json::Value;

use super::{
    World,
    faults::Fault,
    rates::Pace,
    refusal::Refusal,
    routes::{self, Call, Found, Reply, Route},
    socket,
};

/// Below which the API stands.
const PREFIX: &str = "/api/v10";

/// Largest body that is read. Source: Discord docs, "Uploading Files", less the files.
const LARGEST: usize = 1 << 20;

/// The service that answers for `world`, over HTTP and as gateway.
pub(crate) fn router(world: Arc<World>) -> Router {
    Router::new().fallback(answer).with_state(world)
}

async fn answer(extract::State(world): extract::State<Arc<World>>, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    if parts.headers.contains_key(header::UPGRADE) {
        return gateway(world, &mut parts).await;
    }
    let path = parts.uri.path().to_owned();
    let Some(path) = path.strip_prefix(PREFIX).map(str::to_owned) else {
        return refused(&Refusal::not_found().broken());
    };
    let Ok(bytes) = to_bytes(body, LARGEST).await else {
        return lost();
    };
    Conversation {
        world,
        parts,
        path,
        bytes,
    }
    .answer()
    .await
}

/// A client wants to become a socket of the gateway.
async fn gateway(world: Arc<World>, parts: &mut Parts) -> Response {
    if world.look(|state| state.sessions.closed) {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    let query = query(parts);
    let says = |name: &str| query.get(name).map_or("", String::as_str);
    let compressed = match says("compress") {
        "" => false,
        "zlib-stream" => true,
        other => return refuse_socket(&world, &format!("compress={other}")),
    };
    if says("v") != "10" || says("encoding") != "json" {
        return refuse_socket(
            &world,
            &format!("v={} and encoding={}", says("v"), says("encoding")),
        );
    }
    let path = parts.uri.path().to_owned();
    match WebSocketUpgrade::from_request_parts(parts, &()).await {
        Ok(upgrade) => upgrade.on_upgrade(move |socket| socket::serve(world, socket, path, compressed)),
        Err(rejection) => rejection.into_response(),
    }
}

fn refuse_socket(world: &World, what: &str) -> Response {
    world.change(|state| state.broke(format!("gateway: the fake does not model {what}")));
    StatusCode::BAD_REQUEST.into_response()
}

/// A call and its answer.
struct Conversation {
    world: Arc<World>,
    parts: Parts,
    path: String,
    bytes: Bytes,
}

/// Counts a call that is under way, until it ends in whatever way.
struct UnderWay<'a>(&'a World);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.change(|state| state.under_way -= 1);
    }
}

impl Conversation {
    async fn answer(self) -> Response {
        let world = Arc::clone(&self.world);
        world.change(|state| state.under_way += 1);
        let _under_way = UnderWay(&world);
        let found = routes::find(self.parts.method.as_str(), &self.path);
        let body = self.body();
        let (n, fault) = self.note(&found, body.as_ref().unwrap_or(&Value::Null));
        if let Some(broken) = before(&world, fault.as_ref()).await {
            return broken;
        }
        let (outcome, pace) = self.carry_out(found, body);
        world.change(|state| {
            if let Err(refusal) = &outcome
                && refusal.rule_broken
            {
                let call = &state.calls[n];
                let name = if call.route.is_empty() {
                    &call.path
                } else {
                    call.route
                };
                let violation = format!("{name}: {}", refusal.reason());
                state.broke(violation);
            }
            state.calls[n].outcome = Some(match &outcome {
                Ok(Reply::Told(value) | Reply::Made(value)) => Ok(value.clone()),
                Ok(Reply::Done) => Ok(Value::Null),
                Err(refusal) => Err(refusal.clone()),
            });
        });
        if let Some(broken) = after(&world, fault.as_ref()).await {
            return broken;
        }
        let mut response = match outcome {
            Ok(Reply::Told(value)) => Json(value).into_response(),
            Ok(Reply::Made(value)) => (StatusCode::CREATED, Json(value)).into_response(),
            Ok(Reply::Done) => StatusCode::NO_CONTENT.into_response(),
            Err(refusal) => refused(&refusal),
        };
        if let Some(pace) = pace {
            pace.write(response.headers_mut());
        }
        response
    }

    /// The body as JSON; null where it is empty.
    fn body(&self) -> Result<Value, Refusal> {
        if self.bytes.is_empty() {
            return Ok(Value::Null);
        }
        let kind = self.parts.headers.get(header::CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if !kind.starts_with("application/json") {
            return Err(Refusal::not_modelled(&format!("a body of type {kind:?}")));
        }
        serde_json::from_slice(&self.bytes).map_err(|_| Refusal::invalid_json())
    }

    /// Notes the call, and finds the fault that is meant for it.
    fn note(&self, found: &Found, body: &Value) -> (usize, Option<Fault>) {
        self.world.change(|state| {
            let call = Call {
                route: match found {
                    Found::Route(route, _) => route.name,
                    Found::OtherMethod | Found::Nothing => "",
                },
                method: self.parts.method.to_string(),
                path: self.path.clone(),
                query: query(&self.parts),
                body: body.clone(),
                when: state.now,
                outcome: None,
            };
            if let Found::Route(_, parameters) = found
                && let Some(interaction) = parameters.get("interaction_id")
            {
                state.tries(interaction);
            }
            let fault = state.faults.take(&call);
            state.calls.push(call);
            (state.calls.len() - 1, fault)
        })
    }

    fn carry_out(
        &self,
        found: Found,
        body: Result<Value, Refusal>,
    ) -> (Result<Reply, Refusal>, Option<Pace>) {
        let (route, parameters) = match found {
            Found::Route(route, parameters) => (route, parameters),
            Found::OtherMethod => {
                return (
                    Err(Refusal::new(405, 0, "405: Method Not Allowed").broken()),
                    None,
                );
            }
            Found::Nothing => {
                let what = format!("{} {}", self.parts.method, self.path);
                return (Err(Refusal::not_modelled(&what)), None);
            }
        };
        self.world.change(|state| {
            if let Err(refusal) = self.admit(route, &state.bot.token) {
                return (Err(refusal), None);
            }
            let bucket = route.bucket(&parameters);
            let now = state.now;
            let pace = state.rates.count(&bucket, route.allowed, route.authorized, now);
            let pace = match pace {
                Ok(pace) => pace,
                Err(refused) => {
                    let (refusal, pace) = *refused;
                    return (Err(refusal), Some(pace));
                }
            };
            let request = body.and_then(|body| route.request(parameters, query(&self.parts), body));
            let outcome = request.and_then(|request| (route.run)(state, &request));
            (outcome, Some(pace))
        })
    }

    /// Whether a client that says who it is may call this route.
    fn admit(&self, route: &Route, token: &str) -> Result<(), Refusal> {
        let says = |name: HeaderName| {
            let value = self.parts.headers.get(name);
            value.and_then(|value| value.to_str().ok()).unwrap_or_default()
        };
        // Source: Discord docs, "API Reference", "User Agent": without it Cloudflare may block the call.
        if !says(header::USER_AGENT).starts_with("DiscordBot (") {
            return Err(Refusal::no_user_agent());
        }
        if route.authorized && says(header::AUTHORIZATION) != format!("Bot {token}") {
            return Err(Refusal::unauthorized());
        }
        Ok(())
    }
}

fn query(parts: &Parts) -> BTreeMap<String, String> {
    let pairs = extract::Query::<BTreeMap<String, String>>::try_from_uri(&parts.uri);
    pairs.map(|pairs| pairs.0).unwrap_or_default()
}

/// What a fault makes of a call that has not been carried out.
async fn before(world: &World, fault: Option<&Fault>) -> Option<Response> {
    match fault? {
        Fault::Throttled { pause } => Some(refused(&Refusal::throttled(*pause, false))),
        Fault::ThrottledGlobally { pause } => Some(refused(&Refusal::throttled(*pause, true))),
        Fault::Barred { seconds } => Some(barred(*seconds)),
        Fault::Refused(refusal) => Some(refused(refusal)),
        Fault::Gateway { status } => Some(page(*status)),
        Fault::Lost { done: false } => Some(lost()),
        Fault::Hangs { done: false } => Some(hang(world).await),
        Fault::Slow { by } => {
            let until = world.now() + *by;
            world.sleep_until(until).await;
            None
        }
        Fault::Lost { done: true } | Fault::Hangs { done: true } => None,
    }
}

/// What a fault makes of a call that has been carried out.
async fn after(world: &World, fault: Option<&Fault>) -> Option<Response> {
    match fault? {
        Fault::Lost { done: true } => Some(lost()),
        Fault::Hangs { done: true } => Some(hang(world).await),
        _ => None,
    }
}

/// Answers nothing until somebody mends it; then the connection breaks.
async fn hang(world: &World) -> Response {
    struct Hanging<'a>(&'a World);
    impl Drop for Hanging<'_> {
        fn drop(&mut self) {
            self.0.change(|state| state.faults.hanging -= 1);
        }
    }
    world.change(|state| state.faults.hanging += 1);
    let hanging = Hanging(world);
    world.until_changed(|state| state.faults.mended).await;
    drop(hanging);
    lost()
}

/// An answer that breaks off before its first byte: the server has not sent its head when the body fails.
fn lost() -> Response {
    let broken = stream::iter([Err::<Bytes, _>(io::Error::other("ordered by the test"))]);
    Body::from_stream(broken).into_response()
}

/// A page of a server in between.
fn page(status: u16) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_GATEWAY);
    let page = format!(
        "<html>\r\n<head><title>{status}</title></head>\r\n<body><center><h1>{status}</h1></center></body>\r\n</html>\r\n"
    );
    (status, [(header::CONTENT_TYPE, "text/html")], page).into_response()
}

/// Cloudflare has had enough: no JSON, and none of Discord's headers.
fn barred(seconds: u64) -> Response {
    let mut response = page(429);
    let headers = response.headers_mut();
    headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    headers.insert(header::SERVER, HeaderValue::from_static("cloudflare"));
    response
}

fn refused(refusal: &Refusal) -> Response {
    let mut response = (refusal.status(), Json(refusal.body())).into_response();
    if let Some(pause) = refusal.retry_after {
        throttled(response.headers_mut(), pause, refusal.global);
    }
    response
}

fn throttled(headers: &mut HeaderMap, pause: std::time::Duration, global: bool) {
    let seconds = pause.as_secs() + u64::from(pause.subsec_nanos() > 0);
    headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    let scope = if global { "global" } else { "user" };
    headers.insert("x-ratelimit-scope", HeaderValue::from_static(scope));
    if global {
        headers.insert("x-ratelimit-global", HeaderValue::from_static("true"));
    }
}
