//! What every `Cargo.toml` says.
//!
//! Read as text, line by line: cargo's metadata knows neither lints nor comments, and the comments are the point.

use super::{
    Finding,
    tree::{Package, Tree},
};

const DEPENDENCIES: &str = "workspace.dependencies";

pub(super) fn findings(tree: &Tree) -> Vec<Finding> {
    let members = tree.packages.iter().flat_map(member);
    members.chain(unexplained(&tree.root_manifest)).collect()
}

fn member(package: &Package) -> Vec<Finding> {
    let path = format!("{}/Cargo.toml", package.folder);
    let mut findings = Vec::new();
    if !package.has_rust_version {
        findings.push(Finding::new(
            &path,
            "states no rust-version",
            "add `rust-version.workspace = true`: without it cargo picks dependencies that are too new",
        ));
    }
    let inherits = lines(&package.manifest)
        .any(|(section, line)| section == "lints" && line.split('#').next().is_some_and(is_workspace_true));
    if !inherits {
        findings.push(Finding::new(
            &path,
            "does not take the workspace's lints",
            "add `[lints] workspace = true`",
        ));
    }
    findings
}

fn is_workspace_true(line: &str) -> bool {
    line.split_once('=')
        .is_some_and(|(key, value)| key.trim() == "workspace" && value.trim() == "true")
}

/// Each dependency that others write is followed by a few words on what it is for, on the same line.
fn unexplained(manifest: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (section, line) in lines(manifest) {
        let name = if section == DEPENDENCIES {
            let (code, comment) = split_comment(line);
            let Some((name, value)) = code.split_once('=') else {
                continue;
            };
            let ours = value.contains("path =");
            if ours || comment.is_some_and(|comment| !comment.is_empty()) {
                continue;
            }
            name.trim()
        } else if let Some(name) = section
            .strip_prefix("workspace.dependencies.")
            .filter(|_| line.starts_with('['))
        {
            name
        } else {
            continue;
        };
        findings.push(Finding::new(
            "Cargo.toml",
            format!("`{name}` does not say what it is for"),
            "write it on one line with a few words behind it, as a comment",
        ));
    }
    findings
}

/// Every line with the name of the table it is in; a table's heading is its first.
fn lines(manifest: &str) -> impl Iterator<Item = (&str, &str)> {
    manifest.lines().scan("", |section, line| {
        let line = line.trim();
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
            *section = name.trim_start_matches('[').trim();
        }
        Some((*section, line))
    })
}

/// Splits `line` at the `#` that begins a comment; one inside quotes is text.
fn split_comment(line: &str) -> (&str, Option<&str>) {
    let mut quoted = false;
    for (at, c) in line.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '#' if !quoted => return (&line[..at], Some(line[at + 1..].trim())),
            _ => {}
        }
    }
    (line, None)
}

#[cfg(test)]
mod tests {
    use super::{super::tests::package, *};

    fn of_member(manifest: &str, has_rust_version: bool) -> Vec<String> {
        let mut package = package("crates/http");
        manifest.clone_into(&mut package.manifest);
        package.has_rust_version = has_rust_version;
        let tree = Tree {
            packages: vec![package],
            ..Tree::default()
        };
        super::super::tests::lines(&findings(&tree))
    }

    fn of_root(manifest: &str) -> Vec<String> {
        let tree = Tree {
            root_manifest: manifest.to_owned(),
            ..Tree::default()
        };
        super::super::tests::lines(&findings(&tree))
    }

    #[test]
    fn a_member_states_its_rust_version() {
        assert_eq!(
            of_member("[lints]\nworkspace = true\n", false),
            [
                "crates/http/Cargo.toml: states no rust-version; add `rust-version.workspace = true`: without it cargo \
                 picks dependencies that are too new"
            ]
        );
    }

    #[test]
    fn a_member_takes_the_lints_of_the_workspace() {
        for (manifest, wrong) in [
            ("[lints]\nworkspace = true # all of them\n", false),
            ("[package]\nname = \"x\"\n[lints]\nworkspace=true\n", false),
            ("[package]\nworkspace = true\n", true),
            ("[lints]\n# workspace = true\n", true),
            ("[lints]\nworkspace = false\n", true),
            ("[lints.rust]\nunsafe_code = \"deny\"\n", true),
        ] {
            assert_eq!(!of_member(manifest, true).is_empty(), wrong, "{manifest}");
        }
    }

    #[test]
    fn a_dependency_without_its_purpose_is_found() {
        for (line, wrong) in [
            ("serde = \"1\" # the wire", false),
            (
                "tokio = { version = \"1\", features = [\"a#b\"] }   # the runtime",
                false,
            ),
            ("serde = \"1\"", true),
            ("serde = \"1\" #", true),
            ("tokio = { version = \"1\", features = [\"a#b\"] }", true),
            ("askd-core = { path = \"crates/core\" }", false),
            ("# Storage", false),
            ("", false),
        ] {
            let manifest = format!("[workspace.dependencies]\n{line}\n[profile.dev]\ndebug = 1\n");

            assert_eq!(!of_root(&manifest).is_empty(), wrong, "{line}");
        }
    }

    #[test]
    fn a_dependency_that_is_a_table_is_found() {
        assert_eq!(
            of_root("[workspace.dependencies.serde] # the wire\nversion = \"1\"\n"),
            [
                "Cargo.toml: `serde` does not say what it is for; write it on one line with a few words behind it, as \
                 a comment"
            ]
        );
    }
}
