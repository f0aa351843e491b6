//! The sockets of the app: who is connected, and what is sent there.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::json;
use tokio::sync::mpsc::UnboundedSender;

use super::{limits, state::State};

/// What a socket is told to do.
#[derive(Debug)]
pub(crate) enum Frame {
    Text(String),
    Ping(String),
    /// Ends it as one does.
    Close,
    /// Ends it without a word.
    Break,
    /// Neither reads nor writes any more, and stays open.
    Freeze,
}

/// Why a socket is told to go. Source: "Using Socket Mode", "Disconnect".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Farewell {
    /// It will be closed in about 10 seconds: `warning`.
    Warning,
    /// It is closed soon, and another is to be opened: `refresh_requested`.
    Refresh,
    /// Socket Mode was switched off: `link_disabled`.
    Disabled,
}

#[derive(Debug, Default)]
pub(crate) struct Sockets {
    open: BTreeMap<u64, Socket>,
    tickets: BTreeMap<String, Timestamp>,
    made: u64,
    /// Whose turn it is.
    turn: u64,
    /// How many were ever opened.
    pub(crate) opened: usize,
}

#[derive(Debug)]
struct Socket {
    to: UnboundedSender<Frame>,
    next_ping: Timestamp,
    closes: Option<Timestamp>,
    /// Whether envelopes may still go there.
    takes: bool,
    frozen: bool,
}

impl Sockets {
    /// How many are open, ghosts included.
    pub(crate) fn count(&self) -> usize {
        self.open.len()
    }

    /// Whether something can be sent and read.
    pub(crate) fn is_alive(&self) -> bool {
        self.open.values().any(|socket| socket.takes && !socket.frozen)
    }

    pub(crate) fn is_frozen(&self, id: u64) -> bool {
        self.open.get(&id).is_none_or(|socket| socket.frozen)
    }

    /// The next that takes an envelope: each in turn, so that an app with several has to listen to all.
    pub(crate) fn next(&mut self) -> Option<u64> {
        let takes = |(_, socket): &(&u64, &Socket)| socket.takes;
        let after = self.open.range(self.turn + 1..).find(takes);
        let (id, _) = after.or_else(|| self.open.iter().find(takes))?;
        self.turn = *id;
        Some(*id)
    }

    pub(crate) fn send(&self, id: u64, frame: Frame) {
        if let Some(socket) = self.open.get(&id) {
            // The other end is gone where the socket is, which is noticed there.
            let _ = socket.to.send(frame);
        }
    }

    pub(crate) fn next_due(&self) -> Option<Timestamp> {
        let due = |socket: &Socket| {
            let ping = (!socket.frozen).then_some(socket.next_ping);
            [ping, socket.closes].into_iter().flatten().min()
        };
        self.open.values().filter_map(due).min()
    }
}

impl State {
    /// An address for one socket.
    pub(crate) fn new_ticket(&mut self) -> String {
        let ticket = self.new_uuid();
        self.sockets.tickets.insert(ticket.clone(), self.now);
        format!("ws://{}/link/?ticket={ticket}&app_id={}", self.host, self.app.id)
    }

    /// Whether the ticket is good. It is good once.
    pub(crate) fn use_ticket(&mut self, ticket: &str) -> bool {
        let made = self.sockets.tickets.remove(ticket);
        let good = made.is_some_and(|made| made + limits::TICKET >= self.now);
        if !good {
            self.violation("socket", "opened with a ticket that is used or too old");
        }
        good
    }

    /// A socket was opened. It is greeted, and gets its share of what comes.
    pub(crate) fn socket_opened(&mut self, to: UnboundedSender<Frame>) -> u64 {
        let sockets = &mut self.sockets;
        sockets.made += 1;
        sockets.opened += 1;
        let id = sockets.made;
        let socket = Socket {
            to,
            next_ping: self.now + limits::PING,
            closes: None,
            takes: true,
            frozen: false,
        };
        sockets.open.insert(id, socket);
        if sockets.count() > limits::SOCKETS {
            self.violation("socket", format!("more than {} are open", limits::SOCKETS));
            self.farewell(id, "too_many_websockets");
            self.sockets.send(id, Frame::Close);
            self.sockets.open.remove(&id);
            return id;
        }
        let hello = json!({
            "type": "hello", "num_connections": self.sockets.count(),
            "debug_info": {"host": host(id), "build_number": 131, "approximate_connection_time": 18_060},
            "connection_info": {"app_id": self.app.id},
        });
        self.sockets.send(id, Frame::Text(hello.to_string()));
        id
    }

    pub(crate) fn socket_gone(&mut self, id: u64) {
        if self.sockets.open.remove(&id).is_some() {
            self.lost_with(id);
        }
    }

    fn farewell(&mut self, id: u64, reason: &str) {
        let bye = json!({"type": "disconnect", "reason": reason, "debug_info": {"host": host(id)}});
        self.sockets.send(id, Frame::Text(bye.to_string()));
    }

    /// Tells every socket to go.
    pub(crate) fn say_farewell(&mut self, why: Farewell) {
        let closes = self.now + limits::GRACE;
        let ids: Vec<u64> = self.sockets.open.keys().copied().collect();
        for id in ids {
            let (reason, takes) = match why {
                Farewell::Warning => ("warning", true),
                Farewell::Refresh => ("refresh_requested", false),
                Farewell::Disabled => ("link_disabled", false),
            };
            self.farewell(id, reason);
            if let Some(socket) = self.sockets.open.get_mut(&id) {
                socket.closes = socket.closes.or(Some(closes));
                socket.takes &= takes;
            }
        }
    }

    /// Breaks every socket without a word.
    pub(crate) fn break_sockets(&mut self) {
        let ids: Vec<u64> = self.sockets.open.keys().copied().collect();
        for id in ids {
            self.sockets.send(id, Frame::Break);
            self.socket_gone(id);
        }
    }

    /// Makes ghosts of the sockets that are open: envelopes still go there, and nothing comes through.
    pub(crate) fn freeze_sockets(&mut self) {
        for socket in self.sockets.open.values_mut() {
            let _ = socket.to.send(Frame::Freeze);
            socket.frozen = true;
        }
    }

    /// Pings, and closes what is to be closed.
    pub(crate) fn tick_sockets(&mut self) {
        let now = self.now;
        let mut over = Vec::new();
        for (id, socket) in &mut self.sockets.open {
            if socket.closes.is_some_and(|closes| closes <= now) {
                over.push(*id);
            } else if !socket.frozen && socket.next_ping <= now {
                socket.next_ping = now + limits::PING;
                let _ = socket.to.send(Frame::Ping(format!("Ping from {}", host(*id))));
            }
        }
        for id in over {
            self.sockets.send(id, Frame::Close);
            self.socket_gone(id);
        }
    }
}

fn host(socket: u64) -> String {
    format!("applink-{socket}")
}
