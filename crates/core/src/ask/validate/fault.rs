//! What is wrong with a request, for the agent that made it.

use std::{fmt, io};

use serde::Serialize;
use serde_json::Value;

/// A rule that a request broke. Its code is part of the API and never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Rule {
    /// Not a JSON object.
    NotObject,
    /// Not a JSON array.
    NotList,
    /// Not a JSON string.
    NotText,
    /// Not true or false.
    NotBoolean,
    /// Not a whole number (`900.0` is one).
    NotInteger,
    /// A required field is absent.
    Missing,
    /// A field that does not exist, perhaps misspelt.
    UnknownField,
    /// Nothing to be seen.
    Blank,
    /// More characters than the limit.
    TooLong,
    /// Fewer items than the limit.
    TooFew,
    /// More items than the limit.
    TooMany,
    /// A control character other than newline.
    ControlCharacter,
    /// A newline where one line is shown.
    Newline,
    /// An id that is not `^[a-z][a-z0-9_]*$`.
    NotSnakeCase,
    /// An id that an earlier question has.
    Duplicate,
    /// A label that compares equal to an earlier one of the same question.
    SameLabel,
    /// An option called "Other".
    ReservedLabel,
}

impl Rule {
    /// The rule in one word, for programs.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::NotObject => "not_object",
            Self::NotList => "not_list",
            Self::NotText => "not_text",
            Self::NotBoolean => "not_boolean",
            Self::NotInteger => "not_integer",
            Self::Missing => "missing",
            Self::UnknownField => "unknown_field",
            Self::Blank => "blank",
            Self::TooLong => "too_long",
            Self::TooFew => "too_few",
            Self::TooMany => "too_many",
            Self::ControlCharacter => "control_character",
            Self::Newline => "newline",
            Self::NotSnakeCase => "not_snake_case",
            Self::Duplicate => "duplicate",
            Self::SameLabel => "same_label",
            Self::ReservedLabel => "reserved_label",
        }
    }

    /// The rule in a sentence, for the agent's author and its model. Beside it stands what was received, in which a
    /// number in quotes and a number look alike.
    fn message(self, limit: Option<usize>) -> String {
        let limit = limit.unwrap_or_default();
        match self {
            Self::NotObject => "must be an object".to_owned(),
            Self::NotList => "must be an array".to_owned(),
            Self::NotText => "must be a string".to_owned(),
            Self::NotBoolean => "must be true or false, without quotes".to_owned(),
            Self::NotInteger => "must be a whole number of seconds, without quotes".to_owned(),
            Self::Missing => "is required".to_owned(),
            Self::UnknownField => "is not a known field".to_owned(),
            Self::Blank => "must not be blank".to_owned(),
            Self::TooLong => format!("must have at most {limit} characters"),
            Self::TooFew => format!("must have at least {limit} {}", items(limit)),
            Self::TooMany => format!("must have at most {limit} {}", items(limit)),
            Self::ControlCharacter => "must not contain control characters".to_owned(),
            Self::Newline => "must be one line".to_owned(),
            Self::NotSnakeCase => {
                "must be snake_case: a lower-case letter, then lower-case letters, digits and underscores".to_owned()
            }
            Self::Duplicate => "is the id of an earlier question".to_owned(),
            Self::SameLabel => {
                "is the same as an earlier label: case, blanks, outer punctuation and a recommended marker do not \
                 tell labels apart"
                    .to_owned()
            }
            Self::ReservedLabel => {
                "must not be offered as an option: people can always answer in their own words".to_owned()
            }
        }
    }
}

fn items(limit: usize) -> &'static str {
    if limit == 1 { "item" } else { "items" }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// One thing that is wrong. Holds received text, so it is for the one who sent it and never for a log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// Where, as a JSON pointer (RFC 6901); empty for the whole request.
    pub pointer: String,
    /// Which rule.
    pub rule: Rule,
    /// The limit that was passed, where the rule has one: characters or items.
    pub limit: Option<usize>,
    /// What was received, cut to [`Fault::RECEIVED`]; empty where nothing was.
    pub received: String,
    /// The rule in an English sentence without its subject, which is the pointer. Holds nothing received.
    pub message: String,
}

impl Fault {
    /// Longest `received`. Unit: characters. Source: SPEC 1.
    pub const RECEIVED: usize = 80;

    pub(super) fn new(place: &Place, rule: Rule, limit: Option<usize>, found: Found<'_>) -> Self {
        let (pointer, received) = (place.0.clone(), found.cut());
        Self {
            pointer,
            rule,
            limit,
            received,
            message: rule.message(limit),
        }
    }
}

/// Everything that is wrong with a request: at least one fault. `Display` names the rules alone, so it may be logged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// Most faults that are reported, so that the report on a hostile request stays short.
    pub const MAX: usize = 100;

    pub(super) fn new(faults: Vec<Fault>) -> Self {
        Self(faults)
    }

    /// In the order of the fields, parents before children.
    pub fn iter(&self) -> std::slice::Iter<'_, Fault> {
        self.0.iter()
    }
}

impl<'a> IntoIterator for &'a Faults {
    type Item = &'a Fault;
    type IntoIter = std::slice::Iter<'a, Fault>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the ask is not valid: ")?;
        for (n, fault) in self.0.iter().enumerate() {
            let separator = if n == 0 { "" } else { ", " };
            write!(f, "{separator}{}", fault.rule)?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}

/// A place in the request, as a JSON pointer.
#[derive(Clone, Debug)]
pub(super) struct Place(String);

impl Place {
    /// Longest name of an unknown field in a pointer. Unit: characters. A cut pointer leads nowhere, but neither does
    /// one that fills the screen.
    const NAME: usize = 200;

    pub(super) fn top() -> Self {
        Self(String::new())
    }

    pub(super) fn field(&self, name: &str) -> Self {
        let name: String = name.chars().take(Self::NAME).collect();
        Self(format!(
            "{}/{}",
            self.0,
            name.replace('~', "~0").replace('/', "~1")
        ))
    }

    pub(super) fn item(&self, n: usize) -> Self {
        Self(format!("{}/{n}", self.0))
    }
}

/// What stood at the place of a fault.
#[derive(Clone, Copy, Debug)]
pub(super) enum Found<'v> {
    Nothing,
    Text(&'v str),
    Json(&'v Value),
    Count(usize),
}

impl Found<'_> {
    fn cut(self) -> String {
        match self {
            Self::Nothing => String::new(),
            Self::Text(text) => text.chars().take(Fault::RECEIVED).collect(),
            Self::Json(Value::String(text)) => Found::Text(text).cut(),
            Self::Json(value) => {
                let mut start = Start(Vec::new());
                // Ends with an error as soon as there is enough, which is the point.
                let _ = serde_json::to_writer(&mut start, value);
                String::from_utf8_lossy(&start.0)
                    .chars()
                    .take(Fault::RECEIVED)
                    .collect()
            }
            Self::Count(count) => count.to_string(),
        }
    }
}

/// Takes the beginning of what is written, and refuses the rest.
struct Start(Vec<u8>);

impl io::Write for Start {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Four bytes for each character, and one more character, so that none that is kept is cut in two.
        let room = ((Fault::RECEIVED + 1) * 4).saturating_sub(self.0.len());
        let taken = bytes.len().min(room);
        self.0.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
