//! Figures for a dashboard, as OpenMetrics text.
//!
//! What they are is counted elsewhere: by the broker and the store ([`Figures`]), and here by `load`. They are written down
//! when somebody asks. A label is the name of a channel from the configuration, the pattern of a path or a word from a list
//! in the code: never anything that somebody sent, so that nothing said can be read here and their number is bounded.
//!
//! Each is described in `docs/operations.md`. Tests: `tests/metrics.rs`.

use std::{
    fmt::Debug,
    hash::Hash,
    sync::{Arc, atomic::AtomicU64},
    time::Duration,
};

use askd_core::{
    broker::{ChannelHealth, Figures},
    store::{DeliveryResult, tally::ENDS},
};
use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use prometheus_client::{
    encoding::{EncodeLabelSet, EncodeMetric, text::encode},
    metrics::{
        TypedMetric,
        counter::ConstCounter,
        family::Family,
        gauge::{ConstGauge, Gauge},
        info::Info,
    },
    registry::{Registry, Unit},
};

use crate::{
    Api,
    auth::Caller,
    load::{Load, Refused},
    problem::Problem,
};

/// OpenMetrics 1.0.0, section "Content types".
const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Figures for a dashboard
///
/// For operators. OpenMetrics text, as Prometheus reads it; counters begin at nothing with the process.
#[utoipa::path(
    get,
    path = "/metrics",
    operation_id = "metrics",
    tag = "operation",
    responses((
        status = 200, description = "OpenMetrics text.", body = String,
        content_type = "application/openmetrics-text"
    )),
)]
pub(crate) async fn metrics(State(api): State<Arc<Api>>, caller: Caller) -> Result<Response, Problem> {
    caller.principal.may_operate()?;
    // As /readyz judges it: a store that can only be read is down.
    let stores = api.broker.check_store().await.is_ok();
    let text = text(&api.broker.figures().await, stores, &api.load);
    Ok(([(header::CONTENT_TYPE, CONTENT_TYPE)], text).into_response())
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfChannel {
    channel: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfDelivery {
    channel: String,
    result: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfEnd {
    end: &'static str,
}

/// Seconds; whole numbers would hide what a scrape every few seconds can see.
type Age = Gauge<f64, AtomicU64>;

fn text(figures: &Figures, stores: bool, load: &Load) -> String {
    let mut registry = Registry::with_prefix("askd");
    registry.register(
        "build",
        "The version that runs",
        Info::new([("version", env!("CARGO_PKG_VERSION"))]),
    );
    of_channels(&mut registry, figures);
    of_asks(&mut registry, figures, stores);
    of_requests(&mut registry, figures, load);
    let mut text = String::new();
    encode(&mut text, &registry).expect("a String takes whatever is written to it");
    text
}

fn of_channels(registry: &mut Registry, figures: &Figures) {
    let up = Family::<OfChannel, Gauge>::default();
    let (heard, event) = (
        Family::<OfChannel, Age>::default(),
        Family::<OfChannel, Age>::default(),
    );
    let deliveries = Counters::<OfDelivery>::default();
    for (name, vitals) in &figures.channels {
        let channel = OfChannel {
            channel: name.to_string(),
        };
        let is_up = i64::from(vitals.health == ChannelHealth::Up);
        up.get_or_create(&channel).set(is_up);
        let ages = [(&heard, vitals.heard), (&event, vitals.event)];
        for (family, age) in ages {
            if let Some(age) = age {
                family.get_or_create(&channel).set(Duration::as_secs_f64(&age));
            }
        }
    }
    let configured = figures.channels.keys();
    let all = configured.flat_map(|name| DeliveryResult::ALL.map(|result| ((name.clone(), result), 0)));
    let counted = figures.tally.deliveries.clone();
    for ((channel, result), count) in all.chain(counted) {
        let labels = OfDelivery {
            channel: channel.to_string(),
            result: result.as_str(),
        };
        deliveries.set(&labels, count);
    }
    registry.register(
        "channel_up",
        "Whether the platform was heard within the channel's limit",
        up,
    );
    registry.register_with_unit(
        "channel_heard_age",
        "Time since the platform was heard last: an event, a poll or a heartbeat that was answered",
        Unit::Seconds,
        heard,
    );
    registry.register_with_unit(
        "channel_event_age",
        "Time since somebody did something on the channel",
        Unit::Seconds,
        event,
    );
    registry.register("deliveries", "What deliveries came to", deliveries.0);
}

fn of_asks(registry: &mut Registry, figures: &Figures, stores: bool) {
    let ends = Counters::<OfEnd>::default();
    for end in ENDS {
        let count = figures.tally.ends.get(end).copied().unwrap_or(0);
        ends.set(&OfEnd { end }, count);
    }
    if let Some(pending) = figures.pending {
        gauge(registry, "asks_pending", "Asks that wait for an answer", pending);
    }
    registry.register("asks_ended", "Asks that are over, by how they ended", ends.0);
    gauge(
        registry,
        "store_up",
        "Whether the store answers and takes what is to be stored",
        u64::from(stores && figures.pending.is_some()),
    );
    counter(
        registry,
        "store_commits",
        "Transactions that were made durable",
        figures.tally.commits,
    );
    gauge(
        registry,
        "store_queue",
        "Calls that wait to be written",
        figures.tally.queue,
    );
}

fn of_requests(registry: &mut Registry, figures: &Figures, load: &Load) {
    for reason in Refused::REASONS {
        drop(load.refused.get_or_create(&Refused { reason }));
    }
    registry.register(
        "http_requests",
        "Requests, by the pattern of their path and the class of their status",
        load.requests.clone(),
    );
    registry.register(
        "http_refused",
        "Requests and connections that were refused because there are too many",
        load.refused.clone(),
    );
    gauge(
        registry,
        "http_connections",
        "Connections that are open",
        load.connections.get(),
    );
    gauge(
        registry,
        "streams",
        "Streams of events that are open",
        load.streams.get(),
    );
    gauge(
        registry,
        "waiters",
        "Calls that hold until an ask is over, on every entrance",
        figures.waiting,
    );
}

/// Counters whose values are known already.
struct Counters<L>(Family<L, prometheus_client::metrics::counter::Counter>);

impl<L: Clone + Hash + Eq> Default for Counters<L> {
    fn default() -> Self {
        Self(Family::default())
    }
}

impl<L: Clone + Hash + Eq> Counters<L> {
    /// Each set of labels once, or first with 0.
    fn set(&self, labels: &L, count: u64) {
        self.0.get_or_create_owned(labels).inc_by(count);
    }
}

fn counter(registry: &mut Registry, name: &str, help: &str, value: u64) {
    register(registry, name, help, ConstCounter::new(value));
}

fn gauge(registry: &mut Registry, name: &str, help: &str, value: impl TryInto<i64>) {
    register(
        registry,
        name,
        help,
        ConstGauge::new(value.try_into().unwrap_or(i64::MAX)),
    );
}

fn register(
    registry: &mut Registry,
    name: &str,
    help: &str,
    metric: impl EncodeMetric + TypedMetric + Send + Sync + Debug + 'static,
) {
    registry.register(name, help, metric);
}
