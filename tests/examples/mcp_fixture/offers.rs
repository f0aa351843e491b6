//! Prompts and resources.

use rmcp::{
    ErrorData,
    model::{ErrorCode, GetPromptRequestParams, GetPromptResponse, ReadResourceResponse},
};
use serde_json::{Value, json};

use crate::{
    asking,
    server::{complete, wire},
    tools::text,
};

/// One red pixel, as PNG in base64.
pub(crate) const PIXEL: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

/// No sound, as WAV in base64.
pub(crate) const SILENCE: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";

pub(crate) fn prompts() -> Value {
    let argument = |name: &str| json!({ "name": name, "description": "A test argument", "required": true });
    json!([
        { "name": "test_simple_prompt", "description": "Without arguments" },
        {
            "name": "test_prompt_with_arguments",
            "description": "With arguments",
            "arguments": [argument("arg1"), argument("arg2")],
        },
        {
            "name": "test_prompt_with_embedded_resource",
            "description": "With a resource",
            "arguments": [argument("resourceUri")],
        },
        { "name": "test_prompt_with_image", "description": "With an image" },
        { "name": "test_input_required_result_prompt", "description": "That asks back" },
    ])
}

pub(crate) fn prompt(request: &GetPromptRequestParams) -> Result<GetPromptResponse, ErrorData> {
    let user = |content: Value| json!({ "role": "user", "content": content });
    let argument = |name: &str| {
        let arguments = request.arguments.as_ref();
        let value = arguments.and_then(|arguments| arguments.get(name));
        serde_json::to_value(value)
            .unwrap_or_default()
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let messages = match request.name.as_ref() {
        "test_simple_prompt" => json!([user(text("This is a simple prompt for testing."))]),
        "test_prompt_with_arguments" => {
            let (first, second) = (argument("arg1"), argument("arg2"));
            json!([user(text(&format!(
                "Prompt with arguments: arg1='{first}', arg2='{second}'"
            )))])
        }
        "test_prompt_with_embedded_resource" => json!([
            user(json!({ "type": "resource", "resource": {
                "uri": argument("resourceUri"),
                "mimeType": "text/plain",
                "text": "Embedded resource content for testing.",
            }})),
            user(text("Please process the embedded resource above.")),
        ]),
        "test_prompt_with_image" => json!([
            user(json!({ "type": "image", "data": PIXEL, "mimeType": "image/png" })),
            user(text("Please analyze the image above.")),
        ]),
        "test_input_required_result_prompt" => {
            let responses = request.input_responses.as_ref();
            if responses.is_none_or(|responses| !responses.contains_key("user_context")) {
                let (key, question) =
                    asking::elicit("user_context", "What context should the prompt use?", "context");
                return Ok(GetPromptResponse::InputRequired(wire(json!({
                    "resultType": "input_required",
                    "inputRequests": { key: question },
                }))));
            }
            json!([user(text("With the context you gave."))])
        }
        other => {
            return Err(ErrorData::invalid_params(
                format!("there is no prompt {other}"),
                None,
            ));
        }
    };
    Ok(GetPromptResponse::Complete(complete(
        json!({ "messages": messages }),
    )))
}

pub(crate) fn resources() -> Value {
    let resource = |uri: &str, kind: &str| json!({ "uri": uri, "name": uri, "description": "For tests", "mimeType": kind });
    json!([
        resource("test://static-text", "text/plain"),
        resource("test://static-binary", "image/png"),
        resource("test://watched-resource", "text/plain"),
    ])
}

pub(crate) fn templates() -> Value {
    json!([{
        "uriTemplate": "test://template/{id}/data",
        "name": "template",
        "description": "For tests",
        "mimeType": "application/json",
    }])
}

pub(crate) fn resource(uri: &str) -> Result<ReadResourceResponse, ErrorData> {
    let id = uri
        .strip_prefix("test://template/")
        .and_then(|rest| rest.strip_suffix("/data"));
    let content = match (uri, id) {
        ("test://static-text", _) => json!({
            "mimeType": "text/plain", "text": "This is the content of the static text resource.",
        }),
        ("test://static-binary", _) => json!({ "mimeType": "image/png", "blob": PIXEL }),
        ("test://watched-resource", _) => json!({ "mimeType": "text/plain", "text": "Watched." }),
        (_, Some(id)) => json!({
            "mimeType": "application/json",
            "text": json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") }).to_string(),
        }),
        _ => {
            let data = Some(json!({ "uri": uri }));
            return Err(ErrorData::new(
                ErrorCode::INVALID_PARAMS,
                "Resource not found",
                data,
            ));
        }
    };
    let mut content = content;
    content["uri"] = json!(uri);
    Ok(ReadResourceResponse::Complete(complete(
        json!({ "contents": [content] }),
    )))
}
