//! What people see of a message or a form: blocks as text and buttons.

use serde_json::Value;

use super::{
    message::{Content, Message},
    mrkdwn::{self, Read, Reader, Span, Style, decoded, merged},
    state::State,
};

/// A message or a form, as it is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shown {
    /// Paragraph by paragraph.
    pub(crate) paragraphs: Vec<Vec<Span>>,
    /// From the top, row by row.
    pub(crate) buttons: Vec<Vec<Button>>,
    pub(crate) inputs: Vec<Input>,
    /// What no careful app writes.
    pub(crate) faults: Vec<String>,
}

/// A button, as the servers know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Button {
    pub(crate) label: String,
    pub(crate) block_id: String,
    pub(crate) action_id: String,
    pub(crate) value: Option<String>,
    pub(crate) url: Option<String>,
}

/// A field to write in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Input {
    pub(crate) block_id: String,
    pub(crate) action_id: String,
    pub(crate) label: String,
    pub(crate) hint: Option<String>,
    pub(crate) placeholder: Option<String>,
    pub(crate) optional: bool,
    pub(crate) min: usize,
    pub(crate) max: usize,
    /// What stands in it before anything is typed.
    pub(crate) initial: String,
}

impl Shown {
    /// What is read, markup applied.
    pub(crate) fn text(&self) -> String {
        let paragraph = |spans: &Vec<Span>| spans.iter().map(|span| span.text.as_str()).collect::<String>();
        let paragraphs: Vec<String> = self.paragraphs.iter().map(paragraph).collect();
        paragraphs.join("\n")
    }

    /// The same with styles written out.
    pub(crate) fn marked(&self) -> String {
        let paragraph = |spans: &Vec<Span>| {
            let mut text = String::new();
            for span in spans {
                for line in span.marked().split_inclusive('\n') {
                    if span.style.quote && (text.is_empty() || text.ends_with('\n')) {
                        text.push_str("> ");
                    }
                    text.push_str(line);
                }
            }
            text
        };
        let paragraphs: Vec<String> = self.paragraphs.iter().map(paragraph).collect();
        paragraphs.join("\n")
    }
}

impl State {
    /// A message, as somebody sees it whose account this is.
    pub(crate) fn shown(&self, message: &Message, reader: &str) -> Shown {
        self.shown_content(&message.content, reader)
    }

    pub(crate) fn shown_content(&self, content: &Content, reader: &str) -> Shown {
        self.with_reader(reader, |reader| {
            if !content.blocks.is_empty() {
                return blocks(&content.blocks, reader);
            }
            let read = if content.mrkdwn {
                reader.mrkdwn(&content.text)
            } else {
                reader.unstyled(&content.text)
            };
            Shown {
                paragraphs: vec![read.spans],
                faults: read.faults,
                ..Shown::default()
            }
        })
    }

    /// Blocks, as somebody sees them.
    pub(crate) fn shown_blocks(&self, of: &[Value], reader: &str) -> Shown {
        self.with_reader(reader, |reader| blocks(of, reader))
    }

    /// What is wrong with the text that only notifications and screen readers tell.
    pub(crate) fn fallback_faults(&self, text: &str) -> Vec<String> {
        self.with_reader("", |reader| reader.mrkdwn(text).faults)
    }

    fn with_reader<R>(&self, account: &str, read: impl FnOnce(&Reader<'_>) -> R) -> R {
        let zone = self.accounts.get(account).map(|account| account.zone.clone());
        read(&Reader {
            now: self.now,
            zone: &zone.unwrap_or(jiff::tz::TimeZone::UTC),
            name: &|id| self.name_of(id),
        })
    }
}

fn blocks(of: &[Value], reader: &Reader<'_>) -> Shown {
    let mut shown = Shown::default();
    for block in of {
        let texts = |name: &str| block[name].as_array().cloned().unwrap_or_default();
        let block_id = text_of(&block["block_id"]);
        match block["type"].as_str().unwrap_or_default() {
            "section" => {
                if block["text"].is_object() {
                    shown.paragraph(&block["text"], reader);
                }
                for field in texts("fields") {
                    shown.paragraph(&field, reader);
                }
                if block["accessory"].is_object() {
                    shown
                        .buttons
                        .extend(row(&[block["accessory"].clone()], &block_id));
                }
            }
            "header" => {
                let mut spans = object(&block["text"], reader).spans;
                for span in &mut spans {
                    span.style.bold = true;
                }
                shown.paragraphs.push(spans);
            }
            "context" => {
                let mut spans = Vec::new();
                for (n, element) in texts("elements").iter().enumerate() {
                    if n > 0 {
                        spans.push(plain("  "));
                    }
                    let read = object(element, reader);
                    spans.extend(read.spans);
                    shown.faults.extend(read.faults);
                }
                shown.paragraphs.push(merged(spans));
            }
            "rich_text" => {
                for element in texts("elements") {
                    rich(&element, reader, &mut shown);
                }
            }
            "actions" => shown.buttons.extend(row(&texts("elements"), &block_id)),
            "input" => shown.inputs.push(input(block, &block_id)),
            _ => {}
        }
    }
    shown
}

impl Shown {
    fn paragraph(&mut self, text: &Value, reader: &Reader<'_>) {
        let read = object(text, reader);
        self.paragraphs.push(read.spans);
        self.faults.extend(read.faults);
    }
}

/// A text object.
fn object(object: &Value, reader: &Reader<'_>) -> Read {
    let text = object["text"].as_str().unwrap_or_default();
    if object["type"] == "mrkdwn" {
        return reader.mrkdwn(text);
    }
    Read {
        spans: vec![plain(plain_text(object))],
        faults: Vec::new(),
    }
}

/// The text of a `plain_text` object: entities are undone, and names of emoji if it says so.
///
/// That entities are is a guess. What is sent bare comes back with them (bolt-python issue 513), so Slack keeps them, and
/// "Escaping text" speaks of all text objects and says that these three are decoded for display.
fn plain_text(object: &Value) -> String {
    let text = decoded(object["text"].as_str().unwrap_or_default());
    if object["emoji"] == true {
        return pictured(&text);
    }
    text
}

/// The text with the pictures of the emoji it names.
pub(crate) fn pictured(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, tail)) = rest.split_once(':') {
        out.push_str(before);
        if let Some((picture, left)) = mrkdwn::named_picture(tail) {
            out.push_str(&picture);
            rest = left;
        } else {
            out.push(':');
            rest = tail;
        }
    }
    out + rest
}

