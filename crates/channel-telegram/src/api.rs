//! Our calls to Telegram: one HTTP client, its time-outs, and the token.
//!
//! teloxide-core gives the requests as types and we send them ourselves (`docs/adr/0003`): its own sender sleeps ten
//! seconds after every 5xx, drops the error code, and takes a message whose answer it cannot parse for one that was not
//! sent. The token is a part of every URL, so no error leaves this module with its URL in it.

use std::{fmt, time::Duration};

use askd_core::channel::Source;
use reqwest::{Client, Url, redirect};
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;
use teloxide::requests::Payload;

use crate::{
    config::{BadConfig, TelegramConfig},
    error::{Failure, Refusal},
    limits,
};

/// One bot at one server.
pub(crate) struct Api {
    http: Client,
    base: Url,
    token: SecretString,
}

impl fmt::Debug for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `Client` prints no request, but what it will print one day is not ours to say.
        f.debug_struct("Api")
            .field("base", &self.base.as_str())
            .finish_non_exhaustive()
    }
}

impl Api {
    pub(crate) fn new(config: &TelegramConfig) -> Result<Self, BadConfig> {
        let (token, base) = (config.token()?, config.api_url()?);
        let http = Client::builder()
            .connect_timeout(limits::CONNECT)
            .tcp_keepalive(Duration::from_secs(30))
            // Whoever redirects a call would be told the token.
            .redirect(redirect::Policy::none())
            .user_agent(concat!("askd/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| BadConfig::Client(error.without_url().into()))?;
        Ok(Self { http, base, token })
    }

    /// Makes one call and gives its result. `within`: in all, the answer included. Does not retry.
    pub(crate) async fn call<P, T>(&self, payload: &P, within: Duration) -> Result<T, Failure>
    where
        P: Payload + Serialize + Sync,
        T: DeserializeOwned,
    {
        let request = self.http.post(self.url(P::NAME)).timeout(within).json(payload);
        let response = request.send().await.map_err(unsent)?;
        let status = response.status().as_u16();
        let body = response
            .bytes()
            .await
            .map_err(|error| Failure::NoAnswer(redacted(error)))?;
        understand(status, &body)
    }

    fn url(&self, method: &str) -> Url {
        // Names are written `GetMe` in the library and `getMe` in the documentation; the server takes both.
        let method = method
            .split_at_checked(1)
            .map_or_else(|| method.to_owned(), |(first, rest)| first.to_lowercase() + rest);
        let mut url = self.base.clone();
        url.path_segments_mut()
            .expect("an http URL has a path")
            .pop_if_empty()
            .push(&format!("bot{}", self.token.expose_secret()))
            .push(&method);
        url
    }
}

/// Before a connection stands, nothing can have been done.
fn unsent(error: reqwest::Error) -> Failure {
    if error.is_connect() || error.is_builder() {
        Failure::NotSent(redacted(error))
    } else {
        Failure::NoAnswer(redacted(error))
    }
}

fn redacted(error: reqwest::Error) -> Source {
    error.without_url().into()
}

/// What every answer is wrapped in.
#[derive(Deserialize)]
struct Envelope {
    ok: bool,
    result: Option<Value>,
    error_code: Option<u16>,
    description: Option<String>,
    parameters: Option<Parameters>,
}

#[derive(Deserialize)]
struct Parameters {
    retry_after: Option<u64>,
    migrate_to_chat_id: Option<i64>,
}

/// An answer that is none of Telegram's, such as a proxy's page.
#[derive(Debug, thiserror::Error)]
#[error("an answer of status {0} that is not Telegram's")]
struct Foreign(u16);

/// Reads an answer. A failure of the server is no answer: it may have failed after the work was done.
fn understand<T: DeserializeOwned>(status: u16, body: &[u8]) -> Result<T, Failure> {
    let Ok(envelope) = serde_json::from_slice::<Envelope>(body) else {
        let foreign = Foreign(status).into();
        // A gateway that turns a request away has not passed it on; one that gave up waiting (408) may have.
        let turned_away = (300..500).contains(&status) && status != 408;
        return Err(if turned_away {
            Failure::NotSent(foreign)
        } else {
            Failure::NoAnswer(foreign)
        });
    };
    if envelope.ok {
        return serde_json::from_value(envelope.result.unwrap_or_default())
            .map_err(|_| Failure::NoAnswer(Foreign(status).into()));
    }
    let code = envelope.error_code.unwrap_or(status);
    if code >= 500 {
        return Err(Failure::NoAnswer(Foreign(code).into()));
    }
    let parameters = envelope.parameters;
    Err(Failure::Refused(Refusal {
        code,
        description: envelope.description.unwrap_or_default(),
        retry_after: parameters
            .as_ref()
            .and_then(|p| p.retry_after)
            .map(Duration::from_secs),
        migrate_to: parameters.and_then(|p| p.migrate_to_chat_id),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Cause;

    fn api(api_url: &str) -> Api {
        Api::new(&TelegramConfig {
            token: SecretString::from("123:SECRET"),
            api_url: Some(api_url.to_owned()),
        })
        .unwrap()
    }

    #[test]
    fn a_call_goes_below_the_path_of_the_server() {
        let url = |base| api(base).url("SendMessage").to_string();

        assert_eq!(
            url("https://api.telegram.org"),
            "https://api.telegram.org/bot123:SECRET/sendMessage"
        );
        assert_eq!(
            url("http://127.0.0.1:81/a/b"),
            "http://127.0.0.1:81/a/b/bot123:SECRET/sendMessage"
        );
        assert_eq!(
            url("http://127.0.0.1:81/a/"),
            "http://127.0.0.1:81/a/bot123:SECRET/sendMessage"
        );
    }

    #[test]
    fn the_token_does_not_print() {
        assert!(!format!("{:?}", api("http://127.0.0.1")).contains("SECRET"));
    }

    #[tokio::test]
    async fn a_server_that_is_not_there_was_not_reached_and_the_error_names_no_token() {
        // Port 1 is assigned and, on a machine that runs tests, not served.
        let api = api("http://127.0.0.1:1");

        let failure = api
            .call::<_, Value>(&teloxide::payloads::GetMe::new(), limits::CALL)
            .await
            .unwrap_err();

        assert!(matches!(failure, Failure::NotSent(_)), "{failure:?}");
        let mut printed = format!("{failure:?}");
        let mut source: Option<&dyn std::error::Error> = Some(&failure);
        while let Some(error) = source {
            printed.push_str(&error.to_string());
            source = error.source();
        }
        assert!(!printed.contains("SECRET"), "{printed}");
    }

    #[test]
    fn an_answer_is_a_result_a_refusal_or_none() {
        let read = |status, body: &str| understand::<bool>(status, body.as_bytes());

        assert!(read(200, r#"{"ok":true,"result":true}"#).unwrap());
        let no = r#"{"ok":false,"error_code":429,"description":"","parameters":{"retry_after":9}}"#;
        assert_eq!(
            read(429, no).unwrap_err().cause(),
            Some(Cause::Throttled(Duration::from_secs(9)))
        );
        let moved =
            r#"{"ok":false,"error_code":400,"description":"","parameters":{"migrate_to_chat_id":-1001}}"#;
        assert_eq!(read(400, moved).unwrap_err().cause(), Some(Cause::Moved(-1001)));
        for (status, body, sure) in [
            (502, "<html>Bad Gateway</html>", false),
            (
                500,
                r#"{"ok":false,"error_code":500,"description":"Internal Server Error"}"#,
                false,
            ),
            (200, "<html>Log in to the hotel</html>", false),
            (200, "", false),
            (200, r#"{"ok":true,"result":"what"}"#, false),
            (302, "", true),
            (403, "<html>Blocked</html>", true),
            (408, "", false),
        ] {
            let failure = read(status, body).unwrap_err();
            assert_eq!(matches!(failure, Failure::NotSent(_)), sure, "{status} {body}");
            assert_eq!(failure.cause(), None, "{status} {body}");
        }
    }
}
