//! One socket: from its address to its end.
//!
//! It acknowledges each envelope in the same breath in which it reads it, and only then hands it on. One kind has to
//! wait: what was typed into a form, because its acknowledgement closes the form ([`Hold`]).
//!
//! A socket that stands need not be heard: a firewall may have forgotten it, or Slack may. So silence is asked about, and
//! a socket that does not answer either is a ghost. Silence is measured by the clock that is passed in, an answer gets a
//! moment of the machine's own time beside it.

use std::sync::Arc;

use askd_core::{channel::Source, clock::Clock, inbound::Inbox};
use futures_util::{SinkExt as _, StreamExt as _};
use jiff::Timestamp;
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use tokio::{
    net::TcpStream,
    sync::mpsc::{UnboundedReceiver, UnboundedSender},
    time::{Instant, sleep_until, timeout},
};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async_with_config,
    tungstenite::{self, Bytes, Message},
};
use tokio_util::sync::CancellationToken;

use crate::{
    channel::SlackChannel,
    error::{Failure, Refusal},
    limits,
    listen::{later, sleep_until as until},
};

/// A socket that said hello.
pub(super) struct Socket {
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// How many sockets the app has, this one included.
    pub(super) of_app: u64,
}

/// What a socket hears.
pub(super) enum Signal {
    /// Something happened. Acknowledged, unless there is a hold on it.
    Envelope(Value, Option<Hold>),
    /// Slack will close it soon.
    Leaving(Leaving),
}

/// Why Slack wants a socket to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leaving {
    /// Its hour is over.
    Refresh,
    /// Socket Mode was switched off.
    Disabled,
    /// The app has more sockets than Slack allows.
    TooMany,
}

/// How a socket ended.
#[derive(Debug)]
pub(super) enum Ended {
    /// As we wanted.
    Retired,
    /// It was closed or broke.
    Lost(Source),
    /// It heard nothing.
    Ghost,
}

/// An envelope that is not acknowledged yet, because that closes a form.
#[derive(Debug)]
pub(super) struct Hold {
    envelope: String,
    answers: UnboundedSender<String>,
}

impl Hold {
    /// Closes the form.
    pub(super) fn close(self) {
        self.answer(&acknowledgement(&self.envelope, None));
    }

    /// Leaves it open, with a text at its input.
    pub(super) fn keep_open(self, block: &str, text: &str) {
        let faults = json!({ "response_action": "errors", "errors": { block: text } });
        self.answer(&acknowledgement(&self.envelope, Some(&faults)));
    }

    fn answer(&self, text: &Value) {
        // The socket may be gone; then Slack says to the person that it did not work.
        let _ = self.answers.send(text.to_string());
    }
}

fn acknowledgement(envelope: &str, payload: Option<&Value>) -> Value {
    match payload {
        Some(payload) => json!({ "envelope_id": envelope, "payload": payload }),
        None => json!({ "envelope_id": envelope }),
    }
}

/// Opens a socket and waits for its hello.
pub(super) async fn open(channel: &SlackChannel) -> Result<Socket, Failure> {
    let url = channel.api.open_socket().await?;
    let opening = async {
        let connecting = connect_async_with_config(url.expose_secret(), None, true);
        let (stream, _) = connecting
            .await
            .map_err(|error| Failure::NotSent(redacted(error)))?;
        hello(stream).await
    };
    timeout(limits::HELLO, opening)
        .await
        .unwrap_or_else(|_| Err(Failure::NotSent("the socket does not say hello".into())))
}

async fn hello(mut stream: WebSocketStream<MaybeTlsStream<TcpStream>>) -> Result<Socket, Failure> {
    loop {
        let frame = match stream.next().await {
            Some(Ok(Message::Text(text))) => text,
            Some(Ok(Message::Close(_))) | None => {
                return Err(Failure::NotSent("the socket was closed".into()));
            }
            Some(Ok(_)) => continue,
            Some(Err(error)) => return Err(Failure::NotSent(redacted(error))),
        };
        let said: Value = serde_json::from_str(&frame).unwrap_or_default();
        match said["type"].as_str() {
            Some("hello") => {
                let of_app = said["num_connections"].as_u64().unwrap_or(1);
                return Ok(Socket { stream, of_app });
            }
            Some("disconnect") => {
                let reason = said["reason"].as_str().unwrap_or_default();
                return Err(Failure::Refused(Refusal::of(reason)));
            }
            _ => {}
        }
    }
}

/// What failed, without the address and without what was said: both may be in the library's error.
fn redacted(error: tungstenite::Error) -> Source {
    match error {
        tungstenite::Error::Io(error) => error.into(),
        tungstenite::Error::Http(response) => {
            format!("the socket was refused with status {}", response.status()).into()
        }
        tungstenite::Error::Tls(_) => "no encryption that both sides know".into(),
        _ => "the socket is not as it should be".into(),
    }
}

/// When a ping was sent, by both times.
#[derive(Clone, Copy, Debug)]
struct Asked {
    at: Timestamp,
    really: Instant,
}

/// A socket that is being read.
pub(super) struct Reader<'a> {
    pub(super) id: u64,
    pub(super) channel: &'a SlackChannel,
    pub(super) inbox: &'a dyn Inbox,
    pub(super) signals: UnboundedSender<(u64, Signal)>,
    /// Acknowledgements that had to wait.
    pub(super) answers: UnboundedReceiver<String>,
    /// The way back for those.
    pub(super) answer: UnboundedSender<String>,
    /// Another has taken its place.
    pub(super) retire: CancellationToken,
    /// None is wanted any more.
    pub(super) stop: CancellationToken,
}

