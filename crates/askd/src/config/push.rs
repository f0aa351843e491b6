//! `[push]`: whether browsers are woken.

use askd_push::{Contact, Service};
use reqwest::Url;

use super::section::{Found, Section};

/// `[push]`, where it is switched on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Push {
    /// Whom push services may write to.
    pub(crate) contact: Contact,
    /// Push services beside those of the browsers' makers.
    pub(crate) services: Vec<Service>,
}

/// Reads `[push]`. A contact switches it on: nothing else is needed, since askd makes the key itself.
pub(super) fn read(root: &Section<'_>, public_url: Option<&str>) -> Option<Push> {
    let section = root.section("push");
    let contact = section.parsed("contact", Contact::parse);
    let named = section.texts("services");
    let services = named
        .iter()
        .filter_map(|found| match Service::parse(&found.value) {
            Ok(service) => Some(service),
            Err(reason) => {
                section.refuse(found, reason);
                None
            }
        });
    let services = services.collect();
    if let Some(contact) = &contact {
        check_address(&section, contact, public_url);
    } else if !section.has("contact") && !named.is_empty() {
        section.lacks(
            "contact",
            "is needed: whom push services may write to, such as mailto:you@example.org",
        );
    }
    section.finish();
    Some(Push {
        contact: contact?.value,
        services,
    })
}

/// Browsers subscribe on pages that came by TLS, or from their own machine.
/// <https://www.w3.org/TR/secure-contexts/#is-origin-trustworthy>
fn check_address(section: &Section<'_>, contact: &Found<Contact>, public_url: Option<&str>) {
    let Some(url) = public_url.and_then(|url| Url::parse(url).ok()) else {
        return;
    };
    let host = url.host_str().unwrap_or_default();
    let is_this_machine = host == "localhost"
        || host
            .trim_start_matches('[')
            .trim_end_matches(']')
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback());
    if url.scheme() != "https" && !is_this_machine {
        section.refuse(
            contact,
            "needs server.public_url to begin with https://, because browsers let no other page notify anybody",
        );
    }
}
