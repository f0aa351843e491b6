//! Slash commands, as an application registers them.

use std::{collections::BTreeMap, sync::LazyLock};

use regex::Regex;
use serde_json::{Value, json};

use super::{
    fields,
    form::{At, Object},
    limits,
    state::State,
};

/// What a command may be called. Source: Discord docs, "Application Commands", "Application Command Naming", less the
/// letters without case.
static NAME: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$").expect("it is a regular expression")
});

/// An option that takes a text. Source: Discord docs, "Application Command Option Type".
const TEXT_OPTION: i64 = 3;

/// A command that can be typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    pub(crate) id: u64,
    /// What is typed, without the slash.
    pub name: String,
    /// What stands beside it.
    pub description: String,
    /// The same in other languages.
    pub descriptions: BTreeMap<String, String>,
    /// The option that takes what is typed behind the name.
    pub option: Option<CommandOption>,
    /// Whether it can be used in direct conversations.
    pub direct: bool,
}

/// An option of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandOption {
    /// What it is called.
    pub name: String,
    /// What stands beside it.
    pub description: String,
    /// Whether it has to be there.
    pub required: bool,
    /// Shortest text. Unit: scalars.
    pub min: usize,
    /// Longest text. Unit: scalars.
    pub max: usize,
}

/// Reads one command of a list.
pub(crate) fn read(value: &Value, at: &At<'_>, id: u64) -> Option<Command> {
    let object = Object::read(value, at.clone())?;
    object.only(&[fields::COMMAND, &["nsfw"]].concat());
    if object.switch("nsfw") == Some(true) {
        object.field("nsfw").not_modelled("a restriction of age");
    }
    if object.integer("type").is_some_and(|kind| kind != 1) {
        object.field("type").not_modelled("a command that is not typed");
    }
    let name = object.required_text("name", 1, limits::COMMAND)?;
    check_name(&name, &object.field("name"));
    let description = object.required_text("description", 1, limits::COMMAND_DESCRIPTION);
    localizations(&object, "name_localizations", limits::COMMAND);
    let descriptions = localizations(&object, "description_localizations", limits::COMMAND_DESCRIPTION);
    let options = object.array("options", 0, 25).unwrap_or_default();
    let mut options = options.iter().filter_map(|(value, at)| option(value, at));
    let first = options.next();
    if options.next().is_some() {
        object.field("options").not_modelled("more than one option");
    }
    let contexts = object.array("contexts", 1, 3);
    let direct = contexts.is_none_or(|contexts| contexts.iter().any(|(value, _)| *value == &json!(1)));
    Some(Command {
        id,
        name,
        description: description?,
        descriptions,
        option: first,
        direct: direct && object.switch("dm_permission").unwrap_or(true),
    })
}

fn option(value: &Value, at: &At<'_>) -> Option<CommandOption> {
    let object = Object::read(value, at.clone())?;
    object.only(&[fields::OPTION, fields::OPTION_OF_OTHERS].concat());
    for name in ["choices", "options", "channel_types"] {
        // Libraries send them empty.
        if object.array(name, 0, 25).is_some_and(|items| !items.is_empty()) {
            object.field(name).not_modelled("anything in it");
        }
    }
    if object.switch("autocomplete") == Some(true) {
        object.field("autocomplete").not_modelled("suggestions");
    }
    let bound = |name: &str, or: usize| {
        let bound = object.integer(name).and_then(|bound| usize::try_from(bound).ok());
        bound.unwrap_or(or)
    };
    let (min, max) = (bound("min_length", 0), bound("max_length", limits::OPTION));
    let most = i64::try_from(limits::OPTION).unwrap_or(i64::MAX);
    for (name, least) in [("min_length", 0), ("max_length", 1)] {
        if let Some(bound) = object.integer(name) {
            object.field(name).range(bound, least, most);
        }
    }
    let kind = object.required_integer("type")?;
    if kind != TEXT_OPTION {
        object.field("type").not_modelled("an option that takes no text");
    }
    let name = object.required_text("name", 1, limits::COMMAND)?;
    check_name(&name, &object.field("name"));
    localizations(&object, "name_localizations", limits::COMMAND);
    localizations(&object, "description_localizations", limits::COMMAND_DESCRIPTION);
    Some(CommandOption {
        name,
        description: object.required_text("description", 1, limits::COMMAND_DESCRIPTION)?,
        required: object.switch("required").unwrap_or_default(),
        min,
        max,
    })
}

fn check_name(name: &str, at: &At<'_>) {
    if !NAME.is_match(name) || name.to_lowercase() != name {
        at.wrong("APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid");
    }
}

fn localizations(object: &Object<'_>, name: &str, max: usize) -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    let Some(Value::Object(fields)) = object.get(name) else {
        return texts;
    };
    for (locale, text) in fields {
        let at = object.field(name).field(locale);
        if !limits::LOCALES.contains(&locale.as_str()) {
            let choices = limits::LOCALES.map(|locale| format!("'{locale}'")).join(", ");
            at.wrong("BASE_TYPE_CHOICES", format!("Value must be one of ({choices})."));
        }
        let text = text.as_str().unwrap_or_default();
        at.measure(text.chars().count(), 1, max);
        texts.insert(locale.clone(), text.to_owned());
    }
    texts
}

impl State {
    /// A command as the API tells it.
    pub(crate) fn command_json(&self, command: &Command) -> Value {
        let mut value = json!({
            "id": command.id.to_string(),
            "application_id": self.bot.id.to_string(),
            "version": command.id.to_string(),
            "default_member_permissions": null,
            "type": 1,
            "name": command.name,
            "name_localizations": null,
            "description": command.description,
            "description_localizations": command.descriptions,
            "dm_permission": command.direct,
            "contexts": if command.direct { json!([0, 1, 2]) } else { json!([0]) },
            "integration_types": [0],
            "nsfw": false,
        });
        if let Some(option) = &command.option {
            value["options"] = json!([{
                "type": TEXT_OPTION, "name": option.name, "description": option.description,
                "required": option.required,
            }]);
        }
        value
    }
}
