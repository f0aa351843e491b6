//! The first answer to an interaction.

use serde_json::{Value, json};

use super::{
    Reply, Request,
    writing::{IN_ANSWER, IN_CHANGE, Written, told},
};
use crate::discord::{
    fields,
    form::{Form, Object},
    interactions::{Answer as How, Asked, Interaction, OpenForm},
    message::{Draft, Kind, MessageAt, flags},
    modal::{self, Modal},
    refusal::Refusal,
    state::State,
};

/// `InteractionCallbackTypes`.
const MESSAGE: i64 = 4;
const LOADING: i64 = 5;
const LATER_UPDATE: i64 = 6;
const UPDATE: i64 = 7;
const MODAL: i64 = 9;

/// An answer that was read.
enum Content {
    Written(Written),
    /// A message on its way, with its flags.
    Loading(u64),
    Nothing,
    Modal(Modal),
}

pub(super) fn respond(state: &mut State, request: &Request) -> Result<Reply, Refusal> {
    let id = request.id("interaction_id")?;
    let now = state.now;
    let known = state.interactions.get_mut(&id);
    let interaction = known
        .filter(|interaction| interaction.token == request.parameter("interaction_token"))
        .ok_or_else(Refusal::unknown_interaction)?;
    if interaction.answer != How::None {
        interaction.in_vain += 1;
        // One that was handed out twice may be answered twice in good faith.
        let twice = interaction.handed_out > 1;
        return Err(Refusal {
            rule_broken: !twice,
            ..Refusal::acknowledged_already()
        });
    }
    if interaction.is_late(now) {
        interaction.in_vain += 1;
        return Err(Refusal::unknown_interaction());
    }
    let interaction = interaction.clone();
    let form = Form::default();
    let body = form.body(request.fields()?);
    let kind = body.required_integer("type").unwrap_or_default();
    let content = read(&body, kind, &interaction);
    form.finish()?;
    let (how, original) = match content {
        Some(content) => answer(state, request.route, &interaction, kind, content)?,
        None => return Err(Refusal::not_modelled(&format!("answers of type {kind}"))),
    };
    let entry = state.interactions.get_mut(&id).expect("it was found above");
    entry.answer = how;
    entry.original = original;
    if how == How::Update
        && let Some(at) = original
    {
        state.show_alone(interaction.by, at);
    }
    if request.query("with_response") == Some("true") {
        return Ok(Reply::Told(response_json(state, &interaction, kind, original)));
    }
    Ok(Reply::Done)
}

/// Which answers fit. Source: Discord docs, "Receiving and Responding", "Interaction Callback Type".
fn fitting(interaction: &Interaction) -> &'static [i64] {
    match (&interaction.asked, interaction.on()) {
        (Asked::Button { .. }, _) => &[MESSAGE, LOADING, LATER_UPDATE, UPDATE, MODAL],
        (Asked::Command { .. }, _) => &[MESSAGE, LOADING, MODAL],
        (Asked::Form { .. }, Some(_)) => &[MESSAGE, LOADING, LATER_UPDATE, UPDATE],
        (Asked::Form { .. }, None) => &[MESSAGE, LOADING],
    }
}

fn read(body: &Object<'_>, kind: i64, interaction: &Interaction) -> Option<Content> {
    if !body.field("type").choose(kind, fitting(interaction)) {
        return Some(Content::Nothing);
    }
    let data = body.object("data");
    let demand = || {
        let at = body.field("data");
        at.wrong("BASE_TYPE_REQUIRED", "This field is required");
    };
    Some(match kind {
        MESSAGE | UPDATE => {
            let known = if kind == MESSAGE { IN_ANSWER } else { IN_CHANGE };
            // Without data there is nothing to be shown, or to be changed.
            Content::Written(data.map_or_else(Written::default, |data| {
                data.only(if kind == MESSAGE {
                    fields::ANSWER
                } else {
                    fields::UPDATE
                });
                Written::read(&data, known)
            }))
        }
        LOADING => {
            let flags = data.map(|data| {
                data.only(fields::LOADING);
                Written::read(&data, IN_ANSWER).flags.unwrap_or_default()
            });
            Content::Loading(flags.unwrap_or_default())
        }
        LATER_UPDATE => Content::Nothing,
        MODAL => {
            let Some(data) = data else {
                demand();
                return Some(Content::Nothing);
            };
            modal::read(&data).map_or(Content::Nothing, Content::Modal)
        }
        _ => return None,
    })
}

fn answer(
    state: &mut State,
    route: &str,
    interaction: &Interaction,
    kind: i64,
    content: Content,
) -> Result<(How, Option<MessageAt>), Refusal> {
    match content {
        Content::Written(written) if kind == UPDATE => {
            let on = interaction.on().ok_or_else(Refusal::unknown_message)?;
            written.change(state, route, on)?;
            Ok((How::Update, Some(on)))
        }
        Content::Written(written) => {
            let draft = written.draft(state, route, interaction.channel)?;
            Ok((How::Message, Some(post(state, interaction, draft))))
        }
        Content::Loading(flags) => {
            let mut draft = Draft::new(state.bot.id, "");
            draft.flags = flags | flags::LOADING;
            Ok((How::Loading, Some(post(state, interaction, draft))))
        }
        Content::Modal(modal) => {
            let from = interaction.id;
            state.tell_form(interaction, &modal);
            state.forms.insert(interaction.by, OpenForm { modal, from });
            Ok((How::Form, None))
        }
        Content::Nothing => Ok((How::LaterUpdate, interaction.on())),
    }
}

/// Posts a message that answers an interaction; what is ephemeral goes to one person alone.
pub(super) fn post(state: &mut State, interaction: &Interaction, mut draft: Draft) -> MessageAt {
    draft.answers = Some(interaction.id);
    draft.only_for = draft.has(flags::EPHEMERAL).then_some(interaction.by);
    draft.kind = match (&interaction.asked, interaction.on()) {
        (_, Some(on)) => {
            draft.refers_to = Some(on);
            Kind::Reply
        }
        (Asked::Command { .. }, None) => Kind::Command,
        _ => Kind::Default,
    };
    state.post(interaction.channel, draft)
}

/// What is told to whoever asks for it.
fn response_json(state: &State, interaction: &Interaction, kind: i64, original: Option<MessageAt>) -> Value {
    let asked = match interaction.asked {
        Asked::Command { .. } => 2,
        Asked::Button { .. } => 3,
        Asked::Form { .. } => 5,
    };
    let mut told_of = json!({"id": interaction.id.to_string(), "type": asked});
    let mut response = json!({});
    if let Some(at) = original {
        let draft = &state.message(at).expect("it was just posted").draft;
        told_of["response_message_id"] = at.id.to_string().into();
        told_of["response_message_loading"] = draft.has(flags::LOADING).into();
        told_of["response_message_ephemeral"] = draft.has(flags::EPHEMERAL).into();
        // What is put off has no message to be told yet.
        if matches!(kind, MESSAGE | UPDATE)
            && let Ok(message) = told(state, at)
        {
            response["resource"] = json!({"type": kind, "message": message});
        }
    }
    response["interaction"] = told_of;
    response
}
