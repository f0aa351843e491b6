//! Every ask, everywhere: what is planned fits, tells everything, and lets everything be answered.
//!
//! Asks are as long and as odd as SPEC 1 allows (built here, past the validation, so that they are odd on purpose);
//! profiles are those of `profiles`.

use askd_core::{
    answer::{Answer, Answers, Given},
    ask::{Ask, Choice, Header, Question, Session},
    id::{Address, QuestionId},
    present::{
        Capabilities, Controls, Gesture, Message, Payload, Presentation, Reader, Style, follow_up, neutral,
        note, outcome_line, plan, settled, summary_text,
    },
    reply::{Asked, Reading, markers, read},
    stage::{End, Unreached},
    words::Language,
};
use proptest::{collection::vec, option, prelude::*};

use crate::{
    asks::{answered, ask, by_sara, english, multi, over, persian, place, question},
    profiles,
};

/// Pieces of text that break what is careless.
const ODD: [&str; 34] = [
    " ",
    "\n",
    "\n\n",
    "\u{2028}",
    "\u{a0}",
    "word ",
    "two words ",
    "1. ",
    "2",
    "۲",
    "skip",
    "/skip",
    "(2/3)",
    "&",
    "<!channel>",
    "@everyone",
    "**bold**",
    "`code`",
    "[a](https://example.org)",
    "👩‍👩‍👧‍👦",
    "🇮🇷",
    "👍🏽",
    "e\u{301}\u{302}\u{303}",
    "سلام ",
    "می‌شود",
    "שלום",
    "\u{2067}",
    "\u{2069}",
    "\u{2069}\u{2069}",
    "\u{202e}",
    "\u{202c}",
    "\u{200f}",
    "\u{fdd0}",
    "漢字",
];

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => prop::sample::select(ODD.as_slice()).prop_map(str::to_owned),
        3 => "[a-z]{1,12} ",
        1 => "[a-z]{40}",
        2 => any::<char>().prop_filter("control characters are refused", |c| !c.is_control()).prop_map(String::from),
    ]
}

/// A text of at most `most` scalars, trimmed and not blank; mostly short, now and then as long as can be.
fn text(most: usize) -> impl Strategy<Value = String> {
    let length = prop_oneof![6 => 1..=most.min(40), 2 => 1..=most, 1 => Just(most)];
    (vec(piece(), 1..12), length).prop_map(|(pieces, length)| {
        let text: String = pieces.concat().chars().cycle().take(length).collect();
        let text = text.trim();
        if text.is_empty() {
            "x".to_owned()
        } else {
            text.to_owned()
        }
    })
}

fn line(most: usize) -> impl Strategy<Value = String> {
    text(most)
        .prop_map(|text| {
            text.replace(['\n', '\u{2028}', '\u{2029}'], " ")
                .trim()
                .to_owned()
        })
        .prop_filter("not blank", |line| !line.is_empty())
}

fn a_question() -> impl Strategy<Value = Question> {
    let choice = (line(200), option::of(text(1000)));
    (line(40), text(2000), vec(choice, 2..=4), any::<bool>()).prop_map(
        |(header, text, choices, multi_select)| {
            let choices = choices
                .into_iter()
                .enumerate()
                .map(|(n, (label, description))| Choice {
                    // Distinct, as the validation demands.
                    label: format!(
                        "{}{}",
                        label.chars().take(199).collect::<String>(),
                        ["α", "β", "γ", "δ"][n]
                    ),
                    description,
                });
            Question {
                id: QuestionId::new("to_be_numbered"),
                // Not another question's number: such a header is no key, and then nor is the number.
                header: Header::cut(&format!("h{header}")).0,
                text,
                choices: choices.collect(),
                multi_select,
            }
        },
    )
}

fn an_ask() -> impl Strategy<Value = Ask> {
    let context = option::of(text(4000));
    (vec(a_question(), 1..=4), line(60), option::of(line(200)), context).prop_map(
        |(mut questions, agent, title, context)| {
            for (n, question) in questions.iter_mut().enumerate() {
                question.id = QuestionId::new(format!("id_{n}"));
            }
            let session = Some(Session {
                id: "s".to_owned(),
                title,
            });
            Ask {
                agent,
                session,
                context,
                ..ask(questions)
            }
        },
    )
}

/// Own words that no other text holds.
const OWN: &str = "QQQ7";

