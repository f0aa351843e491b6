//! Looking at a database, for `askd doctor`.

use askd_store_sqlite::{OpenError, Options, SqliteStore, inspect};

#[test]
fn a_database_is_good_while_askd_runs_on_it_and_after() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("askd.db");
    let store = SqliteStore::open(&path, Options::default()).unwrap();

    let while_open = inspect(&path);
    store.shut_down();
    let after = inspect(&path);

    assert!(while_open.is_ok() && after.is_ok(), "{while_open:?} {after:?}");
}

#[test]
fn looking_at_an_empty_file_makes_no_database_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("askd.db");
    std::fs::write(&path, "").unwrap();

    inspect(&path).unwrap();

    assert_eq!(std::fs::metadata(&path).unwrap().len(), 0);
}

#[test]
fn what_is_no_database_or_that_of_a_newer_askd_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("askd.db");
    std::fs::write(
        &path,
        "some other file that is long enough to have a header of its own",
    )
    .unwrap();
    let foreign = inspect(&path);
    std::fs::remove_file(&path).unwrap();
    drop(SqliteStore::open(&path, Options::default()).unwrap());
    let db = rusqlite::Connection::open(&path).unwrap();
    db.pragma_update(None, "user_version", 99).unwrap();
    drop(db);

    let newer = inspect(&path);

    assert!(
        matches!(
            foreign,
            Err(OpenError::Foreign { .. } | OpenError::Damaged { .. })
        ),
        "{foreign:?}"
    );
    assert!(
        matches!(newer, Err(OpenError::TooNew { found: 99, .. })),
        "{newer:?}"
    );
}
