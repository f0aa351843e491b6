//! The dependency rule: everything depends on core, core on no I/O, and only the binary knows who is there.
//!
//! It is what makes an adapter replaceable: a channel cannot reach into a store, and an entrance gets a broker and
//! nothing below it. Only what a manifest names itself is judged; that is where a decision was made.

use super::{
    Finding,
    tree::{Kind, Package, Source, Tree, Use},
};

/// What core may use; the reasons are in `docs/adr/0001-core-allow-list.md`. None of them does I/O by itself.
const CORE_MAY_USE: [&str; 18] = [
    "async-trait",
    "fluent-bundle",
    "futures-util",
    "globset",
    "intl-memoizer",
    "jiff",
    "regex",
    "serde",
    "serde_json",
    "sha2",
    "thiserror",
    "tokio",
    "tokio-util",
    "tracing",
    "unic-langid",
    "unicode-normalization",
    "unicode-segmentation",
    "uuid",
];

/// The features of tokio without a runtime, a clock or a socket in them.
const CORE_MAY_USE_OF_TOKIO: [&str; 2] = ["sync", "macros"];

const ADR: &str = "docs/adr/0001-core-allow-list.md";

/// What a package is in the layout, told by its folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layer {
    Core,
    Channel,
    Store,
    /// `http` and `mcp`.
    Entrance,
    /// Wakes browsers: to the rest it is like a channel, of which there is one.
    Push,
    Testkit,
    Binary,
    Stories,
    Tasks,
}

impl Layer {
    pub(super) fn of(package: &Package) -> Option<Self> {
        match package.folder.as_str() {
            "crates/core" => Some(Self::Core),
            "crates/http" | "crates/mcp" => Some(Self::Entrance),
            "crates/push" => Some(Self::Push),
            "crates/testkit" => Some(Self::Testkit),
            "crates/askd" => Some(Self::Binary),
            "tests" => Some(Self::Stories),
            "xtask" => Some(Self::Tasks),
            folder if folder.starts_with("crates/channel-") => Some(Self::Channel),
            folder if folder.starts_with("crates/store-") => Some(Self::Store),
            _ => None,
        }
    }

    /// Whether a package here may name one there, as a dependency of this kind.
    fn may_use(self, other: Self, kind: Kind) -> bool {
        match self {
            Self::Tasks => false,
            // What needs a clock or a disk that a test controls is told inside one process.
            Self::Stories => !matches!(other, Self::Binary | Self::Stories | Self::Tasks),
            Self::Testkit => other == Self::Core,
            _ if other == Self::Testkit => kind == Kind::Development,
            Self::Core => false,
            Self::Channel | Self::Store | Self::Entrance | Self::Push => other == Self::Core,
            Self::Binary => matches!(
                other,
                Self::Core | Self::Channel | Self::Store | Self::Entrance | Self::Push
            ),
        }
    }
}

pub(super) fn findings(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in &tree.packages {
        let manifest = format!("{}/Cargo.toml", package.folder);
        findings.extend(misnamed(package));
        let Some(layer) = Layer::of(package) else {
            findings.push(Finding::new(
                &package.folder,
                "has no place in the layout",
                "move it, or give it a layer in xtask/src/shape/layers.rs",
            ));
            continue;
        };
        for used in &package.uses {
            findings.extend(if used.ours {
                forbidden_edge(tree, &manifest, layer, used)
            } else if layer == Layer::Core && used.kind == Kind::Normal {
                not_for_core(&manifest, used)
            } else {
                None
            });
        }
        if layer == Layer::Entrance {
            let sources = format!("{}/src/", package.folder);
            let inside = tree
                .sources
                .iter()
                .filter(|source| source.path.starts_with(&sources));
            findings.extend(inside.filter_map(names_a_store));
        }
    }
    findings
}

fn misnamed(package: &Package) -> Option<Finding> {
    let folder = package.folder.strip_prefix("crates/")?;
    let wanted = if folder == "askd" {
        folder.to_owned()
    } else {
        format!("askd-{folder}")
    };
    (package.name != wanted).then(|| {
        Finding::new(
            &package.folder,
            format!("holds the package `{}`", package.name),
            format!("name it `{wanted}`"),
        )
    })
}

