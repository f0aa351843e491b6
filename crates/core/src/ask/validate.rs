//! From JSON to a [`Draft`], or everything that is wrong with it.
//!
//! An agent that gets one fault at a time needs a turn for each, so all are reported at once, each with where it is,
//! which rule, the limit and what was received. Strict where an answer would break (an unknown field is a misspelt
//! one), helpful elsewhere (a time-out out of range is clamped, an over-long header cut, with a [`Warning`]).
//!
//! Texts are counted in characters (Unicode scalar values) after they are tidied: trimmed, CRLF as LF, a tab as a
//! blank. Where SPEC 1 is silent:
//!
//! * `null` is a wrong type, not an absent field.
//! * A text of which nothing can be seen (zero-width characters) is blank. A blank `context`, `description` or
//!   `title` is as good as none; a blank `id` or `run` is a fault.
//! * Lines may be broken in `question`, `description` and `context`, not in what is shown as a label.
//! * `session.id`, `session.title` and `run` are at most 200 characters.
//!
//! Tests: `tests/validate.rs`.

mod fault;
mod text;

use serde_json::{Map, Value};

pub use self::fault::{Fault, Faults, Rule};
use self::{
    fault::{Found, Place},
    text::{Blank, Text},
};
use super::{Choice, Draft, Header, Question, Questions, Session, Warning};
use crate::{
    id::{QuestionId, RunId},
    reply,
};

/// What differs between entrances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Most questions in one ask: 3, and at most [`Questions::MAX`].
    pub max_questions: usize,
}

impl Default for Rules {
    fn default() -> Self {
        Self { max_questions: 3 }
    }
}

/// Shortest, usual and longest time to answer. Unit: seconds. Source: SPEC 1.
const TIMEOUT: (u32, u32, u32) = (30, 900, 3600);
/// Fewest and most options of a question. Source: SPEC 1.
const OPTIONS: (usize, usize) = (2, 4);
/// Longest id of a question. Unit: characters. Source: SPEC 1.
const ID: usize = 64;

const QUESTION: Text = Text {
    max: Some(2000),
    lines: true,
    blank: Blank::Refused,
};
const HEADER: Text = Text {
    max: None,
    lines: false,
    blank: Blank::Refused,
};
const LABEL: Text = Text {
    max: Some(200),
    lines: false,
    blank: Blank::Refused,
};
const DESCRIPTION: Text = Text {
    max: Some(1000),
    lines: true,
    blank: Blank::IsNone,
};
const CONTEXT: Text = Text {
    max: Some(4000),
    lines: true,
    blank: Blank::IsNone,
};
const NAME: Text = Text {
    max: Some(200),
    lines: false,
    blank: Blank::Refused,
};
const TITLE: Text = Text {
    max: Some(200),
    lines: false,
    blank: Blank::IsNone,
};

/// Checks a whole request. Any JSON is fine as input: it never panics.
///
/// # Errors
/// Every fault there is, up to [`Faults::MAX`].
pub fn validate(input: &Value, rules: &Rules) -> Result<Draft, Faults> {
    let mut check = Check::default();
    let draft = check.draft(input, *rules);
    match draft {
        Some(draft) if check.faults.is_empty() => Ok(draft),
        _ => Err(Faults::new(check.faults)),
    }
}

#[derive(Default)]
struct Check {
    faults: Vec<Fault>,
    warnings: Vec<Warning>,
}

/// In the functions below `None` means that a fault was noted.
impl Check {
    fn fault(&mut self, place: &Place, rule: Rule, limit: Option<usize>, found: Found<'_>) {
        if self.faults.len() < Faults::MAX {
            self.faults.push(Fault::new(place, rule, limit, found));
        }
    }

    fn draft(&mut self, input: &Value, rules: Rules) -> Option<Draft> {
        let top = Place::top();
        let fields = self.object(
            &top,
            input,
            &["questions", "timeoutSeconds", "context", "session", "run"],
        )?;
        let questions = self.questions(&top.field("questions"), fields.get("questions"), rules);
        let timeout_seconds = self.timeout(&top.field("timeoutSeconds"), fields.get("timeoutSeconds"));
        let context = self.optional(&top.field("context"), fields.get("context"), CONTEXT);
        let session = match fields.get("session") {
            Some(session) => self.session(&top.field("session"), session).map(Some),
            None => Some(None),
        };
        let run = self.optional(&top.field("run"), fields.get("run"), NAME);
        Some(Draft {
            questions: questions?,
            timeout_seconds: timeout_seconds?,
            context: context?,
            session: session?,
            run: run?.map(RunId::new),
            warnings: std::mem::take(&mut self.warnings),
        })
    }

