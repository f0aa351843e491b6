//! The suite of all entrances over the broker itself.

use std::{process::ExitCode, sync::Arc};

use askd_testkit::entrance_suite::{self, Subject, direct::Direct};

fn main() -> ExitCode {
    entrance_suite::run(vec![Subject {
        name: "direct",
        open: |askd| {
            let direct = Arc::new(Direct::new(askd));
            Box::pin(async move { direct as _ })
        },
        ignores: "",
    }])
}
