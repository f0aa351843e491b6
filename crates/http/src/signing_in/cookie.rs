//! The cookie of a sign-in.
//!
//! `HttpOnly`: no script reads it. `SameSite=Strict`: no other site's page or link sends it. No `Domain`: this host
//! alone. Where the panel is reached by TLS, `Secure` and the name's prefix `__Host-` bind it to that too
//! (RFC 6265bis, sections 4.1.2 and 4.1.3). `Secure` is set as well where this one request came by TLS, though the
//! configuration does not say that all do.

use std::borrow::Cow;

use axum::http::{HeaderMap, HeaderValue, header};
use cookie::{Cookie, SameSite, time::Duration};
use jiff::SignedDuration;

/// Cookies of our name that are looked at: a browser can hold several, of other paths or domains that are not ours.
const MOST: usize = 4;

/// How the cookie is named and bound.
#[derive(Clone, Debug)]
pub(crate) struct Jar {
    name: Cow<'static, str>,
    secure: bool,
}

impl Jar {
    /// For a panel under this name; `secure` where people reach it by TLS alone.
    pub(crate) fn new(name: &'static str, secure: bool) -> Self {
        Self {
            name: if secure {
                format!("__Host-{name}").into()
            } else {
                name.into()
            },
            secure,
        }
    }

    /// The secrets that a request brings, each of which may be one.
    pub(crate) fn sent(&self, headers: &HeaderMap) -> Vec<String> {
        let headers = headers.get_all(header::COOKIE).iter();
        headers
            .filter_map(|value| value.to_str().ok())
            .flat_map(Cookie::split_parse)
            .flatten()
            .filter(|cookie| cookie.name() == self.name)
            .map(|cookie| cookie.value().to_owned())
            .take(MOST)
            .collect()
    }

    /// Has the browser keep `secret` for as long as the sign-in lasts. `encrypted`: it was asked for by TLS.
    pub(crate) fn set(&self, secret: &str, lasts: SignedDuration, encrypted: bool) -> HeaderValue {
        self.write(secret, Duration::seconds(lasts.as_secs()), encrypted)
    }

    /// Has the browser forget it.
    pub(crate) fn remove(&self, encrypted: bool) -> HeaderValue {
        self.write("", Duration::ZERO, encrypted)
    }

    fn write(&self, value: &str, age: Duration, encrypted: bool) -> HeaderValue {
        let cookie = Cookie::build((self.name.as_ref(), value))
            .http_only(true)
            .same_site(SameSite::Strict)
            .secure(self.secure || encrypted)
            .path("/")
            .max_age(age);
        HeaderValue::try_from(cookie.to_string()).expect("a cookie of hexadecimal digits is a header")
    }
}
