//! The tree as the rules see it, and the one place that reads it from the disk.

use std::{fs, path::Path};

use anyhow::Context;
use cargo_metadata::{DependencyKind, MetadataCommand};

/// Everything the rules look at.
#[derive(Debug, Default)]
pub(super) struct Tree {
    /// The members of the workspace.
    pub(super) packages: Vec<Package>,
    /// Every Rust source.
    pub(super) sources: Vec<Source>,
    /// What people read: the guides and the example of a configuration.
    pub(super) documents: Vec<Source>,
    /// The text of the `Cargo.toml` at the root.
    pub(super) root_manifest: String,
}

/// A member of the workspace.
#[derive(Debug)]
pub(super) struct Package {
    pub(super) name: String,
    /// From the root, such as `crates/core`.
    pub(super) folder: String,
    /// The text of its `Cargo.toml`: cargo's metadata says nothing of lints.
    pub(super) manifest: String,
    /// Whether it states a `rust-version`, be it the workspace's.
    pub(super) has_rust_version: bool,
    /// What it names itself; not what those bring along.
    pub(super) uses: Vec<Use>,
}

/// A dependency as a manifest names it.
#[derive(Debug)]
pub(super) struct Use {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// Whether it lies in this repository.
    pub(super) ours: bool,
    pub(super) features: Vec<String>,
}

/// When a dependency is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Always, or for the build script.
    Normal,
    /// For tests alone.
    Development,
}

/// A text file; in most cases of Rust.
#[derive(Debug)]
pub(super) struct Source {
    /// From the root, with `/`.
    pub(super) path: String,
    pub(super) text: String,
}

impl Tree {
    /// Whether there is a source or a document at `path`.
    pub(super) fn has(&self, path: &str) -> bool {
        self.text(path).is_some()
    }

    /// The text of the source or document at `path`.
    pub(super) fn text(&self, path: &str) -> Option<&str> {
        let mut files = self.sources.iter().chain(&self.documents);
        let file = files.find(|file| file.path == path)?;
        Some(&file.text)
    }
}

impl Source {
    /// Its lines, numbered from 1, without those that are comments as a whole.
    pub(super) fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..)
            .zip(self.text.lines())
            .filter(|(_, line)| !line.trim_start().starts_with("//"))
    }
}

/// Reads the tree below `root`. Asks cargo about the members alone, so nothing is downloaded.
pub(super) fn read(root: &Path) -> anyhow::Result<Tree> {
    let metadata = MetadataCommand::new()
        .current_dir(root)
        .no_deps()
        .exec()
        .context("cargo metadata failed")?;
    let mut tree = Tree {
        root_manifest: text(&root.join("Cargo.toml"))?,
        ..Tree::default()
    };
    for package in metadata.packages {
        let manifest = package.manifest_path.as_std_path();
        let folder = manifest.parent().context("a manifest lies in a folder")?;
        tree.packages.push(Package {
            name: package.name.to_string(),
            folder: from(root, folder)?,
            manifest: text(manifest)?,
            has_rust_version: package.rust_version.is_some(),
            uses: package.dependencies.into_iter().map(used).collect(),
        });
        collect(root, folder, "rs", &mut tree.sources)?;
    }
    collect(root, &root.join("docs"), "md", &mut tree.documents)?;
    for name in ["README.md", "ARCHITECTURE.md", "config.example.toml"] {
        tree.documents.push(source(root, &root.join(name))?);
    }
    Ok(tree)
}

fn used(dependency: cargo_metadata::Dependency) -> Use {
    let kind = if dependency.kind == DependencyKind::Development {
        Kind::Development
    } else {
        Kind::Normal
    };
    Use {
        name: dependency.name,
        kind,
        ours: dependency.path.is_some(),
        features: dependency.features,
    }
}

/// Adds the files below `folder` whose name ends so, but for what cargo built there.
fn collect(root: &Path, folder: &Path, ending: &str, files: &mut Vec<Source>) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() && !path.ends_with("target") {
            collect(root, &path, ending, files)?;
        } else if path.extension().is_some_and(|extension| extension == ending) {
            files.push(source(root, &path)?);
        }
    }
    Ok(())
}

fn source(root: &Path, path: &Path) -> anyhow::Result<Source> {
    Ok(Source {
        path: from(root, path)?,
        text: text(path)?,
    })
}

fn text(path: &Path) -> anyhow::Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

fn from(root: &Path, path: &Path) -> anyhow::Result<String> {
    let path = path
        .strip_prefix(root)
        .with_context(|| format!("{} is not in the workspace", path.display()))?;
    Ok(path
        .components()
        .map(|part| part.as_os_str().to_string_lossy())
        .collect::<Vec<_>>()
        .join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_workspace_is_read_with_its_packages_dependencies_and_sources() {
        let tree = read(&crate::workspace().expect("cargo knows it")).expect("it is there");

        let xtask = tree
            .packages
            .iter()
            .find(|package| package.folder == "xtask")
            .expect("this package");
        assert_eq!(xtask.name, "xtask");
        assert!(xtask.has_rust_version, "it is inherited");
        assert!(
            xtask
                .uses
                .iter()
                .any(|used| used.name == "clap" && used.kind == Kind::Normal && !used.ours)
        );
        assert!(
            xtask
                .uses
                .iter()
                .any(|used| used.name == "tempfile" && used.kind == Kind::Development)
        );
        assert!(
            tree.packages
                .iter()
                .any(|package| package.uses.iter().any(|used| used.ours))
        );
        assert!(tree.has("xtask/src/shape/tree.rs"), "nested folders count");
        assert!(tree.has("docs/adr/0000-index.md") && tree.has("config.example.toml"));
        assert!(!tree.sources.iter().any(|source| source.path.contains("target/")));
    }
}
