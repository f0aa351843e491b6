//! Somebody who calls askd over HTTP.
//!
//! Calls block, so that a story reads from top to bottom; what must go on meanwhile is a thread.

use std::future::Future;

use reqwest::{Client, Method, RequestBuilder, Response};
use serde_json::Value;
use tokio::{
    runtime::{self, Runtime},
    time::timeout,
};

use crate::PATIENCE;

/// A caller with a secret.
pub struct Api {
    url: String,
    secret: String,
    client: Client,
    runtime: Runtime,
}

/// What came back.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The body.
    pub body: Value,
}

impl Answer {
    /// The id of the ask that came back.
    ///
    /// # Panics
    /// If it is no ask.
    #[must_use]
    pub fn id(&self) -> String {
        let id = self.body["id"].as_str();
        id.unwrap_or_else(|| panic!("no ask came back: {self:?}"))
            .to_owned()
    }
}

impl Api {
    /// Calls askd at `url` with this secret.
    ///
    /// # Panics
    /// If the machine has no threads left.
    #[must_use]
    pub fn new(url: &str, secret: &str) -> Self {
        let client = Client::builder().no_proxy().build();
        let runtime = runtime::Builder::new_current_thread().enable_all().build();
        Self {
            url: url.to_owned(),
            secret: secret.to_owned(),
            client: client.expect("it needs nothing"),
            runtime: runtime.expect("there are threads left"),
        }
    }

    /// The same caller once more, for another thread.
    #[must_use]
    pub fn again(&self) -> Self {
        Self::new(&self.url, &self.secret)
    }

    /// Asks.
    pub fn ask(&self, body: &Value) -> Answer {
        self.post("/v1/asks", body)
    }

    /// Asks what cannot be taken over now; returns the status, and after how many seconds askd says to try again.
    ///
    /// # Panics
    /// If no answer comes in time, or it does not say so.
    pub fn ask_in_vain(&self, body: &Value) -> (u16, u32) {
        let request = self.request(Method::POST, "/v1/asks").json(body);
        let response = self
            .within_patience(request.send())
            .unwrap_or_else(|error| panic!("no answer: {error:?}"));
        let after = response
            .headers()
            .get("retry-after")
            .and_then(|after| after.to_str().ok()?.parse().ok());
        (
            response.status().as_u16(),
            after.unwrap_or_else(|| panic!("it does not say when to try again: {response:?}")),
        )
    }

    /// Asks under a key.
    pub fn ask_once(&self, body: &Value, key: &str) -> Answer {
        let request = self.request(Method::POST, "/v1/asks").json(body);
        self.send(request.header("Idempotency-Key", key))
    }

    /// Reads an ask.
    pub fn read(&self, id: &str) -> Value {
        self.get(&format!("/v1/asks/{id}")).body
    }

    /// Answers with a text; returns the receipt.
    pub fn reply(&self, id: &str, text: &str) -> Value {
        self.post(
            &format!("/v1/asks/{id}/reply"),
            &serde_json::json!({ "text": text }),
        )
        .body
    }

    /// `GET`.
    pub fn get(&self, path: &str) -> Answer {
        self.send(self.request(Method::GET, path))
    }

    /// `GET`: all that comes back, headers and body, whatever it is.
    ///
    /// # Panics
    /// If nothing does.
    pub fn whole(&self, path: &str) -> String {
        let whole = self.within_patience(async {
            let response = self.request(Method::GET, path).send().await?;
            let head = format!("{} {:?}", response.status(), response.headers());
            reqwest::Result::Ok(format!("{head}\n{}", response.text().await?))
        });
        whole.unwrap_or_else(|error| panic!("no answer: {error:?}"))
    }

    /// `POST` with a body.
    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(self.request(Method::POST, path).json(body))
    }

    /// `POST` without a body.
    pub fn post_empty(&self, path: &str) -> Answer {
        self.send(self.request(Method::POST, path))
    }

    /// `DELETE`.
    pub fn delete(&self, path: &str) -> Answer {
        self.send(self.request(Method::DELETE, path))
    }

    /// `POST` with a body to a daemon that may go away; `None` where no whole answer came.
    pub fn try_post(&self, path: &str, body: &Value) -> Option<Answer> {
        self.try_send(self.request(Method::POST, path).json(body)).ok()
    }

    /// Follows what happens from now on.
    ///
    /// # Panics
    /// If askd refuses.
    #[must_use]
    pub fn events(&self) -> Events<'_> {
        let request = self.request(Method::GET, "/v1/events");
        let response = self.within_patience(request.send());
        let response = response.unwrap_or_else(|error| panic!("no stream of events: {error}"));
        assert_eq!(response.status(), 200, "no stream of events");
        Events {
            api: self,
            response,
            text: String::new(),
        }
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let url = format!("{}{path}", self.url);
        self.client.request(method, url).bearer_auth(&self.secret)
    }

    fn send(&self, request: RequestBuilder) -> Answer {
        let answer = self.try_send(request);
        answer.unwrap_or_else(|error| panic!("no answer: {error:?}"))
    }

    fn try_send(&self, request: RequestBuilder) -> reqwest::Result<Answer> {
        self.within_patience(async {
            let response = request.send().await?;
            let status = response.status().as_u16();
            let body = response.bytes().await?;
            Ok(Answer {
                status,
                body: serde_json::from_slice(&body).unwrap_or(Value::Null),
            })
        })
    }

    fn within_patience<T>(&self, future: impl Future<Output = T>) -> T {
        let ended = self.runtime.block_on(async { timeout(PATIENCE, future).await });
        ended.expect("askd answers in time")
    }
}

/// The stream of what happens.
pub struct Events<'a> {
    api: &'a Api,
    response: Response,
    text: String,
}

impl Events<'_> {
    /// Waits for the next change of this kind (`asked`, `kept`, `ended`, …), and returns the ask.
    ///
    /// # Panics
    /// If it does not come in time, or the stream ends before.
    pub fn until(&mut self, change: &str) -> Value {
        let Self { api, response, text } = self;
        // One limit for all of it: the stream is never silent for long, whatever happens.
        api.within_patience(async {
            loop {
                if let Some(ask) = told(text, change) {
                    return ask;
                }
                let chunk = response.chunk().await;
                let chunk = chunk.unwrap_or_else(|error| panic!("the stream broke: {error}"));
                let chunk = chunk.unwrap_or_else(|| panic!("the stream ended without {change:?}"));
                *text += &String::from_utf8_lossy(&chunk);
            }
        })
    }

    /// Reads to the end of the stream.
    ///
    /// # Panics
    /// If it does not come in time.
    pub fn until_it_ends(&mut self) {
        let response = &mut self.response;
        // A stream that is cut ends too.
        self.api
            .within_patience(async { while let Ok(Some(_)) = response.chunk().await {} });
    }
}

/// Takes events off `text` up to one of this kind; its ask, if there is one.
fn told(text: &mut String, change: &str) -> Option<Value> {
    while let Some((event, rest)) = text.split_once("\n\n") {
        let data = event.lines().find_map(|line| line.strip_prefix("data: "));
        let told: Option<Value> = data.and_then(|data| serde_json::from_str(data).ok());
        *text = rest.to_owned();
        if let Some(told) = told.filter(|told| told["change"] == change) {
            return Some(told["ask"].clone());
        }
    }
    None
}
