//! The table of cases and channels is as the cases and the lists are.

use std::{fs, path::Path};

use askd_testkit::channel_suite::table;

fn root() -> &'static Path {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    root.expect("the package lies in the workspace, below `crates`")
}

#[test]
fn the_table_says_what_is_run() {
    let columns = table::columns(root()).unwrap();

    let written = fs::read_to_string(root().join(table::FILE)).unwrap();
    assert!(
        written == table::render(&columns),
        "it is out of date: run `cargo xtask generate`"
    );
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    assert!(
        names.contains(&"plain") && names.contains(&"telegram"),
        "{names:?}"
    );
}
