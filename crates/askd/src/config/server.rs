//! `[server]`, `[store]`, `[limits]` and `[history]`: what the process itself is given.

use std::{
    net::{IpAddr, SocketAddr},
    path::PathBuf,
};

use askd_core::{present::Reader, words::Language};
use jiff::tz::TimeZone;
use reqwest::Url;

use super::{directory, section::Section};

/// Where askd listens if nobody says otherwise.
pub(crate) const DEFAULT_LISTEN: SocketAddr =
    SocketAddr::new(IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 7373);

/// `[server]`, without what is for readers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Server {
    /// Where to listen.
    pub(crate) listen: SocketAddr,
    /// Proxies in front, which end TLS; without one askd listens on this machine alone. What they say of the caller is
    /// believed, and what anybody else says is not.
    pub(crate) trusted_proxies: Vec<IpAddr>,
    /// Where people reach the panel, without a trailing slash.
    pub(crate) public_url: Option<String>,
}

/// `[limits]` and `[history]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Most pending asks per token.
    pub(crate) max_pending: u32,
    /// Longest body of a request. Unit: bytes.
    pub(crate) max_body_bytes: u32,
    /// Most requests of one token. Unit: requests per second.
    pub(crate) requests_per_second: u32,
    /// Most waits and streams at once.
    pub(crate) max_held: u32,
    /// Most connections at once.
    pub(crate) max_connections: u32,
    /// Days that an ask is kept after its end.
    pub(crate) retention_days: u32,
}

/// Reads `[server]`, and what readers have who say nothing of their own.
pub(super) fn server(root: &Section<'_>) -> (Server, Reader) {
    let section = root.section("server");
    let proxies = section.texts("trusted_proxy");
    let listen = section.parsed("listen", |text| {
        let wrong =
            |_| format!("{text:?} is no address to listen on; write one like 127.0.0.1:7373 or [::1]:7373");
        text.parse::<SocketAddr>().map_err(wrong)
    });
    if let Some(listen) = listen
        .as_ref()
        .filter(|found| !found.value.ip().is_loopback() && proxies.is_empty())
    {
        let reason = "would be reachable from other machines without encryption; put a TLS proxy in front and name \
                      it in trusted_proxy, or listen on 127.0.0.1";
        section.refuse(listen, reason);
    }
    let mut trusted_proxies = Vec::new();
    for proxy in &proxies {
        match proxy.value.parse() {
            Ok(address) => trusted_proxies.push(address),
            Err(_) => section.refuse(proxy, format!("{:?} is no IP address", proxy.value)),
        }
    }
    let public_url = section.parsed("public_url", public_url).map(|found| found.value);
    let (language, time_zone) = directory::reader(&section);
    section.finish();
    let reader = Reader {
        language: language.unwrap_or(Language::English),
        time_zone: time_zone.unwrap_or_else(|| TimeZone::try_system().unwrap_or(TimeZone::UTC)),
    };
    let listen = listen.map_or(DEFAULT_LISTEN, |found| found.value);
    (
        Server {
            listen,
            trusted_proxies,
            public_url,
        },
        reader,
    )
}

/// The database file of `[store]`.
pub(super) fn store(root: &Section<'_>) -> Option<PathBuf> {
    let section = root.section("store");
    let path = section.parsed("url", |url| {
        let path = url
            .strip_prefix("sqlite://")
            .filter(|path| path.starts_with('/') && !path.ends_with('/'));
        path.map(PathBuf::from)
            .ok_or("must be sqlite:// and an absolute path, as in sqlite:///var/lib/askd/askd.db")
    });
    section.finish();
    path.map(|found| found.value)
}

/// Reads `[limits]` and `[history]`.
pub(super) fn limits(root: &Section<'_>) -> Limits {
    let (limits, history) = (root.section("limits"), root.section("history"));
    let read = Limits {
        max_pending: limits.integer("max_pending", 1..=10_000).unwrap_or(5),
        // The largest valid ask has about 25,000 characters: 100,000 bytes of UTF-8, three times that if escaped.
        max_body_bytes: limits
            .integer("max_body_bytes", 131_072..=16_777_216)
            .unwrap_or(524_288),
        requests_per_second: limits
            .integer("requests_per_second", 1..=1_000_000)
            .unwrap_or(100),
        max_held: limits.integer("max_held", 1..=1_000_000).unwrap_or(4000),
        max_connections: limits.integer("max_connections", 8..=1_000_000).unwrap_or(5000),
        retention_days: history.integer("retention_days", 1..=36_500).unwrap_or(30),
    };
    limits.finish();
    history.finish();
    read
}

/// How long calls over MCP are held, of `[mcp]`. Unit: seconds.
pub(super) fn mcp(root: &Section<'_>) -> Option<u32> {
    let section = root.section("mcp");
    let seconds = hold(&section);
    section.finish();
    seconds
}

/// `hold_seconds` of a section. An ask lives for an hour at most.
pub(super) fn hold(section: &Section<'_>) -> Option<u32> {
    section.integer("hold_seconds", 1..=3600)
}

fn public_url(text: &str) -> Result<String, &'static str> {
    const WRONG: &str = "must be a web address such as https://askd.example.org, without query";
    let url = Url::parse(text).map_err(|_| WRONG)?;
    let plain = matches!(url.scheme(), "http" | "https")
        && url.has_host()
        && url.query().is_none()
        && url.fragment().is_none()
        && url.username().is_empty()
        && url.password().is_none();
    if plain {
        Ok(text.trim_end_matches('/').to_owned())
    } else {
        Err(WRONG)
    }
}
