//! Reading and writing a file that is somebody else's.
//!
//! A file is replaced whole or not at all, keeps its mode and its owner, and is written where a symbolic link to it
//! points, as dotfiles are kept. What was there before stays beside it.

use std::{
    fs,
    io::{self, Write as _},
    os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail};
use jiff::Timestamp;

use crate::config::reason;

/// A file of settings as it was read.
#[derive(Debug)]
pub(super) struct Settings {
    path: PathBuf,
    /// Where it really is; `None` where there is no such file.
    real: Option<PathBuf>,
    text: String,
}

/// What became of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// It says all of this already.
    Unchanged,
    /// There was none.
    Created,
    /// It was changed.
    Changed {
        /// As it was before.
        backup: PathBuf,
    },
}

impl Settings {
    /// Reads it. One that is not there is empty.
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let named = path.display();
        let real = match fs::canonicalize(path) {
            Ok(real) => Some(real),
            Err(error) if error.kind() == io::ErrorKind::NotFound && path.is_symlink() => {
                bail!("{named} is a link to a file that is not there")
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => bail!("cannot read {named}: {}", reason(&error)),
        };
        let text = match &real {
            Some(real) => fs::read_to_string(real),
            None => Ok(String::new()),
        };
        Ok(Self {
            path: path.to_path_buf(),
            real,
            text: text.map_err(|error| anyhow::anyhow!("cannot read {named}: {}", reason(&error)))?,
        })
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What it says.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Replaces what it says; `now` is part of the backup's name.
    pub(super) fn write(&self, text: &str, now: Timestamp) -> anyhow::Result<Written> {
        if text == self.text {
            return Ok(Written::Unchanged);
        }
        let written = match &self.real {
            Some(real) => self.replace(real, text, now),
            None => create(&self.path, text),
        };
        written.with_context(|| format!("cannot write {}", self.path.display()))
    }

    fn replace(&self, real: &Path, text: &str, now: Timestamp) -> anyhow::Result<Written> {
        let before = fs::metadata(real)?;
        let mut file = tempfile::NamedTempFile::new_in(folder(real))?;
        file.write_all(text.as_bytes())?;
        // Only root may give a file away, and only root needs to.
        if file.as_file().metadata()?.uid() != before.uid() {
            fchown(file.as_file(), Some(before.uid()), Some(before.gid()))?;
        }
        file.as_file()
            .set_permissions(fs::Permissions::from_mode(before.mode() & 0o7777))?;
        file.as_file().sync_all()?;
        // Clients write their settings themselves, and one that did so just now would lose it.
        if fs::read_to_string(real)? != self.text {
            bail!("another program has just changed it; close the client, and try again");
        }
        let backup = beside(real, now);
        fs::copy(real, &backup)?;
        file.persist(real)?;
        Ok(Written::Changed { backup })
    }
}

fn create(path: &Path, text: &str) -> anyhow::Result<Written> {
    fs::create_dir_all(folder(path))?;
    let mut file = tempfile::Builder::new()
        // As any program makes a file: less what the user's mask takes away.
        .permissions(fs::Permissions::from_mode(0o666))
        .tempfile_in(folder(path))?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist_noclobber(path)?;
    Ok(Written::Created)
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// `settings.json.askd-20261201T093000.123Z`.
fn beside(real: &Path, now: Timestamp) -> PathBuf {
    let mut name = real.file_name().unwrap_or_default().to_os_string();
    name.push(now.strftime(".askd-%Y%m%dT%H%M%S.%3fZ").to_string());
    real.with_file_name(name)
}

#[cfg(test)]
mod tests;
