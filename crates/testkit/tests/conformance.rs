//! The suite of all channels over the platforms that exist only here.

use std::{process::ExitCode, sync::Arc};

use askd_testkit::{
    channel_suite::{self, Subject},
    fake::{buttons, full, plain},
};

fn main() -> ExitCode {
    channel_suite::run(vec![
        Subject {
            name: "plain",
            start: |clock| Box::pin(async { Arc::new(plain::new(clock)) as _ }),
            ignores: include_str!("ignores/plain.txt"),
        },
        Subject {
            name: "buttons",
            start: |clock| Box::pin(async { Arc::new(buttons::new(clock)) as _ }),
            ignores: include_str!("ignores/buttons.txt"),
        },
        Subject {
            name: "full",
            start: |clock| Box::pin(async { Arc::new(full::new(clock)) as _ }),
            ignores: include_str!("ignores/full.txt"),
        },
    ])
}
