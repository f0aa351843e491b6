//! Tools that cargo builds, below `target` at exactly one version.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::step;

/// A package that brings a program of its own name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CargoTool {
    /// Both.
    pub(crate) name: &'static str,
    /// Pinned, so that what passes today passes tomorrow.
    pub(crate) version: &'static str,
}

impl CargoTool {
    /// The folder with the program, which is built there first if it is missing. That takes minutes, and once.
    pub(crate) fn folder(self, root: &Path) -> anyhow::Result<PathBuf> {
        let home = root.join("target/xtask/cargo");
        let folder = home.join("bin");
        if self.is_there(&folder) {
            return Ok(folder);
        }
        let mut install = step::cargo(root, &["install", "--locked", "--debug", "--force"]);
        install
            .args(["--version", self.version, self.name, "--root"])
            .arg(&home)
            .arg("--target-dir")
            .arg(root.join("target/xtask/cargo-build"))
            .stdin(Stdio::null());
        step::finish(&mut install)?;
        Ok(folder)
    }

    /// `cargo deny` is `cargo-deny deny`, and tells its version so.
    fn is_there(self, folder: &Path) -> bool {
        let output = Command::new(folder.join(self.name))
            .arg("--version")
            .stdin(Stdio::null())
            .output();
        output.is_ok_and(|output| {
            let said = String::from_utf8_lossy(&output.stdout);
            said.split_whitespace().any(|word| word == self.version)
        })
    }
}
