//! Gateway sessions: what was told in which order, and to whom it is told again.
//!
//! A session begins with an IDENTIFY and outlives its socket: what happens while none is connected is told to whoever
//! resumes it in time. It ends when the client closes with 1000 or 1001, when Discord says so, or when nobody comes
//! back. What happens while there is no session is told to nobody. Source: Discord docs, "Gateway", "Resuming" and
//! "Disconnecting".

use std::{
    collections::{BTreeMap, VecDeque},
    time::Duration,
};

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{limits, message::MessageAt};

/// Opcodes. Source: Discord docs, "Opcodes and Status Codes", "Gateway Opcodes".
pub(crate) mod op {
    pub(crate) const DISPATCH: u64 = 0;
    pub(crate) const HEARTBEAT: u64 = 1;
    pub(crate) const IDENTIFY: u64 = 2;
    pub(crate) const PRESENCE_UPDATE: u64 = 3;
    pub(crate) const RESUME: u64 = 6;
    pub(crate) const RECONNECT: u64 = 7;
    pub(crate) const INVALID_SESSION: u64 = 9;
    pub(crate) const HELLO: u64 = 10;
    pub(crate) const HEARTBEAT_ACK: u64 = 11;
}

#[derive(Debug)]
pub(crate) struct Sessions {
    all: Vec<Session>,
    pub(crate) sockets: BTreeMap<u64, Socket>,
    next_socket: u64,
    pub(crate) heartbeat: Duration,
    /// Sessions that may still begin.
    pub(crate) left: usize,
    /// Whether new sockets are turned away.
    pub(crate) closed: bool,
    /// Whether new sockets are told nothing, not even to begin.
    pub(crate) mute: bool,
    /// Whether heartbeats stay without an answer.
    pub(crate) withholds_acks: bool,
    /// Sockets that were opened so far, oldest first.
    pub(crate) history: Vec<Connected>,
}

/// What a client is told in a row.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) id: String,
    pub(crate) intents: u64,
    log: Vec<Logged>,
    alive: bool,
    socket: Option<u64>,
    gone_since: Option<Timestamp>,
    /// The last number that went over a socket.
    pub(crate) sent: u64,
    /// The last number that the client says it has.
    pub(crate) received: u64,
}

/// Something that was told, or will be.
#[derive(Clone, Debug)]
pub(crate) struct Logged {
    pub(crate) seq: u64,
    pub(crate) name: &'static str,
    pub(crate) data: Value,
    pub(crate) meant: bool,
    pub(crate) message: Option<MessageAt>,
    pub(crate) interaction: Option<u64>,
}

/// A connection.
#[derive(Debug)]
pub(crate) struct Socket {
    pub(crate) session: Option<String>,
    /// The number up to which its session was told over it.
    pub(crate) told: u64,
    /// What goes out before that.
    pub(crate) out: VecDeque<Out>,
    /// Half open: nothing comes through, in either direction.
    pub(crate) frozen: bool,
    /// When the client sent something, for the limit.
    pub(crate) heard: VecDeque<Timestamp>,
    /// Its place in the history.
    pub(crate) entry: usize,
    /// The last number for which a heartbeat was asked for.
    pub(crate) asked_for: u64,
}

/// Something that goes out.
#[derive(Clone, Debug)]
pub(crate) enum Out {
    Send(Value),
    Close(u16, &'static str),
    /// The connection breaks without a word.
    Cut,
}

/// A socket that a client opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Connected {
    /// The path that was asked for; `/resume/` is where sessions are to be resumed.
    pub path: String,
    /// Whether the client asked for compression.
    pub compressed: bool,
    /// The intents of its IDENTIFY.
    pub identified: Option<u64>,
    /// The number from which it resumed.
    pub resumed: Option<u64>,
    /// The code with which either side closed it; none while it is open, and where it broke.
    pub closed: Option<u16>,
    /// Whether it is open.
    pub open: bool,
}

