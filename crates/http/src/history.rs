//! Deleting history, for operators.
//!
//! Tests: `tests/history.rs`.

use std::sync::Arc;

use askd_core::{id::AskId, store::Forget};
use axum::{Json, extract::State};
use jiff::Timestamp;
use serde_json::Value;

use crate::{
    Api,
    auth::Caller,
    body,
    problem::Problem,
    schema::WhatToForget,
    view::{FaultView, ForgottenView},
};

/// Delete history
///
/// One ask, a session, or what ended before an instant, with everything about it and for good. What is pending, or whose
/// messages do not show its end yet, stays and is counted.
#[utoipa::path(
    post,
    path = "/v1/forget",
    operation_id = "forget",
    tag = "asks",
    request_body = WhatToForget,
    responses(
        (status = 200, description = "What became of it.", body = ForgottenView),
        (status = 422, description = "The body breaks rules (`invalid`)."),
    ),
)]
pub(crate) async fn forget(
    State(api): State<Arc<Api>>,
    caller: Caller,
    body::Json(body): body::Json,
) -> Result<Json<ForgottenView>, Problem> {
    // Rights before faults: who may not operate learns nothing about bodies.
    caller.principal.may_operate()?;
    let what = what(&body).map_err(|fault| Problem::invalid(vec![fault]))?;
    let done = api.broker.forget(&caller.principal, &what).await?;
    Ok(Json(ForgottenView {
        forgotten: done.forgotten,
        kept: done.kept,
    }))
}

/// Exactly one of three fields: a second would leave open whether both have to hold.
fn what(body: &Value) -> Result<Forget, FaultView> {
    let Value::Object(fields) = body else {
        return Err(FaultView::not_object("", body));
    };
    let mut fields = fields.iter();
    let (Some((name, value)), None) = (fields.next(), fields.next()) else {
        return Err(FaultView::wrong(
            "",
            body,
            "must have one field: ask, session or endedBefore",
        ));
    };
    let pointer = format!("/{}", body::escape(name));
    let Value::String(text) = value else {
        return Err(match name.as_str() {
            "ask" | "session" | "endedBefore" => FaultView::not_text(&pointer, value),
            _ => FaultView::unknown_field(&pointer, value),
        });
    };
    match name.as_str() {
        "ask" => AskId::parse(text)
            .map(Forget::Ask)
            .ok_or_else(|| FaultView::wrong(&pointer, value, "must be the id of an ask")),
        "session" => Ok(Forget::Session(text.clone())),
        "endedBefore" => text
            .parse::<Timestamp>()
            .map(Forget::EndedBefore)
            .map_err(|_| FaultView::wrong(&pointer, value, "must be an instant, as in 2026-12-01T09:30:00Z")),
        _ => Err(FaultView::unknown_field(&pointer, value)),
    }
}
