//! Reading the description, and holding values against its schemas.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde_json::{Map, Value};

/// How much of a wrong value is shown. Unit: characters.
const SHOWN: usize = 80;

/// Where schemas with names stand.
const NAMED: &str = "#/components/schemas/";

/// The description.
pub(super) struct Schema<'a> {
    document: &'a Value,
}

/// What is found while values are looked at.
struct Finds<'s> {
    faults: Vec<String>,
    /// The schemas with names that a value fitted.
    seen: &'s mut BTreeSet<String>,
}

impl<'a> Schema<'a> {
    pub(super) fn new(document: &'a Value) -> Self {
        Self { document }
    }

    pub(super) fn title(&self) -> String {
        let info = |name: &str| self.document["info"][name].as_str().unwrap_or("?");
        format!("{} {}", info("title"), info("version"))
    }

    pub(super) fn named(&self, name: &str) -> Option<&'a Value> {
        self.document["components"]["schemas"].get(name)
    }

    pub(super) fn operation(&self, method: &str, path: &str) -> Option<&'a Value> {
        self.document["paths"].get(path)?.get(method.to_lowercase())
    }

    /// Parameters of the query.
    pub(super) fn query(&self, method: &str, path: &str) -> BTreeSet<&'a str> {
        let operation = self.operation(method, path).unwrap_or(&Value::Null);
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let of_query = parameters.filter(|parameter| parameter["in"] == "query");
        of_query
            .filter_map(|parameter| parameter["name"].as_str())
            .collect()
    }

    /// Fields of the body, and whether they are required whatever it is.
    pub(super) fn body(&self, method: &str, path: &str) -> BTreeMap<String, bool> {
        let operation = self.operation(method, path).unwrap_or(&Value::Null);
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        self.fields(schema)
    }

    fn fields(&self, schema: &Value) -> BTreeMap<String, bool> {
        let schema = self.resolved(schema);
        let required = texts(&schema["required"]);
        let own = schema["properties"].as_object().into_iter().flatten();
        let mut fields: BTreeMap<String, bool> = own
            .map(|(name, _)| (name.clone(), required.contains(name.as_str())))
            .collect();
        let choices: Vec<BTreeMap<String, bool>> =
            alternatives(schema).map(|choice| self.fields(choice)).collect();
        for name in choices.iter().flat_map(BTreeMap::keys) {
            let everywhere = choices.iter().all(|choice| choice.get(name) == Some(&true));
            fields.insert(name.clone(), everywhere);
        }
        fields
    }

    /// The schema of an answer.
    pub(super) fn answer(&self, method: &str, path: &str, status: u16) -> Option<&'a Value> {
        let answers = &self.operation(method, path)?["responses"];
        answers
            .get(status.to_string())?
            .pointer("/content/application~1json/schema")
    }

    /// The number that a schema of choices calls this.
    pub(super) fn titled(&self, name: &str, title: &str) -> Option<i64> {
        let choices = self.named(name)?["oneOf"].as_array()?;
        let choice = choices.iter().find(|choice| choice["title"] == title)?;
        choice["const"].as_i64()
    }

    /// The texts that a schema of choices allows.
    pub(super) fn choices(&self, name: &str) -> BTreeSet<String> {
        let choices = self.named(name).and_then(|schema| schema["oneOf"].as_array());
        let texts = choices.into_iter().flatten();
        texts
            .filter_map(|choice| choice["const"].as_str().map(str::to_owned))
            .collect()
    }

    /// A number that a schema states of a property, in itself or in one of its alternatives.
    pub(super) fn keyword(&self, name: &str, property: &str, keyword: &str) -> Option<usize> {
        let property = &self.named(name)?["properties"][property];
        let mut own = [property].into_iter().chain(alternatives(property));
        let stated = own.find_map(|schema| schema[keyword].as_u64())?;
        usize::try_from(stated).ok()
    }

    /// The headers that answers have, in lower case.
    pub(super) fn headers(&self) -> BTreeSet<String> {
        let headers = self.document["components"]["headers"].as_object();
        headers
            .into_iter()
            .flat_map(Map::keys)
            .map(|name| name.to_lowercase())
            .collect()
    }

    /// What is wrong with a value. Schemas with names that parts of it fit are added to `seen`.
    pub(super) fn check(&self, value: &Value, schema: &Value, seen: &mut BTreeSet<String>) -> Vec<String> {
        let mut finds = Finds {
            faults: Vec::new(),
            seen,
        };
        self.hold(value, schema, "", &mut finds);
        finds.faults
    }

    fn resolved<'v>(&self, schema: &'v Value) -> &'v Value
    where
        'a: 'v,
    {
        match name_of(schema).and_then(|name| self.named(name)) {
            Some(named) => named,
            None => schema,
        }
    }

    fn hold(&self, value: &Value, schema: &Value, at: &str, finds: &mut Finds<'_>) {
        if let Some(name) = name_of(schema) {
            let Some(named) = self.named(name) else {
                return finds.faults.push(format!("{name} is not documented"));
            };
            let before = finds.faults.len();
            self.hold(value, named, name, finds);
            if finds.faults.len() == before {
                finds.seen.insert(name.to_owned());
            }
            return;
        }
        let choices: Vec<&Value> = alternatives(schema).collect();
        if !choices.is_empty() {
            self.choose(value, &choices, at, finds);
        }
        let parts: Vec<&Value> = schema["allOf"].as_array().into_iter().flatten().collect();
        let has_fields = !self.all_properties(schema).is_empty();
        for part in &parts {
            // The fields of all parts together are looked at below.
            if !has_fields {
                self.hold(value, part, at, finds);
            }
        }
        let whole = value_of(value);
        if !fits_type(value, schema) {
            return finds.faults.push(format!(
                "{at} should be {} and is {whole}",
                types(schema).join(" or ")
            ));
        }
        let is_choice = |choices: &Vec<Value>| choices.contains(value);
        if schema.get("const").is_some_and(|only| only != value)
            || schema["enum"]
                .as_array()
                .is_some_and(|choices| !is_choice(choices))
        {
            finds.faults.push(format!("{at} should not be {whole}"));
        }
        match value {
            Value::String(text) => finds.faults.extend(wrong_text(text, schema, at)),
            Value::Array(items) => {
                if let Some(of) = schema.get("items") {
                    for item in items {
                        self.hold(item, of, at, finds);
                    }
                }
            }
            Value::Object(fields) if has_fields => self.hold_fields(fields, schema, at, finds),
            _ => {}
        }
    }

    fn hold_fields(&self, fields: &Map<String, Value>, schema: &Value, at: &str, finds: &mut Finds<'_>) {
        let properties = self.all_properties(schema);
        for name in self.all_required(schema) {
            if !fields.contains_key(&name) {
                finds.faults.push(format!("{at}.{name} is missing"));
            }
        }
        for (name, value) in fields {
            match properties.get(name) {
                Some(of) => self.hold(value, of, &format!("{at}.{name}"), finds),
                None => finds.faults.push(format!("{at}.{name} is not documented")),
            }
        }
    }

    /// One of the alternatives fits; else the one that is nearest says what is wrong.
    fn choose(&self, value: &Value, choices: &[&Value], at: &str, finds: &mut Finds<'_>) {
        let mut nearest: Option<Vec<String>> = None;
        for choice in choices {
            let mut seen = BTreeSet::new();
            let mut found = Finds {
                faults: Vec::new(),
                seen: &mut seen,
            };
            self.hold(value, choice, at, &mut found);
            let faults = found.faults;
            if faults.is_empty() {
                finds.seen.extend(seen);
                return;
            }
            if nearest
                .as_ref()
                .is_none_or(|nearest| faults.len() < nearest.len())
            {
                nearest = Some(faults);
            }
        }
        finds.faults.extend(nearest.unwrap_or_default());
    }

    /// The properties of a schema and of all its parts.
    fn all_properties(&self, schema: &Value) -> Map<String, Value> {
        let schema = self.resolved(schema);
        let mut properties = schema["properties"].as_object().cloned().unwrap_or_default();
        for part in schema["allOf"].as_array().into_iter().flatten() {
            properties.extend(self.all_properties(part));
        }
        properties
    }

    fn all_required(&self, schema: &Value) -> BTreeSet<String> {
        let schema = self.resolved(schema);
        let mut required: BTreeSet<String> = texts(&schema["required"])
            .into_iter()
            .map(str::to_owned)
            .collect();
        for part in schema["allOf"].as_array().into_iter().flatten() {
            required.extend(self.all_required(part));
        }
        required
    }
}

fn name_of(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.strip_prefix(NAMED)
}

fn alternatives(schema: &Value) -> impl Iterator<Item = &Value> {
    let of = |name: &str| schema[name].as_array().into_iter().flatten();
    of("oneOf").chain(of("anyOf"))
}

fn texts(value: &Value) -> BTreeSet<&str> {
    let items = value.as_array().into_iter().flatten();
    items.filter_map(Value::as_str).collect()
}

fn types(schema: &Value) -> Vec<&str> {
    match &schema["type"] {
        Value::String(name) => vec![name],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn fits_type(value: &Value, schema: &Value) -> bool {
    let types = types(schema);
    types.is_empty()
        || types.iter().any(|name| match *name {
            "null" => value.is_null(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            "string" => value.is_string(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            _ => false,
        })
}

fn wrong_text(text: &str, schema: &Value, at: &str) -> Option<String> {
    let fits = match schema["format"].as_str() {
        Some("snowflake") => text.parse::<u64>().is_ok(),
        Some("date-time") => text.parse::<Timestamp>().is_ok(),
        Some("uri") => text.contains("://"),
        _ => true,
    };
    (!fits).then(|| format!("{at} should be a {} and is {text:?}", schema["format"]))
}

fn value_of(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
