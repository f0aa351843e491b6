//! `cargo run -p askd-testkit --example table -- ROOT`: writes the table of cases and channels of that workspace.
//!
//! An example of this crate and no part of `xtask`, so that the other tasks do not have to build the fakes.

use std::{fs, io, path::Path};

use askd_testkit::channel_suite::table;

fn main() -> io::Result<()> {
    let root = std::env::args_os().nth(1).unwrap_or_else(|| ".".into());
    let root = Path::new(&root);
    let path = root.join(table::FILE);
    fs::write(&path, table::render(&table::columns(root)?))?;
    println!("wrote {}", path.display());
    Ok(())
}
