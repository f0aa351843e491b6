//! Closing a connection so that the last answer arrives.
//!
//! Many requests are answered before their body is read: nobody may ask, or it is too long. Who closes a connection over
//! unread bytes resets it, and a reset overtakes the answer: the client reads nothing, and a proxy says 502 in our place.
//! So our half is closed first, and what still comes is read and dropped until the client closes its own (RFC 9112
//! section 9.6), within limits.
//!
//! Tests: `tests/smuggling.rs`.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::{Sleep, sleep},
};
use tokio_util::sync::CancellationToken;

/// How long what still comes is read: what is under way arrives within it, and a client that sends on gains nothing.
const LONGEST: Duration = Duration::from_secs(2);

/// How much of it is read, in bytes: eight times the longest body that is taken unless an operator says otherwise.
const MOST: usize = 4 * 1024 * 1024;

/// How much is read at once, in bytes.
const PIECE: usize = 16 * 1024;

/// A connection that is closed in two steps.
pub(super) struct Lingering {
    stream: TcpStream,
    /// While askd stops nobody is waited for.
    stop: CancellationToken,
    /// Since our half is closed: until when the other is read, and how much more of it.
    closing: Option<(Pin<Box<Sleep>>, usize)>,
}

impl Lingering {
    pub(super) fn new(stream: TcpStream, stop: CancellationToken) -> Self {
        Self {
            stream,
            stop,
            closing: None,
        }
    }
}

impl AsyncRead for Lingering {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Lingering {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, buffer)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, buffers)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if this.closing.is_none() {
            ready!(Pin::new(&mut this.stream).poll_shutdown(context))?;
        }
        let (until, left) = this
            .closing
            .get_or_insert_with(|| (Box::pin(sleep(LONGEST)), MOST));
        while *left > 0 && !this.stop.is_cancelled() && until.as_mut().poll(context).is_pending() {
            let mut piece = [0; PIECE];
            let mut piece = ReadBuf::new(&mut piece);
            // Whatever is wrong with it now, there is nothing left to say on it.
            if ready!(Pin::new(&mut this.stream).poll_read(context, &mut piece)).is_err() {
                break;
            }
            if piece.filled().is_empty() {
                break;
            }
            *left = left.saturating_sub(piece.filled().len());
        }
        Poll::Ready(Ok(()))
    }
}
