//! The words people type, in every language with a catalogue.
//!
//! A reply may use any of them, whatever the reader's language: a Persian speaker types "skip" on an English
//! keyboard. So the lists of all languages are read together, and only what askd itself shows ([`shown`]) is in one
//! language. This module holds the lists and does not compare: how a typed word is cleaned up is the business of
//! [`reply`](crate::reply).

use super::{Language, say};

/// A meaning that a typed word can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// Declines the whole ask.
    Skip,
    /// Chooses every option.
    All,
    /// Stands between two options.
    And,
    /// Stands before the number or letter of an option.
    Option,
    /// Agrees.
    Yes,
    /// Disagrees.
    No,
    /// Stands before own words.
    Other,
    /// Stands at the end of a label, in brackets.
    Recommended,
}

impl Word {
    fn id(self) -> &'static str {
        match self {
            Self::Skip => "word-skip",
            Self::All => "word-all",
            Self::And => "word-and",
            Self::Option => "word-option",
            Self::Yes => "word-yes",
            Self::No => "word-no",
            Self::Other => "word-other",
            Self::Recommended => "word-recommended",
        }
    }
}

/// Every way to write `word`, in all languages, as the catalogues have it.
#[must_use]
pub fn alternatives(word: Word) -> Vec<String> {
    Language::ALL
        .into_iter()
        .flat_map(|language| of(language, word))
        .collect()
}

/// How askd itself writes `word` in `language`: "or skip".
#[must_use]
pub fn shown(word: Word, language: Language) -> String {
    of(language, word).into_iter().next().unwrap_or_default()
}

fn of(language: Language, word: Word) -> Vec<String> {
    let list = say(language, word.id(), &[]);
    list.split('|')
        .map(str::trim)
        .filter(|one| !one.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_known_in_every_language_and_no_alternative_is_blank() {
        use Word::{All, And, No, Option, Other, Recommended, Skip, Yes};

        for word in [Skip, All, And, Option, Yes, No, Other, Recommended] {
            for language in Language::ALL {
                let list = of(language, word);
                assert!(!list.is_empty(), "{word:?} in {language:?}");
                assert!(
                    list.iter().all(|one| !one.contains("word-")),
                    "{word:?} in {language:?}: {list:?}"
                );
            }
        }
    }

    #[test]
    fn what_is_shown_is_the_first_of_the_readers_language() {
        assert_eq!(shown(Word::Skip, Language::English), "skip");
        assert_eq!(shown(Word::Skip, Language::Persian), "رد");
    }
}
