//! Forms.

use serde_json::{Value, json};

use crate::slack::{arguments::Arguments, refusal::Refusal, state::State, views::View};

pub(super) fn open(state: &mut State, arguments: &Arguments) -> Result<Value, Refusal> {
    let view = view(arguments)?;
    // A view that is refused uses up no trigger: a guess, from the order in which arguments are looked at elsewhere.
    let view = state.checked_view(view)?;
    let trigger = state.use_trigger(&arguments.text("trigger_id"))?;
    let opened = state.open_view(&trigger, view);
    Ok(answer(state, &opened))
}

pub(super) fn update(state: &mut State, arguments: &Arguments) -> Result<Value, Refusal> {
    let view = view(arguments)?;
    let id = arguments.text("view_id");
    if id.is_empty() {
        return Err(Refusal::missing("view_id"));
    }
    let hash = Some(arguments.text("hash")).filter(|hash| !hash.is_empty());
    let changed = state.update_view(&id, hash.as_deref(), view)?;
    Ok(answer(state, &changed))
}

fn view(arguments: &Arguments) -> Result<Value, Refusal> {
    let view = arguments.structure("view").ok().flatten();
    view.ok_or_else(|| Refusal::broken("invalid_arguments", vec!["view is no JSON".to_owned()]))
}

fn answer(state: &State, view: &View) -> Value {
    json!({"view": state.view_json(view, &json!({}))})
}
