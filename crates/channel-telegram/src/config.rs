//! The section `[channels.NAME]` with `kind = "telegram"`.

use reqwest::Url;
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;

use askd_core::channel::Source;

/// Where calls go unless the configuration says otherwise.
const API: &str = "https://api.telegram.org";

/// What the operator says of one Telegram bot.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TelegramConfig {
    /// The bot's token, as BotFather gave it. Whoever has it is the bot.
    pub token: SecretString,
    /// Another server with the same interface: a Bot API server of one's own, a proxy, a simulator. `http` or `https`,
    /// with or without a path.
    #[serde(default)]
    pub api_url: Option<String>,
}

/// Why a configuration makes no channel. The texts are for the operator and hold no secret.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BadConfig {
    /// The token cannot be one.
    #[error("a Telegram bot's token looks like 123456789:AAF…; copy it from @BotFather as it is")]
    Token,
    /// The address of the server cannot be one.
    #[error(
        "the address of the Telegram API must be a URL like https://api.telegram.org, without query and user name"
    )]
    ApiUrl,
    /// The HTTP client could not be made.
    #[error("no HTTP client for Telegram")]
    Client(#[source] Source),
}

impl BadConfig {
    /// The key of the section that is wrong.
    #[must_use]
    pub fn key(&self) -> &'static str {
        match self {
            Self::Token | Self::Client(_) => "token",
            Self::ApiUrl => "api_url",
        }
    }
}

impl TelegramConfig {
    /// The token, if it can be one: digits, a colon, and a word. It becomes a part of every URL.
    pub(crate) fn token(&self) -> Result<SecretString, BadConfig> {
        let token = self.token.expose_secret().trim();
        let (id, secret) = token.split_once(':').ok_or(BadConfig::Token)?;
        let is_word = |text: &str| {
            !text.is_empty()
                && text
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
        };
        let fits = !id.is_empty() && id.bytes().all(|b| b.is_ascii_digit()) && is_word(secret);
        fits.then(|| SecretString::from(token)).ok_or(BadConfig::Token)
    }

    /// Where calls go.
    pub(crate) fn api_url(&self) -> Result<Url, BadConfig> {
        let text = self.api_url.as_deref().unwrap_or(API);
        let url = Url::parse(text.trim()).map_err(|_| BadConfig::ApiUrl)?;
        let plain = url.username().is_empty()
            && url.password().is_none()
            && url.query().is_none()
            && url.fragment().is_none();
        let fits = plain && url.has_host() && matches!(url.scheme(), "http" | "https");
        fits.then_some(url).ok_or(BadConfig::ApiUrl)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(token: &str, api_url: Option<&str>) -> TelegramConfig {
        TelegramConfig {
            token: SecretString::from(token),
            api_url: api_url.map(str::to_owned),
        }
    }

    #[test]
    fn a_token_is_digits_a_colon_and_a_word() {
        for good in ["123456789:AAF-g0_x", " 1:a\n"] {
            assert!(config(good, None).token().is_ok(), "{good:?}");
        }
        for bad in [
            "", "123", "123:", ":abc", "12a:abc", "123:a/b", "123:a b", "123:a?b",
        ] {
            assert!(
                matches!(config(bad, None).token(), Err(BadConfig::Token)),
                "{bad:?}"
            );
        }
    }

    #[test]
    fn the_server_may_be_plain_http_and_have_a_path() {
        let url = |text| {
            config("1:a", Some(text))
                .api_url()
                .map(|url| url.to_string())
                .ok()
        };

        assert_eq!(
            url("http://127.0.0.1:8081/tg/"),
            Some("http://127.0.0.1:8081/tg/".to_owned())
        );
        assert_eq!(
            url("https://example.org"),
            Some("https://example.org/".to_owned())
        );
        for bad in [
            "example.org",
            "ftp://example.org",
            "https://user:word@example.org",
            "https://a/?b=c",
            "https:///",
        ] {
            assert_eq!(url(bad), None, "{bad}");
        }
        let usual = config("1:a", None).api_url().unwrap();
        assert_eq!(usual.as_str(), "https://api.telegram.org/");
    }

    #[test]
    fn the_token_does_not_print() {
        let config = config("123:SECRET", None);

        assert!(!format!("{config:?}").contains("SECRET"));
    }
}
