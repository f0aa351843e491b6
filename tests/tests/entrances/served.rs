//! The real server before a broker.

use std::sync::Arc;

use askd_core::broker::Broker;
use askd_http::HttpOptions;
use askd_mcp::McpOptions;
use askd_testkit::entrance_suite::Refusal;
use serde_json::Value;
use tokio::{net::TcpListener, task::JoinSet};

/// A server that runs. Ends with the value.
pub(crate) struct Served {
    /// Where it listens.
    pub(crate) url: String,
    _server: JoinSet<std::io::Result<()>>,
}

impl Served {
    pub(crate) async fn start(broker: Arc<Broker>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await;
        let listener = listener.expect("there is a free port");
        let url = format!(
            "http://{}",
            listener.local_addr().expect("it is bound to an address")
        );
        let stop = broker.stopping().clone();
        let options = HttpOptions {
            also: askd_mcp::router(Arc::clone(&broker), McpOptions::new([1; 32])),
            ..HttpOptions::default()
        };
        let mut server = JoinSet::new();
        server.spawn(askd_http::serve(listener, broker, options, stop));
        Self { url, _server: server }
    }
}

/// Why a call was refused, by the problem that came back: programs compare its `type`.
pub(crate) fn refusal(problem: &Value) -> Refusal {
    let kind = problem["type"].as_str().unwrap_or_default();
    match kind.strip_prefix("urn:askd:problem:") {
        Some("invalid") => Refusal::Invalid(faults(problem)),
        Some("subagent") => Refusal::Subagent,
        Some("role") => Refusal::Role,
        Some("no-ask") => Refusal::NoAsk,
        Some("key-reused") => Refusal::KeyReused,
        Some("too-many-pending") => Refusal::TooManyPending,
        _ => Refusal::Other(problem.to_string()),
    }
}

pub(crate) fn faults(problem: &Value) -> Vec<(String, String)> {
    let text = |fault: &Value, name: &str| fault[name].as_str().unwrap_or_default().to_owned();
    let faults = problem["errors"].as_array().into_iter().flatten();
    faults
        .map(|fault| (text(fault, "pointer"), text(fault, "rule")))
        .collect()
}
