//! From where a request comes.
//!
//! A connection tells its peer, and that is all there is to believe, with one exception: a proxy that the operator named
//! (`trusted_proxy`) ends TLS and connects in the place of others. What its headers say of them is read, and nobody
//! else's: whoever connects directly could write anything there, and would then choose by which address they are judged.
//!
//! A proxy adds to what it was sent, so the last entry is its own, and what is before that is the client's to invent. Many
//! proxies write one family of headers and hand the other on as it came (nginx hands `Forwarded` on). Where both are
//! there and do not agree, one of them is invented, and neither is believed.
//!
//! Tests: below, and `tests/limiting.rs`.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::http::{Extensions, HeaderMap};

/// Who is at the other end of the connection; put into each request by [`serve`](crate::serve).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// Where a request comes from, as far as that is believed. In the extensions of every request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Remote {
    /// The client's address; the proxy's, where that does not tell. `None` for a request that came over no connection.
    pub(crate) address: Option<IpAddr>,
    /// Whether the client speaks TLS with the proxy.
    pub(crate) is_encrypted: bool,
}

/// A client as far as limits tell clients apart: an address, or the network of 64 bits that an IPv6 client has to
/// itself. All requests without a connection (in tests) come from one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Client(Option<IpAddr>);

impl Client {
    /// The one place of all who are not told apart.
    pub(crate) const SHARED: Self = Self(None);

    /// A client with this address.
    pub(crate) fn address(address: IpAddr) -> Self {
        Self(Some(match address.to_canonical() {
            IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX))),
            plain @ IpAddr::V4(_) => plain,
        }))
    }
}

impl Remote {
    /// As limits tell it apart.
    pub(crate) fn client(&self) -> Client {
        self.address.map_or(Client::SHARED, Client::address)
    }

    pub(crate) fn of(extensions: &Extensions, headers: &HeaderMap, proxies: &[IpAddr]) -> Self {
        let Some(Peer(peer)) = extensions.get::<Peer>().copied() else {
            return Self {
                address: None,
                is_encrypted: false,
            };
        };
        let peer = peer.to_canonical();
        let itself = Self {
            address: Some(peer),
            is_encrypted: false,
        };
        if !proxies.contains(&peer) {
            return itself;
        }
        let told = match (forwarded(headers), x_forwarded(headers)) {
            (Some(new), Some(old)) if new.client(proxies) != old.client(proxies) => None,
            (Some(new), Some(old))
                if new.proto != old.proto && new.proto.is_some() && old.proto.is_some() =>
            {
                None
            }
            (Some(one), other) => Some(Told {
                proto: one.proto.or_else(|| other.and_then(|other| other.proto)),
                chain: one.chain,
            }),
            (None, told) => told,
        };
        told.map_or(itself, |told| Self {
            address: Some(told.client(proxies).unwrap_or(peer)),
            is_encrypted: told
                .proto
                .is_some_and(|proto| proto.eq_ignore_ascii_case("https")),
        })
    }
}

/// What a proxy says.
#[derive(Debug)]
struct Told {
    /// The way of the request, the client first; `None` for what is no address.
    chain: Vec<Option<IpAddr>>,
    /// The scheme that the last proxy was spoken to with.
    proto: Option<String>,
}

impl Told {
    /// The last in the way that is no proxy of ours.
    fn client(&self, proxies: &[IpAddr]) -> Option<IpAddr> {
        let mut from_the_end = self.chain.iter().rev();
        let is_ours = |hop: &Option<IpAddr>| hop.is_some_and(|hop| proxies.contains(&hop));
        from_the_end.find(|hop| !is_ours(hop)).copied().flatten()
    }
}

/// `X-Forwarded-For` and `X-Forwarded-Proto`: lists with commas, over as many lines as there are.
fn x_forwarded(headers: &HeaderMap) -> Option<Told> {
    let list = |name: &str| -> Vec<String> {
        let mut parts = Vec::new();
        for line in headers.get_all(name) {
            let line = String::from_utf8_lossy(line.as_bytes());
            parts.extend(line.split(',').map(|part| part.trim().to_owned()));
        }
        parts
    };
    let (chain, protos) = (list("x-forwarded-for"), list("x-forwarded-proto"));
    (!chain.is_empty() || !protos.is_empty()).then(|| Told {
        chain: chain.iter().map(|hop| address(hop)).collect(),
        proto: protos.into_iter().next_back(),
    })
}

/// `Forwarded` (RFC 7239 section 4): elements with commas, pairs with semicolons, values that may be quoted.
fn forwarded(headers: &HeaderMap) -> Option<Told> {
    let lines: Vec<String> = headers
        .get_all("forwarded")
        .iter()
        .map(|line| String::from_utf8_lossy(line.as_bytes()).into_owned())
        .collect();
    if lines.is_empty() {
        return None;
    }
    let whole = lines.join(",");
    let mut told = Told {
        chain: Vec::new(),
        proto: None,
    };
    for element in split(&whole, ',') {
        let (mut hop, mut proto) = (None, None);
        for pair in split(element, ';') {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let value = value.trim().trim_matches('"');
            match name.trim().to_ascii_lowercase().as_str() {
                "for" => hop = address(value),
                "proto" => proto = Some(value.to_owned()),
                _ => {}
            }
        }
        told.chain.push(hop);
        told.proto = proto;
    }
    Some(told)
}

/// Cut at `at`, but not within quotes.
fn split(text: &str, at: char) -> Vec<&str> {
    let mut quoted = false;
    text.split(move |c| {
        quoted ^= c == '"';
        c == at && !quoted
    })
    .collect()
}

