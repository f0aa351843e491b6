//! What whoever waits at a terminal sees: how long is left and where the question was shown.
//!
//! On stderr, and only where that is a terminal; stdout holds the answer alone.

use std::{cell::RefCell, io::IsTerminal as _, sync::Arc, time::Duration};

use askd_core::clock::Clock;
use indicatif::{ProgressBar, ProgressStyle};
use jiff::Timestamp;

use crate::{out::plain, view::AskView};

/// Between two drawings.
const TICK: Duration = Duration::from_millis(250);

/// The line at the bottom of the terminal.
pub(super) struct Countdown {
    bar: Option<ProgressBar>,
    until: Timestamp,
    clock: Arc<dyn Clock>,
    place: RefCell<String>,
}

impl Countdown {
    /// Starts drawing, if anybody can see it.
    pub(super) fn start(ask: &AskView, until: Timestamp, clock: Arc<dyn Clock>) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
                bar.set_style(style);
            }
            bar
        });
        let place = RefCell::new(place(ask));
        Self {
            bar,
            until,
            clock,
            place,
        }
    }

    /// Whether anybody sees it.
    pub(super) fn is_watched(&self) -> bool {
        self.bar.is_some()
    }

    /// Draws until it is dropped; never returns.
    pub(super) async fn run(&self) -> ! {
        loop {
            if let Some(bar) = &self.bar {
                let left = self.until.duration_since(self.clock.now()).as_secs().max(0);
                bar.set_message(line(left, &self.place.borrow()));
                bar.tick();
            }
            self.clock.sleep_until(self.clock.now() + TICK).await;
        }
    }

    /// The ask came on.
    pub(super) fn show(&self, ask: &AskView) {
        self.place.replace(place(ask));
    }

    /// The daemon is away.
    pub(super) fn show_away(&self) {
        "askd is away, trying again".clone_into(&mut self.place.borrow_mut());
    }

    /// Leaves the terminal as it was.
    pub(super) fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn line(left: i64, place: &str) -> String {
    format!(
        "waiting for an answer, {}:{:02} left (Ctrl-C takes it back), {place}",
        left / 60,
        left % 60
    )
}

fn place(ask: &AskView) -> String {
    let shown = ask.deliveries.iter().filter(|delivery| delivery.state == "shown");
    let shown: Vec<String> = shown.map(|delivery| plain(&delivery.address)).collect();
    if !shown.is_empty() {
        return format!("shown on {}", shown.join(", "));
    }
    if ask.deliveries.is_empty() {
        return format!("open to: askd answer {} …", ask.short_id());
    }
    "not shown yet".to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn ask(deliveries: &Value) -> AskView {
        AskView::of(&json!({
            "id": "0193a000-0000-7000-8000-0000aaaa1111", "status": "pending", "agent": "bot", "questions": [],
            "createdAt": "2026-12-01T09:30:00Z", "deadline": "2026-12-01T09:45:00Z", "deliveries": deliveries,
        }))
        .unwrap()
    }

    #[test]
    fn it_says_how_long_is_left_and_where_the_question_was_shown() {
        let shown = ask(&json!([
            { "address": "telegram:1", "state": "shown" },
            { "address": "slack:U1", "state": "queued" },
        ]));

        assert_eq!(
            line(754, &place(&shown)),
            "waiting for an answer, 12:34 left (Ctrl-C takes it back), shown on telegram:1"
        );
        assert_eq!(
            place(&ask(&json!([{ "address": "slack:U1", "state": "queued" }]))),
            "not shown yet"
        );
        assert_eq!(place(&ask(&json!([]))), "open to: askd answer aaaa1111 …");
    }
}