impl Reader<'_> {
    /// Reads until the end.
    pub(super) async fn run(mut self, mut socket: Socket) -> (u64, Ended) {
        let ended = self.read(&mut socket).await;
        if !matches!(ended, Ended::Ghost) {
            // Said, so that Slack does not keep it in its books and hand events to it; not waited for, because Slack says
            // nothing to that.
            let _ = timeout(limits::CLOSE, socket.stream.close(None)).await;
        }
        (self.id, ended)
    }

    async fn read(&mut self, socket: &mut Socket) -> Ended {
        let clock = Arc::clone(&self.channel.clock);
        let (mut heard, mut asked) = (clock.now(), None);
        let mut retires = None;
        loop {
            // What is there is read before anything else: a clock that was moved must not make it a silence.
            tokio::select! {
                biased;
                frame = socket.stream.next() => {
                    (heard, asked) = (clock.now(), None);
                    if matches!(frame, Some(Ok(_))) {
                        self.inbox.heard_from(&self.channel.name);
                    }
                    match frame {
                        Some(Ok(Message::Text(text))) => {
                            if let Err(error) = self.hear(socket, &text).await {
                                return Ended::Lost(error);
                            }
                        }
                        Some(Ok(Message::Close(_))) | None => return Ended::Lost("it was closed".into()),
                        // The library answers pings by itself.
                        Some(Ok(_)) => {}
                        Some(Err(error)) => return Ended::Lost(redacted(error)),
                    }
                }
                Some(answer) = self.answers.recv() => {
                    if let Err(error) = send(socket, Message::text(answer)).await {
                        return Ended::Lost(error);
                    }
                }
                () = self.stop.cancelled() => return Ended::Retired,
                () = self.retire.cancelled(), if retires.is_none() => {
                    retires = Some(later(clock.now(), limits::LINGER));
                }
                () = until(clock.as_ref(), retires) => return Ended::Retired,
                () = silence(clock.as_ref(), heard, asked) => {
                    if asked.is_some() {
                        return Ended::Ghost;
                    }
                    if let Err(error) = send(socket, Message::Ping(Bytes::new())).await {
                        return Ended::Lost(error);
                    }
                    asked = Some(Asked { at: clock.now(), really: Instant::now() });
                }
            }
        }
    }

    /// Acknowledges what was heard, and hands it on.
    async fn hear(&self, socket: &mut Socket, text: &str) -> Result<(), Source> {
        let Ok(said) = serde_json::from_str::<Value>(text) else {
            return Ok(());
        };
        if said["type"] == "disconnect" {
            let leaving = match said["reason"].as_str() {
                Some("link_disabled") => Leaving::Disabled,
                Some("too_many_websockets") => Leaving::TooMany,
                _ => Leaving::Refresh,
            };
            self.hand_on(Signal::Leaving(leaving));
            return Ok(());
        }
        let Some(envelope) = said["envelope_id"].as_str().map(str::to_owned) else {
            return Ok(());
        };
        if said["payload"]["type"] == "view_submission" {
            let answers = self.answer.clone();
            self.hand_on(Signal::Envelope(said, Some(Hold { envelope, answers })));
            return Ok(());
        }
        let sent = send(
            socket,
            Message::text(acknowledgement(&envelope, None).to_string()),
        )
        .await;
        // Also where that failed: what is known of it already will not be taken over a second time.
        self.hand_on(Signal::Envelope(said, None));
        sent
    }

    fn hand_on(&self, signal: Signal) {
        // The receiver lives as long as the loop that polls this.
        let _ = self.signals.send((self.id, signal));
    }
}

async fn send(socket: &mut Socket, frame: Message) -> Result<(), Source> {
    match timeout(limits::ACK, socket.stream.send(frame)).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(redacted(error)),
        Err(_) => Err("it takes nothing any more".into()),
    }
}

/// Until nothing was heard for too long: first too long to be sure, then too long after it was asked.
async fn silence(clock: &dyn Clock, heard: Timestamp, asked: Option<Asked>) {
    match asked {
        None => clock.sleep_until(later(heard, limits::QUIET)).await,
        Some(asked) => {
            clock.sleep_until(later(asked.at, limits::PONG)).await;
            sleep_until(asked.really + limits::PONG_AT_LEAST).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use askd_testkit::clock::{START, TestClock};

    use super::*;

    #[tokio::test]
    async fn silence_is_asked_about_and_then_given_up_on() {
        let clock = TestClock::new();
        let asked = Asked {
            at: START + limits::QUIET,
            really: Instant::now() - limits::PONG_AT_LEAST,
        };

        for (passes, asked) in [(limits::QUIET, None), (limits::PONG, Some(asked))] {
            let mut silence = std::pin::pin!(silence(&clock, START, asked));
            let at_once = timeout(std::time::Duration::ZERO, silence.as_mut()).await;
            assert!(at_once.is_err(), "{asked:?}");
            clock.advance(passes);
            silence.await;
        }
    }

    #[tokio::test]
    async fn a_clock_that_is_set_forward_leaves_a_moment_to_answer() {
        let clock = TestClock::new();
        let asked = Some(Asked {
            at: START,
            really: Instant::now(),
        });
        clock.advance(limits::PONG * 100);

        let at_once = timeout(limits::PONG_AT_LEAST / 3, silence(&clock, START, asked)).await;
        silence(&clock, START, asked).await;

        assert!(at_once.is_err());
    }
}
