//! The corpus of the fuzz target for configurations.

use std::{fs, path::Path};

use super::check::check;

#[test]
fn whatever_is_wrong_is_told_with_its_key_and_place_in_linear_time() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/config");
    let mut tried = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        eprintln!("{}", path.display());
        check(&fs::read(&path).unwrap());
        tried += 1;
    }
    assert!(tried >= 10, "a corpus of {tried}");
}
