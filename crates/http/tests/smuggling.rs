//! Raw bytes on a socket: what no well-behaved client sends.
//!
//! Two programs that read one connection differently (a proxy and this one) are how a request hides in another. So whatever
//! has two readings is refused, and its connection ended.

use std::sync::Arc;

use askd_http::{HttpOptions, serve};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    task::JoinSet,
    time::{Duration, timeout},
};
use tokio_util::sync::CancellationToken;

use crate::world::{AGENT, OPERATOR, World};

struct Server {
    at: std::net::SocketAddr,
    _running: JoinSet<std::io::Result<()>>,
}

impl Server {
    async fn start(options: HttpOptions) -> Self {
        Self::of(&World::new(), options).await
    }

    async fn of(world: &World, options: HttpOptions) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = listener.local_addr().unwrap();
        let mut running = JoinSet::new();
        running.spawn(serve(
            listener,
            Arc::clone(&world.broker),
            options,
            CancellationToken::new(),
        ));
        Self {
            at,
            _running: running,
        }
    }

    /// All that comes back until the server ends the connection.
    async fn says(&self, sent: &[u8]) -> String {
        let mut connection = TcpStream::connect(self.at).await.unwrap();
        // It may be cut while we write, which is an answer too.
        let _ = connection.write_all(sent).await;
        let mut read = Vec::new();
        let ended = timeout(Duration::from_mins(2), connection.read_to_end(&mut read)).await;
        assert!(ended.is_ok(), "the connection was never ended");
        String::from_utf8(read).unwrap()
    }

    async fn statuses(&self, sent: &str) -> Vec<String> {
        let said = self.says(sent.as_bytes()).await;
        let lines = said.split("HTTP/1.1 ").skip(1);
        lines.map(|line| line[..3].to_owned()).collect()
    }
}

/// A request that hides in another's body, if that is read wrongly.
const HIDDEN: &str = "GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";

fn post(headers: &str, body: &str) -> String {
    format!(
        "POST /v1/asks HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {AGENT}\r\n\
         content-type: application/json\r\n{headers}\r\n\r\n{body}"
    )
}

