//! HTTP.

use askd_testkit::entrance_suite::{Ability, Caller, Entrance, Refusal};
use async_trait::async_trait;
use reqwest::{Client, Method, RequestBuilder};
use serde_json::{Value, json};

use crate::served::{Served, refusal};

/// Calls over HTTP.
pub(crate) struct Http {
    server: Served,
    client: Client,
    /// Of callers who use the panel; the others have tokens.
    cookies: Vec<(Caller, String)>,
}

impl Http {
    pub(crate) fn new(server: Served) -> Self {
        Self::with_cookies(server, Vec::new())
    }

    pub(crate) fn with_cookies(server: Served, cookies: Vec<(Caller, String)>) -> Self {
        let client = Client::builder().no_proxy().build();
        Self {
            server,
            client: client.expect("it needs nothing"),
            cookies,
        }
    }

    fn request(&self, caller: Caller, method: Method, path: &str) -> RequestBuilder {
        let url = format!("{}/v1/asks{path}", self.server.url);
        let request = self.client.request(method, url);
        match self.cookies.iter().find(|(who, _)| *who == caller) {
            Some((_, cookie)) => request.header("Cookie", cookie).header("Askd-Client", "panel"),
            None => request.bearer_auth(caller.secret()),
        }
    }

    async fn get_at(&self, caller: Caller, path: &str) -> Result<Value, Refusal> {
        send(self.request(caller, Method::GET, path)).await
    }

    async fn post(&self, caller: Caller, path: &str, body: &Value) -> Result<Value, Refusal> {
        send(self.request(caller, Method::POST, path).json(body)).await
    }

    async fn post_empty(&self, caller: Caller, path: &str) -> Result<Value, Refusal> {
        send(self.request(caller, Method::POST, path)).await
    }
}

#[async_trait]
impl Entrance for Http {
    fn abilities(&self) -> &'static [Ability] {
        use Ability::{Answer, Cancel, Keys, Read, Reply, Skip, Wait};
        &[Keys, Wait, Cancel, Read, Answer, Reply, Skip]
    }

    async fn ask(&self, caller: Caller, body: &Value, key: Option<&str>) -> Result<Value, Refusal> {
        let mut request = self.request(caller, Method::POST, "").json(body);
        if let Some(key) = key {
            request = request.header("Idempotency-Key", key);
        }
        send(request).await
    }

    async fn wait(&self, caller: Caller, id: &str, seconds: u8) -> Result<Value, Refusal> {
        let ask = self.get_at(caller, &format!("/{id}?wait={seconds}")).await?;
        Ok(match &ask["result"] {
            // Over HTTP an ask that is still pending has no result yet.
            Value::Null => json!({ "status": ask["status"], "askId": ask["id"] }),
            result => result.clone(),
        })
    }

    async fn cancel(&self, caller: Caller, id: &str) -> Result<Value, Refusal> {
        self.post_empty(caller, &format!("/{id}/cancel")).await
    }

    async fn get(&self, caller: Caller, id: &str) -> Result<Value, Refusal> {
        self.get_at(caller, &format!("/{id}")).await
    }

    async fn list(&self, caller: Caller, status: Option<&str>) -> Result<Vec<Value>, Refusal> {
        let query = status.map_or_else(String::new, |status| format!("?status={status}"));
        let page = self.get_at(caller, &query).await?;
        Ok(page["asks"].as_array().cloned().unwrap_or_default())
    }

    async fn answer(&self, caller: Caller, id: &str, answers: &Value) -> Result<Value, Refusal> {
        self.post(caller, &format!("/{id}/answers"), &json!({ "answers": answers }))
            .await
    }

    async fn reply(&self, caller: Caller, id: &str, text: &str) -> Result<Value, Refusal> {
        self.post(caller, &format!("/{id}/reply"), &json!({ "text": text }))
            .await
    }

    async fn skip(&self, caller: Caller, id: &str) -> Result<Value, Refusal> {
        self.post_empty(caller, &format!("/{id}/skip")).await
    }
}

async fn send(request: RequestBuilder) -> Result<Value, Refusal> {
    let other = |error: reqwest::Error| Refusal::Other(error.to_string());
    let response = request.send().await.map_err(other)?;
    let status = response.status();
    let body: Value = response.json().await.map_err(other)?;
    if status.is_success() {
        Ok(body)
    } else {
        Err(refusal(&body))
    }
}
