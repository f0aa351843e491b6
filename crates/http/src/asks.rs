//! Asking, reading, waiting and taking back.
//!
//! A hold (`?wait=`) ends when the ask does, after the seconds asked for, or when askd is to stop: then the ask comes
//! back as it stands, and the caller asks again. Dropping the connection cancels nothing.
//!
//! Tests: `tests/asking.rs`, `tests/waiting.rs`.

use std::sync::Arc;

use askd_core::{
    broker::Query,
    id::{AskId, RunId},
};
use axum::{
    Json,
    extract::{FromRequestParts, Path, State},
    http::{StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use jiff::SignedDuration;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::{
    Api,
    auth::{Caller, IdempotencyKey},
    body,
    bridge::AskedWith,
    problem::Problem,
    schema::NewAsk,
    view::{AskView, CancelledView, PageView, Status},
};

/// Longest hold, in seconds: below the 60 after which proxies commonly give a silent connection up.
pub(crate) const LONGEST_HOLD: u8 = 55;

/// How long to hold.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct Hold {
    /// Seconds to hold until the ask is over; without it the answer comes at once.
    #[serde(default)]
    #[param(value_type = Option<u8>, minimum = 0, maximum = 55)]
    wait: Wait,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(try_from = "String")]
struct Wait(u8);

impl TryFrom<String> for Wait {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.parse() {
            Ok(seconds) if seconds <= LONGEST_HOLD => Ok(Self(seconds)),
            _ => Err(format!("must be whole seconds from 0 to {LONGEST_HOLD}")),
        }
    }
}

impl Hold {
    fn seconds(&self) -> Option<SignedDuration> {
        (self.wait.0 > 0).then(|| SignedDuration::from_secs(i64::from(self.wait.0)))
    }
}

/// The ask in the path. What is no id names no ask.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InPath(pub(crate) AskId);

impl FromRequestParts<Arc<Api>> for InPath {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, api: &Arc<Api>) -> Result<Self, Problem> {
        let Path(text) = Path::<String>::from_request_parts(parts, api)
            .await
            .map_err(|_| Problem::no_ask())?;
        AskId::parse(&text).map(Self).ok_or_else(Problem::no_ask)
    }
}

/// Ask people
///
/// Once this answers, the ask is stored and will be shown. With `wait` it answers when the ask is over, or after that
/// many seconds with the ask still pending: then go on with `GET /v1/asks/{id}?wait=`.
#[utoipa::path(
    post,
    path = "/v1/asks",
    operation_id = "ask",
    tag = "asks",
    params(
        Hold,
        ("Idempotency-Key" = Option<String>, Header, nullable = false, min_length = 1, max_length = 255, description =
            "A repeat under the same key returns the first ask, for as long as that is kept. A key belongs to its \
             token; the same key with another body is refused."),
        ("Askd-Client" = Option<String>, Header, nullable = false, description =
            "Set to `claude-code` by `askd hook claude-code` alone: the question tool it stands in for asks up to four \
             questions, and its `Idempotency-Key` is the tool call's id."),
    ),
    request_body = NewAsk,
    responses(
        (status = 201, description = "Taken over.", body = AskView,
            headers(("Location" = String, description = "Where the ask is read."))),
        (status = 200, description = "The key was used before; this is that ask, as it is now.", body = AskView,
            headers(("Location" = String, description = "Where the ask is read."))),
        (status = 422, description = "The body breaks rules (`invalid`, all of them in `errors`), or the key was used \
            for another body (`key-reused`)."),
        (status = 429, description = "The token has as many pending asks as it may (`too-many-pending`)."),
    ),
)]
pub(crate) async fn ask(
    State(api): State<Arc<Api>>,
    caller: Caller,
    key: IdempotencyKey,
    with: AskedWith,
    body::Params(hold): body::Params<Hold>,
    body::Json(body): body::Json,
) -> Result<Response, Problem> {
    let request = with.request(body, key);
    let accepted = api.broker.ask(&caller.principal, request).await?;
    let id = accepted.record.ask.id;
    let mut view = AskView::from(&accepted.record);
    if hold.wait.0 > 0 {
        // The ask is stored: a wait that fails must not look as if it were not, or it would be asked twice. That a store
        // failed is in the log by now, and that there was no place is told to the next wait.
        if let Ok(later) = held(&api, &caller, id, &hold).await {
            view = later;
        }
    }
    let status = if accepted.repeat {
        StatusCode::OK
    } else {
        StatusCode::CREATED
    };
    let location = [(header::LOCATION, format!("/v1/asks/{id}"))];
    Ok((status, location, Json(view)).into_response())
}

