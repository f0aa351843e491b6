//! What is sent over the sockets, and what becomes of what is not acknowledged.
//!
//! Each envelope goes to one socket and is to be acknowledged there within three seconds. An event that is not comes
//! again, in a new envelope and as another attempt; so does one whose socket was lost, and one that found no socket
//! waits for the next (nowhere documented). A click or a sent form does not come again: whoever made it is shown that
//! it failed. Source: "Using Socket Mode", "The Events API", "Handling user interaction".

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{limits, sockets::Frame, state::State};

#[derive(Debug, Default)]
pub(crate) struct Envelopes {
    waiting: VecDeque<Envelope>,
    out: BTreeMap<String, Out>,
    acknowledged: BTreeSet<String>,
    /// Not acknowledged in time.
    late: BTreeSet<String>,
    /// What somebody did and the app was told of last.
    last: Option<Envelope>,
    /// What the app was told of and cannot pass over, each act once.
    to_be_heard: BTreeSet<String>,
    pub(crate) handed_out: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct Envelope {
    pub(crate) kind: Kind,
    pub(crate) payload: Value,
    /// What somebody did, if somebody did something.
    pub(crate) act: Option<Act>,
    attempt: usize,
    reason: &'static str,
    due: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Event,
    /// A button was pressed.
    Click,
    /// A view was sent in.
    Form {
        view: String,
    },
    /// A view was closed.
    Closed,
}

/// Something that somebody did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Act {
    /// The same for the two events of one mention.
    pub(crate) key: String,
    pub(crate) channel: String,
    pub(crate) who: String,
    /// Whether an app cannot help but take notice: all but talk among others.
    pub(crate) counts: bool,
}

#[derive(Debug)]
struct Out {
    envelope: Envelope,
    socket: u64,
    when: Timestamp,
}

impl Act {
    pub(crate) fn new(channel: &str, who: &str, key: String, counts: bool) -> Self {
        Self {
            key,
            channel: channel.to_owned(),
            who: who.to_owned(),
            counts,
        }
    }
}

impl Envelope {
    fn wire(&self, id: &str) -> String {
        let mut wire = json!({
            "envelope_id": id, "payload": self.payload,
            "accepts_response_payload": matches!(self.kind, Kind::Form { .. }),
        });
        wire["type"] = match self.kind {
            Kind::Event => {
                wire["retry_attempt"] = self.attempt.into();
                wire["retry_reason"] = self.reason.into();
                "events_api".into()
            }
            _ => "interactive".into(),
        };
        wire.to_string()
    }
}

impl State {
    pub(crate) fn push(&mut self, kind: Kind, payload: Value, act: Option<Act>) {
        if let Some(act) = &act {
            self.answers.attend(&act.channel);
        }
        let due = self.now;
        self.envelopes.waiting.push_back(Envelope {
            kind,
            payload,
            act,
            attempt: 0,
            reason: "",
            due,
        });
    }

    /// Hands out what is due, as far as there are sockets.
    pub(crate) fn hand_out_due(&mut self) {
        let mut kept = VecDeque::new();
        while let Some(envelope) = self.envelopes.waiting.pop_front() {
            if envelope.due > self.now {
                kept.push_back(envelope);
                continue;
            }
            match self.sockets.next() {
                Some(socket) => self.hand_out(envelope, socket),
                None if envelope.kind == Kind::Event => kept.push_back(envelope),
                None => self.tell_failed(&envelope),
            }
        }
        self.envelopes.waiting = kept;
    }

    fn hand_out(&mut self, envelope: Envelope, socket: u64) {
        let id = self.new_uuid();
        self.sockets.send(socket, Frame::Text(envelope.wire(&id)));
        self.envelopes.handed_out += 1;
        if let Some(act) = &envelope.act {
            self.answers.expect(&act.channel, &act.who);
            self.envelopes.last = Some(envelope.clone());
            if act.counts {
                self.envelopes.to_be_heard.insert(act.key.clone());
            }
        }
        let when = self.now;
        self.envelopes.out.insert(
            id,
            Out {
                envelope,
                socket,
                when,
            },
        );
    }

    /// The app said something over a socket.
    pub(crate) fn heard(&mut self, socket: u64, text: &str) {
        let Ok(said) = serde_json::from_str::<Value>(text) else {
            return self.violation("socket", "said what is no JSON");
        };
        let Some(id) = said["envelope_id"].as_str() else {
            return self.violation("socket", "said something without an `envelope_id`");
        };
        let Some(out) = self.envelopes.out.remove(id) else {
            let fault = if self.envelopes.acknowledged.contains(id) {
                "acknowledged twice"
            } else if self.envelopes.late.contains(id) {
                "acknowledged after more than 3 s"
            } else {
                "acknowledged what was never sent"
            };
            return self.violation("socket", fault);
        };
        if out.socket != socket {
            self.violation("socket", "acknowledged on another socket");
        }
        self.envelopes.acknowledged.insert(id.to_owned());
        let payload = said.get("payload").filter(|payload| !payload.is_null());
        match (&out.envelope.kind, payload) {
            (Kind::Form { view }, payload) => {
                let (view, payload) = (view.clone(), payload.cloned());
                self.form_answered(&view, payload);
            }
            (_, Some(_)) => self.violation("socket", "acknowledged with a payload where none is taken"),
            (_, None) => {}
        }
    }

