//! Holding a call until its ask is over.
//!
//! Whichever comes first ends it: the ask's end, the agreed hold, a cancel, the client's going away, or askd's own
//! stop. Meanwhile the client is told every quarter of a minute that it still waits. Everything is on the broker's
//! clock.

use std::pin::pin;

use askd_core::{id::AskId, store::Record};
use jiff::SignedDuration;
use rmcp::model::{CallToolResponse, InputRequiredResult};

use crate::{
    Desk,
    call::Call,
    calls::{Attached, Left},
    limits,
    outcome::{Refusal, result},
    progress::Progress,
};

/// How a wait ended.
enum Ended {
    /// The ask is over, or the hold is.
    Known(Box<Record>),
    /// askd stops and the ask is open.
    Stopping(Box<Record>),
    /// Nobody reads the answer any more.
    Gone,
}

impl Desk {
    /// The answer to a call that waits for this ask, at most `hold` long. `notes` go with the result.
    pub(crate) async fn wait(
        &self,
        call: &mut Call,
        ask: AskId,
        hold: Option<SignedDuration>,
        notes: &[String],
    ) -> Result<CallToolResponse, Refusal> {
        let attached = self.calls.attach(ask);
        let ended = self.ended(call, &attached, ask, hold).await?;
        let record = match ended {
            Ended::Stopping(record) if call.modern => {
                let token = &call.caller.principal.token;
                let state = self.options.hand_over.seal(token, ask, self.broker.clock());
                tracing::debug!(ask.id = %record.ask.id, "call handed over");
                return Ok(InputRequiredResult::from_request_state(state).into());
            }
            Ended::Known(record) | Ended::Stopping(record) => record,
            Ended::Gone => {
                let left = attached.leave();
                if call.closing_cancels() || call.open.left().is_cancelled() {
                    self.take_back_if_alone(call, &left).await?;
                }
                Box::new(self.broker.get(&call.caller.principal, ask).await?)
            }
        };
        call.open.answered(self.broker.clock().now());
        Ok(result(&record.ask, notes).into())
    }

    async fn ended(
        &self,
        call: &Call,
        attached: &Attached,
        ask: AskId,
        hold: Option<SignedDuration>,
    ) -> Result<Ended, Refusal> {
        let (broker, clock) = (&self.broker, self.broker.clock());
        let who = &call.caller.principal;
        let mut record = broker.get(who, ask).await?;
        if record.ask.outcome().is_some() {
            return Ok(Ended::Known(Box::new(record)));
        }
        let longest = record.ask.deadline + limits::LATE;
        let until = hold.map_or(longest, |hold| longest.min(clock.now() + hold));
        let mut over = pin!(broker.wait(who, ask, until));
        let mut progress = call.progress.clone().map(Progress::new);
        call.opens();
        self.tell(call, &mut progress, &record).await;
        loop {
            let next = clock.now() + limits::TELL_EVERY;
            tokio::select! {
                // An answer that is there goes before everything else.
                biased;
                ended = over.as_mut() => {
                    let record = Box::new(ended?);
                    let stopped = record.ask.outcome().is_none() && broker.stopping().is_cancelled();
                    return Ok(if stopped { Ended::Stopping(record) } else { Ended::Known(record) });
                }
                () = call.open.cancelled().cancelled() => {
                    let record = if attached.is_made_again() {
                        broker.get(who, ask).await?
                    } else {
                        broker.cancel(who, ask).await?
                    };
                    return Ok(Ended::Known(Box::new(record)));
                }
                () = call.open.left().cancelled() => return Ok(Ended::Gone),
                () = call.closed.cancelled() => return Ok(Ended::Gone),
                () = clock.sleep_until(next) => {
                    if !call.caller.is_current(broker) {
                        return Err(Refusal::token_gone());
                    }
                    // A store that is away for a moment is no reason to end a wait of an hour.
                    record = broker.get(who, ask).await.unwrap_or(record);
                    self.tell(call, &mut progress, &record).await;
                }
            }
        }
    }

    /// Tells the client that it still waits, if it wants to know.
    async fn tell(&self, call: &Call, progress: &mut Option<Progress>, record: &Record) {
        let Some(progress) = progress else { return };
        let told = call
            .peer
            .notify_progress(progress.next(record, self.broker.clock().now()));
        tokio::select! {
            // A client that does not read would hold this up for ever; then its closing is what is noticed.
            _ = told => {}
            () = call.closed.cancelled() => {}
        }
    }

    /// Gives others the time to attach, then takes the ask back if none did. A stop of askd takes nothing back.
    async fn take_back_if_alone(&self, call: &Call, left: &Left) -> Result<(), Refusal> {
        let clock = self.broker.clock();
        let last = clock.now() + limits::REATTACH;
        tokio::select! {
            biased;
            () = self.broker.stopping().cancelled() => return Ok(()),
            () = clock.sleep_until(last) => {}
        }
        if left.is_alone() {
            let ended = self.broker.cancel(&call.caller.principal, left.ask()).await?;
            tracing::debug!(ask.id = %ended.ask.id, status = ended.ask.status(), "left alone");
        }
        Ok(())
    }
}
