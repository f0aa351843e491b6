//! The HTTP client of the daemon, for every command that talks to one.
//!
//! It finds the daemon and the token where the daemon left them (the state directory), unless the caller says
//! otherwise. Every call has a time-out. Errors are sorted by what the caller does next: [`CallError::passes`] tells
//! whether the same call may work in a moment, as it does while askd restarts.

use std::{io, path::PathBuf, time::Duration};

use clap::Args;
use reqwest::{Method, RequestBuilder, StatusCode, Url, header, redirect};
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;
use serde_json::Value;

use crate::{
    config::{Environment, is_token},
    out::{Exit, Stop, plain},
    state::{NoToken, State, read_token},
};

/// For establishing a connection.
const CONNECT: Duration = Duration::from_secs(5);

/// For a whole call, beside the time it was asked to wait.
const ANSWER: Duration = Duration::from_secs(15);

/// For finding out whether somebody is there.
const LOOK: Duration = Duration::from_secs(2);

/// Longest wait the daemon grants in one call. Unit: seconds. Source: SPEC 6 (55), with room for the way.
pub(crate) const MOST_WAIT: u64 = 50;

/// The problem of a store that has no room left.
const STORE_FULL: &str = "urn:askd:problem:store-full";

/// The problem of a token that makes too many requests: the next may be let through in a second.
const TOO_MANY_REQUESTS: &str = "urn:askd:problem:too-many-requests";

/// Where the daemon is and who calls; flags shared by the commands that call it.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Reach {
    /// Where askd is reached [default: $ASKD_URL, else where the askd of this state directory listens]
    #[arg(long, value_name = "URL")]
    pub(crate) server: Option<String>,
    /// A file that holds the token to call with [default: $ASKD_TOKEN, else a token of the state directory]
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
}

/// Which token of the state directory a command uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Caller {
    /// `agent.token`.
    Agent,
    /// `operator.token`.
    Operator,
}

/// A daemon to call.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    http: reqwest::Client,
    base: Url,
    token: SecretString,
    name: &'static str,
}

/// Why a call did not do what it should.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CallError {
    /// No connection: nothing was sent.
    #[error("askd cannot be reached at {base}; start it with: askd serve")]
    Unreachable {
        /// Where.
        base: Url,
    },
    /// The connection broke, or something on the way answered in askd's place: the call may have been carried out.
    #[error("no answer from askd at {base}")]
    Broken {
        /// Where.
        base: Url,
    },
    /// askd said no.
    #[error("{0}")]
    Problem(Box<Problem>),
    /// Something answered that is not askd, or of another version.
    #[error("what answers at {base} does not speak as askd does (status {status})")]
    Foreign {
        /// Where.
        base: Url,
        /// What it answered.
        status: u16,
    },
}

/// A problem as askd sends it (RFC 9457).
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Problem {
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    status: u16,
    #[serde(default)]
    detail: String,
    #[serde(default)]
    errors: Vec<BrokenRule>,
    /// As it came.
    #[serde(skip)]
    whole: Value,
}

/// One broken rule of a request.
#[derive(Clone, Debug, Deserialize)]
struct BrokenRule {
    #[serde(default)]
    pointer: String,
    #[serde(default)]
    message: String,
}

/// The title and detail; of several broken rules each on a line of its own.
impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&plain(&self.title))?;
        if !self.detail.is_empty() {
            write!(f, ": {}", plain(&self.detail))?;
        }
        // Of one broken rule the detail says all.
        for rule in self.errors.iter().filter(|_| self.errors.len() > 1) {
            let pointer = if rule.pointer.is_empty() {
                "the whole"
            } else {
                &rule.pointer
            };
            write!(f, "\n  {}: {}", plain(pointer), plain(&rule.message))?;
        }
        Ok(())
    }
}

impl CallError {
    /// Whether the same call may work in a moment. A full disk does not empty itself.
    pub(crate) fn passes(&self) -> bool {
        match self {
            Self::Unreachable { .. } | Self::Broken { .. } => true,
            Self::Problem(problem) => {
                (problem.status == 503 && problem.kind != STORE_FULL) || problem.kind == TOO_MANY_REQUESTS
            }
            Self::Foreign { .. } => false,
        }
    }

    fn exit(&self) -> Exit {
        match self {
            Self::Unreachable { .. } | Self::Broken { .. } => Exit::Unreachable,
            Self::Problem(problem) => match problem.status {
                401 | 403 => Exit::NotAllowed,
                400 | 413 | 415 | 422 => Exit::Usage,
                _ => Exit::Error,
            },
            Self::Foreign { .. } => Exit::Error,
        }
    }
}