fn an_end(ask: &Ask) -> impl Strategy<Value = End> + use<> {
    let questions = ask.questions.clone();
    let each = (
        any::<prop::sample::Index>(),
        any::<u8>(),
        option::of(text(4000)),
        any::<bool>(),
    );
    let answers = vec(each, questions.len()).prop_map(move |drawn| {
        let given = questions
            .iter()
            .zip(drawn)
            .map(|(question, (one, several, own, here))| {
                let options = question.choices.len();
                let own = own.map(|text| format!("{OWN}{}", text.chars().take(3996).collect::<String>()));
                let answer = if question.multi_select {
                    let choices = (0..options).filter(|n| several & (1 << n) != 0).collect();
                    Answer::new(choices, own.into_iter().collect())
                } else {
                    own.map(Answer::own)
                };
                let answer = answer.unwrap_or_else(|| Answer::choice(one.index(options)));
                (
                    question.id.clone(),
                    Given {
                        answer,
                        at: if here { place("here") } else { place("there") },
                    },
                )
            });
        End::Answered {
            answers: given.collect(),
            by: by_sara("there"),
        }
    });
    prop_oneof![
        6 => answers,
        1 => Just(End::Skipped { by: by_sara("telegram") }),
        1 => Just(End::Expired),
        1 => Just(End::Cancelled),
        1 => Just(End::Undelivered(Unreached::DeadlinePassed)),
    ]
}

fn an_ended_ask() -> impl Strategy<Value = (Ask, Ask)> {
    an_ask().prop_flat_map(|ask| {
        let ended = an_end(&ask).prop_map({
            let ask = ask.clone();
            move |end| over(&ask, end)
        });
        (Just(ask), ended)
    })
}

fn a_reader() -> impl Strategy<Value = Reader> {
    prop::sample::select(Language::ALL.as_slice()).prop_map(|language| Reader {
        language,
        time_zone: jiff::tz::TimeZone::UTC,
    })
}

/// What is left of a text when everything that only lays it out is gone.
fn essence(text: &str) -> String {
    let is_layout = |c: char| {
        c.is_whitespace()
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().filter(|&c| !is_layout(c)).collect()
}

/// All that is shown, without the lines that number the messages.
fn told<'m>(messages: impl ExactSizeIterator<Item = &'m Message>) -> String {
    let numbered = messages.len() > 1;
    let texts = messages.map(|message| {
        let shown = message.lines.len() - usize::from(numbered);
        let lines: Vec<String> = message.lines[..shown]
            .iter()
            .map(|line| essence(&line.text()))
            .collect();
        lines.concat()
    });
    texts.collect()
}

fn fits(message: &Message, to: &Capabilities) -> Result<(), TestCaseError> {
    let text = message.text();
    prop_assert!(
        message.length(to) <= to.text.max,
        "{} of {}: {text}",
        message.length(to),
        to.text.max
    );
    prop_assert!(to.text.fits(&text));
    prop_assert!(!text.trim().is_empty(), "blank");
    for line in &message.lines {
        keeps_isolates(&line.text())?;
    }
    Ok(())
}

/// A line breaks nowhere else, and nothing on it reaches past its isolate.
fn keeps_isolates(line: &str) -> Result<(), TestCaseError> {
    prop_assert!(
        !line.contains(['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}']),
        "{line:?}"
    );
    let mut open = 0_usize;
    for c in line.chars() {
        match c {
            '\u{2066}'..='\u{2068}' => open += 1,
            '\u{2069}' => {
                prop_assert!(open > 0, "closes what is not open: {line:?}");
                open -= 1;
            }
            _ => {}
        }
    }
    prop_assert_eq!(open, 0, "stays open: {:?}", line);
    Ok(())
}

fn controls_fit(controls: &Controls, to: &Capabilities) -> Result<(), TestCaseError> {
    let Controls::Buttons(rows) = controls else {
        return Ok(());
    };
    let Some(limits) = &to.buttons else {
        return Err(TestCaseError::fail("buttons where there are none"));
    };
    prop_assert!(!rows.is_empty() && rows.len() <= limits.rows);
    prop_assert!(controls.buttons().count() <= limits.max);
    for row in rows {
        prop_assert!(!row.is_empty() && row.len() <= limits.per_row);
    }
    for button in controls.buttons() {
        prop_assert!(
            !button.label.is_empty() && limits.label.fits(&button.label),
            "{:?}",
            button.label
        );
        let payload = button.payload.text();
        prop_assert!(payload.len() <= Payload::MAX);
        prop_assert_eq!(Payload::parse(&payload), Some(button.payload));
    }
    Ok(())
}

