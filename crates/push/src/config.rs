//! What an operator says.

use std::fmt;

use askd_core::channel::Source;
use reqwest::Url;

use crate::services::Service;

/// What pushing takes.
#[derive(Clone)]
pub struct PushConfig {
    /// The private key: 256 random bits, made once and kept. Browsers subscribe with its public half, so that another key
    /// makes every subscription worthless.
    pub key: [u8; 32],
    /// Whom a push service may write to.
    pub contact: Contact,
    /// Push services beside those of the browsers' makers.
    pub services: Vec<Service>,
}

impl fmt::Debug for PushConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the key.
        f.debug_struct("PushConfig")
            .field("contact", &self.contact)
            .field("services", &self.services)
            .finish_non_exhaustive()
    }
}

/// Whom a push service may write to about what it gets from this askd. RFC 8292 section 2.1 asks for it, and Apple's service
/// takes no push without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contact(String);

impl Contact {
    /// Reads `mailto:somebody@example.org` or the `https` address of a page.
    ///
    /// # Errors
    /// What it must be.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let is_plain = text.is_ascii() && !text.contains(|c: char| c.is_whitespace() || c.is_control());
        let is_mail = text.strip_prefix("mailto:").is_some_and(is_mail_address);
        let is_page = text.starts_with("https://") && Url::parse(text).is_ok_and(|url| url.has_host());
        if is_plain && (is_mail || is_page) {
            Ok(Self(text.to_owned()))
        } else {
            Err(
                "must be mailto:NAME@HOST, or the https:// address of a page, where a push service can write to you",
            )
        }
    }

    /// As it is told to services.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// As far as it can be seen: services that check write to it, or compare the host with the sender's.
fn is_mail_address(text: &str) -> bool {
    let parts = text.split_once('@');
    parts.is_some_and(|(name, host)| !name.is_empty() && !host.is_empty() && !host.contains('@'))
}

/// Why nothing can be pushed with a configuration.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BadConfig {
    /// One in four thousand million numbers of 256 bits is none.
    #[error("the key is no private key of P-256")]
    Key,
    /// The TLS library refused to start: no root certificates, no memory.
    #[error("no HTTP client can be made")]
    Client(#[source] Source),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contact_is_where_somebody_can_be_written_to() {
        for fine in [
            "mailto:ops@example.org",
            "https://example.org",
            "https://example.org/contact",
        ] {
            assert_eq!(Contact::parse(fine).map(|contact| contact.0).as_deref(), Ok(fine));
        }
        for wrong in [
            "",
            "ops@example.org",
            "mailto:",
            "mailto:ops",
            "mailto:@example.org",
            "mailto:ops@",
            "mailto:a@b@c",
            "mailto: ops@example.org",
            "mailto:ops@example.org\r\nX: y",
            "http://example.org",
            "https://",
            "tel:+491234",
        ] {
            assert!(Contact::parse(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn the_key_is_not_printed() {
        let config = PushConfig {
            key: [171; 32],
            contact: Contact("mailto:ops@example.org".to_owned()),
            services: Vec::new(),
        };

        let printed = format!("{config:?}");

        assert!(!printed.contains("171") && !printed.contains("key"), "{printed}");
    }
}
