//! The sentences of receipts, from the catalogue.
//!
//! A receipt says what counted, what is missing, who was faster, or why nothing changed: never that something
//! counted which is not stored.

use jiff::Timestamp;

use crate::{
    answer::{Answers, Given},
    ask::{Ask, Question},
    broker::accept::Actor,
    id::Address,
    inbound::{Became, Form, Inbound, Receipt},
    present::{self, Capabilities, Limit, Payload, Unit},
    reply::{Here, Hint},
    stage::{End, Responder, Unreached},
    store::Record,
    words::{Arg, Language, say},
};

fn receipt(became: Became, text: String, ask: Option<&Ask>) -> Receipt {
    Receipt {
        became,
        text,
        ask: ask.map(|ask| ask.id),
        shows: None,
    }
}

/// Not meant for us, or said once already.
pub(super) fn ignored() -> Receipt {
    receipt(Became::Ignored, String::new(), None)
}

/// The ask ended by this actor.
pub(super) fn settled(ask: &Ask, at: &Address, actor: &Actor) -> Receipt {
    let language = actor.language;
    let text = match ask.outcome().map(|outcome| &outcome.end) {
        Some(End::Answered { answers, .. }) => say(
            language,
            "receipt-settled",
            &[("answer", Arg::Text(&listed(ask, answers, at, language)))],
        ),
        _ => say(language, "receipt-skipped", &[]),
    };
    receipt(Became::Settled, text, Some(ask))
}

/// Stored, and more is missing; `remains` says what was not understood.
pub(super) fn kept(
    ask: &Ask,
    stored: &Answers,
    at: &Address,
    remains: Option<String>,
    actor: &Actor,
) -> Receipt {
    let language = actor.language;
    let missing = stored.missing(&ask.questions);
    let headers: Vec<String> = missing
        .iter()
        .map(|question| present::isolate(question.header.as_str()))
        .collect();
    let text = say(
        language,
        "receipt-kept",
        &[
            ("answer", Arg::Text(&listed(ask, stored, at, language))),
            (
                "missing",
                Arg::Text(&headers.join(&say(language, "settled-between-values", &[]))),
            ),
        ],
    );
    let text = remains.map_or_else(|| text.clone(), |remains| format!("{text}\n{remains}"));
    let missing = missing.into_iter().map(|question| question.id.clone()).collect();
    receipt(
        Became::Kept {
            stored: stored.clone(),
            missing,
        },
        text,
        Some(ask),
    )
}

/// Why a text was not taken, and what would be.
pub(super) fn hint(hint: &Hint, ask: &Ask, can: &Capabilities, actor: &Actor) -> Receipt {
    receipt(Became::Hint, hint_text(hint, ask, can, actor), Some(ask))
}

/// The sentence of a hint.
pub(super) fn hint_text(hint: &Hint, ask: &Ask, can: &Capabilities, actor: &Actor) -> String {
    let here = Here {
        language: actor.language,
        has_buttons: present::has_buttons(ask, can),
    };
    hint.sentence(&ask.questions, here)
}

/// Asks for own words, after Other….
pub(super) fn write_own(
    ask: &Ask,
    question: &Question,
    payload: Payload,
    can: &Capabilities,
    actor: &Actor,
) -> Receipt {
    let language = actor.language;
    let label = say(language, "receipt-form-label", &[]);
    let (title, label) = match &can.forms {
        Some(forms) => (forms.title.cut(question.header.as_str()), forms.label.cut(&label)),
        None => (question.header.as_str().to_owned(), label),
    };
    let text = say(
        language,
        "receipt-write-own",
        &[("header", Arg::Text(question.header.as_str()))],
    );
    receipt(
        Became::WriteOwn(Form {
            title,
            label,
            payload,
        }),
        text,
        Some(ask),
    )
}

/// The ask is over: how, for one who comes too late or twice.
pub(super) fn over(event: &Inbound, ask: &Ask, actor: &Actor) -> Receipt {
    let language = actor.language;
    let end = ask.outcome().map(|outcome| &outcome.end);
    let mine = |who: &Responder| actor.responder.as_ref().is_some_and(|(me, _)| me == who);
    let text = match end {
        Some(End::Answered { answers, by }) if mine(&by.who) => say(
            language,
            "receipt-already-answered",
            &[("answer", Arg::Text(&listed(ask, answers, &event.at, language)))],
        ),
        Some(End::Skipped { by }) if mine(&by.who) => say(language, "receipt-already-skipped", &[]),
        Some(_) if was_on_time(event, ask) => say(language, "receipt-stored-late", &[]),
        _ => {
            let outcome = present::outcome_line(ask, &event.at, language);
            say(language, "receipt-over", &[("outcome", Arg::Text(&outcome))])
        }
    };
    receipt(Became::TooLate, text, Some(ask))
}

