//! Views: the forms that a trigger opens. Source: "Views", `views.open`.

use serde_json::Value;

use super::{
    Faults, Surface, check,
    fields::{Fields, Text},
    limits, with_ids,
};
use crate::slack::refusal::Refusal;

/// A view with ids for all its blocks.
pub(crate) fn check_view(view: Value, next_id: impl FnMut() -> String) -> Result<Value, Refusal> {
    let mut faults = Faults::default();
    let at = "/view";
    let Some(mut fields) = Fields::of(&view, at, &mut faults) else {
        return Err(Refusal::broken("invalid_arguments", faults.messages));
    };
    if fields.kind() != "modal" {
        faults.add(format!("not modelled: a view of type {:?}", fields.kind()), at);
    }
    fields.text("title", Text::Plain, limits::VIEW_TITLE, true, &mut faults);
    fields.text("submit", Text::Plain, limits::VIEW_TITLE, false, &mut faults);
    fields.text("close", Text::Plain, limits::VIEW_TITLE, false, &mut faults);
    fields.string("private_metadata", limits::PRIVATE_METADATA, &mut faults);
    fields.string("callback_id", limits::ID, &mut faults);
    fields.string("external_id", limits::ID, &mut faults);
    fields.switch("clear_on_close", &mut faults);
    fields.switch("notify_on_close", &mut faults);
    fields.switch("submit_disabled", &mut faults);
    let submits = fields.has("submit");
    match fields.take("blocks") {
        Some(Value::Array(blocks)) => {
            check(blocks, Surface::View, "/view/blocks", &mut faults);
            if !submits && blocks.iter().any(|block| block["type"] == "input") {
                faults.add("missing required field: submit", at);
            }
        }
        _ => faults.add("missing required field: blocks", at),
    }
    fields.rest(&mut faults);
    if !faults.messages.is_empty() {
        return Err(Refusal::broken("invalid_arguments", faults.messages));
    }
    let mut view = view;
    if let Value::Array(blocks) = view["blocks"].take() {
        view["blocks"] = with_ids(blocks, next_id).into();
    }
    Ok(view)
}
