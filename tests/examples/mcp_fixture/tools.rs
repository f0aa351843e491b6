//! Tools that answer by themselves.

use std::time::Duration;

use rmcp::{
    ErrorData, RoleServer,
    model::{CallToolRequestParams, CallToolResponse, ErrorCode, LoggingLevel, ProgressNotificationParam},
    service::RequestContext,
};
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::{
    asking,
    offers::{PIXEL, SILENCE},
    server::{Changed, Fixture, complete, wire},
};

/// Between two notifications, as the suite asks for.
const PAUSE: Duration = Duration::from_millis(50);

const OURS: [&str; 13] = [
    "test_simple_text",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_tool_with_logging",
    "test_logging_tool",
    "test_error_handling",
    "test_tool_with_progress",
    "test_missing_capability",
    "test_streaming_elicitation",
    "test_trigger_tool_change",
    "test_trigger_prompt_change",
];

/// All tools, always in the same order.
pub(crate) fn all() -> Vec<Value> {
    let names = OURS.into_iter().chain(asking::TOOLS);
    let plain = names.map(|name| {
        json!({
            "name": name,
            "description": format!("What the suite calls {name}"),
            "inputSchema": { "type": "object" },
        })
    });
    plain.chain([schema(), in_headers()]).collect()
}

/// Of which a value stands in a header too.
fn in_headers() -> Value {
    json!({
        "name": "test_headers",
        "description": "Tool with a value in a header",
        "inputSchema": {
            "type": "object",
            "properties": { "region": { "type": "string", "x-mcp-header": "Region" } },
        },
    })
}

/// Whose schema has words that a careless server drops.
fn schema() -> Value {
    json!({
        "name": "json_schema_2020_12_tool",
        "description": "Tool with JSON Schema 2020-12 features",
        "inputSchema": {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "$defs": { "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
            }},
            "properties": {
                "name": { "type": "string" },
                "address": { "$ref": "#/$defs/address" },
                "contactMethod": { "type": "string", "enum": ["phone", "email"] },
                "phone": { "type": "string" },
                "email": { "type": "string" },
            },
            "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
            "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
            "then": { "required": ["phone"] },
            "else": { "required": ["email"] },
            "additionalProperties": false,
        },
    })
}

/// The answer of a call.
pub(crate) async fn call(
    fixture: &Fixture,
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let image = json!({ "type": "image", "data": PIXEL, "mimeType": "image/png" });
    let said = match request.name.as_ref() {
        "test_headers" | "json_schema_2020_12_tool" => json!([text("Called")]),
        "test_simple_text" => json!([text("This is a simple text response for testing.")]),
        "test_image_content" => json!([image]),
        "test_audio_content" => json!([{ "type": "audio", "data": SILENCE, "mimeType": "audio/wav" }]),
        "test_embedded_resource" => json!([{ "type": "resource", "resource": {
            "uri": "test://embedded-resource",
            "mimeType": "text/plain",
            "text": "This is an embedded resource content.",
        }}]),
        "test_multiple_content_types" => json!([
            text("Multiple content types test:"),
            image,
            { "type": "resource", "resource": {
                "uri": "test://mixed-content-resource",
                "mimeType": "application/json",
                "text": "{\"test\":\"data\",\"value\":123}",
            }},
        ]),
        "test_error_handling" => {
            let failed = json!([text("This tool intentionally returns an error for testing")]);
            return Ok(CallToolResponse::Complete(complete(
                json!({ "content": failed, "isError": true }),
            )));
        }
        "test_tool_with_logging" => {
            for line in [
                "Tool execution started",
                "Tool processing data",
                "Tool execution completed",
            ] {
                log(context, line).await;
                sleep(PAUSE).await;
            }
            json!([text("Logged three times")])
        }
        // From 2026-07-28 on a request says itself what it wants to hear.
        "test_logging_tool" => {
            if context.meta.log_level().is_some() {
                log(context, "As asked for").await;
            }
            json!([text("Logged if asked to")])
        }
        "test_tool_with_progress" => {
            askd_mcp::opens(context);
            for done in [0.0, 50.0, 100.0] {
                if let Some(token) = context.meta.get_progress_token() {
                    let progress = ProgressNotificationParam::new(token, done).with_total(100.0);
                    // A client that has gone hears nothing.
                    let _ = context.peer.notify_progress(progress).await;
                }
                sleep(PAUSE).await;
            }
            json!([text("Done in three steps")])
        }
        "test_missing_capability" => {
            return Err(ErrorData::new(
                ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY,
                "this tool needs a client that can sample",
                Some(json!({ "requiredCapabilities": { "sampling": {} } })),
            ));
        }
        "test_trigger_tool_change" => json!([changed(fixture, Changed::Tools)]),
        "test_trigger_prompt_change" => json!([changed(fixture, Changed::Prompts)]),
        other => {
            return Err(ErrorData::invalid_params(
                format!("there is no tool {other}"),
                None,
            ));
        }
    };
    Ok(CallToolResponse::Complete(complete(json!({ "content": said }))))
}

fn changed(fixture: &Fixture, what: Changed) -> Value {
    // Nobody may be listening.
    let listeners = fixture.changes.send(what).unwrap_or_default();
    text(&format!("{listeners} were told"))
}

async fn log(context: &RequestContext<RoleServer>, line: &str) {
    let message = wire(json!({ "level": LoggingLevel::Info, "logger": "fixture", "data": line }));
    // A client that has gone hears nothing.
    let _ = context.peer.notify_logging_message(message).await;
}

pub(crate) fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}
