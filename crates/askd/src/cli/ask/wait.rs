//! Sending an ask and staying with it until it is over, through restarts of the daemon and until somebody stops us.

use std::{sync::Arc, time::Duration};

use askd_core::clock::Clock;
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::countdown::Countdown;
use crate::{
    client::{CallError, Client, MOST_WAIT},
    out::{self, Stop},
    signals::Signals,
    view::AskView,
};

/// How long after the deadline a daemon that is away may still come back and tell how it ended.
const GRACE: SignedDuration = SignedDuration::from_secs(30);

/// How long a first contact is tried whose connection broke: the ask may have been stored.
const FIRST_CONTACT: SignedDuration = SignedDuration::from_secs(30);

/// Between two attempts while the daemon is away.
const PAUSE: Duration = Duration::from_millis(500);

/// How long taking the ask back is tried.
const TAKE_BACK: SignedDuration = SignedDuration::from_secs(5);

/// Seconds of a hold while somebody watches and nothing has been shown yet, so that they see it happen.
const SHORT_HOLD: u64 = 1;

/// One ask on its way.
pub(in crate::cli) struct Waiter {
    client: Client,
    signals: Signals,
    clock: Arc<dyn Clock>,
}

impl Waiter {
    /// With a daemon to ask, the signals that mean to give up, and the time.
    pub(in crate::cli) fn new(client: Client, signals: Signals, clock: Arc<dyn Clock>) -> Self {
        Self {
            client,
            signals,
            clock,
        }
    }

    /// Hands the ask in; `None` if we were stopped before anything was sent.
    ///
    /// A daemon that is not there is told at once. One whose connection broke may have stored the ask, so the same
    /// key is sent again until it answers.
    pub(in crate::cli) async fn ask(&mut self, body: &Value, key: &str) -> anyhow::Result<Option<Value>> {
        let last = self.clock.now() + FIRST_CONTACT;
        let mut sent = false;
        loop {
            match self.client.post_once(&["v1", "asks"], Some(body), key).await {
                Ok(asked) => return Ok(Some(asked)),
                Err(error @ CallError::Unreachable { .. }) if !sent => return Err(Stop::from(error).into()),
                Err(error) if error.passes() && self.clock.now() < last => sent = true,
                Err(error) => return Err(Stop::from(error).into()),
            }
            tokio::select! {
                () = pause(self.clock.as_ref()) => {}
                _ = self.signals.next() => return self.give_up(body, key).await,
            }
        }
    }

    /// Stays with the ask until it is over; takes it back if we are told to stop. Returns it as it ended.
    pub(in crate::cli) async fn wait(&mut self, asked: Value) -> anyhow::Result<Value> {
        let mut asked = asked;
        let mut ask = AskView::of(&asked)?;
        // Counted on our own clock from now: the daemon's may be another machine's.
        let left = ask.deadline.duration_since(ask.created_at);
        let last = self
            .clock
            .now()
            .saturating_add(left + GRACE)
            .unwrap_or(Timestamp::MAX);
        let countdown = Countdown::start(&ask, self.clock.now() + left, Arc::clone(&self.clock));
        if ask.is_pending() && !countdown.is_watched() {
            out::note(format!("waiting for an answer to {}", ask.id));
        }
        while ask.is_pending() {
            let shown = ask.deliveries.iter().any(|delivery| delivery.state == "shown");
            let open = ask.deliveries.iter().any(|delivery| delivery.state == "queued");
            let seconds = if countdown.is_watched() && open && !shown {
                SHORT_HOLD
            } else {
                MOST_WAIT
            };
            let outcome = tokio::select! {
                now = hold(&self.client, &ask.id, seconds, self.clock.as_ref()) => now,
                never = countdown.run() => never,
                _ = self.signals.next() => {
                    countdown.clear();
                    return self.take_back(&ask.id).await;
                }
            };
            match outcome {
                Ok(now) => {
                    asked = now;
                    ask = AskView::of(&asked)?;
                    countdown.show(&ask);
                }
                Err(error) if error.passes() && self.clock.now() < last => countdown.show_away(),
                Err(error) => {
                    countdown.clear();
                    return Err(Stop::from(error).into());
                }
            }
        }
        countdown.clear();
        Ok(asked)
    }

    /// Takes the ask back. An answer that came first is returned instead.
    pub(in crate::cli) async fn take_back(&self, id: &str) -> anyhow::Result<Value> {
        let last = self.clock.now() + TAKE_BACK;
        loop {
            match self.client.post(&["v1", "asks", id, "cancel"], None).await {
                Ok(asked) => return Ok(asked),
                Err(error) if error.passes() && self.clock.now() < last => pause(self.clock.as_ref()).await,
                Err(error) => {
                    return Err(anyhow::Error::from(Stop::from(error)).context("the ask was not taken back"));
                }
            }
        }
    }

    /// Stopped while it is not known whether the ask was stored: once more under the same key, then taken back.
    async fn give_up(&self, body: &Value, key: &str) -> anyhow::Result<Option<Value>> {
        match self.client.post_once(&["v1", "asks"], Some(body), key).await {
            Ok(asked) => {
                let ask = AskView::of(&asked)?;
                self.take_back(&ask.id).await.map(Some)
            }
            Err(_) => Ok(None),
        }
    }
}

/// One bounded hold. Never returns faster than the pause while the ask is pending, whatever the daemon does.
async fn hold(client: &Client, id: &str, seconds: u64, clock: &dyn Clock) -> Result<Value, CallError> {
    let earliest = clock.now() + PAUSE;
    let now = client.wait(id, seconds).await;
    let over = now.as_ref().is_ok_and(|ask| ask["status"] != "pending");
    if !over {
        clock.sleep_until(earliest).await;
    }
    now
}

async fn pause(clock: &dyn Clock) {
    clock.sleep_until(clock.now() + PAUSE).await;
}
