//! The catalogues say the same in every language, and exactly what the source asks for.

#![expect(clippy::unwrap_used, reason = "what fails here fails a test")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use askd_core::words::{
    Arg, Language, say,
    vocabulary::{Word, alternatives},
};
use fluent_bundle::FluentResource;
use regex::Regex;

/// Texts of a language by file name.
fn catalogue(language: Language) -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("words")
        .join(language.tag());
    let files = files_below(&folder, "ftl");
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    files
        .iter()
        .map(|path| (name(path), fs::read_to_string(path).unwrap()))
        .collect()
}

/// Variables of each message of a file: a message begins at the start of a line and goes on to the next.
fn messages(text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let start = Regex::new(r"^([a-z][a-z0-9-]*) =").unwrap();
    let variable = Regex::new(r"\$([a-z]+)").unwrap();
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut current = String::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        if let Some(id) = start.captures(line) {
            id[1].clone_into(&mut current);
            assert!(!found.contains_key(&current), "twice: {current}");
            found.insert(current.clone(), BTreeSet::new());
        }
        for name in variable.captures_iter(line) {
            found
                .entry(current.clone())
                .or_default()
                .insert(name[1].to_owned());
        }
    }
    found
}

fn all_messages(language: Language) -> BTreeMap<String, BTreeSet<String>> {
    catalogue(language)
        .values()
        .flat_map(|text| messages(text))
        .collect()
}

fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_below(&path, extension));
        } else if path.extension().is_some_and(|it| it == extension) {
            found.push(path);
        }
    }
    found
}

/// Ids of sentences in string literals, in the source of every crate and of the web panel.
fn ids_in_source() -> BTreeMap<String, PathBuf> {
    let id =
        Regex::new(r#""((?:command|prompt|settled|hint|receipt|panel|word)-[a-z0-9-]*[a-z0-9])""#).unwrap();
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folders = fs::read_dir(crates)
        .unwrap()
        .map(|entry| entry.unwrap().path().join("src"));
    let files = folders
        .filter(|folder| folder.is_dir())
        .flat_map(|folder| files_below(&folder, "rs"))
        .chain(files_below(&crates.join("http/web/app"), "js"));
    let ids = files.flat_map(|path| {
        let text = fs::read_to_string(&path).unwrap();
        id.captures_iter(&text)
            .map(|found| (found[1].to_owned(), path.clone()))
            .collect::<Vec<_>>()
    });
    ids.collect()
}

#[test]
fn every_file_parses_and_no_message_is_in_two_files() {
    for language in Language::ALL {
        let mut seen = BTreeSet::new();
        for (name, text) in catalogue(language) {
            let faults = FluentResource::try_new(text.clone())
                .err()
                .map(|(_, faults)| faults);
            assert_eq!(faults, None, "{}/{name}", language.tag());
            for id in messages(&text).into_keys() {
                assert!(seen.insert(id.clone()), "{id} is twice in {}", language.tag());
            }
        }
    }
}

#[test]
fn every_language_has_the_same_messages_with_the_same_variables_in_the_same_files() {
    let english = catalogue(Language::English);
    for language in Language::ALL {
        let other = catalogue(language);
        assert_eq!(
            english.keys().collect::<Vec<_>>(),
            other.keys().collect::<Vec<_>>(),
            "{}",
            language.tag()
        );
        for (name, text) in &english {
            assert_eq!(
                messages(text),
                messages(&other[name]),
                "{}/{name}",
                language.tag()
            );
        }
    }
}

#[test]
fn every_sentence_the_source_names_exists() {
    let known = all_messages(Language::English);
    for (id, path) in ids_in_source() {
        assert!(known.contains_key(&id), "{id}, named in {}", path.display());
    }
}

#[test]
fn every_sentence_is_named_in_the_source() {
    let named = ids_in_source();
    for id in all_messages(Language::English).keys() {
        assert!(named.contains_key(id), "nobody says {id}");
    }
}

#[test]
fn a_sentence_that_names_a_button_names_it_as_the_button_does() {
    for language in Language::ALL {
        let button = say(language, "prompt-other", &[]);
        let sentence = say(language, "receipt-thread-buttons", &[]);
        assert!(sentence.contains(&button), "{button:?} in {sentence:?}");
    }
}

#[test]
fn what_fills_a_sentence_is_isolated_unless_it_is_all_of_it() {
    for language in Language::ALL {
        for (id, variables) in all_messages(language) {
            let values: Vec<(&str, String)> = variables
                .iter()
                .map(|name| (name.as_str(), format!("<{name}>")))
                .collect();
            let args: Vec<(&str, Arg<'_>)> = values
                .iter()
                .map(|(name, value)| (*name, Arg::Text(value)))
                .collect();
            let sentence = say(language, &id, &args);
            for (_, value) in &values {
                let isolated = format!("\u{2068}{value}\u{2069}");
                let bare = sentence.replace(&isolated, "");
                assert!(
                    !bare.contains(value) || bare == *value,
                    "{} in {}: {sentence}",
                    id,
                    language.tag()
                );
            }
        }
    }
}

#[test]
fn catalogues_hold_no_invisible_direction_marks_and_persian_is_spelled_as_persian() {
    for language in Language::ALL {
        for (name, text) in catalogue(language) {
            let sentences = text.lines().filter(|line| !line.starts_with('#'));
            for line in sentences {
                let marks = [
                    '\u{200e}', '\u{200f}', '\u{202a}', '\u{202b}', '\u{2066}', '\u{2067}', '\u{2068}',
                    '\u{2069}',
                ];
                assert!(!line.contains(marks), "{}/{name}: {line}", language.tag());
                // Arabic letters that look like Persian ones, and Arabic digits.
                let foreign = |c| matches!(c, 'ي' | 'ك' | 'ى' | '٠'..='٩');
                assert!(!line.contains(foreign), "{}/{name}: {line}", language.tag());
            }
        }
    }
}

#[test]
fn the_words_on_the_other_button_are_words_for_other_and_a_hint_names_the_button_by_them() {
    for language in Language::ALL {
        let button = say(language, "prompt-other", &[]);

        let typed = format!("{}: 5", button.trim_end_matches('…'));

        assert!(
            say(language, "receipt-thread-buttons", &[]).contains(&button),
            "{button}"
        );
        assert!(
            alternatives(Word::Other)
                .iter()
                .any(|word| typed.to_lowercase().starts_with(&format!("{word}:"))),
            "{typed}"
        );
    }
}

#[test]
fn persian_writes_the_ezafe_after_a_silent_he_in_one_way() {
    for (name, text) in catalogue(Language::Persian) {
        // What people may type has all spellings.
        let sentences = text
            .lines()
            .filter(|line| name != "vocabulary.ftl" && !line.starts_with('#'));
        for line in sentences {
            assert!(
                !line.contains("ه\u{200c}ی ") && !line.contains('ۀ'),
                "{name}: {line}"
            );
        }
    }
}