/// Whether somebody acted before the deadline by which the ask ended all the same: what they did reached us too late.
/// Some platforms tell times in whole seconds, rounded down.
pub(super) fn was_on_time(event: &Inbound, ask: &Ask) -> bool {
    let by_time = matches!(
        ask.outcome().map(|outcome| &outcome.end),
        Some(End::Expired | End::Undelivered(Unreached::DeadlinePassed))
    );
    let while_open = ask.created_at.as_second()..ask.deadline.as_second();
    by_time && while_open.contains(&event.when.as_second())
}

/// This person may not answer.
pub(super) fn not_yours(ask: &Ask, actor: &Actor) -> Receipt {
    receipt(
        Became::NotYours,
        say(actor.language, "receipt-not-yours", &[]),
        Some(ask),
    )
}

/// The platform hides who this is.
pub(super) fn hidden(actor: &Actor) -> Receipt {
    receipt(Became::NotYours, say(actor.language, "receipt-hidden", &[]), None)
}

/// The ask is no longer known.
pub(super) fn gone(actor: &Actor) -> Receipt {
    receipt(Became::TooLate, say(actor.language, "receipt-gone", &[]), None)
}

/// The button means nothing: forged, copied from elsewhere, or of an ask that is forgotten.
pub(super) fn button_old(actor: &Actor) -> Receipt {
    receipt(Became::Hint, say(actor.language, "receipt-button-old", &[]), None)
}

/// Several asks are open here; which one is meant?
pub(super) fn several_open(open: &[Record], actor: &Actor) -> Receipt {
    let language = actor.language;
    let asks = titles(open, language);
    receipt(
        Became::Hint,
        say(language, "receipt-several-open", &[("asks", Arg::Text(&asks))]),
        None,
    )
}

/// What is open here.
pub(super) fn pending(open: &[Record], now: Timestamp, actor: &Actor) -> Receipt {
    let language = actor.language;
    let minutes = open
        .iter()
        .map(|record| minutes_left(&record.ask, now))
        .min()
        .unwrap_or(0);
    let args = [
        ("count", Arg::Count(open.len())),
        ("asks", Arg::Text(&titles(open, language))),
        ("minutes", Arg::Count(minutes)),
    ];
    receipt(Became::Told, say(language, "receipt-pending", &args), None)
}

/// A prompt is being sent here and may be seen already, but does not count as shown before the platform has confirmed
/// it: what the text was for cannot be told.
pub(super) fn on_its_way(actor: &Actor) -> Receipt {
    receipt(Became::Hint, say(actor.language, "receipt-on-its-way", &[]), None)
}

pub(super) fn reply_unknown(actor: &Actor) -> Receipt {
    receipt(
        Became::Hint,
        say(actor.language, "receipt-reply-unknown", &[]),
        None,
    )
}

/// Nothing is open here; how the last one ended, if that is worth telling.
pub(super) fn nothing_open(last: Option<&Ask>, at: &Address, actor: &Actor) -> Receipt {
    let language = actor.language;
    let text = match last {
        None => say(language, "receipt-nothing-open", &[]),
        Some(ask) => {
            let outcome = present::outcome_line(ask, at, language);
            say(
                language,
                "receipt-nothing-open-last",
                &[("outcome", Arg::Text(&outcome))],
            )
        }
    };
    receipt(Became::Told, text, None)
}

/// How an unknown account is paired.
pub(super) fn stranger(actor: &Actor) -> Receipt {
    receipt(
        Became::NotYours,
        say(actor.language, "receipt-stranger", &[]),
        None,
    )
}

/// What can be done here.
pub(super) fn help(can: &Capabilities, actor: &Actor) -> Receipt {
    let mut text = say(actor.language, "receipt-help", &[]);
    if can.slash_commands {
        let command = [("command", Arg::Text("/pending"))];
        text = format!(
            "{text}\n{}",
            say(actor.language, "receipt-help-commands", &command)
        );
    }
    receipt(Became::Told, text, None)
}

/// The account is tied to this person.
pub(super) fn paired(person: &str, language: Language) -> Receipt {
    receipt(
        Became::Told,
        say(language, "receipt-paired", &[("person", Arg::Text(person))]),
        None,
    )
}

/// The code was shown where others could read it.
pub(super) fn code_burnt(actor: &Actor) -> Receipt {
    receipt(Became::Told, say(actor.language, "receipt-code-burnt", &[]), None)
}

