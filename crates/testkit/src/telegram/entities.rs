//! Text with styled spans, as Telegram takes and makes it.
//!
//! A text goes through the same stations here as on the server: markup is parsed ([`html`]), control characters are
//! replaced, the ends are trimmed, what is left is measured. Spans are counted in UTF-16 code units, and one that
//! cuts a character in two or leaves the text is refused.

pub(crate) mod found;
pub(crate) mod html;

use serde_json::{Value, json};

use super::{fields, limits, links, refusal::Refusal};

/// A text and its spans.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Formatted {
    /// The text, without markup.
    pub text: String,
    /// Its spans, in order; the longer of two that begin together comes first.
    pub entities: Vec<Entity>,
}

/// A span of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entity {
    /// What it is.
    pub kind: Kind,
    /// Where it begins. Unit: UTF-16 code units.
    pub offset: usize,
    /// How long it is. Unit: UTF-16 code units.
    pub length: usize,
}

/// What a span is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One with nothing but its name, as the Bot API writes it: `bold`, `mention`, …
    Plain(&'static str),
    /// Code in a block of its own.
    Pre {
        /// The programming language, if one is named.
        language: Option<String>,
    },
    /// A link with a text of its own.
    TextLink {
        /// Where it leads.
        url: String,
    },
    /// A mention of somebody who may have no username.
    TextMention {
        /// The account.
        user: i64,
    },
    /// An instant that each reader sees in their own zone.
    Instant {
        /// Seconds since 1970.
        unix_time: i64,
        /// How it is written, if that is said.
        format: Option<String>,
    },
}

/// Kinds that a bot may set and that carry nothing else.
const STYLES: [&str; 8] = [
    "bold",
    "italic",
    "underline",
    "strikethrough",
    "spoiler",
    "code",
    "blockquote",
    "expandable_blockquote",
];

/// Kinds that Telegram finds by itself. A bot may name them and nothing comes of it.
const FOUND: [&str; 8] = [
    "mention",
    "hashtag",
    "cashtag",
    "bot_command",
    "url",
    "email",
    "phone_number",
    "bank_card_number",
];

impl Formatted {
    /// A text as a person types it, with what Telegram finds in it.
    pub(crate) fn typed(text: &str) -> Self {
        let mut formatted = Self {
            text: text.to_owned(),
            entities: Vec::new(),
        };
        found::add(&mut formatted);
        formatted
    }

    /// Whether it mentions this bot, or is a command that is not meant for another.
    pub(crate) fn addresses(&self, username: &str) -> bool {
        self.entities.iter().any(|entity| {
            let span = self.span(entity);
            match entity.name() {
                "mention" => span
                    .strip_prefix('@')
                    .is_some_and(|name| name.eq_ignore_ascii_case(username)),
                "bot_command" => span
                    .split_once('@')
                    .is_none_or(|(_, name)| name.eq_ignore_ascii_case(username)),
                _ => false,
            }
        })
    }

    /// The text below a span.
    #[must_use]
    pub fn span(&self, entity: &Entity) -> String {
        let units: Vec<u16> = self
            .text
            .encode_utf16()
            .skip(entity.offset)
            .take(entity.length)
            .collect();
        String::from_utf16_lossy(&units)
    }
}

impl Entity {
    pub(crate) fn plain(name: &'static str, offset: usize, length: usize) -> Self {
        Self {
            kind: Kind::Plain(name),
            offset,
            length,
        }
    }

    /// The name of its kind, as the Bot API writes it.
    #[must_use]
    pub fn name(&self) -> &str {
        match &self.kind {
            Kind::Plain(name) => name,
            Kind::Pre { .. } => "pre",
            Kind::TextLink { .. } => "text_link",
            Kind::TextMention { .. } => "text_mention",
            Kind::Instant { .. } => "date_time",
        }
    }

    pub(crate) fn end(&self) -> usize {
        self.offset + self.length
    }
}

