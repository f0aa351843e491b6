//! `askd forget`: deleting history for good.

use clap::{ArgGroup, Args};
use jiff::SignedDuration;
use serde::Deserialize;
use serde_json::{Value, json};

use askd_core::clock::Clock as _;

use super::{
    Context,
    pick::{self, Among},
};
use crate::{
    client::{Caller, Reach},
    clock::SystemClock,
    out::{self, Exit, Stop},
    view,
};

const REMARK: &str = "\
What is pending stays, and so does what ended a moment ago and still looks open on somebody's screen; both are told. What
stands in people's conversations is theirs and stays too. A backup keeps what was in it.";

/// What `askd forget` takes.
#[derive(Args, Debug)]
#[command(after_help = REMARK, group = ArgGroup::new("what").required(true))]
pub(super) struct Arguments {
    /// The ask, by its id or at least four characters of its beginning or end
    #[arg(group = "what")]
    id: Option<String>,
    /// All asks of this session
    #[arg(long, value_name = "ID", group = "what")]
    session: Option<String>,
    /// All asks that ended more than so many days ago
    #[arg(long, value_name = "DAYS", group = "what")]
    older_than: Option<u32>,
    #[command(flatten)]
    reach: Reach,
}

/// What became of it, as the daemon sends it.
#[derive(Debug, Deserialize)]
struct ForgottenView {
    forgotten: usize,
    kept: usize,
}

/// Deletes, and says how much. Where the one ask that was named is still there, that is an error.
pub(super) async fn run(arguments: Arguments, context: &Context) -> anyhow::Result<Exit> {
    let client = context.client(&arguments.reach, Caller::Operator)?;
    let is_one = arguments.id.is_some();
    let body = if let Some(id) = &arguments.id {
        json!({ "ask": pick::by_id(&client, id, Among::All).await? })
    } else if let Some(session) = &arguments.session {
        json!({ "session": session })
    } else {
        let days = i64::from(arguments.older_than.unwrap_or_default());
        let before = SystemClock
            .now()
            .saturating_sub(SignedDuration::from_hours(24 * days))?;
        json!({ "endedBefore": before.to_string() })
    };
    let done: Value = client
        .post(&["v1", "forget"], Some(&body))
        .await
        .map_err(Stop::from)?;
    let view: ForgottenView = view::read(&done)?;
    if is_one && view.forgotten == 0 {
        let why = if view.kept > 0 {
            "it is pending, or its messages do not show yet how it ended: take it back (askd cancel), or wait"
        } else {
            "there is no such ask"
        };
        return Err(Stop::new(Exit::Error, format!("not forgotten: {why}")).into());
    }
    if context.json {
        out::json(&done)?;
        return Ok(Exit::Done);
    }
    out::line(format!("{} forgotten", asks(view.forgotten)))?;
    if view.kept > 0 {
        out::note(format!(
            "{} stay: pending, or their messages do not show yet how they ended",
            asks(view.kept)
        ));
    }
    Ok(Exit::Done)
}

fn asks(count: usize) -> String {
    match count {
        1 => "1 ask".to_owned(),
        count => format!("{count} asks"),
    }
}
