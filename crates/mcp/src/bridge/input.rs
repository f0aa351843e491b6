//! The client's end of the input, and the moment when it closes it.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
};

use tokio::io::{AsyncRead, ReadBuf};
use tokio_util::sync::CancellationToken;

/// Reads `inner`, and cancels a token when there is no more. rmcp notices too, but then waits for open calls to end;
/// that they end is what the token is for.
#[derive(Debug)]
pub(super) struct Watched<R> {
    inner: R,
    over: CancellationToken,
}

impl<R> Watched<R> {
    pub(super) fn new(inner: R, over: CancellationToken) -> Self {
        Self { inner, over }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Watched<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = ready!(Pin::new(&mut self.inner).poll_read(cx, buffer));
        if read.is_err() || (buffer.filled().len() == before && buffer.remaining() > 0) {
            self.over.cancel();
        }
        Poll::Ready(read)
    }
}
