use std::os::unix::fs::symlink;

use super::*;

fn now() -> Timestamp {
    "2026-12-01T09:30:00.5Z".parse().unwrap()
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o777
}

#[test]
fn a_file_that_is_not_there_is_made_with_its_folders() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a/b/settings.json");

    let written = Settings::read(&path).unwrap().write("{}", now()).unwrap();

    assert_eq!(written, Written::Created);
    assert_eq!(fs::read_to_string(&path).unwrap(), "{}");
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn a_file_that_changes_keeps_its_mode_and_leaves_what_it_was_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("settings.json");
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();

    let written = Settings::read(&path).unwrap().write("new", now()).unwrap();

    let backup = folder.path().join("settings.json.askd-20261201T093000.500Z");
    assert_eq!(
        written,
        Written::Changed {
            backup: backup.clone()
        }
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    assert_eq!(fs::read_to_string(&backup).unwrap(), "old");
    assert_eq!((mode(&path), mode(&backup)), (0o640, 0o640));
}

#[test]
fn a_file_that_says_it_all_is_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("settings.json");
    fs::write(&path, "same").unwrap();

    let written = Settings::read(&path).unwrap().write("same", now()).unwrap();

    assert_eq!(written, Written::Unchanged);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no backup");
}

#[test]
fn a_link_stays_a_link_and_what_it_points_to_is_changed() {
    let folder = tempfile::tempdir().unwrap();
    let (dotfiles, link) = (
        folder.path().join("dotfiles"),
        folder.path().join("settings.json"),
    );
    fs::create_dir(&dotfiles).unwrap();
    fs::write(dotfiles.join("real.json"), "old").unwrap();
    symlink("dotfiles/real.json", &link).unwrap();

    Settings::read(&link).unwrap().write("new", now()).unwrap();

    assert!(link.is_symlink());
    assert_eq!(fs::read_to_string(dotfiles.join("real.json")).unwrap(), "new");
}

#[test]
fn what_another_program_wrote_meanwhile_is_not_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("settings.json");
    fs::write(&path, "old").unwrap();
    let settings = Settings::read(&path).unwrap();
    fs::write(&path, "theirs").unwrap();

    let error = settings.write("ours", now()).unwrap_err();

    assert!(format!("{error:#}").contains("another program"), "{error:#}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        1,
        "nothing is left behind"
    );
}

#[test]
fn what_is_no_file_of_text_is_refused_with_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("folder")).unwrap();
    fs::write(at("binary"), b"\xff\xfe").unwrap();
    symlink("nowhere", at("link")).unwrap();

    for name in ["folder", "binary", "link"] {
        let error = Settings::read(&at(name)).unwrap_err();

        assert!(error.to_string().contains(name), "{error}");
    }
}