/// No such code, or no longer.
pub(super) fn code_unknown(actor: &Actor) -> Receipt {
    receipt(
        Became::Told,
        say(actor.language, "receipt-code-unknown", &[]),
        None,
    )
}

/// Too many wrong codes.
pub(super) fn code_too_often(actor: &Actor) -> Receipt {
    receipt(
        Became::Told,
        say(actor.language, "receipt-code-too-often", &[]),
        None,
    )
}

/// An edit that changes nothing.
pub(super) fn edit_does_not_count(actor: &Actor) -> Receipt {
    receipt(Became::Hint, say(actor.language, "receipt-edit", &[]), None)
}

/// A text that was placed before the prompt.
pub(super) fn earlier(ask: &Ask, actor: &Actor) -> Receipt {
    receipt(
        Became::Hint,
        say(actor.language, "receipt-earlier", &[]),
        Some(ask),
    )
}

/// A photo or file without a caption.
pub(super) fn attachment(ask: &Ask, actor: &Actor) -> Receipt {
    receipt(
        Became::Hint,
        say(actor.language, "receipt-attachment", &[]),
        Some(ask),
    )
}

/// A text that the platform keeps from us, because it neither mentions us nor is said to us alone.
pub(super) fn unreadable(ask: &Ask, actor: &Actor) -> Receipt {
    receipt(
        Became::Hint,
        say(actor.language, "receipt-unreadable", &[]),
        Some(ask),
    )
}

/// Somebody else's words.
pub(super) fn forwarded(ask: &Ask, actor: &Actor) -> Receipt {
    receipt(
        Became::Hint,
        say(actor.language, "receipt-forwarded", &[]),
        Some(ask),
    )
}

/// A text in the prompt's thread that is not plainly an answer.
pub(super) fn thread(ask: &Ask, can: &Capabilities, actor: &Actor) -> Receipt {
    let sentence = if present::has_buttons(ask, can) {
        "receipt-thread-buttons"
    } else {
        "receipt-thread"
    };
    receipt(Became::Hint, say(actor.language, sentence, &[]), Some(ask))
}

/// Exact values that are none.
pub(super) fn bad_value(sentence: &str, args: &[(&str, Arg<'_>)], actor: &Actor) -> Receipt {
    receipt(Became::Hint, say(actor.language, sentence, args), None)
}

/// Longest value that a receipt repeats; the longest label fits. What was typed stands right above it, and the prompt
/// shows it in full.
const VALUE: Limit = Limit {
    max: 200,
    unit: Unit::Scalars,
};

/// The answers in one line, as they may be read at `at`; with headers where there are several questions. To be put
/// into a sentence, which isolates it as a whole; its parts are isolated from each other.
fn listed(ask: &Ask, answers: &Answers, at: &Address, language: Language) -> String {
    let between = |id| say(language, id, &[]);
    let readable = |question: &Question, given: &Given| {
        if given.is_open_at(at) {
            return given.answer.values(question);
        }
        let labels = given.answer.labels(question).map(str::to_owned);
        labels.chain([say(language, "settled-own-words", &[])]).collect()
    };
    let values = |question: &Question, given: &Given| match readable(question, given).as_slice() {
        [one] if ask.questions.len() == 1 => present::neutral(&VALUE.cut(one)),
        several => {
            let isolated: Vec<String> = several
                .iter()
                .map(|value| present::isolate(&VALUE.cut(value)))
                .collect();
            isolated.join(&between("settled-between-values"))
        }
    };
    let parts = answers.iter(&ask.questions).map(|(question, given)| {
        if ask.questions.len() == 1 {
            return values(question, given);
        }
        format!(
            "{}: {}",
            present::isolate(question.header.as_str()),
            values(question, given)
        )
    });
    parts
        .collect::<Vec<_>>()
        .join(&between("settled-between-answers"))
}

fn titles(open: &[Record], language: Language) -> String {
    let titles: Vec<String> = open
        .iter()
        .map(|record| {
            let header = record
                .ask
                .questions
                .as_slice()
                .first()
                .map_or("", |q| q.header.as_str());
            format!(
                "{} ({})",
                present::isolate(header),
                present::isolate(&record.ask.agent)
            )
        })
        .collect();
    titles.join(&say(language, "settled-between-values", &[]))
}

/// Whole minutes until the deadline, a begun one counted.
fn minutes_left(ask: &Ask, now: Timestamp) -> usize {
    let seconds = ask.deadline.duration_since(now).as_secs().max(0);
    usize::try_from((seconds + 59) / 60).unwrap_or(usize::MAX)
}
