//! `askd mcp`: the MCP server for clients that speak over stdin and stdout.
//!
//! A bridge and nothing more: what is asked, the daemon keeps. It ends when its client closes stdin or tells it to
//! stop; the daemon then takes back what the client was waiting for, unless somebody attaches to it within 15 seconds.

use std::sync::Arc;

use askd_mcp::{Bridge, serve_stdio};
use clap::{Args, ValueEnum};
use tokio_util::sync::CancellationToken;

use super::Context;
use crate::{
    background::Background,
    bridge::HttpRelay,
    client::Reach,
    clock::{OsChance, SystemClock, random_hex},
    log,
    out::Exit,
    signals::Signals,
};

const EXAMPLES: &str = "\
An MCP client starts it with the command `askd` and the argument `mcp`. Where no askd runs, the first
call starts one in the background, for this and every other client of this user; its log is askd.log
in the state directory. With --server or $ASKD_URL nothing is started.";

/// What `askd mcp` takes.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Serve a sub-agent, which may not ask: it sees no tool
    #[arg(long, value_name = "ROLE", value_enum)]
    role: Option<Role>,
    /// Return `pending` after this long, for clients that give a call up early; the agent goes on with ask_user_wait
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(0..=3600))]
    hold_seconds: Option<u32>,
    #[command(flatten)]
    reach: Reach,
}

/// What a connection may lower itself to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Role {
    /// Works for an agent that may ask.
    Subagent,
}

/// Serves the client until it goes.
pub(super) async fn run(arguments: Arguments, context: &Context) -> anyhow::Result<Exit> {
    log::start(log::Format::Text, &context.environment, "warn")?;
    let mut signals = Signals::take_over()?;
    let name = random_hex::<16>(&OsChance);
    let sub_agent = arguments.role == Some(Role::Subagent);
    let mut headers = vec![("Askd-Connection", name.clone())];
    if sub_agent {
        headers.push(("Askd-Role", "subagent".to_owned()));
    }
    if let Some(seconds) = arguments.hold_seconds {
        headers.push(("Askd-Hold", seconds.to_string()));
    }
    let named = arguments.reach.server.is_some() || context.environment.text("ASKD_URL").is_some();
    let background = if named {
        None
    } else {
        let state = context.state()?.clone();
        Some(Background::of(
            state,
            context.environment.clone(),
            Arc::new(SystemClock),
        ))
    };
    let relay = HttpRelay {
        headers,
        reach: arguments.reach,
        environment: context.environment.clone(),
        state: context.state.clone(),
        background,
        found: std::sync::Mutex::default(),
    };
    let bridge = Bridge::new(Arc::new(relay), Arc::new(SystemClock), name).for_sub_agent(sub_agent);
    let stop = CancellationToken::new();
    let told = async {
        // A reload means nothing here, and is what a closed terminal sends too.
        signals.next().await;
        stop.cancel();
    };
    let serving = serve_stdio(bridge, tokio::io::stdin(), tokio::io::stdout(), stop.clone());
    let mut serving = std::pin::pin!(serving);
    tokio::select! {
        () = serving.as_mut() => {}
        () = told => serving.await,
    }
    Ok(Exit::Done)
}
