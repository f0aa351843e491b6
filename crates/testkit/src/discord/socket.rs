//! The gateway's side of a WebSocket.

use std::{sync::Arc, time::Duration};

use axum::extract::ws::{CloseFrame, Message, WebSocket};
use flate2::{Compress, Compression, FlushCompress};
use serde_json::Value;
use tokio::time::timeout;

use super::{World, sessions::Out};

/// How long a client may take to answer a closing frame, in real time.
const FAREWELL: Duration = Duration::from_secs(1);

/// Serves one client until either side ends it.
pub(crate) async fn serve(world: Arc<World>, mut socket: WebSocket, path: String, compressed: bool) {
    let mut changed = world.changes();
    let id = world.change(|state| state.socket_opened(&path, compressed));
    let mut stream = compressed.then(Stream::new);
    let code = loop {
        changed.mark_unchanged();
        if let Some(out) = world.quietly(|state| state.next_out(id)) {
            match out {
                Out::Send(value) => {
                    let frame = frame(&value, stream.as_mut());
                    if socket.send(frame).await.is_err() {
                        break None;
                    }
                    world.touch();
                }
                Out::Close(code, reason) => {
                    let reason = reason.into();
                    let frame = CloseFrame { code, reason };
                    let _ = socket.send(Message::Close(Some(frame))).await;
                    farewell(&mut socket).await;
                    break Some(code);
                }
                Out::Cut => break None,
            }
            continue;
        }
        let frozen = world.look(|state| {
            let socket = state.sessions.sockets.get(&id);
            socket.is_some_and(|socket| socket.frozen)
        });
        tokio::select! {
            message = socket.recv(), if !frozen => match message {
                Some(Ok(Message::Text(text))) => {
                    world.change(|state| state.socket_heard(id, text.as_str()));
                }
                Some(Ok(Message::Binary(bytes))) => {
                    // Clients may send their JSON either way.
                    let text = String::from_utf8_lossy(&bytes).into_owned();
                    world.change(|state| state.socket_heard(id, &text));
                }
                Some(Ok(Message::Close(frame))) => {
                    // The answer to it goes out while the rest is read.
                    farewell(&mut socket).await;
                    break Some(frame.map_or(1005, |frame| frame.code));
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Err(_)) | None => break None,
            },
            // The sender is in `world`, so this fails never.
            _ = changed.changed() => {}
        }
    };
    world.change(|state| state.socket_gone(id, code));
}

/// Reads what is left: a socket that is dropped with something unread in it can swallow what was sent last.
async fn farewell(socket: &mut WebSocket) {
    let rest = async { while let Some(Ok(_)) = socket.recv().await {} };
    let _ = timeout(FAREWELL, rest).await;
}

fn frame(value: &Value, stream: Option<&mut Stream>) -> Message {
    let text = value.to_string();
    match stream {
        Some(stream) => Message::Binary(stream.compress(text.as_bytes()).into()),
        None => Message::Text(text.into()),
    }
}

/// One zlib stream for all that is sent over a socket; each message ends with a flush. Source: Discord docs, "Gateway",
/// "Transport Compression".
struct Stream(Compress);

impl Stream {
    fn new() -> Self {
        Self(Compress::new(Compression::default(), true))
    }

    fn compress(&mut self, mut input: &[u8]) -> Vec<u8> {
        let mut output = Vec::with_capacity(input.len() + 64);
        loop {
            let before = self.0.total_in();
            let status = self.0.compress_vec(input, &mut output, FlushCompress::Sync);
            status.expect("a stream that is only written to does not fail");
            let taken = usize::try_from(self.0.total_in() - before).unwrap_or(input.len());
            input = &input[taken..];
            // Room was left, so all of it is in there, the flush too.
            if input.is_empty() && output.len() < output.capacity() {
                return output;
            }
            output.reserve(1024);
        }
    }
}
