//! `cargo xtask generate`: writes the files that are made from the code, for people to read.
//!
//! A test beside each compares it with what the code says now, so that none of them is ever out of date. At present there
//! is one, `docs/channels/conformance.md`, made by an example of the testkit: this crate stays quick to build because it does not
//! depend on the fakes.

use std::path::Path;

use crate::step;

/// Writes all of them.
pub(crate) fn run(root: &Path) -> anyhow::Result<()> {
    let arguments = [
        "run",
        "--quiet",
        "--package",
        "askd-testkit",
        "--example",
        "table",
        "--",
    ];
    step::finish(step::cargo(root, &arguments).arg(root))
}
