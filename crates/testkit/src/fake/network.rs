//! The fake platform's servers: conversations, events, limits, and faults on request.
//!
//! Refuses what exceeds its limits, and remembers that somebody tried. Hands events out in order, keeps those that
//! were not acknowledged, and hands them out again on the next connection.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
};

use askd_core::{clock::Clock as _, present::Payload};
use tokio::sync::watch;

use super::{
    Profile,
    wire::{Event, From, Outgoing, Refusal, Sent, What, read_markup},
};
use crate::{
    channel_suite::{Call, Fault, Feature},
    clock::TestClock,
};

/// The group's address.
pub(super) const GROUP: &str = "team";

#[derive(Debug)]
pub(super) struct Network {
    pub(super) profile: Profile,
    pub(super) clock: TestClock,
    state: Mutex<State>,
    activity: watch::Sender<u64>,
}

#[derive(Debug, Default)]
pub(super) struct State {
    /// Messages of ours and of people, by conversation.
    pub(super) conversations: BTreeMap<String, Vec<Entry>>,
    last_message: i64,
    events: Vec<Queued>,
    /// Which connection is the present one.
    connection: u64,
    /// Whether nothing is said to anybody.
    silent: bool,
    /// What accounts were shown alone.
    pub(super) told: Vec<(String, String)>,
    pub(super) forms: BTreeMap<String, OpenForm>,
    pub(super) feedback: usize,
    faults: VecDeque<(Call, Fault)>,
    /// Of all calls of a kind.
    outages: Vec<(Call, Fault)>,
    /// Counts the mendings; a call that hangs breaks off when it changes.
    mended: u64,
    pub(super) hanging: usize,
    keys: BTreeMap<String, Sent>,
    pub(super) violations: Vec<String>,
}

/// A message.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) id: i64,
    /// Nobody, if it is ours.
    pub(super) from: Option<String>,
    pub(super) text: String,
    pub(super) buttons: Vec<Vec<(String, String)>>,
    pub(super) rang: bool,
}

/// A form before somebody.
#[derive(Clone, Debug)]
pub(super) struct OpenForm {
    pub(super) conversation: String,
    pub(super) title: String,
    pub(super) label: String,
    pub(super) data: String,
}

#[derive(Debug)]
struct Queued {
    event: Event,
    /// Over which connection it was handed out last; 0 before that.
    handed: u64,
    /// Whether the channel is through with it, for now.
    through: bool,
    acknowledged: bool,
}

impl Network {
    pub(super) fn new(profile: Profile, clock: TestClock) -> Self {
        let activity = watch::Sender::new(0);
        Self {
            profile,
            clock,
            state: Mutex::default(),
            activity,
        }
    }

    /// A panic under the lock is a failed case already.
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn activity(&self) -> watch::Receiver<u64> {
        self.activity.subscribe()
    }

    fn moved(&self) {
        self.activity.send_modify(|moves| *moves += 1);
    }

    /// The conversation that an account or conversation is reached in.
    pub(super) fn conversation(to: &str) -> String {
        match to.strip_prefix('@') {
            Some(name) => format!("dm-{name}"),
            None => to.to_owned(),
        }
    }

    pub(super) fn is_direct(conversation: &str) -> bool {
        conversation != GROUP
    }

    // What channels call.

    pub(super) async fn send(&self, call: Call, what: Outgoing) -> Result<Sent, Refusal> {
        let lost = self.fail(call).await?;
        let sent = self.carry_out(call, what);
        self.moved();
        if lost {
            Err(Refusal::NoAnswer { done: true })
        } else {
            sent
        }
    }

    fn carry_out(&self, call: Call, what: Outgoing) -> Result<Sent, Refusal> {
        let mut state = self.state();
        let known = what.key.as_ref().and_then(|key| state.keys.get(key));
        if let Some(sent) = known {
            return Ok(sent.clone());
        }
        let text = self.check(&mut state, &what.text, &what.buttons)?;
        if what.reply_to.is_some() && call == Call::Feedback {
            state.feedback += 1;
        }
        let conversation = Self::conversation(&what.to);
        if let Some(account) = what.only_for {
            if !self.profile.has(Feature::PrivateTexts) {
                return Err(state.violated("private texts are not offered"));
            }
            state.feedback += usize::from(what.reply_to.is_none());
            state.told.push((account, text));
            return Ok(Sent { conversation, id: 0 });
        }
        let id = state.next_message();
        state
            .conversations
            .entry(conversation.clone())
            .or_default()
            .push(Entry {
                id,
                from: None,
                text,
                buttons: what.buttons,
                rang: what.rings,
            });
        let sent = Sent { conversation, id };
        if let Some(key) = what.key.filter(|_| self.profile.has(Feature::KeyedPosts)) {
            state.keys.insert(key, sent.clone());
        }
        Ok(sent)
    }

