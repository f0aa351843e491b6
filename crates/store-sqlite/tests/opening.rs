//! What an operator is told when a database cannot be opened, and what a process that has it keeps others from.

use std::{fs, path::Path};

use askd_core::store::{Store as _, StoreError};
use askd_store_sqlite::{OpenError, Options, SqliteStore};
use askd_testkit::{clock::START, sample::Samples};

use crate::{Place, ask};

/// Opens, expecting failure; the text must name the path.
fn refused(path: &Path) -> OpenError {
    let error = SqliteStore::open(path, Options::default()).expect_err("it cannot be opened");
    let text = error.to_string();
    assert!(text.contains(&path.display().to_string()), "{text}");
    error
}

#[test]
fn where_nothing_can_be_created_the_operator_is_told_that_it_cannot_be_written() {
    let place = Place::new();
    fs::write(place.join("file"), "").unwrap();
    fs::create_dir(place.join("directory")).unwrap();

    for path in [
        place.join("file/askd.db"),
        place.join("missing/askd.db"),
        place.join("directory"),
    ] {
        let error = refused(&path);
        assert!(matches!(error, OpenError::NotWritable { .. }), "{error:?}");
    }
}

/// Not even root can create a file there, so the test holds for whoever runs it.
#[cfg(target_os = "linux")]
#[test]
fn a_directory_without_permission_is_told_as_not_writable() {
    let error = refused(Path::new("/proc/askd.db"));

    assert!(matches!(error, OpenError::NotWritable { .. }), "{error:?}");
    assert!(error.to_string().contains("[store] url"), "and what to do");
}

#[tokio::test]
async fn a_damaged_file_is_noticed_when_it_is_opened() {
    let place = Place::new();
    let store = place.open();
    let samples = Samples::new(1);
    for _ in 0..20 {
        ask(&store, samples.ask(START).context(4000).new_ask())
            .await
            .unwrap();
    }
    drop(store);
    let whole = fs::read(place.path()).unwrap();
    let spoilt = |from: usize, to: usize| {
        let mut bytes = whole.clone();
        bytes[from..to].fill(0xAB);
        bytes
    };

    let cases = [
        ("the header", spoilt(0, 100)),
        ("all pages but the first", spoilt(4096, whole.len())),
        (
            "no database at all",
            b"Dear diary, today I was not a database. ".repeat(50),
        ),
        ("half of it", whole[..whole.len() / 2].to_vec()),
    ];
    for (what, bytes) in cases {
        fs::write(place.path(), bytes).unwrap();
        let error = refused(&place.path());
        assert!(matches!(error, OpenError::Damaged { .. }), "{what}: {error:?}");
        assert!(error.to_string().contains("restore a backup"), "{what}: {error}");
    }
}

#[tokio::test]
async fn a_record_that_cannot_be_read_is_damage_and_is_not_quoted() {
    let place = Place::new();
    let store = place.open();
    let record = ask(&store, Samples::new(1).ask(START).new_ask()).await.unwrap();
    place
        .beside()
        .execute("UPDATE asks SET body = '{\"id\": \"a secret\"}'", [])
        .unwrap();

    let error = store.get(record.ask.id).await.expect_err("it cannot be read");

    assert!(matches!(error, StoreError::Damaged(_)), "{error:?}");
    assert!(!format!("{error:?} {error}").contains("secret"), "{error:?}");
}

#[test]
fn a_newer_schema_is_refused_and_left_alone() {
    let place = Place::new();
    drop(place.open());
    place.beside().pragma_update(None, "user_version", 99).unwrap();
    let before = fs::read(place.path()).unwrap();

    let error = refused(&place.path());

    assert!(
        matches!(
            error,
            OpenError::TooNew {
                found: 99,
                known: 4,
                ..
            }
        ),
        "{error:?}"
    );
    assert_eq!(fs::read(place.path()).unwrap(), before);
}

#[test]
fn the_database_of_another_program_is_refused_and_left_alone() {
    let place = Place::new();
    place
        .beside()
        .execute_batch("CREATE TABLE recipes (name TEXT); PRAGMA user_version = 1")
        .unwrap();
    let before = fs::read(place.path()).unwrap();

    let error = refused(&place.path());

    assert!(matches!(error, OpenError::Foreign { .. }), "{error:?}");
    assert_eq!(fs::read(place.path()).unwrap(), before);
}

#[test]
fn one_process_has_the_file_until_it_closes() {
    let place = Place::new();
    let store = place.open();

    let error = refused(&place.path());
    assert!(matches!(error, OpenError::InUse { .. }), "{error:?}");

    store.shut_down();
    place.open();
}

#[tokio::test]
async fn a_closed_store_says_that_it_is_not_available() {
    let place = Place::new();
    let store = place.open();
    let record = ask(&store, Samples::new(1).ask(START).new_ask()).await.unwrap();

    store.shut_down();
    store.shut_down();

    assert!(matches!(
        store.get(record.ask.id).await,
        Err(StoreError::Unavailable(_))
    ));
    assert!(matches!(
        store.expire(START).await,
        Err(StoreError::Unavailable(_))
    ));
}

#[cfg(unix)]
#[tokio::test]
async fn nobody_else_can_read_what_was_asked_and_answered() {
    use std::os::unix::fs::PermissionsExt as _;

    let place = Place::new();
    let store = place.open();
    ask(&store, Samples::new(1).ask(START).new_ask()).await.unwrap();

    for file in ["askd.db", "askd.db-wal"] {
        let mode = fs::metadata(place.join(file)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{file}");
    }
}
