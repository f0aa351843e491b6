//! Signing in to the panel, and out.
//!
//! A link with a one-time code in its fragment opens the page, which posts the code and gets a cookie. The cookie is out
//! of reach of scripts, is sent to this origin alone and never on the way from another site, and holds a random secret
//! whose hash is stored; what it may do is looked up each time (`auth`). Only `POST /v1/sign-in` is open to everybody.
//!
//! Codes have 128 bits and live for ten minutes, so nobody guesses one; that tries are limited (`tries`) is for the log
//! and the store.
//!
//! Tests: `tests/signing_in.rs`.

pub(crate) mod cookie;
pub(crate) mod tries;

use std::sync::Arc;

use askd_core::{id::PersonName, rights::Denied, words::Language};
use axum::{
    Extension, Json,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use serde_json::Value;

use crate::{
    Api,
    auth::{self, Caller},
    body,
    problem::{Code, Problem},
    remote::Remote,
    schema::{NewSignIn, NewSignInCode},
    view::{FaultView, MeView, PushView, SignInCodeView},
};

/// Sign in
///
/// With the code of a link that an operator made. The cookie that comes back is good in place of a token for 30 days, in
/// the panel alone: a request that changes something must also carry `Askd-Client: panel`.
#[utoipa::path(
    post,
    path = "/v1/sign-in",
    operation_id = "signIn",
    tag = "panel",
    security(()),
    request_body = NewSignIn,
    responses(
        (status = 204, description = "Signed in.",
            headers(("Set-Cookie" = String, description = "The sign-in; not for scripts."))),
        (status = 401, description = "No code, or none any more (`sign-in-code`)."),
        (status = 422, description = "The body breaks rules (`invalid`)."),
        (status = 429, description = "Too many wrong codes (`too-many-tries`); `Retry-After` says when to go on."),
    ),
)]
pub(crate) async fn sign_in(
    State(api): State<Arc<Api>>,
    Extension(remote): Extension<Remote>,
    headers: HeaderMap,
    body::Json(body): body::Json,
) -> Result<Response, Problem> {
    auth::refuse_subagents(&headers)?;
    let code = text(&body, "code").map_err(Problem::invalid)?;
    let (clock, from) = (api.broker.clock(), remote.client());
    api.tries
        .begin(from, clock.now())
        .map_err(Problem::too_many_tries)?;
    let Some(signed_in) = api.broker.sign_in(&code).await? else {
        tracing::info!("sign-in refused");
        return Err(Problem::sign_in_code());
    };
    api.tries.succeeded(from);
    // Who signs in anew leaves nothing behind that still counts.
    for earlier in api.jar.sent(&headers) {
        api.broker.sign_out(&earlier).await?;
    }
    tracing::info!(role = signed_in.principal.role.as_str(), "signed in");
    let lasts = signed_in.expires.duration_since(clock.now());
    let set = api.jar.set(&signed_in.secret, lasts, remote.is_encrypted);
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, set)]).into_response())
}

/// Sign out
///
/// Ends the sign-in of this browser, and the streams that are open with it. A token is not ended by it.
#[utoipa::path(
    post,
    path = "/v1/sign-out",
    operation_id = "signOut",
    tag = "panel",
    responses((status = 204, description = "Signed out.")),
)]
pub(crate) async fn sign_out(
    State(api): State<Arc<Api>>,
    Extension(remote): Extension<Remote>,
    caller: Caller,
) -> Result<Response, Problem> {
    if caller.principal.responder().is_none() {
        return Err(Denied::Role.into());
    }
    if let Some(secret) = caller.cookie() {
        api.broker.sign_out(secret).await?;
        tracing::info!("signed out");
    }
    let removed = api.jar.remove(remote.is_encrypted);
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, removed)]).into_response())
}

