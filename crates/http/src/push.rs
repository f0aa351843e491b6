//! Which browsers are woken when an ask comes in (web push).
//!
//! A browser that is signed in hands in what its push service gave it, and is woken until it takes that back or its sign-in
//! ends. A token has no browser. What is handed in is a secret: it is answered with nothing, not even in a fault.
//!
//! Tests: `tests/waking.rs`.

use std::sync::Arc;

use askd_core::{
    push::{Browser, BrowserFault},
    rights::Denied,
};
use axum::{extract::State, http::StatusCode};
use serde_json::{Map, Value};

use crate::{
    Api,
    auth::Caller,
    body,
    problem::{Code, Problem},
    schema::NewSubscription,
    view::FaultView,
};

/// Be notified
///
/// From now on this browser is woken when an ask comes in that its person may answer. The body is what
/// `PushManager.subscribe` gave, with the key from `GET /v1/me`. It takes the place of what this sign-in handed in before,
/// and ends with the sign-in. A push says that something waits and nothing else; that its service took it over counts as
/// delivered.
#[utoipa::path(
    post,
    path = "/v1/push",
    operation_id = "subscribe",
    tag = "panel",
    request_body = NewSubscription,
    responses(
        (status = 204, description = "This browser is notified."),
        (status = 404, description = "Web push is not configured (`no-push`)."),
        (status = 422, description = "The body breaks rules, or names a push service that is not trusted (`invalid`)."),
    ),
)]
pub(crate) async fn subscribe(
    State(api): State<Arc<Api>>,
    caller: Caller,
    body::Json(body): body::Json,
) -> Result<StatusCode, Problem> {
    let secret = of_browser(&caller)?;
    if api.broker.push_key().is_none() {
        // Before faults: there is nothing to mend in the body.
        return Err(askd_core::broker::SubscribeError::NotConfigured.into());
    }
    let browser = browser(&body).map_err(Problem::invalid)?;
    api.broker.subscribe(&caller.principal, secret, browser).await?;
    tracing::info!(role = caller.principal.role.as_str(), "browser subscribed");
    Ok(StatusCode::NO_CONTENT)
}

/// Be notified no more
///
/// This browser is woken no more. Calling it twice does the same.
#[utoipa::path(
    delete,
    path = "/v1/push",
    operation_id = "unsubscribe",
    tag = "panel",
    responses((status = 204, description = "This browser is not notified.")),
)]
pub(crate) async fn unsubscribe(State(api): State<Arc<Api>>, caller: Caller) -> Result<StatusCode, Problem> {
    api.broker.unsubscribe(of_browser(&caller)?).await?;
    tracing::info!(role = caller.principal.role.as_str(), "browser unsubscribed");
    Ok(StatusCode::NO_CONTENT)
}

/// The secret of the browser that calls.
fn of_browser(caller: &Caller) -> Result<&str, Problem> {
    if caller.principal.responder().is_none() {
        return Err(Denied::Role.into());
    }
    caller.cookie().ok_or_else(|| {
        Problem::new(
            Code::NoBrowser,
            "a notification wakes the browser that is signed in, and a token has none",
        )
    })
}

/// `{"endpoint": "…", "keys": {"p256dh": "…", "auth": "…"}}`, as `PushSubscription.toJSON` writes it: with an
/// `expirationTime`, which is not needed, since what has expired is answered so.
/// <https://www.w3.org/TR/push-api/#dom-pushsubscription-tojson>
fn browser(body: &Value) -> Result<Browser, Vec<FaultView>> {
    let mut faults = Vec::new();
    let nothing = Map::new();
    let fields = object(body, "", &mut faults).unwrap_or(&nothing);
    only(fields, "", &["endpoint", "keys", "expirationTime"], &mut faults);
    let has_body = faults.is_empty();
    let endpoint = text(fields, "", "endpoint", has_body, &mut faults);
    let keys = fields.get("keys");
    if keys.is_none() && has_body {
        faults.push(FaultView::missing("/keys"));
    }
    let keys = keys.and_then(|keys| object(keys, "/keys", &mut faults));
    let has_keys = keys.is_some();
    let keys = keys.unwrap_or(&nothing);
    only(keys, "/keys", &["p256dh", "auth"], &mut faults);
    let p256dh = text(keys, "/keys", "p256dh", has_keys, &mut faults);
    let auth = text(keys, "/keys", "auth", has_keys, &mut faults);
    if faults.is_empty() {
        Ok(Browser {
            endpoint,
            p256dh,
            auth,
        })
    } else {
        Err(faults)
    }
}

fn object<'a>(value: &'a Value, at: &str, faults: &mut Vec<FaultView>) -> Option<&'a Map<String, Value>> {
    let found = value.as_object();
    if found.is_none() {
        faults.push(FaultView::not_object(at, value).secret());
    }
    found
}

fn only(fields: &Map<String, Value>, at: &str, known: &[&str], faults: &mut Vec<FaultView>) {
    for (name, value) in fields.iter().filter(|(name, _)| !known.contains(&name.as_str())) {
        let pointer = format!("{at}/{}", body::escape(name));
        faults.push(FaultView::unknown_field(&pointer, value).secret());
    }
}

fn text(
    fields: &Map<String, Value>,
    at: &str,
    name: &str,
    is_required: bool,
    faults: &mut Vec<FaultView>,
) -> String {
    let pointer = format!("{at}/{name}");
    match fields.get(name) {
        Some(Value::String(text)) => return text.clone(),
        Some(other) => faults.push(FaultView::not_text(&pointer, other).secret()),
        None if is_required => faults.push(FaultView::missing(&pointer)),
        None => {}
    }
    String::new()
}

impl From<&BrowserFault> for FaultView {
    fn from(fault: &BrowserFault) -> Self {
        let pointer = match fault.field {
            "endpoint" => "/endpoint".to_owned(),
            key => format!("/keys/{key}"),
        };
        Self::wrong(&pointer, &Value::Null, &fault.rule).secret()
    }
}
