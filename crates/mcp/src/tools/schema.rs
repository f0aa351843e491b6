//! The schemas of the tools.
//!
//! Written out, because they are read by models: every word counts, and a derived schema has too many. The limits are
//! those of `askd_core::ask::validate` (SPEC 1); a test holds the two against each other. Two things are left open on
//! purpose, because askd corrects them instead of refusing: the bounds of `timeoutSeconds` and the length of `header`.
//!
//! Everything is a plain object with one type each, without `oneOf` and `null`, which several clients cannot read.

use serde_json::{Value, json};

/// What `ask_user` takes.
pub(super) fn ask() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["questions"],
        "properties": {
            "questions": {
                "type": "array",
                "minItems": 1,
                "maxItems": 3,
                "description": "One question, or up to three that belong together.",
                "items": question(),
            },
            "timeoutSeconds": {
                "type": "integer",
                "default": 900,
                "description": "How long people have to answer. 30 to 3600; a value outside is moved to the nearest \
                                bound.",
            },
            "context": {
                "type": "string",
                "maxLength": 4000,
                "description": "Background that the user sees above the questions, in short Markdown.",
            },
            "session": {
                "type": "object",
                "additionalProperties": false,
                "required": ["id"],
                "description": "The conversation you work in.",
                "properties": {
                    "id": { "type": "string", "minLength": 1, "maxLength": 200 },
                    "title": {
                        "type": "string", "maxLength": 200,
                        "description": "Shown to the user, such as the project's name.",
                    },
                },
            },
            "run": {
                "type": "string",
                "minLength": 1,
                "maxLength": 200,
                "description": "An id of this run; its questions can be cancelled together.",
            },
        },
    })
}

fn question() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["id", "header", "question", "options"],
        "properties": {
            "id": {
                "type": "string",
                "pattern": "^[a-z][a-z0-9_]*$",
                "maxLength": 64,
                "description": "snake_case, unique in this call. The answer comes back under it.",
            },
            "header": {
                "type": "string",
                "minLength": 1,
                "description": "A label of at most 12 characters, such as \"Target\".",
            },
            "question": {
                "type": "string",
                "minLength": 1,
                "maxLength": 2000,
                "description": "The question, in one sentence.",
            },
            "options": {
                "type": "array",
                "minItems": 2,
                "maxItems": 4,
                "description": "The choices, the recommended one first.",
                "items": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["label"],
                    "properties": {
                        "label": {
                            "type": "string", "minLength": 1, "maxLength": 200,
                            "description": "What the user picks, in a few words on one line.",
                        },
                        "description": {
                            "type": "string", "maxLength": 1000,
                            "description": "What choosing it means.",
                        },
                    },
                },
            },
            "multiSelect": {
                "type": "boolean",
                "default": false,
                "description": "Whether several options may be chosen.",
            },
        },
    })
}

/// What `ask_user_wait` takes.
pub(super) fn wait() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["askId"],
        "properties": {
            "askId": { "type": "string", "description": "`askId` of the pending result." },
            "waitSeconds": {
                "type": "integer",
                "default": 50,
                "description": "How long to hold this call. 0 to 50; a value outside is moved to the nearest bound.",
            },
        },
    })
}

/// What both give back.
pub(super) fn result() -> Value {
    let text = || json!({ "type": "string" });
    let texts = || json!({ "type": "array", "items": { "type": "string" } });
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["status"],
        "properties": {
            "status": {
                "type": "string",
                "enum": ["answered", "no_answer", "pending", "error"],
                "description": "answered: see answers. no_answer: see reason, and continue with your best judgment. \
                                pending: call ask_user_wait. error: the call was refused, see message and errors.",
            },
            "answers": {
                "type": "object",
                "additionalProperties": false,
                "required": ["answers"],
                "properties": {
                    "answers": {
                        "type": "object",
                        "additionalProperties": texts(),
                        "description": "From question id to its values: labels in declared order, then own words.",
                    },
                },
            },
            "reason": {
                "type": "string",
                "description": "expired, skipped, cancelled or undelivered; of an error, its kind.",
            },
            "message": { "type": "string", "description": "What to do now." },
            "askId": text(),
            "settledBy": {
                "type": "object",
                "additionalProperties": false,
                "required": ["name", "channel", "how"],
                "properties": { "name": text(), "channel": text(), "how": text() },
            },
            "settledAt": { "type": "string", "format": "date-time" },
            "freeText": {
                "type": "array",
                "items": { "type": "string" },
                "description": "Ids of questions that were answered in own words.",
            },
            "notes": { "type": "array", "items": { "type": "string" }, "description": "What was read or corrected." },
            "errors": {
                "type": "array",
                "description": "Every fault of the call.",
                "items": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["pointer", "rule", "message"],
                    "properties": {
                        "pointer": { "type": "string", "description": "A JSON pointer into the arguments." },
                        "rule": text(),
                        "limit": { "type": "integer" },
                        "received": { "type": "string" },
                        "message": text(),
                    },
                },
            },
        },
    })
}
