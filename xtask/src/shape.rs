//! `cargo xtask shape`: what the compiler does not check about the shape of the tree.
//!
//! A newcomer who knows one crate should know the next, and an adapter must not grow a way around the core. The rules
//! are pure functions from a [`Tree`] to [`Finding`]s and are tested on made-up trees; [`tree`] alone reads the disk.
//!
//! * [`layers`]: who may depend on whom, and what core may use
//! * [`channels`]: which files a channel has, and where else it has to be named
//! * [`files`]: how long a file may be, and what must not stand in one
//! * [`manifests`]: what every `Cargo.toml` says

mod channels;
mod files;
mod layers;
mod manifests;
mod tree;

use std::{fmt, path::Path};

use anyhow::ensure;

use self::tree::Tree;

/// Something that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    /// The file or folder, from the root of the workspace.
    path: String,
    wrong: String,
    remedy: String,
}

impl Finding {
    fn new(path: impl Into<String>, wrong: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            wrong: wrong.into(),
            remedy: remedy.into(),
        }
    }
}

/// One line.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; {}", self.path, self.wrong, self.remedy)
    }
}

/// Prints every finding; fails if there is one.
pub(crate) fn run(root: &Path) -> anyhow::Result<()> {
    let findings = findings(&tree::read(root)?);
    for finding in &findings {
        println!("{finding}");
    }
    ensure!(
        findings.is_empty(),
        "the tree is out of shape, findings: {}",
        findings.len()
    );
    Ok(())
}

fn findings(tree: &Tree) -> Vec<Finding> {
    let mut findings = [
        layers::findings(tree),
        channels::findings(tree),
        files::findings(tree),
        manifests::findings(tree),
    ]
    .concat();
    findings.sort();
    findings
}

#[cfg(test)]
mod tests {
    use super::{
        tree::{Kind, Package, Source, Use},
        *,
    };

    /// A package in order: right name, right manifest, no dependency, no file.
    pub(super) fn package(folder: &str) -> Package {
        let name = match folder {
            "crates/askd" => "askd".to_owned(),
            "tests" => "askd-stories".to_owned(),
            "xtask" => "xtask".to_owned(),
            crates => crates.replace("crates/", "askd-"),
        };
        Package {
            name,
            folder: folder.to_owned(),
            manifest: "[lints]\nworkspace = true\n".to_owned(),
            has_rust_version: true,
            uses: Vec::new(),
        }
    }

    /// `package` with a dependency more.
    pub(super) fn using(mut package: Package, name: &str, kind: Kind) -> Package {
        let ours = name.starts_with("askd");
        package.uses.push(Use {
            name: name.to_owned(),
            kind,
            ours,
            features: Vec::new(),
        });
        package
    }

    pub(super) fn source(path: &str, text: impl Into<String>) -> Source {
        Source {
            path: path.to_owned(),
            text: text.into(),
        }
    }

    pub(super) fn lines(findings: &[Finding]) -> Vec<String> {
        findings.iter().map(Finding::to_string).collect()
    }

    #[test]
    fn a_tree_in_shape_has_no_finding() {
        let tree = Tree {
            packages: vec![
                using(package("crates/core"), "serde", Kind::Normal),
                using(
                    using(package("crates/http"), "askd-core", Kind::Normal),
                    "askd-testkit",
                    Kind::Development,
                ),
                package("crates/testkit"),
            ],
            sources: vec![source("crates/core/src/lib.rs", "//! The product.\n")],
            documents: Vec::new(),
            root_manifest: "[workspace.dependencies]\nserde = \"1\" # the wire\n".to_owned(),
        };

        assert_eq!(lines(&findings(&tree)), Vec::<String>::new());
    }

    #[test]
    fn a_finding_is_one_line_with_the_path_first() {
        let finding = Finding::new("crates/http", "is crooked", "bend it back");

        assert_eq!(finding.to_string(), "crates/http: is crooked; bend it back");
    }
}