/// Makes a message's text of what a bot sent, ready to be measured.
///
/// # Errors
/// For markup that cannot be parsed, spans that do not lie in the text, and a text of which nothing is left.
pub(crate) fn outgoing(text: &str, parse_mode: &str, entities: Option<Value>) -> Result<Formatted, Refusal> {
    if text.is_empty() {
        return Err(Refusal::broken("message text is empty"));
    }
    if !limits::RAW_TEXT.fits(text) {
        return Err(Refusal::broken("text is too long"));
    }
    let parsed = match parse_mode.to_lowercase().as_str() {
        "" | "none" => Formatted {
            text: text.to_owned(),
            entities: given(entities)?,
        },
        "html" => {
            html::parse(text).map_err(|fault| Refusal::broken(format!("can't parse entities: {fault}")))?
        }
        "markdown" | "markdownv2" => return Err(Refusal::not_modelled("Markdown")),
        _ => return Err(Refusal::broken("unsupported parse_mode")),
    };
    let mut formatted = trimmed(cleaned(parsed)?);
    if formatted.text.is_empty() {
        return Err(Refusal::broken("text must be non-empty"));
    }
    found::add(&mut formatted);
    formatted.entities.truncate(limits::ENTITIES);
    Ok(formatted)
}

/// Reads the spans of the parameter `entities`. What is no array is no spans, as on the server.
fn given(entities: Option<Value>) -> Result<Vec<Entity>, Refusal> {
    let Some(Value::Array(entities)) = entities else {
        return Ok(Vec::new());
    };
    let mut read = Vec::new();
    for entity in entities {
        let parsed =
            one(&entity).map_err(|fault| Refusal::broken(format!("can't parse MessageEntity: {fault}")))?;
        let Some((kind, offset, length)) = parsed else {
            continue;
        };
        if let Kind::TextLink { url } = &kind {
            links::check(url)
                .map_err(|fault| Refusal::broken(format!("entity URL '{url}' is invalid: {fault}")))?;
        }
        let within = |what: &str, n: i64| {
            usize::try_from(n)
                .map_err(|_| Refusal::broken(format!("receive an entity with incorrect {what} {n}")))
        };
        read.push(Entity {
            kind,
            offset: within("offset", offset)?,
            length: within("length", length)?,
        });
    }
    Ok(read)
}

/// One span: its kind, offset and length; none for the kinds that Telegram finds by itself.
fn one(entity: &Value) -> Result<Option<(Kind, i64, i64)>, String> {
    let object = entity.as_object().ok_or("expected an Object")?;
    let offset = fields::integer(object, "offset")?;
    let length = fields::integer(object, "length")?;
    let name = fields::string(object, "type")?;
    let kind = if let Some(style) = STYLES.into_iter().find(|style| *style == name) {
        Kind::Plain(style)
    } else if FOUND.contains(&name.as_str()) {
        return Ok(None);
    } else {
        match name.as_str() {
            "pre" => Kind::Pre {
                language: fields::optional_string(object, "language")?,
            },
            "text_link" => Kind::TextLink {
                url: fields::string(object, "url")?,
            },
            "text_mention" => {
                let user = object.get("user").ok_or("Can't find field \"user\"")?;
                let user = user.as_object().ok_or("Field \"user\" must be of type Object")?;
                Kind::TextMention {
                    user: fields::integer(user, "id")?,
                }
            }
            "date_time" => Kind::Instant {
                unix_time: fields::integer(object, "unix_time")?,
                format: fields::optional_string(object, "date_time_format")?,
            },
            _ => return Err("Unsupported type specified".to_owned()),
        }
    };
    Ok(Some((kind, offset, length)))
}

/// Replaces control characters by blanks and drops what Telegram drops: carriage returns, line separators, bidi
/// embeddings and overrides (isolates stay), and a few combining marks. Spans move along.
/// Source: TDLib, `clean_input_string_with_entities`.
fn cleaned(from: Formatted) -> Result<Formatted, Refusal> {
    let mut text = String::with_capacity(from.text.len());
    let mut places = Places::default();
    for (byte, c) in from.text.char_indices() {
        places.character(byte, c);
        match c {
            '\u{000d}' | '\u{2028}'..='\u{202e}' | '\u{0333}' | '\u{033f}' | '\u{030a}' => places.dropped(c),
            '\n' => text.push(c),
            c if u32::from(c) < 0x20 => text.push(' '),
            c => text.push(c),
        }
    }
    places.end(from.text.len());
    let mut entities = Vec::new();
    for entity in sorted(from.entities) {
        let begin = places.beginning(entity.offset)?;
        let end = places.end_of(&entity)?;
        if end > begin {
            entities.push(Entity {
                offset: begin,
                length: end - begin,
                ..entity
            });
        }
    }
    Ok(Formatted { text, entities })
}

