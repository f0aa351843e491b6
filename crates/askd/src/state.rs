//! The state directory: the database, the tokens that askd makes itself, and where the daemon can be reached.
//!
//! The command line and the daemon meet here. A daemon writes its address into `url` when it listens, so that
//! `askd ask` finds one on any port; the tokens are made at the first start and kept for ever after.

use std::{
    fs, io,
    io::Write as _,
    os::unix::fs::{DirBuilderExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

use askd_core::clock::Chance;
use secrecy::SecretString;

use crate::{
    clock::random_hex,
    config::{GENERATED, is_token, reason},
    lock::{self, Lock},
};

/// The state directory.
#[derive(Clone, Debug)]
pub(crate) struct State(PathBuf);

impl State {
    /// The directory at this path; nothing is made yet.
    pub(crate) fn at(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Makes the directory (mode 0700) where it is missing.
    pub(crate) fn create(&self) -> anyhow::Result<()> {
        let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.0);
        made.map_err(|error| {
            anyhow::anyhow!(
                "cannot make the state directory {}: {}",
                self.0.display(),
                reason(&error)
            )
        })
    }

    /// Keeps every other askd out until the lock is dropped.
    pub(crate) fn lock(&self) -> anyhow::Result<Lock> {
        lock::hold(&self.0, "askd.lock").map_err(|error| match error {
            lock::LockError::Io { source, .. } => {
                anyhow::anyhow!(
                    "cannot write to the state directory {}: {}",
                    self.0.display(),
                    reason(&source)
                )
            }
            held @ lock::LockError::Held { .. } => held.into(),
        })
    }

    /// The database, if the configuration names none.
    pub(crate) fn database(&self) -> PathBuf {
        self.0.join("askd.db")
    }

    /// The file of a token that askd makes itself.
    pub(crate) fn token_file(&self, name: &str) -> PathBuf {
        self.0.join(format!("{name}.token"))
    }

    /// The token of this name: 256 random bits, made where there is none. Called under the lock.
    pub(crate) fn token(&self, name: &str, chance: &dyn Chance) -> anyhow::Result<SecretString> {
        let file = self.token_file(name);
        if !file.exists() {
            write_whole(&file, &format!("{}\n", random_hex::<32>(chance)))?;
        }
        read_token(&file)
    }

    /// The key of this name, for signing what comes back to us: 256 random bits, made where there is none. Called under
    /// the lock.
    pub(crate) fn key(&self, name: &str, chance: &dyn Chance) -> anyhow::Result<[u8; 32]> {
        let file = self.0.join(format!("{name}.key"));
        if !file.exists() {
            write_whole(&file, &format!("{}\n", random_hex::<32>(chance)))?;
        }
        let text = fs::read_to_string(&file)
            .map_err(|error| anyhow::anyhow!("cannot read {}: {}", file.display(), reason(&error)))?;
        unhex(text.trim()).ok_or_else(|| {
            anyhow::anyhow!(
                "{} holds no key; remove it, and the next start of askd makes a new one",
                file.display()
            )
        })
    }

    /// What users of this machine who are neither the owner nor of its group can do here that they should not: where
    /// they can write they could put a token of their own. A group is not counted: orchestrators open volumes to one.
    pub(crate) fn open_to_others(&self) -> Vec<(PathBuf, &'static str)> {
        let lets = |path: &Path, bits: u32| {
            fs::metadata(path).is_ok_and(|found| found.permissions().mode() & bits != 0)
        };
        let folder =
            lets(&self.0, 0o002).then(|| (self.0.clone(), "others can write to the state directory"));
        let tokens = GENERATED
            .iter()
            .map(|(name, _)| self.token_file(name))
            .filter(|file| lets(file, 0o006))
            .map(|file| (file, "others can read a token"));
        folder.into_iter().chain(tokens).collect()
    }

    /// Writes down where the daemon listens.
    pub(crate) fn write_url(&self, url: &str) -> anyhow::Result<()> {
        // Mostly it is the same as the last time, and then a full disk is no reason not to start.
        if self.url().as_deref() == Some(url) {
            return Ok(());
        }
        write_whole(&self.0.join("url"), &format!("{url}\n"))
    }

    /// Where the daemon listened when it last started; `None` where none did.
    pub(crate) fn url(&self) -> Option<String> {
        let text = fs::read_to_string(self.0.join("url")).ok()?;
        Some(text.trim().to_owned()).filter(|url| !url.is_empty())
    }
}

/// Reads a token from a file of one line.
pub(crate) fn read_token(file: &Path) -> anyhow::Result<SecretString> {
    let text = fs::read_to_string(file).map_err(|error| NoToken {
        file: file.to_path_buf(),
        source: error,
    })?;
    let token = text.trim();
    anyhow::ensure!(
        is_token(token),
        "{} holds no token; remove it, and the next start of askd makes a new one",
        file.display()
    );
    Ok(SecretString::from(token))
}

/// 32 bytes from their hex digits.
fn unhex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if text.len() != 2 * bytes.len() || !text.is_ascii() {
        return None;
    }
    for (n, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * n..2 * n + 2], 16).ok()?;
    }
    Some(bytes)
}

