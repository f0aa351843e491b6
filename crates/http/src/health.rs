//! Whether askd lives, and whether it works. Both without a token, for probes; neither tells a secret.

use std::sync::Arc;

use askd_core::broker::ChannelHealth;
use axum::{Json, extract::State};

use crate::{
    Api,
    problem::Problem,
    view::{ChannelView, HealthView, ReadyView},
};

/// Whether the process lives
///
/// Looks at nothing: for a probe that restarts the process.
#[utoipa::path(
    get,
    path = "/healthz",
    operation_id = "health",
    tag = "operation",
    security(()),
    responses((status = 200, description = "It does.", body = HealthView)),
)]
pub(crate) async fn healthz() -> Json<HealthView> {
    Json(HealthView { status: "ok" })
}

/// Whether everything works
///
/// Ready means: the store answers, every configured channel is connected, and no stop is under way. A channel that
/// reconnects makes it unready for that long; asks are taken over all the same.
#[utoipa::path(
    get,
    path = "/readyz",
    operation_id = "readiness",
    tag = "operation",
    security(()),
    responses(
        (status = 200, description = "Everything works.", body = ReadyView),
        (status = 503, description = "Something does not; `checks` says what."),
    ),
)]
pub(crate) async fn readyz(State(api): State<Arc<Api>>) -> Result<Json<ReadyView>, Problem> {
    let mut wanting = Vec::new();
    let store = match api.broker.check_store().await {
        Ok(()) => "up",
        Err(error) => {
            wanting.push(error.to_string());
            "down"
        }
    };
    let mut channels = Vec::new();
    for (name, health) in api.broker.channels_health() {
        let (state, reason) = match health {
            ChannelHealth::Up => ("up", None),
            ChannelHealth::Starting => ("starting", None),
            ChannelHealth::Down(why) => ("down", Some(why)),
        };
        if state != "up" {
            wanting.push(format!("channel {name} is {state}"));
        }
        let name = name.to_string();
        channels.push(ChannelView { name, state, reason });
    }
    if api.broker.stopping().is_cancelled() {
        wanting.push("askd is stopping".to_owned());
    }
    let ready = wanting.is_empty();
    let checks = ReadyView {
        ready,
        store,
        channels,
    };
    if ready {
        Ok(Json(checks))
    } else {
        Err(Problem::not_ready(wanting.join("; "), checks))
    }
}