    fn session(&mut self, place: &Place, value: &Value) -> Option<Session> {
        let fields = self.object(place, value, &["id", "title"])?;
        let id = self.required(&place.field("id"), fields.get("id"), NAME);
        let title = self.optional(&place.field("title"), fields.get("title"), TITLE);
        Some(Session {
            id: id?,
            title: title?,
        })
    }

    fn questions(&mut self, place: &Place, value: Option<&Value>, rules: Rules) -> Option<Questions> {
        let list = self.list(place, value, (1, rules.max_questions.min(Questions::MAX)));
        let questions: Vec<Option<Question>> = list
            .iter()
            .enumerate()
            .map(|(n, value)| self.question(&place.item(n), value))
            .collect();
        self.no_id_twice(place, list);
        Questions::new(questions.into_iter().collect::<Option<_>>()?)
    }

    /// On the received ids, so that it is noted also where another field of the question is at fault.
    fn no_id_twice(&mut self, place: &Place, questions: &[Value]) {
        let ids: Vec<Option<&str>> = questions
            .iter()
            .map(|question| Some(question.get("id")?.as_str()?.trim()))
            .collect();
        for (n, id) in ids.iter().enumerate() {
            if let Some(id) = id.filter(|_| ids[..n].contains(id)) {
                self.fault(&place.item(n).field("id"), Rule::Duplicate, None, Found::Text(id));
            }
        }
    }

    fn question(&mut self, place: &Place, value: &Value) -> Option<Question> {
        let fields = self.object(
            place,
            value,
            &["id", "header", "question", "options", "multiSelect"],
        )?;
        let id = self.id(&place.field("id"), fields.get("id"));
        let header = self.header(&place.field("header"), fields.get("header"), id.as_ref());
        let text = self.required(&place.field("question"), fields.get("question"), QUESTION);
        let choices = self.choices(&place.field("options"), fields.get("options"));
        let multi_select = match fields.get("multiSelect") {
            None => Some(false),
            Some(Value::Bool(multi)) => Some(*multi),
            Some(other) => self.wrong_type(&place.field("multiSelect"), Rule::NotBoolean, other),
        };
        Some(Question {
            id: id?,
            header: header?,
            text: text?,
            choices: choices?,
            multi_select: multi_select?,
        })
    }

    fn id(&mut self, place: &Place, value: Option<&Value>) -> Option<QuestionId> {
        let id = self.required(
            place,
            value,
            Text {
                max: Some(ID),
                ..NAME
            },
        )?;
        let is_snake_case = id.starts_with(|c: char| c.is_ascii_lowercase())
            && id
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
        if !is_snake_case {
            self.fault(place, Rule::NotSnakeCase, None, Found::Text(&id));
        }
        is_snake_case.then(|| QuestionId::new(id))
    }

    fn header(&mut self, place: &Place, value: Option<&Value>, id: Option<&QuestionId>) -> Option<Header> {
        let text = self.required(place, value, HEADER)?;
        let (header, was_cut) = Header::cut(&text);
        if reply::is_blank(header.as_str()) {
            self.fault(place, Rule::Blank, None, Found::Text(&text));
            return None;
        }
        if let Some(id) = id.filter(|_| was_cut) {
            self.warnings.push(Warning::HeaderCut {
                question: id.as_str().to_owned(),
            });
        }
        Some(header)
    }

    fn choices(&mut self, place: &Place, value: Option<&Value>) -> Option<Vec<Choice>> {
        let list = self.list(place, value, OPTIONS);
        let choices: Vec<Option<Choice>> = list
            .iter()
            .enumerate()
            .map(|(n, value)| self.choice(&place.item(n), value))
            .collect();
        let keys: Vec<Option<String>> = choices
            .iter()
            .map(|choice| Some(reply::label_key(&choice.as_ref()?.label)))
            .collect();
        for (n, choice) in choices.iter().enumerate() {
            let Some(choice) = choice else { continue };
            let label = place.item(n).field("label");
            if keys[..n].contains(&keys[n]) {
                self.fault(&label, Rule::SameLabel, None, Found::Text(&choice.label));
            }
            if reply::is_other(&choice.label) {
                self.fault(&label, Rule::ReservedLabel, None, Found::Text(&choice.label));
            }
        }
        choices.into_iter().collect()
    }

