//! Where askd pushes to at all.
//!
//! The address of a push comes from a browser, and with it anybody who is signed in could make askd call any machine that
//! it can reach. So nothing is called but the services of the browsers' makers and what the operator names
//! (`docs/adr/0008`). An address that is none of theirs, be it a private one, is refused before anything is stored,
//! and looked at again before each call.

use std::fmt;

use reqwest::Url;

use crate::limits;

/// The services of the browsers' makers, by host; `.host` means every host below it. All by `https` on its own port.
///
/// Sources: Chrome and what is made of Chromium, <https://firebase.google.com/docs/cloud-messaging/concept-options>, and
/// builds of Chromium without Google's keys, as seen; Firefox,
/// <https://mozilla-services.github.io/autopush-rs/>; Safari,
/// <https://developer.apple.com/documentation/usernotifications/sending-web-push-notifications-in-web-apps-and-browsers>;
/// Edge, <https://learn.microsoft.com/windows/apps/design/shell/tiles-and-notifications/firewall-allowlist-config>.
const KNOWN: [&str; 5] = [
    "fcm.googleapis.com",
    "jmt17.google.com",
    ".push.services.mozilla.com",
    ".push.apple.com",
    ".notify.windows.com",
];

/// A push service that an operator trusts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Service {
    /// Scheme, host and port, as a URL's origin is written.
    origin: String,
}

impl Service {
    /// Reads a host (`push.example.org`), a host with a port, or the whole beginning of its addresses
    /// (`https://push.example.org:8443`). `http://` is for a service on this machine alone.
    ///
    /// # Errors
    /// What it must be.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        const WRONG: &str =
            "must be the host of a push service, such as push.example.org; http:// is for this machine alone";
        let whole = if text.contains("://") {
            text.to_owned()
        } else {
            format!("https://{text}")
        };
        let url = Url::parse(&whole).map_err(|_| WRONG)?;
        let is_bare = matches!(url.path(), "" | "/")
            && url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none();
        let is_private = url.scheme() == "https" || (url.scheme() == "http" && is_loopback(&url));
        if is_bare && is_private && url.has_host() {
            Ok(Self { origin: origin(&url) })
        } else {
            Err(WRONG)
        }
    }
}

/// As its addresses begin.
impl fmt::Display for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.origin)
    }
}

/// The address of a browser, if it is one at a service that is trusted.
pub(crate) fn endpoint(text: &str, named: &[Service]) -> Option<Url> {
    if text.len() > limits::ENDPOINT {
        return None;
    }
    let url = Url::parse(text).ok()?;
    if !url.username().is_empty() || url.password().is_some() || url.fragment().is_some() {
        return None;
    }
    let is_known = url.scheme() == "https" && url.port().is_none() && url.domain().is_some_and(is_known);
    let is_named = || named.iter().any(|service| service.origin == origin(&url));
    (is_known || is_named()).then_some(url)
}

fn is_known(host: &str) -> bool {
    KNOWN.iter().any(|known| match known.strip_prefix('.') {
        Some(_) => host.ends_with(known) && host.len() > known.len(),
        None => host == *known,
    })
}

/// Scheme, host and port; the port only where it is not the scheme's own. RFC 6454 section 6.1.
pub(crate) fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || address
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_trusted(text: &str, named: &[&str]) -> bool {
        let named: Vec<_> = named.iter().map(|text| Service::parse(text).unwrap()).collect();
        endpoint(text, &named).is_some()
    }

    #[test]
    fn the_services_of_the_browsers_makers_are_trusted() {
        for fine in [
            "https://fcm.googleapis.com/fcm/send/abc:def",
            "https://fcm.googleapis.com:443/wp/abc",
            "https://jmt17.google.com/fcm/send/abc",
            "https://updates.push.services.mozilla.com/wpush/v2/abc",
            "https://web.push.apple.com/abc",
            "https://wns2-par02p.notify.windows.com/w/?token=abc",
            "https://FCM.googleapis.com/fcm/send/abc",
        ] {
            assert!(is_trusted(fine, &[]), "{fine}");
        }
    }

    #[test]
    fn nothing_else_is_least_of_all_what_only_this_machine_can_reach() {
        for wrong in [
            "",
            "fcm.googleapis.com/fcm/send/abc",
            "http://fcm.googleapis.com/fcm/send/abc",
            "https://fcm.googleapis.com:8443/fcm/send/abc",
            "https://sara@fcm.googleapis.com/fcm/send/abc",
            "https://fcm.googleapis.com:x@evil.example/",
            "https://fcm.googleapis.com#@evil.example/",
            "https://fcm.googleapis.com.evil.example/",
            "https://evilfcm.googleapis.com/",
            "https://other.googleapis.com/",
            "https://.push.apple.com/",
            "https://push.apple.com/",
            "https://evilpush.apple.com/",
            "https://fcm.googleapis.com./fcm/send/abc",
            "https://127.0.0.1/",
            "https://[::1]/",
            "https://[::ffff:127.0.0.1]/",
            "https://2130706433/",
            "https://0x7f000001/",
            "https://localhost/",
            "https://10.0.0.1/",
            "https://192.168.1.1/",
            "https://169.254.169.254/latest/meta-data/",
            "https://[fe80::1]/",
            "https://[fd00::1]/",
            "https://metadata.google.internal/",
            "https://evil.example/fcm.googleapis.com",
            "file:///etc/passwd",
            "ftp://fcm.googleapis.com/",
            "gopher://fcm.googleapis.com/",
            "javascript:alert(1)",
            "unix:/run/askd.sock",
        ] {
            assert!(!is_trusted(wrong, &[]), "{wrong}");
        }
        let long = format!("https://fcm.googleapis.com/{}", "a".repeat(limits::ENDPOINT));
        assert!(!is_trusted(&long, &[]));
    }

    #[test]
    fn a_service_that_is_named_is_trusted_by_its_scheme_host_and_port() {
        let named = [
            "push.example.org",
            "https://other.example.org:8443",
            "http://127.0.0.1:9",
        ];
        for fine in [
            "https://push.example.org/a",
            "https://other.example.org:8443/a",
            "http://127.0.0.1:9/a",
        ] {
            assert!(is_trusted(fine, &named), "{fine}");
        }
        for wrong in [
            "http://push.example.org/a",
            "https://push.example.org:8443/a",
            "https://a.push.example.org/a",
            "https://other.example.org/a",
            "http://127.0.0.1:10/a",
            "http://127.0.0.2:9/a",
            "https://127.0.0.1:9/a",
        ] {
            assert!(!is_trusted(wrong, &named), "{wrong}");
        }
    }

    #[test]
    fn a_service_is_named_by_its_host_and_without_encryption_on_this_machine_alone() {
        for fine in [
            "push.example.org",
            "push.example.org:8443",
            "http://localhost:1",
            "http://[::1]:1",
        ] {
            assert!(Service::parse(fine).is_ok(), "{fine}");
        }
        for wrong in [
            "",
            "http://push.example.org",
            "http://10.0.0.1",
            "https://push.example.org/a",
            "https://push.example.org/?a",
            "https://sara@push.example.org",
            "ftp://push.example.org",
            "a b",
        ] {
            assert!(Service::parse(wrong).is_err(), "{wrong}");
        }
    }
}
