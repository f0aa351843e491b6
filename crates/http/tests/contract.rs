//! The description at `/openapi.json`, and that the API keeps to it.

use std::collections::BTreeSet;

use axum::http::{HeaderMap, StatusCode};
use http_body_util::BodyExt as _;
use serde_json::{Map, Value, json};

use crate::world::{Answer, World};

/// Every route, as a client may call it.
pub(crate) const ROUTES: [(&str, &str); 25] = [
    ("POST", "/v1/asks"),
    ("GET", "/v1/asks"),
    ("GET", "/v1/asks/{id}"),
    ("POST", "/v1/asks/{id}/answers"),
    ("POST", "/v1/asks/{id}/reply"),
    ("POST", "/v1/asks/{id}/skip"),
    ("POST", "/v1/asks/{id}/seen"),
    ("GET", "/v1/asks/{id}/context"),
    ("POST", "/v1/asks/{id}/cancel"),
    ("DELETE", "/v1/runs/{run}"),
    ("GET", "/v1/events"),
    ("GET", "/v1/people"),
    ("POST", "/v1/people/{name}/pair"),
    ("POST", "/v1/people/{name}/unpair"),
    ("POST", "/v1/sign-in"),
    ("POST", "/v1/sign-out"),
    ("GET", "/v1/me"),
    ("POST", "/v1/sign-in/codes"),
    ("POST", "/v1/push"),
    ("DELETE", "/v1/push"),
    ("POST", "/v1/forget"),
    ("GET", "/healthz"),
    ("GET", "/readyz"),
    ("GET", "/metrics"),
    ("GET", "/openapi.json"),
];

/// The served description, as a yardstick.
pub(crate) struct Contract(Value);

