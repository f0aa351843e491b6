//! What a channel consists of: the same files in its crate, and the places outside of it where it has to be named.
//!
//! Every channel has the same files, so that whoever has read one adapter can find their way in all of them. And it is
//! not enough that a crate is there: a channel that the program does not build in, that no story is told on, or that has
//! no guide, would look finished and not be. `docs/adding-a-channel.md` says what goes into each.

use super::{
    Finding,
    layers::Layer,
    tree::{Package, Source, Tree},
};

/// The modules of a channel, and so the files at the top of its `src`: these, and no others.
const MODULES: [&str; 12] = [
    "lib", "config", "limits", "channel", "api", "place", "known", "render", "listen", "read", "error",
    "doctor",
];

/// The suite of all channels, the cases of it that cannot run, and golden payloads.
const TESTS: [&str; 3] = ["tests/conformance.rs", "tests/render.rs", "tests/read.rs"];

/// What a channel has outside of its crate, `KIND` being what its folder is called after `channel-`.
const ELSEWHERE: [(&str, &str); 4] = [
    ("docs/channels/KIND.md", "write its guide"),
    ("crates/testkit/src/KIND.rs", "make a fake of the platform"),
    (
        "crates/testkit/src/contracts/KIND.rs",
        "hold the fake against the platform's document",
    ),
    ("tests/tests/stage/KIND.rs", "let the stories be told on it"),
];

/// Where a channel is named: the file, what stands there, and what to do about it.
const NAMED: [(&str, &str, &str); 6] = [
    ("crates/askd/src/channels.rs", "name: \"KIND\"", "build it in"),
    (
        "crates/testkit/src/contracts.rs",
        "platform: \"KIND\"",
        "check the fake's contract",
    ),
    (
        "tests/tests/stage.rs",
        "pub(crate) mod KIND;",
        "let the stories be told on it",
    ),
    ("config.example.toml", "# kind = \"KIND\"", "document its keys"),
    ("README.md", "docs/channels/KIND.md", "link its guide"),
    ("ARCHITECTURE.md", "askd-channel-KIND", "put it on the map"),
];

/// The list of platforms that stories are told on.
const STORIES: &str = "tests/tests/stage.rs";

pub(super) fn findings(tree: &Tree) -> Vec<Finding> {
    let channels = tree
        .packages
        .iter()
        .filter(|package| Layer::of(package) == Some(Layer::Channel));
    channels.flat_map(|package| of(tree, package)).collect()
}

fn of(tree: &Tree, package: &Package) -> Vec<Finding> {
    let folder = &package.folder;
    let kind = folder.trim_start_matches("crates/channel-");
    let mut findings = Vec::new();

    let modules = MODULES.iter().map(|module| format!("src/{module}.rs"));
    let own = modules.chain(TESTS.map(str::to_owned));
    for file in own.filter(|file| !tree.has(&format!("{folder}/{file}"))) {
        let remedy = "add it: every channel has the same files";
        findings.push(Finding::new(folder, format!("has no {file}"), remedy));
    }
    findings.extend(tree.sources.iter().filter_map(|source| stray(folder, source)));

    for (file, remedy) in ELSEWHERE {
        let file = file.replace("KIND", kind);
        if !tree.has(&file) {
            findings.push(Finding::new(folder, format!("has no {file}"), remedy));
        }
    }
    for (file, name, remedy) in NAMED {
        let name = name.replace("KIND", kind);
        if !tree.text(file).is_some_and(|text| text.contains(&name)) {
            findings.push(Finding::new(file, format!("does not say `{name}`"), remedy));
        }
    }
    if !tree.text(STORIES).is_some_and(|text| is_told_on(text, kind)) {
        let wrong = format!("does not name `{kind}` in `on_each_platform!`");
        findings.push(Finding::new(STORIES, wrong, "let the stories be told on it"));
    }
    findings
}

/// A file at the top of a channel's `src` that the others do not have.
fn stray(folder: &str, source: &Source) -> Option<Finding> {
    let module = source
        .path
        .strip_prefix(folder)?
        .strip_prefix("/src/")?
        .strip_suffix(".rs")?;
    (!module.contains('/') && !MODULES.contains(&module)).then(|| {
        Finding::new(
            &source.path,
            "is no file that every channel has",
            "put it below the one whose work it does",
        )
    })
}

