//! The fake Slack against Slack's own description of its Web API (OpenAPI 2.0, of 2021).
//!
//! The description is old: it has no Socket Mode, nothing of views but that they exist, and few of the errors that
//! came with blocks. What the fake knows and it does not is listed in [`NEWER`], each with where it is from; an entry
//! that is not needed is a fault too, so that the list cannot hide anything.

mod newer;
mod scene;
mod schema;

use std::collections::BTreeSet;

use serde_json::Value;

use self::{
    newer::{NEWER, Newer, What},
    scene::Scene,
    schema::Schema,
};
use super::Report;
use crate::slack::{COMMON_ERRORS, METHODS, Method, Token};

/// Plays the scene and compares everything in it with `document`.
pub async fn check(document: &Value) -> Report {
    let schema = Schema::new(document);
    let scene = Scene::play().await;
    let mut known = Known::default();
    let mut report = Report {
        title: format!("slack: Web API {}", schema.version()),
        ..Report::default()
    };
    for method in &METHODS {
        let mut faults = parameters(&schema, method, &mut known);
        faults.extend(errors(&schema, method, &scene, &mut known));
        let samples: Vec<&Value> = scene.answers_of(method.name).collect();
        if samples.is_empty() {
            faults.push("the scene never calls it with success".to_owned());
        }
        if let Some(answer) = schema.answer(method.name) {
            let found = samples
                .iter()
                .flat_map(|sample| schema.check(sample, answer, method.name));
            let found: BTreeSet<String> = found.collect();
            faults.extend(
                found
                    .into_iter()
                    .filter(|fault| !known.knows(What::Field, None, fault)),
            );
        }
        let checked = format!(
            "{} parameters, {} errors, {} answers",
            method.parameters.len(),
            method.errors.len(),
            samples.len()
        );
        report.note(method.name, checked, faults);
    }
    let undocumented = COMMON_ERRORS
        .iter()
        .filter(|error| !schema.errors().any(|known| known == **error))
        .filter(|error| !known.knows(What::Error, None, error))
        .map(|error| format!("the error `{error}` is not documented"))
        .collect();
    report.note(
        "any method",
        format!("{} errors", COMMON_ERRORS.len()),
        undocumented,
    );
    for (n, newer) in NEWER.iter().enumerate() {
        let kind = match newer.what {
            What::Method => "method",
            What::Parameter => "parameter",
            What::Error => "error",
            What::Field => "field",
        };
        let name = newer.name.trim_end_matches(" is not documented");
        let unused = (!known.0.contains(&n)).then(|| "is listed and not needed".to_owned());
        let subject = format!("newer: the {kind} {name}");
        report.note(subject, newer.source, unused.into_iter().collect());
    }
    report
}

/// What of [`NEWER`] was needed.
#[derive(Default)]
struct Known(BTreeSet<usize>);

impl Known {
    /// Whether this is known from elsewhere.
    fn knows(&mut self, what: What, of: Option<&str>, name: &str) -> bool {
        let is_it = |newer: &Newer| {
            let same = match of {
                Some(of) => newer.of.contains(&of),
                None => newer.of.is_empty(),
            };
            newer.what == what && same && newer.name == name
        };
        let found = NEWER.iter().position(is_it);
        self.0.extend(found);
        found.is_some()
    }
}

/// The method, the kind of its body, its scope and its parameters are documented, and required is what has to be.
fn parameters(schema: &Schema<'_>, method: &Method, known: &mut Known) -> Vec<String> {
    let name = method.name;
    if !schema.has_method(name) {
        if known.knows(What::Method, None, name) {
            return Vec::new();
        }
        return vec!["is not documented".to_owned()];
    }
    let mut faults = Vec::new();
    if schema.reads_json(name) != method.json {
        faults.push(format!(
            "that it reads JSON should be {}",
            schema.reads_json(name)
        ));
    }
    faults.extend(scopes(schema, method));
    for parameter in method.parameters {
        match schema
            .parameters(name)
            .find(|(known, _)| *known == parameter.name)
        {
            Some((_, true)) if !parameter.required => {
                faults.push(format!("`{}` is required and not demanded", parameter.name));
            }
            None if !known.knows(What::Parameter, Some(name), parameter.name) => {
                faults.push(format!("`{}` is not documented", parameter.name));
            }
            _ => {}
        }
    }
    let taken = |name: &str| method.parameters.iter().any(|parameter| parameter.name == name);
    let untaken = schema
        .parameters(name)
        .filter(|(name, required)| *required && !taken(name));
    faults.extend(untaken.map(|(name, _)| format!("`{name}` is required and not taken")));
    faults
}

