//! What stands below a message: buttons, or a demand to reply.

use serde_json::{Map, Value, json};

use super::{arguments::Arguments, fields, limits, links, refusal::Refusal};

/// What stands below a message. A message has one of these and never two, which is why own words need a message of
/// their own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Markup {
    /// Nothing.
    #[default]
    None,
    /// Buttons, row by row.
    Buttons(Vec<Vec<Button>>),
    /// The clients of its readers open a reply to it.
    ForceReply {
        /// What stands in the empty input field.
        placeholder: Option<String>,
        /// Whether only those who are mentioned, or replied to, are its readers.
        selective: bool,
    },
    /// A keyboard in place of the letters, or its removal. Taken and not shown: nobody here asks for one.
    Keyboard,
}

/// A button below a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Button {
    /// What stands on it.
    pub label: String,
    /// What it does.
    pub does: Does,
}

/// What a button does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Does {
    /// Sends this to the bot.
    CallBack(String),
    /// Opens this link.
    Open(String),
    /// Copies this text.
    Copy(String),
}

impl Markup {
    /// Whether a message with it can be changed. Source: TDLib, "Messages with regular keyboards can't be edited".
    pub(crate) fn can_be_edited(&self) -> bool {
        matches!(self, Self::None | Self::Buttons(_))
    }

    /// Its buttons, row by row.
    #[must_use]
    pub fn rows(&self) -> &[Vec<Button>] {
        match self {
            Self::Buttons(rows) => rows,
            _ => &[],
        }
    }

    /// As the Bot API writes it in a message: buttons only.
    pub(crate) fn to_json(&self) -> Option<Value> {
        let one = |button: &Button| match &button.does {
            Does::CallBack(data) => json!({"text": button.label, "callback_data": data}),
            Does::Open(url) => json!({"text": button.label, "url": url}),
            Does::Copy(text) => json!({"text": button.label, "copy_text": {"text": text}}),
        };
        let row = |row: &Vec<Button>| row.iter().map(one).collect::<Value>();
        match self {
            Self::Buttons(rows) => Some(json!({"inline_keyboard": rows.iter().map(row).collect::<Value>()})),
            _ => None,
        }
    }
}

/// Reads the parameter `reply_markup`.
///
/// # Errors
/// For JSON that is none, nulls, fields this fake does not know, and what exceeds a limit.
pub(crate) fn read(arguments: &Arguments) -> Result<Markup, Refusal> {
    if arguments.text("reply_markup").is_empty() {
        return Ok(Markup::None);
    }
    let markup = arguments
        .json("reply_markup")
        .ok_or_else(|| Refusal::broken("can't parse reply keyboard markup JSON object"))?;
    let object = markup
        .as_object()
        .ok_or_else(|| Refusal::broken("object expected as reply markup"))?;
    let fault = |fault: String| Refusal::broken(fields::sentence(&fault));
    known(object, &MARKUP_FIELDS, "reply_markup")?;
    let keyboard = fields::array(object, "keyboard").map_err(fault)?;
    let rows = rows(fields::array(object, "inline_keyboard").map_err(fault)?)?;
    let on = |name: &str| fields::switch(object, name).map_err(fault);
    let (remove, force, selective) = (on("remove_keyboard")?, on("force_reply")?, on("selective")?);
    let placeholder = fields::optional_string(object, "input_field_placeholder").map_err(fault)?;
    if keyboard.is_some_and(|rows| !rows.is_empty()) {
        return Ok(Markup::Keyboard);
    }
    if !rows.is_empty() {
        return checked(rows);
    }
    if remove {
        return Ok(Markup::Keyboard);
    }
    if !force {
        return Ok(Markup::None);
    }
    if placeholder
        .as_ref()
        .is_some_and(|text| text.is_empty() || !limits::PLACEHOLDER.fits(text))
    {
        // A guess: the documentation says 1-64 and no source says what happens beyond.
        return Err(Refusal::broken("REPLY_MARKUP_INVALID"));
    }
    Ok(Markup::ForceReply {
        placeholder,
        selective,
    })
}

const MARKUP_FIELDS: [&str; 9] = [
    "inline_keyboard",
    "keyboard",
    "remove_keyboard",
    "force_reply",
    "selective",
    "input_field_placeholder",
    "resize_keyboard",
    "one_time_keyboard",
    "is_persistent",
];

const BUTTON_FIELDS: [&str; 5] = ["text", "callback_data", "url", "copy_text", "style"];

fn known(object: &Map<String, Value>, names: &[&str], of: &str) -> Result<(), Refusal> {
    match object.keys().find(|name| !names.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => Err(Refusal::not_modelled(&format!("`{name}` of {of}"))),
    }
}

fn rows(rows: Option<&Vec<Value>>) -> Result<Vec<Vec<Button>>, Refusal> {
    let mut read = Vec::new();
    for row in rows.into_iter().flatten() {
        let row = row.as_array().ok_or_else(|| {
            Refusal::broken(
                "field \"inline_keyboard\" of the InlineKeyboardMarkup must be an Array of Arrays",
            )
        })?;
        let row: Vec<Button> = row.iter().map(button).collect::<Result<_, _>>()?;
        if !row.is_empty() {
            read.push(row);
        }
    }
    Ok(read)
}

fn button(button: &Value) -> Result<Button, Refusal> {
    let fault = |fault: String| Refusal::broken(format!("can't parse inline keyboard button: {fault}"));
    let object = button
        .as_object()
        .ok_or_else(|| fault("InlineKeyboardButton must be an Object".to_owned()))?;
    known(object, &BUTTON_FIELDS, "a button")?;
    let label = fields::string(object, "text").map_err(fault)?;
    let filled = |name: &str| {
        let text = fields::optional_string(object, name).map_err(fault)?;
        Ok(text.filter(|text| !text.is_empty()))
    };
    let does = if let Some(url) = filled("url")? {
        links::check(&url).map_err(|wrong| {
            Refusal::broken(format!("inline keyboard button URL '{url}' is invalid: {wrong}"))
        })?;
        Does::Open(url)
    } else if let Some(data) = filled("callback_data")? {
        Does::CallBack(data)
    } else if let Some(Value::Object(copy)) = object.get("copy_text") {
        Does::Copy(fields::string(copy, "text").map_err(fault)?)
    } else {
        return Err(fault(
            "Text buttons are unallowed in the inline keyboard".to_owned(),
        ));
    };
    Ok(Button { label, does })
}

fn checked(rows: Vec<Vec<Button>>) -> Result<Markup, Refusal> {
    let buttons = || rows.iter().flatten();
    if buttons().any(|button| button.label.trim().is_empty()) {
        return Err(Refusal::broken("inline keyboard button text must be non-empty"));
    }
    let data = |button: &Button| match &button.does {
        Does::CallBack(data) => limits::CALLBACK_DATA.fits(data),
        _ => true,
    };
    if !buttons().all(data) {
        return Err(Refusal::broken("BUTTON_DATA_INVALID"));
    }
    let count = buttons().count();
    let markup = Markup::Buttons(rows);
    let size = markup.to_json().map_or(0, |json| json.to_string().len());
    if count > limits::BUTTONS || size > limits::KEYBOARD {
        return Err(Refusal::broken("reply markup is too long"));
    }
    Ok(markup)
}
