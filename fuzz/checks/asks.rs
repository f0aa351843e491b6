//! Checking what agents send, and planning what is shown of it. An input is JSON, or `⟲`-repeated JSON text, or bytes of
//! which an ask is made that is nearly right.

use arbitrary::Unstructured;
use askd_core::{
    answer::{Answer, Answers, Given},
    ask::{
        Ask, Draft,
        validate::{Fault, Faults, Rules, validate},
    },
    id::{ActionToken, Address, AskId, ChannelName, PersonName, TokenName},
    present::{Capabilities, Controls, Message, Payload, Reader, plan, settled},
    stage::{End, How, Outcome, Pending, Responder, SettledBy, Stage},
    words::Language,
};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::{
    growth::Repeated,
    made::{self, Vocabulary},
    profiles,
};

/// Longest body that is read. Unit: characters. Source: `limits.max_body_bytes`, 512 KiB.
const LONG: usize = 512 * 1024;

/// Fields of an ask, and what may stand in them.
pub(crate) const VOCABULARY: Vocabulary = Vocabulary {
    keys: &[
        "questions",
        "timeoutSeconds",
        "context",
        "session",
        "run",
        "id",
        "title",
        "header",
        "question",
        "options",
        "multiSelect",
        "label",
        "description",
    ],
    words: &[
        "",
        " ",
        "a",
        "A",
        "a ",
        "deploy_target",
        "1",
        "3 replicas",
        "B",
        "Other",
        "other…",
        "سایر",
        "skip",
        "Staging (Recommended)",
        "staging.",
        "\u{200B}",
        "\u{202E}",
        "e\u{301}",
        "👩‍👩‍👧‍👦",
        "two\nlines",
        "tab\t",
        "\r\n",
        "\u{0}",
        "\u{2028}",
        "&<>",
        "ﷺ",
        "漢字",
    ],
};

/// Validates it; what is valid is planned, shown and settled everywhere.
pub(crate) fn check(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    if let Some(repeated) = Repeated::of(&text) {
        repeated.is_linear(
            LONG,
            |text| serde_json::from_str::<Value>(&text).unwrap_or(Value::String(text)),
            |body| {
                let _ = validate(body, &Rules::default());
            },
        );
        return;
    }
    let body = serde_json::from_slice(input).unwrap_or_else(|_| nearly_an_ask(&mut Unstructured::new(input)));
    match validate(&body, &Rules::default()) {
        Ok(draft) => {
            survives_a_round_trip(&draft);
            is_shown_somewhere(&draft, input);
        }
        Err(faults) => tell_what_is_wrong(&faults, &body),
    }
}

/// An ask of which now and then a part is something else.
fn nearly_an_ask(bytes: &mut Unstructured<'_>) -> Value {
    let mut questions = Vec::new();
    for n in 0..=made::up_to(bytes, 3) {
        let mut options = Vec::new();
        for m in 0..=made::up_to(bytes, 3) {
            let label = match made::up_to(bytes, 7) {
                0 => json!(format!("{m}")),
                1 => made::value(bytes, &VOCABULARY, 2),
                _ => json!(format!("{}{m}", made::text(bytes, &VOCABULARY))),
            };
            let description = made::value(bytes, &VOCABULARY, 0);
            options.push(json!({ "label": label, "description": description }));
        }
        let mut question = json!({
            "id": format!("id_{n}"),
            "header": made::text(bytes, &VOCABULARY) + "h",
            "question": made::text(bytes, &VOCABULARY) + "?",
            "options": options,
            "multiSelect": made::up_to(bytes, 1) == 1,
        });
        if made::up_to(bytes, 5) == 0 {
            question = made::changed(bytes, &VOCABULARY, question);
        }
        questions.push(question);
    }
    let mut ask = json!({ "questions": questions });
    for field in ["context", "session", "run", "timeoutSeconds"] {
        if made::up_to(bytes, 3) == 0 {
            ask[field] = made::value(bytes, &VOCABULARY, 2);
        }
    }
    ask
}

fn survives_a_round_trip(draft: &Draft) {
    let stored = serde_json::to_string(&draft.questions).expect("questions are data");
    assert_eq!(
        serde_json::from_str::<askd_core::ask::Questions>(&stored)
            .ok()
            .as_ref(),
        Some(&draft.questions),
        "what is stored comes back"
    );
    let mut again = json!({ "questions": draft.questions, "timeoutSeconds": draft.timeout_seconds });
    if let Some(context) = &draft.context {
        again["context"] = json!(context);
    }
    if let Some(session) = &draft.session {
        again["session"] = json!({ "id": session.id });
        if let Some(title) = &session.title {
            again["session"]["title"] = json!(title);
        }
    }
    if let Some(run) = &draft.run {
        again["run"] = json!(run.as_str());
    }
    let again = validate(&again, &Rules::default());
    let expected = Draft {
        warnings: Vec::new(),
        ..draft.clone()
    };
    assert_eq!(again, Ok(expected), "what was taken is taken again as it is");
    assert!((30..=3600).contains(&draft.timeout_seconds));
}

