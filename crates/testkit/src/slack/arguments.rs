//! The arguments of a call, out of whichever form they came in.
//!
//! Slack takes them from the query, from an urlencoded form or, where the method says so, from a JSON object. In a form
//! a structure is JSON in a text; in a JSON object it may be a structure. A method that knows no JSON bodies does not
//! refuse one: it acts as if nothing had been said.

use std::collections::BTreeMap;

use axum::{
    Form,
    body::Bytes,
    extract::{FromRequest, Query, Request},
    http::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName},
};
use serde_json::Value;

use super::refusal::Refusal;

/// The arguments of one call, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arguments(BTreeMap<String, Value>);

/// A call as it came in.
#[derive(Debug, Default)]
pub(crate) struct Called {
    pub(crate) token: Option<String>,
    pub(crate) arguments: Arguments,
    pub(crate) warnings: Vec<&'static str>,
}

impl Called {
    /// Reads a call. Where `json` is false, a JSON body is passed over.
    pub(crate) async fn read(request: Request, json: bool) -> Result<Self, Refusal> {
        let refused = |error: &str| Refusal::broken(error, Vec::new());
        let bearer = header(&request, AUTHORIZATION);
        let bearer = bearer.and_then(|value| value.strip_prefix("Bearer ").map(str::to_owned));
        let kind = header(&request, CONTENT_TYPE).unwrap_or_default();
        let mut arguments = Query::<Vec<(String, String)>>::try_from_uri(request.uri())
            .map(|Query(pairs)| texts(pairs))
            .map_err(|_| refused("invalid_form_data"))?;
        let mut warnings = Vec::new();
        if kind.starts_with("application/json") {
            let body = Bytes::from_request(request, &()).await;
            let body = body.map_err(|_| refused("request_timeout"))?;
            let fields = match serde_json::from_slice(&body) {
                Ok(Value::Object(fields)) => fields,
                Ok(_) => return Err(refused("json_not_object")),
                Err(_) if body.is_empty() => serde_json::Map::new(),
                Err(_) => return Err(refused("invalid_json")),
            };
            if !kind.contains("charset") {
                warnings.push("missing_charset");
            }
            if json {
                // A token in a JSON body is not looked at, and a null is as good as nothing.
                let fields = fields
                    .into_iter()
                    .filter(|(name, value)| name != "token" && !value.is_null());
                arguments.extend(fields);
            }
        } else if kind.starts_with("application/x-www-form-urlencoded") {
            let form = Form::<Vec<(String, String)>>::from_request(request, &()).await;
            arguments.extend(texts(form.map_err(|_| refused("invalid_form_data"))?.0));
        } else if !kind.is_empty() {
            return Err(refused("invalid_post_type"));
        }
        let token = match arguments.remove("token") {
            Some(Value::String(token)) if bearer.is_none() => Some(token),
            _ => bearer,
        };
        Ok(Self {
            token,
            arguments: Arguments(arguments),
            warnings,
        })
    }
}

fn header(request: &Request, name: HeaderName) -> Option<String> {
    let value = request.headers().get(name)?;
    value.to_str().ok().map(str::to_owned)
}

fn texts(pairs: Vec<(String, String)>) -> BTreeMap<String, Value> {
    pairs
        .into_iter()
        .map(|(name, value)| (name, Value::String(value)))
        .collect()
}

impl Arguments {
    /// What was given for `name` as a text; empty where nothing was, or a structure.
    #[must_use]
    pub fn text(&self, name: &str) -> String {
        match self.0.get(name) {
            Some(Value::String(text)) => text.clone(),
            Some(value @ (Value::Bool(_) | Value::Number(_))) => value.to_string(),
            _ => String::new(),
        }
    }

    /// Whether anything was given for `name`, be it empty.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// A switch: on for `true` and `1`.
    #[must_use]
    pub fn flag(&self, name: &str) -> bool {
        ["true", "1"].contains(&self.text(name).as_str())
    }

    /// A structure, be it JSON in a text or itself.
    ///
    /// # Errors
    /// Where the text is no JSON.
    pub fn structure(&self, name: &str) -> Result<Option<Value>, serde_json::Error> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Value::String(text)) if text.is_empty() => Ok(None),
            Some(Value::String(text)) => serde_json::from_str(text).map(Some),
            Some(value) => Ok(Some(value.clone())),
        }
    }

    /// The names that were given.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

impl<const N: usize> From<[(&str, Value); N]> for Arguments {
    fn from(arguments: [(&str, Value); N]) -> Self {
        let arguments = arguments.map(|(name, value)| (name.to_owned(), value));
        Self(arguments.into_iter().collect())
    }
}
