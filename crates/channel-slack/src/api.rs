//! Our calls to Slack: one HTTP client, its time-outs, and the tokens.
//!
//! slack-morphism gives the requests as types and we send them ourselves (`docs/adr/0005`): its own client has no
//! time-out, quotes bodies in its errors, and takes a message whose answer it cannot parse for one that was not sent. The
//! tokens travel in a header, so no error and no `Debug` leads to them; the socket's address holds a ticket and leaves
//! this module as a secret.

pub(crate) mod history;

use std::{fmt, time::Duration};

use askd_core::channel::Source;
use reqwest::{Client, RequestBuilder, Response, Url, header::HeaderMap, redirect};
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;
use slack_morphism::api::{
    SlackApiChatDeleteRequest, SlackApiChatPostEphemeralRequest, SlackApiChatUpdateRequest,
    SlackApiViewsOpenRequest,
};

use crate::{
    config::{BadConfig, SlackConfig},
    error::{Cause, Code, Failure, Refusal},
    known::Me,
    limits,
    render::PostMessage,
};

/// Which of the tokens, as the configuration has it.
const BOT: &str = "bot_token";
const APP: &str = "app_token";

/// A request whose body is JSON, by the method it is for.
pub(crate) trait Call: Serialize + Sync {
    /// As the URL has it.
    const METHOD: &'static str;
}

impl Call for PostMessage {
    const METHOD: &'static str = "chat.postMessage";
}

impl Call for SlackApiChatPostEphemeralRequest {
    const METHOD: &'static str = "chat.postEphemeral";
}

impl Call for SlackApiChatUpdateRequest {
    const METHOD: &'static str = "chat.update";
}

impl Call for SlackApiChatDeleteRequest {
    const METHOD: &'static str = "chat.delete";
}

impl Call for SlackApiViewsOpenRequest {
    const METHOD: &'static str = "views.open";
}

/// One app at one server.
pub(crate) struct Api {
    http: Client,
    base: Url,
    bot_token: SecretString,
    app_token: SecretString,
}

impl fmt::Debug for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `Client` prints no request, but what it will print one day is not ours to say.
        f.debug_struct("Api")
            .field("base", &self.base.as_str())
            .finish_non_exhaustive()
    }
}

/// The bot, and what its token may do.
#[derive(Debug)]
pub(crate) struct Introduction {
    pub(crate) me: Me,
    /// The scopes of the bot's token; none where the server does not tell.
    pub(crate) scopes: Vec<String>,
}

