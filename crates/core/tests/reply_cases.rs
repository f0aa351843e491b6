//! Every sentence of SPEC 4 on reading replies, as typed texts and what becomes of them.
//!
//! An expectation is written as `render` writes a reading: labels and own words (in `“”`) separated by ` + `, `skip`,
//! or `!` and the name of a slip. For several questions each answer stands behind its question's id, and what has
//! no key behind `?`.

mod multi;
mod one;
mod several;

use askd_core::{
    answer::{Answer, Answers, Given},
    ask::{Choice, Header, Question, Questions},
    id::{Address, ChannelName, QuestionId},
    reply::{Asked, Hint, Reading, Slip, read},
};

const TARGETS: [&str; 3] = ["Staging (Recommended)", "Production", "Local only"];
const GROUPS: [&str; 4] = ["Ops", "Developers", "Red, green", "Q/A"];

pub(crate) fn question(id: &str, header: &str, labels: &[&str], multi_select: bool) -> Question {
    let choice = |label: &&str| Choice {
        label: (*label).to_owned(),
        description: None,
    };
    Question {
        id: QuestionId::new(id),
        header: Header::cut(header).0,
        text: "What should be done?".to_owned(),
        choices: labels.iter().map(choice).collect(),
        multi_select,
    }
}

pub(crate) fn ask(questions: Vec<Question>) -> Questions {
    Questions::new(questions).expect("one to four questions with distinct ids")
}

fn one(labels: &[&str]) -> Questions {
    ask(vec![question("target", "Target", labels, false)])
}

fn multi(labels: &[&str]) -> Questions {
    ask(vec![question("alerts", "Alerts", labels, true)])
}

fn slip_name(slip: &Slip) -> String {
    let debug = format!("{slip:?}");
    debug.split([' ', '{']).next().unwrap_or_default().to_owned()
}

fn render_answer(answer: &Answer, question: &Question) -> String {
    let own = answer.own_words().iter().map(|words| format!("“{words}”"));
    answer
        .labels(question)
        .map(str::to_owned)
        .chain(own)
        .collect::<Vec<_>>()
        .join(" + ")
}

fn render_hint(hint: &Hint) -> String {
    match hint {
        Hint::One(slip) => format!("!{}", slip_name(slip)),
        Hint::Unread => "!Unread".to_owned(),
        Hint::Several { slips, remains } => {
            let slips = slips.iter().map(|(id, slip)| format!("{id}!{}", slip_name(slip)));
            slips
                .chain(remains.iter().map(|text| format!("?{text}")))
                .collect::<Vec<_>>()
                .join(" | ")
        }
    }
}

pub(crate) fn render(reading: &Reading, questions: &Questions) -> String {
    match reading {
        Reading::Skip => "skip".to_owned(),
        Reading::Hint(hint) => render_hint(hint),
        Reading::Answers { answers, hint } => {
            let key = |id: &QuestionId| {
                if questions.len() == 1 {
                    String::new()
                } else {
                    format!("{id}=")
                }
            };
            let answers = answers.iter().map(|(id, answer)| {
                format!(
                    "{}{}",
                    key(id),
                    render_answer(
                        answer,
                        questions.get(id).expect("an answer to a question of the ask")
                    )
                )
            });
            answers
                .chain(hint.iter().map(render_hint))
                .collect::<Vec<_>>()
                .join(" | ")
        }
    }
}

pub(crate) fn read_after(text: &str, questions: &Questions, answered: &[&str]) -> Reading {
    let at = Address::new(ChannelName::new("test"), "1");
    let given = |id: &&str| {
        (
            QuestionId::new(*id),
            Given {
                answer: Answer::choice(0),
                at: at.clone(),
            },
        )
    };
    let answered: Answers = answered.iter().map(given).collect();
    read(
        text,
        &Asked {
            questions,
            answered: &answered,
        },
    )
}

/// Reads each text against `questions`, of which `answered` have an answer, and reports all that differ.
#[track_caller]
fn check_after(questions: &Questions, answered: &[&str], cases: &[(&str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .map(|(text, expected)| {
            (
                text,
                expected,
                render(&read_after(text, questions, answered), questions),
            )
        })
        .filter(|(_, expected, found)| found != *expected)
        .map(|(text, expected, found)| format!("{text:?}\n    expected {expected}\n    found    {found}"))
        .collect();
    assert!(
        wrong.is_empty(),
        "{} of {} cases:\n{}",
        wrong.len(),
        cases.len(),
        wrong.join("\n")
    );
}

#[track_caller]
fn check(questions: &Questions, cases: &[(&str, &str)]) {
    check_after(questions, &[], cases);
}
