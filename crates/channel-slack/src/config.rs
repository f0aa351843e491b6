//! The section `[channels.NAME]` with `kind = "slack"`.

use reqwest::Url;
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;

use askd_core::channel::Source;

/// Where calls go unless the configuration says otherwise.
const API: &str = "https://slack.com/api";

/// What the operator says of one Slack app.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlackConfig {
    /// The bot's token, as the app's page shows it after it was installed. Whoever has it is the bot.
    pub bot_token: SecretString,
    /// The app's own token with `connections:write`. Whoever has it receives in our place.
    pub app_token: SecretString,
    /// Another server with the same interface: a proxy, a simulator. `http` or `https`, with the path below which the
    /// methods stand. It says where the socket is, too; the real Slack is then never called.
    #[serde(default)]
    pub api_url: Option<String>,
}

/// Why a configuration makes no channel. The texts are for the operator and hold no secret.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BadConfig {
    /// The bot's token cannot be one.
    #[error(
        "a Slack bot's token begins with xoxb-; copy the \"Bot User OAuth Token\" from the app's page \"OAuth & \
         Permissions\""
    )]
    BotToken,
    /// The app's token cannot be one.
    #[error(
        "a Slack app's token begins with xapp-; make one with the scope connections:write on the app's page \"Basic \
         Information\", \"App-Level Tokens\""
    )]
    AppToken,
    /// The address of the server cannot be one.
    #[error(
        "the address of the Slack API must be a URL like https://slack.com/api, without query and user name"
    )]
    ApiUrl,
    /// The HTTP client could not be made.
    #[error("no HTTP client for Slack")]
    Client(#[source] Source),
}

impl BadConfig {
    /// The key of the section that is wrong.
    #[must_use]
    pub fn key(&self) -> &'static str {
        match self {
            Self::BotToken | Self::Client(_) => "bot_token",
            Self::AppToken => "app_token",
            Self::ApiUrl => "api_url",
        }
    }
}

impl SlackConfig {
    /// The bot's token, if it can be one.
    pub(crate) fn bot_token(&self) -> Result<SecretString, BadConfig> {
        token(&self.bot_token, "xoxb-").ok_or(BadConfig::BotToken)
    }

    /// The app's token, if it can be one.
    pub(crate) fn app_token(&self) -> Result<SecretString, BadConfig> {
        token(&self.app_token, "xapp-").ok_or(BadConfig::AppToken)
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

/// A word of this beginning; it becomes a header.
fn token(secret: &SecretString, prefix: &str) -> Option<SecretString> {
    let token = secret.expose_secret().trim();
    let rest = token.strip_prefix(prefix)?;
    let fits = !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    fits.then(|| SecretString::from(token))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(bot: &str, app: &str, api_url: Option<&str>) -> SlackConfig {
        SlackConfig {
            bot_token: SecretString::from(bot),
            app_token: SecretString::from(app),
            api_url: api_url.map(str::to_owned),
        }
    }

    #[test]
    fn the_two_tokens_are_told_apart_by_how_they_begin() {
        let good = config(" xoxb-1-2-aB\n", "xapp-1-A1-2-ff", None);
        assert!(good.bot_token().is_ok() && good.app_token().is_ok());

        let swapped = config("xapp-1-A1-2-ff", "xoxb-1-2-aB", None);
        assert!(matches!(swapped.bot_token(), Err(BadConfig::BotToken)));
        assert!(matches!(swapped.app_token(), Err(BadConfig::AppToken)));
        for bad in ["", "xoxb-", "xoxb-a b", "xoxp-1-2", "xoxb-a\nHost: b"] {
            assert!(
                matches!(config(bad, "", None).bot_token(), Err(BadConfig::BotToken)),
                "{bad:?}"
            );
        }
    }

    #[test]
    fn the_server_may_be_plain_http_and_has_a_path() {
        let url = |text| {
            config("xoxb-1", "xapp-1", Some(text))
                .api_url()
                .map(|url| url.to_string())
                .ok()
        };

        assert_eq!(
            url("http://127.0.0.1:8081/api"),
            Some("http://127.0.0.1:8081/api".to_owned())
        );
        for bad in [
            "slack.com/api",
            "ftp://example.org",
            "https://user:word@example.org",
            "https://a/?b=c",
            "https:///",
        ] {
            assert_eq!(url(bad), None, "{bad}");
        }
        let usual = config("xoxb-1", "xapp-1", None).api_url().unwrap();
        assert_eq!(usual.as_str(), "https://slack.com/api");
    }

    #[test]
    fn the_tokens_do_not_print() {
        let config = config("xoxb-SECRET", "xapp-SECRET", None);

        assert!(!format!("{config:?}").contains("SECRET"));
    }
}
