//! Reading replies. An input is an ask, a line `==`, and what somebody typed.
//!
//! A line of the ask is a question: `id! header = label | label`, where `!` says that several may be chosen; what is not
//! there is made up. A question that has an answer already ends in ` ~`. A text with `⟲piece⟲` in it is read to see how the
//! time grows.

use askd_core::{
    answer::{Answer, Answers, Given},
    ask::{
        Question, Questions,
        validate::{Rules, validate},
    },
    id::{Address, ChannelName},
    present::{Reader, note},
    reply::{Asked, Here, Hint, OWN_WORDS, Reading, is_keyed, markers, read, read_own_words},
    words::Language,
};
use serde_json::{Value, json};

use crate::{growth::Repeated, profiles};

/// Longest text that is read for its time, in characters: more than any answer to three questions may have.
const LONG: usize = 40_000;

/// Reads it, and checks what holds for every reading.
pub(crate) fn check(input: &[u8]) {
    let input = String::from_utf8_lossy(input);
    let (asked, typed) = input.split_once("\n==\n").unwrap_or(("", &input));
    let Some((questions, answered)) = ask(asked) else {
        return;
    };
    let asked = Asked {
        questions: &questions,
        answered: &answered,
    };
    if let Some(repeated) = Repeated::of(typed) {
        for most in [OWN_WORDS, LONG] {
            repeated.is_read_in_linear_time(most, |text| {
                let _ = read(text, &asked);
                let _ = is_keyed(text, &asked);
                let _ = read_own_words(text, &questions.as_slice()[0]);
            });
        }
        return;
    }
    reading(typed, &asked);
    own_words(typed, &questions.as_slice()[0]);
    shown_markers_read_back(&asked);
}

fn reading(typed: &str, asked: &Asked<'_>) {
    let reading = read(typed, asked);
    assert_eq!(reading, read(typed, asked), "the same text reads the same");
    let questions = asked.questions;
    let hint = match &reading {
        Reading::Skip => None,
        Reading::Hint(hint) => Some(hint),
        Reading::Answers { answers, hint } => {
            assert!(!answers.is_empty());
            for (n, (id, answer)) in answers.iter().enumerate() {
                let question = questions.get(id).expect("a question of the ask");
                assert!(
                    answers[..n].iter().all(|(other, _)| other != id),
                    "each question once"
                );
                only_labels_and_what_was_typed(answer, question, typed);
            }
            hint.as_ref()
        }
    };
    if let Some(hint) = hint {
        fits_wherever_it_is_shown(hint, questions);
    }
}

fn only_labels_and_what_was_typed(answer: &Answer, question: &Question, typed: &str) {
    let values = answer.values(question);
    assert!(!values.is_empty());
    assert!(question.multi_select || values.len() == 1, "{values:?}");
    assert!(answer.choices().iter().all(|&n| n < question.choices.len()));
    assert!(answer.choices().is_sorted_by(|a, b| a < b));
    let unquoted: String = typed
        .split_inclusive('\n')
        .filter(|line| !line.trim_start().starts_with('>'))
        .collect();
    for words in answer.own_words() {
        assert!(
            typed.contains(words) || unquoted.contains(words),
            "{words:?} of {typed:?}"
        );
        assert!(words.trim() == words && !words.is_empty());
        assert!(words.chars().count() <= OWN_WORDS);
        let is_label = |label: &str| label == words;
        assert!(
            !question.choices.iter().any(|choice| is_label(&choice.label)),
            "{words:?} is a label"
        );
    }
}

fn own_words(typed: &str, question: &Question) {
    if let Ok(answer) = read_own_words(typed, question) {
        only_labels_and_what_was_typed(&answer, question, typed);
    }
}

fn fits_wherever_it_is_shown(hint: &Hint, questions: &Questions) {
    for language in Language::ALL {
        let reader = Reader {
            language,
            time_zone: jiff::tz::TimeZone::UTC,
        };
        for profile in profiles::all() {
            let has_buttons = profile.to.buttons.is_some();
            let sentence = hint.sentence(
                questions,
                Here {
                    language,
                    has_buttons,
                },
            );
            assert!(!sentence.trim().is_empty());
            for message in note(&sentence, &profile.to, &reader).messages {
                assert!(
                    message.length(&profile.to) <= profile.to.text.max,
                    "{}",
                    profile.name
                );
            }
        }
    }
}

fn shown_markers_read_back(asked: &Asked<'_>) {
    let Some(question) = asked.questions.only() else {
        return;
    };
    let markers = markers(question);
    for position in 0..markers.len() {
        let expected = Reading::Answers {
            answers: vec![(question.id.clone(), Answer::choice(position))],
            hint: None,
        };
        for language in Language::ALL {
            assert_eq!(read(&markers.shown(position, language), asked), expected);
        }
        assert_eq!(read(&question.choices[position].label, asked), expected);
    }
}

/// The ask and what was answered of it; `None` where it is not a valid one.
fn ask(text: &str) -> Option<(Questions, Answers)> {
    let lines: Vec<&str> = text.lines().take(4).collect();
    let questions: Vec<Value> = lines
        .iter()
        .enumerate()
        .map(|(n, line)| question(n, line))
        .collect();
    let body = if questions.is_empty() {
        json!({ "questions": [question(0, "")] })
    } else {
        json!({ "questions": questions })
    };
    let questions = validate(&body, &Rules { max_questions: 4 }).ok()?.questions;
    let at = Address::new(ChannelName::new("telegram"), "7");
    let has_answer = lines.iter().map(|line| line.ends_with(" ~"));
    let answered = questions.iter().zip(has_answer).filter(|(_, answered)| *answered);
    let answered = answered.map(|(question, _)| {
        let answer = Answer::choice(0);
        (
            question.id.clone(),
            Given {
                answer,
                at: at.clone(),
            },
        )
    });
    let answered = answered.collect();
    Some((questions, answered))
}

fn question(n: usize, line: &str) -> Value {
    const IDS: [&str; 4] = ["target", "alerts", "size", "note"];
    let line = line.strip_suffix(" ~").unwrap_or(line);
    let (head, labels) = line.split_once(" = ").unwrap_or(("", line));
    let (id, header) = head.split_once(' ').unwrap_or((head, ""));
    let multi_select = id.ends_with('!');
    let or = |text: &str, other: &str| {
        if text.is_empty() {
            other.to_owned()
        } else {
            text.to_owned()
        }
    };
    let id = or(id.trim_end_matches('!'), IDS[n]);
    let labels = or(labels, "Staging (Recommended) | Production");
    let options: Vec<Value> = labels
        .split(" | ")
        .map(|label| json!({ "label": label }))
        .collect();
    let header = or(header, &id);
    json!({ "id": id, "header": header, "question": "?", "options": options, "multiSelect": multi_select })
}
