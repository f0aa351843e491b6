//! Tools that want something of the client first (`input_required`, from 2026-07-28 on).

use rmcp::{
    ErrorData, RoleServer,
    model::{CallToolRequestParams, CallToolResponse, ErrorCode},
    service::RequestContext,
};
use serde_json::{Value, json};

use crate::{
    server::{Fixture, complete, wire},
    tools::text,
};

pub(crate) const TOOLS: [&str; 8] = [
    "test_input_required_result_elicitation",
    "test_input_required_result_sampling",
    "test_input_required_result_list_roots",
    "test_input_required_result_request_state",
    "test_input_required_result_multiple_inputs",
    "test_input_required_result_multi_round",
    "test_input_required_result_tampered_state",
    "test_input_required_result_capabilities",
];

/// The answer of a call of one of these; `None` for others.
pub(crate) fn call(
    fixture: &Fixture,
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<Option<CallToolResponse>, ErrorData> {
    let name = elicit("user_name", "What is your name?", "name");
    let sample = |key: &str, prompt: &str| {
        let message = json!({ "role": "user", "content": { "type": "text", "text": prompt } });
        (
            key.to_owned(),
            json!({ "method": "sampling/createMessage",
                                 "params": { "messages": [message], "maxTokens": 100 } }),
        )
    };
    let roots = || {
        (
            "client_roots".to_owned(),
            json!({ "method": "roots/list", "params": {} }),
        )
    };
    let given = |key: &str| {
        let responses = request.input_responses.as_ref()?;
        responses.get(key).filter(|response| response.is_object())
    };
    let response = match request.name.as_ref() {
        "test_input_required_result_elicitation" | "test_streaming_elicitation" => match given("user_name") {
            Some(response) => done(&format!("Hello, {}!", response["content"]["name"])),
            None => wanted([name], None),
        },
        "test_input_required_result_sampling" => match given("capital_question") {
            Some(response) => done(&format!("The model said: {}", response["content"])),
            None => wanted(
                [sample("capital_question", "What is the capital of France?")],
                None,
            ),
        },
        "test_input_required_result_list_roots" => match given("client_roots") {
            Some(response) => done(&format!("Your roots: {}", response["roots"])),
            None => wanted([roots()], None),
        },
        "test_input_required_result_request_state" | "test_input_required_result_tampered_state" => {
            match opened(fixture, request)? {
                Some(_) => done("state-ok"),
                None => wanted(
                    [elicit("confirm", "Please confirm", "ok")],
                    Some(fixture.states.seal(b"confirm")),
                ),
            }
        }
        "test_input_required_result_multiple_inputs" => match opened(fixture, request)? {
            Some(_)
                if ["user_name", "greeting", "client_roots"]
                    .iter()
                    .all(|key| given(key).is_some()) =>
            {
                done("Everything is there")
            }
            _ => wanted(
                [name, sample("greeting", "Generate a greeting"), roots()],
                Some(fixture.states.seal(b"all")),
            ),
        },
        "test_input_required_result_multi_round" => match opened(fixture, request)?.as_deref() {
            Some(b"two") => done("Both steps are done"),
            Some(_) => wanted(
                [elicit("step2", "Step 2: What is your favorite color?", "color")],
                Some(fixture.states.seal(b"two")),
            ),
            None => wanted(
                [elicit("step1", "Step 1: What is your name?", "name")],
                Some(fixture.states.seal(b"one")),
            ),
        },
        "test_input_required_result_capabilities" => {
            let can = context.meta.client_capabilities().unwrap_or_default();
            let elicitation = can.elicitation.is_some().then_some(name);
            let sampling = can
                .sampling
                .is_some()
                .then(|| sample("greeting", "Generate a greeting"));
            wanted(elicitation.into_iter().chain(sampling), None)
        }
        _ => return Ok(None),
    };
    Ok(Some(response))
}

/// What the client was handed in the round before.
fn opened(fixture: &Fixture, request: &CallToolRequestParams) -> Result<Option<Vec<u8>>, ErrorData> {
    let Some(state) = &request.request_state else {
        return Ok(None);
    };
    let opened = fixture.states.open(state);
    opened
        .map(Some)
        .map_err(|_| ErrorData::new(ErrorCode::INVALID_PARAMS, "this state is not from here", None))
}

/// A question for one value.
pub(crate) fn elicit(key: &str, message: &str, field: &str) -> (String, Value) {
    let kind = if field == "ok" { "boolean" } else { "string" };
    let schema = json!({ "type": "object", "properties": { field: { "type": kind } }, "required": [field] });
    let params = json!({ "mode": "form", "message": message, "requestedSchema": schema });
    (
        key.to_owned(),
        json!({ "method": "elicitation/create", "params": params }),
    )
}

fn wanted(requests: impl IntoIterator<Item = (String, Value)>, state: Option<String>) -> CallToolResponse {
    let requests: serde_json::Map<String, Value> = requests.into_iter().collect();
    let mut result = json!({ "resultType": "input_required", "inputRequests": requests });
    if let Some(state) = state {
        result["requestState"] = json!(state);
    }
    CallToolResponse::InputRequired(wire(result))
}

fn done(said: &str) -> CallToolResponse {
    CallToolResponse::Complete(complete(json!({ "content": [text(said)] })))
}
