//! A server with the tools, prompts and resources that the conformance suite of MCP asks for, over what askd serves
//! its own tool with: the HTTP server with its guard, and the entrance with its tokens, streams and cancels.
//!
//! For `cargo xtask conformance` alone, and no part of the program. The suite sends no token, so one is put into each
//! request behind the guard.
//!
//! Prints its address, and ends with its standard input.

#![expect(
    deprecated,
    reason = "the suite tests logging, and subscribing as it was before 2026-07-28"
)]

mod asking;
mod offers;
mod server;
mod tools;

use std::{error::Error, io, sync::Arc};

use askd_core::{
    broker::{Broker, Parts, Settings},
    id::TokenName,
    people::Directory,
    rights::{Principal, Role, Tokens},
    store::memory::MemoryStore,
};
use askd_http::HttpOptions;
use askd_mcp::McpOptions;
use askd_testkit::{chance::SeededChance, clock::WallClock};
use axum::{
    extract::Request,
    http::{HeaderValue, header},
    middleware,
};
use tokio::{net::TcpListener, sync::watch};
use tokio_util::sync::CancellationToken;

use crate::server::Fixture;

const SECRET: &str = "secret-of-the-suite";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let stop = CancellationToken::new();
    let broker = broker(stop.clone());
    let routes = askd_mcp::router_before(Arc::clone(&broker), McpOptions::new([7; 32]), Fixture::default());
    let options = HttpOptions {
        also: routes.layer(middleware::map_request(with_token)),
        ..HttpOptions::default()
    };
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}{}", listener.local_addr()?, askd_mcp::PATH);
    tokio::task::spawn_blocking(move || {
        // Whatever ends it: nobody is there any more.
        let _ = io::copy(&mut io::stdin(), &mut io::sink());
        stop.cancel();
    });
    let stopping = broker.stopping().clone();
    askd_http::serve(listener, broker, options, stopping).await?;
    Ok(())
}

async fn with_token(mut request: Request) -> Request {
    let token = HeaderValue::from_str(&format!("Bearer {SECRET}")).expect("it is ASCII");
    request.headers_mut().insert(header::AUTHORIZATION, token);
    request
}

/// Knows one agent and nobody to ask.
fn broker(stopping: CancellationToken) -> Arc<Broker> {
    let mut tokens = Tokens::default();
    let suite = Principal {
        token: TokenName::new("suite"),
        role: Role::Agent,
    };
    tokens.add(SECRET, suite);
    Arc::new(Broker::new(Parts {
        store: Arc::new(MemoryStore::new()),
        clock: Arc::new(WallClock),
        chance: Arc::new(SeededChance::new(1)),
        channels: Vec::new(),
        directory: watch::Sender::new(Arc::new(Directory::empty())).subscribe(),
        tokens: watch::Sender::new(Arc::new(tokens)).subscribe(),
        settings: Settings::default(),
        stopping,
    }))
}