fn tells_everything(ask: &Ask, shown: &str, language: Language) -> Result<(), TestCaseError> {
    let tells = |text: &str| {
        let text = essence(text);
        prop_assert!(shown.contains(&text), "{text:?} is missing from {shown:?}");
        Ok(())
    };
    tells(&ask.agent)?;
    for question in &ask.questions {
        tells(&format!("{}:{}", question.header.as_str(), question.text))?;
        for (n, choice) in question.choices.iter().enumerate() {
            // Every option can be typed by what stands before it.
            tells(&format!(
                "{}.{}",
                markers(question).shown(n, language),
                choice.label
            ))?;
            tells(choice.description.as_deref().unwrap_or_default())?;
        }
    }
    Ok(())
}

/// Whatever is shown to be typed answers the ask or declines it, in full.
fn examples_read_back(ask: &Ask, shown: &Presentation) -> Result<(), TestCaseError> {
    let spans = shown
        .messages
        .iter()
        .flat_map(|message| &message.lines)
        .flat_map(|line| &line.spans);
    for example in spans.filter(|span| span.style == Style::Code) {
        match read(
            &example.text,
            &Asked {
                questions: &ask.questions,
                answered: &Answers::new(),
            },
        ) {
            Reading::Skip => {}
            Reading::Answers { answers, hint } => {
                prop_assert_eq!(answers.len(), ask.questions.len(), "{:?}", example.text);
                prop_assert!(
                    answers.iter().all(|(_, answer)| !answer.has_own_words()),
                    "{:?}",
                    example.text
                );
                prop_assert_eq!(hint, None);
            }
            Reading::Hint(hint) => prop_assert!(false, "{:?}: {hint:?}", example.text),
        }
    }
    Ok(())
}

fn has_no_controls(shown: &Presentation) -> bool {
    !shown.rings
        && shown
            .messages
            .iter()
            .all(|message| message.controls == Controls::None)
}

fn given(ask: &Ask) -> Vec<(&Question, &Given)> {
    match ask.outcome().map(|outcome| &outcome.end) {
        Some(End::Answered { answers, .. }) => answers.iter(&ask.questions).collect(),
        _ => Vec::new(),
    }
}

fn chosen(ask: &Ask) -> Vec<&str> {
    given(ask)
        .into_iter()
        .flat_map(|(question, given)| given.answer.labels(question))
        .collect()
}

/// Own words that were written at this address.
fn own_words<'a>(ask: &'a Ask, at: &Address) -> Vec<&'a str> {
    let here = given(ask).into_iter().filter(|(_, given)| given.at == *at);
    here.flat_map(|(_, given)| given.answer.own_words())
        .map(String::as_str)
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_plan_fits_and_tells_the_whole_question(ask in an_ask(), reader in a_reader(), linked in any::<bool>()) {
        for profiles::Profile { name, to } in profiles::all() {
            let shown = plan(&ask, &to, &reader, linked.then_some("https://askd.example.org/asks/42"));

            prop_assert!(shown.rings, "{name}");
            let (last, earlier) = shown.messages.split_last().expect("never empty");
            prop_assert!(earlier.iter().all(|message| message.controls == Controls::None), "{name}");
            controls_fit(&last.controls, &to)?;
            for message in &shown.messages {
                fits(message, &to)?;
            }
            examples_read_back(&ask, &shown)?;
            tells_everything(&ask, &told(shown.messages.iter()), reader.language)?;
            let options = ask.questions.only().filter(|question| !question.multi_select).map_or(0, |q| q.choices.len());
            let buttons = (0..options).filter(|&n| last.controls.can(Gesture::Choose(n))).count();
            prop_assert!(buttons == 0 || buttons == options, "all or none: {name}");
        }
    }

    #[test]
    fn every_outcome_fits_and_names_every_chosen_label((ask, over) in an_ended_ask(), reader in a_reader()) {
        let here = place("here");
        for profiles::Profile { name, to } in profiles::all().into_iter().filter(|profile| profile.to.edits) {
            let of = plan(&ask, &to, &reader, None).messages.len();
            let messages = settled(&over, &here, &to, &reader, None, of);
            prop_assert_eq!(messages.len(), of);

            for message in &messages {
                fits(message, &to)?;
                prop_assert_eq!(&message.controls, &Controls::None);
            }
            let last = told(messages.iter());
            for label in chosen(&over) {
                prop_assert!(last.contains(&essence(label)), "{label:?} is missing on {name}: {last:?}");
            }
        }
    }

    #[test]
    fn every_follow_up_fits_and_keeps_own_words_where_they_were_written((_, over) in an_ended_ask(), reader in a_reader()) {
        let here = place("here");
        let own = own_words(&over, &here);
        for profiles::Profile { name, to } in profiles::all() {
            let shown = follow_up(&over, &here, &to, &reader);

            prop_assert!(has_no_controls(&shown));
            for message in &shown.messages {
                fits(message, &to)?;
            }
            let text: String = shown.messages.iter().flat_map(|m| &m.lines).map(|line| essence(&line.text())).collect();
            for label in chosen(&over) {
                prop_assert!(text.contains(&essence(label)), "{label:?} is missing on {name}: {text:?}");
            }
            prop_assert!(!own.is_empty() || !text.contains(OWN), "{name}: {text:?}");
            if name == "everything" {
                for words in &own {
                    prop_assert!(text.contains(&essence(words)), "{words:?} is missing: {text:?}");
                }
            }
        }
        let line = outcome_line(&over, &here, reader.language);
        keeps_isolates(&line)?;
        for profiles::Profile { to, .. } in profiles::all() {
            for message in &note(&vec![line.as_str(); 20].join("\n"), &to, &reader).messages {
                fits(message, &to)?;
            }
        }
        prop_assert!(!own.is_empty() || !line.contains(OWN), "{line:?}");
    }

    #[test]
    fn an_agent_reads_what_was_answered_as_it_is((_, over) in an_ended_ask()) {
        let text = summary_text(&over);

        for label in chosen(&over) {
            prop_assert!(text.contains(label));
        }
    }

    #[test]
    fn a_neutral_text_is_never_longer_and_neutral_for_good(text in text(400)) {
        let neutral_text = neutral(&text);

        prop_assert!(neutral_text.len() <= text.len());
        prop_assert_eq!(neutral(&neutral_text), neutral_text);
    }
}