    /// What a post by this key left behind.
    pub(super) fn posted(&self, key: &str) -> Option<Sent> {
        self.state().keys.get(key).cloned()
    }

    pub(super) async fn change(
        &self,
        id: i64,
        text: &str,
        buttons: Vec<Vec<(String, String)>>,
    ) -> Result<(), Refusal> {
        let lost = self.fail(Call::Edit).await?;
        let changed = {
            let mut state = self.state();
            if !self.profile.has(Feature::Edits) {
                return Err(state.violated("messages cannot be changed"));
            }
            let text = self.check(&mut state, text, &buttons)?;
            let mut entries = state.conversations.values_mut().flatten();
            let entry = entries.find(|entry| entry.id == id && entry.from.is_none());
            entry
                .map(|entry| (entry.text, entry.buttons) = (text, buttons))
                .ok_or(Refusal::NoSuchMessage)
        };
        self.moved();
        if lost {
            Err(Refusal::NoAnswer { done: true })
        } else {
            changed
        }
    }

    pub(super) async fn toast(&self, account: &str, text: &str) -> Result<(), Refusal> {
        let lost = self.fail(Call::Feedback).await?;
        let mut state = self.state();
        if !self.profile.toast.fits(text) {
            return Err(state.violated("the toast is too long"));
        }
        state.told.push((account.to_owned(), text.to_owned()));
        state.feedback += 1;
        drop(state);
        self.moved();
        if lost {
            Err(Refusal::NoAnswer { done: true })
        } else {
            Ok(())
        }
    }

    pub(super) async fn open_form(&self, account: &str, form: OpenForm) -> Result<(), Refusal> {
        self.fail(Call::Feedback).await?;
        let mut state = self.state();
        let Some(limits) = &self.profile.forms else {
            return Err(state.violated("forms are not offered"));
        };
        if !limits.title.fits(&form.title) || !limits.label.fits(&form.label) {
            return Err(state.violated("the form's title or label is too long"));
        }
        state.forms.insert(account.to_owned(), form);
        state.feedback += 1;
        drop(state);
        self.moved();
        Ok(())
    }

    /// A new connection for receiving. It begins with what was never acknowledged, where the platform does that.
    pub(super) fn connect(&self) -> u64 {
        let mut state = self.state();
        state.connection += 1;
        let again = self.profile.has(Feature::Redelivery);
        for queued in &mut state.events {
            if !queued.acknowledged && (again || queued.handed == 0) {
                (queued.handed, queued.through) = (0, false);
            }
        }
        state.connection
    }

    /// The next event; `None` once the connection is broken.
    pub(super) async fn next_event(&self, connection: u64) -> Option<Event> {
        let mut activity = self.activity();
        loop {
            {
                let mut state = self.state();
                if state.connection != connection {
                    return None;
                }
                let speaks = state.speaks();
                let mut events = state.events.iter_mut().filter(|_| speaks);
                if let Some(queued) = events.find(|queued| queued.handed == 0) {
                    queued.handed = connection;
                    return Some(queued.event.clone());
                }
            }
            activity.changed().await.ok()?;
        }
    }

    /// The channel is through with an event, and acknowledges it or not.
    pub(super) fn through(&self, event: u64, acknowledged: bool) {
        let mut state = self.state();
        if let Some(queued) = state.events.iter_mut().find(|queued| queued.event.id == event) {
            queued.through = true;
            queued.acknowledged |= acknowledged;
        }
        drop(state);
        self.moved();
    }

    // What the suite calls, on behalf of people and of fate.

    pub(super) fn happens(&self, from: From, conversation: &str, what: What) {
        let mut state = self.state();
        let id = u64::try_from(state.events.len()).expect("few events") + 1;
        state.events.push(Queued {
            event: Event {
                id,
                from,
                conversation: conversation.to_owned(),
                direct: Self::is_direct(conversation),
                date: self.clock.now(),
                what,
            },
            handed: 0,
            through: false,
            acknowledged: false,
        });
        drop(state);
        self.moved();
    }

    pub(super) fn fail_next(&self, call: Call, fault: Fault) {
        self.state().faults.push_back((call, fault));
    }

    pub(super) fn fail_all(&self, call: Call, fault: Fault) {
        self.state().outages.push((call, fault));
        self.moved();
    }

    pub(super) fn mend(&self) {
        let mut state = self.state();
        state.faults.clear();
        state.outages.clear();
        state.mended += 1;
        drop(state);
        self.moved();
    }