/// An address with or without a port; IPv6 in brackets or bare. `unknown` and invented names are none.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'))
        .unwrap_or(text);
    let found = bare
        .parse::<IpAddr>()
        .ok()
        .or_else(|| text.parse::<SocketAddr>().ok().map(|socket| socket.ip()));
    found.map(|found| found.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROXY: &str = "10.0.0.2";

    /// What is believed of a request from `peer` with these headers: address and TLS.
    fn remote(peer: &str, sent: &[(&'static str, &str)]) -> (String, bool) {
        let mut headers = HeaderMap::new();
        for (name, value) in sent {
            headers.append(*name, value.parse().unwrap());
        }
        let mut extensions = Extensions::new();
        extensions.insert(Peer(peer.parse().unwrap()));
        let remote = Remote::of(&extensions, &headers, &[PROXY.parse().unwrap()]);
        (remote.address.unwrap().to_string(), remote.is_encrypted)
    }

    #[test]
    fn an_ipv6_client_is_its_network() {
        let client = |text: &str| Client::address(text.parse().unwrap());

        assert_eq!(client("2001:db8:1:2::1"), client("2001:db8:1:2:ffff::9"));
        assert_ne!(client("2001:db8:1:2::1"), client("2001:db8:1:3::1"));
        assert_eq!(client("::ffff:192.0.2.1"), client("192.0.2.1"));
        assert_ne!(client("192.0.2.1"), client("192.0.2.2"));
    }

    #[test]
    fn what_anybody_but_the_named_proxy_says_of_others_is_not_read() {
        let sent = [
            ("x-forwarded-for", "203.0.113.9"),
            ("x-forwarded-proto", "https"),
            ("forwarded", "for=203.0.113.9;proto=https"),
        ];

        for peer in ["192.0.2.1", "127.0.0.1", "::1", "10.0.0.3"] {
            assert_eq!(remote(peer, &sent), (peer.to_owned(), false));
        }
    }

    #[test]
    fn the_named_proxy_is_believed_in_both_ways_of_writing() {
        let believed = ("203.0.113.9".to_owned(), true);
        for sent in [
            &[("x-forwarded-for", "203.0.113.9"), ("x-forwarded-proto", "https")][..],
            &[("forwarded", "for=203.0.113.9;proto=https;by=10.0.0.2")],
            &[("forwarded", r#"For="203.0.113.9:4711"; Proto="HTTPS""#)],
            &[
                ("x-forwarded-for", "203.0.113.9:4711"),
                ("x-forwarded-proto", "HTTPS"),
            ],
            // As an IPv6 socket sees the same proxy.
            &[
                ("x-forwarded-for", "::ffff:203.0.113.9"),
                ("x-forwarded-proto", "https"),
            ],
        ] {
            assert_eq!(remote(PROXY, sent), believed, "{sent:?}");
            assert_eq!(remote("::ffff:10.0.0.2", sent), believed, "{sent:?}");
        }
        for v6 in [r#"for="[2001:db8::7]:4711""#, r#"for="[2001:db8::7]""#] {
            assert_eq!(remote(PROXY, &[("forwarded", v6)]).0, "2001:db8::7");
        }
    }

    #[test]
    fn what_the_client_wrote_before_the_proxys_entry_is_not_believed() {
        for sent in [
            &[("x-forwarded-for", "127.0.0.1, 10.0.0.9, 203.0.113.9")][..],
            &[
                ("x-forwarded-for", "127.0.0.1"),
                ("x-forwarded-for", "203.0.113.9"),
            ],
            &[("forwarded", "for=127.0.0.1;proto=https, for=203.0.113.9")],
            &[
                ("forwarded", r#"for="127.0.0.1, for=8.8.8.8""#),
                ("forwarded", "for=203.0.113.9"),
            ],
            // A second proxy of ours is none of the clients.
            &[("x-forwarded-for", "203.0.113.9, 10.0.0.2")],
        ] {
            assert_eq!(remote(PROXY, sent), ("203.0.113.9".to_owned(), false), "{sent:?}");
        }
    }

    #[test]
    fn where_two_headers_do_not_agree_neither_is_believed() {
        for sent in [
            [
                ("forwarded", "for=127.0.0.1;proto=https"),
                ("x-forwarded-for", "203.0.113.9"),
            ],
            [("forwarded", "for=unknown"), ("x-forwarded-for", "203.0.113.9")],
            [("forwarded", "proto=https"), ("x-forwarded-for", "203.0.113.9")],
            [("forwarded", "proto=https"), ("x-forwarded-proto", "http")],
        ] {
            assert_eq!(remote(PROXY, &sent), (PROXY.to_owned(), false), "{sent:?}");
        }
        let agreed = [
            ("forwarded", "for=203.0.113.9"),
            ("x-forwarded-for", "203.0.113.9"),
            ("x-forwarded-proto", "https"),
        ];
        assert_eq!(remote(PROXY, &agreed), ("203.0.113.9".to_owned(), true));
    }

    #[test]
    fn what_is_no_address_is_the_proxys() {
        for sent in [
            &[("x-forwarded-for", "")][..],
            &[("x-forwarded-for", "203.0.113.9, unknown")],
            &[("x-forwarded-for", "203.0.113.9, _hidden")],
            &[("forwarded", "for=_x;proto=http")],
            &[("forwarded", "\"")],
            &[("forwarded", ";;,,=")],
            &[],
        ] {
            assert_eq!(remote(PROXY, sent), (PROXY.to_owned(), false), "{sent:?}");
        }
    }
}