impl From<CallError> for Stop {
    fn from(error: CallError) -> Self {
        let stop = Self::new(error.exit(), error.to_string());
        match error {
            CallError::Problem(problem) => stop.with_problem(problem.whole),
            _ => stop,
        }
    }
}

/// Where the daemon is: as named, else where the one of this state directory listens, else where it would.
fn base(named: Option<&str>, state: Option<&State>) -> String {
    let found = named.map(str::to_owned).or_else(|| state.and_then(State::url));
    found.unwrap_or_else(|| "http://127.0.0.1:7373".to_owned())
}

impl Client {
    /// Finds the daemon and the token: by flag, else by variable, else in the state directory.
    pub(crate) fn find(
        reach: &Reach,
        caller: Caller,
        environment: &Environment,
        state: Option<&State>,
    ) -> anyhow::Result<Self> {
        let named = reach.server.as_deref().or_else(|| environment.text("ASKD_URL"));
        let token = token(reach, caller, environment, state, named.is_some())?;
        Self::new(&base(named, state), token)
    }

    /// Finds the daemon, for what needs no token.
    pub(crate) fn without_token(
        reach: &Reach,
        environment: &Environment,
        state: Option<&State>,
    ) -> anyhow::Result<Self> {
        let named = reach.server.as_deref().or_else(|| environment.text("ASKD_URL"));
        Self::new(&base(named, state), SecretString::default())
    }

    /// A client of the daemon at `base` that calls with `token`.
    pub(crate) fn new(base: &str, token: SecretString) -> anyhow::Result<Self> {
        let base = Url::parse(base)
            .ok()
            .filter(|url| url.has_host() && matches!(url.scheme(), "http" | "https"))
            .ok_or_else(|| {
                Stop::new(
                    Exit::Usage,
                    format!("{base:?} is no address of an askd; write one like http://127.0.0.1:7373"),
                )
            })?;
        let mut builder = reqwest::Client::builder()
            .connect_timeout(CONNECT)
            // A redirect would carry the token to wherever it points.
            .redirect(redirect::Policy::none())
            .user_agent(concat!("askd/", env!("CARGO_PKG_VERSION")));
        if is_local(&base) {
            builder = builder.no_proxy();
        }
        Ok(Self {
            http: builder.build()?,
            base,
            token,
            name: "cli",
        })
    }

    /// The same under another name that askd knows.
    pub(crate) fn named(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    /// Where the daemon is looked for.
    pub(crate) fn base(&self) -> &Url {
        &self.base
    }

    /// Reads what is at `path`.
    pub(crate) async fn get(&self, path: &[&str], query: &[(&str, String)]) -> Result<Value, CallError> {
        self.call(Method::GET, path, query, None, None).await
    }

    /// Sends `body` to `path`.
    pub(crate) async fn post(&self, path: &[&str], body: Option<&Value>) -> Result<Value, CallError> {
        self.call(Method::POST, path, &[], body, None).await
    }

    /// Sends `body` to `path`, such that a repeat with the same `key` does nothing more and returns the same.
    pub(crate) async fn post_once(
        &self,
        path: &[&str],
        body: Option<&Value>,
        key: &str,
    ) -> Result<Value, CallError> {
        self.call(Method::POST, path, &[], body, Some(key)).await
    }

    /// The ask, held until it is over or `seconds` have passed; at most [`MOST_WAIT`].
    pub(crate) async fn wait(&self, id: &str, seconds: u64) -> Result<Value, CallError> {
        let seconds = seconds.min(MOST_WAIT);
        self.get(&["v1", "asks", id], &[("wait", seconds.to_string())])
            .await
    }

    /// Removes what is at `path`.
    pub(crate) async fn delete(&self, path: &[&str]) -> Result<Value, CallError> {
        self.call(Method::DELETE, path, &[], None, None).await
    }

    /// A request with the token and nothing else, not even a time-out.
    pub(crate) fn request(&self, method: Method, path: &[&str]) -> RequestBuilder {
        let mut url = self.base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(path);
        }
        self.http
            .request(method, url)
            .bearer_auth(self.token.expose_secret())
    }

    /// Whether an askd answers there. Sends no token.
    pub(crate) async fn is_up(&self) -> bool {
        let mut url = self.base.clone();
        url.set_path("/healthz");
        let response = self.http.get(url).timeout(LOOK).send().await;
        let Ok(response) = response else { return false };
        let body = response.json::<Value>().await.unwrap_or_default();
        body["status"] == "ok"
    }

