//! The HTTP side, up to rmcp.
//!
//! rmcp's transport speaks every revision of the protocol, without sessions. What it leaves to its host, or does
//! otherwise than clients need, is done before it is asked:
//!
//! * who calls, by the token of each request
//! * `notifications/cancelled`: without sessions rmcp drops it, because it cannot know whose it is
//! * streams that open at once: rmcp sends no header before the first message, and some clients wait for a header 60
//!   or 300 s (`events`)
//! * the end of a connection that has a name (`DELETE`), which is how `askd mcp` tells that its client has gone
//!
//! Tests: `tests/gate.rs`, `tests/cancelling.rs`.

use std::sync::Arc;

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{FromRequest as _, Request, State},
    http::{Method, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
    routing::any,
};
use rmcp::{
    ServerHandler,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager,
    },
};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::{
    Desk, PATH,
    call::Opening,
    caller::{Caller, Unheard},
    calls::CallName,
    events, limits,
};

type Protocol<S> = StreamableHttpService<S, NeverSessionManager>;

/// JSON-RPC's codes for what is no message (JSON-RPC 2.0 section 5.1).
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;

const JSON: &str = "application/json";

#[derive(Clone)]
struct Gate<S> {
    desk: Arc<Desk>,
    protocol: Protocol<S>,
}

/// The routes of this entrance, before this server.
pub(crate) fn routes<S: ServerHandler + Clone>(desk: Arc<Desk>, server: S) -> Router {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        // A message that is the whole answer goes out as JSON; anything longer is a stream.
        .with_json_response(true)
        // Whoever serves these routes checks hosts and origins, and limits bodies.
        .disable_allowed_hosts()
        .with_max_request_body_bytes(usize::MAX)
        // What is said while nothing happens is ours to say (`events`), on our clock.
        .with_sse_keep_alive(None)
        .with_sse_retry(None);
    let factory = move || Ok(server.clone());
    let protocol = Protocol::new(factory, Arc::default(), config);
    Router::new()
        .route(PATH, any(pass::<S>))
        .with_state(Gate { desk, protocol })
}

async fn pass<S: ServerHandler + Clone>(
    State(gate): State<Gate<S>>,
    request: Request,
) -> Result<Response, Unheard> {
    let caller = Caller::of(request.headers(), &gate.desk.broker)?;
    if *request.method() == Method::DELETE
        && let Some(connection) = &caller.connection
    {
        gate.desk.calls.leave(&caller.principal.token, connection);
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let (parts, body) = whole(request).await?;
    if parts.method != Method::POST {
        return Ok(gate.answer(parts, body).await);
    }
    let message = match serde_json::from_slice::<Value>(&body) {
        Ok(message @ Value::Object(_)) => message,
        Ok(Value::Array(_)) => {
            return Ok(error(
                INVALID_REQUEST,
                "send one message in a request, and no batch",
                &Value::Null,
            ));
        }
        Ok(_) => return Ok(error(INVALID_REQUEST, "a message is a JSON object", &Value::Null)),
        // What serde says quotes nothing of the text.
        Err(reason) => {
            let text = format!("the body is no JSON: {reason}");
            return Ok(error(PARSE_ERROR, &text, &Value::Null));
        }
    };
    if message["method"] == "notifications/cancelled" && message.get("id").is_none() {
        let name = CallName::of(&caller, message["params"]["requestId"].clone());
        let found = gate.desk.calls.cancel(&name, gate.desk.broker.clock().now());
        tracing::debug!(found, "cancel received");
        return Ok(StatusCode::ACCEPTED.into_response());
    }
    let is_json = parts.headers.get(header::CONTENT_TYPE).is_some_and(|kind| {
        let kind = kind.as_bytes();
        kind.len() >= JSON.len() && kind[..JSON.len()].eq_ignore_ascii_case(JSON.as_bytes())
    });
    let response = gate.hear(caller, parts, body).await;
    // For rmcp a message that it does not know is of a wrong media type; a client would look for the fault there.
    if is_json && response.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE {
        let text = "this is no message of MCP: see jsonrpc, id, method, params and params._meta";
        return Ok(error(INVALID_REQUEST, text, &number(&message)));
    }
    Ok(response)
}

impl<S: ServerHandler + Clone> Gate<S> {
    /// Has rmcp answer. The stream opens when a tool says so, though rmcp's own has not begun.
    async fn hear(self, caller: Caller, mut parts: Parts, body: Bytes) -> Response {
        let opening = Opening::default();
        parts.extensions.insert(caller);
        parts.extensions.insert(opening.clone());
        let broker = Arc::clone(&self.desk.broker);
        let mut answer = Box::pin(async move { self.answer(parts, body).await });
        tokio::select! {
            // What is ready has its status; the stream would hide it.
            biased;
            answer = &mut answer => answer,
            () = opening.0.notified() => events::stream(answer, broker),
        }
    }

    async fn answer(&self, parts: Parts, body: Bytes) -> Response {
        let request = Request::from_parts(parts, Body::from(body));
        let response = self.protocol.handle(request).await;
        response.map(Body::new)
    }
}

/// The whole body. How long it may be says whoever serves these routes.
async fn whole(request: Request) -> Result<(Parts, Bytes), Unheard> {
    let (parts, body) = request.into_parts();
    // Extractors find the limit among the extensions.
    let limited = Request::from_parts(parts.clone(), body);
    let read = timeout(limits::BODY, Bytes::from_request(limited, &()));
    match read.await {
        Ok(Ok(bytes)) => Ok((parts, bytes)),
        Ok(Err(rejection)) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => Err(Unheard::TooLarge),
        // Cut off in the middle: nobody reads this.
        Ok(Err(_)) | Err(_) => Err(Unheard::Slow),
    }
}

/// The number of what should be a request, `null` where there is none (JSON-RPC 2.0 section 5).
fn number(message: &Value) -> Value {
    let id = &message["id"];
    let is_one = id.is_string() || id.is_i64() || id.is_u64();
    if is_one { id.clone() } else { Value::Null }
}

/// An error about what is no message.
fn error(code: i32, message: &str, id: &Value) -> Response {
    let body = json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } });
    let content_type = (header::CONTENT_TYPE, JSON);
    (StatusCode::BAD_REQUEST, [content_type], body.to_string()).into_response()
}
