//! What a client says over its socket.

use std::time::Duration;

use serde_json::{Value, json};

use super::{
    events::{Event, intents},
    limits,
    sessions::{Out, Resumed, op, payload},
    state::State,
};

/// Closing codes. Source: Discord docs, "Opcodes and Status Codes", "Gateway Close Event Codes".
mod close {
    pub(super) const UNKNOWN_OPCODE: (u16, &str) = (4001, "Unknown opcode.");
    pub(super) const DECODE_ERROR: (u16, &str) = (4002, "Error while decoding payload.");
    pub(super) const NOT_AUTHENTICATED: (u16, &str) = (4003, "Not authenticated.");
    pub(super) const AUTHENTICATION_FAILED: (u16, &str) = (4004, "Authentication failed.");
    pub(super) const ALREADY_AUTHENTICATED: (u16, &str) = (4005, "Already authenticated.");
    pub(super) const INVALID_SEQ: (u16, &str) = (4007, "Invalid seq.");
    pub(super) const RATE_LIMITED: (u16, &str) = (4008, "Rate limited.");
    pub(super) const INVALID_SHARD: (u16, &str) = (4010, "Invalid shard.");
    pub(super) const INVALID_INTENTS: (u16, &str) = (4013, "Invalid intent(s).");
    pub(super) const DISALLOWED_INTENTS: (u16, &str) = (4014, "Disallowed intent(s).");
}

/// Codes after which a session cannot be resumed. Source: as above.
pub(crate) const ENDS_SESSION: [u16; 8] = [4004, 4007, 4009, 4010, 4011, 4012, 4013, 4014];

impl State {
    /// A client has connected over a path; gives the number of its socket.
    pub(crate) fn socket_opened(&mut self, path: &str, compressed: bool) -> u64 {
        self.sessions.connect(path, compressed)
    }

    /// A socket is gone.
    pub(crate) fn socket_gone(&mut self, socket: u64, code: Option<u16>) {
        let now = self.now;
        self.sessions.disconnect(socket, code, now);
    }

    /// The client has sent something.
    pub(crate) fn socket_heard(&mut self, socket: u64, text: &str) {
        if self.talks_too_much(socket) {
            self.broke("gateway: more than 120 messages within a minute");
            return self.close(socket, close::RATE_LIMITED);
        }
        let Ok(message) = serde_json::from_str::<Value>(text) else {
            self.broke("gateway: what is no JSON");
            return self.close(socket, close::DECODE_ERROR);
        };
        let data = &message["d"];
        match message["op"].as_u64() {
            Some(op::HEARTBEAT) => self.heartbeat(socket, data),
            Some(op::IDENTIFY) => self.identify(socket, data),
            Some(op::RESUME) => self.resume(socket, data),
            Some(op::PRESENCE_UPDATE) if self.session_of(socket).is_some() => {}
            Some(op::PRESENCE_UPDATE) => self.close(socket, close::NOT_AUTHENTICATED),
            other => {
                self.broke(format!("gateway: opcode {other:?}"));
                self.close(socket, close::UNKNOWN_OPCODE);
            }
        }
    }

