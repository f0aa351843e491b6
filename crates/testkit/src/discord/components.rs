//! Buttons below messages.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{
    fields,
    form::{At, Object},
    limits,
};

/// `MessageComponentTypes`, as far as this fake knows them.
pub(crate) const ACTION_ROW: i64 = 1;
pub(crate) const BUTTON: i64 = 2;
pub(crate) const TEXT_INPUT: i64 = 4;
pub(crate) const LABEL: i64 = 18;

/// `ButtonStyleTypes`: from `PRIMARY` to `DANGER` a button asks the bot, `LINK` opens a page.
const ASKING: [i64; 4] = [1, 2, 3, 4];
const LINK: i64 = 5;
const STYLES: [i64; 5] = [1, 2, 3, 4, LINK];

/// What stands below a message, row by row.
pub(crate) type Rows = Vec<Vec<Button>>;

/// A button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Button {
    pub(crate) label: String,
    pub(crate) style: i64,
    pub(crate) does: Does,
    pub(crate) disabled: bool,
}

/// What a button does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Does {
    /// Asks the bot, with this `custom_id`.
    Ask(String),
    /// Opens a page.
    Open(String),
}

/// Reads the components of a message.
pub(crate) fn rows(object: &Object<'_>) -> Option<Rows> {
    let items = object.array("components", 0, limits::ROWS)?;
    let mut seen = BTreeSet::new();
    Some(
        items
            .iter()
            .map(|(value, at)| row(value, at, &mut seen))
            .collect(),
    )
}

fn row(value: &Value, at: &At<'_>, seen: &mut BTreeSet<String>) -> Vec<Button> {
    let Some(object) = Object::read(value, at.clone()) else {
        return Vec::new();
    };
    object.only(fields::ROW);
    match object.required_integer("type") {
        Some(ACTION_ROW) => {}
        Some(other) => {
            at.not_modelled(&format!("a component of type {other}"));
            return Vec::new();
        }
        None => return Vec::new(),
    }
    if object.get("components").is_none() {
        let at = object.field("components");
        at.wrong("BASE_TYPE_REQUIRED", "This field is required");
        return Vec::new();
    }
    let items = object.array("components", 1, limits::BUTTONS).unwrap_or_default();
    items
        .iter()
        .filter_map(|(value, at)| button(value, at, seen))
        .collect()
}

fn button(value: &Value, at: &At<'_>, seen: &mut BTreeSet<String>) -> Option<Button> {
    let object = Object::read(value, at.clone())?;
    match object.required_integer("type")? {
        BUTTON => {}
        other => {
            at.not_modelled(&format!("a component of type {other}"));
            return None;
        }
    }
    object.only(fields::BUTTON);
    let style = object.required_integer("style")?;
    if !object.field("style").choose(style, &STYLES) {
        return None;
    }
    let label = object.text("label", 0, limits::LABEL).unwrap_or_default();
    if label.trim().is_empty() {
        let message = "A button must have a label or an emoji.";
        object
            .field("label")
            .wrong("BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED", message);
    }
    let does = if ASKING.contains(&style) {
        if object.has("url") {
            let message = "A url cannot be set on a button that is no link.";
            object
                .field("url")
                .wrong("BUTTON_COMPONENT_URL_ON_NON_LINK", message);
        }
        let id = object.required_text("custom_id", 1, limits::CUSTOM_ID)?;
        if !seen.insert(id.clone()) {
            let message = "Component custom id cannot be duplicated";
            object
                .field("custom_id")
                .wrong("COMPONENT_CUSTOM_ID_DUPLICATED", message);
        }
        Does::Ask(id)
    } else {
        if object.has("custom_id") {
            let message = "A custom id and url cannot both be specified";
            object
                .field("custom_id")
                .wrong("BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", message);
        }
        let url = object.required_text("url", 0, limits::URL)?;
        check_url(&url, &object.field("url"));
        Does::Open(url)
    };
    Some(Button {
        label,
        style,
        does,
        disabled: object.switch("disabled").unwrap_or_default(),
    })
}

/// A link needs a scheme that clients open, and a host.
fn check_url(url: &str, at: &At<'_>) {
    match url.split_once("://") {
        Some(("http" | "https" | "discord", rest)) if !rest.is_empty() && !rest.starts_with('/') => {}
        Some(("http" | "https" | "discord", _)) | None => {
            at.wrong("URL_TYPE_INVALID_URL", "Not a well formed URL.");
        }
        Some((scheme, _)) => {
            let message = format!(
                "Scheme \"{scheme}\" is not supported. Scheme must be one of ('http', 'https', 'discord')."
            );
            at.wrong("URL_TYPE_INVALID_SCHEME", message);
        }
    }
}

/// As the API tells them. Each component gets a number of its own.
pub(crate) fn to_json(rows: &Rows) -> Value {
    let mut ids = 1..;
    let mut id = || ids.next().unwrap_or_default();
    let rows = rows.iter().map(|row| {
        let own: i64 = id();
        let buttons: Vec<Value> = row.iter().map(|button| button_json(button, id())).collect();
        json!({"type": ACTION_ROW, "id": own, "components": buttons})
    });
    rows.collect()
}

fn button_json(button: &Button, id: i64) -> Value {
    let mut value = json!({"type": BUTTON, "id": id, "style": button.style, "label": button.label});
    match &button.does {
        Does::Ask(custom_id) => value["custom_id"] = custom_id.as_str().into(),
        Does::Open(url) => value["url"] = url.as_str().into(),
    }
    if button.disabled {
        value["disabled"] = true.into();
    }
    value
}
