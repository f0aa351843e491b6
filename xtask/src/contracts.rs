//! `cargo xtask contracts DIR`: holds the fakes of the platforms against what the platforms document.
//!
//! The check itself is in `crates/testkit/src/contracts.rs` and runs as an example of that crate: this one stays quick
//! to build because it does not depend on the fakes. The documents are not in the repository, so the caller names the
//! folder, and a document that is missing there is a failure.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context;

use crate::step;

/// Prints a table per platform; fails where anything disagrees.
pub(crate) fn run(root: &Path, folder: &Path) -> anyhow::Result<()> {
    // Cargo runs at the root, and the path may be relative to where the caller stands.
    let folder: PathBuf =
        fs::canonicalize(folder).with_context(|| format!("cannot find {}", folder.display()))?;
    let mut command = step::cargo(
        root,
        &[
            "run",
            "--quiet",
            "--package",
            "askd-testkit",
            "--example",
            "contracts",
            "--",
        ],
    );
    step::finish(command.arg(folder))
}