/// Where each UTF-16 unit of a text goes when the text is cleaned.
#[derive(Default)]
struct Places {
    /// The place of the character that begins there, and its byte offset; none inside a character.
    units: Vec<(Option<usize>, usize)>,
    next: usize,
}

impl Places {
    fn character(&mut self, byte: usize, c: char) {
        self.units.push((Some(self.next), byte));
        if c.len_utf16() == 2 {
            self.units.push((None, byte + c.len_utf8()));
        }
        self.next += c.len_utf16();
    }

    fn dropped(&mut self, c: char) {
        self.next -= c.len_utf16();
    }

    fn end(&mut self, byte: usize) {
        self.units.push((Some(self.next), byte));
    }

    fn beginning(&self, offset: usize) -> Result<usize, Refusal> {
        match self.units.get(offset) {
            Some((Some(place), _)) => Ok(*place),
            Some((None, byte)) => Err(Refusal::broken(format!(
                "entity begins in a middle of a UTF-16 symbol at byte offset {byte}"
            ))),
            None => Err(Refusal::broken(format!(
                "entity begins after the end of the text at UTF-16 offset {offset}"
            ))),
        }
    }

    fn end_of(&self, entity: &Entity) -> Result<usize, Refusal> {
        let (begin, end) = (entity.offset, entity.end());
        match self.units.get(end) {
            Some((Some(place), _)) => Ok(*place),
            Some((None, byte)) => Err(Refusal::broken(format!(
                "entity beginning at UTF-16 offset {begin} ends in a middle of a UTF-16 symbol at byte offset {byte}"
            ))),
            None => Err(Refusal::broken(format!(
                "entity beginning at UTF-16 offset {begin} ends after the end of the text at UTF-16 offset {end}"
            ))),
        }
    }
}

/// Cuts blanks and line breaks off both ends; spans of nothing else go with them.
fn trimmed(from: Formatted) -> Formatted {
    let blank = |c: char| c == ' ' || c == '\n';
    let body = from.text.trim_end_matches(blank);
    let kept = body.trim_start_matches(blank);
    // Blanks are one unit and one byte each.
    let cut = body.len() - kept.len();
    let end = cut + kept.encode_utf16().count();
    let entities = from.entities.into_iter().filter_map(|entity| {
        let begin = entity.offset.max(cut);
        let length = entity.end().min(end).checked_sub(begin)?;
        (length > 0).then(|| Entity {
            offset: begin - cut,
            length,
            ..entity
        })
    });
    Formatted {
        text: kept.to_owned(),
        entities: entities.collect(),
    }
}

pub(crate) fn sorted(mut entities: Vec<Entity>) -> Vec<Entity> {
    entities.sort_by_key(|entity| (entity.offset, usize::MAX - entity.length));
    entities
}

/// The spans as the Bot API writes them. `user` writes an account.
pub(crate) fn to_json(entities: &[Entity], user: impl Fn(i64) -> Value) -> Value {
    let one = |entity: &Entity| {
        let mut json = json!({"type": entity.name(), "offset": entity.offset, "length": entity.length});
        match &entity.kind {
            Kind::Plain(_) | Kind::Pre { language: None } => {}
            Kind::Pre {
                language: Some(language),
            } => json["language"] = language.as_str().into(),
            Kind::TextLink { url } => json["url"] = url.as_str().into(),
            Kind::TextMention { user: id } => json["user"] = user(*id),
            Kind::Instant { unix_time, format } => {
                json["unix_time"] = (*unix_time).into();
                if let Some(format) = format {
                    json["date_time_format"] = format.as_str().into();
                }
            }
        }
        json
    };
    entities.iter().map(one).collect()
}