/// Read an ask, or wait for its end
///
/// With `wait` it answers when the ask is over, or after that many seconds with the ask as it stands. Repeat it while
/// `status` is `pending`. Closing the connection cancels nothing.
#[utoipa::path(
    get,
    path = "/v1/asks/{id}",
    operation_id = "read",
    tag = "asks",
    params(("id" = String, Path, description = "The ask."), Hold),
    responses(
        (status = 200, description = "The ask.", body = AskView),
        (status = 404, description = "There is none, or it is another's (`no-ask`)."),
    ),
)]
pub(crate) async fn read(
    State(api): State<Arc<Api>>,
    caller: Caller,
    InPath(id): InPath,
    body::Params(hold): body::Params<Hold>,
) -> Result<Json<AskView>, Problem> {
    held(&api, &caller, id, &hold).await.map(Json)
}

async fn held(api: &Api, caller: &Caller, id: AskId, hold: &Hold) -> Result<AskView, Problem> {
    let record = match hold.seconds() {
        None => api.broker.get(&caller.principal, id).await?,
        Some(seconds) => {
            let _place = api.load.hold()?;
            let until = api.broker.clock().now() + seconds;
            let record = api.broker.wait(&caller.principal, id, until).await?;
            // The token may be withdrawn and the sign-in over by now.
            if !caller.is_current(&api.broker).await {
                return Err(Problem::unauthorized(true));
            }
            record
        }
    };
    Ok(AskView::from(&record))
}

/// Which asks to list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct Which {
    /// Where they are in their life.
    #[param(inline)]
    status: Option<Status>,
    /// Of this session only.
    session: Option<String>,
    /// `next` of the page before.
    #[param(value_type = Option<String>, format = "uuid")]
    cursor: Option<Cursor>,
    /// Asks of one page.
    #[param(value_type = Option<u8>, minimum = 1, maximum = 200)]
    limit: Option<Limit>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "String")]
struct Cursor(AskId);

impl TryFrom<String> for Cursor {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        AskId::parse(&text)
            .map(Self)
            .ok_or("must be `next` of the page before")
    }
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "String")]
struct Limit(usize);

impl TryFrom<String> for Limit {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.parse() {
            Ok(limit) if (1..=Query::MAX).contains(&limit) => Ok(Self(limit)),
            _ => Err(format!("must be a number from 1 to {}", Query::MAX)),
        }
    }
}

/// List asks
///
/// Newest first: an agent's own, those a person may answer, an operator's all.
#[utoipa::path(
    get,
    path = "/v1/asks",
    operation_id = "list",
    tag = "asks",
    params(Which),
    responses((status = 200, description = "One page of asks.", body = PageView)),
)]
pub(crate) async fn list(
    State(api): State<Arc<Api>>,
    caller: Caller,
    body::Params(which): body::Params<Which>,
) -> Result<Json<PageView>, Problem> {
    let query = Query {
        status: which.status.map(|status| status.as_str().to_owned()),
        session: which.session,
        before: which.cursor.map(|cursor| cursor.0),
        limit: which.limit.map(|limit| limit.0),
    };
    let page = api.broker.list(&caller.principal, query).await?;
    Ok(Json(PageView {
        asks: page.records.iter().map(AskView::from).collect(),
        next: page.next.map(|id| id.to_string()),
    }))
}

/// Take an ask back
///
/// One that is over stays as it is: a cancel that finds an answer returns that answer. People skip instead. A body is
/// not read.
#[utoipa::path(
    post,
    path = "/v1/asks/{id}/cancel",
    operation_id = "cancel",
    tag = "asks",
    params(("id" = String, Path, description = "The ask.")),
    responses(
        (status = 200, description = "The ask, over.", body = AskView),
        (status = 404, description = "There is none, or it is another's (`no-ask`)."),
    ),
)]
pub(crate) async fn cancel(
    State(api): State<Arc<Api>>,
    caller: Caller,
    InPath(id): InPath,
) -> Result<Json<AskView>, Problem> {
    let record = api.broker.cancel(&caller.principal, id).await?;
    Ok(Json(AskView::from(&record)))
}

/// Take all asks of a run back
///
/// The caller's own; of any agent for an operator. A run that nobody has heard of has none.
#[utoipa::path(
    delete,
    path = "/v1/runs/{run}",
    operation_id = "cancelRun",
    tag = "asks",
    params(("run" = String, Path, description = "The run, as the agent names it.")),
    responses((status = 200, description = "What this call ended.", body = CancelledView)),
)]
pub(crate) async fn cancel_run(
    State(api): State<Arc<Api>>,
    caller: Caller,
    body::InPath(run): body::InPath,
) -> Result<Json<CancelledView>, Problem> {
    let ended = api.broker.cancel_run(&caller.principal, &RunId::new(run)).await?;
    let cancelled = ended.iter().map(ToString::to_string).collect();
    Ok(Json(CancelledView { cancelled }))
}
