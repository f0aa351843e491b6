//! Reading what a request carries, with a problem for everything that is wrong about it.

use std::{error::Error as _, sync::Arc};

use axum::{
    body::{Bytes, HttpBody as _},
    extract::{FromRequest, FromRequestParts, Path, Query, Request},
    http::{HeaderMap, StatusCode, header, request::Parts},
};
use jiff::SignedDuration;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{
    Api,
    problem::{Code, Problem},
    view::FaultView,
};

/// Longest wait for the whole of a body. It has at most some 512 KiB.
const PATIENCE: SignedDuration = SignedDuration::from_secs(10);

/// A JSON body, unchecked beyond being JSON.
#[derive(Debug)]
pub(crate) struct Json(pub(crate) Value);

impl FromRequest<Arc<Api>> for Json {
    type Rejection = Problem;

    async fn from_request(request: Request, api: &Arc<Api>) -> Result<Self, Problem> {
        if !is_json(request.headers()) {
            return Err(Problem::new(
                Code::MediaType,
                "send the header `Content-Type: application/json`",
            ));
        }
        let bytes = read(request, api).await?;
        parse(&bytes).map(Self)
    }
}

/// A JSON body, or none at all.
#[derive(Debug)]
pub(crate) struct OptionalJson(pub(crate) Option<Value>);

impl FromRequest<Arc<Api>> for OptionalJson {
    type Rejection = Problem;

    async fn from_request(request: Request, api: &Arc<Api>) -> Result<Self, Problem> {
        let declared = is_json(request.headers());
        let bytes = read(request, api).await?;
        if bytes.is_empty() {
            return Ok(Self(None));
        }
        if !declared {
            return Err(Problem::new(
                Code::MediaType,
                "send the header `Content-Type: application/json`",
            ));
        }
        parse(&bytes).map(|value| Self(Some(value)))
    }
}

/// `application/json` or `application/….+json`, with any parameters.
fn is_json(headers: &HeaderMap) -> bool {
    let declared = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let essence = declared
        .and_then(|text| text.split(';').next())
        .unwrap_or_default();
    let essence = essence.trim().to_ascii_lowercase();
    essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json"))
}

async fn read(request: Request, api: &Arc<Api>) -> Result<Bytes, Problem> {
    // One that says it is too long is not waited for.
    if request
        .body()
        .size_hint()
        .exact()
        .is_some_and(|length| length > api.body_limit as u64)
    {
        return Err(too_large(api));
    }
    let clock = api.broker.clock();
    let read = Bytes::from_request(request, api);
    let bytes = tokio::select! {
        bytes = read => bytes,
        () = clock.sleep_until(clock.now() + PATIENCE) => {
            let detail = format!("the body must arrive within {} seconds", PATIENCE.as_secs());
            return Err(Problem::new(Code::Slow, detail));
        }
    };
    bytes.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => too_large(api),
        _ => Problem::new(Code::BadJson, "the connection ended within the body"),
    })
}

fn too_large(api: &Api) -> Problem {
    let detail = format!("a body can have at most {} bytes", api.body_limit);
    Problem::new(Code::TooLarge, detail)
}

fn parse(bytes: &[u8]) -> Result<Value, Problem> {
    // Parsing to a `Value` fails on syntax only, and those messages quote nothing of the body.
    serde_json::from_slice(bytes).map_err(|error| Problem::new(Code::BadJson, error.to_string()))
}

/// A name in the path, whatever it names. It is percent-encoded UTF-8 (RFC 3986 section 2.5).
#[derive(Debug)]
pub(crate) struct InPath(pub(crate) String);

impl FromRequestParts<Arc<Api>> for InPath {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, api: &Arc<Api>) -> Result<Self, Problem> {
        Path::<String>::from_request_parts(parts, api)
            .await
            .map(|Path(name)| Self(name))
            .map_err(|_| Problem::new(Code::BadParameter, "the name in the path is not UTF-8"))
    }
}

/// Query parameters. Unknown ones are refused where `T` says so: a misspelt `wait` would make a busy loop.
#[derive(Debug)]
pub(crate) struct Params<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequestParts<Arc<Api>> for Params<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<Api>) -> Result<Self, Problem> {
        Query::<T>::try_from_uri(&parts.uri)
            .map(|Query(params)| Self(params))
            .map_err(|rejection| {
                // The source names the parameter and what is wrong; what is around it names our parser.
                let detail = rejection
                    .source()
                    .map_or_else(|| rejection.body_text(), ToString::to_string);
                Problem::new(Code::BadParameter, detail)
            })
    }
}

/// A field's name as a step of a JSON pointer (RFC 6901 section 3).
pub(crate) fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// The one field that the body may have, and must have where it is `required`. Notes what else is wrong about it.
pub(crate) fn only_field<'a>(
    body: &'a Value,
    field: &str,
    required: bool,
    faults: &mut Vec<FaultView>,
) -> Option<&'a Value> {
    let Value::Object(fields) = body else {
        faults.push(FaultView::not_object("", body));
        return None;
    };
    for (name, value) in fields.iter().filter(|(name, _)| *name != field) {
        faults.push(FaultView::unknown_field(&format!("/{}", escape(name)), value));
    }
    let found = fields.get(field);
    if required && found.is_none() {
        faults.push(FaultView::missing(&format!("/{field}")));
    }
    found
}
