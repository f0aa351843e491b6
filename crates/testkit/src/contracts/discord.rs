//! The fake Discord against Discord's own description of its HTTP API (`openapi.json` of discord-api-spec).
//!
//! The gateway is not described there; what its events carry of messages, members, channels and accounts is.

mod scene;
mod schema;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use self::{scene::Scene, schema::Schema};
use super::Report;
use crate::discord::{
    ROUTES, Route,
    fields::{nested, numbers},
    limits::{LOCALES, Stated, stated},
};

/// Types of which the scene has to bring forth at least one, so that nothing is taken for right because it never came.
const TO_BE_SEEN: [&str; 24] = [
    "ActionRowComponentResponse",
    "ApplicationCommandInteractionMetadataResponse",
    "ApplicationCommandResponse",
    "BasicMessageResponse",
    "ButtonComponentResponse",
    "ChannelPermissionOverwriteResponse",
    "ErrorResponse",
    "GatewayBotResponse",
    "GuildChannelResponse",
    "GuildMemberResponse",
    "GuildRoleResponse",
    "InteractionCallbackResponse",
    "MessageAttachmentResponse",
    "MessageComponentInteractionMetadataResponse",
    "MessageReferenceResponse",
    "MessageResponse",
    "MessageSnapshotResponse",
    "ModalSubmitInteractionMetadataResponse",
    "MyGuildResponse",
    "PrivateApplicationResponse",
    "PrivateChannelResponse",
    "RatelimitedResponse",
    "ThreadResponse",
    "UserPIIResponse",
];

/// Routes that only say that they are not for bots.
const REFUSED: [&str; 1] = ["get_my_guild_member"];

/// What the documentation has and the description has not: messages that pass another one on. Source: Discord docs,
/// "Message Resource", "Message Reference Types", `FORWARD`.
const UNDESCRIBED: [&str; 1] = ["MessageReferenceType should not be 1"];

/// Plays the scene and compares everything in it with `document`.
pub async fn check(document: &Value) -> Report {
    let schema = Schema::new(document);
    let scene = Scene::play().await;
    let mut report = Report {
        title: format!("discord: {}", schema.title()),
        ..Report::default()
    };
    let mut seen = BTreeSet::new();
    for route in &ROUTES {
        let mut faults = documented(&schema, route);
        faults.extend(required(&schema, route, &scene).await);
        let samples = scene.answers.iter().filter(|sample| sample.of == route.name);
        let answers = samples.clone().count();
        if answers == 0 && !REFUSED.contains(&route.name) {
            faults.push("the scene never calls it with success".to_owned());
        }
        for sample in samples.filter(|sample| !sample.value.is_null()) {
            match schema.answer(route.method, route.path, sample.status) {
                Some(of) => faults.extend(schema.check(&sample.value, of, &mut seen)),
                None => faults.push(format!("an answer with {} is not documented", sample.status)),
            }
        }
        let known = schema.body(route.method, route.path).len();
        let checked = format!("{} of {known} fields, {answers} answers", route.body.len());
        report.note(route.name, checked, once(faults));
    }
    for (subject, samples) in [("events", &scene.events), ("refusals", &scene.refusals)] {
        let faults = samples.iter().flat_map(|sample| {
            let of = json!({"$ref": format!("#/components/schemas/{}", sample.of)});
            schema.check(&sample.value, &of, &mut seen)
        });
        let faults = once(faults.collect());
        report.note(subject, format!("{} parts", samples.len()), faults);
    }
    let unseen = TO_BE_SEEN.iter().filter(|name| !seen.contains(**name));
    let unseen = unseen
        .map(|name| format!("the scene brings forth no {name}"))
        .collect();
    report.note("types", format!("{} seen", seen.len()), unseen);
    let taken = nested();
    let faults = taken
        .iter()
        .flat_map(|(name, fields)| undocumented(&schema, name, fields));
    report.note(
        "nested fields",
        format!("{} lists", taken.len()),
        faults.collect(),
    );
    let numbers = numbers();
    let faults = numbers
        .iter()
        .filter_map(|number| differs(&schema, number))
        .collect();
    report.note("numbers", format!("{} named", numbers.len()), faults);
    let faults = languages(&schema);
    report.note("languages", format!("{} known", LOCALES.len()), faults);
    let limits = stated();
    let faults = limits
        .iter()
        .filter_map(|limit| disagrees(&schema, limit))
        .collect();
    report.note("limits", format!("{} stated", limits.len()), faults);
    let headers = schema.headers();
    let missing = headers.iter().filter(|name| !scene.headers.contains(*name));
    let missing = missing.map(|name| format!("no answer has {name}")).collect();
    report.note("headers", format!("{} documented", headers.len()), missing);
    report
}

/// One fault shows in every sample; once is enough.
fn once(faults: Vec<String>) -> Vec<String> {
    let faults = faults
        .into_iter()
        .filter(|fault| !UNDESCRIBED.contains(&fault.as_str()));
    faults.collect::<BTreeSet<_>>().into_iter().collect()
}