    /// Whether everything works, and what is said of it; `None` where no askd answers. Sends no token.
    pub(crate) async fn readiness(&self) -> Option<(bool, Value)> {
        let mut url = self.base.clone();
        url.set_path("/readyz");
        let response = self.http.get(url).timeout(ANSWER).send().await.ok()?;
        let is_ready = response.status().is_success();
        let answer: Value = response.json().await.ok()?;
        // Somebody else may listen there, and say anything.
        let is_askd = answer["ready"].is_boolean() || answer["type"] == "urn:askd:problem:not-ready";
        is_askd.then_some((is_ready, answer))
    }

    async fn call(
        &self,
        method: Method,
        path: &[&str],
        query: &[(&str, String)],
        body: Option<&Value>,
        key: Option<&str>,
    ) -> Result<Value, CallError> {
        let wait = query
            .iter()
            .find(|(name, _)| *name == "wait")
            .and_then(|(_, seconds)| seconds.parse().ok());
        let mut request = self
            .request(method, path)
            // Others are told that an answer was given on the command line, for one.
            .header("Askd-Client", self.name)
            .timeout(ANSWER + Duration::from_secs(wait.unwrap_or(0)));
        if !query.is_empty() {
            request = request.query(query);
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        if let Some(key) = key {
            request = request.header("Idempotency-Key", key);
        }
        let response = request.send().await.map_err(|error| self.no_answer(&error))?;
        let status = response.status();
        let is_json = response
            .headers()
            .get(header::CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .is_some_and(|value| value.contains("json"));
        let text = response.bytes().await.map_err(|error| self.no_answer(&error))?;
        self.read(status, is_json, &text)
    }

    fn read(&self, status: StatusCode, is_json: bool, text: &[u8]) -> Result<Value, CallError> {
        let foreign = || CallError::Foreign {
            base: self.base.clone(),
            status: status.as_u16(),
        };
        if status.is_success() && is_json {
            return serde_json::from_slice(text).map_err(|_| foreign());
        }
        if is_json
            && let Ok(whole) = serde_json::from_slice::<Value>(text)
            && let Ok(problem) = Problem::deserialize(&whole)
            && !problem.title.is_empty()
        {
            return Err(CallError::Problem(Box::new(Problem {
                status: status.as_u16(),
                whole,
                ..problem
            })));
        }
        match status {
            // A proxy whose askd is away.
            StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT => {
                Err(CallError::Broken {
                    base: self.base.clone(),
                })
            }
            _ => Err(foreign()),
        }
    }

    /// The text of `error` is dropped: it names addresses and nothing that helps.
    fn no_answer(&self, error: &reqwest::Error) -> CallError {
        let base = self.base.clone();
        if error.is_connect() {
            CallError::Unreachable { base }
        } else {
            CallError::Broken { base }
        }
    }
}

/// The token to call with; `named` says whether the caller named the daemon, which then need not be of this machine.
fn token(
    reach: &Reach,
    caller: Caller,
    environment: &Environment,
    state: Option<&State>,
    named: bool,
) -> anyhow::Result<SecretString> {
    let refuse = |error: anyhow::Error, hint: &str| match error.downcast_ref::<NoToken>() {
        Some(_) => Stop::new(Exit::NotAllowed, format!("{error}{hint}")).into(),
        None => error,
    };
    if let Some(file) = &reach.token_file {
        return read_token(file).map_err(|error| refuse(error, ""));
    }
    if let Some(token) = environment.text("ASKD_TOKEN") {
        let token = token.trim();
        if !is_token(token) {
            return Err(Stop::new(Exit::NotAllowed, "what is in ASKD_TOKEN is no token").into());
        }
        return Ok(SecretString::from(token));
    }
    let name = match caller {
        Caller::Agent => "agent",
        Caller::Operator => "operator",
    };
    let state = state.ok_or_else(|| {
        Stop::new(
            Exit::NotAllowed,
            "no token: set ASKD_TOKEN, or give --token-file or --state-dir",
        )
    })?;
    let hint = "; askd makes it when it starts, and ASKD_TOKEN or --token-file name another";
    read_token(&state.token_file(name)).map_err(|error| match error.downcast_ref::<NoToken>() {
        // No token, and no address that a daemon left: it is not the caller who is amiss.
        Some(none) if none.source.kind() == io::ErrorKind::NotFound && !named && state.url().is_none() => {
            let text = format!(
                "askd has not run in {} yet; start it with: askd serve",
                state.path().display()
            );
            Stop::new(Exit::Unreachable, text).into()
        }
        _ => refuse(error, hint),
    })
}

/// Whether `url` is this machine, which no proxy knows.
fn is_local(url: &Url) -> bool {
    match url.host_str() {
        Some("localhost") => true,
        Some(host) => host
            .trim_matches(['[', ']'])
            .parse()
            .is_ok_and(|ip: std::net::IpAddr| ip.is_loopback()),
        None => false,
    }
}

#[cfg(test)]
mod tests;
