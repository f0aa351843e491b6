//! `cargo xtask chaos` and `cargo xtask load`: the stories of `tests/tests/chaos.rs`, at length.
//!
//! The same stories run small in the plain tests. How long they are is said by variables, because a test takes no
//! arguments of its own.

use std::{path::Path, process::Stdio, time::Duration};

use clap::Args;

use crate::step;

/// How often askd is killed.
#[derive(Debug, Args)]
pub(crate) struct Chaos {
    /// Kills in all
    #[arg(long, default_value_t = 300)]
    kills: u64,
    /// Of the first world; each later one has the next number. A run that failed says which of its worlds it was
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// How much askd has to carry.
#[derive(Debug, Args)]
pub(crate) struct Load {
    /// Pending asks
    #[arg(long, default_value_t = 10_000)]
    asks: u64,
    /// Agents that wait, each for one of them
    #[arg(long, default_value_t = 1_000)]
    waiters: u64,
    /// Seconds over which the answers are spread
    #[arg(long, default_value_t = 120)]
    seconds: u64,
}

/// For each kill, on a slow machine; and for everything else.
const A_KILL: Duration = Duration::from_secs(10);
const THE_REST: Duration = Duration::from_mins(30);

pub(crate) fn kill(root: &Path, with: &Chaos) -> anyhow::Result<()> {
    let kills = u32::try_from(with.kills).unwrap_or(u32::MAX);
    let settings = [("ASKD_CHAOS_KILLS", with.kills), ("ASKD_CHAOS_SEED", with.seed)];
    story(
        root,
        "killing::",
        &settings,
        THE_REST + A_KILL.saturating_mul(kills),
    )
}

pub(crate) fn load(root: &Path, with: &Load) -> anyhow::Result<()> {
    let settings = [
        ("ASKD_LOAD_ASKS", with.asks),
        ("ASKD_LOAD_WAITERS", with.waiters),
        ("ASKD_LOAD_SECONDS", with.seconds),
    ];
    let limit = THE_REST + Duration::from_secs(with.seconds);
    story(root, "loading::many", &settings, limit)
}

/// Built with the whole workspace, as the plain tests are, so that what they built serves here.
fn story(root: &Path, name: &str, settings: &[(&str, u64)], limit: Duration) -> anyhow::Result<()> {
    let arguments = [
        "test",
        "--workspace",
        "--test",
        "chaos",
        "--",
        "--nocapture",
        name,
    ];
    let mut command = step::cargo(root, &arguments);
    for (variable, value) in settings {
        command.env(variable, value.to_string());
    }
    step::finish_within(command.stdin(Stdio::null()), limit)
}
