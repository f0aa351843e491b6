//! The HTTP side: paths, bodies, faults on the way.
//!
//! A call is answered in the order of the real thing: the connection may break before anything is read, an unknown
//! token learns nothing of methods, and only then is something done. A fault that strikes afterwards leaves it done.

use std::{io, sync::Arc};

use axum::{
    Json, Router,
    body::{Body, Bytes},
    extract::{self, Request},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use futures_util::stream;
use serde_json::{Value, json};

use super::{
    World,
    arguments::Arguments,
    faults::Fault,
    methods::{self, Call, Method, Run, polling},
    refusal::Refusal,
};

/// The service that answers for `world` below `prefix`, which is empty or begins with a slash.
pub(crate) fn router(world: Arc<World>, prefix: &str) -> Router {
    let service = Service {
        world,
        prefix: prefix.trim_end_matches('/').to_owned(),
    };
    Router::new().fallback(answer).with_state(Arc::new(service))
}

struct Service {
    world: Arc<World>,
    prefix: String,
}

async fn answer(extract::State(service): extract::State<Arc<Service>>, request: Request) -> Response {
    let world = &service.world;
    let not_found = || refused(&Refusal::not_found("Not Found"));
    let path = request.uri().path().to_owned();
    let Some((token, name)) = path
        .strip_prefix(service.prefix.as_str())
        .and_then(|path| path.strip_prefix("/bot"))
        .and_then(|path| path.split_once('/'))
    else {
        return not_found();
    };
    if !token.contains(':') {
        return not_found();
    }
    let method = methods::named(name);
    let arguments = match Arguments::read(request).await {
        Ok(arguments) => arguments,
        Err(refusal) => return refused(&refusal),
    };
    let (call, fault) = world.change(|state| {
        state.calls.push(Call {
            method: method.map_or(name, |method| method.name).to_owned(),
            arguments: arguments.clone(),
            when: state.now,
            outcome: None,
        });
        (
            state.calls.len() - 1,
            state.faults.take(&name.to_lowercase(), &arguments),
        )
    });
    if let Some(broken) = before(world, fault.as_ref()).await {
        return broken;
    }
    let outcome = if world.look(|state| state.bot.token == token) {
        run(world, method, &arguments).await
    } else {
        Some(Err(Refusal::unauthorized()))
    };
    let Some(outcome) = outcome else {
        return lost();
    };
    world.change(|state| {
        if let Err(refusal) = &outcome
            && refusal.rule_broken
        {
            let violation = format!("{}: {}", state.calls[call].method, refusal.description);
            state.violations.push(violation);
        }
        state.calls[call].outcome = Some(outcome.clone());
    });
    if let Some(broken) = after(world, fault.as_ref()).await {
        return broken;
    }
    match outcome {
        Ok(result) => Json(json!({"ok": true, "result": result})).into_response(),
        Err(refusal) => refused(&refusal),
    }
}

/// Carries a call out. None where the connection broke meanwhile.
async fn run(
    world: &World,
    method: Option<&Method>,
    arguments: &Arguments,
) -> Option<Result<Value, Refusal>> {
    let Some(method) = method else {
        return Some(Err(Refusal::not_found("Not Found: method not found")));
    };
    if let Err(refusal) = method.check(arguments) {
        return Some(Err(refusal));
    }
    match method.run {
        Run::Now(run) => Some(world.change(|state| run(state, arguments))),
        // Whichever comes second is dropped: a poll that has not answered has changed nothing that a later one would
        // not find again.
        Run::Poll => tokio::select! {
            biased;
            outcome = polling::get_updates(world, arguments) => Some(outcome),
            () = world.until_changed(|state| state.faults.broken) => None,
        },
    }
}

/// What a fault makes of a call that has not been carried out.
async fn before(world: &World, fault: Option<&Fault>) -> Option<Response> {
    match fault? {
        Fault::Throttled { seconds } => Some(refused(&Refusal::throttled(*seconds))),
        Fault::Refused { code, description } => Some(refused(&Refusal::other(*code, description))),
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
    let page = format!(
        "<html>\r\n<head><title>{status}</title></head>\r\n<body><center><h1>{status}</h1></center></body>\r\n</html>\r\n"
    );
    (status, [(header::CONTENT_TYPE, "text/html")], page).into_response()
}

fn refused(refusal: &Refusal) -> Response {
    let mut response = (refusal.status(), Json(refusal.body())).into_response();
    if let Some(seconds) = refusal.retry_after {
        response
            .headers_mut()
            .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}
