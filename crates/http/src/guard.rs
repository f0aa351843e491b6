//! Keeps web pages of others away.
//!
//! A page on the internet can have its own name point at 127.0.0.1 and then talk to whatever listens there (DNS
//! rebinding); the browser then sends that name in `Host`. So on a loopback listener only names of this machine and
//! those the operator allowed are answered. And whatever the listener, a request that a browser sends on behalf of
//! another origin is refused. Programs send no `Origin`, and are not concerned.
//!
//! Here too is refused what a proxy in front may read otherwise than we do: a coding of the body that is not undone here, and
//! one of the transfer that is said twice.
//!
//! Tests: `tests/guard.rs`.

use std::{net::IpAddr, sync::Arc};

use axum::{
    extract::{Request, State},
    http::{HeaderMap, Uri, header, uri::Authority},
    middleware::Next,
    response::{IntoResponse as _, Response},
};

use crate::problem::{Code, Problem};

/// Who is answered.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    /// Whether only names of this machine, and those allowed, are answered.
    pub(crate) loopback: bool,
    /// Further hosts: a name, or a name with a port.
    pub(crate) allowed: Vec<String>,
}

/// Refuses what the guard does not let through.
pub(crate) async fn keep(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    guard.check(request.headers(), request.uri())?;
    let headers = request.headers();
    // hyper takes "chunked" alone, but does not mind how often it is said. After such a body nothing more is read.
    if headers.get_all(header::TRANSFER_ENCODING).iter().count() > 1 {
        let problem = Problem::new(Code::BadHeader, "Transfer-Encoding was sent more than once");
        return Ok(([(header::CONNECTION, "close")], problem).into_response());
    }
    let mut codings = headers.get_all(header::CONTENT_ENCODING).iter();
    if !codings.all(|coding| coding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        let detail = "send the body as it is, without Content-Encoding";
        return Err(Problem::new(Code::MediaType, detail));
    }
    Ok(next.run(request).await)
}

impl Guard {
    fn check(&self, headers: &HeaderMap, uri: &Uri) -> Result<(), Problem> {
        let host = host(headers, uri);
        if self.loopback
            && !host
                .as_ref()
                .is_some_and(|host| is_loopback(host) || self.allows(host))
        {
            return Err(Problem::new(
                Code::ForeignHost,
                "askd listens on this machine alone; call it as localhost, or allow the name in its configuration",
            ));
        }
        let mut origins = headers.get_all(header::ORIGIN).iter();
        let lets_through =
            |origin: &Authority| host.as_ref().is_some_and(|host| same(host, origin)) || self.allows(origin);
        if origins.all(|origin| authority(origin.as_bytes()).as_ref().is_some_and(lets_through)) {
            Ok(())
        } else {
            Err(Problem::new(
                Code::ForeignOrigin,
                "this web page belongs to another origin; allow its host in askd's configuration",
            ))
        }
    }

    fn allows(&self, host: &Authority) -> bool {
        self.allowed.iter().any(|allowed| {
            allowed.eq_ignore_ascii_case(host.as_str()) || allowed.eq_ignore_ascii_case(host.host())
        })
    }
}

/// Whom the request is for: RFC 9112 section 3.2 lets a URI with a host win over the header. `None` unless it is
/// told exactly once.
fn host(headers: &HeaderMap, uri: &Uri) -> Option<Authority> {
    let told = if let Some(authority) = uri.authority() {
        Some(authority.clone())
    } else {
        let mut hosts = headers.get_all(header::HOST).iter();
        match (hosts.next(), hosts.next()) {
            (Some(host), None) => Authority::try_from(host.as_bytes()).ok(),
            _ => None,
        }
    };
    told.filter(is_plain)
}

/// Whether it is a host, with or without a port, and nothing else: no name of a user before it, and no port that is none.
/// RFC 9110 section 7.2.
fn is_plain(authority: &Authority) -> bool {
    let (whole, host) = (authority.as_str(), authority.host());
    whole == host || (whole.starts_with(host) && authority.port_u16().is_some())
}

/// `http://host:port` or `https://host:port`; `null` and anything else has none.
fn authority(origin: &[u8]) -> Option<Authority> {
    let origin = std::str::from_utf8(origin).ok()?;
    let host = origin
        .strip_prefix("https://")
        .or_else(|| origin.strip_prefix("http://"))?;
    host.parse().ok().filter(is_plain)
}

fn same(a: &Authority, b: &Authority) -> bool {
    a.as_str().eq_ignore_ascii_case(b.as_str())
}

fn is_loopback(host: &Authority) -> bool {
    let name = host.host();
    let address = name
        .strip_prefix('[')
        .and_then(|name| name.strip_suffix(']'))
        .unwrap_or(name);
    name.eq_ignore_ascii_case("localhost") || address.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}
