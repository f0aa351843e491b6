//! Why a reply did not count, as data and as a sentence.
//!
//! A sentence says only what is true of the message it answers: how options are marked there, whether one can tap,
//! what to type instead. So a [`Hint`] holds what was wrong, and [`Hint::sentence`] is told the rest.

use unicode_segmentation::UnicodeSegmentation as _;

use super::marker::{Markers, markers};
use crate::{
    ask::{Question, Questions},
    id::QuestionId,
    words::{
        Arg, Language, say,
        vocabulary::{Word, shown},
    },
};

/// Why a reply, or a part of it, did not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// The whole text, or the answer to the only question.
    One(Slip),
    /// Parts of a reply to several questions.
    Several {
        /// By question, in declared order.
        slips: Vec<(QuestionId, Slip)>,
        /// Parts that belong to no question, as typed.
        remains: Vec<String>,
    },
    /// A reply to several questions of which nothing says which question it answers.
    Unread,
}

/// Why a text is no answer to a question. `typed` is what the person wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slip {
    /// A number or letter that no option has.
    NoSuchOption {
        /// "5"
        typed: String,
    },
    /// A range that runs backwards or beyond the options.
    NoSuchRange {
        /// "3-1"
        typed: String,
    },
    /// Several picks on a single choice.
    SeveralChoices {
        /// "1, 2"
        typed: String,
    },
    /// A marker, then the label of another option.
    OtherLabel {
        /// "1 Production"
        typed: String,
    },
    /// Yes, no or ok, where no option, or more than one, says so.
    YesOrNo {
        /// "ok"
        typed: String,
    },
    /// A label of another question.
    OtherQuestion {
        /// "Ops"
        typed: String,
        /// Whose label it is.
        question: QuestionId,
    },
    /// The word for skipping, where it could only skip a part.
    SkipPart,
    /// `other:` with nothing after it.
    OwnWordsMissing,
    /// Nothing but blanks, quotes or emphasis.
    NothingLeft,
    /// Own words that are too long.
    TooLong {
        /// The longest that counts, in characters.
        limit: usize,
    },
}

/// For whom a hint is put into words, and where.
#[derive(Clone, Copy, Debug)]
pub struct Here {
    /// The reader's language.
    pub language: Language,
    /// Whether the prompt has a button for each option.
    pub has_buttons: bool,
}

impl Hint {
    /// The hint as it is shown: plain text; several lines where several things are named.
    #[must_use]
    pub fn sentence(&self, questions: &Questions, here: Here) -> String {
        match self {
            Self::One(slip) => match questions.only() {
                Some(question) => for_the_only_question(slip, question, here),
                None => slip.sentence(None, questions, here.language),
            },
            Self::Several { slips, remains } => for_several(slips, remains, questions, here.language),
            Self::Unread => with_example(&[], questions, here.language),
        }
    }
}

fn for_the_only_question(slip: &Slip, question: &Question, here: Here) -> String {
    let Here {
        language,
        has_buttons,
    } = here;
    let about = slip_sentence(slip, Some(question), None, language);
    let mut sentences = vec![about];
    if !matches!(
        slip,
        Slip::OwnWordsMissing | Slip::TooLong { .. } | Slip::SkipPart
    ) {
        sentences.push(say(language, how_to_reply(question), &[]));
        if has_buttons {
            sentences.push(say(language, "hint-or-tap", &[]));
        }
    }
    sentences.extend(
        slip.typed()
            .and_then(|typed| or_in_own_words(typed, None, language)),
    );
    sentences.join(" ")
}

fn how_to_reply(question: &Question) -> &'static str {
    match (markers(question).are_numbers(), question.multi_select) {
        (true, false) => "hint-reply-number",
        (false, false) => "hint-reply-letter",
        (true, true) => "hint-reply-numbers",
        (false, true) => "hint-reply-letters",
    }
}

fn for_several(
    slips: &[(QuestionId, Slip)],
    remains: &[String],
    questions: &Questions,
    language: Language,
) -> String {
    let mut lines = Vec::new();
    let mut about = Vec::new();
    for (id, slip) in slips {
        let Some(n) = questions.iter().position(|question| question.id == *id) else {
            continue;
        };
        about.push(n);
        let number = language.number(n + 1);
        let question = &questions.as_slice()[n];
        let mut sentence = slip.sentence(Some(question), questions, language);
        if let Some(own) = slip
            .typed()
            .and_then(|typed| or_in_own_words(typed, Some(n), language))
        {
            sentence = format!("{sentence} {own}");
        }
        let header = Arg::Text(question.header.as_str());
        lines.push(say(
            language,
            "hint-of-question",
            &[
                ("number", Arg::Text(&number)),
                ("header", header),
                ("hint", Arg::Text(&sentence)),
            ],
        ));
    }
    lines.extend(
        remains
            .iter()
            .map(|text| say(language, "hint-remains", &[("text", Arg::Text(&echo(text)))])),
    );
    lines.push(with_example(&about, questions, language));
    lines.join("\n")
}

fn with_example(about: &[usize], questions: &Questions, language: Language) -> String {
    let example = example_of(about, questions, language);
    say(language, "hint-example", &[("example", Arg::Text(&example))])
}

