//! What can go wrong with a database, and what that means.

use std::{
    error::Error,
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

use askd_core::store::StoreError;
use rusqlite::ErrorCode;

/// Why a database could not be opened. Variants are named by what the operator does next, and `Display` says it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The file or its directory cannot be written.
    #[error(
        "cannot write the database {}: {why}; its directory must exist and belong to the user askd runs as \
         (or set another [store] url)",
        .path.display()
    )]
    NotWritable {
        /// The database.
        path: PathBuf,
        /// What the system says.
        why: String,
    },
    /// What is in the file cannot be read.
    #[error(
        "the database {} is damaged ({why}); move it and its -wal and -shm files away, then restore a backup",
        .path.display()
    )]
    Damaged {
        /// The database.
        path: PathBuf,
        /// What SQLite says.
        why: String,
    },
    /// A newer askd wrote it.
    #[error(
        "the database {} was written by a newer askd (schema {found}, this one knows {known}); install that version \
         again, or restore a backup from before",
        .path.display()
    )]
    TooNew {
        /// The database.
        path: PathBuf,
        /// Its schema version.
        found: i64,
        /// The newest schema version this askd knows.
        known: i64,
    },
    /// Another process has it.
    #[error(
        "the database {} is in use by another process; stop that one, or give this one its own [store] url",
        .path.display()
    )]
    InUse {
        /// The database.
        path: PathBuf,
    },
    /// It belongs to another program.
    #[error("{} is the database of another program; set another [store] url", .path.display())]
    Foreign {
        /// The database.
        path: PathBuf,
    },
    /// There is no room.
    #[error("there is no room to open the database {}; free some space on its disk", .path.display())]
    Full {
        /// The database.
        path: PathBuf,
    },
    /// Anything else; trying again may help.
    #[error("the database {} cannot be opened", .path.display())]
    Failed {
        /// The database.
        path: PathBuf,
        /// Why.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
}

impl OpenError {
    pub(crate) fn from_sqlite(path: &Path, error: rusqlite::Error) -> Self {
        let path = path.to_owned();
        let why = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
                Self::NotWritable { path, why }
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::InUse { path },
            _ => match meaning(&error) {
                Meaning::Damaged => Self::Damaged { path, why },
                Meaning::Full => Self::Full { path },
                Meaning::Unavailable => Self::Failed {
                    path,
                    source: error.into(),
                },
            },
        }
    }
}

/// What went wrong in a transaction. Can be told to everybody who had a part in it.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    meaning: Meaning,
    cause: Arc<dyn Error + Send + Sync>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Unavailable,
    Full,
    Damaged,
}

/// What a failure of SQLite means to the caller: the only place where its codes are read.
fn meaning(error: &rusqlite::Error) -> Meaning {
    // SQLITE_IOERR_CORRUPTFS: the file system says that it is damaged itself. https://sqlite.org/rescode.html
    const IOERR_CORRUPTFS: i32 = 8458;
    match error {
        rusqlite::Error::SqliteFailure(failure, _) => match failure.code {
            // Also what SQLite makes of ENOSPC.
            ErrorCode::DiskFull => Meaning::Full,
            ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => Meaning::Damaged,
            ErrorCode::SystemIoFailure if failure.extended_code == IOERR_CORRUPTFS => Meaning::Damaged,
            _ => Meaning::Unavailable,
        },
        // A column that holds what we never write.
        rusqlite::Error::FromSqlConversionFailure(..)
        | rusqlite::Error::IntegralValueOutOfRange(..)
        | rusqlite::Error::InvalidColumnType(..)
        | rusqlite::Error::Utf8Error(..) => Meaning::Damaged,
        _ => Meaning::Unavailable,
    }
}

impl Fault {
    /// Nobody does the work any more.
    pub(crate) fn closed() -> Self {
        Self::unavailable("the store is closed")
    }

    pub(crate) fn unavailable(why: &'static str) -> Self {
        Self {
            meaning: Meaning::Unavailable,
            cause: Arc::new(Why(why)),
        }
    }

    pub(crate) fn damaged(why: &'static str) -> Self {
        Self {
            meaning: Meaning::Damaged,
            cause: Arc::new(Why(why)),
        }
    }
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self {
            meaning: meaning(&error),
            cause: Arc::new(error),
        }
    }
}

impl From<serde_json::Error> for Fault {
    /// Keeps nothing of the error's own text, which may quote what is stored.
    fn from(error: serde_json::Error) -> Self {
        drop(error);
        Self::damaged("a stored record cannot be read")
    }
}

impl From<Fault> for StoreError {
    fn from(fault: Fault) -> Self {
        let source = Box::new(Shared(fault.cause));
        match fault.meaning {
            Meaning::Unavailable => Self::Unavailable(source),
            Meaning::Full => Self::Full(source),
            Meaning::Damaged => Self::Damaged(source),
        }
    }
}

#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Why(&'static str);

/// One cause with several owners.
#[derive(Debug)]
struct Shared(Arc<dyn Error + Send + Sync>);

impl fmt::Display for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for Shared {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::ffi;

    use super::*;

    #[test]
    fn each_code_means_what_the_caller_can_do_about_it() {
        let table = [
            (ffi::SQLITE_BUSY, Meaning::Unavailable),
            (ffi::SQLITE_BUSY_SNAPSHOT, Meaning::Unavailable),
            (ffi::SQLITE_LOCKED, Meaning::Unavailable),
            (ffi::SQLITE_IOERR_FSYNC, Meaning::Unavailable),
            (ffi::SQLITE_IOERR_CORRUPTFS, Meaning::Damaged),
            (ffi::SQLITE_FULL, Meaning::Full),
            (ffi::SQLITE_CORRUPT_INDEX, Meaning::Damaged),
            (ffi::SQLITE_NOTADB, Meaning::Damaged),
        ];
        for (code, expected) in table {
            let error = rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
            assert_eq!(meaning(&error), expected, "code {code}");
        }
    }
}
