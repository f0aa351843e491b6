//! The suite of all channels over this one and the fake Telegram.

#[path = "conformance/stage.rs"]
mod stage;

use std::{process::ExitCode, sync::Arc};

use askd_testkit::channel_suite::{self, Subject};

fn main() -> ExitCode {
    channel_suite::run(vec![Subject {
        name: "telegram",
        start: |clock| Box::pin(async { Arc::new(stage::Stage::new(clock).await) as _ }),
        ignores: include_str!("conformance/ignores.txt"),
    }])
}
