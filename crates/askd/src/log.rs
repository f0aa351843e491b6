//! The log: to stderr, one line an event, as text or JSON.
//!
//! systemd and containers add their own instants, but a log file does not, so instants stay. Questions, answers and
//! secrets are never logged by us; the libraries that would log requests are capped, whatever the filter says.

use std::io::IsTerminal as _;

use clap::ValueEnum;
use tracing_subscriber::{
    EnvFilter,
    filter::{LevelFilter, Targets},
    fmt,
    layer::SubscriberExt as _,
    util::SubscriberInitExt as _,
};

use crate::{
    config::Environment,
    out::{Exit, Stop},
};

/// How an event is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    #[default]
    Text,
    /// One object a line.
    Json,
}

/// Libraries that log headers, addresses with tokens in them, or bodies below this level.
const CAPPED: [&str; 8] = [
    "h2",
    "hyper",
    "hyper_util",
    "reqwest",
    "rustls",
    "tokio_tungstenite",
    "tungstenite",
    "twilight_gateway",
];

/// Libraries that quote what agents and people wrote even in warnings. Their errors tell an operator nothing: for rmcp
/// a client that hangs up is one. What matters of it, we log.
const QUOTING: [&str; 1] = ["rmcp"];

/// Starts logging. What is logged says `ASKD_LOG`, else `RUST_LOG`, else `usual`.
pub(crate) fn start(format: Format, environment: &Environment, usual: &str) -> anyhow::Result<()> {
    let filter = filter(environment, usual)?;
    let registry = tracing_subscriber::registry().with(filter).with(capped());
    match format {
        Format::Text => {
            let colours = std::io::stderr().is_terminal() && environment.text("NO_COLOR").is_none();
            let layer = fmt::layer().with_writer(std::io::stderr).with_ansi(colours);
            registry.with(layer).try_init()?;
        }
        Format::Json => {
            let layer = fmt::layer()
                .json()
                .flatten_event(true)
                .with_writer(std::io::stderr);
            registry.with(layer).try_init()?;
        }
    }
    // The text of a panic may quote what people wrote; where it happened is enough to find it.
    std::panic::set_hook(Box::new(|panic| {
        let at = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(at, "panic");
    }));
    Ok(())
}

fn filter(environment: &Environment, usual: &str) -> anyhow::Result<EnvFilter> {
    let named = ["ASKD_LOG", "RUST_LOG"]
        .into_iter()
        .find_map(|name| Some((name, environment.text(name)?)));
    let (name, text) = named.unwrap_or(("", usual));
    let bad = |_| {
        Stop::new(
            Exit::BadConfig,
            format!("{name}: {text:?} is no log filter; write one like info or askd=debug"),
        )
    };
    Ok(EnvFilter::try_new(text).map_err(bad)?)
}

/// A filter of its own, because in one with what the operator says the longer target would win: `rmcp::service=trace`.
fn capped() -> Targets {
    Targets::new()
        .with_default(LevelFilter::TRACE)
        .with_targets(CAPPED.map(|library| (library, LevelFilter::WARN)))
        .with_targets(QUOTING.map(|library| (library, LevelFilter::OFF)))
}

#[cfg(test)]
mod tests {
    use std::{
        io,
        sync::{Arc, Mutex, PoisonError},
    };

    use super::*;

    /// What was written.
    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let mut written = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            written.extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// What is logged of some events under this filter.
    fn logged(said: &str) -> String {
        let filter = filter(&Environment::of(&[("ASKD_LOG", said)]), "info").unwrap();
        let written = Written::default();
        let writer = written.clone();
        let layer = fmt::layer().with_writer(move || writer.clone()).with_ansi(false);
        let subscriber = tracing_subscriber::registry()
            .with(filter)
            .with(capped())
            .with(layer);
        tracing::subscriber::with_default(subscriber, || {
            tracing::error!(target: "rmcp", "quoted");
            tracing::error!(target: "rmcp::service", "quoted");
            tracing::info!(target: "hyper::proto::h1::conn", "header");
            tracing::debug!(target: "hyper_util::client", "header");
            tracing::trace!(target: "reqwest::connect", "header");
            tracing::warn!(target: "hyper", "trouble");
            tracing::info!(target: "askd", "ours");
        });
        let written = written.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8(written.clone()).unwrap()
    }

    #[test]
    fn libraries_that_would_log_requests_stay_capped_whatever_the_filter_says() {
        for said in [
            "trace",
            "info",
            "hyper=trace,reqwest=debug,info",
            "rmcp=debug,info",
            // More to the point than a cap on the whole library.
            "rmcp::service=trace,hyper::proto=trace,reqwest::connect=trace,info",
            "info,hyper_util::client[{x}]=trace",
        ] {
            let log = logged(said);

            assert!(
                !log.contains("quoted") && !log.contains("header"),
                "{said}: {log}"
            );
            assert!(log.contains("trouble") && log.contains("ours"), "{said}: {log}");
        }
    }

    #[test]
    fn a_filter_that_is_none_is_bad_configuration_and_names_its_variable() {
        let error = filter(&Environment::of(&[("RUST_LOG", "a=b=c=")]), "info").unwrap_err();

        assert_eq!(Exit::of(&error), Exit::BadConfig);
        assert!(error.to_string().starts_with("RUST_LOG: "), "{error}");
    }
}
