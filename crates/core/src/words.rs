//! Everything a person reads, and the words they type, in their language.
//!
//! Sentences live in Fluent catalogues (`words/<language>/*.ftl` beside `src/`), one file per part of the product:
//! `command`, `prompt`, `settled`, `hint`, `receipt`, `panel` (which the browser fills in), `vocabulary`. [`say`] fills
//! one in. A value put into a sentence is wrapped in bidi isolates (U+2068, U+2069), so an English label inside a Persian
//! sentence keeps its order.
//!
//! A test holds the catalogues to the same messages and variables in every language, and to exactly the ids that
//! the source names.

pub mod commands;
pub mod vocabulary;

use std::sync::LazyLock;

use fluent_bundle::{FluentArgs, FluentResource, FluentValue, concurrent::FluentBundle};
use serde::{Deserialize, Serialize};

/// A language with a catalogue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Language {
    /// English; also what an unknown language falls back to.
    #[default]
    #[serde(rename = "en")]
    English,
    /// Persian, written right to left.
    #[serde(rename = "fa")]
    Persian,
}

impl Language {
    /// Every language with a catalogue.
    pub const ALL: [Self; 2] = [Self::English, Self::Persian];

    /// The language of a BCP 47 tag such as `fa` or `en-GB`, by its first subtag; `None` without a catalogue.
    #[must_use]
    pub fn from_tag(tag: &str) -> Option<Self> {
        let primary = tag.split(['-', '_']).next().unwrap_or_default();
        Self::ALL
            .into_iter()
            .find(|language| language.tag().eq_ignore_ascii_case(primary))
    }

    /// The BCP 47 tag.
    #[must_use]
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Persian => "fa",
        }
    }

    /// Whether it is written right to left.
    #[must_use]
    pub fn is_rtl(self) -> bool {
        matches!(self, Self::Persian)
    }

    /// `number` in the digits of this language.
    #[must_use]
    pub fn number(self, number: usize) -> String {
        self.digits(&number.to_string())
    }

    /// `text` with its ASCII digits written as this language writes them.
    #[must_use]
    pub fn digits(self, text: &str) -> String {
        match self {
            Self::English => text.to_owned(),
            Self::Persian => text.chars().map(persian_digit).collect(),
        }
    }

    /// Every sentence of this language as Fluent source, for a client that fills them in itself.
    #[must_use]
    pub fn catalogue(self) -> String {
        self.sources().join("\n")
    }

    fn sources(self) -> &'static [&'static str] {
        match self {
            Self::English => &[
                include_str!("../words/en/command.ftl"),
                include_str!("../words/en/hint.ftl"),
                include_str!("../words/en/panel.ftl"),
                include_str!("../words/en/prompt.ftl"),
                include_str!("../words/en/receipt.ftl"),
                include_str!("../words/en/settled.ftl"),
                include_str!("../words/en/vocabulary.ftl"),
            ],
            Self::Persian => &[
                include_str!("../words/fa/command.ftl"),
                include_str!("../words/fa/hint.ftl"),
                include_str!("../words/fa/panel.ftl"),
                include_str!("../words/fa/prompt.ftl"),
                include_str!("../words/fa/receipt.ftl"),
                include_str!("../words/fa/settled.ftl"),
                include_str!("../words/fa/vocabulary.ftl"),
            ],
        }
    }
}

fn persian_digit(c: char) -> char {
    c.to_digit(10)
        .filter(|_| c.is_ascii())
        .and_then(|d| char::from_u32(0x06F0 + d))
        .unwrap_or(c)
}

/// A value for a placeable.
#[derive(Clone, Copy, Debug)]
pub enum Arg<'a> {
    /// Text, isolated when shown.
    Text(&'a str),
    /// A count; the catalogue may choose a plural form by it, and it is shown in the language's digits.
    Count(usize),
}

/// The sentence `id` in `language`, with its variables filled in.
///
/// An id that no catalogue has is a bug the tests find; in production it is logged and shown as it is.
#[must_use]
pub fn say(language: Language, id: &str, args: &[(&str, Arg<'_>)]) -> String {
    let bundle = catalogue(language);
    let Some(pattern) = bundle.get_message(id).and_then(|message| message.value()) else {
        tracing::error!(message.id = id, language = language.tag(), "sentence missing");
        return id.to_owned();
    };
    let mut values = FluentArgs::with_capacity(args.len());
    for &(name, value) in args {
        match value {
            Arg::Text(text) => values.set(name, FluentValue::from(text)),
            Arg::Count(count) => values.set(name, FluentValue::from(count)),
        }
    }
    let mut faults = Vec::new();
    let text = bundle
        .format_pattern(pattern, Some(&values), &mut faults)
        .into_owned();
    if !faults.is_empty() {
        tracing::error!(
            message.id = id,
            language = language.tag(),
            faults = faults.len(),
            "sentence incomplete"
        );
    }
    text
}

fn catalogue(language: Language) -> &'static FluentBundle<FluentResource> {
    static ENGLISH: LazyLock<FluentBundle<FluentResource>> = LazyLock::new(|| load(Language::English));
    static PERSIAN: LazyLock<FluentBundle<FluentResource>> = LazyLock::new(|| load(Language::Persian));
    match language {
        Language::English => &ENGLISH,
        Language::Persian => &PERSIAN,
    }
}

fn load(language: Language) -> FluentBundle<FluentResource> {
    let tag = language.tag().parse().expect("a catalogue's tag is well formed");
    let mut bundle = FluentBundle::new_concurrent(vec![tag]);
    bundle.set_use_isolating(true);
    bundle.set_formatter(Some(match language {
        Language::English => |value, _| number_in(Language::English, value),
        Language::Persian => |value, _| number_in(Language::Persian, value),
    }));
    for source in language.sources() {
        let resource = match FluentResource::try_new((*source).to_owned()) {
            Ok(resource) | Err((resource, _)) => resource,
        };
        bundle.add_resource_overriding(resource);
    }
    bundle
}

fn number_in(language: Language, value: &FluentValue<'_>) -> Option<String> {
    match value {
        FluentValue::Number(number) => Some(language.digits(&number.as_string())),
        _ => None,
    }
}
