//! The section `[channels.NAME]` with `kind = "discord"`.

use reqwest::Url;
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;

use askd_core::channel::Source;

/// Where calls go unless the configuration says otherwise.
const API: &str = "https://discord.com";

/// Hosts of Discord's own. Nothing goes there where the configuration names another server.
const OWN_HOSTS: [&str; 4] = ["discord.com", "discord.gg", "discordapp.com", "discord.media"];

/// What the operator says of one Discord application.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiscordConfig {
    /// The bot's token, as the developer portal gave it. Whoever has it is the bot.
    pub token: SecretString,
    /// Another server with the same interface: a proxy, a simulator. `http` or `https`; REST is looked for below
    /// `/api/v10`, and the gateway where that server says.
    #[serde(default)]
    pub api_url: Option<String>,
}

/// Why a configuration makes no channel. The texts are for the operator and hold no secret.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BadConfig {
    /// The token cannot be one.
    #[error(
        "a Discord bot's token has three parts with dots between them; copy it from the developer portal, Bot, Reset \
         Token (it is neither the client secret nor the public key)"
    )]
    Token,
    /// The address of the server cannot be one.
    #[error(
        "the address of the Discord API must be a URL like https://discord.com, without query and user name"
    )]
    ApiUrl,
    /// The HTTP client could not be made.
    #[error("no HTTP client for Discord")]
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

impl DiscordConfig {
    /// The token, if it can be one: three words of the URL alphabet. Without the `Bot` that headers put before it.
    pub(crate) fn token(&self) -> Result<SecretString, BadConfig> {
        let token = self.token.expose_secret().trim();
        let token = token.strip_prefix("Bot ").unwrap_or(token).trim_start();
        let is_word = |text: &str| {
            !text.is_empty()
                && text
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
        };
        let fits = token.split('.').count() == 3 && token.split('.').all(is_word);
        fits.then(|| SecretString::from(token)).ok_or(BadConfig::Token)
    }

    /// Where calls go.
    pub(crate) fn api(&self) -> Result<ApiUrl, BadConfig> {
        let text = self.api_url.as_deref().unwrap_or(API);
        let url = Url::parse(text.trim()).map_err(|_| BadConfig::ApiUrl)?;
        let fits = is_plain(&url) && matches!(url.scheme(), "http" | "https");
        fits.then_some(ApiUrl(url)).ok_or(BadConfig::ApiUrl)
    }
}

fn is_plain(url: &Url) -> bool {
    url.has_host()
        && url.username().is_empty()
        && url.password().is_none()
        && url.query().is_none()
        && url.fragment().is_none()
}

/// Where calls go: Discord itself, or a server in its place.
#[derive(Clone, Debug)]
pub(crate) struct ApiUrl(Url);

/// An address of the gateway that is not gone to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadGateway {
    /// It is no address of a socket.
    #[error("the server names a gateway whose address is none")]
    NoAddress,
    /// It is Discord's own, and another server was configured.
    #[error("the server at api_url names Discord's own gateway")]
    Discords,
    /// The token would go there for all to read.
    #[error("the server names a gateway without encryption")]
    Plain,
}

impl ApiUrl {
    /// Below this, version and method.
    pub(crate) fn as_url(&self) -> &Url {
        &self.0
    }

    /// The gateway at `address`, as the server gave it, without the slash at its end. Where a server of one's own is
    /// configured, nothing goes to Discord itself, even if that server says so.
    pub(crate) fn gateway(&self, address: &str) -> Result<String, BadGateway> {
        let url = Url::parse(address).map_err(|_| BadGateway::NoAddress)?;
        match url.scheme() {
            _ if !is_plain(&url) => Err(BadGateway::NoAddress),
            "ws" if self.0.scheme() == "https" => Err(BadGateway::Plain),
            "ws" | "wss" if is_discords(&url) && !is_discords(&self.0) => Err(BadGateway::Discords),
            "ws" | "wss" => Ok(url.as_str().trim_end_matches('/').to_owned()),
            _ => Err(BadGateway::NoAddress),
        }
    }
}

fn is_discords(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_end_matches('.');
    OWN_HOSTS.iter().any(|own| {
        host.strip_suffix(own)
            .is_some_and(|before| before.is_empty() || before.ends_with('.'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(token: &str, api_url: Option<&str>) -> DiscordConfig {
        DiscordConfig {
            token: SecretString::from(token),
            api_url: api_url.map(str::to_owned),
        }
    }

    #[test]
    fn a_token_is_three_words_with_dots_between_them() {
        for good in ["MTIz.G1a2b3.x-_y", " a.b.c\n", "Bot a.b.c"] {
            assert!(config(good, None).token().is_ok(), "{good:?}");
        }
        for bad in [
            "",
            "abc",
            "a.b",
            "a.b.c.d",
            "a..c",
            "a.b.c d",
            "a.b.ü",
            "Bearer a.b.c",
        ] {
            assert!(
                matches!(config(bad, None).token(), Err(BadConfig::Token)),
                "{bad:?}"
            );
        }
    }

    #[test]
    fn the_server_may_be_plain_http() {
        let url = |text| {
            let api = config("a.b.c", Some(text)).api();
            api.map(|api| api.as_url().to_string()).ok()
        };

        assert_eq!(
            url("http://127.0.0.1:8081"),
            Some("http://127.0.0.1:8081/".to_owned())
        );
        for bad in [
            "example.org",
            "ws://example.org",
            "https://user:word@example.org",
            "https://a/?b=c",
            "https:///",
        ] {
            assert_eq!(url(bad), None, "{bad}");
        }
        let usual = config("a.b.c", None).api().unwrap();
        assert_eq!(usual.as_url().as_str(), "https://discord.com/");
    }

    #[test]
    fn where_another_server_is_configured_nothing_goes_to_discord() {
        let gateway = |api_url, address| config("a.b.c", api_url).api().unwrap().gateway(address);
        let own = Some("http://127.0.0.1:8081");

        assert_eq!(
            gateway(own, "ws://127.0.0.1:8082/"),
            Ok("ws://127.0.0.1:8082".to_owned())
        );
        assert_eq!(
            gateway(None, "wss://gateway.discord.gg"),
            Ok("wss://gateway.discord.gg".to_owned())
        );
        for discords in [
            "wss://gateway.discord.gg/",
            "wss://gateway-us-east1-b.discord.gg",
            "wss://DISCORD.COM",
            "wss://discord.gg.",
        ] {
            assert_eq!(gateway(own, discords), Err(BadGateway::Discords), "{discords}");
        }
        assert!(gateway(own, "wss://notdiscord.gg").is_ok());
        assert_eq!(gateway(None, "ws://example.org"), Err(BadGateway::Plain));
        for none in ["", "gateway", "https://example.org", "ws://a/?b=c", "ws://u@a"] {
            assert_eq!(gateway(own, none), Err(BadGateway::NoAddress), "{none:?}");
        }
    }

    #[test]
    fn the_token_does_not_print() {
        let config = config("a.SECRET.c", None);

        assert!(!format!("{config:?}").contains("SECRET"));
    }
}
