//! Backups.

use std::fs;

use askd_core::store::Store as _;
use askd_store_sqlite::{BackupError, OpenError, backup};
use askd_testkit::{clock::START, sample::Samples};

use crate::{Place, ask};

#[tokio::test]
async fn a_backup_of_a_running_store_holds_what_was_acknowledged() {
    let (place, copy) = (Place::new(), Place::new());
    let store = place.open();
    let samples = Samples::new(1);
    let before = ask(&store, samples.ask(START).new_ask()).await.unwrap();

    backup(&place.path(), &copy.path()).unwrap();
    let after = ask(&store, samples.ask(START).new_ask()).await.unwrap();

    let restored = copy.open();
    assert_eq!(restored.get(before.ask.id).await.unwrap(), Some(before));
    assert_eq!(restored.get(after.ask.id).await.unwrap(), None);
}

#[tokio::test]
async fn a_backup_can_be_made_while_nobody_runs() {
    let (place, copy) = (Place::new(), Place::new());
    let store = place.open();
    let record = ask(&store, Samples::new(1).ask(START).new_ask()).await.unwrap();
    drop(store);

    backup(&place.path(), &copy.path()).unwrap();

    assert_eq!(copy.open().get(record.ask.id).await.unwrap(), Some(record));
}

#[test]
fn a_backup_overwrites_nothing() {
    let place = Place::new();
    drop(place.open());
    fs::write(place.join("older"), "an older backup").unwrap();

    let refused = backup(&place.path(), &place.join("older"));

    assert!(matches!(refused, Err(BackupError::Exists { .. })), "{refused:?}");
    assert_eq!(
        fs::read_to_string(place.join("older")).unwrap(),
        "an older backup"
    );
}

#[test]
fn without_a_database_there_is_no_backup() {
    let place = Place::new();
    place
        .beside()
        .execute_batch("CREATE TABLE recipes (name TEXT)")
        .unwrap();

    let missing = backup(&place.join("missing.db"), &place.join("backup"));
    let foreign = backup(&place.path(), &place.join("backup"));

    assert!(matches!(missing, Err(BackupError::Missing { .. })), "{missing:?}");
    assert!(
        matches!(foreign, Err(BackupError::Database(OpenError::Foreign { .. }))),
        "{foreign:?}"
    );
    assert!(!place.join("backup").exists() && !place.join("missing.db").exists());
}

#[test]
fn a_backup_that_cannot_be_written_leaves_nothing() {
    let place = Place::new();
    drop(place.open());

    let refused = backup(&place.path(), &place.join("missing/backup"));

    assert!(
        matches!(refused, Err(BackupError::Unwritten { .. })),
        "{refused:?}"
    );
}

#[cfg(unix)]
#[test]
fn nobody_else_can_read_a_backup() {
    use std::os::unix::fs::PermissionsExt as _;

    let place = Place::new();
    drop(place.open());

    backup(&place.path(), &place.join("backup")).unwrap();

    let mode = fs::metadata(place.join("backup")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}
