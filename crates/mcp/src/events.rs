//! An event stream that opens before there is anything to send.
//!
//! A comment goes out at once and every quarter of a minute from then on, until the answer begins; after that it is
//! passed on as it comes. Clients skip comments, but they and every proxy on the way see that the stream is alive.

use std::{convert::Infallible, future::Future, pin::Pin, sync::Arc};

use askd_core::broker::Broker;
use axum::{
    body::{Body, BodyDataStream, Bytes},
    http::{StatusCode, header},
    response::{IntoResponse as _, Response},
};
use futures_util::{StreamExt as _, stream};
use jiff::Timestamp;

use crate::limits;

/// A line that begins with a colon is a comment, an empty one ends an event (HTML, section 9.2.6).
const COMMENT: &[u8] = b": waiting for a person\n\n";

type Answer = Pin<Box<dyn Future<Output = Response> + Send>>;

enum Source {
    /// Nothing was sent yet.
    Opened(Answer),
    /// The answer has not begun; when to say so again.
    Waiting(Answer, Timestamp),
    /// It is passed on.
    Answering(BodyDataStream),
    /// It has been passed on as one event.
    Over,
}

/// A response that begins now and goes on with `answer`.
pub(crate) fn stream(answer: Answer, broker: Arc<Broker>) -> Response {
    let events = stream::unfold(Source::Opened(answer), move |source| {
        let broker = Arc::clone(&broker);
        async move { next(source, &broker).await }
    });
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-cache"),
        // nginx would collect events before it passes them on.
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    (
        StatusCode::OK,
        headers,
        Body::from_stream(events.map(Ok::<_, Infallible>)),
    )
        .into_response()
}

async fn next(source: Source, broker: &Broker) -> Option<(Bytes, Source)> {
    let clock = broker.clock();
    let comment = |answer| {
        let then = clock.now() + limits::TELL_EVERY;
        Some((Bytes::from_static(COMMENT), Source::Waiting(answer, then)))
    };
    let mut rest = match source {
        Source::Opened(answer) => return comment(answer),
        Source::Waiting(mut answer, then) => {
            let response = tokio::select! {
                biased;
                response = &mut answer => response,
                () = clock.sleep_until(then) => return comment(answer),
            };
            let kind = response.headers().get(header::CONTENT_TYPE);
            if !kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream")) {
                return Some((event(response).await, Source::Over));
            }
            response.into_body().into_data_stream()
        }
        Source::Answering(rest) => rest,
        Source::Over => return None,
    };
    let bytes = rest.next().await?.ok()?;
    Some((bytes, Source::Answering(rest)))
}

/// A message that came as a whole, as an event.
async fn event(response: Response) -> Bytes {
    // Made by rmcp in memory: there is no end to wait for, and nothing to limit.
    let json = axum::body::to_bytes(response.into_body(), usize::MAX).await;
    let mut event = b"data: ".to_vec();
    event.extend_from_slice(&json.unwrap_or_default());
    event.extend_from_slice(b"\n\n");
    event.into()
}
