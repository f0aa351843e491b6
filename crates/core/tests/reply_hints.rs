//! What a hint says, word for word: only what is true of the message it answers.

use askd_core::{
    ask::Questions,
    reply::{Here, Reading},
    words::Language,
};

use crate::reply_cases::{ask, question, read_after};

/// The hint for `typed`, without the bidi controls around what was filled in.
fn hint(questions: &Questions, typed: &str, language: Language, has_buttons: bool) -> String {
    let hint = match read_after(typed, questions, &[]) {
        Reading::Hint(hint) | Reading::Answers { hint: Some(hint), .. } => hint,
        reading => panic!("{typed:?} is read as {reading:?}"),
    };
    let sentence = hint.sentence(
        questions,
        Here {
            language,
            has_buttons,
        },
    );
    sentence.replace(['\u{2068}', '\u{2069}', '\u{200F}'], "")
}

fn english(questions: &Questions, typed: &str) -> String {
    hint(questions, typed, Language::English, false)
}

#[test]
fn a_hint_says_what_was_wrong_and_what_to_do_instead() {
    let targets = ask(vec![question(
        "target",
        "Target",
        &["Staging", "Production", "None"],
        false,
    )]);
    let alerts = ask(vec![question("alerts", "Alerts", &["Ops", "Developers"], true)]);
    let replicas = ask(vec![question(
        "size",
        "Size",
        &["3 replicas", "5 replicas"],
        false,
    )]);
    let days = ask(vec![question("days", "Days", &["3 days", "5 days"], true)]);
    for (questions, typed, expected) in [
        (
            &targets,
            "5",
            "There is no option “5”: the options run from 1 to 3. Reply with a number or a label. If these are your \
             own words, write “other: 5”.",
        ),
        (
            &targets,
            "1, 2",
            "Only one option can be chosen here. Reply with a number or a label. If these are your own words, write \
             “other: 1, 2”.",
        ),
        (
            &targets,
            "ok",
            "“ok” does not say which option you mean. Reply with a number or a label. If these are your own words, \
             write “other: ok”.",
        ),
        (
            &targets,
            "1 Production",
            "“1 Production” names two different options. Reply with a number or a label. If these are your own words, \
             write “other: 1 Production”.",
        ),
        (
            &targets,
            "",
            "There was no answer in your message. Reply with a number or a label.",
        ),
        (&targets, "other:", "Write your own words after “other:”."),
        (
            &alerts,
            "3-1",
            "“3-1” is not a range of the options: they run from 1 to 2. Reply with one or more numbers or labels. If \
             these are your own words, write “other: 3-1”.",
        ),
        (
            &alerts,
            "1, skip",
            "“skip” declines everything, so it must stand alone.",
        ),
        (
            &replicas,
            "C",
            "There is no option “C”: the options run from A to B. Reply with a letter or a label. If these are your \
             own words, write “other: C”.",
        ),
        (
            &days,
            "",
            "There was no answer in your message. Reply with one or more letters or labels.",
        ),
    ] {
        assert_eq!(english(questions, typed), expected, "{typed:?}");
    }
    assert_eq!(
        english(&targets, &"x".repeat(4001)),
        "An answer can have at most 4000 characters."
    );
}

#[test]
fn tapping_is_spoken_of_only_where_there_are_buttons() {
    let questions = ask(vec![question(
        "target",
        "Target",
        &["Staging", "Production"],
        false,
    )]);
    for (language, tap) in [(Language::English, "tap"), (Language::Persian, "دکمه")] {
        for typed in ["5", "1 2", "", "ok"] {
            assert!(
                hint(&questions, typed, language, true).contains(tap),
                "{typed:?} in {language:?}"
            );
            assert!(
                !hint(&questions, typed, language, false).contains(tap),
                "{typed:?} in {language:?}"
            );
        }
    }
}

#[test]
fn a_hint_is_in_the_readers_language_and_digits() {
    let questions = ask(vec![question(
        "target",
        "Target",
        &["Staging", "Production"],
        false,
    )]);

    assert_eq!(
        hint(&questions, "۵", Language::Persian, false),
        "گزینهٔ «۵» وجود ندارد؛ گزینه‌ها از ۱ تا ۲ هستند. با یک شماره یا متن یک گزینه پاسخ دهید. اگر پاسخ خودتان همین است، \
         بنویسید «پاسخ دیگر: ۵»."
    );
}

#[test]
fn a_hint_on_several_questions_names_each_slip_and_what_was_not_understood() {
    let questions = ask(vec![
        question("target", "Target", &["Staging", "Production"], false),
        question("alerts", "Alerts", &["Ops", "Developers"], true),
    ]);
    for (typed, expected) in [
        (
            "1: 7; 2: 1",
            "1. Target: There is no option “7”: the options run from 1 to 2. If these are your own words, write “1: \
             other: 7”.\n\
             Begin each answer with the number of its question, like this: 1: 2",
        ),
        (
            "2: staging\nhello",
            "2. Alerts: “staging” is an option of “Target”. If these are your own words, write “2: other: staging”.\n\
             Not understood: “hello”.\n\
             Begin each answer with the number of its question, like this: 2: 1, 2",
        ),
        (
            "2: skip",
            "2. Alerts: “skip” declines everything, so it must stand alone.\n\
             Begin each answer with the number of its question, like this: 2: 1, 2",
        ),
        (
            "hello",
            "Begin each answer with the number of its question, like this: 1: 2; 2: 1, 2",
        ),
    ] {
        assert_eq!(english(&questions, typed), expected, "{typed:?}");
    }
}

#[test]
fn what_a_hint_says_to_type_is_read_as_it_says() {
    let questions = ask(vec![
        question("target", "Target", &["Staging", "Production"], false),
        question("alerts", "Alerts", &["Ops", "Developers"], true),
    ]);
    for language in Language::ALL {
        let Reading::Hint(hint) = read_after("1: 7", &questions, &[]) else {
            panic!("a hint")
        };
        let sentence = hint.sentence(
            &questions,
            Here {
                language,
                has_buttons: false,
            },
        );
        // As a person copies it, bidi controls and all.
        let quoted = sentence
            .lines()
            .next()
            .and_then(|line| line.rsplit(['“', '«']).next())
            .expect("an example");
        let typed = quoted.split(['”', '»']).next().expect("an example");

        assert!(
            matches!(
                read_after(typed, &questions, &[]),
                Reading::Answers { hint: None, .. }
            ),
            "{typed:?}"
        );
    }
}

#[test]
fn a_long_text_is_cut_in_a_hint_and_never_offered_as_own_words() {
    let questions = ask(vec![question(
        "target",
        "Target",
        &["Staging", "Production"],
        false,
    )]);

    let hint = english(&questions, &"9".repeat(200));

    assert!(hint.contains(&format!("“{}…”", "9".repeat(40))), "{hint}");
    assert!(!hint.contains("other:"), "{hint}");
}