/// How to answer several questions in one reply, in the markers of this ask: "1: 2; 2: 1, 2". It reads back as what
/// it shows. In a language written right to left it begins with a mark (U+200F) that keeps question before option.
#[must_use]
pub fn example(questions: &Questions, language: Language) -> String {
    example_of(&[], questions, language)
}

fn example_of(about: &[usize], questions: &Questions, language: Language) -> String {
    let (mark, semicolon, comma) = if language.is_rtl() {
        ("\u{200F}", "؛ ", "، ")
    } else {
        ("", "; ", ", ")
    };
    let one = |(n, question): (usize, &Question)| {
        let markers = markers(question);
        let first = if question.multi_select {
            markers.shown(0, language) + comma
        } else {
            String::new()
        };
        let second = markers.shown(1, language);
        format!("{}: {first}{second}", language.number(n + 1))
    };
    let wanted = questions
        .iter()
        .enumerate()
        .filter(|(n, _)| about.is_empty() || about.contains(n));
    let answers: Vec<String> = wanted.map(one).collect();
    format!("{mark}{}", answers.join(semicolon))
}

/// What to type so that `typed` counts as own words; for the question at `position` of several.
fn or_in_own_words(typed: &str, position: Option<usize>, language: Language) -> Option<String> {
    // A text that would have to be cut is no example of what to type.
    if echo(typed) != typed {
        return None;
    }
    let mark = if language.is_rtl() { "\u{200F}" } else { "" };
    let key = position.map_or_else(String::new, |n| format!("{}: ", language.number(n + 1)));
    let example = format!("{mark}{key}{}: {typed}", shown(Word::Other, language));
    Some(say(
        language,
        "hint-own-words",
        &[("example", Arg::Text(&example))],
    ))
}

/// Longest piece of a person's text in a hint. Unit: grapheme clusters.
const ECHO: usize = 40;

/// The same in characters, because a cluster has no end. Forty flags have half of it.
const ECHO_CHARACTERS: usize = 160;

/// `text` on one line, cut so that a hint stays short.
fn echo(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default().trim_end();
    let most = line.char_indices().nth(ECHO_CHARACTERS).map(|(at, _)| at);
    let clusters = line[..most.unwrap_or(line.len())]
        .grapheme_indices(true)
        .nth(ECHO);
    match clusters.map(|(at, _)| at).or(most) {
        Some(at) => format!("{}…", line[..at].trim_end()),
        None if line.len() < text.len() => format!("{line}…"),
        None => line.to_owned(),
    }
}

impl Slip {
    fn typed(&self) -> Option<&str> {
        match self {
            Self::NoSuchOption { typed }
            | Self::NoSuchRange { typed }
            | Self::SeveralChoices { typed }
            | Self::OtherLabel { typed }
            | Self::YesOrNo { typed }
            | Self::OtherQuestion { typed, .. } => Some(typed),
            Self::SkipPart | Self::OwnWordsMissing | Self::NothingLeft | Self::TooLong { .. } => None,
        }
    }

    fn sentence(&self, question: Option<&Question>, questions: &Questions, language: Language) -> String {
        let header = match self {
            Self::OtherQuestion { question, .. } => questions.get(question).map(|q| q.header.as_str()),
            _ => None,
        };
        slip_sentence(self, question, header, language)
    }
}

fn slip_sentence(
    slip: &Slip,
    question: Option<&Question>,
    header: Option<&str>,
    language: Language,
) -> String {
    let typed = slip.typed().map(echo).unwrap_or_default();
    let typed = ("typed", Arg::Text(&typed));
    let markers = question.map(markers);
    let shown_at = |position: fn(Markers) -> usize| {
        markers
            .map(|m| m.shown(position(m), language))
            .unwrap_or_default()
    };
    let (first, last) = (shown_at(|_| 0), shown_at(|m| m.len() - 1));
    let (first, last) = (("first", Arg::Text(&first)), ("last", Arg::Text(&last)));
    match slip {
        Slip::NoSuchOption { .. } => say(language, "hint-no-such-option", &[typed, first, last]),
        Slip::NoSuchRange { .. } => say(language, "hint-no-such-range", &[typed, first, last]),
        Slip::SeveralChoices { .. } => say(language, "hint-several-choices", &[]),
        Slip::OtherLabel { .. } => say(language, "hint-other-label", &[typed]),
        Slip::YesOrNo { .. } => say(language, "hint-yes-or-no", &[typed]),
        Slip::OtherQuestion { .. } => say(
            language,
            "hint-other-question",
            &[typed, ("header", Arg::Text(header.unwrap_or_default()))],
        ),
        Slip::SkipPart => {
            let word = shown(Word::Skip, language);
            say(language, "hint-skip-part", &[("skip", Arg::Text(&word))])
        }
        Slip::OwnWordsMissing => {
            let word = shown(Word::Other, language);
            say(language, "hint-own-words-missing", &[("other", Arg::Text(&word))])
        }
        Slip::NothingLeft => say(language, "hint-nothing-left", &[]),
        Slip::TooLong { limit } => say(language, "hint-too-long", &[("limit", Arg::Count(*limit))]),
    }
}