fn plain(text: impl Into<String>) -> Span {
    Span {
        text: text.into(),
        style: Style::default(),
    }
}

fn row(elements: &[Value], block_id: &str) -> Option<Vec<Button>> {
    let buttons = elements.iter().filter(|element| element["type"] == "button");
    let row: Vec<Button> = buttons
        .map(|element| Button {
            label: plain_text(&element["text"]),
            block_id: block_id.to_owned(),
            action_id: text_of(&element["action_id"]),
            value: element["value"].as_str().map(str::to_owned),
            url: element["url"].as_str().map(str::to_owned),
        })
        .collect();
    (!row.is_empty()).then_some(row)
}

fn input(block: &Value, block_id: &str) -> Input {
    let element = &block["element"];
    let length = |name: &str| {
        element[name]
            .as_u64()
            .and_then(|length| usize::try_from(length).ok())
    };
    Input {
        block_id: block_id.to_owned(),
        action_id: text_of(&element["action_id"]),
        label: plain_text(&block["label"]),
        hint: block["hint"].is_object().then(|| plain_text(&block["hint"])),
        placeholder: element["placeholder"]
            .is_object()
            .then(|| plain_text(&element["placeholder"])),
        optional: block["optional"] == true,
        min: length("min_length").unwrap_or(0),
        max: length("max_length").unwrap_or(super::limits::INPUT.max),
        initial: text_of(&element["initial_value"]),
    }
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// One element of rich text, as paragraphs. Its texts are literal: nothing in them is markup.
fn rich(element: &Value, reader: &Reader<'_>, shown: &mut Shown) {
    let kind = element["type"].as_str().unwrap_or_default();
    let elements = element["elements"].as_array().cloned().unwrap_or_default();
    if kind == "rich_text_list" {
        for (n, item) in elements.iter().enumerate() {
            let mark = if element["style"] == "ordered" {
                format!(
                    "{}. ",
                    n + 1 + usize::try_from(element["offset"].as_u64().unwrap_or(0)).unwrap_or(0)
                )
            } else {
                "\u{2022} ".to_owned()
            };
            let mut spans = vec![plain(mark)];
            let inside = item["elements"].as_array().cloned().unwrap_or_default();
            spans.extend(
                inside
                    .iter()
                    .map(|element| rich_span(element, reader, &mut shown.faults)),
            );
            shown.paragraphs.push(merged(spans));
        }
        return;
    }
    let mut spans: Vec<Span> = elements
        .iter()
        .map(|element| rich_span(element, reader, &mut shown.faults))
        .collect();
    for span in &mut spans {
        span.style.quote |= kind == "rich_text_quote";
        span.style.code |= kind == "rich_text_preformatted";
    }
    // A section ends where the next begins, so a last line break only makes room.
    if let Some(last) = spans.last_mut() {
        last.text = last.text.strip_suffix('\n').unwrap_or(&last.text).to_owned();
    }
    shown.paragraphs.push(merged(spans));
}

fn rich_span(element: &Value, reader: &Reader<'_>, faults: &mut Vec<String>) -> Span {
    let named = |id: &Value| {
        let id = id.as_str().unwrap_or_default();
        (reader.name)(id).unwrap_or_else(|| id.to_owned())
    };
    let style = |name: &str| element["style"][name] == true;
    let mut link = None;
    let text = match element["type"].as_str().unwrap_or_default() {
        "link" => {
            let url = text_of(&element["url"]);
            let text = element["text"].as_str().unwrap_or(&url).to_owned();
            link = Some(url);
            text
        }
        "emoji" => {
            let name = text_of(&element["name"]);
            super::emoji::picture(&name).unwrap_or_else(|| format!(":{name}:"))
        }
        "user" => {
            faults.push("mentions somebody".to_owned());
            format!("@{}", named(&element["user_id"]))
        }
        "channel" => {
            faults.push("mentions a channel".to_owned());
            format!("#{}", named(&element["channel_id"]))
        }
        "broadcast" => {
            faults.push("mentions many".to_owned());
            format!("@{}", text_of(&element["range"]))
        }
        "date" => {
            let format = text_of(&element["format"]);
            let token = format!(
                "<!date^{}^{format}|{}>",
                element["timestamp"],
                text_of(&element["fallback"])
            );
            let read = reader.unstyled(&token);
            faults.extend(read.faults);
            read.spans.into_iter().map(|span| span.text).collect()
        }
        _ => text_of(&element["text"]),
    };
    Span {
        text,
        style: Style {
            bold: style("bold"),
            italic: style("italic"),
            strike: style("strike"),
            code: style("code"),
            quote: false,
            link,
        },
    }
}
