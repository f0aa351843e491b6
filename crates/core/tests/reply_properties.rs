//! What holds for every text and every valid question.

use askd_core::{
    answer::Answer,
    ask::{
        Question, Questions,
        validate::{Rules, validate},
    },
    reply::{Here, Hint, Reading, example, markers, read_own_words},
    words::Language,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::reply_cases::{read_after, render};

/// Labels that look like something else, and any others.
fn label() -> impl Strategy<Value = String> {
    let odd = prop::sample::select(vec![
        "skip",
        "/skip",
        "all",
        "Yes",
        "no",
        "ok",
        "and",
        "1",
        "2",
        "3",
        "4",
        "3 replicas",
        "1 GB",
        "2.5",
        "-1",
        "½",
        "۳ نسخه",
        "A",
        "b.",
        "(c)",
        "#2",
        "Option 3",
        "p",
        "W",
        "1, 2",
        "A and B",
        "a/b",
        "C++",
        "> x",
        "2: 1",
        "12:30",
        "Q2",
        "https://example.org/?a=1;b",
        "*",
        "...",
        "Staging (Recommended)",
        "(Recommended)",
        "می‌خواهم",
        "- x",
        "other: x",
        "“quoted”",
        "1-3",
        "🔟",
        "①",
        "first, second",
        "red; green",
        "👍",
        "target",
        "target: x",
        "!2",
        "2!",
    ]);
    prop_oneof![3 => odd.prop_map(str::to_owned), 2 => "\\PC{1,16}", 1 => "[a-e0-4 ,;:.#()-]{1,8}"]
}

fn question_json(id: &str) -> impl Strategy<Value = Value> + use<> {
    let id = id.to_owned();
    (prop::collection::vec(label(), 2..5), any::<bool>(), "\\PC{1,12}").prop_map(
        move |(labels, multi, header)| {
            let options: Vec<Value> = labels.iter().map(|label| json!({ "label": label })).collect();
            json!({ "id": id, "header": header, "question": "?", "options": options, "multiSelect": multi })
        },
    )
}

fn valid(questions: &[Value]) -> Option<Questions> {
    validate(&json!({ "questions": questions }), &Rules::default())
        .ok()
        .map(|draft| draft.questions)
}

fn one() -> impl Strategy<Value = Questions> {
    question_json("target").prop_filter_map("not valid", |question| valid(&[question]))
}

fn some() -> impl Strategy<Value = Questions> {
    let three = (
        question_json("target"),
        question_json("alerts"),
        question_json("size"),
        1..4_usize,
    );
    three.prop_filter_map("not valid", |(a, b, c, count)| valid(&[a, b, c][..count]))
}

/// Texts made of what the reader looks for.
fn reply() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "1", "2", "3", "a", "B", "۲", "2️⃣", "skip", "/skip", "all", "and", "و", "other:", "yes", "👍", ",",
        ";", "،", "؛", "\n", "\r\n", " ", "\t", "-", "–", "•", "*", "_", "`", "“", "”", "> ", ":", "=", ".",
        ")", "(", "#", "/", "+", "&", "Q1", "Q2 ", "target", "alerts", "size", "option ", "no.", "1-3",
        "12:30", "https://", "x", "why not", "\u{200B}", "\u{202E}", "é",
    ]);
    prop_oneof![4 => prop::collection::vec(piece, 0..14).prop_map(|p| p.concat()), 1 => "\\PC{0,40}", 1 => any::<String>()]
}

fn question(questions: &Questions) -> &Question {
    &questions.as_slice()[0]
}

fn answers(answer: Answer, questions: &Questions) -> Reading {
    Reading::Answers {
        answers: vec![(question(questions).id.clone(), answer)],
        hint: None,
    }
}