    fn choice(&mut self, place: &Place, value: &Value) -> Option<Choice> {
        let fields = self.object(place, value, &["label", "description"])?;
        let label = self.required(&place.field("label"), fields.get("label"), LABEL);
        let description = self.optional(
            &place.field("description"),
            fields.get("description"),
            DESCRIPTION,
        );
        Some(Choice {
            label: label?,
            description: description?,
        })
    }

    fn timeout(&mut self, place: &Place, value: Option<&Value>) -> Option<u32> {
        let (shortest, usual, longest) = TIMEOUT;
        let received = match value {
            None => return Some(usual),
            Some(Value::Number(number)) => whole(number),
            Some(other) => return self.wrong_type(place, Rule::NotInteger, other),
        };
        let Some(received) = received else {
            return self.wrong_type(place, Rule::NotInteger, value?);
        };
        let used = u32::try_from(received.clamp(shortest.into(), longest.into())).unwrap_or(usual);
        if i64::from(used) != received {
            self.warnings.push(Warning::TimeoutClamped { received, used });
        }
        Some(used)
    }

    // What any field may be at fault with.

    fn object<'v>(
        &mut self,
        place: &Place,
        value: &'v Value,
        known: &[&str],
    ) -> Option<&'v Map<String, Value>> {
        let Value::Object(fields) = value else {
            return self.wrong_type(place, Rule::NotObject, value);
        };
        for (name, value) in fields.iter().filter(|(name, _)| !known.contains(&name.as_str())) {
            self.fault(&place.field(name), Rule::UnknownField, None, Found::Json(value));
        }
        Some(fields)
    }

    /// The items of a list, also of one that is too short or too long (but no more than there can be faults); none
    /// where it is no list.
    fn list<'v>(
        &mut self,
        place: &Place,
        value: Option<&'v Value>,
        (least, most): (usize, usize),
    ) -> &'v [Value] {
        match value {
            None => self.fault(place, Rule::Missing, None, Found::Nothing),
            Some(Value::Array(items)) => {
                if items.len() < least {
                    self.fault(place, Rule::TooFew, Some(least), Found::Count(items.len()));
                }
                if items.len() > most {
                    self.fault(place, Rule::TooMany, Some(most), Found::Count(items.len()));
                }
                return &items[..items.len().min(Faults::MAX)];
            }
            Some(other) => self.fault(place, Rule::NotList, None, Found::Json(other)),
        }
        &[]
    }

    fn required(&mut self, place: &Place, value: Option<&Value>, rule: Text) -> Option<String> {
        let Some(value) = value else {
            self.fault(place, Rule::Missing, None, Found::Nothing);
            return None;
        };
        self.text(place, value, rule)?
    }

    #[expect(
        clippy::option_option,
        reason = "a fault was noted, or there is or is no text"
    )]
    fn optional(&mut self, place: &Place, value: Option<&Value>, rule: Text) -> Option<Option<String>> {
        match value {
            Some(value) => self.text(place, value, rule),
            None => Some(None),
        }
    }

    #[expect(
        clippy::option_option,
        reason = "a fault was noted, or there is or is no text"
    )]
    fn text(&mut self, place: &Place, value: &Value, rule: Text) -> Option<Option<String>> {
        let Value::String(received) = value else {
            return self.wrong_type(place, Rule::NotText, value);
        };
        let (text, faults) = rule.apply(received);
        for &(rule, limit) in &faults {
            self.fault(place, rule, limit, Found::Text(received));
        }
        faults.is_empty().then_some(text)
    }

    fn wrong_type<T>(&mut self, place: &Place, rule: Rule, found: &Value) -> Option<T> {
        self.fault(place, rule, None, Found::Json(found));
        None
    }
}

/// The whole number that `number` is, also as `900.0`; huge ones become the nearest there is. `None` for a fraction.
#[must_use]
pub fn whole(number: &serde_json::Number) -> Option<i64> {
    if let Some(whole) = number.as_i64() {
        return Some(whole);
    }
    let float = number.as_f64().filter(|float| float.fract() == 0.0)?;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "saturates, and what saturates is clamped anyway"
    )]
    let whole = float as i64;
    Some(whole)
}
