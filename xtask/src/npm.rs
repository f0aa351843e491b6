//! Packages of npm in a folder of their own below `target`, at exactly these versions.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::Context;

use crate::step;

/// Packages with their versions.
pub(crate) type Packages = [(&'static str, &'static str)];

/// Whether packages may run programs of their own when they are installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scripts {
    /// They are not needed.
    Skipped,
    /// Some package brings its program that way.
    Run,
}

/// Whether they were installed, all of them and to the end.
pub(crate) fn has(folder: &Path, packages: &Packages) -> bool {
    fs::read_to_string(mark(folder)).is_ok_and(|installed| installed == package_json(packages))
}

/// Installs what is not there yet.
pub(crate) fn install(folder: &Path, packages: &Packages, scripts: Scripts) -> anyhow::Result<()> {
    if has(folder, packages) {
        return Ok(());
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    fs::write(folder.join("package.json"), package_json(packages))?;
    let mut npm = Command::new("npm");
    npm.current_dir(folder)
        .args([
            "install",
            "--no-audit",
            "--no-fund",
            "--no-package-lock",
            "--loglevel=error",
        ])
        .stdin(Stdio::null());
    if scripts == Scripts::Skipped {
        npm.arg("--ignore-scripts");
    }
    step::finish(&mut npm)?;
    // Last, so that an installation that was broken off is done again.
    fs::write(mark(folder), package_json(packages))?;
    Ok(())
}

/// The programs that the packages bring.
pub(crate) fn programs(folder: &Path) -> PathBuf {
    folder.join("node_modules/.bin")
}

fn mark(folder: &Path) -> PathBuf {
    folder.join("installed.json")
}

fn package_json(packages: &Packages) -> String {
    let wanted: Vec<String> = packages
        .iter()
        .map(|(name, at)| format!("\"{name}\": \"{at}\""))
        .collect();
    format!(
        "{{ \"private\": true, \"dependencies\": {{ {} }} }}\n",
        wanted.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACKAGES: [(&str, &str); 2] = [("typescript", "5.9.3"), ("@types/node", "18.19.130")];

    #[test]
    fn packages_count_as_installed_only_at_the_pinned_versions() {
        let folder = tempfile::tempdir().expect("a folder of our own");
        let install = |text: String| fs::write(folder.path().join("installed.json"), text).expect("writable");

        assert!(!has(folder.path(), &PACKAGES), "nothing is there");
        install(package_json(&PACKAGES).replace("5.9.3", "5.9.2"));
        assert!(!has(folder.path(), &PACKAGES), "an older version is there");
        install(package_json(&PACKAGES));
        assert!(has(folder.path(), &PACKAGES));
    }
}