impl Contract {
    /// As a fresh API serves it. Runs on a thread of its own, because it is read once from within a test's runtime.
    pub(crate) fn served() -> Self {
        std::thread::spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            runtime.block_on(async {
                let response = World::new().get("/openapi.json").open().await;
                let bytes = response.into_body().collect().await.unwrap().to_bytes();
                Self(serde_json::from_slice(&bytes).unwrap())
            })
        })
        .join()
        .unwrap()
    }

    /// Fails unless the description foresees this answer.
    pub(crate) fn hold(&self, method: &str, path: &str, answer: &Answer) {
        let Answer {
            status,
            headers,
            body,
        } = answer;
        let media = headers
            .get("content-type")
            .map_or("", |value| value.to_str().unwrap());
        let media = media.split(';').next().unwrap();
        let path = path.split('?').next().unwrap();
        let schema = match self.operation(method, path) {
            Some(operation) => {
                let responses = &operation["responses"];
                let response = responses
                    .get(status.as_str())
                    .filter(|_| !status.is_server_error());
                let response = response.or_else(|| responses.get("default")).unwrap();
                if *status == StatusCode::NO_CONTENT {
                    assert_eq!(
                        (response.get("content"), body),
                        (None, &Value::Null),
                        "{method} {path}"
                    );
                    return;
                }
                response["content"]
                    .get(media)
                    .unwrap_or_else(|| panic!("{method} {path} must not answer {status} with {media:?}"))["schema"]
                    .clone()
            }
            // Unknown paths and methods: every error is a problem.
            None => json!({ "$ref": "#/components/schemas/Problem" }),
        };
        if !status.is_success() {
            assert_eq!(media, "application/problem+json", "{method} {path} {status}");
            assert_eq!(body["status"], status.as_u16(), "{method} {path}");
            let kind = body["type"].as_str().unwrap();
            let listed = format!("`{kind}` ({})", status.as_u16());
            assert!(
                self.0["info"]["description"].as_str().unwrap().contains(&listed),
                "{listed} is not described"
            );
        }
        if !matches!(media, "text/event-stream" | "application/openmetrics-text") {
            let mut wrong = Vec::new();
            self.check(&schema, body, "", &mut wrong);
            assert!(
                wrong.is_empty(),
                "{method} {path} {status}: {wrong:#?}\nin {body:#}"
            );
        }
    }

    fn operation(&self, method: &str, path: &str) -> Option<&Value> {
        let fits = |template: &str| {
            let (template, path) = (template.split('/'), path.split('/'));
            template.clone().count() == path.clone().count()
                && template
                    .zip(path)
                    .all(|(step, given)| step.starts_with('{') || step == given)
        };
        let paths = self.0["paths"].as_object().unwrap();
        let item = paths.iter().find(|(template, _)| fits(template))?.1;
        item.get(method.to_ascii_lowercase())
    }

    /// What a schema of the description says of its own names.
    pub(crate) fn schema(name: &str) -> Value {
        json!({ "$ref": format!("#/components/schemas/{name}") })
    }

    /// JSON Schema, as far as the description uses it. A keyword that is not known here fails, so that nothing is
    /// taken for checked that is not.
    pub(crate) fn check(&self, schema: &Value, value: &Value, at: &str, wrong: &mut Vec<String>) {
        let Value::Object(schema) = schema else {
            return assert_eq!(*schema, Value::Bool(true));
        };
        for (keyword, rule) in schema {
            match keyword.as_str() {
                "$ref" => {
                    let target = rule.as_str().unwrap().strip_prefix('#').unwrap();
                    self.check(self.0.pointer(target).unwrap(), value, at, wrong);
                }
                "type" => {
                    let types = rule
                        .as_array()
                        .map_or_else(|| vec![rule], |types| types.iter().collect());
                    if !types
                        .iter()
                        .any(|wanted| is_type(wanted.as_str().unwrap(), value))
                    {
                        wrong.push(format!("{at} must be {rule}, is {value}"));
                    }
                }
                "enum" if !rule.as_array().unwrap().contains(value) => {
                    wrong.push(format!("{at} must be one of {rule}, is {value}"));
                }
                "required" => {
                    let missing = rule
                        .as_array()
                        .unwrap()
                        .iter()
                        .filter(|name| value.get(name.as_str().unwrap()).is_none());
                    wrong.extend(missing.map(|name| format!("{at}/{name} is missing")));
                }
                "properties" => self.check_fields(schema, value, at, wrong),
                "items" => {
                    for (n, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(rule, item, &format!("{at}/{n}"), wrong);
                    }
                }
                "additionalProperties" if !schema.contains_key("properties") => {
                    for (name, field) in value.as_object().into_iter().flatten() {
                        self.check(rule, field, &format!("{at}/{name}"), wrong);
                    }
                }
                "oneOf" => {
                    let attempts = rule.as_array().unwrap().iter().map(|schema| {
                        let mut wrong = Vec::new();
                        self.check(schema, value, at, &mut wrong);
                        wrong
                    });
                    let attempts: Vec<_> = attempts.collect();
                    if attempts.iter().filter(|wrong| wrong.is_empty()).count() != 1 {
                        wrong.push(format!("{at} must be exactly one of: {attempts:?}"));
                    }
                }
                "allOf" => {
                    for schema in rule.as_array().unwrap() {
                        self.check(schema, value, at, wrong);
                    }
                }
                "minimum" if value.as_f64().is_some_and(|n| n < rule.as_f64().unwrap()) => {
                    wrong.push(format!("{at} must be at least {rule}, is {value}"));
                }
                "format" if rule == "date-time" => {
                    if let Some(text) = value.as_str()
                        && text.parse::<jiff::Timestamp>().is_err()
                    {
                        wrong.push(format!("{at} must be an instant, is {value}"));
                    }
                }
                "enum"
                | "minimum"
                | "additionalProperties"
                | "format"
                | "description"
                | "example"
                | "propertyNames" => {}
                unknown => panic!("{at}: the description uses `{unknown}`, which this check does not know"),
            }
        }
    }

    /// Fields of answers are all declared: one that is not would be a part of the API that nobody described.
    fn check_fields(&self, schema: &Map<String, Value>, value: &Value, at: &str, wrong: &mut Vec<String>) {
        let declared = schema["properties"].as_object().unwrap();
        for (name, field) in value.as_object().into_iter().flatten() {
            match declared.get(name) {
                Some(schema) => self.check(schema, field, &format!("{at}/{name}"), wrong),
                None => wrong.push(format!("{at}/{name} is not declared")),
            }
        }
    }
}

fn is_type(wanted: &str, value: &Value) -> bool {
    match wanted {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("no such type: {other}"),
    }
}

