//! Opening the file: whose it is, whether it is sound, and how connections are set up.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io,
    path::{Path, PathBuf},
};

use rusqlite::{Connection, OpenFlags};

use crate::{
    Options,
    error::OpenError,
    schema::{self, Found},
};

/// Up to this size, in bytes, a database is checked at every start (some 0.1 s). A larger one is checked only where
/// its last process did not end in order.
pub(crate) const ALWAYS_CHECKED: u64 = 32 << 20;

/// Distinct statements of this crate, with room: a cached one is not parsed again.
const STATEMENTS: usize = 96;

/// A lock on a file beside the database, held for as long as this lives, also by the kernel's book-keeping: a killed
/// process holds nothing.
///
/// SQLite itself would let a second process write. But waiters are woken by the process that wrote, so the first
/// would not notice.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    pub(crate) fn take(path: &Path) -> Result<Self, OpenError> {
        let file = open_private(&beside(path, "-lock")).map_err(|error| not_writable(path, &error))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => Err(OpenError::InUse {
                path: path.to_owned(),
            }),
            Err(TryLockError::Error(error)) => Err(not_writable(path, &error)),
        }
    }
}

/// Opens the writer's connection, brings the schema up to date, and says clearly what is wrong with the file.
pub(crate) fn writer(path: &Path, options: Options) -> Result<Connection, OpenError> {
    // A write-ahead log that is left behind: the last process was killed, or the machine stopped.
    let unclean = size(&beside(path, "-wal")) > 0;
    open_private(path).map_err(|error| not_writable(path, &error))?;
    let sqlite = |error| OpenError::from_sqlite(path, error);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut db = Connection::open_with_flags(path, flags).map_err(sqlite)?;
    db.busy_timeout(options.busy_timeout).map_err(sqlite)?;
    let version = match schema::look(&db).map_err(sqlite)? {
        Found::Foreign => {
            return Err(OpenError::Foreign {
                path: path.to_owned(),
            });
        }
        Found::Version(found) if found > schema::newest() => {
            return Err(OpenError::TooNew {
                path: path.to_owned(),
                found,
                known: schema::newest(),
            });
        }
        Found::Version(version) => version,
    };
    if unclean || size(path) <= ALWAYS_CHECKED {
        check(path, &db)?;
    }
    set_up(&db, options).map_err(sqlite)?;
    schema::migrate(&mut db, version).map_err(sqlite)?;
    Ok(db)
}

/// Opens a connection that can only read. The writer's must be open already.
pub(crate) fn reader(path: &Path, options: Options) -> Result<Connection, OpenError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let open = || {
        let db = Connection::open_with_flags(path, flags)?;
        db.busy_timeout(options.busy_timeout)?;
        db.set_prepared_statement_cache_capacity(STATEMENTS);
        Ok(db)
    };
    open().map_err(|error| OpenError::from_sqlite(path, error))
}

fn set_up(db: &Connection, options: Options) -> rusqlite::Result<()> {
    db.pragma_update(None, "journal_mode", "wal")?;
    // FULL: the log is synced at every commit, so what was acknowledged survives a power cut too.
    db.pragma_update(None, "synchronous", "full")?;
    db.pragma_update(None, "foreign_keys", true)?;
    db.pragma_update(None, "temp_store", "memory")?;
    // 16 MiB (negative: KiB).
    db.pragma_update(None, "cache_size", -16_384)?;
    // After a burst the log shrinks to 64 MiB again (bytes).
    db.pragma_update(None, "journal_size_limit", 64 << 20)?;
    if let Some(pages) = options.max_pages {
        db.pragma_update(None, "max_page_count", pages)?;
    }
    db.set_prepared_statement_cache_capacity(STATEMENTS);
    Ok(())
}

pub(crate) fn check(path: &Path, db: &Connection) -> Result<(), OpenError> {
    let verdict: String = db
        .query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
        .map_err(|error| OpenError::from_sqlite(path, error))?;
    if verdict == "ok" {
        return Ok(());
    }
    let why = verdict.lines().collect::<Vec<_>>().join("; ");
    Err(OpenError::Damaged {
        path: path.to_owned(),
        why,
    })
}

/// Opens for writing, and creates for this user alone: it will hold questions and answers. SQLite gives its own
/// files beside the database the same mode.
fn open_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn not_writable(path: &Path, error: &io::Error) -> OpenError {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => OpenError::Full {
            path: path.to_owned(),
        },
        _ => OpenError::NotWritable {
            path: path.to_owned(),
            why: error.to_string(),
        },
    }
}

/// SQLite's way of naming the files beside a database.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// In bytes; 0 where there is none.
pub(crate) fn size(path: &Path) -> u64 {
    path.metadata().map_or(0, |metadata| metadata.len())
}