impl Sessions {
    pub(crate) fn new(heartbeat: Duration) -> Self {
        Self {
            all: Vec::new(),
            sockets: BTreeMap::new(),
            next_socket: 0,
            heartbeat,
            left: limits::SESSIONS,
            closed: false,
            mute: false,
            withholds_acks: false,
            history: Vec::new(),
        }
    }

    /// A client has connected.
    pub(crate) fn connect(&mut self, path: &str, compressed: bool) -> u64 {
        let id = self.next_socket;
        self.next_socket += 1;
        let millis = u64::try_from(self.heartbeat.as_millis()).unwrap_or(u64::MAX);
        let hello = json!({"heartbeat_interval": millis, "_trace": ["fake"]});
        self.history.push(Connected {
            path: path.to_owned(),
            compressed,
            open: true,
            ..Connected::default()
        });
        let socket = Socket {
            session: None,
            told: 0,
            out: [Out::Send(payload(op::HELLO, &hello))].into(),
            frozen: self.mute,
            heard: VecDeque::new(),
            entry: self.history.len() - 1,
            asked_for: 0,
        };
        self.sockets.insert(id, socket);
        id
    }

    /// A socket is gone, with the code of whoever closed it, if anybody did.
    pub(crate) fn disconnect(&mut self, socket: u64, code: Option<u16>, now: Timestamp) {
        let Some(gone) = self.sockets.remove(&socket) else {
            return;
        };
        let entry = &mut self.history[gone.entry];
        entry.open = false;
        entry.closed = entry.closed.or(code);
        let ends = matches!(code, Some(1000 | 1001));
        if let Some(session) = gone.session.and_then(|id| self.session_mut(&id))
            && session.socket == Some(socket)
        {
            session.socket = None;
            session.gone_since = Some(now);
            session.alive &= !ends;
        }
    }

    /// Begins a session on a socket.
    pub(crate) fn begin(&mut self, socket: u64, intents: u64) -> &mut Session {
        let id = format!("{:032x}", 0x5e55_0000 + self.all.len());
        if let Some(socket) = self.sockets.get_mut(&socket) {
            socket.session = Some(id.clone());
            self.history[socket.entry].identified = Some(intents);
        }
        self.all.push(Session {
            id,
            intents,
            log: Vec::new(),
            alive: true,
            socket: Some(socket),
            gone_since: None,
            sent: 0,
            received: 0,
        });
        self.all.last_mut().expect("one was pushed")
    }

    /// Ties a session that lives to a socket, which is told what came after `seq`. None where there is no such session.
    pub(crate) fn resume(&mut self, socket: u64, id: &str, seq: u64, now: Timestamp) -> Option<Resumed> {
        let session = self.all.iter_mut().find(|session| session.id == id)?;
        if !session.lives(now) {
            return None;
        }
        if seq > session.last() {
            session.alive = false;
            return Some(Resumed::FromTheFuture);
        }
        // Another socket may still be open; it is told nothing more.
        let before = session.socket.replace(socket).filter(|before| *before != socket);
        session.gone_since = None;
        session.received = seq;
        let id = session.id.clone();
        let resumed = Logged {
            seq: 0,
            name: "RESUMED",
            data: json!({"_trace": ["fake"]}),
            meant: false,
            message: None,
            interaction: None,
        };
        session.log(resumed);
        if let Some(before) = before.and_then(|before| self.sockets.get_mut(&before)) {
            before.session = None;
        }
        if let Some(socket) = self.sockets.get_mut(&socket) {
            socket.session = Some(id);
            socket.told = seq;
            self.history[socket.entry].resumed = Some(seq);
        }
        Some(Resumed::From(seq))
    }

    /// Sessions that are told what happens.
    pub(crate) fn living(&mut self, now: Timestamp) -> impl Iterator<Item = &mut Session> {
        self.all.iter_mut().filter(move |session| session.lives(now))
    }

    pub(crate) fn session_mut(&mut self, id: &str) -> Option<&mut Session> {
        self.all.iter_mut().find(|session| session.id == id)
    }

    /// The session that began last.
    pub(crate) fn newest(&self) -> Option<&Session> {
        self.all.last()
    }

