//! The vocabulary as replies are compared with it: cleaned up once, in all languages together.

use std::sync::LazyLock;

use super::clean::{folded, word_key};
use crate::words::vocabulary::{Word, alternatives};

type List = LazyLock<Vec<String>>;

static SKIP: List = List::new(|| keys(Word::Skip));
static ALL: List = List::new(|| keys(Word::All));
static AND: List = List::new(|| keys(Word::And));
static OPTION: List = List::new(option_words);
static YES: List = List::new(|| keys(Word::Yes));
static NO: List = List::new(|| keys(Word::No));
static OTHER: List = List::new(|| keys(Word::Other));
static RECOMMENDED: List = List::new(|| keys(Word::Recommended));

fn keys(word: Word) -> Vec<String> {
    alternatives(word)
        .iter()
        .map(|one| word_key(&folded(one)))
        .collect()
}

/// Longest first, so that what follows the word is not taken for its ending; with their dots ("no."), because
/// "no" alone is another word.
fn option_words() -> Vec<String> {
    let mut words: Vec<String> = alternatives(Word::Option).iter().map(|one| folded(one)).collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    words
}

fn has(list: &[String], key: &str) -> bool {
    list.iter().any(|word| word == key)
}

/// Whether a [`word_key`] is a word for declining the ask.
pub(super) fn is_skip(key: &str) -> bool {
    has(&SKIP, key)
}

/// Whether it is a word for all options.
pub(super) fn is_all(key: &str) -> bool {
    has(&ALL, key)
}

/// Whether it is a word for "and".
pub(super) fn is_and(key: &str) -> bool {
    has(&AND, key)
}

/// Whether it is a word of agreement.
pub(super) fn is_yes(key: &str) -> bool {
    has(&YES, key)
}

/// Whether it is a word of disagreement.
pub(super) fn is_no(key: &str) -> bool {
    has(&NO, key)
}

/// Whether it is the word that stands before own words. No option may be called so.
pub(crate) fn is_other(key: &str) -> bool {
    has(&OTHER, key)
}

/// Words that may stand before a marker, folded, longest first.
pub(super) fn option_words_longest_first() -> &'static [String] {
    &OPTION
}

/// Endings of a label that do not count when labels are compared, as [`word_key`]s.
pub(super) fn recommended() -> &'static [String] {
    &RECOMMENDED
}
