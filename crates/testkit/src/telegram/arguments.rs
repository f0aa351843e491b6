//! The parameters of a call, out of whichever form they came in.
//!
//! Telegram takes them from the query, from a JSON object, from an urlencoded form or from a multipart one, and treats
//! them alike: as texts. What is no text in the JSON object keeps its JSON as text, so that a `null` becomes the text
//! `null`, which is no number, no mode and no keyboard. That is how nulls come to be refused.

use std::collections::BTreeMap;

use axum::{
    Form,
    body::Bytes,
    extract::{FromRequest, Multipart, Query, Request},
    http::header::CONTENT_TYPE,
};
use serde_json::Value;

use super::refusal::Refusal;

/// The parameters of one call, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arguments(BTreeMap<String, String>);

impl Arguments {
    /// Reads them all; those of the body win over those of the query.
    pub(crate) async fn read(request: Request) -> Result<Self, Refusal> {
        let unreadable = || Refusal::broken("can't parse the request");
        let mut arguments = Query::<Vec<(String, String)>>::try_from_uri(request.uri())
            .map(|Query(pairs)| pairs)
            .map_err(|_| unreadable())?
            .into_iter()
            .collect::<BTreeMap<_, _>>();
        let kind = request
            .headers()
            .get(CONTENT_TYPE)
            .and_then(|kind| kind.to_str().ok())
            .unwrap_or_default();
        if kind.starts_with("application/json") {
            let body = Bytes::from_request(request, &()).await;
            let body = body.map_err(|_| unreadable())?;
            arguments.extend(of_json(&body)?);
        } else if kind.starts_with("application/x-www-form-urlencoded") {
            let form = Form::<Vec<(String, String)>>::from_request(request, &()).await;
            arguments.extend(form.map_err(|_| unreadable())?.0);
        } else if kind.starts_with("multipart/form-data") {
            let form = Multipart::from_request(request, &()).await;
            let mut form = form.map_err(|_| unreadable())?;
            while let Some(field) = form.next_field().await.map_err(|_| unreadable())? {
                let name = field.name().unwrap_or_default().to_owned();
                arguments.insert(name, field.text().await.map_err(|_| unreadable())?);
            }
        }
        Ok(Self(arguments))
    }

    /// What was given for `name`; empty where nothing was, as Telegram has it.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    /// Whether anything was given for `name`, be it empty.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// A number, 0 where it is none.
    #[must_use]
    pub fn integer(&self, name: &str) -> i64 {
        self.text(name).trim().parse().unwrap_or(0)
    }

    /// A switch: on for `true`, `yes` and `1`.
    #[must_use]
    pub fn flag(&self, name: &str) -> bool {
        ["true", "yes", "1"].contains(&self.text(name).trim().to_lowercase().as_str())
    }

    /// A JSON value, as it was given.
    #[must_use]
    pub fn json(&self, name: &str) -> Option<Value> {
        serde_json::from_str(self.text(name)).ok()
    }

    /// The names that were given.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

impl<const N: usize> From<[(&str, Value); N]> for Arguments {
    fn from(arguments: [(&str, Value); N]) -> Self {
        let texts = arguments.map(|(name, value)| (name.to_owned(), as_text(value)));
        Self(texts.into_iter().collect())
    }
}

fn of_json(body: &[u8]) -> Result<BTreeMap<String, String>, Refusal> {
    match serde_json::from_slice(body) {
        Ok(Value::Object(fields)) => Ok(fields
            .into_iter()
            .map(|(name, value)| (name, as_text(value)))
            .collect()),
        _ if body.is_empty() => Ok(BTreeMap::new()),
        _ => Err(Refusal::broken("can't parse the JSON object of the request")),
    }
}

fn as_text(value: Value) -> String {
    match value {
        Value::String(text) => text,
        other => other.to_string(),
    }
}
