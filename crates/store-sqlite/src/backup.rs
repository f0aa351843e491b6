//! A copy of the database, made while askd runs or while it does not.

use std::{
    fs::{self, File, OpenOptions},
    io,
    path::{Path, PathBuf},
};

use rusqlite::Connection;

use crate::{
    Options, connect,
    error::OpenError,
    schema::{self, Found},
};

/// Why there is no backup. Nothing is left behind at its place, and the database is as it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BackupError {
    /// There is no database at all.
    #[error("there is no database {}", .from.display())]
    Missing {
        /// Where it should be.
        from: PathBuf,
    },
    /// It is not askd's, or cannot be read.
    #[error(transparent)]
    Database(#[from] OpenError),
    /// Something is at the backup's place already; an older backup is not overwritten.
    #[error("{} exists already; name another file", .to.display())]
    Exists {
        /// Where the backup was to go.
        to: PathBuf,
    },
    /// The backup could not be written.
    #[error("cannot write the backup {}", .to.display())]
    Unwritten {
        /// Where the backup was to go.
        to: PathBuf,
        /// Why.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// Copies the database at `from` into the new file `to`, readable by this user alone. It holds everything that was
/// acknowledged when the copying began, in one file, synced. A running askd goes on meanwhile.
///
/// # Errors
/// See [`BackupError`].
pub fn backup(from: &Path, to: &Path) -> Result<(), BackupError> {
    let unwritten = |source| BackupError::Unwritten {
        to: to.to_owned(),
        source,
    };
    if !from.exists() {
        return Err(BackupError::Missing {
            from: from.to_owned(),
        });
    }
    let db = connect::reader(from, Options::default())?;
    if schema::look(&db).map_err(|error| OpenError::from_sqlite(from, error))? == Found::Foreign {
        return Err(OpenError::Foreign {
            path: from.to_owned(),
        }
        .into());
    }
    let file = create(to).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => BackupError::Exists { to: to.to_owned() },
        _ => unwritten(error.into()),
    })?;
    copy(&db, to, &file).map_err(|error| {
        // It would look like a backup. If it cannot be removed, the error tells its name.
        let _ = fs::remove_file(to);
        unwritten(error)
    })
}

/// `VACUUM INTO` takes a file that exists, as long as it is empty: <https://sqlite.org/lang_vacuum.html>
fn copy(db: &Connection, to: &Path, file: &File) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let name = to.to_str().ok_or("SQLite takes names in UTF-8 alone")?;
    db.execute("VACUUM INTO ?", [name])?;
    file.sync_all()?;
    Ok(())
}

fn create(to: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create_new(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(to)
}