#[tokio::test(start_paused = true)]
async fn a_length_that_can_be_read_two_ways_is_refused_and_nothing_after_it_is_read() {
    let server = Server::start(HttpOptions::default()).await;
    for headers in [
        "content-length: 2\r\ncontent-length: 4",
        "content-length: 2, 4",
        "content-length: +2",
        "content-length: -1",
        "content-length: 0x2",
        "content-length: 99999999999999999999999",
        "transfer-encoding: identity",
        "transfer-encoding: chunked, identity",
        "transfer-encoding: gzip",
        "transfer-encoding: xchunked",
        "transfer-encoding : chunked",
        " transfer-encoding: chunked",
        "transfer-encoding: chunked\r\ntransfer-encoding: chunked",
        "transfer-encoding: chunked\r\ntransfer-encoding: identity",
        "content-length: 2\r\n transfer-encoding: chunked",
    ] {
        let sent = post(headers, &format!("0\r\n\r\n{HIDDEN}"));

        assert_eq!(server.statuses(&sent).await, ["400"], "{headers:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_length_beside_chunks_is_not_believed_and_nothing_after_the_chunks_is_read() {
    let server = Server::start(HttpOptions::default()).await;
    for headers in [
        "content-length: 5\r\ntransfer-encoding: chunked",
        "transfer-encoding: chunked\r\ncontent-length: 5",
    ] {
        // RFC 9112 section 6.3: the chunks say where the body ends, and the connection is closed after the answer.
        let sent = post(headers, &format!("2\r\n{{}}\r\n0\r\n\r\n{HIDDEN}"));

        assert_eq!(server.statuses(&sent).await, ["422"], "{headers:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_length_beyond_what_is_sent_makes_no_request_of_the_next_ones_bytes() {
    let server = Server::start(HttpOptions::default()).await;
    let sent = post(
        &format!("content-length: {}", 2 + HIDDEN.len()),
        &format!("{{}}{HIDDEN}"),
    );

    let said = server.says(sent.as_bytes()).await;

    assert_eq!(said.matches("HTTP/1.1 ").count(), 1, "{said}");
    assert!(said.contains("urn:askd:problem:bad-json"), "{said}");
}

#[tokio::test(start_paused = true)]
async fn a_body_in_a_coding_that_is_not_undone_is_not_read_as_if_it_were_in_none() {
    let server = Server::start(HttpOptions::default()).await;
    for (coding, status) in [("gzip", "415"), ("identity, br", "415"), ("identity", "422")] {
        let headers = format!("content-length: 2\r\nconnection: close\r\ncontent-encoding: {coding}");

        assert_eq!(server.statuses(&post(&headers, "{}")).await, [status], "{coding}");
    }
}

#[tokio::test(start_paused = true)]
async fn who_takes_nothing_of_what_is_sent_is_cut_off() {
    // Some 60 MB of answers, of which a few fit on the way: the server can go on only if somebody reads.
    const ASKED: usize = 1000;
    let server = Server::start(HttpOptions::default()).await;
    let mut connection = TcpStream::connect(server.at).await.unwrap();
    let request = "GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n";
    connection
        .write_all(request.repeat(ASKED).as_bytes())
        .await
        .unwrap();
    tokio::time::sleep(Duration::from_mins(1)).await;

    let mut read = Vec::new();
    // That it was reset is an end too.
    let ended = timeout(Duration::from_mins(2), connection.read_to_end(&mut read)).await;

    assert!(ended.is_ok(), "it was never cut off");
    let answers = read.windows(12).filter(|bytes| bytes == b"HTTP/1.1 200").count();
    assert!(answers < ASKED, "{answers} answers");
}

#[tokio::test(start_paused = true)]
async fn broken_chunks_end_the_connection() {
    let server = Server::start(HttpOptions::default()).await;
    for body in [
        "zz\r\n",
        "2;\u{1}\r\n{}",
        "-1\r\n{}\r\n",
        "fffffffffffffffff\r\n{}",
        "2\r\n{}XX0\r\n\r\n",
    ] {
        let sent = post("transfer-encoding: chunked", &format!("{body}{HIDDEN}"));

        let statuses = server.statuses(&sent).await;

        assert!(statuses.len() <= 1, "{body:?}: {statuses:?}");
        assert!(!statuses.contains(&"200".to_owned()), "{body:?}: {statuses:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_no_request_is_refused() {
    let server = Server::start(HttpOptions::default()).await;
    for sent in [
        "GET /healthz\r\n\r\n",
        "GET  /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nhost : localhost\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nhost: localhost\r\n folded: x\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nho\u{0}st: localhost\r\n\r\n",
        "GET /healthz HTTP/3.7\r\nhost: localhost\r\n\r\n",
        "G{T /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n",
        "\u{16}\u{3}\u{1}\u{2}\u{0}",
    ] {
        let statuses = server.statuses(sent).await;

        assert_eq!(statuses, ["400"], "{sent:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn http_2_without_tls_is_not_spoken() {
    let server = Server::start(HttpOptions::default()).await;
    let preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    assert_eq!(server.says(preface.as_bytes()).await, "", "the connection ends");
}

#[tokio::test(start_paused = true)]
async fn an_upgrade_to_http_2_is_not_taken() {
    let server = Server::start(HttpOptions::default()).await;
    let sent = "GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: Upgrade, HTTP2-Settings, close\r\n\
                upgrade: h2c\r\nhttp2-settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n";

    assert_eq!(server.statuses(sent).await, ["200"]);
}

#[tokio::test(start_paused = true)]
async fn methods_that_nobody_declared_change_nothing() {
    let server = Server::start(HttpOptions::default()).await;
    for method in ["PUT", "PATCH", "TRACE", "CONNECT", "PROPFIND", "BREW", "get", "X"] {
        let target = if method == "CONNECT" {
            "localhost:443"
        } else {
            "/v1/asks"
        };
        let sent = format!(
            "{method} {target} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {OPERATOR}\r\n\
             connection: close\r\n\r\n"
        );

        let statuses = server.statuses(&sent).await;

        let refused = ["404", "405", "400", "403"];
        assert!(
            matches!(statuses.as_slice(), [one] if refused.contains(&one.as_str())),
            "{method}: {statuses:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn two_hosts_are_none() {
    let server = Server::start(HttpOptions::default()).await;
    for hosts in [
        "host: localhost\r\nhost: evil.example",
        "host: localhost, evil.example",
        "x: y",
    ] {
        let sent = format!("GET /healthz HTTP/1.1\r\n{hosts}\r\nconnection: close\r\n\r\n");

        assert_eq!(server.statuses(&sent).await, ["403"], "{hosts:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn headers_have_a_number_and_a_length() {
    let server = Server::start(HttpOptions::default()).await;
    let request =
        |extra: &str| format!("GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{extra}\r\n");
    let many = |n: usize| "x: y\r\n".repeat(n);
    let long = |n: usize| format!("x: {}\r\n", "y".repeat(n));

    for fits in [many(90), long(30_000)] {
        assert_eq!(
            server.statuses(&request(&fits)).await,
            ["200"],
            "{} bytes",
            fits.len()
        );
    }
    for too_much in [many(200), long(200_000), many(20_000)] {
        assert_eq!(
            server.statuses(&request(&too_much)).await,
            ["431"],
            "{} bytes",
            too_much.len()
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_header_sent_a_byte_at_a_time_is_cut_off_like_one_that_stops() {
    let server = Server::start(HttpOptions::default()).await;
    let began = tokio::time::Instant::now();
    let mut connection = TcpStream::connect(server.at).await.unwrap();
    let (mut read, mut write) = connection.split();

    let drip = async {
        write.write_all(b"GET /healthz HTTP/1.1\r\nx: ").await.unwrap();
        while write.write_all(b"y").await.is_ok() {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    };
    let end = async {
        let mut rest = Vec::new();
        let _ = read.read_to_end(&mut rest).await;
    };
    tokio::select! {
        () = drip => {}
        () = end => {}
    }

    assert!(
        (29..=32).contains(&began.elapsed().as_secs()),
        "{:?}",
        began.elapsed()
    );
}

#[tokio::test(start_paused = true)]
async fn a_body_that_is_announced_too_long_is_not_waited_for() {
    let server = Server::start(HttpOptions::default()).await;
    let began = tokio::time::Instant::now();
    let sent = post("content-length: 1000000000", "{");

    let said = server.says(sent.as_bytes()).await;

    assert!(said.starts_with("HTTP/1.1 413"), "{said}");
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
}

#[tokio::test]
async fn who_is_still_sending_gets_the_answer_all_the_same() {
    let server = Server::start(HttpOptions::default()).await;
    let body = "y".repeat(2 * 1024 * 1024);
    let long = format!("content-length: {}", body.len());
    let stranger = "POST /v1/asks HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2097152\r\n\r\n";
    for (sent, status) in [(post(&long, &body), "413"), (format!("{stranger}{body}"), "401")] {
        let mut connection = TcpStream::connect(server.at).await.unwrap();
        let (head, rest) = sent.split_at(512);
        connection.write_all(head.as_bytes()).await.unwrap();
        // The answer is there before the body is.
        connection.readable().await.unwrap();

        connection.write_all(rest.as_bytes()).await.unwrap();

        let mut said = String::new();
        connection.read_to_string(&mut said).await.unwrap();
        assert!(said.starts_with(&format!("HTTP/1.1 {status}")), "{said}");
    }
}

#[tokio::test]
async fn who_never_stops_sending_is_cut_off() {
    let server = Server::start(HttpOptions::default()).await;
    let mut connection = TcpStream::connect(server.at).await.unwrap();
    let sent = post("content-length: 1000000000", "{");
    connection.write_all(sent.as_bytes()).await.unwrap();
    let piece = vec![b'y'; 65_536];
    let endless = async { while connection.write_all(&piece).await.is_ok() {} };

    timeout(Duration::from_mins(1), endless).await.expect("it is cut");
}

#[tokio::test(start_paused = true)]
async fn a_body_without_an_announced_end_is_cut_at_the_limit() {
    let server = Server::start(HttpOptions::default()).await;
    let chunk = format!("10000\r\n{}\r\n", "y".repeat(65_536));

    let statuses = server
        .statuses(&post("transfer-encoding: chunked", &chunk.repeat(12)))
        .await;

    assert_eq!(statuses, ["413"]);
}

#[tokio::test]
async fn one_connection_more_than_allowed_is_told_so_and_the_others_go_on() {
    let world = World::new();
    let server = Server::of(
        &world,
        HttpOptions {
            max_connections: 2,
            ..HttpOptions::default()
        },
    )
    .await;
    let open = [
        TcpStream::connect(server.at).await.unwrap(),
        TcpStream::connect(server.at).await.unwrap(),
    ];
    let request = "GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n";

    let refused = server.says(request.as_bytes()).await;

    assert!(refused.starts_with("HTTP/1.1 503"), "{refused}");
    assert!(refused.contains("retry-after: 5\r\n"), "{refused}");
    let (_, body) = refused.split_once("\r\n\r\n").unwrap();
    let body: serde_json::Value = serde_json::from_str(body).unwrap();
    assert_eq!(body["type"], "urn:askd:problem:overloaded");
    let [mut first, second] = open;
    first.write_all(request.as_bytes()).await.unwrap();
    let mut answer = [0; 15];
    first.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 200 OK");
    drop((first, second));
}
