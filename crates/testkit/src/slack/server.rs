//! The HTTP side: paths, bodies, faults on the way, and where it turns into a socket.
//!
//! A call is answered in the order of the real thing: the connection may break before anything is read, an unknown
//! token learns nothing, and only then is something done. A fault that strikes afterwards leaves it done.

use std::{io, sync::Arc};

use axum::{
    Json, Router,
    body::{Body, Bytes},
    extract::{self, FromRequest, Query, Request, WebSocketUpgrade},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use futures_util::stream;
use serde_json::{Value, json};

use super::{
    World,
    arguments::{Arguments, Called},
    faults::Fault,
    methods::{self, Call, Method},
    refusal::Refusal,
    socket,
    state::State,
};

/// What a call through a `response_url` is called.
pub(crate) const RESPONSE_URL: &str = "response_url";

/// The service: the API below `/api`, sockets below `/link`, answers to clicks below `/actions`.
pub(crate) fn router(world: Arc<World>) -> Router {
    Router::new().fallback(answer).with_state(world)
}

async fn answer(extract::State(world): extract::State<Arc<World>>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    if let Some(name) = path.strip_prefix("/api/") {
        return call(&world, name, request).await;
    }
    if path.starts_with("/actions/") {
        return respond(&world, &path, request).await;
    }
    if path.trim_end_matches('/') == "/link" {
        return connect(world, request).await;
    }
    StatusCode::NOT_FOUND.into_response()
}

async fn call(world: &World, name: &str, request: Request) -> Response {
    let method = methods::named(name);
    let called = Called::read(request, method.is_none_or(|method| method.json)).await;
    let (called, unreadable) = match called {
        Ok(called) => (called, None),
        Err(refusal) => (Called::default(), Some(refusal)),
    };
    let token = called.token.clone();
    let run = |state: &mut State| {
        if let Some(refusal) = unreadable {
            return Err(refusal);
        }
        carry_out(state, method, token.as_deref(), &called.arguments)
    };
    let outcome = match through(world, name, &called.arguments, run).await {
        Ok(outcome) => outcome,
        Err(broken) => return broken,
    };
    let mut response = match outcome {
        Ok(mut body) => {
            body["ok"] = true.into();
            if !called.warnings.is_empty() {
                body["warning"] = called.warnings.join(",").into();
                body["response_metadata"]["warnings"] = json!(called.warnings);
            }
            Json(body).into_response()
        }
        Err(refusal) => refused(&refusal),
    };
    let scopes = called
        .token
        .and_then(|token| world.look(|state| state.scopes_of(&token)));
    if let Some(scopes) = scopes {
        set(response.headers_mut(), "x-oauth-scopes", &scopes);
    }
    response
}

fn carry_out(
    state: &mut State,
    method: Option<&Method>,
    token: Option<&str>,
    arguments: &Arguments,
) -> Result<Value, Refusal> {
    let method = method.ok_or_else(Refusal::unknown_method)?;
    state.authorize(method, token, arguments)?;
    method.check(arguments)?;
    (method.run)(state, arguments)
}

async fn respond(world: &World, path: &str, request: Request) -> Response {
    let Ok(called) = Called::read(request, true).await else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let run = |state: &mut State| state.respond(path, &called.arguments).map(|()| json!({}));
    match through(world, RESPONSE_URL, &called.arguments, run).await {
        Ok(Ok(_)) => Json(json!({"ok": true})).into_response(),
        Ok(Err(refusal)) => {
            let status = match refusal.error.as_str() {
                "invalid_url" | "expired_url" | "used_url" => StatusCode::NOT_FOUND,
                _ => StatusCode::BAD_REQUEST,
            };
            (status, Json(refusal.body())).into_response()
        }
        Err(broken) => broken,
    }
}

/// Does something on behalf of a call, with whatever goes wrong on the way. What broke is the error.
async fn through(
    world: &World,
    name: &str,
    arguments: &Arguments,
    run: impl FnOnce(&mut State) -> Result<Value, Refusal> + Send,
) -> Result<Result<Value, Refusal>, Response> {
    let (call, fault) = world.change(|state| {
        state.calls.push(Call {
            method: name.to_owned(),
            arguments: arguments.clone(),
            when: state.now,
            outcome: None,
        });
        (state.calls.len() - 1, state.take_fault(name, arguments))
    });
    if let Some(broken) = before(world, fault.as_ref()).await {
        return Err(broken);
    }
    let outcome = world.change(|state| {
        let outcome = run(state);
        if let Err(refusal) = &outcome {
            state.note(name, refusal);
        }
        state.calls[call].outcome = Some(outcome.clone());
        outcome
    });
    match after(world, fault.as_ref()).await {
        Some(broken) => Err(broken),
        None => Ok(outcome),
    }
}

async fn connect(world: Arc<World>, request: Request) -> Response {
    let ticket = Query::<Vec<(String, String)>>::try_from_uri(request.uri());
    let ticket = ticket.ok().and_then(|Query(pairs)| {
        let mut pairs = pairs.into_iter();
        pairs.find(|(name, _)| name == "ticket").map(|(_, ticket)| ticket)
    });
    let good = world.change(|state| ticket.is_some_and(|ticket| state.use_ticket(&ticket)));
    if !good {
        return StatusCode::FORBIDDEN.into_response();
    }
    match WebSocketUpgrade::from_request(request, &()).await {
        Ok(upgrade) => upgrade.on_upgrade(move |socket| socket::serve(world, socket)),
        Err(rejection) => rejection.into_response(),
    }
}

/// What a fault makes of a call that has not been carried out.
async fn before(world: &World, fault: Option<&Fault>) -> Option<Response> {
    match fault? {
        Fault::Throttled { seconds } => Some(refused(&Refusal::throttled(*seconds))),
        Fault::Refused { error } => Some(refused(&ordered(error))),
        Fault::Gateway { status } => Some(gateway(*status)),
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

/// A refusal that was ordered. Blocks are never refused without saying which.
fn ordered(error: &str) -> Refusal {
    let mut refusal = Refusal::of(error);
    if error == "invalid_blocks" {
        let fault = "must be less than 3001 characters [json-pointer:/blocks/0/text/text]";
        refusal.messages.push(fault.to_owned());
    }
    refusal
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

fn gateway(status: u16) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_GATEWAY);
    let page =
        format!("<!DOCTYPE html>\n<html><head><title>{status}</title></head><body>{status}</body></html>\n");
    (status, [(header::CONTENT_TYPE, "text/html")], page).into_response()
}

fn refused(refusal: &Refusal) -> Response {
    let mut response = (refusal.status(), Json(refusal.body())).into_response();
    if let Some(seconds) = refusal.retry_after {
        set(response.headers_mut(), "retry-after", &seconds.to_string());
    }
    response
}

fn set(headers: &mut HeaderMap, name: &'static str, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(HeaderName::from_static(name), value);
    }
}
