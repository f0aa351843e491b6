//! The suite of all entrances: over HTTP, as the panel calls it, on the command line, and over MCP, both ways.
//!
//! All call the real server, which here stands before a broker whose clock the suite moves; the command line and the
//! bridge over stdin and stdout are the real program.

#[path = "entrances/cli.rs"]
mod cli;
#[path = "entrances/http.rs"]
mod http;
#[path = "entrances/mcp.rs"]
mod mcp;
#[path = "entrances/panel.rs"]
mod panel;
#[path = "entrances/served.rs"]
mod served;

use std::{process::ExitCode, sync::Arc};

use askd_testkit::entrance_suite::{self, Subject};

use self::{
    cli::CommandLine,
    http::Http,
    mcp::{Mcp, OverHttp, OverStdio},
    served::Served,
};

fn main() -> ExitCode {
    entrance_suite::run(vec![
        Subject {
            name: "http",
            open: |askd| {
                let broker = askd.broker();
                Box::pin(async move { Arc::new(Http::new(Served::start(broker).await)) as _ })
            },
            ignores: "",
        },
        Subject {
            name: "panel",
            open: |askd| {
                let broker = askd.broker();
                Box::pin(async move {
                    let served = Served::start(Arc::clone(&broker)).await;
                    Arc::new(panel::signed_in(served, &broker).await) as _
                })
            },
            ignores: "",
        },
        Subject {
            name: "cli",
            open: |askd| {
                let broker = askd.broker();
                Box::pin(async move { Arc::new(CommandLine::new(Served::start(broker).await)) as _ })
            },
            ignores: "",
        },
        Subject {
            name: "mcp",
            open: |askd| {
                let broker = askd.broker();
                Box::pin(async move { Arc::new(Mcp::<OverHttp>::new(Served::start(broker).await)) as _ })
            },
            ignores: include_str!("entrances/mcp.txt"),
        },
        Subject {
            name: "mcp_stdio",
            open: |askd| {
                let broker = askd.broker();
                Box::pin(async move { Arc::new(Mcp::<OverStdio>::new(Served::start(broker).await)) as _ })
            },
            ignores: concat!(
                include_str!("entrances/mcp.txt"),
                include_str!("entrances/mcp_stdio.txt")
            ),
        },
    ])
}
