//! Slack's description of its Web API, as a value to be asked.

use regex::Regex;
use serde_json::{Map, Value};

/// The description.
pub(super) struct Schema<'a> {
    document: &'a Value,
}

impl<'a> Schema<'a> {
    pub(super) fn new(document: &'a Value) -> Self {
        Self { document }
    }

    pub(super) fn version(&self) -> &'a str {
        self.document["info"]["version"]
            .as_str()
            .unwrap_or("of no version")
    }

    /// The description of a method, whatever its verb.
    fn method(&self, name: &str) -> &'a Value {
        let verbs = self.document["paths"][format!("/{name}")].as_object();
        verbs
            .and_then(|verbs| verbs.values().next())
            .unwrap_or(&Value::Null)
    }

    pub(super) fn has_method(&self, name: &str) -> bool {
        self.method(name).is_object()
    }

    pub(super) fn reads_json(&self, name: &str) -> bool {
        texts(&self.method(name)["consumes"]).any(|kind| kind == "application/json")
    }

    pub(super) fn scopes(&self, name: &str) -> impl Iterator<Item = &'a str> {
        let security = self.method(name)["security"].as_array();
        let schemes = security.into_iter().flatten();
        schemes.flat_map(|scheme| texts(&scheme["slackAuth"]))
    }

    /// The parameters and whether they are required, without the token.
    pub(super) fn parameters(&self, name: &str) -> impl Iterator<Item = (&'a str, bool)> {
        let parameters = self.method(name)["parameters"].as_array();
        let parameters = parameters.into_iter().flatten().map(|parameter| {
            let name = parameter["name"].as_str().unwrap_or_default();
            (name, parameter["required"] == true)
        });
        parameters.filter(|(name, _)| *name != "token")
    }

    pub(super) fn errors_of(&self, name: &str) -> impl Iterator<Item = &'a str> {
        texts(&self.method(name)["responses"]["default"]["schema"]["properties"]["error"]["enum"])
    }

    /// The errors of all methods.
    pub(super) fn errors(&self) -> impl Iterator<Item = &'a str> {
        let paths = self.document["paths"].as_object().into_iter().flat_map(Map::keys);
        paths.flat_map(|path| self.errors_of(path.trim_start_matches('/')))
    }

    /// What a successful answer has to look like.
    pub(super) fn answer(&self, name: &str) -> Option<&'a Value> {
        Some(&self.method(name)["responses"]["200"]["schema"]).filter(|schema| schema.is_object())
    }

    /// What is wrong with a value. `at` says where it stands: the name of the method or of a definition, and fields.
    pub(super) fn check(&self, value: &Value, schema: &Value, at: &str) -> Vec<String> {
        if let Some(reference) = schema["$ref"].as_str() {
            let name = reference.rsplit('/').next().unwrap_or_default();
            // Objects are called by their definition, so that one fault is one wherever it shows.
            let at = if name.starts_with("objs_") { name } else { at };
            return self.check(value, &self.document["definitions"][name], at);
        }
        // A list of schemas, and no type: one of them.
        if let Some(choices) = schema["items"].as_array() {
            let faults = choices.iter().map(|choice| self.check(value, choice, at));
            return faults.min_by_key(Vec::len).unwrap_or_default();
        }
        let mut faults = Vec::new();
        let types: Vec<&str> = schema["type"]
            .as_str()
            .into_iter()
            .chain(texts(&schema["type"]))
            .collect();
        if !types.is_empty() && !types.iter().any(|kind| is_of(value, kind)) {
            return vec![format!("{at} should be {} and is {value}", types.join(" or "))];
        }
        if let Some(allowed) = schema["enum"].as_array()
            && !allowed.contains(value)
        {
            faults.push(format!("{at} should be one of {allowed:?} and is {value}"));
        }
        if let (Some(pattern), Some(text)) = (schema["pattern"].as_str(), value.as_str())
            && !Regex::new(pattern).is_ok_and(|pattern| pattern.is_match(text))
        {
            faults.push(format!("{at} should fit {pattern} and is {value}"));
        }
        match value {
            Value::Object(fields) => faults.extend(self.check_object(fields, schema, at)),
            Value::Array(items) if schema["items"].is_object() => {
                let of = &schema["items"];
                faults.extend(items.iter().flat_map(|item| self.check(item, of, at)));
            }
            _ => {}
        }
        faults
    }

    fn check_object(&self, fields: &Map<String, Value>, schema: &Value, at: &str) -> Vec<String> {
        let required = texts(&schema["required"]).filter(|name| !fields.contains_key(*name));
        let mut faults: Vec<String> = required.map(|name| format!("{at}.{name} is missing")).collect();
        for (name, value) in fields {
            match schema["properties"].get(name) {
                Some(of) => faults.extend(self.check(value, of, &format!("{at}.{name}"))),
                None if schema["additionalProperties"] == false => {
                    faults.push(format!("{at}.{name} is not documented"));
                }
                None => {}
            }
        }
        faults
    }
}

fn is_of(value: &Value, kind: &str) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        _ => false,
    }
}

fn texts(array: &Value) -> impl Iterator<Item = &str> {
    array.as_array().into_iter().flatten().filter_map(Value::as_str)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_value_is_held_against_its_schema_down_to_its_parts() {
        let document = json!({"definitions": {
            "objs_cat": {"type": "object", "additionalProperties": false, "required": ["id"], "properties": {
                "id": {"$ref": "#/definitions/defs_id"}, "kittens": {"type": "array", "items": {"$ref": "#/definitions/objs_cat"}},
                "age": {"type": ["integer", "null"]}, "alive": {"enum": [true]},
            }},
            "defs_id": {"type": "string", "pattern": "^C"},
        }});
        let cat = json!({"$ref": "#/definitions/objs_cat"});
        let either = json!({"items": [{"type": "null"}, cat]});
        for (value, schema, expected) in [
            (json!({"id": "C1", "age": null}), &cat, vec![]),
            (json!(null), &either, vec![]),
            (json!({"id": "C1", "alive": true}), &either, vec![]),
            (json!("x"), &cat, vec!["cat should be object and is \"x\""]),
            (json!({}), &cat, vec!["objs_cat.id is missing"]),
            (
                json!({"id": "D1"}),
                &cat,
                vec!["objs_cat.id should fit ^C and is \"D1\""],
            ),
            (
                json!({"id": "C1", "x": 1}),
                &cat,
                vec!["objs_cat.x is not documented"],
            ),
            (
                json!({"id": "C1", "age": 1.5}),
                &cat,
                vec!["objs_cat.age should be integer or null and is 1.5"],
            ),
            (
                json!({"id": "C1", "alive": false}),
                &cat,
                vec!["objs_cat.alive should be one of [Bool(true)] and is false"],
            ),
            (
                json!({"id": "C1", "kittens": [{"id": "C2"}, {}]}),
                &cat,
                vec!["objs_cat.id is missing"],
            ),
        ] {
            let found = Schema::new(&document).check(&value, schema, "cat");
            let found: Vec<String> = found
                .iter()
                .map(|fault| fault.replacen("objs_cat should", "cat should", 1))
                .collect();
            assert_eq!(found, expected, "{value}");
        }
    }
}