/// A file of a token that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read the token in {}: {}", .file.display(), reason(.source))]
pub(crate) struct NoToken {
    file: PathBuf,
    /// Why.
    pub(crate) source: io::Error,
}

/// Writes a file that is there whole or not at all, readable by its owner alone.
fn write_whole(path: &Path, text: &str) -> anyhow::Result<()> {
    let write = || {
        let folder = path.parent().unwrap_or(Path::new("."));
        let private = fs::Permissions::from_mode(0o600);
        let mut file = tempfile::Builder::new()
            .permissions(private)
            .tempfile_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        io::Result::Ok(())
    };
    write().map_err(|error| anyhow::anyhow!("cannot write {}: {}", path.display(), reason(&error)))
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret as _;

    use super::*;
    use crate::clock::OsChance;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_token_is_made_once_readable_by_its_owner_alone_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let state = State::at(folder.path().join("a/b"));
        state.create().unwrap();

        let first = state.token("agent", &OsChance).unwrap();
        let second = state.token("agent", &OsChance).unwrap();
        let other = state.token("operator", &OsChance).unwrap();

        assert_eq!(first.expose_secret().len(), 64, "256 bits in hex");
        assert_eq!(first.expose_secret(), second.expose_secret());
        assert_ne!(first.expose_secret(), other.expose_secret());
        assert_eq!(mode(&state.token_file("agent")), 0o600);
        assert_eq!(mode(state.path()), 0o700);
    }

    #[test]
    fn what_others_can_do_to_the_state_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let state = State::at(folder.path().join("state"));
        state.create().unwrap();
        for (name, _) in GENERATED {
            state.token(name, &OsChance).unwrap();
        }
        assert_eq!(state.open_to_others(), []);

        let open = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        open(state.path(), 0o777);
        open(&state.token_file("operator"), 0o644);

        let found: Vec<PathBuf> = state.open_to_others().into_iter().map(|(path, _)| path).collect();
        assert_eq!(found, [state.path().to_path_buf(), state.token_file("operator")]);

        open(state.path(), 0o775);
        open(&state.token_file("operator"), 0o640);
        assert_eq!(state.open_to_others(), [], "a group may be meant");
    }

    #[test]
    fn an_empty_token_file_is_refused_and_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let state = State::at(folder.path());
        fs::write(state.token_file("agent"), "\n").unwrap();

        assert!(state.token("agent", &OsChance).is_err());
        assert_eq!(fs::read_to_string(state.token_file("agent")).unwrap(), "\n");
    }

    #[test]
    fn a_key_is_made_once_readable_by_its_owner_alone_and_one_that_is_none_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let state = State::at(folder.path());

        let first = state.key("mcp", &OsChance).unwrap();
        let file = folder.path().join("mcp.key");

        assert_eq!(state.key("mcp", &OsChance).unwrap(), first);
        assert_eq!(mode(&file), 0o600);
        fs::write(&file, "é is no hex digit").unwrap();
        assert!(state.key("mcp", &OsChance).is_err());
    }

    #[test]
    fn a_state_directory_below_a_file_is_refused_in_one_line() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("file"), "").unwrap();

        let error = State::at(folder.path().join("file/askd")).create().unwrap_err();

        assert!(
            format!("{error:#}").starts_with("cannot make the state directory"),
            "{error:#}"
        );
        assert!(!format!("{error:#}").contains('\n'));
    }

    #[test]
    fn where_the_daemon_listens_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let state = State::at(folder.path());
        assert_eq!(state.url(), None);

        state.write_url("http://127.0.0.1:1").unwrap();

        assert_eq!(state.url().as_deref(), Some("http://127.0.0.1:1"));
    }
}