/// Who calls
///
/// For people and operators: what the panel shows of who is signed in.
#[utoipa::path(
    get,
    path = "/v1/me",
    operation_id = "me",
    tag = "panel",
    responses((status = 200, description = "The caller.", body = MeView)),
)]
pub(crate) async fn me(State(api): State<Arc<Api>>, caller: Caller) -> Result<Json<MeView>, Problem> {
    let me = api.broker.me(&caller.principal)?;
    Ok(Json(MeView {
        role: caller.principal.role.as_str(),
        name: me.name,
        person: me.person.map(|person| person.to_string()),
        language: me.language.map(Language::tag),
        time_zone: me.time_zone,
        languages: Language::ALL.map(Language::tag).to_vec(),
        push: api.broker.push_key().map(|key| PushView {
            public_key: key.to_owned(),
        }),
    }))
}

/// Make a code for signing in
///
/// For a person, or, without one, for the operator who calls. The link is for their browser alone: it works once, within
/// ten minutes. Its code stands in the fragment, so that no log, proxy or link preview sees it.
#[utoipa::path(
    post,
    path = "/v1/sign-in/codes",
    operation_id = "makeSignInCode",
    tag = "people",
    request_body(content = Option<NewSignInCode>, description = "Without a body it is for the operator who calls."),
    responses(
        (status = 201, description = "The code, shown this once.", body = SignInCodeView),
        (status = 404, description = "There is no such person (`no-person`)."),
        (status = 422, description = "The body breaks rules (`invalid`)."),
    ),
)]
pub(crate) async fn make_code(
    State(api): State<Arc<Api>>,
    caller: Caller,
    body::OptionalJson(body): body::OptionalJson,
) -> Result<Response, Problem> {
    // Rights before faults: who may not operate learns nothing about bodies.
    caller.principal.may_operate()?;
    let person = match body {
        None | Some(Value::Null) => None,
        Some(body) => person(&body).map_err(Problem::invalid)?,
    };
    let offer = api
        .broker
        .offer_sign_in(&caller.principal, person.as_ref())
        .await?;
    let view = SignInCodeView {
        person: person.map(|person| person.to_string()),
        url: api.broker.public_url().map(|base| offer.link(base)),
        expires: offer.expires,
        code: offer.code,
    };
    Ok((StatusCode::CREATED, Json(view)).into_response())
}

/// `{"person": "sara"}`, `{"person": null}` or `{}`.
fn person(body: &Value) -> Result<Option<PersonName>, Vec<FaultView>> {
    let mut faults = Vec::new();
    let person = match body::only_field(body, "person", false, &mut faults) {
        None | Some(Value::Null) => None,
        Some(Value::String(name)) => Some(PersonName::new(name.as_str())),
        Some(other) => {
            faults.push(FaultView::not_text("/person", other));
            None
        }
    };
    if faults.is_empty() {
        Ok(person)
    } else {
        Err(faults)
    }
}

/// The text that is the body's only field.
fn text(body: &Value, field: &str) -> Result<String, Vec<FaultView>> {
    let mut faults = Vec::new();
    let mut text = String::new();
    match body::only_field(body, field, true, &mut faults) {
        Some(Value::String(sent)) => text.clone_from(sent),
        // Not shown back: it may be a code all the same.
        Some(other) => faults.push(FaultView::not_text(&format!("/{field}"), other)),
        None => {}
    }
    if faults.is_empty() { Ok(text) } else { Err(faults) }
}

impl Problem {
    /// Nothing is known of this code; used, too old and never made are one.
    fn sign_in_code() -> Self {
        Self::new(
            Code::NoSignIn,
            "the link was used already, is older than ten minutes, or was never made; ask for a new one",
        )
        .challenged(r#"Bearer realm="askd""#)
    }

    fn too_many_tries(seconds: u32) -> Self {
        Self::new(
            Code::TooManyTries,
            format!("too many wrong codes; try again in {seconds} seconds"),
        )
        .after(seconds)
    }
}