impl Api {
    pub(crate) fn new(config: &SlackConfig) -> Result<Self, BadConfig> {
        let (bot_token, app_token, base) = (config.bot_token()?, config.app_token()?, config.api_url()?);
        let http = Client::builder()
            .connect_timeout(limits::CONNECT)
            .tcp_keepalive(Duration::from_secs(30))
            // Whoever redirects a call would be told the token.
            .redirect(redirect::Policy::none())
            .user_agent(concat!("askd/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| BadConfig::Client(error.without_url().into()))?;
        Ok(Self {
            http,
            base,
            bot_token,
            app_token,
        })
    }

    /// Makes one call as the bot and gives its answer. `within`: in all. Does not retry.
    pub(crate) async fn call<C: Call, T: DeserializeOwned>(
        &self,
        request: &C,
        within: Duration,
    ) -> Result<T, Failure> {
        let request = self.post(C::METHOD, &self.bot_token, within).json(request);
        understand(request, BOT).await.map(|(answer, _)| answer)
    }

    /// Asks something as the bot. As a form: several methods that read pass over a body of JSON.
    pub(crate) async fn ask<T: DeserializeOwned>(
        &self,
        method: &str,
        parameters: &[(&str, &str)],
    ) -> Result<T, Failure> {
        let request = self.post(method, &self.bot_token, limits::CALL).form(parameters);
        understand(request, BOT).await.map(|(answer, _)| answer)
    }

    /// Who the bot is.
    pub(crate) async fn introduce(&self) -> Result<Introduction, Failure> {
        let request = self.post("auth.test", &self.bot_token, limits::CALL);
        let (me, headers) = understand(request.form::<[(&str, &str)]>(&[]), BOT).await?;
        let scopes = headers
            .get("x-oauth-scopes")
            .and_then(|scopes| scopes.to_str().ok());
        let scopes = scopes.unwrap_or_default().split(',').map(str::trim);
        Ok(Introduction {
            me,
            scopes: scopes
                .filter(|scope| !scope.is_empty())
                .map(str::to_owned)
                .collect(),
        })
    }

    /// Where the next socket is to be opened; good for one socket, for half a minute.
    pub(crate) async fn open_socket(&self) -> Result<SecretString, Failure> {
        #[derive(Deserialize)]
        struct Opened {
            url: SecretString,
        }
        let request = self.post("apps.connections.open", &self.app_token, limits::CALL);
        let (opened, _) = understand::<Opened>(request.form::<[(&str, &str)]>(&[]), APP).await?;
        self.may_connect(opened.url.expose_secret())?;
        Ok(opened.url)
    }

    /// Whether a socket may be opened there: in the clear only where calls are in the clear, and never at Slack while
    /// another server is configured in its place.
    fn may_connect(&self, url: &str) -> Result<(), Failure> {
        let refused = |what: &'static str| Err(Failure::NotSent(Misled(what).into()));
        // The parser's errors may hold the ticket.
        let Ok(url) = Url::parse(url) else {
            return refused("is no URL");
        };
        match url.scheme() {
            "wss" => {}
            "ws" if self.base.scheme() == "http" => {}
            _ => return refused("is not encrypted"),
        }
        let is_slack = |url: &Url| {
            let host = url.host_str().unwrap_or_default().to_ascii_lowercase();
            host == "slack.com" || host.ends_with(".slack.com")
        };
        if is_slack(&url) && !is_slack(&self.base) {
            return refused("is Slack's, and api_url names another server");
        }
        Ok(())
    }

    fn post(&self, method: &str, token: &SecretString, within: Duration) -> RequestBuilder {
        self.http
            .post(self.url(method))
            .timeout(within)
            .bearer_auth(token.expose_secret())
    }

    fn url(&self, method: &str) -> Url {
        let mut url = self.base.clone();
        url.path_segments_mut()
            .expect("an http URL has a path")
            .pop_if_empty()
            .push(method);
        url
    }
}

/// An address for the socket that must not be followed.
#[derive(Debug, thiserror::Error)]
#[error("the address for the socket {0}")]
struct Misled(&'static str);

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

/// What every answer says beside what was asked for.
#[derive(Deserialize)]
struct Envelope {
    ok: bool,
    error: Option<String>,
    /// The scope that is missing.
    needed: Option<String>,
    response_metadata: Option<Metadata>,
}

#[derive(Deserialize)]
struct Metadata {
    #[serde(default)]
    messages: Vec<String>,
}

/// An answer that is none of Slack's, such as a proxy's page.
#[derive(Debug, thiserror::Error)]
#[error("an answer of status {0} that is not Slack's")]
struct Foreign(u16);

/// Sends a request and reads its answer. `token`: which one it was made with.
async fn understand<T: DeserializeOwned>(
    request: RequestBuilder,
    token: &str,
) -> Result<(T, HeaderMap), Failure> {
    let response = request.send().await.map_err(unsent)?;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let pause = retry_after(&response);
    let body = response
        .bytes()
        .await
        .map_err(|error| Failure::NoAnswer(redacted(error)))?;
    let answer = read(status, pause, &body).map_err(|failure| naming(token, failure))?;
    Ok((answer, headers))
}

/// A refusal of a token says which one: there are two.
fn naming(token: &str, failure: Failure) -> Failure {
    match failure {
        Failure::Refused(refusal) if refusal.cause() == Cause::Credentials => Failure::Refused(Refusal {
            about: Some(Code::new(token)),
            ..refusal
        }),
        other => other,
    }
}

fn retry_after(response: &Response) -> Option<Duration> {
    let seconds = response
        .headers()
        .get("retry-after")?
        .to_str()
        .ok()?
        .parse()
        .ok()?;
    Some(Duration::from_secs(seconds))
}

/// Reads an answer. A failure of the server is no answer: it may have failed after the work was done.
fn read<T: DeserializeOwned>(status: u16, pause: Option<Duration>, body: &[u8]) -> Result<T, Failure> {
    if status == 429 {
        return Err(Failure::Refused(Refusal {
            retry_after: pause,
            ..Refusal::of("ratelimited")
        }));
    }
    let foreign = || Foreign(status).into();
    if status >= 500 {
        return Err(Failure::NoAnswer(foreign()));
    }
    let Ok(value) = serde_json::from_slice::<Value>(body) else {
        // A gateway that turns a request away has not passed it on; one that gave up waiting (408) may have.
        let turned_away = (300..500).contains(&status) && status != 408;
        return Err(if turned_away {
            Failure::NotSent(foreign())
        } else {
            Failure::NoAnswer(foreign())
        });
    };
    let Ok(envelope) = Envelope::deserialize(&value) else {
        return Err(Failure::NoAnswer(foreign()));
    };
    if envelope.ok {
        return serde_json::from_value(value).map_err(|_| Failure::NoAnswer(foreign()));
    }
    let pointer = envelope
        .response_metadata
        .as_ref()
        .and_then(|metadata| metadata.messages.iter().find_map(|message| pointer(message)));
    let about = envelope.needed.as_deref().or(pointer).map(Code::new);
    Err(Failure::Refused(Refusal {
        about,
        ..Refusal::of(envelope.error.as_deref().unwrap_or_default())
    }))
}

/// Which part of the request a message is about: `[ERROR] must be … [json-pointer:/blocks/0/text/text]`.
fn pointer(message: &str) -> Option<&str> {
    let (_, pointer) = message.split_once("[json-pointer:")?;
    pointer.split_once(']').map(|(pointer, _)| pointer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn api(api_url: &str) -> Api {
        Api::new(&SlackConfig {
            bot_token: SecretString::from("xoxb-SECRET"),
            app_token: SecretString::from("xapp-SECRET"),
            api_url: Some(api_url.to_owned()),
        })
        .unwrap()
    }

    #[test]
    fn a_call_goes_below_the_path_of_the_server() {
        let url = |base| api(base).url("chat.postMessage").to_string();

        assert_eq!(
            url("https://slack.com/api"),
            "https://slack.com/api/chat.postMessage"
        );
        assert_eq!(
            url("http://127.0.0.1:81/api/"),
            "http://127.0.0.1:81/api/chat.postMessage"
        );
        assert_eq!(url("http://127.0.0.1:81"), "http://127.0.0.1:81/chat.postMessage");
    }

    #[test]
    fn the_tokens_do_not_print() {
        assert!(!format!("{:?}", api("http://127.0.0.1")).contains("SECRET"));
    }

    #[test]
    fn a_socket_is_opened_where_the_configuration_allows() {
        let may = |base, socket| api(base).may_connect(socket).is_ok();

        assert!(may(
            "https://slack.com/api",
            "wss://wss-primary.slack.com/link/?ticket=1"
        ));
        assert!(may("http://127.0.0.1:81/api", "ws://127.0.0.1:81/link?ticket=1"));
        assert!(may(
            "https://proxy.example.org/api",
            "wss://proxy.example.org/link?ticket=1"
        ));
        assert!(!may(
            "https://slack.com/api",
            "ws://wss-primary.slack.com/link/?ticket=1"
        ));
        assert!(!may(
            "http://127.0.0.1:81/api",
            "wss://wss-primary.slack.com/link/?ticket=1"
        ));
        assert!(!may("https://slack.com/api", "no url"));
        let misled = api("http://127.0.0.1").may_connect("wss://wss.SLACK.com/?ticket=TICKET");
        assert!(!format!("{:?}", misled.unwrap_err()).contains("TICKET"));
    }

    #[tokio::test]
    async fn a_server_that_is_not_there_was_not_reached_and_the_error_names_no_token() {
        // Port 1 is assigned and, on a machine that runs tests, not served.
        let failure = api("http://127.0.0.1:1").introduce().await.unwrap_err();

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
        let read = |status, body: &str| read::<Value>(status, None, body.as_bytes());
        let refusal = |failure| match failure {
            Failure::Refused(refusal) => refusal,
            other => panic!("{other:?}"),
        };

        assert_eq!(
            read(200, r#"{"ok":true,"ts":"1.000001"}"#).unwrap()["ts"],
            "1.000001"
        );
        let no = refusal(read(200, r#"{"ok":false,"error":"is_archived"}"#).unwrap_err());
        assert_eq!(no.cause(), Cause::Unreachable);
        let no = r#"{"ok":false,"error":"missing_scope","needed":"im:write","provided":"chat:write"}"#;
        assert_eq!(
            refusal(read(200, no).unwrap_err()).to_string(),
            "missing_scope (im:write)"
        );
        let no = r#"{"ok":false,"error":"invalid_blocks","response_metadata":{"messages":
            ["[ERROR] must be less than 3001 characters [json-pointer:/blocks/0/text/text]"]}}"#;
        assert_eq!(
            refusal(read(200, no).unwrap_err()).to_string(),
            "invalid_blocks (/blocks/0/text/text)"
        );
        for (status, body, sure) in [
            (502, "<html>Bad Gateway</html>", false),
            (503, r#"{"ok":false,"error":"service_unavailable"}"#, false),
            (200, "<html>Log in to the hotel</html>", false),
            (200, "", false),
            (200, "[]", false),
            (302, "", true),
            (403, "<html>Blocked</html>", true),
            (408, "", false),
        ] {
            let failure = read(status, body).unwrap_err();
            assert_eq!(matches!(failure, Failure::NotSent(_)), sure, "{status} {body}");
            assert_eq!(failure.cause(), None, "{status} {body}");
        }
    }

    #[test]
    fn a_refused_token_is_named() {
        let failure = naming(APP, Failure::Refused(Refusal::of("invalid_auth")));

        assert_eq!(failure.to_string(), "slack refused: invalid_auth (app_token)");
    }

    #[test]
    fn a_pause_is_named_by_a_header() {
        let failure = read::<Value>(429, Some(Duration::from_secs(30)), b"").unwrap_err();

        assert_eq!(failure.cause(), Some(Cause::Throttled(Duration::from_secs(30))));
    }
}