/// The scope is one of those that are named. Those of bots had a suffix then.
fn scopes(schema: &Schema<'_>, method: &Method) -> Vec<String> {
    let documented: Vec<&str> = schema.scopes(method.name).collect();
    let needed = match method.token {
        Token::Bot(None) | Token::App(_) => vec!["none".to_owned()],
        Token::Bot(Some(scope)) => vec![scope.to_owned()],
        Token::ByConversation(end) => ["channels", "groups", "im"]
            .map(|of| format!("{of}:{end}"))
            .to_vec(),
    };
    let named = |scope: &String| documented.iter().any(|named| named.starts_with(scope.as_str()));
    // A token of any kind will do for `none`, whatever stands there.
    let unnamed = needed.iter().filter(|scope| !named(scope));
    unnamed
        .map(|scope| format!("the scope {scope} is none of {documented:?}"))
        .collect()
}

/// Each error of the table is documented and brought forth, and no other is.
fn errors(schema: &Schema<'_>, method: &Method, scene: &Scene, known: &mut Known) -> Vec<String> {
    let name = method.name;
    let mut faults = Vec::new();
    let seen = scene.refusals_of(name);
    for error in method.errors {
        let documented = schema.errors_of(name).any(|documented| documented == *error);
        if !documented && !known.knows(What::Error, Some(name), error) {
            faults.push(format!("the error `{error}` is not documented"));
        }
        if !seen.contains(*error) {
            faults.push(format!("the scene brings forth no `{error}`"));
        }
    }
    let listed = |error: &&String| {
        let error = error.as_str();
        method.errors.contains(&error) || COMMON_ERRORS.contains(&error)
    };
    let unlisted = seen.iter().filter(|error| !listed(error));
    faults.extend(unlisted.map(|error| format!("the error `{error}` is not in the table")));
    faults
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[tokio::test]
    async fn the_scene_calls_every_method_and_an_empty_document_finds_fault_with_each_but_the_newer() {
        let report = check(&json!({"info": {"version": "none"}, "paths": {}, "definitions": {}})).await;

        let faults: Vec<String> = report.faults().collect();
        for method in &METHODS {
            let is_newer = method.name == "apps.connections.open";
            let missing = faults.contains(&format!("{}: is not documented", method.name));
            assert_eq!(missing, !is_newer, "{}: {faults:?}", method.name);
            let idle = format!("{}: the scene never calls it with success", method.name);
            assert!(!faults.contains(&idle));
        }
    }

    #[tokio::test]
    async fn a_document_that_disagrees_on_a_parameter_a_field_a_scope_or_an_error_finds_fault_with_it() {
        let parameter =
            |name: &str, required: bool| json!({"name": name, "in": "formData", "required": required});
        let answer = |schema: Value| json!({"200": {"schema": schema}, "default": {"schema": {"properties": {"error": {"enum": []}}}}});
        let document = json!({
            "info": {"version": "test"},
            "definitions": {"who": {"pattern": "^B", "type": "string"}},
            "paths": {
                "/auth.test": {"get": {"consumes": ["application/json"], "parameters": [], "responses": answer(json!({
                    "type": "object", "additionalProperties": false, "required": ["ok", "age"],
                    "properties": {"ok": {"enum": [true]}, "team": {"type": "integer"}, "user_id": {"$ref": "#/definitions/who"}},
                }))}},
                "/users.info": {"get": {
                    "consumes": ["application/json"], "security": [{"slackAuth": ["users:write"]}],
                    "parameters": [parameter("user", false), parameter("email", true)], "responses": answer(json!({})),
                }},
            },
        });

        let report = check(&document).await;

        let faults: Vec<String> = report.faults().collect();
        for expected in [
            "auth.test: auth.test.age is missing",
            "auth.test: auth.test.team should be integer and is \"Fake Workspace\"",
            "auth.test: auth.test.user_id should fit ^B and is \"U0ASKDBOT0\"",
            "auth.test: auth.test.url is not documented",
            "users.info: that it reads JSON should be true",
            "users.info: the scope users:read is none of [\"users:write\"]",
            "users.info: `include_locale` is not documented",
            "users.info: `email` is required and not taken",
            "users.info: the error `user_not_found` is not documented",
        ] {
            assert!(
                faults.iter().any(|fault| fault == expected),
                "no {expected:?} in {faults:#?}"
            );
        }
    }
}
