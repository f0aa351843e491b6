//! What a waiting client is told: how long it has waited, where the question was shown, and what time is left.

use askd_core::store::{Delivery, DeliveryState, Record};
use jiff::{SignedDuration, Timestamp};
use rmcp::model::{ProgressNotificationParam, ProgressToken};

/// The progress of one call. Rises strictly, whatever the clock does.
#[derive(Debug)]
pub(crate) struct Progress {
    token: ProgressToken,
    last: Option<i64>,
}

impl Progress {
    pub(crate) fn new(token: ProgressToken) -> Self {
        Self { token, last: None }
    }

    /// What to tell now.
    pub(crate) fn next(&mut self, record: &Record, now: Timestamp) -> ProgressNotificationParam {
        let ask = &record.ask;
        let elapsed = now.duration_since(ask.created_at).as_secs().max(0);
        let next = match self.last {
            Some(last) => elapsed.max(last + 1),
            None => elapsed,
        };
        self.last = Some(next);
        let total = ask.deadline.duration_since(ask.created_at).as_secs();
        ProgressNotificationParam::new(self.token.clone(), number(next))
            .with_total(number(total.max(next)))
            .with_message(message(record, now))
    }
}

fn number(seconds: i64) -> f64 {
    // An ask lives for an hour: exact by far.
    #[expect(clippy::cast_precision_loss, reason = "far below 2^52 seconds")]
    let number = seconds as f64;
    number
}

fn message(record: &Record, now: Timestamp) -> String {
    let left = record.ask.deadline.duration_since(now);
    format!("{}; {} left", place(record), time(left))
}

fn place(record: &Record) -> String {
    let on = |wanted: fn(&Delivery) -> bool| {
        let mut names: Vec<&str> = record
            .deliveries
            .iter()
            .filter(|delivery| wanted(delivery))
            .map(|delivery| delivery.to.channel.as_str())
            .collect();
        names.dedup();
        names.join(", ")
    };
    let shown = on(Delivery::is_delivered);
    let queued = on(|delivery| delivery.state == DeliveryState::Queued && !delivery.is_delivered());
    match (shown.as_str(), queued.as_str()) {
        ("", "") => "Waiting for somebody to open the panel or the command line".to_owned(),
        ("", queued) => format!("Not shown yet, being sent on {queued}"),
        (shown, _) => format!("Shown on {shown}, waiting for an answer"),
    }
}

fn time(left: SignedDuration) -> String {
    let seconds = left.as_secs().max(0);
    if seconds <= 120 {
        return format!("{seconds} s");
    }
    format!("{} min", (seconds + 30) / 60)
}
