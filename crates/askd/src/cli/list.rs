//! `askd list`: which asks there are.

use std::collections::BTreeMap;

use askd_core::clock::Clock as _;
use clap::{Args, ValueEnum};
use jiff::Timestamp;
use serde_json::Value;

use super::Context;
use crate::{
    client::{Caller, Reach},
    clock::SystemClock,
    out::{self, Exit, Stop, short},
    view::AskView,
};

/// What `askd list` takes.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Those that are over too
    #[arg(long, conflicts_with = "status")]
    all: bool,
    /// Only those in this status [default: pending]
    #[arg(long)]
    status: Option<Status>,
    /// Only those of this session
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// At most so many
    #[arg(long, value_name = "NUMBER", default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..=200))]
    limit: u16,
    #[command(flatten)]
    reach: Reach,
}

/// Where an ask is in its life.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Status {
    Pending,
    Answered,
    Skipped,
    Expired,
    Cancelled,
    Undelivered,
}

/// Prints one page of asks, newest first.
pub(super) async fn run(arguments: Arguments, context: &Context) -> anyhow::Result<Exit> {
    let client = context.client(&arguments.reach, Caller::Operator)?;
    let mut query = BTreeMap::from([("limit", arguments.limit.to_string())]);
    let status = arguments.status.or((!arguments.all).then_some(Status::Pending));
    if let Some(word) = status.and_then(|status| status.to_possible_value()) {
        query.insert("status", word.get_name().to_owned());
    }
    if let Some(session) = arguments.session {
        query.insert("session", session);
    }
    let query: Vec<(&str, String)> = query.into_iter().collect();
    let page = client.get(&["v1", "asks"], &query).await.map_err(Stop::from)?;
    if context.json {
        out::json(&page)?;
        return Ok(Exit::Done);
    }
    let asks = page.get("asks").and_then(Value::as_array);
    let asks: Vec<AskView> = asks
        .into_iter()
        .flatten()
        .map(AskView::of)
        .collect::<anyhow::Result<_>>()?;
    if asks.is_empty() {
        out::note(if arguments.all {
            "no asks"
        } else {
            "nothing is pending; --all lists those that are over"
        });
        return Ok(Exit::Done);
    }
    let rows: Vec<Vec<String>> = asks.iter().map(|ask| row(ask, SystemClock.now())).collect();
    out::line(out::table(&rows))?;
    Ok(Exit::Done)
}

fn row(ask: &AskView, now: Timestamp) -> Vec<String> {
    let when = if ask.is_pending() {
        format!("{} left", span(ask.deadline.duration_since(now).as_secs()))
    } else {
        format!("{} ago", span(now.duration_since(ask.created_at).as_secs()))
    };
    let first = ask
        .questions
        .iter()
        .next()
        .map(|question| short(&question.text, 60))
        .unwrap_or_default();
    let more = match ask.questions.as_slice().len() {
        0 | 1 => String::new(),
        several => format!(" (+{})", several - 1),
    };
    vec![
        ask.short_id().to_owned(),
        ask.status.clone(),
        when,
        short(&ask.agent, 24),
        first + &more,
    ]
}

/// A span of time in its largest unit.
fn span(seconds: i64) -> String {
    match seconds.max(0) {
        s @ 0..60 => format!("{s} s"),
        s @ 60..3_600 => format!("{} min", s / 60),
        s @ 3_600..86_400 => format!("{} h", s / 3_600),
        s => format!("{} d", s / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_row_says_which_ask_from_whom_and_how_long_is_left() {
        let ask = AskView::of(&json!({
            "id": "0193a000-0000-7000-8000-0000aaaa1111", "status": "pending", "agent": "build-bot",
            "questions": [
                { "id": "a", "header": "A", "question": "Where should\nthis go?", "options": [], "multiSelect": false },
                { "id": "b", "header": "B", "question": "Who?", "options": [], "multiSelect": false },
            ],
            "createdAt": "2026-12-01T09:30:00Z", "deadline": "2026-12-01T09:45:00Z",
        }));

        let row = row(&ask.unwrap(), "2026-12-01T09:32:30Z".parse().unwrap());

        assert_eq!(
            row,
            [
                "aaaa1111",
                "pending",
                "12 min left",
                "build-bot",
                "Where should this go? (+1)"
            ]
        );
    }
}
