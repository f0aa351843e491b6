//! Connections: accepting them, and letting go of them.
//!
//! A loop of its own instead of `axum::serve`, for what that one does not do: a client that never finishes its header is
//! cut off, and so is one that takes nothing of what it is sent; headers have limits, there are only so many connections,
//! and a stop that comes while streams are open ends them. HTTP/1.1 alone is spoken: HTTP/2 is for the proxy that ends TLS.
//!
//! Tests: `tests/serving.rs`, `tests/smuggling.rs`.

mod lingering;

use std::{io, net::IpAddr, sync::Arc, time::Duration};

use askd_core::broker::Broker;
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    task::JoinSet,
    time::timeout,
};
use tokio_io_timeout::TimeoutStream;
use tokio_util::sync::CancellationToken;
use tower_http::add_extension::AddExtension;

use self::lingering::Lingering;
use crate::{
    HttpOptions,
    load::{Load, Refused},
    remote::Peer,
    routed,
};

/// Longest wait for the header of a request; also ends connections that are kept open idly.
const HEADER: Duration = Duration::from_secs(30);

/// Most headers of a request; more get 431. A browser behind a proxy sends some 30.
const HEADERS: usize = 100;

/// Longest header of a request, all lines together, in bytes; a longer one gets 431. Eight times what browsers and proxies
/// commonly take for one line.
const HEADER_BYTES: usize = 64 * 1024;

/// Longest that a client may take nothing of what is sent to it; ends connections that are held open by not reading. What
/// is sent by itself, on streams, is sent at most every quarter of a minute.
const TAKING: Duration = Duration::from_secs(30);

/// How many connections beyond the most are told so at once; further ones are closed without a word.
const TURNED_AWAY: usize = 64;

/// How long one that is turned away may take to say what it wants, and to hear that it will not get it.
const FAREWELL: Duration = Duration::from_secs(1);

/// What one connection too many is told, whatever it wants.
const ENOUGH: &str = r#"{"type":"urn:askd:problem:overloaded","title":"As many as are allowed are waiting","status":503,"detail":"as many connections as are allowed are open"}"#;

/// How long requests under way may take to end after a stop. Holds and streams end by themselves then, a stop of the
/// whole process takes at most five seconds (SPEC 2).
const GRACE: Duration = Duration::from_secs(2);

/// Pause after a connection could not be accepted: mostly too many open files, which passes.
const BREATHER: Duration = Duration::from_millis(200);

/// Serves the API on `listener` until `stop`, then finishes within three seconds: requests under way get two to end,
/// after which their connections are cut. Cancels no ask.
///
/// # Errors
/// If the listener has no address, so that nothing can be said of who may call.
pub async fn serve(
    listener: TcpListener,
    broker: Arc<Broker>,
    mut options: HttpOptions,
    stop: CancellationToken,
) -> io::Result<()> {
    options.loopback_only = listener.local_addr()?.ip().is_loopback();
    let most = options.max_connections;
    let load = Arc::new(Load::new(options.max_held));
    let routes = routed(broker, options, Arc::clone(&load));
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            () = stop.cancelled() => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) if connections.len() < most => {
                    let open = load.connections.one_more();
                    let serving = serve_one(stream, peer.ip(), routes.clone(), stop.clone());
                    connections.spawn(async move {
                        serving.await;
                        drop(open);
                    });
                }
                Ok((stream, _)) => {
                    let reason = Refused::CONNECTIONS;
                    load.refused.get_or_create(&Refused { reason }).inc();
                    if connections.len() < most.saturating_add(TURNED_AWAY) {
                        connections.spawn(turn_away(stream));
                    }
                }
                Err(error) => {
                    tracing::warn!(error = &error as &dyn std::error::Error, "connection not accepted");
                    tokio::time::sleep(BREATHER).await;
                }
            },
            // Ended connections are dropped as they end, so that the set holds the open ones only.
            Some(_) = connections.join_next() => {}
        }
    }
    drop(listener);
    let all_ended = async { while connections.join_next().await.is_some() {} };
    if timeout(GRACE, all_ended).await.is_err() {
        tracing::warn!(connections = connections.len(), "connections cut");
        connections.shutdown().await;
    }
    Ok(())
}

async fn serve_one(stream: TcpStream, peer: IpAddr, routes: Router, stop: CancellationToken) {
    // Small answers go out at once. That this cannot be set is no reason not to serve.
    let _ = stream.set_nodelay(true);
    let stream = Lingering::new(stream, stop.clone());
    let routes = AddExtension::new(routes, Peer(peer));
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(TAKING));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER)
        .max_headers(HEADERS)
        .max_buf_size(HEADER_BYTES)
        .serve_connection(TokioIo::new(Box::pin(stream)), TowerToHyperService::new(routes));
    let mut connection = std::pin::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(error = &error as &dyn std::error::Error, "connection ended early");
    }
}

/// Reads what fits into one packet or so, because a connection that is closed over unread bytes loses what was sent on it.
async fn turn_away(mut stream: TcpStream) {
    let farewell = async {
        let mut unread = [0; 4096];
        let _ = stream.read(&mut unread).await;
        let answer = format!(
            "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/problem+json\r\nretry-after: 5\r\n\
             connection: close\r\ncontent-length: {}\r\n\r\n{ENOUGH}",
            ENOUGH.len()
        );
        let _ = stream.write_all(answer.as_bytes()).await;
        let _ = stream.shutdown().await;
    };
    let _ = timeout(FAREWELL, farewell).await;
}