    /// Closes a socket with a code, which may end its session.
    pub(crate) fn close(&mut self, socket: u64, (code, reason): (u16, &'static str)) {
        if ENDS_SESSION.contains(&code)
            && let Some(session) = self.session_of(socket)
        {
            self.sessions.end(&session);
        }
        self.answer(socket, Out::Close(code, reason));
    }

    fn answer(&mut self, socket: u64, out: Out) {
        if let Some(socket) = self.sessions.sockets.get_mut(&socket) {
            socket.out.push_back(out);
        }
    }

    /// Whether the token is the bot's. The word that the API wants before it is overlooked here.
    fn is_token(&self, data: &Value) -> bool {
        let token = data["token"].as_str().unwrap_or_default();
        token.strip_prefix("Bot ").unwrap_or(token) == self.bot.token
    }

    fn session_of(&self, socket: u64) -> Option<String> {
        self.sessions.sockets.get(&socket)?.session.clone()
    }

    fn talks_too_much(&mut self, socket: u64) -> bool {
        const MINUTE: Duration = Duration::from_mins(1);
        let (now, enforced) = (self.now, self.rates.enforced);
        let Some(socket) = self.sessions.sockets.get_mut(&socket) else {
            return false;
        };
        while socket.heard.front().is_some_and(|when| *when + MINUTE <= now) {
            socket.heard.pop_front();
        }
        socket.heard.push_back(now);
        // Where time stands still, all of it is within one minute.
        enforced && socket.heard.len() > limits::COMMANDS_A_MINUTE
    }

    fn heartbeat(&mut self, socket: u64, last: &Value) {
        if let (Some(id), Some(seq)) = (self.session_of(socket), last.as_u64())
            && let Some(session) = self.sessions.session_mut(&id)
        {
            let known = session.sent;
            session.received = session.received.max(seq.min(known));
            if seq > known {
                self.broke(format!(
                    "gateway: a heartbeat says {seq}, and {known} was the last"
                ));
            }
        }
        if !self.sessions.withholds_acks {
            self.answer(socket, Out::Send(payload(op::HEARTBEAT_ACK, &Value::Null)));
        }
    }

    fn identify(&mut self, socket: u64, data: &Value) {
        if self.session_of(socket).is_some() {
            self.broke("gateway: identified twice");
            return self.close(socket, close::ALREADY_AUTHENTICATED);
        }
        let properties = &data["properties"];
        if !properties.is_object() || data["token"].as_str().is_none() {
            self.broke("gateway: an IDENTIFY without token or properties");
            return self.close(socket, close::DECODE_ERROR);
        }
        if !self.is_token(data) {
            return self.close(socket, close::AUTHENTICATION_FAILED);
        }
        let shard = &data["shard"];
        if !shard.is_null() && *shard != json!([0, 1]) {
            self.broke("gateway: a shard other than the only one");
            return self.close(socket, close::INVALID_SHARD);
        }
        let Some(intents) = data["intents"].as_u64() else {
            self.broke("gateway: an IDENTIFY without intents");
            return self.close(socket, close::DECODE_ERROR);
        };
        if intents & !intents::KNOWN != 0 {
            self.broke(format!("gateway: intents {intents}"));
            return self.close(socket, close::INVALID_INTENTS);
        }
        if intents & intents::PRIVILEGED & !self.bot.granted != 0 {
            return self.close(socket, close::DISALLOWED_INTENTS);
        }
        if self.sessions.left == 0 {
            self.broke("gateway: more sessions than a day allows");
            return self.close(socket, close::AUTHENTICATION_FAILED);
        }
        self.sessions.left -= 1;
        self.begin(socket, intents);
    }

    fn begin(&mut self, socket: u64, intents: u64) {
        let session = self.sessions.begin(socket, intents).id.clone();
        let ready = self.ready_json(&session);
        let mut events = vec![Event::new("READY", 0, ready)];
        let mine: Vec<u64> = self
            .guilds
            .values()
            .filter(|guild| guild.bot_since.is_some())
            .map(|guild| guild.id)
            .collect();
        let guilds = mine.iter().map(|id| self.guild_create_json(*id));
        let guilds = guilds.map(|guild| Event::new("GUILD_CREATE", intents::GUILDS, guild));
        events.extend(guilds);
        // Only this session is told.
        for event in events {
            let wanted = event.needs == 0 || intents & event.needs != 0;
            if let Some(session) = self.sessions.session_mut(&session).filter(|_| wanted) {
                session.log(super::sessions::Logged {
                    seq: 0,
                    name: event.name,
                    data: event.data,
                    meant: false,
                    message: None,
                    interaction: None,
                });
            }
        }
    }

    fn resume(&mut self, socket: u64, data: &Value) {
        if self.session_of(socket).is_some() {
            self.broke("gateway: resumed after it was identified");
            return self.close(socket, close::ALREADY_AUTHENTICATED);
        }
        if !self.is_token(data) {
            return self.close(socket, close::AUTHENTICATION_FAILED);
        }
        let (Some(id), Some(seq)) = (data["session_id"].as_str(), data["seq"].as_u64()) else {
            self.broke("gateway: a RESUME without session or number");
            return self.close(socket, close::DECODE_ERROR);
        };
        let now = self.now;
        match self.sessions.resume(socket, id, seq, now) {
            Some(Resumed::From(_)) => {}
            Some(Resumed::FromTheFuture) => {
                self.broke("gateway: resumed from a number that was never sent");
                self.close(socket, close::INVALID_SEQ);
            }
            None => {
                let invalid = payload(op::INVALID_SESSION, &false.into());
                self.answer(socket, Out::Send(invalid));
            }
        }
    }

    /// What goes out next over a socket.
    pub(crate) fn next_out(&mut self, socket: u64) -> Option<Out> {
        let (out, logged) = self.sessions.next(socket)?;
        if let Some(logged) = logged {
            self.meant += usize::from(logged.meant);
            if let Some(message) = logged.message.and_then(|at| self.message_mut(at)) {
                message.handed_out = true;
            }
            if let Some(interaction) = logged.interaction.and_then(|id| self.interactions.get_mut(&id)) {
                interaction.handed_out += 1;
            }
        }
        Some(out)
    }
}

impl State {
    /// Closes every socket with a code, which may end their sessions.
    pub(crate) fn close_all(&mut self, code: u16, reason: &'static str) {
        let sockets: Vec<u64> = self.sessions.sockets.keys().copied().collect();
        for socket in sockets {
            self.close(socket, (code, reason));
        }
    }

    /// Ends every session.
    pub(crate) fn end_all(&mut self) {
        self.sessions.end_all();
    }
}
