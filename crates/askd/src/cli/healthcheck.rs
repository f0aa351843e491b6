//! `askd healthcheck`: whether a running askd works, by the exit code. For containers, which have no `curl`.

use clap::Args;
use serde_json::Value;

use super::Context;
use crate::{
    client::{Client, Reach},
    out::{self, Exit, plain},
};

const REMARK: &str = "\
Needs no token. Exit code 0: everything works. 1: something does not, and a line says what. 69: nobody answers.";

/// What `askd healthcheck` takes.
#[derive(Args, Debug)]
#[command(after_help = REMARK)]
pub(super) struct Arguments {
    #[command(flatten)]
    reach: Reach,
}

/// Asks, and says what is wanting.
pub(super) async fn run(arguments: Arguments, context: &Context) -> anyhow::Result<Exit> {
    let client = Client::without_token(&arguments.reach, &context.environment, context.state.as_ref())?;
    let Some((is_ready, answer)) = client.readiness().await else {
        out::note(format!("askd does not answer at {}", client.base()));
        return Ok(Exit::Unreachable);
    };
    if context.json {
        out::json(&answer)?;
    }
    if is_ready {
        return Ok(Exit::Done);
    }
    if !context.json {
        let detail = answer.get("detail").and_then(Value::as_str);
        out::note(plain(detail.unwrap_or("not ready")));
    }
    Ok(Exit::Error)
}
