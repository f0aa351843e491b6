//! Looking at a database without opening it for work: for an operator who asks whether the next start will succeed.

use std::path::Path;

use crate::{
    Options,
    connect::{self, ALWAYS_CHECKED},
    error::OpenError,
    schema::{self, Found},
};

/// Whether the file at `path`, which exists, is a database that this askd can work with. Changes nothing and takes no
/// older schema further; a running askd goes on meanwhile. Whether the file can be written is not looked at. Blocks for
/// some milliseconds.
///
/// # Errors
/// See [`OpenError`]: foreign, damaged, written by a newer askd, or not to be read.
pub fn inspect(path: &Path) -> Result<(), OpenError> {
    let db = connect::reader(path, Options::default())?;
    match schema::look(&db).map_err(|error| OpenError::from_sqlite(path, error))? {
        Found::Foreign => Err(OpenError::Foreign {
            path: path.to_owned(),
        }),
        Found::Version(found) if found > schema::newest() => Err(OpenError::TooNew {
            path: path.to_owned(),
            found,
            known: schema::newest(),
        }),
        // A large one takes long, and the next start looks at it if there is reason to.
        Found::Version(_) if connect::size(path) > ALWAYS_CHECKED => Ok(()),
        Found::Version(_) => connect::check(path, &db),
    }
}
