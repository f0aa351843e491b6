//! `askd cancel`: taking asks back.

use clap::Args;
use serde_json::Value;

use super::{
    Context,
    pick::{self, Among},
};
use crate::{
    client::{Caller, Reach},
    out::{self, Exit, Stop},
    view::AskView,
};

/// What `askd cancel` takes.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// The ask, by its id or at least four characters of its beginning or end
    #[arg(required_unless_present = "run", conflicts_with = "run")]
    id: Option<String>,
    /// All pending asks of this run
    #[arg(long, value_name = "ID")]
    run: Option<String>,
    #[command(flatten)]
    reach: Reach,
}

/// Takes back, and prints what became of it.
pub(super) async fn run(arguments: Arguments, context: &Context) -> anyhow::Result<Exit> {
    let client = context.client(&arguments.reach, Caller::Operator)?;
    if let Some(run) = &arguments.run {
        let ended = client.delete(&["v1", "runs", run]).await.map_err(Stop::from)?;
        if context.json {
            out::json(&ended)?;
        } else {
            for id in ended
                .get("cancelled")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
            {
                out::line(id.as_str().unwrap_or_default())?;
            }
        }
        return Ok(Exit::Done);
    }
    let id = arguments.id.unwrap_or_default();
    let id = pick::by_id(&client, &id, Among::Pending).await?;
    let asked = client
        .post(&["v1", "asks", &id, "cancel"], None)
        .await
        .map_err(Stop::from)?;
    if context.json {
        out::json(&asked)?;
    } else {
        out::line(AskView::of(&asked)?.status)?;
    }
    Ok(Exit::Done)
}
