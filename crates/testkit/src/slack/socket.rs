//! One socket, from its greeting to its end.

use std::sync::Arc;

use axum::extract::ws::{Message, WebSocket};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::{World, sockets::Frame};

/// Serves a socket until either side ends it. Pings of the other side are answered by the library.
pub(crate) async fn serve(world: Arc<World>, mut socket: WebSocket) {
    let (to, mut frames) = unbounded_channel();
    let id = world.change(|state| state.socket_opened(to));
    while step(&world, id, &mut socket, &mut frames).await.is_some() {}
    // Before the stream is dropped, so that what is said next goes elsewhere.
    world.change(|state| state.socket_gone(id));
}

/// One frame in one direction; none where it is over.
async fn step(
    world: &World,
    id: u64,
    socket: &mut WebSocket,
    frames: &mut UnboundedReceiver<Frame>,
) -> Option<()> {
    tokio::select! {
        // What was ordered first is done first, and a broken socket hears nothing more.
        biased;
        frame = frames.recv() => match frame? {
            Frame::Text(text) => socket.send(Message::Text(text.into())).await.ok(),
            Frame::Ping(text) => socket.send(Message::Ping(text.into())).await.ok(),
            Frame::Close => {
                let _ = socket.send(Message::Close(None)).await;
                None
            }
            Frame::Break => None,
            Frame::Freeze => {
                // Nothing is read, so nothing is answered; it ends when somebody breaks it.
                while !matches!(frames.recv().await?, Frame::Break | Frame::Close) {}
                None
            }
        },
        message = socket.recv() => match message?.ok()? {
            Message::Text(text) => {
                world.change(|state| state.heard(id, &text));
                Some(())
            }
            Message::Close(_) => None,
            _ => Some(()),
        },
    }
}
