//! `askd hook claude-code`: answers Claude Code's own question tool from wherever the person is.
//!
//! Claude Code runs it before its tool `AskUserQuestion` (a `PreToolUse` hook) with the call on stdin. What people
//! answer goes to stdout, and Claude Code then takes it as if it had been typed in its prompt. In every doubtful case
//! nothing is printed and the exit code is 0, which Claude Code takes for "no opinion": it asks in the terminal as it
//! always did. Why is one line on stderr, without a word of what was asked.
//!
//! Doubtful is: no daemon, an ask it refuses, no answer in time, nobody reached, a person who skips (they may be the
//! one at the terminal), a call of a sub-agent, and any input that is not understood whole. Skipping is never taken for
//! an answer, because the tool has no way to say it.
//!
//! Told to stop (SIGTERM, as when the person presses Esc) it takes the ask back. A hook that is run again for the same
//! call finds the first ask.
//!
//! Source of what Claude Code expects: its hooks reference (`PreToolUse`, "exit code output"), and `sdk-tools.d.ts` of
//! its package for the tool's input.
//!
//! Tests: `hook/claude_code.rs` for the two shapes, the stories for all of it.

mod claude_code;

use std::{io, sync::Arc, time::Duration};

use anyhow::Context as _;
use askd_core::clock::Clock;
use clap::{Args, ValueEnum};
use serde_json::Value;

use self::claude_code::Call;
use super::{Context, ask::wait::Waiter};
use crate::{
    client::{Caller, Client, Reach},
    clock::{OsChance, SystemClock, random_hex},
    out::{self, Exit},
    signals::Signals,
    view::AskView,
};

/// How long people have, unless the flag says otherwise. Unit: seconds. Source: SPEC 1.
pub(super) const TIMEOUT: u32 = 900;

/// Longest time that is not spent on waiting for people: reaching a daemon that restarts, and taking the ask back.
///
/// Claude Code must not lose patience before: it would go on without the answer, and the ask would stay open. So the
/// hook's own time-out there is longer than the ask's by at least twice this.
pub(super) const MARGIN: Duration = Duration::from_secs(30);

/// What `askd hook` takes.
#[derive(Args, Debug)]
#[command(after_help = "\
Claude Code runs this itself once `askd install claude-code --write` has put it into its settings.
Reads the hook's input from stdin. Prints the answer, or nothing, and then Claude Code asks in its terminal.")]
pub(super) struct Arguments {
    /// Whose question tool to answer
    agent: Agent,
    /// How long people have, in seconds: 30 to 3600. Claude Code's time-out for the hook must be longer by a minute
    #[arg(long, value_name = "SECONDS", default_value_t = TIMEOUT)]
    timeout: u32,
    #[command(flatten)]
    reach: Reach,
}

/// An agent with a question tool of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Agent {
    /// Claude Code's `AskUserQuestion`
    ClaudeCode,
}

/// Asks, waits, and prints what the tool takes for an answer; or nothing.
///
/// Never fails: an exit code of 2 would forbid Claude Code the question.
pub(super) async fn run(arguments: Arguments, context: &Context) -> anyhow::Result<Exit> {
    let Agent::ClaudeCode = arguments.agent;
    match answer(&arguments, context).await {
        Ok(output) => out::line(output)?,
        Err(why) => out::note(format!("{why:#}; the question goes to the terminal")),
    }
    Ok(Exit::Done)
}

async fn answer(arguments: &Arguments, context: &Context) -> anyhow::Result<Value> {
    let input = io::read_to_string(io::stdin()).context("cannot read the hook's input")?;
    let call = Call::read(&input)?;
    let client = context.client(&arguments.reach, Caller::Agent)?;
    let asked = ask(
        &call,
        client.named(claude_code::CLIENT),
        arguments.timeout,
        Arc::new(SystemClock),
    )
    .await?;
    let ask = AskView::of(&asked)?;
    call.output(&ask)
        .with_context(|| format!("there is no answer ({})", out::short(&ask.status, 20)))
}

/// The ask, over; at the latest [`MARGIN`] after its time.
async fn ask(call: &Call, client: Client, timeout: u32, clock: Arc<dyn Clock>) -> anyhow::Result<Value> {
    // From the beginning: what reaching the daemon takes is Claude Code's time too.
    let latest = clock.now() + Duration::from_secs(timeout.into()) + MARGIN;
    let mut waiter = Waiter::new(client, Signals::take_over()?, Arc::clone(&clock));
    let key = call
        .key()
        .map_or_else(|| random_hex::<16>(&OsChance), str::to_owned);
    let asked = waiter.ask(&call.body(timeout), &key).await?;
    let asked = asked.context("stopped before anything was asked")?;
    let id = AskView::of(&asked)?.id;
    tokio::select! {
        asked = waiter.wait(asked) => return asked,
        () = clock.sleep_until(latest) => {}
    }
    waiter.take_back(&id).await
}
