//! `askd backup`: a copy of the database, whether askd runs or not.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::Context;
use crate::{
    channels,
    config::{self, Sources},
    out::{self, Exit, Stop},
};

const REMARK: &str = "\
The copy is one file that holds all that was acknowledged when it was begun, readable by its owner alone. To restore it,
stop askd, put the copy in the place of askd.db, remove askd.db-wal and askd.db-shm, and start askd. Tokens and keys of
the state directory are files beside the database, and not in it.";

/// What `askd backup` takes.
#[derive(Args, Debug)]
#[command(after_help = REMARK)]
pub(super) struct Arguments {
    /// The new file; one that is there is never overwritten
    to: PathBuf,
    /// The configuration file, which may say where the database is
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// Copies, and says from where to where.
pub(super) fn run(arguments: Arguments, context: &Context) -> anyhow::Result<Exit> {
    let sources = Sources {
        environment: context.environment.clone(),
        file: arguments.config,
        listen: None,
        kinds: channels::BUILT_IN,
    };
    let config = match config::read(&sources) {
        Ok(config) => config,
        Err(bad) => return super::check::refused(&bad, context),
    };
    let from = match config.store {
        Some(path) => path,
        None => context.state()?.database(),
    };
    askd_store_sqlite::backup(&from, &arguments.to)
        .map_err(|error| Stop::new(Exit::Error, format!("{:#}", anyhow::Error::from(error))))?;
    if context.json {
        out::json(&json!({ "from": from, "to": arguments.to }))?;
    } else {
        out::line(format!("{} copied to {}", from.display(), arguments.to.display()))?;
    }
    Ok(Exit::Done)
}
