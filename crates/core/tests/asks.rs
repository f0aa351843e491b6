//! Asks to show, and ends for them.

#![expect(clippy::unwrap_used, reason = "what fails here fails a test")]

use askd_core::{
    answer::{Answer, Answers, Given},
    ask::{Ask, Choice, Header, Question, Questions, Session},
    id::{ActionToken, Address, AskId, ChannelName, PersonName, QuestionId, TokenName},
    present::Reader,
    stage::{End, How, Outcome, Pending, Responder, SettledBy, Stage},
    words::Language,
};
use jiff::{Timestamp, tz::TimeZone};

/// A question with options, each a label and a description that may be empty.
pub(crate) fn question(id: &str, header: &str, text: &str, options: &[(&str, &str)]) -> Question {
    let choice = |&(label, description): &(&str, &str)| Choice {
        label: label.to_owned(),
        description: (!description.is_empty()).then(|| description.to_owned()),
    };
    Question {
        id: QuestionId::new(id),
        header: Header::cut(header).0,
        text: text.to_owned(),
        choices: options.iter().map(choice).collect(),
        multi_select: false,
    }
}

pub(crate) fn multi(question: Question) -> Question {
    Question {
        multi_select: true,
        ..question
    }
}

/// Asked by "build-bot" at 14:15 UTC, open for a quarter of an hour.
pub(crate) fn ask(questions: Vec<Question>) -> Ask {
    Ask {
        id: AskId::parse("019ad7c0-0000-7000-8000-000000000000").unwrap(),
        owner: TokenName::new("build-bot"),
        agent: "build-bot".to_owned(),
        session: Some(Session {
            id: "s-1".to_owned(),
            title: Some("shop".to_owned()),
        }),
        run: None,
        context: None,
        questions: Questions::new(questions).unwrap(),
        action: ActionToken::parse("0123456789abcdef0123456789abcdef").unwrap(),
        answerers: vec![PersonName::new("Sara")],
        waits_for_panel: false,
        created_at: at("2026-12-01T14:15:00Z"),
        deadline: at("2026-12-01T14:30:00Z"),
        warnings: Vec::new(),
        stage: Stage::Pending(Pending::default()),
    }
}

pub(crate) fn at(instant: &str) -> Timestamp {
    instant.parse().unwrap()
}

pub(crate) fn target() -> Question {
    let options = [
        ("Staging (Recommended)", "safe, resets nightly"),
        ("Production", ""),
    ];
    question("deploy_target", "Target", "Where should this go?", &options)
}

pub(crate) fn alerts() -> Question {
    let options = [("Ops", ""), ("Developers", ""), ("Nobody", "only for rehearsals")];
    multi(question(
        "alerts",
        "Alerts",
        "Who should hear about it?",
        &options,
    ))
}

pub(crate) fn english() -> Reader {
    Reader {
        language: Language::English,
        time_zone: TimeZone::UTC,
    }
}

/// In Tehran, three and a half hours ahead of UTC.
pub(crate) fn persian() -> Reader {
    Reader {
        language: Language::Persian,
        time_zone: TimeZone::get("Asia/Tehran").unwrap(),
    }
}

/// A conversation on this channel.
pub(crate) fn place(channel: &str) -> Address {
    Address::new(ChannelName::new(channel), "7")
}

pub(crate) fn by_sara(channel: &str) -> SettledBy {
    SettledBy {
        who: Responder::Person(PersonName::new("Sara")),
        name: "Sara".to_owned(),
        at: place(channel),
        how: How::Tap,
    }
}

pub(crate) fn over(ask: &Ask, end: End) -> Ask {
    Ask {
        stage: Stage::Over(Outcome {
            end,
            at: at("2026-12-01T14:20:00Z"),
        }),
        ..ask.clone()
    }
}

/// Answered by Sara, each question where it says, the last of them on the last channel.
pub(crate) fn answered(ask: &Ask, answers: Vec<(Answer, &str)>) -> Ask {
    let by = by_sara(answers.last().unwrap().1);
    let given = ask.questions.iter().zip(answers);
    let answers: Answers = given
        .map(|(question, (answer, channel))| {
            (
                question.id.clone(),
                Given {
                    answer,
                    at: place(channel),
                },
            )
        })
        .collect();
    over(ask, End::Answered { answers, by })
}
