//! `cargo run -p askd-testkit --example contracts -- DIR`: the fakes against the documents in that folder.
//!
//! An example of this crate and no part of `xtask`, so that the other tasks do not have to build the fakes.

use std::{fs, path::Path, process::ExitCode};

use askd_testkit::contracts::CONTRACTS;

#[tokio::main]
async fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1) else {
        eprintln!("usage: contracts DIR");
        return ExitCode::from(2);
    };
    let mut code = ExitCode::SUCCESS;
    for contract in CONTRACTS {
        let path = Path::new(&folder).join(contract.file);
        let document = fs::read(&path)
            .map_err(|fault| fault.to_string())
            .and_then(|text| serde_json::from_slice(&text).map_err(|fault| fault.to_string()));
        let document = match document {
            Ok(document) => document,
            Err(fault) => {
                eprintln!("cannot read {}: {fault}", path.display());
                return ExitCode::from(2);
            }
        };
        let report = contract.check(&document).await;
        println!("{report}");
        if report.faults().next().is_some() {
            code = ExitCode::FAILURE;
        }
    }
    code
}