#[test]
fn the_word_to_decline_never_means_an_option() {
    for (label, to, expected) in [
        ("Wait", profiles::telegram_private(), None),
        ("Wait", Capabilities::plain_text(), Some("/skip")),
        ("Wait", profiles::like_sms(), Some("skip")),
        ("Skip", Capabilities::plain_text(), Some("/skip")),
        ("/skip", Capabilities::plain_text(), Some("skip")),
        ("Skip", profiles::like_sms(), Some("رد")),
    ] {
        let ask = ask(vec![question(
            "id",
            "Header",
            "What now?",
            &[("Go", ""), (label, "")],
        )]);

        let shown = plan(&ask, &to, &english(), None);

        let lines = shown.messages.iter().flat_map(|message| &message.lines);
        let mut typed = lines
            .flat_map(|line| &line.spans)
            .filter(|span| span.style == Style::Code);
        assert_eq!(typed.next().map(|span| span.text.as_str()), expected, "{label}");
    }
}

#[test]
fn the_longest_labels_are_all_named_when_all_of_them_are_chosen() {
    for filling in ["&", "a", "*", "\u{1f469}\u{200d}\u{1f467}", "ش"] {
        let label = |n: usize| format!("{n}{}", filling.chars().cycle().take(199).collect::<String>());
        let labels: Vec<String> = (0..4).map(label).collect();
        let options: Vec<(&str, &str)> = labels.iter().map(|label| (label.as_str(), "")).collect();
        let questions = (0..4).map(|n| multi(question(&format!("q{n}"), "?", "?", &options)));
        let ask = ask(questions.collect());
        let everything = || {
            (
                Answer::new(vec![0, 1, 2, 3], vec![OWN.to_owned()]).expect("an answer"),
                "telegram",
            )
        };
        let over = answered(&ask, vec![everything(), everything(), everything(), everything()]);

        for profiles::Profile { name, to } in profiles::all().into_iter().filter(|profile| profile.to.edits) {
            for reader in [english(), persian()] {
                let of = plan(&ask, &to, &reader, None).messages.len();
                let messages = settled(&over, &place("here"), &to, &reader, None, of);

                assert!(
                    messages.iter().all(|message| message.length(&to) <= to.text.max),
                    "{name}"
                );
                let shown = told(messages.iter());
                for label in &labels {
                    let times = shown.matches(&essence(label)).count();
                    assert!(times >= 4, "{times} times in {of} parts on {name}: {filling}");
                }
            }
        }
    }
}
