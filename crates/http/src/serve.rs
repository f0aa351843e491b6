//! Connections: accepting them, and letting go of them.
//!
//! A loop of its own instead of `axum::serve`, for two things that one does not do: a client that never finishes its
//! header is cut off, and a stop that comes while streams are open ends them.
//!
//! Tests: `tests/serving.rs`.

use std::{io, net::IpAddr, sync::Arc, time::Duration};

use askd_core::broker::Broker;
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream},
    task::JoinSet,
    time::timeout,
};
use tokio_util::sync::CancellationToken;
use tower_http::add_extension::AddExtension;

use crate::{HttpOptions, peer::Peer, router};

/// Longest wait for the header of a request; also ends connections that are kept open idly.
const HEADER: Duration = Duration::from_secs(30);

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
    let routes = router(broker, options);
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            () = stop.cancelled() => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => {
                    connections.spawn(serve_one(stream, peer.ip(), routes.clone(), stop.clone()));
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
    let routes = AddExtension::new(routes, Peer(peer));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(routes));
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
