//! One askd per state directory.
//!
//! Two daemons on one database would show every ask twice. The operating system's file lock keeps the second one
//! out and goes with the process, however it ends, so that no stale lock has to be cleared by hand. The file holds
//! the process id for the message alone; whether the lock is held, only the operating system says.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, Read as _, Seek as _, Write as _},
    path::{Path, PathBuf},
};

/// A lock that is held until this is dropped.
#[derive(Debug)]
pub(crate) struct Lock(#[expect(dead_code, reason = "closing the file is what lets go of the lock")] File);

/// Why a lock was not had.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LockError {
    /// Another process has it.
    #[error("another askd {holder} already runs on {}", .folder.display())]
    Held {
        /// `(process 123)`, or nothing that is known.
        holder: String,
        /// What is locked.
        folder: PathBuf,
    },
    /// The file cannot be made or locked.
    #[error("cannot lock {}", .file.display())]
    Io {
        /// The lock file.
        file: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}

/// Locks `folder` by the file `name` in it.
pub(crate) fn hold(folder: &Path, name: &str) -> Result<Lock, LockError> {
    let path = folder.join(name);
    let failed = |source| LockError::Io {
        file: path.clone(),
        source,
    };
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        // Another's process id must not be cut off before its lock was tried.
        .truncate(false)
        .open(&path)
        .map_err(failed)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let holder = holder(&mut file);
            return Err(LockError::Held {
                holder,
                folder: folder.to_path_buf(),
            });
        }
        Err(TryLockError::Error(source)) => return Err(failed(source)),
    }
    write_pid(&mut file).map_err(failed)?;
    Ok(Lock(file))
}

fn write_pid(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    write!(file, "{}", std::process::id())
}

fn holder(file: &mut File) -> String {
    let mut text = String::new();
    match file.read_to_string(&mut text) {
        Ok(_) if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) => format!("(process {text})"),
        // The holder may be about to write it.
        _ => "(process unknown)".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_start_is_refused_and_names_the_process_that_runs() {
        let folder = tempfile::tempdir().unwrap();
        let _first = hold(folder.path(), "askd.lock").unwrap();

        let second = hold(folder.path(), "askd.lock").unwrap_err();

        let pid = std::process::id();
        let expected = format!(
            "another askd (process {pid}) already runs on {}",
            folder.path().display()
        );
        assert_eq!(second.to_string(), expected);
    }

    #[test]
    fn a_lock_that_was_let_go_can_be_had_again() {
        let folder = tempfile::tempdir().unwrap();
        drop(hold(folder.path(), "askd.lock").unwrap());

        assert!(hold(folder.path(), "askd.lock").is_ok());
    }
}