    pub(crate) fn newest_mut(&mut self) -> Option<&mut Session> {
        self.all.last_mut()
    }

    pub(crate) fn end(&mut self, id: &str) {
        if let Some(session) = self.session_mut(id) {
            session.alive = false;
        }
    }

    pub(crate) fn end_all(&mut self) {
        for session in &mut self.all {
            session.alive = false;
        }
    }

    /// What goes out next over a socket, and what it tells.
    pub(crate) fn next(&mut self, socket: u64) -> Option<(Out, Option<Logged>)> {
        let Some(socket) = self.sockets.get_mut(&socket) else {
            return Some((Out::Cut, None));
        };
        // What breaks the connection breaks a frozen one too.
        if socket.frozen {
            let cut = matches!(socket.out.front(), Some(Out::Cut));
            return cut.then_some((Out::Cut, None));
        }
        if let Some(out) = socket.out.pop_front() {
            if let Out::Close(code, _) = out {
                self.history[socket.entry].closed = Some(code);
            }
            return Some((out, None));
        }
        let id = socket.session.as_ref()?;
        let session = self.all.iter_mut().find(|session| session.id == *id)?;
        let logged = session
            .log
            .iter()
            .find(|logged| logged.seq > socket.told)?
            .clone();
        socket.told = logged.seq;
        session.sent = session.sent.max(logged.seq);
        let frame = json!({"op": op::DISPATCH, "t": logged.name, "s": logged.seq, "d": logged.data});
        Some((Out::Send(frame), Some(logged)))
    }

    /// Sends over every open socket, or lets each of them end.
    pub(crate) fn send_all(&mut self, out: &Out) {
        for socket in self.sockets.values_mut() {
            socket.out.push_back(out.clone());
        }
    }

    /// Whether a session is connected and has received all that it was told. Where that is not known yet, the client
    /// is asked for a heartbeat, which says so.
    pub(crate) fn rest(&mut self) -> Rest {
        let Some(session) = self.all.last() else {
            return Rest::Busy;
        };
        let socket = session.socket.and_then(|socket| self.sockets.get_mut(&socket));
        let Some(socket) = socket.filter(|socket| !socket.frozen) else {
            return Rest::Busy;
        };
        let last = session.last();
        if socket.told < last || !socket.out.is_empty() {
            return Rest::Busy;
        }
        if session.received >= last {
            return Rest::Idle;
        }
        if socket.asked_for >= last {
            return Rest::Busy;
        }
        socket.asked_for = last;
        socket
            .out
            .push_back(Out::Send(payload(op::HEARTBEAT, &Value::Null)));
        Rest::Asked
    }
}

/// Whether all that was told was received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    Idle,
    Busy,
    /// The client is asked, from now on.
    Asked,
}

/// What became of a RESUME.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resumed {
    From(u64),
    /// The client says that it has what nobody told it.
    FromTheFuture,
}

impl Session {
    /// Adds something to be told, with the next number.
    pub(crate) fn log(&mut self, logged: Logged) {
        let seq = self.last() + 1;
        self.log.push(Logged { seq, ..logged });
    }

    pub(crate) fn last(&self) -> u64 {
        self.log.last().map_or(0, |logged| logged.seq)
    }

    fn lives(&self, now: Timestamp) -> bool {
        let in_time = self
            .gone_since
            .is_none_or(|since| since + limits::SESSION_KEPT > now);
        self.alive && in_time
    }

    pub(crate) fn is_connected(&self) -> bool {
        self.socket.is_some()
    }

    /// Tells the last thing that a person did for the bot to hear once more.
    pub(crate) fn repeat_last(&mut self) -> Option<Logged> {
        let last = self.log.iter().rev().find(|logged| logged.meant)?.clone();
        self.log(last.clone());
        Some(last)
    }
}

/// A message of the gateway that is no event.
pub(crate) fn payload(op: u64, data: &Value) -> Value {
    json!({"op": op, "d": data, "s": null, "t": null})
}