    pub(super) fn redeliver_last(&self) {
        if let Some(queued) = self.state().events.last_mut() {
            (queued.handed, queued.through, queued.acknowledged) = (0, false, false);
        }
        self.moved();
    }

    pub(super) fn drop_connection(&self) {
        self.state().connection += 1;
        self.moved();
    }

    pub(super) fn set_silent(&self, silent: bool) {
        self.state().silent = silent;
        self.moved();
    }

    /// Whether it answers a ping.
    pub(super) fn answers(&self) -> bool {
        self.state().speaks()
    }

    pub(super) fn is_idle(&self) -> bool {
        self.state().events.iter().all(|queued| queued.through)
    }

    // Rules.

    /// Fails the call where a case asked for it. Returns whether its answer is to be lost afterwards.
    async fn fail(&self, call: Call) -> Result<bool, Refusal> {
        let fault = {
            let mut state = self.state();
            let index = state.faults.iter().position(|(wanted, _)| *wanted == call);
            let ordered = index.and_then(|index| state.faults.remove(index));
            let outage = state.outages.iter().find(|(wanted, _)| *wanted == call);
            let fault = ordered.or(outage.copied());
            if matches!(fault, Some((_, Fault::Hang))) {
                state.hanging += 1;
            }
            fault
        };
        if fault.is_some() {
            self.moved();
        }
        match fault.map(|(_, fault)| fault) {
            None => Ok(false),
            Some(Fault::Unclear { done: true }) => Ok(true),
            Some(Fault::Unclear { done: false } | Fault::Garbage) => Err(Refusal::NoAnswer { done: false }),
            Some(Fault::Throttled(pause)) => Err(Refusal::Slower(pause)),
            Some(Fault::Refused) => Err(Refusal::Unauthorized),
            Some(Fault::Unreachable) => Err(Refusal::Forbidden),
            Some(Fault::Rejected) => Err(Refusal::Bad("rejected on request")),
            Some(Fault::Hang) => {
                let _hanging = Hanging(self);
                let mut activity = self.activity();
                let mended = self.state().mended;
                while self.state().mended == mended {
                    // The sender is in `self`, so this fails never.
                    let _ = activity.changed().await;
                }
                Err(Refusal::NoAnswer { done: false })
            }
        }
    }

    /// The text as it is read, if it and the buttons are within the limits.
    fn check(
        &self,
        state: &mut State,
        text: &str,
        buttons: &[Vec<(String, String)>],
    ) -> Result<String, Refusal> {
        let text = if self.profile.markup {
            read_markup(text)
        } else {
            Some(text.to_owned())
        };
        let Some(text) = text else {
            return Err(state.violated("the text's markup is broken"));
        };
        if text.trim().is_empty() {
            return Err(state.violated("the text is empty"));
        }
        if !self.profile.text.fits(&text) {
            return Err(state.violated("the text is too long"));
        }
        if buttons.is_empty() {
            return Ok(text);
        }
        let Some(limits) = &self.profile.buttons else {
            return Err(state.violated("buttons are not offered"));
        };
        let all = || buttons.iter().flatten();
        let broken = [
            (all().count() > limits.max, "too many buttons"),
            (buttons.len() > limits.rows, "too many rows"),
            (buttons.iter().any(Vec::is_empty), "an empty row"),
            (
                buttons.iter().any(|row| row.len() > limits.per_row),
                "too many buttons in a row",
            ),
            (
                all().any(|(label, _)| !limits.label.fits(label)),
                "a button's label is too long",
            ),
            (
                all().any(|(label, _)| label.trim().is_empty()),
                "a button's label is empty",
            ),
            (
                all().any(|(_, data)| data.len() > Payload::MAX),
                "a button carries too much",
            ),
        ];
        match broken.into_iter().find(|(is_broken, _)| *is_broken) {
            Some((_, rule)) => Err(state.violated(rule)),
            None => Ok(text),
        }
    }
}

impl State {
    fn speaks(&self) -> bool {
        !self.silent && self.outages.iter().all(|(call, _)| *call != Call::Listen)
    }

    pub(super) fn next_message(&mut self) -> i64 {
        self.last_message += 1;
        self.last_message
    }

    fn violated(&mut self, rule: &'static str) -> Refusal {
        self.violations.push(rule.to_owned());
        Refusal::Bad(rule)
    }
}

/// A call that hangs until its caller goes away.
struct Hanging<'a>(&'a Network);

impl Drop for Hanging<'_> {
    fn drop(&mut self) {
        self.0.state().hanging -= 1;
        self.0.moved();
    }
}
