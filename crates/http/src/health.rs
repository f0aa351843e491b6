//! Whether askd lives, and whether it works. Both without a token, for probes; neither tells a secret.

use std::{sync::Arc, time::Duration};

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
/// Ready means: something can be stored, every configured channel hears its platform, and no stop is under way. A channel
/// counts by what was heard on it, not by whether it is connected: one that is silent for too long is `deaf`. Asks are taken
/// over all the same. The store is tried at most every five seconds.
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
    for (name, vitals) in api.broker.channels_vitals() {
        let (state, reason) = match vitals.health {
            ChannelHealth::Up => ("up", None),
            ChannelHealth::Starting => ("starting", None),
            ChannelHealth::Deaf => ("deaf", Some(silence(vitals.heard))),
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

/// How long a platform has been silent, in words.
fn silence(heard: Option<Duration>) -> String {
    match heard {
        Some(ago) => format!("nothing was heard from the platform for {} s", ago.as_secs()),
        None => "nothing was heard from the platform since the start".to_owned(),
    }
}
