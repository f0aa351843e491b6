//! The suite of all entrances, over HTTP and on the command line.
//!
//! Both call the real server, which here stands before a broker whose clock the suite moves; the command line is the
//! real program.

#[path = "entrances/cli.rs"]
mod cli;
#[path = "entrances/http.rs"]
mod http;
#[path = "entrances/served.rs"]
mod served;

use std::{process::ExitCode, sync::Arc};

use askd_testkit::entrance_suite::{self, Subject};

use self::{cli::CommandLine, http::Http, served::Served};

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
            name: "cli",
            open: |askd| {
                let broker = askd.broker();
                Box::pin(async move { Arc::new(CommandLine::new(Served::start(broker).await)) as _ })
            },
            ignores: "",
        },
    ])
}
