//! Waiting for the world to come to rest.

use askd_core::{broker::ChannelHealth, clock::Clock as _, store::Store as _};
use tokio::time::timeout;

use super::{AT_MOST, STEP, TURNS, World};

impl World {
    /// Waits until askd and the platform have come to rest: every event is taken over and acknowledged, every receipt
    /// shown, nothing is due, and no call is under way but those that hang.
    ///
    /// # Panics
    /// If they do not, saying what is missing.
    pub async fn settle(&self) {
        if timeout(AT_MOST, self.at_rest()).await.is_err() {
            let counts = self.traffic.counts();
            panic!(
                "the world does not come to rest: {counts:?}, feedback shown: {}, events through: {}, unfinished: {:?}, \
                 violations: {:?}",
                self.platform.feedback(),
                self.platform.is_idle(counts.heard),
                self.unfinished().await,
                self.platform.violations(),
            );
        }
    }

    async fn at_rest(&self) {
        let mut changes = self.store.changes();
        let mut traffic = self.traffic.subscribe();
        let mut activity = self.platform.activity();
        loop {
            for _ in 0..TURNS {
                tokio::task::yield_now().await;
            }
            traffic.mark_unchanged();
            activity.mark_unchanged();
            let counts = self.traffic.counts();
            let listening = self.running.is_some();
            let calls = counts.calls > self.platform.hanging();
            let events = listening && !self.platform.is_idle(counts.heard);
            let receipts = self.platform.feedback() + counts.excused < counts.to_be_shown;
            if calls || events || receipts {
                tokio::select! {
                    _ = changes.recv() => {}
                    _ = traffic.changed() => {}
                    _ = activity.changed() => {}
                }
            } else if listening && !self.unfinished().await.is_empty() {
                // Nothing is under way and yet something is to be done: the dispatcher waits for a turn.
                self.clock.advance(STEP);
            } else {
                return;
            }
        }
    }

    /// What is due now, or claimed and not under way. Nothing of a channel that has stopped for good.
    async fn unfinished(&self) -> Vec<String> {
        let now = self.ours.now();
        let works = !self.has_stopped();
        let mut unfinished = Vec::new();
        let mut claimed = 0;
        for record in self.records().await {
            if record.ask.outcome().is_none() && record.ask.is_due(now) {
                unfinished.push(format!("{} is due", record.ask.id));
            }
            for delivery in record.deliveries.iter().filter(|_| works) {
                if delivery.claimed_until.is_some_and(|until| until > now) {
                    claimed += 1;
                } else if delivery.due.is_some_and(|due| due <= now) {
                    unfinished.push(format!("{:?} of {} is due", delivery.state, record.ask.id));
                }
            }
        }
        if claimed > self.traffic.counts().calls {
            unfinished.push("a claimed delivery waits for its turn".to_owned());
        }
        unfinished
    }

    fn has_stopped(&self) -> bool {
        let health = self
            .running
            .as_ref()
            .map(|running| running.broker.channels_health());
        health.is_some_and(|health| matches!(health.get(&self.channel), Some(ChannelHealth::Down(_))))
    }
}
