//! Forms that an interaction opens: what Discord calls modals.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{
    components::{ACTION_ROW, LABEL, TEXT_INPUT},
    fields,
    form::{At, Object},
    limits,
};

/// A form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Modal {
    /// What it carries back.
    pub custom_id: String,
    /// What stands above it.
    pub title: String,
    /// What is to be filled in, from the top.
    pub inputs: Vec<Input>,
}

/// A text input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// What it is called when it comes back.
    pub custom_id: String,
    /// What stands before it.
    pub label: String,
    /// What stands below the label.
    pub description: Option<String>,
    /// What stands in it until something is typed.
    pub placeholder: Option<String>,
    /// What it is filled with at first.
    pub value: Option<String>,
    /// Whether it takes several lines.
    pub paragraph: bool,
    /// Whether it has to be filled in.
    pub required: bool,
    /// Shortest text. Unit: scalars.
    pub min: usize,
    /// Longest text. Unit: scalars.
    pub max: usize,
    /// Whether it stands in a label and not in a row.
    pub(crate) in_label: bool,
}

/// Reads the data of a callback of type 9.
pub(crate) fn read(object: &Object<'_>) -> Option<Modal> {
    object.only(fields::MODAL);
    let custom_id = object.required_text("custom_id", 1, limits::CUSTOM_ID);
    let title = object.required_text("title", 1, limits::TITLE);
    if object.get("components").is_none() {
        let at = object.field("components");
        at.wrong("BASE_TYPE_REQUIRED", "This field is required");
    }
    let items = object.array("components", 1, limits::ROWS)?;
    let mut seen = BTreeSet::new();
    let inputs = items.iter().filter_map(|(value, at)| top(value, at, &mut seen));
    let inputs = inputs.collect();
    Some(Modal {
        custom_id: custom_id?,
        title: title?,
        inputs,
    })
}

fn top(value: &Value, at: &At<'_>, seen: &mut BTreeSet<String>) -> Option<Input> {
    let object = Object::read(value, at.clone())?;
    match object.required_integer("type")? {
        ACTION_ROW => {
            object.only(fields::MODAL_ROW);
            let items = object.array("components", 1, 1).unwrap_or_default();
            let (value, at) = items.first()?;
            let object = Object::read(value, at.clone())?;
            let label = object.required_text("label", 1, limits::INPUT_LABEL);
            input(&object, label, None, seen)
        }
        LABEL => {
            object.only(fields::LABEL);
            let label = object.required_text("label", 1, limits::INPUT_LABEL);
            let description = object.text("description", 1, limits::INPUT_DESCRIPTION);
            let inner = object.object("component")?;
            if inner.has("label") {
                let message = "A label is not allowed within a label.";
                inner.field("label").wrong("COMPONENT_LABEL_NOT_ALLOWED", message);
            }
            let mut input = input(&inner, label, description, seen)?;
            input.in_label = true;
            Some(input)
        }
        other => {
            at.not_modelled(&format!("a component of type {other} in a form"));
            None
        }
    }
}

fn input(
    object: &Object<'_>,
    label: Option<String>,
    description: Option<String>,
    seen: &mut BTreeSet<String>,
) -> Option<Input> {
    object.only(fields::INPUT);
    let kind = object.required_integer("type")?;
    if kind != TEXT_INPUT {
        object.at.not_modelled(&format!("an input of type {kind}"));
        return None;
    }
    let custom_id = object.required_text("custom_id", 1, limits::CUSTOM_ID);
    if let Some(id) = &custom_id
        && !seen.insert(id.clone())
    {
        let at = object.field("custom_id");
        at.wrong(
            "COMPONENT_CUSTOM_ID_DUPLICATED",
            "Component custom id cannot be duplicated",
        );
    }
    let style = object.required_integer("style")?;
    object.field("style").choose(style, &[1, 2]);
    let bound = |name: &str, min: i64, or: usize| {
        let max = i64::try_from(limits::INPUT).unwrap_or(i64::MAX);
        let bound = object.integer(name).filter(|bound| {
            object.field(name).range(*bound, min, max);
            (min..=max).contains(bound)
        });
        bound.and_then(|bound| usize::try_from(bound).ok()).unwrap_or(or)
    };
    Some(Input {
        custom_id: custom_id?,
        label: label?,
        description,
        placeholder: object.text("placeholder", 0, limits::PLACEHOLDER),
        value: object.text("value", 0, limits::INPUT),
        paragraph: style == 2,
        required: object.switch("required").unwrap_or(true),
        min: bound("min_length", 0, 0),
        max: bound("max_length", 1, limits::INPUT),
        in_label: false,
    })
}

impl Modal {
    /// The components as they come back, each filled with its text.
    pub(crate) fn filled(&self, texts: &[String]) -> Value {
        let mut ids = 1..;
        let mut id = || ids.next().unwrap_or_default();
        let inputs = self.inputs.iter().zip(texts).map(|(input, text)| {
            let outer: i64 = id();
            let inner = json!({
                "type": TEXT_INPUT, "id": id(), "custom_id": input.custom_id, "value": text,
            });
            if input.in_label {
                json!({"type": LABEL, "id": outer, "component": inner})
            } else {
                json!({"type": ACTION_ROW, "id": outer, "components": [inner]})
            }
        });
        inputs.collect()
    }
}