proptest! {
    #[test]
    fn any_text_is_read_and_any_hint_is_a_sentence(questions in some(), text in reply(), answered in any::<bool>()) {
        let answered: &[&str] = if answered { &["target"] } else { &[] };
        let reading = read_after(&text, &questions, answered);

        if let Reading::Answers { answers, .. } = &reading {
            prop_assert!(!answers.is_empty());
            for (n, (id, answer)) in answers.iter().enumerate() {
                let question = questions.get(id).expect("a question of the ask");
                prop_assert!(answers[..n].iter().all(|(other, _)| other != id), "each question once");
                prop_assert!(question.multi_select || answer.values(question).len() == 1, "{}", render(&reading, &questions));
            }
        }
        if let Reading::Hint(hint) | Reading::Answers { hint: Some(hint), .. } = &reading {
            for language in Language::ALL {
                for has_buttons in [true, false] {
                    let sentence = hint.sentence(&questions, Here { language, has_buttons });
                    prop_assert!(!sentence.is_empty() && !sentence.contains("hint-"), "{sentence}");
                }
            }
        }
    }

    #[test]
    fn own_words_are_a_part_of_what_was_typed(questions in some(), text in reply()) {
        let reading = read_after(&text, &questions, &[]);

        if let Reading::Answers { answers, .. } = &reading {
            let unquoted: String = text.split_inclusive('\n').filter(|l| !l.trim_start().starts_with('>')).collect();
            for words in answers.iter().flat_map(|(_, answer)| answer.own_words()) {
                prop_assert!(text.contains(words) || unquoted.contains(words), "{words:?} in {text:?}");
                prop_assert_eq!(words.trim(), words);
            }
        }
    }

    #[test]
    fn a_shown_marker_reads_back_as_its_option(questions in one()) {
        let markers = markers(question(&questions));
        for position in 0..markers.len() {
            for language in Language::ALL {
                let shown = markers.shown(position, language);
                for typed in [shown.clone(), format!("{shown}."), format!("({shown})"), format!("#{shown}"), shown.to_lowercase()] {
                    prop_assert_eq!(
                        read_after(&typed, &questions, &[]), answers(Answer::choice(position), &questions),
                        "{} of {:?}", typed, question(&questions).choices
                    );
                }
            }
        }
    }

    #[test]
    fn a_label_reads_back_as_its_option(questions in one()) {
        for (position, choice) in question(&questions).choices.iter().enumerate() {
            for typed in [choice.label.clone(), format!("  {}\n", choice.label)] {
                prop_assert_eq!(read_after(&typed, &questions, &[]), answers(Answer::choice(position), &questions), "{}", typed);
            }
            prop_assert_eq!(read_own_words(&choice.label, question(&questions)), Ok(Answer::choice(position)));
        }
    }

    #[test]
    fn a_shown_marker_with_its_key_reads_back_among_several(questions in some()) {
        for (n, asked) in questions.iter().enumerate().filter(|_| questions.len() > 1) {
            // A header that is a number of another question takes that number away; ids are always free.
            let ids_are_free = questions.iter().all(|q| !q.header.as_str().to_lowercase().contains(asked.id.as_str()));
            for position in (0..asked.choices.len()).filter(|_| ids_are_free) {
                let typed = format!("{}: {}", asked.id, markers(asked).shown(position, Language::Persian));
                let expected = Reading::Answers { answers: vec![(asked.id.clone(), Answer::choice(position))], hint: None };
                prop_assert_eq!(read_after(&typed, &questions, &[]), expected, "{} {}", n, typed);
            }
        }
    }

    #[test]
    fn words_that_are_nothing_else_come_back_verbatim(questions in one(), words in "zz[ x!?é\u{200C}*_\"]{0,30}zz", padding in "[ \n\t]{0,3}") {
        let typed = format!("{padding}{words}{padding}");
        let is_label = question(&questions).choices.iter().any(|choice| choice.label.contains("zz"));
        prop_assume!(!is_label);

        prop_assert_eq!(read_after(&typed, &questions, &[]), answers(Answer::own(words.as_str()), &questions));
        prop_assert_eq!(read_own_words(&typed, question(&questions)), Ok(Answer::own(words.as_str())));
    }
}

#[test]
fn the_example_of_a_hint_reads_back_as_what_it_shows() {
    let asked = |labels: [&str; 2], id: &str, multi: bool| {
        let options = labels.map(|label| json!({ "label": label }));
        json!({ "id": id, "header": id, "question": "?", "options": options, "multiSelect": multi })
    };
    let questions = valid(&[
        asked(["Staging", "Production"], "target", false),
        asked(["Ops", "Developers"], "alerts", true),
        asked(["3 replicas", "5 replicas"], "size", false),
    ])
    .expect("a valid ask");

    for language in Language::ALL {
        let reading = read_after(&example(&questions, language), &questions, &[]);
        assert_eq!(
            render(&reading, &questions),
            "target=Production | alerts=Ops + Developers | size=5 replicas",
            "{language:?}"
        );
    }
    assert_eq!(example(&questions, Language::English), "1: 2; 2: 1, 2; 3: B");
}

#[test]
fn long_and_hostile_texts_are_read_in_bounded_time() {
    let option = |label: String| json!({ "label": label });
    let labels = [
        option(",".repeat(200)),
        option("a,".repeat(100)),
        option("/".repeat(200)),
        option("x".to_owned()),
    ];
    let asked =
        |id: &str| json!({ "id": id, "header": id, "question": "?", "options": labels, "multiSelect": true });
    let single = valid(&[asked("target")]).expect("a valid ask");
    let several = valid(&[asked("target"), asked("alerts"), asked("size")]).expect("a valid ask");

    for piece in [
        ",", "a,", "/", "1 ", "1:", "target:", "\n", "1\n", "- ", "> ", "\"", "ﷺ", "other", "and ", "x-",
        "(", "0", "\u{200B}",
    ] {
        for length in [4_000, 12_000, 100_000] {
            let text = piece.repeat(length / piece.chars().count());
            for questions in [&single, &several] {
                let reading = read_after(&text, questions, &[]);
                let is_too_long = length == 100_000 && !text.trim().is_empty();
                assert!(
                    !is_too_long || matches!(reading, Reading::Hint(Hint::One(_))),
                    "{piece:?} {length}"
                );
            }
        }
    }
}
