//! Reading the answer to one question.
//!
//! The order matters, and is that of SPEC 4: exactly a label, skip, a label, a marker, yes or no, a slip, own words.
//! A multi-select question adds `all` and several parts.

use super::{
    OWN_WORDS,
    clean::{Folded, tidy, without_quotes, word_key},
    hint::Slip,
    known,
    multi::{Part, own_after_other, parts},
    options::Options,
};
use crate::answer::Answer;

/// What a text says to one question.
#[derive(Debug)]
pub(super) enum One {
    /// To decline. A question among several cannot be declined by itself.
    Skip,
    /// This.
    Answer(Answer),
}

impl One {
    fn choice(position: usize) -> Self {
        Self::Answer(Answer::choice(position))
    }
}

/// Reads `typed` as the answer to the question of `options`.
pub(super) fn read(typed: &str, options: &Options<'_>) -> Result<One, Slip> {
    let own = without_quotes(typed);
    if let Some(position) = options.exact(typed).or_else(|| options.exact(&own)) {
        return Ok(One::choice(position));
    }
    if own.chars().count() > OWN_WORDS {
        return Err(Slip::TooLong { limit: OWN_WORDS });
    }
    let reply = Folded::new(&own);
    let text = tidy(reply.text());
    if text.is_empty() {
        return Err(Slip::NothingLeft);
    }
    let label = options.label(text);
    let word = word_key(text);
    if label.is_none() && is_skip(&word) {
        return Ok(One::Skip);
    }
    if let Some(position) = label.or_else(|| options.marker(text)) {
        return Ok(One::choice(position));
    }
    if known::is_other(&word) {
        return Err(Slip::OwnWordsMissing);
    }
    if let Some(words) = own_after_other(reply.text()) {
        let words = reply.typed(reply.text().len() - words.len()..reply.text().len());
        return own_words(words, options).map(One::Answer);
    }
    if options.are_multi() && known::is_all(&word) {
        let all = (0..options.question().choices.len()).collect();
        return Answer::new(all, Vec::new())
            .map(One::Answer)
            .ok_or(Slip::NothingLeft);
    }
    if known::is_yes(&word) || known::is_no(&word) {
        let is_alike = if known::is_yes(&word) {
            known::is_yes
        } else {
            known::is_no
        };
        let named = options.word(is_alike);
        return named.map(One::choice).ok_or(Slip::YesOrNo {
            typed: own.into_owned(),
        });
    }
    let whole = Whole { own: &own, text };
    let parts = parts(&reply, options);
    if options.are_multi() {
        several_choices(&whole, parts, options)
    } else {
        one_choice(&whole, &parts, options)
    }
    .map(One::Answer)
}

/// Whether a word alone declines the ask: `/skip`, or a word for it.
pub(super) fn is_skip(word: &str) -> bool {
    is_skip_command(word) || known::is_skip(word)
}

/// Whether it is `/skip`.
pub(super) fn is_skip_command(word: &str) -> bool {
    word == "/skip"
}

/// Words that are said to be the person's own: a label only if exactly one.
pub(super) fn own_words(words: &str, options: &Options<'_>) -> Result<Answer, Slip> {
    if words.is_empty() {
        return Err(Slip::OwnWordsMissing);
    }
    Ok(options
        .exact(words)
        .map_or_else(|| Answer::own(words), Answer::choice))
}

/// The whole reply: as typed, without quote lines, and folded.
struct Whole<'t> {
    own: &'t str,
    text: &'t str,
}

impl Whole<'_> {
    fn as_own_words(&self, options: &Options<'_>) -> Result<Answer, Slip> {
        match options.label_elsewhere(self.text) {
            Some(question) => Err(Slip::OtherQuestion {
                typed: self.own.to_owned(),
                question,
            }),
            None => Ok(Answer::own(self.own)),
        }
    }
}

fn one_choice(whole: &Whole<'_>, parts: &[Part<'_>], options: &Options<'_>) -> Result<Answer, Slip> {
    let picks: usize = parts
        .iter()
        .map(|part| {
            if let Part::Options(picks) = part {
                picks.len()
            } else {
                0
            }
        })
        .sum();
    let are_all_options = parts.iter().all(|part| matches!(part, Part::Options(_)));
    // "1, 7": the second is no option, and the first alone was not meant.
    let are_all_meant = parts
        .iter()
        .all(|part| matches!(part, Part::Options(_) | Part::Slip(Slip::NoSuchOption { .. })));
    let is_list = parts.len() > 1 && picks > 0 && are_all_meant && !is_one_number(whole.text);
    if (picks > 1 && are_all_options) || is_list {
        return Err(Slip::SeveralChoices {
            typed: whole.own.to_owned(),
        });
    }
    match options.slip(whole.own, whole.text) {
        Some(slip) => Err(slip),
        None => whole.as_own_words(options),
    }
}

/// A number with a decimal comma or groups of thousands: "1,5", "1,000,000".
fn is_one_number(text: &str) -> bool {
    let groups: Vec<&str> = text.split([',', '،']).collect();
    let are_digits = groups
        .iter()
        .all(|group| !group.is_empty() && group.bytes().all(|b| b.is_ascii_digit()));
    let are_thousands = groups.iter().skip(1).all(|group| group.len() == 3);
    are_digits && (groups.len() == 2 || are_thousands)
}

fn several_choices(whole: &Whole<'_>, parts: Vec<Part<'_>>, options: &Options<'_>) -> Result<Answer, Slip> {
    let mut choices = Vec::new();
    let mut own: Vec<String> = Vec::new();
    let mut elsewhere = Vec::new();
    let mut has_said_own = false;
    for part in parts {
        match part {
            Part::Options(picks) => choices.extend(picks),
            Part::Slip(slip) => return Err(slip),
            Part::SaidOwn(words) => {
                has_said_own = true;
                match own_words(words, options)?.choices() {
                    [] => own.push(words.to_owned()),
                    picks => choices.extend(picks),
                }
            }
            Part::Own(words) => {
                let question = options.label_elsewhere(tidy(Folded::new(words).text()));
                elsewhere.push(question.map(|question| Slip::OtherQuestion {
                    typed: words.to_owned(),
                    question,
                }));
                if !own.iter().any(|word| word == words) {
                    own.push(words.to_owned());
                }
            }
        }
    }
    if choices.is_empty() && !has_said_own {
        // A sentence may happen to hold a label of another question between two commas; only a list of nothing but
        // such labels is plainly a slip.
        return match elsewhere
            .into_iter()
            .collect::<Option<Vec<Slip>>>()
            .and_then(|slips| slips.into_iter().next())
        {
            Some(slip) => Err(slip),
            None => whole.as_own_words(options),
        };
    }
    if let Some(slip) = elsewhere.into_iter().flatten().next() {
        return Err(slip);
    }
    Answer::new(choices, own).ok_or(Slip::NothingLeft)
}
