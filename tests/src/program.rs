//! Finds the program under test next to the test binary.
//!
//! Cargo tells the path of a binary only to tests of its own package. In a run of the whole workspace it has built
//! the program before the first test; where only the stories are run, it may be missing or older than its sources,
//! and is built here once.

use std::{
    env::consts::EXE_SUFFIX,
    fs, io,
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
    time::SystemTime,
};

/// The path of `askd`, built from the sources as they are.
///
/// # Panics
/// If it cannot be built; cargo has said why.
#[must_use]
pub fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let test = std::env::current_exe().expect("a process knows what it runs");
        // target/<profile>/deps/<test>
        let profile = test
            .ancestors()
            .nth(2)
            .expect("cargo runs tests from the target folder");
        let program = profile.join(format!("askd{EXE_SUFFIX}"));
        if !is_current(&program).unwrap_or(false) {
            build(profile);
        }
        program
    })
}

/// Whether the program is newer than everything that may be in it. Asking cargo would be simpler, and would build it
/// anew: alone it has fewer features switched on in what it shares with the tests. And the list of sources that cargo
/// writes beside a program is not written in a run of the tests.
fn is_current(program: &Path) -> io::Result<bool> {
    let built = modified(program)?;
    let crates = workspace().join("crates");
    for path in ["Cargo.lock", "Cargo.toml"] {
        if modified(&workspace().join(path))? > built {
            return Ok(false);
        }
    }
    is_newest(built, &crates)
}

/// Whether nothing below the folder was changed since. What only tests use does not count, nor what is read when the
/// program runs.
fn is_newest(built: SystemTime, folder: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let path = entry.path();
        let is_old = if entry.file_type()?.is_dir() {
            ["testkit", "tests", "web"].iter().any(|apart| name == *apart) || is_newest(built, &path)?
        } else {
            modified(&path)? <= built
        };
        if !is_old {
            return Ok(false);
        }
    }
    Ok(true)
}

fn modified(path: &Path) -> io::Result<SystemTime> {
    path.metadata()?.modified()
}

fn build(profile: &Path) {
    let folder = profile
        .file_name()
        .and_then(|name| name.to_str())
        .expect("a profile's folder has its name");
    let target = profile.parent().expect("it lies in the target folder");
    let name = if folder == "debug" { "dev" } else { folder };
    let status = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--package", "askd", "--profile", name])
        .arg("--target-dir")
        .arg(target)
        .current_dir(workspace())
        .status()
        .expect("cargo runs, or there were no tests");
    assert!(status.success(), "the program cannot be built: {status}");
}

fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the package lies in the workspace")
}
