//! How calls reach the driver.
//!
//! Its own client would come with a second version of reqwest, and would ask a proxy of the environment for a driver on
//! this machine.

use std::sync::Arc;

use async_trait::async_trait;
use axum::{
    body::Bytes,
    http::{Request, Response},
};
use reqwest::Client;
use thirtyfour::{
    error::{WebDriverError, WebDriverResult},
    session::http::{Body, HttpClient},
};

/// Calls on the machine itself.
pub(super) struct Direct(Client);

impl Direct {
    pub(super) fn new() -> Self {
        // Without a time limit: the driver ends each command by limits of its own, which say what took too long.
        Self(Client::builder().no_proxy().build().unwrap())
    }

    async fn exchange(&self, request: Request<Body<'_>>) -> reqwest::Result<Response<Bytes>> {
        let (parts, body) = request.into_parts();
        let url = parts.uri.to_string();
        let request = self.0.request(parts.method, url).headers(parts.headers);
        let request = match body {
            Body::Empty => request,
            Body::Json(json) => request.body(json.to_string()),
        };
        let response = request.send().await?;
        let mut answer = Response::new(Bytes::new());
        *answer.status_mut() = response.status();
        *answer.body_mut() = response.bytes().await?;
        Ok(answer)
    }
}

#[async_trait]
impl HttpClient for Direct {
    async fn send(&self, request: Request<Body<'_>>) -> WebDriverResult<Response<Bytes>> {
        let answer = self.exchange(request).await;
        answer.map_err(|error| WebDriverError::RequestFailed(error.to_string()))
    }

    async fn new(&self) -> Arc<dyn HttpClient> {
        Arc::new(Self::new())
    }
}
