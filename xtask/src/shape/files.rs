//! How long a file may be, what must not stand in one, and that every store is held to the suite of all stores.

use super::{
    Finding,
    layers::Layer,
    tree::{Package, Source, Tree},
};

/// Longest source. Unit: lines, tests included. 400 is the aim.
const LONGEST: usize = 600;

/// Runs the suite that every store has to pass; a channel's is in [`super::channels`].
const CONFORMANCE: &str = "tests/conformance.rs";

pub(super) fn findings(tree: &Tree) -> Vec<Finding> {
    let stores = tree.packages.iter();
    let stores = stores.filter_map(|package| without_suite(tree, package));
    let in_sources = tree.sources.iter().flat_map(|source| {
        [too_long(source), named_mod(source)]
            .into_iter()
            .flatten()
            .chain(forbidden(source))
    });
    stores.chain(in_sources).collect()
}

fn without_suite(tree: &Tree, package: &Package) -> Option<Finding> {
    let is_store = Layer::of(package) == Some(Layer::Store);
    let lacks_it = is_store && !tree.has(&format!("{}/{CONFORMANCE}", package.folder));
    lacks_it.then(|| {
        let wrong = format!("has no {CONFORMANCE}");
        Finding::new(&package.folder, wrong, "run the suite of askd-testkit there")
    })
}

fn too_long(source: &Source) -> Option<Finding> {
    let lines = source.text.lines().count();
    (lines > LONGEST).then(|| {
        let wrong = format!("has {lines} lines, and {LONGEST} is the stop");
        Finding::new(&source.path, wrong, "split out the second thing that hides in it")
    })
}

fn named_mod(source: &Source) -> Option<Finding> {
    source.path.ends_with("/mod.rs").then(|| {
        Finding::new(
            &source.path,
            "is named mod.rs",
            "name it after its module: foo.rs beside the folder foo",
        )
    })
}

/// Attributes and macros that hide an open end. Clippy denies the first two as well, but only in code that it sees
/// compiled.
fn forbidden(source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, text) in source.code() {
        let mut found = |what: &str, remedy: &str| {
            findings.push(Finding::new(
                format!("{}:{number}", source.path),
                format!("has `{what}`"),
                remedy,
            ));
        };
        let text = text.trim_start();
        if text.starts_with("#[allow(") || text.starts_with("#![allow(") {
            found("allow", "write #[expect(.., reason = \"..\")]");
        }
        if text.starts_with("#[ignore") {
            found("ignore", "make the test run everywhere, or remove it");
        }
        if calls(text, "todo") {
            found("todo", "finish it, or leave it out");
        }
    }
    findings
}

/// Whether `text` calls the macro `name`: at a word's beginning, and not quoted in a text.
fn calls(text: &str, name: &str) -> bool {
    text.match_indices(&format!("{name}!(")).any(|(at, _)| {
        !text[..at].ends_with(|before: char| before.is_alphanumeric() || ['_', '"', '`'].contains(&before))
    })
}

#[cfg(test)]
mod tests {
    use super::{
        super::tests::{lines, package, source},
        *,
    };

    /// A tree with the package at `folder` and empty files in it.
    fn tree(folder: &str, files: &[&str]) -> Tree {
        let sources = files
            .iter()
            .map(|file| source(&format!("{folder}/{file}"), ""))
            .collect();
        Tree {
            packages: vec![package(folder)],
            sources,
            ..Tree::default()
        }
    }

    fn in_source(path: &str, text: impl Into<String>) -> Vec<String> {
        lines(&findings(&Tree {
            sources: vec![source(path, text)],
            ..Tree::default()
        }))
    }

    #[test]
    fn a_store_runs_the_suite_and_is_otherwise_free() {
        assert!(findings(&tree("crates/store-sqlite", &["src/lib.rs", CONFORMANCE])).is_empty());
        assert_eq!(
            lines(&findings(&tree("crates/store-sqlite", &["src/lib.rs"]))),
            ["crates/store-sqlite: has no tests/conformance.rs; run the suite of askd-testkit there"]
        );
    }

    #[test]
    fn a_file_may_have_600_lines_and_not_one_more() {
        assert!(in_source("crates/core/src/reply.rs", "line\n".repeat(600)).is_empty());
        assert_eq!(
            in_source("crates/core/src/reply.rs", "line\n".repeat(601)),
            [
                "crates/core/src/reply.rs: has 601 lines, and 600 is the stop; split out the second thing that hides \
                 in it"
            ]
        );
    }

    #[test]
    fn a_module_is_not_named_mod() {
        assert_eq!(in_source("crates/core/src/reply/mod.rs", "").len(), 1);
        assert!(in_source("crates/core/src/reply/mood.rs", "").is_empty());
    }

    #[test]
    fn open_ends_are_found_with_their_line() {
        let todo = format!("fn f() {{\n    {}!()\n}}\n", "todo");
        assert_eq!(
            in_source("a/src/b.rs", todo),
            ["a/src/b.rs:2: has `todo`; finish it, or leave it out"]
        );

        for text in [
            "#[allow(dead_code)]",
            "#![allow(dead_code)]",
            "    #[ignore]",
            "#[ignore = \"slow\"]",
        ] {
            assert_eq!(in_source("a/src/b.rs", text).len(), 1, "{text}");
        }
    }

    #[test]
    fn speaking_of_an_open_end_is_not_one() {
        for text in [
            "// #[allow(dead_code)]",
            "/// Not `#[ignore]`.",
            "let a = \"#[allow(x)]\";",
            "my_todo!(1)",
        ] {
            assert_eq!(in_source("a/src/b.rs", text), Vec::<String>::new(), "{text}");
        }
    }
}
