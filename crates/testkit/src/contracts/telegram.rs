//! The fake Telegram against the description of the Bot API by PaulSonOfLars (`api.json`).

mod scene;
mod schema;

use std::collections::BTreeSet;

use serde_json::Value;

use self::{
    scene::{Sample, Scene},
    schema::Schema,
};
use super::Report;
use crate::telegram::{
    METHODS, Method,
    limits::{Stated, stated},
};

/// Types of which the scene has to bring forth at least one, so that nothing is taken for right because it never came.
const TO_BE_SEEN: [&str; 26] = [
    "AcceptedGiftTypes",
    "BotCommand",
    "CallbackQuery",
    "Chat",
    "ChatFullInfo",
    "ChatMemberAdministrator",
    "ChatMemberBanned",
    "ChatMemberLeft",
    "ChatMemberMember",
    "ChatMemberOwner",
    "ChatMemberUpdated",
    "ForumTopicCreated",
    "InaccessibleMessage",
    "InlineKeyboardButton",
    "InlineKeyboardMarkup",
    "Message",
    "MessageEntity",
    "MessageOriginChannel",
    "MessageOriginHiddenUser",
    "MessageOriginUser",
    "PhotoSize",
    "ResponseParameters",
    "Update",
    "User",
    "WebhookInfo",
    "CopyTextButton",
];

/// Plays the scene and compares everything in it with `document`.
pub async fn check(document: &Value) -> Report {
    let schema = Schema::new(document);
    let scene = Scene::play().await;
    let mut report = Report {
        title: format!("telegram: {}", schema.version()),
        ..Report::default()
    };
    let mut seen = BTreeSet::new();
    for method in &METHODS {
        let mut faults = parameters(&schema, method);
        faults.extend(required(&schema, method, &scene).await);
        let samples = scene.answers.iter().filter(|sample| sample.of == method.name);
        let answers = samples.clone().count();
        if answers == 0 {
            faults.push("the scene never calls it with success".to_owned());
        }
        let returns = schema.returns(method.name);
        faults.extend(valid(&schema, samples, &returns, &mut seen));
        let known = schema.parameters(method.name).count();
        let checked = format!(
            "{} of {known} parameters, {answers} answers",
            method.parameters.len()
        );
        report.note(method.name, checked, faults);
    }
    for (subject, samples, kind) in [
        ("updates", &scene.updates, "Update"),
        ("refusals", &scene.refusals, "ResponseParameters"),
    ] {
        let faults = valid(&schema, samples.iter(), &[kind.to_owned()], &mut seen);
        report.note(subject, format!("{} of {kind}", samples.len()), faults);
    }
    let unseen = TO_BE_SEEN.iter().filter(|name| !seen.contains(**name));
    let unseen = unseen
        .map(|name| format!("the scene brings forth no {name}"))
        .collect();
    report.note("types", format!("{} seen", seen.len()), unseen);
    let limits = stated();
    let faults = limits
        .iter()
        .filter_map(|limit| disagrees(&schema, limit))
        .collect();
    report.note("limits", format!("{} stated", limits.len()), faults);
    report
}

/// The method and its parameters are documented, and required is what has to be.
fn parameters(schema: &Schema<'_>, method: &Method) -> Vec<String> {
    if !schema.has_method(method.name) {
        return vec!["is not documented".to_owned()];
    }
    let documented = |name: &str| schema.parameters(method.name).any(|field| field.name == name);
    let unknown = method
        .parameters
        .iter()
        .filter(|parameter| !documented(parameter.name))
        .map(|parameter| format!("`{}` is not documented", parameter.name));
    let taken = |name: &str| method.parameters.iter().find(|parameter| parameter.name == name);
    let lax = schema
        .parameters(method.name)
        .filter(|field| field.required)
        .filter_map(|field| match taken(field.name) {
            None => Some(format!("`{}` is required and not taken", field.name)),
            Some(parameter) if parameter.required.is_none() => {
                Some(format!("`{}` is required and not demanded", field.name))
            }
            Some(_) => None,
        });
    unknown.chain(lax).collect()
}

/// Each required parameter, left out of a call that succeeds with it, makes it fail.
async fn required(schema: &Schema<'_>, method: &Method, scene: &Scene) -> Vec<String> {
    let mut faults = Vec::new();
    for field in schema.parameters(method.name).filter(|field| field.required) {
        let Some(call) = scene.answers.iter().find(|sample| sample.of == method.name) else {
            continue;
        };
        let mut arguments = call.arguments.clone();
        if let Value::Object(fields) = &mut arguments {
            fields.remove(field.name);
        }
        if scene.call(method.name, &arguments).await["ok"] == true {
            faults.push(format!("is carried out without `{}`", field.name));
        }
    }
    faults
}

fn valid<'a>(
    schema: &Schema<'_>,
    samples: impl Iterator<Item = &'a Sample>,
    types: &[String],
    seen: &mut BTreeSet<String>,
) -> Vec<String> {
    let faults = samples.flat_map(|sample| schema.check(&sample.value, types, seen));
    // One fault shows in every sample; once is enough.
    faults.collect::<BTreeSet<_>>().into_iter().collect()
}

fn disagrees(schema: &Schema<'_>, limit: &Stated) -> Option<String> {
    match schema.description(limit.at) {
        None => Some(format!("{} is not documented", limit.at)),
        Some(text) if !text.contains(&limit.says) => Some(format!(
            "{} should say \"{}\" and says \"{text}\"",
            limit.at, limit.says
        )),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[tokio::test]
    async fn the_scene_calls_every_method_and_an_empty_document_finds_fault_with_each() {
        let empty = json!({"version": "none", "methods": {}, "types": {}});

        let report = check(&empty).await;

        let faults: Vec<String> = report.faults().collect();
        for method in &METHODS {
            assert!(
                faults.contains(&format!("{}: is not documented", method.name)),
                "{faults:?}"
            );
            let idle = format!("{}: the scene never calls it with success", method.name);
            assert!(!faults.contains(&idle));
        }
    }

    #[tokio::test]
    async fn a_document_that_disagrees_on_a_parameter_a_field_or_a_limit_finds_fault_with_it() {
        let field = |name: &str, kind: &str, required: bool, says: &str| json!({"name": name, "types": [kind], "required": required, "description": says});
        let document = json!({
            "version": "test",
            "methods": {
                "getMe": {"returns": ["User"]},
                "getChat": {"returns": ["User"], "fields": [field("chat", "Integer", true, "")]},
                "sendMessage": {"returns": ["User"], "fields": [field("text", "String", true, "1-9 characters")]},
            },
            "types": {"User": {"fields": [field("id", "String", true, ""), field("age", "Integer", true, "")]}},
        });

        let report = check(&document).await;

        let faults: Vec<String> = report.faults().collect();
        for expected in [
            "getMe: User.id should be String and is 7300000042",
            "getMe: User.age is missing",
            "getMe: User.username is not documented",
            "getChat: `chat_id` is not documented",
            "getChat: `chat` is required and not taken",
            "sendMessage: `chat_id` is not documented",
            "limits: sendMessage.text should say \"1-4096 characters\" and says \"1-9 characters\"",
        ] {
            assert!(
                faults.iter().any(|fault| fault == expected),
                "no {expected:?} in {faults:#?}"
            );
        }
    }
}