#[test]
fn the_description_lists_every_route_and_no_other() {
    let Contract(described) = Contract::served();

    let mut listed = BTreeSet::new();
    for (path, item) in described["paths"].as_object().unwrap() {
        listed.extend(
            item.as_object()
                .unwrap()
                .keys()
                .map(|method| (method.to_ascii_uppercase(), path.clone())),
        );
    }

    let expected = ROUTES.map(|(method, path)| (method.to_owned(), path.to_owned()));
    assert_eq!(listed, BTreeSet::from(expected));
}

#[tokio::test]
async fn every_described_route_is_there() {
    for (method, path) in ROUTES {
        let answer = World::new().call(method, path).send().await;

        let is_there = !matches!(answer.problem(), "unknown-path" | "method");
        assert!(is_there, "{method} {path}: {}", answer.body);
    }
}

#[test]
fn every_route_below_v1_but_signing_in_and_the_metrics_need_a_token_or_a_sign_in_and_no_other_does() {
    let Contract(described) = Contract::served();

    for (method, path) in ROUTES {
        let security = &described["paths"][path][method.to_ascii_lowercase()]["security"];

        let is_closed = path.starts_with("/v1/") || path == "/metrics";
        let expected = if is_closed && path != "/v1/sign-in" {
            json!([{ "token": [] }, { "signIn": [] }])
        } else {
            json!([{}])
        };
        assert_eq!(*security, expected, "{method} {path}");
    }
}

#[test]
fn every_route_describes_its_errors_as_problems() {
    let Contract(described) = Contract::served();

    for (method, path) in ROUTES {
        let operation = &described["paths"][path][method.to_ascii_lowercase()];
        for (status, response) in operation["responses"].as_object().unwrap() {
            let media: Vec<&String> = response["content"]
                .as_object()
                .into_iter()
                .flatten()
                .map(|(name, _)| name)
                .collect();
            let expected = match (status.as_str(), path) {
                ("204", _) => None,
                (status, "/v1/events") if status.starts_with('2') => Some("text/event-stream"),
                (status, "/metrics") if status.starts_with('2') => Some("application/openmetrics-text"),
                (status, _) if status.starts_with('2') => Some("application/json"),
                _ => Some("application/problem+json"),
            };
            assert_eq!(
                media,
                expected.into_iter().collect::<Vec<_>>(),
                "{method} {path} {status}"
            );
        }
    }
}

#[test]
fn a_result_that_the_description_does_not_know_is_noticed() {
    let contract = Contract::served();
    let result = |body: Value| {
        let mut wrong = Vec::new();
        contract.check(&Contract::schema("Result"), &body, "", &mut wrong);
        wrong
    };
    let no_answer =
        |reason: &str| json!({ "status": "no_answer", "reason": reason, "askId": "1", "message": "m" });

    assert!(result(no_answer("skipped")).is_empty());
    assert!(!result(no_answer("bored")).is_empty());
    assert!(!result(json!({ "status": "no_answer", "reason": "skipped", "askId": "1" })).is_empty());
    assert!(!result(json!({ "status": "pending", "askId": "1", "message": "m" })).is_empty());
}

#[test]
fn no_header_or_parameter_is_described_as_null_which_none_can_be() {
    let contract = Contract::served();
    let mut seen = 0;
    for (path, item) in contract.0["paths"].as_object().unwrap() {
        for operation in item.as_object().unwrap().values() {
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let schema = parameter["schema"].to_string();
                assert!(!schema.contains("\"null\""), "{path}: {parameter}");
                seen += 1;
            }
        }
    }
    assert!(seen > 10, "{seen} parameters");
}

#[tokio::test]
async fn the_description_is_served_to_anybody() {
    let answer = World::new().get("/openapi.json").send().await;

    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.headers.get_all("content-type").iter().count(), 1);
    assert_eq!(answer.header("content-type"), "application/json");
    assert!(answer.text("/openapi").starts_with("3.1"));
}

#[test]
fn a_problem_without_its_fields_is_noticed() {
    let broken = Answer {
        status: StatusCode::NOT_FOUND,
        headers: HeaderMap::from_iter([(
            "content-type".parse().unwrap(),
            "application/problem+json".parse().unwrap(),
        )]),
        body: json!({ "type": "urn:askd:problem:no-ask", "status": 404 }),
    };

    let held = std::panic::catch_unwind(|| Contract::served().hold("GET", "/v1/asks/1", &broken));

    assert!(held.is_err());
}
