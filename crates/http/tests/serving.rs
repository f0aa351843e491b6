//! Real connections: keeping, cutting and ending them.

use std::{net::SocketAddr, sync::Arc};

use askd_http::{HttpOptions, serve};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    task::JoinSet,
    time::{Duration, Instant, timeout},
};
use tokio_util::sync::CancellationToken;

use crate::world::{AGENT, World};

struct Server {
    at: SocketAddr,
    stop: CancellationToken,
    running: JoinSet<std::io::Result<()>>,
}

impl Server {
    async fn start(world: &World) -> Self {
        Self::with(world, HttpOptions::default()).await
    }

    async fn with(world: &World, options: HttpOptions) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (at, stop) = (listener.local_addr().unwrap(), CancellationToken::new());
        // What the options say of loopback does not count: the listener does.
        let options = HttpOptions {
            loopback_only: false,
            ..options
        };
        let mut running = JoinSet::new();
        running.spawn(serve(listener, Arc::clone(&world.broker), options, stop.clone()));
        Self { at, stop, running }
    }

    /// Stops it, and says how long that took.
    async fn stopped(mut self) -> Duration {
        let begin = Instant::now();
        self.stop.cancel();
        let ended = timeout(Duration::from_mins(2), self.running.join_next()).await;
        ended.expect("a stop ends").unwrap().unwrap().unwrap();
        begin.elapsed()
    }

    /// A connection on which this was sent.
    async fn sent(&self, text: &str) -> TcpStream {
        let mut connection = TcpStream::connect(self.at).await.unwrap();
        connection.write_all(text.as_bytes()).await.unwrap();
        connection
    }
}

fn request(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {AGENT}\r\n\r\n")
}

/// Reads until `end` has come.
async fn read_until(connection: &mut TcpStream, end: &str) -> String {
    let mut read = String::new();
    while !read.contains(end) {
        let mut buffer = [0; 1024];
        let n = connection.read(&mut buffer).await.unwrap();
        assert_ne!(n, 0, "the connection ended after {read:?}");
        read.push_str(std::str::from_utf8(&buffer[..n]).unwrap());
    }
    read
}

async fn read_to_end(mut connection: TcpStream) -> String {
    let mut read = Vec::new();
    // A connection that is cut may end with a reset. The time is the paused clock's: it passes when nothing else happens.
    let ended = timeout(Duration::from_mins(2), connection.read_to_end(&mut read)).await;
    assert!(ended.is_ok(), "the connection was never ended");
    String::from_utf8(read).unwrap()
}

#[tokio::test]
async fn one_connection_carries_many_requests() {
    let server = Server::start(&World::new()).await;
    let mut connection = server.sent(&request("/healthz")).await;
    read_until(&mut connection, r#"{"status":"ok"}"#).await;

    connection
        .write_all(request("/v1/asks").as_bytes())
        .await
        .unwrap();

    read_until(&mut connection, r#"{"asks":[],"next":null}"#).await;
}

#[tokio::test]
async fn a_loopback_listener_answers_to_names_of_this_machine_alone() {
    let server = Server::start(&World::new()).await;
    let mut connection = server
        .sent("GET /healthz HTTP/1.1\r\nhost: evil.example\r\n\r\n")
        .await;

    read_until(&mut connection, "urn:askd:problem:foreign-host").await;
}

/// Hands a wrong code in on a connection of its own, as a proxy does for a client; what became of it.
async fn wrong_code(server: &Server, client: &str) -> String {
    let body = r#"{"code":"0"}"#;
    let request = format!(
        "POST /v1/sign-in HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
         x-forwarded-for: {client}\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut connection = server.sent(&request).await;
    let answer = read_until(&mut connection, "\"title\"").await;
    let kind = answer.split_once("urn:askd:problem:").unwrap().1;
    kind.split('"').next().unwrap().to_owned()
}

#[tokio::test]
async fn behind_a_trusted_proxy_each_client_has_its_own_tries_and_elsewhere_each_connection_its_address() {
    let trusting = HttpOptions {
        trusted_proxies: vec!["127.0.0.1".parse().unwrap()],
        ..HttpOptions::default()
    };
    for (options, of_another) in [
        (trusting, "sign-in-code"),
        (HttpOptions::default(), "too-many-tries"),
    ] {
        let world = World::new();
        let server = Server::with(&world, options).await;
        for _ in 0..10 {
            assert_eq!(wrong_code(&server, "203.0.113.1").await, "sign-in-code");
        }

        assert_eq!(wrong_code(&server, "203.0.113.1").await, "too-many-tries");
        assert_eq!(wrong_code(&server, "203.0.113.2").await, of_another);
    }
}

#[tokio::test(start_paused = true)]
async fn a_header_that_never_ends_is_cut_off() {
    let server = Server::start(&World::new()).await;
    let begin = Instant::now();
    let connection = server.sent("GET /healthz HTTP/1.1\r\nhost: local").await;

    read_to_end(connection).await;

    assert!(
        (29..=31).contains(&begin.elapsed().as_secs()),
        "{:?}",
        begin.elapsed()
    );
}

#[tokio::test(start_paused = true)]
async fn a_stop_lets_holds_answer_first() {
    let world = World::new();
    let id = world.asked().await;
    let server = Server::start(&world).await;
    let connection = server.sent(&request(&format!("/v1/asks/{id}?wait=50"))).await;
    let mut stream = server.sent(&request("/v1/events")).await;
    // The stream was opened later, and is served: so the hold is, too.
    read_until(&mut stream, ": connected").await;

    world.stop.cancel();
    let took = server.stopped().await;

    let answer = read_to_end(connection).await;
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    assert!(answer.contains(r#""status":"pending""#), "{answer}");
    let end = read_to_end(stream).await;
    assert!(end.ends_with("0\r\n\r\n"), "the stream ends in order: {end:?}");
    assert!(took < Duration::from_secs(1), "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn a_stop_takes_less_than_three_seconds_although_streams_and_holds_are_open() {
    let world = World::new();
    let id = world.asked().await;
    let server = Server::start(&world).await;
    let hold = server.sent(&request(&format!("/v1/asks/{id}?wait=50"))).await;
    let mut stream = server.sent(&request("/v1/events")).await;
    read_until(&mut stream, ": connected").await;

    // The broker is not told to stop, so neither ends by itself.
    let took = server.stopped().await;

    assert!(took < Duration::from_secs(3), "{took:?}");
    assert_eq!(read_to_end(hold).await, "");
    let ask = world.get(&format!("/v1/asks/{id}")).token(AGENT).send().await;
    assert_eq!(ask.text("/status"), "pending", "a stop cancels nothing");
}

#[tokio::test(start_paused = true)]
async fn idle_connections_do_not_hold_up_a_stop() {
    let server = Server::start(&World::new()).await;
    let mut connection = server.sent(&request("/healthz")).await;
    read_until(&mut connection, r#"{"status":"ok"}"#).await;

    let took = server.stopped().await;

    assert!(took < Duration::from_secs(1), "{took:?}");
}