fn forbidden_edge(tree: &Tree, manifest: &str, layer: Layer, used: &Use) -> Option<Finding> {
    let other = tree
        .packages
        .iter()
        .find(|package| package.name == used.name)
        .and_then(Layer::of);
    if other.is_some_and(|other| layer.may_use(other, used.kind)) {
        return None;
    }
    let remedy = match other {
        Some(Layer::Testkit) => "make it a dev-dependency",
        _ => "go through askd-core; only the binary knows the others",
    };
    Some(Finding::new(
        manifest,
        format!("may not depend on `{}`", used.name),
        remedy,
    ))
}

fn not_for_core(manifest: &str, used: &Use) -> Option<Finding> {
    if !CORE_MAY_USE.contains(&used.name.as_str()) {
        let wrong = format!("`{}` is not on core's allow-list", used.name);
        return Some(Finding::new(
            manifest,
            wrong,
            format!("keep it out of core, or add it here and to {ADR}"),
        ));
    }
    let feature = used
        .features
        .iter()
        .find(|feature| !CORE_MAY_USE_OF_TOKIO.contains(&feature.as_str()));
    let feature = feature.filter(|_| used.name == "tokio")?;
    let wrong = format!("core may not use tokio's feature `{feature}`");
    Some(Finding::new(
        manifest,
        wrong,
        "take it as a dev-dependency, or move the code that needs it out of core",
    ))
}

/// An entrance gets a broker. A store in its hands would be a second way for answers.
fn names_a_store(source: &Source) -> Option<Finding> {
    let (number, text) = source.code().find(|(_, text)| {
        ["dyn Store", "impl Store", "store::Store"]
            .iter()
            .any(|name| holds_word(text, name))
    })?;
    Some(Finding::new(
        format!("{}:{number}", source.path),
        format!("names the store (`{}`)", text.trim()),
        "ask the broker for it",
    ))
}