    /// What was not acknowledged in time.
    pub(crate) fn tick_envelopes(&mut self) {
        let now = self.now;
        let late = |(_, out): &(&String, &Out)| out.when + limits::ACKNOWLEDGE < now;
        let ids: Vec<String> = self
            .envelopes
            .out
            .iter()
            .filter(late)
            .map(|(id, _)| id.clone())
            .collect();
        for id in ids {
            let Some(out) = self.envelopes.out.remove(&id) else {
                continue;
            };
            self.envelopes.late.insert(id);
            if out.envelope.kind == Kind::Event {
                if let Some(pause) = limits::RETRIES.get(out.envelope.attempt) {
                    self.try_again(out.envelope, out.when + limits::ACKNOWLEDGE + *pause);
                }
                continue;
            }
            if !self.sockets.is_frozen(out.socket) {
                self.violation("socket", "a click or a form was not acknowledged within 3 s");
            }
            self.tell_failed(&out.envelope);
        }
    }

    /// What was on its way over a socket that is gone.
    pub(crate) fn lost_with(&mut self, socket: u64) {
        let now = self.now;
        let with = |(_, out): &(&String, &Out)| out.socket == socket;
        let ids: Vec<String> = self
            .envelopes
            .out
            .iter()
            .filter(with)
            .map(|(id, _)| id.clone())
            .collect();
        for id in ids {
            let Some(out) = self.envelopes.out.remove(&id) else {
                continue;
            };
            if let Some(act) = &out.envelope.act {
                self.envelopes.to_be_heard.remove(&act.key);
            }
            if out.envelope.kind == Kind::Event {
                self.try_again(out.envelope, now);
            } else {
                self.tell_failed(&out.envelope);
            }
        }
    }

    fn try_again(&mut self, envelope: Envelope, due: Timestamp) {
        self.envelopes.waiting.push_back(Envelope {
            attempt: envelope.attempt + 1,
            reason: "timeout",
            due,
            ..envelope
        });
    }

    /// Tells the app once more what somebody did last, acknowledged or not.
    pub(crate) fn repeat_last(&mut self) {
        let mut last = self.envelopes.last.clone().expect("somebody has done something");
        if let Some(act) = &mut last.act {
            act.key.push('\'');
        }
        let now = self.now;
        self.try_again(last, now);
    }

    /// Whoever did something last waits for another answer to it.
    pub(crate) fn expect_last(&mut self) {
        if let Some(act) = self.envelopes.last.as_ref().and_then(|last| last.act.as_ref()) {
            self.answers.expect(&act.channel, &act.who);
        }
    }

    fn tell_failed(&mut self, envelope: &Envelope) {
        let Some(act) = &envelope.act else {
            return;
        };
        let name = self.name_of(&act.who).unwrap_or_default();
        let line = match envelope.kind {
            Kind::Form { .. } => format!("{name} is told that there was trouble, and to try again"),
            _ => format!("{name} sees a warning sign beside the button"),
        };
        let channel = act.channel.clone();
        self.tell(&channel, None, &line);
    }
}

impl Envelopes {
    /// How many wait to be handed out or acknowledged.
    pub(crate) fn pending(&self) -> usize {
        self.waiting.len() + self.out.len()
    }

    /// Whether something can be handed out now.
    pub(crate) fn has_due(&self, now: Timestamp) -> bool {
        self.waiting.iter().any(|envelope| envelope.due <= now)
    }

    /// How many acts the app was told of and cannot pass over.
    pub(crate) fn to_be_heard(&self) -> usize {
        self.to_be_heard.len()
    }

    /// Whether each that is out is as good as done: somebody was answered on it, so that it is left unacknowledged on
    /// purpose.
    pub(crate) fn are_done(&self, answered: impl Fn(&Act) -> bool) -> bool {
        let done = |out: &Out| out.envelope.act.as_ref().is_some_and(&answered);
        self.out.values().all(done)
    }

    pub(crate) fn next_due(&self, now: Timestamp) -> Option<Timestamp> {
        // To the millisecond, the clock's own step: three seconds are in time.
        const STEP: std::time::Duration = std::time::Duration::from_millis(1);
        let waiting = self
            .waiting
            .iter()
            .map(|envelope| envelope.due)
            .filter(|due| *due > now);
        let out = self.out.values().map(|out| out.when + limits::ACKNOWLEDGE + STEP);
        waiting.chain(out).min()
    }
}