fn tell_what_is_wrong(faults: &Faults, body: &Value) {
    let count = faults.iter().count();
    assert!((1..=Faults::MAX).contains(&count));
    for fault in faults {
        assert!(
            fault.pointer.is_empty() || fault.pointer.starts_with('/'),
            "{fault:?}"
        );
        assert!(fault.received.chars().count() <= Fault::RECEIVED, "{fault:?}");
        assert!(!fault.message.is_empty());
        let parent = fault.pointer.rsplit_once('/').map_or("", |(parent, _)| parent);
        // A pointer with a long name in it is cut.
        assert!(
            fault.pointer.len() > 200 || body.pointer(parent).is_some(),
            "{fault:?}"
        );
    }
    assert_eq!(validate(body, &Rules::default()).as_ref(), Err(faults));
}

/// On one of the profiles, whichever falls to the input: planning takes far longer than all else, and
/// `crates/core/tests/plan_properties.rs` tries each ask on all of them.
fn is_shown_somewhere(draft: &Draft, input: &[u8]) {
    let ask = stored(draft);
    let ended = answered(&ask);
    let sum = input.iter().fold(0_usize, |sum, &byte| {
        sum.wrapping_mul(31).wrapping_add(byte.into())
    });
    let mut profiles = profiles::all();
    let profile = profiles.swap_remove(sum % profiles.len());
    let reader = Reader {
        language: Language::ALL[sum / 16 % Language::ALL.len()],
        time_zone: jiff::tz::TimeZone::UTC,
    };
    let shown = plan(&ask, &profile.to, &reader, None);
    assert!(!shown.messages.is_empty());
    for message in &shown.messages {
        fits(message, &profile.to, profile.name);
    }
    let of = shown.messages.len();
    for message in settled(&ended, &here(), &profile.to, &reader, None, of) {
        fits(&message, &profile.to, profile.name);
    }
}

fn fits(message: &Message, to: &Capabilities, name: &str) {
    let length = message.length(to);
    assert!(length <= to.text.max, "{length} of {} on {name}", to.text.max);
    assert!(!message.text().trim().is_empty());
    let Controls::Buttons(rows) = &message.controls else {
        return;
    };
    let limits = to.buttons.as_ref().expect("buttons only where there are some");
    assert!(rows.len() <= limits.rows && rows.iter().all(|row| row.len() <= limits.per_row));
    assert!(message.controls.buttons().count() <= limits.max);
    for button in message.controls.buttons() {
        assert!(limits.label.fits(&button.label), "{:?} on {name}", button.label);
        let payload = button.payload.text();
        assert!(payload.len() <= Payload::MAX);
        assert_eq!(Payload::parse(&payload), Some(button.payload));
    }
}

fn here() -> Address {
    Address::new(ChannelName::new("telegram"), "7")
}

fn stored(draft: &Draft) -> Ask {
    Ask {
        id: AskId::parse("019ad7c0-0000-7000-8000-000000000000").expect("an id"),
        owner: TokenName::new("build-bot"),
        agent: "build-bot".to_owned(),
        session: draft.session.clone(),
        run: draft.run.clone(),
        context: draft.context.clone(),
        questions: draft.questions.clone(),
        action: ActionToken::parse("0123456789abcdef0123456789abcdef").expect("a token"),
        answerers: vec![PersonName::new("sara")],
        waits_for_panel: false,
        created_at: Timestamp::UNIX_EPOCH,
        deadline: Timestamp::from_second(i64::from(draft.timeout_seconds)).expect("an hour at most"),
        warnings: draft.warnings.clone(),
        stage: Stage::Pending(Pending::default()),
    }
}

/// Everything is chosen, and long words stand beside it where they may.
fn answered(ask: &Ask) -> Ask {
    let given = ask.questions.iter().map(|question| {
        let answer = if question.multi_select {
            let all = (0..question.choices.len()).collect();
            Answer::new(all, vec!["words ".repeat(600)]).expect("there are some")
        } else {
            Answer::choice(question.choices.len() - 1)
        };
        (question.id.clone(), Given { answer, at: here() })
    });
    let by = SettledBy {
        who: Responder::Person(PersonName::new("sara")),
        name: "Sara".to_owned(),
        at: here(),
        how: How::Reply,
    };
    let end = End::Answered {
        answers: given.collect::<Answers>(),
        by,
    };
    let outcome = Outcome {
        end,
        at: Timestamp::UNIX_EPOCH,
    };
    Ask {
        stage: Stage::Over(outcome),
        ..ask.clone()
    }
}
