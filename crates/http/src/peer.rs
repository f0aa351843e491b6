//! From where a request comes.
//!
//! Used for limits alone, never for rights. What a client says of itself (`X-Forwarded-For`) counts only where a proxy
//! that the operator named has written it.

use std::{
    convert::Infallible,
    net::{IpAddr, Ipv6Addr},
    sync::Arc,
};

use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, request::Parts},
};

use crate::Api;

/// The other end of the connection; put into each request by `serve`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// From where a request comes, as far as limits tell clients apart: an address, or the network of 64 bits that an IPv6
/// client has to itself. All requests without a connection (in tests) come from one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct From(Option<IpAddr>);

impl From {
    /// A client with this address.
    pub(crate) fn address(address: IpAddr) -> Self {
        Self(Some(match address.to_canonical() {
            IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX))),
            plain @ IpAddr::V4(_) => plain,
        }))
    }
}

impl FromRequestParts<Arc<Api>> for From {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, api: &Arc<Api>) -> Result<Self, Infallible> {
        let Some(Peer(peer)) = parts.extensions.get::<Peer>().copied() else {
            return Ok(Self(None));
        };
        Ok(Self::address(client(peer, &parts.headers, &api.trusted_proxies)))
    }
}

/// The last address in the chain that no trusted proxy has: what stands before it anybody could have written.
fn client(peer: IpAddr, headers: &HeaderMap, trusted: &[IpAddr]) -> IpAddr {
    let is_trusted =
        |address: IpAddr| trusted.contains(&address.to_canonical()) || trusted.contains(&address);
    let mut client = peer;
    let said = headers.get_all("x-forwarded-for").iter();
    let chain: Vec<&str> = said
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .collect();
    for hop in chain.iter().rev() {
        if !is_trusted(client) {
            break;
        }
        let Ok(address) = hop.trim().parse() else { break };
        client = address;
    }
    client
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(peer: &str, forwarded: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", value.parse().unwrap());
        }
        let trusted = ["10.0.0.2".parse().unwrap(), "10.0.0.3".parse().unwrap()];
        client(peer.parse().unwrap(), &headers, &trusted).to_string()
    }

    #[test]
    fn only_a_trusted_proxy_says_who_the_client_is() {
        assert_eq!(seen("203.0.113.9", &[]), "203.0.113.9");
        assert_eq!(seen("203.0.113.9", &["198.51.100.1"]), "203.0.113.9");
        assert_eq!(seen("10.0.0.2", &["198.51.100.1"]), "198.51.100.1");
        assert_eq!(seen("::ffff:10.0.0.2", &["198.51.100.1"]), "198.51.100.1");
        assert_eq!(seen("10.0.0.2", &[]), "10.0.0.2");
    }

    #[test]
    fn what_a_client_wrote_before_its_proxy_counts_for_nothing() {
        assert_eq!(seen("10.0.0.2", &["1.1.1.1, 198.51.100.1"]), "198.51.100.1");
        assert_eq!(seen("10.0.0.2", &["1.1.1.1", "198.51.100.1"]), "198.51.100.1");
        assert_eq!(
            seen("10.0.0.2", &["1.1.1.1, 198.51.100.1, 10.0.0.3"]),
            "198.51.100.1"
        );
        assert_eq!(seen("10.0.0.2", &["nobody"]), "10.0.0.2");
    }

    #[test]
    fn an_ipv6_client_is_its_network() {
        let from = |text: &str| From::address(text.parse().unwrap());

        assert_eq!(from("2001:db8:1:2::1"), from("2001:db8:1:2:ffff::9"));
        assert_ne!(from("2001:db8:1:2::1"), from("2001:db8:1:3::1"));
        assert_eq!(from("::ffff:192.0.2.1"), from("192.0.2.1"));
        assert_ne!(from("192.0.2.1"), from("192.0.2.2"));
    }
}