/// Whether the macro that lists the platforms names this one. The list is its only line in square brackets.
fn is_told_on(stage: &str, kind: &str) -> bool {
    let list = stage.split_once("macro_rules! on_each_platform");
    let list = list
        .and_then(|(_, rest)| rest.split_once("! { ["))
        .and_then(|(_, rest)| rest.split_once(']'));
    list.is_some_and(|(platforms, _)| platforms.split_whitespace().any(|platform| platform == kind))
}

#[cfg(test)]
mod tests {
    use super::{
        super::tests::{lines, package, source},
        *,
    };

    const STAGE: &str = "pub(crate) mod pigeon;\nmacro_rules! on_each_platform {\n    ($tell:ident $what:tt) => {\n        \
                         $crate::stage::$tell! { [telegram pigeon] $what }\n    };\n}\n";

    /// A tree with a complete channel for pigeons.
    fn complete() -> Tree {
        let crate_of = |file: String| format!("crates/channel-pigeon/{file}");
        let modules = MODULES.iter().map(|module| crate_of(format!("src/{module}.rs")));
        let own = modules.chain(TESTS.map(|file| crate_of(file.to_owned())));
        let elsewhere = ELSEWHERE.map(|(file, _)| file.replace("KIND", "pigeon"));
        let named = NAMED.iter().filter(|(file, _, _)| *file != STORIES);
        let mut sources: Vec<Source> = own.chain(elsewhere).map(|path| source(&path, "")).collect();
        sources.extend(named.map(|(file, name, _)| source(file, name.replace("KIND", "pigeon"))));
        sources.push(source(STORIES, STAGE));
        Tree {
            packages: vec![package("crates/channel-pigeon")],
            sources,
            ..Tree::default()
        }
    }

    #[test]
    fn a_channel_that_is_complete_has_no_finding() {
        assert_eq!(lines(&findings(&complete())), [""; 0]);
    }

    #[test]
    fn a_channel_lacking_any_one_of_its_files_is_found() {
        for missing in 0..complete().sources.len() {
            let mut tree = complete();
            let path = tree.sources.remove(missing).path;

            let found = lines(&findings(&tree));

            let file = path.trim_start_matches("crates/channel-pigeon/");
            assert!(!found.is_empty(), "{file}");
            assert!(found.iter().all(|line| line.contains(file)), "{file}: {found:?}");
        }
    }

    #[test]
    fn a_channel_that_is_not_named_where_it_has_to_be_is_found() {
        for unnamed in complete().sources.iter().filter(|source| !source.text.is_empty()) {
            let mut tree = complete();
            for source in &mut tree.sources {
                if source.path == unnamed.path {
                    source.text = unnamed.text.replace("pigeon", "penguin");
                }
            }

            let found = lines(&findings(&tree));

            assert!(
                found.iter().any(|line| line.starts_with(&unnamed.path)),
                "{}: {found:?}",
                unnamed.path
            );
        }
    }

    #[test]
    fn a_module_without_a_story_is_found() {
        let mut tree = complete();
        for source in &mut tree.sources {
            source.text = source.text.replace("[telegram pigeon]", "[telegram]");
        }

        assert_eq!(
            lines(&findings(&tree)),
            [
                "tests/tests/stage.rs: does not name `pigeon` in `on_each_platform!`; let the stories be told on it"
            ]
        );
    }

    #[test]
    fn a_channel_has_no_other_files_at_the_top_than_its_sisters() {
        let mut tree = complete();
        for path in ["src/coop.rs", "src/listen/coop.rs", "tests/coop.rs"] {
            tree.sources
                .push(source(&format!("crates/channel-pigeon/{path}"), ""));
        }

        assert_eq!(
            lines(&findings(&tree)),
            [
                "crates/channel-pigeon/src/coop.rs: is no file that every channel has; put it below the one whose work it \
                 does"
            ]
        );
    }
}