/// The route, its parameters and its fields are documented.
fn documented(schema: &Schema<'_>, route: &Route) -> Vec<String> {
    let Some(operation) = schema.operation(route.method, route.path) else {
        return vec![format!("{} {} is not documented", route.method, route.path)];
    };
    let mut faults = Vec::new();
    if operation["operationId"] != route.name {
        faults.push(format!("is called {}", operation["operationId"]));
    }
    let query = schema.query(route.method, route.path);
    let unknown = route.query.iter().filter(|name| !query.contains(**name));
    faults.extend(unknown.map(|name| format!("`{name}` is not documented")));
    let body = schema.body(route.method, route.path);
    let unknown = route.body.iter().filter(|name| !body.contains_key(**name));
    faults.extend(unknown.map(|name| format!("`{name}` is not documented")));
    let lax = body
        .iter()
        .filter(|(name, required)| **required && !route.body.contains(&name.as_str()));
    faults.extend(lax.map(|(name, _)| format!("`{name}` is required and not taken")));
    faults
}

/// Each required field, left out of a call that succeeds with it, makes it fail.
async fn required(schema: &Schema<'_>, route: &Route, scene: &Scene) -> Vec<String> {
    let mut faults = Vec::new();
    let body: BTreeMap<String, bool> = schema.body(route.method, route.path);
    for (name, _) in body.iter().filter(|(_, required)| **required) {
        let Some(call) = scene.answers.iter().find(|sample| sample.of == route.name) else {
            continue;
        };
        let mut body = call.body.clone();
        if let Value::Object(fields) = &mut body {
            fields.remove(name);
        }
        if scene.call(route.method, &call.path, &body).await.status < 300 {
            faults.push(format!("is carried out without `{name}`"));
        }
    }
    faults
}

fn undocumented(schema: &Schema<'_>, name: &str, fields: &[&str]) -> Vec<String> {
    let Some(known) = schema.named(name) else {
        return vec![format!("{name} is not documented")];
    };
    let unknown = fields
        .iter()
        .filter(|field| known["properties"].get(**field).is_none());
    unknown
        .map(|field| format!("{name}.{field} is not documented"))
        .collect()
}

fn differs(schema: &Schema<'_>, (name, title, number): &(&str, &str, i64)) -> Option<String> {
    let known = schema.titled(name, title);
    (known != Some(*number)).then(|| format!("{name}.{title} is {known:?} and taken for {number}"))
}

fn languages(schema: &Schema<'_>) -> Vec<String> {
    let known: BTreeSet<String> = schema.choices("AvailableLocalesEnum");
    let taken: BTreeSet<String> = LOCALES.iter().map(|locale| (*locale).to_owned()).collect();
    let differing = known.symmetric_difference(&taken);
    differing
        .map(|locale| format!("{locale} is in one of the lists alone"))
        .collect()
}

fn disagrees(schema: &Schema<'_>, limit: &Stated) -> Option<String> {
    let at = format!("{}.{}", limit.schema, limit.property);
    let known = schema.keyword(limit.schema, limit.property, limit.keyword);
    (known != Some(limit.says))
        .then(|| format!("{at} has {} {known:?}, and not {}", limit.keyword, limit.says))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_scene_calls_every_route_and_an_empty_document_finds_fault_with_each() {
        let report = check(&json!({"info": {"title": "none"}, "paths": {}, "components": {}})).await;

        let faults: Vec<String> = report.faults().collect();
        for route in &ROUTES {
            let undocumented = format!(
                "{}: {} {} is not documented",
                route.name, route.method, route.path
            );
            assert!(faults.contains(&undocumented), "{faults:#?}");
            let idle = format!("{}: the scene never calls it with success", route.name);
            assert!(!faults.contains(&idle), "{idle}");
        }
    }

    #[tokio::test]
    async fn a_document_that_disagrees_on_a_field_a_type_or_a_limit_finds_fault_with_it() {
        let text = json!({"type": "string"});
        let user = json!({
            "type": "object",
            "properties": {"id": {"type": "integer"}, "age": {"type": "integer"}, "username": text},
            "required": ["id", "age"],
        });
        let answer = |schema: &str| {
            let schema = json!({"$ref": format!("#/components/schemas/{schema}")});
            json!({"200": {"content": {"application/json": {"schema": schema}}}})
        };
        let open = json!({
            "type": "object", "properties": {"recipient": text}, "required": ["recipient"],
        });
        let document = json!({
            "info": {"title": "test"},
            "paths": {
                "/users/@me": {"get": {"operationId": "whoami", "responses": answer("User")}},
                "/users/@me/channels": {"post": {
                    "operationId": "create_dm",
                    "requestBody": {"content": {"application/json": {"schema": open}}},
                    "responses": answer("User"),
                }},
            },
            "components": {"schemas": {
                "User": user,
                "ButtonComponentForMessageRequest": {"properties": {"label": {"type": "string", "maxLength": 9}}},
                "ChannelTypes": {"oneOf": [{"title": "DM", "const": 3}]},
                "AvailableLocalesEnum": {"oneOf": [{"const": "fa"}]},
            }},
        });

        let report = check(&document).await;

        let faults: Vec<String> = report.faults().collect();
        for expected in [
            "get_my_user: is called \"whoami\"",
            "get_my_user: User.age is missing",
            "get_my_user: User.avatar is not documented",
            "create_dm: `recipient_id` is not documented",
            "create_dm: `recipient` is required and not taken",
            "nested fields: ButtonComponentForMessageRequest.style is not documented",
            "numbers: ChannelTypes.DM is Some(3) and taken for 1",
            "languages: fa is in one of the lists alone",
            "limits: ButtonComponentForMessageRequest.label has maxLength Some(9), and not 80",
        ] {
            assert!(
                faults.iter().any(|fault| fault == expected),
                "no {expected:?} in {faults:#?}"
            );
        }
        assert!(
            faults
                .iter()
                .any(|fault| fault.starts_with("get_my_user: User.id should be integer"))
        );
    }
}
