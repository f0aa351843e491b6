//! The environment of the process, read once.
//!
//! Everything that a variable can say is asked of this value, so that a test hands in its own and nothing else in
//! the program looks at the real one. It says where files lie by convention (XDG, systemd) and which variables are
//! configuration; what those mean, `tree` decides.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    path::{Path, PathBuf},
};

/// What every variable of ours begins with.
const PREFIX: &str = "ASKD_";

/// Stands between the section and the key of a variable that is configuration: `ASKD_SERVER__LISTEN`.
const SEPARATOR: &str = "__";

/// The variables of one process.
#[derive(Clone, Default)]
pub(crate) struct Environment(BTreeMap<String, OsString>);

impl Environment {
    /// Those of this process. Variables whose name is not UTF-8 are none of ours.
    pub(crate) fn of_process() -> Self {
        std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
            .collect()
    }

    /// The value as text; `None` where it is unset, empty or not UTF-8.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.0
            .get(name)
            .and_then(|value| value.to_str())
            .filter(|value| !value.is_empty())
    }

    /// The value as a path; `None` where it is unset or empty.
    pub(crate) fn path(&self, name: &str) -> Option<PathBuf> {
        self.0
            .get(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    }

    /// Where to look for a configuration file that nobody named, in this order.
    pub(crate) fn config_files(&self) -> Vec<PathBuf> {
        let own = self
            .absolute("XDG_CONFIG_HOME")
            .or_else(|| Some(self.path("HOME")?.join(".config")));
        own.into_iter()
            .chain([PathBuf::from("/etc")])
            .map(|folder| folder.join("askd/config.toml"))
            .collect()
    }

    /// The state directory: `$STATE_DIRECTORY` (systemd; the first, where it lists several), else
    /// `$XDG_STATE_HOME/askd`, else `~/.local/state/askd`.
    pub(crate) fn state_directory(&self) -> Option<PathBuf> {
        let by_systemd = self
            .text("STATE_DIRECTORY")
            .and_then(|list| list.split(':').next())
            .filter(|first| !first.is_empty());
        if let Some(folder) = by_systemd {
            return Some(PathBuf::from(folder));
        }
        let own = self
            .absolute("XDG_STATE_HOME")
            .or_else(|| Some(self.path("HOME")?.join(".local/state")));
        own.map(|folder| folder.join("askd"))
    }

    /// Variables that are configuration, with the path they set: `ASKD_SERVER__LISTEN` sets `server`, `listen`.
    /// The path is in lower case; which key `BUILD_BOT` means is for the reader of the file to find. An empty
    /// variable counts as unset.
    pub(super) fn configuration(&self) -> impl Iterator<Item = (&str, Vec<String>, Option<&str>)> {
        self.0.iter().filter_map(|(name, value)| {
            let path = name.strip_prefix(PREFIX)?;
            let path: Vec<String> = path.split(SEPARATOR).map(str::to_lowercase).collect();
            (path.len() > 1 && !value.is_empty()).then_some((name.as_str(), path, value.to_str()))
        })
    }

    /// The XDG specification has relative paths ignored.
    fn absolute(&self, name: &str) -> Option<PathBuf> {
        self.path(name).filter(|path| Path::is_absolute(path))
    }
}

impl FromIterator<(String, OsString)> for Environment {
    fn from_iter<I: IntoIterator<Item = (String, OsString)>>(variables: I) -> Self {
        Self(variables.into_iter().collect())
    }
}

#[cfg(test)]
impl Environment {
    /// An environment of these variables alone.
    pub(crate) fn of(variables: &[(&str, &str)]) -> Self {
        variables
            .iter()
            .map(|(name, value)| ((*name).to_owned(), OsString::from(value)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_directory_is_systemds_then_xdgs_then_below_home() {
        let of = |variables| Environment::of(variables).state_directory();
        let path = |text: &str| Some(PathBuf::from(text));

        assert_eq!(
            of(&[("STATE_DIRECTORY", "/var/lib/askd"), ("HOME", "/h")]),
            path("/var/lib/askd")
        );
        assert_eq!(of(&[("STATE_DIRECTORY", "/a:/b")]), path("/a"));
        assert_eq!(of(&[("XDG_STATE_HOME", "/x"), ("HOME", "/h")]), path("/x/askd"));
        assert_eq!(
            of(&[("XDG_STATE_HOME", "relative"), ("HOME", "/h")]),
            path("/h/.local/state/askd")
        );
        assert_eq!(
            of(&[("STATE_DIRECTORY", ""), ("HOME", "/h")]),
            path("/h/.local/state/askd")
        );
        assert_eq!(of(&[]), None);
    }

    #[test]
    fn a_configuration_file_is_looked_for_below_xdg_and_then_in_etc() {
        let of = |variables| Environment::of(variables).config_files();

        assert_eq!(
            of(&[("XDG_CONFIG_HOME", "/x"), ("HOME", "/h")]),
            [
                Path::new("/x/askd/config.toml"),
                Path::new("/etc/askd/config.toml")
            ]
        );
        assert_eq!(of(&[("HOME", "/h")])[0], Path::new("/h/.config/askd/config.toml"));
        assert_eq!(of(&[]), [Path::new("/etc/askd/config.toml")]);
    }

    #[test]
    fn only_variables_with_a_section_and_a_key_are_configuration() {
        let environment = Environment::of(&[
            ("ASKD_SERVER__LISTEN", "127.0.0.1:1"),
            ("ASKD_TOKENS__BUILD_BOT__TOKEN", "secret"),
            ("ASKD_TOKEN", "secret"),
            ("OTHER__KEY", "1"),
        ]);

        let found: Vec<_> = environment
            .configuration()
            .map(|(_, path, _)| path.join("."))
            .collect();

        assert_eq!(found, ["server.listen", "tokens.build_bot.token"]);
    }
}