/// Whether `text` holds `word` and the word ends there: `dyn Store`, but not `dyn Stored`.
fn holds_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        !text[at + word.len()..].starts_with(|next: char| next.is_alphanumeric() || next == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::{
        super::tests::{lines, package, source, using},
        *,
    };

    const FOLDERS: [&str; 10] = [
        "crates/core",
        "crates/channel-telegram",
        "crates/channel-slack",
        "crates/store-sqlite",
        "crates/http",
        "crates/push",
        "crates/testkit",
        "crates/askd",
        "tests",
        "xtask",
    ];

    /// All folders, the one at `folder` with a dependency more.
    fn tree(folder: &str, used: &str, kind: Kind) -> Tree {
        let packages = FOLDERS.map(package).into_iter().map(|package| {
            if package.folder == folder {
                using(package, used, kind)
            } else {
                package
            }
        });
        Tree {
            packages: packages.collect(),
            ..Tree::default()
        }
    }

    #[test]
    fn everything_but_the_tasks_may_depend_on_core() {
        for folder in FOLDERS
            .into_iter()
            .filter(|folder| !["crates/core", "xtask"].contains(folder))
        {
            let found = findings(&tree(folder, "askd-core", Kind::Normal));

            assert_eq!(lines(&found), Vec::<String>::new(), "{folder}");
        }
    }

    #[test]
    fn only_the_binary_and_the_stories_name_adapters_stores_and_entrances() {
        for used in [
            "askd-channel-slack",
            "askd-store-sqlite",
            "askd-http",
            "askd-push",
        ] {
            for folder in FOLDERS {
                let found = findings(&tree(folder, used, Kind::Normal));

                assert_eq!(
                    found.is_empty(),
                    ["crates/askd", "tests"].contains(&folder),
                    "{folder} on {used}: {found:?}"
                );
            }
        }
    }

    #[test]
    fn a_forbidden_edge_says_which_manifest_and_which_way_round() {
        let found = findings(&tree(
            "crates/channel-telegram",
            "askd-channel-slack",
            Kind::Development,
        ));

        assert_eq!(
            lines(&found),
            [
                "crates/channel-telegram/Cargo.toml: may not depend on `askd-channel-slack`; go through askd-core; \
                 only the binary knows the others"
            ]
        );
    }

    #[test]
    fn the_testkit_is_for_tests_alone() {
        for folder in [
            "crates/core",
            "crates/channel-telegram",
            "crates/store-sqlite",
            "crates/http",
            "crates/askd",
        ] {
            assert!(
                findings(&tree(folder, "askd-testkit", Kind::Development)).is_empty(),
                "{folder}"
            );
            let found = findings(&tree(folder, "askd-testkit", Kind::Normal));
            assert!(
                lines(&found)[0].ends_with("make it a dev-dependency"),
                "{folder}: {found:?}"
            );
        }
        assert!(
            findings(&tree("tests", "askd-testkit", Kind::Normal)).is_empty(),
            "stories are tests"
        );
    }

    #[test]
    fn core_uses_nothing_outside_its_list() {
        let found = findings(&tree("crates/core", "reqwest", Kind::Normal));

        assert_eq!(
            lines(&found),
            [
                "crates/core/Cargo.toml: `reqwest` is not on core's allow-list; keep it out of core, or add it here and \
                 to docs/adr/0001-core-allow-list.md"
            ]
        );
        assert!(
            findings(&tree("crates/core", "insta", Kind::Development)).is_empty(),
            "tests may use more"
        );
        assert!(
            findings(&tree("crates/http", "axum", Kind::Normal)).is_empty(),
            "others may use more"
        );
    }

    #[test]
    fn core_uses_of_tokio_only_what_has_no_runtime() {
        for (feature, allowed) in [("sync", true), ("macros", true), ("net", false), ("rt", false)] {
            let mut tree = tree("crates/core", "tokio", Kind::Normal);
            tree.packages[0].uses[0].features = vec![feature.to_owned()];

            assert_eq!(findings(&tree).is_empty(), allowed, "{feature}");
        }
    }

    #[test]
    fn the_allow_list_is_explained_entry_by_entry() {
        let reasons = crate::workspace()
            .and_then(|root| Ok(std::fs::read_to_string(root.join(ADR))?))
            .expect("the decision is written down");

        for name in CORE_MAY_USE {
            assert!(
                reasons.contains(&format!("`{name}`")),
                "{name} has no reason in {ADR}"
            );
        }
    }

    #[test]
    fn a_package_outside_the_layout_is_found() {
        let tree = Tree {
            packages: vec![package("crates/misc")],
            ..Tree::default()
        };

        assert!(lines(&findings(&tree))[0].starts_with("crates/misc: has no place in the layout;"));
    }

    #[test]
    fn a_package_is_named_after_its_folder() {
        let mut crooked = package("crates/http");
        crooked.name = "askd-web".to_owned();
        let tree = Tree {
            packages: vec![crooked],
            ..Tree::default()
        };

        assert_eq!(
            lines(&findings(&tree)),
            ["crates/http: holds the package `askd-web`; name it `askd-http`"]
        );
    }

    #[test]
    fn an_entrance_names_no_store() {
        for (path, text, wrong) in [
            (
                "crates/http/src/lib.rs",
                "//! No store.\nfn f(store: Arc<dyn Store>) {}\n",
                true,
            ),
            ("crates/http/src/lib.rs", "use askd_core::store::Store;\n", true),
            (
                "crates/http/src/lib.rs",
                "/// Never a `dyn Store`.\nfn f(of: &dyn Stored) {}\n",
                false,
            ),
            (
                "crates/http/tests/main.rs",
                "fn f(store: Arc<dyn Store>) {}\n",
                false,
            ),
            (
                "crates/store-sqlite/src/lib.rs",
                "fn f() -> Arc<dyn Store> {}\n",
                false,
            ),
        ] {
            let packages = vec![package("crates/http"), package("crates/store-sqlite")];
            let tree = Tree {
                packages,
                sources: vec![source(path, text)],
                ..Tree::default()
            };

            assert_eq!(!findings(&tree).is_empty(), wrong, "{path}: {text}");
        }
    }
}
