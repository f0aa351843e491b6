//! A channel over lines of text: what a person at a terminal sees and types.
//!
//! It has the floor of what a channel can do (plain text, no buttons, no edits), so it shows a prompt exactly as any
//! plain-text platform would. There is one conversation, `you`. The lines come in through a queue and go out through
//! a writer, so that a test is its own terminal.

use std::{
    fmt,
    io::Write,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use askd_core::{
    channel::{BadAddress, Channel, ChannelError, Posted, PostedMessage},
    clock::Clock,
    id::{Address, ChannelName, EventId, MessageRef, PostKey},
    inbound::{Act, Inbound, Inbox, Placed, Said, Sender},
    present::{Capabilities, Message, Presentation},
};
use async_trait::async_trait;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::{clock::SystemClock, out::plain};

/// The only address.
pub(crate) const YOU: &str = "you";

/// Stands before every line of a message, to tell it from what else is on the screen.
const MARGIN: &str = "  | ";

/// Where the messages go.
pub(crate) type Screen = Box<dyn Write + Send>;

/// The channel.
pub(crate) struct Terminal {
    name: ChannelName,
    screen: Mutex<Screen>,
    lines: tokio::sync::Mutex<mpsc::UnboundedReceiver<String>>,
    /// Messages so far, of both sides, which is also their order.
    count: AtomicI64,
    /// Cancelled when nothing more will be typed.
    over: CancellationToken,
    /// Whether to show what is typed: nobody does where the lines come from a file.
    echoes: bool,
}

impl fmt::Debug for Terminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Terminal")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl Terminal {
    /// A terminal that shows on `screen` what is posted and hears what comes through `lines`; where it `echoes`, it
    /// shows that too.
    pub(crate) fn new(
        name: &str,
        screen: Screen,
        lines: mpsc::UnboundedReceiver<String>,
        echoes: bool,
    ) -> Self {
        Self {
            name: ChannelName::new(name),
            screen: Mutex::new(screen),
            lines: tokio::sync::Mutex::new(lines),
            count: AtomicI64::new(0),
            over: CancellationToken::new(),
            echoes,
        }
    }

    /// The account of who sits there.
    pub(crate) fn you(&self) -> Address {
        Address::new(self.name.clone(), YOU)
    }

    /// Returns when the last line was heard and taken over.
    pub(crate) async fn over(&self) {
        self.over.cancelled().await;
    }

    /// Shows one message.
    fn show(&self, text: &str) -> std::io::Result<PostedMessage> {
        let text = plain(text);
        let lines = text
            .lines()
            .map(|line| format!("{MARGIN}{line}").trim_end().to_owned());
        let block = lines.collect::<Vec<_>>().join("\n");
        self.write(&block)?;
        Ok(self.next_message())
    }

    /// Writes a paragraph.
    fn write(&self, text: &str) -> std::io::Result<()> {
        // A panic while writing leaves nothing half done but a line on a screen.
        let mut screen = self.screen.lock().unwrap_or_else(PoisonError::into_inner);
        match writeln!(screen, "{text}\n").and_then(|()| screen.flush()) {
            // Whoever read it has gone away (`askd demo | head -1`), which must not keep the rest waiting.
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
            written => written,
        }
    }

    fn next_message(&self) -> PostedMessage {
        let number = self.count.fetch_add(1, Ordering::SeqCst);
        PostedMessage {
            message: MessageRef::new(number.to_string()),
            placed: Some(Placed(number)),
        }
    }

    fn heard(&self, text: String) -> Inbound {
        let PostedMessage { message, placed } = self.next_message();
        Inbound {
            event: EventId::new(message.as_str()),
            from: Sender::Account {
                account: self.you(),
                language: None,
            },
            at: self.you(),
            direct: true,
            when: SystemClock.now(),
            act: Act::Said(Said {
                text,
                message,
                placed,
                reply_to: None,
                thread: None,
                addressed: false,
                attachment: false,
                edited: false,
                forwarded: false,
            }),
        }
    }
}

#[async_trait]
impl Channel for Terminal {
    fn name(&self) -> &ChannelName {
        &self.name
    }

    fn parse_address(&self, local: &str) -> Result<Address, BadAddress> {
        if local == YOU {
            return Ok(self.you());
        }
        Err(BadAddress(format!(
            "a terminal has one address, {}:{YOU}",
            self.name
        )))
    }

    fn capabilities(&self, _: &Address) -> Capabilities {
        Capabilities::plain_text()
    }

    async fn post(&self, _: &Address, what: &Presentation, _: &PostKey) -> Result<Posted, ChannelError> {
        let shown = what.messages.iter().map(|message| self.show(&message.text()));
        let messages = shown
            .collect::<std::io::Result<_>>()
            .map_err(|error| ChannelError::Unclear {
                maybe_done: true,
                source: error.into(),
            })?;
        Ok(Posted {
            at: self.you(),
            messages,
        })
    }

    async fn edit(&self, _: &MessageRef, _: &Message) -> Result<(), ChannelError> {
        Err(ChannelError::Unsupported("change what was shown"))
    }

    /// A person who says nothing is no fault.
    fn deaf_after(&self) -> Duration {
        Duration::MAX
    }

    async fn listen(&self, inbox: &dyn Inbox, stop: CancellationToken) -> Result<(), ChannelError> {
        let mut lines = self.lines.lock().await;
        inbox.heard_from(&self.name);
        loop {
            let line = tokio::select! {
                () = stop.cancelled() => return Ok(()),
                line = lines.recv() => line,
            };
            let Some(line) = line else {
                self.over.cancel();
                stop.cancelled().await;
                return Ok(());
            };
            if self.echoes {
                // The answer counts, seen or not.
                let _ = self.write(&format!("> {}", plain(&line)));
            }
            match inbox.accept(self.heard(line)).await {
                Ok(receipt) if receipt.text.is_empty() => {}
                Ok(receipt) => {
                    if let Ok(message) = self.show(&receipt.text) {
                        inbox
                            .shown(
                                &receipt,
                                &Posted {
                                    at: self.you(),
                                    messages: vec![message],
                                },
                            )
                            .await;
                    }
                }
                Err(not_taken) => {
                    let _ = self.show(&not_taken.text);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
