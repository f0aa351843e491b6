//! Blocks, as Slack takes them: what is wrong with them, each fault with a pointer to where.
//!
//! One fault refuses the whole message. Kinds of blocks and elements that nobody needs here are refused as `not
//! modelled`. Source: "Blocks", "Block elements", "Text object"; wording of the faults by recorded answers.

mod fields;
mod rich;
mod view;

use std::collections::BTreeSet;

use serde_json::Value;

use self::fields::{Fields, Text};
use super::{limits, refusal::Refusal};

pub(crate) use self::view::check_view;

/// Where blocks stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Surface {
    Message,
    View,
}

/// What is wrong, in the order it was found.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    messages: Vec<String>,
    /// The length of all texts together.
    length: usize,
}

impl Faults {
    fn add(&mut self, what: impl AsRef<str>, at: &str) {
        self.messages
            .push(format!("{} [json-pointer:{at}]", what.as_ref()));
    }
}

/// The blocks of a message, with a `block_id` for each that has none.
pub(crate) fn check_message(blocks: Value, next_id: impl FnMut() -> String) -> Result<Vec<Value>, Refusal> {
    let Value::Array(blocks) = blocks else {
        return Err(Refusal::broken("invalid_blocks_format", Vec::new()));
    };
    let mut faults = Faults::default();
    check(&blocks, Surface::Message, "/blocks", &mut faults);
    if !faults.messages.is_empty() {
        return Err(Refusal::broken("invalid_blocks", faults.messages));
    }
    if faults.length > limits::ALL_BLOCKS.max {
        return Err(Refusal::broken("msg_blocks_too_long", Vec::new()));
    }
    Ok(with_ids(blocks, next_id))
}

fn with_ids(mut blocks: Vec<Value>, mut next_id: impl FnMut() -> String) -> Vec<Value> {
    for block in &mut blocks {
        if block.get("block_id").is_none() {
            block["block_id"] = next_id().into();
        }
        // An element without an id of its own gets one too.
        for list in ["elements", "accessory", "element"] {
            let elements = match block.get_mut(list) {
                Some(Value::Array(elements)) => elements.iter_mut().collect(),
                Some(element @ Value::Object(_)) => vec![element],
                _ => Vec::new(),
            };
            for element in elements {
                let acts = ["button", "plain_text_input"]
                    .iter()
                    .any(|kind| element["type"] == *kind);
                if acts && element.get("action_id").is_none() {
                    element["action_id"] = next_id().into();
                }
            }
        }
    }
    blocks
}

fn check(blocks: &[Value], surface: Surface, at: &str, faults: &mut Faults) {
    let most = match surface {
        Surface::Message => limits::BLOCKS,
        Surface::View => limits::VIEW_BLOCKS,
    };
    if blocks.len() > most {
        faults.add(format!("no more than {most} items allowed"), at);
    }
    let mut ids = BTreeSet::new();
    for (n, block) in blocks.iter().enumerate() {
        let at = format!("{at}/{n}");
        let Some(mut fields) = Fields::of(block, &at, faults) else {
            continue;
        };
        if let Some(id) = fields.id("block_id", faults)
            && !ids.insert(id.clone())
        {
            faults.add(
                format!("block_id \"{id}\" already exists"),
                &format!("{at}/block_id"),
            );
        }
        match fields.kind() {
            "section" => section(&mut fields, faults),
            "header" => fields.text("text", Text::Plain, limits::HEADER, true, faults),
            "divider" => {}
            "context" => context(&mut fields, faults),
            "actions" => actions(&mut fields, faults),
            "rich_text" => rich::check(&mut fields, faults),
            "input" if surface == Surface::View => input(&mut fields, faults),
            "" => faults.add("missing required field: type", &at),
            other => faults.add(format!("not modelled: a block of type {other}"), &at),
        }
        fields.rest(faults);
    }
}

fn section(fields: &mut Fields<'_>, faults: &mut Faults) {
    let at = fields.at().to_owned();
    if !fields.has("text") && !fields.has("fields") {
        faults.add("must define either `text` or `fields`", &at);
    }
    fields.text("text", Text::Any, limits::SECTION, false, faults);
    for (n, field) in fields
        .array("fields", limits::FIELDS, false, faults)
        .iter()
        .enumerate()
    {
        fields::text_object(
            field,
            &format!("{at}/fields/{n}"),
            Text::Any,
            limits::FIELD,
            faults,
        );
    }
    if let Some(accessory) = fields.take("accessory") {
        element(accessory, &format!("{at}/accessory"), faults);
    }
    fields.switch("expand", faults);
}

fn context(fields: &mut Fields<'_>, faults: &mut Faults) {
    let at = format!("{}/elements", fields.at());
    for (n, element) in fields
        .array("elements", limits::CONTEXT, true, faults)
        .iter()
        .enumerate()
    {
        fields::text_object(element, &format!("{at}/{n}"), Text::Any, limits::SECTION, faults);
    }
}

fn actions(fields: &mut Fields<'_>, faults: &mut Faults) {
    let at = format!("{}/elements", fields.at());
    let mut ids = BTreeSet::new();
    for (n, item) in fields
        .array("elements", limits::ACTIONS, true, faults)
        .iter()
        .enumerate()
    {
        let at = format!("{at}/{n}");
        if let Some(id) = element(item, &at, faults)
            && !ids.insert(id.clone())
        {
            faults.add(
                format!("action_id \"{id}\" already exists"),
                &format!("{at}/action_id"),
            );
        }
    }
}

/// A button; gives its `action_id`.
fn element(element: &Value, at: &str, faults: &mut Faults) -> Option<String> {
    let mut fields = Fields::of(element, at, faults)?;
    if fields.kind() != "button" {
        faults.add(
            format!("not modelled: an element of type {:?}", fields.kind()),
            at,
        );
        return None;
    }
    fields.text("text", Text::Plain, limits::BUTTON, true, faults);
    let id = fields.id("action_id", faults);
    fields.string("value", limits::VALUE, faults);
    fields.string("url", limits::URL, faults);
    fields.string("accessibility_label", limits::BUTTON, faults);
    if let Some(style) = fields.string("style", limits::ID, faults)
        && !["primary", "danger"].contains(&style.as_str())
    {
        faults.add("value not allowed", &format!("{at}/style"));
    }
    fields.rest(faults);
    id
}

fn input(fields: &mut Fields<'_>, faults: &mut Faults) {
    let at = format!("{}/element", fields.at());
    fields.text("label", Text::Plain, limits::LABEL, true, faults);
    fields.text("hint", Text::Plain, limits::LABEL, false, faults);
    fields.switch("optional", faults);
    fields.switch("dispatch_action", faults);
    let Some(element) = fields.take("element") else {
        faults.add("missing required field: element", fields.at());
        return;
    };
    let Some(mut element) = Fields::of(element, &at, faults) else {
        return;
    };
    if element.kind() != "plain_text_input" {
        faults.add(
            format!("not modelled: an input of type {:?}", element.kind()),
            &at,
        );
        return;
    }
    element.id("action_id", faults);
    element.text("placeholder", Text::Plain, limits::PLACEHOLDER, false, faults);
    element.string("initial_value", limits::INPUT, faults);
    element.switch("multiline", faults);
    element.switch("focus_on_load", faults);
    let min = element.number("min_length", 0, limits::INPUT.max, faults);
    let max = element.number("max_length", 1, limits::INPUT.max, faults);
    if min.zip(max).is_some_and(|(min, max)| min > max) {
        faults.add("must be less than max_length", &format!("{at}/min_length"));
    }
    element.rest(faults);
}
